//! The paper's tables, and the answers that brute force found.

use scrim::hierarchy::Ladder;
use scrim::table::Table;
use scrim::{Error, Share};

use super::ask::{Ask, Kind};
use super::bench::{internal, ladder, read_table, records};

macro_rules! fixture {
    ($file:literal) => {
        include_str!(concat!("../../../../../fixtures/papers/sun08/", $file))
    };
}

pub(super) const TABLE_1: &str = fixture!("table1.csv");
pub(super) const TABLE_2: &str = fixture!("table2.csv");
pub(super) const TABLE_5: &str = fixture!("table5.csv");
pub(super) const TABLE_6: &str = fixture!("table6.csv");
pub(super) const TABLE_6_CORRECTED: &str = fixture!("table6_corrected.csv");
pub(super) const TABLE_7: &str = fixture!("table7.csv");
pub(super) const TABLE_8: &str = fixture!("table8.csv");
pub(super) const TABLE_8_PRINTED: &str = fixture!("table8_printed.csv");
/// Categories.
pub(super) const TABLE_4: &str = fixture!("table4.csv");
pub(super) const SECTION_6: &str = fixture!("section6.csv");
pub(super) const OF_TABLE_8: &str = fixture!("table8_categories.csv");
/// What Algorithm 1 gives.
pub(super) const TOP_DOWN_OF_TABLE_8: &str = fixture!("table8_top_down.txt");
pub(super) const TOP_DOWN_OF_TABLE_1: &str = fixture!("table1_top_down.txt");

/// Table 1 with its quasi-identifiers.
pub(super) fn table_1() -> Result<(Table, Vec<Ladder>), Error> {
    let hierarchies = [
        fixture!("age.csv"),
        fixture!("country.csv"),
        fixture!("zip.csv"),
    ];
    with_ladders(TABLE_1, &hierarchies)
}

/// Table 8, the middle part.
pub(super) fn table_8() -> Result<(Table, Vec<Ladder>), Error> {
    with_ladders(TABLE_8, &[fixture!("zipcode.table8.csv")])
}

fn with_ladders(text: &str, hierarchies: &[&str]) -> Result<(Table, Vec<Ladder>), Error> {
    let table = read_table(text)?;
    let pairs = hierarchies.iter().zip(table.columns());
    let ladders = pairs
        .map(|(levels, column)| ladder(levels, column))
        .collect::<Result<_, _>>()?;
    Ok((table, ladders))
}

/// The values of each category, most sensitive first.
pub(super) fn categories(text: &str) -> Vec<Vec<String>> {
    let values = |record: Vec<&str>| record[1].split(';').map(str::to_owned).collect();
    records(text).skip(1).map(values).collect()
}

/// A class of a printed table as the fixture describes it: its records from 1, then rows, values, categories, weight.
pub(super) fn classes(table: &str) -> Vec<(&'static str, Vec<&'static str>)> {
    let of_table = records(fixture!("classes.csv")).filter(|record| record[0] == table);
    of_table
        .map(|record| (record[1], record[2..].to_vec()))
        .collect()
}

/// What is asked of Table 1, and the minimal nodes as `[1,1,2]`.
pub(super) fn minimal() -> Result<Vec<(Ask, String)>, Error> {
    let answer = |record: Vec<&str>| {
        let ask = ask(record[0], record[1], record[2], record[3])?;
        let node = |node: &str| {
            let levels: Vec<String> = node.chars().map(String::from).collect();
            format!("[{}]", levels.join(","))
        };
        let nodes: Vec<String> = record[5].split_whitespace().map(node).collect();
        Ok((ask, nodes.join(" ")))
    };
    records(fixture!("table1_minimal.csv"))
        .skip(1)
        .map(answer)
        .collect()
}

/// A worked case of Algorithm 1.
#[derive(Debug)]
pub(super) struct Worked {
    pub(super) ask: Ask,
    /// The least distortion ratio of any local recoding, where there is one.
    pub(super) least: Option<Share>,
    /// The labels, columns joined by `/`, records by blanks; `-` where there is no table.
    pub(super) labels: &'static str,
}

/// The worked cases with these quasi-identifiers.
pub(super) fn worked(text: &'static str, columns: &str) -> Result<Vec<Worked>, Error> {
    let cases = text.lines().filter(|line| !line.starts_with('#'));
    let fields = cases.map(|line| line.split('|').collect::<Vec<_>>());
    let wanted = fields.filter(|fields| fields[0] == columns);
    let case = |fields: Vec<&'static str>| {
        Ok(Worked {
            ask: ask(fields[1], fields[2], fields[3], fields[4])?,
            least: fields[5].parse().ok(),
            labels: fields[6],
        })
    };
    wanted.map(case).collect()
}

fn ask(kind: &str, k: &str, p: &str, alpha: &str) -> Result<Ask, Error> {
    let number = |text: &str| text.parse().map_err(|_| internal("no number in a fixture"));
    let alpha = alpha
        .parse()
        .map_err(|_| internal("no share in a fixture"))?;
    Ok(Ask::new(
        Kind::of_word(kind)?,
        number(k)?,
        number(p)?,
        alpha,
    ))
}
