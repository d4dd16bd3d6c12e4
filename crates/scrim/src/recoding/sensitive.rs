//! Sensitive values that are published more generally than they are, by a function of each class's own.

use std::sync::Arc;

use crate::hierarchy::{Hierarchy, TaxonId};

/// What becomes of a sensitive column.
#[derive(Clone, Debug)]
pub struct GeneralizedSensitive {
    /// The column.
    pub column: String,
    /// Its tree.
    pub tree: Arc<Hierarchy>,
    /// What each row of the source shows.
    pub taxon_of_row: Vec<TaxonId>,
    /// The class of each row of the source.
    pub class_of_row: Vec<u32>,
    /// The taxa to which each class raises values; other values stay as they are. None: no function keeps its wishes.
    pub functions: Vec<Option<Vec<TaxonId>>>,
    /// The leaves that rows may have beside their own, added up.
    pub lost: u64,
}
