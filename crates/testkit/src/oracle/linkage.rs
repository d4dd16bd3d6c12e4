//! A release joined with an external table, every person with every row.
//!
//! **Definition.** A row matches a person where each of its quasi-identifiers covers the person's value: the same text, a label
//! above it, an interval that holds it, a mask of it, a span of time that it lies in, stars. A missing value is covered by a
//! missing one and by stars. A person with several rows in the external table matches what any of them matches.

use std::collections::{BTreeMap, BTreeSet};

use crate::Fraction;

/// A cell; nothing is a missing value.
pub type Cell = Option<&'static str>;

/// What lies above a value.
#[derive(Clone, Debug)]
pub enum Above {
    /// These labels, by value.
    Labels(BTreeMap<&'static str, Vec<&'static str>>),
    /// Intervals `a-b` and `[a, b)`.
    Intervals,
    /// Masks from the right.
    Masks,
    /// `2024-03`, `2024` and `2020-2029` above `2024-03-31`.
    Dates,
}

fn is_stars(label: &str) -> bool {
    !label.is_empty() && label.chars().all(|character| character == '*')
}

/// Whether a published cell covers a person's.
#[must_use]
pub fn covers(above: &Above, label: Cell, value: Cell) -> bool {
    let (Some(label), value) = (label, value) else {
        return value.is_none();
    };
    if is_stars(label) {
        return true;
    }
    let Some(value) = value else { return false };
    label == value
        || match above {
            Above::Labels(labels) => labels
                .get(value)
                .is_some_and(|above| above.contains(&label)),
            Above::Intervals => is_within(label, value) == Some(true),
            Above::Masks => is_mask(label, value),
            Above::Dates => is_span(label, value),
        }
}

fn is_within(label: &str, value: &str) -> Option<bool> {
    let value: f64 = value.parse().ok()?;
    if let Some(inner) = label
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(')'))
    {
        let (low, high) = inner.split_once(", ")?;
        return Some(low.parse::<f64>().ok()? <= value && value < high.parse::<f64>().ok()?);
    }
    let (low, high) = label.split_once('-').unwrap_or((label, label));
    Some(low.parse::<f64>().ok()? <= value && value <= high.parse::<f64>().ok()?)
}

fn is_mask(label: &str, value: &str) -> bool {
    let kept = label.trim_end_matches('*');
    label.len() == value.len() && value.starts_with(kept)
}

fn is_span(label: &str, value: &str) -> bool {
    let decade = |year: &str| {
        let year: u32 = year.parse().unwrap_or(0);
        format!("{:04}-{:04}", year / 10 * 10, year / 10 * 10 + 9)
    };
    value.len() == 10
        && (value[..7] == *label || value[..4] == *label || decade(&value[..4]) == label)
}

/// A published row.
#[derive(Clone, Debug)]
pub struct Published {
    /// Its quasi-identifiers.
    pub quasi: Vec<Cell>,
    /// Its sensitive value.
    pub secret: &'static str,
}

/// A row of the external table.
#[derive(Clone, Debug)]
pub struct Known {
    /// Whom it is about.
    pub person: u32,
    /// The quasi-identifiers.
    pub quasi: Vec<Cell>,
}

/// A release and an external table.
#[derive(Clone, Debug)]
pub struct Join<'a> {
    /// By column.
    pub above: &'a [Above],
    /// The release.
    pub release: &'a [Published],
    /// The external table.
    pub external: &'a [Known],
}

impl Join<'_> {
    /// Everybody of the external table.
    #[must_use]
    pub fn persons(&self) -> BTreeSet<u32> {
        self.external.iter().map(|known| known.person).collect()
    }

    /// The rows that match a person.
    #[must_use]
    pub fn rows(&self, person: u32) -> Vec<&Published> {
        let own = || self.external.iter().filter(|known| known.person == person);
        let matches = |row: &&Published| own().any(|known| self.matches(row, known));
        self.release.iter().filter(matches).collect()
    }

    /// Whether a row matches what is known.
    fn matches(&self, row: &Published, known: &Known) -> bool {
        let mut cells = row.quasi.iter().zip(&known.quasi).zip(self.above);
        cells.all(|((label, value), above)| covers(above, *label, *value))
    }

    /// Persons who match so many rows.
    #[must_use]
    pub fn matching(&self, rows: usize) -> usize {
        let all = self.persons();
        all.iter()
            .filter(|person| self.rows(**person).len() == rows)
            .count()
    }

    /// The right guesses that are expected when a matching row is guessed for each person.
    #[must_use]
    pub fn expected(&self) -> Fraction {
        let counts = self
            .persons()
            .into_iter()
            .map(|person| self.rows(person).len());
        counts
            .filter(|count| *count > 0)
            .map(|count| Fraction::new(1, count as i128))
            .sum()
    }

    /// Persons all of whose matching rows show one value; labels that are `taxa` above several values are none.
    #[must_use]
    pub fn certain(&self, taxa: &[&str]) -> BTreeSet<u32> {
        self.showing_one(|secret| !taxa.contains(&secret))
    }

    /// Persons all of whose matching rows show one of these taxa.
    #[must_use]
    pub fn certain_taxon(&self, taxa: &[&str]) -> BTreeSet<u32> {
        self.showing_one(|secret| taxa.contains(&secret))
    }

    /// Persons all of whose matching rows show one label of a kind that tells something.
    fn showing_one(&self, is_wanted: impl Fn(&str) -> bool) -> BTreeSet<u32> {
        let shows_one = |person: &u32| {
            let secrets: BTreeSet<&str> = self.rows(*person).iter().map(|row| row.secret).collect();
            let mut only = secrets.iter();
            secrets.len() == 1 && only.all(|secret| !is_stars(secret) && is_wanted(secret))
        };
        self.persons().into_iter().filter(shows_one).collect()
    }

    /// Persons among whose matching rows some value has a share above a limit.
    #[must_use]
    pub fn above(&self, limit: Fraction) -> usize {
        let is_above = |person: &u32| {
            let rows = self.rows(*person);
            rows.iter().filter(|row| !is_stars(row.secret)).any(|row| {
                let same = rows.iter().filter(|other| other.secret == row.secret);
                Fraction::new(same.count() as i128, rows.len() as i128) > limit
            })
        };
        self.persons()
            .iter()
            .filter(|person| is_above(person))
            .count()
    }

    /// Persons for whom a leaf has a breach probability above a limit. `leaves` are those below
    /// each label; n is the number of external persons whom the class covers, and where everybody has one row at least that
    /// of the class's rows. Where everybody has one row, the worst class counts. Else the rows of a person that lie in a known class,
    /// because it alone covers one of the person's tuples, count together, and any one other class with them.
    #[must_use]
    pub fn breached(
        &self,
        leaves: &BTreeMap<&'static str, Vec<&'static str>>,
        primary: bool,
        limit: Fraction,
    ) -> usize {
        let all: BTreeSet<&str> = leaves.values().flatten().copied().collect();
        let missed = |class: usize, leaf: &str| {
            Fraction::ONE - self.probability(&self.release[class], leaf, leaves, primary)
        };
        let is_breached = |person: &u32| {
            let own = self.external.iter().filter(|known| known.person == *person);
            let tuples: Vec<BTreeSet<usize>> = own.map(|known| self.classes(known)).collect();
            let known: BTreeSet<usize> = tuples
                .iter()
                .filter(|classes| classes.len() == 1 && !primary)
                .flatten()
                .copied()
                .collect();
            let covering: BTreeSet<usize> = tuples.iter().flatten().copied().collect();
            all.iter().any(|leaf| {
                covering.iter().any(|class| {
                    let together: BTreeSet<usize> = known.iter().chain([class]).copied().collect();
                    let product = together.into_iter().fold(Fraction::ONE, |product, class| {
                        product * missed(class, leaf)
                    });
                    Fraction::ONE - product > limit
                })
            })
        };
        self.persons()
            .iter()
            .filter(|person| is_breached(person))
            .count()
    }

    /// The classes that cover what is known, by their first rows.
    fn classes(&self, known: &Known) -> BTreeSet<usize> {
        let rows = self.release.iter();
        let rows = rows.filter(|row| self.matches(row, known));
        let first = |row: &Published| {
            let mut rows = self.release.iter();
            rows.position(|other| are_alike(other, row))
        };
        rows.filter_map(first).collect()
    }

    /// The breach probability of a leaf in the class of a row.
    fn probability(
        &self,
        row: &Published,
        leaf: &str,
        leaves: &BTreeMap<&'static str, Vec<&'static str>>,
        primary: bool,
    ) -> Fraction {
        let class: Vec<&Published> = self
            .release
            .iter()
            .filter(|other| are_alike(other, row))
            .collect();
        let covers = |person: &u32| self.rows(*person).iter().any(|own| are_alike(own, row));
        let covered = self
            .persons()
            .iter()
            .filter(|person| covers(person))
            .count();
        let n = if primary {
            covered.max(class.len())
        } else {
            covered.max(1)
        };
        let one = Fraction::new(1, n as i128);
        let shares = class.iter().map(|row| {
            let below = &leaves[row.secret];
            let has = i128::from(below.contains(&leaf));
            Fraction::new(has, below.len() as i128) * one
        });
        if primary {
            return shares.sum();
        }
        let missed = shares.fold(Fraction::ONE, |missed, share| {
            missed * (Fraction::ONE - share)
        });
        Fraction::ONE - missed
    }
}

/// Whether two rows are of one class: stars are stars, however many.
fn are_alike(left: &Published, right: &Published) -> bool {
    let mut cells = left.quasi.iter().zip(&right.quasi);
    cells.all(|(left, right)| {
        left == right || left.is_some_and(is_stars) && right.is_some_and(is_stars)
    })
}
