//! The inclusive strategy, by its definition: every table that has the released histograms is tried ([Zhang07], Table 3).

use num_bigint::BigInt;
use rustc_hash::FxHashMap;

use super::judge::{Judge, Shares};
use super::set::{Belief, Found};

/// So many tables may be looked at.
const TABLES: u64 = 3_000_000;

/// The steps of a chain, and what is known of their sets.
pub(super) struct Literal<'a> {
    pub(super) judge: &'a Judge<'a>,
    /// The groups of each step, in order.
    pub(super) steps: &'a [Vec<u32>],
    known: FxHashMap<(usize, Vec<u32>), bool>,
    left: u64,
}

/// How often each row has each value in a set, and how many tables it has.
struct Tally {
    tables: u64,
    counts: Vec<u64>,
}

impl<'a> Literal<'a> {
    pub(super) fn new(judge: &'a Judge<'a>, steps: &'a [Vec<u32>]) -> Self {
        Self {
            judge,
            steps,
            known: FxHashMap::default(),
            left: TABLES,
        }
    }

    fn width(&self) -> usize {
        self.judge.codes.len()
    }

    fn histograms(&self, step: usize, values: &[u32]) -> Vec<u32> {
        let groups = &self.steps[step];
        let count = groups.iter().max().map_or(0, |most| *most as usize + 1);
        let mut all = vec![0; count * self.width()];
        for (group, value) in groups.iter().zip(values) {
            all[*group as usize * self.width() + *value as usize] += 1;
        }
        all
    }

    /// What is believed at the last step; none where there are too many tables.
    pub(super) fn last(&mut self, values: &[u32]) -> Option<Found> {
        let step = self.steps.len() - 1;
        let histograms = self.histograms(step, values);
        let tally = self.set(step, &histograms)?;
        let width = self.width();
        let groups = self.steps[step].clone();
        let belief = |row: usize| {
            let at = groups[row] as usize * width;
            let class = &histograms[at..at + width];
            let shares: Vec<BigInt> = tally.counts[row * width..(row + 1) * width]
                .iter()
                .map(|count| (*count).into())
                .collect();
            Belief {
                row,
                rows: class.iter().map(|count| u64::from(*count)).sum(),
                total: tally.tables.into(),
                low: shares.clone(),
                high: shares,
            }
        };
        Some(Found {
            method: "table by table",
            size: Some(tally.tables.into()),
            beliefs: (0..groups.len()).map(belief).collect(),
        })
    }

    /// The disclosure set of a step with these histograms.
    fn set(&mut self, step: usize, histograms: &[u32]) -> Option<Tally> {
        let rows = self.steps[step].len();
        let mut tally = Tally {
            tables: 0,
            counts: vec![0; rows * self.width()],
        };
        let mut table = Vec::with_capacity(rows);
        self.fill(step, &mut histograms.to_vec(), &mut table, &mut tally)?;
        Some(tally)
    }

    /// All tables that go on from these first rows.
    fn fill(
        &mut self,
        step: usize,
        left: &mut Vec<u32>,
        table: &mut Vec<u32>,
        tally: &mut Tally,
    ) -> Option<()> {
        let width = self.width();
        let row = table.len();
        if row == self.steps[step].len() {
            self.left = self.left.checked_sub(1)?;
            if !self.returns_before(step, table)? {
                tally.tables += 1;
                for (row, value) in table.iter().enumerate() {
                    tally.counts[row * width + *value as usize] += 1;
                }
            }
            return Some(());
        }
        let class = self.steps[step][row] as usize * width;
        for value in 0..width {
            if left[class + value] > 0 {
                left[class + value] -= 1;
                table.push(value as u32);
                self.fill(step, left, table, tally)?;
                table.pop();
                left[class + value] += 1;
            }
        }
        Some(())
    }

    /// Whether the algorithm would have released an earlier step of a table.
    fn returns_before(&mut self, step: usize, table: &[u32]) -> Option<bool> {
        for earlier in 0..step {
            let histograms = self.histograms(earlier, table);
            let key = (earlier, histograms);
            let keeps = if let Some(keeps) = self.known.get(&key) {
                *keeps
            } else {
                let keeps = self.keeps(earlier, &key.1)?;
                self.known.insert(key, keeps);
                keeps
            };
            if keeps {
                return Some(true);
            }
        }
        Some(false)
    }

    fn keeps(&mut self, step: usize, histograms: &[u32]) -> Option<bool> {
        let tally = self.set(step, histograms)?;
        let width = self.width();
        let total = i128::from(tally.tables);
        // Of an empty set nothing is released.
        let all = tally.tables > 0
            && (0..self.steps[step].len()).all(|row| {
                let at = self.steps[step][row] as usize * width;
                let rows = histograms[at..at + width]
                    .iter()
                    .map(|count| u64::from(*count))
                    .sum();
                let shares: Vec<i128> = tally.counts[row * width..(row + 1) * width]
                    .iter()
                    .map(|count| i128::from(*count))
                    .collect();
                self.judge.keeps(&Shares {
                    rows,
                    total: &total,
                    low: &shares,
                    high: &shares,
                })
            });
        Some(all)
    }
}
