//! The most precise k-anonymous table when each cell is generalized on its own.
//!
//! **Definition.** Of all tables whose cells are each raised by a level of their own (Equation 2 counts them) and that are
//! k-anonymous, those of highest Prec (\[Sweeney02\], Figure 5 at the cell level).
//! **Reading.** The classes of such a table partition the rows into blocks of at least k, and each cell is a common ancestor of its
//! block, so the best table of a partition has the lowest common ancestors: all partitions are tried, whatever their block sizes.
//! With weights above nought the list of tables is complete; a column of weight 0 could be raised further for nothing.
//! **Cost.** The number of partitions of the rows: a dozen rows, not more.

use std::collections::BTreeSet;

use super::metrics::prec_of_cells;
use crate::{Fraction, Problem};

/// The best cell-level tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellOptimum {
    /// Their precision.
    pub prec: Fraction,
    /// The tables, each a list of released rows.
    pub tables: BTreeSet<Vec<Vec<String>>>,
}

/// The best k-anonymous tables with cells generalized one by one; `None` when there are fewer than k rows, or none.
///
/// # Panics
/// When the table has more than 20 rows.
#[must_use]
pub fn cell_optimum(problem: &Problem, k: usize) -> Option<CellOptimum> {
    let rows = problem.rows.len();
    assert!(rows <= 20, "too many rows to try all partitions");
    if rows == 0 || rows < k {
        return None;
    }
    let mut search = Search {
        problem,
        k,
        losses: vec![None; 1 << rows],
        blocks: Vec::new(),
        best: None,
    };
    search.partition((1 << rows) - 1, Fraction::ZERO);
    search.best.map(|(lost, tables)| CellOptimum {
        prec: Fraction::ONE - lost,
        tables,
    })
}

struct Search<'a> {
    problem: &'a Problem,
    k: usize,
    /// By set of rows (a bit a row): what the table loses when that block shows its lowest common ancestors.
    losses: Vec<Option<Fraction>>,
    blocks: Vec<usize>,
    best: Option<(Fraction, BTreeSet<Vec<Vec<String>>>)>,
}

impl Search<'_> {
    /// Cuts the block of the first remaining row in every way, then the rest.
    fn partition(&mut self, rest: usize, lost: Fraction) {
        if rest == 0 {
            self.compare(lost);
            return;
        }
        let first = rest & rest.wrapping_neg();
        let others = rest ^ first;
        let mut chosen = others;
        loop {
            let block = first | chosen;
            if block.count_ones() as usize >= self.k {
                let more = self.block_loss(block);
                self.blocks.push(block);
                self.partition(rest ^ block, lost + more);
                self.blocks.pop();
            }
            if chosen == 0 {
                break;
            }
            chosen = (chosen - 1) & others;
        }
    }

    fn compare(&mut self, lost: Fraction) {
        if self.best.as_ref().is_none_or(|(least, _)| lost < *least) {
            self.best = Some((lost, BTreeSet::new()));
        }
        let table = self
            .best
            .as_ref()
            .filter(|(least, _)| lost == *least)
            .map(|_| self.table());
        if let (Some((_, tables)), Some(table)) = (self.best.as_mut(), table) {
            tables.insert(table);
        }
    }

    fn block_loss(&mut self, block: usize) -> Fraction {
        if let Some(known) = self.losses[block] {
            return known;
        }
        let levels = common_levels(self.problem, &members(block));
        let raw = vec![0; self.problem.columns.len()];
        let cells: Vec<Vec<usize>> = (0..self.problem.rows.len())
            .map(|row| {
                if block >> row & 1 == 1 {
                    levels.clone()
                } else {
                    raw.clone()
                }
            })
            .collect();
        let lost = Fraction::ONE - prec_of_cells(self.problem, &cells);
        self.losses[block] = Some(lost);
        lost
    }

    fn table(&self) -> Vec<Vec<String>> {
        let mut table = vec![Vec::new(); self.problem.rows.len()];
        for &block in &self.blocks {
            let rows = members(block);
            let levels = common_levels(self.problem, &rows);
            for row in rows {
                table[row] = (0..levels.len())
                    .map(|column| self.problem.cell(row, column, levels[column]).to_owned())
                    .collect();
            }
        }
        table
    }
}

fn members(block: usize) -> Vec<usize> {
    (0..usize::BITS as usize)
        .filter(|row| block >> row & 1 == 1)
        .collect()
}

/// Per column the lowest level at which all rows show the same value.
fn common_levels(problem: &Problem, rows: &[usize]) -> Vec<usize> {
    (0..problem.columns.len())
        .map(|column| {
            (0..=problem.height(column))
                .find(|&level| {
                    let label = problem.cell(rows[0], column, level);
                    rows.iter()
                        .all(|&row| problem.cell(row, column, level) == label)
                })
                .expect("a hierarchy ends in a single top")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::cell_optimum;
    use crate::Fraction;
    use crate::sweeney::{def6_tie, figure_4};

    #[test]
    fn at_the_cell_level_the_tie_has_the_same_two_tables() {
        let best = cell_optimum(&def6_tie(), 2).unwrap();
        assert_eq!(best.prec, Fraction::new(1, 2));
        assert_eq!(best.tables.len(), 2);
    }

    #[test]
    fn fewer_rows_than_k_have_no_table() {
        assert_eq!(cell_optimum(&figure_4(), 9), None);
    }
}
