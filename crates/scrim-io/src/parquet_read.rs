//! Reads a Parquet file into a table.
//!
//! **Reading.** The types are those of the Parquet schema; what a writer noted beside it (Arrow types, time zones) is
//! not looked at. Values become texts as [`crate::parquet_text`] says. A null is the first of the spellings of a
//! missing value. The file is held in memory, so that its digest is that of the bytes that were read.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, FieldRef, Fields, Schema};
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use rayon::prelude::*;
use scrim::Place;

use crate::csv_header::check_names;
use crate::error::IoError;
use crate::feed::{BLOCK, Digested, Feed, Opened};
use crate::files;
use crate::gather::Gathering;
use crate::lines::RowLines;
use crate::merge::Growing;
use crate::parquet_text::{is_readable, texts};
use crate::source::{Keep, Plan, Progress, ReadOptions, ReadTable};

const ROWS: usize = 1 << 16;

type Builder = ParquetRecordBatchReaderBuilder<Bytes>;

/// The names of the columns.
pub(crate) fn read_header(opened: Opened) -> Result<Vec<String>, IoError> {
    let path = opened.path.clone();
    let (bytes, _) = load(opened, &mut |_, _| Ok(()))?;
    guarded(&path, || open(&path, bytes.clone()).map(|(_, names)| names))
}

/// Reads a whole table.
pub(crate) fn read_table(
    opened: Opened,
    options: &ReadOptions,
    plan: Plan<'_>,
    progress: Progress<'_>,
) -> Result<ReadTable, IoError> {
    let path = opened.path.clone();
    let (bytes, digested) = load(opened, progress)?;
    let (builder, header) = guarded(&path, || open(&path, bytes.clone()))?;
    let keeps = plan(&header)?;
    if keeps.len() != header.len() {
        return Err(IoError::internal(
            "the plan does not have one entry a column",
        ));
    }
    let nulls = if options.nulls.is_empty() {
        vec![String::new()]
    } else {
        options.nulls.clone()
    };
    let kept: Vec<usize> = (0..keeps.len())
        .filter(|at| keeps[*at] != Keep::Drop)
        .collect();
    let columns = kept
        .iter()
        .map(|at| Growing::new(&header[*at], keeps[*at], &nulls))
        .collect();
    let mut gathering = Gathering::new(columns, options.counted);
    let mut rows = 0;
    guarded(&path, || {
        for batch in batches(&path, builder, &kept)? {
            let batch = batch.map_err(|error| damaged(&path, &error))?;
            rows += batch.num_rows() as u64;
            absorb(&path, &batch, &nulls[0], &mut gathering)?;
            progress(digested.bytes, Some(digested.bytes))?;
        }
        Ok(())
    })?;
    if rows == 0 {
        return Err(IoError::data(
            files::place(&path),
            "the file has columns but no row",
            None,
        ));
    }
    let gathered = gathering.finish(&nulls)?;
    let Digested { sha256, bytes } = digested;
    Ok(ReadTable {
        table: gathered.table,
        order: gathered.order,
        header,
        delimiter: None,
        rows,
        sha256,
        bytes,
        lines: RowLines::starting_at(1),
        missing: gathered.missing,
    })
}

/// All bytes of the file.
fn load(opened: Opened, progress: Progress<'_>) -> Result<(Bytes, Digested), IoError> {
    let mut feed = Feed::start(opened, BLOCK);
    let mut bytes = Vec::new();
    while let Some(block) = feed.next(progress)? {
        bytes.extend_from_slice(&block);
    }
    Ok((bytes.into(), feed.digested()?))
}

fn open(path: &Path, bytes: Bytes) -> Result<(Builder, Vec<String>), IoError> {
    if bytes.is_empty() {
        return Err(IoError::data(files::place(path), "the file is empty", None));
    }
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let plain = ArrowReaderMetadata::load(&bytes, options.clone())
        .map_err(|error| damaged(path, &error))?;
    // Pages hold codes and a dictionary: texts are asked for in that form, so that a row costs a look-up.
    let coded = options.with_schema(Arc::new(coded(plain.schema())));
    let metadata = ArrowReaderMetadata::try_new(Arc::clone(plain.metadata()), coded);
    let builder = Builder::new_with_metadata(bytes, metadata.unwrap_or(plain));
    let names: Vec<String> = builder
        .schema()
        .fields()
        .iter()
        .map(|field| field.name().clone())
        .collect();
    check_names(&names).map_err(|what| IoError::data(files::place(path), what, None))?;
    Ok((builder, names))
}

/// The same schema with texts as codes of a dictionary.
fn coded(schema: &Schema) -> Schema {
    let field = |field: &FieldRef| match field.data_type() {
        DataType::Utf8 => {
            let kind = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
            Arc::new(field.as_ref().clone().with_data_type(kind))
        }
        _ => Arc::clone(field),
    };
    Schema::new(schema.fields().iter().map(field).collect::<Fields>())
}

/// The kept columns of the file, batch by batch.
fn batches(
    path: &Path,
    builder: Builder,
    kept: &[usize],
) -> Result<impl Iterator<Item = Result<RecordBatch, arrow_schema::ArrowError>>, IoError> {
    for at in kept {
        let field = builder.schema().field(*at);
        if !is_readable(field.data_type()) {
            let what = format!(
                "column `{}` holds nested or binary values, not single ones",
                field.name()
            );
            return Err(IoError::data(
                files::place(path),
                what,
                Some("drop the column, or flatten it before"),
            ));
        }
    }
    let mask = ProjectionMask::roots(builder.parquet_schema(), kept.iter().copied());
    builder
        .with_batch_size(ROWS)
        .with_projection(mask)
        .build()
        .map_err(|error| damaged(path, &error))
}

fn absorb(
    path: &Path,
    batch: &RecordBatch,
    null: &str,
    gathering: &mut Gathering,
) -> Result<(), IoError> {
    if batch.num_columns() != gathering.width() {
        return Err(IoError::internal(
            "a batch has other columns than were asked for",
        ));
    }
    let parts = batch.columns().par_iter().enumerate().map(|(at, array)| {
        texts(array, null).map_err(|what| {
            let what = format!("column `{}` {what}", gathering.name(at));
            IoError::data(files::place(path), what, None)
        })
    });
    let parts = parts.collect::<Result<Vec<_>, _>>()?;
    gathering.absorb(&[&parts])
}

fn damaged(path: &Path, error: &dyn std::error::Error) -> IoError {
    let what = format!("the Parquet file is damaged, or is none: {error}");
    IoError::data(
        files::place(path),
        what,
        Some("make or copy the file again"),
    )
}

/// Turns a panic of the Parquet crate, which trusts much of what a file says, into an error.
fn guarded<T>(path: &Path, work: impl FnOnce() -> Result<T, IoError>) -> Result<T, IoError> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let place = Place::file(path.display().to_string());
        Err(IoError::data(
            place,
            "the Parquet file is damaged",
            Some("make or copy the file again"),
        ))
    })
}

#[cfg(test)]
mod tests;
