//! What the rows of a class show of the sensitive column, and how sure it makes somebody.

use rustc_hash::FxHashMap;

use crate::adversary::breach::Breach;
use crate::adversary::tuples::Tuples;
use crate::hierarchy::{Hierarchy, TaxonId};
use crate::release::policy::Case;
use crate::share::Share;
use crate::table::{Code, Column};

/// The sensitive column of a release, and what is asked about it.
pub struct Hidden<'a> {
    /// The column as published.
    pub column: &'a Column,
    /// By code: whether the text tells nothing, like stars.
    pub silent: Vec<bool>,
    /// By code: whether the text is a taxon above several values, so that it leaves open which of them a row has.
    pub taxon: Vec<bool>,
    /// How the breach probability is computed, where the policy promises something about it.
    pub personal: Option<Shown<'a>>,
    /// The limit.
    pub limit: Share,
}

/// The taxa that published texts stand for.
pub struct Shown<'a> {
    /// The tree.
    pub tree: &'a Hierarchy,
    /// By code; none for a text that the tree does not have.
    pub taxa: Vec<Option<TaxonId>>,
    /// Whether a person may own several rows.
    pub case: Case,
    /// The taxon that everybody guards; every value, where there is none.
    pub guard: Option<TaxonId>,
}

impl Hidden<'_> {
    /// What the probability is, in words.
    pub(super) fn measured(&self) -> String {
        match &self.personal {
            None => "share of the commonest value among the matching rows".to_owned(),
            Some(shown) => format!(
                "breach probability of {}, {} case{}",
                if shown.guard.is_some() {
                    "the policy's default guard"
                } else {
                    "any value"
                },
                shown.case.name(),
                match shown.case {
                    Case::Primary => "",
                    Case::NonPrimary => ", over all classes of a person's rows",
                }
            ),
        }
    }
}

/// What all rows that match a person tell about the sensitive value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Certainty {
    /// They show different texts, or nothing.
    #[default]
    Nothing,
    /// A taxon that several values lie below.
    Taxon,
    /// The value.
    Value,
}

/// Counts that are made anew for each person.
#[derive(Default)]
pub(super) struct Scratch {
    counts: FxHashMap<Code, u64>,
    /// What sets of classes were found to be.
    together: FxHashMap<Vec<u32>, bool>,
}

/// The breach of something in a class: given its values, and the persons whom it covers.
type InClass<'f> = dyn Fn(&[(Code, u64)], u64) -> Breach + 'f;

/// What the classes tell.
pub(super) struct Told<'a> {
    hidden: &'a Hidden<'a>,
    /// The one text that all rows of a class show, where there is one.
    only: Vec<Option<Code>>,
    /// Where the values of each class begin; one more at the end.
    starts: Vec<u32>,
    /// Values and their rows.
    values: Vec<(Code, u64)>,
    /// Whether a class is above the limit by itself.
    above: Vec<bool>,
    /// The external persons whom each class covers.
    persons: Vec<u64>,
}

impl<'a> Told<'a> {
    /// `covered` are the external persons of each class.
    pub(super) fn new(hidden: &'a Hidden<'a>, release: &Tuples, covered: &[u64]) -> Self {
        let mut pairs: Vec<(u32, Code)> = Vec::with_capacity(release.of_row().len());
        hidden
            .column
            .codes()
            .for_each(|row, code| pairs.push((release.of_row()[row], code)));
        pairs.sort_unstable();
        let mut told = Self {
            hidden,
            only: Vec::with_capacity(release.len()),
            starts: vec![0],
            values: Vec::new(),
            above: Vec::with_capacity(release.len()),
            persons: covered.to_vec(),
        };
        for class in pairs.chunk_by(|left, right| left.0 == right.0) {
            let start = told.values.len();
            for same in class.chunk_by(|left, right| left.1 == right.1) {
                told.values.push((same[0].1, same.len() as u64));
            }
            let values = &told.values[start..];
            let only = match values {
                [(code, _)] if !hidden.silent[*code as usize] => Some(*code),
                _ => None,
            };
            let rows = class.len() as u64;
            let persons = covered[class[0].0 as usize];
            told.only.push(only);
            told.above.push(hidden.is_above(values, rows, persons));
            told.starts.push(told.values.len() as u32);
        }
        told
    }

    /// What the rows of all these classes tell for sure.
    pub(super) fn certainty(&self, classes: &[u32]) -> Certainty {
        let mut texts = classes.iter().map(|class| self.only[*class as usize]);
        match texts.next().flatten() {
            Some(first) if texts.all(|text| text == Some(first)) => {
                if self.hidden.taxon[first as usize] {
                    Certainty::Taxon
                } else {
                    Certainty::Value
                }
            }
            _ => Certainty::Nothing,
        }
    }

    /// Whether the probability of some value is above the limit for somebody whom these classes cover.
    pub(super) fn is_above(&self, classes: &[u32], rows: u64, scratch: &mut Scratch) -> bool {
        // A share in all classes together is at most the largest in one of them.
        let any = classes.iter().any(|class| self.above[*class as usize]);
        if !any || classes.len() == 1 || self.hidden.personal.is_some() {
            return any;
        }
        scratch.counts.clear();
        for class in classes {
            for (code, count) in self.of_class(*class) {
                *scratch.counts.entry(*code).or_default() += count;
            }
        }
        let loud = |(code, _): &(&Code, &u64)| !self.hidden.silent[**code as usize];
        let most = scratch
            .counts
            .iter()
            .filter(loud)
            .map(|(_, count)| *count)
            .max();
        self.hidden.is_share_above(most.unwrap_or(0), rows)
    }

    /// The values of a class and their rows.
    fn of_class(&self, class: u32) -> &[(Code, u64)] {
        let class = class as usize;
        &self.values[self.starts[class] as usize..self.starts[class + 1] as usize]
    }

    /// The same for somebody of whom several tuples are known, given the classes that cover each of them and all of these.
    ///
    /// A tuple that one class covers is a row in that class. What such classes tell is put together, with one more class that covers
    /// another tuple where there is one.
    pub(super) fn is_above_over(
        &self,
        tuples: &[Vec<u32>],
        classes: &[u32],
        rows: u64,
        scratch: &mut Scratch,
    ) -> bool {
        let several = self.hidden.personal.as_ref();
        let Some(shown) = several.filter(|shown| shown.case == Case::NonPrimary) else {
            return self.is_above(classes, rows, scratch);
        };
        let only = tuples.iter().filter_map(|classes| match &classes[..] {
            [class] => Some(*class),
            _ => None,
        });
        let mut known: Vec<u32> = only.collect();
        known.sort_unstable();
        known.dedup();
        let others = classes.iter().filter(|class| !known.contains(class));
        let with = |class: &u32| {
            let mut set = known.clone();
            set.push(*class);
            set
        };
        let mut sets: Vec<Vec<u32>> = others.map(with).collect();
        if sets.is_empty() {
            sets.push(known);
        }
        sets.into_iter().any(|set| {
            let found = scratch.together.entry(set);
            *found.or_insert_with_key(|set| self.is_above_together(shown, set))
        })
    }

    /// Whether some value is too probable for a person who has rows in all of these classes.
    fn is_above_together(&self, shown: &Shown<'_>, classes: &[u32]) -> bool {
        let above = |of: &InClass<'_>| {
            let breaches = classes.iter().map(|class| {
                let persons = self.persons[*class as usize].max(1);
                of(self.of_class(*class), persons)
            });
            Breach::together(breaches).is_some_and(|breach| breach.is_above(self.hidden.limit))
        };
        if let Some(guard) = shown.guard {
            return above(&|values, persons| shown.below(guard, &shown.taxa(values), persons));
        }
        let mut codes: Vec<Code> = classes
            .iter()
            .flat_map(|class| self.of_class(*class).iter().map(|(code, _)| *code))
            .collect();
        codes.sort_unstable();
        codes.dedup();
        codes
            .into_iter()
            .any(|code| match shown.taxa[code as usize] {
                Some(taxon) => above(&|values, persons| {
                    shown.some_leaf_of(taxon, &shown.taxa(values), persons)
                }),
                None => above(&|values, persons| {
                    let own = values.iter().filter(|(own, _)| *own == code);
                    let rows = own.map(|(_, rows)| *rows).sum();
                    Breach::new(shown.case, persons, rows)
                }),
            })
    }
}

impl Hidden<'_> {
    /// Whether rows are more than the limit's share of all.
    fn is_share_above(&self, count: u64, rows: u64) -> bool {
        let found = Share::new(i128::from(count), i128::from(rows.max(1)));
        found.is_some_and(|found| found > self.limit)
    }

    /// Whether some value of a class is too probable for a person among so many whom it covers.
    fn is_above(&self, values: &[(Code, u64)], rows: u64, persons: u64) -> bool {
        let loud = values
            .iter()
            .filter(|(code, _)| !self.silent[*code as usize]);
        match &self.personal {
            None => {
                let most = loud.map(|(_, count)| *count).max().unwrap_or(0);
                self.is_share_above(most, rows)
            }
            Some(shown) => {
                let persons = match shown.case {
                    // Every row has an owner of its own, also where the external table lacks it.
                    Case::Primary => persons.max(rows),
                    Case::NonPrimary => persons.max(1),
                };
                shown.is_above(values, persons, self.limit)
            }
        }
    }
}

impl Shown<'_> {
    /// The taxa that values stand for, with their rows.
    fn taxa(&self, values: &[(Code, u64)]) -> Vec<(Option<TaxonId>, u64)> {
        let taxa = values.iter();
        taxa.map(|(code, rows)| (self.taxa[*code as usize], *rows))
            .collect()
    }

    fn is_above(&self, values: &[(Code, u64)], persons: u64, limit: Share) -> bool {
        let taxa = self.taxa(values);
        if let Some(guard) = self.guard {
            return self.below(guard, &taxa, persons).is_above(limit);
        }
        let mut above = taxa.iter().map(|(taxon, rows)| match taxon {
            Some(taxon) => self.some_leaf_of(*taxon, &taxa, persons),
            None => Breach::new(self.case, persons, *rows),
        });
        above.any(|breach| breach.is_above(limit))
    }

    /// The breach of a guard.
    fn below(&self, guard: TaxonId, taxa: &[(Option<TaxonId>, u64)], persons: u64) -> Breach {
        let mut breach = Breach::new(self.case, persons, 0);
        let part = self.tree.leaves_below(guard);
        for (taxon, rows) in taxa {
            let Some(taxon) = taxon else { continue };
            if self.tree.covers(guard, *taxon) {
                breach.add(*rows, 1, 1);
            } else if self.tree.covers(*taxon, guard) {
                breach.add(*rows, part, self.tree.leaves_below(*taxon));
            }
        }
        breach
    }

    /// The breach of a leaf below a taxon that no row shows more exactly. The leaf that is breached most is the own one of a
    /// published leaf, or any below the lowest published taxon above it.
    fn some_leaf_of(&self, leaf: TaxonId, taxa: &[(Option<TaxonId>, u64)], persons: u64) -> Breach {
        let mut breach = Breach::new(self.case, persons, 0);
        for (taxon, rows) in taxa {
            let Some(taxon) = taxon else { continue };
            if self.tree.covers(*taxon, leaf) {
                breach.add(*rows, 1, self.tree.leaves_below(*taxon));
            }
        }
        breach
    }
}
