//! The releases from a file: the encounters of the diabetes data (UCI 296), or a file with the same columns.
//!
//! Ten releases by the column `release`, or else slices of equal size in the order of the file. Of a patient the first
//! encounter of a release counts. The value is the chapter of the first diagnosis (ICD-9).

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use scrim::table::{Column, Table};
use scrim_io::{Keep, ReadOptions, Source, read_table};

use super::hospital::{Hospital, RELEASES, Visit};
use crate::Failure;

const COLUMNS: [&str; 6] = [
    "patient_nbr",
    "age",
    "gender",
    "race",
    "admission_source_id",
    "diag_1",
];
const RELEASE: &str = "release";

/// Chapters by the first three digits of a code: where they end, and their names.
const CHAPTERS: [(u32, &str); 17] = [
    (139, "infections"),
    (239, "neoplasms"),
    (279, "endocrine"),
    (289, "blood"),
    (319, "mental disorders"),
    (389, "nervous system"),
    (459, "circulatory"),
    (519, "respiratory"),
    (579, "digestive"),
    (629, "genitourinary"),
    (679, "pregnancy"),
    (709, "skin"),
    (739, "musculoskeletal"),
    (759, "congenital"),
    (779, "perinatal"),
    (799, "symptoms"),
    (999, "injury"),
];
const PROTECTED: [&str; 3] = ["infections", "mental disorders", "pregnancy"];

/// Reads a file; of each release at most so many rows, of patients who come most often first.
pub(super) fn read(file: &Path, most: usize) -> Result<Hospital, Failure> {
    let table = load(file)?;
    let columns: Vec<&Column> = COLUMNS
        .iter()
        .map(|name| {
            table.column(name).ok_or_else(|| {
                let what = format!("{}: there is no column `{name}`", file.display());
                Failure::new(what, Some("the file is `,`-separated, with a header"))
            })
        })
        .collect::<Result<_, _>>()?;
    let mut releases: Vec<BTreeMap<u32, usize>> = vec![BTreeMap::new(); RELEASES];
    for row in 0..table.rows() {
        let release = match table.column(RELEASE) {
            Some(column) => column
                .text(row)
                .parse()
                .ok()
                .filter(|at| (1..=RELEASES).contains(at)),
            None => Some(row * RELEASES / table.rows() + 1),
        };
        let release = release.ok_or_else(|| {
            let what = format!(
                "{}:{}: the release is no number from 1 to {RELEASES}",
                file.display(),
                row + 2
            );
            Failure::new(what, None)
        })?;
        releases[release - 1]
            .entry(columns[0].codes().get(row))
            .or_insert(row);
    }
    let mut times: BTreeMap<u32, usize> = BTreeMap::new();
    for patient in releases.iter().flat_map(BTreeMap::keys) {
        *times.entry(*patient).or_default() += 1;
    }
    let visits: Vec<Vec<Visit>> = releases
        .iter()
        .map(|release| {
            chosen(release, &times, most)
                .into_iter()
                .map(|row| visit(&columns, row))
                .collect()
        })
        .collect();
    let first: BTreeSet<&str> = visits[0].iter().map(|visit| visit.value.as_str()).collect();
    let protected: Vec<String> = PROTECTED
        .into_iter()
        .filter(|name| first.contains(name))
        .map(str::to_owned)
        .collect();
    if protected.is_empty() || visits.iter().any(Vec::is_empty) {
        let what = format!(
            "{}: a release is empty, or the first has no protected diagnosis",
            file.display()
        );
        return Err(Failure::new(
            what,
            Some("infections, mental disorders and pregnancy are protected; take more rows"),
        ));
    }
    Ok(Hospital {
        name: format!("{} encounters", visits.iter().map(Vec::len).sum::<usize>()),
        about: format!(
            "{} rows read; in each of ten releases the first encounter of a patient, at most {most}, of patients who come most often first; the value is the ICD-9 chapter of diag_1",
            table.rows()
        ),
        columns: vec![
            ("age", "numeric = { from = 0, to = 99 }"),
            ("gender", "hierarchy = { flat = true }"),
            ("race", "hierarchy = { flat = true }"),
            ("source", "hierarchy = { flat = true }"),
        ],
        protected,
        persons: columns[0].dictionary().len() as u32,
        releases: visits,
    })
}

/// The rows of a release in the order of the file.
fn chosen(release: &BTreeMap<u32, usize>, times: &BTreeMap<u32, usize>, most: usize) -> Vec<usize> {
    let mut rows: Vec<(usize, usize)> = release
        .iter()
        .map(|(patient, row)| (usize::MAX - times.get(patient).copied().unwrap_or(0), *row))
        .collect();
    rows.sort_unstable();
    rows.truncate(most);
    let mut rows: Vec<usize> = rows.into_iter().map(|(_, row)| row).collect();
    rows.sort_unstable();
    rows
}

fn visit(columns: &[&Column], row: usize) -> Visit {
    let text = |at: usize| columns[at].text(row);
    // `[80-90)` is 80.
    let age: String = text(1)
        .chars()
        .skip_while(|c| !c.is_ascii_digit())
        .take_while(char::is_ascii_digit)
        .collect();
    let age = age.parse::<u32>().map_or(0, |age| age.min(99));
    // A cell of stars would read as suppressed.
    let plain = |at: usize| match text(at) {
        "" => "unknown".to_owned(),
        text => text.replace('*', "+"),
    };
    Visit {
        person: columns[0].codes().get(row),
        cells: vec![age.to_string(), plain(2), plain(3), plain(4)],
        value: chapter(text(5)).to_owned(),
    }
}

fn chapter(code: &str) -> &'static str {
    let digits: String = code.chars().take_while(char::is_ascii_digit).collect();
    match digits.parse::<u32>() {
        Ok(number) => CHAPTERS
            .iter()
            .find(|(last, _)| number <= *last)
            .map_or("other", |(_, name)| name),
        Err(_) => "other",
    }
}

fn load(file: &Path) -> Result<Table, Failure> {
    let options = ReadOptions {
        delimiter: Some(b','),
        nulls: Vec::new(),
        ..ReadOptions::default()
    };
    let mut plan = |header: &[String]| {
        let keep = |name: &String| {
            if name == RELEASE || COLUMNS.contains(&name.as_str()) {
                Keep::Value
            } else {
                Keep::Drop
            }
        };
        Ok(header.iter().map(keep).collect())
    };
    let source = Source::File(file.to_owned());
    Ok(read_table(&source, &options, &mut plan, &mut |_, _| Ok(()))?.table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_its_chapter() {
        let of = [
            "8", "139", "140", "250.83", "V57", "E909", "?", "296", "998",
        ]
        .map(chapter);
        let right = [
            "infections",
            "infections",
            "neoplasms",
            "endocrine",
            "other",
            "other",
            "other",
            "mental disorders",
            "injury",
        ];
        assert_eq!(of, right);
    }

    #[test]
    fn who_comes_most_often_is_taken_first() {
        let release: BTreeMap<u32, usize> = [(7, 0), (8, 1), (9, 2)].into();
        let times: BTreeMap<u32, usize> = [(7, 1), (8, 3), (9, 2)].into();
        assert_eq!(chosen(&release, &times, 2), [1, 2]);
        assert_eq!(chosen(&release, &times, 9), [0, 1, 2]);
    }
}
