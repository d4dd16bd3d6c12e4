//! Columns of ranges, `[80-90)`, `20-29`, `<18`, `65+`: they have an order, and neighbours come together.
//!
//! **Reading.** A range has two numbers with a dash, a colon or `to` between them, with or without brackets, or one number with
//! `<`, `>`, `+`, `under` or `over`. Ranges are ordered by where they begin, and must not begin at the same place. Each level puts
//! two neighbours of the level below together; the last one of an odd number stays. A group is named by its first and last range:
//! by their outer ends where both are in one style, so that `[70-80)` and `[80-90)` are `[70-90)`.

use std::cmp::Ordering;

use super::values::Values;
use crate::hierarchy::Decimal;

/// So many ranges a column has at most.
const MOST: u64 = 200;

/// A range as it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Range {
    low: Option<Decimal>,
    high: Option<Decimal>,
    /// What stands before, between and behind the numbers.
    style: (String, String, String),
    /// The two numbers as written.
    texts: (String, String),
}

/// Whether all values are ranges with an order.
pub(super) fn are_ranges(values: &Values<'_>) -> bool {
    (3..=MOST).contains(&values.distinct()) && ordered(values).is_some()
}

/// The labels of a range from fine to coarse, by value; nothing where the values are no ranges.
pub(super) fn labels<'a>(values: &Values<'a>) -> Option<Vec<(&'a str, Vec<String>)>> {
    let ranges = ordered(values)?;
    let mut levels = Vec::new();
    let mut size = 2;
    while size < ranges.len() {
        levels.push(size);
        size *= 2;
    }
    let label = |at: usize, size: usize| {
        let first = at / size * size;
        let last = (first + size).min(ranges.len()) - 1;
        group(&ranges[first], &ranges[last])
    };
    let of = |at: usize| levels.iter().map(|size| label(at, *size)).collect();
    Some((0..ranges.len()).map(|at| (ranges[at].0, of(at))).collect())
}

fn ordered<'a>(values: &Values<'a>) -> Option<Vec<(&'a str, Range)>> {
    let read = |(text, _): &(&'a str, u64)| Some((*text, read(text)?));
    let mut ranges: Vec<(&str, Range)> = values.texts.iter().map(read).collect::<Option<_>>()?;
    ranges.sort_by(|(_, left), (_, right)| left.order(right));
    let apart = ranges
        .windows(2)
        .all(|row| row[0].1.order(&row[1].1) == Ordering::Less);
    let two_ended = ranges.iter().filter(|(_, range)| range.is_closed()).count();
    (apart && two_ended * 2 >= ranges.len()).then_some(ranges)
}

impl Range {
    fn is_closed(&self) -> bool {
        self.low.is_some() && self.high.is_some()
    }

    /// By where they begin; what has no beginning stands first, and what has no end last.
    fn order(&self, other: &Self) -> Ordering {
        self.low
            .cmp(&other.low)
            .then_with(|| match (self.high, other.high) {
                (Some(left), Some(right)) if self.low.is_none() => left.cmp(&right),
                (None, Some(_)) => Ordering::Greater,
                (Some(_), None) => Ordering::Less,
                _ => Ordering::Equal,
            })
    }
}

/// The name of all ranges from one to another.
fn group((first, low): &(&str, Range), (last, high): &(&str, Range)) -> String {
    if first == last {
        return (*first).to_owned();
    }
    if low.is_closed() && high.is_closed() && low.style == high.style {
        let (before, between, behind) = &low.style;
        return format!("{before}{}{between}{}{behind}", low.texts.0, high.texts.1);
    }
    format!("{first} to {last}")
}

fn read(text: &str) -> Option<Range> {
    let trimmed = text.trim();
    let spans = numbers(trimmed);
    let part = |from: usize, to: usize| trimmed[from..to].to_owned();
    match spans.as_slice() {
        [(from, to), (start, end)] => {
            let (before, between, behind) =
                (part(0, *from), part(*to, *start), part(*end, trimmed.len()));
            let opens = ["", "[", "(", "]"].contains(&before.trim());
            let closes = ["", "]", ")", "["].contains(&behind.trim());
            let parts = ["-", "–", ":", "to", "bis", ",", ";", ".."].contains(&between.trim());
            let (low, high) = (
                number(&trimmed[*from..*to])?,
                number(&trimmed[*start..*end])?,
            );
            // `1,5` is a number and `a,b` needs brackets.
            let bare_comma = between.trim() == "," && before.trim().is_empty();
            (opens && closes && parts && !bare_comma && low <= high).then(|| Range {
                low: Some(low),
                high: Some(high),
                texts: (part(*from, *to), part(*start, *end)),
                style: (before, between, behind),
            })
        }
        [(from, to)] => {
            let (before, behind) = (part(0, *from).to_lowercase(), part(*to, trimmed.len()));
            let found = number(&trimmed[*from..*to])?;
            let below = ["<", "<=", "≤", "under", "below", "unter", "bis"];
            let above = [">", ">=", "≥", "over", "above", "über", "ab"];
            let (low, high) = match (before.trim(), behind.trim()) {
                (mark, "") if below.contains(&mark) => (None, Some(found)),
                (mark, "") if above.contains(&mark) => (Some(found), None),
                ("", "+") => (Some(found), None),
                _ => return None,
            };
            let style = (before, String::new(), behind);
            Some(Range {
                low,
                high,
                style,
                texts: (String::new(), String::new()),
            })
        }
        _ => None,
    }
}

fn number(text: &str) -> Option<Decimal> {
    Decimal::parse(text)
}

/// Where the numbers of a text stand.
fn numbers(text: &str) -> Vec<(usize, usize)> {
    let mut spans: Vec<(usize, usize)> = Vec::new();
    let mut open = false;
    for (at, character) in text.char_indices() {
        let inside = character.is_ascii_digit()
            || open && character == '.' && text[at + 1..].starts_with(|c: char| c.is_ascii_digit());
        match (inside, open) {
            (true, false) => spans.push((at, at + 1)),
            (true, true) => spans
                .last_mut()
                .into_iter()
                .for_each(|span| span.1 = at + 1),
            _ => {}
        }
        open = inside;
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Column;

    fn labels_of(texts: &[&str]) -> Option<Vec<(String, Vec<String>)>> {
        let column = Column::from_texts("a", texts.iter().copied());
        let values = Values::of(&column, &[]);
        let found = are_ranges(&values).then(|| labels(&values)).flatten()?;
        Some(
            found
                .into_iter()
                .map(|(text, labels)| (text.to_owned(), labels))
                .collect(),
        )
    }

    #[test]
    fn neighbours_come_together_by_their_outer_ends() {
        let decades = ["[90-100)", "[0-10)", "[10-20)", "[20-30)", "[30-40)"];
        let labels = labels_of(&decades).unwrap();
        let expected = [
            ("[0-10)", ["[0-20)", "[0-40)"]),
            ("[10-20)", ["[0-20)", "[0-40)"]),
            ("[20-30)", ["[20-40)", "[0-40)"]),
            ("[30-40)", ["[20-40)", "[0-40)"]),
            ("[90-100)", ["[90-100)", "[90-100)"]),
        ];
        let found: Vec<(&str, Vec<&str>)> = labels
            .iter()
            .map(|(text, labels)| (text.as_str(), labels.iter().map(String::as_str).collect()))
            .collect();
        assert_eq!(
            found,
            expected.map(|(text, labels)| (text, labels.to_vec()))
        );
    }

    #[test]
    fn open_ends_stand_first_and_last() {
        let labels = labels_of(&["65+", "18-39", "<18", "40-64"]).unwrap();
        assert_eq!(
            labels[0],
            ("<18".to_owned(), vec!["<18 to 18-39".to_owned()])
        );
        assert_eq!(
            labels[3],
            ("65+".to_owned(), vec!["40-64 to 65+".to_owned()])
        );
    }

    #[test]
    fn other_texts_are_no_ranges() {
        assert_eq!(labels_of(&["1-2", "3-4", "x"]), None);
        assert_eq!(labels_of(&["2024-01-02", "2024-01-03", "2024-01-04"]), None);
        assert_eq!(labels_of(&["1", "2", "3"]), None);
        assert_eq!(labels_of(&["10-5", "20-15", "30-25"]), None);
        assert_eq!(
            labels_of(&["5-6", "5-7", "8-9"]).map(|labels| labels.len()),
            None
        );
        assert_eq!(labels_of(&["<1", "<2", "<3"]), None);
    }
}
