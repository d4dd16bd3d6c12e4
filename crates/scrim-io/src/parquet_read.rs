//! Reads a Parquet file into a table.
//!
//! **Reading.** The types are those of the Parquet schema; what a writer noted beside it (Arrow types, time zones) is
//! not looked at. Values become texts as [`crate::parquet_text`] says. A null is the first of the spellings of a
//! missing value. A thread of its own unpacks batches while those before are counted. A row group is read by itself: within one
//! every column has one dictionary, whose codes are taken as they are.

use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, FieldRef, Fields, Schema};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
};
use rayon::prelude::*;
use scrim::Place;

use crate::cells::Cells;
use crate::csv_header::check_names;
use crate::error::IoError;
use crate::feed::{Digested, Opened};
use crate::files;
use crate::gather::{Gathering, Part};
use crate::lines::RowLines;
use crate::memory::Memory;
use crate::merge::Growing;
use crate::parquet_file::{ParquetFile, Window};
use crate::parquet_pages::Pages;
use crate::parquet_text::{is_readable, texts};
use crate::source::{Keep, Plan, Progress, ReadOptions, ReadTable};

/// Rows of a batch: so few that its arrays are small blocks, which the allocator gives out again without asking the system.
const ROWS: usize = 1 << 14;

/// What is unpacked of a Parquet file at a time.
const PAGES: &str = "a page of each column of this Parquet file, unpacked,";

type Builder = ParquetRecordBatchReaderBuilder<Window>;
type Batch = Result<(RecordBatch, (u64, u64)), IoError>;

/// The names of the columns.
pub(crate) fn read_header(opened: Opened) -> Result<Vec<String>, IoError> {
    let path = opened.path.clone();
    guarded(&path, || {
        open(opened, None, &mut |_, _| Ok(())).map(|(_, names)| names)
    })
}

/// Reads a whole table.
pub(crate) fn read_table(
    opened: Opened,
    options: &ReadOptions,
    plan: Plan<'_>,
    progress: Progress<'_>,
) -> Result<ReadTable, IoError> {
    let path = opened.path.clone();
    let (mut file, header) = guarded(&path, || open(opened, options.memory.as_ref(), progress))?;
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
    let mut gathering = Gathering::new(columns, options)?;
    let mut rows = 0;
    must_be_readable(&path, &file, &kept)?;
    let (sender, receiver) = sync_channel::<Batch>(2);
    let mut unchecked = false;
    thread::scope(|scope| {
        let (file, unchecked) = (&mut file, &mut unchecked);
        let memory = options.memory.as_ref();
        let (path, kept) = (&path, &kept);
        let send = move || {
            let sent = guarded(path, || send_batches(file, (path, kept), memory, &sender));
            match sent {
                Ok(found) => *unchecked = found,
                Err(error) => drop(sender.send(Err(error))),
            }
        };
        let started = thread::Builder::new().spawn_scoped(scope, send);
        started.map_err(|error| IoError::thread(&error))?;
        guarded(path, || {
            for batch in receiver {
                let (batch, (done, all)) = batch?;
                rows += batch.num_rows() as u64;
                absorb(path, &batch, &nulls[0], &mut gathering)?;
                progress(done, Some(all))?;
            }
            Ok(())
        })
    })?;
    if rows == 0 {
        return Err(IoError::data(
            files::place(&path),
            "the file has columns but no row",
            None,
        ));
    }
    let gathered = gathering.finish(&nulls)?;
    let Digested { sha256, bytes } = file.digested()?;
    Ok(ReadTable {
        table: gathered.table,
        order: gathered.order.map(Arc::new),
        sections: gathered.sections.map(Arc::new),
        held: gathered.held,
        header,
        delimiter: None,
        rows,
        sha256,
        bytes,
        lines: RowLines::starting_at(1),
        missing: gathered.missing,
        unchecked,
    })
}

fn open(
    opened: Opened,
    memory: Option<&Memory>,
    progress: Progress<'_>,
) -> Result<(ParquetFile, Vec<String>), IoError> {
    let path = opened.path.clone();
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let say = |error: &dyn std::error::Error| damaged(&path, error);
    let mut file = ParquetFile::open(opened, options.clone(), memory, progress, say)?;
    // Pages hold codes and a dictionary: texts are asked for in that form, so that a row costs a look-up.
    let coded = options.with_schema(Arc::new(coded(file.metadata.schema())));
    let metadata = Arc::clone(file.metadata.metadata());
    if let Ok(metadata) = ArrowReaderMetadata::try_new(metadata, coded) {
        file.metadata = metadata;
    }
    let fields = file.metadata.schema().fields().iter();
    let names: Vec<String> = fields.map(|field| field.name().clone()).collect();
    check_names(&names).map_err(|what| IoError::data(files::place(&path), what, None))?;
    Ok((file, names))
}

/// The same schema with texts as codes of a dictionary.
fn coded(schema: &Schema) -> Schema {
    let field = |field: &FieldRef| match field.data_type() {
        DataType::Utf8 => {
            let kind = DataType::Dictionary(Box::new(DataType::UInt32), Box::new(DataType::Utf8));
            Arc::new(field.as_ref().clone().with_data_type(kind))
        }
        _ => Arc::clone(field),
    };
    Schema::new(schema.fields().iter().map(field).collect::<Fields>())
}

fn must_be_readable(path: &Path, file: &ParquetFile, kept: &[usize]) -> Result<(), IoError> {
    for at in kept {
        let field = file.metadata.schema().field(*at);
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
    Ok(())
}

/// Unpacks the kept columns of the file, batch by batch, as long as somebody listens. Says whether a page has no checksum.
fn send_batches(
    file: &mut ParquetFile,
    (path, kept): (&Path, &[usize]),
    memory: Option<&Memory>,
    sender: &SyncSender<Batch>,
) -> Result<bool, IoError> {
    let mut unchecked = false;
    for group in 0..file.metadata.metadata().num_row_groups() {
        let window = file.group(group, memory)?;
        let columns = file.metadata.metadata().row_group(group).columns();
        let columns = kept.iter().filter_map(|at| columns.get(*at));
        let pages: Vec<Pages> = columns.map(|column| Pages::of(&window, column)).collect();
        unchecked |= pages.iter().any(|pages| pages.unchecked);
        // A page of each column is unpacked at a time.
        let unpacked = pages.iter().map(|pages| pages.largest).sum();
        memory.map_or(Ok(()), |memory| memory.must_do_for(path, PAGES, unpacked))?;
        let builder = Builder::new_with_metadata(window, file.metadata.clone());
        let mask = ProjectionMask::roots(builder.parquet_schema(), kept.iter().copied());
        let batches = builder
            .with_row_groups(vec![group])
            .with_batch_size(ROWS)
            .with_projection(mask)
            .build()
            .map_err(|error| damaged(path, &error))?;
        for batch in batches {
            let batch = batch.map_err(|error| damaged(path, &error))?;
            if sender.send(Ok((batch, file.done()))).is_err() {
                return Ok(unchecked);
            }
        }
    }
    Ok(unchecked)
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
    let cells = |(at, array): (usize, &ArrayRef)| {
        texts(array, null).map_err(|what| {
            let what = format!("column `{}` {what}", gathering.name(at));
            IoError::data(files::place(path), what, None)
        })
    };
    // Codes are taken as they are; all else is worth both cores.
    let is_coded = |array: &ArrayRef| matches!(array.data_type(), DataType::Dictionary(..));
    let columns = if batch.columns().iter().all(is_coded) {
        let columns = batch.columns().iter().enumerate();
        columns.map(cells).collect::<Result<Vec<_>, _>>()?
    } else {
        let columns = batch.columns().par_iter().enumerate();
        columns.map(cells).collect::<Result<Vec<_>, _>>()?
    };
    gathering.absorb(&[Part {
        columns: columns.iter().map(Cells::from).collect(),
        of_row: None,
    }])
}

fn damaged(path: &Path, error: &dyn std::error::Error) -> IoError {
    let what = format!("the Parquet file is damaged, or is none: {error}");
    IoError::data(
        files::place(path),
        what,
        Some("make or copy the file again"),
    )
}

/// How many readings are under way whose panics are turned into errors.
static GUARDED: AtomicUsize = AtomicUsize::new(0);

/// From now on the panics of readers that are turned into errors are not printed: they may quote what a file holds.
pub fn silence_guarded_panics() {
    let before = take_hook();
    set_hook(Box::new(move |panic| {
        if GUARDED.load(Ordering::SeqCst) == 0 {
            before(panic);
        }
    }));
}

/// Turns a panic of the Parquet crate, which trusts much of what a file says, into an error.
fn guarded<T>(path: &Path, work: impl FnOnce() -> Result<T, IoError>) -> Result<T, IoError> {
    GUARDED.fetch_add(1, Ordering::SeqCst);
    let worked = catch_unwind(AssertUnwindSafe(work));
    GUARDED.fetch_sub(1, Ordering::SeqCst);
    worked.unwrap_or_else(|_| {
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
