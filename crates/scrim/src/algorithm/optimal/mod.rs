//! The best full-domain recoding, proven.
//!
//! **Definition.** Of all nodes that keep the models within the suppression limit, the one of least cost by the metric;
//! ties by the order of [`preference`](super::preference).
//! **Holds because** the lattice is searched by *spans*: all nodes between a low and a high one. Of a span the high node
//! was counted, and no node of it comes before its bound in the order of preference:
//! - Where the models prune at this limit (`ModelSet::prunes`), a node below an invalid one is invalid, so a span whose
//!   high node is invalid is empty. Where only some of them do, it is when more rows than the limit break those.
//! - A class that breaks a model which every superset of a valid class keeps has only parts that break it. So the rows that
//!   the high node suppresses for this reason are suppressed by every node of the span: none suppresses fewer.
//! - Cells cost no less further up, and a suppressed row costs the top. So a node of the span costs no less than the low
//!   node would if it suppressed just those rows (`Metric::floor_between`), it is no lower, and its levels come no earlier.
//!
//! A level of an attribute is taken off a span for good where the sub-span that has it is empty or cannot win: from above by
//! the bound alone, from below by counting the high node with this attribute as low as it goes (*probe*; all others are
//! as high as they go, so sets are small). What is left is parted in two. A span ends when its bound cannot beat the best
//! node found, when only its high node is left, or when the low node suppresses as many rows as the high one and so is the
//! best of them all. Every node counted is a candidate, so the best so far and the least bound of the spans that wait
//! enclose the optimum at any time.
//! **Reading.** Spans are settled in batches of fixed size, so the answer and the count of checks are the same for any
//! number of threads. With a time limit the answer is the best found until then, which depends on the machine; its bound
//! holds on every one. What is proven is its own bound. The spans that wait are limited: beyond that the search goes deep first, and ends no less.
//! **Does not bound** average class size where suppressed rows are dropped: then only hopeless nodes are cut off.
//! **Cost.** A roll-up a counted node, from the smallest set known for the span; in the worst case exponential in the
//! attributes. **Oracle.** `testkit::oracle::optimum`.

mod candidate;
mod check;
mod hopeless;
mod pool;
mod room;
mod search;
mod settle;
mod span;

use self::search::{End, Search};
use super::preference::Preferred;
use super::task::Task;
use super::{Algorithm, Found, Watch};
use crate::error::Error;
use crate::recoding::Recoding;

/// The exact search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Optimal<'a> {
    /// Whether all nodes of least cost are wanted, not only the preferred one.
    pub all_ties: bool,
    /// The columns, by number, that equally good nodes should generalize least, in the order in which they are asked.
    pub preferred: &'a [usize],
    /// How many spans may wait before the search goes deep instead of wide; by default what some hundred megabytes hold.
    pub most_waiting: Option<usize>,
    /// About how many bytes the search may use beside its task; by default what makes it fast.
    pub memory: Option<u64>,
}

impl Algorithm for Optimal<'_> {
    fn id(&self) -> &'static str {
        "optimal"
    }

    fn search(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Result<Option<Found>, Error> {
        let lattice = task.lattice();
        let preferred = Preferred::new(task, self.preferred);
        let mut search = Search::new(
            task,
            &lattice,
            self.all_ties,
            preferred.clone(),
            self.most_waiting,
            self.memory,
        );
        let end = search.run(watch)?;
        task.ground.must_have_told_all()?;
        let bound = search.bound();
        let Some(best) = search.best.get() else {
            return match end {
                End::Proven => Ok(None),
                End::Cut(cut) => Err(cut.without_answer()),
            };
        };
        let (node, cost) = (best.node(), best.cost);
        let bound = bound.map_or(cost, |bound| bound.min(cost));
        let remarks = match end {
            End::Proven => Vec::new(),
            End::Cut(cut) => vec![cut.remark()],
        };
        let proven = end == End::Proven;
        Ok(Some(Found {
            recoding: Recoding::FullDomain {
                suppressed: task.suppressed_at(&node),
                node,
            },
            checked: search.checked,
            ties: search.best.ties(),
            tied_tables: None,
            proven,
            bound: (!proven).then(|| task.metric.value(bound)),
            notes: vec![preferred.rule(task)],
            remarks,
        }))
    }
}
