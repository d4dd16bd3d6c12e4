//! How much of a class may have a protected value, for a person with a past.
//!
//! **Definition.** Q is the probability that a person was never linked to a value in earlier releases, the product of 1 - `n_s/n` over
//! the classes that the person was in. A class with the share r of that value leaves the probability 1 - Q (1 - r), which
//! is at most 1/l exactly when r is at most R = 1 - (1 - 1/l) / Q: the *room* ([Wong09], Lemma 2 solved for the last release).
//! A *schedule* caps the share by the person's own appearance k, so that room is left for later releases; the cap is the
//! smaller of the two.
//! **Reading.** *greedy*: R alone. *constant*: 1 - (1 - 1/l)^(1/K), decided without roots, since r is at most that exactly when
//! (1 - r)^K is at least 1 - 1/l. *linear*: 1 / (lK - k + 1), which makes the probability k / (lK). *geometric*: R / 2.
//! *inverse-square*: 1 / (k + l - 1)^2. After its horizon K a person has R alone.

use num_bigint::BigInt;
use num_rational::Ratio;
use num_traits::{One, Signed, pow};

use super::cap::{Cap, Root};
use crate::share::Share;

/// An exact number of any size.
pub type Exact = Ratio<BigInt>;

/// How the room of a person is spread over the releases to come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    /// What is left may be spent at once.
    #[default]
    Greedy,
    /// The same share in each of K appearances.
    Constant,
    /// The same increase of the probability in each of K appearances.
    Linear,
    /// Half of what is left.
    Geometric,
    /// A share that falls with the square of the appearance; never used up.
    InverseSquare,
}

impl Schedule {
    /// All of them, by the names that a policy uses.
    pub const NAMES: [(&'static str, Self); 5] = [
        ("greedy", Self::Greedy),
        ("constant", Self::Constant),
        ("linear", Self::Linear),
        ("geometric", Self::Geometric),
        ("inverse-square", Self::InverseSquare),
    ];

    /// The name in the policy.
    pub fn name(self) -> &'static str {
        let named = Self::NAMES.iter().find(|(_, schedule)| *schedule == self);
        named.map_or("", |(name, _)| name)
    }

    /// Whether it is made for a number of appearances.
    pub fn has_horizon(self) -> bool {
        matches!(self, Self::Constant | Self::Linear)
    }
}

/// The limit 1/l and the schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pace {
    l: Exact,
    schedule: Schedule,
    horizon: u64,
}

/// A share as an exact number of any size.
pub(super) fn exact(share: Share) -> Exact {
    Exact::new(share.numerator().into(), share.denominator().into())
}

fn whole(number: u64) -> Exact {
    Exact::from_integer(number.into())
}

impl Pace {
    /// A limit of 1/l with l above 1. The horizon is that of the schedules that have one.
    pub fn new(l: Share, schedule: Schedule, horizon: Option<u64>) -> Result<Self, String> {
        if l <= Share::ONE {
            return Err(format!("l must be above 1, but it is {l}"));
        }
        let horizon = match (schedule.has_horizon(), horizon) {
            (true, None | Some(0)) => {
                return Err(format!(
                    "the schedule `{}` needs a horizon",
                    schedule.name()
                ));
            }
            (true, Some(horizon)) => horizon,
            (false, _) => 0,
        };
        Ok(Self {
            l: exact(l),
            schedule,
            horizon,
        })
    }

    /// The largest probability, 1/l.
    pub fn limit(&self) -> Exact {
        self.l.recip()
    }

    /// l.
    pub(super) fn l(&self) -> &Exact {
        &self.l
    }

    /// The schedule.
    pub fn schedule(&self) -> Schedule {
        self.schedule
    }

    /// Whether caps depend on how often a person appeared.
    pub fn counts_appearances(&self) -> bool {
        !matches!(self.schedule, Schedule::Greedy | Schedule::Geometric)
    }

    /// R: the share that a class may have, for who was never linked with the probability Q. Below zero where the limit was
    /// passed before.
    pub fn room(&self, unlinked: &Exact) -> Exact {
        if !unlinked.is_positive() {
            return -Exact::one();
        }
        Exact::one() - (Exact::one() - self.limit()) / unlinked
    }

    /// The same limit under another schedule; nothing where that needs a horizon and there is none.
    pub(super) fn under(&self, schedule: Schedule) -> Option<Self> {
        let has_horizon = self.horizon > 0;
        (has_horizon || !schedule.has_horizon()).then(|| Self {
            schedule,
            ..self.clone()
        })
    }

    /// The largest l, rounded down to thousandths where it is no fraction, under which a class may have this share; nothing where
    /// none above 1 is.
    pub(super) fn largest_l(
        &self,
        unlinked: &Exact,
        appearance: u64,
        share: &Exact,
    ) -> Option<Exact> {
        // The probability that the limit must be at least, by the room alone.
        let by_room = |share: &Exact| {
            let needed = linked(&(unlinked * (Exact::one() - share)));
            (needed.is_positive() && needed < Exact::one()).then(|| needed.recip())
        };
        let room = by_room(share);
        if !share.is_positive() {
            return room;
        }
        let appearances = whole(appearance) - Exact::one();
        let planned = match self.schedule {
            Schedule::Greedy => return room,
            Schedule::Constant | Schedule::Linear if appearance > self.horizon => return room,
            Schedule::Constant => {
                let rest = Exact::one() - share;
                let kept = pow(rest, usize::try_from(self.horizon).unwrap_or(usize::MAX));
                (kept < Exact::one()).then(|| (Exact::one() - kept).recip())
            }
            Schedule::Linear => Some((share.recip() + appearances) / whole(self.horizon)),
            Schedule::Geometric => by_room(&(share * whole(2))),
            Schedule::InverseSquare => {
                // (k + l - 1)^2 is at most 1/share.
                let square = share.recip() * whole(1_000_000);
                let step = Exact::new(square.to_integer().sqrt(), 1000.into());
                Some(step - appearances)
            }
        };
        let most = planned?.min(room?);
        (most > Exact::one()).then_some(most)
    }

    /// What a class may have at the person's appearance of this number, from 1.
    pub fn cap(&self, unlinked: &Exact, appearance: u64) -> Cap {
        let room = self.room(unlinked);
        let planned = match self.schedule {
            Schedule::Greedy => None,
            Schedule::Constant | Schedule::Linear if appearance > self.horizon => None,
            Schedule::Constant => {
                let same = Root {
                    horizon: self.horizon,
                    kept: Exact::one() - self.limit(),
                };
                return if same.allows(&room) {
                    Cap::ratio(room)
                } else {
                    Cap::root(same)
                };
            }
            Schedule::Linear => {
                let steps = &self.l * whole(self.horizon) - whole(appearance) + Exact::one();
                Some(steps.recip())
            }
            Schedule::Geometric => Some(&room / whole(2)),
            Schedule::InverseSquare => {
                let step = whole(appearance) + &self.l - Exact::one();
                Some((&step * &step).recip())
            }
        };
        Cap::ratio(match planned {
            // Half of a debt is no room either.
            Some(planned) if room.is_positive() => room.min(planned),
            _ => room,
        })
    }
}

/// The probability of having been linked, for who was never linked with this one.
pub fn linked(unlinked: &Exact) -> Exact {
    Exact::one() - unlinked
}

/// Nobody was linked yet.
pub(super) fn never() -> Exact {
    Exact::one()
}

#[cfg(test)]
mod tests {
    use super::*;
    use num_traits::Zero;

    fn share(numerator: i128, denominator: i128) -> Share {
        Share::new(numerator, denominator).unwrap()
    }

    fn first_sizes(pace: &Pace, appearances: u64) -> Vec<u64> {
        let mut unlinked = Exact::one();
        let mut sizes = Vec::new();
        for appearance in 1..=appearances {
            let size = pace.cap(&unlinked, appearance).least_size(1).unwrap();
            unlinked *= Exact::one() - whole(size).recip();
            sizes.push(size);
        }
        sizes
    }

    #[test]
    fn the_constant_ratio_has_the_class_sizes_of_the_table() {
        let table = [
            (2, [2, 4, 5, 7, 8, 15, 30, 73]),
            (3, [3, 6, 8, 11, 13, 26, 50, 124]),
            (5, [5, 10, 14, 19, 23, 46, 91, 225]),
            (10, [10, 20, 29, 39, 48, 96, 191, 476]),
        ];
        for (l, sizes) in table {
            for (horizon, size) in [1, 2, 3, 4, 5, 10, 20, 50].into_iter().zip(sizes) {
                let pace = Pace::new(share(l, 1), Schedule::Constant, Some(horizon)).unwrap();
                let cap = pace.cap(&Exact::one(), 1);
                assert_eq!(cap.least_size(1), Some(size), "l = {l}, K = {horizon}");
                assert!(!cap.allows(1, size - 1) && cap.allows(1, size));
            }
        }
    }

    #[test]
    fn rational_schedules_have_the_class_sizes_of_their_formulas() {
        let pace = |schedule, horizon| Pace::new(share(2, 1), schedule, horizon).unwrap();
        let linear = pace(Schedule::Linear, Some(5));
        assert_eq!(first_sizes(&linear, 5), [10, 9, 8, 7, 6]);
        assert_eq!(
            first_sizes(&pace(Schedule::Geometric, None), 5),
            [4, 6, 10, 18, 34]
        );
        assert_eq!(
            first_sizes(&pace(Schedule::InverseSquare, None), 4),
            [4, 9, 16, 25]
        );
        // What is planned never goes beyond what is left.
        let mut unlinked = Exact::one();
        for appearance in 1..=5 {
            let size = linear.cap(&unlinked, appearance).least_size(1).unwrap();
            unlinked *= Exact::one() - whole(size).recip();
        }
        assert_eq!(linked(&unlinked), exact(share(1, 2)));
    }

    #[test]
    fn room_is_what_the_golden_cases_say() {
        let pace = Pace::new(share(2, 1), Schedule::Greedy, None).unwrap();
        let room = |numerator, denominator| pace.room(&exact(share(numerator, denominator)));
        assert_eq!(room(1, 1), exact(share(1, 2))); // a newcomer
        assert_eq!(room(3, 4), exact(share(1, 3))); // once in a class of four
        assert_eq!(room(2, 3), exact(share(1, 4))); // once in a class of three
        assert_eq!(room(1, 2), exact(share(0, 1))); // once in a class of two
        assert!(room(1, 3) < Exact::zero());
        assert!(room(0, 1) < Exact::zero());
        let cap = pace.cap(&exact(share(2, 3)), 2);
        assert_eq!(cap.counterfeits(1, 3), Some(1));
        assert!(
            pace.cap(&exact(share(1, 2)), 2)
                .counterfeits(1, 3)
                .is_none()
        );
    }

    #[test]
    fn the_largest_l_just_allows_a_share() {
        let more = exact(share(1, 500));
        let mut tried = 0;
        for (_, schedule) in Schedule::NAMES {
            for (past, appearance, rows) in [(1, 1, 7), (1, 2, 5), (4, 2, 9), (12, 3, 40)] {
                let unlinked = Exact::one() - whole(past + 1).recip();
                let unlinked = if past == 1 { Exact::one() } else { unlinked };
                let pace = |l: Exact| Pace {
                    l,
                    schedule,
                    horizon: 3,
                };
                let part = whole(rows).recip();
                let most = pace(whole(2)).largest_l(&unlinked, appearance, &part);
                let most = most.unwrap();
                let allows = |l: Exact| pace(l).cap(&unlinked, appearance).allows(1, rows);
                assert!(allows(most.clone()), "{schedule:?} {most}");
                assert!(!allows(&most + &more), "{schedule:?} {most}");
                tried += 1;
            }
        }
        assert_eq!(tried, 20);
        let pace = Pace::new(share(2, 1), Schedule::Greedy, None).unwrap();
        assert_eq!(pace.largest_l(&Exact::zero(), 1, &more), None);
        assert_eq!(pace.largest_l(&Exact::one(), 1, &Exact::one()), None);
    }

    #[test]
    fn the_constant_schedule_ends_in_what_is_left() {
        let pace = Pace::new(share(2, 1), Schedule::Constant, Some(2)).unwrap();
        // After a class of four the room is 1/3, more than the constant share: the share counts.
        assert_eq!(pace.cap(&exact(share(3, 4)), 2).least_size(1), Some(4));
        // After a class of three it is 1/4, less than the share 0.29.
        assert_eq!(
            pace.cap(&exact(share(2, 3)), 2),
            Cap::ratio(exact(share(1, 4)))
        );
        assert_eq!(
            pace.cap(&exact(share(3, 4)), 3),
            Cap::ratio(exact(share(1, 3)))
        );
    }
}
