//! Tables 1, 2, 4 and 6: that they are one table under other names, and what the printed ranges group.

use std::collections::BTreeMap;

use scrim::Error;

use super::super::bench::{internal, records};
use super::case::Case;
use super::instances::generalized;
use super::{Line, Part, Verdict};

const TABLE_1: &str = include_str!("../../../../../fixtures/papers/zhang07/table1.csv");
const TABLE_6: &str = include_str!("../../../../../fixtures/papers/zhang07/table6.csv");

pub(super) fn part(case: &Case) -> Result<Part, Error> {
    let first = people(TABLE_1);
    let sixth = people(TABLE_6);
    let ages = |people: &[Person]| people.iter().map(|person| person.age).collect::<Vec<_>>();
    let mut lines = Vec::new();
    let one = renaming(case, &first, case.table("G0")?);
    let six = renaming(case, &sixth, case.table("Gb")?);
    for (name, paper, found) in [
        ("Table 1 with c1 to c7 for its conditions", "G0", &one),
        ("Table 6 with c1 to c7 for its conditions", "Gb", &six),
    ] {
        let told = match found {
            Some(words) => format!("{paper}: {} conditions", words.len()),
            None => "another table".to_owned(),
        };
        let right = found.is_some() && ages(&first) == ages(&sixth) && one == six;
        lines.push(Line::new(name, paper, vec![told], Verdict::Agrees, right));
    }
    for (at, right) in ["AB CD EF GH IJ", "AB CDE FGH IJ", "ABC DEFG HIJ"]
        .into_iter()
        .enumerate()
    {
        let ranges = &case.ranges[at];
        let mut printed = ranges.clone();
        printed.dedup();
        let groups = grouped(case, &ages(&first), &printed)?;
        let as_printed = groups
            .iter()
            .map(|range| printed[*range])
            .eq(ranges.clone());
        let mut told = vec![String::new(); printed.len()];
        for (id, range) in case.ids.iter().zip(&groups) {
            told[*range].push_str(id);
        }
        let told = told.join(" ");
        let is_right = as_printed && told == right;
        let name = format!("g{}: the ages of Table 1 in the printed ranges", at + 1);
        let paper = printed.join(" ");
        lines.push(Line::new(
            name,
            paper,
            vec![told],
            Verdict::Agrees,
            is_right,
        ));
    }
    let original = generalized(&case.steps[2], case.table("G0")?);
    for name in ["Ga", "Gb"] {
        let own = generalized(&case.steps[2], case.table(name)?);
        let ours = if own == original { "yes" } else { "no" };
        let name = format!("Table 4: {name} in PER(G3)");
        lines.push(Line::same(name, "yes", ours.to_owned()));
    }
    Ok(Part::new(
        "Tables 1, 2, 4 and 6 (Tables 3 and 5 are the algorithms)",
        &["ours"],
        lines,
    ))
}

struct Person {
    age: u32,
    condition: &'static str,
}

fn people(text: &'static str) -> Vec<Person> {
    let person = |cells: Vec<&'static str>| {
        let [_, age, condition] = cells[..] else {
            return None;
        };
        let age = age.parse().ok()?;
        Some(Person { age, condition })
    };
    records(text).skip(1).filter_map(person).collect()
}

/// The condition of each value, where renaming makes a printed table of these values; nothing where it does not.
fn renaming(
    case: &Case,
    people: &[Person],
    table: &[u32],
) -> Option<BTreeMap<&'static str, &'static str>> {
    let mut of_value = BTreeMap::new();
    let mut of_condition = BTreeMap::new();
    for (person, value) in people.iter().zip(table) {
        let word = case.words[*value as usize];
        let condition = *of_value.entry(word).or_insert(person.condition);
        let back = *of_condition.entry(person.condition).or_insert(word);
        if condition != person.condition || back != word {
            return None;
        }
    }
    (people.len() == table.len()).then_some(of_value)
}

/// The range that each age lies in; there must be exactly one.
fn grouped(case: &Case, ages: &[u32], ranges: &[&str]) -> Result<Vec<usize>, Error> {
    let bounds: Option<Vec<(u32, u32)>> = ranges
        .iter()
        .map(|range| {
            let (low, high) = range.split_once('-')?;
            Some((low.parse().ok()?, high.parse().ok()?))
        })
        .collect();
    let bounds = bounds.ok_or_else(|| internal("a fixture has a range that is none"))?;
    let of = |age: &u32| {
        let mut fitting =
            (0..bounds.len()).filter(|at| (bounds[*at].0..=bounds[*at].1).contains(age));
        match (fitting.next(), fitting.next()) {
            (Some(only), None) => Ok(only),
            _ => Err(internal("an age in no range, or in two")),
        }
    };
    let groups: Vec<usize> = ages.iter().map(of).collect::<Result<_, _>>()?;
    if groups.len() == case.ids.len() {
        return Ok(groups);
    }
    Err(internal("Tables 1 and 2 differ in length"))
}
