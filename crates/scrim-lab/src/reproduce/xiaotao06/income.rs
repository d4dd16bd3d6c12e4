//! The taxonomy of section 5 over the sensitive column: 50 leaves, five of them under a taxon, two of these under the
//! next, and five of those under the top.

/// How many leaves there are.
pub(super) const LEAVES: usize = 50;
/// How much a leaf of the paper spans.
pub(super) const WIDTH: u32 = 1_000;
/// The children of a taxon, from the lowest taxa up.
const FAN_OUTS: [usize; 2] = [5, 2];
/// The top.
pub(super) const TOP: &str = "any";

/// The leaves: whole amounts, each from its lower end up to the next one's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Incomes {
    /// The lower ends, and one past the greatest amount.
    ends: Vec<u32>,
}

impl Incomes {
    /// The paper's: a thousand each.
    pub(super) fn even() -> Self {
        Self {
            ends: (0..=LEAVES as u32).map(|leaf| leaf * WIDTH).collect(),
        }
    }

    /// Leaves that hold about as many of these amounts each; nothing where too few of them differ.
    pub(super) fn of_equal_depth(mut amounts: Vec<u32>) -> Option<Self> {
        amounts.sort_unstable();
        let runs: Vec<&[u32]> = amounts.chunk_by(|left, right| left == right).collect();
        let mut ends = vec![0];
        let (mut rows_left, mut inside) = (amounts.len(), 0);
        for (at, run) in runs.iter().enumerate() {
            let leaves_left = LEAVES + 1 - ends.len();
            // The leaf ends where it comes nearest to its share, or where the amounts to come are needed for the others.
            let full = (2 * inside + run.len()) * leaves_left > 2 * rows_left;
            let needed = runs.len() - at < leaves_left;
            if inside > 0 && leaves_left > 1 && (full || needed) {
                ends.push(run[0]);
                rows_left -= inside;
                inside = 0;
            }
            inside += run.len();
        }
        ends.push(amounts.last()?.checked_add(1)?);
        (ends.len() == LEAVES + 1).then_some(Self { ends })
    }

    /// The leaf of an amount.
    pub(super) fn leaf_of(&self, amount: u32) -> usize {
        let above = self.ends.partition_point(|end| *end <= amount);
        above.saturating_sub(1).min(LEAVES - 1)
    }

    /// The name of a leaf.
    pub(super) fn leaf(&self, number: usize) -> String {
        self.span(number, 1)
    }

    /// The taxon right above a leaf.
    pub(super) fn parent(&self, number: usize) -> String {
        self.span(number - number % FAN_OUTS[0], FAN_OUTS[0])
    }

    fn span(&self, first: usize, leaves: usize) -> String {
        let (from, to) = (self.ends[first], self.ends[first + leaves] - 1);
        if from == to {
            from.to_string()
        } else {
            format!("{from}-{to}")
        }
    }

    /// The tree as an outline.
    pub(super) fn outline(&self) -> String {
        let [low, high] = FAN_OUTS;
        let mut text = format!("{TOP}\n");
        for number in 0..LEAVES {
            if number % (low * high) == 0 {
                text.push_str(&format!("  {}\n", self.span(number, low * high)));
            }
            if number % low == 0 {
                text.push_str(&format!("    {}\n", self.span(number, low)));
            }
            text.push_str(&format!("      {}\n", self.leaf(number)));
        }
        text
    }
}

/// The greatest share of rows that a taxon right above the leaves has, in percent.
pub(super) fn largest_parent(leaves: impl Iterator<Item = u8>) -> f64 {
    let mut counts = [0usize; LEAVES];
    leaves.for_each(|leaf| counts[usize::from(leaf).min(LEAVES - 1)] += 1);
    let most = counts.chunks(FAN_OUTS[0]).map(|five| five.iter().sum());
    let most: usize = most.max().unwrap_or(0);
    100.0 * most as f64 / counts.iter().sum::<usize>().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use scrim::hierarchy::from_outline;

    #[test]
    fn the_fan_outs_are_five_two_and_five() {
        let incomes = Incomes::even();
        let tree = from_outline("income", "income.txt", &incomes.outline(), false).unwrap();
        assert_eq!(tree.domain_size(), 50);
        assert_eq!((tree.height(), tree.is_even()), (3, true));
        let sizes: Vec<usize> = tree.child_lists().iter().map(Vec::len).collect();
        let count = |size| sizes.iter().filter(|found| **found == size).count();
        // The top and ten lower taxa have five children, the five between have two.
        assert_eq!((count(5), count(2), count(0)), (11, 5, 50));
        let leaf_13 = tree.leaf(&incomes.leaf(13)).unwrap();
        let above = tree.parent(leaf_13).unwrap();
        assert_eq!(tree.label(above), incomes.parent(13));
        assert_eq!(incomes.parent(13), "10000-14999");
    }

    #[test]
    fn leaves_of_equal_depth_hold_about_as_many_amounts_each() {
        // A heap at 500 fills a leaf of its own.
        let amounts: Vec<u32> = (0..1_000).chain([500; 60]).collect();
        let incomes = Incomes::of_equal_depth(amounts.clone()).unwrap();
        let mut counts = [0; LEAVES];
        for amount in amounts {
            let leaf = incomes.leaf_of(amount);
            assert!(incomes.ends[leaf] <= amount && amount < incomes.ends[leaf + 1]);
            counts[leaf] += 1;
        }
        let heap = incomes.leaf_of(500);
        for (leaf, count) in counts.into_iter().enumerate() {
            assert!(
                leaf == heap || (10..=31).contains(&count),
                "{leaf}: {count}"
            );
        }
        assert!(counts[heap] >= 61);
    }

    #[test]
    fn fifty_different_amounts_are_needed_and_enough() {
        assert_eq!(Incomes::of_equal_depth((0..49).collect()), None);
        assert_eq!(Incomes::of_equal_depth(Vec::new()), None);
        let skewed: Vec<u32> = (0..50).chain([0; 900]).collect();
        let incomes = Incomes::of_equal_depth(skewed).unwrap();
        assert_eq!(incomes.leaf(7), "7");
        assert_eq!(incomes.parent(7), "5-9");
        assert_eq!(Incomes::of_equal_depth(vec![u32::MAX; 60]), None);
    }
}
