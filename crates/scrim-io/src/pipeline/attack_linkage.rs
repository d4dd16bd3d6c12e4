//! The linkage attack: reads the release and the table with names.

use std::path::Path;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use scrim::adversary::{Covering, Hidden, LinkageAttack, Links, Shown, Tuples, linkage};
use scrim::hierarchy::{Hierarchy, TaxonId, is_star};
use scrim::release::policy::{Case, ColumnPolicy, DefaultGuard, ModelSpec};
use scrim::table::{Column, Role, Table};
use scrim::{Error, Place, Share, counted, verb};

use super::attack::target;
use super::linked::{Linking, unknown_to};
use super::load::{LoadedPolicy, Needed};
use super::{Door, Stage};
use crate::IoError;

/// Joins a release with an external table of persons. Without a limit that of the policy's `personal` promise counts, else
/// one half.
pub fn attack_linkage(
    file: &Path,
    policy: &Path,
    of: Option<&str>,
    external: &Path,
    limit: Option<Share>,
    door: &mut dyn Door,
) -> Result<LinkageAttack, IoError> {
    let policy = LoadedPolicy::read(policy)?;
    door.stage(Stage::Read);
    let published = policy.read_published(file, door)?;
    let release = &published.read.table;
    let external = policy.read_external(external, Needed::Any, door)?;
    let table = &external.read.table;
    for (name, rows) in [
        (&published.name, release.rows()),
        (&external.name, table.rows()),
    ] {
        if rows == 0 {
            return Err(Error::data(Place::file(name), "there is no row to link").into());
        }
    }
    door.stage(Stage::Link);
    let linking = Linking::new(&policy, release, table)?;
    let mut remarks = skipped(
        &policy,
        &linking.names(),
        release,
        &published.name,
        &external.name,
    );
    let linked = linking.columns(release, table)?;
    if linked.is_empty() {
        let what = format!("it has no quasi-identifier that {} has too", external.name);
        return Err(Error::data(Place::file(&published.name), what).into());
    }
    let shown: Vec<&Column> = linked.iter().map(|column| column.published).collect();
    let known: Vec<&Column> = linked.iter().map(|column| column.external).collect();
    let classes = Tuples::new(&shown, release.rows(), None);
    let persons = external.persons(&policy.policy);
    let tuples = Tuples::new(&known, table.rows(), persons.as_deref());
    let secret = Secret::find(&policy, of, release, &published.name, &mut remarks)?;
    let hidden = secret.as_ref().map(|secret| secret.hidden(limit));
    let covering = Covering::new(&linked, classes.first_rows());
    let links = Links {
        release: &classes,
        external: &tuples,
        persons: persons.as_deref(),
        covering: &covering,
    };
    let unknown = unknown_to(&linked, &tuples);
    if unknown > 0 {
        remarks.push(format!(
            "{} of {} {} a value that its hierarchy does not know: only the same text and stars match it",
            counted(unknown, "person"),
            external.name,
            verb(unknown, "has", "have")
        ));
    }
    if persons.is_none() {
        remarks.push(format!(
            "each row of {} is taken as one person",
            external.name
        ));
    }
    let found = linkage(&links, hidden.as_ref(), &mut |done, all| {
        door.counted(done, all, "look-ups")
    })?;
    Ok(LinkageAttack {
        columns: linking.names().into_iter().map(str::to_owned).collect(),
        unknown,
        remarks,
        ..found
    })
}

/// Quasi-identifiers that one of the tables lacks.
fn skipped(
    policy: &LoadedPolicy,
    linked: &[&str],
    release: &Table,
    file: &str,
    external: &str,
) -> Vec<String> {
    let quasi = policy.policy.with_role(Role::Quasi);
    let skipped = quasi.filter(|column| !linked.contains(&column.name.as_str()));
    let remark = |column: &ColumnPolicy| {
        let lacks = if release.column(&column.name).is_none() {
            file
        } else {
            external
        };
        format!(
            "{lacks} has no column `{}`: it is linked without it",
            column.name
        )
    };
    skipped.map(remark).collect()
}

/// The sensitive column of the release.
struct Secret<'a> {
    column: &'a Column,
    silent: Vec<bool>,
    /// Whether each text is a taxon above several values.
    taxon: Vec<bool>,
    personal: Option<Personal>,
}

/// What a `personal` promise says about it.
struct Personal {
    tree: Arc<Hierarchy>,
    taxa: Vec<Option<TaxonId>>,
    case: Case,
    guard: Option<TaxonId>,
    breach: Share,
}

impl<'a> Secret<'a> {
    fn find(
        policy: &LoadedPolicy,
        of: Option<&str>,
        release: &'a Table,
        file: &str,
        remarks: &mut Vec<String>,
    ) -> Result<Option<Self>, IoError> {
        if of.is_none() && policy.policy.with_role(Role::Sensitive).next().is_none() {
            remarks.push("no column is sensitive: only persons are sought".to_owned());
            return Ok(None);
        }
        let target = target(policy, of)?;
        let column = release.column(&target.name).ok_or_else(|| {
            let what = format!("the table has no column `{}`", target.name);
            Error::data(Place::file(file), what)
        })?;
        let personal = Personal::find(policy, target, column, release, remarks)?;
        let tree = match (&personal, &target.hierarchy) {
            (Some(personal), _) => Some(Arc::clone(&personal.tree)),
            (None, Some(_)) => Some(policy.tree_over(target, release)?),
            (None, None) => None,
        };
        // How many values lie below the lowest and the highest taxon of a text. Of a text that is a value and a taxon as well only
        // the policy tells which it is.
        let generalizes = policy.policy.generalizes_sensitive(&target.name);
        let below = |text: &str| {
            let tree = tree.as_deref()?;
            let leaves = || tree.labelled(text).map(|taxon| tree.leaves_below(taxon));
            let most = if generalizes {
                leaves().max()
            } else {
                leaves().min()
            };
            most.map(|most| (most, tree.domain_size()))
        };
        let texts = || column.dictionary().texts();
        let is_top = |text: &str| below(text).is_some_and(|(most, all)| most == all && all > 1);
        let is_taxon = |text: &str| below(text).is_some_and(|(most, _)| most > 1);
        Ok(Some(Self {
            column,
            silent: texts().map(|text| is_star(text) || is_top(text)).collect(),
            taxon: texts().map(is_taxon).collect(),
            personal,
        }))
    }

    fn hidden(&self, limit: Option<Share>) -> Hidden<'_> {
        let half = Share::new(1, 2).unwrap_or(Share::ONE);
        let promised = self.personal.as_ref().map(|personal| personal.breach);
        Hidden {
            column: self.column,
            silent: self.silent.clone(),
            taxon: self.taxon.clone(),
            personal: self.personal.as_ref().map(|personal| Shown {
                tree: &personal.tree,
                taxa: personal.taxa.clone(),
                case: personal.case,
                guard: personal.guard,
            }),
            limit: limit.or(promised).unwrap_or(half),
        }
    }
}

impl Personal {
    fn find(
        policy: &LoadedPolicy,
        target: &ColumnPolicy,
        column: &Column,
        release: &Table,
        remarks: &mut Vec<String>,
    ) -> Result<Option<Self>, IoError> {
        let mut specs = policy.policy.privacy.iter().map(|model| &model.spec);
        let personal = specs.find_map(|spec| match spec {
            ModelSpec::Personal {
                of,
                breach,
                case,
                default_guard,
                ..
            } if *of == target.name => Some((*breach, *case, default_guard)),
            _ => None,
        });
        let Some((breach, case, default_guard)) = personal else {
            return Ok(None);
        };
        if case.is_none() {
            remarks.push("a release does not tell whether persons have several rows: the primary case is taken, unless the policy's `case` says otherwise".to_owned());
        }
        let tree = policy.tree_over(target, release)?;
        let mut labels: FxHashMap<&str, TaxonId> = FxHashMap::default();
        for taxon in tree.taxa() {
            labels.entry(tree.label(taxon)).or_insert(taxon);
        }
        let taxon = |text: &str| {
            if is_star(text) {
                Some(tree.root())
            } else {
                tree.leaf(text).or_else(|| labels.get(text).copied())
            }
        };
        let guard = match default_guard {
            Some(DefaultGuard::Taxon(label)) => labels.get(label.as_str()).copied(),
            _ => None,
        };
        let taxa = column.dictionary().texts().map(taxon).collect();
        Ok(Some(Self {
            taxa,
            case: case.unwrap_or(Case::Primary),
            guard,
            breach,
            tree,
        }))
    }
}
