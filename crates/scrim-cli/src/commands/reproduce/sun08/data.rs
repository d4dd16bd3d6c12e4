//! The table of the experiments: Adult from a folder, or a made-up one, with the two sensitive columns.
//!
//! Sensitive values: x = 20080101, then x = (1664525 x + 1013904223) mod 2^32, a step a record. Column A has
//! 1 + (x >> 29), so eight values; column C has 7 + ((x >> 28) & 1) for people over 60 and A for others.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use scrim::hierarchy::{Ladder, from_level_csv};
use scrim::recoding::Lattice;
use scrim::table::{Column, Table};
use scrim_io::{Keep, ReadOptions, Source, files, read_table};

use super::bench::internal;
use super::subject::Subject;
use super::synthetic;
use crate::outcome::Failure;

/// The quasi-identifiers in the order of Table 9.
pub(super) const QUASI: [&str; 7] = [
    "age",
    "workclass",
    "education",
    "native-country",
    "marital-status",
    "race",
    "sex",
];
/// Their heights in both tables.
const HEIGHTS: [u8; 7] = [4, 2, 3, 2, 2, 1, 1];
/// The rows of Adult for which the answers are known.
const ROWS_OF_ADULT: usize = 30_162;
/// The largest lattice whose nodes are looked at one by one.
const MOST_NODES: u128 = 20_000;
/// The sensitive columns.
pub(super) const SENSITIVE: [&str; 2] = ["A", "C"];

/// A table ready for the experiments.
#[derive(Debug)]
pub(super) struct Data {
    pub(super) table: Table,
    pub(super) ladders: Vec<Ladder>,
    /// Eight values in four categories of two, most sensitive first.
    pub(super) listed: Vec<Vec<String>>,
    /// Whether it is Adult as the project knows it.
    pub(super) real: bool,
    /// Whether it comes from a folder.
    given: bool,
}

impl Data {
    /// Reads the folder; without one, makes the table up.
    pub(super) fn new(folder: Option<&Path>) -> Result<Self, Failure> {
        let (table, ladders) = match folder {
            None => synthetic::table()?,
            Some(folder) => read(folder)?,
        };
        let heights: Vec<u8> = ladders.iter().map(Ladder::height).collect();
        let real = folder.is_some() && table.rows() == ROWS_OF_ADULT && heights == HEIGHTS;
        if Lattice::new(&ladders).size() > MOST_NODES {
            return Err(Failure::new(
                "the hierarchies are too high: every node of their lattice is looked at",
                Some(&format!("{MOST_NODES} nodes are the most; Adult has 2160")),
            ));
        }
        let listed = |category: u32| {
            vec![
                (2 * category + 1).to_string(),
                (2 * category + 2).to_string(),
            ]
        };
        Ok(Self {
            table: with_sensitive(&table)?,
            ladders,
            listed: (0..4).map(listed).collect(),
            real,
            given: folder.is_some(),
        })
    }

    /// The table as it is called in titles.
    pub(super) fn name(&self) -> String {
        let what = match (self.real, self.given) {
            (true, _) => "Adult",
            (false, true) => "the table given",
            (false, false) => "made-up table",
        };
        format!("{what}, {} rows", self.table.rows())
    }

    /// The first quasi-identifiers with a sensitive column.
    pub(super) fn subject(&self, of: &'static str, size: usize) -> Subject<'_> {
        Subject {
            table: &self.table,
            ladders: &self.ladders[..size],
            of,
            listed: &self.listed,
        }
    }
}

fn with_sensitive(table: &Table) -> Result<Table, Failure> {
    let ages = table.column("age").ok_or_else(|| internal("no age"))?;
    let mut x: u32 = 20_080_101;
    let (mut uniform, mut by_age) = (Vec::new(), Vec::new());
    for row in 0..table.rows() {
        x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let plain = 1 + (x >> 29);
        let age: u32 = ages.text(row).parse().map_err(|_| {
            Failure::new(format!("the age of record {} is no number", row + 1), None)
        })?;
        uniform.push(plain.to_string());
        by_age.push(if age > 60 { 7 + (x >> 28 & 1) } else { plain }.to_string());
    }
    let column =
        |name, texts: &[String]| Column::from_texts(name, texts.iter().map(String::as_str));
    let mut columns = table.columns().to_vec();
    columns.push(column(SENSITIVE[0], &uniform));
    columns.push(column(SENSITIVE[1], &by_age));
    Table::new(columns).ok_or_else(|| internal("columns of other lengths").into())
}

fn read(folder: &Path) -> Result<(Table, Vec<Ladder>), Failure> {
    let unpacked = folder.join("adult.csv");
    let file: PathBuf = if files::exists(&unpacked) {
        unpacked
    } else {
        folder.join("adult.csv.zst")
    };
    let options = ReadOptions {
        delimiter: Some(b';'),
        nulls: Vec::new(),
        ..ReadOptions::default()
    };
    let mut plan = |header: &[String]| {
        let keep = |name: &String| {
            if QUASI.contains(&name.as_str()) {
                Keep::Value
            } else {
                Keep::Drop
            }
        };
        Ok(header.iter().map(keep).collect())
    };
    let source = Source::File(file.clone());
    let table = read_table(&source, &options, &mut plan, &mut |_, _| Ok(()))?.table;
    let mut ladders = Vec::new();
    for name in QUASI {
        let column = table.column(name).ok_or_else(|| {
            let what = format!("{}: there is no column `{name}`", file.display());
            Failure::new(what, Some("the file is `;`-separated, with a header"))
        })?;
        let levels = folder.join(format!("adult_hierarchy_{name}.csv"));
        let text = files::read_text(&levels)?;
        let tree = from_level_csv(name, &levels.display().to_string(), &text, true)?;
        let ladder = Ladder::new(name, Arc::new(tree), column.dictionary()).map_err(|strays| {
            let what = format!(
                "{}: {} values of the data have no row",
                levels.display(),
                strays.len()
            );
            Failure::new(what, Some("add a row `value;group;*` for each"))
        })?;
        ladders.push(ladder);
    }
    Ok((table, ladders))
}
