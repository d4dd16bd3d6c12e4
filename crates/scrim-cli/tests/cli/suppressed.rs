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
        "z,n\n*,*\n1,x\n1,y\n1,z\n"
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
fn search_and_certifier_have_the_same_reference() {
    // The search once judged against the whole table and the certifier against the released one: then nothing was suppressed, and
    // Prec 0 was called optimal.
    let data = "q,r,s\nb,1,x\na,1,z\nb,1,x\nc,1,z\nc,1,y\nb,2,y\n";
    let columns =
        "q = { role = \"quasi\" }\nr = { role = \"quasi\" }\ns = { role = \"sensitive\" }";
    let rest = |algorithm: &str| {
        format!(
            "[[privacy]]\nmodel = \"t-closeness\"\nt = \"1/3\"\n[search]\nalgorithm = \"{algorithm}\"\nsuppression = 0.5"
        )
    };
    for algorithm in ["optimal", "mingen"] {
        let (folder, answer) = publish(data, columns, &rest(algorithm), 0);
        assert_eq!(answer["optimal"], true);
        assert_eq!(answer["metrics"]["prec_exact"], "5/12");
        assert_eq!(
            folder.text("release/release.csv"),
            "q,r,s\n*,*,*\n*,1,x\n*,1,x\n*,1,y\n*,1,z\n*,1,z\n"
        );
        folder
            .scrim(&["audit", "release/release.csv", "--policy", "policy.toml"])
            .exits(0);
        let lattice = folder.scrim(&["lattice", "policy.toml", "--json"]);
        let minimal = lattice.exits(0).json().to_string();
        assert!(minimal.contains("5/12"), "{minimal}");
    }
}

#[test]
fn datafly_keeps_the_suppression_limit() {
    // One row of eight may go; step 4 would make it three.
    let data = "z,y,s\na,c,1\na,c,2\na,c,3\na,c,4\na,c,5\na,c,6\na,c,7\nb,c,8\n";
    let columns = format!("{QUASI}\ny = {{ role = \"quasi\" }}\ns = {{ role = \"insensitive\" }}");
    let rest = "[[privacy]]\nmodel = \"k-anonymity\"\nk = 3\n[search]\nalgorithm = \"datafly\"\nsuppression = \"1/8\"";
    let (_, answer) = publish(data, &columns, rest, 0);
    assert_eq!(answer["rows"]["suppressed"], 0);
    let levels = serde_json::json!({ "z": 1, "y": 0 });
    assert_eq!(answer["recoding"]["levels"], levels);
    let (_, answer) = publish(data, &columns, &format!("{rest}\nstrict = true"), 1);
    assert_eq!(answer["status"], "refused");
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
