//! The primary relation from a folder: the American Community Survey of 2018, government employees.
//!
//! The paper's incomes lie below 50k, in leaves of 1k. Salaries do not. So there are two relations: one of all rows, whose
//! leaves hold about as many rows each, counted over the whole file; and one of the rows below 50k, with the paper's leaves.
//! Of the rows of either as many as asked are drawn by the seed.

use std::path::{Path, PathBuf};

use scrim::Random;
use scrim::table::{Column, Table};
use scrim_io::{Keep, ReadOptions, Source, files, read_table};

use super::income::{Incomes, LEAVES, WIDTH};
use super::primary::{Person, Primary, SEED};
use crate::Failure;

const COLUMNS: [&str; 6] = [
    "age",
    "education_level",
    "sex",
    "marital",
    "occupation",
    "salary",
];

/// The leaves of the salaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leaves {
    /// Of about as many rows each, over all rows.
    OfEqualDepth,
    /// The paper's, of a thousand each, over the rows below 50k.
    OfThousands,
}

/// Reads a folder, or its CSV file, and draws so many rows.
pub(super) fn primary(data: &Path, rows: usize, leaves: Leaves) -> Result<Primary, Failure> {
    let (file, folder) = place(data);
    let table = read(&file)?;
    let columns: Vec<&Column> = COLUMNS
        .iter()
        .map(|name| {
            table.column(name).ok_or_else(|| {
                let what = format!("{}: there is no column `{name}`", file.display());
                Failure::new(what, Some("the file is `,`-separated, with a header"))
            })
        })
        .collect::<Result<_, _>>()?;
    let number = |column: usize, row: usize| -> Result<u32, Failure> {
        columns[column].text(row).parse().map_err(|_| {
            let (file, name) = (file.display(), COLUMNS[column]);
            let what = format!("{file}:{}: the {name} is no whole number", row + 2);
            Failure::new(what, None)
        })
    };
    let salaries: Vec<u32> = (0..table.rows())
        .map(|row| number(5, row))
        .collect::<Result<_, _>>()?;
    let (incomes, from) = match leaves {
        Leaves::OfEqualDepth => {
            let incomes = Incomes::of_equal_depth(salaries.clone()).ok_or_else(|| {
                let what = format!("{}: fewer than 50 salaries differ", file.display());
                Failure::new(what, None)
            })?;
            (incomes, (0..table.rows()).collect())
        }
        Leaves::OfThousands => {
            let most = LEAVES as u32 * WIDTH;
            let low = (0..table.rows()).filter(|row| salaries[*row] < most);
            (Incomes::even(), low.collect::<Vec<usize>>())
        }
    };
    if from.is_empty() {
        let what = format!("{}: no salary is below 50000", file.display());
        return Err(Failure::new(what, None));
    }
    let of = from.len();
    let chosen = draw(from, rows, &mut Random::new(SEED));
    let code = |column: usize, row: usize| columns[column].codes().get(row);
    let mut people = Vec::with_capacity(chosen.len());
    for row in chosen {
        people.push(Person {
            age: number(0, row)?,
            education: number(1, row)?,
            gender: code(2, row),
            marital: code(3, row),
            occupation: code(4, row),
            income: incomes.leaf_of(salaries[row]) as u8,
        });
    }
    let levels = |name: &str| files::read_text(&folder.join(format!("hierarchies/{name}.csv")));
    let taken = people.len();
    Ok(Primary {
        people,
        genders: words(columns[2]),
        maritals: words(columns[3]),
        occupations: words(columns[4]),
        incomes,
        marital_levels: Some(levels("marital")?),
        occupation_levels: levels("occupation")?,
        name: leaves.name(taken),
        about: format!(
            "{taken} of the {of} rows{} of the American Community Survey 2018 (government employees), drawn with seed {SEED}; salaries in 50 leaves of {}",
            if leaves == Leaves::OfThousands {
                " below 50k"
            } else {
                ""
            },
            leaves.words(),
        ),
    })
}

impl Leaves {
    fn name(self, rows: usize) -> String {
        match self {
            Self::OfEqualDepth => format!("census of 2018, {rows} rows"),
            Self::OfThousands => format!("census of 2018, {rows} rows below 50k"),
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::OfEqualDepth => "about as many rows each",
            Self::OfThousands => "1k each",
        }
    }
}

/// The CSV file, and the folder that has the hierarchies.
fn place(data: &Path) -> (PathBuf, PathBuf) {
    let named = data.extension().is_some_and(|end| {
        ["csv", "zst", "gz"]
            .iter()
            .any(|known| end.eq_ignore_ascii_case(known))
    });
    if named {
        let folder = data.parent().unwrap_or(Path::new(""));
        return (data.to_owned(), folder.to_owned());
    }
    let unpacked = data.join("gov_census.csv");
    let file = if files::exists(&unpacked) {
        unpacked
    } else {
        data.join("gov_census.csv.zst")
    };
    (file, data.to_owned())
}

fn read(file: &Path) -> Result<Table, Failure> {
    let options = ReadOptions {
        delimiter: Some(b','),
        nulls: Vec::new(),
        ..ReadOptions::default()
    };
    let mut plan = |header: &[String]| {
        let keep = |name: &String| {
            if COLUMNS.contains(&name.as_str()) {
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

/// So many of them, each set of that size as likely, in their order.
pub(super) fn draw(mut from: Vec<usize>, many: usize, random: &mut Random) -> Vec<usize> {
    let many = many.min(from.len());
    for at in 0..many {
        let other = at + random.index(from.len() - at);
        from.swap(at, other);
    }
    from.truncate(many);
    from.sort_unstable();
    from
}

fn words(column: &Column) -> Vec<String> {
    column.dictionary().texts().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_drawing_takes_each_row_once_and_about_evenly() {
        let mut random = Random::new(1);
        let mut counts = [0u32; 10];
        for _ in 0..1_000 {
            let drawn = draw((0..10).collect(), 4, &mut random);
            assert_eq!(drawn.len(), 4);
            assert!(drawn.windows(2).all(|pair| pair[0] < pair[1]));
            drawn.iter().for_each(|row| counts[*row] += 1);
        }
        assert!(
            counts.iter().all(|count| (330..470).contains(count)),
            "{counts:?}"
        );
        assert_eq!(draw((0..3).collect(), 9, &mut random), [0, 1, 2]);
    }
}
