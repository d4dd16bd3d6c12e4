//! mu-Argus, step by step.
//!
//! **Definition.** \[Sweeney02\], Figures 11 and 12. Step 2: each attribute by itself is raised to the lowest level at which
//! every value that occurs has at least k tuples. Step 3: a tested pair or triple of attributes is an outlier of a tuple when
//! fewer than k tuples have its values. Steps 4 and 5: the data holder raises attributes by a level. Step 6: while an outlier
//! of a tuple has no suppressed cell, the attribute in most such outliers is suppressed.
//! **Reading.** Ties of step 6: most identifying, more, identifying, then the order of the columns. Outliers are those of the
//! table before any cell is suppressed. Where the problem has persons, they are counted in place of tuples.

use std::collections::BTreeSet;

use crate::Problem;

/// How identifying an attribute is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Identifies {
    /// Most.
    Most,
    /// More.
    More,
    /// Identifying, no more.
    Plainly,
}

/// The combinations that are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestedBy {
    /// All pairs and triples.
    All,
    /// The kinds that Figure 12 lists.
    Figure12,
}

/// What mu-Argus did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MuArgusOutcome {
    /// The levels after step 2.
    pub step_2: Vec<usize>,
    /// The levels after step 5.
    pub levels: Vec<usize>,
    /// The outliers of each row: sets of columns, in order.
    pub outliers: Vec<BTreeSet<Vec<usize>>>,
    /// The suppressed columns of each row.
    pub suppressed: Vec<BTreeSet<usize>>,
    /// The released cells; a suppressed one is its column's top.
    pub released: Vec<Vec<String>>,
}

/// All six steps; nothing where there are fewer than k tuples, or where a decision goes beyond a top.
#[must_use]
pub fn mu_argus(
    problem: &Problem,
    k: usize,
    identifies: &[Identifies],
    tested: TestedBy,
    decisions: &[usize],
) -> Option<MuArgusOutcome> {
    let everybody: Vec<usize> = (0..problem.rows.len()).collect();
    if problem.class_size(&everybody) < k {
        return None;
    }
    let columns = problem.columns.len();
    let step_2: Vec<usize> = (0..columns)
        .map(|column| lowest_level(problem, k, column))
        .collect();
    let mut levels = step_2.clone();
    for &column in decisions {
        levels[column] += 1;
        if levels[column] > problem.height(column) {
            return None;
        }
    }
    let combinations: Vec<Vec<usize>> = pairs_and_triples(columns)
        .into_iter()
        .filter(|combination| tested == TestedBy::All || figure_12(identifies, combination))
        .collect();
    let outliers: Vec<BTreeSet<Vec<usize>>> = everybody
        .iter()
        .map(|&row| {
            let rare = |combination: &&Vec<usize>| alike(problem, &levels, combination, row) < k;
            combinations.iter().filter(rare).cloned().collect()
        })
        .collect();
    let suppressed: Vec<BTreeSet<usize>> = outliers
        .iter()
        .map(|outliers| step_6(outliers, identifies))
        .collect();
    let cell = |row: usize, column: usize| {
        if suppressed[row].contains(&column) {
            problem.top(column)
        } else {
            problem.cell(row, column, levels[column])
        }
    };
    let released = everybody
        .iter()
        .map(|&row| {
            (0..columns)
                .map(|column| cell(row, column).to_owned())
                .collect()
        })
        .collect();
    Some(MuArgusOutcome {
        step_2,
        levels,
        outliers,
        suppressed,
        released,
    })
}

/// How many have the row's values in these columns.
fn alike(problem: &Problem, levels: &[usize], columns: &[usize], row: usize) -> usize {
    let same = |other: &usize| {
        columns.iter().all(|&column| {
            problem.cell(*other, column, levels[column])
                == problem.cell(row, column, levels[column])
        })
    };
    let rows: Vec<usize> = (0..problem.rows.len()).filter(same).collect();
    problem.class_size(&rows)
}

/// Step 2 for one column.
fn lowest_level(problem: &Problem, k: usize, column: usize) -> usize {
    let satisfies = |level: &usize| {
        let levels = vec![*level; problem.columns.len()];
        (0..problem.rows.len()).all(|row| alike(problem, &levels, &[column], row) >= k)
    };
    // At the top all rows are alike, and there are k.
    (0..=problem.height(column))
        .find(satisfies)
        .unwrap_or(problem.height(column))
}

fn pairs_and_triples(columns: usize) -> Vec<Vec<usize>> {
    (0..1u32 << columns)
        .map(|set| {
            (0..columns)
                .filter(|column| set >> column & 1 == 1)
                .collect()
        })
        .filter(|set: &Vec<usize>| set.len() == 2 || set.len() == 3)
        .collect()
}

/// Whether Figure 12 lists the kind of a combination: I identifying, M more, T most.
fn figure_12(identifies: &[Identifies], combination: &[usize]) -> bool {
    let letter = |identifies: &Identifies| match identifies {
        Identifies::Plainly => 'I',
        Identifies::More => 'M',
        Identifies::Most => 'T',
    };
    let mut letters: Vec<char> = combination
        .iter()
        .map(|&column| letter(&identifies[column]))
        .collect();
    letters.sort_unstable();
    let kind: String = letters.into_iter().collect();
    let always = ["IMT", "ITT", "TTT", "IM", "IT", "MT", "TT"];
    let if_several_are_identifying = ["MMT", "MTT", "MM"];
    let several = identifies
        .iter()
        .filter(|identifies| **identifies == Identifies::Plainly)
        .count()
        > 1;
    always.contains(&kind.as_str())
        || several && if_several_are_identifying.contains(&kind.as_str())
}

/// Step 6 for one tuple.
fn step_6(outliers: &BTreeSet<Vec<usize>>, identifies: &[Identifies]) -> BTreeSet<usize> {
    let mut suppressed: BTreeSet<usize> = BTreeSet::new();
    loop {
        let whole: Vec<&Vec<usize>> = outliers
            .iter()
            .filter(|outlier| !outlier.iter().any(|column| suppressed.contains(column)))
            .collect();
        if whole.is_empty() {
            return suppressed;
        }
        let occurs = |column: usize| {
            whole
                .iter()
                .filter(|outlier| outlier.contains(&column))
                .count()
        };
        let most = (0..identifies.len()).map(occurs).max().unwrap_or(0);
        let tied: Vec<usize> = (0..identifies.len())
            .filter(|&column| occurs(column) == most)
            .collect();
        let first = [Identifies::Most, Identifies::More, Identifies::Plainly]
            .into_iter()
            .find_map(|class| tied.iter().find(|column| identifies[**column] == class));
        suppressed.extend(first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::{max_k, prec_of_cells};
    use crate::sweeney::{
        FIGURE_7_IDENTIFIES, figure_7, figure_7_mu_argus, figure_15_mt, four_bits,
    };

    #[test]
    fn figure_15_is_its_release_whatever_is_tested() {
        for tested in [TestedBy::All, TestedBy::Figure12] {
            let problem = figure_7("Y-D-C/G2");
            let outcome = mu_argus(&problem, 2, &FIGURE_7_IDENTIFIES, tested, &[]).unwrap();
            assert_eq!(outcome.released, figure_15_mt());
        }
    }

    #[test]
    fn every_answer_of_the_fixture_is_found_again() {
        let answers = figure_7_mu_argus();
        assert_eq!(answers.len(), 30);
        for answer in answers {
            let problem = figure_7(&answer.variant);
            let outcome = mu_argus(&problem, answer.k, &FIGURE_7_IDENTIFIES, answer.tested, &[]);
            let outcome = outcome.unwrap();
            let told = (&answer.variant, answer.k, answer.tested);
            assert_eq!(outcome.step_2, answer.levels, "{told:?}");
            assert_eq!(outcome.outliers, answer.outliers, "{told:?}");
            assert_eq!(outcome.suppressed, answer.suppressed, "{told:?}");
            let level = |row: usize, column: usize| {
                if outcome.suppressed[row].contains(&column) {
                    problem.height(column)
                } else {
                    outcome.levels[column]
                }
            };
            let cells: Vec<Vec<usize>> = (0..problem.rows.len())
                .map(|row| (0..4).map(|column| level(row, column)).collect())
                .collect();
            assert_eq!(prec_of_cells(&problem, &cells), answer.prec, "{told:?}");
            let mut published = problem.clone();
            published.rows = outcome.released;
            for (column, chains) in published.chains.iter_mut().enumerate() {
                let shown = published.rows.iter().map(|row| row[column].clone());
                *chains = shown.map(|label| (label.clone(), vec![label])).collect();
            }
            assert_eq!(max_k(&published, &[0; 4]), answer.max_k, "{told:?}");
        }
    }

    #[test]
    fn a_rare_combination_of_four_is_not_seen() {
        let problem = four_bits();
        let plainly = [Identifies::Plainly; 4];
        let outcome = mu_argus(&problem, 2, &plainly, TestedBy::All, &[]).unwrap();
        assert!(outcome.outliers.iter().all(BTreeSet::is_empty));
        assert_eq!(outcome.levels, [0; 4]);
        assert_eq!(outcome.released, problem.rows);
    }

    #[test]
    fn a_decision_raises_a_level_and_none_goes_beyond_the_top() {
        let problem = figure_7("Y-D-C/G2");
        let decide = |decisions: &[usize]| {
            mu_argus(&problem, 2, &FIGURE_7_IDENTIFIES, TestedBy::All, decisions)
        };
        assert_eq!(decide(&[3, 2]).unwrap().levels, [0, 1, 1, 1]);
        assert_eq!(decide(&[0, 0]).unwrap().levels, [2, 1, 0, 0]);
        assert_eq!(decide(&[0, 0, 0]), None);
    }
}
