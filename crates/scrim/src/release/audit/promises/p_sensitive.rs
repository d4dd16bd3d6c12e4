//! p-sensitivity.
//!
//! **Definition.** Each class has at least *p* distinct sensitive values ([Sun08], Definition 3).

use super::{Finding, Sensitive};

pub(super) fn check(sensitive: &Sensitive<'_>, p: u64) -> Finding {
    fewest_values(sensitive, "p", p)
}

/// The class with the fewest distinct values, where it has fewer than a parameter asks for.
pub(super) fn fewest_values(sensitive: &Sensitive<'_>, letter: &str, asked: u64) -> Finding {
    let fewest = sensitive
        .classes()
        .map(|(class, cells)| (cells.len() as u64, class))
        .min();
    Finding {
        observed: fewest.map(|(values, _)| values).into(),
        broken: fewest
            .filter(|(values, _)| *values < asked)
            .map(|(values, class)| (class, too_few(values, sensitive.name(), letter, asked))),
        worst: fewest.iter().map(|(_, class)| *class).collect(),
        ..Finding::default()
    }
}

pub(super) fn too_few(values: u64, of: &str, letter: &str, asked: u64) -> String {
    let plural = if values == 1 { "" } else { "s" };
    format!("{values} distinct value{plural} of `{of}`, but {letter} is {asked}")
}
