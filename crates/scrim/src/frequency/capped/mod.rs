//! Tuples whose rows are counted up to a cap: a byte each, enough to tell which classes are too small.
//!
//! **Holds because** a class of fewer rows than the cap has no tuple that reaches it, so its rows are exact; any other class has the
//! cap or more, whatever is added up beyond it.
//! **Cost.** A few look-ups and one addition of a byte a tuple. An array by number is read once from end to end. Where the numbers are
//! too many for that, hashed numbers are counted first, as in [`Scratch`], which proves most hopeless nodes.
//! **Oracle.** [`FrequencySet::small_classes`], in the tests.

mod keys;
mod survey;

use std::sync::Arc;

use self::keys::Keys;
use self::survey::{Survey, classes_behind, list_small, survey};
use super::regroup::Recoder;
use super::scratch::{Pass, Scratch, Sum, spread};
use super::{FrequencySet, Layout, SmallClasses};
use crate::hierarchy::Ladder;
use crate::recoding::Node;

/// A class of so many rows or more is large enough for every question that may be asked.
const CAP: u8 = u8::MAX;

/// An array of bytes by number may be so many times as long as the tuples.
const LONG: u64 = 32;
/// One of so many bytes stays in the cache in any case.
const SHORT: u64 = 1 << 16;

/// The tuples of a node with their capped counts. It tracks nothing.
#[derive(Clone, Debug)]
pub(crate) struct Capped {
    layout: Arc<Layout>,
    node: Node,
    keys: Keys,
    rows: Vec<u8>,
}

/// What is asked of a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) ladders: &'a [Ladder],
    pub(crate) node: &'a Node,
    /// A class of fewer rows is too small.
    pub(crate) least: u8,
    /// Nobody wants to know more where such classes have more rows than this.
    pub(crate) limit: u64,
}

impl Capped {
    /// The tuples of a set, where their keys are not wider than two words and its classes have numbers; in the order of their keys
    /// where that is wanted.
    pub(crate) fn of(set: &FrequencySet, ladders: &[Ladder], sorts: bool) -> Option<Self> {
        if !set.is_held() {
            return None;
        }
        let mut keys = Keys::of(&set.keys, set.layout.words())?;
        let mut rows: Vec<u8> = set.rows.iter().copied().map(cap).collect();
        if sorts {
            keys.sort_with(&mut rows);
        }
        let capped = Self {
            layout: Arc::clone(&set.layout),
            node: set.node.clone(),
            keys,
            rows,
        };
        let has_numbers = capped.recoder(ladders, &capped.node).numbers().is_some();
        has_numbers.then_some(capped)
    }

    /// The node that the tuples are generalized to.
    pub(crate) fn node(&self) -> &Node {
        &self.node
    }

    /// How many tuples there are.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// What the classes of a node above this one come to, as [`FrequencySet::small_classes`] tells it, but for squares; and its tuples
    /// where they are had for little, and so few that they are wanted.
    pub(crate) fn small_classes(
        &self,
        asked: Asked<'_>,
        wanted: impl Fn(usize) -> bool,
        scratch: &mut Scratch,
    ) -> (Option<SmallClasses>, Option<Self>) {
        if self.node == *asked.node {
            return (self.own_small_classes(asked), None);
        }
        let recoder = self.recoder(asked.ladders, asked.node);
        match self.dense(&recoder, scratch) {
            Some(numbers) => self.counted(asked, wanted, (&recoder, numbers), scratch),
            None => (self.hashed(asked, &recoder, scratch), None),
        }
    }

    /// The same, and its tuples wherever they are so few that they are wanted.
    pub(crate) fn small_classes_and_set(
        &self,
        asked: Asked<'_>,
        wanted: impl Fn(usize) -> bool,
        scratch: &mut Scratch,
    ) -> (Option<SmallClasses>, Option<Self>) {
        let recoder = self.recoder(asked.ladders, asked.node);
        if let Some(numbers) = self.dense(&recoder, scratch) {
            return self.counted(asked, wanted, (&recoder, numbers), scratch);
        }
        self.sketch(&recoder, &mut scratch.bytes);
        let seems = classes_behind(&scratch.bytes);
        if !wanted(seems) {
            return (self.hashed(asked, &recoder, scratch), None);
        }
        let mut sums = Vec::with_capacity(seems + seems / 32);
        self.sum(&recoder, scratch, |number, rows, _| {
            sums.push((number, cap(rows.into())));
        });
        let set = self.above(asked.node, &recoder, sums.len(), sums.iter().copied());
        let found = set.own_small_classes(asked);
        let is_wanted = wanted(set.len());
        (found, is_wanted.then_some(set))
    }

    /// By an array of so many numbers.
    fn counted(
        &self,
        asked: Asked<'_>,
        wanted: impl Fn(usize) -> bool,
        (recoder, numbers): (&Recoder<'_>, usize),
        scratch: &mut Scratch,
    ) -> (Option<SmallClasses>, Option<Self>) {
        let counts = self.count(recoder, numbers, &mut scratch.bytes);
        let survey = survey(counts, asked.least);
        let found = (survey.rows <= asked.limit).then(|| {
            list_small(counts, asked.least, &mut scratch.small);
            found(asked, recoder, survey, &scratch.small)
        });
        let classes = survey.classes as usize;
        let set = wanted(classes).then(|| {
            let met = (0u64..).zip(counts.iter().copied());
            let met = met.filter(|(_, rows)| *rows > 0);
            self.above(asked.node, recoder, classes, met)
        });
        (found, set)
    }

    /// By hashed numbers, and by tables where these do not settle it.
    fn hashed(
        &self,
        asked: Asked<'_>,
        recoder: &Recoder<'_>,
        scratch: &mut Scratch,
    ) -> Option<SmallClasses> {
        self.sketch(recoder, &mut scratch.bytes);
        if survey(&scratch.bytes, asked.least).rows > asked.limit {
            return None;
        }
        let mut small = std::mem::take(&mut scratch.small);
        small.clear();
        let mut survey = Survey::default();
        self.sum(recoder, scratch, |number, own, _| {
            survey.classes += 1;
            if own < u32::from(asked.least) {
                survey.rows += u64::from(own);
                small.push((number, own));
            }
        });
        let fits = survey.rows <= asked.limit;
        let found = fits.then(|| found(asked, recoder, survey, &small));
        scratch.small = small;
        found
    }

    /// The set of a node above with these classes.
    fn above(
        &self,
        node: &Node,
        recoder: &Recoder<'_>,
        classes: usize,
        met: impl Iterator<Item = (u64, u8)>,
    ) -> Self {
        let unpacker = recoder.digits().unpacker();
        let mut words = Vec::with_capacity(classes * self.layout.words());
        let mut rows = Vec::with_capacity(classes);
        for (number, own) in met {
            unpacker.push(number, &mut words);
            rows.push(own);
        }
        Self {
            layout: Arc::clone(&self.layout),
            node: node.clone(),
            keys: self.keys.like(&words),
            rows,
        }
    }

    /// What the classes of this node come to.
    fn own_small_classes(&self, asked: Asked<'_>) -> Option<SmallClasses> {
        let survey = survey(&self.rows, asked.least);
        if survey.rows > asked.limit {
            return None;
        }
        let mut found = SmallClasses::none(asked.ladders, &self.node);
        found.rows = survey.rows;
        found.all.classes = survey.classes;
        for (class, rows) in self.rows.iter().enumerate() {
            if *rows < asked.least {
                found.small.classes += 1;
                for (attribute, counts) in found.by.iter_mut().enumerate() {
                    let code = self.keys.code(class, &self.layout, attribute);
                    counts[code as usize] += u64::from(*rows);
                }
            }
        }
        Some(found)
    }

    fn recoder(&self, ladders: &[Ladder], node: &Node) -> Recoder<'_> {
        let (from, to) = (self.node.levels(), node.levels());
        Recoder::new(&self.layout, ladders, from, to, self.len())
    }

    /// How many numbers there are, where an array of them is worth it.
    fn dense(&self, recoder: &Recoder<'_>, scratch: &Scratch) -> Option<usize> {
        let worth = (self.len() as u64 * LONG).clamp(SHORT, scratch.most.max(SHORT));
        let numbers = recoder.numbers().filter(|numbers| *numbers <= worth)?;
        usize::try_from(numbers).ok()
    }

    /// The rows by number.
    fn count<'c>(
        &self,
        recoder: &Recoder<'_>,
        numbers: usize,
        counts: &'c mut Vec<u8>,
    ) -> &'c [u8] {
        counts.clear();
        counts.resize(numbers, 0);
        let counts = &mut counts[..];
        self.each_tuple(recoder, |number, rows| {
            let count = &mut counts[number as usize];
            *count = count.saturating_add(rows);
        });
        counts
    }

    /// The rows by hashed number.
    fn sketch(&self, recoder: &Recoder<'_>, counts: &mut Vec<u8>) {
        let places = (self.len() * 2).next_power_of_two();
        let bits = places.trailing_zeros().clamp(8, 22);
        counts.clear();
        counts.resize(1 << bits, 0);
        let counts = &mut counts[..];
        self.each_tuple(recoder, |number, rows| {
            let count = &mut counts[spread(number, bits)];
            *count = count.saturating_add(rows);
        });
    }

    fn each_tuple(&self, recoder: &Recoder<'_>, visit: impl FnMut(u64, u8)) {
        match &self.keys {
            Keys::Narrow(keys) => recoder.each_narrow(keys, &self.rows, visit),
            Keys::One(keys) => recoder.each_tuple(keys, &self.rows, visit),
            Keys::Two(keys) => recoder.each_tuple(keys, &self.rows, visit),
        }
    }

    /// Visits every class once, by tables.
    fn sum(
        &self,
        recoder: &Recoder<'_>,
        scratch: &mut Scratch,
        visit: impl FnMut(u64, u32, usize),
    ) {
        const BLOCK: usize = 512;
        let pass = |visit: Pass<'_>| {
            let (mut numbers, mut rows) = ([0; BLOCK], [0; BLOCK]);
            let mut filled = 0;
            self.each_tuple(recoder, |number, own| {
                numbers[filled] = number;
                rows[filled] = u64::from(own);
                filled += 1;
                if filled == BLOCK {
                    visit(&numbers, &rows);
                    filled = 0;
                }
            });
            visit(&numbers[..filled], &rows[..filled]);
        };
        recoder.sum_parted(self.len(), &pass, scratch, visit);
    }
}

fn cap(rows: u64) -> u8 {
    u8::try_from(rows).unwrap_or(CAP)
}

/// What a node comes to that has so many classes, of which the small ones are these, with so many rows.
fn found(
    asked: Asked<'_>,
    recoder: &Recoder<'_>,
    Survey { classes, rows }: Survey,
    small: &[Sum],
) -> SmallClasses {
    let mut found = SmallClasses::none(asked.ladders, asked.node);
    found.all.classes = classes;
    found.small.classes = small.len() as u64;
    found.rows = rows;
    recoder.digits().add_rows(small, &mut found.by);
    for counts in &mut found.by {
        if let [only] = &mut counts[..] {
            *only = rows;
        }
    }
    found
}
