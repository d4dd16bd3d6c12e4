//! A released table as it is printed: its classes, what they have, and whether it is a view of its original.

use std::collections::BTreeSet;

use scrim::adversary::{Grouping, Similarity, similarity};
use scrim::frequency::{Piles, Tracked};
use scrim::hierarchy::{Hierarchy, Ladder};
use scrim::model::Categories;
use scrim::table::Table;
use scrim::{Error, Share};

use super::ask::{Ask, Kind};
use super::bench::{internal, read_table};
use super::{fixtures, words};

/// A table whose last column is sensitive and whose others are quasi-identifiers.
#[derive(Debug)]
pub(super) struct Released {
    pub(super) table: Table,
    listed: Vec<Vec<String>>,
    /// The rows of each class, by first row.
    classes: Vec<Vec<u32>>,
}

impl Released {
    pub(super) fn new(text: &str, categories: &str) -> Result<Self, Error> {
        let table = read_table(text)?;
        let quasi = table.columns().len() - 1;
        let same = |left: u32, right: u32| {
            let mut columns = table.columns()[..quasi].iter();
            columns.all(|column| column.text(left as usize) == column.text(right as usize))
        };
        let mut classes: Vec<Vec<u32>> = Vec::new();
        for row in 0..table.rows() as u32 {
            match classes.iter_mut().find(|class| same(class[0], row)) {
                Some(class) => class.push(row),
                None => classes.push(vec![row]),
            }
        }
        Ok(Self {
            listed: fixtures::categories(categories),
            table,
            classes,
        })
    }

    fn of(&self) -> &str {
        self.table
            .columns()
            .last()
            .map_or("", |column| column.name())
    }

    /// The sizes of the classes.
    pub(super) fn sizes(&self) -> String {
        words::numbers(self.classes.iter().map(Vec::len))
    }

    /// Whether every class keeps a model.
    pub(super) fn holds(&self, ask: &Ask) -> Result<bool, Error> {
        let kept = |rows: &Vec<u32>| self.keeps(rows, ask);
        let all: Vec<bool> = self.classes.iter().map(kept).collect::<Result<_, _>>()?;
        Ok(all.into_iter().all(|kept| kept))
    }

    fn keeps(&self, rows: &[u32], ask: &Ask) -> Result<bool, Error> {
        let models = ask.models(&self.table, self.of(), &self.listed)?;
        let set = Piles::new(&self.table, models.tracked())?.one(rows);
        Ok(models.holds(set.only()))
    }

    /// For each class its records from 1, then rows, values, categories and weight.
    pub(super) fn facts(&self) -> Result<Vec<(String, Vec<String>)>, Error> {
        let column = self.table.columns().last();
        let column = column.ok_or_else(|| internal("a table without columns"))?;
        let categories = Categories::new(&self.listed, column.dictionary());
        let categories = categories.map_err(|what| internal(&what))?;
        let tracked = [Tracked::Sensitive(self.of().to_owned())];
        let piles = Piles::new(&self.table, &tracked)?;
        let fact = |rows: &Vec<u32>| {
            let set = piles.one(rows);
            let values = set.only().histogram(0);
            let steps = i128::from(categories.count()) - 1;
            let units: i128 = values
                .iter()
                .map(|(code, count)| i128::from(categories.of(code)) * i128::from(count))
                .sum();
            let weigh = |units| Share::new(units, steps).ok_or_else(|| internal("one category"));
            let (weight, more) = (weigh(units)?, weigh(units + 1)?);
            // The library must weigh the same.
            if !self.keeps(rows, &Ask::new(Kind::PAlpha, 1, 1, weight))?
                || self.keeps(rows, &Ask::new(Kind::PAlpha, 1, 1, more))?
            {
                return Err(internal("a class weighs something else"));
            }
            let kinds: BTreeSet<u32> = values
                .codes()
                .iter()
                .map(|code| categories.of(*code))
                .collect();
            let cells = vec![
                rows.len().to_string(),
                values.distinct().to_string(),
                kinds.len().to_string(),
                weight.to_string(),
            ];
            Ok((words::numbers(rows.iter().map(|row| row + 1)), cells))
        };
        self.classes.iter().map(fact).collect()
    }

    /// The similarity attack.
    pub(super) fn attacked(&self) -> Option<Similarity> {
        let column = self.table.columns().last()?;
        let grouping = Grouping::categories(&self.listed, column);
        Some(similarity(column, &grouping, &self.classes, &[]))
    }

    /// The cells that are no ancestor of the original's value, as record and column.
    pub(super) fn strays(&self, original: &Table, ladders: &[Ladder]) -> Vec<String> {
        let mut strays = Vec::new();
        for row in 0..self.table.rows() {
            for (at, ladder) in ladders.iter().enumerate() {
                let (value, label) = (
                    original.columns()[at].text(row),
                    self.table.columns()[at].text(row),
                );
                if !covers(ladder.hierarchy(), label, value) {
                    strays.push(format!("record {} {}", row + 1, ladder.name()));
                }
            }
        }
        strays
    }

    /// The records from 1 whose cells cover a person's values.
    pub(super) fn matching(&self, person: &[&str], ladders: &[Ladder]) -> String {
        let fits = |row: &usize| {
            let mut cells = ladders.iter().zip(person).zip(self.table.columns());
            cells.all(|((ladder, value), column)| {
                covers(ladder.hierarchy(), column.text(*row), value)
            })
        };
        words::numbers((0..self.table.rows()).filter(fits).map(|row| row + 1))
    }

    /// The distortion ratio: each label at its lowest level.
    pub(super) fn ratio(&self, ladders: &[Ladder]) -> Option<Share> {
        let mut levels = 0;
        for (ladder, column) in ladders.iter().zip(self.table.columns()) {
            for row in 0..self.table.rows() {
                let tree = ladder.hierarchy();
                let places = tree.labelled(column.text(row));
                levels += i128::from(places.map(|taxon| tree.level(taxon)).min()?);
            }
        }
        let heights: i128 = ladders
            .iter()
            .map(|ladder| i128::from(ladder.height()))
            .sum();
        Share::new(levels, heights * self.table.rows() as i128)
    }
}

/// Whether a label stands above a value or is it.
fn covers(tree: &Hierarchy, label: &str, value: &str) -> bool {
    let mut at = tree.leaf(value);
    while let Some(taxon) = at {
        if tree.label(taxon) == label {
            return true;
        }
        at = tree.parent(taxon);
    }
    false
}
