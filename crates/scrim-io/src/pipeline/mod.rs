//! The day's work from files to files: init, publish, compare, audit, measure, look at risks, attack, list the lattice, render
//! the report again. The doors call these
//! and render what they answer.

mod aligned;
mod attack;
mod attack_knowing;
mod attack_lasting;
mod attack_linkage;
mod attack_order;
mod attack_personal;
mod attack_serial;
mod attack_totals;
mod audit;
mod compare;
mod init;
mod lattice;
mod linked;
mod load;
mod measure;
mod publish;
mod recorded;
mod report;
mod risk;
mod serial;
mod workload;

pub use attack::attack_similarity;
pub use attack_knowing::attack_knowing;
pub use attack_lasting::LastingAnswer;
pub use attack_linkage::attack_linkage;
pub use attack_order::OrderAnswer;
pub use attack_personal::attack_personal;
pub use attack_serial::{LinkAnswer, ReleaseAnswer, SerialAnswer, WorldsAnswer, attack_serial};
pub use attack_totals::attack_totals;
pub use audit::{audit_file, is_file_of, is_published};
pub use compare::{COMPARE_SECONDS, compare};
pub use init::{ColumnAnswer, Cost, InitAnswer, InitRequest, Survey};
pub use lattice::list_lattice;
pub use load::{LoadedPolicy, LoadedTable, Needed};
pub use measure::measure_file;
pub use publish::publish;
pub use recorded::FileAnswer;
pub use report::{Rendered, render_report, report_page};
pub use risk::{PopulationSource, measure_risk};
pub use serial::{LedgerPlace, SerialPromise};
pub use workload::{QuerySource, WorkloadRequest};

use scrim::Error;
use scrim::algorithm::Watch;

/// What a door shows and stops: the search's watch, and the stages around it.
pub trait Door: Watch {
    /// A new stage begins.
    fn stage(&mut self, stage: Stage);
    /// The stages that follow are one of several parts of the work, called so.
    fn part(&mut self, name: &str);
    /// So many bytes of so many are done; an error stops the work.
    fn bytes(&mut self, done: u64, total: Option<u64>) -> Result<(), Error>;
    /// So many of so many things called `of` are done; an error stops the work.
    fn counted(&mut self, done: u64, all: u64, of: &'static str) -> Result<(), Error>;
    /// Something that the user should know at once.
    fn say(&mut self, words: &str);
    /// Whether the user asked to stop.
    fn check(&mut self) -> Result<(), Error>;
}

/// A stage of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Reading a table.
    Read,
    /// Searching.
    Search,
    /// Joining two tables.
    Link,
    /// Counting who looks alike.
    Count,
    /// Making rows.
    Apply,
    /// Writing.
    Write,
    /// Reading back and checking.
    Certify,
    /// Checking a ledger.
    Verify,
}

impl Stage {
    /// What is going on, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Read => "reading",
            Self::Search => "searching",
            Self::Link => "linking",
            Self::Count => "counting",
            Self::Apply => "applying",
            Self::Write => "writing",
            Self::Certify => "certifying",
            Self::Verify => "verifying",
        }
    }
}
