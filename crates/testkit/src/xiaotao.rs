//! The figures of \[XiaoTao06\] with the answers.
//!
//! **Definition.** Figures 1a, 1b, 1c, 2 and 3 as printed, Examples 1 to 4, and what the definitions make of them; the files are in
//! `fixtures/papers/xiaotao06`, where a README says which numbers are the paper's own and which are computed.
//! **Reading.** Age runs from 1 to 60 and Zipcode from 10001 to 60000; the tree of Sex is flat. Taxa that the text does not name end
//! in `?`.

// By the crate's folder, so that every file means the same path.
macro_rules! fixture {
    ($file:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../fixtures/papers/xiaotao06/",
            $file
        ))
    };
}

mod answers;

pub use answers::{
    BreachAnswer, ExampleAnswer, GreedyAnswer, GroupAnswer, StepAnswer, breach_answers, examples,
    fact, facts, greedy_answer, groups,
};

use crate::Fraction;
use crate::oracle::personal::{
    Attribute, Domain, GuardedRow, Part, PersonalRow, PersonalTable, PublishedRow, Taxonomy,
};

/// The names of the quasi-identifiers.
pub const COLUMNS: [&str; 3] = ["Age", "Sex", "Zipcode"];

/// The runs of Figure 4 on Figure 1a, all with p = 1/2: the primary case, the other case, and the primary case without
/// SA-generalization.
pub const RUNS: [&str; 3] = ["primary", "non-primary", "forbid"];

/// Figure 2: the tree of Disease.
#[must_use]
pub fn disease() -> Taxonomy {
    Taxonomy::from_outline(fixture!("disease.txt"))
}

/// The outline of Figure 2.
#[must_use]
pub fn disease_outline() -> &'static str {
    fixture!("disease.txt")
}

/// The text of Figure 1a as a CSV file: name, Age, Sex, Zipcode, Disease, guard.
#[must_use]
pub fn figure_1a_csv() -> &'static str {
    fixture!("figure1a.csv")
}

/// The text of Figure 1b as a CSV file: name, Age, Sex, Zipcode.
#[must_use]
pub fn figure_1b_csv() -> &'static str {
    fixture!("figure1b.csv")
}

/// The flat tree of Sex.
#[must_use]
pub fn sex() -> Taxonomy {
    Taxonomy::from_outline(fixture!("sex.txt"))
}

/// Figure 1a with p = 1/2 and all weights 1, in the primary case; persons are numbered by row.
#[must_use]
pub fn figure_1a() -> PersonalTable {
    let tree = disease();
    let attributes = attributes();
    let rows = body(fixture!("figure1a.csv"))
        .iter()
        .zip(0..)
        .map(|(record, person)| PersonalRow {
            quasi: quasi(&attributes, &record[1..4]),
            secret: GuardedRow {
                leaf: tree.taxon(&record[4]),
                guard: guard(&tree, &record[5]),
                person,
            },
        })
        .collect();
    PersonalTable {
        attributes,
        tree,
        sensitive_weight: Some(Fraction::ONE),
        rows,
        p: Fraction::new(1, 2),
        primary: true,
    }
}

/// Figure 1a for one of the `RUNS`.
///
/// # Panics
/// When there is no such run.
#[must_use]
pub fn run(name: &str) -> PersonalTable {
    assert!(RUNS.contains(&name), "no run `{name}`");
    let mut table = figure_1a();
    table.primary = name != "non-primary";
    if name == "forbid" {
        table.sensitive_weight = None;
    }
    table
}

/// The names of the persons of Figure 1a, by row.
#[must_use]
pub fn names() -> Vec<String> {
    body(fixture!("figure1a.csv"))
        .iter()
        .map(|record| record[0].clone())
        .collect()
}

/// Figure 1b, the voter list: each name with Age, Sex and Zipcode.
#[must_use]
pub fn figure_1b() -> Vec<(String, Vec<i64>)> {
    let attributes = attributes();
    body(fixture!("figure1b.csv"))
        .iter()
        .map(|record| (record[0].clone(), quasi(&attributes, &record[1..4])))
        .collect()
}

/// A published table: `figure1c` or `figure3`.
///
/// # Panics
/// When there is no such table.
#[must_use]
pub fn published(figure: &str) -> Vec<PublishedRow> {
    let text = match figure {
        "figure1c" => fixture!("figure1c.csv"),
        "figure3" => fixture!("figure3.csv"),
        _ => panic!("no published table `{figure}`"),
    };
    body(text)
        .iter()
        .map(|record| published_row(record))
        .collect()
}

/// Whom the voter list has in the class of a published row.
#[must_use]
pub fn external_persons(row: &PublishedRow) -> usize {
    let attributes = attributes();
    figure_1b()
        .iter()
        .filter(|(_, values)| {
            attributes
                .iter()
                .zip(&row.quasi)
                .zip(values)
                .all(|((attribute, part), value)| attribute.domain.covers(*part, *value))
        })
        .count()
}

fn attributes() -> Vec<Attribute> {
    let domains = [
        Domain::Numeric { from: 1, to: 60 },
        Domain::Categorical(sex()),
        Domain::Numeric {
            from: 10_001,
            to: 60_000,
        },
    ];
    COLUMNS
        .into_iter()
        .zip(domains)
        .map(|(name, domain)| Attribute {
            name: name.to_owned(),
            domain,
            weight: Fraction::ONE,
        })
        .collect()
}

fn quasi(attributes: &[Attribute], fields: &[String]) -> Vec<i64> {
    attributes
        .iter()
        .zip(fields)
        .map(|(attribute, field)| match &attribute.domain {
            Domain::Numeric { .. } => number(field),
            Domain::Categorical(tree) => {
                i64::try_from(tree.taxon(field)).expect("a tree of the paper is small")
            }
        })
        .collect()
}

/// Age, Sex, Zipcode and Disease as published.
fn published_row(fields: &[String]) -> PublishedRow {
    PublishedRow {
        quasi: attributes()
            .iter()
            .zip(fields)
            .map(|(attribute, field)| part(&attribute.domain, field))
            .collect(),
        sensitive: disease().taxon(&fields[3]),
    }
}

fn part(domain: &Domain, field: &str) -> Part {
    match domain {
        Domain::Categorical(tree) => Part::Taxon(tree.taxon(field)),
        Domain::Numeric { .. } => {
            let (low, high) = field.split_once('-').unwrap_or((field, field));
            Part::Interval(number(low), number(high))
        }
    }
}

fn guard(tree: &Taxonomy, field: &str) -> Option<usize> {
    (!field.is_empty()).then(|| tree.taxon(field))
}

/// The records below the header.
fn body(text: &str) -> Vec<Vec<String>> {
    text.lines()
        .skip(1)
        .map(|line| line.split(',').map(str::to_owned).collect())
        .collect()
}

fn number(field: &str) -> i64 {
    field.parse().expect("a fixture's number is whole")
}

fn fraction(field: &str) -> Fraction {
    field.parse().expect("a fixture's share is a fraction")
}

#[cfg(test)]
mod tests;
