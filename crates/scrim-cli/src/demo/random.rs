//! Random numbers that are the same on every platform and in every release of every library: splitmix64, by hand.
//!
//! Good enough for a sample, not for secrets.

/// A stream of random numbers that its seed decides.
pub(super) struct Random {
    state: u64,
}

impl Random {
    /// The stream of this seed.
    pub(super) fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// The next 64 bits: a counter with an odd step, its bits mixed.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, but not with, `limit`; 0 where the limit is 0.
    ///
    /// The upper half of a product stands for the division. Its bias is below `limit` / 2^64.
    pub(super) fn below(&mut self, limit: u32) -> u32 {
        ((u128::from(self.next()) * u128::from(limit)) >> 64) as u32
    }

    /// True in so many of a thousand cases.
    pub(super) fn chance(&mut self, per_mille: u32) -> bool {
        self.below(1000) < per_mille
    }

    /// An index into a list of this length.
    pub(super) fn index(&mut self, length: usize) -> usize {
        ((u128::from(self.next()) * length as u128) >> 64) as usize
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
    fn the_stream_is_the_published_splitmix64() {
        let mut random = Random::new(1_234_567);
        let drawn: Vec<u64> = (0..3).map(|_| random.next()).collect();
        let published = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(drawn, published);
    }

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
