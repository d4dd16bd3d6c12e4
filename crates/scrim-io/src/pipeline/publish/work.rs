//! One release: applied, written aside, read back and judged, and only then let appear.

use std::path::Path;
use std::sync::Arc;

use scrim::hierarchy::Hierarchy;
use scrim::printable_json;
use scrim::recoding::{Applied, AppliedColumn, apply};
use scrim::release::audit::{
    Expected, Known, Paired, Recipe, Source as CertifiedSource, Wishes, audit_with, certify_source,
    must_be_sorted, rare_combination,
};
use scrim::release::disclosure::DisclosureReport;
use scrim::release::figures::{Figures, Made};
use scrim::release::policy::{Format, RowOrder};
use scrim::release::report::{Files, Publication, tailored};
use scrim::release::verdict::RepeatingKey;
use scrim::release::{Plan, PlanFile, Prepared, Rows, measure_release};
use scrim::table::Table;

use super::super::load::{LoadedPolicy, LoadedTable};
use super::super::{Door, Stage};
use super::certified::{Certified, Laid};
use super::formulas::Formulas;
use super::names::{EXTERNAL, EXTERNAL_MANIFEST, EXTERNAL_POLICY, Names};
use super::past::{Past, Recordable};
use super::refusal::{broken_words, only_stars, promise_broken, refused};
use super::replaced::earlier;
use super::row_order::Ordered;
use super::sections::Marks;
use super::{Clock, Ending};
use crate::feed::Digested;
use crate::page::{Readers, Told, page};
use crate::{
    FolderLock, IoError, Memory, OutColumn, Staging, WAIT, files, write_csv, write_parquet,
};

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
                self.write_sections(&staging.private(name)?, sections, door)?;
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
            plan,
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
        let sensitive = match &laid {
            Laid::Rows(_, rows) => tailored(self.plan, rows),
            Laid::Sections(_) => Vec::new(),
        };
        let mut figures = self.figures(laid)?;
        publication
            .metrics
            .iter()
            .for_each(|metrics| figures.measured(metrics));
        publication.concerns = self.concerns(&publication, &figures);
        publication = publication.judged();
        let manifest = self.manifest(&publication, &written, sensitive, figures)?;
        let text = serde_json::to_string_pretty(&manifest)
            .map_err(|error| scrim::Error::Internal(error.to_string()))?;
        let text = printable_json(&text).into_owned() + "\n";
        staging.write(names.manifest, text.as_bytes())?;
        let plan = serde_json::to_string(&plan)
            .map_err(|error| scrim::Error::Internal(error.to_string()))?;
        let plan = printable_json(&plan).into_owned() + "\n";
        staging.write(names.plan, plan.as_bytes())?;
        // Made from the manifest's text, so that `report` makes the same page.
        let told = Told::read(names.manifest, &text)?;
        let mut all = vec![names.release, names.report, names.plan];
        if ending == Ending::Publish(Readers::External) && !told.broken {
            all.extend(self.write_for_outsiders(&staging, names.release, &told, &written)?);
        }
        all.push(names.manifest);
        let report = page(told, Readers::Internal);
        staging.write(names.report, report.as_bytes())?;
        door.check()?;
        let (remarks, earlier) = self.appear(staging, names, &all, recordable, door)?;
        publication.remarks.extend(remarks);
        publication.files = files_of(&dir, names, &all);
        let earlier = earlier.into_iter().filter(|file| names.replaces(file));
        publication.files.replaced = earlier
            .map(|file| dir.join(file).display().to_string())
            .collect();
        publication.seconds.write += clock.lap();
        Ok(publication)
    }

    /// Lets the files of a release appear, and records it where there is a ledger; one publisher at a time. Says what the
    /// user should know although it is published, and which files of an earlier release were there.
    fn appear(
        &self,
        staging: Staging,
        names: Names,
        all: &[&str],
        recordable: Option<Recordable>,
        door: &mut dyn Door,
    ) -> Result<(Vec<String>, Vec<&'static str>), IoError> {
        let recording = self.past.zip(recordable);
        if let Some((past, _)) = &recording {
            past.begin(self.policy, door)?;
        }
        let waiting = &mut |words: Option<&str>| {
            words.into_iter().for_each(|words| door.say(words));
            door.check()
        };
        let lock = FolderLock::take(staging.dir(), WAIT, waiting)?;
        let mut remarks = lock.settle()?;
        lock.must_be_free()?;
        // Nobody else moves files now, and what a crash left half done is completed.
        let earlier = earlier(staging.dir(), all)?;
        let outdated = names.outdated(staging.dir(), all);
        remarks.extend(match recording {
            Some((past, recordable)) => {
                let files = (all, &outdated[..]);
                let source = &self.table.read.table;
                past.record(self.policy, source, recordable, staging, files, door)?
            }
            None => staging.commit(&lock, all, &outdated)?.remarks,
        });
        Ok((remarks, earlier))
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
        self.write(&staging.private(name)?, made, door)?;
        clock.seconds.write = clock.lap();
        door.stage(Stage::Certify);
        let verdict = self.certify(&staging.path(name), door)?;
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

    fn write(&self, path: &Path, made: Applied, door: &mut dyn Door) -> Result<(), IoError> {
        let release = &self.policy.policy.release;
        let columns = made.columns.into_iter();
        let columns = columns.map(|column| out_column(column, release.format));
        let mut ordered = Ordered::new(columns.collect(), &made.rows, self.table, release.order)?;
        if self.is_guarded() {
            ordered.columns.iter_mut().for_each(OutColumn::guard);
        }
        let all = self.released();
        let mut progress = |done: u64| door.counted(done, all, "rows");
        let (columns, rows, order) = (&ordered.columns, ordered.rows, ordered.order());
        match release.format {
            Format::Csv => write_csv(path, columns, rows, order, &mut progress),
            Format::Parquet => write_parquet(path, columns, rows, order, &mut progress),
        }
    }

    /// Whether texts that a spreadsheet would run are escaped.
    pub(super) fn is_guarded(&self) -> bool {
        let release = &self.policy.policy.release;
        release.spreadsheet_safe && release.format == Format::Csv
    }

    /// The plan as it is written into the house.
    pub(super) fn plan_file(&self) -> Result<PlanFile, IoError> {
        let table = &self.table.read.table;
        let policy = self.policy.hashed().sha256;
        let mut file = PlanFile::new(self.prepared, self.plan, table, policy);
        for source in self.policy.hierarchy_sources(self.prepared)? {
            if let Some(hashed) = source.file {
                file.hierarchies.insert(source.column, hashed.sha256);
            }
        }
        Ok(file)
    }

    /// The hierarchies of quasi-identifiers and sensitive columns, by name.
    pub(super) fn trees(&self) -> Vec<(String, Arc<Hierarchy>)> {
        let ladders = self.prepared.ladders.iter();
        let quasi =
            ladders.map(|ladder| (ladder.name().to_owned(), Arc::clone(ladder.hierarchy())));
        quasi
            .chain(self.prepared.sensitive.iter().cloned())
            .collect()
    }

    /// Reads the written file back and has it judged, by its own words and against its source.
    fn certify(
        &self,
        path: &Path,
        door: &mut dyn Door,
    ) -> Result<Result<Certified, String>, IoError> {
        let policy = &self.policy.policy;
        let source_table = &self.table.read.table;
        let is_counted = source_table.is_counted();
        let memory = self.memory.filter(|_| is_counted);
        let read = self.policy.read_back(path, true, memory, false, door)?;
        // The digest that the manifest names is that of the bytes that are judged here.
        let written = Digested {
            bytes: read.read.bytes,
            sha256: read.read.sha256.clone(),
        };
        let formulas = Formulas::of(policy, [&read.read.table]);
        let released = read.read.table;
        if policy.release.order == RowOrder::Sorted
            && let Err(wrong) = must_be_sorted(&released, policy.release.format == Format::Csv)
        {
            return Ok(Err(wrong));
        }
        let trees = self.trees();
        let plan = self.plan_file()?;
        let recipe = Recipe {
            plan: &plan,
            hierarchies: &trees,
            suppressed: None,
        };
        let expected = Expected::new(policy, source_table, &recipe)?;
        let paired = match expected.paired(source_table, &released)? {
            Ok(paired) => paired,
            Err(wrong) => return Ok(Err(wrong)),
        };
        let Paired {
            published,
            rows: source_rows,
        } = paired;
        let (table, rows) = (&published, &source_rows[..]);
        let person = policy
            .person()
            .and_then(|person| source_table.column(&person.name));
        let persons: Option<Vec<u32>> = person.map(|column| {
            rows.iter()
                .map(|row| column.codes().get(*row as usize))
                .collect()
        });
        let source = CertifiedSource {
            table: source_table,
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
        // Promises that a counted table can keep are judged by counts: each different row of the release once.
        let judged = if is_counted { &released } else { table };
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
            plan,
            written,
            formulas,
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

/// The files of a publication, by what they are.
fn files_of(dir: &Path, names: Names, all: &[&str]) -> Files {
    let shown = |file: &str| {
        let is_there = all.contains(&file);
        is_there.then(|| dir.join(file).display().to_string())
    };
    Files {
        release: shown(names.release),
        manifest: shown(names.manifest),
        report: shown(names.report),
        plan: shown(names.plan),
        external: shown(EXTERNAL),
        external_policy: shown(EXTERNAL_POLICY),
        external_manifest: shown(EXTERNAL_MANIFEST),
        replaced: Vec::new(),
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
