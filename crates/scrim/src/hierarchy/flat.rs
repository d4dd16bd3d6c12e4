//! No hierarchy: a value, then `*`.

use super::builder::TreeBuilder;
use super::{Hierarchy, STAR};

/// All values right below `*`; `domain` says how many values there are where the data do not show all.
pub(super) fn over<'a>(
    values: impl Iterator<Item = &'a str>,
    domain: Option<u64>,
    suppressible: bool,
) -> Option<Hierarchy> {
    let mut builder = TreeBuilder::default();
    let top = builder.add(STAR);
    for value in values {
        let leaf = builder.add(value);
        builder.link(leaf, top);
        builder.value(value, leaf);
    }
    if let Some(domain) = domain {
        builder.domain(top, domain);
    }
    builder.finish(suppressible).ok()
}
