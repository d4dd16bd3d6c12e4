//! What becomes of suppressed rows, and mistakes that were made with them.

use serde_json::Value;

use crate::folder::Folder;

/// Publishes a small table under a policy of two columns and more.
fn publish(data: &str, columns: &str, rest: &str, code: i32) -> (Folder, Value) {
    let folder = Folder::figure_7();
    folder.write("data.csv", data);
    let policy = format!("[data]\npath = \"data.csv\"\n[columns]\n{columns}\n{rest}\n");
    folder.write("policy.toml", policy);
    let answer = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(code)
        .json();
    (folder, answer)
}

const QUASI: &str = "z = { role = \"quasi\" }";

#[test]
fn a_row_that_shows_something_is_never_a_class_of_its_own() {
    // Without a sensitive column the suppressed class used to escape its judge.
    let (folder, answer) = publish(
        "z,n\n1,x\n1,y\n1,z\n2,secret\n",
        &format!("{QUASI}\nn = {{ role = \"insensitive\" }}"),
        "[[privacy]]\nmodel = \"k-anonymity\"\nk = 3\n[search]\nsuppression = 0.5",
        0,
    );
    // Nothing that it has is sensitive, so that nothing is withheld.
    assert_eq!(answer["rows"]["withheld"], 0);
    assert_eq!(
        folder.text("release/release.csv"),
        "z,n\n1,x\n1,y\n1,z\n*,*\n"
    );
    folder.write("shown.csv", "z,n\n1,x\n1,y\n1,z\n*,secret\n");
    let judged = folder
        .scrim(&["audit", "shown.csv", "--policy", "policy.toml", "--json"])
        .exits(1)
        .json();
    assert_eq!(judged["models"][0]["observed"], 1);
}

#[test]
fn a_starred_class_that_breaks_a_model_has_its_sensitive_values_starred() {
    let (folder, answer) = publish(
        "z,s\n1,A\n1,B\n1,C\n2,CANCER\n",
        &format!("{QUASI}\ns = {{ role = \"sensitive\" }}"),
        "[[privacy]]\nmodel = \"l-diversity\"\nl = 2\nk = 3\n[search]\nsuppression = 0.5",
        0,
    );
    assert!(!folder.text("release/release.csv").contains("CANCER"));
    assert_eq!(
        (&answer["rows"]["suppressed"], &answer["rows"]["withheld"]),
        (&1.into(), &1.into())
    );
    folder
        .scrim(&["audit", "release/release.csv", "--policy", "policy.toml"])
        .exits(0);
}

#[test]
fn more_suppression_never_turns_a_yes_into_a_no() {
    // Withheld rows shift the distribution that t-closeness is measured against.
    let data = "z,s\n1,A\n2,A\n2,B\n2,B\n3,A\n3,A\n";
    let columns = format!("{QUASI}\ns = {{ role = \"sensitive\" }}");
    for suppression in ["0", "0.5"] {
        let rest = format!(
            "[[privacy]]\nmodel = \"t-closeness\"\nt = \"1/3\"\nk = 2\n[search]\nallow-empty = true\nsuppression = {suppression}"
        );
        publish(data, &columns, &rest, 0);
    }
}

#[test]
fn dropping_keeps_at_least_one_row() {
    let columns = format!("{QUASI}\ns = {{ role = \"insensitive\" }}");
    for search in [
        "metric = \"average-class-size\"",
        "algorithm = \"incognito\"",
    ] {
        let rest = format!(
            "[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n[search]\nallow-empty = true\nsuppression = 1\nsuppressed = \"drop\"\n{search}"
        );
        let (_, answer) = publish("z,s\n1,A\n2,B\n3,A\n4,B\n", &columns, &rest, 0);
        assert_eq!(answer["rows"]["released"], 4, "{search}");
    }
}

#[test]
fn a_raw_sensitive_value_of_stars_is_an_error() {
    let columns = format!("{QUASI}\ns = {{ role = \"sensitive\" }}");
    let rest = "[[privacy]]\nmodel = \"k-anonymity\"\nk = 2";
    let (_, answer) = publish("z,s\n1,A\n1,*\n", &columns, rest, 2);
    assert!(
        answer["error"]
            .as_str()
            .unwrap()
            .starts_with("data.csv:3: a value of the sensitive column `s` is all stars")
    );
}

#[test]
fn tiny_weights_are_not_rounded_away() {
    // Weights whose common denominator overflowed used to become zero.
    let data = "b,a\n0,0\n0,1\n1,0\n1,1\n";
    let columns = "b = { role = \"quasi\" }\na = { role = \"quasi\" }";
    let weights = "b = \"1/1000000000000000000000000000\", a = \"2/1000000000000000000000000001\"";
    let rest =
        format!("[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n[search]\nweights = {{ {weights} }}");
    let (_, answer) = publish(data, columns, &rest, 0);
    assert_eq!(
        answer["recoding"]["levels"],
        serde_json::json!({ "b": 1, "a": 0 })
    );
}
