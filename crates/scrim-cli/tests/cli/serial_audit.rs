//! Audits of releases by a ledger, and checks of tables that are to be released.

use serde_json::Value;
use testkit::wong::figure2;

use crate::folder::Folder;
use crate::serial_attack::{published, rows, tables};

fn audit(folder: &Folder, file: &str, raw: &str, code: i32) -> Value {
    let arguments = ["audit", file, "-p", "policy.toml", "--raw", raw, "--json"];
    folder.scrim(&arguments).exits(code).json()
}

#[test]
fn an_audit_judges_a_release_by_what_was_published_before_it() {
    let folder = published(&figure2());
    let first = audit(&folder, "release1/release.csv", "raw1.csv", 0);
    assert_eq!(
        (&first["serial"]["release"], &first["serial"]["max_exact"]),
        (&1.into(), &"1/2".into())
    );
    let second = audit(&folder, "release2/release.csv", "raw2.csv", 1);
    assert_eq!(
        (&second["serial"]["release"], &second["serial"]["max_exact"]),
        (&2.into(), &"3/4".into())
    );
    assert!(second["models"][0]["witness"]["class"].is_number());
    // A table that the ledger does not have would be the next one.
    folder.write(
        "next.csv",
        folder
            .text("release1/release.csv")
            .replace("zip 1", "zip 0"),
    );
    folder.write(
        "next_raw.csv",
        folder.text("raw1.csv").replace("zip 1", "zip 0"),
    );
    let next = audit(&folder, "next.csv", "next_raw.csv", 1);
    // 1 - (1/2)(1/2)(3/4)
    assert_eq!(
        (&next["serial"]["release"], &next["serial"]["max_exact"]),
        (&3.into(), &"13/16".into())
    );
    // The policy's own table, when none is named.
    folder.write("patients.csv", folder.text("raw2.csv"));
    let run = folder
        .scrim(&["audit", "release2/release.csv", "-p", "policy.toml"])
        .exits(1);
    assert!(!run.shown().contains("Patient Number"), "{}", run.shown());
}

#[test]
fn an_audit_leaves_out_whom_the_rule_retires() {
    let folder = published(&figure2());
    folder.replace(
        "policy.toml",
        "[ledger]",
        "retire = { after = 2 }\n[ledger]",
    );
    // Individuals 1, 2 and 3 were in both releases.
    let all = vec![testkit::wong::group(
        &[2, 4, 1, 5],
        &["flu", "cough", "fever", "flu"],
    )];
    folder.write("raw.csv", tables(&rows(&all)).0);
    folder.write("left.csv", "zip,disease\nzip 0,cough\nzip 0,flu\n");
    let answer = audit(&folder, "left.csv", "raw.csv", 0);
    assert_eq!(
        (&answer["serial"]["retired"], &answer["serial"]["persons"]),
        (&2.into(), &2.into())
    );
    folder.write("all.csv", tables(&rows(&all)).1);
    let arguments = ["audit", "all.csv", "-p", "policy.toml", "--raw", "raw.csv"];
    let run = folder.scrim(&arguments).exits(2);
    assert!(
        run.stderr.contains("beside the 2 of retired persons"),
        "{}",
        run.shown()
    );
}

#[test]
fn an_audit_without_persons_or_past_says_what_is_needed() {
    let folder = published(&figure2());
    let arguments = ["audit", "release1/release.csv", "-p", "policy.toml"];
    let run = folder.scrim(&arguments).exits(2);
    assert!(
        run.stderr.contains("`serial` cannot be checked") && run.stderr.contains("--raw"),
        "{}",
        run.shown()
    );
    std::fs::rename(folder.path("ledger.sqlite"), folder.path("gone")).unwrap();
    let run = folder
        .scrim(&[&arguments[..], &["--raw", "raw1.csv"]].concat())
        .exits(2);
    assert!(
        run.stderr.contains("is not there") && run.stderr.contains("[ledger] path"),
        "{}",
        run.shown()
    );
    std::fs::rename(folder.path("gone"), folder.path("ledger.sqlite")).unwrap();
    std::fs::remove_file(folder.path("ledger.key")).unwrap();
    folder
        .scrim(&[&arguments[..], &["--raw", "raw1.csv"]].concat())
        .exits(2);
}

#[test]
fn a_check_takes_its_terms_from_the_policy() {
    let folder = published(&figure2());
    std::fs::rename(folder.path("ledger.sqlite"), folder.path("own.sqlite")).unwrap();
    std::fs::rename(folder.path("ledger.key"), folder.path("own.key")).unwrap();
    folder.replace("policy.toml", "ledger.sqlite", "own.sqlite");
    folder.write("patients.csv", folder.text("raw2.csv"));
    let check = |more: &[&str], code| {
        let arguments = [&["ledger", "check", "policy.toml", "--json"][..], more].concat();
        folder.scrim(&arguments).exits(code).json()
    };
    let names = |answer: &Value| -> Vec<String> {
        let values = answer["values"].as_array().unwrap();
        values
            .iter()
            .map(|value| value["value"].as_str().unwrap().to_owned())
            .collect()
    };
    // Not what was last promised, which is flu.
    let answer = check(&[], 1);
    assert_eq!(names(&answer), ["chlamydia", "fever"]);
    assert_eq!(
        (&answer["exhausted"], &answer["retired"]),
        (&4.into(), &0.into())
    );
    assert_eq!(
        names(&check(&["--values", "Infections"], 1)),
        ["chlamydia", "flu"]
    );
    assert_eq!(check(&["--values", "cough", "--l", "3"], 0)["l"], "3");
    folder.replace(
        "policy.toml",
        "[ledger]",
        "retire = { after = 2 }\n[ledger]",
    );
    // Individual 5 was in one release, with fever in a half of its class: nothing is left.
    let answer = check(&[], 1);
    assert_eq!(
        (&answer["exhausted"], &answer["retired"]),
        (&1.into(), &3.into())
    );
    assert_eq!(check(&["--retire-after", "1"], 0)["retired"], 4);
    assert_eq!(check(&["--retire-after", "3"], 1)["retired"], 0);
    folder
        .scrim(&["ledger", "check", "policy.toml", "--ledger", "none.sqlite"])
        .exits(2);
}
