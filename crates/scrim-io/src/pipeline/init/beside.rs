//! Hierarchy files that lie beside a table: `age.csv`, `hierarchies/age.csv`, `adult_hierarchy_age.csv`.
//!
//! **Reading.** A file belongs to a column where its name is that of the column, with `hierarchy` before or behind it and whatever
//! stands before that; marks and capitals do not count. It is used where it can be read, has levels, and has a leaf for every
//! value. Files of the folder that is written are not used where they are to be replaced.

use std::path::{Path, PathBuf};

use scrim::profile::{FoundHierarchy, Profile};
use scrim::release::{HierarchyText, read_file};
use scrim::table::{Column, Table};

use super::place::{absolute, relative};
use crate::files;

/// A larger file is no hierarchy that somebody wrote.
const LARGEST: u64 = 16 << 20;

/// Where to look.
pub(super) struct Beside<'a> {
    /// The table.
    pub(super) data: &'a Path,
    /// Where the policy goes.
    pub(super) dir: &'a Path,
    /// Whether what is there already is replaced.
    pub(super) force: bool,
}

impl Beside<'_> {
    /// A hierarchy for each column that has one.
    pub(super) fn find(&self, profile: &Profile, table: &Table) -> Vec<FoundHierarchy> {
        let files = self.files();
        let columns = profile.columns.iter();
        let found = columns.filter_map(|column| {
            let data = table.column(&column.name)?;
            let mut own = files.iter().filter(|path| belongs(path, &column.name));
            own.find_map(|path| self.read(path, data, &profile.nulls))
        });
        found.collect()
    }

    fn files(&self) -> Vec<PathBuf> {
        let table = absolute(self.data);
        let folder = table.parent().unwrap_or(Path::new(""));
        let written = absolute(self.dir).join("hierarchies");
        let folders = [folder.join("hierarchies"), folder.to_owned()];
        let folders = folders
            .into_iter()
            .filter(|folder| !(self.force && *folder == written));
        let files = folders.flat_map(|folder| files::files_in(&folder));
        let is_small = |path: &PathBuf| files::length(path).is_some_and(|bytes| bytes <= LARGEST);
        files
            .filter(|path| *path != table)
            .filter(is_small)
            .collect()
    }

    fn read(&self, path: &Path, column: &Column, nulls: &[String]) -> Option<FoundHierarchy> {
        let text = files::read_text(path).ok()?;
        let file = HierarchyText {
            name: path.display().to_string(),
            text,
        };
        let tree = read_file(column.name(), &file, None, true).ok()?;
        let mut texts = column.dictionary().texts();
        let covers =
            texts.all(|text| nulls.iter().any(|null| null == text) || tree.leaf(text).is_some());
        (covers && tree.is_even() && tree.height() > 1).then_some(())?;
        Some(FoundHierarchy {
            column: column.name().to_owned(),
            path: relative(path, self.dir).ok()?,
            text: file.text,
            height: tree.height(),
        })
    }
}

/// Whether a file is named after a column.
fn belongs(path: &Path, column: &str) -> bool {
    let name = path
        .file_name()
        .and_then(|name| name.to_str())
        .unwrap_or("");
    let name = name.trim_end_matches(".gz").trim_end_matches(".zst");
    let Some(stem) = name
        .strip_suffix(".csv")
        .or_else(|| name.strip_suffix(".txt"))
    else {
        return false;
    };
    let (stem, column) = (plain(stem), plain(column));
    !column.is_empty()
        && (stem == column
            || stem == format!("{column}hierarchy")
            || stem.ends_with(&format!("hierarchy{column}")))
}

fn plain(name: &str) -> String {
    let letters = name.chars().filter(|c| c.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_belong_to_columns_by_their_names() {
        for (file, column) in [
            ("age.csv", "age"),
            ("AGE.csv", "Age"),
            ("adult_hierarchy_marital-status.csv", "marital-status"),
            ("zip_hierarchy.csv.zst", " zip "),
            ("native_country.txt", "native-country"),
        ] {
            assert!(belongs(Path::new(file), column), "{file}");
        }
        for (file, column) in [
            ("wage.csv", "age"),
            ("age.toml", "age"),
            ("hierarchy_sex.csv", "x"),
            (".csv", ""),
        ] {
            assert!(!belongs(Path::new(file), column), "{file}");
        }
    }
}
