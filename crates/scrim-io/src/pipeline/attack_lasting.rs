//! The same onlooker, who also knows that some values stay once somebody has them.
//!
//! **Reading.** Each release is judged by itself and all before it, the last by all. A bound is told as such: who is only bounded by
//! more than the limit may or may not be above it, and then the promise is not shown to hold.
//! **Cost.** That of counting worlds, which is limited, once a release.

use scrim::Share;
use scrim::adversary::{LastingAttack, LastingLink, lasting};
use scrim::model::{Exact, WorldEffort, nearest};
use scrim::release::{History, Series, Shield};
use serde::Serialize;

use super::attack_serial::{LinkAnswer, MAX_DIGITS, SerialAnswer};
use crate::IoError;
use crate::ledger::Ledger;

/// What all releases together say about lasting values.
#[derive(Clone, Debug, Default, Serialize)]
pub struct LastingAnswer {
    /// The largest probability of anybody, or a bound.
    pub max: f64,
    /// The same as a fraction, where it is not too long.
    pub max_exact: Option<String>,
    /// Whether that is the probability itself.
    pub exact: bool,
    /// Persons above the limit.
    pub above: u64,
    /// Persons who may be above it: there are too many possible histories to count.
    pub undecided: u64,
    /// Values that somebody lost, by the published counts: they do not last, and no probability follows.
    pub contradicted: u64,
}

/// Adds what lasting values give away to an answer about transient ones. `above` are the persons above the limit for those.
pub(super) fn add_lasting(
    answer: &mut SerialAnswer,
    (ledger, history): (&Ledger, &History),
    shield: &Shield,
    (limit, most): (Share, usize),
    above: &[u32],
) -> Result<(), IoError> {
    let attack = |history: &History| -> Result<LastingAttack, IoError> {
        let series = Series::new(history, shield).map_err(|what| {
            let what = format!("lasting values cannot be judged: {what}");
            IoError::ledger(
                ledger.path(),
                what,
                "`scrim ledger list` says what was recorded",
            )
        })?;
        Ok(lasting(&series, limit, WorldEffort::default()))
    };
    for release in &mut answer.releases {
        let until = attack(&history.before(release.release + 1))?;
        let localized = localized(history, shield, release.release);
        if let Some(share) = localized.filter(|share| nearest(share) > release.localized) {
            (release.localized, release.localized_exact) = told(&share);
        }
        if let Some(link) = until.links.first() {
            let (p, exact) = told(&link.belief.most);
            if p > release.global {
                (release.global, release.global_exact) = (p, exact);
            }
        }
        let present = history
            .of_person
            .iter()
            .enumerate()
            .filter(|(person, classes)| {
                let mut classes = classes
                    .iter()
                    .map(|class| &history.classes[*class as usize]);
                let person = *person as u32;
                let counts = until.above.contains(&person) || until.undecided.contains(&person);
                counts && classes.any(|class| class.release == release.release)
            });
        // Who is above for both kinds is counted for one of them only.
        release.above = release.above.max(present.count() as u64);
    }
    let found = attack(history)?;
    let mut all = found.above.clone();
    all.extend(above);
    answer.above = all.len() as u64;
    answer.holds &=
        answer.above == 0 && found.undecided.is_empty() && found.contradicted.is_empty();
    let largest = found.links.first();
    let (max, max_exact) =
        largest.map_or((0.0, Some("0".to_owned())), |link| told(&link.belief.most));
    if max > answer.max {
        (answer.max, answer.max_exact) = (max, max_exact.clone());
    }
    answer.lasting = Some(LastingAnswer {
        max,
        max_exact,
        exact: largest.is_none_or(|link| link.belief.exact),
        above: found.above.len() as u64,
        undecided: found.undecided.len() as u64,
        contradicted: found.contradicted.len() as u64,
    });
    let links = found.links.iter().take(most);
    let links = links
        .map(|link| link_answer(history, link))
        .collect::<Result<Vec<_>, _>>()?;
    answer.persons.extend(links);
    answer.persons.sort_by(|left, right| {
        let by_p = right.p.total_cmp(&left.p);
        by_p.then_with(|| (left.person, &left.value).cmp(&(right.person, &right.value)))
    });
    answer.persons.truncate(most);
    Ok(())
}

fn link_answer(history: &History, link: &LastingLink) -> Result<LinkAnswer, IoError> {
    let person = history.row_of(link.person);
    let (p, p_exact) = told(&link.belief.most);
    Ok(LinkAnswer {
        person: person.ok_or_else(|| IoError::internal("a person without a row"))?,
        value: link.value.clone(),
        p,
        p_exact,
        lasting: true,
        bound: !link.belief.exact,
    })
}

/// The largest share of a lasting value in a class of a release.
fn localized(history: &History, shield: &Shield, release: u32) -> Option<Exact> {
    let classes = history
        .classes
        .iter()
        .filter(|class| class.release == release);
    let shares = classes.flat_map(|class| {
        shield.lasting_names().into_iter().map(move |name| {
            let of_name = class.counts.iter();
            let of_name = of_name.filter(|(text, _)| shield.lasting(text) == Some(name));
            let rows: u64 = of_name.map(|(_, rows)| rows).sum();
            Exact::new(rows.into(), class.rows.max(1).into())
        })
    });
    shares.max()
}

/// A probability as a number, and as a fraction where it is not too long.
fn told(exact: &Exact) -> (f64, Option<String>) {
    let text = exact.to_string();
    (nearest(exact), (text.len() <= MAX_DIGITS).then_some(text))
}
