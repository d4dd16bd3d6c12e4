//! Level files as ARX writes them: `leaf;level 1;…;*`, a row a leaf, no header.
//!
//! **Reading.** A taxon is a label at a level. The mapping counts, not the label: a label may stand at two levels.
//! Each label of a level must have one label above it, else going up would separate what was equal.

use rustc_hash::FxHashMap;

use super::builder::{NotATree, TreeBuilder};
use super::{Hierarchy, TaxonId};
use crate::counted;
use crate::error::{Error, Place};

/// Reads a level file; `suppressible` puts suppression on top unless it is there.
pub fn from_level_csv(
    attribute: &str,
    file: &str,
    text: &str,
    suppressible: bool,
) -> Result<Hierarchy, Error> {
    let source = Source { attribute, file };
    let records = read_records(&source, text)?;
    let Some(width) = records.first().map(|(_, fields)| fields.len()) else {
        return Err(source.fault(
            None,
            "the file has no row",
            Some("write a row for each value: `value;group;*`"),
        ));
    };
    let mut builder = TreeBuilder::default();
    let mut known: Vec<FxHashMap<&str, (TaxonId, u64)>> = vec![FxHashMap::default(); width];
    for (line, fields) in &records {
        if fields.len() != width {
            let what = format!(
                "this row has {}, but the first row has {width}",
                counted(fields.len(), "level")
            );
            return Err(source.fault(Some(*line), &what, None));
        }
        add_row(&source, &mut builder, &mut known, *line, fields)?;
    }
    builder
        .finish(suppressible)
        .map_err(|fault| source.not_a_tree(&fault))
}

fn add_row<'a>(
    source: &Source<'_>,
    builder: &mut TreeBuilder,
    known: &mut [FxHashMap<&'a str, (TaxonId, u64)>],
    line: u64,
    fields: &'a [String],
) -> Result<(), Error> {
    let mut above: Option<TaxonId> = None;
    for (level, label) in fields.iter().enumerate().rev() {
        let taxon = match known[level].get(label.as_str()) {
            None => {
                let taxon = builder.add_at(label, line);
                known[level].insert(label, (taxon, line));
                above.inspect(|parent| builder.link(taxon, *parent));
                if level == 0 {
                    builder.value(label, taxon);
                }
                taxon
            }
            Some((taxon, first)) if builder.parent(*taxon) != above => {
                let kind = if level == 0 {
                    "the value".to_owned()
                } else {
                    format!("level {level}'s label")
                };
                let what = format!(
                    "{kind} `{label}` stands below another label here than on line {first}"
                );
                let hint = "one label of a level must always have the same label above it";
                return Err(source.fault(Some(line), &what, Some(hint)));
            }
            Some((taxon, first)) => {
                if level == 0 {
                    builder.warn(format!(
                        "{}:{line}: the value of line {first} again, with the same levels",
                        source.file
                    ));
                }
                *taxon
            }
        };
        above = Some(taxon);
    }
    Ok(())
}

type Records = Vec<(u64, Vec<String>)>;

fn read_records(source: &Source<'_>, text: &str) -> Result<Records, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let first = text
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("");
    let delimiter = if first.contains(';') { b';' } else { b',' };
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    let mut records = Vec::new();
    for record in reader.records() {
        let record =
            record.map_err(|error| source.fault(None, &format!("unreadable: {error}"), None))?;
        let line = record.position().map_or(0, csv::Position::line);
        records.push((line, record.iter().map(str::to_owned).collect()));
    }
    Ok(records)
}

/// Which file of which attribute is read: all that an error needs.
pub(super) struct Source<'a> {
    pub(super) attribute: &'a str,
    pub(super) file: &'a str,
}

impl Source<'_> {
    pub(super) fn fault(&self, line: Option<u64>, what: &str, hint: Option<&str>) -> Error {
        Error::Hierarchy {
            attribute: self.attribute.to_owned(),
            place: Place {
                file: self.file.to_owned(),
                line,
                column: None,
            },
            what: what.to_owned(),
            hint: hint.map(str::to_owned),
        }
    }

    pub(super) fn not_a_tree(&self, fault: &NotATree) -> Error {
        match fault {
            NotATree::Empty => self.fault(None, "there is no value in it", None),
            NotATree::Tops(tops, line) => {
                let named: Vec<String> =
                    tops.iter().take(4).map(|top| format!("`{top}`")).collect();
                let more = if tops.len() > 4 { ", …" } else { "" };
                let what = format!(
                    "it has {} tops, but a hierarchy has one: {}{more}",
                    tops.len(),
                    named.join(", ")
                );
                self.fault(
                    *line,
                    &what,
                    Some("put one label above them all, such as `*`"),
                )
            }
            NotATree::Cycle(label, line) => self.fault(
                *line,
                &format!("going up from `{label}` comes back to it"),
                None,
            ),
            NotATree::TooTall(height) => self.fault(
                None,
                &format!(
                    "it is {height} levels tall; {} are the most",
                    super::MAX_HEIGHT
                ),
                None,
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Hierarchy, String> {
        from_level_csv("zip", "zip.csv", text, true).map_err(|error| error.to_string())
    }

    #[test]
    fn an_arx_file_becomes_a_tree() {
        let tree = read("02138;0213*;*\r\n02139;0213*;*\r\n02141;0214*;*\r\n").unwrap();
        assert_eq!((tree.height(), tree.domain_size(), tree.len()), (2, 3, 6));
        assert_eq!(
            tree.label(tree.at_level(tree.leaf("02139").unwrap(), 1)),
            "0213*"
        );
    }

    #[test]
    fn a_short_row_is_reported_with_both_counts() {
        let error = read("02138;0213*;*\n02139;*\n").unwrap_err();
        assert_eq!(
            error,
            "zip.csv:2: this row has 2 levels, but the first row has 3 (hierarchy of `zip`)"
        );
    }

    #[test]
    fn a_value_twice_is_a_fault_with_other_parents_and_a_warning_with_the_same() {
        let error = read("a;x;*\nb;y;*\na;y;*\n").unwrap_err();
        assert!(
            error.starts_with(
                "zip.csv:3: the value `a` stands below another label here than on line 1"
            ),
            "{error}"
        );
        assert_eq!(read("a;x;*\na;x;*\n").unwrap().warnings().len(), 1);
    }

    #[test]
    fn a_label_that_splits_on_the_way_up_is_a_fault() {
        let error = read("a;o;x;*\nb;o;y;*\n").unwrap_err();
        assert!(
            error.starts_with("zip.csv:2: level 1's label `o`"),
            "{error}"
        );
    }

    #[test]
    fn two_tops_are_a_fault() {
        assert!(
            read("a;x\nb;y\n")
                .unwrap_err()
                .starts_with("zip.csv:2: it has 2 tops")
        );
        assert!(read("").unwrap_err().contains("no row"));
    }

    #[test]
    fn a_label_may_stand_at_two_levels() {
        let tree = read("a;a;x;*\nb;c;x;*\n").unwrap();
        assert_eq!(tree.height(), 3);
        assert_eq!(tree.labelled("a").count(), 2);
        assert_eq!(tree.level(tree.leaf("a").unwrap()), 0);
    }
}
