//! Tuples whose rows are counted up to a cap: a byte each, enough to tell which classes are too small.
//!
//! **Holds because** a class of fewer rows than the cap has no tuple that reaches it, so its rows are exact; any other class has the
//! cap or more, whatever is added up beyond it.
//! **Cost.** A few look-ups and one addition of a byte a tuple. An array by number is read once from end to end. Where the numbers are
//! too many for that, hashed numbers are counted first, as in [`Scratch`], which proves most hopeless nodes.
//! **Oracle.** [`FrequencySet::small_classes`], in the tests.

use std::sync::Arc;

use rayon::prelude::*;

use super::keys::Layout;
use super::regroup::Recoder;
use super::scratch::{Pass, Scratch, Sum, spread};
use super::{FrequencySet, SmallClasses};
use crate::hierarchy::Ladder;
use crate::recoding::Node;

/// A class of so many rows or more is large enough for every question that may be asked.
pub(crate) const CAP: u8 = u8::MAX;

/// An array of bytes by number may be so many times as long as the tuples.
const LONG: u64 = 16;
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

/// The keys, as narrow as all of them allow.
#[derive(Clone, Debug)]
enum Keys {
    Narrow(Vec<u32>),
    One(Vec<[u64; 1]>),
    Two(Vec<[u64; 2]>),
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

    /// What the classes of a node above this one come to, as [`FrequencySet::small_classes`] tells it, but for squares.
    pub(crate) fn small_classes(
        &self,
        ladders: &[Ladder],
        node: &Node,
        limits: (u8, u64),
        scratch: &mut Scratch,
    ) -> Option<SmallClasses> {
        if self.node == *node {
            return self.own_small_classes(ladders, limits);
        }
        let recoder = self.recoder(ladders, node);
        if let Some(numbers) = self.dense(&recoder, scratch) {
            let counts = self.count(&recoder, numbers, &mut scratch.bytes);
            return found_in(counts, ladders, node, &recoder, limits, &mut scratch.small);
        }
        self.sketch(&recoder, &mut scratch.bytes);
        if survey(&scratch.bytes, limits.0).rows > limits.1 {
            return None;
        }
        let mut small = std::mem::take(&mut scratch.small);
        small.clear();
        let (mut classes, mut rows) = (0, 0);
        self.sum(&recoder, scratch, |number, own, _| {
            classes += 1;
            if own < u32::from(limits.0) {
                rows += u64::from(own);
                small.push((number, own));
            }
        });
        let found =
            (rows <= limits.1).then(|| found(ladders, node, &recoder, (classes, rows), &small));
        scratch.small = small;
        found
    }

    /// The same, and the set of that node where it has so few classes that it is wanted.
    pub(crate) fn small_classes_and_set(
        &self,
        ladders: &[Ladder],
        node: &Node,
        limits: (u8, u64),
        wanted: impl Fn(usize) -> bool,
        scratch: &mut Scratch,
    ) -> (Option<SmallClasses>, Option<Self>) {
        let recoder = self.recoder(ladders, node);
        if let Some(numbers) = self.dense(&recoder, scratch) {
            let counts = self.count(&recoder, numbers, &mut scratch.bytes);
            let found = found_in(counts, ladders, node, &recoder, limits, &mut scratch.small);
            let classes = survey(counts, limits.0).classes as usize;
            let met = (0u64..)
                .zip(counts.iter().copied())
                .filter(|(_, rows)| *rows > 0);
            let set = wanted(classes).then(|| self.above(node, &recoder, classes, met));
            return (found, set);
        }
        self.sketch(&recoder, &mut scratch.bytes);
        let seems = classes_behind(&scratch.bytes);
        if !wanted(seems) {
            let found = self.small_classes(ladders, node, limits, scratch);
            return (found, None);
        }
        let mut sums = Vec::with_capacity(seems + seems / 32);
        self.sum(&recoder, scratch, |number, rows, _| {
            sums.push((number, cap(rows.into())));
        });
        let set = self.above(node, &recoder, sums.len(), sums.iter().copied());
        let found = set.own_small_classes(ladders, limits);
        let is_wanted = wanted(set.len());
        (found, is_wanted.then_some(set))
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
        let keys = match &self.keys {
            Keys::Narrow(_) => Keys::Narrow(words.into_iter().map(|word| word as u32).collect()),
            Keys::One(_) => Keys::One(words.as_chunks().0.to_vec()),
            Keys::Two(_) => Keys::Two(words.as_chunks().0.to_vec()),
        };
        Self {
            layout: Arc::clone(&self.layout),
            node: node.clone(),
            keys,
            rows,
        }
    }

    /// What the classes of this node come to.
    fn own_small_classes(
        &self,
        ladders: &[Ladder],
        (least, limit): (u8, u64),
    ) -> Option<SmallClasses> {
        let survey = survey(&self.rows, least);
        if survey.rows > limit {
            return None;
        }
        let mut found = SmallClasses::none(ladders, &self.node);
        found.rows = survey.rows;
        found.all.classes = survey.classes;
        for (class, rows) in self.rows.iter().enumerate() {
            if *rows < least {
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
            Keys::Narrow(keys) => recoder.each_tuple(keys, &self.rows, visit),
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

impl Keys {
    fn of(words: &[u64], width: usize) -> Option<Self> {
        match width {
            1 if words.iter().all(|word| u32::try_from(*word).is_ok()) => Some(Self::Narrow(
                words.iter().map(|word| *word as u32).collect(),
            )),
            1 => Some(Self::One(words.as_chunks().0.to_vec())),
            2 => Some(Self::Two(words.as_chunks().0.to_vec())),
            _ => None,
        }
    }

    /// Brings keys into their order, and the rows beside them: one after the other by the last word, then the one before it.
    fn sort_with(&mut self, rows: &mut [u8]) {
        match self {
            Self::Narrow(keys) => sort(keys, rows, |key| *key),
            Self::One(keys) => sort(keys, rows, |key| *key),
            Self::Two(keys) => sort(keys, rows, |[low, high]| [*high, *low]),
        }
    }

    fn code(&self, tuple: usize, layout: &Layout, attribute: usize) -> u32 {
        match self {
            Self::Narrow(keys) => layout.read(&[keys[tuple].into()], attribute),
            Self::One(keys) => layout.read(&keys[tuple], attribute),
            Self::Two(keys) => layout.read(&keys[tuple], attribute),
        }
    }
}

fn sort<K: Copy + Send, O: Ord>(keys: &mut [K], rows: &mut [u8], order: impl Fn(&K) -> O + Sync) {
    let mut tuples: Vec<(K, u8)> = keys.iter().copied().zip(rows.iter().copied()).collect();
    tuples.par_sort_unstable_by_key(|(key, _)| order(key));
    for ((key, own), tuple) in keys.iter_mut().zip(rows).zip(tuples) {
        (*key, *own) = tuple;
    }
}

fn cap(rows: u64) -> u8 {
    u8::try_from(rows).unwrap_or(CAP)
}

/// Counts from end to end: how many are not nought, and the sum of those below a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Survey {
    classes: u64,
    rows: u64,
}

/// Side by side in bytes, as long as these hold the sums.
fn survey(counts: &[u8], least: u8) -> Survey {
    const LANES: usize = 32;
    let small = |count: u8| if count < least { count } else { 0 };
    let rounds = usize::from(u8::MAX / (least.max(2) - 1));
    let mut all = Survey::default();
    for block in counts.chunks(LANES * rounds) {
        let (mut rows, mut classes) = ([0u8; LANES], [0u8; LANES]);
        let (lanes, rest) = block.as_chunks::<LANES>();
        for lane in lanes {
            for at in 0..LANES {
                rows[at] += small(lane[at]);
                classes[at] += u8::from(lane[at] > 0);
            }
        }
        let add = |sums: &[u8]| sums.iter().map(|sum| u64::from(*sum)).sum::<u64>();
        all.rows += add(&rows)
            + rest
                .iter()
                .map(|count| u64::from(small(*count)))
                .sum::<u64>();
        let met = rest.iter().filter(|count| **count > 0);
        all.classes += add(&classes) + met.count() as u64;
    }
    all
}

/// About how many classes a sketch met: so many throws leave about so many places free.
fn classes_behind(sketch: &[u8]) -> usize {
    let places = sketch.len() as f64;
    let free = sketch.len() as u64 - survey(sketch, 2).classes;
    (-places * (free.max(1) as f64 / places).ln()) as usize
}

/// What the counts by number come to.
fn found_in(
    counts: &[u8],
    ladders: &[Ladder],
    node: &Node,
    recoder: &Recoder<'_>,
    (least, limit): (u8, u64),
    small: &mut Vec<Sum>,
) -> Option<SmallClasses> {
    let Survey { classes, rows } = survey(counts, least);
    if rows > limit {
        return None;
    }
    let below = least.saturating_sub(1);
    let mut met = 0;
    let (words, rest) = counts.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        if *word == [0; 8] {
            continue;
        }
        if small.len() < met + 8 {
            small.resize(met * 2 + 64, (0, 0));
        }
        for (number, rows) in (at as u64 * 8..).zip(word) {
            // Nobody can foretell which are small: each is put down, and the next one over it unless it was.
            small[met] = (number, u32::from(*rows));
            met += usize::from(rows.wrapping_sub(1) < below);
        }
    }
    small.truncate(met);
    let rest = (words.len() as u64 * 8..).zip(rest);
    let rest = rest.filter(|(_, rows)| rows.wrapping_sub(1) < below);
    small.extend(rest.map(|(number, rows)| (number, u32::from(*rows))));
    Some(found(ladders, node, recoder, (classes, rows), small))
}

/// What a node comes to that has so many classes, of which the small ones are these, with so many rows.
fn found(
    ladders: &[Ladder],
    node: &Node,
    recoder: &Recoder<'_>,
    (classes, rows): (u64, u64),
    small: &[Sum],
) -> SmallClasses {
    let mut found = SmallClasses::none(ladders, node);
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
