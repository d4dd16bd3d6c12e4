//! Scrim: tables about people, published without the people.

pub mod adversary;
pub mod algorithm;
mod counted;
mod error;
pub mod frequency;
pub mod hierarchy;
pub mod metric;
pub mod model;
mod printable;
pub mod profile;
mod random;
pub mod recoding;
pub mod release;
mod share;
pub mod table;

pub use counted::{counted, verb};
pub use error::{Error, Place, Repair};
pub use printable::{is_unprintable, printable, printable_json, printable_lines};
pub use random::Random;
pub use share::{NotAShare, Share};
