//! What texts look like, without what they say: `AAA-999`.
//!
//! **Reading.** A capital letter is `A`, any other letter `a`, a digit `9`; marks stay. More than three letters in a row are
//! written as one and `…`, since the length of a name tells something. A shape is shown only where at least five rows and at
//! least two values share it.

use std::collections::BTreeMap;

use super::values::Values;

const FEWEST_ROWS: u64 = 5;
const MOST_SHAPES: usize = 2;
const LONGEST: usize = 24;

/// The commonest shapes of a column.
pub(super) fn shapes(values: &Values<'_>) -> Vec<String> {
    let mut counted: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for (text, rows) in &values.texts {
        let entry = counted.entry(shape(text)).or_default();
        entry.0 += rows;
        entry.1 += 1;
    }
    let mut shared: Vec<(String, u64)> = counted
        .into_iter()
        .filter(|(_, (rows, texts))| *rows >= FEWEST_ROWS && *texts >= 2)
        .map(|(shape, (rows, _))| (shape, rows))
        .collect();
    // The sort is stable: equals stay in the order of their texts.
    shared.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
    let shared = shared.into_iter().take(MOST_SHAPES);
    shared.map(|(shape, _)| shape).collect()
}

/// The shape of a text.
pub(super) fn shape(text: &str) -> String {
    let mut shape = String::new();
    let (mut last, mut run, mut length) = ('\0', 0, 0);
    for character in text.chars() {
        let class = class_of(character);
        run = if class == last { run + 1 } else { 1 };
        last = class;
        if class.is_alphabetic() && run > 3 {
            if run == 4 {
                shape.truncate(shape.len() - 2);
                shape.push('…');
            }
            continue;
        }
        length += 1;
        if length > LONGEST {
            shape.push('…');
            break;
        }
        shape.push(class);
    }
    shape
}

fn class_of(character: char) -> char {
    match character {
        c if c.is_uppercase() => 'A',
        c if c.is_alphabetic() => 'a',
        c if c.is_numeric() => '9',
        c if c.is_ascii_punctuation() => c,
        c if c.is_whitespace() => ' ',
        _ => '?',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Column;

    #[test]
    fn letters_and_digits_lose_what_they_say() {
        assert_eq!(shape("ABC-123"), "AAA-999");
        assert_eq!(shape("Anna Meier"), "Aaaa Aa…");
        assert_eq!(shape("Wolfeschlegel"), "Aa…");
        assert_eq!(shape("ß1\n"), "a9 ");
    }

    #[test]
    fn a_shape_of_few_is_not_shown() {
        let texts = ["A-1", "A-2", "A-3", "A-4", "A-5", "unique@one"];
        let column = Column::from_texts("a", texts);
        assert_eq!(shapes(&Values::of(&column, &[])), ["A-9"]);
        let column = Column::from_texts("a", ["A-1"; 9]);
        assert!(shapes(&Values::of(&column, &[])).is_empty());
    }
}
