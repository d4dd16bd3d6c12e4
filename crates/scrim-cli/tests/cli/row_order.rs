//! The order of rows: a release is a multiset of rows in canonical order, which gives nothing away about the order of the input.

use serde_json::{Value, json};

use crate::folder::{FIGURE_7, Folder};

/// The same rows in another order.
fn shuffled(table: &str, by: usize) -> String {
    let (header, rows) = table.split_once('\n').unwrap();
    let rows: Vec<&str> = rows.lines().collect();
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by_key(|row| (row * 2_654_435_761 + by * 40_503) % 1_000_003);
    let rows: Vec<&str> = order.into_iter().map(|row| rows[row]).collect();
    format!("{header}\n{}\n", rows.join("\n"))
}

fn is_sorted(release: &str) -> bool {
    release.lines().skip(1).is_sorted()
}

#[test]
fn shuffling_the_input_changes_no_byte_for_every_search() {
    for algorithm in [
        "optimal",
        "mingen",
        "mingen-cell",
        "datafly",
        "incognito",
        "top-down",
        "mondrian",
        "local",
        "mu-argus",
    ] {
        for suppressed in ["star", "drop"] {
            let mut releases = Vec::new();
            for by in 0..3 {
                let folder = Folder::figure_7();
                if by > 0 {
                    folder.write("data.csv", shuffled(FIGURE_7, by));
                }
                let search = format!(
                    "\"{algorithm}\"\nsuppression = 0.2\nsuppressed = \"{suppressed}\"\nallow-broken = true"
                );
                folder.replace("policy.toml", "\"optimal\"", &search);
                let run = folder.scrim(&["publish", "policy.toml"]);
                let broken = algorithm == "mu-argus";
                assert_eq!(run.code, Some(i32::from(broken)), "{}", run.shown());
                let ending = if broken { ".BROKEN" } else { "" };
                let release = folder.text(&format!("release/release{ending}.csv"));
                assert!(is_sorted(&release), "{algorithm}: {release}");
                let plan = folder.text(&format!("release/plan{ending}.json"));
                releases.push((release, plan));
            }
            assert_eq!(releases[0], releases[1], "{algorithm}");
            assert_eq!(releases[0], releases[2], "{algorithm}");
        }
    }
}

/// Persons of whom two have the value that is protected, others in each release.
fn patients(release: usize) -> String {
    let ill = |person: usize| {
        if (person + release).is_multiple_of(12) {
            "flu"
        } else {
            ["cold", "cough", "fever"][person % 3]
        }
    };
    let row = |person: usize| format!("P{person:02},{},{}\n", 30 + person * 7 % 20, ill(person));
    let rows: String = (0..24).map(row).collect();
    format!("who,age,ill\n{rows}")
}

const SERIAL: &str = r#"[data]
path = "data.csv"
[columns]
who = { role = "person" }
age = { role = "quasi", numeric = { from = 30, to = 49 } }
ill = { role = "sensitive" }
[[privacy]]
model = "serial"
l = 2
values = ["flu"]
[search]
algorithm = "rotating"
[ledger]
path = "ledger.sqlite"
[release]
dir = "release"
"#;

#[test]
fn shuffling_changes_no_byte_of_a_series_either() {
    let [one, other] = [Folder::empty(), Folder::empty()];
    one.write("policy.toml", SERIAL);
    one.write("data.csv", patients(0));
    one.scrim(&["publish", "policy.toml"]).exits(0);
    // The same ledger with the same key, so that chance is the same.
    for file in ["policy.toml", "ledger.sqlite", "ledger.key"] {
        other.write(file, one.read(file));
    }
    for release in 1..3 {
        one.write("data.csv", patients(release));
        other.write("data.csv", shuffled(&patients(release), release));
        for folder in [&one, &other] {
            folder.scrim(&["publish", "policy.toml"]).exits(0);
        }
        let release = one.text("release/release.csv");
        assert_eq!(release, other.text("release/release.csv"));
        assert!(is_sorted(&release), "{release}");
    }
}

fn attacked(folder: &Folder) -> Value {
    let attack = ["attack", "-p", "policy.toml", "--serial", "--json"];
    folder.scrim(&attack).json()
}

#[test]
fn the_order_of_the_input_is_kept_where_it_is_asked_for_and_attacked() {
    let folder = Folder::empty();
    folder.write("data.csv", patients(1));
    folder.write("policy.toml", SERIAL);
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    let answer = attacked(&folder);
    assert_eq!(
        (&answer["holds"], &answer["order"]),
        (&json!(true), &Value::Null)
    );

    folder.write("data.csv", patients(2));
    folder.replace("policy.toml", "[release]", "[release]\norder = \"input\"");
    let run = folder.scrim(&["publish", "policy.toml", "--json"]).exits(0);
    let remarks = run.json()["remarks"].to_string();
    let note = "rows stand in the order of the input";
    assert!(remarks.contains(note), "{remarks}");
    assert!(folder.text("release/manifest.json").contains(note));
    assert!(folder.text("release/report.html").contains(note));
    let release = folder.text("release/release.csv");
    let ills = |text: &str| -> Vec<String> {
        let cell = |line: &str| line.rsplit_once(',').unwrap().1.to_owned();
        text.lines().map(cell).collect()
    };
    assert_eq!(ills(&release), ills(&patients(2)));
    // Two of its rows have the value that is protected.
    let answer = attacked(&folder);
    assert_eq!(answer["holds"], false);
    assert_eq!(answer["max_exact"], "1");
    assert_eq!(answer["order"], json!({ "releases": [2], "certain": 2 }));
}

#[test]
fn audit_and_attack_find_the_rows_of_persons_by_the_plan() {
    let folder = Folder::figure_7();
    folder.replace("policy.toml", "[search]", "[search]\nsuppression = 0.2");
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    let audit = ["audit", "release/release.csv", "-p", "policy.toml", "--raw"];
    folder.scrim(&[&audit[..], &["data.csv"]].concat()).exits(0);
    // The table may stand in any order.
    folder.write("other.csv", shuffled(FIGURE_7, 5));
    folder
        .scrim(&[&audit[..], &["other.csv"]].concat())
        .exits(0);
    // Another table is another.
    folder.write("wrong.csv", FIGURE_7.replacen("vomiting", "fever", 1));
    let run = folder
        .scrim(&[&audit[..], &["wrong.csv"]].concat())
        .exits(2);
    assert!(run.stderr.contains("of the source"), "{}", run.shown());
    // Without its plan nobody can say which row is whose.
    std::fs::rename(folder.path("release/plan.json"), folder.path("plan")).unwrap();
    let run = folder.scrim(&[&audit[..], &["data.csv"]].concat()).exits(2);
    assert!(run.stderr.contains("--plan"), "{}", run.shown());
    let named = [&audit[..], &["data.csv", "--plan", "plan"]].concat();
    folder.scrim(&named).exits(0);
}
