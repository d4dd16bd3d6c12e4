//! What all sections of a release tell together.
//!
//! **Cost.** A key for each class of the release and one for those of its rows that tell nothing else: as many as there are
//! classes, however many rows there are.

use scrim::frequency::{Counting, RowIds};
use scrim::hierarchy::{STAR, is_star};
use scrim::release::Prepared;
use scrim::release::policy::Policy;
use scrim::table::{Codes, Column, Role, Table};

use super::released::{count, table_of};
use crate::IoError;
use crate::pipeline::Door;
use crate::pipeline::load::LoadedTable;

/// The role of the columns that tell something about a row whose quasi-identifiers are suppressed: sensitive, or insensitive where
/// none is sensitive.
fn told(policy: &Policy) -> Role {
    if policy.with_role(Role::Sensitive).next().is_some() {
        Role::Sensitive
    } else {
        Role::Insensitive
    }
}

/// The quasi-identifiers of a release with all its rows, and the sensitive values that promises speak of. Of its other columns only
/// this is kept: whether all those are stars that would tell something about a suppressed row; they are stars here then, and nothing
/// else.
pub(super) fn told_whole(
    policy: &Policy,
    read: &LoadedTable,
    door: &mut dyn Door,
) -> Result<Table, IoError> {
    const ROWS: usize = 1 << 16;
    let columns = read.read.table.columns();
    let has_role = |column: &Column, role: Role| {
        let asked = policy.column(column.name());
        asked.is_some_and(|asked| asked.role == role)
    };
    let is_judged = |column: &Column| {
        let mut promises = policy.privacy.iter();
        promises.any(|model| model.spec.of() == Some(column.name()))
    };
    let is_kept = |column: &Column| has_role(column, Role::Quasi) || is_judged(column);
    let kept: Vec<usize> = (0..columns.len())
        .filter(|at| is_kept(&columns[*at]))
        .collect();
    let stars = |column: &Column| -> Option<Vec<bool>> {
        let is_told = has_role(column, told(policy)) && !is_kept(column);
        let texts = column.dictionary().texts();
        is_told.then(|| texts.map(is_star).collect())
    };
    let stars: Vec<Option<Vec<bool>>> = columns.iter().map(stars).collect();
    let mut widths: Vec<usize> = kept
        .iter()
        .map(|at| columns[*at].dictionary().len())
        .collect();
    // The last one tells whether a row tells nothing else.
    widths.push(2);
    let same = |width: &usize| (0..*width as u32).collect::<Vec<u32>>();
    let meanings: Vec<Vec<u32>> = widths.iter().map(same).collect();
    let mut counting = Counting::new(widths.len());
    counting.make_room(&widths);
    let (mut times, mut first) = (Vec::<u32>::new(), Vec::new());
    let (mut ids, mut numbers) = (vec![Vec::new(); widths.len()], Vec::new());
    for section in 0..count(read) {
        let table = table_of(read, section)?;
        for start in (0..table.rows()).step_by(ROWS) {
            door.check()?;
            let end = table.rows().min(start + ROWS);
            ids.iter_mut().for_each(Vec::clear);
            for (ids, at) in ids.iter_mut().zip(&kept) {
                let codes = table.columns()[*at].codes();
                codes.for_each_in(start..end, |_, code| ids.push(code));
            }
            let silent = &mut ids[kept.len()];
            silent.resize(end - start, 1);
            for (column, stars) in table.columns().iter().zip(&stars) {
                let Some(stars) = stars else { continue };
                column.codes().for_each_in(start..end, |row, code| {
                    silent[row] &= u32::from(stars[code as usize]);
                });
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
        if let Some(slot) = kept.iter().position(|kept| *kept == at) {
            return column.with_codes(counting.codes(slot, widths[slot]));
        }
        let codes = if stars[at].is_some() {
            counting.codes(kept.len(), 2)
        } else {
            Codes::U8(vec![0; times.len()])
        };
        let texts = ["".into(), STAR.into()];
        Column::from_packed(column.name(), texts.to_vec(), None, codes)
    });
    let whole: Option<Vec<Column>> = whole.collect();
    let whole = whole.and_then(|columns| Table::counted(columns, times, first));
    whole.ok_or_else(|| IoError::internal("a release that is not what was read"))
}

/// Which rows of such a table look like suppressed ones: nothing in them tells anything.
pub(in crate::pipeline::publish) fn silent(
    policy: &Policy,
    prepared: &Prepared,
    whole: &Table,
) -> Vec<bool> {
    let mut silent = vec![true; whole.rows()];
    for column in whole.columns() {
        let mut ladders = prepared.ladders.iter();
        let ladder = ladders.find(|ladder| ladder.name() == column.name());
        let is_told = policy
            .column(column.name())
            .is_some_and(|asked| asked.role == told(policy));
        let tells_nothing = |text: &str| match ladder {
            Some(ladder) => text == ladder.hierarchy().label(ladder.hierarchy().root()),
            None => !is_told || is_star(text),
        };
        let own: Vec<bool> = column.dictionary().texts().map(tells_nothing).collect();
        let codes: &Codes = column.codes();
        codes.for_each(|row, code| silent[row] &= own[code as usize]);
    }
    silent
}
