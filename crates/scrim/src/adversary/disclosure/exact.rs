//! Exact beliefs under the exclusive strategy.
//!
//! **Definition.** The set is what the release allows without the tables for which some earlier step passes. With Pr\[J\] the share of
//! allowed tables for which all steps of J pass, its share is S = Σ (-1)^|J| Pr\[J\] over all sets J of steps, and a row has a value
//! in Σ (-1)^|J| Pr\[J\] · `p_J` / S of it, `p_J` the share among the tables of Pr\[J\] ([Zhang07], S1 and S2 of our reading).
//! **Holds because** components, classes and groups that touch, are arranged independently: Pr\[J\] is a product.
//! **Oracle.** `testkit::oracle::disclosure_set`.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_traits::{One, Zero};
use rustc_hash::FxHashMap;

use super::belief::{Believed, Disclosure};
use super::chain::Partition;
use super::counting::Counting;
use super::effort::{Budget, Found, Method, Stop, give_up};
use super::frontier::{Atom, Component, count};
use super::numbers::{arrangements, fraction, product};
use super::property::BigRational;
use super::scene::Scene;

/// The most steps whose subsets are taken one by one.
const MOST_STEPS: usize = 12;
/// The most values of a class that are dealt out.
const MOST_VALUES: usize = 300;
/// The longest share of tables that is worked with.
const MOST_BITS: u64 = 50_000;
/// Words that may be touched while fractions are reduced.
const MOST_WORDS: u64 = 2_000_000_000;

/// What is known where all steps of a set pass.
struct Together {
    sign: bool,
    share: BigRational,
    /// By kind: the share of each value of the class, by its index there.
    of_kind: Vec<Vec<BigRational>>,
}

/// The exact beliefs, by counting.
pub(super) fn exact(scene: &Scene<'_>, budget: &mut Budget<'_>) -> Found<Disclosure> {
    if scene.steps.len() > MOST_STEPS {
        return give_up(format!(
            "{} earlier steps tell something: too many to be counted together",
            scene.steps.len()
        ));
    }
    let mut sets = Vec::new();
    for mask in 1_u32..1 << scene.steps.len() {
        let chosen = scene
            .steps
            .iter()
            .enumerate()
            .filter(|(at, _)| mask >> at & 1 == 1);
        let chosen: Vec<&Partition> = chosen.map(|(_, step)| *step).collect();
        if let Some((share, of_kind)) = together(scene, &chosen, budget)? {
            sets.push(Together {
                sign: chosen.len() % 2 == 1,
                share,
                of_kind,
            });
        }
    }
    let mut left = BigRational::one();
    for set in &sets {
        left = if set.sign {
            left - &set.share
        } else {
            left + &set.share
        };
    }
    if left.is_zero() {
        return Err(Stop::Impossible);
    }
    affordable(scene, &sets)?;
    let method = if scene.nested().is_some() {
        Method::Counting
    } else {
        Method::Frontier
    };
    let beliefs = (0..scene.kinds.len()).map(|kind| belief(scene, kind, &sets, &left));
    let found = Disclosure::new(
        scene.chain,
        method,
        scene.kind_of_row.clone(),
        beliefs.collect(),
    );
    let size = (left * num_bigint::BigInt::from(scene.tables())).to_integer();
    Ok(found.sized(size.magnitude().clone()))
}

/// Fractions of astronomic counts take long to reduce.
fn affordable(scene: &Scene<'_>, sets: &[Together]) -> Found<()> {
    let bits: u64 = sets.iter().map(|set| set.share.denom().bits()).sum();
    let pairs: u64 = scene
        .kinds
        .iter()
        .map(|(class, _)| scene.classes[*class as usize].counts.len() as u64)
        .sum();
    let words = (bits / 64 + 1)
        .saturating_mul(bits + 64)
        .saturating_mul(pairs);
    if words > MOST_WORDS {
        return give_up("the exact fractions are too long to be worked with");
    }
    Ok(())
}

fn belief(scene: &Scene<'_>, kind: usize, sets: &[Together], left: &BigRational) -> Believed {
    let mut plain = scene.plain(kind);
    for (index, (_, low, high)) in plain.bounds.iter_mut().enumerate() {
        let mut share = low.clone();
        for set in sets {
            let part = &set.share * &set.of_kind[kind][index];
            share = if set.sign { share - part } else { share + part };
        }
        *low = share / left;
        *high = low.clone();
    }
    plain
}

/// The share of allowed tables for which all these steps pass, and the share of each value among them; nothing where there are none.
fn together(
    scene: &Scene<'_>,
    steps: &[&Partition],
    budget: &mut Budget<'_>,
) -> Found<Option<(BigRational, Vec<Vec<BigRational>>)>> {
    let parts = components(scene, steps);
    let mut counting = Counting::new(scene.property, scene.chain.values());
    let mut of_kind: Vec<Vec<BigRational>> = vec![Vec::new(); scene.kinds.len()];
    let (mut above, mut below) = (Vec::new(), Vec::new());
    for part in &parts {
        let (ways, marked) = arranged(scene, &part.component, &mut counting, budget)?;
        if ways.is_zero() {
            return Ok(None);
        }
        for (kind, atom) in &part.kinds {
            let shares = marked[*atom]
                .iter()
                .map(|mark| fraction(mark.clone(), ways.clone()));
            of_kind[*kind] = shares.collect();
        }
        let classes = part.component.classes.iter();
        let all = classes.map(|class| {
            arrangements(&class.iter().map(|(_, count)| *count).collect::<Vec<u32>>())
        });
        let share = fraction(ways, product(all.collect()));
        above.push(share.numer().magnitude().clone());
        below.push(share.denom().magnitude().clone());
    }
    if below.iter().map(BigUint::bits).sum::<u64>() > MOST_BITS {
        return give_up("the exact fractions are too long to be worked with");
    }
    Ok(Some((fraction(product(above), product(below)), of_kind)))
}

/// The passing arrangements of a component, and those in which a row of each atom has each value.
pub(super) fn arranged(
    scene: &Scene<'_>,
    component: &Component,
    counting: &mut Counting<'_>,
    budget: &mut Budget<'_>,
) -> Found<(BigUint, Vec<Vec<BigUint>>)> {
    if let [_] = component.atoms.as_slice() {
        return Ok(whole(scene, component));
    }
    if component
        .classes
        .iter()
        .any(|class| class.len() > MOST_VALUES)
    {
        return give_up("a class has too many values to be counted");
    }
    let single = component.atoms.iter().all(|atom| atom.groups.len() == 1);
    let nested =
        component.classes.len() == 1 && component.groups.len() == component.atoms.len() && single;
    if !nested || !scene.property.symmetric() {
        let crossing = count(component, scene.property, scene.chain.values(), budget)?;
        return Ok((crossing.ways, crossing.marked));
    }
    let multiplicities: Vec<u32> = component.classes[0]
        .iter()
        .map(|(_, count)| *count)
        .collect();
    let passing = counting.class(&multiplicities, &component.groups, budget)?;
    let of_size: BTreeMap<u32, Vec<BigUint>> = passing.marked.into_iter().collect();
    let marked = component
        .atoms
        .iter()
        .map(|atom| of_size.get(&atom.size).cloned().unwrap_or_default());
    Ok((passing.ways, marked.collect()))
}

/// A class that no step cuts: its groups pass always or never.
fn whole(scene: &Scene<'_>, component: &Component) -> (BigUint, Vec<Vec<BigUint>>) {
    let class = &component.classes[0];
    let mut counts = vec![0; scene.chain.values()];
    class
        .iter()
        .for_each(|(value, count)| counts[*value as usize] = *count);
    if !scene.property.passes(&counts) {
        return (BigUint::zero(), vec![vec![BigUint::zero(); class.len()]]);
    }
    let multiplicities: Vec<u32> = class.iter().map(|(_, count)| *count).collect();
    let ways = arrangements(&multiplicities);
    let rows: u32 = multiplicities.iter().sum();
    let marked = multiplicities.iter().map(|count| &ways * *count / rows);
    (ways.clone(), vec![marked.collect()])
}

/// A component, and the atom that each kind of row stands in.
#[derive(Default)]
struct Part {
    component: Component,
    kinds: Vec<(usize, usize)>,
}

/// The components of the released classes and the groups of these steps.
fn components(scene: &Scene<'_>, steps: &[&Partition]) -> Vec<Part> {
    let mut atoms = scene.released.clone();
    steps.iter().for_each(|step| atoms = atoms.meet(step));
    // Classes and groups in one numbering: those of the release first, then step by step.
    let mut starts = vec![0_usize];
    for partition in [scene.released].into_iter().chain(steps.iter().copied()) {
        starts.push(starts[starts.len() - 1] + partition.groups as usize);
    }
    let nodes_of = |row: usize| {
        let all = [scene.released].into_iter().chain(steps.iter().copied());
        all.zip(&starts)
            .map(move |(partition, start)| start + partition.of_row[row] as usize)
    };
    let sizes = atoms.sizes();
    let members = atoms.members();
    let mut union = Union::new(starts[starts.len() - 1]);
    for rows in &members {
        let nodes: Vec<usize> = nodes_of(rows[0] as usize).collect();
        nodes
            .windows(2)
            .for_each(|pair| union.join(pair[0], pair[1]));
    }
    let mut parts: Vec<Part> = Vec::new();
    let mut part_of_root: FxHashMap<usize, usize> = FxHashMap::default();
    let mut local: FxHashMap<usize, usize> = FxHashMap::default();
    let mut place_of_atom: Vec<(usize, usize)> = Vec::new();
    for (rows, size) in members.iter().zip(&sizes) {
        let nodes: Vec<usize> = nodes_of(rows[0] as usize).collect();
        let root = union.root(nodes[0]);
        let at = *part_of_root.entry(root).or_insert(parts.len());
        if at == parts.len() {
            parts.push(Part::default());
        }
        let component = &mut parts[at].component;
        let class = *local.entry(nodes[0]).or_insert_with(|| {
            component
                .classes
                .push(scene.classes[nodes[0]].counts.clone());
            component.classes.len() - 1
        });
        let groups = nodes[1..].iter().map(|node| {
            let group = *local.entry(*node).or_insert_with(|| {
                component.groups.push(0);
                component.groups.len() - 1
            });
            component.groups[group] += size;
            group
        });
        let groups = groups.collect();
        place_of_atom.push((at, component.atoms.len()));
        component.atoms.push(Atom {
            class,
            size: *size,
            groups,
        });
    }
    for (kind, (_, row)) in scene.kinds.iter().enumerate() {
        let (part, atom) = place_of_atom[atoms.of_row[*row as usize] as usize];
        parts[part].kinds.push((kind, atom));
    }
    parts
}

/// Sets that are joined.
struct Union {
    above: Vec<usize>,
}

impl Union {
    fn new(count: usize) -> Self {
        Self {
            above: (0..count).collect(),
        }
    }

    fn root(&mut self, mut node: usize) -> usize {
        while self.above[node] != node {
            self.above[node] = self.above[self.above[node]];
            node = self.above[node];
        }
        node
    }

    fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.above[one.max(other)] = one.min(other);
    }
}
