//! Which character parts the fields.
//!
//! **Reading.** Of `,` `;` tab and `|`, the one that stands in the header and as often, outside quotes, in each of the
//! first rows; where several do, one that leaves no column without a name, then the one that makes most columns, then the first of
//! the list. Where none does (a row is
//! ragged, say), the comma if the header has one, else the one that the header has most of, else the comma: then the
//! table has one column. A `.tsv` has tabs.

use std::path::Path;

use crate::field::{is_blank, record};

pub(crate) const CANDIDATES: [u8; 4] = [b',', b';', b'\t', b'|'];
const RECORDS: usize = 50;

/// The delimiter of a text that begins with this sample, which may break off anywhere.
pub(crate) fn sniff(path: &Path, sample: &[u8]) -> u8 {
    if is_tsv(path) {
        return b'\t';
    }
    let counted = CANDIDATES.map(|delimiter| (delimiter, widths(sample, delimiter)));
    let names_all = |delimiter: u8| {
        let header = record(sample, 0, delimiter);
        header.is_some_and(|(names, ..)| names.iter().all(|name| !name.is_empty()))
    };
    let best = |usable: &dyn Fn(&[usize]) -> bool| {
        let usable = counted
            .iter()
            .filter(|(_, widths)| widths.first() > Some(&1) && usable(widths));
        // `max_by_key` takes the last of equals; the list's first should win.
        usable
            .rev()
            .max_by_key(|(delimiter, widths)| (names_all(*delimiter), widths[0]))
            .map(|(delimiter, _)| *delimiter)
    };
    best(&|widths| widths.iter().all(|width| *width == widths[0]))
        .or_else(|| (counted[0].1.first() > Some(&1)).then_some(b','))
        .or_else(|| best(&|_| true))
        .unwrap_or(b',')
}

fn is_tsv(path: &Path) -> bool {
    let name = path
        .file_name()
        .map(|name| name.to_string_lossy().to_ascii_lowercase())
        .unwrap_or_default();
    let name = name
        .strip_suffix(".gz")
        .or(name.strip_suffix(".zst"))
        .unwrap_or(&name);
    Path::new(name)
        .extension()
        .is_some_and(|extension| extension == "tsv" || extension == "tab")
}

/// How many fields each of the first whole records has.
fn widths(sample: &[u8], delimiter: u8) -> Vec<usize> {
    let mut widths = Vec::new();
    let mut at = 0;
    while at < sample.len() && widths.len() < RECORDS {
        let Some((fields, next, at_end)) = record(sample, at, delimiter) else {
            break;
        };
        // A record that ends with the sample may go on beyond it.
        if at_end && !widths.is_empty() {
            break;
        }
        if !is_blank(sample, at) {
            widths.push(fields.len());
        }
        at = next;
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sniffed(text: &str) -> char {
        sniff(Path::new("a.csv"), text.as_bytes()).into()
    }

    #[test]
    fn the_delimiter_is_the_one_that_all_rows_agree_on() {
        assert_eq!(sniffed("a;b;c\n1,5;2,5;3\n1;2;3\n"), ';');
        assert_eq!(sniffed("a\tb\n1\t2\n"), '\t');
        assert_eq!(sniffed("a|b\n1|2\n"), '|');
        assert_eq!(sniffed("a,b\n\"x;y\",2\n"), ',');
        assert_eq!(sniffed("\"a;b\",c\n1,2\n"), ',');
    }

    #[test]
    fn a_delimiter_that_leaves_a_column_without_a_name_is_the_last_resort() {
        assert_eq!(sniffed("0,\";;;1\"\n;;;,x\n"), ',');
        assert_eq!(sniffed(",a,b\n1,2,3\n"), ',');
    }

    #[test]
    fn one_column_has_a_comma() {
        assert_eq!(sniffed("name\nx;y\n"), ',');
        assert_eq!(sniffed(""), ',');
    }

    #[test]
    fn a_ragged_row_does_not_hide_the_delimiter() {
        assert_eq!(sniffed("a;b;c\n1;2\n"), ';');
        assert_eq!(sniffed("a,b;c;d\n1\n"), ',');
    }

    #[test]
    fn a_tsv_has_tabs_also_when_packed() {
        assert_eq!(sniff(Path::new("a.TSV.gz"), b"a,b\n"), b'\t');
    }
}
