//! The ledger at publication: what it knows of the table's persons before, and the entry of the release after.
//!
//! **Reading.** A ledger that is not there is made with the first entry, so that a run that publishes nothing leaves nothing. A
//! comparison only reads. From the first look until the entry is made the ledger is locked: what the release was made from
//! is what it is recorded after.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use rustc_hash::FxHashMap;
use scrim::hierarchy::Hierarchy;
use scrim::release::policy::ModelSpec;
use scrim::release::{History, protects, retire};
use scrim::table::{Column, Role, Table};

use super::super::Door;
use super::super::load::{LoadedPolicy, LoadedTable};
use super::Ending;
use crate::ledger::{Entry, EntryClass, Ledger, Promise};
use crate::{IoError, Staging, files};

/// How long to wait for another publisher.
const WAIT: Duration = Duration::from_secs(30);

/// What the ledger knows, and the ledger itself, where there is one already.
pub(super) struct Past {
    pub(super) history: History,
    pub(super) retired: u64,
    pub(super) remarks: Vec<String>,
    ledger: RefCell<Option<Ledger>>,
    path: PathBuf,
    key: PathBuf,
    of: String,
    l: String,
    tree: Option<Arc<Hierarchy>>,
}

impl Past {
    /// The past of the table's persons, where the policy promises something over several releases. Retired persons are
    /// taken out of the table.
    pub(super) fn read(
        policy: &LoadedPolicy,
        table: &mut LoadedTable,
        ending: Ending,
        door: &mut dyn Door,
    ) -> Result<Option<Self>, IoError> {
        let serial = policy.policy.serial().map(|model| &model.spec);
        let (Some(place), Some(ModelSpec::Serial { of, l, .. }), Some(person)) =
            (&policy.policy.ledger, serial, policy.policy.person())
        else {
            return Ok(None);
        };
        let (path, key) = (policy.resolve(&place.path), policy.resolve(&place.key));
        // A key without its ledger is the ledger's to complain of.
        let ledger = if files::exists(&path) || files::exists(&key) {
            Some(match ending {
                Ending::Publish => open(policy, &path, &key, door)?,
                Ending::Discard => Ledger::open(&path, Some(&key))?,
            })
        } else {
            None
        };
        let column = policy.policy.column(of);
        let tree = column
            .filter(|column| column.hierarchy.is_some())
            .map(|column| policy.tree_over(column, &table.read.table))
            .transpose()?;
        let persons = column_of(&table.read.table, &person.name)?;
        let texts: Vec<&str> = persons.dictionary().texts().collect();
        let keep = protects(&policy.policy, tree.as_deref());
        let history = match &ledger {
            Some(ledger) => ledger.history(&texts, of, &keep)?,
            None => History::default(),
        };
        let mut past = Self {
            retired: 0,
            remarks: ledger
                .as_ref()
                .map_or_else(Vec::new, |ledger| ledger.remarks().to_vec()),
            ledger: RefCell::new(ledger),
            history,
            path,
            key,
            of: of.clone(),
            l: l.to_string(),
            tree,
        };
        let source = &table.read.table;
        let left = retire(&policy.policy, source, &past.history, past.tree.as_deref())?;
        if let Some(left) = left {
            past.retired = left.retired;
            table.read.table = left.table;
            table.read.lines.only(left.rows);
        }
        Ok(Some(past))
    }

    /// What a release will be recorded as: its classes, as published, and who is in them.
    pub(super) fn entry(
        &self,
        policy: &LoadedPolicy,
        source: &Table,
        rows: &[u32],
        published: &Table,
    ) -> Result<Recordable, IoError> {
        let names = |role: Role| {
            policy
                .policy
                .with_role(role)
                .map(|column| column.name.clone())
        };
        let quasi: Vec<&Column> = names(Role::Quasi)
            .map(|name| column_of(published, &name))
            .collect::<Result<_, _>>()?;
        let columns: Vec<String> = names(Role::Sensitive).collect();
        let sensitive: Vec<&Column> = columns
            .iter()
            .map(|name| column_of(published, name))
            .collect::<Result<_, _>>()?;
        let person = policy.policy.person().map(|column| column.name.as_str());
        let person = column_of(source, person.unwrap_or_default())?;
        let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut classes: Vec<EntryClass> = Vec::new();
        let mut persons = Vec::with_capacity(rows.len());
        for (row, from) in rows.iter().enumerate() {
            let cells = quasi.iter().map(|column| column.codes().get(row)).collect();
            let class = *numbers.entry(cells).or_insert_with(|| {
                classes.push(EntryClass {
                    rows: 0,
                    histograms: vec![BTreeMap::new(); columns.len()],
                });
                classes.len() as u32 - 1
            });
            let own = &mut classes[class as usize];
            own.rows += 1;
            for (histogram, column) in own.histograms.iter_mut().zip(&sensitive) {
                let text = column.dictionary().text(column.codes().get(row));
                match histogram.get_mut(text) {
                    Some(count) => *count += 1,
                    None => drop(histogram.insert(text.to_owned(), 1)),
                }
            }
            persons.push((person.codes().get(*from as usize), class));
        }
        let keep = protects(&policy.policy, self.tree.as_deref());
        let released = column_of(published, &self.of)?.dictionary().texts();
        let mut values: Vec<String> = released
            .filter(|text| keep(text))
            .map(str::to_owned)
            .collect();
        if let Some(tree) = &self.tree {
            let leaves = tree.taxa().filter(|taxon| tree.leaves_below(*taxon) == 1);
            let labels = leaves
                .map(|leaf| tree.label(leaf))
                .filter(|label| keep(label));
            values.extend(labels.map(str::to_owned));
        }
        values.sort_unstable();
        values.dedup();
        Ok(Recordable {
            columns,
            classes,
            persons,
            promise: Promise {
                column: self.of.clone(),
                l: self.l.clone(),
                values,
            },
        })
    }

    /// Records a release and puts its files in place, both or neither.
    pub(super) fn record(
        &self,
        policy: &LoadedPolicy,
        source: &Table,
        recordable: Recordable,
        staging: Staging,
        files: (&[&str], &[&str]),
        door: &mut dyn Door,
    ) -> Result<(), IoError> {
        let mut ledger = self.ledger.borrow_mut();
        if ledger.is_none() {
            let made = open(policy, &self.path, &self.key, door)?;
            if made.overview()?.releases.len() as u32 != self.history.releases {
                return Err(IoError::ledger(
                    &self.path,
                    "somebody else published meanwhile: this release was made without knowing of that",
                    "run again",
                ));
            }
            *ledger = Some(made);
        }
        let Some(ledger) = ledger.as_mut() else {
            return Err(IoError::internal("a ledger that was opened is gone"));
        };
        let person = policy.policy.person().map(|column| column.name.as_str());
        let person = column_of(source, person.unwrap_or_default())?;
        let persons = recordable.persons.iter();
        let entry = Entry {
            time: SystemTime::now(),
            policy: &policy.text,
            columns: recordable.columns,
            promises: vec![recordable.promise],
            classes: recordable.classes,
            persons: persons
                .map(|(code, class)| (person.dictionary().text(*code), *class))
                .collect(),
        };
        door.check()?;
        let (names, outdated) = files;
        ledger.append(&entry, staging, names, outdated)?.commit()?;
        Ok(())
    }
}

/// A release as the ledger will know it.
pub(super) struct Recordable {
    columns: Vec<String>,
    classes: Vec<EntryClass>,
    /// By row: the code of its person, and its class.
    persons: Vec<(u32, u32)>,
    promise: Promise,
}

fn open(
    policy: &LoadedPolicy,
    path: &std::path::Path,
    key: &std::path::Path,
    door: &mut dyn Door,
) -> Result<Ledger, IoError> {
    let mut ledger = Ledger::open_or_create(path, key, WAIT, &mut |words| door.say(words))?;
    ledger.sweep(&policy.resolve(&policy.policy.release.dir));
    Ok(ledger)
}

fn column_of<'t>(table: &'t Table, name: &str) -> Result<&'t Column, IoError> {
    table
        .column(name)
        .ok_or_else(|| IoError::internal(&format!("column `{name}` was not read")))
}
