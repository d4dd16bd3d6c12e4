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
fn a_ledger_needs_a_person_in_every_row() {
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

/// Encounters: Ada has two of four rows in a class with one flu, and a row in the other class.
const ENCOUNTERS: &str = "name,age,disease\nAda,30,flu\nAda,30,cold\nBob,30,cold\nCyd,30,cold\n\
    Ada,40,cold\nDan,40,cold\nEve,40,cold\n";
/// Later, one row each: the flu is among Dan, Eve and Fay.
const LATER: &str =
    "name,age,disease\nBob,30,cold\nCyd,30,cold\nDan,40,flu\nEve,40,cold\nFay,40,cold\n";
const BY_PERSONS: &str = "[[privacy]]\nmodel = \"k-anonymity\"\nk = 3\n";
const FLU: [&str; 6] = ["--of", "disease", "--l", "2", "--values", "flu"];

/// A folder in which the encounters were published so often.
fn encounters(times: usize) -> Folder {
    let folder = folder(BY_PERSONS);
    folder.write("data.csv", ENCOUNTERS);
    for _ in 0..times {
        folder.scrim(&["publish", "policy.toml"]).exits(0);
    }
    folder
}

/// The exact probabilities of everybody and the flu, the largest first.
fn beliefs(folder: &Folder) -> Vec<String> {
    let asked = [&["ledger", "persons", "--nearest", "9", "--json"][..], &FLU].concat();
    let answer = folder.scrim(&asked).exits(0).json();
    let shown = answer["shown"].as_array().unwrap().iter();
    shown
        .map(|person| person["left"][0]["p_exact"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_table_of_encounters_is_published_and_recorded() {
    let folder = encounters(2);
    let list = folder.scrim(&["ledger", "list", "--json"]).exits(0).json();
    let releases = list["releases"].as_array().unwrap();
    assert_eq!((releases.len(), &list["persons"]), (2, &json!(5)));
    for (release, newcomers) in releases.iter().zip([5, 0]) {
        assert_eq!(
            (&release["rows"], &release["persons"], &release["classes"]),
            (&json!(7), &json!(5), &json!(2))
        );
        assert_eq!(release["newcomers"], newcomers);
    }
    let show = folder.scrim(&["ledger", "show", "2"]).exits(0);
    assert!(
        show.stdout.contains("7 rows of 5 persons in 2 classes"),
        "{}",
        show.shown()
    );
    let verified = folder
        .scrim(&["ledger", "verify", "--json"])
        .exits(0)
        .json();
    assert_eq!(
        (&verified["holds"], &verified["persons"]),
        (&json!(true), &json!(5))
    );
    // Ada: 1/2 a release, by two of four rows and one flu. Bob and Cyd: 1/4 a release.
    assert_eq!(beliefs(&folder), ["3/4", "7/16", "7/16", "0", "0"]);
    let check = [&["ledger", "check", "policy.toml", "--json"][..], &FLU].concat();
    let check = folder.scrim(&check).exits(1).json();
    assert_eq!(
        (&check["persons"], &check["exhausted"], &check["fresh"]),
        (&json!(5), &json!(1), &json!(0))
    );
    assert_eq!(check["values"][0]["least_left_exact"], "1/9");
    folder
        .scrim(&["ledger", "export", "--csv", "export"])
        .exits(0);
    let further = folder.text("export/further.csv");
    // Ada has one more row in the first class of each release, and one in the second.
    assert_eq!(further.lines().count(), 5, "{further}");
    assert!(!further.contains("Ada"));
}

#[test]
fn a_serial_promise_counts_every_row_of_a_person() {
    let folder = encounters(2);
    folder.write("policy.toml", format!("{COLUMNS}{SERIAL}{LEDGER}"));
    // A table of encounters is not what `serial` is about.
    let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
    assert!(
        run.stderr
            .contains("data.csv:3: the person in `name` has a row above already"),
        "{}",
        run.shown()
    );
    // Ada is above 1/2 already, whatever she has now.
    folder.write("data.csv", format!("{LATER}Ada,30,cold\n"));
    let run = folder.scrim(&["publish", "policy.toml", "--json"]).exits(1);
    assert_eq!(run.json()["status"], "refused");
    folder.write("data.csv", LATER);
    let answer = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(
        (&answer["serial"]["release"], &answer["serial"]["max_exact"]),
        (&json!(3), &json!("7/16"))
    );
    folder.scrim(&["ledger", "verify"]).exits(0);
    let audit = [
        "audit",
        "release/release.csv",
        "-p",
        "policy.toml",
        "--raw",
        "data.csv",
    ];
    folder.scrim(&audit).exits(0);
    let attack = ["attack", "-p", "policy.toml", "--serial", "--all", "--json"];
    let attack = folder.scrim(&attack).exits(1).json();
    assert_eq!(
        (&attack["max_exact"], &attack["above"]),
        (&json!("3/4"), &json!(1))
    );
    let releases = attack["releases"].as_array().unwrap();
    assert_eq!(
        (&releases[0]["persons"], &releases[0]["localized_exact"]),
        (&json!(5), &json!("1/2"))
    );
    // The formula was held against possible worlds.
    assert_eq!(attack["worlds"]["too_many"], 0);
    assert!(attack["worlds"]["checked"].as_u64().unwrap() >= 3);
}

#[test]
fn several_rows_use_up_exactly_what_they_give_away() {
    // After one release Ada is at 1/2 exactly: she may be published beside no flu, and said to have had several rows.
    let folder = encounters(1);
    folder.write("policy.toml", format!("{COLUMNS}{SERIAL}{LEDGER}"));
    folder.write("data.csv", format!("{LATER}Ada,30,cold\n"));
    let run = folder.scrim(&["publish", "policy.toml", "--json"]).exits(0);
    let answer = run.json();
    assert_eq!(answer["serial"]["max_exact"], "1/2");
    let remarks = answer["remarks"].to_string();
    assert!(
        remarks.contains("1 of these persons had several rows in one earlier release"),
        "{remarks}"
    );
}

#[test]
fn lasting_values_are_refused_after_a_release_of_encounters() {
    let folder = encounters(1);
    let lasting = SERIAL.replace("values", "lasting");
    folder.write("policy.toml", format!("{COLUMNS}{lasting}{LEDGER}"));
    folder.write("data.csv", LATER);
    let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
    assert!(
        run.stderr
            .contains("release 1 has a person with several rows"),
        "{}",
        run.shown()
    );
    let run = folder
        .scrim(&["attack", "-p", "policy.toml", "--serial"])
        .exits(2);
    assert!(
        run.stderr
            .contains("release 1 has a person with several rows"),
        "{}",
        run.shown()
    );
    let list = folder.scrim(&["ledger", "list", "--json"]).exits(0).json();
    assert_eq!(list["releases"].as_array().unwrap().len(), 1);
}
