//! `rotating`: classes for promises over several releases.
//!
//! **Definition.** Ours. What a person has left for a protected value is scarce, and everybody in a class spends of it, whoever has
//! the value. So classes are formed row by row rather than by cuts: rows whose own value has the smallest cap come first, and each
//! takes the partners with whom its class, as large as it must become, loses least. Other partners in each release can do with
//! smaller classes than the same partners again ([Wong09]; docs/papers.md, E12).
//! **Reading.** The table is halved along its widest column into blocks. In a block, a class grows by the row for which
//! (size that the caps of all members then ask for) × (loss of a row) is least; among equals by the partner with most
//! left for what it will be linked to, then by the row. Rows that find no class take partners from classes that can spare them, or
//! join whole classes, or are parted anew with the rows of small neighbours, in their block, then in ever larger ones. Small
//! neighbouring classes are then parted anew in the best way, larger ones exchange rows. A table of up to eight rows is parted in
//! the best way there is. A class shows the hull of its numbers and the least common ancestors of its taxa; of two that would look
//! alike and are not valid together one shows wider cells. No row is suppressed. Where values last, cohorts stay together
//! instead (`cohorts`).
//! **Holds because** every class is checked, as it will look, by all models of the policy.
//! **When the time is up** there is no release: rows without a class are left until the end.
//! **Does not find** the least loss, and beyond eight rows may find nothing where a solution exists.
//! **Cost.** Blocks have a fixed size: linear in the rows, sorting aside. Blocks are settled in parallel, with the same outcome for
//! any number of threads. **Oracle.** All partitions of small tables, in `tests/serial`.

mod apart;
mod cohorts;
mod crowd;
mod exact;
mod settle;

use rayon::prelude::*;

use super::task::Task;
use super::{Algorithm, Found, Progress, Stop, Watch};
use crate::error::Error;
use crate::hierarchy::Numbers;
use crate::model::Serial;
use crate::recoding::{Cell, Local, Recoding};
use crate::share::Share;
use crate::table::Table;
use crowd::Crowd;
use settle::{Settled, improve, rescue, settle};

/// The rows of a block, at most.
const BLOCK: usize = 512;

/// Classes of partners, for promises over several releases.
#[derive(Clone, Copy, Debug)]
pub struct Rotating<'a> {
    /// The table.
    pub table: &'a Table,
    /// The numbers of the attributes that may be cut anywhere, in policy order.
    pub numbers: &'a [Option<Numbers>],
    /// The promise over several releases.
    pub serial: Option<&'a Serial>,
    /// How much each attribute counts, in policy order.
    pub weights: &'a [Share],
}

type Classes = Vec<(Vec<u32>, Box<[Cell]>)>;

impl Algorithm for Rotating<'_> {
    fn id(&self) -> &'static str {
        "rotating"
    }

    fn search(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Result<Option<Found>, Error> {
        let serial = self.serial.ok_or_else(|| Error::Unsound {
            algorithm: "rotating",
            what: "it spends what persons have left over several releases, but the policy does not promise `serial`".to_owned(),
            hint: Some("use `algorithm = \"mondrian\"`, or another of `scrim catalog`".to_owned()),
        })?;
        let mut crowd = Crowd::new(self, serial, task)?;
        let found = if serial.cohorts().is_some() {
            cohorts::partition(&mut crowd, self.table.rows(), watch)?
        } else {
            let rows = (0..self.table.rows() as u32).collect();
            partition(&crowd, rows, watch)?
        };
        let Some(classes) = found.and_then(|classes| apart::told_apart(&crowd, classes)) else {
            return Ok(None);
        };
        let checked = classes.len() as u64;
        let local = self.local(classes);
        let (class_of_row, count) = local.published();
        if !crowd.all_valid(&class_of_row, count) {
            return Err(Error::Internal(
                "rotating: a class was not valid in the end".to_owned(),
            ));
        }
        Ok(Some(Found {
            recoding: Recoding::Local(local),
            ties: Vec::new(),
            tied_tables: None,
            checked,
            proven: false,
            bound: None,
            notes: vec![if serial.cohorts().is_some() {
                cohorts::NOTE.to_owned()
            } else {
                "rows with the smallest cap first; partners by the cost of the class as it must become, then by what they have left, then by row".to_owned()
            }],
            remarks: Vec::new(),
        }))
    }
}

impl Rotating<'_> {
    fn local(&self, mut classes: Classes) -> Local {
        classes.sort_unstable_by_key(|(rows, _)| rows.iter().min().copied());
        let mut class_of_row = vec![0; self.table.rows()];
        for (number, (rows, _)) in (0..).zip(&classes) {
            rows.iter()
                .for_each(|row| class_of_row[*row as usize] = number);
        }
        let attributes = classes.first().map_or(0, |(_, cells)| cells.len());
        Local {
            class_of_row,
            classes: classes.into_iter().map(|(_, cells)| cells).collect(),
            numbers: (0..attributes)
                .map(|at| self.numbers.get(at).cloned().flatten())
                .collect(),
        }
    }
}

/// The classes of these rows; nothing where some row finds none.
fn partition(
    crowd: &Crowd<'_>,
    rows: Vec<u32>,
    watch: &mut dyn Watch,
) -> Result<Option<Vec<Vec<u32>>>, Error> {
    let stop = watch.stop();
    let mut tell = |doing: &'static str, checked: u64| {
        watch.step(&Progress {
            doing,
            checked,
            decided: None,
            best: None,
            cost: None,
        })
    };
    if rows.is_empty() {
        return Ok(None);
    }
    if rows.len() <= exact::FEW {
        let all = exact::all(crowd, &rows);
        // The cheapest of them that can be told apart.
        return Ok(all
            .into_iter()
            .find(|classes| apart::told_apart(crowd, classes.clone()).is_some()));
    }
    tell("dividing the table into blocks", 0)?;
    let blocks = blocks(crowd, rows.clone());
    tell("looking for partners", 0)?;
    // Where the search must stop, blocks are missing, and the next step ends it.
    let mut parts: Vec<Settled> = blocks
        .par_iter()
        .filter(|_| !stop.is_set())
        .map(|rows| {
            let mut settled = settle(crowd, rows);
            rescue(crowd, &mut settled);
            improve(crowd, &mut settled.classes);
            settled
        })
        .collect();
    tell("looking for partners", 0)?;
    while parts.len() > 1 && parts.iter().any(|part| !part.left.is_empty()) {
        tell("looking further for partners", 0)?;
        parts = unite(crowd, parts, &stop);
    }
    tell("looking further for partners", 0)?;
    let left = parts.iter().any(|part| !part.left.is_empty());
    let mut classes: Vec<Vec<u32>> = parts.into_iter().flat_map(|part| part.classes).collect();
    if left {
        if !crowd.is_valid(&rows) {
            return Ok(None);
        }
        classes = vec![rows];
    }
    tell("telling classes apart", classes.len() as u64)?;
    classes.iter_mut().for_each(|class| class.sort_unstable());
    classes.sort_unstable();
    Ok(Some(classes))
}

/// Neighbouring blocks as one, with another chance for rows without a class.
fn unite(crowd: &Crowd<'_>, parts: Vec<Settled>, stop: &Stop) -> Vec<Settled> {
    let mut pairs = Vec::new();
    let mut parts = parts.into_iter();
    while let Some(first) = parts.next() {
        pairs.push((first, parts.next()));
    }
    let united = pairs.into_par_iter().map(|(mut first, second)| {
        if let Some(second) = second {
            first.classes.extend(second.classes);
            first.left.extend(second.left);
            if !stop.is_set() {
                rescue(crowd, &mut first);
            }
        }
        first
    });
    united.collect()
}

/// The rows halved along the widest column until no block is too large; neighbours lie beside each other.
fn blocks(crowd: &Crowd<'_>, rows: Vec<u32>) -> Vec<Vec<u32>> {
    let mut blocks = vec![rows];
    while blocks.iter().any(|block| block.len() > BLOCK) {
        let halves = |block: Vec<u32>| {
            if block.len() <= BLOCK {
                return vec![block];
            }
            halve(crowd, block)
        };
        blocks = blocks
            .into_par_iter()
            .map(halves)
            .collect::<Vec<_>>()
            .concat();
    }
    blocks
}

fn halve(crowd: &Crowd<'_>, mut block: Vec<u32>) -> Vec<Vec<u32>> {
    let width = |at: usize| {
        let axis = &crowd.axes[at];
        let (width, domain) = axis.width(axis.span(&block));
        width as f64 / domain as f64
    };
    let widest = (0..crowd.axes.len()).max_by(|left, right| {
        let order = width(*left).total_cmp(&width(*right));
        order.then(right.cmp(left))
    });
    let half = block.len() / 2;
    if let Some(axis) = widest.map(|at| &crowd.axes[at]) {
        block.select_nth_unstable_by_key(half, |row| (axis.place(*row), *row));
    }
    let mut second = block.split_off(half);
    block.sort_unstable();
    second.sort_unstable();
    vec![block, second]
}
