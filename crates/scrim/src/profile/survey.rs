//! The profile of a table: what each column holds, and what it may be for.

use super::guess::{Guess, guess_all};
use super::kind::{Kind, any_format};
use super::nulls;
use super::shape::shapes;
use super::topic::Topic;
use super::values::Values;
use super::{content, words};
use crate::hierarchy::{Decimal, is_star};
use crate::table::{Role, Table};

/// What is known of a column.
#[derive(Clone, Debug)]
pub struct ColumnProfile {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: Kind,
    /// How many values it has, missing ones left out.
    pub distinct: u64,
    /// How many rows have no value.
    pub missing: u64,
    /// The length of the longest value in characters.
    pub longest: u64,
    /// What its values look like, where many share it.
    pub shapes: Vec<String>,
    /// What it may be for.
    pub guess: Guess,
    /// What it is about.
    pub(super) topic: Option<Topic>,
    /// How many rows have a value.
    pub(super) present: u64,
    /// Whether nearly every row has a value of its own.
    pub(super) nearly_unique: bool,
    /// Whether the name looks like a value: a number; or else one of its own values, a date or an e-mail address.
    pub(super) name_is: NameIs,
    /// Whether some value is all stars: such a column cannot be sensitive.
    pub(super) has_stars: bool,
}

/// What the name of a column looks like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NameIs {
    /// A name.
    Name,
    /// A number, as years are.
    Number,
    /// A value.
    Value,
}

/// What is known of a table.
#[derive(Clone, Debug)]
pub struct Profile {
    /// How many rows it has.
    pub rows: u64,
    /// The texts that count as missing.
    pub nulls: Vec<String>,
    /// Its columns.
    pub columns: Vec<ColumnProfile>,
}

impl Profile {
    /// Looks at a table, in which only the empty text was read as missing.
    pub fn of(table: &Table) -> Self {
        let nulls = nulls::guessed(table);
        let mut columns: Vec<ColumnProfile> = table
            .columns()
            .iter()
            .map(|column| ColumnProfile::of(column.name(), &Values::of(column, &nulls)))
            .collect();
        guess_all(&mut columns);
        Self {
            rows: table.rows() as u64,
            nulls,
            columns,
        }
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&ColumnProfile> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Whether the names of the columns look like a row: the file has no header, and its first person stands in its place.
    pub fn has_no_header(&self) -> bool {
        let count = |wanted: NameIs| {
            let such = self
                .columns
                .iter()
                .filter(|column| column.name_is == wanted);
            such.count()
        };
        let (values, numbers) = (count(NameIs::Value), count(NameIs::Number));
        let all = self.columns.len();
        values > 0 && (values + numbers) * 3 >= all || values + numbers == all
    }

    /// Gives a column the role that somebody decided on; says what is in the way.
    pub fn decide(&mut self, name: &str, role: Role) -> Result<(), String> {
        let another = self
            .columns
            .iter()
            .any(|column| column.guess.role == Role::Person && column.name != name);
        if role == Role::Person && another {
            return Err("another column tells the persons already".to_owned());
        }
        let Some(column) = self.columns.iter_mut().find(|column| column.name == name) else {
            return Err(format!("there is no column `{name}`"));
        };
        if role == Role::Sensitive && column.has_stars {
            return Err(format!(
                "a value of `{name}` is all stars, which means suppressed: it cannot be sensitive"
            ));
        }
        if column.guess.role != role {
            "decided by you".clone_into(&mut column.guess.reason);
        }
        column.guess.role = role;
        column.guess.unsure = false;
        Ok(())
    }
}

impl NameIs {
    fn of(name: &str, values: &Values<'_>) -> Self {
        let is_own = || values.texts.iter().any(|(text, _)| *text == name);
        if Decimal::parse(name).is_some() {
            Self::Number
        } else if any_format(name).is_some() || content::is_email(name) || is_own() {
            Self::Value
        } else {
            Self::Name
        }
    }
}

impl ColumnProfile {
    fn of(name: &str, values: &Values<'_>) -> Self {
        let kind = Kind::of(values);
        Self {
            name: name.to_owned(),
            kind,
            distinct: values.distinct(),
            missing: values.missing,
            longest: values.longest(),
            shapes: if kind == Kind::FreeText {
                Vec::new()
            } else {
                shapes(values)
            },
            guess: Guess::unsure(),
            topic: content::topic(values).or_else(|| words::topic(name)),
            present: values.present(),
            name_is: NameIs::of(name, values),
            nearly_unique: values.nearly_unique(),
            has_stars: values.texts.iter().any(|(text, _)| is_star(text)),
        }
    }
}
