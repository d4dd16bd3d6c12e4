//! Chains under which rows of a class cannot be told apart.
//!
//! **Definition.** Earlier steps are nested in each other and in the release, and within each released class the groups of each of
//! them have one size. Then a row has each value in as many possible tables as any other row of its class: in `m_v / n` of them
//! ([Zhang07], S6 of our reading).
//! **Holds because** permutations of rows that keep all partitions keep the disclosure set, under either strategy, and under equal
//! sizes they take each row of a class to each other.
//! **Reading.** The set must have a table at all. One is looked for: the arrangement as given, one with equal values together, and
//! some random ones.

use super::belief::Disclosure;
use super::chain::{Partition, held_passes};
use super::effort::{Found, Method, give_up};
use super::scene::Scene;
use crate::random::Random;

/// Random tables among which one is looked for that all steps refuse.
const TRIES: usize = 64;

/// The beliefs where rows of a class cannot be told apart.
pub(super) fn symmetric(scene: &Scene<'_>, seed: u64) -> Found<Disclosure> {
    if !is_even(scene) {
        return give_up("groups of one class have unequal sizes");
    }
    if !is_possible(scene, seed) {
        return give_up("no table was found that would have led to this release");
    }
    let mut first = vec![usize::MAX; scene.classes.len()];
    for (kind, (class, _)) in scene.kinds.iter().enumerate().rev() {
        first[*class as usize] = kind;
    }
    let beliefs = first.iter().map(|kind| scene.plain(*kind)).collect();
    let of_row = scene.released.of_row.clone();
    Ok(Disclosure::new(
        scene.chain,
        Method::Symmetric,
        of_row,
        beliefs,
    ))
}

fn is_even(scene: &Scene<'_>) -> bool {
    let mut steps = scene.steps.clone();
    steps.push(scene.released);
    steps.sort_by_key(|step| std::cmp::Reverse(step.groups));
    let nested = steps.windows(2).all(|pair| pair[0].refines(pair[1]));
    nested
        && scene.steps.iter().all(|step| {
            let sizes = step.sizes();
            scene.classes.iter().all(|class| {
                let mut held = class
                    .rows
                    .iter()
                    .map(|row| sizes[step.of_row[*row as usize] as usize]);
                let first = held.next();
                held.all(|size| Some(size) == first)
            })
        })
}

/// Whether a table was found that the release allows and every step refuses.
pub(super) fn is_possible(scene: &Scene<'_>, seed: u64) -> bool {
    let members: Vec<Vec<Vec<u32>>> = scene.steps.iter().map(|step| step.members()).collect();
    let refused = |secret: &[u32]| {
        let mut counts = vec![0; scene.chain.values()];
        members.iter().all(|groups| {
            groups.iter().any(|rows| {
                let held: Vec<u32> = rows.iter().map(|row| secret[*row as usize]).collect();
                !held_passes(&held, &mut counts, scene.property)
            })
        })
    };
    let mut secret = scene.chain.given().to_vec();
    if refused(&secret) {
        return true;
    }
    // Rows of one group of the coarsest step stand together and get the most frequent values together.
    let coarsest = scene.steps.iter().min_by_key(|step| step.groups);
    for class in &scene.classes {
        let mut rows = class.rows.clone();
        let group = |row: &u32| coarsest.map(|step: &&Partition| step.of_row[*row as usize]);
        rows.sort_by_key(group);
        let mut counts = class.counts.clone();
        counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let held = counts
            .iter()
            .flat_map(|(value, count)| std::iter::repeat_n(*value, *count as usize));
        rows.iter()
            .zip(held)
            .for_each(|(row, value)| secret[*row as usize] = value);
    }
    let mut random = Random::new(seed);
    for _ in 0..TRIES {
        if refused(&secret) {
            return true;
        }
        for class in &scene.classes {
            for at in (1..class.rows.len()).rev() {
                let other = random.index(at + 1);
                secret.swap(class.rows[at] as usize, class.rows[other] as usize);
            }
        }
    }
    false
}
