//! Parquet files. Columns are equally long, counting while reading changes no row, and a table that was read and written again reads
//! as the same rows.
#![no_main]

use libfuzzer_sys::fuzz_target;
use scrim::table::Column;
use scrim_fuzz::{counts, file, folder, must_agree, read, start};
use scrim_io::{OutColumn, ReadOptions, write_parquet};

fuzz_target!(init: start(), |data: &[u8]| {
    let path = file("t.parquet", data);
    let options = ReadOptions::default();
    let Ok(first) = must_agree(&path, &options) else { return };
    let column = |column: &Column| OutColumn {
        name: column.name().to_owned(),
        labels: column.dictionary().texts().map(|text| Some(text.to_owned())).collect(),
        codes: column.codes().clone(),
    };
    let columns: Vec<OutColumn> = first.table.columns().iter().map(column).collect();
    let again = folder().join("again.parquet");
    write_parquet(&again, &columns, first.table.rows(), None, &mut |_| Ok(())).expect("a table that was read can be written");
    let second = read(&again, &options).expect("a table that was written can be read");
    assert_eq!((&first.header, counts(&first)), (&second.header, counts(&second)));
});
