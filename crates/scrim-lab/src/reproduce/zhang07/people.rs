//! The people of the study: Adult from a file, or made up, with hierarchies that are made here.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use scrim::hierarchy::{Hierarchy, Ladder, TaxonId, TreeBuilder};
use scrim::table::{Column, Table};
use scrim::{Error, Random};
use scrim_io::{Keep, ReadOptions, Source, read_table};

use super::super::bench::internal;
use super::made_up;
use crate::Failure;

/// The quasi-identifiers.
pub(super) const QUASI: [&str; 6] = [
    "age",
    "education",
    "marital-status",
    "native-country",
    "race",
    "sex",
];
/// The sensitive column.
pub(super) const SECRET: &str = "occupation";
/// Age, education by school and by degree: groups below the top.
const AGES: [u64; 3] = [5, 10, 20];
/// What ends before, with, and after high school; what is not listed is higher.
const SCHOOLS: [(&str, &[&str]); 3] = [
    ("primary", &["Preschool", "1st-4th", "5th-6th", "7th-8th"]),
    ("secondary", &["9th", "10th", "11th", "12th", "HS-grad"]),
    ("college", &["Some-college", "Assoc-voc", "Assoc-acdm"]),
];

/// Who is sampled.
#[derive(Debug)]
pub(super) struct People {
    /// For titles.
    pub(super) name: String,
    /// Where they come from.
    pub(super) about: String,
    pub(super) table: Table,
    trees: Vec<Arc<Hierarchy>>,
}

/// Some of them.
#[derive(Debug)]
pub(super) struct Sample {
    pub(super) table: Table,
    pub(super) ladders: Vec<Ladder>,
}

impl People {
    /// The rows of a file, at most so many; without a file they are made up.
    pub(super) fn new(file: Option<&Path>, most: usize, seed: u64) -> Result<Self, Failure> {
        let Some(file) = file else {
            let columns = made_up::columns(most, seed);
            let table = Table::new(columns).ok_or_else(|| internal("a ragged table"))?;
            let name = format!("made-up table, {most} rows");
            let about = format!("made up by a generator with seed {seed}, in the shape of Adult");
            return Self::of(table, name, about, "the made-up table");
        };
        let whole = load(file)?;
        let shown = file.display().to_string();
        let mut columns = Vec::new();
        for name in QUASI.into_iter().chain([SECRET]) {
            let column = whole.column(name).ok_or_else(|| {
                let what = format!("{shown}: there is no column `{name}`");
                Failure::new(what, Some("the file is `;`-separated, with a header"))
            })?;
            let rows = whole.rows().min(most);
            columns.push(Column::from_texts(
                name,
                (0..rows).map(|row| column.text(row)),
            ));
        }
        let table = Table::new(columns).ok_or_else(|| internal("a ragged table"))?;
        if table.rows() == 0 {
            return Err(Failure::new(format!("{shown}: there are no rows"), None));
        }
        let name = format!("Adult, {} rows", table.rows());
        let about = format!("the first {} rows of the file", table.rows());
        Self::of(table, name, about, &shown)
    }

    fn of(table: Table, name: String, about: String, file: &str) -> Result<Self, Failure> {
        let mut trees = Vec::new();
        for column in &table.columns()[..QUASI.len()] {
            trees.push(Arc::new(tree(column, file)?));
        }
        Ok(Self {
            name,
            about,
            table,
            trees,
        })
    }

    /// So many rows, drawn without putting back, in the order of the table.
    pub(super) fn draw(&self, rows: usize, random: &mut Random) -> Result<Sample, Error> {
        let mut all: Vec<usize> = (0..self.table.rows()).collect();
        let rows = rows.min(all.len());
        for at in 0..rows {
            let other = at + random.index(all.len() - at);
            all.swap(at, other);
        }
        all.truncate(rows);
        all.sort_unstable();
        self.rows(&all)
    }

    /// All rows.
    pub(super) fn everybody(&self) -> Result<Sample, Error> {
        let all: Vec<usize> = (0..self.table.rows()).collect();
        self.rows(&all)
    }

    fn rows(&self, rows: &[usize]) -> Result<Sample, Error> {
        let some = |column: &Column| {
            let texts = rows.iter().map(|row| column.text(*row));
            Column::from_texts(column.name(), texts)
        };
        let columns: Vec<Column> = self.table.columns().iter().map(some).collect();
        let ladders = columns.iter().zip(&self.trees).map(|(column, tree)| {
            Ladder::new(column.name(), Arc::clone(tree), column.dictionary())
                .map_err(|_| internal("a value without a leaf"))
        });
        let ladders = ladders.collect::<Result<_, _>>()?;
        let table = Table::new(columns).ok_or_else(|| internal("a ragged sample"))?;
        Ok(Sample { table, ladders })
    }
}

fn load(file: &Path) -> Result<Table, Failure> {
    let options = ReadOptions {
        delimiter: Some(b';'),
        nulls: Vec::new(),
        ..ReadOptions::default()
    };
    let mut plan = |header: &[String]| {
        let keep = |name: &String| {
            if QUASI.contains(&name.as_str()) || name == SECRET {
                Keep::Value
            } else {
                Keep::Drop
            }
        };
        Ok(header.iter().map(keep).collect())
    };
    let source = Source::File(file.to_path_buf());
    Ok(read_table(&source, &options, &mut plan, &mut |_, _| Ok(()))?.table)
}

/// The groups above a value, the smallest first, without the top; nothing for an age that is none.
fn groups(column: &str, value: &str) -> Option<Vec<String>> {
    Some(match column {
        "age" => {
            let age: u64 = value.parse().ok().filter(|age| *age < 1_000)?;
            let group = |width: u64| {
                let low = age / width * width;
                format!("{low}-{}", low + width - 1)
            };
            AGES.into_iter().map(group).collect()
        }
        "education" => {
            let known = SCHOOLS.iter().find(|(_, values)| values.contains(&value));
            let school = known.map_or("higher", |(school, _)| school);
            let beyond = matches!(school, "college" | "higher");
            let half = if beyond { "beyond school" } else { "school" };
            vec![school.to_owned(), half.to_owned()]
        }
        "marital-status" if value.starts_with("Married") => vec!["married".to_owned()],
        "marital-status" => vec!["not married".to_owned()],
        "native-country" if value == "United-States" => vec!["home".to_owned()],
        "native-country" => vec!["abroad".to_owned()],
        _ => Vec::new(),
    })
}

/// The hierarchy of a column; of a value that does not fit the line is told.
fn tree(column: &Column, file: &str) -> Result<Hierarchy, Failure> {
    let mut builder = TreeBuilder::default();
    let top = builder.add("*");
    let mut taxa: BTreeMap<(usize, String), TaxonId> = BTreeMap::new();
    for (code, value) in (0..).zip(column.dictionary().texts()) {
        let Some(groups) = groups(column.name(), value) else {
            let row = (0..column.codes().len()).find(|row| column.codes().get(*row) == code);
            let line = row.map_or(0, |row| row + 2);
            let what = format!("{file}:{line}: `{}` is no number of years", column.name());
            return Err(Failure::new(what, None));
        };
        let mut above = top;
        for (level, label) in groups.into_iter().enumerate().rev() {
            let parent = above;
            above = *taxa.entry((level, label)).or_insert_with_key(|(_, label)| {
                let taxon = builder.add(label);
                builder.link(taxon, parent);
                taxon
            });
        }
        let leaf = builder.add(value);
        builder.link(leaf, above);
        builder.value(value, leaf);
    }
    let tree = builder.finish(true);
    tree.map_err(|_| internal("groups that are no tree").into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lattice_has_720_nodes_for_adult_and_for_the_made_up_table() {
        let people = People::new(None, 2_000, 1).unwrap();
        let sample = people.everybody().unwrap();
        let heights: Vec<u8> = sample.ladders.iter().map(Ladder::height).collect();
        assert_eq!(heights, [4, 3, 2, 2, 1, 1]);
        let nodes: u32 = heights
            .iter()
            .map(|height| u32::from(*height) + 1)
            .product();
        assert_eq!(nodes, 720);
    }

    #[test]
    fn a_sample_has_different_rows_and_its_seed_decides_it() {
        let people = People::new(None, 300, 1).unwrap();
        let texts = |sample: &Sample| -> Vec<String> {
            let ages = &sample.table.columns()[0];
            (0..sample.table.rows())
                .map(|row| ages.text(row).to_owned())
                .collect()
        };
        let draw = |seed| texts(&people.draw(40, &mut Random::new(seed)).unwrap());
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
        assert_eq!(draw(1).len(), 40);
        // Drawn as often as there are rows, everybody is there once.
        let all = people.draw(300, &mut Random::new(1)).unwrap();
        assert_eq!(texts(&all), texts(&people.everybody().unwrap()));
    }
}
