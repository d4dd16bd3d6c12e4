//! The guess at a column's role, with its reason.
//!
//! **Reading.** First what the values look like, then what the name says, then how many values there are. Numbers of persons tell
//! persons where they repeat and none is missing, in one column; elsewhere they are identifiers. Columns of more than
//! [`MOST_QUASI`] quasi-identifiers that are only guessed are left out, those with most values first: so many together leave
//! nothing to publish. A table always keeps one quasi-identifier where any column can be one.

use super::hipaa::Hipaa;
use super::kind::Kind;
use super::survey::ColumnProfile;
use super::topic::Topic;
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
pub(super) fn guess_all(columns: &mut [ColumnProfile]) {
    for column in columns.iter_mut() {
        column.guess = guess(column);
    }
    one_person(columns);
    not_too_many(columns);
    at_least_one(columns);
}

fn guess(column: &ColumnProfile) -> Guess {
    if column.kind == Kind::Empty {
        return Guess::sure(Role::Identifier, "no value at all: nothing to publish");
    }
    let topic = column.topic.filter(|topic| is_plausible(*topic, column));
    if let Some(topic) = topic {
        return by_topic(topic, column);
    }
    if column.kind == Kind::FreeText {
        let reason = "free text may name anybody: dropped; read it before you publish any of it";
        return Guess::sure(Role::Identifier, reason);
    }
    if column.kind.is_date() {
        return Guess {
            hipaa: Hipaa::of('C'),
            ..Guess::sure(Role::Quasi, Topic::Event.reason())
        };
    }
    if column.nearly_unique && column.kind != Kind::Decimal {
        return Guess {
            hipaa: Hipaa::of('R'),
            unsure: true,
            ..Guess::sure(Role::Identifier, "nearly every row has its own value")
        };
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
            column.nearly_unique || matches!(column.kind, Kind::Code | Kind::Category)
        }
        // Days and months are counted too.
        Topic::Event => column.kind.is_date(),
        Topic::Coordinates => column.kind.is_number() || column.kind == Kind::Code,
        _ if column.kind == Kind::FreeText => topic.role() == Role::Identifier,
        _ => true,
    }
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

/// Rows of one person are told by one column: the first that repeats and is nowhere missing.
fn one_person(columns: &mut [ColumnProfile]) {
    let mut found = false;
    for column in columns.iter_mut() {
        if column.guess.role != Role::Person {
            continue;
        }
        let repeats = column.distinct < column.present;
        if !found && repeats && column.missing == 0 && column.distinct >= 2 {
            found = true;
            let reason = "a number of a person that repeats: persons are counted";
            reason.clone_into(&mut column.guess.reason);
        } else {
            column.guess.role = Role::Identifier;
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
mod tests {
    use crate::profile::Profile;
    use crate::table::{Column, Role, Table};

    fn roles(columns: &[(&str, Vec<String>)]) -> Vec<Role> {
        let columns = columns
            .iter()
            .map(|(name, texts)| Column::from_texts(name, texts.iter().map(String::as_str)));
        let profile = Profile::of(&Table::new(columns.collect()).unwrap());
        let roles = profile.columns.iter();
        roles.map(|column| column.guess.role).collect()
    }

    fn many(text: impl Fn(u32) -> String) -> Vec<String> {
        (0..40).map(text).collect()
    }

    #[test]
    fn values_go_before_names_and_names_before_counts() {
        let roles = roles(&[
            ("contact", many(|at| format!("p{at}@example.org"))),
            ("age", many(|at| (at % 7).to_string())),
            ("key", many(|at| format!("K{at}"))),
            ("tag", many(|at| format!("T{at}"))),
            (
                "hiv",
                many(|at| if at % 2 == 0 { "yes" } else { "no" }.to_owned()),
            ),
            ("ward", many(|at| format!("West {}", at % 3))),
            ("patient", many(|at| format!("P{}", at / 2))),
            ("level", many(|at| format!("{}.{at}", at % 9))),
            (
                "code",
                many(|at| format!("{}2{}.1", ["A", "J", "K"][at as usize % 3], at % 4)),
            ),
        ]);
        let expected = [
            Role::Identifier,
            Role::Quasi,
            Role::Identifier,
            Role::Identifier,
            Role::Sensitive,
            Role::Quasi,
            Role::Person,
            Role::Quasi,
            Role::Sensitive,
        ];
        assert_eq!(roles, expected);
    }

    #[test]
    fn persons_who_do_not_repeat_or_are_missing_are_identifiers() {
        let alone = roles(&[
            ("patient", many(|at| at.to_string())),
            ("age", many(|_| "7".to_owned())),
        ]);
        assert_eq!(alone[0], Role::Identifier);
        let missing = many(|at| {
            if at == 3 {
                "?".to_owned()
            } else {
                (at / 2).to_string()
            }
        });
        assert_eq!(
            roles(&[("patient", missing), ("age", many(|_| "7".to_owned()))])[0],
            Role::Identifier
        );
    }

    #[test]
    fn a_table_of_a_secret_alone_has_it_generalized() {
        assert_eq!(
            roles(&[("salary", many(|at| (at % 5).to_string()))]),
            [Role::Quasi]
        );
        assert_eq!(
            roles(&[("email", many(|at| format!("{at}@x.org")))]),
            [Role::Identifier]
        );
    }

    #[test]
    fn too_many_columns_are_cut_down_to_those_with_few_values() {
        let columns: Vec<(String, Vec<String>)> = (0..20)
            .map(|column| {
                (
                    format!("c{column}"),
                    many(move |at| format!("v {}", at % (column + 2))),
                )
            })
            .collect();
        let columns: Vec<(&str, Vec<String>)> = columns
            .iter()
            .map(|(name, texts)| (name.as_str(), texts.clone()))
            .collect();
        let roles = roles(&columns);
        assert!(roles[..16].iter().all(|role| *role == Role::Quasi));
        assert!(roles[16..].iter().all(|role| *role == Role::Identifier));
    }
}
