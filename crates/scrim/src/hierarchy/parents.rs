//! Parent files: a header `child,parent`, then a row a link. Any depth, even or not.
//!
//! **Reading.** A label is one taxon, wherever it stands. The top is the one label that is no child.

use rustc_hash::FxHashMap;

use super::builder::TreeBuilder;
use super::level_csv::Source;
use super::{Hierarchy, TaxonId};
use crate::counted;
use crate::error::Error;

/// Whether a text starts with the header of a parent file.
pub fn is_parents_csv(text: &str) -> bool {
    let first = text
        .trim_start_matches('\u{feff}')
        .lines()
        .next()
        .unwrap_or("");
    let names: Vec<String> = first
        .split([',', ';'])
        .map(|name| name.trim().trim_matches('"').to_lowercase())
        .collect();
    names == ["child", "parent"]
}

/// Reads a parent file; `suppressible` puts suppression on top unless it is there.
pub fn from_parents_csv(
    attribute: &str,
    file: &str,
    text: &str,
    suppressible: bool,
) -> Result<Hierarchy, Error> {
    let source = Source { attribute, file };
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let delimiter = if text.lines().next().unwrap_or("").contains(';') {
        b';'
    } else {
        b','
    };
    let mut reader = csv::ReaderBuilder::new()
        .flexible(true)
        .delimiter(delimiter)
        .from_reader(text.as_bytes());
    let mut links = Links::default();
    for record in reader.records() {
        let record =
            record.map_err(|error| source.fault(None, &format!("unreadable: {error}"), None))?;
        let line = record.position().map_or(0, csv::Position::line);
        if record.len() != 2 {
            let what = format!(
                "this row has {}, but `child,parent` are 2",
                counted(record.len(), "field")
            );
            return Err(source.fault(Some(line), &what, None));
        }
        links.add(&source, line, &record[0], &record[1])?;
    }
    links.finish(&source, suppressible)
}

#[derive(Default)]
struct Links {
    builder: TreeBuilder,
    taxa: FxHashMap<String, TaxonId>,
    child_since: FxHashMap<TaxonId, u64>,
    inner: Vec<bool>,
}

impl Links {
    fn add(
        &mut self,
        source: &Source<'_>,
        line: u64,
        child: &str,
        parent: &str,
    ) -> Result<(), Error> {
        if parent.is_empty() {
            // An empty parent says: this is the top.
            self.taxon(child, line);
            return Ok(());
        }
        let (below, above) = (self.taxon(child, line), self.taxon(parent, line));
        if let Some(first) = self.child_since.get(&below).copied() {
            if self.builder.parent(below) == Some(above) {
                self.builder.warn(format!(
                    "{}:{line}: the link of line {first} again",
                    source.file
                ));
                return Ok(());
            }
            let what = format!("`{child}` has another parent here than on line {first}");
            return Err(source.fault(Some(line), &what, Some("each child has one parent")));
        }
        self.child_since.insert(below, line);
        self.inner[above.0 as usize] = true;
        self.builder.link(below, above);
        Ok(())
    }

    fn taxon(&mut self, label: &str, line: u64) -> TaxonId {
        if let Some(taxon) = self.taxa.get(label) {
            return *taxon;
        }
        let taxon = self.builder.add_at(label, line);
        self.taxa.insert(label.to_owned(), taxon);
        self.inner.push(false);
        taxon
    }

    fn finish(mut self, source: &Source<'_>, suppressible: bool) -> Result<Hierarchy, Error> {
        for (number, inner) in self.inner.iter().enumerate() {
            if !inner {
                let leaf = TaxonId(number as u32);
                let label = self.builder.label(leaf).to_owned();
                self.builder.value(&label, leaf);
            }
        }
        self.builder
            .finish(suppressible)
            .map_err(|fault| source.not_a_tree(&fault))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Hierarchy, String> {
        from_parents_csv("d", "d.csv", text, false).map_err(|error| error.to_string())
    }

    #[test]
    fn links_become_an_uneven_tree() {
        let tree = read("child,parent\nflu,lung\nasthma,lung\nlung,any\nulcer,any\n").unwrap();
        assert_eq!(
            (tree.height(), tree.is_even(), tree.domain_size()),
            (2, false, 3)
        );
        assert_eq!(tree.label(tree.root()), "any");
        assert!(tree.leaf("lung").is_none());
    }

    #[test]
    fn faults_are_told_with_their_line() {
        assert!(
            read("child,parent\na,x\na,y\n")
                .unwrap_err()
                .starts_with("d.csv:3: `a` has another parent")
        );
        assert!(
            read("child,parent\na,b,c\n")
                .unwrap_err()
                .starts_with("d.csv:2: this row has 3 fields")
        );
        assert!(
            read("child,parent\na,b\nb,a\n")
                .unwrap_err()
                .starts_with("d.csv:2: going up from `a` comes back to it")
        );
        assert!(
            read("child,parent\na,b\nc,d\n")
                .unwrap_err()
                .starts_with("d.csv:3: it has 2 tops")
        );
        assert!(read("child,parent\n").unwrap_err().contains("no value"));
    }

    #[test]
    fn the_header_is_recognised() {
        assert!(is_parents_csv("\u{feff}Child;Parent\r\na;b\n"));
        assert!(!is_parents_csv("child;parent;*\n"));
    }
}
