//! Writes a table as Parquet: optional UTF-8 columns, dictionary-encoded, packed with Zstandard.
//!
//! **Reading.** The pages are made from the codes, without a look at the texts but once a row group: values of an equal
//! code are equal. The same table gives the same bytes: no time, no host and no thread bears on them. A label that no row
//! has is not written, for it may be a raw value.
//!
//! **Cost.** What is given, and one row group: four bytes a row, and its packed pages. The columns of a group are made
//! side by side.
//!
//! **Oracle.** The files are read back by the readers of the Parquet crate; what they say about bounds is what its own
//! writer says.

mod bounds;
mod chunk;
mod group;
mod hybrid;
mod pages;
#[cfg(test)]
mod tests;

use std::io::{BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowSchemaConverter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::SchemaDescriptor;
use rayon::prelude::*;

use crate::error::IoError;
use crate::files;
use crate::out::{Order, OutColumn, OutParts, RowProgress, check, failed};
use chunk::chunk;
use group::Groups;
use pages::{Chunk, compression};

/// Where groups, pages and dictionaries end.
#[derive(Debug)]
struct Sizes {
    /// Rows of a group.
    group_rows: usize,
    /// Most rows of a page.
    page_rows: usize,
    /// Most bytes of a page that has the texts themselves, unless one text alone has more.
    page_bytes: usize,
    /// Most bytes of a dictionary.
    dictionary_bytes: usize,
}

/// The rows of a row group, but for the last of a file.
pub(crate) const ROW_GROUP: u64 = 1 << 20;

const SIZES: Sizes = Sizes {
    group_rows: ROW_GROUP as usize,
    page_rows: 1 << 16,
    page_bytes: 1 << 20,
    dictionary_bytes: 1 << 20,
};

/// Writes a Parquet file.
pub fn write_parquet(
    path: &Path,
    columns: &[OutColumn],
    rows: usize,
    order: Option<Order<'_>>,
    progress: RowProgress<'_>,
) -> Result<(), IoError> {
    check(columns, rows)?;
    let mut file = BufWriter::with_capacity(1 << 16, files::create(path)?);
    let groups = Groups::new(columns, rows, order, SIZES.group_rows);
    write(path, &mut file, columns, groups, &SIZES, progress)?;
    file.flush().map_err(failed(path))
}

/// Writes a Parquet file part by part; there is one at least. No row group has rows of two parts.
pub fn write_parquet_parts(
    path: &Path,
    parts: OutParts<'_>,
    progress: RowProgress<'_>,
) -> Result<(), IoError> {
    let mut file = BufWriter::with_capacity(1 << 16, files::create(path)?);
    let mut next = parts()?;
    let columns = next.as_ref().map_or(&[][..], |part| &part.columns);
    let mut writer = TableWriter::new(path, &mut file, columns)?;
    while let Some(part) = next {
        check(&part.columns, part.rows)?;
        let groups = Groups::new(&part.columns, part.rows, part.order(), SIZES.group_rows);
        writer.write(&part.columns, groups, &SIZES, progress)?;
        drop(part);
        next = parts()?;
    }
    writer.close()?;
    file.flush().map_err(failed(path))
}

fn write(
    path: &Path,
    into: impl Write + Send,
    columns: &[OutColumn],
    groups: Groups<'_>,
    sizes: &Sizes,
    progress: RowProgress<'_>,
) -> Result<(), IoError> {
    let mut writer = TableWriter::new(path, into, columns)?;
    writer.write(columns, groups, sizes, progress)?;
    writer.close()
}

/// A file that grows by row groups.
struct TableWriter<'a, W: Write + Send> {
    path: &'a Path,
    schema: SchemaDescriptor,
    writer: SerializedFileWriter<W>,
    /// Rows so far.
    rows: u64,
}

impl<'a, W: Write + Send> TableWriter<'a, W> {
    /// Begins a file of columns of these names.
    fn new(path: &'a Path, into: W, columns: &[OutColumn]) -> Result<Self, IoError> {
        let refused = |error: ParquetError| refused(path, error);
        let schema = schema(columns.iter().map(|column| column.name.as_str()));
        let schema = ArrowSchemaConverter::new()
            .convert(&schema)
            .map_err(refused)?;
        let properties = Arc::new(properties());
        let root = schema.root_schema_ptr();
        let writer = SerializedFileWriter::new(into, root, properties).map_err(refused)?;
        Ok(Self {
            path,
            schema,
            writer,
            rows: 0,
        })
    }

    /// Adds row groups.
    fn write(
        &mut self,
        columns: &[OutColumn],
        mut groups: Groups<'_>,
        sizes: &Sizes,
        progress: RowProgress<'_>,
    ) -> Result<(), IoError> {
        let refused = |error: ParquetError| refused(self.path, error);
        while let Some(group) = groups.next()? {
            let chunks: Vec<Result<Chunk, ParquetError>> = columns
                .par_iter()
                .enumerate()
                .map(|(at, column)| chunk(column, &group, self.schema.column(at), sizes))
                .collect();
            let mut into = self.writer.next_row_group().map_err(refused)?;
            for chunk in chunks {
                let Chunk { bytes, close } = chunk.map_err(refused)?;
                into.append_column(&bytes, close).map_err(refused)?;
            }
            into.close().map_err(refused)?;
            self.rows += group.rows() as u64;
            progress(self.rows)?;
        }
        Ok(())
    }

    fn close(self) -> Result<(), IoError> {
        let closed = self.writer.close();
        closed.map_err(|error| refused(self.path, error))?;
        Ok(())
    }
}

/// Optional texts of these names.
pub(crate) fn schema<'a>(names: impl Iterator<Item = &'a str>) -> Arc<Schema> {
    let kind = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let fields: Vec<Field> = names
        .map(|name| Field::new(name, kind.clone(), true))
        .collect();
    Arc::new(Schema::new(fields))
}

/// How the files are written.
pub(crate) fn options() -> ArrowWriterOptions {
    // Without Arrow's own note every reader sees plain strings, not categories.
    ArrowWriterOptions::new()
        .with_properties(properties())
        .with_skip_arrow_metadata(true)
}

fn properties() -> WriterProperties {
    WriterProperties::builder()
        .set_compression(Compression::ZSTD(compression()))
        .set_created_by("scrim".to_owned())
        .build()
}

/// A full disk comes wrapped in an error of the Parquet crate.
pub(crate) fn refused(path: &Path, error: ParquetError) -> IoError {
    let source = match error {
        ParquetError::External(inner) => match inner.downcast::<std::io::Error>() {
            Ok(source) => *source,
            Err(inner) => std::io::Error::other(inner),
        },
        error => std::io::Error::other(error),
    };
    IoError::file(path, source)
}
