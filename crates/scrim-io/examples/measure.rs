//! Measures reading and writing: `measure FILE [--csv OUT] [--parquet OUT]`, times on stderr.

#![allow(
    clippy::result_large_err,
    reason = "an error ends the work: its size costs nothing"
)]

use std::path::Path;
use std::time::Instant;

use scrim_io::{Keep, OutColumn, ReadOptions, Source, read_table, write_csv, write_parquet};

#[expect(clippy::print_stderr, reason = "an example that measures")]
fn main() -> Result<(), scrim_io::IoError> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let source = Source::new(arguments.first().map_or("-", String::as_str));
    let keep = &mut |names: &[String]| Ok(vec![Keep::Value; names.len()]);
    let start = Instant::now();
    let read = read_table(&source, &ReadOptions::default(), keep, &mut |_, _| Ok(()))?;
    eprintln!(
        "read {} rows, {} bytes: {:?}",
        read.rows,
        read.bytes,
        start.elapsed()
    );
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
    for (format, path) in arguments.iter().zip(arguments.iter().skip(1)) {
        let write = match format.as_str() {
            "--csv" => write_csv,
            "--parquet" => write_parquet,
            _ => continue,
        };
        let start = Instant::now();
        write(
            Path::new(path),
            &columns,
            read.table.rows(),
            None,
            &mut |_| Ok(()),
        )?;
        eprintln!("wrote {format}: {:?}", start.elapsed());
    }
    Ok(())
}
