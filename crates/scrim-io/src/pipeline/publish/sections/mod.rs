//! A table that memory does not hold: prepared, written and certified a section after the other.
//!
//! **Reading.** Classes are counted from the tuples of all sections together, with the sensitive values that promises speak of, on
//! disk where they do not fit either; which of its rows are suppressed is all that a section has to know of the others ([`Marks`]). The
//! release is read back, in sections of its own, and laid beside its source as that of any other table; of all its sections together
//! the certifier sees the quasi-identifiers, these sensitive values, and whether the other cells are starred, which is all that it
//! asks of a counted release.

mod marks;
mod released;
mod whole;

use std::path::Path;
use std::sync::Arc;

use scrim::Error;
use scrim::frequency::Ground;
use scrim::hierarchy::Hierarchy;
use scrim::recoding::apply;
use scrim::release::audit::{
    Audit, AuditInParts, Known, ModelReport, Source as CertifiedSource, certify_source,
};
use scrim::release::figures::FiguresInParts;
use scrim::release::policy::{Format, Policy};
use scrim::release::{Prepared, Rows, measure_release};
use scrim::table::Table;

pub(super) use self::marks::Marks;
use self::released::Released;
use self::whole::{Whole, silent};
use super::super::Door;
use super::super::load::{LoadedPolicy, LoadedTable};
use super::certified::{Certified, Laid};
use super::pairs::Counter;
use super::work::{Work, out_column};
use crate::feed::Digested;
use crate::ground_file::Runs;
use crate::{IoError, Memory, Order, OutPart, Sections, write_csv_parts, write_parquet_parts};

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
        (sections, marks): (&Sections, &Marks),
        door: &mut dyn Door,
    ) -> Result<(), IoError> {
        let order = self.table.read.order.as_deref();
        let order = order.ok_or_else(|| IoError::internal("sections without an order"))?;
        let format = self.policy.policy.release.format;
        let mut next = 0;
        let mut parts = || {
            if next == sections.len() {
                return Ok(None);
            }
            let table = sections.table(next)?;
            let mut made = apply(
                &table,
                &self.prepared.roles,
                &self.prepared.ladders,
                &marks.of_section(next, table.rows()),
                &self.plan.found.recoding,
                &self.plan.sensitive,
                self.plan.fate,
            );
            made.add_categories(&self.prepared.categories);
            let mut places = vec![Order::GONE; table.rows()];
            for (place, row) in (0..).zip(&made.rows) {
                places[*row as usize] = place;
            }
            let of_file = sections.of_file(next);
            next += 1;
            let columns = made.columns.into_iter();
            Ok(Some(OutPart {
                columns: columns.map(|column| out_column(column, format)).collect(),
                rows: made.rows.len(),
                order: Some((order, (of_file.start, of_file.end), places)),
            }))
        };
        let all = self.released();
        let mut progress = |done: u64| door.counted(done, all, "rows");
        match format {
            Format::Csv => write_csv_parts(path, &mut parts, &mut progress),
            Format::Parquet => write_parquet_parts(path, &mut parts, &mut progress),
        }
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
        let release = Released::new(&read)?;
        if let Err(lie) = self.beside_source((sections, marks), release, door)? {
            return Ok(Err(lie));
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
            written: Digested {
                bytes: read.read.bytes,
                sha256: read.read.sha256,
            },
        }))
    }

    /// Walks over both files row by row; says what does not agree.
    fn beside_source(
        &self,
        (sections, marks): (&Sections, &Marks),
        mut release: Released<'_>,
        door: &mut dyn Door,
    ) -> Result<Result<(), String>, IoError> {
        let order = self.table.read.order.as_deref();
        let order = order.ok_or_else(|| IoError::internal("sections without an order"))?;
        let ladders = self.prepared.ladders.iter();
        let trees: Vec<(String, Arc<Hierarchy>)> = ladders
            .map(|ladder| (ladder.name().to_owned(), Arc::clone(ladder.hierarchy())))
            .collect();
        let mut planned = 0;
        for section in 0..sections.len() {
            door.check()?;
            let source = sections.table(section)?;
            // Dropped rows are nowhere in the release.
            let mut places = vec![0; source.rows()];
            if self.plan.fate.drop {
                let gone = marks.of_section(section, source.rows());
                let gone = places.iter_mut().zip(gone).filter(|(_, gone)| *gone);
                gone.for_each(|(place, _)| *place = Order::GONE);
            }
            let of_file = sections.of_file(section);
            let written = Order {
                rows: order,
                part: (of_file.start, of_file.end),
                places: &places,
            };
            let mut pairs = Counter::starting_at(source.rows(), release.rows);
            let mut lie = Ok(());
            let judge = |pairs: Counter, released: &Table| {
                let pairs = pairs.finish();
                let published = released.recounted(&pairs.to, pairs.times, pairs.first);
                let published = published
                    .ok_or_else(|| IoError::internal("a release that is not what was read"))?;
                let source = CertifiedSource {
                    table: &source,
                    rows: &pairs.from,
                    hierarchies: &trees,
                };
                Ok::<_, IoError>(certify_source(&self.policy.policy, &published, &source)?)
            };
            written.each_block(|mut rows| {
                planned += rows.len() as u64;
                while !rows.is_empty() && lie.is_ok() {
                    if release.is_at_an_end() {
                        let next = Counter::starting_at(source.rows(), release.rows);
                        let done = std::mem::replace(&mut pairs, next);
                        lie = judge(done, &release.table)?;
                        if !release.next_section()? {
                            // That the release is shorter is told below.
                            break;
                        }
                        continue;
                    }
                    let partners = release.next(rows.len())?;
                    if partners.is_empty() {
                        return Err(IoError::internal("a section that is not what was read"));
                    }
                    let (now, later) = rows.split_at(partners.len());
                    pairs.count_all(now, partners);
                    rows = later;
                }
                Ok(())
            })?;
            if lie.is_ok() {
                lie = judge(pairs, &release.table)?;
            }
            if lie.is_err() {
                return Ok(lie);
            }
        }
        Ok(if planned == release.all {
            Ok(())
        } else {
            Err(format!(
                "{} rows were written, but {planned} were planned",
                release.all
            ))
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
