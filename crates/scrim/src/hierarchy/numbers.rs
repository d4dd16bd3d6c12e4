//! A column of numbers whose domain may be cut anywhere.
//!
//! **Reading.** Numbers lie on the grid of the finest decimal that occurs in data or policy. Both bounds belong to the
//! domain; where the policy gives none it is the data's. A number that the data spell in one way only is published so.

use rustc_hash::FxHashMap;

use super::intervals::Grid;
use super::spec::NumericDomain;
use crate::table::{Code, Dictionary};

/// The numbers of a column, in grid steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbers {
    grid: Grid,
    from: i64,
    to: i64,
    of_code: Vec<Option<i64>>,
    /// How a number that has one spelling is spelt.
    spelling: FxHashMap<i64, Option<Box<str>>>,
}

impl Numbers {
    /// The numbers of a dictionary; the code of a value that is none, or lies outside the domain, otherwise.
    pub fn over(domain: NumericDomain, dictionary: &Dictionary) -> Result<Self, Code> {
        let missing = dictionary.missing();
        let values = || {
            (0..)
                .zip(dictionary.texts())
                .filter(|(code, _)| Some(*code) != missing)
        };
        let grid = Grid::fine_enough(
            values().map(|(_, text)| text),
            domain.from.iter().chain(&domain.to),
        )
        .ok_or(0u32)?;
        let narrow = |number: i128| i64::try_from(number).ok();
        let read = |text: &str| grid.read(text).and_then(narrow);
        let mut of_code = vec![None; dictionary.len()];
        let mut spelling: FxHashMap<i64, Option<Box<str>>> = FxHashMap::default();
        for (code, text) in values() {
            let number = read(text).ok_or(code)?;
            of_code[code as usize] = Some(number);
            let spelt = spelling.entry(number);
            spelt
                .and_modify(|spelt| *spelt = None)
                .or_insert_with(|| Some(text.into()));
        }
        let bound = |bound: Option<crate::share::Share>| {
            bound.and_then(|bound| grid.scale(bound)).and_then(narrow)
        };
        let numbers = || of_code.iter().flatten().copied();
        let from = bound(domain.from).or_else(|| numbers().min()).unwrap_or(0);
        let to = bound(domain.to).or_else(|| numbers().max()).unwrap_or(from);
        for (code, number) in (0..).zip(&of_code) {
            if number.is_some_and(|number| !(from..=to).contains(&number)) {
                return Err(code);
            }
        }
        Ok(Self {
            grid,
            from,
            to,
            of_code,
            spelling,
        })
    }

    /// The least number of the domain.
    pub fn from(&self) -> i64 {
        self.from
    }

    /// The greatest number of the domain.
    pub fn to(&self) -> i64 {
        self.to
    }

    /// The number of each code; none for the missing value.
    pub fn of_code(&self) -> &[Option<i64>] {
        &self.of_code
    }

    /// The numbers that occur, ascending, and the place of each code among them; the missing value comes after the last.
    pub fn line(&self) -> (Vec<i64>, Vec<u32>) {
        let mut values: Vec<i64> = self.of_code.iter().flatten().copied().collect();
        values.sort_unstable();
        values.dedup();
        let place = |number: &Option<i64>| {
            number.map_or(values.len(), |number| {
                values.partition_point(|value| *value < number)
            }) as u32
        };
        let places = self.of_code.iter().map(place).collect();
        (values, places)
    }

    /// Whether the column has missing values: each is a value beside the numbers.
    pub fn missing(&self) -> bool {
        self.of_code.contains(&None)
    }

    /// How many values the domain has, the missing one included.
    pub fn domain_size(&self) -> u64 {
        Self::values(self.from, self.to).saturating_add(u64::from(self.missing()))
    }

    /// How many values an interval has.
    pub fn values(low: i64, high: i64) -> u64 {
        high.abs_diff(low).saturating_add(1)
    }

    /// How an interval is published; both ends are within.
    pub fn label(&self, low: i64, high: i64) -> String {
        if low == high {
            if let Some(Some(spelt)) = self.spelling.get(&low) {
                return spelt.to_string();
            }
            return self.grid.decimal(low.into());
        }
        self.grid.label(low.into(), high.into(), self.to.into())
    }
}
