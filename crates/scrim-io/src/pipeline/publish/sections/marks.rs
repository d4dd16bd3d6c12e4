//! Which rows of each section are suppressed.
//!
//! **Cost.** A bit a row of a section that has such rows; all sections are read once for each lot of suppressed classes.

use scrim::frequency::Ground;
use scrim::release::each_suppressed;

use super::super::work::Work;
use crate::pipeline::Door;
use crate::{IoError, Sections};

/// The suppressed rows of all sections.
pub(in crate::pipeline::publish) struct Marks {
    /// By section, 64 rows a word; nothing where no row is suppressed.
    bits: Vec<Vec<u64>>,
}

impl Marks {
    /// Those of a plan.
    pub(in crate::pipeline::publish) fn new(
        work: &Work<'_>,
        sections: &Sections,
        door: &mut dyn Door,
    ) -> Result<Self, IoError> {
        let mut bits = vec![Vec::new(); sections.len()];
        let (policy, prepared) = (&work.policy.policy, work.prepared);
        each_suppressed(policy, prepared, work.plan, |chosen| {
            for (section, bits) in bits.iter_mut().enumerate() {
                door.check()?;
                let table = sections.table(section)?;
                let ground = Ground::count(&table, &prepared.ladders, &[])?;
                chosen.each_row(&prepared.ladders, &ground, |row| {
                    bits.resize(table.rows().div_ceil(64), 0);
                    bits[row / 64] |= 1 << (row % 64);
                });
            }
            Ok::<_, IoError>(())
        })?;
        Ok(Self { bits })
    }

    /// Whether each of the rows of a section, of which there are so many, is suppressed.
    pub(super) fn of_section(&self, section: usize, rows: usize) -> Vec<bool> {
        let bits = &self.bits[section];
        let is_marked = |row: usize| {
            let word = bits.get(row / 64);
            word.is_some_and(|word| word >> (row % 64) & 1 == 1)
        };
        (0..rows).map(is_marked).collect()
    }
}
