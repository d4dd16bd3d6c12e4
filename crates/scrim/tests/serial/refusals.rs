//! Why nothing is published, and what each way out would cost.

use scrim::frequency::Piles;
use scrim::release::{History, Policy};
use scrim::table::Table;
use testkit::oracle::serial as oracle;
use testkit::{SplitMix64, wong};

use crate::cases::{VALUES, history, policy, prepare, random_past, random_rows, table};
use crate::{random_l, rows, told};

#[test]
fn an_own_value_without_room_is_refused_before_any_search_with_what_each_way_out_costs() {
    let policy = policy("l = 2\nvalues = [\"hiv\"]", "");
    let past = vec![vec![wong::group(&[0, 1], &["flu", "hiv"])]];
    let rows = rows(&[
        (0, "hiv"),
        (1, "cold"),
        (4, "fever"),
        (5, "mumps"),
        (6, "rash"),
    ]);
    let table = table(&rows);
    let prepared = prepare(&policy, &table, &history(&past, &table)).unwrap();
    let error = prepared.must_be_feasible().unwrap_err();
    assert_eq!(
        error.to_string(),
        "1 person (ledger row 1) has nothing left for the own value of `s`: every class with that row passes 1/2, whatever its size"
    );
    assert_eq!(
        error.hint().unwrap(),
        "what would help: `retire` with a small `below`: it leaves out 2 persons of 5, whatever they have now; fewer protected values: 1 stands in the way here; a smaller `l`: 5/3 makes the table as one class valid"
    );
}

#[test]
fn too_few_people_are_told_how_many_are_missing() {
    let policy = policy("l = 2\nvalues = [\"hiv\"]", "");
    let past = vec![vec![wong::group(&[0, 1, 2], &["hiv", "cold", "flu"])]];
    let rows = rows(&[(0, "hiv"), (1, "fever"), (2, "mumps")]);
    let table = table(&rows);
    let prepared = prepare(&policy, &table, &history(&past, &table)).unwrap();
    let error = prepared.must_be_feasible().unwrap_err();
    assert_eq!(
        error.to_string(),
        "1 person (ledger row 1) needs a class of up to 4 rows for the own value of `s`, but the table has 3"
    );
    assert_eq!(
        error.hint().unwrap(),
        "what would help: a larger table: at least 1 row more, or as many made-up ones; a smaller `l`: 9/5 makes the table as one class valid"
    );
    assert_eq!(prepared.serial.unwrap().ways_out().counterfeits, Some(1));
}

#[test]
fn a_value_that_all_persons_together_have_no_room_for_is_counted() {
    // Classes of twelve for each of two rows with the value, but there are twenty rows.
    let policy = policy(
        "l = 3\nvalues = [\"hiv\"]\nschedule = \"linear\"\nhorizon = 4",
        "",
    );
    let mut cells = vec![(0, "hiv"), (1, "hiv")];
    cells.extend((2..20).map(|person| (person, "flu")));
    let table = table(&rows(&cells));
    let prepared = prepare(&policy, &table, &History::default()).unwrap();
    let error = prepared.must_be_feasible().unwrap_err();
    assert_eq!(
        error.to_string(),
        "2 rows have the same protected value of `s`, but what the 20 persons may be linked to it with adds up to room for 1"
    );
    assert_eq!(
        error.hint().unwrap(),
        "what would help: `schedule = \"greedy\"`: classes of up to 3 rows instead of 12; who was in one has no room left in later releases; \
         `schedule = \"geometric\"`: classes of up to 6 rows instead of 12; who was in one then needs one of 10 the next time; \
         `schedule = \"inverse-square\"`: classes of up to 9 rows instead of 12; who was in one then needs one of 16 the next time; \
         a larger table: at least 4 persons more without a past and without that value, or as many made-up rows; \
         fewer protected values: 1 stands in the way here; a smaller `l`: 5/2 makes the table as one class valid"
    );
}

/// The partitions of a table that keep all models of a policy, schedule included.
fn is_possible(policy: &Policy, table: &Table, history: &History) -> bool {
    let prepared = prepare(policy, table, history).unwrap();
    let piles = Piles::new(table, prepared.models.tracked()).unwrap();
    let keeps = |group: &Vec<usize>| {
        let rows: Vec<u32> = group.iter().map(|row| *row as u32).collect();
        prepared.models.holds(piles.one(&rows).only())
    };
    let all = oracle::partitions(table.rows());
    all.iter().any(|groups| groups.iter().all(keeps))
}

const SCHEDULES: [&str; 5] = [
    "greedy",
    "constant",
    "linear",
    "geometric",
    "inverse-square",
];

#[test]
fn what_is_told_to_be_hopeless_is_and_what_is_told_to_help_does() {
    let (mut hopeless, mut schedules, mut smaller) = (0, 0, 0);
    for seed in 0..600 {
        let mut random = SplitMix64::new(90_000 + seed);
        let past = random_past(&mut random, 2, 5);
        let rows = random_rows(&mut random, 6, VALUES.len());
        let table = table(&rows);
        let history = history(&past, &table);
        let l = told(random_l(&mut random));
        let values = ["values = [\"hiv\"]", "values = [\"hiv\", \"flu\"]"][random.below(2)];
        let schedule = SCHEDULES[random.below(SCHEDULES.len())];
        let with = |l: &str, schedule: &str| {
            let horizon = if ["constant", "linear"].contains(&schedule) {
                "\nhorizon = 2"
            } else {
                ""
            };
            let serial = format!("{l}\n{values}\nschedule = \"{schedule}\"{horizon}");
            policy(&serial, "")
        };
        let own = with(&l, schedule);
        let Ok(prepared) = prepare(&own, &table, &history) else {
            continue;
        };
        let Err(error) = prepared.must_be_feasible() else {
            continue;
        };
        hopeless += 1;
        assert!(!is_possible(&own, &table, &history), "seed {seed}: {error}");
        let hint = error.hint().unwrap().to_owned();
        // Rows do not help who has no room at all.
        let ways_out = prepared.serial.as_ref().unwrap().ways_out();
        if ways_out.exhausted.count + ways_out.overdrawn.count > 0 {
            let crowded = ways_out.crowded.count > 0;
            assert_eq!(
                hint.contains("a larger table"),
                crowded,
                "seed {seed}: {hint}"
            );
        }
        for name in SCHEDULES {
            if hint.contains(&format!("`schedule = \"{name}\"`")) {
                let other = prepare(&with(&l, name), &table, &history).unwrap();
                assert!(other.must_be_feasible().is_ok(), "seed {seed}: {hint}");
                let size = other.serial.unwrap().ways_out().largest_class;
                let words = format!("`schedule = \"{name}\"`: classes of up to {size} rows");
                assert!(hint.contains(&words), "seed {seed}: {hint}");
                schedules += 1;
            }
        }
        if let Some((before, _)) = hint.split_once(" makes the table as one class valid") {
            let most = before.rsplit(' ').next().unwrap();
            let other = with(&format!("l = \"{most}\""), schedule);
            let prepared = prepare(&other, &table, &history).unwrap();
            let piles = Piles::new(&table, prepared.models.tracked()).unwrap();
            let all: Vec<u32> = (0..table.rows() as u32).collect();
            let one = piles.one(&all);
            assert!(prepared.models.holds(one.only()), "seed {seed}: {hint}");
            smaller += 1;
        }
    }
    assert!(
        hopeless > 100 && schedules > 20 && smaller > 20,
        "{hopeless} hopeless, {schedules} schedules, {smaller} smaller"
    );
}
