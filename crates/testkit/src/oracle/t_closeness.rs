//! t-closeness of one class.
//!
//! **Definition.** The earth mover's distance: the least work that turns the shares of the class into those of the table, where
//! moving a share s over a distance d is the work s d. Equal: any two values are 1 apart. Ordered: places i and j of m are
//! |i - j| / (m - 1) apart. Hierarchical: two values are height(lowest common ancestor) / height(root) apart.
//! **Reading.** The height of a vertex is the longest way down to a leaf. Where all values are alike the distance is nought.
//! **Cost.** A cheapest transport, found by cheapest ways from too much to too little, one at a time, all ways tried.

use std::collections::BTreeMap;

use super::l_diversity::counts;
use crate::Fraction;

/// Whether the class is at most t from the table, all values equally far apart.
#[must_use]
pub fn t_close_equal(class: &[&str], table: &[&str], t: Fraction) -> bool {
    let far = |left: &str, right: &str| {
        if left == right {
            Fraction::ZERO
        } else {
            Fraction::ONE
        }
    };
    transport(class, table, far) <= t
}

/// Whether the class is at most t from the table, values as far apart as their places in the order.
///
/// # Panics
/// When a value has no place.
#[must_use]
pub fn t_close_ordered(class: &[&str], table: &[&str], order: &[&str], t: Fraction) -> bool {
    let place = |value: &str| {
        let place = order.iter().position(|listed| *listed == value);
        place.expect("every value of a test has a place")
    };
    let far = |left: &str, right: &str| match order.len() {
        1 => Fraction::ZERO,
        places => Fraction::whole(place(left).abs_diff(place(right))) / Fraction::whole(places - 1),
    };
    transport(class, table, far) <= t
}

/// Whether the class is at most t from the table; `chains` has the way to the root of each value, the value itself first.
///
/// # Panics
/// When a value has no chain.
#[must_use]
pub fn t_close_hierarchical(
    class: &[&str],
    table: &[&str],
    chains: &BTreeMap<String, Vec<String>>,
    t: Fraction,
) -> bool {
    // A vertex with n steps of a chain below it is at least n high.
    let mut heights: BTreeMap<&String, usize> = BTreeMap::new();
    for chain in chains.values() {
        for (steps, vertex) in chain.iter().enumerate() {
            let height = heights.entry(vertex).or_default();
            *height = (*height).max(steps);
        }
    }
    let root = heights.values().copied().max().unwrap_or(0);
    let far = |left: &str, right: &str| {
        let common = chains[left]
            .iter()
            .find(|vertex| chains[right].contains(vertex))
            .expect("all chains end in one root");
        match root {
            0 => Fraction::ZERO,
            _ => Fraction::whole(heights[common]) / Fraction::whole(root),
        }
    };
    transport(class, table, far) <= t
}

/// The least work that turns the shares of one list into those of another.
#[must_use]
pub fn transport(
    class: &[&str],
    table: &[&str],
    distance: impl Fn(&str, &str) -> Fraction,
) -> Fraction {
    let (here, there) = (counts(class), counts(table));
    let (rows, all) = (class.len() as i128, table.len() as i128);
    let mut values: Vec<&str> = here.keys().chain(there.keys()).copied().collect();
    values.sort_unstable();
    values.dedup();
    let share =
        |counts: &BTreeMap<&str, i128>, value: &str| counts.get(value).copied().unwrap_or(0);
    let mut flow = Flow {
        supply: values
            .iter()
            .map(|value| share(&here, value) * all)
            .collect(),
        demand: values
            .iter()
            .map(|value| share(&there, value) * rows)
            .collect(),
        moved: vec![vec![0; values.len()]; values.len()],
        price: values
            .iter()
            .map(|from| values.iter().map(|to| distance(from, to)).collect())
            .collect(),
    };
    while flow.send() {}
    flow.work() / Fraction::whole(rows * all)
}

/// A transport from values (with a supply left) to values (with a demand left).
struct Flow {
    supply: Vec<i128>,
    demand: Vec<i128>,
    moved: Vec<Vec<i128>>,
    price: Vec<Vec<Fraction>>,
}

impl Flow {
    /// Sends as much as possible along the cheapest way from a supply to a demand; a way may undo what was moved before.
    fn send(&mut self) -> bool {
        let size = self.supply.len();
        // Senders are the vertices 0.., receivers the vertices size.. .
        let mut cost: Vec<Option<Fraction>> = vec![None; 2 * size];
        let mut before = vec![usize::MAX; 2 * size];
        for (from, left) in self.supply.iter().enumerate() {
            if *left > 0 {
                cost[from] = Some(Fraction::ZERO);
            }
        }
        for _ in 0..2 * size {
            for from in 0..size {
                for to in 0..size {
                    let price = self.price[from][to];
                    let there = cost[from].map(|cost| cost + price);
                    if there.is_some_and(|there| cost[size + to].is_none_or(|known| there < known))
                    {
                        cost[size + to] = there;
                        before[size + to] = from;
                    }
                    let back = cost[size + to].map(|cost| cost - price);
                    if self.moved[from][to] > 0
                        && back.is_some_and(|back| cost[from].is_none_or(|known| back < known))
                    {
                        cost[from] = back;
                        before[from] = size + to;
                    }
                }
            }
        }
        let end = (0..size)
            .filter(|to| self.demand[*to] > 0)
            .min_by_key(|to| cost[size + to]);
        let Some(end) = end else { return false };
        let mut way = vec![size + end];
        while before[way[way.len() - 1]] != usize::MAX {
            way.push(before[way[way.len() - 1]]);
        }
        way.reverse();
        let start = way[0];
        let amount = way
            .windows(2)
            .filter(|step| step[0] >= size)
            .map(|step| self.moved[step[1]][step[0] - size])
            .chain([self.supply[start], self.demand[end]])
            .min()
            .unwrap_or(0);
        for step in way.windows(2) {
            if step[0] < size {
                self.moved[step[0]][step[1] - size] += amount;
            } else {
                self.moved[step[1]][step[0] - size] -= amount;
            }
        }
        self.supply[start] -= amount;
        self.demand[end] -= amount;
        true
    }

    fn work(&self) -> Fraction {
        self.moved
            .iter()
            .zip(&self.price)
            .flat_map(|(moved, prices)| moved.iter().zip(prices))
            .map(|(moved, price)| Fraction::whole(*moved) * *price)
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::{t_close_ordered, transport};
    use crate::Fraction;

    const SALARIES: [&str; 9] = ["3", "4", "5", "6", "7", "8", "9", "10", "11"];

    #[test]
    fn a_transport_may_have_to_undo_a_greedy_choice() {
        // a -> x is cheapest, but then b must go far.
        let far = |from: &str, to: &str| match (from, to) {
            _ if from == to => Fraction::ZERO,
            ("a", "x") => Fraction::ONE,
            ("a", "y") | ("b", "x") => Fraction::whole(2),
            _ => Fraction::whole(9),
        };
        assert_eq!(transport(&["a", "b"], &["x", "y"], far), Fraction::whole(2));
    }

    #[test]
    fn the_lowest_three_of_nine_salaries_are_three_eighths_away() {
        let low = ["3", "4", "5"];
        assert!(t_close_ordered(
            &low,
            &SALARIES,
            &SALARIES,
            Fraction::new(3, 8)
        ));
        assert!(!t_close_ordered(
            &low,
            &SALARIES,
            &SALARIES,
            Fraction::new(374, 1000)
        ));
    }
}
