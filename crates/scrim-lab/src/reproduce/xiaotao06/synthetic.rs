//! A made-up primary relation in the shape of the paper's: older people and longer schooling go with higher income and
//! other jobs, so that classes are not all alike. The same number of rows gives the same rows everywhere.

use scrim::Random;

use super::chance::{happens, pick};
use super::income::{Incomes, LEAVES};
use super::primary::{Person, Primary, SEED};

const AGES: (u32, u32) = (19, 64);
const SCHOOLING: u32 = 24;
/// Majors, groups in a major, jobs in a group.
const JOBS: [usize; 3] = [5, 2, 5];
const MARITAL: [&str; 5] = ["divorced", "married", "never", "separated", "widowed"];

/// A relation of so many people.
pub(super) fn primary(rows: usize) -> Primary {
    let mut random = Random::new(SEED);
    let schooling: Vec<u64> = (1..=24)
        .map(|years| match years {
            1..=8 => 1,
            9..=14 => 3,
            16 | 21 => 40,
            18 | 19 => 22,
            _ => 12,
        })
        .collect();
    let people = (0..rows).map(|_| person(&mut random, &schooling)).collect();
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect();
    Primary {
        people,
        genders: words(&["female", "male"]),
        maritals: words(&MARITAL),
        occupations: (0..jobs()).map(job).collect(),
        incomes: Incomes::even(),
        marital_levels: None,
        occupation_levels: job_levels(),
        name: format!("made-up table, {rows} rows"),
        about: format!("made up by a generator with seed {SEED}; 50 incomes of 1000 each"),
    }
}

/// A small number.
fn below(random: &mut Random, limit: u32) -> u32 {
    random.below(limit.into()) as u32
}

fn jobs() -> usize {
    JOBS.iter().product()
}

fn person(random: &mut Random, schooling: &[u64]) -> Person {
    let span = AGES.1 - AGES.0 + 1;
    // The middle of two draws of three: few very young, few very old.
    let mut ages = [0; 3].map(|_| below(random, span));
    ages.sort_unstable();
    let age = AGES.0 + ages[1];
    let education = 1 + pick(random, schooling) as u32;
    let gender = u32::from(happens(random, 470));
    Person {
        age,
        education,
        gender,
        marital: marital(random, age),
        occupation: occupation(random, education, gender),
        income: income(random, age, education),
    }
}

fn marital(random: &mut Random, age: u32) -> u32 {
    let single = 900u32.saturating_sub((age - AGES.0) * 30).max(120);
    match below(random, 1_000) {
        draw if draw < single => 2,
        _ => match below(random, 100) {
            0..=69 => 1,
            70..=89 => 0,
            90..=94 => 3,
            _ if age > 45 => 4,
            _ => 1,
        },
    }
}

/// Half of the jobs go with schooling, half are anyone's; some are rather held by women, some by men.
fn occupation(random: &mut Random, education: u32, gender: u32) -> u32 {
    let all = jobs() as u32;
    let place = if happens(random, 500) {
        below(random, all)
    } else {
        let near = (education - 1) * all / SCHOOLING;
        (near + below(random, 9)).min(all - 1)
    };
    let shift = gender * 2 * u32::from(happens(random, 300));
    (place + shift) % all
}

/// A third of the incomes goes with age and schooling, the others are anyone's.
fn income(random: &mut Random, age: u32, education: u32) -> u8 {
    let all = LEAVES as u32;
    if happens(random, 670) {
        return below(random, all) as u8;
    }
    let middle = education * 5 / 4 + (age - AGES.0) / 4;
    let noise = below(random, 21) + below(random, 21);
    // What leaves the range at one end comes in at the other.
    ((middle + noise + all - 20) % all) as u8
}

fn job(number: usize) -> String {
    format!("job-{number:02}")
}

/// A level file: job, group, major, top.
fn job_levels() -> String {
    let [_, groups, each] = JOBS;
    let line = |number: usize| {
        let group = number / each;
        format!("{};group-{group};major-{};*\n", job(number), group / groups)
    };
    (0..jobs()).map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_the_shape_of_the_paper_s_relation() {
        let made = primary(20_000);
        assert_eq!(made.people, primary(20_000).people);
        assert_eq!(made.range(|person| person.age), AGES);
        assert_eq!(made.range(|person| person.education), (1, 24));
        assert_eq!(made.range(|person| person.occupation), (0, 49));
        assert_eq!(made.range(|person| person.marital), (0, 4));
        assert_eq!(made.range(|person| person.income.into()), (0, 49));
        // Neither even nor so frequent that wishes could not be met.
        let most = made.largest_parent();
        assert!((10.5..13.5).contains(&most), "{most}");
    }
}
