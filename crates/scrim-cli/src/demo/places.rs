//! Where the people of the sample live: an invented land of four regions and 60 ZIP codes.

use super::random::Weighted;

/// A region: ZIP codes that start alike.
struct Region {
    /// The first three digits. A leading zero is there to be lost by programs that take ZIP codes for numbers.
    prefix: u32,
    /// How many ZIP codes it has.
    codes: u32,
    /// How many people live there, to compare with the others.
    people: u32,
}

/// The city, its suburbs, the coast and the hills.
const REGIONS: [Region; 4] = [
    Region {
        prefix: 41,
        codes: 24,
        people: 48,
    },
    Region {
        prefix: 42,
        codes: 18,
        people: 30,
    },
    Region {
        prefix: 57,
        codes: 10,
        people: 14,
    },
    Region {
        prefix: 610,
        codes: 8,
        people: 8,
    },
];

/// The ZIP codes and the choice among them.
pub(super) struct Places {
    codes: Vec<String>,
    choice: Weighted,
}

impl Places {
    /// All ZIP codes. In each region the first has most people, as has the town it stands for.
    pub(super) fn new() -> Self {
        let mut codes = Vec::new();
        let mut weights = Vec::new();
        for region in REGIONS {
            let parts: u32 = (0..region.codes).map(part).sum();
            for rank in 0..region.codes {
                codes.push(format!("{:03}{:02}", region.prefix, 1 + 4 * rank));
                weights.push(region.people * 10_000 * part(rank) / parts);
            }
        }
        Self {
            codes,
            choice: Weighted::new(weights),
        }
    }

    /// The choice among the ZIP codes.
    pub(super) fn choice(&self) -> &Weighted {
        &self.choice
    }

    /// The ZIP code with this number.
    pub(super) fn code(&self, number: u8) -> &str {
        &self.codes[usize::from(number)]
    }
}

/// The part of a region's people who live in its code of this rank.
fn part(rank: u32) -> u32 {
    10_000 / (rank + 4)
}
