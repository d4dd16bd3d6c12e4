//! The ledger at publication: what it knows of the table's persons before, and the entry of the release after.
//!
//! **Reading.** Every release under a policy that names a ledger is recorded, whatever it promises: a later promise over several
//! releases counts by it. Only such a promise, `serial`, looks at what was recorded before. A ledger that is not there is made with the first entry, so that a run that publishes nothing leaves nothing. A
//! comparison only reads. From the first look until the entry is made the ledger is locked: what the release was made from
//! is what it is recorded after.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

use rustc_hash::FxHashMap;
use scrim::Share;
use scrim::hierarchy::Hierarchy;
use scrim::release::{History, Rows, Shield, must_be_recordable, retire};
use scrim::table::{Column, Role, Table};

use super::super::Door;
use super::super::load::{LoadedPolicy, LoadedTable};
use super::super::serial::{LedgerPlace, SerialPromise, named_values, values_among};
use super::Ending;
use crate::ledger::{Entry, EntryClass, Ledger, Promise};
use crate::{IoError, Staging, WAIT, files};

/// What the ledger knows, and the ledger itself, where there is one already.
pub(super) struct Past {
    pub(super) history: History,
    pub(super) retired: u64,
    /// Persons who are left out because of who is missing beside them.
    pub(super) incomplete: u64,
    pub(super) remarks: Vec<String>,
    ledger: RefCell<Option<Ledger>>,
    /// The hierarchy of the column that the promise over several releases is about.
    tree: Option<Arc<Hierarchy>>,
}

impl Past {
    /// The past of the table's persons, where the policy names a ledger; an empty one where it promises nothing over several
    /// releases. Retired persons are taken out of the table.
    pub(super) fn read(
        policy: &LoadedPolicy,
        table: &mut LoadedTable,
        ending: Ending,
        door: &mut dyn Door,
    ) -> Result<Option<Self>, IoError> {
        let Some(place) = LedgerPlace::of(policy) else {
            return Ok(None);
        };
        let promise = SerialPromise::of(policy);
        let line = |row: usize| table.line(row);
        let rows = Rows {
            file: &table.name,
            line: &line,
        };
        if promise.is_none() {
            must_be_recordable(&policy.policy, &table.read.table, &rows)?;
        }
        // A key without its ledger is the ledger's to complain of.
        let is_there = files::exists(&place.ledger) || files::exists(&place.key);
        let ledger = match (ending, &promise) {
            (Ending::Publish(_), _) if is_there => Some(open(policy, &place, door)?),
            (Ending::Discard, Some(promise)) if is_there => Some(promise.open(true)?),
            _ => None,
        };
        let Some(promise) = promise else {
            return Ok(Some(Self {
                retired: 0,
                incomplete: 0,
                remarks: ledger.iter().flat_map(Ledger::remarks).cloned().collect(),
                ledger: RefCell::new(ledger),
                history: History::default(),
                tree: None,
            }));
        };
        if let Some(ledger) = &ledger {
            promise.must_be_counted(ledger)?;
        }
        let source = &table.read.table;
        let column = policy.policy.column(promise.of);
        let tree = column
            .filter(|column| column.hierarchy.is_some())
            .map(|column| policy.tree_over(column, source))
            .transpose()?;
        let shield = promise.shield(tree.as_deref());
        let history = match &ledger {
            Some(ledger) => {
                let persons = persons_of(policy, source)?;
                let texts: Vec<&str> = persons.dictionary().texts().collect();
                promise.history(ledger, &texts, &shield)?
            }
            None => History::default(),
        };
        let mut remarks = Vec::new();
        if let Some(ledger) = &ledger {
            remarks.extend(ledger.remarks().iter().cloned());
            let before = ledger.last_promise(Some(promise.of))?;
            remarks.extend(before.and_then(|before| weaker(&before, &promise, &shield)));
        }
        let mut past = Self {
            retired: 0,
            incomplete: 0,
            remarks,
            ledger: RefCell::new(ledger),
            history,
            tree,
        };
        let left = retire(&policy.policy, source, &past.history, past.tree.as_deref())?;
        if let Some(left) = left {
            (past.retired, past.incomplete) = (left.retired, left.incomplete);
            table.read.table = left.table;
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
        let person = persons_of(policy, source)?;
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
        Ok(Recordable {
            promises: self.promise(policy, published)?.into_iter().collect(),
            columns,
            classes,
            persons,
        })
    }

    /// What is promised, with protected taxa told as the values below them.
    fn promise(
        &self,
        policy: &LoadedPolicy,
        published: &Table,
    ) -> Result<Option<Promise>, IoError> {
        let Some(promise) = SerialPromise::of(policy) else {
            return Ok(None);
        };
        let shield = promise.shield(self.tree.as_deref());
        let released = column_of(published, promise.of)?.dictionary().texts();
        let mut values: Vec<String> = released.map(str::to_owned).collect();
        if let Some(tree) = &self.tree {
            let leaves = tree.taxa().filter(|taxon| tree.leaves_below(*taxon) == 1);
            values.extend(leaves.map(|leaf| tree.label(leaf).to_owned()));
        }
        values.retain(|value| shield.covers(value));
        values.extend(named_values(promise.values, self.tree.as_deref()));
        values.extend(values_among(promise.lasting, self.tree.as_deref()));
        values.sort_unstable();
        values.dedup();
        Ok(Some(Promise {
            column: promise.of.to_owned(),
            l: promise.l.to_string(),
            values,
        }))
    }

    /// Records a release and puts its files in place, both or neither; says what the user should know although it is
    /// published.
    pub(super) fn record(
        &self,
        policy: &LoadedPolicy,
        source: &Table,
        recordable: Recordable,
        staging: Staging,
        files: (&[&str], &[&str]),
        door: &mut dyn Door,
    ) -> Result<Vec<String>, IoError> {
        let mut ledger = self.ledger.borrow_mut();
        let ledger = ledger
            .as_mut()
            .ok_or_else(|| IoError::internal("a release is recorded in no ledger"))?;
        let person = persons_of(policy, source)?;
        let persons = recordable.persons.iter();
        let entry = Entry {
            time: SystemTime::now(),
            policy: &policy.text,
            columns: recordable.columns,
            promises: recordable.promises,
            classes: recordable.classes,
            persons: persons
                .map(|(code, class)| (person.dictionary().text(*code), *class))
                .collect(),
        };
        door.check()?;
        let (names, outdated) = files;
        let recorded = ledger.append(&entry, staging, names, outdated)?.commit()?;
        Ok(recorded.remarks)
    }

    /// Makes the ledger where this is its first release. The ledger is locked before the folder, by everybody.
    pub(super) fn begin(&self, policy: &LoadedPolicy, door: &mut dyn Door) -> Result<(), IoError> {
        let mut ledger = self.ledger.borrow_mut();
        if ledger.is_none() {
            *ledger = Some(Self::first(policy, door)?);
        }
        Ok(())
    }

    /// Makes the ledger for its first entry.
    fn first(policy: &LoadedPolicy, door: &mut dyn Door) -> Result<Ledger, IoError> {
        let place = LedgerPlace::of(policy)
            .ok_or_else(|| IoError::internal("a release to be recorded without a ledger"))?;
        let ledger = open(policy, &place, door)?;
        if ledger.overview()?.releases.is_empty() {
            return Ok(ledger);
        }
        Err(IoError::ledger(
            &place.ledger,
            "somebody else published meanwhile: this release was made without knowing of that",
            "run again",
        ))
    }
}

/// What was promised before and is not any more: earlier releases were made by it.
fn weaker(before: &Promise, now: &SerialPromise<'_>, shield: &Shield) -> Option<String> {
    let mut less = Vec::new();
    if before.l.parse::<Share>().is_ok_and(|l| l > now.l) {
        less.push(format!("l was {}, and is {} now", before.l, now.l));
    }
    let given_up = before.values.iter().filter(|value| !shield.covers(value));
    match given_up.count() {
        0 => {}
        1 => less.push("1 value that was protected is not any more".to_owned()),
        many => less.push(format!(
            "{many} values that were protected are not any more"
        )),
    }
    (!less.is_empty()).then(|| {
        format!(
            "this promises less about `{}` than the last release did: {}",
            now.of,
            less.join("; ")
        )
    })
}

/// A release as the ledger will know it.
pub(super) struct Recordable {
    columns: Vec<String>,
    classes: Vec<EntryClass>,
    /// By row: the code of its person, and its class.
    persons: Vec<(u32, u32)>,
    promises: Vec<Promise>,
}

fn open(
    policy: &LoadedPolicy,
    place: &LedgerPlace,
    door: &mut dyn Door,
) -> Result<Ledger, IoError> {
    let say = &mut |words: &str| door.say(words);
    let mut ledger = Ledger::open_or_create(&place.ledger, &place.key, WAIT, say)?;
    ledger.sweep(&policy.resolve(&policy.policy.release.dir));
    Ok(ledger)
}

fn persons_of<'t>(policy: &LoadedPolicy, table: &'t Table) -> Result<&'t Column, IoError> {
    let person = policy.policy.person();
    column_of(table, person.map_or("", |column| &column.name))
}

fn column_of<'t>(table: &'t Table, name: &str) -> Result<&'t Column, IoError> {
    table
        .column(name)
        .ok_or_else(|| IoError::internal(&format!("column `{name}` was not read")))
}
