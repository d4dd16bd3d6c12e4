//! Promises about some of the quasi-identifiers, at a node of the lattice.
//!
//! **Definition.** A `k-anonymity` promise with `columns` asks that every class of rows with equal published values in these columns
//! has at least *k* rows or persons ([Sweeney02], section 4.1: one or more quasi-identifiers; Definition 2 for each). Its classes
//! are those of the node with all other attributes at their tops.
//! **Reading.** Suppressing a row for one promise takes it from the classes of the others. So the release of a node keeps the
//! largest set of its classes in which every promise holds: classes that break a promise are suppressed, the rest is counted
//! again, until nothing changes. Rows that are suppressed are not counted for rows that are kept, also where both show stars
//! in all columns of a promise; so a release may keep its promises with more rows than are asked for here, never with fewer.
//! **Holds because** the union of two sets of classes in which every promise holds is one too, so there is a largest one (*K*), and
//! taking away what breaks a promise never takes a class of it.
//!
//! **Going up the lattice keeps it**, where the other models let every superset of a valid class be valid. Let *v* lie above *u*,
//! and let *S* be all rows of the classes of *v* that have a row of *K(u)*. Each such class is a superset of a valid class of *u*,
//! so it keeps the other models. Of its rows take one in *K(u)*: in *u* at least *k* rows of *K(u)* equal it in the columns
//! of a promise, they are in *S*, and they equal it in *v* too. So every promise holds in *S*, and *K(u)* is part of *S*, which is
//! part of *K(v)*. The suppressed rows only become fewer, so pruning is sound, and the rows that a high node suppresses are
//! suppressed by every node below. Of models that promise less, only those that do promise it are counted in such a bound:
//! what is closed under all models is closed under some of them.
//!
//! **Class by class.** A search that forms classes one by one asks for *k* in each of them, which is enough: a class of equal projections
//! is a union of classes. Smaller classes might do, so nothing is claimed about the best.
//! **Cost.** A pass over the classes for each promise and round; with persons a roll-up. **Oracle.** `testkit::oracle::closed_under`.

use rustc_hash::FxHashMap;

use super::Found;
use super::task::{Judged, Task};
use crate::frequency::FrequencySet;
use crate::model::ColumnPromise;
use crate::recoding::Node;

impl Task<'_> {
    /// Suppresses classes of a whole node until the promises about some of the quasi-identifiers hold in the others; nothing
    /// where more rows than the limit are suppressed.
    pub(super) fn close(&self, set: &FrequencySet, judged: Judged, limit: u64) -> Option<Judged> {
        if !self.models.promises_columns() {
            return Some(judged);
        }
        let projected: Vec<Projected<'_>> = self
            .models
            .column_promises()
            .map(|promise| Projected::new(set, promise))
            .collect();
        let mut gone = vec![false; set.len()];
        for class in &judged.failing {
            gone[*class as usize] = true;
        }
        let (mut suppressed, mut before) = (judged.suppressed, None);
        while before != Some(suppressed) {
            before = Some(suppressed);
            for promise in &projected {
                for class in promise.too_small(self, set, &gone) {
                    gone[class] = true;
                    suppressed += set.rows()[class];
                }
                if suppressed > limit {
                    return None;
                }
            }
        }
        let failing = (0..).zip(&gone).filter(|(_, gone)| **gone);
        Some(Judged {
            failing: failing.map(|(class, _)| class).collect(),
            suppressed,
            lost: judged.lost,
        })
    }
}

/// The classes of a node by the columns of a promise.
struct Projected<'a> {
    promise: ColumnPromise<'a>,
    /// Of each class of the node.
    group: Vec<u32>,
    groups: usize,
}

impl<'a> Projected<'a> {
    fn new(set: &FrequencySet, promise: ColumnPromise<'a>) -> Self {
        let mut group = vec![0u32; set.len()];
        let mut groups = 1;
        for column in promise.columns {
            let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
            for (class, group) in group.iter_mut().enumerate() {
                let next = numbers.len() as u32;
                let number = numbers.entry((*group, set.code(class, *column)));
                *group = *number.or_insert(next);
            }
            groups = numbers.len();
        }
        Self {
            promise,
            group,
            groups,
        }
    }

    /// The classes that are kept so far and have too few others beside them.
    fn too_small(&self, task: &Task<'_>, set: &FrequencySet, gone: &[bool]) -> Vec<usize> {
        let kept = |class: &usize| !gone[*class];
        let sizes = if let Some(place) = self.promise.person {
            self.persons(task, set, gone, place)
        } else {
            let mut sizes = vec![0; self.groups];
            let classes = (0..set.len()).filter(kept);
            classes.for_each(|class| sizes[self.group[class] as usize] += set.rows()[class]);
            sizes
        };
        let small = |class: &usize| sizes[self.group[*class] as usize] < self.promise.k;
        (0..set.len()).filter(kept).filter(small).collect()
    }

    /// The persons of each group, of the classes that are kept.
    fn persons(
        &self,
        task: &Task<'_>,
        set: &FrequencySet,
        gone: &[bool],
        place: usize,
    ) -> Vec<u64> {
        let kept: Vec<u32> = (0..)
            .zip(gone)
            .filter(|(_, gone)| !**gone)
            .map(|(class, _)| class)
            .collect();
        let top = task.lattice().top();
        let level = |at: usize| {
            let of = if self.promise.columns.contains(&at) {
                set.node()
            } else {
                &top
            };
            of.levels()[at]
        };
        let node = Node::new((0..task.ladders.len()).map(level).collect::<Vec<_>>());
        let (above, map) = set
            .only_classes(&kept)
            .roll_up_with_map(task.ladders, &node);
        let persons: Vec<u64> = above.classes().map(|class| class.persons(place)).collect();
        let mut sizes = vec![0; self.groups];
        for (class, above) in kept.iter().zip(map) {
            sizes[self.group[*class as usize] as usize] = persons[above as usize];
        }
        sizes
    }
}

/// Claims nothing about the best where classes were formed one by one and promises are about some of the quasi-identifiers: releases
/// with smaller classes may keep them too.
pub(super) fn without_claims(task: &Task<'_>, mut found: Found) -> Found {
    if task.models.promises_columns() {
        found.proven = false;
        found.bound = None;
    }
    found
}
