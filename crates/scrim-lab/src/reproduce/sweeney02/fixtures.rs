//! The paper's tables, and the answers that brute force found.

use scrim::{Error, Share};

use super::bench::{Bench, internal, records};

macro_rules! fixture {
    ($file:literal) => {
        include_str!(concat!("../../../../../fixtures/papers/sweeney02/", $file))
    };
}

/// The reconstructions of Figure 6: levels of `BirthDate` above the date, then height of Gender.
pub(super) const VARIANTS: [&str; 10] = [
    "Y-D/G1",
    "Y-D/G2",
    "Y-5-D/G1",
    "Y-5-D/G2",
    "M-Y-D/G1",
    "M-Y-D/G2",
    "M-Y-5-D/G1",
    "M-Y-5-D/G2",
    "Y-D-C/G1",
    "Y-D-C/G2",
];
/// The likeliest.
pub(super) const LIKELIEST: &str = "Y-D-C/G2";

pub(super) const GT: &str = fixture!("figure7_gt.csv");
pub(super) const MGT: &str = fixture!("figure10_mgt.csv");
pub(super) const MT: &str = fixture!("figure15_mt.csv");

const ZIP: &str = fixture!("zip.csv");
const RACE_OF_FIGURE_3: &str = fixture!("race.figure3.csv");
const FIGURE_4_MINIMAL: &str = fixture!("figure4_minimal.csv");
const FIGURE_4_WEIGHTED: &str = fixture!("figure4_weighted.csv");
const FIGURE_7_MINIMAL: &str = fixture!("figure7_minimal.csv");

pub(super) fn figure_1() -> Result<Bench, Error> {
    let (birth, gender) = (
        fixture!("birth.figure1.csv"),
        fixture!("gender.figure1.csv"),
    );
    Bench::new(
        fixture!("figure1.csv"),
        &[RACE_OF_FIGURE_3, birth, gender, ZIP],
    )
}

pub(super) fn figure_4() -> Result<Bench, Error> {
    Bench::new(fixture!("figure4.csv"), &[RACE_OF_FIGURE_3, ZIP])
}

pub(super) fn figure_7(variant: &str) -> Result<Bench, Error> {
    let birth = match variant.split('/').next() {
        Some("Y-D") => fixture!("birthdate.Y-D.csv"),
        Some("Y-5-D") => fixture!("birthdate.Y-5-D.csv"),
        Some("M-Y-D") => fixture!("birthdate.M-Y-D.csv"),
        Some("M-Y-5-D") => fixture!("birthdate.M-Y-5-D.csv"),
        _ => fixture!("birthdate.Y-D-C.csv"),
    };
    let gender = if variant.ends_with("G1") {
        fixture!("gender.G1.csv")
    } else {
        fixture!("gender.G2.csv")
    };
    Bench::new(
        fixture!("figure7.csv"),
        &[fixture!("race.csv"), birth, gender, ZIP],
    )
}

/// Our own four rows on which two nodes tie.
pub(super) fn tie() -> Result<Bench, Error> {
    Bench::new(
        fixture!("def6.csv"),
        &[fixture!("def6.a.csv"), fixture!("def6.b.csv")],
    )
}

/// The largest k and the Prec of a node of Figure 4.
pub(super) fn figure_4_node(levels: &str) -> Result<(u64, Share), Error> {
    let record = find(fixture!("figure4_lattice.csv"), &[levels])?;
    let max_k = record[1]
        .parse()
        .map_err(|_| internal("no number in a fixture"))?;
    Ok((max_k, share(record[3])?))
}

/// The nodes of a kind (`minimal` or `distortion`) of Figure 4, and the last one's Prec.
pub(super) fn figure_4_nodes(k: u64, kind: &str) -> Result<(Vec<String>, Share), Error> {
    nodes(FIGURE_4_MINIMAL, &[&k.to_string(), kind])
}

/// The minimal distortions of Figure 4 with weights.
pub(super) fn figure_4_weighted(weights: &str, k: u64) -> Result<(Vec<String>, Share), Error> {
    nodes(FIGURE_4_WEIGHTED, &[weights, &k.to_string(), "distortion"])
}

/// The same of Figure 7.
pub(super) fn figure_7_nodes(
    variant: &str,
    k: u64,
    kind: &str,
) -> Result<(Vec<String>, Share), Error> {
    nodes(FIGURE_7_MINIMAL, &[variant, &k.to_string(), kind])
}

/// The heights, the Prec of GT and of Datafly's release for k = 2 of a reconstruction.
pub(super) fn variant(variant: &str) -> Result<(&'static str, Share, Share), Error> {
    let record = find(fixture!("figure7_variants.csv"), &[variant])?;
    Ok((record[1], share(record[2])?, share(record[3])?))
}

/// The greatest Prec of Figure 4 by cell.
pub(super) fn figure_4_cell(k: u64) -> Result<Share, Error> {
    let record = find(fixture!("figure4_cell.csv"), &["", &k.to_string()])?;
    share(record[2])
}

/// The greatest Prec of Figure 7 by cell.
pub(super) fn figure_7_cell(variant: &str, k: u64) -> Result<Share, Error> {
    let record = find(fixture!("figure7_cell.csv"), &[variant, &k.to_string()])?;
    share(record[2])
}

/// Levels, suppressed rows and Prec of the literal Datafly.
pub(super) fn datafly(variant: &str, k: u64) -> Result<(&'static str, &'static str, Share), Error> {
    let record = find(
        fixture!("figure7_datafly.csv"),
        &[variant, &k.to_string(), "tuple"],
    )?;
    Ok((record[3], record[5], share(record[6])?))
}

/// Levels, suppressed cells and largest k of mu-Argus's release.
pub(super) fn mu_argus(
    variant: &str,
    k: u64,
    combinations: &str,
) -> Result<(String, String, String), Error> {
    let key = [variant, &k.to_string(), combinations];
    let record = find(fixture!("figure7_muargus.csv"), &key)?;
    Ok((
        record[3].to_owned(),
        record[5].to_owned(),
        record[7].to_owned(),
    ))
}

/// The Prec of mu-Argus's release, all combinations tested.
pub(super) fn mu_argus_prec(variant: &str, k: u64) -> Result<Share, Error> {
    let key = [variant, &k.to_string(), "all"];
    share(find(fixture!("figure7_muargus.csv"), &key)?[6])
}

/// Nought and one in four columns, each row once.
pub(super) fn four_bits() -> Result<Bench, Error> {
    let row = |number: u32| format!("{number:04b}").replace("", ",");
    let rows: Vec<String> = (0..16)
        .map(|number| row(number).trim_matches(',').to_owned())
        .collect();
    let table = format!("A,B,C,D\n{}\n", rows.join("\n"));
    Bench::new(&table, &["0;*\n1;*\n"; 4])
}

fn nodes(text: &'static str, key: &[&str]) -> Result<(Vec<String>, Share), Error> {
    let found: Vec<Vec<&str>> = records(text)
        .filter(|record| record.starts_with(key))
        .collect();
    let prec = found
        .last()
        .ok_or_else(|| internal("a fixture lacks an answer"))?[key.len() + 1];
    let levels = |record: &Vec<&str>| format!("[{}]", record[key.len()].replace(' ', ","));
    Ok((found.iter().map(levels).collect(), share(prec)?))
}

fn find(text: &'static str, key: &[&str]) -> Result<Vec<&'static str>, Error> {
    let found = records(text).find(|record| record.starts_with(key));
    found.ok_or_else(|| internal("a fixture lacks an answer"))
}

fn share(text: &str) -> Result<Share, Error> {
    text.parse().map_err(|_| internal("no share in a fixture"))
}
