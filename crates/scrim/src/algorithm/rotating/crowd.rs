//! The rows as the search sees them: where they lie, what they have, and what their persons have left.

use super::super::axis::{Axis, Span};
use super::super::task::Task;
use super::Rotating;
use crate::error::Error;
use crate::frequency::Piles;
use crate::hierarchy::Ladder;
use crate::model::{Cohorts, Exact, ModelSet, PrivacyModel, Quantity, Serial};
use crate::recoding::Cell;
use crate::table::{Code, Codes};

/// The unit of prices: one column shown as its top.
const UNIT: f64 = (1u64 << 20) as f64;

/// All rows.
pub(super) struct Crowd<'a> {
    pub(super) axes: Vec<Axis<'a>>,
    units: Vec<f64>,
    models: &'a ModelSet,
    piles: Piles<'a>,
    serial: &'a Serial,
    values: &'a Codes,
    /// No valid class has fewer rows.
    pub(super) least: u64,
    /// Whether there are promises beside `serial` and sizes.
    others: bool,
    /// 1/l.
    limit: Exact,
}

impl<'a> Crowd<'a> {
    pub(super) fn new(
        search: &Rotating<'a>,
        serial: &'a Serial,
        task: &Task<'a>,
    ) -> Result<Self, Error> {
        let find = |name: &str| {
            let column = search.table.column(name);
            column.ok_or_else(|| Error::Internal(format!("column `{name}` was not read")))
        };
        let axis = |(at, ladder): (usize, &'a Ladder)| {
            let numbers = search.numbers.get(at).and_then(Option::as_ref);
            Ok(Axis::new(ladder, numbers, find(ladder.name())?))
        };
        let ladders = task.ladders.iter().enumerate();
        // One person, one row.
        let size = |model: &dyn PrivacyModel| match model.least_size() {
            Some(Quantity::Rows(size) | Quantity::Persons(size)) => Some(size),
            _ => None,
        };
        let others = |model: &dyn PrivacyModel| model.id() != "serial" && size(model).is_none();
        Ok(Self {
            axes: ladders.map(axis).collect::<Result<_, Error>>()?,
            units: (0..task.ladders.len())
                .map(|at| search.weights.get(at).map_or(1.0, |weight| weight.to_f64()))
                .collect(),
            models: task.models,
            piles: Piles::new(search.table, task.models.tracked())?,
            serial,
            values: serial
                .values()
                .map_or_else(|| Ok(find(serial.of())?.codes()), Ok)?,
            least: task
                .models
                .models()
                .filter_map(size)
                .max()
                .unwrap_or(1)
                .max(1),
            others: task.models.models().any(others),
            limit: serial.limit(),
        })
    }

    /// What a row costs in a class with these spans.
    pub(super) fn price(&self, spans: &[Span]) -> u64 {
        let cells = self.axes.iter().zip(spans).zip(&self.units);
        cells
            .filter(|((_, span), _)| !span.is_single())
            .map(|((axis, span), unit)| worth(axis.width(*span), *unit))
            .sum()
    }

    /// What a row costs in a class that shows these cells.
    pub(super) fn price_of(&self, cells: &[Cell]) -> u64 {
        let cells = self.axes.iter().zip(cells).zip(&self.units);
        cells
            .map(|((axis, cell), unit)| worth(axis.width_of(*cell), *unit))
            .sum()
    }

    pub(super) fn spans(&self, rows: &[u32]) -> Vec<Span> {
        self.axes.iter().map(|axis| axis.span(rows)).collect()
    }

    /// What all rows of a class cost.
    pub(super) fn cost(&self, rows: &[u32]) -> u64 {
        self.price(&self.spans(rows)) * rows.len() as u64
    }

    /// What a row costs in a class with these spans and one more row.
    pub(super) fn price_with(&self, spans: &[Span], row: u32) -> u64 {
        let cells = self.axes.iter().zip(spans).zip(&self.units);
        cells
            .map(|((axis, span), unit)| {
                let hull = span.with(axis.at(row));
                if hull.is_single() {
                    0
                } else {
                    worth(axis.width(hull), *unit)
                }
            })
            .sum()
    }

    pub(super) fn cells(&self, rows: &[u32]) -> Box<[Cell]> {
        let cells = self.axes.iter();
        cells.map(|axis| axis.cell(axis.span(rows))).collect()
    }

    /// The size of the smallest class that a row can be in by its own value.
    pub(super) fn needs(&self, row: u32) -> Option<u64> {
        Group::of(self, &[row]).needs
    }

    /// Whether a class keeps all models.
    pub(super) fn is_valid(&self, rows: &[u32]) -> bool {
        Group::of(self, rows).is_large_enough() && self.keeps_others(rows)
    }

    /// Whether a class that is large enough keeps the other models, and lasting values.
    fn keeps_others(&self, rows: &[u32]) -> bool {
        (!self.others || self.models.holds(self.piles.one(rows).only())) && self.keeps_cohorts(rows)
    }

    /// Whether a class leaves nobody of its cohorts above the limit for a lasting value.
    fn keeps_cohorts(&self, rows: &[u32]) -> bool {
        let Some(cohorts) = self.cohorts() else {
            return true;
        };
        // Newcomers among themselves are linked by their class alone, which is large enough.
        rows.iter().all(|row| cohorts.is_newcomer(*row))
            || cohorts.allows(rows, &|row| self.value(row), &self.limit)
    }

    /// The cohorts of earlier releases, where values last.
    pub(super) fn cohorts(&self) -> Option<&Cohorts> {
        self.serial.cohorts()
    }

    /// The largest probability, 1/l.
    pub(super) fn limit(&self) -> &Exact {
        &self.limit
    }

    /// Whether a group that is large enough keeps the other models too.
    pub(super) fn completes(&self, group: &Group) -> bool {
        group.is_large_enough() && self.keeps_others(&group.rows)
    }

    /// Counts classes as published: whether all are valid.
    pub(super) fn all_valid(&self, class_of_row: &[u32], classes: usize) -> bool {
        let rows: Vec<u32> = (0..class_of_row.len() as u32).collect();
        let set = self.piles.count(&rows, classes, class_of_row);
        set.classes().all(|class| self.models.holds(class))
    }

    fn value(&self, row: u32) -> Code {
        self.values.get(row as usize)
    }

    fn rank(&self, row: u32, value: Code) -> u32 {
        self.serial
            .rank(self.serial.codes().get(row as usize), value)
    }

    fn is_overdrawn(&self, row: u32) -> bool {
        self.serial
            .is_overdrawn(self.serial.codes().get(row as usize))
    }
}

/// A width as a price.
fn worth((width, domain): (u128, u128), unit: f64) -> u64 {
    (width as f64 / domain as f64 * unit * UNIT) as u64
}

/// A protected value with its rows and the smallest rank of any member.
type Linked = (Code, u64, u32);

/// A class as it grows: its rows, what they cover, and the size that its protected values ask for.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub(super) rows: Vec<u32>,
    pub(super) spans: Vec<Span>,
    linked: Vec<Linked>,
    /// The smallest size at which the class may be published; none where no size helps.
    pub(super) needs: Option<u64>,
}

impl Group {
    pub(super) fn of(crowd: &Crowd<'_>, rows: &[u32]) -> Self {
        let mut group = Self {
            rows: Vec::new(),
            spans: crowd.spans(rows),
            linked: Vec::new(),
            needs: Some(crowd.least),
        };
        group.add(crowd, rows);
        group
    }

    /// Adds rows.
    pub(super) fn add(&mut self, crowd: &Crowd<'_>, rows: &[u32]) {
        (self.linked, self.needs) = self.joined(crowd, rows);
        for (span, axis) in self.spans.iter_mut().zip(&crowd.axes) {
            rows.iter().for_each(|row| *span = span.with(axis.at(*row)));
        }
        self.rows.extend(rows);
    }

    /// The protected values with more rows, and the size that the class then needs.
    fn joined(&self, crowd: &Crowd<'_>, rows: &[u32]) -> (Vec<Linked>, Option<u64>) {
        let mut all = self.linked.clone();
        for (at, row) in rows.iter().enumerate() {
            let value = crowd.value(*row);
            let mut is_new = crowd.serial.is_protected(value);
            for (linked, count, rank) in &mut all {
                *rank = (*rank).min(crowd.rank(*row, *linked));
                if *linked == value {
                    *count += 1;
                    is_new = false;
                }
            }
            if is_new {
                let members = self.rows.iter().chain(&rows[..=at]);
                let rank = members.map(|row| crowd.rank(*row, value)).min();
                all.push((value, 1, rank.unwrap_or(0)));
            }
        }
        let overdrawn = rows.iter().any(|row| crowd.is_overdrawn(*row));
        let needs = self.needs.filter(|_| !overdrawn).and_then(|_| {
            let mut sizes = all
                .iter()
                .map(|(_, count, rank)| crowd.serial.cap(*rank).least_size(*count));
            sizes.try_fold(crowd.least, |most, size| Some(most.max(size?)))
        });
        (all, needs)
    }

    /// Whether the class is valid with more rows.
    pub(super) fn is_valid_with(&self, crowd: &Crowd<'_>, rows: &[u32]) -> bool {
        let (_, needs) = self.joined(crowd, rows);
        let size = (self.rows.len() + rows.len()) as u64;
        needs.is_some_and(|needs| size >= needs) && crowd.keeps_others(&[&self.rows, rows].concat())
    }

    /// The size that the group would ask for with one more row; none where no size helps.
    pub(super) fn needs_with(&self, crowd: &Crowd<'_>, row: u32) -> Option<u64> {
        if crowd.is_overdrawn(row) {
            return None;
        }
        let value = crowd.value(row);
        let mut needs = self.needs?;
        let mut is_new = crowd.serial.is_protected(value);
        for (linked, count, rank) in &self.linked {
            let rank = (*rank).min(crowd.rank(row, *linked));
            let is_same = *linked == value;
            is_new &= !is_same;
            let size = crowd
                .serial
                .cap(rank)
                .least_size(count + u64::from(is_same))?;
            needs = needs.max(size);
        }
        if is_new {
            let ranks = self.rows.iter().chain([&row]);
            let rank = ranks.map(|row| crowd.rank(*row, value)).min()?;
            needs = needs.max(crowd.serial.cap(rank).least_size(1)?);
        }
        Some(needs)
    }

    /// How much the members' persons have left for what the class links a newcomer to, as a rank.
    pub(super) fn freshness(&self, crowd: &Crowd<'_>, row: u32) -> u32 {
        let ranks = self.linked.iter();
        let ranks = ranks.map(|(value, _, _)| crowd.rank(row, *value));
        ranks.min().unwrap_or(u32::MAX)
    }

    /// Whether it has the rows that its protected values, and sizes, ask for.
    pub(super) fn is_large_enough(&self) -> bool {
        self.needs
            .is_some_and(|needs| self.rows.len() as u64 >= needs)
    }
}
