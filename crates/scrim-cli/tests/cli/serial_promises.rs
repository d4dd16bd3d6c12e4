//! What a policy promises over several releases: taxa, values that no row has, promises that grow weaker, persons who retire.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::folder::Folder;

const POLICY: &str = r#"[data]
path = "data.csv"
[columns]
patient = { role = "person" }
age = { role = "quasi", numeric = { from = 0, to = 99 } }
disease = { role = "sensitive" }
[[privacy]]
model = "serial"
l = 2
values = ["hiv"]
[ledger]
path = "ledger.sqlite"
[search]
algorithm = "auto"
"#;

/// A table of people with these diseases, in their order; neighbours in age.
fn people(diseases: &[&str]) -> String {
    let rows = diseases.iter().enumerate();
    let rows = rows.map(|(who, disease)| format!("Patient-{who},{},{disease}\n", 20 + who));
    "patient,age,disease\n".to_owned() + &rows.collect::<String>()
}

fn folder(policy: &str, diseases: &[&str]) -> Folder {
    let folder = Folder::empty();
    folder.write("policy.toml", policy);
    folder.write("data.csv", people(diseases));
    folder
}

fn publish(folder: &Folder, code: i32) -> Value {
    let run = folder.scrim(&["publish", "policy.toml", "--json"]);
    run.exits(code).json()
}

/// What the ledger says was promised to be protected, for the person in its first row.
fn protected(folder: &Folder) -> Vec<String> {
    let told = folder.scrim(&["ledger", "persons", "1", "--json"]);
    let told = told.exits(0).json();
    let left = told["shown"][0]["left"].as_array().unwrap();
    left.iter()
        .map(|left| left["value"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_protected_taxon_protects_each_value_below_it() {
    let policy = POLICY.replace("\"hiv\"", "\"Infections\"").replace(
        "{ role = \"sensitive\" }",
        "{ role = \"sensitive\", hierarchy = \"disease.csv\" }",
    );
    let folder = folder(&policy, &["hiv", "syphilis", "flu", "cough", "flu", "flu"]);
    folder.write(
        "disease.csv",
        "hiv;Infections;Any\nsyphilis;Infections;Any\nherpes;Infections;Any\nflu;Signs;Any\ncough;Signs;Any\n",
    );
    let first = publish(&folder, 0);
    assert_eq!(first["serial"]["max_exact"], "1/2");
    // Each row with a value below the taxon shares its class with as many who have something else.
    let text = folder.text("release/release.csv");
    let mut classes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for line in text.lines().skip(1) {
        let (cells, disease) = line.rsplit_once(',').unwrap();
        classes.entry(cells).or_default().push(disease);
    }
    for class in classes.values() {
        for value in ["hiv", "syphilis"] {
            let linked = class.iter().filter(|disease| **disease == value).count();
            assert!(2 * linked <= class.len(), "{text}");
        }
    }
    // The leaves are what is recorded, also the one that nobody had; the taxon is not.
    assert_eq!(protected(&folder), ["herpes", "hiv", "syphilis"]);
    // Two neighbours with two values of the taxon may share a class: each is linked to either with 1/2, which is used up.
    let check = folder.scrim(&["ledger", "check", "policy.toml", "--json"]);
    let check = check.exits(1).json();
    let values = check["values"].as_array().unwrap();
    let names: Vec<&str> = values
        .iter()
        .map(|value| value["value"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["hiv", "syphilis"]);
    assert!(values[0]["exhausted"].as_u64().unwrap() >= 2);
    // Who has hiv again is refused; a third value of the taxon has room.
    assert_eq!(publish(&folder, 1)["status"], "refused");
    folder.write(
        "data.csv",
        people(&["herpes", "flu", "flu", "cough", "flu", "cough"]),
    );
    assert_eq!(publish(&folder, 0)["serial"]["release"], 2);
    let attack = folder.scrim(&["attack", "-p", "policy.toml", "--serial", "--all", "--json"]);
    let attack = attack.exits(0).json();
    assert_eq!(attack["max_exact"], "1/2");
    let told = attack["persons"].as_array().unwrap();
    assert!(told.iter().any(|link| link["value"] == "herpes"));
    assert!(told.iter().all(|link| link["value"] != "flu"));
}

#[test]
fn a_slip_in_a_protected_value_is_told_in_later_releases_too() {
    let folder = folder(POLICY, &["hiv", "flu", "cold", "flu"]);
    publish(&folder, 0);
    folder.replace("policy.toml", "\"hiv\"", "\"hvi\"");
    folder.write("data.csv", people(&["flu", "flu", "cold", "flu"]));
    let (book, release) = (folder.read("ledger.sqlite"), folder.files("release"));
    let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
    assert!(run.stderr.contains("`values` has `hvi`"), "{}", run.shown());
    assert_eq!(book, folder.read("ledger.sqlite"));
    assert_eq!(release, folder.files("release"));
}

#[test]
fn a_promise_is_recorded_also_where_no_row_has_the_value() {
    let folder = folder(POLICY, &["hiv", "flu", "cold", "flu"]);
    publish(&folder, 0);
    folder.write("data.csv", people(&["flu", "flu", "cold", "flu"]));
    publish(&folder, 0);
    assert_eq!(protected(&folder), ["hiv"]);
    // Nobody has it now, and none of these persons was beside it: it was promised before.
    let fresh = people(&["flu", "cold"]).replace("Patient", "Newcomer");
    folder.write("data.csv", fresh);
    assert_eq!(publish(&folder, 0)["serial"]["release"], 3);
}

#[test]
fn a_weaker_promise_is_remarked_on() {
    let folder = folder(
        &POLICY.replace("l = 2", "l = 3"),
        &["hiv", "flu", "cold", "flu"],
    );
    let weaker = "this promises less about `disease` than the last release did";
    let remarked = |words: &str| {
        let run = folder.scrim(&["publish", "policy.toml"]).exits(0);
        let says = run.stderr.contains(weaker) && run.stderr.contains(words);
        let manifest = folder.text("release/manifest.json");
        assert_eq!(says, manifest.contains(weaker));
        says
    };
    assert!(!remarked(""));
    folder.write("data.csv", people(&["flu", "flu", "cold", "flu"]));
    assert!(!remarked(""));
    folder.replace("policy.toml", "l = 3", "l = 2");
    assert!(remarked("l was 3, and is 2 now"));
    folder.replace("policy.toml", "\"hiv\"", "\"cough\"");
    folder.write("data.csv", people(&["flu", "flu", "cold", "cough"]));
    assert!(remarked("1 value that was protected is not any more"));
    folder.write("data.csv", people(&["flu", "flu", "cold", "cold"]));
    assert!(!remarked(""));
}

#[test]
fn nobody_left_after_retirement_is_told_as_that() {
    let retire = "values = [\"hiv\"]\nretire = { after = 1 }";
    let policy = POLICY.replace("values = [\"hiv\"]", retire);
    let folder = folder(&policy, &["hiv", "flu", "cold", "flu"]);
    publish(&folder, 0);
    let refused = publish(&folder, 1);
    assert_eq!(
        refused["reason"],
        "nobody of the table is left: 4 persons are left out by `retire`"
    );
    // One newcomer is too few for another promise: not the table's fault either.
    folder.replace(
        "policy.toml",
        "[ledger]",
        "[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n[ledger]",
    );
    let more = folder.text("data.csv") + "Newcomer,50,flu\n";
    folder.write("data.csv", more);
    let refused = publish(&folder, 1);
    assert_eq!(
        refused["reason"],
        "k-anonymity asks for 2 rows in each class, but the whole table has 1 row: 4 persons are left out by `retire`"
    );
}

#[test]
fn an_empty_line_asks_for_nobody() {
    let folder = folder(POLICY, &["hiv", "flu", "cold", "flu"]);
    publish(&folder, 0);
    let asked = ["ledger", "persons", "--stdin", "--json"];
    let told = folder.scrim_with(&asked, b"Patient-1\r\n\r\nPatient-2\n\n");
    let told = told.exits(0).json();
    let lines = told["shown"].as_array().unwrap().iter();
    let lines: Vec<u64> = lines.map(|one| one["line"].as_u64().unwrap()).collect();
    assert_eq!(lines, [1, 3]);
}
