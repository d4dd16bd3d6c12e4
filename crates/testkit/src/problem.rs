//! A table with hierarchies, in plain words.
//!
//! **Definition.** A node of the lattice is a level for each quasi-identifier (\[Sweeney02\], Equation 1 counts them); the
//! generalization of a row by a node replaces each value by the one that stands so many levels above it; a class is the set of
//! rows with equal generalized values.
//! **Reading.** Levels go from 0 (as it is) to the height of the column (the top, which is the suppressed value).

use std::collections::{BTreeMap, BTreeSet};

use crate::Fraction;

/// A quasi-identifier problem in plain words.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The names of the quasi-identifiers.
    pub columns: Vec<String>,
    /// The raw quasi-identifier values, a row a person (or see `persons`).
    pub rows: Vec<Vec<String>>,
    /// Per column: each value of the domain with its chain `[value, level 1, ..., top]`, equally long in one column.
    pub chains: Vec<BTreeMap<String, Vec<String>>>,
    /// Per column: its weight, an exact fraction (numerator, denominator).
    pub weights: Vec<(u64, u64)>,
    /// Whose row it is, where a person may have several.
    pub persons: Option<Vec<u32>>,
    /// Per sensitive column: the values by row. There may be none.
    pub sensitive: Vec<Vec<String>>,
}

impl Problem {
    /// The height of the column's hierarchy: the level of its top.
    ///
    /// # Panics
    /// When the column has an empty domain.
    #[must_use]
    pub fn height(&self, column: usize) -> usize {
        let chain = self.chains[column]
            .values()
            .next()
            .expect("a column has a value in its domain");
        chain.len() - 1
    }

    /// The heights of all columns: the top node.
    #[must_use]
    pub fn heights(&self) -> Vec<usize> {
        (0..self.columns.len())
            .map(|column| self.height(column))
            .collect()
    }

    /// The column's weight.
    #[must_use]
    pub fn weight(&self, column: usize) -> Fraction {
        let (numerator, denominator) = self.weights[column];
        Fraction::new(i128::from(numerator), i128::from(denominator))
    }

    /// The number of values in the column's domain, in the data or not.
    #[must_use]
    pub fn domain_size(&self, column: usize) -> usize {
        self.chains[column].len()
    }

    /// The label of the column's top.
    ///
    /// # Panics
    /// When the column has an empty domain.
    #[must_use]
    pub fn top(&self, column: usize) -> &str {
        let chain = self.chains[column]
            .values()
            .next()
            .expect("a column has a value in its domain");
        &chain[chain.len() - 1]
    }

    /// The value of one cell, raised by so many levels.
    #[must_use]
    pub fn cell(&self, row: usize, column: usize, level: usize) -> &str {
        &self.chains[column][&self.rows[row][column]][level]
    }

    /// Every node of the lattice, in lexicographic order.
    #[must_use]
    pub fn all_nodes(&self) -> Vec<Vec<usize>> {
        let mut nodes = vec![Vec::new()];
        for height in self.heights() {
            nodes = nodes
                .into_iter()
                .flat_map(|node: Vec<usize>| {
                    (0..=height).map(move |level| [node.as_slice(), &[level]].concat())
                })
                .collect();
        }
        nodes
    }

    /// The whole table, generalized by the node; no row is suppressed.
    #[must_use]
    pub fn generalize(&self, node: &[usize]) -> Vec<Vec<String>> {
        (0..self.rows.len())
            .map(|row| {
                (0..self.columns.len())
                    .map(|column| self.cell(row, column, node[column]).to_owned())
                    .collect()
            })
            .collect()
    }

    /// The rows grouped by equal generalized values; groups in the order of their first rows.
    #[must_use]
    pub fn classes(&self, node: &[usize]) -> Vec<Vec<usize>> {
        let mut classes: Vec<(Vec<String>, Vec<usize>)> = Vec::new();
        for (row, values) in self.generalize(node).into_iter().enumerate() {
            match classes.iter_mut().find(|(known, _)| *known == values) {
                Some((_, members)) => members.push(row),
                None => classes.push((values, vec![row])),
            }
        }
        classes.into_iter().map(|(_, members)| members).collect()
    }

    /// The size of a class: its distinct persons where persons are given, else its rows.
    #[must_use]
    pub fn class_size(&self, class: &[usize]) -> usize {
        match &self.persons {
            Some(persons) => class
                .iter()
                .map(|&row| persons[row])
                .collect::<BTreeSet<_>>()
                .len(),
            None => class.len(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::sweeney::{FIGURE_1_CLASSES, figure_1, figure_4};

    #[test]
    fn figure_4_has_the_twelve_nodes_of_equation_1_in_lexicographic_order() {
        let nodes = figure_4().all_nodes();
        assert_eq!(nodes.len(), 12);
        assert!(nodes.is_sorted());
        assert_eq!(
            (nodes[0].as_slice(), nodes[11].as_slice()),
            (&[0, 0][..], &[2, 3][..])
        );
    }

    #[test]
    fn the_classes_of_figure_1_are_those_of_example_1() {
        let classes = figure_1().classes(&[0, 0, 0, 0]);
        assert_eq!(classes, FIGURE_1_CLASSES);
    }

    #[test]
    fn a_node_raises_each_column_by_its_own_level() {
        let table = figure_4().generalize(&[1, 2]);
        assert!(table.iter().all(|row| row == &["Person", "021**"]));
    }

    #[test]
    fn two_rows_of_one_person_count_once() {
        let mut problem = figure_4();
        assert_eq!(problem.class_size(&[0, 1, 2]), 3);
        problem.persons = Some(vec![0, 0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(problem.class_size(&[0, 1, 2]), 2);
    }
}
