//! Inference from known totals: reads the release and a list of totals.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use scrim::adversary::{
    Group, InferredCell, Total, Totals, TotalsAttack, TotalsColumn, filled, subtract,
};
use scrim::hierarchy::{Hierarchy, TaxonId, is_star};
use scrim::release::policy::{ColumnPolicy, ModelSpec};
use scrim::table::{Column, ColumnBuilder, Role, Table};
use scrim::{Error, Place, counted, verb};

use super::load::LoadedPolicy;
use super::{Door, Stage};
use crate::{IoError, files};

/// Subtracts what a release shows from totals that are known from elsewhere. `all` lists every cell that becomes certain.
pub fn attack_totals(
    file: &Path,
    policy: &Path,
    totals: &Path,
    all: bool,
    door: &mut dyn Door,
) -> Result<TotalsAttack, IoError> {
    let policy = LoadedPolicy::read(policy)?;
    door.stage(Stage::Read);
    let published = policy.read_published(file, door)?;
    let release = &published.read.table;
    if release.rows() == 0 {
        let what = "there is no row to look at";
        return Err(Error::data(Place::file(&published.name), what).into());
    }
    let known = Totals::parse(&totals.display().to_string(), &files::read_text(totals)?)?;
    door.stage(Stage::Count);
    let mut attack = Attack::new(&policy, release, &published.name, &known);
    for (name, values) in &known.columns {
        attack.column(name, values)?;
    }
    Ok(attack.finish(all))
}

/// What is known of a column.
struct Known {
    tree: Arc<Hierarchy>,
    totals: Vec<(TaxonId, u64)>,
    /// The leaf of missing values, where they have a total.
    missing: Option<TaxonId>,
}

/// The attack, column by column.
struct Attack<'a> {
    policy: &'a LoadedPolicy,
    release: &'a Table,
    file: &'a str,
    known: &'a Totals,
    found: Vec<TotalsColumn>,
    cells: Vec<InferredCell>,
    /// By quasi-identifier: what each of its codes is filled with, where it is certain.
    certain: FxHashMap<String, Vec<Option<String>>>,
}

impl<'a> Attack<'a> {
    fn new(policy: &'a LoadedPolicy, release: &'a Table, file: &'a str, known: &'a Totals) -> Self {
        Self {
            policy,
            release,
            file,
            known,
            found: Vec::new(),
            cells: Vec::new(),
            certain: FxHashMap::default(),
        }
    }

    fn fault(&self, what: String) -> IoError {
        let hint = "are these totals about the people of this table?";
        Error::Data {
            place: Place::file(self.file),
            what,
            hint: Some(hint.to_owned()),
        }
        .into()
    }

    fn column(&mut self, name: &str, values: &[Total]) -> Result<(), IoError> {
        let known = self.totals(name, values)?;
        let (tree, totals) = (&known.tree, &known.totals);
        let column = self.release.column(name);
        let column =
            column.ok_or_else(|| self.fault(format!("the table has no column `{name}`")))?;
        let taxa = self.taxa(column, &known)?;
        let mut shown: BTreeMap<TaxonId, u64> = BTreeMap::new();
        for row in 0..self.release.rows() {
            let taxon = taxa[column.codes().get(row) as usize];
            *shown.entry(taxon).or_default() += 1;
        }
        let all: u64 = totals.iter().map(|(_, total)| total).sum();
        let rows = self.release.rows() as u64;
        let missing = all.checked_sub(rows).ok_or_else(|| {
            self.fault(format!(
                "it has {}, but the totals of `{name}` in {} add up to {all}",
                counted(rows, "row"),
                self.known.file()
            ))
        })?;
        *shown.entry(tree.root()).or_default() += missing;
        let groups = subtract(tree, totals, &shown).map_err(|found| {
            self.fault(format!(
                "{} of `{name}` {} a value or something below it of which the totals in {} have {}",
                counted(found.cells, "row"),
                verb(found.cells, "shows", "show"),
                self.known.file(),
                found.total
            ))
        })?;
        self.found.push(TotalsColumn::new(name, &groups, missing));
        self.fill(column, tree, &taxa, &groups);
        Ok(())
    }

    /// The hierarchy of a column, and the total of each leaf.
    fn totals(&self, name: &str, values: &[Total]) -> Result<Known, IoError> {
        let is_published =
            |column: &&ColumnPolicy| matches!(column.role, Role::Quasi | Role::Sensitive);
        let policy = self.policy.policy.column(name).filter(is_published);
        let policy = policy.ok_or_else(|| {
            let what =
                format!("`{name}` is no quasi-identifier and no sensitive column of the policy");
            self.known
                .fault(values.first().map_or(1, |total| total.line), what)
        })?;
        let mut column = ColumnBuilder::new(name, &self.policy.policy.data.null);
        values.iter().for_each(|total| column.push(&total.value));
        let column = column.finish();
        let missing = column.dictionary().missing();
        let missing = missing.map(|code| column.dictionary().text(code).to_owned());
        let table = Table::new(vec![column])
            .ok_or_else(|| Error::Internal("columns of different lengths".to_owned()))?;
        let tree = self.policy.tree_over(policy, &table)?;
        let leaf = |total: &Total| {
            let is_missing = self.policy.policy.data.null.contains(&total.value);
            let value = missing
                .as_ref()
                .filter(|_| is_missing)
                .unwrap_or(&total.value);
            let leaf = tree.leaf(value).ok_or_else(|| {
                let what = format!("this value is no leaf of the hierarchy of `{name}`");
                self.known.fault(total.line, what)
            })?;
            Ok((leaf, total.count))
        };
        let totals = values.iter().map(leaf).collect::<Result<_, Error>>()?;
        let missing = missing.and_then(|text| tree.leaf(&text));
        Ok(Known {
            tree,
            totals,
            missing,
        })
    }

    /// What each code of a published column shows.
    fn taxa(&self, column: &Column, known: &Known) -> Result<Vec<TaxonId>, IoError> {
        let tree = &known.tree;
        let missing = column.dictionary().missing();
        let taxon = |(code, text): (u32, &str)| {
            if Some(code) == missing {
                return known.missing;
            }
            if is_star(text) {
                return Some(tree.root());
            }
            // A label on several levels counts at its lowest.
            let labelled = tree.labelled(text);
            labelled.max_by_key(|taxon| (tree.depth(*taxon), std::cmp::Reverse(*taxon)))
        };
        let texts = (0..).zip(column.dictionary().texts());
        let taxa: Option<Vec<TaxonId>> = texts.map(taxon).collect();
        taxa.ok_or_else(|| {
            self.fault(format!(
                "`{}` shows something that the totals and its hierarchy do not have: either a value without a total, or an interval that a search made, which totals cannot be subtracted from",
                column.name()
            ))
        })
    }

    /// Takes note of the cells that are certain.
    fn fill(&mut self, column: &Column, tree: &Hierarchy, taxa: &[TaxonId], groups: &[Group]) {
        let certain = |taxon: &TaxonId| {
            let group = groups.iter().find(|group| group.taxon == *taxon)?;
            let leaf = group.certain.filter(|_| group.is_hidden)?;
            Some(tree.label(leaf).to_owned())
        };
        let certain: Vec<Option<String>> = taxa.iter().map(certain).collect();
        for row in 0..self.release.rows() {
            if let Some(value) = &certain[column.codes().get(row) as usize] {
                self.cells.push(InferredCell {
                    row: row as u64 + 1,
                    column: column.name().to_owned(),
                    value: value.clone(),
                });
            }
        }
        self.certain.insert(column.name().to_owned(), certain);
    }

    fn finish(mut self, all: bool) -> TotalsAttack {
        let rows = self.release.rows();
        let k = self
            .policy
            .policy
            .privacy
            .iter()
            .filter_map(|model| match &model.spec {
                ModelSpec::KAnonymity {
                    k, columns: None, ..
                } => Some(*k),
                _ => None,
            });
        let k = k.max();
        let quasi = self.policy.policy.with_role(Role::Quasi);
        let columns: Vec<&Column> = quasi
            .filter_map(|column| self.release.column(&column.name))
            .collect();
        let count = |is_filled: bool| {
            let columns: Vec<Vec<u32>> = columns
                .iter()
                .map(|column| self.codes(column, is_filled))
                .collect();
            filled(&columns, rows, k)
        };
        let (before, after) = (count(false), count(true));
        self.cells.sort_by_key(|cell| cell.row);
        TotalsAttack {
            rows: rows as u64,
            columns: self.found,
            k,
            before,
            after,
            cells: all.then_some(self.cells),
            remarks: Vec::new(),
        }
    }

    /// The values of a quasi-identifier by row, as published or with what is certain in place; all stars are one value.
    fn codes(&self, column: &Column, is_filled: bool) -> Vec<u32> {
        let certain = self.certain.get(column.name()).filter(|_| is_filled);
        let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
        let texts = column.dictionary().texts().enumerate();
        let shown: Vec<u32> = texts
            .map(|(code, text)| {
                let text = certain
                    .and_then(|certain| certain[code].as_deref())
                    .unwrap_or(if is_star(text) { "*" } else { text });
                let next = numbers.len() as u32;
                *numbers.entry(text).or_insert(next)
            })
            .collect();
        (0..self.release.rows())
            .map(|row| shown[column.codes().get(row) as usize])
            .collect()
    }
}
