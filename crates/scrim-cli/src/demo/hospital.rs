//! The table of admissions, in the order of their dates.

use std::fmt::Write;

use super::calendar::{self, Day};
use super::diagnoses::{self, Diagnoses};
use super::jobs;
use super::people::{Person, Population};
use super::random::{Random, Weighted};

/// The columns of the table.
const HEADER: &str = "patient,name,age,sex,zip,job,admitted,diagnosis,wish,ward\n";

/// The wards. A patient gets the bed that is free, so the ward tells nothing about the patient.
const WARDS: [&str; 8] = [
    "East 1", "East 2", "North 1", "North 2", "South 1", "South 2", "West 1", "West 2",
];

/// Bytes that a row takes, rounded up.
const ROW_BYTES: usize = 96;

/// Of a thousand admissions, how many try to be of someone who was here before.
const RETURNS: u32 = 85;
/// Of a thousand of these, how many are of someone who came back before.
const RETURNS_AGAIN: u32 = 200;
/// Of a thousand of these, how many come with the same diagnosis again.
const RELAPSES: u32 = 550;
/// Nobody is admitted more often.
const MOST_VISITS: u8 = 4;
/// Days from one admission of a person to the next, at least.
const SHORTEST_GAP: u32 = 4;
/// Of a thousand rows with a delicate diagnosis, how many have a wish.
const DELICATE_WISHES: u32 = 350;
/// Of a thousand other rows, how many have one.
const OTHER_WISHES: u32 = 45;
/// How many wishes guard the diagnosis itself, its group, its chapter. None guards the root: every release says that
/// a patient has some diagnosis, so nothing but silence could grant it.
const WISH_WEIGHTS: [u32; 3] = [50, 35, 15];
/// Of a thousand rows, how many lack the job.
const JOB_MISSING: u32 = 5;

/// The table of admissions as CSV. No field has a comma, a quote or a line break, so none is quoted.
pub(super) fn admissions(rows: usize, seed: u64) -> String {
    let mut table = String::with_capacity(HEADER.len() + rows * ROW_BYTES);
    table.push_str(HEADER);
    let dates = calendar::dates();
    let mut desk = Desk::new(seed);
    for (day, count) in desk.arrivals(dates.len(), rows).into_iter().enumerate() {
        for _ in 0..count {
            desk.admit(Day::of_opening(day), &dates[day], &mut table);
        }
    }
    table
}

/// Someone who has been admitted.
struct Patient {
    person: Person,
    last: Day,
    visits: u8,
    diagnosis: u8,
}

/// The admission desk: it knows who was here.
struct Desk {
    random: Random,
    population: Population,
    diagnoses: Diagnoses,
    wishes: Weighted,
    patients: Vec<Patient>,
    /// Numbers of the patients who came back.
    returned: Vec<usize>,
}

impl Desk {
    /// The desk on the first day.
    fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            population: Population::new(),
            diagnoses: Diagnoses::new(),
            wishes: Weighted::new(WISH_WEIGHTS),
            patients: Vec::new(),
            returned: Vec::new(),
        }
    }

    /// How many people arrive on each day, so many in all.
    fn arrivals(&mut self, days: usize, rows: usize) -> Vec<usize> {
        let bustle = calendar::bustle(days);
        let mut counts = vec![0; days];
        for _ in 0..rows {
            counts[bustle.pick(&mut self.random)] += 1;
        }
        counts
    }

    /// Admits someone and writes the row.
    fn admit(&mut self, today: Day, date: &str, table: &mut String) {
        let number = match self.known_patient(today) {
            Some(number) => self.admit_again(number, today),
            None => self.admit_new(today),
        };
        self.write_row(number, today, date, table);
    }

    /// Someone who was here before and may come again today, or nobody.
    fn known_patient(&mut self, today: Day) -> Option<usize> {
        if self.patients.is_empty() || !self.random.chance(RETURNS) {
            return None;
        }
        let again = self.random.chance(RETURNS_AGAIN) && !self.returned.is_empty();
        let number = if again {
            self.returned[self.random.index(self.returned.len())]
        } else {
            self.random.index(self.patients.len())
        };
        let patient = &self.patients[number];
        let may_come = patient.visits < MOST_VISITS && today.since(patient.last) >= SHORTEST_GAP;
        may_come.then_some(number)
    }

    /// Admits a patient who was here before.
    fn admit_again(&mut self, number: usize, today: Day) -> usize {
        let patient = &mut self.patients[number];
        patient.visits += 1;
        patient.last = today;
        if patient.visits == 2 {
            self.returned.push(number);
        }
        if !self.random.chance(RELAPSES) {
            let person = &patient.person;
            let choice = self.diagnoses.of(person.age(today), person.sex);
            patient.diagnosis = choice.pick(&mut self.random) as u8;
        }
        number
    }

    /// Admits a new patient.
    fn admit_new(&mut self, today: Day) -> usize {
        let person = self.population.draw(&mut self.random, today);
        let choice = self.diagnoses.of(person.age(today), person.sex);
        let diagnosis = choice.pick(&mut self.random) as u8;
        self.patients.push(Patient {
            person,
            last: today,
            visits: 1,
            diagnosis,
        });
        self.patients.len() - 1
    }

    /// Writes the row of a patient who was admitted today.
    fn write_row(&mut self, number: usize, today: Day, date: &str, table: &mut String) {
        let Patient {
            person, diagnosis, ..
        } = &self.patients[number];
        let path = diagnoses::path(*diagnosis);
        let job = if self.random.chance(JOB_MISSING) {
            ""
        } else {
            jobs::name(person.job)
        };
        let wish = wish(&mut self.random, &self.wishes, *diagnosis);
        let ward = WARDS[self.random.index(WARDS.len())];
        let [first, last] = person.name();
        let (age, sex, zip) = (
            person.age(today),
            person.sex.name(),
            self.population.places.code(person.zip),
        );
        writeln!(
            table,
            "P{:06},{first} {last},{age},{sex},{zip},{job},{date},{},{wish},{ward}",
            number + 1,
            path[0],
        )
        .expect("writing to a string cannot fail");
    }
}

/// What the person asks to hide, for a few; else nothing.
fn wish(random: &mut Random, wishes: &Weighted, diagnosis: u8) -> &'static str {
    let share = if diagnoses::is_delicate(diagnosis) {
        DELICATE_WISHES
    } else {
        OTHER_WISHES
    };
    if random.chance(share) {
        diagnoses::path(diagnosis)[wishes.pick(random)]
    } else {
        ""
    }
}
