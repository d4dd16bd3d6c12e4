//! The profile of a table: what each column holds, and what it may be for.

use super::guess::{Guess, guess_all};
use super::header_row::{NameIs, is_a_row};
use super::kind::Kind;
use super::nulls;
use super::pairs;
use super::person_key::is_short_list;
use super::shape::shapes;
use super::topic::Topic;
use super::values::Values;
use super::{content, personal_names, words};
use crate::hierarchy::is_star;
use crate::table::{Role, Table};

/// What is known of a column.
#[derive(Clone, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact that was seen by itself"
)]
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
    /// Whether its values look like names of persons.
    pub(super) looks_like_names: bool,
    /// Whether its values are whole numbers of one length, too long for amounts.
    pub(super) is_long_number: bool,
    /// Whether somebody decided about it.
    pub(super) is_decided: bool,
    /// Whether some value is all stars: such a column cannot be sensitive.
    pub(super) has_stars: bool,
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
    /// Which columns determine each other, by their places.
    pub(super) pairs: Vec<(usize, usize)>,
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
        let pairs = pairs::pairs(table, &columns);
        guess_all(&mut columns, &pairs);
        Self {
            rows: table.rows() as u64,
            nulls,
            columns,
            pairs,
        }
    }

    /// The columns that were only guessed: somebody should be asked.
    pub fn guessed(&self) -> impl Iterator<Item = &ColumnProfile> {
        self.columns.iter().filter(|column| column.guess.unsure)
    }

    /// Which columns determine each other, by their names.
    pub fn pairs(&self) -> impl Iterator<Item = (&ColumnProfile, &ColumnProfile)> {
        let pairs = self.pairs.iter();
        pairs.map(|(left, right)| (&self.columns[*left], &self.columns[*right]))
    }

    /// Whether a column tells persons; else rows are counted.
    pub fn counts_persons(&self) -> bool {
        let mut columns = self.columns.iter();
        columns.any(|column| column.guess.role == Role::Person)
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&ColumnProfile> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// Whether the names of the columns look like a row: the file has no header, and its first person stands in its place.
    pub fn has_no_header(&self) -> bool {
        let columns = self.columns.iter();
        let names: Vec<(&str, NameIs)> = columns
            .map(|column| (column.name.as_str(), column.name_is))
            .collect();
        is_a_row(&names)
    }

    /// Gives a column the role that somebody decided on; says what is in the way.
    pub fn decide(&mut self, name: &str, role: Role) -> Result<(), String> {
        let Some(at) = self.place(name) else {
            return Err(format!("there is no column `{name}`"));
        };
        if role == Role::Person {
            self.make_room_for_person(at)?;
        }
        let column = &mut self.columns[at];
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
        column.is_decided = true;
        self.carry_over(at);
        Ok(())
    }

    /// The place of a column; spaces around its name may be left out.
    fn place(&self, name: &str) -> Option<usize> {
        let columns = || self.columns.iter();
        let exact = columns().position(|column| column.name == name);
        exact.or_else(|| columns().position(|column| column.name.trim() == name.trim()))
    }

    /// One column tells persons: another that somebody decided on stays, one that was guessed is an identifier then.
    fn make_room_for_person(&mut self, at: usize) -> Result<(), String> {
        for (other, column) in self.columns.iter_mut().enumerate() {
            if other == at || column.guess.role != Role::Person {
                continue;
            }
            if column.is_decided {
                return Err("another column tells the persons already".to_owned());
            }
            column.guess.role = Role::Identifier;
        }
        Ok(())
    }

    /// What says the same as a column that is to be hidden is hidden with it, unless somebody decided about it too.
    fn carry_over(&mut self, at: usize) {
        let (role, name) = (self.columns[at].guess.role, self.columns[at].name.clone());
        if role == Role::Quasi || role == Role::Insensitive {
            return;
        }
        let partners = self.pairs.iter().filter_map(|pair| match *pair {
            (left, right) if left == at => Some(right),
            (left, right) if right == at => Some(left),
            _ => None,
        });
        for partner in partners {
            let column = &mut self.columns[partner];
            let stars = role == Role::Sensitive && column.has_stars;
            if !column.is_decided && !stars && column.guess.role != Role::Person {
                column.guess.role = pairs::follows_role(role);
                column.guess.reason = format!("determines `{name}` and is determined by it");
                column.guess.unsure = false;
            }
        }
    }
}

impl ColumnProfile {
    fn of(name: &str, values: &Values<'_>) -> Self {
        let named = words::topic(name);
        let topic = one_topic(named, content::topic(values));
        let kind = kind(name, named, values);
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
            topic,
            present: values.present(),
            name_is: NameIs::of(name, values),
            nearly_unique: values.nearly_unique(),
            looks_like_names: matches!(kind, Kind::Category | Kind::Code)
                && personal_names::are_names(values),
            is_long_number: values.shortest() == values.longest() && values.longest() >= 6,
            is_decided: false,
            has_stars: values.texts.iter().any(|(text, _)| is_star(text)),
        }
    }
}

/// The kind of values; numbers that are named as a list of codes are categories.
fn kind(name: &str, named: Option<Topic>, values: &Values<'_>) -> Kind {
    let kind = Kind::of(values);
    let (distinct, present) = (values.distinct(), values.present());
    let is_list = words::names_a_list(name) && distinct <= 100 && distinct * 5 <= present
        || named == Some(Topic::OtherId) && is_short_list(distinct, present);
    if kind == Kind::Whole && is_list {
        Kind::Category
    } else {
        kind
    }
}

/// What a column is about, by its name and by the looks of its values: a name that says whose number it is says more than what
/// the number looks like.
fn one_topic(named: Option<Topic>, looks: Option<Topic>) -> Option<Topic> {
    let says_whose = match named {
        Some(Topic::PersonId) => true,
        Some(
            Topic::Stay | Topic::MedicalRecord | Topic::HealthPlan | Topic::License | Topic::Device,
        ) => matches!(looks, Some(Topic::OtherId | Topic::Phone)),
        Some(Topic::Remark | Topic::OtherId) | None => false,
        Some(_) => looks == Some(Topic::Diagnosis),
    };
    if says_whose { named } else { looks.or(named) }
}
