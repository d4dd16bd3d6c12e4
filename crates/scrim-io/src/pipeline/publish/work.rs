//! One release: applied, written aside, read back and judged, and only then let appear.

use std::path::Path;

use scrim::recoding::{Applied, AppliedColumn, apply};
use scrim::release::audit::{
    Known, Source as CertifiedSource, Wishes, audit_with, certify_source, rare_combination,
};
use scrim::release::disclosure::DisclosureReport;
use scrim::release::figures::{Figures, Made};
use scrim::release::policy::Format;
use scrim::release::report::{Files, Publication};
use scrim::release::verdict::RepeatingKey;
use scrim::release::{Plan, Prepared, Rows, measure_release};
use scrim::table::Table;

use super::super::load::{LoadedPolicy, LoadedTable};
use super::super::{Door, Stage};
use super::certified::{Certified, Laid};
use super::names::{EXTERNAL, Names};
use super::pairs::Pairs;
use super::past::Past;
use super::refusal::{broken_words, only_stars, promise_broken, refused};
use super::sections::Marks;
use super::{Clock, Ending};
use crate::feed::Digested;
use crate::page::{Readers, Told, page};
use crate::{IoError, Memory, Order, OutColumn, Staging, files, write_csv, write_parquet};

/// A plan, and what it is for.
pub(super) struct Work<'a> {
    pub(super) policy: &'a LoadedPolicy,
    pub(super) table: &'a LoadedTable,
    pub(super) prepared: &'a Prepared,
    /// The table as it was read and its counts, where rows of it were left out before the search.
    pub(super) before: Option<(&'a Table, &'a Prepared)>,
    pub(super) plan: &'a Plan,
    pub(super) disclosure: Option<&'a DisclosureReport>,
    pub(super) past: Option<&'a Past>,
    pub(super) memory: Option<&'a Memory>,
    /// A column that looks like a person's key, where the policy knows no persons.
    pub(super) key: Option<&'a RepeatingKey>,
}

impl Work<'_> {
    /// Makes the release.
    pub(super) fn release(
        &self,
        ending: Ending,
        door: &mut dyn Door,
        mut clock: Clock,
    ) -> Result<Publication, IoError> {
        let dir = self.policy.resolve(&self.policy.policy.release.dir);
        let name = Names::of(self.policy.policy.release.format, false).release;
        let (staging, verdict) = match &self.table.read.sections {
            Some(sections) => {
                door.stage(Stage::Write);
                let staging = Staging::new(&dir)?;
                let marks = Marks::new(self, sections, door)?;
                let sections = (&**sections, &marks);
                self.write_sections(&staging.path(name), sections, door)?;
                clock.seconds.write = clock.lap();
                door.stage(Stage::Certify);
                let verdict = self.certify_sections(&staging.path(name), sections, door)?;
                (staging, verdict)
            }
            None => self.make(&dir, name, door, &mut clock)?,
        };
        clock.seconds.certify = clock.lap();
        let mut publication = self.publication(clock.seconds);
        let certified = match verdict {
            Ok(certified) => certified,
            Err(lie) => {
                return Ok(refused(
                    publication,
                    &format!("the certifier refused the release: {lie}"),
                ));
            }
        };
        let holds = certified.audit.holds;
        let shows_something = certified.audit.rows.suppressed < certified.audit.rows.released
            || self.prepared.ladders.is_empty();
        let Certified {
            laid,
            written,
            recordable,
            ..
        } = self.fill_in(&mut publication, certified);
        if !holds {
            let search = &self.policy.policy.search;
            if !search.allows_broken() {
                return Ok(promise_broken(publication, search));
            }
            publication.broken = true;
            publication.reason = Some(broken_words(&publication));
        }
        if !shows_something && !self.policy.policy.search.allow_empty {
            return Ok(only_stars(publication));
        }
        if ending == Ending::Discard {
            return Ok(publication);
        }
        let names = Names::of(self.policy.policy.release.format, publication.broken);
        if names.release != name {
            files::rename(&staging.path(name), &staging.path(names.release))?;
        }
        let mut figures = self.figures(laid)?;
        publication
            .metrics
            .iter()
            .for_each(|metrics| figures.measured(metrics));
        publication.concerns = self.concerns(&publication, &figures);
        publication = publication.judged();
        let manifest = self.manifest(&publication, &written, figures)?;
        let text = serde_json::to_string_pretty(&manifest)
            .map_err(|error| scrim::Error::Internal(error.to_string()))?
            + "\n";
        files::write_bytes(&staging.path(names.manifest), text.as_bytes())?;
        // Made from the manifest's text, so that `report` makes the same page.
        let told = Told::read(names.manifest, &text)?;
        let mut all = vec![names.release, names.report];
        if ending == Ending::Publish(Readers::External) && !told.broken {
            let report = page(told.clone(), Readers::External);
            files::write_bytes(&staging.path(EXTERNAL), report.as_bytes())?;
            all.push(EXTERNAL);
        }
        all.push(names.manifest);
        let report = page(told, Readers::Internal);
        files::write_bytes(&staging.path(names.report), report.as_bytes())?;
        door.check()?;
        let outdated = names.outdated(&dir, &all);
        if let (Some(past), Some(recordable)) = (self.past, recordable) {
            let outdated = outdated.iter();
            let outdated: Vec<&str> = outdated
                .filter_map(|file| file.file_name()?.to_str())
                .collect();
            let files = (&all[..], &outdated[..]);
            let source = &self.table.read.table;
            past.record(self.policy, source, recordable, staging, files, door)?;
        } else {
            staging.commit(&all)?;
            outdated.iter().try_for_each(|file| files::remove(file))?;
        }
        let shown = |file: &str| Some(dir.join(file).display().to_string());
        publication.files = Files {
            release: shown(names.release),
            manifest: shown(names.manifest),
            report: shown(names.report),
            external: all.contains(&EXTERNAL).then(|| shown(EXTERNAL)).flatten(),
        };
        publication.seconds.write += clock.lap();
        Ok(publication)
    }

    /// Applies the plan, writes the release aside and has it judged.
    fn make(
        &self,
        dir: &Path,
        name: &str,
        door: &mut dyn Door,
        clock: &mut Clock,
    ) -> Result<(Staging, Result<Certified, String>), IoError> {
        door.stage(Stage::Apply);
        let recoding = &self.plan.found.recoding;
        let mut made = apply(
            &self.table.read.table,
            &self.prepared.roles,
            &self.prepared.ladders,
            &recoding.suppressed_rows(&self.prepared.ground),
            recoding,
            &self.plan.sensitive,
            self.plan.fate,
        );
        made.add_categories(&self.prepared.categories);
        clock.seconds.apply = clock.lap();
        door.stage(Stage::Write);
        door.check()?;
        let staging = Staging::new(dir)?;
        let made_rows = made.rows.clone();
        let places = self.places(&made_rows);
        let order = places.as_deref().and_then(|places| self.order(places));
        self.write(&staging.path(name), made, order, door)?;
        clock.seconds.write = clock.lap();
        door.stage(Stage::Certify);
        let verdict = self.certify(&staging.path(name), made_rows, order, door)?;
        Ok((staging, verdict))
    }

    /// How many rows the release has.
    pub(super) fn released(&self) -> u64 {
        let gone = if self.plan.fate.drop {
            self.plan.suppressed
        } else {
            0
        };
        self.prepared.ground.rows() - gone
    }

    /// Where each different row stands among those that are released, where the table is counted.
    fn places(&self, released: &[u32]) -> Option<Vec<u32>> {
        self.table.read.order.as_ref()?;
        let mut places = vec![Order::GONE; self.table.read.table.rows()];
        for (place, row) in (0..).zip(released) {
            places[*row as usize] = place;
        }
        Some(places)
    }

    fn order<'o>(&'o self, places: &'o [u32]) -> Option<Order<'o>> {
        let rows = self.table.read.order.as_deref()?;
        Some(Order::whole(rows, places))
    }

    fn write(
        &self,
        path: &Path,
        made: Applied,
        order: Option<Order<'_>>,
        door: &mut dyn Door,
    ) -> Result<(), IoError> {
        let rows = made.rows.len();
        let format = self.policy.policy.release.format;
        let columns: Vec<OutColumn> = made
            .columns
            .into_iter()
            .map(|column| out_column(column, format))
            .collect();
        let all = self.released();
        let mut progress = |done: u64| door.counted(done, all, "rows");
        match format {
            Format::Csv => write_csv(path, &columns, rows, order, &mut progress),
            Format::Parquet => write_parquet(path, &columns, rows, order, &mut progress),
        }
    }

    /// Reads the written file back and has it judged, by its own words and against its source.
    fn certify(
        &self,
        path: &Path,
        rows: Vec<u32>,
        order: Option<Order<'_>>,
        door: &mut dyn Door,
    ) -> Result<Result<Certified, String>, IoError> {
        let policy = &self.policy.policy;
        let memory = self.memory.filter(|_| order.is_some());
        let read = self
            .policy
            .read_back(path, order.is_some(), memory, false, door)?;
        // The digest that the manifest names is that of the bytes that are judged here.
        let written = Digested {
            bytes: read.read.bytes,
            sha256: read.read.sha256.clone(),
        };
        // Promises that a counted table can keep are judged by counts: each different row of the release once.
        let counted = order.is_some().then(|| read.read.table.clone());
        let (published, source_rows) = match order {
            None => (read.read.table, rows),
            Some(order) => match Pairs::new(order, read)? {
                Ok(pairs) => (pairs.published, pairs.rows),
                Err(lie) => return Ok(Err(lie)),
            },
        };
        let (table, rows) = (&published, &source_rows[..]);
        let person = policy
            .person()
            .and_then(|person| self.table.read.table.column(&person.name));
        let persons: Option<Vec<u32>> = person.map(|column| {
            rows.iter()
                .map(|row| column.codes().get(*row as usize))
                .collect()
        });
        let trees: Vec<_> = self
            .prepared
            .ladders
            .iter()
            .map(|ladder| (ladder.name().to_owned(), ladder.hierarchy().clone()))
            .chain(self.prepared.sensitive.iter().cloned())
            .collect();
        let source = CertifiedSource {
            table: &self.table.read.table,
            rows,
            hierarchies: &trees,
        };
        if let Err(lie) = certify_source(policy, table, &source)? {
            return Ok(Err(lie));
        }
        let line = |row: usize| self.table.line(row);
        let place = Rows {
            file: &self.table.name,
            line: &line,
        };
        let known = Known {
            persons: persons.as_deref(),
            trees: &self.prepared.sensitive,
            wishes: &Wishes::read(policy, &source, &place)?,
            history: self.past.map(|past| &past.history),
            source: Some(&source),
        };
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let judged = counted.as_ref().unwrap_or(table);
        let audit = audit_with(policy, judged, &file, &known)?;
        // Only mu-Argus is expected to break its promise; what breaks it is then looked for.
        let combination = if audit.holds || !policy.search.is_mu_argus() {
            None
        } else {
            rare_combination(policy, table, &file, &known)?
        };
        let (original, counts) = self.before.unwrap_or((source.table, self.prepared));
        let metrics = measure_release(policy, original, counts, table, &file, &audit)?;
        let recordable = match self.past.filter(|_| audit.holds) {
            Some(past) => Some(past.entry(self.policy, source.table, rows, table)?),
            None => None,
        };
        Ok(Ok(Certified {
            audit,
            combination,
            metrics,
            recordable,
            laid: Laid::Rows(published, source_rows),
            written,
        }))
    }

    /// What the report draws.
    fn figures(&self, laid: Laid) -> Result<Figures, IoError> {
        let (published, rows) = match laid {
            Laid::Rows(published, rows) => (published, rows),
            Laid::Sections(figures) => return Ok(*figures),
        };
        let source = &self.table.read.table;
        let person = self.policy.policy.person();
        Ok(Figures::new(&Made {
            source,
            prepared: self.prepared,
            plan: self.plan,
            published: &published,
            rows: &rows,
            persons: person.and_then(|person| source.column(&person.name)),
        })?)
    }
}

pub(super) fn out_column(column: AppliedColumn, format: Format) -> OutColumn {
    let missing = column.missing.filter(|_| format == Format::Parquet);
    let label = |(code, text): (u32, String)| (Some(code) != missing).then_some(text);
    OutColumn {
        name: column.name,
        labels: (0..).zip(column.labels).map(label).collect(),
        codes: column.codes,
    }
}
