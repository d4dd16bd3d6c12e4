//! Lines that answers have in common: files, how much was searched, sizes of classes.

use scrim::release::audit::ClassSizes;
use scrim::release::report::{Files, Publication};
use scrim::{counted, printable};

/// The files, and what they replaced.
pub(super) fn written(files: &Files) -> String {
    let mut text = String::new();
    for file in [
        &files.release,
        &files.manifest,
        &files.report,
        &files.external,
        &files.external_policy,
        &files.external_manifest,
    ]
    .into_iter()
    .flatten()
    {
        text.push_str(&format!("  {}\n", printable(file)));
    }
    if !files.replaced.is_empty() {
        let names = files.replaced.iter();
        let names = names.map(|file| file.rsplit(['/', '\\']).next().unwrap_or(file));
        let names: Vec<&str> = names.collect();
        text.push_str(&format!("  in place of the earlier {}\n", names.join(", ")));
    }
    text
}

/// How much was searched.
pub(super) fn effort(answer: &Publication) -> String {
    let (checked, lattice) = (answer.searched.checked, answer.searched.lattice);
    match answer.algorithm {
        "top-down" | "personalized" | "mondrian" | "rotating" => {
            format!("{} checked", counted(checked, "class"))
        }
        "mingen-cell" => format!("{} computed", counted(checked, "bound")),
        "local" => format!(
            "{} of generalized values found worth a class",
            counted(checked, "vector")
        ),
        "mu-argus" => format!("{} tested", counted(checked, "combination")),
        "incognito" => {
            format!(
                "{} of all subsets tested, {} in the lattice",
                counted(checked, "table"),
                counted(lattice, "node")
            )
        }
        "chain" => format!(
            "{} walked, {} in the lattice",
            counted(checked, "step"),
            counted(lattice, "node")
        ),
        _ => format!("{checked} of {} checked", counted(lattice, "node")),
    }
}

/// The sizes of classes.
pub(super) fn sizes(classes: &ClassSizes) -> String {
    let largest = counted(classes.max, "row");
    if classes.min == classes.max {
        largest
    } else {
        format!("{} to {largest}", classes.min)
    }
}
