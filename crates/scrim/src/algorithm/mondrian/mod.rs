//! `mondrian`: multidimensional recoding, strict or relaxed.
//!
//! **Definition.** Start with all rows as one class. Cut a class in one dimension as long as a cut is allowable, that is, as
//! long as every part keeps all models: the dimension whose range is widest, measured against its domain, comes first, then
//! the next (K. LeFevre et al., Mondrian Multidimensional K-Anonymity, ICDE 2006; not among the papers in hand). Numbers are cut at their
//! median, other values along their hierarchy.
//! **Reading.** A class covers the hull of its numbers and the least common ancestor of its taxa, and shows these in the end. Its
//! range is the number of values that it covers beside one, over the same of the domain; ties in policy order. *Strict*: the
//! median is the lower one, and rows equal to it go to the left. *Relaxed*: rows in order of number, then of the table, the
//! first half, rounded up, goes to the left; so rows that are equal may part. A taxon is cut into all its children that have rows.
//! Missing numbers stand beside all others: a class that has both is cut into the two or, where that is not allowable, not
//! at all in this dimension, and shows the top. No row is suppressed. Where persons under `personal` have rows in several classes,
//! classes may be joined afterwards ([`reunite`](super::reunite)).
//! When the time is up the classes that may still be cut are put out as they are: they are valid.
//! **Holds because** every class was checked whole. Strict classes come from cuts that are disjoint, so no two look alike. Relaxed
//! ones may: the union of valid classes is valid where the models promise that; where they do not, the unions are checked, and
//! if one is not valid the search is made again, strict.
//! **Does not find** the least loss: cuts are greedy.
//! **Cost.** O(rows × attributes) a generation of classes, about log2(rows / k) of them; sorting where taxa are cut. Classes
//! of one generation are cut in parallel, with the same outcome for any number of threads.
//! **Oracle.** The definition over plain rows, in `tests/mondrian.rs`.

use rayon::prelude::*;

use super::axis::{Axis, Span};
use super::ending::Cut;
use super::task::Task;
use super::{Algorithm, Found, Progress, Stop, Watch};
use crate::error::Error;
use crate::frequency::Piles;
use crate::hierarchy::Numbers;
use crate::model::{ModelSet, Monotone, PrivacyModel, Quantity};
use crate::recoding::{Cell, Local, Recoding};
use crate::table::Table;

/// Whether rows equal to the median may part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Partitioning {
    /// They stay together.
    #[default]
    Strict,
    /// They are divided, so that the halves are even.
    Relaxed,
}

/// Multidimensional recoding by cuts at the median and along hierarchies.
#[derive(Clone, Copy, Debug)]
pub struct Mondrian<'a> {
    /// The table.
    pub table: &'a Table,
    /// The numbers of the attributes that may be cut anywhere, in policy order.
    pub numbers: &'a [Option<Numbers>],
    /// Strict or relaxed.
    pub partitioning: Partitioning,
}

impl Algorithm for Mondrian<'_> {
    fn id(&self) -> &'static str {
        "mondrian"
    }

    fn search(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Result<Option<Found>, Error> {
        Ok(self.found(task, watch)?.map(|(found, _)| found))
    }
}

impl Mondrian<'_> {
    /// What is found, and why the search ended early, where it did.
    pub(super) fn found(
        &self,
        task: &Task<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Option<(Found, Option<Cut>)>, Error> {
        let mut run = Run::new(self, task)?;
        let mut notes = vec![
            "widest range first, measured against the domain; ties in policy column order"
                .to_owned(),
        ];
        let Some((mut local, mut checked, mut cut)) = self.partition(&run, watch)? else {
            return Ok(None);
        };
        if run.relaxed && !run.may_look_alike(&local) {
            run.relaxed = false;
            notes.push("strict: relaxed classes that look alike are not valid together".to_owned());
            if let Some((strict, again, cut_again)) = self.partition(&run, watch)? {
                local = strict;
                checked += again;
                cut = cut.or(cut_again);
            }
        }
        let found = Found {
            recoding: Recoding::Local(local),
            ties: Vec::new(),
            tied_tables: None,
            checked,
            proven: false,
            bound: None,
            notes,
            remarks: cut.map(Cut::remark).into_iter().collect(),
        };
        Ok(Some((found, cut)))
    }

    /// The classes, how many were checked, and why they are not cut further where they might be; nothing where the table as one class breaks a model.
    fn partition(
        &self,
        run: &Run<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Option<(Local, u64, Option<Cut>)>, Error> {
        let mut rows: Vec<u32> = (0..self.table.rows() as u32).collect();
        let count = rows.len();
        if rows.is_empty() || !run.are_valid(&rows, &[count]) {
            return Ok(None);
        }
        let mut checked = 1;
        let mut done: Vec<Class<'_>> = Vec::new();
        let mut open: Vec<&mut [u32]> = vec![&mut rows];
        let mut cut = None;
        let stop = watch.stop();
        while !open.is_empty() {
            let told = watch.step(&Progress {
                doing: "cutting classes",
                checked,
                decided: None,
                best: None,
                cost: None,
            });
            if let Err(error) = told {
                cut = Some(Cut::from(error, watch)?);
            }
            let is_over = cut.is_some();
            let cuts: Vec<(Outcome<'_>, u64)> = open
                .into_par_iter()
                .map(|rows| run.cut(rows, is_over, &stop))
                .collect();
            open = Vec::new();
            for (outcome, tried) in cuts {
                checked += tried;
                match outcome {
                    Outcome::Cut(parts) => open.extend(parts),
                    Outcome::Waits(rows) => open.push(rows),
                    Outcome::Done(class) => done.push(class),
                }
            }
        }
        // Numbered by their first rows, whatever the order in which they came about.
        done.sort_unstable_by_key(|class| class.rows.iter().min().copied());
        let mut class_of_row = vec![0; count];
        for (number, class) in (0..).zip(&done) {
            let rows = class.rows.iter();
            rows.for_each(|row| class_of_row[*row as usize] = number);
        }
        let local = Local {
            class_of_row,
            classes: done.into_iter().map(|class| class.cells).collect(),
            numbers: (0..run.axes.len())
                .map(|at| self.numbers.get(at).cloned().flatten())
                .collect(),
        };
        Ok(Some((local, checked, cut)))
    }
}

/// A class that no allowable cut is left for.
struct Class<'r> {
    rows: &'r [u32],
    cells: Box<[Cell]>,
}

/// What becomes of a class.
enum Outcome<'r> {
    Cut(Vec<&'r mut [u32]>),
    /// It was not looked at: the search must stop.
    Waits(&'r mut [u32]),
    Done(Class<'r>),
}

struct Run<'a> {
    axes: Vec<Axis<'a>>,
    models: &'a ModelSet,
    piles: Piles<'a>,
    /// No valid class has fewer rows.
    least: usize,
    relaxed: bool,
}

impl<'a> Run<'a> {
    fn new(search: &Mondrian<'a>, task: &Task<'a>) -> Result<Self, Error> {
        let axis = |(at, ladder): (usize, &'a crate::hierarchy::Ladder)| {
            let column = search.table.column(ladder.name()).ok_or_else(|| {
                Error::Internal(format!("column `{}` was not read", ladder.name()))
            })?;
            let numbers = search.numbers.get(at).and_then(Option::as_ref);
            Ok(Axis::new(ladder, numbers, column))
        };
        // A person has a row at least.
        let least = task.models.models().filter_map(PrivacyModel::least_size);
        let least = least.filter_map(|size| match size {
            Quantity::Rows(size) | Quantity::Persons(size) => usize::try_from(size).ok(),
            _ => None,
        });
        Ok(Self {
            axes: task
                .ladders
                .iter()
                .enumerate()
                .map(axis)
                .collect::<Result<_, Error>>()?,
            models: task.models,
            piles: Piles::new(search.table, task.models.tracked())?,
            least: least.max().unwrap_or(1).max(1),
            relaxed: search.partitioning == Partitioning::Relaxed,
        })
    }

    /// Makes the first allowable cut, unless the search is over, and says how many parts were checked on the way.
    fn cut<'r>(&self, rows: &'r mut [u32], is_over: bool, stop: &Stop) -> (Outcome<'r>, u64) {
        if !is_over && stop.is_set() {
            return (Outcome::Waits(rows), 0);
        }
        let spans: Vec<Span> = self.axes.iter().map(|axis| axis.span(rows)).collect();
        let mut checked = 0;
        if !is_over && rows.len() / 2 >= self.least {
            for at in self.by_width(&spans) {
                let ends = self.axes[at].cut(rows, spans[at], self.relaxed);
                if ends.len() < 2 {
                    continue;
                }
                checked += ends.len() as u64;
                if self.are_valid(rows, &ends) {
                    return (Outcome::Cut(parts(rows, &ends)), checked);
                }
            }
        }
        let cells = self.axes.iter().zip(&spans);
        let cells = cells.map(|(axis, span)| axis.cell(*span)).collect();
        (Outcome::Done(Class { rows, cells }), checked)
    }

    /// The dimensions in which a class has several values, the widest first.
    fn by_width(&self, spans: &[Span]) -> Vec<usize> {
        let several = (0..spans.len()).filter(|at| !spans[*at].is_single());
        let mut order: Vec<((u128, u128), usize)> = several
            .map(|at| (self.axes[at].width(spans[at]), at))
            .collect();
        // Both factors are below 2^64.
        order.sort_by(|((left, of), _), ((right, to), _)| (right * of).cmp(&(left * to)));
        order.into_iter().map(|(_, at)| at).collect()
    }

    /// Whether every part keeps all models; `ends` says where each ends.
    fn are_valid(&self, rows: &[u32], ends: &[usize]) -> bool {
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let mut sizes = starts.zip(ends).map(|(start, end)| end - start);
        if sizes.any(|size| size < self.least) {
            return false;
        }
        let mut pile_of = vec![0u32; rows.len()];
        for (part, bounds) in (1..).zip(ends.windows(2)) {
            pile_of[bounds[0]..bounds[1]].fill(part);
        }
        let set = self.piles.count(rows, ends.len(), &pile_of);
        set.classes().all(|class| self.models.holds(class))
    }

    /// Whether classes with the same cells are valid together.
    fn may_look_alike(&self, local: &Local) -> bool {
        if self.models.monotone() != Monotone::No {
            return true;
        }
        let (class_of_row, classes) = local.published();
        let rows: Vec<u32> = (0..class_of_row.len() as u32).collect();
        let set = self.piles.count(&rows, classes, &class_of_row);
        set.classes().all(|class| self.models.holds(class))
    }
}

fn parts<'r>(mut rows: &'r mut [u32], ends: &[usize]) -> Vec<&'r mut [u32]> {
    let mut parts = Vec::with_capacity(ends.len());
    let mut start = 0;
    for end in ends {
        let (part, rest) = rows.split_at_mut(end - start);
        parts.push(part);
        rows = rest;
        start = *end;
    }
    parts
}
