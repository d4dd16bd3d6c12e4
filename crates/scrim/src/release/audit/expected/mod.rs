//! What a release must consist of: the rows of its source as the plan recodes them.
//!
//! **Definition.** A release is a multiset of rows. It is true to its plan when it has exactly the rows that follow from the source: each
//! row that is not left out, every cell as the plan says, as often as the source has it.
//! **Reading.** The plan is data; what follows from it is computed here by walking the hierarchies, not by the code that made the
//! release. Which of several equal rows of a release a source row became is unknown and does not matter.
//! **Cost.** One look-up a distinct row of the source, and the distinct rows of the release in a table.
//! **Oracle.** `tests` count the rows of random tables as texts.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::fidelity::{Source, certify_source};
use crate::error::Error;
use crate::hierarchy::Hierarchy;
use crate::release::plan_file::{PlanFile, PlanKind};
use crate::release::policy::Policy;
use crate::table::{Code, Column, NumberedKeys, Role, Table};
use crate::{counted, verb};
use column::{ExpectedColumn, other, quasi};
use index::{EqualRows, matched};

mod column;
mod index;
mod row_sum;
mod sorted;
#[cfg(test)]
mod tests;

pub use row_sum::RowSum;
pub use sorted::{SortedRows, must_be_sorted};

/// A plan beside the hierarchies that it speaks of.
#[derive(Clone, Copy, Debug)]
pub struct Recipe<'a> {
    /// The plan.
    pub plan: &'a PlanFile,
    /// The hierarchies of quasi-identifiers and of sensitive columns that are generalized, by name.
    pub hierarchies: &'a [(String, Arc<Hierarchy>)],
    /// Whether each row of the source is suppressed, where that is known from elsewhere than the plan.
    pub suppressed: Option<&'a [bool]>,
}

impl Recipe<'_> {
    /// The rows that follow from a source table, beside a release that says which of them are suppressed. A plan that was made section
    /// by section does not list these; where a class is suppressed, all its rows are, so they are those whose class the release lacks.
    pub fn beside(
        &self,
        policy: &Policy,
        source: &Table,
        release: &Table,
    ) -> Result<Expected, Error> {
        let said = &self.plan.suppressed;
        let listed =
            self.suppressed.is_some() || !said.tuples.is_empty() || !said.single.is_empty();
        if listed || said.rows == 0 || self.plan.kind != PlanKind::FullDomain {
            return Expected::new(policy, source, self);
        }
        // Nothing is left out and nothing is starred in these rows: each has its own class.
        let none = vec![false; source.rows()];
        let all = Recipe {
            suppressed: Some(&none),
            ..*self
        };
        let absent = Expected::new(policy, source, &all)?.absent_from(policy, release);
        let known = Recipe {
            suppressed: Some(&absent),
            ..*self
        };
        Expected::new(policy, source, &known)
    }

    fn tree(&self, column: &str) -> Result<&Hierarchy, Error> {
        let mut trees = self.hierarchies.iter();
        let tree = trees.find(|(name, _)| name == column);
        let absent = || Error::Internal(format!("the hierarchy of `{column}` was not read"));
        tree.map(|(_, tree)| tree.as_ref()).ok_or_else(absent)
    }

    /// Whether each row of the source is suppressed.
    fn suppressed(&self, source: &Table) -> Result<Vec<bool>, Error> {
        if let Some(suppressed) = self.suppressed {
            return Ok(suppressed.to_vec());
        }
        let said = &self.plan.suppressed;
        let mut suppressed = vec![false; source.rows()];
        if !said.tuples.is_empty() {
            let mut columns = Vec::new();
            for column in &self.plan.columns {
                let own = source.column(&column.name);
                columns.push(own.ok_or_else(|| absent(&column.name))?);
            }
            mark_tuples(&columns, &said.tuples, &mut suppressed);
        }
        for row in &said.single {
            let row = suppressed.get_mut(*row as usize);
            *row.ok_or_else(other_table)? = true;
        }
        Ok(suppressed)
    }
}

/// Marks the rows that have one of these combinations of values.
fn mark_tuples(columns: &[&Column], tuples: &[Vec<String>], marked: &mut [bool]) {
    // Combinations are numbered column by column; 0 is every one that is not listed.
    let mut listed = vec![1u32; tuples.len()];
    let mut rows = vec![1u32; marked.len()];
    for (at, column) in columns.iter().enumerate() {
        let dictionary = column.dictionary();
        let codes: FxHashMap<&str, Code> = dictionary.texts().zip(0..).collect();
        let mut numbers: FxHashMap<(u32, Code), u32> = FxHashMap::default();
        for (number, tuple) in listed.iter_mut().zip(tuples) {
            let code = tuple.get(at).and_then(|text| codes.get(text.as_str()));
            *number = code.filter(|_| *number > 0).map_or(0, |code| {
                let next = numbers.len() as u32 + 1;
                *numbers.entry((*number, *code)).or_insert(next)
            });
        }
        column.codes().for_each(|row, code| {
            let number = &mut rows[row];
            if *number > 0 {
                *number = numbers.get(&(*number, code)).copied().unwrap_or(0);
            }
        });
    }
    let marks = marked.iter_mut().zip(rows);
    marks.for_each(|(marked, number)| *marked |= number > 0);
}

fn absent(column: &str) -> Error {
    Error::Internal(format!("column `{column}` was not read"))
}

fn other_table() -> Error {
    Error::Infeasible {
        what: "the plan is of another table: it speaks of rows that this one does not have"
            .to_owned(),
        hint: None,
    }
}

/// What each row has, from pairs of it and of how many rows that follow each other have it.
fn expanded<T: Copy>(runs: &[(T, u32)], rows: usize) -> Result<Vec<T>, Error> {
    let each = runs
        .iter()
        .flat_map(|(item, times)| std::iter::repeat_n(*item, *times as usize));
    // A plan that says more is of another table: what it says is not made, which could take any amount of memory.
    let all: Vec<T> = each.take(rows + 1).collect();
    if all.len() == rows {
        Ok(all)
    } else {
        Err(other_table())
    }
}

/// The rows that a release must have.
#[derive(Clone, Debug)]
pub struct Expected {
    /// The source row of each.
    pub rows: Vec<u32>,
    columns: Vec<ExpectedColumn>,
}

/// A release beside its source.
#[derive(Clone, Debug)]
pub struct Paired {
    /// The release, a row for each row of the source that is in it.
    pub published: Table,
    /// The row of the source that each of its rows was.
    pub rows: Vec<u32>,
}

impl Expected {
    /// The rows that follow from a source table.
    pub fn new(policy: &Policy, source: &Table, recipe: &Recipe<'_>) -> Result<Self, Error> {
        let suppressed = recipe.suppressed(source)?;
        let suppressed = &suppressed[..];
        let stays = |row: &u32| !(recipe.plan.suppressed.drop && suppressed[*row as usize]);
        let rows: Vec<u32> = (0..source.rows() as u32).filter(stays).collect();
        let any_sensitive = policy.with_role(Role::Sensitive).next().is_some();
        let starred_role = if any_sensitive {
            Role::Sensitive
        } else {
            Role::Insensitive
        };
        let mut columns = Vec::new();
        for column in source.columns() {
            let Some(asked) = policy.column(column.name()) else {
                continue;
            };
            if !asked.role.is_published() {
                continue;
            }
            let withheld = recipe.plan.suppressed.withheld && asked.role == starred_role;
            let starred = withheld.then_some(suppressed);
            let expected = match asked.role {
                Role::Quasi => quasi(column, recipe, &rows, suppressed)?,
                _ => other(column, recipe, &rows, starred)?,
            };
            let category = asked.category_column.as_ref();
            let category = category.map(|category| expected.category(policy, asked, category));
            columns.push(expected);
            columns.extend(category);
        }
        Ok(Self { rows, columns })
    }

    /// Whether the release has no row with the quasi-identifiers of each of these rows.
    pub fn absent_from(&self, policy: &Policy, release: &Table) -> Vec<bool> {
        let is_quasi = |name: &str| {
            let column = policy.column(name);
            column.is_some_and(|column| column.role == Role::Quasi)
        };
        let mut columns = Vec::new();
        for column in self.columns.iter().filter(|own| is_quasi(&own.name)) {
            let Some(published) = release.column(&column.name) else {
                return vec![true; self.rows.len()];
            };
            columns.push((column, published, column.codes_in(published)));
        }
        let found = matched(&columns, release, self.rows.len(), |_| 1, |_| ());
        found.into_iter().map(|row| row.is_none()).collect()
    }

    /// Which row of a release each of these rows is, where the release has each of its distinct rows once and says how often it stands
    /// in the file. Where the release does not consist of these rows, answers what is wrong.
    pub fn find_in(&self, source: &Table, release: &Table) -> Result<Vec<u32>, String> {
        let mut columns = Vec::with_capacity(self.columns.len());
        for column in &self.columns {
            let published = release
                .column(&column.name)
                .ok_or_else(|| format!("the column `{}` was not written", column.name))?;
            columns.push((column, published, column.codes_in(published)));
        }
        let times = |at: usize| source.times(self.rows[at] as usize);
        let mut unequal: Option<EqualRows> = None;
        let found = matched(&columns, release, self.rows.len(), times, |rows| {
            let earlier = unequal
                .as_ref()
                .is_none_or(|other| rows.first < other.first);
            if rows.there != rows.expected && earlier {
                unequal = Some(rows);
            }
        });
        let mut rows = Vec::with_capacity(found.len());
        for (released, row) in found.into_iter().zip(&self.rows) {
            rows.push(released.ok_or_else(|| {
                format!(
                    "what row {} of the source becomes was not written",
                    source.first(*row as usize) + 1
                )
            })?);
        }
        match unequal {
            None => Ok(rows),
            Some(wrong) => Err(format!(
                "row {} of the release stands there {}, but {} of the source {} it",
                release.first(wrong.first as usize) + 1,
                counted(wrong.there, "time"),
                counted(wrong.expected, "row"),
                verb(wrong.expected, "becomes", "become")
            )),
        }
    }

    /// The release with a row for each of these rows, in the order of the release. Where the release does not consist of them, answers
    /// what is wrong.
    pub fn paired(&self, source: &Table, release: &Table) -> Result<Result<Paired, String>, Error> {
        let found = match self.find_in(source, release) {
            Ok(found) => found,
            Err(wrong) => return Ok(Err(wrong)),
        };
        let first = found.iter().map(|row| release.first(*row as usize));
        let order = NumberedKeys::new(first.collect(), |at| at as u32);
        let order = order.sorted().into_numbers();
        let rows = order.iter().map(|at| self.rows[*at as usize]);
        let rows: Vec<u32> = rows.collect();
        let released: Vec<u32> = order.iter().map(|at| found[*at as usize]).collect();
        let times = rows.iter().map(|row| source.times(*row as usize) as u32);
        let first = released.iter().map(|row| release.first(*row as usize));
        let published = release.recounted(&released, times.collect(), first.collect());
        let published =
            published.ok_or_else(|| Error::Internal("rows without times".to_owned()))?;
        Ok(Ok(Paired { published, rows }))
    }

    /// Checks that every cell of these rows is what the source says or more general; says in words what is not.
    pub fn must_be_true(
        &self,
        policy: &Policy,
        source: &Table,
        hierarchies: &[(String, Arc<Hierarchy>)],
    ) -> Result<Result<(), String>, Error> {
        let column = |column: &ExpectedColumn| {
            let missing = column.shown.iter().position(|shown| shown.is_missing);
            let texts = column.shown.iter().map(|shown| shown.text.as_str().into());
            let codes = column.codes.iter().copied();
            let missing = missing.map(|code| code as Code);
            Column::from_codes(&column.name, texts.collect(), missing, codes)
        };
        let columns: Option<Vec<Column>> = self.columns.iter().map(column).collect();
        let table = columns.and_then(Table::new);
        let table = table.ok_or_else(|| Error::Internal("rows without cells".to_owned()))?;
        let source = Source {
            table: source,
            rows: &self.rows,
            hierarchies,
        };
        certify_source(policy, &table, &source)
    }

    /// The names of the columns, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }
}
