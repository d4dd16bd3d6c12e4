//! How a search ends before it is done: its time is up, or the user has enough.
//!
//! **Reading.** A search whose intermediate state may be published (`optimal`, `mingen`, `mingen-cell`, `incognito` once it tests whole
//! nodes, `top-down`, `mondrian`, `local`, `personalized`) answers with the best it has, with a remark and without a proof. A search
//! without such a state (`datafly`, `rotating`, `mu-argus`, `chain`) answers [`Error::OutOfTime`]. `chain` must: where it stops is part
//! of what an adversary who knows the algorithm reckons with, so it must not depend on the machine.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::{DataHolder, Progress, Watch};
use crate::error::Error;

/// How what is said about a search that ran out of time begins.
const OUT_OF_TIME: &str = "the time limit of ";

/// Whether a remark or a reason says that the time was up.
#[must_use]
pub fn tells_of_time(words: &str) -> bool {
    words.starts_with(OUT_OF_TIME)
}

/// Whether a search must stop. It is cheap to ask, and any thread of the search may ask it.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    limit: Option<Arc<Limit>>,
    /// How often the user asked to stop, and how often that does not count.
    interrupts: Option<(Arc<AtomicUsize>, usize)>,
}

/// How long a search may take.
#[derive(Debug)]
enum Limit {
    Time {
        start: Instant,
        most: Duration,
    },
    /// For tests: a clock that moves on by one whenever it is asked.
    Questions {
        asked: AtomicU64,
        most: u64,
    },
}

impl Limit {
    /// The share of the limit that is used up.
    fn used(&self) -> f64 {
        match self {
            Self::Time { most, .. } if most.is_zero() => f64::INFINITY,
            Self::Time { start, most } => start.elapsed().as_secs_f64() / most.as_secs_f64(),
            Self::Questions { asked, most } => {
                let asked = asked.fetch_add(1, Ordering::SeqCst);
                if asked < *most {
                    asked as f64 / *most as f64
                } else {
                    f64::INFINITY
                }
            }
        }
    }
}

impl Stop {
    /// A stop when this time is up, from now on.
    #[must_use]
    pub fn after(most: Duration) -> Self {
        let start = Instant::now();
        Self {
            limit: Some(Arc::new(Limit::Time { start, most })),
            interrupts: None,
        }
    }

    /// A stop after it was asked so often: a clock for tests that does not depend on the machine.
    #[must_use]
    pub fn after_questions(most: u64) -> Self {
        let asked = AtomicU64::new(0);
        Self {
            limit: Some(Arc::new(Limit::Questions { asked, most })),
            interrupts: None,
        }
    }

    /// A stop when the user asked more often than `heard`.
    #[must_use]
    pub fn when_interrupted(count: &Arc<AtomicUsize>, heard: usize) -> Self {
        Self {
            limit: None,
            interrupts: Some((Arc::clone(count), heard)),
        }
    }

    /// The limit of one, with the interrupts of another.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Self {
            limit: self.limit.clone().or_else(|| other.limit.clone()),
            interrupts: self.interrupts.clone().or_else(|| other.interrupts.clone()),
        }
    }

    /// Whether the search must stop.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.is_out_of_time() || self.is_interrupted()
    }

    /// Whether the time is up.
    #[must_use]
    pub fn is_out_of_time(&self) -> bool {
        self.has_used(1.0)
    }

    /// Whether so much of the time is gone; never where there is no limit.
    #[must_use]
    pub fn has_used(&self, share: f64) -> bool {
        let limit = self.limit.as_ref();
        limit.is_some_and(|limit| limit.used() >= share)
    }

    fn is_interrupted(&self) -> bool {
        let interrupts = self.interrupts.as_ref();
        interrupts.is_some_and(|(count, heard)| count.load(Ordering::SeqCst) > *heard)
    }
}

/// A watch that stops a search when its time is up.
pub struct Timed<'w> {
    watch: &'w mut dyn Watch,
    /// Its own limit.
    limit: Stop,
    seconds: u64,
    /// The limit, and what the other watch stops for.
    stop: Stop,
}

impl<'w> Timed<'w> {
    /// Another watch, with a limit from now on, if there is one.
    pub fn new(watch: &'w mut dyn Watch, seconds: Option<u64>) -> Self {
        let stop = seconds.map(|seconds| Stop::after(Duration::from_secs(seconds)));
        Self::until(
            watch,
            &stop.unwrap_or_default(),
            seconds.unwrap_or_default(),
        )
    }

    /// Another watch, with this stop; messages speak of so many seconds.
    pub fn until(watch: &'w mut dyn Watch, stop: &Stop, seconds: u64) -> Self {
        Self {
            stop: stop.or(&watch.stop()),
            limit: stop.clone(),
            watch,
            seconds,
        }
    }
}

impl Watch for Timed<'_> {
    fn step(&mut self, progress: &Progress) -> Result<(), Error> {
        self.watch.step(progress)?;
        if self.limit.is_out_of_time() {
            return Err(Error::OutOfTime {
                seconds: self.seconds,
            });
        }
        Ok(())
    }

    fn keeps_best(&self) -> bool {
        self.watch.keeps_best()
    }

    fn data_holder(&mut self) -> Option<&mut dyn DataHolder> {
        self.watch.data_holder()
    }

    fn stop(&self) -> Stop {
        self.stop.clone()
    }
}

/// Why a search that has something to publish ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// So many seconds were up.
    OutOfTime(u64),
    /// The user has enough.
    Interrupted,
}

impl Cut {
    /// What an error of a watch means to a search that has something to publish. Any other error ends the work.
    pub(super) fn from(error: Error, watch: &dyn Watch) -> Result<Self, Error> {
        match error {
            Error::OutOfTime { seconds } => Ok(Self::OutOfTime(seconds)),
            Error::Interrupted if watch.keeps_best() => Ok(Self::Interrupted),
            other => Err(other),
        }
    }

    /// What it means to a search that has nothing to publish after all.
    pub(super) fn without_answer(self) -> Error {
        match self {
            Self::OutOfTime(seconds) => Error::OutOfTime { seconds },
            Self::Interrupted => Error::Interrupted,
        }
    }

    /// What the user should know about the release.
    pub(super) fn remark(self) -> String {
        match self {
            Self::OutOfTime(seconds) => format!(
                "{OUT_OF_TIME}{seconds} seconds was hit: the release is the best found until then, and a faster machine or a longer `time-limit` may find a better one"
            ),
            Self::Interrupted => {
                "the search was interrupted: the release is the best found until then".to_owned()
            }
        }
    }
}
