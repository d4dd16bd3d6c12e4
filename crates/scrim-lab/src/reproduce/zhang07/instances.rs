//! Possible instances one by one: PER of [Zhang07], and what is true of so many of them.

use std::collections::BTreeSet;

use scrim::Share;

/// All tables that are got by permuting values within groups, each once.
pub(super) fn per(groups: &[u32], table: &[u32]) -> Vec<Vec<u32>> {
    let count = groups.iter().max().map_or(0, |most| most + 1);
    let mut tables = vec![table.to_vec()];
    for group in 0..count {
        let ids: Vec<usize> = (0..groups.len())
            .filter(|id| groups[*id] == group)
            .collect();
        let mut held: Vec<u32> = ids.iter().map(|id| table[*id]).collect();
        held.sort_unstable();
        let orders = orders(&held);
        let dealt = tables.iter().flat_map(|table| {
            orders.iter().map(|order| {
                let mut dealt = table.clone();
                ids.iter()
                    .zip(order)
                    .for_each(|(id, value)| dealt[*id] = *value);
                dealt
            })
        });
        tables = dealt.collect();
    }
    tables
}

/// The distinct orders of sorted values.
pub(super) fn orders(sorted: &[u32]) -> Vec<Vec<u32>> {
    if sorted.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for at in 0..sorted.len() {
        if at > 0 && sorted[at] == sorted[at - 1] {
            continue;
        }
        let mut rest = sorted.to_vec();
        let first = rest.remove(at);
        for mut order in orders(&rest) {
            order.insert(0, first);
            all.push(order);
        }
    }
    all
}

/// What a partition makes of a table: the values of each group.
pub(super) fn generalized(groups: &[u32], table: &[u32]) -> BTreeSet<(u32, Vec<u32>)> {
    let count = groups.iter().max().map_or(0, |most| most + 1);
    let held = |group: u32| {
        let own = groups.iter().zip(table).filter(|(own, _)| **own == group);
        let mut held: Vec<u32> = own.map(|(_, value)| *value).collect();
        held.sort_unstable();
        (group, held)
    };
    (0..count).map(held).collect()
}

/// The share of tables in which an id has a value.
pub(super) fn ratio<'t>(
    tables: impl IntoIterator<Item = &'t Vec<u32>>,
    id: usize,
    value: u32,
) -> Option<Share> {
    let (mut all, mut with) = (0, 0);
    for table in tables {
        all += 1;
        with += i128::from(table[id] == value);
    }
    Share::new(with, all)
}

/// The highest such share of any id and value.
pub(super) fn highest(tables: &[Vec<u32>], values: usize) -> Option<Share> {
    let ids = tables.first().map_or(0, Vec::len);
    let pairs = (0..ids).flat_map(|id| (0..values as u32).map(move |value| (id, value)));
    pairs
        .filter_map(|(id, value)| ratio(tables, id, value))
        .max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_make_no_new_table() {
        let tables = per(&[0, 0, 0, 1, 1], &[2, 1, 1, 0, 3]);
        assert_eq!(tables.len(), 3 * 2);
        assert!(tables.contains(&vec![1, 1, 2, 3, 0]));
        assert_eq!(ratio(&tables, 0, 1), Share::new(2, 3));
        assert_eq!(highest(&tables, 4), Share::new(2, 3));
        assert_eq!(highest(&[], 4), None);
    }

    #[test]
    fn a_generalization_forgets_the_order_within_groups() {
        let of = |table: &[u32]| generalized(&[0, 1, 0, 1], table);
        assert_eq!(of(&[1, 2, 3, 4]), of(&[3, 4, 1, 2]));
        assert_ne!(of(&[1, 2, 3, 4]), of(&[2, 1, 3, 4]));
    }
}
