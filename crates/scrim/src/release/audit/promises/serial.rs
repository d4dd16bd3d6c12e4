//! Serial publishing.
//!
//! **Definition.** Over all releases, this one included, nobody is linked to a protected value with a probability above 1/l:
//! 1 - Π (1 - `n_js/n_j`), the product over the classes that the person was in ([Wong09], Lemma 2; a release without the person
//! is no factor).
//! **Reading.** A starred value may be any value, so a class that has one breaks the promise; so does a withheld row, since
//! rows are withheld because of what they say. A person with two rows in the release breaks it too: the formula is about one.
//! **Cost.** O(persons · values of their classes); equal products are made once.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::super::{Published, SerialReport, is_suppressed};
use super::{Finding, Sensitive};
use crate::adversary::Chance;
use crate::error::{Error, Place};
use crate::hierarchy::Hierarchy;
use crate::release::history::History;
use crate::release::policy::{ModelSpec, Protected};
use crate::share::Share;

/// Fractions with more digits are told as numbers only.
const MAX_DIGITS: usize = 60;

pub(super) fn check(published: &Published<'_>, spec: &ModelSpec) -> Result<Finding, Error> {
    let ModelSpec::Serial {
        of,
        l,
        values,
        schedule,
        horizon,
        retire,
    } = spec
    else {
        return Err(Error::Internal("not a `serial` promise".to_owned()));
    };
    let unknown = |what: &str| Error::Data {
        place: Place::file(published.file),
        what: format!("`serial` cannot be checked: {what}"),
        hint: Some("give the table that the release was made from, and its ledger".to_owned()),
    };
    let persons = published
        .persons
        .ok_or_else(|| unknown("the table does not tell who its persons are"))?;
    let history = published
        .history
        .ok_or_else(|| unknown("the table does not tell what was published before"))?;
    if persons.len() != published.table.rows() {
        return Err(Error::Internal(
            "the persons are those of other rows".to_owned(),
        ));
    }
    let sensitive = Sensitive::of(published, of)?;
    let protected = Guarded::new(published, of, values)?;
    let judge = Judge {
        published,
        sensitive: &sensitive,
        protected,
        history,
        persons,
    };
    let mut finding = judge.find(*l);
    if let Some(report) = &mut finding.serial {
        schedule.name().clone_into(&mut report.schedule);
        if let Some(horizon) = horizon {
            report.schedule.push_str(&format!(", horizon {horizon}"));
        }
        report.retirement = retire.words();
    }
    Ok(finding)
}

/// The protected texts; none where all are.
struct Guarded(Option<FxHashSet<String>>);

impl Guarded {
    fn new(published: &Published<'_>, of: &str, values: &Protected) -> Result<Self, Error> {
        let Protected::Named(names) = values else {
            return Ok(Self(None));
        };
        let has_tree = published
            .policy
            .column(of)
            .is_some_and(|column| column.hierarchy.is_some());
        let tree = published.trees.iter().find(|(name, _)| name == of);
        if has_tree && tree.is_none() {
            let what = format!("the hierarchy of `{of}` was not read");
            return Err(Error::Internal(what));
        }
        let mut texts: FxHashSet<String> = names.iter().cloned().collect();
        if let Some((_, tree)) = tree {
            texts.extend(below(tree, names));
        }
        Ok(Self(Some(texts)))
    }

    fn has(&self, text: &str) -> bool {
        self.0.as_ref().is_none_or(|texts| texts.contains(text))
    }
}

/// The labels of all taxa on whose way to the top one of the names stands.
fn below<'a>(tree: &'a Hierarchy, names: &'a [String]) -> impl Iterator<Item = String> + 'a {
    let is_below = |taxon: &_| {
        let mut way = std::iter::successors(Some(*taxon), |at| tree.parent(*at));
        way.any(|at| names.iter().any(|name| tree.label(at) == name))
    };
    let taxa = tree.taxa().filter(is_below);
    taxa.map(|taxon| tree.label(taxon).to_owned())
}

struct Judge<'a> {
    published: &'a Published<'a>,
    sensitive: &'a Sensitive<'a>,
    protected: Guarded,
    history: &'a History,
    persons: &'a [u32],
}

impl Judge<'_> {
    fn find(&self, l: Share) -> Finding {
        let mut worst = Worst::default();
        let text = |code| self.sensitive.column.dictionary().text(code);
        let classes = &self.published.classes;
        let mut present: Vec<Vec<(&str, u64)>> = vec![Vec::new(); classes.count()];
        let mut broken = self.misshapen();
        for (class, cells) in self.sensitive.classes() {
            let told = cells.iter().map(|cell| (text(cell.value), cell.rows));
            present[class] = told.filter(|(text, _)| self.protected.has(text)).collect();
            if cells.iter().any(|cell| is_suppressed(text(cell.value))) && broken.is_none() {
                broken = Some((class, "a starred value, which may be any".to_owned()));
            }
        }
        let past = self.past();
        for (row, class) in classes.class_of_row().iter().enumerate() {
            let size = classes.size(*class as usize);
            let mut chances: BTreeMap<&str, Chance> = BTreeMap::new();
            let now = present[*class as usize].iter();
            for (text, rows) in now {
                chances.entry(text).or_default().add(*rows, size);
            }
            let earlier = self.history.of_person.get(self.persons[row] as usize);
            let earlier = earlier.into_iter().flatten();
            for (size, linked) in earlier.filter_map(|class| past.get(*class as usize)) {
                for (text, rows) in linked {
                    chances.entry(text).or_default().add(*rows, *size);
                }
            }
            for chance in chances.into_values() {
                worst.take(chance, *class);
            }
        }
        let report = SerialReport {
            release: self.history.releases + 1,
            max: worst.chance.value(),
            max_exact: worst.chance.exact(MAX_DIGITS),
            persons: self.persons.len() as u64,
            ..SerialReport::default()
        };
        let limit = Share::new(l.denominator(), l.numerator()).unwrap_or(Share::ONE);
        let above = worst.chance.is_above(limit).then(|| {
            let told = report.max_exact.clone();
            let told = told.unwrap_or_else(|| format!("about {:.6}", report.max));
            (
                worst.class as usize,
                format!(
                    "a person is linked to a protected value of `{}` with probability {told} over all releases, but 1/l is {limit}",
                    self.sensitive.name()
                ),
            )
        });
        let mut finding = Finding {
            observed: report.max.into(),
            broken: above.or(broken),
            ..Finding::default()
        };
        let mut put = |key: &str, value: serde_json::Value| {
            finding.details.insert(key.to_owned(), value);
        };
        put("observed_exact", report.max_exact.clone().into());
        put("release", report.release.into());
        finding.serial = Some(report);
        finding
    }

    /// The protected values of each class of the past, and its rows.
    fn past(&self) -> Vec<(u64, Vec<(&str, u64)>)> {
        let classes = self.history.classes.iter();
        classes
            .map(|past| {
                let linked = past.counts.iter();
                let linked = linked.filter(|(text, rows)| **rows > 0 && self.protected.has(text));
                (
                    past.rows,
                    linked.map(|(text, rows)| (text.as_str(), *rows)).collect(),
                )
            })
            .collect()
    }

    /// A class with a withheld row, or with the second row of a person.
    fn misshapen(&self) -> Option<(usize, String)> {
        let classes = &self.published.classes;
        let mut seen: FxHashSet<u32> = FxHashSet::default();
        for (row, person) in self.persons.iter().enumerate() {
            let class = classes.class_of_row()[row] as usize;
            if classes.is_withheld(row) {
                return Some((
                    class,
                    "rows that are withheld because of what they say".to_owned(),
                ));
            }
            if !seen.insert(*person) {
                return Some((class, "a second row of one person".to_owned()));
            }
        }
        None
    }
}

/// The largest probability so far.
#[derive(Default)]
struct Worst {
    known: FxHashSet<Chance>,
    chance: Chance,
    class: u32,
}

impl Worst {
    fn take(&mut self, chance: Chance, class: u32) {
        // Floats are off by far less: what is lower by this much is lower.
        if chance.value() < self.chance.value() - 1e-9 || self.known.contains(&chance) {
            return;
        }
        if self.chance.compare(&chance) == Ordering::Less {
            (self.chance, self.class) = (chance.clone(), class);
        }
        self.known.insert(chance);
    }
}
