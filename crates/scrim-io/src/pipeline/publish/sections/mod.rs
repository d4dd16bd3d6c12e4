//! A table that memory does not hold: prepared, written and certified a section after the other.
//!
//! **Reading.** Classes are counted from the tuples of all sections together, with the sensitive values that promises speak of, on
//! disk where they do not fit either; which of its rows are suppressed is all that a section has to know of the others ([`Marks`]). The
//! release is read back, in sections of its own, and laid beside its source as that of any other table; of all its sections together
//! the certifier sees the quasi-identifiers, these sensitive values, and whether the other cells are starred, which is all that it
//! asks of a counted release.

mod marks;
mod released;
mod sorted;
mod whole;

use std::path::Path;

use scrim::frequency::Ground;
use scrim::recoding::apply;
use scrim::release::audit::{
    Audit, AuditInParts, Expected, Known, ModelReport, Recipe, RowSum, SortedRows,
};
use scrim::release::figures::FiguresInParts;
use scrim::release::policy::{Format, Policy, RowOrder};
use scrim::release::{Prepared, Rows, measure_release};
use scrim::table::Table;
use scrim::{Error, counted, verb};

pub(super) use self::marks::Marks;
use self::released::{count, table_of};
use self::sorted::{Sorted, Sorting};
use self::whole::{Whole, silent};
use super::super::Door;
use super::super::load::{LoadedPolicy, LoadedTable};
use super::certified::{Certified, Laid};
use super::formulas::Formulas;
use super::work::{Work, out_column};
use crate::feed::Digested;
use crate::ground_file::Runs;
use crate::{
    IoError, Memory, Order, OutColumn, OutPart, OutParts, ROW_GROUP, RowProgress, Sections,
    write_csv_parts, write_parquet_parts,
};

/// Refuses promises about some of the quasi-identifiers: their classes lie in several parts of a table that is held in sections.
pub(super) fn refuse_columns(policy: &Policy) -> Result<(), IoError> {
    if policy.column_promises().next().is_none() {
        return Ok(());
    }
    Err(IoError::Memory {
        what: "--memory: the table does not fit, and a `k-anonymity` promise with `columns` counts classes that lie in several sections of it".to_owned(),
        hint: Some("allow more memory; or leave `columns` out, because k-anonymity over all quasi-identifiers keeps it for any of them".to_owned()),
    })
}

/// Brings the sections of a table together with the policy.
pub(super) fn prepare(
    policy: &LoadedPolicy,
    table: &LoadedTable,
    sections: &Sections,
    memory: &Memory,
    door: &mut dyn Door,
) -> Result<Prepared, IoError> {
    // What is wrong with a value is told with the line on which it stands first, in whatever section.
    let firsts = sections.first_rows()?;
    let prepared = table.with_hierarchies(policy, |load, rows| {
        let line = |row: usize| table.read.lines.line(firsts.first(row) as usize);
        let rows = Rows {
            file: rows.file,
            line: &line,
        };
        Prepared::new(&policy.policy, &firsts, load, &rows)
    })?;
    drop(firsts);
    let (words, tracked) = (prepared.ground.words(), prepared.models.tracked());
    let mut runs = Runs::new(memory.folder(), words, tracked.len())?;
    for section in 0..sections.len() {
        door.check()?;
        let section = sections.table(section)?;
        let ground = Ground::count(&section, &prepared.ladders, &[])?;
        runs.add(&section, &ground, tracked)?;
    }
    let left = memory.for_search(table.read.held);
    let stored = runs.merge(left / 4, &mut || door.check())?;
    let (tuples, cells) = (stored.sizes.classes, stored.cells * tracked.len() as u64);
    let holds = memory.holds(table.read.held, (tuples, cells), words);
    let ground = Ground::of_sections(&prepared.ground, stored, holds)?;
    let held = if holds {
        tuples * (words as u64 + 1) * 8 + cells * 8
    } else {
        0
    };
    Ok(Prepared {
        ground,
        memory: Some(left.saturating_sub(held)),
        ..prepared
    })
}

impl Work<'_> {
    /// Writes the release of all sections.
    pub(super) fn write_sections(
        &self,
        path: &Path,
        sections: (&Sections, &Marks),
        door: &mut dyn Door,
    ) -> Result<(), IoError> {
        let release = &self.policy.policy.release;
        let all = self.released();
        let guarded = self.is_guarded();
        let guard = |mut part: OutPart| {
            if guarded {
                part.columns.iter_mut().for_each(OutColumn::guard);
            }
            part
        };
        match release.order {
            RowOrder::Input => {
                let mut next = 0;
                let mut parts = || Ok(self.part_in_input_order(sections, &mut next)?.map(guard));
                let mut progress = |done: u64| door.counted(done, all, "rows");
                self.write_parts(path, &mut parts, &mut progress)
            }
            RowOrder::Sorted => {
                let mut sorted = self.sort_sections(sections, door)?;
                // Row groups end where those of a release that memory holds end.
                let (rows, different) = match release.format {
                    Format::Csv => (u64::MAX, 1 << 16),
                    Format::Parquet => (ROW_GROUP, usize::MAX),
                };
                let mut parts = || Ok(sorted.part(rows, different)?.map(guard));
                let mut progress = |done: u64| door.counted(done, all, "rows");
                self.write_parts(path, &mut parts, &mut progress)
            }
        }
    }

    fn write_parts(
        &self,
        path: &Path,
        parts: OutParts<'_>,
        progress: RowProgress<'_>,
    ) -> Result<(), IoError> {
        match self.policy.policy.release.format {
            Format::Csv => write_csv_parts(path, parts, progress),
            Format::Parquet => write_parquet_parts(path, parts, progress),
        }
    }

    /// The rows of a section as they are published, with the section.
    fn apply_section(
        &self,
        (sections, marks): (&Sections, &Marks),
        section: usize,
    ) -> Result<(Vec<OutColumn>, Vec<u32>, Table), IoError> {
        let table = sections.table(section)?;
        let mut made = apply(
            &table,
            &self.prepared.roles,
            &self.prepared.ladders,
            &marks.of_section(section, table.rows()),
            &self.plan.found.recoding,
            &self.plan.sensitive,
            self.plan.fate,
        );
        made.add_categories(&self.prepared.categories);
        let format = self.policy.policy.release.format;
        let columns = made.columns.into_iter();
        let columns = columns.map(|column| out_column(column, format)).collect();
        Ok((columns, made.rows, table))
    }

    fn sort_sections(
        &self,
        sections: (&Sections, &Marks),
        door: &mut dyn Door,
    ) -> Result<Sorted, IoError> {
        let memory = self.memory;
        let memory = memory.ok_or_else(|| IoError::internal("sections without a limit"))?;
        let mut sorting = Sorting::new(memory);
        for section in 0..sections.0.len() {
            door.check()?;
            let (columns, rows, table) = self.apply_section(sections, section)?;
            let times = |row: usize| table.times(rows[row] as usize);
            sorting.add(&columns, rows.len(), times)?;
        }
        sorting.finish(&mut || door.check())
    }

    /// The next section, in the order of the input.
    fn part_in_input_order(
        &self,
        sections: (&Sections, &Marks),
        next: &mut usize,
    ) -> Result<Option<OutPart>, IoError> {
        if *next == sections.0.len() {
            return Ok(None);
        }
        let order = self.table.read.order.clone();
        let order = order.ok_or_else(|| IoError::internal("sections without an order"))?;
        let (columns, rows, table) = self.apply_section(sections, *next)?;
        let mut places = vec![Order::GONE; table.rows()];
        for (place, row) in (0..).zip(&rows) {
            places[*row as usize] = place;
        }
        let of_file = sections.0.of_file(*next);
        *next += 1;
        Ok(Some(OutPart {
            columns,
            rows: rows.len(),
            order: Some((order, (of_file.start, of_file.end), places)),
        }))
    }

    /// Reads the written file back and has it judged, by its own words and against its source.
    pub(super) fn certify_sections(
        &self,
        path: &Path,
        (sections, marks): (&Sections, &Marks),
        door: &mut dyn Door,
    ) -> Result<Result<Certified, String>, IoError> {
        let policy = &self.policy.policy;
        let read = self.policy.read_back(path, true, self.memory, true, door)?;
        if let Err(lie) = self.beside_source((sections, marks), &read, door)? {
            return Ok(Err(lie));
        }
        let mut formulas = Formulas::of(policy, []);
        for section in 0..count(&read) {
            formulas.add(&*table_of(&read, section)?);
        }
        let known = Known {
            persons: None,
            trees: &self.prepared.sensitive,
            wishes: &[],
            history: None,
            source: None,
        };
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let room = self
            .memory
            .map_or(usize::MAX, |memory| memory.judged(read.read.held));
        let mut figures = FiguresInParts::new(self.plan);
        let (mut all, mut models): (Option<Audit>, Vec<(usize, ModelReport)>) = (None, Vec::new());
        let mut metrics = None;
        for promises in by_column(policy) {
            let privacy = promises.iter().map(|at| policy.privacy[*at].clone());
            let own = Policy {
                privacy: privacy.collect(),
                ..policy.clone()
            };
            let mut whole = Whole::new(&own, &read, room, door)?;
            let mut audit = AuditInParts::new(&own, &file, &known)?;
            whole.each_part(door, |part| {
                audit.add(part)?;
                if all.is_none() {
                    let silent = silent(policy, self.prepared, part);
                    figures.add(self.prepared, part, &silent)?;
                }
                Ok::<_, IoError>(())
            })?;
            let again = |visit: &mut dyn FnMut(&Table) -> Result<(), Error>| {
                whole.each_part(door, |part| Ok::<_, IoError>(visit(part)?))
            };
            let mut audit = audit.finish(again)?;
            if metrics.is_none() {
                let (source, values) = (&self.table.read.table, whole.without_rows()?);
                metrics = Some(measure_release(
                    policy,
                    source,
                    self.prepared,
                    &values,
                    &file,
                    &audit,
                )?);
            }
            models.extend(promises.into_iter().zip(audit.models.drain(..)));
            all.get_or_insert(audit);
        }
        models.sort_by_key(|(at, _)| *at);
        let nothing = || IoError::internal("a release of which nothing is promised");
        let audit = Audit {
            holds: models.iter().all(|(_, model)| model.holds),
            models: models.into_iter().map(|(_, model)| model).collect(),
            ..all.ok_or_else(nothing)?
        };
        let metrics = metrics.ok_or_else(nothing)?;
        let tables = (&self.table.read.table, &read.read.table);
        let figures = figures.finish(self.prepared, self.plan, tables)?;
        Ok(Ok(Certified {
            audit,
            combination: None,
            metrics,
            recordable: None,
            laid: Laid::Sections(Box::new(figures)),
            plan: self.plan_file()?,
            written: Digested {
                bytes: read.read.bytes,
                sha256: read.read.sha256,
            },
            formulas,
        }))
    }

    /// Checks that the release consists of what the plan makes of the source, and that no cell says what its source does not.
    fn beside_source(
        &self,
        (sections, marks): (&Sections, &Marks),
        release: &LoadedTable,
        door: &mut dyn Door,
    ) -> Result<Result<(), String>, IoError> {
        let policy = &self.policy.policy;
        let trees = self.trees();
        let plan = self.plan_file()?;
        let mut planned = RowSum::default();
        let mut written = planned.same_keys();
        let mut names: Vec<String> = Vec::new();
        for section in 0..sections.len() {
            door.check()?;
            let source = sections.table(section)?;
            let suppressed = marks.of_section(section, source.rows());
            let recipe = Recipe {
                plan: &plan,
                hierarchies: &trees,
                suppressed: Some(&suppressed),
            };
            let expected = Expected::new(policy, &source, &recipe)?;
            if let Err(wrong) = expected.must_be_true(policy, &source, &trees)? {
                return Ok(Err(wrong));
            }
            expected.add_to(&source, &mut planned);
            names = expected.names().map(str::to_owned).collect();
        }
        let mut sorted = SortedRows::new(policy.release.format == Format::Csv);
        for section in 0..count(release) {
            door.check()?;
            let table = table_of(release, section)?;
            if policy.release.order == RowOrder::Sorted
                && let Err(wrong) = sorted.add(&table)
            {
                return Ok(Err(wrong));
            }
            if let Some(column) = table
                .columns()
                .iter()
                .find(|own| !names.iter().any(|name| name == own.name()))
            {
                let name = column.name();
                return Ok(Err(format!("the column `{name}` must not be published")));
            }
            if let Err(wrong) = written.add_table(&table, names.iter().map(String::as_str)) {
                return Ok(Err(wrong));
            }
        }
        if planned.rows != written.rows {
            return Ok(Err(format!(
                "{} {} written, but {} {} planned",
                counted(written.rows, "row"),
                verb(written.rows, "was", "were"),
                planned.rows,
                verb(planned.rows, "was", "were")
            )));
        }
        Ok(if planned.equals(&written) {
            Ok(())
        } else {
            Err("its rows are not those that the plan makes of the source".to_owned())
        })
    }
}

/// The promises of a policy, by their places in it, by the column that they speak of: a class has far fewer values of one column than
/// combinations of several.
fn by_column(policy: &Policy) -> Vec<Vec<usize>> {
    let mut columns: Vec<(Option<&str>, Vec<usize>)> = Vec::new();
    for (at, model) in policy.privacy.iter().enumerate() {
        let of = model.spec.of();
        match columns.iter_mut().find(|(column, _)| *column == of) {
            Some((_, places)) => places.push(at),
            None => columns.push((of, vec![at])),
        }
    }
    columns.into_iter().map(|(_, places)| places).collect()
}
