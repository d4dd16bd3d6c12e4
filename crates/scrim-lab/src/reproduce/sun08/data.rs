//! The table of the experiments: Adult from a file, or a made-up one, with the two sensitive columns.
//!
//! Sensitive values: x is the seed, 20080101 unless another is given, then x = (1664525 x + 1013904223) mod 2^32, a step a record. Column A has
//! 1 + (x >> 29), so eight values; column C has 7 + ((x >> 28) & 1) for people over 60 and A for others.

use std::path::Path;

use scrim::hierarchy::Ladder;
use scrim::recoding::Lattice;
use scrim::table::{Column, Table};

use super::bench::internal;
use super::subject::Subject;
use super::{adult, synthetic};
use crate::Failure;

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
pub(super) const HEIGHTS: [u8; 7] = [4, 2, 3, 2, 2, 1, 1];
/// The rows of Adult for which the answers are known: ARX's.
const ROWS_OF_ARX: usize = 30_162;
/// The rows of the paper: all without unknown values.
const ROWS_OF_PAPER: usize = 45_222;
/// The first x.
pub(super) const SEED: u32 = 20_080_101;
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
    /// Whether it is Adult as ARX ships it, with the sensitive columns for which the answers are known.
    pub(super) real: bool,
    /// The first x of the sensitive columns.
    pub(super) seed: u32,
    /// What it is called.
    what: &'static str,
}

impl Data {
    /// Reads a file or folder; without one, makes the table up.
    pub(super) fn new(given: Option<&Path>, seed: u32) -> Result<Self, Failure> {
        let (table, ladders) = match given {
            None => synthetic::table()?,
            Some(data) => adult::read(data)?,
        };
        let heights: Vec<u8> = ladders.iter().map(Ladder::height).collect();
        let is_adult = |rows: usize| table.rows() == rows && heights == HEIGHTS;
        let what = match given {
            None => "made-up table",
            Some(_) if is_adult(ROWS_OF_ARX) || is_adult(ROWS_OF_PAPER) => "Adult",
            Some(_) => "the table given",
        };
        let real = given.is_some() && is_adult(ROWS_OF_ARX) && seed == SEED;
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
            table: with_sensitive(&table, seed)?,
            ladders,
            listed: (0..4).map(listed).collect(),
            real,
            seed,
            what,
        })
    }

    /// The table as it is called in titles.
    pub(super) fn name(&self) -> String {
        format!("{}, {} rows", self.what, self.table.rows())
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

fn with_sensitive(table: &Table, seed: u32) -> Result<Table, Failure> {
    let ages = table.column("age").ok_or_else(|| internal("no age"))?;
    let mut x = seed;
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
