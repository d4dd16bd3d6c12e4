//! What the fuzz targets share: a file to read from, readings as rows of texts, and how a panic ends a target.

pub mod ledger;

use std::collections::BTreeMap;
use std::fs;
use std::panic::take_hook;
use std::path::PathBuf;
use std::sync::OnceLock;

use scrim_io::{IoError, Keep, ReadOptions, ReadTable, Source, read_table};

/// A row of a table, as texts.
pub type Row = Vec<String>;

/// Lets the panics through that Scrim itself turns into errors. `libfuzzer-sys` ends the process in the hook; here a panic ends it
/// when it leaves the target.
pub fn start() {
    drop(take_hook());
    scrim_io::silence_guarded_panics();
}

/// A folder of this process.
pub fn folder() -> PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    let make = || {
        let folder = std::env::temp_dir().join(format!("scrim-fuzz-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a folder for the input can be made");
        folder
    };
    FOLDER.get_or_init(make).clone()
}

/// Writes the input of a target to a file of this name.
pub fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder().join(name);
    fs::write(&path, bytes).expect("the input can be written");
    path
}

/// Reads a table with all its columns as they are.
pub fn read(path: &PathBuf, options: &ReadOptions) -> Result<ReadTable, IoError> {
    let keep = &mut |names: &[String]| Ok(vec![Keep::AsIs; names.len()]);
    read_table(&Source::File(path.clone()), options, keep, &mut |_, _| {
        Ok(())
    })
}

/// The rows of a table that has each row of the file.
pub fn rows(read: &ReadTable) -> Vec<Row> {
    let columns = read.table.columns();
    let row = |row: usize| {
        columns
            .iter()
            .map(move |column| column.text(row).to_owned())
    };
    (0..read.table.rows()).map(|at| row(at).collect()).collect()
}

/// How often each row is in a table.
pub fn counts(read: &ReadTable) -> BTreeMap<Row, u64> {
    let mut counts = BTreeMap::new();
    for (at, row) in rows(read).into_iter().enumerate() {
        *counts.entry(row).or_default() += read.table.times(at);
    }
    counts
}

/// What every reading of one file has in common, however it is held: asserts it of a table with all its rows and of the same table
/// as distinct rows with their numbers.
pub fn must_agree(path: &PathBuf, options: &ReadOptions) -> Result<ReadTable, IoError> {
    let counted = ReadOptions {
        counted: true,
        ..options.clone()
    };
    match (read(path, options), read(path, &counted)) {
        (Ok(whole), Ok(counted)) => {
            let columns = whole.table.columns();
            assert!(
                columns
                    .iter()
                    .all(|column| column.codes().len() == whole.table.rows())
            );
            assert_eq!(columns.len(), whole.header.len());
            assert_eq!(whole.rows, whole.table.rows() as u64);
            assert_eq!((whole.rows, &whole.sha256), (counted.rows, &counted.sha256));
            assert_eq!(whole.missing, counted.missing);
            assert_eq!(counts(&whole), counts(&counted), "counted rows are others");
            Ok(whole)
        }
        (Err(whole), Err(counted)) => {
            assert_eq!(whole.to_string(), counted.to_string());
            Err(whole)
        }
        (whole, counted) => panic!(
            "one reading is refused: {:?} and {:?}",
            whole.map(|_| ()).map_err(|error| error.to_string()),
            counted.map(|_| ()).map_err(|error| error.to_string())
        ),
    }
}
