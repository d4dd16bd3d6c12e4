//! Writes a Parquet file piece by piece, so that memory does not grow with its rows: for tables that are made, not read.
//!
//! A row group ends after about a million rows; what is held is one such group, packed. The same rows give the same
//! bytes however they are cut into pieces of a multiple of [`ParquetPieces::ROWS`].

use std::fmt;
use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, SchemaRef};
use parquet::arrow::ArrowWriter;

use crate::error::IoError;
use crate::files;
use crate::parquet_write::{options, refused, schema};

/// A Parquet file that is being written.
pub struct ParquetPieces {
    path: PathBuf,
    schema: SchemaRef,
    labels: Vec<ArrayRef>,
    writer: ArrowWriter<BufWriter<File>>,
}

impl ParquetPieces {
    /// How many rows a batch has.
    pub const ROWS: usize = 1 << 16;

    /// Begins a file with these columns: name, and label by code.
    pub fn create(path: &Path, columns: &[(&str, &[String])]) -> Result<Self, IoError> {
        let schema = schema(columns.iter().map(|(name, _)| *name));
        let file = BufWriter::with_capacity(1 << 16, files::create(path)?);
        let writer = ArrowWriter::try_new_with_options(file, Arc::clone(&schema), options())
            .map_err(|error| refused(path, error))?;
        let labels = columns.iter().map(|(_, labels)| {
            let labels = StringArray::from_iter_values(labels.iter());
            Arc::new(labels) as ArrayRef
        });
        Ok(Self {
            path: path.to_owned(),
            schema,
            labels: labels.collect(),
            writer,
        })
    }

    /// Adds rows: for each column the codes. A code without a label, or columns of different lengths, are errors.
    pub fn write(&mut self, columns: &[Vec<u32>]) -> Result<(), IoError> {
        let rows = columns.first().map_or(0, Vec::len);
        for start in (0..rows).step_by(Self::ROWS) {
            let end = rows.min(start + Self::ROWS);
            let arrays: Result<Vec<ArrayRef>, ArrowError> = columns
                .iter()
                .zip(&self.labels)
                .map(|(codes, labels)| coded(codes.get(start..end).unwrap_or_default(), labels))
                .collect();
            let batch =
                arrays.and_then(|arrays| RecordBatch::try_new(Arc::clone(&self.schema), arrays));
            let batch = batch.map_err(|error| refused(&self.path, error.into()))?;
            let written = self.writer.write(&batch);
            written.map_err(|error| refused(&self.path, error))?;
        }
        Ok(())
    }

    /// Ends the file.
    pub fn finish(self) -> Result<(), IoError> {
        let path = self.path;
        let mut file = self
            .writer
            .into_inner()
            .map_err(|error| refused(&path, error))?;
        file.flush().map_err(|error| IoError::file(&path, error))
    }
}

impl fmt::Debug for ParquetPieces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ParquetPieces")
            .field("path", &self.path)
            .field("columns", &self.labels.len())
            .finish_non_exhaustive()
    }
}

fn coded(codes: &[u32], labels: &ArrayRef) -> Result<ArrayRef, ArrowError> {
    // A code beyond the labels is told by the array itself.
    let keys: Int32Array = codes
        .iter()
        .map(|&code| Some(i32::try_from(code).unwrap_or(i32::MAX)))
        .collect();
    let array = DictionaryArray::<Int32Type>::try_new(keys, Arc::clone(labels))?;
    Ok(Arc::new(array))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::read_bytes;
    use crate::{Keep, ReadOptions, Source, read_table};

    fn labels() -> Vec<String> {
        ["x", "y", "z"].map(str::to_owned).to_vec()
    }

    fn in_pieces(path: &Path, codes: &[u32], size: usize) -> Vec<u8> {
        let mut pieces = ParquetPieces::create(path, &[("a", &labels())]).unwrap();
        for piece in codes.chunks(size) {
            pieces.write(&[piece.to_vec()]).unwrap();
        }
        pieces.finish().unwrap();
        read_bytes(path).unwrap()
    }

    #[test]
    fn the_pieces_bear_on_nothing() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.parquet");
        let codes: Vec<u32> = (0..2 * ParquetPieces::ROWS as u32 + 5)
            .map(|row| row % 7 % 3)
            .collect();
        let bytes = in_pieces(&path, &codes, ParquetPieces::ROWS);
        assert_eq!(in_pieces(&path, &codes, codes.len()), bytes);
        let keep = &mut |_: &[String]| Ok(vec![Keep::Value]);
        let options = ReadOptions::default();
        let read = read_table(&Source::File(path), &options, keep, &mut |_, _| Ok(())).unwrap();
        assert_eq!(read.table.rows(), codes.len());
        let labels = labels();
        for (row, code) in codes.iter().enumerate() {
            let text = read.table.columns()[0].text(row);
            assert_eq!(text, labels[*code as usize]);
        }
    }

    #[test]
    fn a_code_without_a_label_and_a_ragged_piece_are_errors() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.parquet");
        let labels = labels();
        let columns = [("a", &labels[..]), ("b", &labels[..])];
        let mut pieces = ParquetPieces::create(&path, &columns).unwrap();
        assert!(pieces.write(&[vec![0], vec![3]]).is_err());
        assert!(pieces.write(&[vec![0, 1], vec![1]]).is_err());
        assert!(pieces.write(&[vec![0, 1], vec![1, 2]]).is_ok());
        assert!(pieces.finish().is_ok());
    }
}
