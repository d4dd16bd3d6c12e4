//! Disclosure sets, the algorithms of [Zhang07] word by word.
//!
//! **Definition.** Tables 3 and 5. `PER(G_i)`: all tables that one gets by permuting values within the groups of `g_i`. CHK is asked of a
//! set of tables: of the ratio of each value among them, id by id.
//! **Reading.** Distinct tables are counted. CHK sees the number of rows in the id's group of the generalization and the ratios of
//! all values, by their numbers. An empty set satisfies nothing. No function looks at histograms: `PER` is always listed.

use std::collections::BTreeSet;

use crate::Fraction;

/// A generalization function: the groups of ids.
pub type Generalization = Vec<Vec<usize>>;

/// CHK for one id: the rows of its group, and the ratios by value number.
pub type Check<'c> = dyn Fn(usize, &[Fraction]) -> bool + 'c;

/// An algorithm that is public.
pub struct Algorithm<'c> {
    /// `g_1`, `g_2`, ...
    pub functions: Vec<Generalization>,
    /// How many values there are.
    pub values: usize,
    /// The privacy property.
    pub check: &'c Check<'c>,
}

impl Algorithm<'_> {
    /// `PER(g_i(table))`.
    #[must_use]
    pub fn per(&self, i: usize, table: &[usize]) -> BTreeSet<Vec<usize>> {
        let mut tables = BTreeSet::from([table.to_vec()]);
        for group in &self.functions[i] {
            let mut next = BTreeSet::new();
            for table in &tables {
                let held: Vec<usize> = group.iter().map(|id| table[*id]).collect();
                for order in orders(&held) {
                    let mut permuted = table.clone();
                    for (id, value) in group.iter().zip(&order) {
                        permuted[*id] = *value;
                    }
                    next.insert(permuted);
                }
            }
            tables = next;
        }
        tables
    }

    /// The ratio of each value, id by id.
    #[must_use]
    pub fn ratios(&self, tables: &BTreeSet<Vec<usize>>) -> Vec<Vec<Fraction>> {
        let ids = tables.first().map_or(0, Vec::len);
        let ratio = |id: usize, value: usize| {
            let held = tables.iter().filter(|table| table[id] == value).count();
            Fraction::new(held as i128, tables.len() as i128)
        };
        (0..ids)
            .map(|id| (0..self.values).map(|value| ratio(id, value)).collect())
            .collect()
    }

    /// Whether a set of tables satisfies CHK, released as `g_i`.
    #[must_use]
    pub fn satisfies(&self, i: usize, tables: &BTreeSet<Vec<usize>>) -> bool {
        let ratios = self.ratios(tables);
        !tables.is_empty()
            && self.functions[i].iter().all(|group| {
                group
                    .iter()
                    .all(|id| (self.check)(group.len(), &ratios[*id]))
            })
    }

    /// Table 3, the algorithm G with the first `n` functions only: which function's result is returned, or nothing.
    #[must_use]
    pub fn inclusive(&self, n: usize, table: &[usize]) -> Option<usize> {
        (0..n).find(|i| self.satisfies(*i, &self.inclusive_set(*i, table)))
    }

    /// Table 3, the algorithm DS for `g_i` of a table.
    #[must_use]
    pub fn inclusive_set(&self, i: usize, table: &[usize]) -> BTreeSet<Vec<usize>> {
        let per = self.per(i, table).into_iter();
        per.filter(|x| self.inclusive(i, x).is_none()).collect()
    }

    /// Table 5, the algorithm `G_e`: which function's result is returned, or nothing.
    #[must_use]
    pub fn exclusive(&self, table: &[usize]) -> Option<usize> {
        for i in 0..self.functions.len() {
            if self.satisfies(i, &self.per(i, table)) {
                return self
                    .satisfies(i, &self.exclusive_set(i, table))
                    .then_some(i);
            }
        }
        None
    }

    /// Table 5, the algorithm `DS_e` for `g_i` of a table.
    #[must_use]
    pub fn exclusive_set(&self, i: usize, table: &[usize]) -> BTreeSet<Vec<usize>> {
        let mut set = self.per(i, table);
        for x in set.clone() {
            for j in 0..i {
                if self.satisfies(j, &self.per(j, &x)) {
                    set.remove(&x);
                }
            }
        }
        set
    }
}

/// All distinct orders of some values.
fn orders(values: &[usize]) -> BTreeSet<Vec<usize>> {
    if values.is_empty() {
        return BTreeSet::from([Vec::new()]);
    }
    let mut all = BTreeSet::new();
    for first in 0..values.len() {
        let mut rest = values.to_vec();
        let value = rest.remove(first);
        for mut order in orders(&rest) {
            order.push(value);
            all.insert(order);
        }
    }
    all
}
