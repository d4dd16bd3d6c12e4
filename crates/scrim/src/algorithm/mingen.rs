//! MinGen at the attribute level.
//!
//! **Definition.** Of all generalizations of the table that keep the models, those of greatest Prec; one of them is
//! preferred ([Sweeney02], Figure 5).
//! **Reading.** Definition 6 read literally has no solution under ties; Figure 5 keeps all maxima, and so do we. The
//! metric is Prec with the policy's weights. With a suppression limit a node may suppress rows, which count at the top.
//! **Holds because** the exact search takes every node whose bound does not exceed the best cost.
//! **Does not find** generalizations of single cells. **Oracle.** `testkit::oracle::optimum`, `preferred`.

use super::optimal::Optimal;
use super::task::Task;
use super::{Algorithm, Found, Watch};
use crate::error::Error;

/// All minimal distortions, and the preferred one.
#[derive(Clone, Copy, Debug, Default)]
pub struct MinGen<'a> {
    /// The columns, by number, that equally good nodes should generalize least, in the order in which they are asked.
    pub preferred: &'a [usize],
    /// About how many bytes the search may use beside its task; by default what makes it fast.
    pub memory: Option<u64>,
}

impl Algorithm for MinGen<'_> {
    fn id(&self) -> &'static str {
        "mingen"
    }

    fn search(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Result<Option<Found>, Error> {
        let search = Optimal {
            all_ties: true,
            preferred: self.preferred,
            memory: self.memory,
            ..Optimal::default()
        };
        search.search(task, watch)
    }
}
