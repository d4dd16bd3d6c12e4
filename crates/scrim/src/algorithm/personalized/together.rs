//! The greedy search where all classes are judged together after the splits, instead of each by its share.
//!
//! **Reading.** Splits are made as if nobody had rows in several classes. After some of them all classes are judged together. Where they
//! do not keep everybody's wish, the splits are taken back and half as many are tried; a single split that does not is left out for good: its part
//! stays whole. After splits that are kept twice as many are tried.
//! **Holds because** the cut that is left was judged, or is the table as one class.
//! **Cost.** A judgement of all rows and a copy of the state for each number of splits that is tried.

use super::greedy::{Ended, Greedy};
use super::rule::Rule;
use crate::algorithm::Watch;
use crate::algorithm::ending::Cut;
use crate::error::Error;
use crate::frequency::{Class, Piles};
use crate::model::ModelSet;

/// Judges all classes of a cut.
pub(super) struct Gate<'a> {
    /// Models that look at all classes together.
    pub(super) models: &'a ModelSet,
    pub(super) piles: Piles<'a>,
    pub(super) tuple_of_row: &'a [u32],
}

impl Gate<'_> {
    /// Whether everybody's wish is kept over so many classes together, given the class of each tuple.
    pub(super) fn keeps(&self, class_of_tuple: &[u32], classes: usize) -> bool {
        let tuples = self.tuple_of_row.iter();
        let class_of_row: Vec<u32> = tuples
            .map(|tuple| class_of_tuple[*tuple as usize])
            .collect();
        let rows: Vec<u32> = (0..class_of_row.len() as u32).collect();
        let set = self.piles.count(&rows, classes, &class_of_row);
        let classes: Vec<Class<'_>> = set.classes().collect();
        self.models.together(&classes, None).is_ok()
    }

    /// The rows that a judgement looks at.
    pub(super) fn rows(&self) -> u64 {
        self.tuple_of_row.len() as u64
    }

    fn keeps_all_of(&self, greedy: &Greedy<'_>) -> bool {
        let mut class_of_tuple = Vec::new();
        let alive = || greedy.classes.iter().flatten();
        for (number, class) in (0..).zip(alive()) {
            for tuple in &class.tuples {
                let tuple = *tuple as usize;
                if class_of_tuple.len() <= tuple {
                    class_of_tuple.resize(tuple + 1, 0);
                }
                class_of_tuple[tuple] = number;
            }
        }
        self.keeps(&class_of_tuple, alive().count())
    }
}

impl Greedy<'_> {
    /// Splits until no split is better that keeps everybody's wish over all classes together, or until the search must stop.
    pub(super) fn run_together(
        mut self,
        rule: Rule,
        gate: &Gate<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Ended, Error> {
        let (mut rounds, mut tried) = (0, 1);
        loop {
            let mut next = self.clone();
            let mut made = 0;
            let mut last = None;
            while made < tried
                && let Some((attribute, piece, candidate)) = next.best(rule)
            {
                next.split(attribute, piece, &candidate);
                last = Some((attribute, piece));
                made += 1;
                if let Err(error) = next.tell(watch) {
                    return Ok(self.ended(rounds, Some(Cut::from(error, watch)?)));
                }
            }
            let Some((attribute, piece)) = last else {
                return Ok(self.ended(rounds, None));
            };
            if gate.keeps_all_of(&next) {
                self = next;
                rounds += made;
                tried = made * 2;
            } else if made == 1 {
                let left_out = &mut self.pieces[attribute][piece as usize];
                left_out.whole = true;
                left_out.stale = true;
            } else {
                tried = made / 2;
            }
        }
    }
}
