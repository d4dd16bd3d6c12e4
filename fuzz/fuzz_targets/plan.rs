//! Plans. One that is read and written is read as the same and written as the same bytes. Whatever a plan says, the certifier that follows
//! it answers, and where it finds the release true to the plan, the release has as many rows as the plan makes.
#![no_main]

use std::sync::{Arc, OnceLock};

use libfuzzer_sys::fuzz_target;
use scrim::hierarchy::{Hierarchy, from_level_csv};
use scrim::release::PlanFile;
use scrim::release::audit::Recipe;
use scrim::release::policy::Policy;
use scrim::table::{Column, Table};

const POLICY: &str = include_str!("../plan/policy.toml");
const SOURCE: &str = include_str!("../plan/source.csv");
const AGES: &str = include_str!("../plan/age.csv");
const RELEASES: [&str; 3] = [
    include_str!("../plan/full-domain.csv"),
    include_str!("../plan/subtree.csv"),
    include_str!("../plan/local.csv"),
];

struct Case {
    policy: Policy,
    source: Table,
    releases: Vec<Table>,
    hierarchies: Vec<(String, Arc<Hierarchy>)>,
}

fn case() -> &'static Case {
    static CASE: OnceLock<Case> = OnceLock::new();
    CASE.get_or_init(|| {
        let tree = |name: &str, text: &str| {
            let tree = from_level_csv(name, "levels.csv", text, true).expect("a level file");
            (name.to_owned(), Arc::new(tree))
        };
        Case {
            policy: Policy::parse("policy.toml", POLICY).expect("a policy"),
            source: table(SOURCE).canonical().0,
            releases: RELEASES.map(table).into(),
            hierarchies: vec![tree("age", AGES), tree("zip", "x;*\ny;*\nz;*\n")],
        }
    })
}

fn table(text: &str) -> Table {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().expect("a header").clone();
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let column = |(at, name)| Column::from_texts(name, rows.iter().map(move |row| &row[at]));
    Table::new(header.iter().enumerate().map(column).collect()).expect("columns of one length")
}

fuzz_target!(|data: &[u8]| {
    let Ok(plan) = serde_json::from_slice::<PlanFile>(data) else {
        return;
    };
    let written = serde_json::to_string(&plan).expect("a plan can be written");
    let again: PlanFile = serde_json::from_str(&written).expect("what was written can be read");
    assert_eq!(plan, again);
    assert_eq!(
        written,
        serde_json::to_string(&again).expect("a plan can be written")
    );
    let case = case();
    let recipe = Recipe {
        plan: &plan,
        hierarchies: &case.hierarchies,
        suppressed: None,
    };
    for release in &case.releases {
        let Ok(expected) = recipe.beside(&case.policy, &case.source, release) else {
            continue;
        };
        let _ = expected.must_be_true(&case.policy, &case.source, &case.hierarchies);
        if let Ok(Ok(paired)) = expected.paired(&case.source, release) {
            assert_eq!(paired.rows.len(), paired.published.rows());
            assert_eq!(paired.published.all_rows(), release.all_rows());
        }
    }
});
