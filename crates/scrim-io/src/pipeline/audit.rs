//! Audit: does a table keep the policy's promise? No raw data is needed, unless the promise is about wishes, or about persons
//! over several releases.

use std::path::Path;

use scrim::release::audit::{Audit, Known, audit_with};
use scrim::release::policy::ColumnPolicy;
use scrim::release::verdict::Facts;
use scrim::release::{COHORT_RULE, History, are_kept, retire};
use scrim::{Place, counted, verb};

use super::aligned::{Aligned, raw_source};
use super::load::{LoadedPolicy, LoadedTable};
use super::publish::{EXTERNAL_MANIFEST, Names};
use super::serial::{SerialPromise, release_of};
use super::{Door, Stage};
use crate::{IoError, Source, files};

/// Checks a published table. `raw` is the table that it was made from, for wishes and for who is who; `plan` is the plan of the release,
/// where it does not lie beside it.
pub fn audit_file(
    file: &Path,
    policy: &Path,
    raw: Option<&Path>,
    plan: Option<&Path>,
    door: &mut dyn Door,
) -> Result<Audit, IoError> {
    let policy = LoadedPolicy::read(policy)?;
    door.stage(Stage::Read);
    let mut remarks = Vec::new();
    let raw = raw_source(&policy, raw, file, &mut remarks)?;
    let table = policy.read_published(file, door)?;
    let mut past = None;
    let aligned = match (raw, SerialPromise::of(&policy)) {
        (Some(raw), Some(promise)) => {
            let (aligned, found) = follow(
                &policy,
                &promise,
                (file, &table),
                &raw,
                plan,
                &mut remarks,
                door,
            )?;
            past = Some(found);
            Some(aligned)
        }
        (Some(raw), None) => Some(Aligned::read(&policy, (file, &table), &raw, plan, door)?),
        (None, _) => None,
    };
    door.stage(Stage::Certify);
    let source = aligned.as_ref().map(Aligned::source);
    let known = Known {
        persons: aligned
            .as_ref()
            .and_then(|aligned| aligned.persons.as_deref()),
        trees: &policy.sensitive_trees(&table)?,
        wishes: aligned.as_ref().map_or(&[], |aligned| &aligned.wishes),
        history: past.as_ref().map(|past| &past.history),
        source: source.as_ref(),
    };
    let judged = aligned.as_ref().map(|aligned| &aligned.published);
    let judged = judged.unwrap_or(&table.read.table);
    let mut answer = audit_with(&policy.policy, judged, &table.name, &known)?;
    answer.remarks.extend(remarks);
    if let Some(aligned) = &aligned {
        answer.remarks.extend(aligned.remarks.iter().cloned());
    }
    if let Some((report, past)) = answer.serial.as_mut().zip(past.as_ref()) {
        report.retired = past.retired;
        report.incomplete = past.incomplete;
        report.cohorts = are_kept(&policy.policy).then(|| COHORT_RULE.to_owned());
    }
    for wishes in known.wishes {
        let guarded = wishes.guards.iter().flatten().count();
        let all = wishes.guards.len();
        answer.remarks.push(format!(
            "wishes about `{}`: {guarded} of {} {} one",
            wishes.of,
            counted(all, "row"),
            verb(guarded, "has", "have")
        ));
    }
    answer.forbidden = forbidden(&policy, &table);
    answer.holds &= answer.forbidden.is_empty();
    answer.raw = !answer.forbidden.is_empty() || is_own_data(&policy, file);
    if aligned.is_none() {
        let models = answer.models.iter_mut();
        for witness in models.filter_map(|model| model.witness.as_mut()) {
            witness.line = Some(table.read.lines.line(witness.first as usize));
        }
    }
    let is_column = |person: &ColumnPolicy| table.read.table.column(&person.name).is_some();
    let knows_persons = known.persons.is_some() || policy.policy.person().is_some_and(is_column);
    let facts = Facts::of_audit(&policy.policy, &table.read.table, &answer, knows_persons);
    Ok(answer.judged(facts.concerns()))
}

/// Whether a file is the one that a manifest speaks of, by its SHA-256; else both hashes, the file's first.
pub fn is_file_of(file: &Path, manifest: &Path) -> Result<Result<(), (String, String)>, IoError> {
    let fault = |what: &str| {
        let place = Place::file(manifest.display().to_string());
        let hint = "name the manifest.json or manifest.external.json of the release";
        IoError::data(place, what, Some(hint))
    };
    let text = files::read_text(manifest)?;
    let told: serde_json::Value =
        serde_json::from_str(&text).map_err(|_| fault("this is no manifest: it is not JSON"))?;
    let told = told["output"]["sha256"].as_str();
    let told = told.ok_or_else(|| fault("this is no manifest: it names no output by its hash"))?;
    let found = files::sha256_file(file)?;
    Ok(if found == told {
        Ok(())
    } else {
        Err((found, told.to_owned()))
    })
}

/// Whether a file is a release: a manifest beside it names its hash.
#[must_use]
pub fn is_published(file: &Path) -> bool {
    let dir = file.parent().unwrap_or(Path::new(""));
    let own = Names::ALL.map(|names| names.manifest);
    let mut manifests = own.into_iter().chain([EXTERNAL_MANIFEST]);
    // A manifest that is missing or is none shows nothing.
    manifests.any(|name| matches!(is_file_of(file, &dir.join(name)), Ok(Ok(()))))
}

/// The columns of a table that the policy does not publish. Those that it does not know are named by their place: where a header is
/// missing or runs on into the first row, their names are a person's values.
fn forbidden(policy: &LoadedPolicy, table: &LoadedTable) -> Vec<String> {
    let names = (1..).zip(&table.read.header);
    let unpublished = names.filter(|(_, name)| !policy.policy.publishes(name));
    let shown = |(at, name): (usize, &String)| match policy.policy.column(name) {
        Some(_) => name.clone(),
        None => format!("column {at} of the header"),
    };
    unpublished.map(shown).collect()
}

/// Whether a file is the table that the policy publishes.
fn is_own_data(policy: &LoadedPolicy, file: &Path) -> bool {
    match policy.source() {
        Source::File(data) => match (data.canonicalize(), file.canonicalize()) {
            (Ok(data), Ok(file)) => data == file,
            _ => false,
        },
        Source::Stdin => false,
    }
}

/// What the ledger knows of the persons of a release.
struct Past {
    history: History,
    retired: u64,
    incomplete: u64,
}

/// The persons of a release, and what was published about them before it.
fn follow(
    policy: &LoadedPolicy,
    promise: &SerialPromise<'_>,
    (file, published): (&Path, &LoadedTable),
    raw: &Source,
    plan: Option<&Path>,
    remarks: &mut Vec<String>,
    door: &mut dyn Door,
) -> Result<(Aligned, Past), IoError> {
    let ledger = promise.open(true)?;
    remarks.extend(ledger.remarks().iter().cloned());
    let mut raw = policy.read_original(raw, door)?;
    let table = &raw.read.table;
    let person = policy.policy.person();
    let person = person.and_then(|person| table.column(&person.name));
    let person = person.ok_or_else(|| IoError::internal("the person column was not read"))?;
    let texts: Vec<&str> = person.dictionary().texts().collect();
    let tree = promise.tree(&ledger)?;
    let shield = promise.shield(tree.as_ref());
    let mut history = promise.history(&ledger, &texts, &shield)?;
    let all = history.releases;
    let release = release_of(&ledger, file)?.and_then(|release| u32::try_from(release).ok());
    let name = promise.place.ledger.display();
    if let Some(release) = release {
        history = history.before(release);
        remarks.push(format!(
            "this is release {release} of {all} in {name}: it is judged by what was published before it"
        ));
    } else {
        remarks.push(format!(
            "{name} does not have this release: it is judged as the one after the last, release {}",
            all + 1
        ));
    }
    let remaining = retire(&policy.policy, table, &history, tree.as_ref())?;
    let (mut retired, mut incomplete) = (0, 0);
    if let Some(remaining) = remaining {
        (retired, incomplete) = (remaining.retired, remaining.incomplete);
        raw.read.table = remaining.table;
    }
    let aligned = Aligned::of(policy, (file, published), (raw, retired), plan)?;
    let past = Past {
        history,
        retired,
        incomplete,
    };
    Ok((aligned, past))
}
