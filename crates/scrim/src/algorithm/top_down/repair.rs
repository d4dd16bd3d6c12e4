//! Repair: children give up rows until the rows pushed back are valid.
//!
//! **Definition.** Among (child, row) whose child stays valid without the row, the greatest by (values or categories still missing
//! that it brings, weight still missing that it brings, size of the child, row number) is moved; where there is none, the smallest
//! child is pushed back whole, the last formed among equals.
//! **Reading.** Rows that no model can tell apart form a *bucket* of their child; its last row comes before all others of it. What a
//! row brings changes only when what is missing changes: values, categories and weights are missing for models whose classes may
//! grow, so as long as as much is missing the same is missing. A bucket whose row cannot be spared because a model breaks that
//! every superset keeps can never be spared later; one that fails for another reason is asked again when its child has changed.
//! **Ends** because every turn moves a row or a child. With all rows pushed back the class is as it was, and valid.
//! **Cost.** A turn is a look-up in ordered sets and a few judgements of a histogram, each linear in the values of a class, not in its
//! rows. A try is given up as soon as it pushes back more rows than the best one so far.
//! **Oracle.** The definition, turn by turn over lists of rows, in `tests`.

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use rustc_hash::FxHashMap;

use super::lack::Lack;
use super::{Run, Try};
use crate::algorithm::Watch;
use crate::error::Error;
use crate::frequency::Pile;
use crate::hierarchy::TaxonId;
use crate::share::Share;

/// Turns between two looks at the watch.
const TURNS: u64 = 128;

/// What a row brings of the values that are missing, and of the weight.
type Gain = (u64, Share);

/// Rows of a child that no model can tell apart.
struct Bucket {
    signature: u32,
    /// Ascending.
    rows: Vec<u32>,
    /// Whether its rows may be spared at some time.
    open: bool,
}

struct Child<'r> {
    taxon: TaxonId,
    pile: Pile<'r>,
    size: usize,
    buckets: Vec<Bucket>,
    /// The open buckets, by what their rows bring and by their last row.
    candidates: BTreeSet<(Gain, u32, u32)>,
    /// Counts how often it changed.
    version: u32,
}

impl<'r> Child<'r> {
    fn new(run: &'r Run<'_>, taxon: TaxonId, mut rows: Vec<u32>) -> Self {
        let pile = Pile::new(&run.piles, &rows);
        let size = rows.len();
        let signature = |row: u32| run.signatures[row as usize];
        rows.sort_unstable_by_key(|row| (signature(*row), *row));
        let buckets = rows
            .chunk_by(|left, right| signature(*left) == signature(*right))
            .map(|rows| Bucket {
                signature: signature(rows[0]),
                rows: rows.to_vec(),
                open: true,
            });
        Self {
            taxon,
            pile,
            size,
            buckets: buckets.collect(),
            candidates: BTreeSet::new(),
            version: 0,
        }
    }

    fn rows(self) -> Vec<u32> {
        let mut rows: Vec<u32> = self.buckets.into_iter().flat_map(|it| it.rows).collect();
        rows.sort_unstable();
        rows
    }
}

/// Whether a child can do without a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spared {
    Yes,
    /// Not as long as the child is what it is.
    NotNow,
    /// Nor when it has given up other rows.
    Never,
}

/// The best row of a child that was not yet found to be needed there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Offer {
    gain: Gain,
    size: usize,
    row: u32,
    child: u32,
    bucket: u32,
    version: u32,
}

pub(super) struct Repair<'r> {
    run: &'r Run<'r>,
    /// In the order in which they were formed; nothing where one was pushed back.
    children: Vec<Option<Child<'r>>>,
    /// The smallest first, the last formed among equals.
    by_size: BTreeSet<(usize, Reverse<u32>)>,
    pushed_back: Vec<u32>,
    pile: Pile<'r>,
    /// What is missing among the rows pushed back, once it is known.
    lack: Option<Lack>,
    /// What a row of each signature brings.
    gains: FxHashMap<u32, Gain>,
    /// One for every child that has a row to offer; those of an earlier version do not count.
    offers: BinaryHeap<Offer>,
}

impl<'r> Repair<'r> {
    fn new(run: &'r Run<'r>, attempt: Try) -> Self {
        let pile = Pile::new(&run.piles, &attempt.pushed_back);
        let children = attempt.children.into_iter();
        let children: Vec<Option<Child<'r>>> = children
            .map(|(taxon, rows)| Some(Child::new(run, taxon, rows)))
            .collect();
        let sizes = (0..).zip(&children);
        Self {
            by_size: sizes
                .filter_map(|(at, child)| Some((child.as_ref()?.size, Reverse(at))))
                .collect(),
            children,
            pushed_back: attempt.pushed_back,
            pile,
            lack: None,
            gains: FxHashMap::default(),
            offers: BinaryHeap::new(),
            run,
        }
    }

    /// A try whose rows pushed back are valid; nothing where no child is left, or where it pushes back more than `most` rows.
    pub(super) fn of(
        run: &'r Run<'r>,
        attempt: Try,
        most: usize,
        watch: &mut dyn Watch,
    ) -> Result<Option<Try>, Error> {
        if attempt.children.is_empty() || attempt.pushed_back.len() > most {
            return Ok(None);
        }
        if attempt.pushed_back.is_empty() || run.is_valid(&attempt.pushed_back) {
            return Ok(Some(attempt));
        }
        let attribute = attempt.attribute;
        let mut repair = Self::new(run, attempt);
        let mut turns = 0;
        while !repair.is_done() {
            turns += 1;
            if turns % TURNS == 0 {
                run.tell(watch)?;
            }
            match repair.most_helpful() {
                Some(offer) => repair.move_row(&offer),
                None => repair.push_back_smallest(),
            }
            if repair.pushed_back.len() > most || repair.by_size.is_empty() {
                return Ok(None);
            }
        }
        repair.pushed_back.sort_unstable();
        let children = repair.children.into_iter().flatten();
        Ok(Some(Try {
            attribute,
            children: children.map(|child| (child.taxon, child.rows())).collect(),
            pushed_back: repair.pushed_back,
        }))
    }

    /// Whether the rows pushed back are valid; takes note of what they lack.
    fn is_done(&mut self) -> bool {
        self.run.count_check();
        let models = self.run.task.models;
        let breaches = models.lacks(self.pile.class());
        if breaches.is_empty() && models.holds(self.pile.class()) {
            return true;
        }
        let lack = Some(Lack::of(&breaches));
        if lack != self.lack {
            self.lack = lack;
            self.look_again();
        }
        false
    }

    /// Orders all candidates by what they bring now.
    fn look_again(&mut self) {
        self.gains.clear();
        self.offers.clear();
        for at in 0..self.children.len() {
            let Some(mut child) = self.children[at].take() else {
                continue;
            };
            child.candidates.clear();
            for (number, bucket) in (0..).zip(&child.buckets) {
                if let (true, Some(row)) = (bucket.open, bucket.rows.last()) {
                    let gain = self.gain(bucket.signature, *row);
                    child.candidates.insert((gain, *row, number));
                }
            }
            self.children[at] = Some(child);
            self.offer(at as u32);
        }
    }

    /// What a row of a signature brings.
    fn gain(&mut self, signature: u32, row: u32) -> Gain {
        let Some(lack) = self.lack.filter(|lack| *lack != Lack::NONE) else {
            return (0, Share::ZERO);
        };
        let (pile, models) = (&mut self.pile, self.run.task.models);
        *self.gains.entry(signature).or_insert_with(|| {
            pile.add(row);
            let with = Lack::of(&models.lacks(pile.class()));
            pile.remove(row);
            lack.less(&with)
        })
    }

    /// Offers the best candidate of a child.
    fn offer(&mut self, at: u32) {
        if let Some(child) = &self.children[at as usize]
            && let Some(best) = child.candidates.last().copied()
        {
            self.offer_of(at, best);
        }
    }

    fn offer_of(&mut self, at: u32, (gain, row, bucket): (Gain, u32, u32)) {
        if let Some(child) = &self.children[at as usize] {
            self.offers.push(Offer {
                gain,
                size: child.size,
                row,
                child: at,
                bucket,
                version: child.version,
            });
        }
    }

    /// The row that helps most. It has left the counts and the candidates of its child.
    fn most_helpful(&mut self) -> Option<Offer> {
        while let Some(offer) = self.offers.pop() {
            let Some(child) = &mut self.children[offer.child as usize] else {
                continue;
            };
            if child.version != offer.version {
                continue;
            }
            let place = (offer.gain, offer.row, offer.bucket);
            let next = child.candidates.range(..place).next_back().copied();
            match self.run.spare(&mut child.pile, offer.row) {
                Spared::Yes => {
                    child.candidates.remove(&place);
                    return Some(offer);
                }
                Spared::Never => {
                    child.candidates.remove(&place);
                    child.buckets[offer.bucket as usize].open = false;
                }
                Spared::NotNow => {}
            }
            if let Some(next) = next {
                self.offer_of(offer.child, next);
            }
        }
        None
    }

    /// Pushes back a row that was offered.
    fn move_row(&mut self, offer: &Offer) {
        let Some(child) = &mut self.children[offer.child as usize] else {
            return;
        };
        self.pushed_back.push(offer.row);
        self.pile.add(offer.row);
        let bucket = &mut child.buckets[offer.bucket as usize];
        bucket.rows.pop();
        if let Some(last) = bucket.rows.last() {
            let place = (offer.gain, *last, offer.bucket);
            child.candidates.insert(place);
        }
        self.by_size.remove(&(child.size, Reverse(offer.child)));
        child.size -= 1;
        child.version += 1;
        self.by_size.insert((child.size, Reverse(offer.child)));
        self.offer(offer.child);
    }

    /// Pushes back the smallest child whole.
    fn push_back_smallest(&mut self) {
        let smallest = self.by_size.pop_first();
        let child = smallest.and_then(|(_, Reverse(at))| self.children[at as usize].take());
        for row in child.map(Child::rows).unwrap_or_default() {
            self.pushed_back.push(row);
            self.pile.add(row);
        }
    }
}
