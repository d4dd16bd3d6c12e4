//! Bounds from random tables.
//!
//! **Definition.** Values are shuffled within the released classes; a table for which some earlier step passes is not possible. The
//! average share of a value among rows that cannot be told apart lies within a margin of what is believed of them, for all such rows and
//! all values at once, with the asked confidence ([`Margins`]; [Zhang07], S7 of our reading). Where most tables are possible the others are
//! looked at instead: with a the share of possible tables, s that of the value in the class and q that among the others, what is believed
//! is s + (s - q)(1 - a)/a, and the margin of q counts only as much as (1 - a)/a.
//! **Reading.** Only exclusive and naive: under the inclusive strategy a test that is too cautious changes what is known later. Draws
//! double stage by stage until the bounds show that the property holds, or that it does not. Which tables are looked at is decided after the
//! first stage, whose tables do not count if these are the others.
//! **Holds because** the coins do not depend on the secret, only on the seed: the decision is one that an onlooker can repeat.
//! Possible tables are independent draws of a possible table, however many there are, and the others likewise.
//! **Cost.** O(rows) a table. Chunks of tables have streams of their own, so the outcome is the same for any number of threads.

use num_traits::{One, Zero};
use rayon::prelude::*;

use super::belief::{Believed, Disclosure, Draws, clamped};
use super::chain::held_passes;
use super::effort::{Effort, Found, Method, give_up};
use super::margins::{Margins, Seen};
use super::property::BigRational;
use super::refute::is_refuted;
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
/// So many tables that were looked at show roughly where the shares will be.
const ENOUGH: u64 = 2048;

/// The bounds: the first that show that the property holds or that it does not, else those of all draws.
pub(super) fn sampling(
    scene: &Scene<'_>,
    effort: &Effort,
    tick: &mut dyn FnMut() -> Result<(), Error>,
) -> Found<Disclosure> {
    let urn = Urn::new(scene);
    let stages = stages(effort.samples);
    let Some(margins) = Margins::new(effort, urn.slots + 1, stages.len()) else {
        return give_up("the confidence of sampling must lie between 0 and 1");
    };
    let mut tally = Tally::new(urn.slots);
    let mut drawn = 0;
    let mut possible = true;
    let mut last = None;
    for (number, stage) in stages.into_iter().enumerate() {
        while drawn < stage {
            tick()?;
            let from = drawn / CHUNK;
            let to = (from + CHUNKS).min(stage / CHUNK);
            let chunks = (from..to)
                .into_par_iter()
                .map(|chunk| urn.draw(chunk, effort.seed, possible));
            tally = tally.plus(chunks.reduce(|| Tally::new(urn.slots), Tally::plus));
            drawn = to * CHUNK;
        }
        if tally.accepted > 0 {
            let found = urn.beliefs(&tally, &margins, possible, 1);
            if found.holds(scene.property) || is_refuted(scene, &found) {
                return Ok(found);
            }
            last = Some(found);
            // What would decide nothing if all draws went on like these is not worth drawing. Half of the margin allows for what the
            // shares so far may be off.
            if tally.looked >= ENOUGH {
                let times = (effort.samples / drawn.max(1)).saturating_mul(4);
                let narrow = urn.beliefs(&tally, &margins, possible, times);
                if !narrow.holds(scene.property) && !is_refuted(scene, &narrow) {
                    break;
                }
            }
            if number == 0 && tally.accepted * 2 > drawn {
                possible = false;
                tally.forget_shares();
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

/// What was seen in tables.
struct Tally {
    drawn: u64,
    accepted: u64,
    /// The tables that were looked at, and by slot the rows in them, and their squares.
    looked: u64,
    rows: Vec<u64>,
    squares: Vec<u128>,
}

impl Tally {
    fn new(slots: usize) -> Self {
        Self {
            drawn: 0,
            accepted: 0,
            looked: 0,
            rows: vec![0; slots],
            squares: vec![0; slots],
        }
    }

    fn plus(mut self, other: Self) -> Self {
        self.drawn += other.drawn;
        self.accepted += other.accepted;
        self.looked += other.looked;
        let sums = self.rows.iter_mut().zip(other.rows);
        sums.for_each(|(sum, rows)| *sum += rows);
        let sums = self.squares.iter_mut().zip(other.squares);
        sums.for_each(|(sum, squares)| *sum += squares);
        self
    }

    /// The tables that were looked at count no more.
    fn forget_shares(&mut self) {
        self.looked = 0;
        self.rows.fill(0);
        self.squares.fill(0);
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

    /// The tables of one stream, and the shares in those that are possible or in those that are not.
    fn draw(&self, chunk: u64, seed: u64, possible: bool) -> Tally {
        let mut random = Random::new(
            Random::new(seed).bits() ^ Random::new(chunk.wrapping_mul(2).wrapping_add(1)).bits(),
        );
        let mut tally = Tally::new(self.slots);
        let mut places = self.given.clone();
        let mut counts = vec![0; self.scene.chain.values()];
        let mut rows = vec![0; self.slots];
        for _ in 0..CHUNK {
            for class in &self.scene.classes {
                for at in (1..class.rows.len()).rev() {
                    let other = random.index(at + 1);
                    places.swap(class.rows[at] as usize, class.rows[other] as usize);
                }
            }
            tally.drawn += 1;
            let is_possible = self.is_possible(&places, &mut counts);
            tally.accepted += u64::from(is_possible);
            if is_possible == possible {
                self.look(&places, &mut rows, &mut tally);
            }
        }
        tally
    }

    /// Takes note of a table; the rows are zero before and after.
    fn look(&self, places: &[u32], rows: &mut [u32], tally: &mut Tally) {
        tally.looked += 1;
        let mut slots = Vec::new();
        let kinds = self.scene.kind_of_row.iter();
        let classes = self.scene.released.of_row.iter();
        for ((place, kind), class) in places.iter().zip(kinds).zip(classes) {
            if let Some(slot) = self.slot_of_kind[*kind as usize] {
                let slot = slot + (place - self.starts[*class as usize]) as usize;
                if rows[slot] == 0 {
                    slots.push(slot);
                }
                rows[slot] += 1;
            }
        }
        for slot in slots {
            let own = u64::from(std::mem::take(&mut rows[slot]));
            tally.rows[slot] += own;
            tally.squares[slot] += u128::from(own * own);
        }
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

    /// The bounds, if all tables were drawn so many times.
    fn beliefs(&self, tally: &Tally, margins: &Margins, possible: bool, times: u64) -> Disclosure {
        let accepted = Seen {
            draws: tally.drawn,
            sum: tally.accepted,
            squares: tally.accepted.into(),
            unit: 1,
        };
        let (few, many) = margins.around(accepted, tally.drawn.saturating_mul(times));
        let around = |slot: usize, unit: u64| {
            let seen = Seen {
                draws: tally.looked,
                sum: tally.rows[slot],
                squares: tally.squares[slot],
                unit,
            };
            margins.around(seen, tally.looked.saturating_mul(times))
        };
        let belief = |kind: usize| -> Believed {
            let mut belief = self.scene.plain(kind);
            let Some(slot) = self.slot_of_kind[kind] else {
                return belief;
            };
            for (at, (_, low, high)) in belief.bounds.iter_mut().enumerate() {
                let around = around(slot + at, self.rows_of_kind[kind]);
                (*low, *high) = match (possible, few > BigRational::zero()) {
                    (true, _) => clamped(around.0, around.1),
                    (false, true) => beside(low, &around, (&few, &many)),
                    (false, false) => (BigRational::zero(), BigRational::one()),
                };
            }
            belief
        };
        let beliefs = (0..self.scene.kinds.len()).map(belief).collect();
        let mut found = Disclosure::new(
            self.scene.chain,
            Method::Sampling,
            self.scene.kind_of_row.clone(),
            beliefs,
        );
        found.draws = Some(Draws {
            drawn: tally.drawn,
            accepted: tally.accepted,
        });
        found
    }
}

/// What is believed where a value has this share in the class, one within these bounds among the tables that are not possible, and a
/// share of the tables within these bounds is possible.
fn beside(
    share: &BigRational,
    (least, most): &(BigRational, BigRational),
    (few, many): (&BigRational, &BigRational),
) -> (BigRational, BigRational) {
    let odds = |possible: &BigRational| {
        let possible = possible.clone().min(BigRational::one());
        (BigRational::one() - &possible) / possible
    };
    let (up, down) = (share - least, share - most);
    let times = |change: BigRational, grows: bool| {
        // A change away from zero is largest with the larger odds, one towards it with the smaller.
        let larger = (change > BigRational::zero()) == grows;
        change * odds(if larger { few } else { many })
    };
    clamped(share + times(down, false), share + times(up, true))
}
