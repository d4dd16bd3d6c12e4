//! How hard to try, by which way, and why an answer may be missing.

use crate::error::Error;
use crate::share::Share;

/// How the algorithm walks along its chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// The first step whose groups all pass is released, whatever an onlooker then knows. The set is that of `Exclusive`.
    Naive,
    /// The first step whose groups all pass is released if its disclosure set is safe, else nothing ([Zhang07], Table 5).
    Exclusive,
    /// The first step whose disclosure set is safe is released ([Zhang07], Table 3).
    Inclusive,
}

/// What may decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decide {
    /// Only exact counts.
    Exact,
    /// Only bounds without counting.
    Certificate,
    /// Only bounds from random tables.
    Sampling,
}

/// How hard to try.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// What may decide; nothing: the first that does.
    pub decide: Option<Decide>,
    /// The states that exact counting may keep.
    pub states: usize,
    /// How sure the bounds from random tables must be, above 0 and below 1.
    pub confidence: Share,
    /// Decides the random tables.
    pub seed: u64,
    /// How many random tables may be drawn.
    pub samples: u64,
}

impl Default for Effort {
    fn default() -> Self {
        Self {
            decide: None,
            states: 200_000,
            confidence: Share::new(999_999_999, 1_000_000_000).unwrap_or(Share::ZERO),
            seed: 0,
            samples: 200_000,
        }
    }
}

/// The way that led to the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// All earlier refusals were certain: the set is all that the release allows.
    Public,
    /// Earlier groups of a class have equal sizes: rows of a class are exchangeable.
    Symmetric,
    /// Counted class by class.
    Counting,
    /// Counted atom by atom where partitions cross.
    Frontier,
    /// All tables, one by one.
    Literal,
    /// Inclusive, nested: all histograms of the step before.
    Histograms,
    /// Bounds from how seldom an earlier step passes.
    Certificate,
    /// Bounds from how seldom an earlier step fails.
    Union,
    /// Bounds from random tables.
    Sampling,
}

impl Method {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Symmetric => "symmetric",
            Self::Counting => "counting",
            Self::Frontier => "frontier",
            Self::Literal => "literal",
            Self::Histograms => "histograms",
            Self::Certificate => "certificate",
            Self::Union => "union",
            Self::Sampling => "sampling",
        }
    }

    /// Whether its beliefs are exact.
    pub fn is_exact(self) -> bool {
        !matches!(self, Self::Certificate | Self::Union | Self::Sampling)
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecided {
    /// In words, without values.
    pub why: String,
}

/// Why a method ended without an answer.
#[derive(Debug)]
pub(super) enum Stop {
    /// The work was stopped from outside, or something broke.
    Error(Error),
    /// The method does not apply or its budget is spent.
    GaveUp(String),
    /// It is certain that no table would have led to the release: no other method need try.
    Impossible,
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Error(error)
    }
}

/// A method's answer.
pub(super) type Found<T> = Result<T, Stop>;

/// A method gives up.
pub(super) fn give_up<T>(why: impl Into<String>) -> Found<T> {
    Err(Stop::GaveUp(why.into()))
}

/// Moves between states for each state that may be kept.
const MOVES_A_STATE: u64 = 16;
/// A table of so many rows costs a move more.
const ROWS_A_MOVE: u64 = 128;
/// Moves between two looks at the clock.
const MOVES_A_TICK: u64 = 4096;

/// What is left of an effort.
pub(super) struct Budget<'a> {
    states: usize,
    moves: u64,
    tick: &'a mut dyn FnMut() -> Result<(), Error>,
}

impl<'a> Budget<'a> {
    pub(super) fn new(
        states: usize,
        rows: usize,
        tick: &'a mut dyn FnMut() -> Result<(), Error>,
    ) -> Self {
        // The numbers grow with the rows, and with them what a move costs.
        let cost = 1 + rows as u64 / ROWS_A_MOVE;
        Self {
            states,
            moves: (states as u64).saturating_mul(MOVES_A_STATE) / cost,
            tick,
        }
    }

    /// One more state is kept.
    pub(super) fn state(&mut self) -> Found<()> {
        match self.states.checked_sub(1) {
            Some(left) => self.states = left,
            None => return give_up("exact counting needs more states than allowed"),
        }
        Ok(())
    }

    /// One more move between states.
    pub(super) fn step(&mut self) -> Found<()> {
        match self.moves.checked_sub(1) {
            Some(left) => self.moves = left,
            None => return give_up("exact counting needs more moves than allowed"),
        }
        if self.moves.is_multiple_of(MOVES_A_TICK) {
            (self.tick)()?;
        }
        Ok(())
    }
}
