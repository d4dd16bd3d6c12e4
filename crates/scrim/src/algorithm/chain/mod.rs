//! A public chain of recodings, walked so that not even the walk tells too much.
//!
//! **Definition.** Given recodings g1, g2, .. whose order does not depend on the sensitive values. *Naive*: release the first
//! whose classes keep the models. Who knows that learns from a release that all earlier ones were refused: what remains
//! possible is its *disclosure set*. *Inclusive*: release the first whose disclosure set keeps the models ([Zhang07], Table 3).
//! *Exclusive*: at the first whose classes keep the models, release it if its disclosure set keeps them too, and else
//! nothing (Table 5).
//! **Reading.** The property is the conjunction of the policy's models; a disclosure set keeps it when the belief about every
//! row does (`model/belief.rs`). Models that do not look at sensitive values, such as k-anonymity, are judged on the
//! classes alone: what they refuse they refuse for every secret, and such a refusal tells nothing.
//! **Holds because** the decision is a function of the release and of what is public, so that the decision itself tells nothing
//! that the release does not. Of the inclusive strategy this is true only when its sets are exact.
//! **Does not protect against** what the table as a whole tells, or knowledge about single persons' values.
//! **Cost.** A roll-up a step, and one disclosure set (`adversary/disclosure`); inclusive: one a step.
//! **Oracle.** `testkit::oracle::disclosure`.

mod property;
mod sequence;
mod walk;

pub use property::Kept;
pub use sequence::Sequence;
pub use walk::{ChainWalk, Decision, Outcome, walked_to};
