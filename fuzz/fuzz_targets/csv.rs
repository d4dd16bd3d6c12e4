//! Delimited text, packed or not. What is accepted reads as the `csv` crate reads it; counting while reading changes no row.
#![no_main]

use libfuzzer_sys::fuzz_target;
use scrim_fuzz::{Row, file, must_agree, rows, start};
use scrim_io::ReadOptions;

fuzz_target!(init: start(), |data: &[u8]| {
    let path = file("t.csv", data);
    // The delimiter is found out.
    let _ = must_agree(&path, &ReadOptions::default());
    let comma = ReadOptions { delimiter: Some(b','), ..ReadOptions::default() };
    let Ok(read) = must_agree(&path, &comma) else { return };
    let packed = data.starts_with(b"\x1f\x8b") || data.starts_with(b"\x28\xb5\x2f\xfd");
    // Line ends of our files are LF or CRLF. To the csv crate a CR alone ends a line too, so such files are not compared.
    let lone_return = data.iter().enumerate().any(|(at, byte)| *byte == b'\r' && data.get(at + 1) != Some(&b'\n'));
    if packed || lone_return {
        return;
    }
    let text = data.strip_prefix(b"\xef\xbb\xbf").unwrap_or(data);
    let mut oracle = csv::ReaderBuilder::new().from_reader(text);
    let header: Row = oracle.headers().expect("a header that we read").iter().map(str::to_owned).collect();
    assert_eq!(read.header, header);
    let expected: Result<Vec<Row>, csv::Error> =
        oracle.records().map(|record| record.map(|record| record.iter().map(str::to_owned).collect())).collect();
    // In a table of one column a blank line is an empty value; the csv crate leaves blank lines out.
    let is_blank = |row: &Row| row.len() == 1 && row[0].is_empty();
    if let Ok(mut expected) = expected {
        let mut own = rows(&read);
        expected.retain(|row| !is_blank(row));
        own.retain(|row| !is_blank(row));
        assert_eq!(own, expected);
    }
});
