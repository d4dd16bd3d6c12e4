//! Classes for lasting values: who was together stays together.
//!
//! **Reading.** All rows of a cohort are in one class. Newcomers form new cohorts among themselves, of at least 4·l rows where there
//! are so many, so that a few more carriers do not pass the limit. A cohort whose class is not valid, by its own counts or because
//! of those who left it, and newcomers who are too few, are united with the classes that cost least, one after the other, until
//! the class is valid. Where even all rows together are not, nothing is found.

use num_traits::ToPrimitive;

use super::super::{Progress, Watch};
use super::crowd::Crowd;
use super::partition as partners;
use crate::error::Error;

/// What the report says about it.
pub(super) const NOTE: &str = "cohorts of earlier releases stay together; newcomers form new ones; what is not valid alone is united with the classes that cost least";

/// So many of the cheapest classes are tried before the cheapest is taken.
const TRIED: usize = 32;

/// The classes of all rows; nothing where some cannot be valid.
pub(super) fn partition(
    crowd: &mut Crowd<'_>,
    count: usize,
    watch: &mut dyn Watch,
) -> Result<Option<Vec<Vec<u32>>>, Error> {
    let Some(cohorts) = crowd.cohorts() else {
        return Ok(None);
    };
    let mut classes: Vec<Vec<u32>> = cohorts.units().cloned().collect();
    let newcomers: Vec<u32> = (0..count as u32)
        .filter(|row| cohorts.is_newcomer(*row))
        .collect();
    if !newcomers.is_empty() {
        let founded = found(crowd, &newcomers, watch)?;
        // Too few to be a class of their own: they join somebody.
        classes.extend(founded.unwrap_or_else(|| vec![newcomers]));
    }
    let mut waiting: Vec<usize> = (0..classes.len()).collect();
    while let Some(at) = waiting.pop() {
        watch.step(&Progress {
            doing: "judging cohorts",
            checked: (classes.len() - waiting.len()) as u64,
            decided: None,
            best: None,
            cost: None,
        })?;
        if classes[at].is_empty() || crowd.is_valid(&classes[at]) {
            continue;
        }
        let Some(other) = partner(crowd, &classes, at) else {
            return Ok(None);
        };
        let joining = std::mem::take(&mut classes[other]);
        classes[at].extend(joining);
        classes[at].sort_unstable();
        waiting.push(at);
    }
    classes.retain(|class| !class.is_empty());
    classes.sort_unstable();
    Ok(Some(classes))
}

/// New cohorts: large ones, or else any that are valid.
fn found(
    crowd: &mut Crowd<'_>,
    newcomers: &[u32],
    watch: &mut dyn Watch,
) -> Result<Option<Vec<Vec<u32>>>, Error> {
    let least = crowd.least;
    let roomy = (crowd.limit().recip() * num_bigint::BigInt::from(4)).ceil();
    let roomy = roomy.to_integer().to_u64().unwrap_or(u64::MAX);
    crowd.least = least.max(roomy);
    let founded = partners(crowd, newcomers.to_vec(), watch);
    crowd.least = least;
    match founded? {
        Some(founded) => Ok(Some(founded)),
        None => partners(crowd, newcomers.to_vec(), watch),
    }
}

/// The class to unite with: of the cheapest the first that makes it valid, or else the cheapest.
fn partner(crowd: &Crowd<'_>, classes: &[Vec<u32>], at: usize) -> Option<usize> {
    let others = (0..classes.len()).filter(|other| *other != at && !classes[*other].is_empty());
    let mut order: Vec<(u64, usize)> = others
        .map(|other| {
            let both = [classes[at].as_slice(), &classes[other]].concat();
            (crowd.cost(&both) - crowd.cost(&classes[other]), other)
        })
        .collect();
    order.sort_unstable();
    let valid = order
        .iter()
        .take(TRIED)
        .find(|(_, other)| crowd.is_valid(&[classes[at].as_slice(), &classes[*other]].concat()));
    valid.or(order.first()).map(|(_, other)| *other)
}
