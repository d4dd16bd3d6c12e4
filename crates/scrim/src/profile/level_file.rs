//! Level files as they are written: `leaf;level 1;…;*`, a row a value.

use std::fmt::Write as _;

use super::values::Values;
use crate::hierarchy::STAR;

/// A level file of these values; `labels` are those of a value and its rows, from fine to coarse. Nothing where it could not be
/// read back.
pub(super) fn level_file(
    values: &Values<'_>,
    labels: impl Fn(&str, u64) -> Vec<String>,
) -> Option<String> {
    let mut texts = values.texts.clone();
    texts.sort_unstable();
    // The delimiter is told from the first line: it must be a whole record.
    let first = texts
        .iter()
        .position(|(text, _)| !text.contains(['\n', '\r']))?;
    texts.swap(0, first);
    let mut file = String::new();
    for (text, rows) in texts {
        let labels = labels(text, rows);
        let labels = labels.iter().map(String::as_str).chain([STAR]);
        let fields: Vec<String> = std::iter::once(text).chain(labels).map(field).collect();
        let _ = writeln!(file, "{}", fields.join(";"));
    }
    Some(file)
}

fn field(text: &str) -> String {
    if text.contains([';', '"', '\n', '\r', ',']) || text.starts_with('\u{feff}') {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::from_level_csv;
    use crate::table::Column;

    #[test]
    fn odd_values_are_read_back() {
        let odd = ["a;b", "say \"x\"", "two\nlines", " space ", "ü,ö", "child"];
        let column = Column::from_texts("a", odd);
        let labels = |_: &str, _| vec!["(other)".to_owned()];
        let text = level_file(&Values::of(&column, &[]), labels).unwrap();
        let tree = from_level_csv("a", "a.csv", &text, true).unwrap();
        assert!(odd.iter().all(|value| tree.leaf(value).is_some()), "{text}");
        assert_eq!(tree.height(), 2);
    }

    #[test]
    fn a_file_of_broken_lines_only_is_not_written() {
        let column = Column::from_texts("a", ["a\nb"]);
        assert_eq!(
            level_file(&Values::of(&column, &[]), |_, _| Vec::new()),
            None
        );
    }
}
