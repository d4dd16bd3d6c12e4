//! The fixtures' plain format: a record a line, no quotes; lists inside a field are separated by spaces.

use crate::Fraction;

/// The records of the text, header and all.
pub(super) fn records(text: &str, separator: char) -> Vec<Vec<String>> {
    text.lines()
        .map(|line| line.split(separator).map(str::to_owned).collect())
        .collect()
}

/// The records of a file of answers, without its header.
pub(super) fn answers(text: &str) -> Vec<Vec<String>> {
    records(text, ',').split_off(1)
}

/// "0 2 1 0" as numbers; nothing as none.
pub(super) fn numbers(field: &str) -> Vec<usize> {
    field.split_whitespace().map(number).collect()
}

/// A count.
pub(super) fn number(field: &str) -> usize {
    field.parse().expect("a fixture's count is a whole number")
}

/// "5/6" as a number.
pub(super) fn fraction(field: &str) -> Fraction {
    field.parse().expect("a fixture's share is a fraction")
}

/// "1/1 1/2" as weights.
pub(super) fn weights(field: &str) -> Vec<(u64, u64)> {
    let part =
        |part: i128| u64::try_from(part).expect("a fixture's weight is small and not below nought");
    field
        .split_whitespace()
        .map(fraction)
        .map(|weight| (part(weight.numerator()), part(weight.denominator())))
        .collect()
}
