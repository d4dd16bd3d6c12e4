//! The people of the sample.

use super::calendar::Day;
use super::jobs::Jobs;
use super::names;
use super::places::Places;
use super::random::{Random, Weighted};

/// The sex of a person, as the register has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sex {
    /// A woman or girl.
    Female,
    /// A man or boy.
    Male,
    /// Registered as neither.
    Diverse,
}

impl Sex {
    /// All of them, in the order of their numbers.
    pub(super) const ALL: [Self; 3] = [Self::Female, Self::Male, Self::Diverse];

    /// Of a thousand people, how many.
    const WEIGHTS: [u32; 3] = [512, 482, 6];

    /// The word in the table.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Female => "female",
            Self::Male => "male",
            Self::Diverse => "diverse",
        }
    }
}

/// Ages at the first admission: from, to, and how many of a thousand people. Nobody is above 97, so that two years
/// later nobody is above 99.
const AGES: [(u32, u32, u32); 14] = [
    (0, 2, 34),
    (3, 9, 44),
    (10, 17, 56),
    (18, 24, 72),
    (25, 34, 118),
    (35, 44, 116),
    (45, 54, 132),
    (55, 59, 76),
    (60, 66, 104),
    (67, 74, 112),
    (75, 79, 62),
    (80, 84, 46),
    (85, 89, 20),
    (90, 97, 8),
];

/// A person, as numbers into the tables: ten million of them fit in memory.
pub(super) struct Person {
    birth: Day,
    first: u8,
    last: u8,
    /// The sex.
    pub(super) sex: Sex,
    /// Number of the ZIP code.
    pub(super) zip: u8,
    /// Number of the job.
    pub(super) job: u8,
}

impl Person {
    /// How old the person is on this day.
    pub(super) fn age(&self, today: Day) -> u32 {
        today.age(self.birth)
    }

    /// First and last name.
    pub(super) fn name(&self) -> [&'static str; 2] {
        [names::first(self.sex, self.first), names::last(self.last)]
    }
}

/// Where new persons come from.
pub(super) struct Population {
    /// The ZIP codes.
    pub(super) places: Places,
    jobs: Jobs,
    ages: Weighted,
    sexes: Weighted,
}

impl Population {
    /// The population, made ready.
    pub(super) fn new() -> Self {
        Self {
            places: Places::new(),
            jobs: Jobs::new(),
            ages: Weighted::new(AGES.map(|(_, _, people)| people)),
            sexes: Weighted::new(Sex::WEIGHTS),
        }
    }

    /// A new person, as of today.
    pub(super) fn draw(&self, random: &mut Random, today: Day) -> Person {
        let (youngest, oldest, _) = AGES[self.ages.pick(random)];
        let age = youngest + random.below(oldest - youngest + 1);
        Person {
            birth: today.birth(age, random.below(365)),
            first: random.index(names::FIRST_COUNT) as u8,
            last: random.index(names::LAST_COUNT) as u8,
            sex: Sex::ALL[self.sexes.pick(random)],
            zip: self.places.choice().pick(random) as u8,
            job: self.jobs.at(age).pick(random) as u8,
        }
    }
}
