//! All tables, one by one.
//!
//! **Definition.** The algorithms of [Zhang07], Tables 3 and 5: a table that the release allows is possible unless the strategy would
//! have ended at an earlier step.
//! **Reading.** What a step decides depends on its histograms only; so it is decided once for each.
//! **Cost.** All tables that the release allows, and under the inclusive strategy all those of earlier steps; given up beyond a limit.
//! **Oracle.** `testkit::oracle::disclosure_set`.

use num_bigint::BigUint;
use num_traits::Zero;
use rustc_hash::FxHashMap;

use super::belief::{Believed, Disclosure};
use super::chain::Partition;
use super::effort::{Budget, Found, Method, Stop, Strategy, give_up};
use super::numbers::fraction;
use super::property::BigRational;
use super::scene::{Class, Scene, classes_of};

/// The most values that are dealt out in all: tables times rows.
const MOST_CELLS: u64 = 4_000_000;

/// The beliefs, all tables taken one by one. The scene's steps are walked in their order.
pub(super) fn literal(
    scene: &Scene<'_>,
    strategy: Strategy,
    budget: &mut Budget<'_>,
) -> Found<Disclosure> {
    if scene.tables() * scene.chain.rows() > BigUint::from(MOST_CELLS) {
        return give_up("there are too many tables to be taken one by one");
    }
    let mut recursion = Recursion {
        scene,
        strategy,
        cells: MOST_CELLS,
        known: FxHashMap::default(),
    };
    let last = scene.steps.len();
    let given = scene.chain.given();
    let Some((size, beliefs)) = recursion.set(last, scene.released, given, budget)? else {
        return Err(Stop::Impossible);
    };
    let of_row = (0..scene.chain.rows() as u32).collect();
    let found = Disclosure::new(scene.chain, Method::Literal, of_row, beliefs);
    Ok(found.sized(BigUint::from(size)))
}

/// (value, rows) of each group.
type Histograms = Vec<Vec<(u32, u32)>>;

struct Recursion<'a> {
    scene: &'a Scene<'a>,
    strategy: Strategy,
    cells: u64,
    /// Whether the strategy ends at a step with these histograms.
    known: FxHashMap<(usize, Histograms), bool>,
}

impl Recursion<'_> {
    /// The size of the disclosure set of a step for a table, and what is believed of each row; nothing where it is empty.
    fn set(
        &mut self,
        step: usize,
        partition: &Partition,
        table: &[u32],
        budget: &mut Budget<'_>,
    ) -> Found<Option<(u64, Vec<Believed>)>> {
        let classes = classes_of(partition, table);
        let mut table = first_table(&classes, table.len());
        let mut held: Vec<FxHashMap<u32, u64>> = vec![FxHashMap::default(); table.len()];
        let mut size = 0_u64;
        loop {
            budget.step()?;
            match self.cells.checked_sub(table.len() as u64) {
                Some(left) => self.cells = left,
                None => return give_up("there are too many tables to be taken one by one"),
            }
            if self.reaches(step, &table, budget)? {
                size += 1;
                for (held, value) in held.iter_mut().zip(&table) {
                    *held.entry(*value).or_default() += 1;
                }
            }
            if !next_table(&classes, &mut table) {
                break;
            }
        }
        let belief = |class: &Class, row: u32| {
            let bounds = class.counts.iter().map(|(value, _)| {
                let tables = held[row as usize].get(value).copied().unwrap_or(0);
                let share = fraction(tables, size);
                (*value, share.clone(), share)
            });
            Believed {
                rows: u64::from(class.size()),
                first_row: row,
                bounds: bounds.collect(),
            }
        };
        let rows = 0..table.len() as u32;
        let class = |row: &u32| &classes[partition.of_row[*row as usize] as usize];
        let beliefs = || rows.map(|row| belief(class(&row), row)).collect();
        Ok((size > 0).then(|| (size, beliefs())))
    }

    /// Whether the strategy would not have ended before this step.
    fn reaches(&mut self, step: usize, table: &[u32], budget: &mut Budget<'_>) -> Found<bool> {
        for earlier in 0..step {
            if self.ends(earlier, table, budget)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether the strategy ends at a step that it has come to.
    fn ends(&mut self, step: usize, table: &[u32], budget: &mut Budget<'_>) -> Found<bool> {
        let partition = self.scene.steps[step];
        let classes = classes_of(partition, table);
        let key = (
            step,
            classes.iter().map(|class| class.counts.clone()).collect(),
        );
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let ends = if self.strategy == Strategy::Inclusive {
            let set = self.set(step, partition, table, budget)?;
            set.is_some_and(|(_, beliefs)| self.holds(&beliefs))
        } else {
            classes.iter().all(|class| self.passes(class))
        };
        self.known.insert(key, ends);
        Ok(ends)
    }

    fn holds(&self, beliefs: &[Believed]) -> bool {
        beliefs.iter().all(|belief| {
            let mut dense =
                vec![(BigRational::zero(), BigRational::zero()); self.scene.chain.values()];
            for (value, low, high) in &belief.bounds {
                dense[*value as usize] = (low.clone(), high.clone());
            }
            self.scene.property.believed(belief.rows, &dense)
        })
    }

    fn passes(&self, class: &Class) -> bool {
        let mut counts = vec![0; self.scene.chain.values()];
        for (value, count) in &class.counts {
            counts[*value as usize] = *count;
        }
        self.scene.property.passes(&counts)
    }
}

/// The first of all tables with these classes: ascending values in each.
fn first_table(classes: &[Class], rows: usize) -> Vec<u32> {
    let mut table = vec![0; rows];
    classes.iter().for_each(|class| lay_out(class, &mut table));
    table
}

fn lay_out(class: &Class, table: &mut [u32]) {
    let values = class.counts.iter();
    let values = values.flat_map(|(value, count)| std::iter::repeat_n(*value, *count as usize));
    class
        .rows
        .iter()
        .zip(values)
        .for_each(|(row, value)| table[*row as usize] = value);
}

/// The next table, the last class turning fastest; false after the last one.
fn next_table(classes: &[Class], table: &mut [u32]) -> bool {
    for class in classes.iter().rev() {
        if next_order(&class.rows, table) {
            return true;
        }
        lay_out(class, table);
    }
    false
}

/// The next order of the values of these rows; false where they are in the last one.
fn next_order(rows: &[u32], table: &mut [u32]) -> bool {
    let value = |table: &[u32], at: usize| table[rows[at] as usize];
    let Some(fall) = (1..rows.len())
        .rev()
        .find(|at| value(table, at - 1) < value(table, *at))
    else {
        return false;
    };
    let pivot = value(table, fall - 1);
    if let Some(larger) = (fall..rows.len())
        .rev()
        .find(|at| value(table, *at) > pivot)
    {
        table.swap(rows[fall - 1] as usize, rows[larger] as usize);
    }
    let (mut low, mut high) = (fall, rows.len() - 1);
    while low < high {
        table.swap(rows[low] as usize, rows[high] as usize);
        (low, high) = (low + 1, high - 1);
    }
    true
}
