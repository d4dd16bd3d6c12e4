//! How many are unique in the population, estimated from how many classes of each size are in a sample of it.
//!
//! **Reading.** Which estimate to believe follows the rule of Dankar, El Emam, Neisa and Roffey (2012) as ARX has it: for a
//! sample of at most a tenth Pitman's, else the smaller of SNB's and Zayatz's; where that has no solution, Zayatz's. Without
//! anybody unique in the sample every estimate is 0; a sample that is the whole population needs none.
//! **Does not protect against** a population that is nothing like the model: the estimates then differ much, and that is
//! the sign of it.

mod gamma;
mod pitman;
mod snb;
mod zayatz;

use std::collections::BTreeMap;

use serde::Serialize;

use super::super::tuples::Exposure;
use super::Population;
use crate::counted;

/// One estimate.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The model: `zayatz`, `pitman` or `snb`.
    pub model: &'static str,
    /// Persons who are unique in the population, where the model has a solution.
    pub unique: Option<f64>,
    /// Their share of the population.
    pub share: Option<f64>,
    /// Why there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
    /// What is assumed.
    pub assumption: &'static str,
    /// When it is usable.
    pub usable: &'static str,
}

/// What is estimated of a population.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Uniqueness {
    /// The share of the population that is in the table.
    pub fraction: f64,
    /// How large the population is.
    pub population: u64,
    /// Every model.
    pub estimates: Vec<Estimate>,
    /// The model to believe.
    pub chosen: &'static str,
    /// Persons who are unique in the population by that model.
    pub unique: Option<f64>,
    /// Their share of the population.
    pub share: Option<f64>,
    /// The rule it was chosen by.
    pub rule: &'static str,
}

/// Classes of a sample, by size.
#[derive(Clone, Copy, Debug)]
struct Sample<'a> {
    classes: &'a BTreeMap<u64, u64>,
    /// All members of classes.
    members: u64,
    /// Members of the population.
    population: u64,
}

impl Sample<'_> {
    fn of_size(&self, size: u64) -> f64 {
        self.classes.get(&size).copied().unwrap_or(0) as f64
    }

    fn count(&self) -> f64 {
        self.classes.values().sum::<u64>() as f64
    }

    fn fraction(&self) -> f64 {
        self.members as f64 / self.population as f64
    }

    /// Sizes, and how many classes have them.
    fn sizes(&self) -> impl Iterator<Item = (f64, f64)> + Clone {
        let pairs = self.classes.iter();
        pairs.map(|(size, classes)| (*size as f64, *classes as f64))
    }
}

/// An estimate, or why there is none.
type Estimated = Result<f64, &'static str>;

const RULE: &str = "a sample of at most a tenth: pitman; else the smaller of snb and zayatz; where that has no solution: zayatz \
     (Dankar et al. 2012)";

/// All estimates for classes of a sample, by size, from a population of this size; nothing where it is smaller than the sample.
pub fn estimates(classes: &BTreeMap<u64, u64>, population: u64) -> Option<Uniqueness> {
    let members = classes.iter().map(|(size, count)| size * count).sum();
    let sample = Sample {
        classes,
        members,
        population,
    };
    if members == 0 || population < members {
        return None;
    }
    let run = |model: fn(&Sample<'_>) -> Estimated| {
        let unique = sample.of_size(1);
        if unique < 1.0 || population == members {
            return Ok(unique);
        }
        let most = population as f64;
        // Where everybody is unique the floats may end a little above everybody.
        let possible = |found: &f64| (0.0..=most * (1.0 + 1e-9)).contains(found);
        model(&sample).and_then(|found| {
            Some(found)
                .filter(possible)
                .map(|found| found.min(most))
                .ok_or("its solution is impossible in a population of this size")
        })
    };
    let estimate = |model, found: Estimated, assumption, usable| Estimate {
        model,
        unique: found.ok(),
        share: found.ok().map(|found| found / population as f64),
        why: found.err(),
        assumption,
        usable,
    };
    let (zayatz, pitman, snb) = (run(zayatz::zayatz), run(pitman::pitman), run(snb::snb));
    let small = members.saturating_mul(10) <= population;
    let (chosen, unique) = match (pitman, snb, zayatz) {
        (Ok(pitman), _, _) if small => ("pitman", Ok(pitman)),
        (_, Ok(snb), Ok(zayatz)) if !small && snb <= zayatz => ("snb", Ok(snb)),
        _ => ("zayatz", zayatz),
    };
    Some(Uniqueness {
        fraction: sample.fraction(),
        population,
        estimates: vec![
            estimate("zayatz", zayatz, zayatz::ASSUMPTION, zayatz::USABLE),
            estimate("pitman", pitman, pitman::ASSUMPTION, pitman::USABLE),
            estimate("snb", snb, snb::ASSUMPTION, snb::USABLE),
        ],
        chosen,
        unique: unique.ok(),
        share: unique.ok().map(|found| found / population as f64),
        rule: RULE,
    })
}

/// The estimates for a table, where the size of its population is known.
pub(super) fn of(
    exposure: &Exposure,
    population: Population<'_>,
    remarks: &mut Vec<String>,
) -> Option<Uniqueness> {
    let members = exposure.appearances();
    let size = match population {
        Population::Unknown => return None,
        Population::Counted { persons, .. } => persons,
        Population::Fraction(fraction) => {
            let size = (members as f64 / fraction.to_f64()).round();
            (size as u64).max(members)
        }
    };
    let found = estimates(&exposure.classes, size);
    if found.is_none() {
        remarks.push(format!(
            "the population has {}, but the table's classes {members}: nothing is estimated",
            counted(size, "person")
        ));
    }
    found
}
