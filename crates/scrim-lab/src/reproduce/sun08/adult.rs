//! Adult from a file as it is: ARX's 30,162 rows, the 45,222 rows of the paper, or all of UCI's, with ARX's hierarchies.
//!
//! **Reading.** The delimiter is found out, and so are the columns, whatever the case of their names and whether words are
//! joined by `-`, `_`, `.` or blanks; `gender` is `sex`, `country` is `native-country`. Rows with an unknown value (`?`) in
//! any column are left out, as the paper does.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use scrim::hierarchy::{Ladder, from_level_csv};
use scrim::table::{Column, Table};
use scrim_io::{Keep, ReadOptions, Source, files, read_table};

use super::bench::internal;
use super::data::QUASI;
use crate::Failure;

/// The names under which a folder may have the table, the first that is there.
const FILES: [&str; 6] = [
    "adult.csv",
    "adult.csv.zst",
    "adult.csv.gz",
    "adult_complete_45222.csv",
    "adult_complete_45222.csv.zst",
    "adult_complete_45222.csv.gz",
];
/// Other names of columns.
const ALIASES: [(&str, &str); 2] = [("gender", "sex"), ("country", "native-country")];
/// What UCI writes for an unknown value.
const UNKNOWN: &str = "?";

macro_rules! levels {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!(
                "../../../../../fixtures/adult/adult_hierarchy_",
                $name,
                ".csv"
            )),
        )
    };
}

/// The hierarchies that are used where the folder has none: ARX's.
const BUILT_IN: [(&str, &str); 7] = [
    levels!("age"),
    levels!("workclass"),
    levels!("education"),
    levels!("native-country"),
    levels!("marital-status"),
    levels!("race"),
    levels!("sex"),
];

/// The quasi-identifiers of a file or folder, in the order of Table 9, and their hierarchies.
pub(super) fn read(data: &Path) -> Result<(Table, Vec<Ladder>), Failure> {
    let (file, folder) = place(data);
    let whole = read_whole(&file)?;
    let known = known_rows(&whole);
    if known.is_empty() {
        let what = format!("{}: there is no row without `?`", file.display());
        return Err(Failure::new(what, None));
    }
    let (mut columns, mut ladders) = (Vec::new(), Vec::new());
    for name in QUASI {
        let found = whole
            .columns()
            .iter()
            .find(|column| plain(column.name()) == name);
        let found = found.ok_or_else(|| {
            let what = format!("{}: there is no column `{name}`", file.display());
            Failure::new(what, Some("the file must have a header"))
        })?;
        let texts = known.iter().map(|row| found.text(*row));
        let column = Column::from_texts(name, texts);
        ladders.push(ladder(&column, &folder)?);
        columns.push(column);
    }
    let table = Table::new(columns).ok_or_else(|| internal("columns of other lengths"))?;
    Ok((table, ladders))
}

/// The table, and the folder that may have the hierarchies.
fn place(data: &Path) -> (PathBuf, PathBuf) {
    let is_table = |end: &std::ffi::OsStr| {
        let ends = ["csv", "tsv", "txt", "zst", "gz"];
        ends.iter().any(|known| end.eq_ignore_ascii_case(known))
    };
    if data.extension().is_some_and(is_table) {
        let folder = data.parent().unwrap_or(Path::new(""));
        return (data.to_owned(), folder.to_owned());
    }
    let mut files = FILES.iter().map(|name| data.join(name));
    let file = files.find(|file| files::exists(file));
    (file.unwrap_or(data.join(FILES[0])), data.to_owned())
}

fn read_whole(file: &Path) -> Result<Table, Failure> {
    let options = ReadOptions {
        nulls: Vec::new(),
        ..ReadOptions::default()
    };
    let mut plan = |header: &[String]| Ok(vec![Keep::Value; header.len()]);
    let source = Source::File(file.to_owned());
    Ok(read_table(&source, &options, &mut plan, &mut |_, _| Ok(()))?.table)
}

/// The rows without an unknown value.
fn known_rows(table: &Table) -> Vec<usize> {
    let mut known = vec![true; table.rows()];
    for column in table.columns() {
        let mut texts = column.dictionary().texts();
        let Some(unknown) = texts.position(|text| text == UNKNOWN) else {
            continue;
        };
        let codes = column.codes();
        codes.for_each(|row, code| known[row] &= code as usize != unknown);
    }
    (0..table.rows()).filter(|row| known[*row]).collect()
}

/// A column's name as ARX writes it.
fn plain(name: &str) -> String {
    let name = name.trim().to_lowercase().replace(['_', '.', ' '], "-");
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    alias.map_or(name, |(_, known)| (*known).to_owned())
}

/// The climb of a column through the hierarchy of the folder or, where it has none, the one that is built in.
fn ladder(column: &Column, folder: &Path) -> Result<Ladder, Failure> {
    let name = column.name();
    let path = folder.join(format!("adult_hierarchy_{name}.csv"));
    let (shown, text) = if files::exists(&path) {
        (path.display().to_string(), files::read_text(&path)?)
    } else {
        let built_in = BUILT_IN.iter().find(|(of, _)| *of == name);
        let (_, text) = built_in.ok_or_else(|| internal("a column without a hierarchy"))?;
        (
            format!("the built-in hierarchy of {name}"),
            (*text).to_owned(),
        )
    };
    let tree = from_level_csv(name, &shown, &text, true)?;
    Ladder::new(name, Arc::new(tree), column.dictionary()).map_err(|strays| {
        let what = format!("{shown}: {} values of the data have no row", strays.len());
        let hint = format!(
            "put a file adult_hierarchy_{name}.csv beside the table, with a line `value;group;*` for each value"
        );
        Failure::new(what, Some(&hint))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_columns_are_found_however_they_are_written() {
        for name in [
            "native-country",
            "Native_Country",
            "native.country",
            " country",
        ] {
            assert_eq!(plain(name), "native-country");
        }
        assert_eq!(plain("Gender"), "sex");
        assert_eq!(plain("fnlwgt"), "fnlwgt");
    }

    #[test]
    fn rows_with_an_unknown_value_in_any_column_are_left_out() {
        let columns = vec![
            Column::from_texts("age", ["17", "18", "19"]),
            Column::from_texts("occupation", ["a", "?", "b"]),
        ];
        let table = Table::new(columns).unwrap();
        assert_eq!(known_rows(&table), [0, 2]);
    }

    #[test]
    fn the_built_in_hierarchies_have_the_heights_of_adult() {
        let heights = QUASI.map(|name| {
            let (_, text) = BUILT_IN.iter().find(|(of, _)| *of == name).unwrap();
            from_level_csv(name, name, text, true).unwrap().height()
        });
        assert_eq!(heights, super::super::data::HEIGHTS);
    }
}
