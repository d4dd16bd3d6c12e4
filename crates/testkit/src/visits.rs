//! Tables in which a person has several rows, shaped like public ones: diagnoses joined with their patients, and stays in a
//! hospital. They are small, random by a seed, and say which person each row is about, so that a checker can count persons.
//!
//! The rows of a person share birth, sex and place, as they do in life: a policy that counts rows finds classes of many rows
//! that are one person's.

use std::fmt::Write as _;

use crate::random::SplitMix64;

/// A table with its persons.
#[derive(Clone, Debug)]
pub struct Visits {
    /// The table as CSV. Its last column, `mark`, numbers the rows.
    pub csv: String,
    /// The person of each row, in the order of `mark`.
    pub persons: Vec<u32>,
}

const ILLNESSES: [(u32, &str); 8] = [
    (65_363_002, "Otitis media"),
    (195_662_009, "Acute viral pharyngitis (disorder)"),
    (10_509_002, "Acute bronchitis (disorder)"),
    (444_814_009, "Viral sinusitis (disorder)"),
    (59_621_000, "Hypertension"),
    (44_054_006, "Diabetes"),
    (271_737_000, "Anemia (disorder)"),
    (233_678_006, "Childhood asthma"),
];
const TOWNS: [(&str, &str); 6] = [
    ("San Diego", "91911.0"),
    ("Costa Mesa", "92614.0"),
    ("Fresno", "93650.0"),
    ("Oakland", "94601.0"),
    ("Eureka", "95501.0"),
    ("Redding", "96001.0"),
];

impl Visits {
    /// Diagnoses joined with their patients, as Synthea exports them: keys are UUIDs, names have digits, postal codes a `.0`.
    #[must_use]
    pub fn diagnoses(persons: u32, seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let mut visits = Self::with_header(
            "START,STOP,PATIENT,ENCOUNTER,CODE,DESCRIPTION,BIRTHDATE,SSN,PREFIX,FIRST,LAST,MAIDEN,GENDER,ADDRESS,CITY,ZIP",
        );
        for person in 0..persons {
            let (town, zip) = TOWNS[below(&mut random, 6)];
            let woman = below(&mut random, 2) == 0;
            let own = format!(
                "19{}-{:02}-{:02},999-{:02}-{:04},{},{}{},{}{},{},{},{} Main Street,{town},{zip}",
                30 + below(&mut random, 60),
                1 + below(&mut random, 12),
                1 + below(&mut random, 28),
                person / 100 + 10,
                1000 + person,
                if woman { "Mrs." } else { "Mr." },
                ["Bertie", "Gilberto", "Ana", "Kim", "Noor", "Ines", "Omar"][below(&mut random, 7)],
                100 + below(&mut random, 900),
                ["Schneider", "Schultz", "Ortiz", "Haag", "Lind"][below(&mut random, 5)],
                100 + below(&mut random, 900),
                if woman {
                    format!("Moen{}", 100 + person)
                } else {
                    String::new()
                },
                if woman { "F" } else { "M" },
                10 + person,
            );
            for visit in 0..4 + below(&mut random, 12) as u32 {
                let (code, illness) = ILLNESSES[below(&mut random, 8)];
                let (year, month) = (2000 + below(&mut random, 20), 1 + below(&mut random, 12));
                visits.add(
                    person,
                    &format!(
                        "{year}-{month:02}-03,{year}-{month:02}-17,{},{},{code},{illness},{own}",
                        uuid(person),
                        uuid(1_000_000 + person * 100 + visit)
                    ),
                );
            }
        }
        visits
    }

    /// Stays in a hospital, as in the diabetes table of UCI: numbers for keys, ranges for ages, codes named `id`.
    #[must_use]
    pub fn stays(persons: u32, seed: u64) -> Self {
        let mut random = SplitMix64::new(seed);
        let mut visits = Self::with_header(
            "encounter_id,patient_nbr,race,gender,age,admission_type_id,time_in_hospital,diag_1,readmitted",
        );
        for person in 0..persons {
            let decade = 10 * below(&mut random, 10);
            let own = format!(
                "{},{},[{decade}-{})",
                ["Caucasian", "AfricanAmerican", "Asian", "?"][below(&mut random, 4)],
                ["Female", "Male"][below(&mut random, 2)],
                decade + 10
            );
            for visit in 0..=below(&mut random, 5) as u32 {
                visits.add(
                    person,
                    &format!(
                        "{},{},{own},{},{},{},{}",
                        12_522 + person * 10 + visit,
                        48_330_783 + person * 17,
                        1 + below(&mut random, 8),
                        1 + below(&mut random, 14),
                        [250, 398, 410, 427, 428, 486][below(&mut random, 6)],
                        ["NO", "<30", ">30"][below(&mut random, 3)],
                    ),
                );
            }
        }
        visits
    }

    fn with_header(header: &str) -> Self {
        Self {
            csv: format!("{header},mark\n"),
            persons: Vec::new(),
        }
    }

    fn add(&mut self, person: u32, row: &str) {
        let _ = writeln!(self.csv, "{row},{}", self.persons.len());
        self.persons.push(person);
    }

    /// How many persons each class of a release has, by the texts of these columns, rows of stars only left out. The release must
    /// show `mark` as it is.
    ///
    /// # Panics
    ///
    /// Where a column is not there, or a row has no mark.
    #[must_use]
    pub fn persons_by_class(&self, release: &str, columns: &[&str]) -> Vec<usize> {
        let mut lines = release.lines().map(cells);
        let header = lines.next().expect("a header");
        let place = |name: &str| {
            let found = header.iter().position(|own| own == name);
            found.unwrap_or_else(|| panic!("no column {name}"))
        };
        let places: Vec<usize> = columns.iter().map(|name| place(name)).collect();
        let mark = place("mark");
        let mut classes = std::collections::BTreeMap::new();
        for row in lines {
            let class: Vec<String> = places.iter().map(|at| row[*at].clone()).collect();
            let number: usize = row[mark].parse().expect("a mark");
            let persons: &mut std::collections::BTreeSet<u32> = classes.entry(class).or_default();
            persons.insert(self.persons[number]);
        }
        classes.retain(|class, _| class.iter().any(|text| text != "*"));
        classes
            .values()
            .map(std::collections::BTreeSet::len)
            .collect()
    }
}

fn below(random: &mut SplitMix64, most: u64) -> usize {
    (random.next_u64() % most) as usize
}

fn uuid(number: u32) -> String {
    let mixed = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    format!(
        "{:08x}-{:04x}-4{:03x}-8{:03x}-{number:012x}",
        mixed >> 32,
        mixed & 0xffff,
        (mixed >> 16) & 0xfff,
        (mixed >> 20) & 0xfff
    )
}

/// The cells of a line, quoted ones without their quotes.
fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    for character in line.chars() {
        match character {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            other => cells.last_mut().expect("a cell").push(other),
        }
    }
    cells
}
