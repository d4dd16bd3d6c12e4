//! Which column tells the persons apart.
//!
//! **Definition.** A *person's key* has the same value in all rows of a person. k-anonymity that counts rows says nothing about persons
//! who have several: a class of eleven rows may be one patient. So a key that is recognised gets the role `person`, whatever its
//! values look like.
//! **Reading.** A column named after a person's number is a key for sure, also where no value repeats: then persons and rows are
//! the same, and they stay so when rows are added. Numbers of national registers, medical records and insurances are keys
//! where they repeat. Other numbers that repeat (of stays, accounts, telephones, texts that are keys by their looks) may be
//! keys: they are taken where nothing better is there, and only guessed. Among equals the one with fewest values goes first: it
//! takes more rows for one person's. A wrong key merges persons, so classes only grow.
//! **Does not protect against** persons with several keys, and rows without one, which count as one person.

use super::guess::Guess;
use super::kind::Kind;
use super::survey::ColumnProfile;
use super::topic::Topic;
use super::values::Values;
use super::words;
use crate::counted;
use crate::table::{Column, Role};

/// A column that looks like a person's key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PersonKey {
    /// The name of the column.
    pub column: String,
    /// How many values it has, and in how many rows; nothing where the column was not read.
    pub counted: Option<(u64, u64)>,
}

impl PersonKey {
    /// What follows where the column does not have the role `person`.
    #[must_use]
    pub fn remark(&self) -> String {
        let what = match self.counted {
            Some((values, rows)) => format!(
                " ({} in {})",
                counted(values, "value"),
                counted(rows, "row")
            ),
            None => String::new(),
        };
        format!(
            "`{}` looks like the key of a person{what}, but no column has the role `person`: rows are counted, and a person with \
             several rows is not protected as one; if persons can have several rows give it the role `person`",
            self.column
        )
    }
}

/// Whether a column that was read looks like a person's key: its name says so, and its values repeat.
#[must_use]
pub fn looks_like_person_key(column: &Column) -> Option<PersonKey> {
    let values = Values::of(column, &[]);
    let (distinct, present) = (values.distinct(), values.present());
    let is_key = words::names_a_person_number(column.name())
        || words::names_a_person_key(column.name()) && !is_short_list(distinct, present);
    (is_key && distinct < present).then(|| PersonKey {
        column: column.name().to_owned(),
        counted: Some((distinct, present)),
    })
}

/// Whether a column that is not read looks like a person's key by its name alone.
#[must_use]
pub fn named_like_person_key(name: &str) -> Option<PersonKey> {
    words::names_a_person_key(name).then(|| PersonKey {
        column: name.to_owned(),
        counted: None,
    })
}

/// Few values with very many rows each are a list of codes, not persons.
pub(super) fn is_short_list(distinct: u64, present: u64) -> bool {
    distinct < 20 && distinct * 50 <= present
}

/// How well a column tells persons, best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// Its name says that it is a person's number.
    Named,
    /// A number of a register of persons.
    Registered,
    /// A number that belongs to a person, or to something of a person's.
    Belongs,
    /// Texts that are keys by their looks.
    Looks,
}

/// Gives the best key of a person its role; other keys are identifiers.
pub(super) fn one_person(columns: &mut [ColumnProfile]) {
    let candidates = (0..).zip(columns.iter()).filter_map(|(at, column)| {
        let rank = rank(column)?;
        Some(((rank, column.distinct, at), at))
    });
    let best = candidates.min().map(|((rank, _, _), at)| (rank, at));
    for (at, column) in columns.iter_mut().enumerate() {
        match best {
            Some((rank, chosen)) if chosen == at => column.guess = person(column, rank),
            _ if column.guess.role == Role::Person => column.guess.role = Role::Identifier,
            _ => {}
        }
    }
}

fn rank(column: &ColumnProfile) -> Option<Rank> {
    let repeats = column.distinct < column.present;
    let often = repeats && !column.nearly_unique;
    // Rows without a value count as one person: where they are many, too much would be lost.
    let complete = column.missing * 20 <= column.present;
    if column.distinct < 2 || !complete || column.kind.is_date() {
        return None;
    }
    match column.guess.role {
        Role::Person => Some(Rank::Named),
        Role::Identifier => match column.topic? {
            Topic::SocialSecurity | Topic::MedicalRecord | Topic::HealthPlan if repeats => {
                Some(Rank::Registered)
            }
            Topic::Stay
            | Topic::License
            | Topic::Account
            | Topic::Email
            | Topic::Phone
            | Topic::OtherId
                if often && !is_short_list(column.distinct, column.present) =>
            {
                Some(Rank::Belongs)
            }
            _ => None,
        },
        Role::Quasi if column.guess.unsure && often && looks_like_keys(column) => Some(Rank::Looks),
        _ => None,
    }
}

/// Codes of one shape, many of them, that nothing else explains.
fn looks_like_keys(column: &ColumnProfile) -> bool {
    let opaque = column.kind == Kind::Code || column.kind == Kind::Whole && column.is_long_number;
    let one_shape = column.shapes.len() == 1;
    let many = column.distinct >= 20 && column.distinct * 50 >= column.present;
    opaque && one_shape && many
}

fn person(column: &ColumnProfile, rank: Rank) -> Guess {
    let repeats = column.distinct < column.present;
    let what = match (rank, repeats) {
        (Rank::Named, true) => "a number of a person that repeats: persons are counted".to_owned(),
        (Rank::Named, false) => "a number of a person: persons are counted, each has one row".to_owned(),
        (Rank::Registered, _) => format!("{} that repeat: persons are counted by them", column.guess.reason),
        (Rank::Belongs | Rank::Looks, _) => {
            "values that repeat like keys, and no other column tells persons: taken as a person's key".to_owned()
        }
    };
    let missing = if column.missing > 0 {
        "; rows without it count as one person"
    } else {
        ""
    };
    Guess {
        role: Role::Person,
        reason: format!("{what}{missing}"),
        unsure: rank > Rank::Registered,
        ..column.guess.clone()
    }
}
