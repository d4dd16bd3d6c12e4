//! Bounds where an earlier refusal is very unlikely.
//!
//! **Definition.** Let r be one earlier step, `A_f` the event that its group f fails, and E the event that every earlier step fails; chances
//! are shares of the allowed tables. A row o has a value v in Pr\[o = v and E\] / Pr\[E\] of the possible tables. From above,
//! Pr\[o = v and E\] <= `Σ_f` Pr\[o = v and `A_f`\] (the union bound). From below, for any set F of groups of r,
//! Pr\[E\] >= `Σ_F` Pr\[`A_f`\] (1 - Σ_{j ≠ r} `e_j`(f)) - Σ_{f < h in F} Pr\[`A_f` and `A_h`\] (Bonferroni's second inequality), where
//! `e_j`(f) is at least the chance that step j passes, whatever the rows of f have. (Second reading of [Zhang07], after S7.)
//! **Holds because** E implies that some group of r fails, and E holds where some f of F fails and no other step passes. Chances:
//! where at most one value can fail a group at once, Pr\[`A_f`\] is the sum over values of hypergeometric tails, or of tails of their sums
//! where f lies in several classes; else the sum is an upper bound, and the sum over the number of values that fit a lower one. For a row
//! o of f in a class with n rows, `m_v` of them with v, Pr\[o = v and `A_f`\] is `m_v`/n times the same tails with one row less. The other
//! rows of the class are exchangeable, and all rows of the class have v in `m_v` Pr\[`A_f`\] together, which gives theirs; classes
//! that f does not touch are independent of it. Pr\[`A_f` and `A_h`\] <= Pr\[`A_f`\] u, where u is the chance that h fails with
//! the rows of f taken out of their classes and every value still at its full count: tails grow with the rows of the value and
//! fall with the other rows. `e_j`(f) is 0 where step j has f as a group too, else it is the certificate's bound over the groups of j
//! that have no row of f, with the rows of f dealt before. Numbers are rounded to the side that keeps each bound.
//! **Reading.** Any r is sound; the rarest refusals are tried first. Two steps that both seldom fail, for reasons that have little to
//! do with each other, are out of reach: `e_j`(f) is near 1. Only exclusive and naive, as every bound.
//! **Cost.** The groups of a step times values times their rows, squared where groups cross classes; limited.
//! **Oracle.** `testkit::oracle::disclosure_set`.

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, Signed, Zero};
use rustc_hash::FxHashMap;

use super::belief::{Believed, Disclosure};
use super::certificate::Bound;
use super::chain::Partition;
use super::effort::{Found, Method, give_up};
use super::low::{High, Low, ONE};
use super::property::BigRational;
use super::scene::Scene;
use super::tails::Group;
use crate::error::Error;

/// The most steps whose refusal is tried.
const MOST_TRIED: usize = 16;
/// Rows times values that may be looked at for one step.
const MOST_WORK: u64 = 100_000_000;
/// Up to so many groups the chance that two fail is bounded pair by pair.
const MOST_PAIRED: usize = 300;
/// Pairs matter where they are more than one part in two to this power.
const MATTERS: u32 = 12;
/// Looks at other steps, groups times groups.
const MOST_LOOKS: usize = 4_000_000;
/// Bits of the sum of all chances.
const BITS: i64 = 160;

/// The bounds of the step that shows that the property holds, else those of the rarest refusal.
pub(super) fn union(
    scene: &Scene<'_>,
    tick: &mut dyn FnMut() -> Result<(), Error>,
) -> Found<Disclosure> {
    let mut steps = Vec::new();
    for at in 0..scene.steps.len() {
        tick()?;
        if let Some(refusal) = Refusal::new(scene, at) {
            steps.push(refusal);
        }
    }
    if steps.is_empty() {
        return give_up("no earlier refusal is so unlikely that a union bound helps");
    }
    steps.sort_by_key(|refusal| refusal.sum.power_above());
    let mut first = None;
    for refusal in steps.iter().take(MOST_TRIED) {
        tick()?;
        let Some(found) = refusal.bounds() else {
            continue;
        };
        if found.holds(scene.property) {
            return Ok(found);
        }
        first.get_or_insert(found);
    }
    match first {
        Some(found) => Ok(found),
        None => {
            give_up("the union bound does not show that the refusals before are possible together")
        }
    }
}

/// A step that is seldom refused.
struct Refusal<'a> {
    scene: &'a Scene<'a>,
    at: usize,
    groups: Vec<Chance>,
    /// At least the sum of the chances of all groups.
    sum: High,
}

/// A group that may fail, and how often it does.
struct Chance {
    group: Group,
    low: Low,
    high: High,
}

impl<'a> Refusal<'a> {
    /// Nothing where the property is of another kind, the refusal is not unlikely, or there is too much to look at.
    fn new(scene: &'a Scene<'a>, at: usize) -> Option<Self> {
        let mut groups: Vec<Chance> = Vec::new();
        let mut sum = High::ZERO;
        let mut work = MOST_WORK;
        // Groups that take alike from their classes have the same chances.
        let mut known: FxHashMap<Vec<(u32, u32)>, usize> = FxHashMap::default();
        for (number, pieces) in (0..).zip(scene.steps[at].pieces(scene.released)) {
            let size: u32 = pieces.iter().map(|(_, rows)| *rows).sum();
            let failing = scene.property.least_failing(size)?;
            let group = Group::new(scene, number, pieces, failing);
            if failing > size {
                continue;
            }
            let (low, high) = if let Some(same) = known.get(&group.pieces) {
                (groups[*same].low, groups[*same].high)
            } else {
                work = work.checked_sub(group.cost())?;
                (group.fails(scene), group.fails(scene))
            };
            if high.is_zero() {
                continue;
            }
            sum = sum.plus(high);
            // Where groups are independent the second inequality is above zero only below two.
            if !sum.is_below(1) {
                return None;
            }
            known.entry(group.pieces.clone()).or_insert(groups.len());
            groups.push(Chance { group, low, high });
        }
        (!groups.is_empty()).then_some(Self {
            scene,
            at,
            groups,
            sum,
        })
    }

    fn unit(&self) -> i64 {
        BITS - self.sum.power_above()
    }

    fn bounds(&self) -> Option<Disclosure> {
        let possible = self.possible();
        if !possible.is_positive() {
            return None;
        }
        let shares = Shares::new(self);
        let fine = self.scene.steps[self.at];
        let mut place = vec![usize::MAX; fine.groups as usize];
        for (at, chance) in self.groups.iter().enumerate() {
            place[chance.group.number as usize] = at;
        }
        let belief = |kind: usize| -> Believed {
            let mut belief = self.scene.plain(kind);
            let (class, row) = self.scene.kinds[kind];
            let at = place[fine.of_row[row as usize] as usize];
            let highs: Vec<BigRational> = (0..belief.bounds.len())
                .map(|value| {
                    let high = BigRational::new(shares.of(class, at, value), possible.clone());
                    high.min(BigRational::one())
                })
                .collect();
            let sum: BigRational = highs.iter().sum();
            for ((_, low, high), most) in belief.bounds.iter_mut().zip(highs) {
                // What no other value can have.
                let rest = BigRational::one() - (&sum - &most);
                (*low, *high) = (rest.max(BigRational::zero()), most);
            }
            belief
        };
        let beliefs = (0..self.scene.kinds.len()).map(belief).collect();
        let of_row = self.scene.kind_of_row.clone();
        Some(Disclosure::new(
            self.scene.chain,
            Method::Union,
            of_row,
            beliefs,
        ))
    }

    /// At most the chance that every earlier step fails, rounded down: Bonferroni's second inequality.
    fn possible(&self) -> BigInt {
        let unit = self.unit();
        let others: Vec<&Partition> = (0..self.scene.steps.len())
            .filter(|at| *at != self.at)
            .map(|at| self.scene.steps[at])
            .collect();
        let mut order: Vec<usize> = (0..self.groups.len()).collect();
        order.sort_by_key(|at| std::cmp::Reverse(self.groups[*at].low.units(unit)));
        let members = self.scene.steps[self.at].members();
        let mut looks = MOST_LOOKS;
        let mut sum = BigInt::ZERO;
        let mut counted = Vec::new();
        for at in order {
            let chance = &self.groups[at];
            let rows = &members[chance.group.number as usize];
            let mut passes = 0_u128;
            for step in &others {
                let Some(left) = looks.checked_sub(step.groups as usize) else {
                    passes = ONE;
                    break;
                };
                looks = left;
                passes += passes_after(self.scene, step, rows);
            }
            if passes < ONE {
                let left = chance.low.units(unit) * BigInt::from(ONE - passes);
                sum += left.div_floor(&BigInt::from(ONE));
                counted.push(at);
            }
        }
        let pairs = self.pairs_at_once(&counted);
        // Where pairs hardly matter it does not pay to look at each.
        if counted.len() > MOST_PAIRED || &pairs << MATTERS <= sum {
            return sum - pairs;
        }
        sum - pairs.min(self.pairs_one_by_one(&counted))
    }

    /// At least the sum of the chances that two of these groups fail.
    fn pairs_one_by_one(&self, counted: &[usize]) -> BigInt {
        let rows_in = |at: usize, class: u32| {
            let pieces = self.groups[at].group.pieces.iter();
            let own = pieces.filter(|(own, _)| *own == class);
            own.map(|(_, rows)| *rows).sum()
        };
        let mut sum = High::ZERO;
        for (index, first) in counted.iter().enumerate() {
            for second in &counted[index + 1..] {
                let (one, other) = (&self.groups[*first], &self.groups[*second]);
                let mut touched = other.group.pieces.iter();
                let after = if touched.any(|(class, _)| rows_in(*first, *class) > 0) {
                    let known = |class: u32| rows_in(*first, class);
                    other.group.fails_after(self.scene, known)
                } else {
                    other.high
                };
                sum = sum.plus(one.high.by(after));
            }
        }
        sum.units(self.unit())
    }

    /// The same more coarsely: whichever group fails first, no more rows of a class are known than its largest group has there. Of
    /// two groups either may come first, so that half of all products is enough.
    fn pairs_at_once(&self, counted: &[usize]) -> BigInt {
        let mut largest = vec![0; self.scene.classes.len()];
        for at in counted {
            for (class, rows) in &self.groups[*at].group.pieces {
                let slot: &mut u32 = &mut largest[*class as usize];
                *slot = (*slot).max(*rows);
            }
        }
        let known = |class: u32| largest[class as usize];
        let mut after = High::ZERO;
        let mut seen: FxHashMap<&[(u32, u32)], High> = FxHashMap::default();
        for at in counted {
            let group = &self.groups[*at].group;
            let fails = *seen
                .entry(&group.pieces)
                .or_insert_with(|| group.fails_after(self.scene, known));
            after = after.plus(fails);
        }
        self.sum.by(after).over(2).units(self.unit())
    }
}

/// At least the chance, in parts, that a step passes, whatever these rows have, which are a group of another step and fail there.
fn passes_after(scene: &Scene<'_>, step: &Partition, rows: &[u32]) -> u128 {
    let group = step.of_row[rows[0] as usize];
    let same = rows.iter().all(|row| step.of_row[*row as usize] == group);
    if same && step.of_row.iter().filter(|own| **own == group).count() == rows.len() {
        return 0;
    }
    Bound::after(scene, step, rows).passes()
}

/// At least how often a row has a value while a group fails, summed over the groups, in units.
struct Shares {
    /// By class and value: groups that touch the class, for rows that they do not have; and groups that do not touch it.
    outside: Vec<Vec<BigInt>>,
    elsewhere: Vec<Vec<BigInt>>,
    /// By group and class: by value, for rows outside it, and for its own.
    of_group: FxHashMap<(usize, u32), (Vec<BigInt>, Vec<BigInt>)>,
}

impl Shares {
    fn new(refusal: &Refusal<'_>) -> Self {
        let (scene, unit) = (refusal.scene, refusal.unit());
        let empty = || -> Vec<Vec<BigInt>> {
            let classes = scene.classes.iter();
            classes
                .map(|class| vec![BigInt::ZERO; class.counts.len()])
                .collect()
        };
        let mut outside = empty();
        let mut elsewhere = empty();
        let mut of_group = FxHashMap::default();
        let mut touching = vec![BigInt::ZERO; scene.classes.len()];
        let mut sum = BigInt::ZERO;
        // Groups that take alike from their classes have the same shares.
        let mut known: FxHashMap<&[(u32, u32)], usize> = FxHashMap::default();
        for (at, chance) in refusal.groups.iter().enumerate() {
            let all = chance.high.units(unit);
            sum += &all;
            let same = *known.entry(&chance.group.pieces).or_insert(at);
            for (piece, (class, drawn)) in chance.group.pieces.iter().enumerate() {
                touching[*class as usize] += &all;
                if same != at {
                    let shares: &(Vec<BigInt>, Vec<BigInt>) = &of_group[&(same, *class)];
                    let shares = shares.clone();
                    add(&mut outside[*class as usize], &shares.0);
                    of_group.insert((at, *class), shares);
                    continue;
                }
                let class_rows = scene.classes[*class as usize].size();
                let counts = &scene.classes[*class as usize].counts;
                let low = chance.group.fails_with::<false>(scene, piece);
                let high = chance.group.fails_with::<true>(scene, piece);
                let mut out = Vec::new();
                let mut own = Vec::new();
                for (((_, count), low), high) in counts.iter().zip(low).zip(high) {
                    let inside = low.units(unit) * *count * *drawn / class_rows;
                    own.push(Integer::div_ceil(
                        &(high.units(unit) * *count),
                        &class_rows.into(),
                    ));
                    out.push(if class_rows == *drawn {
                        BigInt::ZERO
                    } else {
                        let rest = (&all * *count - inside).max(BigInt::ZERO);
                        Integer::div_ceil(&rest, &(class_rows - drawn).into())
                    });
                }
                add(&mut outside[*class as usize], &out);
                of_group.insert((at, *class), (out, own));
            }
        }
        for ((class, elsewhere), touching) in scene.classes.iter().zip(&mut elsewhere).zip(touching)
        {
            for ((_, count), slot) in class.counts.iter().zip(elsewhere) {
                let rest = (&sum - &touching) * *count;
                *slot = Integer::div_ceil(&rest, &class.size().into());
            }
        }
        Self {
            outside,
            elsewhere,
            of_group,
        }
    }

    /// For a row of a class in this group, and a value by its index in the class.
    fn of(&self, class: u32, group: usize, value: usize) -> BigInt {
        let at = class as usize;
        let all = &self.outside[at][value] + &self.elsewhere[at][value];
        match self.of_group.get(&(group, class)) {
            Some((out, own)) => all - &out[value] + &own[value],
            None => all,
        }
    }
}

fn add(sums: &mut [BigInt], more: &[BigInt]) {
    sums.iter_mut()
        .zip(more)
        .for_each(|(sum, more)| *sum += more);
}
