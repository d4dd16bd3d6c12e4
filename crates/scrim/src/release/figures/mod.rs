//! What a report draws beside what the manifest tells anyway: who was exposed before and after, what each column lost, and
//! where its hierarchy is cut. They stand in the manifest, so that a report can be made again without the raw table.
//!
//! **Reading.** `before` and `after` count persons where the policy tells them, `release` counts rows: that is what anybody
//! who has the release can count too. Withheld rows (see `release::audit`) show stars alone and nothing that is protected:
//! they are told by their number and are in no group of the release. Below a cut nothing is named: what a release hides is not in its report either.

mod marks;
mod outline;
mod sensitive;
mod shares;

pub use outline::{Outline, OutlineTaxon, Span};
pub use sensitive::SensitiveFigures;
pub(super) use shares::percent;

use std::borrow::Cow;

use serde::Serialize;

use super::plan::Plan;
use super::prepare::Prepared;
use crate::adversary::{Exposure, ExposureReport, Tuples};
use crate::error::Error;
use crate::hierarchy::{Ladder, is_star};
use crate::metric::{ColumnLoss, Metrics};
use crate::recoding::Local;
use crate::share::Share;
use crate::table::{Column, Table};

/// A release, and what it was made from.
#[derive(Clone, Copy, Debug)]
pub struct Made<'a> {
    /// The table that was read.
    pub source: &'a Table,
    /// The same with its hierarchies.
    pub prepared: &'a Prepared,
    /// What was done to it.
    pub plan: &'a Plan,
    /// The release as it was read back.
    pub published: &'a Table,
    /// The row of the source that each published row was.
    pub rows: &'a [u32],
    /// The column of the source that tells persons.
    pub persons: Option<&'a Column>,
}

/// What a report draws.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    /// What is counted before and after: `persons` or `rows`.
    pub counted: &'static str,
    /// What risks are compared with.
    pub threshold: String,
    /// The table that was read.
    pub before: ExposureReport,
    /// The release.
    pub after: ExposureReport,
    /// The release by rows, as its readers see it.
    pub release: ExposureReport,
    /// Every quasi-identifier.
    pub columns: Vec<ColumnFigures>,
    /// Every sensitive column.
    pub sensitive: Vec<SensitiveFigures>,
}

/// What became of one quasi-identifier.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ColumnFigures {
    /// The column.
    pub column: String,
    /// Different values before.
    pub values_before: u64,
    /// Different values in the release.
    pub values_after: u64,
    /// The same without stars.
    #[serde(skip)]
    pub values_shown: u64,
    /// Rows of the release that show stars in it.
    pub starred: u64,
    /// How many of its rows are published how precisely.
    pub words: String,
    /// What it lost.
    pub lost: ColumnLoss,
    /// Its hierarchy down to the cut, or its intervals.
    pub outline: Outline,
}

impl Figures {
    /// The figures of a release.
    pub fn new(made: &Made<'_>) -> Result<Self, Error> {
        let threshold = threshold();
        let codes = made.persons.map(|column| {
            let rows = 0..made.source.rows();
            rows.map(|row| column.codes().get(row)).collect::<Vec<_>>()
        });
        let telling = Telling::of(made);
        let persons: Option<Vec<u32>> = codes.as_ref().map(|codes| {
            let rows = telling.rows.iter();
            rows.map(|row| codes[*row as usize]).collect()
        });
        let exposed = |table: &Table, persons: Option<&[u32]>| {
            let ladders = made.prepared.ladders.iter();
            let columns: Vec<&Column> = ladders
                .map(|ladder| column(table, ladder.name()))
                .collect::<Result<_, _>>()?;
            let tuples = Tuples::new(&columns, table.rows(), persons);
            Ok(ExposureReport::new(&tuples, threshold))
        };
        let before = exposed(made.source, codes.as_deref())?;
        let release = exposed(&telling.table, None)?;
        let after = match &persons {
            Some(persons) => exposed(&telling.table, Some(persons))?,
            None => release.clone(),
        };
        let columns = made.prepared.ladders.iter().enumerate();
        let columns = columns.map(|(at, ladder)| {
            let seen = Seen::of(column(made.published, ladder.name())?);
            Ok(ColumnFigures::new(made.prepared, made.plan, at, seen))
        });
        Ok(Self {
            counted: if codes.is_some() { "persons" } else { "rows" },
            threshold: threshold.to_string(),
            before,
            after,
            release,
            columns: columns.collect::<Result<_, Error>>()?,
            sensitive: sensitive::left(
                made.prepared,
                made.source,
                made.published,
                sensitive::in_rows,
            )?,
        })
    }

    /// Takes what the columns lost from what was measured in the released file.
    pub fn measured(&mut self, metrics: &Metrics) {
        let columns = self.columns.iter_mut().zip(&metrics.columns);
        columns.for_each(|(column, lost)| column.lost = *lost);
    }
}

/// The figures of a release of a table that is held in sections only, and knows no persons: from parts of the release, each with all
/// rows of its classes, whose columns know how often each value stands in the whole of it.
#[derive(Debug)]
pub struct FiguresInParts {
    exposure: Exposure,
    rows: u64,
    /// Withheld rows that were not met yet.
    withheld: u64,
    /// By quasi-identifier: what the release shows.
    seen: Vec<Seen>,
}

impl FiguresInParts {
    /// No part yet.
    pub fn new(plan: &Plan) -> Self {
        let fate = plan.fate;
        Self {
            exposure: Exposure::default(),
            rows: 0,
            withheld: if fate.star_sensitive {
                plan.suppressed
            } else {
                0
            },
            seen: Vec::new(),
        }
    }

    /// Counts a part; `silent` tells which of its rows look like suppressed ones.
    pub fn add(&mut self, prepared: &Prepared, part: &Table, silent: &[bool]) -> Result<(), Error> {
        let telling = without_withheld(&mut self.withheld, part, silent)?;
        let quasi: Vec<&Column> = prepared
            .ladders
            .iter()
            .map(|ladder| column(&telling, ladder.name()))
            .collect::<Result<_, _>>()?;
        let tuples = Tuples::new(&quasi, telling.rows(), None);
        tuples
            .sizes()
            .iter()
            .for_each(|size| self.exposure.add(*size));
        self.rows += telling.all_rows();
        if self.seen.is_empty() {
            let ladders = prepared.ladders.iter();
            let seen = ladders.map(|ladder| Ok(Seen::of(column(part, ladder.name())?)));
            self.seen = seen.collect::<Result<_, Error>>()?;
        }
        Ok(())
    }

    /// The figures. The dictionaries of both tables have no value but those that some row of them has.
    pub fn finish(
        self,
        prepared: &Prepared,
        plan: &Plan,
        (source, published): (&Table, &Table),
    ) -> Result<Figures, Error> {
        let threshold = threshold();
        let mut before = Exposure::default();
        let same: Vec<Vec<u32>> = prepared.ladders.iter().map(one_star).collect();
        prepared.ground.each_size(&same, |rows| before.add(rows));
        prepared.ground.must_have_told_all()?;
        let rows = prepared.ground.rows();
        let release = ExposureReport::of(&self.exposure, self.rows, self.rows, threshold);
        let seen = self.seen.iter().enumerate();
        Ok(Figures {
            counted: "rows",
            threshold: threshold.to_string(),
            before: ExposureReport::of(&before, rows, rows, threshold),
            after: release.clone(),
            release,
            columns: seen
                .map(|(at, seen)| ColumnFigures::new(prepared, plan, at, *seen))
                .collect(),
            sensitive: sensitive::left(prepared, source, published, sensitive::known)?,
        })
    }
}

/// A counted release without the rows that are withheld, so many at most. A row that is published as it is may look like them: so many
/// fewer are taken off as are suppressed.
fn without_withheld(left: &mut u64, published: &Table, silent: &[bool]) -> Result<Table, Error> {
    let (mut rows, mut times, mut first) = (Vec::new(), Vec::new(), Vec::new());
    for (row, silent) in silent.iter().enumerate() {
        let own = published.times(row);
        let off = if *silent { own.min(*left) } else { 0 };
        *left -= off;
        if own > off {
            rows.push(row as u32);
            times.push((own - off) as u32);
            first.push(published.first(row));
        }
    }
    let telling = published.recounted(&rows, times, first);
    telling.ok_or_else(|| Error::Internal("a release that is not what was read".to_owned()))
}

/// What a release shows in a column.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// Different values.
    values: u64,
    /// The same without stars.
    shown: u64,
    /// Rows with stars.
    starred: u64,
}

impl Seen {
    fn of(column: &Column) -> Self {
        let counts = column.counts();
        let texts = column.dictionary().texts().zip(&counts);
        let stars: Vec<u64> = texts
            .filter(|(text, _)| is_star(text))
            .map(|(_, rows)| *rows)
            .collect();
        Self {
            values: used(&counts),
            shown: used(&counts) - used(&stars),
            starred: stars.iter().sum(),
        }
    }
}

/// How many codes are used.
fn used(counts: &[u64]) -> u64 {
    counts.iter().filter(|count| **count > 0).count() as u64
}

/// The release without withheld rows, and the row of the source that each was.
struct Telling<'a> {
    table: Cow<'a, Table>,
    rows: Cow<'a, [u32]>,
}

impl<'a> Telling<'a> {
    fn of(made: &Made<'a>) -> Self {
        let whole = Self {
            table: Cow::Borrowed(made.published),
            rows: Cow::Borrowed(made.rows),
        };
        let fate = made.plan.fate;
        if fate.drop || !fate.star_sensitive {
            return whole;
        }
        let withheld = made
            .plan
            .found
            .recoding
            .suppressed_rows(&made.prepared.ground);
        let is_telling = |row: &u32| !withheld[made.rows[*row as usize] as usize];
        let all = 0..made.rows.len() as u32;
        let telling: Vec<u32> = all.filter(is_telling).collect();
        if telling.len() == made.rows.len() {
            return whole;
        }
        let source = |row: &u32| made.rows[*row as usize];
        Self {
            rows: telling.iter().map(source).collect(),
            table: Cow::Owned(made.published.only(&telling, "")),
        }
    }
}

impl ColumnFigures {
    /// Of the quasi-identifier of this number, of which the release shows this.
    fn new(prepared: &Prepared, plan: &Plan, at: usize, seen: Seen) -> Self {
        let ladder = &prepared.ladders[at];
        let lost = plan.metrics.columns.get(at).copied();
        let marks = marks::of(prepared, plan, at);
        Self {
            column: ladder.name().to_owned(),
            values_before: used(prepared.ground.marginal(at)),
            values_after: seen.values,
            values_shown: seen.shown,
            starred: seen.starred,
            words: shares::words(ladder, &marks),
            lost: lost.unwrap_or_default(),
            outline: Outline::new(ladder, &marks),
        }
    }
}

/// Each value, where all spellings of suppression are the first of them.
fn one_star(ladder: &Ladder) -> Vec<u32> {
    let leaves = ladder.taxa(0).iter();
    let stars = leaves.map(|leaf| is_star(ladder.hierarchy().label(*leaf)));
    let stars: Vec<bool> = stars.collect();
    let first = stars.iter().position(|star| *star).unwrap_or(0) as u32;
    let code = |(code, star): (u32, &bool)| if *star { first } else { code };
    (0..).zip(&stars).map(code).collect()
}

/// Risks above one fifth are counted: the limit that statistical offices use most, a class of five.
fn threshold() -> Share {
    Share::new(1, 5).unwrap_or(Share::ONE)
}

fn column<'t>(table: &'t Table, name: &str) -> Result<&'t Column, Error> {
    let missing = || Error::Internal(format!("column `{name}` was not read"));
    table.column(name).ok_or_else(missing)
}

/// How many rows a local recoding publishes how precisely in one column.
pub(super) fn local_words(ladder: &Ladder, local: &Local, at: usize) -> String {
    shares::words(ladder, &marks::cells(ladder, local, at))
}

/// Whether some row of a plan's release shows anything but stars.
pub fn shows_something(prepared: &Prepared, plan: &Plan) -> bool {
    let mut columns = prepared.ladders.iter().enumerate();
    columns.any(|(at, ladder)| shares::shows_something(ladder, &marks::of(prepared, plan, at)))
}
