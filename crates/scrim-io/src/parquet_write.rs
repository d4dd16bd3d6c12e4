//! Writes a table as Parquet: optional UTF-8 columns, dictionary-encoded, packed with Zstandard.
//!
//! The same table gives the same bytes: no time, no host and no thread bears on them. A label that no row has is not
//! written, for it may be a raw value.

use std::io::BufWriter;
use std::path::Path;
use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use crate::digest::Hashing;
use crate::error::IoError;
use crate::files;
use crate::out::{Order, OutColumn, RowProgress, Written, check, failed};

const ROWS: usize = 1 << 16;

/// Writes a Parquet file.
pub fn write_parquet(
    path: &Path,
    columns: &[OutColumn],
    rows: usize,
    order: Option<Order<'_>>,
    progress: RowProgress<'_>,
) -> Result<Written, IoError> {
    check(columns, rows)?;
    let refused = |error: ParquetError| refused(path, error);
    let schema = schema(columns.iter().map(|column| column.name.as_str()));
    let mut hashing = Hashing::new(BufWriter::with_capacity(1 << 16, files::create(path)?));
    let mut writer =
        ArrowWriter::try_new_with_options(&mut hashing, Arc::clone(&schema), options())
            .map_err(refused)?;
    let labels: Vec<ArrayRef> = columns.iter().map(labels).collect();
    let mut places: Box<dyn Iterator<Item = u32>> = match order {
        None => Box::new(0..rows as u32),
        Some(order) => Box::new(order.places()),
    };
    let mut end = 0;
    loop {
        let batch: Vec<u32> = places.by_ref().take(ROWS).collect();
        if batch.is_empty() {
            break;
        }
        end += batch.len();
        let arrays: Result<Vec<ArrayRef>, _> = columns
            .iter()
            .zip(&labels)
            .map(|(column, labels)| slice(column, labels, &batch))
            .collect();
        let batch = arrays.and_then(|arrays| RecordBatch::try_new(Arc::clone(&schema), arrays));
        writer
            .write(&batch.map_err(|error| refused(error.into()))?)
            .map_err(refused)?;
        progress(end as u64)?;
    }
    writer.close().map_err(refused)?;
    std::io::Write::flush(&mut hashing).map_err(failed(path))?;
    Ok(Written {
        bytes: hashing.passed(),
        sha256: hashing.hex(),
    })
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
    let properties = WriterProperties::builder()
        .set_compression(Compression::ZSTD(ZstdLevel::default()))
        .set_created_by("scrim".to_owned())
        .build();
    // Without Arrow's own note every reader sees plain strings, not categories.
    ArrowWriterOptions::new()
        .with_properties(properties)
        .with_skip_arrow_metadata(true)
}

/// The labels by code; that of a missing value is never looked at.
fn labels(column: &OutColumn) -> ArrayRef {
    Arc::new(StringArray::from_iter_values(
        column
            .labels
            .iter()
            .map(|label| label.as_deref().unwrap_or_default()),
    ))
}

fn slice(column: &OutColumn, labels: &ArrayRef, rows: &[u32]) -> Result<ArrayRef, ArrowError> {
    let keys: Int32Array = rows
        .iter()
        .map(|row| {
            let code = column.codes.get(*row as usize);
            column.labels[code as usize]
                .as_ref()
                .and_then(|_| i32::try_from(code).ok())
        })
        .collect();
    Ok(Arc::new(DictionaryArray::<Int32Type>::try_new(
        keys,
        Arc::clone(labels),
    )?))
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

#[cfg(test)]
mod tests {
    use memchr::memmem;
    use parquet::column::page::Page;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use scrim::table::Codes;

    use super::*;
    use crate::files::{read_bytes, sha256_file};

    fn column() -> OutColumn {
        let labels = vec![
            Some("x".to_owned()),
            None,
            Some("secret".to_owned()),
            Some("y".to_owned()),
        ];
        OutColumn {
            name: "a".to_owned(),
            labels,
            codes: Codes::U8(vec![0, 1, 3, 3]),
        }
    }

    #[test]
    fn the_same_table_gives_the_same_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let paths = [dir.path().join("a.parquet"), dir.path().join("b.parquet")];
        for path in &paths {
            let written = write_parquet(path, &[column()], 4, None, &mut |_| Ok(())).unwrap();
            assert_eq!(written.sha256, sha256_file(path).unwrap());
            assert_eq!(written.bytes, read_bytes(path).unwrap().len() as u64);
        }
        assert_eq!(
            read_bytes(&paths[0]).unwrap(),
            read_bytes(&paths[1]).unwrap()
        );
    }

    #[test]
    fn a_label_that_no_row_has_is_not_written() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.parquet");
        write_parquet(&path, &[column()], 4, None, &mut |_| Ok(())).unwrap();
        let reader = SerializedFileReader::new(files::open(&path).unwrap()).unwrap();
        let mut pages = reader
            .get_row_group(0)
            .unwrap()
            .get_column_page_reader(0)
            .unwrap();
        let Some(Page::DictionaryPage {
            buf, num_values, ..
        }) = pages.get_next_page().unwrap()
        else {
            panic!("the column has no dictionary");
        };
        assert_eq!(num_values, 2);
        assert!(memmem::find(&buf, b"secret").is_none());
    }

    #[test]
    fn a_full_disk_is_told_with_the_path() {
        let path = Path::new("/dev/full");
        if !files::exists(path) {
            return;
        }
        let error = write_parquet(path, &[column()], 4, None, &mut |_| Ok(())).unwrap_err();
        assert!(error.to_string().starts_with("/dev/full: "), "{error}");
        assert!(error.hint().is_some(), "{error:?}");
    }
}
