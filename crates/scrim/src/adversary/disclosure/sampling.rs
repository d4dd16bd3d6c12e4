//! Bounds from random tables.
//!
//! **Definition.** Values are shuffled within the released classes; a table for which some earlier step passes is thrown away. The
//! average share of a value among rows that cannot be told apart lies within h of what is believed of them, for all such rows and
//! all values at once, with the asked confidence: h² = ln(2 · pairs · stages / (1 - confidence)) / (2 · accepted), by Hoeffding's
//! bound for each ([Zhang07], S7 of our reading).
//! **Reading.** Only exclusive and naive: under the inclusive strategy a test that is too cautious changes what is known later. Draws
//! double stage by stage until the bounds are close enough. h is a fraction that is rounded up.
//! **Holds because** the coins do not depend on the secret, only on the seed: the decision is one that an onlooker can repeat.
//! **Cost.** O(rows) a table. Chunks of tables have streams of their own, so the outcome is the same for any number of threads.

use num_bigint::{BigInt, BigUint};
use rayon::prelude::*;

use super::belief::{Believed, Disclosure, Draws, clamped};
use super::chain::held_passes;
use super::effort::{Effort, Found, Method, give_up};
use super::numbers::fraction;
use super::property::BigRational;
use super::scene::Scene;
use crate::error::Error;
use crate::random::Random;

/// Tables of one stream.
const CHUNK: u64 = 32;
/// Streams between two looks at the clock.
const CHUNKS: u64 = 16;
/// Fewer possible tables than one in so many are too few to go on.
const HOPELESS: u64 = 2048;
/// Tables of the first stage.
const FIRST: u64 = 512;
/// So many possible tables show roughly where the shares will be.
const ENOUGH: u64 = 2048;

/// The bounds: the first that show that the property holds, else those of all draws.
pub(super) fn sampling(
    scene: &Scene<'_>,
    effort: &Effort,
    tick: &mut dyn FnMut() -> Result<(), Error>,
) -> Found<Disclosure> {
    let urn = Urn::new(scene);
    let stages = stages(effort.samples);
    let Some(logarithm) = logarithm(effort, urn.pairs(), stages.len()) else {
        return give_up("the confidence of sampling must lie between 0 and 1");
    };
    let mut tally = Tally::new(urn.slots);
    let mut drawn = 0;
    let mut last = None;
    for stage in stages {
        while drawn < stage {
            tick()?;
            let from = drawn / CHUNK;
            let to = (from + CHUNKS).min(stage / CHUNK);
            let chunks = (from..to)
                .into_par_iter()
                .map(|chunk| urn.draw(chunk, effort.seed));
            tally = tally.plus(chunks.reduce(|| Tally::new(urn.slots), Tally::plus));
            drawn = to * CHUNK;
        }
        if tally.accepted > 0 {
            let margin = margin_of(&logarithm, tally.accepted);
            let mut found = urn.beliefs(&tally, &margin);
            found.draws = Some(Draws {
                drawn,
                accepted: tally.accepted,
            });
            if found.holds(scene.property) {
                return Ok(found);
            }
            last = Some(found);
            // What would not hold if all draws went on like these is not worth drawing.
            let in_all = tally.accepted.saturating_mul(effort.samples) / drawn.max(1);
            if tally.accepted >= ENOUGH {
                let narrow = margin_of(&logarithm, in_all);
                if !urn.beliefs(&tally, &narrow).holds(scene.property) {
                    break;
                }
            }
        }
        if drawn >= HOPELESS && tally.accepted < drawn / HOPELESS {
            break;
        }
    }
    match last {
        Some(found) => Ok(found),
        None => give_up(format!(
            "none of {drawn} random tables would have led to this release"
        )),
    }
}

/// How many tables are drawn at the end of each stage.
fn stages(samples: u64) -> Vec<u64> {
    let all = samples / CHUNK * CHUNK;
    let mut stages: Vec<u64> = std::iter::successors(Some(FIRST), |stage| stage.checked_mul(2))
        .take_while(|stage| *stage < all)
        .collect();
    stages.extend((all > 0).then_some(all));
    stages
}

/// At least ln(2 · pairs · stages / (1 - confidence)).
fn logarithm(effort: &Effort, pairs: usize, stages: usize) -> Option<BigRational> {
    let (above, below) = (
        effort.confidence.numerator(),
        effort.confidence.denominator(),
    );
    let doubt = u128::try_from(below.checked_sub(above)?)
        .ok()
        .filter(|doubt| *doubt > 0)?;
    if above <= 0 {
        return None;
    }
    let times = BigUint::from(2 * pairs.max(1)) * BigUint::from(stages) * below.unsigned_abs();
    let odds = times / doubt + 1_u32;
    // odds^64 has fewer than 2^bits, and ln 2 < 0.693147180559946.
    let bits = odds.pow(64).bits();
    Some(
        BigRational::new(BigInt::from(bits), BigInt::from(64))
            * BigRational::new(
                BigInt::from(693_147_180_559_946_u64),
                BigInt::from(10_u64.pow(15)),
            ),
    )
}

/// At least the square root of the logarithm over twice the tables.
fn margin_of(logarithm: &BigRational, accepted: u64) -> BigRational {
    let square = logarithm / BigInt::from(2 * accepted) * (BigInt::from(1) << 64_u32);
    let root = (square.to_integer() + 1_u32).magnitude().sqrt() + 1_u32;
    fraction(root, BigUint::from(1_u64 << 32))
}

/// What was seen in accepted tables: rows by slot.
struct Tally {
    accepted: u64,
    rows: Vec<u64>,
}

impl Tally {
    fn new(slots: usize) -> Self {
        Self {
            accepted: 0,
            rows: vec![0; slots],
        }
    }

    fn plus(mut self, other: Self) -> Self {
        self.accepted += other.accepted;
        self.rows
            .iter_mut()
            .zip(other.rows)
            .for_each(|(sum, rows)| *sum += rows);
        self
    }
}

/// The classes to draw from.
struct Urn<'a> {
    scene: &'a Scene<'a>,
    /// The groups of each step, the smallest first.
    groups: Vec<Vec<Vec<u32>>>,
    /// Where the values of each class begin in the list of all of them, and that list.
    starts: Vec<u32>,
    values: Vec<u32>,
    /// Each row's place in that list, as the release gives it.
    given: Vec<u32>,
    /// Where a kind's slots begin; nothing where its belief is that of the class.
    slot_of_kind: Vec<Option<usize>>,
    rows_of_kind: Vec<u64>,
    slots: usize,
}

impl<'a> Urn<'a> {
    fn new(scene: &'a Scene<'a>) -> Self {
        let mut starts = Vec::new();
        let mut values = Vec::new();
        let mut given = vec![0; scene.chain.rows()];
        for class in &scene.classes {
            starts.push(values.len() as u32);
            let held = class.counts.iter().enumerate();
            let held = held.flat_map(|(at, (_, count))| {
                std::iter::repeat_n(values.len() + at, *count as usize)
            });
            class
                .rows
                .iter()
                .zip(held)
                .for_each(|(row, place)| given[*row as usize] = place as u32);
            values.extend(class.counts.iter().map(|(value, _)| *value));
        }
        let mut kinds_of_class = vec![0; scene.classes.len()];
        scene
            .kinds
            .iter()
            .for_each(|(class, _)| kinds_of_class[*class as usize] += 1);
        let mut slots = 0;
        let slot = |(class, _): &(u32, u32)| {
            (kinds_of_class[*class as usize] > 1).then(|| {
                let here = slots;
                slots += scene.classes[*class as usize].counts.len();
                here
            })
        };
        let slot_of_kind = scene.kinds.iter().map(slot).collect();
        let mut rows_of_kind = vec![0; scene.kinds.len()];
        scene
            .kind_of_row
            .iter()
            .for_each(|kind| rows_of_kind[*kind as usize] += 1);
        let groups = scene.steps.iter().map(|step| {
            let mut members = step.members();
            members.sort_by_key(Vec::len);
            members
        });
        Self {
            groups: groups.collect(),
            scene,
            starts,
            values,
            given,
            slot_of_kind,
            rows_of_kind,
            slots,
        }
    }

    /// Rows that cannot be told apart, times values.
    fn pairs(&self) -> usize {
        self.slots
    }

    /// The tables of one stream.
    fn draw(&self, chunk: u64, seed: u64) -> Tally {
        let mut random = Random::new(
            Random::new(seed).bits() ^ Random::new(chunk.wrapping_mul(2).wrapping_add(1)).bits(),
        );
        let mut tally = Tally::new(self.slots);
        let mut places = self.given.clone();
        let mut counts = vec![0; self.scene.chain.values()];
        for _ in 0..CHUNK {
            for class in &self.scene.classes {
                for at in (1..class.rows.len()).rev() {
                    let other = random.index(at + 1);
                    places.swap(class.rows[at] as usize, class.rows[other] as usize);
                }
            }
            if self.is_possible(&places, &mut counts) {
                tally.accepted += 1;
                for ((place, kind), class) in places
                    .iter()
                    .zip(&self.scene.kind_of_row)
                    .zip(&self.scene.released.of_row)
                {
                    if let Some(slot) = self.slot_of_kind[*kind as usize] {
                        tally.rows[slot + (place - self.starts[*class as usize]) as usize] += 1;
                    }
                }
            }
        }
        tally
    }

    /// Whether every earlier step refuses the table.
    fn is_possible(&self, places: &[u32], counts: &mut [u32]) -> bool {
        let mut held = Vec::new();
        self.groups.iter().all(|groups| {
            groups.iter().any(|rows| {
                held.clear();
                held.extend(
                    rows.iter()
                        .map(|row| self.values[places[*row as usize] as usize]),
                );
                !held_passes(&held, counts, self.scene.property)
            })
        })
    }

    fn beliefs(&self, tally: &Tally, margin: &BigRational) -> Disclosure {
        let belief = |kind: usize| -> Believed {
            let mut belief = self.scene.plain(kind);
            if let Some(slot) = self.slot_of_kind[kind] {
                let all = BigUint::from(tally.accepted) * self.rows_of_kind[kind];
                for ((_, low, high), rows) in belief.bounds.iter_mut().zip(&tally.rows[slot..]) {
                    let seen = fraction(*rows, all.clone());
                    (*low, *high) = clamped(&seen - margin, seen + margin);
                }
            }
            belief
        };
        let beliefs = (0..self.scene.kinds.len()).map(belief).collect();
        Disclosure::new(
            self.scene.chain,
            Method::Sampling,
            self.scene.kind_of_row.clone(),
            beliefs,
        )
    }
}
