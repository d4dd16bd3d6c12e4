//! Choices of the sample, decided by its seed.

/// A stream of random numbers that its seed decides.
pub(super) struct Random(scrim::Random);

impl Random {
    /// The stream of this seed.
    pub(super) fn new(seed: u64) -> Self {
        Self(scrim::Random::new(seed))
    }

    /// A number from 0 up to, but not with, `limit`; 0 where the limit is 0.
    pub(super) fn below(&mut self, limit: u32) -> u32 {
        self.0.below(u64::from(limit)) as u32
    }

    /// True in so many of a thousand cases.
    pub(super) fn chance(&mut self, per_mille: u32) -> bool {
        self.below(1000) < per_mille
    }

    /// An index into a list of this length.
    pub(super) fn index(&mut self, length: usize) -> usize {
        self.0.index(length)
    }
}

/// A choice among numbered things, each with a weight.
pub(super) struct Weighted {
    /// The sum of the weights up to and with each thing.
    sums: Vec<u32>,
    total: u32,
}

impl Weighted {
    /// The choice with these weights, of which one at least is not 0.
    pub(super) fn new(weights: impl IntoIterator<Item = u32>) -> Self {
        let mut total = 0;
        let sums = weights
            .into_iter()
            .map(|weight| {
                total += weight;
                total
            })
            .collect();
        Self { sums, total }
    }

    /// The number of the thing chosen. What has weight 0 is never chosen.
    pub(super) fn pick(&self, random: &mut Random) -> usize {
        let point = random.below(self.total);
        self.sums.partition_point(|&sum| sum <= point)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_weight_of_zero_is_never_picked_and_the_others_by_their_share() {
        let choice = Weighted::new([0, 1, 0, 3, 0]);
        let mut random = Random::new(1);
        let mut counts = [0_u32; 5];
        for _ in 0..40_000 {
            counts[choice.pick(&mut random)] += 1;
        }
        assert_eq!((counts[0], counts[2], counts[4]), (0, 0, 0));
        assert!((9_500..10_500).contains(&counts[1]), "{counts:?}");
    }
}
