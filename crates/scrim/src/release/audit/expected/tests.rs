//! The rows that must be there, against rows made as texts; and that any other row is noticed.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;
use crate::hierarchy::from_level_csv;
use crate::release::plan_file::{PlanColumn, PlanKind, PlanSuppressed};

const POLICY: &str = r#"
[data]
path = "t.csv"
[columns]
age = { role = "quasi", hierarchy = "age.csv" }
zip = { role = "quasi", hierarchy = "zip.csv" }
ill = { role = "sensitive" }
[[privacy]]
model = "k-anonymity"
k = 2
"#;
const AGES: [[&str; 3]; 4] = [
    ["1", "young", "*"],
    ["2", "young", "*"],
    ["3", "old", "*"],
    ["4", "old", "*"],
];
const ZIPS: [[&str; 2]; 3] = [["x", "*"], ["y", "*"], ["z", "*"]];
const ILLS: [&str; 3] = ["cold", "flu", "cough"];

/// A row of the source, by numbers of its values.
type Own = [usize; 3];

fn table(rows: &[[&str; 3]]) -> Table {
    let column = |at: usize, name| Column::from_texts(name, rows.iter().map(|row| row[at]));
    Table::new(vec![column(0, "age"), column(1, "zip"), column(2, "ill")]).unwrap()
}

fn hierarchies() -> Vec<(String, Arc<Hierarchy>)> {
    let tree = |name: &str, rows: Vec<String>| {
        let tree = from_level_csv(name, "levels.csv", &rows.join("\n"), true).unwrap();
        (name.to_owned(), Arc::new(tree))
    };
    let ages = AGES.iter().map(|row| row.join(";")).collect();
    let zips = ZIPS.iter().map(|row| row.join(";")).collect();
    vec![tree("age", ages), tree("zip", zips)]
}

fn plan(levels: [u8; 2], tuples: Vec<Vec<String>>, drop: bool) -> PlanFile {
    let column = |(name, level): (&str, u8)| PlanColumn {
        name: name.to_owned(),
        level: Some(level),
        cuts: None,
        map: None,
    };
    PlanFile {
        version: 1,
        policy_sha256: String::new(),
        kind: PlanKind::FullDomain,
        columns: ["age", "zip"].into_iter().zip(levels).map(column).collect(),
        suppressed: PlanSuppressed {
            drop,
            tuples,
            ..PlanSuppressed::default()
        },
        classes: None,
        sensitive: Vec::new(),
        hierarchies: BTreeMap::new(),
    }
}

proptest! {
    #[test]
    fn a_release_has_the_rows_that_follow_from_its_source_and_no_others(
        rows in proptest::collection::vec([0usize..4, 0..3, 0..3], 1..20),
        levels in (0u8..3, 0u8..2),
        hidden in (0usize..4, 0usize..3),
        drop in any::<bool>(),
        turn in any::<prop::sample::Index>(),
        changed in (any::<prop::sample::Index>(), 0usize..3),
    ) {
        let policy = Policy::parse("p.toml", POLICY).unwrap();
        let trees = hierarchies();
        let tuples = vec![vec![AGES[hidden.0][0].to_owned(), ZIPS[hidden.1][0].to_owned()]];
        let plan = plan([levels.0, levels.1], tuples, drop);
        let own = |row: &Own| [AGES[row[0]][0], ZIPS[row[1]][0], ILLS[row[2]]];
        let source = table(&rows.iter().map(own).collect::<Vec<_>>());
        let recipe = Recipe { plan: &plan, hierarchies: &trees, suppressed: None };
        let expected = Expected::new(&policy, &source, &recipe).unwrap();

        let is_hidden = |row: &Own| (row[0], row[1]) == hidden;
        let shown = |row: &Own| {
            let (age, zip) = (AGES[row[0]][levels.0 as usize], ZIPS[row[1]][levels.1 as usize]);
            let (age, zip) = if is_hidden(row) { ("*", "*") } else { (age, zip) };
            [age, zip, ILLS[row[2]]]
        };
        let stays = rows.iter().filter(|row| !(drop && is_hidden(row)));
        let mut release: Vec<[&str; 3]> = stays.map(shown).collect();
        prop_assume!(!release.is_empty());
        let len = release.len();
        release.rotate_left(turn.index(len));
        let whole = table(&release);
        let found = expected.find_in(&source, &whole).unwrap();
        prop_assert_eq!(found.len(), release.len());
        let mut sum = RowSum::default();
        let mut written = sum.same_keys();
        expected.add_to(&source, &mut sum);
        written.add_table(&whole, expected.names()).unwrap();
        prop_assert!(sum.equals(&written));

        // Another value in one row is another multiset, even where the release has that row elsewhere.
        let row = &mut release[changed.0.index(len)];
        prop_assume!(row[2] != ILLS[changed.1]);
        row[2] = ILLS[changed.1];
        let other = table(&release);
        prop_assert!(expected.find_in(&source, &other).is_err());
        let mut written = sum.same_keys();
        written.add_table(&other, expected.names()).unwrap();
        prop_assert!(!sum.equals(&written));
    }

    #[test]
    fn rows_are_in_order_where_their_texts_are(
        rows in proptest::collection::vec([0usize..4, 0..3, 0..3], 1..6),
    ) {
        let own = |row: &Own| [AGES[row[0]][0], ZIPS[row[1]][0], ILLS[row[2]]];
        let mut rows: Vec<_> = rows.iter().map(own).collect();
        prop_assert_eq!(must_be_sorted(&table(&rows), true).is_ok(), rows.is_sorted());
        // The same in two parts, of which the second goes on where the first ends.
        let at = rows.len() / 2;
        let part = |from: usize, to: usize| {
            let own = table(&rows[from..to]);
            let first = (from as u64..to as u64).collect();
            Table::counted(own.columns().to_vec(), vec![1; to - from], first).unwrap()
        };
        let mut parts = SortedRows::new(true);
        let sorted = parts.add(&part(0, at)).and_then(|()| parts.add(&part(at, rows.len())));
        prop_assert_eq!(sorted.is_ok(), rows.is_sorted());
        rows.sort_unstable();
        prop_assert!(must_be_sorted(&table(&rows), true).is_ok());
    }
}

#[test]
fn a_row_that_is_there_once_too_often_is_noticed() {
    let policy = Policy::parse("p.toml", POLICY).unwrap();
    let trees = hierarchies();
    let plan = plan([2, 1], Vec::new(), false);
    let recipe = Recipe {
        plan: &plan,
        hierarchies: &trees,
        suppressed: None,
    };
    let source = table(&[["1", "x", "flu"], ["2", "y", "flu"], ["3", "z", "cold"]]);
    let expected = Expected::new(&policy, &source, &recipe).unwrap();
    let release = table(&[["*", "*", "flu"], ["*", "*", "cold"], ["*", "*", "cold"]]);
    let wrong = expected.find_in(&source, &release).unwrap_err();
    assert!(wrong.contains("stands there"), "{wrong}");
}

#[test]
fn a_plan_that_speaks_of_more_rows_than_there_are_costs_no_memory() {
    assert_eq!(expanded(&[(7, 2), (9, 1)], 3).unwrap(), [7, 7, 9]);
    assert!(expanded(&[(7, 2)], 3).is_err());
    // 64 GB, if they were made.
    assert!(expanded(&[(7u64, u32::MAX), (9, u32::MAX)], 3).is_err());
}
