//! Datafly.
//!
//! **Definition.** While the sequences that occur less than *k* times account for more than *k* tuples, generalize the
//! attribute with most distinct values; then suppress those sequences, and more tuples if fewer than *k* are
//! suppressed ([Sweeney02], Figure 8).
//! **Reading.** Figure 8 stands where the text differs. A sequence is an outlier when it breaks any model of the
//! policy; *k* is that of its k-anonymity, counted in rows, and without one no outlier is left. A suppression limit in
//! the policy tightens the stopping rule, and step 4 never exceeds it: where it would, or where nothing would remain,
//! generalizing goes on. `strict` stops as printed, and finds nothing where step 4 would exceed the limit or give up
//! everything. Ties by policy column order. Step 4 gives up the last tuple of the largest sequence with more than *k* tuples that stays valid without it, else whole sequences, fewest tuples first. What that
//! does to the sequences that stay is judged as in any release of a node (`node_release`). The data holder's weights
//! of section 4.1, likelihood of linking and tolerance of distortion, both from 0 to 1, multiply the number of distinct
//! values; an attribute of weight 0 is generalized only when no other can be, and among such attributes the number of
//! distinct values decides. So weights that are all equal, all 0 too, change nothing.
//! **Does not find** minimal generalizations. **Cost.** A roll-up a step. **Oracle.** `testkit::oracle::datafly`.

use super::task::{Judged, Task};
use super::{Algorithm, Found, Progress, Watch};
use crate::error::Error;
use crate::frequency::FrequencySet;
use crate::recoding::{Node, Recoding, Suppressed};
use crate::share::Share;

/// How step 4 fills up the suppressed tuples to *k*.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Complement {
    /// Single tuples of large sequences.
    #[default]
    Tuple,
    /// Whole sequences.
    Sequence,
}

/// The core Datafly algorithm.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Datafly {
    /// The *k* of the stopping rule; 0 leaves no outlier.
    pub k: u64,
    /// The literal algorithm.
    pub strict: bool,
    /// The reading of step 4.
    pub complement: Complement,
    /// What multiplies the number of distinct values, by attribute.
    pub weights: Vec<Share>,
    /// The limit on suppressed rows, where the policy states one.
    pub limit: Option<u64>,
}

impl Algorithm for Datafly {
    fn id(&self) -> &'static str {
        "datafly"
    }

    fn search(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Result<Option<Found>, Error> {
        let mut set = task.ground.set().clone();
        let mut targets: Vec<u32> = (0..set.len() as u32).collect();
        let mut checked = 0;
        loop {
            checked += 1;
            watch.step(&Progress {
                doing: "generalizing step by step",
                checked,
                decided: None,
                best: Some(set.node().clone()),
                cost: None,
            })?;
            let judged = task.judge(&set);
            let allowed = self.limit.map_or(self.k, |limit| limit.min(self.k));
            if judged.suppressed <= allowed {
                let suppressed = self.suppress(task, &set, &targets, &judged);
                if suppressed.is_some() || self.strict {
                    return Ok(suppressed
                        .map(|suppressed| self.found(set.node().clone(), suppressed, checked)));
                }
            }
            let Some(at) = most_distinct(task, &set, &self.weights) else {
                return Ok(None);
            };
            let node = set.node().with(at, set.node().levels()[at] + 1);
            let (above, map) = set.roll_up_with_map(task.ladders, &node);
            targets
                .iter_mut()
                .for_each(|target| *target = map[*target as usize]);
            set = above;
        }
    }
}

impl Datafly {
    fn found(&self, node: Node, suppressed: Suppressed, checked: u64) -> Found {
        let step_4 = match self.complement {
            Complement::Tuple => {
                "step 4 gives up single rows of the largest sequence, else whole sequences"
            }
            Complement::Sequence => {
                "step 4 gives up whole sequences, smallest first, then earliest"
            }
        };
        let notes = vec!["ties by policy column order".to_owned(), step_4.to_owned()];
        Found {
            ties: vec![node.clone()],
            tied_tables: None,
            recoding: Recoding::FullDomain { node, suppressed },
            checked,
            proven: false,
            bound: None,
            notes,
            remarks: Vec::new(),
        }
    }

    /// Steps 3 and 4; nothing when no tuple would remain, or more are suppressed than the limit.
    fn suppress(
        &self,
        task: &Task<'_>,
        set: &FrequencySet,
        targets: &[u32],
        judged: &Judged,
    ) -> Option<Suppressed> {
        let mut gone = vec![false; set.len()];
        judged
            .failing
            .iter()
            .for_each(|class| gone[*class as usize] = true);
        let mut sizes = set.rows().to_vec();
        let mut count = judged.suppressed;
        let mut rows = Vec::new();
        let classes = Members::new(task, targets, set.len());
        // Beyond the limit nothing is found here, however far step 4 would go.
        let most = self.limit.unwrap_or(u64::MAX);
        while count > 0 && count < self.k && count <= most {
            let single = (self.complement == Complement::Tuple)
                .then(|| self.largest(task, &classes, &sizes, &gone))
                .flatten();
            if let Some(class) = single {
                sizes[class] -= 1;
                rows.push(classes.rows(class)[sizes[class] as usize]);
                count += 1;
            } else {
                let open = (0..set.len()).filter(|class| !gone[*class]);
                let Some(class) =
                    open.min_by_key(|class| (sizes[*class], classes.rows(*class).first().copied()))
                else {
                    break;
                };
                gone[class] = true;
                count += sizes[class];
            }
        }
        // Whole sequences are gone, so that others may break a model that compares them with what is left, or a promise about
        // some of the columns.
        let failing = (0..).zip(&gone).filter(|(_, gone)| **gone);
        let start = Judged {
            failing: failing.map(|(class, _)| class).collect(),
            suppressed: count,
            ..Judged::default()
        };
        let release = if rows.is_empty() {
            task.complete(set, start, most)?
        } else {
            // Single rows are given up only where all models ask for sizes, and only by sequences that stay large enough for
            // every promise.
            task.close(set, start, most)?
        };
        count = release.suppressed;
        for class in release.failing {
            gone[class as usize] = true;
        }
        if count > most || count == task.ground.rows() {
            return None;
        }
        rows.sort_unstable();
        let tuples = (0..)
            .zip(targets)
            .filter(|(_, class)| gone[**class as usize])
            .map(|(tuple, _)| tuple)
            .collect();
        Some(Suppressed { tuples, rows })
    }

    /// The largest remaining sequence with more than k tuples that stays valid without its last one; ties: earliest.
    fn largest(
        &self,
        task: &Task<'_>,
        classes: &Members,
        sizes: &[u64],
        gone: &[bool],
    ) -> Option<usize> {
        let mut open: Vec<usize> = (0..sizes.len())
            .filter(|class| !gone[*class] && sizes[*class] > self.k)
            .collect();
        open.sort_by_key(|class| {
            (
                std::cmp::Reverse(sizes[*class]),
                classes.rows(*class).first().copied(),
            )
        });
        // With k-anonymity by rows alone the size decides; other models must look at the class that is left.
        if task.models.tracked().is_empty() {
            open.first().copied()
        } else {
            None
        }
    }
}

/// The attribute with most distinct values in the set, weighted; an attribute with one value is never chosen.
pub(super) fn most_distinct(
    task: &Task<'_>,
    set: &FrequencySet,
    weights: &[Share],
) -> Option<usize> {
    let mut best: Option<((Share, u32), usize)> = None;
    for at in 0..task.ladders.len() {
        let distinct = distinct(set, at, task.ladders[at].width(set.node().levels()[at]));
        if distinct < 2 {
            continue;
        }
        let weight = weights.get(at).copied().unwrap_or(Share::ONE);
        let score = weight
            .checked_mul(Share::whole(distinct.into()))
            .unwrap_or(Share::ZERO);
        // Weights of 0 say nothing about which of their attributes comes first: the distinct values do, as without weights.
        let unweighted = if score.is_zero() { distinct } else { 0 };
        if best.is_none_or(|(most, _)| (score, unweighted) > most) {
            best = Some(((score, unweighted), at));
        }
    }
    best.map(|(_, at)| at)
}

/// The rows of each class, in the order of the table.
struct Members {
    starts: Vec<usize>,
    rows: Vec<u32>,
}

impl Members {
    fn new(task: &Task<'_>, targets: &[u32], classes: usize) -> Self {
        let class_of = |row: usize| targets[task.ground.tuple_of_row()[row] as usize] as usize;
        let count = task.ground.tuple_of_row().len();
        let mut starts = vec![0; classes + 1];
        (0..count).for_each(|row| starts[class_of(row) + 1] += 1);
        for class in 0..classes {
            starts[class + 1] += starts[class];
        }
        let mut next = starts.clone();
        let mut rows = vec![0; count];
        for row in 0..count {
            let slot = &mut next[class_of(row)];
            rows[*slot] = row as u32;
            *slot += 1;
        }
        Self { starts, rows }
    }

    fn rows(&self, class: usize) -> &[u32] {
        &self.rows[self.starts[class]..self.starts[class + 1]]
    }
}

fn distinct(set: &FrequencySet, attribute: usize, width: usize) -> u32 {
    let mut seen = vec![false; width];
    (0..set.len()).for_each(|tuple| seen[set.code(tuple, attribute) as usize] = true);
    seen.into_iter().map(u32::from).sum()
}
