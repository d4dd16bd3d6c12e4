//! A first look at a table that nobody has described: what its columns hold, what each may be for, and the policy that follows.
//!
//! **Definition.** A [`Profile`] says of every column its [`Kind`], how many values it has and how many are missing, and guesses
//! a role with a reason. A [`Draft`] makes of it a policy and hierarchy files.
//! **Reading.** Names of columns are read by `words`, their values by what they look like. Where both are silent the guess is a
//! quasi-identifier, the safe side: it is generalized, and it is marked as unsure. A guess never shows a value, only counts
//! and the shape of texts that many rows share.
//! **Does not protect against** a wrong guess: a policy is a decision of people, and this is only its first draft.
//! **Cost.** One look at each distinct value of each column.

mod content;
mod draft;
mod grouped;
mod guess;
mod header_row;
mod hipaa;
mod icd;
mod kind;
mod level_file;
mod notation;
mod nulls;
mod pairs;
mod patterns;
mod person_key;
mod personal_names;
mod promise;
mod propose;
mod ranges;
mod rounded;
mod shape;
mod survey;
mod text;
mod topic;
mod values;
mod words;

pub use draft::{Draft, DraftColumn, FoundHierarchy, HierarchyFile};
pub use guess::{Guess, MOST_QUASI};
pub use hipaa::Hipaa;
pub use kind::Kind;
pub use person_key::{PersonKey, looks_like_person_key, named_like_person_key};
pub use survey::{ColumnProfile, Profile};
pub use words::names_a_person_key;
