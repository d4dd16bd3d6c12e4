//! How much of a column is published at which precision, by rows: "83% as it is; 17% as intervals such as 20-29; 0.5% hidden".
//!
//! **Reading.** The shares are of the rows of the release. A value is *as it is* where the release shows a leaf of the hierarchy or a
//! single number; it is *hidden* where the release shows the top of the hierarchy. Everything between is named by its level, and by the
//! label of that level that most rows of the release show (of equally frequent labels the smallest). Only published labels of
//! quasi-identifiers are named.

use std::collections::BTreeMap;

use super::marks::Mark;
use crate::hierarchy::{Ladder, is_star};

/// What is shown, the most precise first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Precision {
    AsItIs,
    Level(u8),
    Range,
    Hidden,
}

/// The rows that show one precision, and the label that most of them show.
#[derive(Clone, Debug, Default)]
struct Shown {
    rows: u64,
    example: Option<(u64, String)>,
}

impl Shown {
    fn add(&mut self, label: &str, rows: u64) {
        self.rows += rows;
        let is_better = self
            .example
            .as_ref()
            .is_none_or(|(most, known)| rows > *most || rows == *most && label < known.as_str());
        if is_better && !label.is_empty() {
            self.example = Some((rows, label.to_owned()));
        }
    }
}

/// The sentence about a column that shows these marks.
pub(in crate::release) fn words(ladder: &Ladder, marks: &[(Mark, u64)]) -> String {
    let tree = ladder.hierarchy();
    let mut shown: BTreeMap<Precision, Shown> = BTreeMap::new();
    for (mark, rows) in marks.iter().filter(|(_, rows)| *rows > 0) {
        let label = match mark {
            Mark::Taxon(taxon) => tree.label(*taxon),
            Mark::Span(label, ..) => label,
        };
        let of_precision = shown.entry(precision(ladder, mark)).or_default();
        of_precision.add(label, *rows);
    }
    let all: u64 = shown.values().map(|shown| shown.rows).sum();
    let parts = shown.iter().map(|(precision, shown)| {
        let share = percent(shown.rows, all);
        let example = shown.example.as_ref();
        let example = example.map_or("", |(_, label)| label.as_str());
        match precision {
            Precision::AsItIs => format!("{share} as it is"),
            Precision::Level(level) => {
                let height = tree.height();
                format!("{share} at level {level} of {height}, such as {example}")
            }
            Precision::Range => format!("{share} as intervals such as {example}"),
            Precision::Hidden => format!("{share} hidden"),
        }
    });
    parts.collect::<Vec<_>>().join("; ")
}

/// Whether some row shows anything but stars.
pub(super) fn shows_something(ladder: &Ladder, marks: &[(Mark, u64)]) -> bool {
    let mut marks = marks.iter().filter(|(_, rows)| *rows > 0);
    marks.any(|(mark, _)| precision(ladder, mark) != Precision::Hidden)
}

fn precision(ladder: &Ladder, mark: &Mark) -> Precision {
    let tree = ladder.hierarchy();
    match mark {
        Mark::Taxon(taxon) if *taxon == tree.root() || is_star(tree.label(*taxon)) => {
            Precision::Hidden
        }
        Mark::Taxon(taxon) => match tree.level(*taxon) {
            0 => Precision::AsItIs,
            level => Precision::Level(level),
        },
        Mark::Span(_, _, _, 1) => Precision::AsItIs,
        Mark::Span(..) => Precision::Range,
    }
}

/// A share of rows in percent. What is not zero is not shown as zero, and what is not all not as all.
pub(in crate::release) fn percent(part: u64, all: u64) -> String {
    if part == 0 || part == all {
        let share = if part == 0 { "0%" } else { "100%" };
        return share.to_owned();
    }
    // Tenths of a percent, rounded to the nearest.
    let tenths = (u128::from(part) * 2000 / u128::from(all.max(1))).div_ceil(2);
    match tenths {
        0 => "under 0.1%".to_owned(),
        1000.. => "over 99.9%".to_owned(),
        tenths if tenths % 10 == 0 || (100..990).contains(&tenths) => {
            format!("{}%", (tenths + 5) / 10)
        }
        tenths => format!("{}.{}%", tenths / 10, tenths % 10),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::hierarchy::from_level_csv;
    use crate::table::Column;

    fn ladder() -> Ladder {
        let text = "a;ab;x;*\nb;ab;x;*\nc;cd;y;*\nd;cd;y;*\n";
        let tree = from_level_csv("z", "z", text, true).unwrap();
        let column = Column::from_texts("z", ["a", "b", "c", "d"]);
        Ladder::new("z", Arc::new(tree), column.dictionary()).unwrap()
    }

    #[test]
    fn shares_are_by_rows_from_precise_to_hidden() {
        let ladder = ladder();
        let mark = |label: &str, rows: u64| {
            let taxon = ladder.hierarchy().labelled(label).next().unwrap();
            (Mark::Taxon(taxon), rows)
        };
        let marks = [
            mark("*", 5),
            mark("a", 800),
            mark("b", 25),
            mark("ab", 70),
            mark("cd", 100),
            mark("y", 0),
        ];
        assert_eq!(
            words(&ladder, &marks),
            "83% as it is; 17% at level 1 of 3, such as cd; 0.5% hidden"
        );
    }

    #[test]
    fn ranges_and_single_numbers_are_told_apart() {
        let span = |label: &str, values: u64, rows: u64| {
            (Mark::Span(label.to_owned(), 0.0, 0.5, values), rows)
        };
        let marks = [span("20-29", 10, 3), span("30-39", 10, 3), span("7", 1, 2)];
        assert_eq!(
            words(&ladder(), &marks),
            "25% as it is; 75% as intervals such as 20-29"
        );
    }

    #[test]
    fn percentages_never_hide_a_rest() {
        let cases = [
            ((0, 7), "0%"),
            ((1, 1_000_000), "under 0.1%"),
            ((1, 1000), "0.1%"),
            ((5, 1000), "0.5%"),
            ((49, 1000), "4.9%"),
            ((50, 1000), "5%"),
            ((333, 1000), "33%"),
            ((995, 1000), "99.5%"),
            ((999_999, 1_000_000), "over 99.9%"),
            ((7, 7), "100%"),
        ];
        for ((part, all), expected) in cases {
            assert_eq!(percent(part, all), expected, "{part} of {all}");
        }
    }
}
