//! The pages of the docs, which the binary carries: an installed one has no folder of docs.

/// The pages by name, in the order in which they are listed.
#[rustfmt::skip] // a table
pub(crate) const PAGES: [(&str, &str); 15] = [
    ("init", include_str!("../../../docs/init.md")),
    ("policy", include_str!("../../../docs/policy.md")),
    ("reference", include_str!("../../../docs/reference.md")),
    ("verdict", include_str!("../../../docs/verdict.md")),
    ("report", include_str!("../../../docs/report.md")),
    ("messages", include_str!("../../../docs/messages.md")),
    ("publishing", include_str!("../../../docs/publishing.md")),
    ("security", include_str!("../../../docs/security.md")),
    ("risk", include_str!("../../../docs/risk.md")),
    ("workload", include_str!("../../../docs/workload.md")),
    ("ledger", include_str!("../../../docs/ledger.md")),
    ("disclosure", include_str!("../../../docs/disclosure.md")),
    ("papers", include_str!("../../../docs/papers.md")),
    ("benchmarks", include_str!("../../../docs/benchmarks.md")),
    ("glossary", include_str!("../../../docs/glossary.md")),
];

/// A page, by its name.
pub(crate) fn page(name: &str) -> Option<&'static str> {
    let mut pages = PAGES.iter();
    pages.find(|(own, _)| *own == name).map(|(_, text)| *text)
}
