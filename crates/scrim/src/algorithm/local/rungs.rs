//! The rungs that a value can be raised to: what each covers, and what it costs at least.
//!
//! **Definition.** A rung puts leaves into groups. Every cell that a class can show lies within a group of some rung that costs no
//! more than the cell.
//! **Reading.** Of a tree: the taxa of each depth, the deepest first; each taxon is a group of one rung. Of numbers: the single
//! values; then, of few numbers, every interval; of many, for widths that double, two grids of twice that width, one shifted by half a mesh, so that every interval of at most
//! that width lies in a mesh of one of them; then the top. A mesh costs what the narrowest interval costs that needs it.
//! **Holds because** an interval of width w in (v, 2v] lies in a mesh of the rung of width 2v, and costs at least what v + 1 costs.

use super::axis::Cell;
use crate::algorithm::taxa::Taxa;

/// Of so many numbers every interval is a group of its own.
const FEW: usize = 20;

/// A leaf that stands in no group of a rung.
pub(super) const NONE: u32 = u32::MAX;

/// How leaves are put together.
#[derive(Clone, Debug)]
pub(super) struct Rung {
    /// The group of each leaf.
    pub(super) group: Vec<u32>,
    /// What each group costs at least.
    pub(super) floor: Vec<i64>,
    /// The least of these.
    pub(super) least: i64,
    /// Whether each group is a union of groups of the rung before.
    pub(super) nested: bool,
}

impl Rung {
    /// The rungs of a tree; `cells` are the taxa of its leaves.
    pub(super) fn of_tree(cells: &[Cell], taxa: &Taxa) -> Vec<Self> {
        // Where even the top costs nothing, it is all that is needed.
        let free = taxa.len() > 0 && taxa.cost(0) == 0;
        let deepest = if free { 0 } else { taxa.height() };
        let rung = |depth: u32| {
            let mut group_of_taxon = vec![NONE; taxa.len()];
            let mut floor = Vec::new();
            let ancestor = |leaf: &Cell| {
                let mut taxon = *leaf as u32;
                while taxa.depth(taxon) > depth {
                    taxon = taxa.parent(taxon);
                }
                (taxa.depth(taxon) == depth).then_some(taxon)
            };
            let mut number = |taxon: u32| {
                let group = &mut group_of_taxon[taxon as usize];
                if *group == NONE {
                    *group = floor.len() as u32;
                    floor.push(taxa.cost(taxon));
                }
                *group
            };
            let group = cells
                .iter()
                .map(|leaf| ancestor(leaf).map_or(NONE, &mut number))
                .collect();
            Self {
                group,
                least: floor.iter().copied().min().unwrap_or(0),
                floor,
                nested: depth < deepest,
            }
        };
        (0..=deepest).rev().map(rung).collect()
    }

    /// The rungs of numbers on a line, and the missing value after them. `floor` is the cost of an interval of a width: its
    /// values beside one.
    pub(super) fn of_numbers(
        values: &[i64],
        by_level: bool,
        top: i64,
        floor: impl Fn(u64) -> i64,
    ) -> Vec<Self> {
        let all = |floor: i64| Self {
            group: vec![0; values.len() + 1],
            floor: vec![floor],
            least: floor,
            nested: false,
        };
        if top == 0 {
            return vec![all(0)];
        }
        let single = Self {
            group: (0..=values.len() as u32).collect(),
            floor: vec![0; values.len() + 1],
            least: 0,
            nested: false,
        };
        let mut rungs = vec![single];
        let (Some(first), Some(last)) = (values.first(), values.last()) else {
            rungs.push(all(top));
            return rungs;
        };
        let whole = last.abs_diff(*first);
        let numbers = |floor: i64| {
            let mut group = vec![0; values.len()];
            group.push(NONE);
            Self {
                group,
                floor: vec![floor],
                least: floor,
                nested: false,
            }
        };
        let narrowest = values
            .windows(2)
            .map(|pair| pair[1].abs_diff(pair[0]))
            .min();
        if values.len() <= FEW && !by_level {
            rungs.extend(Self::intervals(values, floor));
        } else if let (Some(narrowest), false) = (narrowest, by_level) {
            // Intervals of width in (below, width]; none is narrower than the least step.
            let mut below = narrowest - 1;
            let mut width = narrowest;
            while width.saturating_mul(2) < whole {
                for shift in [0, width] {
                    let mesh = |value: &i64| (value.abs_diff(*first) + shift) / (2 * width);
                    rungs.push(Self::meshes(values, mesh, floor(below + 1)));
                }
                below = width;
                width *= 2;
            }
            rungs.push(numbers(floor(below + 1)));
        } else if whole > 0 {
            rungs.push(numbers(floor(1)));
        }
        rungs.push(all(top));
        rungs
    }

    /// Every interval, those of as many values that do not meet in one rung.
    fn intervals(values: &[i64], floor: impl Fn(u64) -> i64) -> Vec<Self> {
        let count = values.len();
        let mut rungs = Vec::new();
        for length in 2..=count {
            for shift in 0..length.min(count - length + 1) {
                let mut group = vec![NONE; count + 1];
                let mut floors = Vec::new();
                for start in (shift..=count - length).step_by(length) {
                    let last = start + length - 1;
                    group[start..=last].fill(floors.len() as u32);
                    floors.push(floor(values[last].abs_diff(values[start])));
                }
                rungs.push(Self {
                    group,
                    least: floors.iter().copied().min().unwrap_or(0),
                    floor: floors,
                    nested: false,
                });
            }
        }
        rungs
    }

    fn meshes(values: &[i64], mesh: impl Fn(&i64) -> u64, floor: i64) -> Self {
        let mut groups = 0;
        let mut before = None;
        let mut group: Vec<u32> = values
            .iter()
            .map(|value| {
                let mesh = mesh(value);
                if before.replace(mesh).is_some_and(|before| before != mesh) {
                    groups += 1;
                }
                groups
            })
            .collect();
        group.push(NONE);
        Self {
            group,
            floor: vec![floor; groups as usize + 1],
            least: floor,
            nested: false,
        }
    }
}
