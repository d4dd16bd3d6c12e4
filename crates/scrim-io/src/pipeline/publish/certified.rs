//! What is known of a release that was read back.

use scrim::metric::Metrics;
use scrim::release::PlanFile;
use scrim::release::audit::{Audit, RareCombination};
use scrim::release::figures::Figures;
use scrim::table::Table;

use super::formulas::Formulas;
use super::past::Recordable;
use crate::feed::Digested;

/// What the certifier found.
pub(super) struct Certified {
    pub(super) audit: Audit,
    pub(super) combination: Option<RareCombination>,
    /// What the release costs, measured in its file.
    pub(super) metrics: Metrics,
    /// What the ledger will know of it, where there is one.
    pub(super) recordable: Option<Recordable>,
    /// The release as it was read back.
    pub(super) laid: Laid,
    /// The plan that the release was compared with.
    pub(super) plan: PlanFile,
    /// The file as it was read back.
    pub(super) written: Digested,
    /// Its texts that a spreadsheet would run.
    pub(super) formulas: Formulas,
}

/// A release that was laid beside its source.
pub(super) enum Laid {
    /// The release, and the row of the source table that each of its rows was.
    Rows(Table, Vec<u32>),
    /// A release in sections, of which this is all that is drawn.
    Sections(Box<Figures>),
}
