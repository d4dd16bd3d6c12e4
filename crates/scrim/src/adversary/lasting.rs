//! The onlooker who keeps all releases and knows that a value, once had, stays.
//!
//! **Definition.** The probability that a person has a lasting value is the share of worlds in which the person has it in some
//! release ([`crate::model::beliefs`]): worlds in which nobody loses it and every class has as many carriers as were published.
//! **Reading.** Exact where it can be counted; else a bound that the probability does not pass. Nobody is called above a limit by
//! a bound: whether they are is then not decided.
//! **Cost.** That of counting, which is limited.
//! **Oracle.** `testkit::oracle::lasting`.

use std::collections::BTreeSet;

use num_traits::{Signed, Zero};

use crate::model::{Belief, Exact, WorldEffort, atoms, beliefs};
use crate::release::Series;
use crate::share::Share;

/// How a person is linked to a lasting value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LastingLink {
    /// The person's code.
    pub person: u32,
    /// The value, or group of values.
    pub value: String,
    /// The probability, or a bound.
    pub belief: Belief,
}

/// What all releases together let an onlooker believe about lasting values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LastingAttack {
    /// The largest probability or bound first, then by person and value; who cannot have a value is left out.
    pub links: Vec<LastingLink>,
    /// Persons who are above the limit for some value.
    pub above: BTreeSet<u32>,
    /// Other persons of whom that is not decided.
    pub undecided: BTreeSet<u32>,
    /// Values of which no world is possible: somebody lost them.
    pub contradicted: Vec<String>,
}

/// Attacks a series of releases.
pub fn lasting(series: &Series, limit: Share, effort: WorldEffort) -> LastingAttack {
    let limit = Exact::new(limit.numerator().into(), limit.denominator().into());
    let (atoms, of_person) = atoms(series.of_person.iter().map(Vec::as_slice));
    let mut found = LastingAttack::default();
    for (value, linked) in &series.linked {
        let Some(beliefs) = beliefs(&atoms, linked, effort) else {
            found.contradicted.push(value.clone());
            continue;
        };
        for (person, atom) in (0..).zip(&of_person) {
            let belief = &beliefs[*atom as usize];
            if belief.most.is_zero() {
                continue;
            }
            if (&belief.most - &limit).is_positive() {
                let into = if belief.exact {
                    &mut found.above
                } else {
                    &mut found.undecided
                };
                into.insert(person);
            }
            found.links.push(LastingLink {
                person,
                value: value.clone(),
                belief: belief.clone(),
            });
        }
    }
    found
        .undecided
        .retain(|person| !found.above.contains(person));
    found.links.sort_by(|left, right| {
        let by_belief = right.belief.most.cmp(&left.belief.most);
        by_belief.then_with(|| (left.person, &left.value).cmp(&(right.person, &right.value)))
    });
    found
}
