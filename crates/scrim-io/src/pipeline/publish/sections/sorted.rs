//! The rows of all sections of a release in canonical order.
//!
//! **Reading.** A row is a key: the ranks of its labels by text, packed from the first column to the last, so that keys compare as rows
//! do. The keys of a section, sorted, are a run on disk; all runs are merged, equal rows of several sections become one with the sum
//! of their times, and what comes out is written part by part.
//! **Cost.** As [`Runs`]: each distinct row of a section is written and read once, twice where there are very many sections.

use std::sync::Arc;

use scrim::table::{Codes, NumberedKeys, SortColumn, sorted_rows};

use super::super::row_order::label_ranks;
use crate::ground_file::{Merged, Runs};
use crate::{FileOrder, IoError, Memory, OutColumn, OutPart};

/// The columns of a release, whose labels are the same in all sections.
struct Key {
    /// By column: the rank of each label.
    ranks: Vec<Vec<u32>>,
    /// By column: a label of each rank.
    codes: Vec<Vec<u32>>,
    /// By column: the word of the key that has its rank, and how far up in it.
    fields: Vec<(usize, u32)>,
    words: usize,
}

impl Key {
    fn new(columns: &[OutColumn]) -> Self {
        let ranks: Vec<Vec<u32>> = columns.iter().map(label_ranks).collect();
        let code_of_rank = |ranks: &Vec<u32>| {
            let mut codes = vec![0; ranks.iter().max().map_or(0, |last| *last as usize + 1)];
            for (code, rank) in (0..).zip(ranks) {
                codes[*rank as usize] = code;
            }
            codes
        };
        let codes: Vec<Vec<u32>> = ranks.iter().map(code_of_rank).collect();
        // From the last column to the first: the last word of a key is compared first.
        let (mut word, mut used) = (0, 0);
        let mut fields: Vec<(usize, u32)> = Vec::with_capacity(columns.len());
        for codes in codes.iter().rev() {
            let bits = usize::BITS - codes.len().leading_zeros();
            if used + bits > u64::BITS {
                (word, used) = (word + 1, 0);
            }
            fields.push((word, used));
            used += bits;
        }
        fields.reverse();
        Self {
            ranks,
            codes,
            fields,
            words: word + 1,
        }
    }

    fn of_row(&self, columns: &[OutColumn], row: usize, key: &mut [u64]) {
        key.fill(0);
        let columns = columns.iter().zip(&self.ranks).zip(&self.fields);
        for ((column, ranks), (word, shift)) in columns {
            let rank = ranks[column.codes.get(row) as usize];
            key[*word] |= u64::from(rank) << shift;
        }
    }

    /// The keys of all rows in ascending order, each with how often its row stands in the file, where a key has one word.
    fn of_rows(
        &self,
        columns: &[OutColumn],
        rows: usize,
        times: impl Fn(usize) -> u64,
    ) -> NumberedKeys {
        let mut keys = vec![0u64; rows];
        let columns = columns.iter().zip(&self.ranks).zip(&self.fields);
        for ((column, ranks), (_, shift)) in columns {
            column.codes.for_each(|row, code| {
                keys[row] |= u64::from(ranks[code as usize]) << shift;
            });
        }
        NumberedKeys::new(keys, |row| times(row) as u32).sorted()
    }

    /// The label of a column that a key has.
    fn code(&self, column: usize, key: &[u64]) -> u32 {
        let (word, shift) = self.fields[column];
        let codes = &self.codes[column];
        let mask = (1u64 << (usize::BITS - codes.len().leading_zeros())) - 1;
        codes[((key[word] >> shift) & mask) as usize]
    }
}

/// Collects the rows of sections.
pub(super) struct Sorting<'m> {
    memory: &'m Memory,
    begun: Option<(Key, Vec<OutColumn>, Runs)>,
}

impl<'m> Sorting<'m> {
    pub(super) fn new(memory: &'m Memory) -> Self {
        Self {
            memory,
            begun: None,
        }
    }

    /// Adds the rows of a section, each of which stands in the file as often as `times` says.
    pub(super) fn add(
        &mut self,
        columns: &[OutColumn],
        rows: usize,
        times: impl Fn(usize) -> u64,
    ) -> Result<(), IoError> {
        let (key, _, runs) = match &mut self.begun {
            Some(begun) => begun,
            none => {
                let key = Key::new(columns);
                let runs = Runs::new(self.memory.folder(), key.words, 0)?;
                let empty = |column: &OutColumn| OutColumn {
                    codes: Codes::U8(Vec::new()),
                    ..column.clone()
                };
                none.insert((key, columns.iter().map(empty).collect(), runs))
            }
        };
        if key.words == 1 {
            let keys = key.of_rows(columns, rows, &times);
            return runs.add_sorted(|put| {
                let mut rows = keys.iter().peekable();
                while let Some((key, times)) = rows.next() {
                    let mut times = u64::from(times);
                    while let Some((_, more)) = rows.next_if(|(other, _)| *other == key) {
                        times += u64::from(more);
                    }
                    put(&[key], times)?;
                }
                Ok(())
            });
        }
        let sort = columns.iter().zip(&key.ranks);
        let sort: Vec<SortColumn<'_>> = sort
            .map(|(column, ranks)| SortColumn {
                codes: &column.codes,
                ranks,
            })
            .collect();
        let sorted = sorted_rows(&sort, rows);
        let mut packed = vec![0; key.words];
        runs.add_sorted(|put| {
            for row in sorted {
                key.of_row(columns, row as usize, &mut packed);
                put(&packed, times(row as usize))?;
            }
            Ok(())
        })
    }

    /// All rows in their order.
    pub(super) fn finish(
        self,
        check: &mut dyn FnMut() -> Result<(), scrim::Error>,
    ) -> Result<Sorted, IoError> {
        let nothing = || IoError::internal("a release without a section");
        let (key, columns, runs) = self.begun.ok_or_else(nothing)?;
        Ok(Sorted {
            last: vec![0; key.words],
            key,
            columns,
            rows: runs.merge_sorted(check)?,
            left: 0,
        })
    }
}

/// The rows of all sections in canonical order.
pub(super) struct Sorted {
    key: Key,
    /// Names and labels.
    columns: Vec<OutColumn>,
    rows: Merged,
    /// How many more of the last row are to be written.
    left: u64,
    /// Its key.
    last: Vec<u64>,
}

impl Sorted {
    /// The next rows, at most `most_rows`, of at most `most_different` different ones.
    pub(super) fn part(
        &mut self,
        most_rows: u64,
        most_different: usize,
    ) -> Result<Option<OutPart>, IoError> {
        let mut codes: Vec<Vec<u32>> = vec![Vec::new(); self.columns.len()];
        let mut runs: Vec<(u32, u32)> = Vec::new();
        let mut rows = 0;
        while rows < most_rows && runs.len() < most_different {
            let times = match self.left {
                0 => self.rows.next(&mut self.last)?,
                left => Some(left),
            };
            let Some(times) = times else {
                break;
            };
            let now = times.min(most_rows - rows);
            for (column, codes) in codes.iter_mut().enumerate() {
                codes.push(self.key.code(column, &self.last));
            }
            runs.push((runs.len() as u32, now as u32));
            rows += now;
            self.left = times - now;
        }
        if runs.is_empty() {
            return Ok(None);
        }
        let different = runs.len();
        let columns = self.columns.iter().zip(codes);
        let columns = columns.map(|(column, codes)| OutColumn {
            codes: Codes::collect(column.labels.len(), codes.into_iter()),
            ..column.clone()
        });
        Ok(Some(OutPart {
            columns: columns.collect(),
            rows: different,
            order: Some((
                Arc::new(FileOrder::of_runs(runs)),
                (0, rows),
                (0..different as u32).collect(),
            )),
        }))
    }
}
