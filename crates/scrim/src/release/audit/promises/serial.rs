//! Serial publishing.
//!
//! **Definition.** Over all releases, this one included, nobody is linked to a protected value with a probability above 1/l:
//! 1 - Π (1 - `n_js/n_j`), the product over the classes that the person was in ([Wong09], Lemma 2; a release without the person
//! is no factor). These values are taken as transient; those that last are judged over all releases together ([`super::lasting`]).
//! **Reading.** A starred value may be any value, so a class that has one breaks the promise; so does a withheld row, since
//! rows are withheld because of what they say. A person with two rows in the release breaks it too: the formula is about one. Earlier
//! releases may have several rows of a person: then each is a factor.
//! **Cost.** O(persons · values of their classes); equal products are made once.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use super::super::{LastingReport, Published, SerialReport, is_suppressed};
use super::guarded::Guarded;
use super::lasting::Case;
use super::{Finding, Sensitive};
use crate::adversary::Chance;
use crate::error::{Error, Place};
use crate::release::cohorts::assumptions;
use crate::release::history::History;
use crate::release::policy::ModelSpec;
use crate::share::Share;

/// Fractions with more digits are told as numbers only.
const MAX_DIGITS: usize = 60;

pub(super) fn check(published: &Published<'_>, spec: &ModelSpec) -> Result<Finding, Error> {
    let ModelSpec::Serial {
        of,
        l,
        values,
        lasting,
        group,
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
    let protected = Guarded::new(published, of, (values, lasting, *group))?;
    let judge = Judge {
        published,
        sensitive: &sensitive,
        protected,
        history,
        persons,
    };
    let mut finding = judge.find(*l);
    if !lasting.is_empty() {
        judge.add_lasting(*l, &mut finding);
    }
    if let Some(report) = &mut finding.serial {
        report.assumptions = assumptions(values, lasting, *group)
            .map(str::to_owned)
            .collect();
        schedule.name().clone_into(&mut report.schedule);
        if let Some(horizon) = horizon {
            report.schedule.push_str(&format!(", horizon {horizon}"));
        }
        report.retirement = retire.words();
    }
    Ok(finding)
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
        let mut present: Vec<BTreeMap<&str, u64>> = vec![BTreeMap::new(); classes.count()];
        let mut broken = self.misshapen();
        for (class, cells) in self.sensitive.classes() {
            for cell in cells {
                if let Some(name) = self.protected.transient(text(cell.value)) {
                    *present[class].entry(name).or_default() += cell.rows;
                }
            }
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
            // Of several rows in one class, each is one of those that the person's others have left.
            let (mut last, mut again) = (None, 0);
            for class in earlier.into_iter().flatten() {
                again = if last == Some(class) { again + 1 } else { 0 };
                last = Some(class);
                if let Some((size, linked)) = past.get(*class as usize) {
                    for (text, rows) in linked {
                        let chance = chances.entry(text).or_default();
                        chance.add(*rows, size.saturating_sub(again).max(1));
                    }
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
    fn past(&self) -> Vec<(u64, BTreeMap<&str, u64>)> {
        let classes = self.history.classes.iter();
        classes
            .map(|past| {
                let mut linked = BTreeMap::new();
                for (text, rows) in &past.counts {
                    if let Some(name) = self.protected.transient(text) {
                        *linked.entry(name).or_default() += *rows;
                    }
                }
                (past.rows, linked)
            })
            .collect()
    }

    /// Judges the lasting values over all releases, and adds what was found.
    fn add_lasting(&self, l: Share, finding: &mut Finding) {
        let Some(report) = &mut finding.serial else {
            return;
        };
        let last = report.release;
        let judged = self.case(last).and_then(|case| {
            let largest = case.largest(last)?;
            Ok((case, largest))
        });
        let (class, told, broken) = match judged {
            Err(what) => (
                0,
                LastingReport::default(),
                Some(format!("lasting values: {what}")),
            ),
            Ok((case, largest)) => {
                let past = case.classes.iter().filter(|(release, _)| *release < last);
                // Who is not in this release is told by its first class.
                let class = (largest.class as usize).saturating_sub(past.count());
                let told = LastingReport {
                    max: largest.value(),
                    max_exact: largest.fraction(MAX_DIGITS),
                    exact: largest.exact,
                    persons: case.persons.iter().filter(|own| !own.is_empty()).count() as u64,
                };
                let number = |share: i128| num_bigint::BigUint::from(share.max(0).unsigned_abs());
                let within = largest.is_within(&number(l.numerator()), &number(l.denominator()));
                let words = told.max_exact.clone();
                let words = words.unwrap_or_else(|| format!("about {:.6}", told.max));
                let limit = Share::new(l.denominator(), l.numerator()).unwrap_or(Share::ONE);
                let of = self.sensitive.name();
                let broken = (!within).then(|| if told.exact {
                    format!("all releases together link a person to a lasting value of `{of}` with probability {words}, but 1/l is {limit}")
                } else {
                    format!("it could not be shown that nobody is linked to a lasting value of `{of}` with more than {limit}: there are too many possible histories to count, and sums alone bound the probability by {words}")
                });
                (class, told, broken)
            }
        };
        if told.max > report.max {
            (report.max, report.max_exact) = (told.max, told.max_exact.clone());
            finding.observed = told.max.into();
            let exact = told.max_exact.clone();
            finding
                .details
                .insert("observed_exact".to_owned(), exact.into());
        }
        report.lasting = Some(told);
        if finding.broken.is_none() {
            finding.broken = broken.map(|words| (class, words));
        }
    }

    /// All releases as far as they speak of the column.
    fn case(&self, last: u32) -> Result<Case, String> {
        let mut case = Case::default();
        let names: BTreeSet<&str> = self
            .protected
            .lasting
            .iter()
            .map(|(name, _)| name.as_str())
            .collect();
        for name in &names {
            case.linked.insert((*name).to_owned(), Vec::new());
        }
        let mut moved: Vec<Option<u32>> = Vec::new();
        for class in &self.history.classes {
            let silent = self.history.silent.contains(&class.release);
            moved.push((!silent).then_some(case.classes.len() as u32));
            if silent {
                continue;
            }
            let counts = class
                .counts
                .iter()
                .map(|(text, rows)| (text.as_str(), *rows));
            self.add_class(&mut case, (class.release, class.rows), counts)?;
        }
        let earlier = |own: &Vec<u32>| -> Vec<u32> {
            let told = own.iter().filter_map(|class| moved.get(*class as usize));
            told.copied().flatten().collect()
        };
        case.persons = self.history.of_person.iter().map(earlier).collect();
        let release = |class: &u32| case.classes[*class as usize].0;
        for own in &case.persons {
            if own
                .windows(2)
                .any(|pair| release(&pair[0]) == release(&pair[1]))
            {
                return Err("a person has several rows in one release".to_owned());
            }
        }
        let first = case.classes.len() as u32;
        let classes = &self.published.classes;
        let mut cells: Vec<Vec<(&str, u64)>> = vec![Vec::new(); classes.count()];
        for (class, of_class) in self.sensitive.classes() {
            let text = |code| self.sensitive.column.dictionary().text(code);
            cells[class] = of_class
                .iter()
                .map(|cell| (text(cell.value), cell.rows))
                .collect();
        }
        for (class, counts) in cells.into_iter().enumerate() {
            let size = classes.size(class);
            self.add_class(&mut case, (last, size), counts.into_iter())?;
        }
        for (person, class) in self.persons.iter().zip(classes.class_of_row()) {
            let person = *person as usize;
            if case.persons.len() <= person {
                case.persons.resize(person + 1, Vec::new());
            }
            case.persons[person].push(first + *class);
        }
        Ok(case)
    }

    fn add_class<'t>(
        &self,
        case: &mut Case,
        class: (u32, u64),
        counts: impl Iterator<Item = (&'t str, u64)>,
    ) -> Result<(), String> {
        let mut of_name: BTreeMap<&str, u64> = BTreeMap::new();
        for (text, rows) in counts {
            if self.protected.may_last(text) {
                return Err(format!(
                    "release {} has a value that may or may not be a lasting one",
                    class.0
                ));
            }
            if let Some(name) = self.protected.lasting(text) {
                *of_name.entry(name).or_default() += rows;
            }
        }
        case.classes.push(class);
        for (name, linked) in &mut case.linked {
            linked.push(of_name.get(name.as_str()).copied().unwrap_or(0));
        }
        Ok(())
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
