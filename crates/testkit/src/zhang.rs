//! The tables of [Zhang07], with the paper's answers and ours where the paper errs (E14, E15).

use crate::Fraction;
use crate::oracle::disclosure_set::Generalization;

/// The ids A to J of Table 2, in order.
pub const IDS: usize = 10;

/// g1, g2 and g3 of Table 2, by the printed ranges of ages.
#[must_use]
pub fn functions() -> Vec<Generalization> {
    vec![
        vec![vec![0, 1], vec![2, 3], vec![4, 5], vec![6, 7], vec![8, 9]],
        vec![vec![0, 1], vec![2, 3, 4], vec![5, 6, 7], vec![8, 9]],
        vec![vec![0, 1, 2], vec![3, 4, 5, 6], vec![7, 8, 9]],
    ]
}

/// How many value numbers there are: c1 is 0, c7 is 6.
pub const VALUES: usize = 7;
/// Table 2: the original table.
pub const G0: [usize; IDS] = [0, 1, 2, 1, 3, 3, 5, 4, 5, 6];
/// Table 4, left.
pub const GA: [usize; IDS] = [0, 1, 2, 3, 1, 5, 3, 4, 5, 6];
/// Table 4, right; Table 6.
pub const GB: [usize; IDS] = [0, 2, 1, 1, 3, 3, 5, 5, 4, 6];
/// The table of E14, for which the paper says that there is none: its g2 is returned under the inclusive strategy.
pub const WITNESS: [usize; IDS] = [0, 1, 2, 5, 3, 3, 1, 5, 4, 6];

/// Recursive (2,2)-diversity: the highest ratio is below 2/3.
#[must_use]
pub fn diverse(_: usize, ratios: &[Fraction]) -> bool {
    ratios.iter().all(|ratio| *ratio < Fraction::new(2, 3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::disclosure_set::Algorithm;

    fn algorithm() -> Algorithm<'static> {
        Algorithm {
            functions: functions(),
            values: VALUES,
            check: &diverse,
        }
    }

    #[test]
    fn the_examples_of_the_paper_come_out() {
        let zhang = algorithm();
        let sizes: Vec<usize> = (0..3).map(|i| zhang.per(i, &G0).len()).collect();
        assert_eq!(sizes, [16, 144, 432]);
        // Example 3: E and F both have c4.
        let second = zhang.inclusive_set(1, &G0);
        assert_eq!(
            (second.len(), zhang.ratios(&second)[4][3]),
            (16, Fraction::ONE)
        );
        assert_eq!(second, zhang.exclusive_set(1, &G0));
        // Example 8.
        let third = zhang.exclusive_set(2, &G0);
        assert_eq!(
            (third.len(), zhang.ratios(&third)[4][3]),
            (68, Fraction::new(11, 17))
        );
        assert_eq!(zhang.exclusive(&G0), None);
        assert_eq!(zhang.exclusive(&GA), Some(0));
        assert_eq!(zhang.exclusive(&GB), Some(2));
    }

    #[test]
    fn the_papers_example_5_overlooks_tables_whose_second_step_is_returned() {
        let zhang = algorithm();
        assert_eq!(zhang.inclusive(2, &WITNESS), Some(1));
        let second = zhang.inclusive_set(1, &WITNESS);
        assert_eq!(second.len(), 32);
        let highest = zhang.ratios(&second).concat().into_iter().max();
        assert_eq!(highest, Some(Fraction::new(1, 2)));
        let third = zhang.inclusive_set(2, &G0);
        assert_eq!(
            (third.len(), zhang.ratios(&third)[4][3]),
            (100, Fraction::new(19, 25))
        );
        let refused: Vec<usize> = [G0, GB]
            .iter()
            .filter_map(|table| zhang.inclusive(3, table))
            .collect();
        assert!(refused.is_empty());
    }
}
