//! The parts of a report, in the order in which they are read.

mod cost;
mod exposure;
mod further;
mod making;
mod promises;
mod recoding;
mod record;
mod verdict;

pub(super) use verdict::{footer, verdict};

use super::View;
use super::html::Html;

/// A part of a report.
pub(super) struct Section {
    /// Where links go.
    pub(super) id: &'static str,
    /// Its heading.
    pub(super) title: &'static str,
    inner: Html,
}

impl Section {
    fn new(id: &'static str, title: &'static str, inner: Html) -> Self {
        Self { id, title, inner }
    }

    /// The part with its heading.
    pub(super) fn html(&self) -> Html {
        let heading = format!("{}-heading", self.id);
        let mut inner = Html::line("h2", &[("id", &heading)], self.title);
        inner.push(&self.inner);
        let attributes = [("id", self.id), ("aria-labelledby", heading.as_str())];
        Html::tag("section", &attributes, &inner)
    }
}

/// All parts that the data have something for.
pub(super) fn all(view: &View<'_>) -> Vec<Section> {
    let parts = [
        Some(promises::promises(view)),
        Some(exposure::exposure(view)),
        cost::cost(view),
        Some(recoding::recoding(view)),
        further::breach(view),
        further::serial(view),
        further::disclosure(view),
        Some(making::making(view)),
        Some(record::record(view)),
        Some(record::glossary(view)),
        record::policy(view),
    ];
    parts.into_iter().flatten().collect()
}
