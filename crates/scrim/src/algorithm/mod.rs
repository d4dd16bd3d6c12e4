//! Searches: each proposes a recoding for a task. None vouches for its output; [`crate::release`] certifies.

mod axis;
mod chain;
mod columns;
mod datafly;
mod ending;
mod explorer;
mod incognito;
mod local;
mod mingen;
mod mingen_cell;
mod minimal;
mod mondrian;
mod mu_argus;
mod node_release;
mod optimal;
mod personalized;
mod preference;
mod reunite;
mod rotating;
mod task;
mod taxa;
mod together;
mod top_down;
mod units;

pub use chain::{
    ChainWalk, Decision as ChainDecision, Kept, Outcome as ChainOutcome, Sequence, walked_to,
};
pub use datafly::{Complement, Datafly};
pub use ending::{Stop, Timed, tells_of_time};
pub use explorer::{Checked, Explorer};
pub use incognito::Incognito;
pub use local::LocalRecoding;
pub use mingen::MinGen;
pub use mingen_cell::{MinGenCell, TiedTables};
pub use minimal::{Minimal, minimal_nodes};
pub use mondrian::{Mondrian, Partitioning};
pub(crate) use mu_argus::unasked;
pub use mu_argus::{
    Combinations, DataHolder, Decision, Generalize, Identifying, MuArgus, MuArgusRun, Outliers,
    Tested, tested_combinations,
};
pub(crate) use node_release::shows_stars;
pub use optimal::Optimal;
pub use personalized::Personalized;
pub use preference::PREFERENCE;
pub(crate) use reunite::{Reunited, reunite};
pub use rotating::Rotating;
pub use task::{Judged, Task};
pub use top_down::TopDown;

use crate::error::Error;
use crate::recoding::{Node, Recoding};

/// What a search tells while it runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// What is being done.
    pub doing: &'static str,
    /// Nodes checked so far.
    pub checked: u64,
    /// Nodes decided so far, by checking or by a bound, and all of them.
    pub decided: Option<(u64, u64)>,
    /// The best node so far.
    pub best: Option<Node>,
    /// What the best so far costs by the metric, and the bound, where the search has them.
    pub cost: Option<(f64, f64)>,
}

/// Progress and cancellation, the same for every door.
pub trait Watch {
    /// Takes note of progress; an error stops the search.
    fn step(&mut self, progress: &Progress) -> Result<(), Error>;
    /// Whether a search that is interrupted should answer with the best it has, where it has one.
    fn keeps_best(&self) -> bool {
        false
    }
    /// When the search must stop, for loops that cannot take a step: it is set whenever a step would be an error.
    fn stop(&self) -> Stop {
        Stop::default()
    }
    /// Who decides where a search leaves something to the data holder; nobody where none can be asked.
    fn data_holder(&mut self) -> Option<&mut dyn DataHolder> {
        None
    }
}

/// A watch that sees nothing and stops nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watch for Unwatched {
    fn step(&mut self, _: &Progress) -> Result<(), Error> {
        Ok(())
    }
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// The plan.
    pub recoding: Recoding,
    /// All nodes that are as good by the metric, where the search looks for them: the plan's node among them.
    pub ties: Vec<Node>,
    /// All tables that are as good, where the search generalizes cell by cell and looked for them.
    pub tied_tables: Option<TiedTables>,
    /// How many nodes were checked by counting classes.
    pub checked: u64,
    /// Whether no other node can be better.
    pub proven: bool,
    /// No plan that keeps the models is better than this by the metric, where the search bounds it.
    pub bound: Option<f64>,
    /// Rules that broke ties, and other remarks for the manifest.
    pub notes: Vec<String>,
    /// What the user should know about how it was found.
    pub remarks: Vec<String>,
}

/// A search for a recoding.
pub trait Algorithm: std::fmt::Debug {
    /// The name in policy and report.
    fn id(&self) -> &'static str;
    /// Looks for a recoding; `None` when there is none that keeps the models within the limit.
    fn search(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Result<Option<Found>, Error>;
}
