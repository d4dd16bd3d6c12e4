//! `scrim bench generate`: a made-up table, its hierarchies and a policy that `publish` accepts as it is.
//!
//! Pieces of rows are made side by side and written in their order.

use std::io::{BufWriter, Write as _};
use std::ops::Range;
use std::path::Path;

use rayon::prelude::*;
use scrim_io::{IoError, ParquetPieces, files};
use serde_json::json;

use scrim::{counted, verb};

use super::shape::Rows;
use super::{GenerateRequest, Kind, Looks, Shape, known, usable};
use crate::{Failure, Monitor, Outcome};

/// How many rows a piece has.
const PIECE: u64 = ParquetPieces::ROWS as u64;
/// By what a policy of ours is known.
const MADE: &str = "# Made by `scrim bench generate`";

/// A table to be made.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spec<'a> {
    /// How many rows.
    pub(super) rows: u64,
    /// How many quasi-identifiers.
    pub(super) quasi: u32,
    /// All else.
    pub(super) looks: &'a Looks,
}

impl Spec<'_> {
    fn shape(&self) -> Rows {
        let (quasi, looks) = (self.quasi as usize, self.looks);
        match looks.shape {
            Shape::Adult => Rows::adult(quasi, looks.seed),
            Shape::Even => {
                let (values, levels) = (looks.values.unwrap_or(10), looks.levels.unwrap_or(3));
                Rows::even(quasi, values, levels, looks.seed)
            }
        }
    }

    /// The policy, for a search, with the folder of its release.
    pub(super) fn policy(&self, algorithm: &str, release: &str) -> String {
        let Self { rows, quasi, looks } = self;
        let Looks { seed, kind, k, .. } = looks;
        let columns: String = self
            .shape()
            .attributes
            .iter()
            .map(|attribute| {
                let name = &attribute.name;
                let numbers = attribute.numbers.map_or_else(String::new, |(from, to)| {
                    format!(", numeric = {{ from = {from}, to = {to} }}")
                });
                format!("{name} = {{ role = \"quasi\", hierarchy = \"hierarchies/{name}.csv\"{numbers} }}\n")
            })
            .collect();
        format!(
            "{MADE}: shape {}, {rows} rows, {quasi} quasi-identifiers, seed {seed}.\n\n\
             [data]\npath = \"{}\"\n\n[columns]\n{columns}\n\
             [[privacy]]\nmodel = \"k-anonymity\"\nk = {k}\n\n\
             [search]\nalgorithm = \"{algorithm}\"\nmetric = \"loss\"\nsuppression = 0.02\n\n\
             [release]\ndir = \"{release}\"\nformat = \"{}\"\n",
            looks.shape.name(),
            kind.file(),
            kind.name(),
        )
    }

    /// Writes data, hierarchies and a policy into a folder that is there.
    pub(super) fn write(
        &self,
        dir: &Path,
        algorithm: &str,
        door: &mut dyn Monitor,
    ) -> Result<(), Failure> {
        door.doing("making the table");
        let shape = self.shape();
        files::create_dir(&dir.join("hierarchies"))?;
        for attribute in &shape.attributes {
            let path = dir.join(format!("hierarchies/{}.csv", attribute.name));
            files::write_bytes(&path, attribute.level_file().as_bytes())?;
        }
        let path = dir.join(self.looks.kind.file());
        let mut progress =
            |done: u64| -> Result<(), IoError> { Ok(door.counted(done, self.rows, "rows")?) };
        match self.looks.kind {
            Kind::Csv => csv(&shape, self.rows, PIECE, &path, &mut progress)?,
            Kind::Parquet => parquet(&shape, self.rows, &path, &mut progress)?,
        }
        files::write_bytes(
            &dir.join("policy.toml"),
            self.policy(algorithm, "release").as_bytes(),
        )?;
        Ok(())
    }
}

/// `scrim bench generate`: makes a table, its hierarchies and a policy.
pub fn generate(asked: &GenerateRequest, progress: &mut dyn Monitor) -> Result<Outcome, Failure> {
    let GenerateRequest {
        out,
        rows,
        quasi,
        algorithm,
        looks,
    } = asked;
    known(std::slice::from_ref(algorithm))?;
    usable(looks)?;
    let former = || {
        let policy = files::read_text(&out.join("policy.toml"));
        policy.is_ok_and(|text| text.starts_with(MADE))
    };
    if !files::is_empty_or_absent(out)? && !former() {
        let hint = "name another folder: only a former table of this command is written over";
        return Err(Failure::new(
            format!("{} is not empty", out.display()),
            Some(hint),
        ));
    }
    files::create_dir(out)?;
    let spec = Spec {
        rows: *rows,
        quasi: *quasi,
        looks,
    };
    spec.write(out, algorithm, progress)?;
    let (data, policy) = (out.join(looks.kind.file()), out.join("policy.toml"));
    let object = json!({
        "rows": rows,
        "quasi": quasi,
        "shape": looks.shape.name(),
        "seed": looks.seed,
        "data": data.display().to_string(),
        "policy": policy.display().to_string(),
    });
    let text = format!(
        "{} with {} {} in {}.\n\nTry next:\n  scrim publish {}\n",
        counted(*rows, "row"),
        counted(*quasi, "quasi-identifier"),
        verb(*rows, "stands", "stand"),
        data.display(),
        policy.display()
    );
    Outcome::new(text, &object, true)
}

/// Where progress goes: how many rows are written.
type RowsWritten<'a> = &'a mut dyn FnMut(u64) -> Result<(), IoError>;

/// Writes rows as CSV, so many in a piece.
fn csv(
    shape: &Rows,
    rows: u64,
    piece: u64,
    path: &Path,
    progress: RowsWritten<'_>,
) -> Result<(), IoError> {
    let failed = |error| IoError::file(path, error);
    let mut file = BufWriter::with_capacity(1 << 20, files::create(path)?);
    let names: Vec<&str> = shape
        .attributes
        .iter()
        .map(|one| one.name.as_str())
        .collect();
    file.write_all((names.join(",") + "\n").as_bytes())
        .map_err(failed)?;
    in_pieces(
        rows,
        piece,
        progress,
        |part| lines(shape, part),
        |text| file.write_all(&text).map_err(failed),
    )?;
    file.flush().map_err(failed)
}

fn parquet(shape: &Rows, rows: u64, path: &Path, progress: RowsWritten<'_>) -> Result<(), IoError> {
    let columns: Vec<(&str, &[String])> = shape
        .attributes
        .iter()
        .map(|one| (one.name.as_str(), one.values.as_slice()))
        .collect();
    let mut file = ParquetPieces::create(path, &columns)?;
    in_pieces(
        rows,
        PIECE,
        progress,
        |part| codes(shape, part),
        |columns| file.write(&columns),
    )?;
    file.finish()
}

/// Makes pieces side by side, some for each thread, and hands them on in their order.
fn in_pieces<T: Send>(
    rows: u64,
    piece: u64,
    progress: RowsWritten<'_>,
    make: impl Fn(Range<u64>) -> T + Sync,
    mut write: impl FnMut(T) -> Result<(), IoError>,
) -> Result<(), IoError> {
    let batch = 2 * rayon::current_num_threads() as u64;
    let mut start = 0;
    while start < rows {
        let ranges: Vec<Range<u64>> = (0..batch)
            .map(|number| start + number * piece)
            .take_while(|&from| from < rows)
            .map(|from| from..rows.min(from + piece))
            .collect();
        start = ranges.last().map_or(rows, |range| range.end);
        let pieces: Vec<T> = ranges.into_par_iter().map(&make).collect();
        pieces.into_iter().try_for_each(&mut write)?;
        progress(start)?;
    }
    Ok(())
}

/// Rows as lines.
fn lines(shape: &Rows, rows: Range<u64>) -> Vec<u8> {
    let mut codes = vec![0; shape.attributes.len()];
    let mut text = Vec::with_capacity((rows.end - rows.start) as usize * codes.len() * 9);
    for row in rows {
        shape.row(row, &mut codes);
        for (attribute, &code) in shape.attributes.iter().zip(&codes) {
            text.extend_from_slice(attribute.values[code as usize].as_bytes());
            text.push(b',');
        }
        text.pop();
        text.push(b'\n');
    }
    text
}

/// Rows as codes, column by column.
fn codes(shape: &Rows, rows: Range<u64>) -> Vec<Vec<u32>> {
    let mut codes = vec![0; shape.attributes.len()];
    let empty = || Vec::with_capacity((rows.end - rows.start) as usize);
    let mut columns: Vec<Vec<u32>> = codes.iter().map(|_| empty()).collect();
    for row in rows.clone() {
        shape.row(row, &mut codes);
        for (column, &code) in columns.iter_mut().zip(&codes) {
            column.push(code);
        }
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_the_same_for_any_size_of_its_pieces() {
        let dir = tempfile::tempdir().unwrap();
        let shape = Rows::adult(11, 7);
        let made = |piece: u64| {
            let path = dir.path().join(format!("{piece}.csv"));
            let mut done = 0;
            let mut progress = |rows: u64| {
                done = rows;
                Ok(())
            };
            csv(&shape, 1_000, piece, &path, &mut progress).unwrap();
            assert_eq!(done, 1_000);
            files::read_bytes(&path).unwrap()
        };
        let whole = made(1_000);
        assert_eq!(whole.split(|&byte| byte == b'\n').count(), 1_002);
        for piece in [1, 7, 333, 999, 5_000] {
            assert_eq!(made(piece), whole);
        }
    }
}
