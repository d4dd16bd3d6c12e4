//! What the cells of a column may be where the totals of its values are known.
//!
//! **Definition.** A world gives each cell one of the values that it may have, so that each value occurs as often as its total says
//! (\[Sweeney02\], section 4.2). A cell is certain where it has one value in all worlds; the probability of a value is the share of
//! the worlds in which the cell has it.
//! **Cost.** All ways to give values to cells: some ten cells.

use std::collections::BTreeMap;

/// How many worlds give each value to each cell, and how many worlds there are. `cells` lists the values that each cell may have.
#[must_use]
pub fn worlds_of_totals(
    cells: &[Vec<usize>],
    totals: &[usize],
) -> (Vec<BTreeMap<usize, u64>>, u64) {
    let mut counts = vec![BTreeMap::new(); cells.len()];
    let mut worlds = 0;
    visit(cells, &mut totals.to_vec(), &mut Vec::new(), &mut |world| {
        worlds += 1;
        for (count, value) in counts.iter_mut().zip(world) {
            *count.entry(*value).or_default() += 1;
        }
    });
    (counts, worlds)
}

fn visit(
    cells: &[Vec<usize>],
    left: &mut Vec<usize>,
    world: &mut Vec<usize>,
    found: &mut dyn FnMut(&[usize]),
) {
    let Some(values) = cells.get(world.len()) else {
        if left.iter().all(|left| *left == 0) {
            found(world);
        }
        return;
    };
    for value in values {
        if left[*value] > 0 {
            left[*value] -= 1;
            world.push(*value);
            visit(cells, left, world, found);
            world.pop();
            left[*value] += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::worlds_of_totals;

    #[test]
    fn the_suppressed_sex_of_the_last_row_follows_from_the_totals() {
        // A man, a woman, and one who is hidden; two women are known.
        let (counts, worlds) = worlds_of_totals(&[vec![0], vec![1], vec![0, 1]], &[1, 2]);
        assert_eq!(worlds, 1);
        assert_eq!(counts[2].get(&1), Some(&1));
    }

    #[test]
    fn totals_that_contradict_the_release_have_no_world() {
        assert_eq!(worlds_of_totals(&[vec![0], vec![0]], &[1, 1]).1, 0);
    }
}
