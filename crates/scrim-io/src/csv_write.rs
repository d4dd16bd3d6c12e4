//! Writes a table as CSV.
//!
//! **Reading.** RFC 4180 with LF: comma, a header, quotes only where a field holds a comma, a quote, CR or LF. Two
//! things more, so that what is written reads back the same: the empty value of a one-column table is `""`, else its
//! row were a blank line; and a name of the header that holds any character taken for a delimiter is quoted, so that
//! the comma is what a reader finds.

use std::io::Write;
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::thread;

use scrim::table::Codes;

use crate::error::IoError;
use crate::files;
use crate::out::{Order, OutColumn, OutParts, RowProgress, check, failed};
use crate::out_lines::DistinctLines;
use crate::sniff::CANDIDATES;

const ROWS: usize = 1 << 15;

/// Writes a CSV file. Formatting and writing share the work between two threads.
pub fn write_csv(
    path: &Path,
    columns: &[OutColumn],
    rows: usize,
    order: Option<Order<'_>>,
    progress: RowProgress<'_>,
) -> Result<(), IoError> {
    check(columns, rows)?;
    write(path, |take| {
        take(header(columns));
        format(columns, rows, order, progress, take)
    })
}

/// Writes a CSV file part by part; there is one at least.
pub fn write_csv_parts(
    path: &Path,
    parts: OutParts<'_>,
    progress: RowProgress<'_>,
) -> Result<(), IoError> {
    write(path, |take| {
        let mut before = 0;
        let mut begun = false;
        while let Some(part) = parts()? {
            check(&part.columns, part.rows)?;
            if !std::mem::replace(&mut begun, true) {
                take(header(&part.columns));
            }
            let mut done = 0;
            let hear = &mut |rows: u64| {
                done = rows;
                progress(before + rows)
            };
            format(&part.columns, part.rows, part.order(), hear, take)?;
            before += done;
        }
        Ok(())
    })
}

/// Takes a block of text; whether more is wanted.
type Take<'a> = &'a mut dyn FnMut(Vec<u8>) -> bool;

fn write(path: &Path, run: impl FnOnce(Take<'_>) -> Result<(), IoError>) -> Result<(), IoError> {
    let mut writer = files::create(path)?;
    let (sender, receiver) = sync_channel::<Vec<u8>>(4);
    thread::scope(|scope| {
        let writing = thread::Builder::new().spawn_scoped(scope, move || {
            receiver
                .iter()
                .try_for_each(|block| writer.write_all(&block))?;
            writer.flush()
        });
        let writing = writing.map_err(|error| IoError::thread(&error))?;
        let formatted = run(&mut |block| sender.send(block).is_ok());
        drop(sender);
        let written = writing
            .join()
            .map_err(|_| IoError::internal("the writing thread stopped"))?;
        formatted?;
        written.map_err(failed(path))
    })
}

/// Hands on blocks of text, as long as they are taken.
fn format(
    columns: &[OutColumn],
    rows: usize,
    order: Option<Order<'_>>,
    progress: RowProgress<'_>,
    take: Take<'_>,
) -> Result<(), IoError> {
    let cells: Vec<Cells<'_>> = columns
        .iter()
        .enumerate()
        .map(|(at, column)| Cells::new(column, at, columns))
        .collect();
    match order {
        None => format_rows(&cells, rows, progress, take),
        Some(order) => match order.runs() {
            Some(runs) => format_runs(&cells, runs, order.places, progress, take),
            None => Lines::new(columns, &cells, rows).format(order, progress, take),
        },
    }
}

/// Each of these rows as often as is said. `places` says where a row stands in the columns.
fn format_runs(
    cells: &[Cells<'_>],
    runs: &[(u32, u32)],
    places: &[u32],
    progress: RowProgress<'_>,
    take: Take<'_>,
) -> Result<(), IoError> {
    const SIZE: usize = 1 << 20;
    let mut block = Vec::with_capacity(SIZE + SIZE / 8);
    let mut line = Vec::new();
    let mut done = 0;
    for (row, times) in runs {
        let place = places[*row as usize];
        if place == Order::GONE {
            continue;
        }
        line.clear();
        for column in cells {
            line.extend_from_slice(column.text(place as usize));
        }
        for _ in 0..*times {
            block.extend_from_slice(&line);
            done += 1;
            if block.len() < SIZE {
                continue;
            }
            if !take(std::mem::replace(
                &mut block,
                Vec::with_capacity(SIZE + SIZE / 8),
            )) {
                // The thread that writes reports the error.
                return Ok(());
            }
            progress(done)?;
        }
    }
    take(block);
    Ok(progress(done)?)
}

fn format_rows(
    cells: &[Cells<'_>],
    rows: usize,
    progress: RowProgress<'_>,
    take: Take<'_>,
) -> Result<(), IoError> {
    let mut block = Vec::new();
    for start in (0..rows).step_by(ROWS) {
        let end = rows.min(start + ROWS);
        for row in start..end {
            for column in cells {
                block.extend_from_slice(column.text(row));
            }
        }
        let capacity = block.len();
        if !take(std::mem::replace(
            &mut block,
            Vec::with_capacity(capacity + capacity / 8),
        )) {
            return Ok(());
        }
        progress(end as u64)?;
    }
    take(block);
    Ok(())
}

/// The different lines of a table, ready to be copied.
struct Lines {
    texts: Vec<u8>,
    ends: Vec<usize>,
    distinct: DistinctLines,
}

impl Lines {
    fn new(columns: &[OutColumn], cells: &[Cells<'_>], rows: usize) -> Self {
        let distinct = DistinctLines::new(columns, rows);
        let mut texts = Vec::new();
        let mut ends = vec![0];
        for row in distinct.first_rows() {
            for column in cells {
                texts.extend_from_slice(column.text(*row as usize));
            }
            ends.push(texts.len());
        }
        Self {
            texts,
            ends,
            distinct,
        }
    }

    fn format(
        &self,
        order: Order<'_>,
        progress: RowProgress<'_>,
        take: Take<'_>,
    ) -> Result<(), IoError> {
        const SIZE: usize = 1 << 20;
        let mut block = Vec::with_capacity(SIZE + SIZE / 8);
        // The line of each different row, so that a row costs one look-up.
        let line_of = self.distinct.at(order.places);
        let (mut done, mut taken) = (0, true);
        order.each_block(|rows| {
            for row in rows {
                if !taken {
                    // Whoever writes has an error to tell.
                    return Ok(());
                }
                let line = line_of[*row as usize] as usize;
                block.extend_from_slice(&self.texts[self.ends[line]..self.ends[line + 1]]);
                if block.len() >= SIZE {
                    let full = std::mem::replace(&mut block, Vec::with_capacity(SIZE + SIZE / 8));
                    taken = take(full);
                }
            }
            done += rows.len() as u64;
            Ok(progress(done)?)
        })?;
        take(block);
        Ok(())
    }
}

/// The cells of a column, ready to be copied: escaped, each with the delimiter or line end that follows it.
struct Cells<'a> {
    texts: Vec<u8>,
    ends: Vec<usize>,
    codes: &'a Codes,
}

impl<'a> Cells<'a> {
    fn new(column: &'a OutColumn, at: usize, columns: &[OutColumn]) -> Self {
        let mut texts = Vec::new();
        let mut ends = vec![0];
        for label in &column.labels {
            let label = label.as_deref().unwrap_or_default();
            let vanishes = columns.len() == 1 && label.is_empty();
            escape(label, vanishes || holds(label, b",\"\r\n"), &mut texts);
            texts.push(if at + 1 == columns.len() { b'\n' } else { b',' });
            ends.push(texts.len());
        }
        Self {
            texts,
            ends,
            codes: &column.codes,
        }
    }

    #[inline]
    fn text(&self, row: usize) -> &[u8] {
        let code = self.codes.get(row) as usize;
        &self.texts[self.ends[code]..self.ends[code + 1]]
    }
}

fn header(columns: &[OutColumn]) -> Vec<u8> {
    let mut line = Vec::new();
    for (at, column) in columns.iter().enumerate() {
        if at > 0 {
            line.push(b',');
        }
        // A byte order mark would be skipped by a reader if it stood first.
        let quote = holds(&column.name, b"\"\r\n")
            || holds(&column.name, &CANDIDATES)
            || column.name.starts_with('\u{feff}');
        escape(&column.name, quote, &mut line);
    }
    line.push(b'\n');
    line
}

fn holds(text: &str, any: &[u8]) -> bool {
    text.bytes().any(|byte| any.contains(&byte))
}

fn escape(text: &str, quote: bool, into: &mut Vec<u8>) {
    if !quote {
        into.extend_from_slice(text.as_bytes());
        return;
    }
    into.push(b'"');
    for byte in text.bytes() {
        if byte == b'"' {
            into.push(b'"');
        }
        into.push(byte);
    }
    into.push(b'"');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::FileOrder;
    use crate::files::read_text;

    fn column(name: &str, labels: &[Option<&str>], codes: &[u8]) -> OutColumn {
        let labels = labels
            .iter()
            .map(|label| label.map(str::to_owned))
            .collect();
        OutColumn {
            name: name.to_owned(),
            labels,
            codes: Codes::U8(codes.to_vec()),
        }
    }

    fn written(columns: &[OutColumn], rows: usize) -> String {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv");
        write_csv(&path, columns, rows, None, &mut |_| Ok(())).unwrap();
        read_text(&path).unwrap()
    }

    #[test]
    fn quotes_stand_only_where_they_must() {
        let columns = [
            column("a;b", &[Some("x y"), Some("1,5"), None], &[0, 1, 2]),
            column("c", &[Some(" \"q\""), Some("l\nm")], &[0, 1, 0]),
        ];
        assert_eq!(
            written(&columns, 3),
            "\"a;b\",c\nx y,\" \"\"q\"\"\"\n\"1,5\",\"l\nm\"\n,\" \"\"q\"\"\"\n"
        );
    }

    #[test]
    fn rows_in_runs_are_written_as_often_as_is_said() {
        let columns = [column("a", &[Some("x"), Some("yy"), None], &[2, 0, 1])];
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv");
        // The second run fills more than a block; row 1 is not written.
        let order = FileOrder::of_runs(vec![(2, 1), (0, 600_000), (1, 5), (3, 2)]);
        let order = Order::whole(&order, &[1, Order::GONE, 2, 0]);
        let mut heard = 0;
        let mut hear = |rows| {
            heard = rows;
            Ok(())
        };
        write_csv(&path, &columns, 3, Some(order), &mut hear).unwrap();
        let expected = format!("a\nyy\n{}\"\"\n\"\"\n", "x\n".repeat(600_000));
        assert!(read_text(&path).unwrap() == expected);
        assert_eq!(heard, 600_003);
    }

    #[test]
    fn an_empty_value_of_a_one_column_table_does_not_vanish() {
        assert_eq!(
            written(&[column("a", &[None, Some("")], &[0, 1])], 2),
            "a\n\"\"\n\"\"\n"
        );
    }

    #[test]
    fn a_code_without_a_label_is_our_own_fault() {
        let dir = tempfile::tempdir().unwrap();
        let columns = [column("a", &[None], &[1])];
        let error = write_csv(
            &dir.path().join("a.csv"),
            &columns,
            1,
            None,
            &mut |_| Ok(()),
        )
        .unwrap_err();
        assert!(matches!(error, IoError::Scrim(scrim::Error::Internal(_))));
    }

    #[test]
    fn a_full_disk_is_told_with_the_path() {
        let path = Path::new("/dev/full");
        if !files::exists(path) {
            return;
        }
        let error = write_csv(
            path,
            &[column("a", &[None], &[0])],
            1,
            None,
            &mut |_| Ok(()),
        )
        .unwrap_err();
        assert!(matches!(&error, IoError::File { path, .. } if path == Path::new("/dev/full")));
        assert!(error.hint().is_some());
    }

    #[test]
    fn an_interruption_stops_the_writing() {
        let dir = tempfile::tempdir().unwrap();
        let columns = [column("a", &[None], &[0])];
        let stop = &mut |_| Err(scrim::Error::Interrupted);
        let error = write_csv(&dir.path().join("a.csv"), &columns, 1, None, stop).unwrap_err();
        assert!(matches!(error, IoError::Scrim(scrim::Error::Interrupted)));
    }
}
