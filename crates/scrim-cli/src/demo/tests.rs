//! The promises of the sample: whole, plausible, the same each time.

use std::collections::{BTreeMap, BTreeSet};

use super::{diagnoses, generate};

const PATIENT: usize = 0;
const NAME: usize = 1;
const AGE: usize = 2;
const SEX: usize = 3;
const ZIP: usize = 4;
const JOB: usize = 5;
const ADMITTED: usize = 6;
const DIAGNOSIS: usize = 7;
const WISH: usize = 8;

fn file(rows: usize, seed: u64, name: &str) -> String {
    let files = generate(rows, seed).files;
    files
        .into_iter()
        .find(|(found, _)| *found == name)
        .expect("the file is there")
        .1
}

fn table(rows: usize, seed: u64) -> Vec<Vec<String>> {
    let split = |line: &str| line.split(',').map(str::to_owned).collect();
    file(rows, seed, "patients.csv")
        .lines()
        .skip(1)
        .map(split)
        .collect()
}

/// The parent of each taxon of the tree of diagnoses.
fn parents() -> BTreeMap<String, String> {
    let text = file(1, 1, "diagnosis.csv");
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("child,parent"));
    let edges: Vec<_> = lines
        .map(|line| line.split_once(',').expect("two fields"))
        .collect();
    let parents: BTreeMap<_, _> = edges
        .iter()
        .map(|&(child, parent)| (child.to_owned(), parent.to_owned()))
        .collect();
    assert_eq!(parents.len(), edges.len(), "each taxon has one parent");
    parents
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
    assert_eq!(generate(500, 7).files, generate(500, 7).files);
    assert_ne!(table(500, 7), table(500, 8));
}

#[test]
fn the_bytes_are_the_same_on_every_platform() {
    // FNV-1a of the table, written down once. It changes only with the sample itself.
    let hash = file(2_000, 7, "patients.csv")
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
    assert_eq!(hash, 0xe4af_b406_eafb_7bd4);
}

#[test]
fn there_are_as_many_rows_as_asked_for_each_with_ten_unquoted_fields() {
    for rows in [1, 2, 17, 1_000] {
        let table = table(rows, 3);
        assert_eq!(table.len(), rows);
        assert!(
            table
                .iter()
                .flatten()
                .all(|field| !field.contains(['"', ';', '\r']))
        );
        assert!(table.iter().all(|row| row.len() == 10));
    }
}

#[test]
fn every_job_has_a_leaf_and_every_line_the_same_depth() {
    let file = file(1, 1, "job.csv");
    assert!(
        file.lines()
            .all(|line| line.split(';').count() == 4 && line.ends_with(";*"))
    );
    let leaves: Vec<_> = file
        .lines()
        .filter_map(|line| line.split(';').next())
        .collect();
    assert_eq!(leaves.iter().collect::<BTreeSet<_>>().len(), leaves.len());
    let table = table(10_000, 1);
    let jobs: BTreeSet<_> = table
        .iter()
        .map(|row| row[JOB].as_str())
        .filter(|job| !job.is_empty())
        .collect();
    assert_eq!(jobs, leaves.into_iter().collect());
}

#[test]
fn every_group_of_jobs_lies_in_one_sector() {
    let mut sectors = BTreeMap::new();
    for line in file(1, 1, "job.csv").lines() {
        let fields: Vec<_> = line.split(';').map(str::to_owned).collect();
        assert_eq!(
            *sectors
                .entry(fields[1].clone())
                .or_insert(fields[2].clone()),
            fields[2]
        );
    }
}

#[test]
fn the_tree_of_diagnoses_has_one_root_three_steps_above_every_leaf() {
    let parents = parents();
    let inner: BTreeSet<_> = parents.values().cloned().collect();
    let roots: Vec<_> = inner
        .iter()
        .filter(|taxon| !parents.contains_key(*taxon))
        .collect();
    assert_eq!(roots, [diagnoses::ROOT]);
    for leaf in parents.keys().filter(|taxon| !inner.contains(*taxon)) {
        assert_eq!(parents[&parents[&parents[leaf]]], diagnoses::ROOT);
    }
}

#[test]
fn every_diagnosis_is_a_leaf_and_every_wish_lies_on_its_path() {
    let parents = parents();
    let inner: BTreeSet<_> = parents.values().cloned().collect();
    let mut wishes = 0;
    for row in table(10_000, 1) {
        let leaf = &row[DIAGNOSIS];
        assert!(
            parents.contains_key(leaf) && !inner.contains(leaf),
            "{leaf}"
        );
        let path = [leaf, &parents[leaf], &parents[&parents[leaf]]];
        assert!(
            row[WISH].is_empty() || path.contains(&&row[WISH]),
            "{row:?}"
        );
        wishes += usize::from(!row[WISH].is_empty());
    }
    assert!((900..1_100).contains(&wishes), "{wishes}");
}

#[test]
fn the_rows_of_a_patient_agree_and_ages_follow_the_dates() {
    let mut first = BTreeMap::new();
    for row in table(20_000, 5) {
        let age: u32 = row[AGE].parse().expect("a number");
        assert!(age <= 99);
        let (known, known_age) = first
            .entry(row[PATIENT].clone())
            .or_insert((row.clone(), age));
        assert_eq!(
            [&row[NAME], &row[SEX], &row[ZIP]],
            [&known[NAME], &known[SEX], &known[ZIP]]
        );
        // Rows come by date. Within d days a person has d / 365.2425 birthdays, rounded down or up.
        let days = day(&row[ADMITTED]) - day(&known[ADMITTED]);
        let grown = age.checked_sub(*known_age).expect("nobody grows younger");
        let fewest = days * 400 / 146_097;
        assert!(
            (fewest..=fewest + 1).contains(&grown),
            "{row:?} after {known:?}"
        );
        assert!(grown <= 2);
    }
}

#[test]
fn some_patients_come_two_to_four_times_and_a_few_jobs_are_missing() {
    let table = table(20_000, 5);
    let mut visits: BTreeMap<&str, usize> = BTreeMap::new();
    for row in &table {
        *visits.entry(&row[PATIENT]).or_default() += 1;
    }
    let beyond_first = table.len() - visits.len();
    assert!((1_400..1_800).contains(&beyond_first), "{beyond_first}");
    let seen: BTreeSet<_> = visits.into_values().collect();
    assert_eq!(seen, BTreeSet::from([1, 2, 3, 4]));
    let missing = table.iter().filter(|row| row[JOB].is_empty()).count();
    assert!((60..140).contains(&missing), "{missing}");
}

#[test]
fn the_policy_names_every_column_of_the_table_once() {
    let policy = file(1, 1, "policy.toml");
    let table = file(1, 1, "patients.csv");
    for column in table.lines().next().expect("a header").split(',') {
        let lines = policy
            .lines()
            .filter(|line| line.starts_with(column) && line.contains("role = "));
        assert_eq!(lines.count(), 1, "{column}");
    }
}

/// The days from the start of 2023 to this ISO date of 2023 or 2024.
fn day(date: &str) -> u32 {
    let before = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];
    let number = |text: &str| text.parse::<u32>().expect("a number");
    let (year, month, day) = (number(&date[..4]), number(&date[5..7]), number(&date[8..]));
    let leap = u32::from(year == 2024 && month > 2);
    (year - 2023) * 365 + before[month as usize - 1] + leap + day
}
