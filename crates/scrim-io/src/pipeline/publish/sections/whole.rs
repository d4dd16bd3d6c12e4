//! What all sections of a release tell together.
//!
//! **Reading.** The release comes in parts, each with all rows of its classes; a class is in the part that the hash of its
//! quasi-identifiers says. Of other columns only the sensitive values are kept that promises speak of, and of the rest whether all
//! those are stars that would tell something about a suppressed row: they are stars here then, and nothing else.
//! **Cost.** A key for each class and combination of sensitive values of a part, however many rows there are; all sections are read
//! once a part.

use std::ops::Range;

use rustc_hash::FxHashSet;
use scrim::frequency::{Counting, RowIds};
use scrim::hierarchy::{STAR, is_star};
use scrim::release::Prepared;
use scrim::release::policy::Policy;
use scrim::table::{Codes, Column, Role, Table};

use super::released::{count, table_of};
use crate::IoError;
use crate::pipeline::Door;
use crate::pipeline::load::LoadedTable;

/// The role of the columns that tell something about a row whose quasi-identifiers are suppressed: sensitive, or insensitive where
/// none is sensitive.
fn told(policy: &Policy) -> Role {
    if policy.with_role(Role::Sensitive).next().is_some() {
        Role::Sensitive
    } else {
        Role::Insensitive
    }
}

/// Rows of a section that are looked at together.
const ROWS: usize = 1 << 16;
const ODD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A release as the certifier sees all of it.
pub(super) struct Whole<'a> {
    read: &'a LoadedTable,
    /// The columns that are kept: quasi-identifiers, and what promises speak of.
    kept: Vec<usize>,
    /// By column that is kept: what each code is to the hash, all stars the same; nothing where it is no quasi-identifier.
    hashed: Vec<Option<Vec<u64>>>,
    /// By column: whether each code is stars, of others that would tell something.
    stars: Vec<Option<Vec<bool>>>,
    /// The values of the columns that are kept, and of whether a row tells nothing else.
    widths: Vec<usize>,
    /// How many rows of the release have each code, by column of a part.
    margins: Vec<Vec<u64>>,
    /// How many rows a part may have.
    most: usize,
    parts: u64,
}

impl<'a> Whole<'a> {
    /// Of a release that was read back, in parts of at most about so many different rows.
    pub(super) fn new(
        policy: &Policy,
        read: &'a LoadedTable,
        most: usize,
        door: &mut dyn Door,
    ) -> Result<Self, IoError> {
        let columns = read.read.table.columns();
        let has_role = |column: &Column, role: Role| {
            let asked = policy.column(column.name());
            asked.is_some_and(|asked| asked.role == role)
        };
        let is_quasi = |column: &Column| has_role(column, Role::Quasi);
        let is_judged = |column: &Column| {
            let mut promises = policy.privacy.iter();
            promises.any(|model| model.spec.of() == Some(column.name()))
        };
        let is_kept = |column: &Column| is_quasi(column) || is_judged(column);
        let kept: Vec<usize> = (0..columns.len())
            .filter(|at| is_kept(&columns[*at]))
            .collect();
        let hashed = |at: &usize| {
            let texts = (1..).zip(columns[*at].dictionary().texts());
            let hashed = texts.map(|(code, text)| if is_star(text) { 0 } else { code });
            is_quasi(&columns[*at]).then(|| hashed.collect())
        };
        let stars = |column: &Column| -> Option<Vec<bool>> {
            let is_told = has_role(column, told(policy)) && !is_kept(column);
            let texts = column.dictionary().texts();
            is_told.then(|| texts.map(is_star).collect())
        };
        let widths = kept.iter().map(|at| columns[*at].dictionary().len());
        // The last one tells whether a row tells nothing else.
        let widths = widths.chain(std::iter::once(2)).collect();
        let mut whole = Self {
            read,
            hashed: kept.iter().map(hashed).collect(),
            kept,
            stars: columns.iter().map(stars).collect(),
            widths,
            margins: Vec::new(),
            most,
            parts: 1,
        };
        whole.margins = whole.count_values(door)?;
        Ok(whole)
    }

    /// How many rows have each code, by column that is kept; of others nobody asks.
    fn count_values(&self, door: &mut dyn Door) -> Result<Vec<Vec<u64>>, IoError> {
        let columns = self.read.read.table.columns();
        let values = |(at, column): (usize, &Column)| {
            let is_kept = self.kept.contains(&at);
            let values = column.dictionary().len();
            vec![0; if is_kept { values } else { 2 }]
        };
        let mut margins: Vec<Vec<u64>> = columns.iter().enumerate().map(values).collect();
        for section in 0..count(self.read) {
            door.check()?;
            let table = table_of(self.read, section)?;
            for at in &self.kept {
                let own = table.columns()[*at].counts();
                let all = margins[*at].iter_mut();
                all.zip(own).for_each(|(all, own)| *all += own);
            }
        }
        Ok(margins)
    }

    /// The columns without any row; they still know how many rows of the release have each value.
    pub(super) fn without_rows(&self) -> Result<Table, IoError> {
        let mut counting = Counting::new(self.widths.len());
        counting.make_room(&self.widths);
        self.table(&counting, Vec::new(), Vec::new())
    }

    /// Visits the release part by part.
    pub(super) fn each_part<E: From<IoError>>(
        &mut self,
        door: &mut dyn Door,
        mut visit: impl FnMut(&Table) -> Result<(), E>,
    ) -> Result<(), E> {
        let first = loop {
            // Classes are not parted: where there are few, it is one of them that is large.
            let most = if self.has_few_classes(door)? {
                usize::MAX
            } else {
                self.most
            };
            match self.part(0, most, door)? {
                Some(table) => break table,
                None => self.parts *= 2,
            }
        };
        visit(&first)?;
        drop(first);
        for part in 1..self.parts {
            if let Some(table) = self.part(part, usize::MAX, door)? {
                visit(&table)?;
            }
        }
        Ok(())
    }

    /// One part; nothing where it has more different rows than `most`.
    fn part(&self, part: u64, most: usize, door: &mut dyn Door) -> Result<Option<Table>, IoError> {
        let same = |width: &usize| (0..*width as u32).collect::<Vec<u32>>();
        let meanings: Vec<Vec<u32>> = self.widths.iter().map(same).collect();
        let mut counting = Counting::new(self.widths.len());
        counting.make_room(&self.widths);
        let (mut times, mut first) = (Vec::<u32>::new(), Vec::new());
        let (mut ids, mut numbers) = (vec![Vec::new(); self.widths.len()], Vec::new());
        for section in 0..count(self.read) {
            let table = table_of(self.read, section)?;
            for start in (0..table.rows()).step_by(ROWS) {
                door.check()?;
                let rows = start..table.rows().min(start + ROWS);
                let own = self.own_rows(&table, rows.clone(), part);
                self.take(&table, rows, &own, &mut ids);
                let block = ids.iter().zip(&meanings);
                let block: Vec<RowIds<'_>> = block
                    .map(|(ids, meaning)| RowIds { ids, meaning })
                    .collect();
                numbers.clear();
                counting.add(&counting.pack(own.len(), &block), None, &mut numbers);
                for (row, number) in own.iter().zip(&numbers) {
                    let (row, number) = (start + *row as usize, *number as usize);
                    if number == times.len() {
                        times.push(0);
                        first.push(table.first(row));
                    }
                    times[number] += table.times(row) as u32;
                }
                if times.len() > most {
                    return Ok(None);
                }
            }
        }
        self.table(&counting, times, first).map(Some)
    }

    /// Whether the first part has hardly any class.
    fn has_few_classes(&self, door: &mut dyn Door) -> Result<bool, IoError> {
        const FEW: usize = 64;
        let mut met: FxHashSet<u64> = FxHashSet::default();
        for section in 0..count(self.read) {
            door.check()?;
            let table = table_of(self.read, section)?;
            for start in (0..table.rows()).step_by(ROWS) {
                let rows = start..table.rows().min(start + ROWS);
                let hashes = self.hashes(&table, rows);
                met.extend(hashes.into_iter().filter(|hash| self.part_of(*hash) == 0));
                if met.len() > FEW {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Which of some rows of a section are in a part, counted from the first.
    fn own_rows(&self, table: &Table, rows: Range<usize>, part: u64) -> Vec<u32> {
        if self.parts == 1 {
            return (0..rows.len() as u32).collect();
        }
        let hashes = self.hashes(table, rows);
        let own = (0..).zip(hashes);
        let own = own.filter(|(_, hash)| self.part_of(*hash) == part);
        own.map(|(row, _)| row).collect()
    }

    fn part_of(&self, hash: u64) -> u64 {
        ((u128::from(hash) * u128::from(self.parts)) >> 64) as u64
    }

    /// The hash of the class of each of some rows.
    fn hashes(&self, table: &Table, rows: Range<usize>) -> Vec<u64> {
        let mut hashes = vec![ODD; rows.len()];
        for (at, values) in self.kept.iter().zip(&self.hashed) {
            let Some(values) = values else { continue };
            let codes = table.columns()[*at].codes();
            codes.for_each_in(rows.clone(), |row, code| {
                let mixed = (hashes[row] ^ values[code as usize]).wrapping_mul(ODD);
                hashes[row] = mixed ^ (mixed >> 32);
            });
        }
        hashes
            .iter_mut()
            .for_each(|hash| *hash = hash.wrapping_mul(ODD));
        hashes
    }

    /// The codes of some rows, by column that is kept, and whether they tell nothing else.
    fn take(&self, table: &Table, rows: Range<usize>, own: &[u32], ids: &mut [Vec<u32>]) {
        let mut codes = Vec::with_capacity(rows.len());
        for (ids, at) in ids.iter_mut().zip(&self.kept) {
            codes.clear();
            let column = table.columns()[*at].codes();
            column.for_each_in(rows.clone(), |_, code| codes.push(code));
            ids.clear();
            ids.extend(own.iter().map(|row| codes[*row as usize]));
        }
        let mut silent = vec![1; rows.len()];
        for (column, stars) in table.columns().iter().zip(&self.stars) {
            let Some(stars) = stars else { continue };
            column.codes().for_each_in(rows.clone(), |row, code| {
                silent[row] &= u32::from(stars[code as usize]);
            });
        }
        let last = &mut ids[self.kept.len()];
        last.clear();
        last.extend(own.iter().map(|row| silent[*row as usize]));
    }

    fn table(
        &self,
        counting: &Counting,
        times: Vec<u32>,
        first: Vec<u64>,
    ) -> Result<Table, IoError> {
        let columns = self.read.read.table.columns().iter().enumerate();
        let columns = columns.map(|(at, column)| {
            if let Some(slot) = self.kept.iter().position(|kept| *kept == at) {
                return column.with_codes(counting.codes(slot, self.widths[slot]));
            }
            let codes = if self.stars[at].is_some() {
                counting.codes(self.kept.len(), 2)
            } else {
                Codes::U8(vec![0; times.len()])
            };
            let texts = ["".into(), STAR.into()];
            Column::from_packed(column.name(), texts.to_vec(), None, codes)
        });
        let columns: Option<Vec<Column>> = columns.collect();
        let table = columns.and_then(|columns| Table::counted(columns, times, first));
        let table = table.and_then(|table| table.with_margins(&self.margins));
        table.ok_or_else(|| IoError::internal("a release that is not what was read"))
    }
}

/// Which rows of such a table look like suppressed ones: nothing in them tells anything.
pub(super) fn silent(policy: &Policy, prepared: &Prepared, whole: &Table) -> Vec<bool> {
    let mut silent = vec![true; whole.rows()];
    for column in whole.columns() {
        let mut ladders = prepared.ladders.iter();
        let ladder = ladders.find(|ladder| ladder.name() == column.name());
        let is_told = policy
            .column(column.name())
            .is_some_and(|asked| asked.role == told(policy));
        let tells_nothing = |text: &str| match ladder {
            Some(ladder) => text == ladder.hierarchy().label(ladder.hierarchy().root()),
            None => !is_told || is_star(text),
        };
        let own: Vec<bool> = column.dictionary().texts().map(tells_nothing).collect();
        let codes: &Codes = column.codes();
        codes.for_each(|row, code| silent[row] &= own[code as usize]);
    }
    silent
}
