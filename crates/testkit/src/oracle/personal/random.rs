//! Small random problems with guards, from a seed.
//!
//! **Definition.** `SplitMix64` decides: a tree of two or three levels below which branches end unevenly, rows with a leaf, a guard on
//! its path or none, persons that repeat or do not, and p among 1/4, 1/3, 2/5, 1/2, 3/4 and 1.
//! **Reading.** Every inner taxon has at least two children, so that no two taxa have the same leaves. Where persons repeat, the case
//! is never primary; where they do not, it is either. In tables of encounters
//! a person has one to four rows, each with a vector of its own or that of the row before. Weights of zero and a forbidden SA-generalization come only sometimes.

use super::{Attribute, Domain, GuardedRow, PersonalRow, PersonalTable, Taxonomy};
use crate::{Fraction, SplitMix64};

/// A class to generalize.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonalGroup {
    /// The tree of the sensitive column.
    pub tree: Taxonomy,
    /// The rows.
    pub rows: Vec<GuardedRow>,
    /// The greatest breach probability that is borne.
    pub p: Fraction,
    /// Whether no person has two rows.
    pub primary: bool,
}

/// A random tree whose root has two or three children; about two of three inner levels go on below. Names begin with `prefix`.
#[must_use]
pub fn random_taxonomy(random: &mut SplitMix64, prefix: &str, levels: usize) -> Taxonomy {
    let mut names = vec![prefix.to_owned()];
    let mut parents = vec![None];
    grow(random, 0, levels, &mut names, &mut parents);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    Taxonomy::from_parents(&names, &parents)
}

fn grow(
    random: &mut SplitMix64,
    taxon: usize,
    levels: usize,
    names: &mut Vec<String>,
    parents: &mut Vec<Option<usize>>,
) {
    for child in 0..random.between(2, 3) {
        let below = names.len();
        names.push(format!("{}.{child}", names[taxon]));
        parents.push(Some(taxon));
        if levels > 1 && !random.once_in(3) {
            grow(random, below, levels - 1, names, parents);
        }
    }
}

/// A random class of 1 to `max_rows` rows.
///
/// # Panics
/// When the maximum is nought.
#[must_use]
pub fn random_personal_group(seed: u64, max_rows: usize) -> PersonalGroup {
    let mut random = SplitMix64::new(seed);
    let levels = random.between(2, 3);
    let tree = random_taxonomy(&mut random, "s", levels);
    let count = random.between(1, max_rows);
    let (rows, primary) = random_secrets(&mut random, &tree, count);
    let p = random_p(&mut random);
    PersonalGroup {
        tree,
        rows,
        p,
        primary,
    }
}

/// A random table of 1 to `max_rows` rows: one or two small numeric attributes, a categorical one, weights.
///
/// # Panics
/// When the maximum is nought.
#[must_use]
pub fn random_personal_table(seed: u64, max_rows: usize) -> PersonalTable {
    let mut random = SplitMix64::new(seed);
    let levels = random.between(2, 3);
    let tree = random_taxonomy(&mut random, "s", levels);
    let mut attributes = Vec::new();
    for number in 0..random.between(1, 2) {
        let from = whole(random.below(6)) - 2;
        let to = from + whole(random.between(1, 5));
        attributes.push((format!("n{number}"), Domain::Numeric { from, to }));
    }
    let categories = random_taxonomy(&mut random, "c", 2);
    attributes.push(("c".to_owned(), Domain::Categorical(categories)));
    let count = random.between(1, max_rows);
    let (secrets, primary) = random_secrets(&mut random, &tree, count);
    let rows = secrets
        .into_iter()
        .map(|secret| PersonalRow {
            quasi: attributes
                .iter()
                .map(|(_, domain)| random_value(&mut random, domain))
                .collect(),
            secret,
        })
        .collect();
    let attributes = attributes
        .into_iter()
        .map(|(name, domain)| Attribute {
            name,
            domain,
            weight: random_weight(&mut random),
        })
        .collect();
    let forbidden = random.once_in(5);
    let weight = random_weight(&mut random);
    PersonalTable {
        attributes,
        tree,
        sensitive_weight: (!forbidden).then_some(weight),
        rows,
        p: random_p(&mut random),
        primary,
    }
}

impl PersonalTable {
    /// The same with one quasi-identifier vector a person, as the paper assumes: that of the person's first row.
    #[must_use]
    pub fn with_one_vector_each(mut self) -> Self {
        for row in 0..self.rows.len() {
            let person = self.rows[row].secret.person;
            let mut rows = self.rows.iter();
            let first = rows.position(|other| other.secret.person == person);
            let quasi = self.rows[first.unwrap_or(row)].quasi.clone();
            self.rows[row].quasi.clone_from(&quasi);
        }
        self
    }
}

/// A random table of encounters: up to `max_persons` persons with one to four rows each, `max_rows` in all at most.
///
/// # Panics
/// When a maximum is zero.
#[must_use]
pub fn random_encounters(seed: u64, max_persons: usize, max_rows: usize) -> PersonalTable {
    let mut table = random_personal_table(seed, 1);
    let mut random = SplitMix64::new(seed ^ 0x00e2_c0de);
    table.rows.clear();
    table.primary = false;
    for person in 0..random.between(1, max_persons) {
        let mut quasi: Vec<i64> = Vec::new();
        for row in 0..random.between(1, 4) {
            if table.rows.len() == max_rows {
                break;
            }
            if row == 0 || !random.once_in(3) {
                let domains = table.attributes.iter().map(|attribute| &attribute.domain);
                quasi = domains
                    .map(|domain| random_value(&mut random, domain))
                    .collect();
            }
            let leaf = table.tree.leaves()[random.below(table.tree.leaves().len())];
            let path = table.tree.path(leaf);
            let guard = path[random.between(1, path.len() - 1)];
            table.rows.push(PersonalRow {
                quasi: quasi.clone(),
                secret: GuardedRow {
                    leaf,
                    guard: (!random.once_in(3)).then_some(guard),
                    person: person as u32,
                },
            });
        }
    }
    table
}

fn random_secrets(
    random: &mut SplitMix64,
    tree: &Taxonomy,
    count: usize,
) -> (Vec<GuardedRow>, bool) {
    let repeating = random.once_in(3);
    let persons = random.between(1, count);
    // Few leaves make equal values and equal guards, but also hopeless classes.
    let leaves = if random.once_in(3) {
        random.between(1, tree.leaves().len())
    } else {
        tree.leaves().len()
    };
    let rows = (0..count)
        .map(|row| {
            let leaf = tree.leaves()[random.below(leaves)];
            let path = tree.path(leaf);
            // High guards often leave nothing to publish: the root is seldom one, and the deeper of two draws is taken.
            let highest = usize::from(!random.once_in(20));
            let deep = [(); 2].map(|()| random.between(highest, path.len() - 1));
            let guard = path[deep[0].max(deep[1])];
            let guard = (!random.once_in(5)).then_some(guard);
            let person = if repeating {
                random.below(persons)
            } else {
                row
            };
            GuardedRow {
                leaf,
                guard,
                person: person as u32,
            }
        })
        .collect();
    (rows, !repeating && !random.once_in(3))
}

fn random_value(random: &mut SplitMix64, domain: &Domain) -> i64 {
    match domain {
        Domain::Numeric { from, to } => from + whole(random.below((to - from + 1) as usize)),
        Domain::Categorical(tree) => whole(tree.leaves()[random.below(tree.leaves().len())]),
    }
}

fn random_weight(random: &mut SplitMix64) -> Fraction {
    if random.once_in(2) {
        return Fraction::ONE;
    }
    Fraction::new(random.below(5) as i128, random.between(1, 3) as i128)
}

fn random_p(random: &mut SplitMix64) -> Fraction {
    let (part, whole) = [(1, 4), (1, 3), (2, 5), (1, 2), (3, 4), (1, 1)][random.below(6)];
    Fraction::new(part, whole)
}

fn whole(number: usize) -> i64 {
    i64::try_from(number).expect("the numbers of a test are small")
}
