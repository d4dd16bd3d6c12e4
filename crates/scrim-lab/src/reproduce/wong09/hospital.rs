//! Who was in the hospital, release by release: what the study publishes.
//!
//! The made-up hospital: people come, stay for some releases, are away now and then and leave for good; most keep their
//! disease from one release to the next, some get another. The same seed and size give the same people everywhere.

use scrim::Random;

use super::super::chance::{happens, pick};

/// How many releases there are.
pub(super) const RELEASES: usize = 10;
/// Of a thousand: leave for good, are away once, get another disease.
const LEAVE: u64 = 100;
const AWAY: u64 = 100;
const CHANGE: u64 = 350;

/// Diseases and how common they are; the first ones are protected.
const DISEASES: [(&str, u64); 12] = [
    ("chlamydia", 15),
    ("syphilis", 10),
    ("depression", 20),
    ("flu", 190),
    ("fever", 120),
    ("asthma", 110),
    ("diabetes", 130),
    ("fracture", 90),
    ("migraine", 75),
    ("gastritis", 90),
    ("angina", 80),
    ("bronchitis", 70),
];
const PROTECTED: usize = 3;

/// A row of a release.
#[derive(Clone, Debug)]
pub(super) struct Visit {
    /// From 0, the same in all releases.
    pub(super) person: u32,
    /// The quasi-identifiers.
    pub(super) cells: Vec<String>,
    pub(super) value: String,
}

/// What is published.
#[derive(Debug)]
pub(super) struct Hospital {
    /// For titles.
    pub(super) name: String,
    /// Where it comes from.
    pub(super) about: String,
    /// The quasi-identifiers: name, and how a policy describes it.
    pub(super) columns: Vec<(&'static str, &'static str)>,
    pub(super) protected: Vec<String>,
    pub(super) releases: Vec<Vec<Visit>>,
    pub(super) persons: u32,
}

impl Hospital {
    /// Persons who are in more than one release.
    pub(super) fn again(&self) -> usize {
        let mut seen = vec![0u32; self.persons as usize];
        for visit in self.releases.iter().flatten() {
            seen[visit.person as usize] += 1;
        }
        seen.iter().filter(|times| **times > 1).count()
    }
}

struct Patient {
    person: u32,
    female: bool,
    age: u32,
    zip: u32,
    disease: usize,
}

/// Every release has so many rows.
pub(super) fn made_up(rows: usize, seed: u64) -> Hospital {
    let mut random = Random::new(seed);
    let weights: Vec<u64> = DISEASES.iter().map(|(_, weight)| *weight).collect();
    let mut patients: Vec<Patient> = Vec::new();
    let mut persons = 0;
    let mut releases = Vec::new();
    for release in 0..RELEASES {
        let mut present = Vec::with_capacity(rows);
        for patient in &mut patients {
            patient.age = (patient.age + u32::from(release % 2 == 0)).min(99);
            if happens(&mut random, CHANGE) {
                patient.disease = pick(&mut random, &weights);
            }
            if present.len() < rows && !happens(&mut random, AWAY) {
                present.push(visit(patient));
            }
        }
        while present.len() < rows {
            // All protected values are there from the start, also in a small table.
            let disease = if (persons as usize) < PROTECTED {
                persons as usize
            } else {
                pick(&mut random, &weights)
            };
            let patient = Patient {
                person: persons,
                female: happens(&mut random, 520),
                age: 18 + (random.below(70) * random.below(70) / 70 + random.below(12)) as u32,
                zip: 65_000 + (random.below(12) * 10 + random.below(10)) as u32,
                disease,
            };
            present.push(visit(&patient));
            patients.push(patient);
            persons += 1;
        }
        patients.retain(|_| !happens(&mut random, LEAVE));
        releases.push(present);
    }
    Hospital {
        name: format!("made-up hospital, {rows} rows a release"),
        about: format!(
            "made up by a generator with seed {seed}: of a thousand patients {LEAVE} leave for good between two releases, {AWAY} are away once, {CHANGE} draw their disease anew"
        ),
        columns: vec![
            ("age", "numeric = { from = 18, to = 99 }"),
            ("sex", "hierarchy = { flat = true }"),
            ("zip", "hierarchy = { mask = \"right\" }"),
        ],
        protected: DISEASES[..PROTECTED]
            .iter()
            .map(|(name, _)| (*name).to_owned())
            .collect(),
        releases,
        persons,
    }
}

fn visit(patient: &Patient) -> Visit {
    Visit {
        person: patient.person,
        cells: vec![
            patient.age.to_string(),
            if patient.female { "F" } else { "M" }.to_owned(),
            patient.zip.to_string(),
        ],
        value: DISEASES[patient.disease].0.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_come_again_change_and_leave() {
        let hospital = made_up(300, 1);
        assert!(hospital.releases.iter().all(|release| release.len() == 300));
        assert!(hospital.again() > 300 && hospital.persons > 450);
        for release in &hospital.releases {
            let mut persons: Vec<u32> = release.iter().map(|visit| visit.person).collect();
            persons.sort_unstable();
            persons.dedup();
            assert_eq!(persons.len(), 300);
        }
        let first = &hospital.releases[0];
        let last = &hospital.releases[RELEASES - 1];
        let both: Vec<(&Visit, &Visit)> = first
            .iter()
            .filter_map(|one| Some((one, last.iter().find(|two| two.person == one.person)?)))
            .collect();
        let changed = both
            .iter()
            .filter(|(one, two)| one.value != two.value)
            .count();
        assert!(both.len() > 40 && changed > 10 && changed < both.len());
    }
}
