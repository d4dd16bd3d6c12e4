//! Schedules: room that is kept for later releases.

use scrim::frequency::Piles;
use scrim::release::History;
use testkit::wong;

use crate::cases::{Row, history, policy, prepare, released, table};
use crate::rows;
use crate::search::search;

#[test]
fn a_schedule_leaves_room_for_later_releases() {
    let rows = rows(&[(0, "hiv"), (1, "flu"), (2, "cold"), (3, "flu")]);
    let table = table(&rows);
    let holds = |serial: &str, size: u32| {
        let policy = policy(&format!("l = 2\nvalues = [\"hiv\"]\n{serial}"), "");
        let prepared = prepare(&policy, &table, &History::default()).unwrap();
        let piles = Piles::new(&table, prepared.models.tracked()).unwrap();
        let rows: Vec<u32> = (0..size).collect();
        prepared.models.holds(piles.one(&rows).only())
    };
    assert!(holds("", 2));
    assert!(!holds("schedule = \"constant\"\nhorizon = 2", 3));
    assert!(holds("schedule = \"constant\"\nhorizon = 2", 4));
    assert!(!holds("schedule = \"linear\"\nhorizon = 2", 3));
    assert!(holds("schedule = \"linear\"\nhorizon = 2", 4));
    assert!(!holds("schedule = \"geometric\"", 3));
    assert!(holds("schedule = \"inverse-square\"", 4));
}

#[test]
fn who_is_beyond_the_horizon_does_not_lift_the_caps_of_others() {
    // Person 0 was in two classes without the value: its cap is the whole room, 1/2. The others have the constant share of
    // a horizon of two, 0.29, which a class of three passes. The room once counted as the smaller of the two.
    let policy = policy(
        "l = 2\nvalues = [\"hiv\"]\nschedule = \"constant\"\nhorizon = 2",
        "",
    );
    let past = vec![
        vec![wong::group(&[0, 9], &["flu", "cold"])],
        vec![wong::group(&[0, 9], &["cold", "flu"])],
    ];
    let rows = rows(&[(0, "hiv"), (1, "flu"), (2, "cold"), (3, "flu")]);
    let table = table(&rows);
    let prepared = prepare(&policy, &table, &history(&past, &table)).unwrap();
    let piles = Piles::new(&table, prepared.models.tracked()).unwrap();
    let holds = |rows: &[u32]| prepared.models.holds(piles.one(rows).only());
    assert!(!holds(&[0, 1, 2]));
    assert!(holds(&[0, 1, 2, 3]));
}

#[test]
fn a_schedule_finds_a_way_through_both_tables_of_figure_1() {
    // Greedy puts the two neighbours together, and the one of them who has chlamydia the next time is at the limit. With room
    // kept for a second appearance both tables can be published, without knowing the second at the first.
    let rows = |cells: &[(u32, &'static str)]| -> Vec<Row> {
        let row = |(person, value): &(u32, &'static str)| Row {
            person: *person,
            age: 30 + person,
            zip: 100,
            value,
        };
        cells.iter().map(row).collect()
    };
    let (first, second) = (rows(&wong::FIRST), rows(&wong::SECOND));
    let both = |schedule: &str| {
        let policy = policy(
            &format!("l = 2\nvalues = [\"chlamydia\"]\nk = 2\n{schedule}"),
            "",
        );
        let groups = search(&policy, &first, &History::default()).unwrap();
        let past = vec![released(&first, &groups)];
        let table = table(&second);
        let history = history(&past, &table);
        let prepared = prepare(&policy, &table, &history).unwrap();
        prepared.must_be_feasible().is_ok() && search(&policy, &second, &history).is_some()
    };
    assert!(!both(""));
    assert!(both("schedule = \"linear\"\nhorizon = 2"));
}
