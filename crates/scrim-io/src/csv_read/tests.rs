use proptest::prelude::*;

use super::*;
use crate::Memory;

fn options(delimiter: Option<u8>) -> ReadOptions {
    ReadOptions {
        delimiter,
        ..ReadOptions::default()
    }
}

fn read_sized(bytes: &[u8], delimiter: Option<u8>, sizes: Sizes) -> Result<ReadTable, IoError> {
    let keep = &mut |names: &[String]| Ok(vec![Keep::AsIs; names.len()]);
    read_in_pieces(
        Opened::bytes("t.csv", bytes),
        &options(delimiter),
        keep,
        &mut |_, _| Ok(()),
        sizes,
    )
}

fn read(bytes: &[u8]) -> Result<ReadTable, IoError> {
    read_sized(bytes, None, SIZES)
}

fn error(bytes: &[u8]) -> String {
    read(bytes).unwrap_err().to_string()
}

fn rows(read: &ReadTable) -> Vec<Vec<String>> {
    let columns = read.table.columns();
    (0..read.table.rows())
        .map(|row| {
            columns
                .iter()
                .map(|column| column.text(row).to_owned())
                .collect()
        })
        .collect()
}

#[test]
fn a_plain_file_is_read_as_it_stands() {
    let read = read(b"\xef\xbb\xbfname,age\r\nx, 5\r\ny,\r\n\r\n\n").unwrap();
    assert_eq!(read.header, ["name", "age"]);
    assert_eq!(rows(&read), [["x", " 5"], ["y", ""]]);
    assert_eq!(
        read.missing,
        [("name".to_owned(), 0), ("age".to_owned(), 1)]
    );
    assert_eq!((read.bytes, read.rows, read.lines.line(1)), (26, 2, 3));
}

#[test]
fn columns_are_dropped_or_kept_as_the_plan_says() {
    let plan = &mut |names: &[String]| {
        assert_eq!(names, ["id", "a", "b"]);
        Ok(vec![Keep::Drop, Keep::Value, Keep::AsIs])
    };
    let nulls = vec!["?".to_owned(), String::new()];
    let options = ReadOptions {
        delimiter: None,
        nulls,
        ..ReadOptions::default()
    };
    let opened = Opened::bytes("t.csv", b"id,a,b\n1,?,?\n2,,\n3,x,y\n");
    let read = read_table(opened, &options, plan, &mut |_, _| Ok(())).unwrap();
    assert_eq!(rows(&read), [["?", "?"], ["?", ""], ["x", "y"]]);
    assert_eq!(
        read.table.column("a").unwrap().dictionary().missing(),
        Some(0)
    );
    assert_eq!(read.missing, [("a".to_owned(), 2), ("b".to_owned(), 2)]);
    assert!(read.table.column("id").is_none());
}

#[test]
fn errors_of_the_plan_and_of_progress_are_passed_on() {
    let stop = |_: &[String]| {
        Err(scrim::Error::Infeasible {
            what: "no".into(),
            hint: None,
        })
    };
    let opened = || Opened::bytes("t.csv", b"a\n1\n");
    let error =
        read_table(opened(), &options(None), &mut { stop }, &mut |_, _| Ok(())).unwrap_err();
    assert_eq!(error.to_string(), "no");
    let keep = &mut |_: &[String]| Ok(vec![Keep::AsIs]);
    let error = read_table(opened(), &options(None), keep, &mut |_, _| {
        Err(scrim::Error::Interrupted)
    })
    .unwrap_err();
    assert!(matches!(error, IoError::Scrim(scrim::Error::Interrupted)));
}

#[test]
fn a_faulty_file_is_told_with_its_line() {
    assert_eq!(error(b""), "t.csv: the file is empty");
    assert_eq!(error(b"\n\r\n"), "t.csv: the file is empty");
    assert_eq!(error(b"a,b\n\n"), "t.csv: the file has a header but no row");
    assert_eq!(error(b"a,b"), "t.csv: the file has a header but no row");
    assert_eq!(
        error(b"a,\n1,2\n"),
        "t.csv:1: column 2 of the header has no name"
    );
    assert_eq!(
        error(b"a,b,a\n1,2,3\n"),
        "t.csv:1: columns 1 and 3 of the header have the same name"
    );
    assert_eq!(
        error(b"a,b,c,d,e\n1,2,3,4,5\n1,2,3\n"),
        "t.csv:3: this row has 3 fields, but the header has 5"
    );
    assert_eq!(
        error(b"a,b\n1,\"x\ny\"\n1,2,3\n"),
        "t.csv:4: this row has 3 fields, but the header has 2"
    );
    assert_eq!(
        error(b"a,b\n1,2\n\n3,4\n"),
        "t.csv:3: this line is blank, but the header has 2 columns"
    );
    assert_eq!(
        error(b"a,b\n1,2\n3,\"4\n5,6\n"),
        "t.csv:3: a quote opens a field here and is never closed"
    );
    assert_eq!(
        error(b"a,\"b\n1,2\n"),
        "t.csv:1: a quote opens a field here and is never closed"
    );
    assert_eq!(
        error(b"a,b\r1,2\r3,4"),
        "t.csv: the lines of this file end with CR alone"
    );
}

#[test]
fn text_that_is_not_utf_8_is_told_by_line_column_and_byte() {
    let error = read(b"\xef\xbb\xbfa,b\n1,2\n\xc3\xbc,x\xfc\n").unwrap_err();
    assert_eq!(
        error.to_string(),
        "t.csv:3:4: this is not UTF-8 text (byte 16 of the file)"
    );
    assert!(error.hint().unwrap().contains("iconv"));
    assert_eq!(
        read(b"a,\xff\n1,2\n").unwrap_err().to_string(),
        "t.csv:1:3: this is not UTF-8 text (byte 3 of the file)"
    );
}

#[test]
fn a_field_that_never_ends_is_told_by_its_line() {
    let mut text = b"a,b\n1,2\n3,\"4\n".to_vec();
    text.resize(3 << 20, b'x');
    let sizes = Sizes {
        block: 1 << 20,
        ..SIZES
    };
    let error = read_sized(&text, None, sizes).unwrap_err();
    assert_eq!(
        error.to_string(),
        "t.csv:3: a field is longer than 1 MiB; it starts on line 3"
    );
    assert_eq!(
        error.hint(),
        Some("is a quote not closed, or the delimiter another one?")
    );
}

#[test]
fn no_error_holds_the_content_of_a_cell() {
    for text in [
        "a,b\nsecret\n",
        "a,b\nsecret,\"secret",
        "a,b\nsecret,1,2\n",
        "a,b\n\nsecret,1\n",
    ] {
        let error = read(text.as_bytes()).unwrap_err();
        assert!(!format!("{error} {:?}", error.hint()).contains("secret"));
    }
}

#[test]
fn nul_bytes_are_text() {
    assert_eq!(rows(&read(b"a,b\n\0,1\n").unwrap()), [["\0", "1"]]);
}

#[test]
fn a_delimiter_can_be_given() {
    let read = read_sized(b"a:b\n1:2\n", Some(b':'), SIZES).unwrap();
    assert_eq!(rows(&read), [["1", "2"]]);
    assert!(read_sized(b"a\"b\n1\"2\n", Some(b'"'), SIZES).is_err());
}

#[test]
fn the_header_alone_can_be_read() {
    let names = read_header(Opened::bytes("t.csv", b"a;b\n1;2\n"), &options(None)).unwrap();
    assert_eq!(names, ["a", "b"]);
}

/// A table as text, with quotes where they must stand and here and there where they need not.
fn render(cells: &[Vec<(String, bool)>], line_end: &str) -> String {
    let width = cells[0].len();
    let mut text = (0..width)
        .map(|at| format!("c{at}"))
        .collect::<Vec<_>>()
        .join(",")
        + line_end;
    for row in cells {
        let fields: Vec<String> = row
            .iter()
            .map(|(cell, quote)| {
                let must = cell.contains([',', '"', '\n', '\r']) || (width == 1 && cell.is_empty());
                if must || *quote {
                    format!("\"{}\"", cell.replace('"', "\"\""))
                } else {
                    cell.clone()
                }
            })
            .collect();
        text += &(fields.join(",") + line_end);
    }
    text
}

fn table_cells() -> impl Strategy<Value = Vec<Vec<(String, bool)>>> {
    (1..4_usize).prop_flat_map(|width| {
        let cell = ("[ab,\"\n\r ü]{0,5}", prop::bool::weighted(0.2));
        prop::collection::vec(prop::collection::vec(cell, width), 1..12)
    })
}

fn sizes() -> impl Strategy<Value = Sizes> {
    (4..80_usize, 1..60_usize).prop_map(|(block, piece)| Sizes { block, piece })
}

/// A table of three columns and one that is dropped, with rows or with each different row once.
fn read_counted(text: &str, counted: bool, sizes: Sizes) -> ReadTable {
    read_within(text, counted, sizes, None)
}

fn read_within(text: &str, counted: bool, sizes: Sizes, memory: Option<Memory>) -> ReadTable {
    let options = ReadOptions {
        counted,
        memory,
        order: true,
        ..ReadOptions::default()
    };
    read_with(text, sizes, options)
}

fn read_in_sections(text: &str, sizes: Sizes, memory: Memory) -> ReadTable {
    let options = ReadOptions {
        counted: true,
        memory: Some(memory),
        sections: true,
        order: true,
        ..ReadOptions::default()
    };
    read_with(text, sizes, options)
}

fn read_with(text: &str, sizes: Sizes, options: ReadOptions) -> ReadTable {
    let keep = &mut |_: &[String]| Ok(vec![Keep::Value, Keep::AsIs, Keep::Value, Keep::Drop]);
    let options = ReadOptions {
        delimiter: Some(b','),
        nulls: vec!["?".to_owned(), String::new()],
        ..options
    };
    let opened = Opened::bytes("t.csv", text.as_bytes());
    read_in_pieces(opened, &options, keep, &mut |_, _| Ok(()), sizes).unwrap()
}

/// Lines that repeat for some thousand rows and then do so no more, in one piece.
#[test]
fn a_table_whose_lines_cease_to_repeat_is_counted_alike() {
    let row = |row: u32| match row {
        0..3000 => format!("{},b,?,{}\n", row % 7, row % 2),
        _ => format!("{},{row},c,\n", row % 9),
    };
    let text = format!("x,y,z,dropped\n{}", (0..6000).map(row).collect::<String>());
    let (plain, counted) = (
        read_counted(&text, false, SIZES),
        read_counted(&text, true, SIZES),
    );
    let held = rows(&counted);
    assert_eq!(held.len(), 3007);
    let order = counted.order.unwrap();
    let order = order.to_vec();
    let expanded = order.iter().map(|row| held[*row as usize].clone());
    let expanded: Vec<_> = expanded.collect();
    assert_eq!(expanded, rows(&plain));
    assert_eq!(counted.table.first(7), 3000);
    assert_eq!((counted.rows, counted.missing), (plain.rows, plain.missing));
}

proptest! {
    #[test]
    fn a_well_formed_table_reads_as_it_was_meant(
        cells in table_cells(), crlf: bool, last in 0..3_usize, sizes in sizes(),
    ) {
        let line_end = if crlf { "\r\n" } else { "\n" };
        let mut text = render(&cells, line_end);
        match last {
            0 => text.truncate(text.len() - line_end.len()),
            1 => text += &line_end.repeat(3),
            _ => {}
        }
        let read = read_sized(text.as_bytes(), Some(b','), sizes).unwrap();
        let mut line = 2;
        for (row, expected) in cells.iter().enumerate() {
            prop_assert_eq!(read.lines.line(row), line);
            line += 1 + expected.iter().map(|(cell, _)| cell.matches('\n').count() as u64).sum::<u64>();
        }
        let expected: Vec<Vec<String>> =
            cells.into_iter().map(|row| row.into_iter().map(|(cell, _)| cell).collect()).collect();
        prop_assert_eq!(rows(&read), expected);
        prop_assert_eq!(read.sha256, crate::sha256(text.as_bytes()));
    }

    #[test]
    fn a_counted_table_has_each_different_row_once(
        cells in prop::collection::vec((prop::collection::vec("[ab?]?", 4), any::<bool>()), 1..60), sizes in sizes(),
    ) {
        // The last column is dropped and line ends differ: different lines may be the same row.
        let text: String = std::iter::once("x,y,z,dropped\n".to_owned())
            .chain(cells.iter().map(|(row, crlf)| row.join(",") + if *crlf { "\r\n" } else { "\n" }))
            .collect();
        let (plain, counted) = (read_counted(&text, false, sizes), read_counted(&text, true, sizes));
        let order = counted.order.as_ref().unwrap().to_vec();
        let little = Some(Memory::new(1 << 30, &std::env::temp_dir()));
        let spilled = read_within(&text, true, sizes, little);
        prop_assert_eq!(&spilled.order.as_ref().unwrap().to_vec(), &order);
        prop_assert_eq!(rows(&spilled), rows(&counted));
        prop_assert_eq!((0..).zip(rows(&spilled)).map(|(row, _)| spilled.table.first(row)).collect::<Vec<_>>(),
            (0..).zip(rows(&counted)).map(|(row, _)| counted.table.first(row)).collect::<Vec<_>>());
        let held = rows(&counted);
        let expanded: Vec<_> = order.iter().map(|row| held[*row as usize].clone()).collect();
        prop_assert_eq!(&expanded, &rows(&plain));
        prop_assert_eq!((&counted.missing, counted.rows), (&plain.missing, plain.rows));
        prop_assert_eq!(counted.table.all_rows(), plain.rows);
        let mut different = held.clone();
        different.sort();
        different.dedup();
        prop_assert_eq!(different.len(), held.len());
        for row in 0..counted.table.rows() {
            let times = order.iter().filter(|held| **held as usize == row).count();
            prop_assert_eq!(counted.table.times(row), times as u64);
            let first = order.iter().position(|held| *held as usize == row);
            prop_assert_eq!(Some(counted.table.first(row) as usize), first);
        }
        for (own, other) in counted.table.columns().iter().zip(plain.table.columns()) {
            prop_assert!(own.dictionary().texts().eq(other.dictionary().texts()));
            prop_assert_eq!(own.counts(), other.counts());
            prop_assert_eq!(own.dictionary().missing(), other.dictionary().missing());
        }
    }

    #[test]
    fn sections_have_all_rows_in_their_order(
        cells in prop::collection::vec((prop::collection::vec("[ab?]?", 4), any::<bool>()), 1..80), sizes in sizes(), more in 0..2000u64,
    ) {
        let text: String = std::iter::once("x,y,z,dropped\n".to_owned())
            .chain(cells.iter().map(|(row, crlf)| row.join(",") + if *crlf { "\r\n" } else { "\n" }))
            .collect();
        let plain = read_counted(&text, false, sizes);
        // Room for the texts and a few rows, or for all of them.
        let memory = Memory::new((80 << 20) + 2500 + more, &std::env::temp_dir());
        let read = read_in_sections(&text, sizes, memory);
        prop_assert_eq!((&read.missing, read.rows, &read.sha256), (&plain.missing, plain.rows, &plain.sha256));
        let Some(sections) = &read.sections else {
            prop_assert_eq!(read.table.all_rows(), plain.rows);
            return Ok(());
        };
        let order = read.order.as_ref().unwrap().to_vec();
        let (mut all, mut row) = (Vec::new(), 0);
        for section in 0..sections.len() {
            let table = sections.table(section).unwrap();
            let of_file = sections.of_file(section);
            prop_assert_eq!(of_file.start, row);
            let own = &order[of_file.start as usize..of_file.end as usize];
            for held in 0..table.rows() {
                let times = own.iter().filter(|own| **own as usize == held).count();
                prop_assert_eq!(table.times(held), times as u64);
                let first = own.iter().position(|own| *own as usize == held).unwrap();
                prop_assert_eq!(table.first(held), of_file.start + first as u64);
            }
            let text = |row: &u32| table.columns().iter().map(|column| column.text(*row as usize).to_owned()).collect();
            all.extend(own.iter().map(text).collect::<Vec<Vec<String>>>());
            row = of_file.end;
        }
        prop_assert_eq!(row, plain.rows);
        prop_assert_eq!(all, rows(&plain));
        // Every value is in the row in which it stands first.
        let firsts = sections.first_rows().unwrap();
        for (own, whole) in firsts.columns().iter().zip(plain.table.columns()) {
            for code in 0..whole.dictionary().len() as u32 {
                let first = (0..plain.table.rows()).find(|row| whole.codes().get(*row) == code).unwrap();
                let found = (0..firsts.rows()).find(|row| own.codes().get(*row) == code).unwrap();
                prop_assert_eq!(firsts.first(found), first as u64);
            }
        }
    }

    /// Whatever is accepted reads as the csv crate reads it, which knows nothing of pieces and blocks.
    #[test]
    fn what_is_accepted_reads_as_by_the_csv_crate(
        soup in prop::collection::vec(prop::sample::select(vec!["a", "b", ",", ",", "\"", "\n", "\r\n", "ü"]), 0..40),
        sizes in sizes(),
    ) {
        let text = format!("x,y\n{}", soup.concat());
        let Ok(read) = read_sized(text.as_bytes(), Some(b','), sizes) else { return Ok(()) };
        let mut oracle = csv::ReaderBuilder::new().from_reader(text.as_bytes());
        let expected: Vec<Vec<String>> =
            oracle.records().map(|record| record.unwrap().iter().map(str::to_owned).collect()).collect();
        prop_assert_eq!(rows(&read), expected);
    }

    #[test]
    fn sizes_of_pieces_and_blocks_change_nothing(
        soup in prop::collection::vec(prop::sample::select(vec!["a", "bc", ",", "\n", "1,2\n", "\r\n", "üü,x\r\n"]), 0..60),
        width in 1..3_usize, sizes in sizes(),
    ) {
        let text = format!("{}\n{}", if width == 1 { "x" } else { "x,y" }, soup.concat());
        let whole = read_sized(text.as_bytes(), Some(b','), SIZES);
        let parts = read_sized(text.as_bytes(), Some(b','), sizes);
        match (whole, parts) {
            (Ok(whole), Ok(parts)) => {
                for (whole, parts) in whole.table.columns().iter().zip(parts.table.columns()) {
                    prop_assert!(whole.dictionary().texts().eq(parts.dictionary().texts()));
                    prop_assert!((0..whole.codes().len()).all(|row| whole.codes().get(row) == parts.codes().get(row)));
                }
            }
            (whole, parts) => {
                prop_assert_eq!(whole.map(|_| ()).unwrap_err().to_string(), parts.map(|_| ()).unwrap_err().to_string());
            }
        }
    }

    #[test]
    fn no_bytes_make_it_panic(
        head in prop::sample::select(vec![&b""[..], b"\xef\xbb\xbf", b"\x1f\x8b\x08\0", b"\x28\xb5\x2f\xfd", b"a,b\n"]),
        bytes in prop::collection::vec(prop_oneof![any::<u8>(), prop::sample::select(b"\",;\n\r\tab".to_vec())], 0..200),
        sizes in sizes(),
    ) {
        drop(read_sized(&[head, &bytes].concat(), None, sizes));
        drop(read(&[head, &bytes].concat()));
    }

    #[test]
    fn no_change_to_a_table_makes_it_panic(
        cells in table_cells(), at: prop::sample::Index, byte: u8, cut: bool, sizes in sizes(),
    ) {
        let mut bytes = render(&cells, "\n").into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if cut {
            bytes.truncate(at + 1);
        }
        drop(read_sized(&bytes, None, sizes));
    }
}
