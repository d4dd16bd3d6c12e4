//! Lasting values over several releases, by possible worlds.
//!
//! **Definition.** A world says of every individual and every release that the individual is in whether the individual has the
//! value, and nobody who had it is without it later, also across releases that the individual misses. In every group of every
//! release as many individuals have the value as were published. The probability that an individual is linked to the value is
//! the share of worlds in which the individual has it in some release.
//! **Reading.** Worlds are tried person by person: an individual has the value from one of its releases on, or never. Several
//! values may be taken together: having any of them.

use super::serial::Release;
use crate::Fraction;

/// Counts worlds: all of them, and for each individual (ascending) those in which it has one of the values.
#[must_use]
pub fn worlds(releases: &[Release], values: &[&str]) -> (u128, Vec<(u32, u128)>) {
    let groups = || releases.iter().flatten();
    let mut individuals: Vec<u32> = groups()
        .flat_map(|group| group.individuals.clone())
        .collect();
    individuals.sort_unstable();
    individuals.dedup();
    // The groups that each individual is in, release by release.
    let places: Vec<Vec<usize>> = individuals
        .iter()
        .map(|individual| {
            let all = groups().enumerate();
            all.filter(|(_, group)| group.individuals.contains(individual))
                .map(|(at, _)| at)
                .collect()
        })
        .collect();
    let published: Vec<usize> = groups()
        .map(|group| {
            group
                .values
                .iter()
                .filter(|own| values.contains(own))
                .count()
        })
        .collect();
    let mut since = vec![0; individuals.len()];
    let (mut all, mut linked) = (0, vec![0; individuals.len()]);
    loop {
        let mut carriers = vec![0; published.len()];
        for (places, since) in places.iter().zip(&since) {
            places[*since..]
                .iter()
                .for_each(|group| carriers[*group] += 1);
        }
        if carriers == published {
            all += 1;
            for ((count, places), since) in linked.iter_mut().zip(&places).zip(&since) {
                *count += u128::from(*since < places.len());
            }
        }
        // The next choice of first releases: an odometer.
        let Some(wheel) = (0..since.len()).find(|wheel| since[*wheel] < places[*wheel].len())
        else {
            return (all, individuals.into_iter().zip(linked).collect());
        };
        since[..wheel].fill(0);
        since[wheel] += 1;
    }
}

/// The probability that an individual has, or had, one of the values; nothing where no world is possible.
#[must_use]
pub fn probability(releases: &[Release], individual: u32, values: &[&str]) -> Option<Fraction> {
    let (all, linked) = worlds(releases, values);
    let (_, count) = linked.iter().find(|(other, _)| *other == individual)?;
    (all > 0).then(|| Fraction::whole(*count) / Fraction::whole(all))
}
