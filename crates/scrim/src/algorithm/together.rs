//! The classes of a node judged together, where persons have rows in several of them.
//!
//! **Definition.** A node's release under `personal`: the classes that break a model by themselves are suppressed, the others are
//! published with the functions of `Personal::together`. Where a wish cannot be kept over all classes of its person, the class
//! that shows it most is suppressed too, and the rest is judged anew, [`ROUNDS`] times at most; a node at which that does not end
//! suppresses all its rows. Suppressed rows that are published are a class like any other.
//! **Holds because** nothing is published that the last round did not find kept.

use super::task::{Judged, Task};
use crate::frequency::{Class, FrequencySet};

/// How often classes are given up at one node.
const ROUNDS: usize = 16;

impl Task<'_> {
    /// What is left of a judged node when its classes are judged together; nothing when more rows than the limit are suppressed.
    pub(super) fn settle_coupled(
        &self,
        set: &FrequencySet,
        mut judged: Judged,
        limit: u64,
    ) -> Option<Judged> {
        loop {
            judged = self.close(set, judged, limit)?;
            let closed = judged.suppressed;
            judged = self.judge_together(set, judged, limit)?;
            if judged.suppressed == closed || !self.models.promises_columns() {
                return Some(judged);
            }
        }
    }

    fn judge_together(&self, set: &FrequencySet, mut judged: Judged, limit: u64) -> Option<Judged> {
        if !self.models.looks_across() {
            return Some(judged);
        }
        for _ in 0..ROUNDS {
            let kept: Vec<u32> = (0..set.len() as u32)
                .filter(|class| judged.failing.binary_search(class).is_err())
                .collect();
            let classes: Vec<Class<'_>> = kept
                .iter()
                .map(|class| set.class(*class as usize))
                .collect();
            let stars = self.suppressed_class(set, &judged);
            let stars = stars.as_ref().map(|stars| {
                let class = stars.only();
                (class, !self.models.holds_apart(class))
            });
            match self.models.together(&classes, stars) {
                Ok(lost) => {
                    judged.lost = Some(lost);
                    return Some(judged);
                }
                Err(given_up) if given_up.is_empty() => break,
                Err(given_up) => {
                    let more = given_up.iter().map(|at| kept[*at as usize]);
                    judged.failing.extend(more);
                    judged.failing.sort_unstable();
                    let rows = judged.failing.iter();
                    judged.suppressed = rows.map(|class| set.rows()[*class as usize]).sum();
                    if judged.suppressed > limit {
                        return None;
                    }
                }
            }
        }
        let all = Judged {
            failing: (0..set.len() as u32).collect(),
            suppressed: set.rows().iter().sum(),
            lost: None,
        };
        (all.suppressed <= limit).then_some(all)
    }

    /// The suppressed rows of a node as one class, where they are published.
    fn suppressed_class(&self, set: &FrequencySet, judged: &Judged) -> Option<FrequencySet> {
        if judged.failing.is_empty() || self.models.drops_suppressed() {
            return None;
        }
        let failing = set.only_classes(&judged.failing);
        Some(failing.roll_up(self.ladders, &self.lattice().top()))
    }
}
