//! The release of a node, round by round.
//!
//! **Definition.** S, the suppressed classes, is empty at first. The star class is all rows that show only tops: those of S, and
//! those that the node generalizes so far. The visible rows are those outside S; where suppressed rows stay they are all rows
//! as long as the star class keeps every promise against all rows. In each round every class outside S that breaks a promise against
//! the visible rows joins S, until none does. There is no release where S has more rows than the limit.
//! **Reading.** Rows outside S that look suppressed are judged with the star class while that is visible, and by themselves
//! otherwise.
//! **Cost.** Every class in every round.

use crate::Problem;

/// What becomes of suppressed rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suppressed {
    /// They stay, at the tops.
    Star,
    /// They are left out.
    Drop,
}

/// The release of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeRelease {
    /// The suppressed rows, ascending.
    pub suppressed: Vec<usize>,
    /// Whether they stay and their sensitive values are starred.
    pub withheld: bool,
}

/// The release of a node within a limit, where it has one. `keeps` says whether a class keeps every promise against the visible rows.
pub fn node_release(
    problem: &Problem,
    node: &[usize],
    limit: usize,
    mode: Suppressed,
    keeps: impl Fn(&[usize], &[usize]) -> bool,
) -> Option<NodeRelease> {
    let classes = problem.classes(node);
    let all: Vec<usize> = (0..problem.rows.len()).collect();
    let mut suppressed: Vec<usize> = Vec::new();
    loop {
        let is_in = |row: &usize| suppressed.contains(row);
        let in_star = |row: &&usize| is_in(row) || shows_only_tops(problem, node, **row);
        let star: Vec<usize> = all.iter().filter(in_star).copied().collect();
        let outside: Vec<usize> = all.iter().filter(|row| !is_in(row)).copied().collect();
        let stays = mode == Suppressed::Star && (suppressed.is_empty() || keeps(&star, &all));
        let visible = if stays { &all } else { &outside };
        let judged_with_star = |class: &[usize]| {
            stays && !suppressed.is_empty() && shows_only_tops(problem, node, class[0])
        };
        let joined: Vec<usize> = classes
            .iter()
            .filter(|class| !is_in(&class[0]) && !judged_with_star(class))
            .filter(|class| !keeps(class, visible))
            .flatten()
            .copied()
            .collect();
        if joined.is_empty() {
            let withheld = mode == Suppressed::Star && !stays;
            return (suppressed.len() <= limit).then_some(NodeRelease {
                suppressed,
                withheld,
            });
        }
        suppressed.extend(joined);
        suppressed.sort_unstable();
    }
}

/// Whether a node generalizes a row to the top of every column, or to stars.
fn shows_only_tops(problem: &Problem, node: &[usize], row: usize) -> bool {
    (0..problem.columns.len()).all(|column| {
        let label = problem.cell(row, column, node[column]);
        label == problem.top(column) || label.bytes().all(|byte| byte == b'*')
    })
}

#[cfg(test)]
mod tests {
    use super::{Suppressed, node_release};
    use crate::oracle::t_close_equal;
    use crate::{Fraction, Problem};

    /// The table of which the search once suppressed nothing: q and r, each with stars above, and s.
    fn table() -> Problem {
        let rows = [
            ["b", "1"],
            ["a", "1"],
            ["b", "1"],
            ["c", "1"],
            ["c", "1"],
            ["b", "2"],
        ];
        let chains = |values: &[&str]| {
            let chain = |value: &&str| (value.to_string(), vec![value.to_string(), "*".to_owned()]);
            values.iter().map(chain).collect()
        };
        Problem {
            columns: vec!["q".to_owned(), "r".to_owned()],
            rows: rows
                .iter()
                .map(|row| row.map(str::to_owned).to_vec())
                .collect(),
            chains: vec![chains(&["a", "b", "c"]), chains(&["1", "2"])],
            weights: vec![(1, 1); 2],
            persons: None,
            sensitive: vec![["x", "z", "x", "z", "y", "y"].map(str::to_owned).to_vec()],
        }
    }

    #[test]
    fn withheld_rows_leave_the_reference() {
        let problem = table();
        let values = |rows: &[usize]| -> Vec<&str> {
            rows.iter()
                .map(|row| problem.sensitive[0][*row].as_str())
                .collect()
        };
        let keeps = |class: &[usize], visible: &[usize]| {
            t_close_equal(&values(class), &values(visible), Fraction::new(1, 3))
        };
        let release = |mode| node_release(&problem, &[1, 0], 3, mode, keeps).unwrap();
        let star = release(Suppressed::Star);
        assert_eq!((star.suppressed, star.withheld), (vec![5], true));
        let dropped = release(Suppressed::Drop);
        assert_eq!((dropped.suppressed, dropped.withheld), (vec![5], false));
        // b has x, x and y of x, x, y, y, z and z; a has z only; c has y and z.
        let raw = node_release(&problem, &[0, 1], 6, Suppressed::Drop, keeps).unwrap();
        assert_eq!(raw.suppressed, [1]);
        assert_eq!(
            node_release(&problem, &[0, 1], 0, Suppressed::Drop, keeps),
            None
        );
    }
}
