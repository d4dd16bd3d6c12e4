//! What all sections of a release tell together.

use scrim::frequency::{Counting, RowIds};
use scrim::hierarchy::{STAR, is_star};
use scrim::release::Prepared;
use scrim::release::policy::Policy;
use scrim::table::{Codes, Column, Role, Table};

use super::released::{count, table_of};
use crate::IoError;
use crate::pipeline::load::LoadedTable;

/// The quasi-identifiers of a release with all its rows, and of its other columns whether a cell is starred.
pub(super) fn told_whole(policy: &Policy, read: &LoadedTable) -> Result<Table, IoError> {
    const ROWS: usize = 1 << 16;
    let columns = read.read.table.columns();
    let is_quasi = |column: &Column| {
        let asked = policy.column(column.name());
        asked.is_some_and(|asked| asked.role == Role::Quasi)
    };
    // A cell of another column is any text, 0, or stars, 1.
    let meaning = |column: &Column| -> Vec<u32> {
        if is_quasi(column) {
            (0..column.dictionary().len() as u32).collect()
        } else {
            column
                .dictionary()
                .texts()
                .map(|text| is_star(text).into())
                .collect()
        }
    };
    let meanings: Vec<Vec<u32>> = columns.iter().map(meaning).collect();
    let widths: Vec<usize> = columns
        .iter()
        .map(|column| {
            if is_quasi(column) {
                column.dictionary().len()
            } else {
                2
            }
        })
        .collect();
    let mut counting = Counting::new(columns.len());
    counting.make_room(&widths);
    let (mut times, mut first) = (Vec::<u32>::new(), Vec::new());
    let (mut ids, mut numbers) = (vec![Vec::new(); columns.len()], Vec::new());
    for section in 0..count(read) {
        let table = table_of(read, section)?;
        for start in (0..table.rows()).step_by(ROWS) {
            let end = table.rows().min(start + ROWS);
            for (ids, column) in ids.iter_mut().zip(table.columns()) {
                ids.clear();
                column
                    .codes()
                    .for_each_in(start..end, |_, code| ids.push(code));
            }
            let block = ids.iter().zip(&meanings);
            let block: Vec<RowIds<'_>> = block
                .map(|(ids, meaning)| RowIds { ids, meaning })
                .collect();
            numbers.clear();
            counting.add(&counting.pack(end - start, &block), None, &mut numbers);
            for (row, number) in (start..end).zip(&numbers) {
                let number = *number as usize;
                if number == times.len() {
                    times.push(0);
                    first.push(table.first(row));
                }
                times[number] += table.times(row) as u32;
            }
        }
    }
    let whole = columns.iter().enumerate().map(|(at, column)| {
        let codes = counting.codes(at, widths[at]);
        if is_quasi(column) {
            return column.with_codes(codes);
        }
        let texts = ["".into(), STAR.into()];
        Column::from_packed(column.name(), texts.to_vec(), None, codes)
    });
    let whole: Option<Vec<Column>> = whole.collect();
    let whole = whole.and_then(|columns| Table::counted(columns, times, first));
    whole.ok_or_else(|| IoError::internal("a release that is not what was read"))
}

/// Which rows of such a table are withheld: nothing in them tells anything.
pub(in crate::pipeline::publish) fn withheld(prepared: &Prepared, whole: &Table) -> Vec<bool> {
    let mut withheld = vec![true; whole.rows()];
    for column in whole.columns() {
        let mut ladders = prepared.ladders.iter();
        let ladder = ladders.find(|ladder| ladder.name() == column.name());
        let tells_nothing = |text: &str| match ladder {
            Some(ladder) => text == ladder.hierarchy().label(ladder.hierarchy().root()),
            None => is_star(text),
        };
        let silent: Vec<bool> = column.dictionary().texts().map(tells_nothing).collect();
        let codes: &Codes = column.codes();
        codes.for_each(|row, code| withheld[row] &= silent[code as usize]);
    }
    withheld
}
