//! The guess at a column's role, with its reason.
//!
//! **Reading.** First whether the values are dates, then what the name and the looks of the values say, then how many values there
//! are. One column tells persons (`person_key`). Columns that determine each other get one role (`pairs`). A guess is *sure*
//! where a known name meets values that fit it, or values have a look of their own; all else is *only guessed*. Columns of more than
//! [`MOST_QUASI`] quasi-identifiers that are only guessed are left out, those with most values first: so many together leave
//! nothing to publish. A table always keeps one quasi-identifier where any column can be one.

use super::hipaa::Hipaa;
use super::kind::Kind;
use super::pairs;
use super::person_key::{is_short_list, one_person};
use super::survey::ColumnProfile;
use super::topic::Topic;
use super::words;
use crate::table::Role;

/// So many quasi-identifiers a first policy has at most.
pub const MOST_QUASI: usize = 16;

/// What a column may be for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess {
    /// The role.
    pub role: Role,
    /// Why, in words.
    pub reason: String,
    /// What HIPAA's Safe Harbor calls it.
    pub hipaa: Option<Hipaa>,
    /// Whether somebody should be asked.
    pub unsure: bool,
}

impl Guess {
    /// The safe side.
    pub(super) fn unsure() -> Self {
        Self {
            role: Role::Quasi,
            reason: "not recognised; generalized to be safe".to_owned(),
            hipaa: None,
            unsure: true,
        }
    }

    fn sure(role: Role, reason: &str) -> Self {
        Self {
            role,
            reason: reason.to_owned(),
            hipaa: None,
            unsure: false,
        }
    }
}

/// Guesses the roles of all columns, which depend on each other.
pub(super) fn guess_all(columns: &mut [ColumnProfile], determined: &[(usize, usize)]) {
    for column in columns.iter_mut() {
        column.guess = guess(column);
    }
    one_person(columns);
    pairs::join(columns, determined);
    tell_persons(columns);
    not_too_many(columns);
    at_least_one(columns);
}

fn guess(column: &ColumnProfile) -> Guess {
    if column.kind == Kind::Empty {
        return Guess::sure(Role::Identifier, "no value at all: nothing to publish");
    }
    if column.kind.is_date() {
        let birth = column.topic == Some(Topic::BirthDate);
        let topic = if birth {
            Topic::BirthDate
        } else {
            Topic::Event
        };
        return Guess {
            hipaa: Hipaa::of('C'),
            ..Guess::sure(Role::Quasi, topic.reason())
        };
    }
    let topic = column.topic.filter(|topic| is_plausible(*topic, column));
    if let Some(topic) = topic {
        return by_topic(topic, column);
    }
    if column.kind == Kind::FreeText {
        let reason = "free text may name anybody: dropped; read it before you publish any of it";
        return Guess::sure(Role::Identifier, reason);
    }
    if column.looks_like_names {
        return Guess {
            hipaa: Hipaa::of('A'),
            unsure: true,
            ..Guess::sure(Role::Identifier, "its values look like names of persons")
        };
    }
    if column.nearly_unique && column.kind != Kind::Decimal {
        return Guess {
            hipaa: Hipaa::of('R'),
            unsure: true,
            ..Guess::sure(Role::Identifier, "nearly every row has its own value")
        };
    }
    if column.kind == Kind::Category && words::names_a_list(&column.name) {
        return Guess::sure(Role::Quasi, "a list of few codes; generalized to be safe");
    }
    if column.distinct == 1 {
        return Guess::sure(Role::Quasi, "one value only; generalized to be safe");
    }
    Guess::unsure()
}

/// Whether a column can be what its name says: `age` of free text is none.
fn is_plausible(topic: Topic, column: &ColumnProfile) -> bool {
    match topic {
        Topic::OtherId => {
            let list = words::names_a_list(&column.name) && column.kind == Kind::Category;
            !list && !is_short_list(column.distinct, column.present) && is_key(column)
        }
        Topic::PersonId => {
            let list = is_short_list(column.distinct, column.present);
            is_key(column) && (!list || words::names_a_person_number(&column.name))
        }
        Topic::Stay | Topic::MedicalRecord => !is_short_list(column.distinct, column.present),
        // A number or an answer of yes and no is no name.
        Topic::Name => matches!(column.kind, Kind::Category | Kind::Code | Kind::FreeText),
        // Few texts that come again and again are categories.
        Topic::Remark => column.kind == Kind::FreeText || column.distinct * 10 > column.present,
        // Days and months are counted too.
        Topic::Event => column.kind.is_date(),
        Topic::Coordinates => column.kind.is_number() || column.kind == Kind::Code,
        _ if column.kind == Kind::FreeText => topic.role() == Role::Identifier,
        _ => true,
    }
}

/// Whether values can be keys: neither measures nor answers nor sentences.
fn is_key(column: &ColumnProfile) -> bool {
    matches!(
        column.kind,
        Kind::Whole | Kind::Code | Kind::Category | Kind::MixedNumbers
    )
}

fn by_topic(topic: Topic, column: &ColumnProfile) -> Guess {
    let mut guess = Guess {
        hipaa: topic.hipaa(),
        ..Guess::sure(topic.role(), topic.reason())
    };
    // Nobody hides in a class by a value that only one row has, whatever the column is called.
    let words = matches!(column.kind, Kind::Code | Kind::Category);
    let graded = matches!(topic, Topic::Postal | Topic::Diagnosis | Topic::BirthDate);
    if guess.role != Role::Identifier
        && guess.role != Role::Person
        && column.nearly_unique
        && words
        && !graded
    {
        guess.role = Role::Identifier;
        guess.unsure = true;
        guess.reason = format!("{}; nearly every row has its own value", guess.reason);
    }
    if topic == Topic::OtherId && !column.nearly_unique {
        guess.unsure = true;
    }
    if guess.role == Role::Sensitive && column.has_stars {
        guess.role = Role::Quasi;
        guess.reason = format!(
            "{}; has values of stars, so it cannot be sensitive",
            guess.reason
        );
    }
    guess
}

/// Where a column tells persons, a column in which nearly every person has a value of their own tells them too.
fn tell_persons(columns: &mut [ColumnProfile]) {
    let person = columns
        .iter()
        .find(|column| column.guess.role == Role::Person);
    let Some(persons) = person
        .map(|column| column.distinct)
        .filter(|persons| *persons >= 20)
    else {
        return;
    };
    for column in columns.iter_mut() {
        let texts = matches!(column.kind, Kind::Code | Kind::Category);
        let own = column.distinct * 100 >= persons * 95 && column.distinct <= persons;
        if column.guess.unsure && column.guess.role == Role::Quasi && texts && own {
            column.guess.role = Role::Identifier;
            "nearly every person has a value of their own".clone_into(&mut column.guess.reason);
        }
    }
}

/// Leaves out unsure quasi-identifiers that are too many.
fn not_too_many(columns: &mut [ColumnProfile]) {
    let mut quasi: Vec<(bool, u64, usize)> = (0..)
        .zip(columns.iter())
        .filter(|(_, column)| column.guess.role == Role::Quasi)
        .map(|(at, column)| (column.guess.unsure, column.distinct, at))
        .collect();
    quasi.sort_unstable();
    for (_, _, at) in quasi.into_iter().skip(MOST_QUASI) {
        let guess = &mut columns[at].guess;
        guess.role = Role::Identifier;
        guess.unsure = true;
        guess.reason = format!(
            "{}; dropped, since {MOST_QUASI} quasi-identifiers are enough to begin with",
            guess.reason
        );
    }
}

/// A release needs a quasi-identifier. The one with fewest values is taken of what is sensitive, or of what was only guessed.
fn at_least_one(columns: &mut [ColumnProfile]) {
    if columns
        .iter()
        .any(|column| column.guess.role == Role::Quasi)
    {
        return;
    }
    let candidates = columns.iter_mut().filter(|column| {
        let guess = &column.guess;
        guess.role == Role::Sensitive || guess.role == Role::Identifier && guess.unsure
    });
    let by_values =
        |column: &&mut ColumnProfile| (column.guess.role != Role::Sensitive, column.distinct);
    let Some(column) = candidates.min_by_key(by_values) else {
        return;
    };
    column.guess.role = Role::Quasi;
    column.guess.unsure = true;
    column.guess.reason = format!(
        "{}; the table has no other column to generalize",
        column.guess.reason
    );
}

#[cfg(test)]
mod tests;
