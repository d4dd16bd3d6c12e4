//! A policy that names a ledger is recorded in it, whatever it promises, and later promises count by that.

use serde_json::json;

use crate::folder::Folder;

const COLUMNS: &str = "[data]\npath = \"data.csv\"\n[columns]\nname = { role = \"person\" }\nage = { role = \"quasi\" }\n\
    disease = { role = \"sensitive\" }\n";
const PROMISE: &str = "[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n";
const LEDGER: &str = "[ledger]\npath = \"ledger.sqlite\"\n";
const SERIAL: &str = "[[privacy]]\nmodel = \"serial\"\nl = 2\nvalues = [\"flu\"]\n[search]\nalgorithm = \"rotating\"\n";

/// One of two has the flu.
const FIRST: &str = "name,age,disease\nAda,30,flu\nBob,30,cold\nCyd,40,cold\nDan,40,cold\n";

fn folder(privacy: &str) -> Folder {
    let folder = Folder::empty();
    folder.write("data.csv", FIRST);
    folder.write("policy.toml", format!("{COLUMNS}{privacy}{LEDGER}"));
    folder
}

#[test]
fn a_release_without_a_serial_promise_is_recorded() {
    let folder = folder(PROMISE);
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    let list = folder.scrim(&["ledger", "list", "--json"]).exits(0).json();
    let releases = list["releases"].as_array().unwrap();
    assert_eq!(releases.len(), 1);
    assert_eq!(
        (&releases[0]["rows"], &releases[0]["classes"]),
        (&json!(4), &json!(2))
    );
    folder.scrim(&["ledger", "verify"]).exits(0);
    let terms = ["--of", "disease", "--l", "2", "--values", "flu"];
    let persons = [&["ledger", "persons", "--all", "--json"][..], &terms].concat();
    let persons = folder.scrim(&persons).exits(0).json();
    assert_eq!(persons["persons"], 4);
    // Two of them were in a class with the flu in one row of two: nothing is left of 1/2.
    let check = [&["ledger", "check", "policy.toml", "--json"][..], &terms].concat();
    let check = folder.scrim(&check).exits(1).json();
    assert_eq!(
        (&check["persons"], &check["exhausted"]),
        (&json!(4), &json!(2))
    );
    // Without terms it is said what is missing.
    let run = folder.scrim(&["ledger", "persons"]).exits(2);
    assert!(
        run.stderr.contains("--of COLUMN --l L --values"),
        "{}",
        run.shown()
    );
}

#[test]
fn a_later_serial_promise_counts_releases_that_had_none() {
    let folder = folder(PROMISE);
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    folder.write("policy.toml", format!("{COLUMNS}{SERIAL}{LEDGER}"));
    // Ada has nothing left for her own value.
    let answer = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(1)
        .json();
    assert_eq!(answer["status"], "refused");
    // The same table under a ledger of its own is published.
    folder.replace("policy.toml", "ledger.sqlite", "other.sqlite");
    let answer = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(answer["serial"]["release"], 1);
}

#[test]
fn a_refusal_and_a_comparison_record_nothing() {
    let folder = folder("[[privacy]]\nmodel = \"k-anonymity\"\nk = 5\n");
    folder.scrim(&["publish", "policy.toml"]).exits(1);
    assert!(!folder.path("ledger.sqlite").exists());
    folder.replace("policy.toml", "k = 5", "k = 2");
    folder
        .scrim(&["publish", "policy.toml", "--compare"])
        .exits(0);
    assert!(!folder.path("ledger.sqlite").exists());
}

#[test]
fn a_ledger_needs_persons_one_row_each() {
    let folder = folder(PROMISE);
    folder.replace("policy.toml", "role = \"person\"", "role = \"identifier\"");
    let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
    assert!(
        run.stderr.contains("no column has the role `person`"),
        "{}",
        run.shown()
    );
    assert!(
        run.stderr.contains("or leave [ledger] out"),
        "{}",
        run.shown()
    );
    let folder = self::folder(PROMISE);
    folder.write("data.csv", format!("{FIRST}Ada,30,cold\n"));
    let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
    assert!(
        run.stderr
            .contains("data.csv:6: the person in `name` has a row above already"),
        "{}",
        run.shown()
    );
    folder.write("data.csv", format!("{FIRST},30,cold\n"));
    let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
    assert!(
        run.stderr.contains("data.csv:6: the row has no person"),
        "{}",
        run.shown()
    );
    assert!(folder.files("release").unwrap_or_default().is_empty());
    assert!(!folder.path("ledger.sqlite").exists());
}

#[test]
fn taxa_above_a_protected_value_cannot_be_counted_and_are_refused() {
    // Wishes raise the flu to its taxon in the first release.
    let folder = folder("");
    folder.write("s.txt", "ill\n  cough\n    flu\n    cold\n  pox\n");
    let columns = COLUMNS.replace("\"sensitive\"", "\"sensitive\", hierarchy = \"s.txt\"");
    folder.write(
        "data.csv",
        "name,age,disease\nAda,30,flu\nBob,30,flu\nCyd,30,cold\nDan,30,pox\n",
    );
    let personal = "[[privacy]]\nmodel = \"personal\"\nbreach = \"1/3\"\ndefault-guard = \"flu\"\n";
    folder.write("policy.toml", format!("{columns}{personal}{LEDGER}"));
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    let released = folder.text("release/release.csv");
    assert!(
        released.contains("cough") || released.contains("ill"),
        "{released}"
    );
    folder.write("policy.toml", format!("{columns}{SERIAL}{LEDGER}"));
    let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
    assert!(
        run.stderr.contains("generalized above protected values"),
        "{}",
        run.shown()
    );
}
