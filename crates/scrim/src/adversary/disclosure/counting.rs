//! Arrangements of one class in which all its fine groups pass.
//!
//! **Definition.** P: the orders of a class's values in which every fine group passes; P(o, v): those in which a row o of a group of
//! a given size has v ([Zhang07], A1 of our reading).
//! **Holds because** a symmetric property sees no names of values: what is left after some groups is told by the sorted
//! multiplicities. Values of one multiplicity are dealt as one run, in falling counts, times the orders of these.
//! **Cost.** States are (groups left by size, sorted multiplicities left): few where groups or values are few.
//! **Oracle.** `testkit::oracle::disclosure_set`.

use num_bigint::BigUint;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;

use super::effort::{Budget, Found, give_up};
use super::numbers::Binomials;
use super::property::Property;

/// The most groups of a class: they are taken one inside the other.
const MOST_GROUPS: usize = 500;
/// The most rows of a group: their binomials are tabled.
const MOST_SIZE: u32 = 512;
/// The most histograms of one group.
const MOST_DEALS: usize = 1 << 17;

/// What was counted of one class: all by the index of the value in the class.
#[derive(Clone, Debug)]
pub(super) struct Passing {
    /// Arrangements in which all fine groups pass.
    pub(super) ways: BigUint,
    /// For each fine size: those in which a given row of such a group has each value.
    pub(super) marked: Vec<(u32, Vec<BigUint>)>,
}

/// Counts by sizes of groups; keeps what it has counted for classes that look alike.
pub(super) struct Counting<'a> {
    property: &'a dyn Property,
    counts: Vec<u32>,
    binomials: Binomials,
    known: FxHashMap<Box<[u32]>, BigUint>,
}

impl<'a> Counting<'a> {
    /// Counts under a symmetric property for a chain of so many values.
    pub(super) fn new(property: &'a dyn Property, values: usize) -> Self {
        Self {
            property,
            counts: vec![0; values],
            binomials: Binomials::default(),
            known: FxHashMap::default(),
        }
    }

    /// The passing arrangements of a class with these multiplicities and groups of these sizes.
    pub(super) fn class(
        &mut self,
        multiplicities: &[u32],
        sizes: &[u32],
        budget: &mut Budget<'_>,
    ) -> Found<Passing> {
        if sizes.len() > MOST_GROUPS || sizes.iter().any(|size| *size > MOST_SIZE) {
            return give_up("a class has too many or too large groups to be counted");
        }
        let mut order: Vec<usize> = (0..multiplicities.len()).collect();
        order.sort_by_key(|index| std::cmp::Reverse(multiplicities[*index]));
        let sorted: Vec<u32> = order.iter().map(|index| multiplicities[*index]).collect();
        let mut left = sizes.to_vec();
        left.sort_unstable_by(|one, other| other.cmp(one));
        let ways = self.ways(&left, &sorted, budget)?;
        let mut marked = Vec::new();
        let mut distinct = left.clone();
        distinct.dedup();
        for size in distinct {
            let mut by_value = vec![BigUint::zero(); multiplicities.len()];
            if !ways.is_zero() {
                let shares = self.marked(size, &left, &sorted, budget)?;
                for (index, share) in order.iter().zip(shares) {
                    by_value[*index] = share;
                }
            }
            marked.push((size, by_value));
        }
        Ok(Passing { ways, marked })
    }

    /// Arrangements in which all groups that are left pass.
    fn ways(&mut self, left: &[u32], sorted: &[u32], budget: &mut Budget<'_>) -> Found<BigUint> {
        let Some((size, rest)) = left.split_first() else {
            return Ok(BigUint::one());
        };
        let key: Box<[u32]> = left.iter().chain(&[0]).chain(sorted).copied().collect();
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        budget.state()?;
        let mut ways = BigUint::zero();
        for (dealt, orders) in self.deals(*size, sorted, budget)? {
            ways += orders * self.ways(rest, &after(sorted, &dealt), budget)?;
        }
        self.known.insert(key, ways.clone());
        Ok(ways)
    }

    /// For each value, in sorted order: arrangements in which one row of a group of this size has it.
    fn marked(
        &mut self,
        size: u32,
        left: &[u32],
        sorted: &[u32],
        budget: &mut Budget<'_>,
    ) -> Found<Vec<BigUint>> {
        let mut rest = left.to_vec();
        if let Some(at) = rest.iter().position(|one| *one == size) {
            rest.remove(at);
        }
        let mut sums = vec![BigUint::zero(); sorted.len()];
        for (dealt, orders) in self.deals(size, sorted, budget)? {
            let ways = orders * self.ways(&rest, &after(sorted, &dealt), budget)?;
            // All orders within a run are in it: each value of the run gets the same part.
            for (from, to) in runs(sorted) {
                let held: u32 = dealt[from..to].iter().sum();
                sums[from] += &ways * held;
            }
        }
        for (from, to) in runs(sorted) {
            let share = &sums[from] / (u64::from(size) * (to - from) as u64);
            sums[from..to].fill(share);
        }
        Ok(sums)
    }

    /// The histograms that pass of a group of this size, up to the order within runs, each with the arrangements it stands for.
    fn deals(
        &mut self,
        size: u32,
        sorted: &[u32],
        budget: &mut Budget<'_>,
    ) -> Found<Vec<(Vec<u32>, BigUint)>> {
        let cap = self
            .property
            .least_failing(size)
            .map_or(size, |failing| failing.saturating_sub(1));
        let mut found = Vec::new();
        let mut dealt = Vec::new();
        self.deal(
            size,
            sorted,
            cap,
            &mut dealt,
            &BigUint::one(),
            &mut found,
            budget,
        )?;
        Ok(found)
    }

    #[expect(
        clippy::too_many_arguments,
        reason = "one recursion, its state in the open"
    )]
    fn deal(
        &mut self,
        rows: u32,
        sorted: &[u32],
        cap: u32,
        dealt: &mut Vec<u32>,
        orders: &BigUint,
        found: &mut Vec<(Vec<u32>, BigUint)>,
        budget: &mut Budget<'_>,
    ) -> Found<()> {
        budget.step()?;
        let at = dealt.len();
        if at == sorted.len() {
            if rows == 0 && self.passes(dealt) {
                if found.len() == MOST_DEALS {
                    return give_up("a group has too many histograms to be counted");
                }
                found.push((dealt.clone(), orders * self.orders_in_runs(sorted, dealt)));
            }
            return Ok(());
        }
        let follows = at > 0 && sorted[at] == sorted[at - 1];
        let most =
            sorted[at]
                .min(cap)
                .min(rows)
                .min(if follows { dealt[at - 1] } else { u32::MAX });
        let after: u64 = sorted[at + 1..]
            .iter()
            .map(|count| u64::from((*count).min(cap)))
            .sum();
        let least = u64::from(rows).saturating_sub(after) as u32;
        for taken in least..=most {
            let orders = orders * self.binomials.of(rows, taken);
            dealt.push(taken);
            self.deal(rows - taken, sorted, cap, dealt, &orders, found, budget)?;
            dealt.pop();
        }
        Ok(())
    }

    fn passes(&mut self, dealt: &[u32]) -> bool {
        self.counts[..dealt.len()].copy_from_slice(dealt);
        let passes = self.property.passes(&self.counts);
        self.counts[..dealt.len()].fill(0);
        passes
    }

    /// In how many orders the counts of each run can be given to its values.
    fn orders_in_runs(&mut self, sorted: &[u32], dealt: &[u32]) -> BigUint {
        let mut orders = BigUint::one();
        for (from, to) in runs(sorted) {
            let mut left = (to - from) as u32;
            for equal in dealt[from..to].chunk_by(|one, other| one == other) {
                orders *= self.binomials.of(left, equal.len() as u32);
                left -= equal.len() as u32;
            }
        }
        orders
    }
}

/// Where runs of equal multiplicities begin and end.
fn runs(sorted: &[u32]) -> Vec<(usize, usize)> {
    let mut from = 0;
    let run = |run: &[u32]| {
        let here = from;
        from += run.len();
        (here, from)
    };
    sorted
        .chunk_by(|one, other| one == other)
        .map(run)
        .collect()
}

/// What is left, sorted, without values that are used up.
fn after(sorted: &[u32], dealt: &[u32]) -> Vec<u32> {
    let left = sorted.iter().zip(dealt).map(|(count, taken)| count - taken);
    let mut left: Vec<u32> = left.filter(|count| *count > 0).collect();
    left.sort_unstable_by(|one, other| other.cmp(one));
    left
}
