//! Scrim: tables about people, published without the people.

pub mod adversary;
pub mod algorithm;
mod error;
pub mod frequency;
pub mod hierarchy;
pub mod metric;
pub mod model;
pub mod profile;
mod random;
pub mod recoding;
pub mod release;
mod share;
pub mod table;

pub use error::{Error, Place};
pub use random::Random;
pub use share::{NotAShare, Share};
