//! The hot loops between a file and counts: reading row by row and counted, writing by the order of rows. The table has Adult's columns by
//! number of values; half of its rows are alike.

use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use scrim::table::Codes;
use scrim_io::{
    Keep, Order, OutColumn, ReadOptions, ReadTable, Source, read_table, write_csv, write_parquet,
};

const ROWS: usize = 200_000;
const VALUES: [u64; 9] = [2, 72, 5, 7, 16, 41, 8, 14, 2];

fn main() {
    divan::main();
}

/// The table as CSV and as Parquet, made once.
fn files() -> &'static [PathBuf; 2] {
    static FILES: OnceLock<[PathBuf; 2]> = OnceLock::new();
    FILES.get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder").keep();
        let paths = ["table.csv", "table.parquet"].map(|name| folder.join(name));
        let columns = columns();
        write_csv(&paths[0], &columns, ROWS, None, &mut |_| Ok(())).expect("written");
        write_parquet(&paths[1], &columns, ROWS, None, &mut |_| Ok(())).expect("written");
        paths
    })
}

fn columns() -> Vec<OutColumn> {
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        state >> 33
    };
    // Every other row is one of a thousand.
    let seeds: Vec<u64> = (0..ROWS)
        .map(|row| if row % 2 == 0 { next() % 1000 } else { next() })
        .collect();
    let column = |(at, values): (usize, &u64)| {
        let code = |seed: &u64| {
            let mixed = (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15 ^ (at as u64) << 32);
            ((mixed >> 40) % values) as u8
        };
        OutColumn {
            name: format!("column-{at}"),
            labels: (0..*values)
                .map(|value| Some(format!("value-{value}")))
                .collect(),
            codes: Codes::U8(seeds.iter().map(code).collect()),
        }
    };
    VALUES.iter().enumerate().map(column).collect()
}

fn read(path: &Path, counted: bool) -> ReadTable {
    let keep = &mut |names: &[String]| Ok(vec![Keep::Value; names.len()]);
    let options = ReadOptions {
        counted,
        ..ReadOptions::default()
    };
    read_table(
        &Source::File(path.to_owned()),
        &options,
        keep,
        &mut |_, _| Ok(()),
    )
    .expect("a table")
}

/// 0: CSV, 1: Parquet.
#[divan::bench(args = [0, 1], sample_count = 10)]
fn counting_the_different_rows(bencher: Bencher<'_, '_>, format: usize) {
    let path = &files()[format];
    let bytes = read(path, true).bytes;
    bencher
        .counter(ItemsCount::new(ROWS))
        .counter(BytesCount::new(bytes))
        .bench(|| black_box(read(path, true)));
}

#[divan::bench(args = [0, 1], sample_count = 10)]
fn reading_row_by_row(bencher: Bencher<'_, '_>, format: usize) {
    let path = &files()[format];
    bencher
        .counter(ItemsCount::new(ROWS))
        .bench(|| black_box(read(path, false)));
}

#[divan::bench(args = [0, 1], sample_count = 10)]
fn writing_by_order(bencher: Bencher<'_, '_>, format: usize) {
    let read = read(&files()[0], true);
    let order = read.order.expect("it is counted");
    let columns: Vec<OutColumn> = read
        .table
        .columns()
        .iter()
        .map(|column| OutColumn {
            name: column.name().to_owned(),
            labels: column
                .dictionary()
                .texts()
                .map(|text| Some(text.to_owned()))
                .collect(),
            codes: column.codes().clone(),
        })
        .collect();
    let different = read.table.rows();
    let places: Vec<u32> = (0..different as u32).collect();
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("written");
    let write = [write_csv, write_parquet][format];
    bencher.counter(ItemsCount::new(ROWS)).bench(|| {
        let order = Some(Order::whole(&order, &places));
        write(&path, &columns, different, order, &mut |_| Ok(())).expect("written");
    });
}
