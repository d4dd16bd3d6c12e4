//! The answers: what a test of \[XiaoTao06\] compares with.

use super::{attributes, body, disease, fraction, guard, number, part, published_row};
use crate::Fraction;
use crate::oracle::personal::{Figure5, GuardedRow, Part, PublishedRow, Taxonomy};

/// One of Examples 1 to 4.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExampleAnswer {
    /// Its name: example1, example2, example3b or example4b.
    pub name: String,
    /// The published values of the class.
    pub published: Vec<usize>,
    /// How many persons may be in it.
    pub persons: usize,
    /// The guard of the target.
    pub guard: usize,
    /// The case.
    pub primary: bool,
    /// How many reconstructions there are, and how many breach.
    pub reconstructions: (u64, u64),
    /// The breach probability.
    pub probability: Fraction,
}

/// A row of a published figure in one of the four readings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BreachAnswer {
    /// figure1c or figure3.
    pub table: String,
    /// The row, from 0.
    pub row: usize,
    /// The case.
    pub primary: bool,
    /// Whether the persons are counted by Figure 1b; else by the class itself.
    pub external: bool,
    /// How many persons that makes.
    pub persons: usize,
    /// How many reconstructions there are, and how many breach.
    pub reconstructions: (u64, u64),
    /// The breach probability.
    pub probability: Fraction,
}

/// A class with its best SA-generalization.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GroupAnswer {
    /// Its name.
    pub name: String,
    /// The tree.
    pub tree: Taxonomy,
    /// The rows.
    pub rows: Vec<GuardedRow>,
    /// The greatest probability that is borne.
    pub p: Fraction,
    /// The case.
    pub primary: bool,
    /// The breach probabilities of the values as they are, where written.
    pub probabilities: Option<Vec<Fraction>>,
    /// The best SA-generalization, where there is one.
    pub optimal: Option<Vec<usize>>,
    /// What Figure 5 makes of it as printed, where written: by the figure, and by the text.
    pub printed: Option<[Figure5; 2]>,
}

/// A round of Figure 4.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepAnswer {
    /// The attribute.
    pub attribute: usize,
    /// What was split.
    pub split: Part,
    /// Into what.
    pub into: Vec<Part>,
    /// The loss afterwards.
    pub loss: Fraction,
}

/// What Figure 4 makes of Figure 1a.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GreedyAnswer {
    /// The loss of its table, where it finds one.
    pub loss: Option<Fraction>,
    /// The least loss of any table of the kind.
    pub optimum: Fraction,
    /// The loss of the unsplit table, where there is a trace.
    pub initial: Option<Fraction>,
    /// The rounds.
    pub trace: Vec<StepAnswer>,
    /// The final parts of each attribute.
    pub partitions: Vec<Vec<Part>>,
    /// Its table with the breach probability of each row; empty where it finds none.
    pub published: Vec<(PublishedRow, Fraction)>,
    /// A best table, in the same way.
    pub best: Vec<(PublishedRow, Fraction)>,
}

/// Examples 1 to 4.
#[must_use]
pub fn examples() -> Vec<ExampleAnswer> {
    let tree = disease();
    body(fixture!("examples.csv"))
        .iter()
        .map(|record| ExampleAnswer {
            name: record[0].clone(),
            published: taxa(&tree, &record[1]),
            persons: count(&record[2]),
            guard: tree.taxon(&record[3]),
            primary: record[4] == "primary",
            reconstructions: (count(&record[5]) as u64, count(&record[6]) as u64),
            probability: fraction(&record[7]),
        })
        .collect()
}

/// Figures 1c and 3, row by row, in the four readings.
#[must_use]
pub fn breach_answers() -> Vec<BreachAnswer> {
    body(fixture!("breach.csv"))
        .iter()
        .map(|record| BreachAnswer {
            table: record[0].clone(),
            row: count(&record[1]) - 1,
            primary: record[2] == "primary",
            external: record[3] == "figure1b",
            persons: count(&record[4]),
            reconstructions: (count(&record[5]) as u64, count(&record[6]) as u64),
            probability: fraction(&record[7]),
        })
        .collect()
}

/// Classes with their best SA-generalizations: those of Figure 3, the merges that break safety, and what Figure 5 fails on.
#[must_use]
pub fn groups() -> Vec<GroupAnswer> {
    body(fixture!("groups.csv"))
        .iter()
        .map(|record| {
            let tree = match record[1].as_str() {
                "disease" => disease(),
                _ => Taxonomy::from_outline(fixture!("small.txt")),
            };
            let printed = |field: &str| match field {
                "none" => Figure5::Nothing,
                "undefined" => Figure5::Undefined,
                _ => Figure5::Published(taxa(&tree, field)),
            };
            GroupAnswer {
                name: record[0].clone(),
                rows: record[2].split(' ').map(|row| secret(&tree, row)).collect(),
                p: fraction(&record[3]),
                primary: record[4] == "primary",
                probabilities: (!record[5].is_empty())
                    .then(|| record[5].split(' ').map(fraction).collect()),
                optimal: (record[6] != "none").then(|| taxa(&tree, &record[6])),
                printed: (!record[7].is_empty())
                    .then(|| [printed(&record[7]), printed(&record[8])]),
                tree,
            }
        })
        .collect()
}

/// All facts: the kind, of what, by which guard, and the number.
///
/// # Panics
/// When the file has another form.
#[must_use]
pub fn facts() -> Vec<(String, String, String, Fraction)> {
    body(fixture!("facts.csv"))
        .into_iter()
        .map(|record| {
            let value = fraction(&record[3]);
            let [kind, of, guard, _] = <[String; 4]>::try_from(record).expect("four fields");
            (kind, of, guard, value)
        })
        .collect()
}

/// The only fact of that kind of that thing.
///
/// # Panics
/// When there is none.
#[must_use]
pub fn fact(kind: &str, of: &str) -> Fraction {
    facts()
        .into_iter()
        .find(|fact| fact.0 == kind && fact.1 == of)
        .unwrap_or_else(|| panic!("no fact `{kind}` of `{of}`"))
        .3
}

/// What Figure 4 makes of Figure 1a in one of the `RUNS`.
///
/// # Panics
/// When there is no such run.
#[must_use]
pub fn greedy_answer(run: &str) -> GreedyAnswer {
    let of_run = |text: &str| -> Vec<Vec<String>> {
        let mut records = body(text);
        records.retain(|record| record[0] == run);
        records
    };
    let losses = of_run(fixture!("greedy.csv"));
    assert_eq!(losses.len(), 1, "no run `{run}`");
    let steps = of_run(fixture!("greedy_trace.csv"));
    let published = of_run(fixture!("greedy_published.csv"));
    let rows = |method: &str| {
        published
            .iter()
            .filter(|record| record[1] == method)
            .map(|record| (published_row(&record[3..7]), fraction(&record[7])))
            .collect()
    };
    GreedyAnswer {
        loss: (losses[0][1] != "none").then(|| fraction(&losses[0][1])),
        optimum: fraction(&losses[0][2]),
        initial: steps.first().map(|step| fraction(&step[5])),
        trace: steps.iter().skip(1).map(|step| step_answer(step)).collect(),
        partitions: of_run(fixture!("greedy_partitions.csv"))
            .iter()
            .map(|record| parts(attribute(&record[1]), &record[2]))
            .collect(),
        published: rows("greedy"),
        best: rows("optimum"),
    }
}

fn step_answer(record: &[String]) -> StepAnswer {
    let attribute = attribute(&record[2]);
    StepAnswer {
        attribute,
        split: parts(attribute, &record[3])[0],
        into: parts(attribute, &record[4]),
        loss: fraction(&record[5]),
    }
}

fn attribute(name: &str) -> usize {
    super::COLUMNS
        .iter()
        .position(|column| *column == name)
        .expect("a fixture's attribute is a column")
}

fn parts(attribute: usize, field: &str) -> Vec<Part> {
    let domain = &attributes()[attribute].domain;
    field.split(' ').map(|field| part(domain, field)).collect()
}

fn taxa(tree: &Taxonomy, field: &str) -> Vec<usize> {
    field.split(' ').map(|name| tree.taxon(name)).collect()
}

/// `leaf:guard:person`.
fn secret(tree: &Taxonomy, field: &str) -> GuardedRow {
    let fields: Vec<&str> = field.split(':').collect();
    GuardedRow {
        leaf: tree.taxon(fields[0]),
        guard: guard(tree, fields[1]),
        person: count(fields[2]) as u32,
    }
}

fn count(field: &str) -> usize {
    number(field) as usize
}
