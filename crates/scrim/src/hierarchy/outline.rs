//! Outlines: a line a taxon, two spaces of indentation a level, the top first.

use rustc_hash::FxHashMap;

use super::builder::TreeBuilder;
use super::level_csv::Source;
use super::{Hierarchy, TaxonId};
use crate::error::Error;
use crate::{counted, verb};

/// Reads an outline; `suppressible` puts suppression on top unless it is there.
pub fn from_outline(
    attribute: &str,
    file: &str,
    text: &str,
    suppressible: bool,
) -> Result<Hierarchy, Error> {
    let source = Source { attribute, file };
    let mut builder = TreeBuilder::default();
    let mut path: Vec<TaxonId> = Vec::new();
    let mut known: FxHashMap<&str, usize> = FxHashMap::default();
    let mut inner: Vec<bool> = Vec::new();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (number, line) in text.lines().enumerate() {
        let label = line.trim();
        if label.is_empty() {
            continue;
        }
        let at = number as u64 + 1;
        let depth = depth_of(&source, at, line, path.len())?;
        if let Some(first) = known.insert(label, number + 1) {
            return Err(source.fault(
                Some(at),
                &format!("`{label}` stands on line {first} already"),
                None,
            ));
        }
        let taxon = builder.add_at(label, at);
        inner.push(false);
        path.truncate(depth);
        if let Some(parent) = path.last() {
            builder.link(taxon, *parent);
            inner[parent.0 as usize] = true;
        }
        path.push(taxon);
    }
    for leaf in (0..inner.len())
        .filter(|taxon| !inner[*taxon])
        .map(|taxon| TaxonId(taxon as u32))
    {
        let label = builder.label(leaf).to_owned();
        builder.value(&label, leaf);
    }
    builder
        .finish(suppressible)
        .map_err(|fault| source.not_a_tree(&fault))
}

fn depth_of(source: &Source<'_>, at: u64, line: &str, deepest: usize) -> Result<usize, Error> {
    let indent = &line[..line.len() - line.trim_start().len()];
    if indent.contains(|c: char| c != ' ') || indent.len() % 2 == 1 {
        let hint = "two spaces a level, no tabs";
        return Err(source.fault(
            Some(at),
            &format!(
                "indented by {} that {}",
                counted(indent.chars().count(), "character"),
                verb(indent.chars().count(), "is no level", "are no levels")
            ),
            Some(hint),
        ));
    }
    let depth = indent.len() / 2;
    if depth > deepest {
        let what = format!(
            "this line is {} in, but the one above allows {deepest} at most",
            counted(depth, "level")
        );
        return Err(source.fault(Some(at), &what, None));
    }
    Ok(depth)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Hierarchy, String> {
        from_outline("d", "d.txt", text, false).map_err(|error| error.to_string())
    }

    #[test]
    fn indentation_becomes_a_tree() {
        let tree = read("any\n  lung\n    flu\n    asthma\n\n  ulcer\n").unwrap();
        assert_eq!((tree.height(), tree.domain_size()), (2, 3));
        assert_eq!(
            tree.label(tree.parent(tree.leaf("flu").unwrap()).unwrap()),
            "lung"
        );
    }

    #[test]
    fn faults_are_told_with_their_line() {
        assert!(
            read("any\n   odd\n")
                .unwrap_err()
                .starts_with("d.txt:2: indented by 3")
        );
        assert!(
            read("any\n    deep\n")
                .unwrap_err()
                .starts_with("d.txt:2: this line is 2 levels in")
        );
        assert!(
            read("any\n  a\n  a\n")
                .unwrap_err()
                .starts_with("d.txt:3: `a` stands on line 2")
        );
        assert!(read("a\nb\n").unwrap_err().contains("2 tops"));
        assert!(read("\n\n").unwrap_err().contains("no value"));
        assert!(
            read("any\n\tx\n")
                .unwrap_err()
                .starts_with("d.txt:2: indented")
        );
    }
}
