//! What a metric sees of a node: class sizes, and what the suppressed rows had.

use crate::frequency::{FrequencySet, Ground, SmallClasses};
use crate::hierarchy::Ladder;
use crate::recoding::Node;

/// The table's margins: how many rows have each code of each attribute at each level.
#[derive(Clone, Debug)]
pub struct Marginals<'a> {
    ladders: &'a [Ladder],
    rows: u64,
    /// By attribute, level and code.
    counts: Vec<Vec<Vec<u64>>>,
}

impl<'a> Marginals<'a> {
    /// Rolls the ground margins up every ladder.
    pub fn new(ladders: &'a [Ladder], ground: &Ground) -> Self {
        let roll = |(attribute, ladder): (usize, &Ladder)| {
            let mut levels = vec![ground.marginal(attribute).to_vec()];
            for level in 1..=ladder.height() {
                let mut counts = vec![0; ladder.width(level)];
                let climb = ladder.climb(level - 1, level);
                levels[usize::from(level) - 1]
                    .iter()
                    .zip(&climb)
                    .for_each(|(count, code)| counts[*code as usize] += count);
                levels.push(counts);
            }
            levels
        };
        Self {
            ladders,
            rows: ground.rows(),
            counts: ladders.iter().enumerate().map(roll).collect(),
        }
    }

    /// The quasi-identifiers.
    pub fn ladders(&self) -> &'a [Ladder] {
        self.ladders
    }

    /// The rows of the table.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// How many rows have each code of an attribute at a level.
    pub fn counts(&self, attribute: usize, level: u8) -> &[u64] {
        &self.counts[attribute][usize::from(level)]
    }
}

/// The classes of a node before suppression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// How many.
    pub classes: u64,
    /// Their squared sizes, added up.
    pub squares: u128,
}

impl Sizes {
    /// Of the numbers of rows of all classes.
    pub fn of(rows: &[u64]) -> Self {
        let square = |size: &u64| u128::from(*size) * u128::from(*size);
        Self {
            classes: rows.len() as u64,
            squares: rows.iter().map(square).sum(),
        }
    }

    /// Adds a class of so many rows.
    pub fn add(&mut self, rows: u64) {
        self.classes += 1;
        self.squares += u128::from(rows) * u128::from(rows);
    }
}

/// A node's classes, summed up for the metrics.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally {
    /// The node.
    pub node: Node,
    /// All rows of the table.
    pub rows: u64,
    /// Classes before suppression.
    pub classes: u64,
    /// Their squared sizes, added up.
    pub squares: u128,
    /// Classes that are published as they are.
    pub kept_classes: u64,
    /// Their squared sizes, added up.
    pub kept_squares: u128,
    /// Rows that are suppressed.
    pub suppressed: u64,
    /// Whether a kept class stands at the top of every attribute, where it looks like the suppressed rows.
    pub kept_at_top: bool,
    /// Suppressed rows by attribute and code at the node's level.
    pub suppressed_by: Vec<Vec<u64>>,
    /// The leaves that rows may have beside their own where sensitive values are generalized, by column.
    pub sensitive_lost: Vec<u128>,
}

impl Tally {
    /// Sums up a set of which the classes of these numbers are suppressed.
    pub fn new(ladders: &[Ladder], set: &FrequencySet, failing: &[u32], rows: u64) -> Self {
        let mut tally = Self::of_sizes(ladders, set, rows);
        for class in failing {
            let class = *class as usize;
            let size = set.rows()[class];
            tally.suppressed += size;
            tally.kept_classes -= 1;
            tally.kept_squares -= u128::from(size) * u128::from(size);
            tally.suppress(set, class, size);
        }
        tally.see_the_top(ladders);
        tally
    }

    /// The same of a node whose small classes are suppressed.
    pub(crate) fn suppressing(
        ladders: &[Ladder],
        node: &Node,
        found: SmallClasses,
        rows: u64,
    ) -> Self {
        let SmallClasses { all, small, .. } = found;
        let mut tally = Self {
            node: node.clone(),
            rows,
            classes: all.classes,
            squares: all.squares,
            kept_classes: all.classes - small.classes,
            kept_squares: all.squares - small.squares,
            suppressed: found.rows,
            kept_at_top: false,
            sensitive_lost: Vec::new(),
            suppressed_by: found.by,
        };
        tally.see_the_top(ladders);
        tally
    }

    fn see_the_top(&mut self, ladders: &[Ladder]) {
        let mut levels = ladders.iter().zip(self.node.levels());
        let at_top = levels.all(|(ladder, level)| *level == ladder.height());
        self.kept_at_top = at_top && self.kept_classes > 0;
    }

    /// The tally of a set of which nothing is suppressed.
    pub fn of_sizes(ladders: &[Ladder], set: &FrequencySet, rows: u64) -> Self {
        let Sizes { classes, squares } = Sizes::of(set.rows());
        Self {
            classes,
            squares,
            kept_classes: classes,
            kept_squares: squares,
            ..Self::none(ladders, set.node(), rows)
        }
    }

    /// The tally of no class of a node.
    pub fn none(ladders: &[Ladder], node: &Node, rows: u64) -> Self {
        let zeros = |(ladder, level): (&Ladder, &u8)| vec![0; ladder.width(*level)];
        Self {
            node: node.clone(),
            rows,
            classes: 0,
            squares: 0,
            kept_classes: 0,
            kept_squares: 0,
            suppressed: 0,
            kept_at_top: false,
            sensitive_lost: Vec::new(),
            suppressed_by: ladders.iter().zip(node.levels()).map(zeros).collect(),
        }
    }

    /// Adds other classes of the same node.
    pub fn join(&mut self, other: &Self) {
        self.classes += other.classes;
        self.squares += other.squares;
        self.kept_classes += other.kept_classes;
        self.kept_squares += other.kept_squares;
        self.suppressed += other.suppressed;
        self.kept_at_top |= other.kept_at_top;
        for (own, others) in self.suppressed_by.iter_mut().zip(&other.suppressed_by) {
            own.iter_mut()
                .zip(others)
                .for_each(|(own, other)| *own += other);
        }
        let lost = self.sensitive_lost.len().max(other.sensitive_lost.len());
        self.sensitive_lost.resize(lost, 0);
        let lost = self.sensitive_lost.iter_mut().zip(&other.sensitive_lost);
        lost.for_each(|(own, other)| *own += other);
    }

    /// Notes that so many rows of a class are suppressed.
    pub fn suppress(&mut self, set: &FrequencySet, class: usize, rows: u64) {
        for (attribute, counts) in self.suppressed_by.iter_mut().enumerate() {
            counts[set.code(class, attribute) as usize] += rows;
        }
    }

    /// The classes of the release when suppressed rows are kept with stars: those rows are one class more, unless a
    /// kept class looks like them.
    pub fn published_classes(&self, keeps_rows: bool) -> u64 {
        self.kept_classes + u64::from(keeps_rows && self.suppressed > 0 && !self.kept_at_top)
    }
}
