//! Levels for categories: first the rare ones become one, then the less rare.
//!
//! **Reading.** A value is rare at a level where fewer rows than a share of the table have it: one in two hundred, in fifty, in ten.
//! A level that would put fewer than two values together, or all of them, is left out. What is rare at one level is rare at the
//! next, so the levels nest. Each level names its rare values by its own limit, so that a label means the same values wherever it
//! stands.

use super::level_file::level_file;
use super::values::Values;
use crate::counted;

const ONE_IN: [u64; 3] = [200, 50, 10];
/// A value of fewer rows is rare in any table.
const FEWEST: u64 = 5;

/// A level file in which rare values come together; nothing where no level would.
pub(super) fn grouped(values: &Values<'_>) -> Option<String> {
    let limits = limits(values);
    if limits.is_empty() {
        return None;
    }
    let limits: Vec<(u64, String)> = limits
        .into_iter()
        .map(|limit| (limit, label(&words(limit, values.rows), values)))
        .collect();
    level_file(values, |text, rows| {
        let at = |(limit, words): &(u64, String)| {
            if rows < *limit {
                words.clone()
            } else {
                text.to_owned()
            }
        };
        limits.iter().map(at).collect()
    })
}

/// Below how many rows a value is rare, by level.
fn limits(values: &Values<'_>) -> Vec<u64> {
    let all = values.texts.len();
    let mut last = 1;
    let mut limits = Vec::new();
    for one_in in ONE_IN {
        let limit = (values.rows / one_in).max(FEWEST);
        let rare = values
            .texts
            .iter()
            .filter(|(_, rows)| *rows < limit)
            .count();
        if rare > last && rare < all {
            limits.push(limit);
            last = rare;
        }
    }
    limits
}

/// What the values of fewer rows are called.
fn words(limit: u64, rows: u64) -> String {
    let share = ONE_IN.into_iter().find(|one_in| rows / one_in == limit);
    match share {
        Some(200) => "(rarer than 0.5%)".to_owned(),
        Some(one_in) => format!("(rarer than {}%)", 100 / one_in),
        None => format!("(fewer than {})", counted(limit, "row")),
    }
}

/// A label that is no value.
pub(super) fn label(words: &str, values: &Values<'_>) -> String {
    let mut label = words.to_owned();
    while values.texts.iter().any(|(text, _)| *text == label) {
        label = format!("({label})");
    }
    label
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::from_level_csv;
    use crate::table::Column;

    #[test]
    fn rare_values_come_together_and_levels_nest() {
        let counts = [
            ("big", 500),
            ("fair", 60),
            ("small", 12),
            ("(rarer than 10%)", 2),
            ("tiny", 1),
            ("wee", 1),
        ];
        let texts = counts
            .iter()
            .flat_map(|(text, rows)| std::iter::repeat_n(*text, *rows));
        let column = Column::from_texts("a", texts);
        let text = grouped(&Values::of(&column, &[])).unwrap();
        let tree = from_level_csv("a", "a.csv", &text, true).unwrap();
        let labels = |value: &str| -> Vec<String> {
            let leaf = tree.leaf(value).unwrap();
            (0..=tree.height())
                .map(|level| tree.label(tree.at_level(leaf, level)).to_owned())
                .collect()
        };
        assert_eq!(
            labels("wee"),
            ["wee", "(fewer than 5 rows)", "((rarer than 10%))", "*"]
        );
        assert_eq!(
            labels("small"),
            ["small", "small", "((rarer than 10%))", "*"]
        );
        assert_eq!(labels("big"), ["big", "big", "big", "*"]);
    }

    #[test]
    fn values_that_are_all_common_have_no_groups() {
        let column = Column::from_texts("a", ["a", "b", "c"].into_iter().cycle().take(300));
        assert_eq!(grouped(&Values::of(&column, &[])), None);
    }
}
