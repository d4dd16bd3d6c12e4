//! What an answer may claim: no success without content, no error for an impossible promise, no bound worse than the value.

use serde_json::{Value, json};

use crate::folder::Folder;

fn folder(data: &str, columns: &str, rest: &str) -> Folder {
    let folder = Folder::empty();
    folder.write("data.csv", data);
    folder.write(
        "policy.toml",
        format!("[data]\npath = \"data.csv\"\n[columns]\n{columns}\n{rest}\n"),
    );
    folder
}

fn publish(folder: &Folder, code: i32) -> Value {
    folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(code)
        .json()
}

const TWO: &str =
    "a = { role = \"quasi\" }\nb = { role = \"quasi\" }\ns = { role = \"sensitive\" }";
const K2: &str = "[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n";

#[test]
fn a_release_of_stars_only_is_refused_unless_the_policy_allows_it() {
    // No two rows have a value in common.
    let data = "a,b,s\n1,5,x\n2,6,y\n3,7,x\n4,8,y\n";
    for algorithm in [
        "optimal",
        "mingen",
        "mingen-cell",
        "datafly",
        "incognito",
        "top-down",
        "personalized",
        "mondrian",
        "local",
    ] {
        let search = format!("{K2}[search]\nalgorithm = \"{algorithm}\"\n");
        let folder = folder(data, TWO, &search);
        let answer = publish(&folder, 1);
        assert_eq!(answer["status"], "refused", "{algorithm}");
        assert!(answer["reason"].as_str().unwrap().len() > 20, "{answer}");
        assert!(answer["hint"].as_str().unwrap().contains("ask for less"));
        assert_eq!(folder.files("release").unwrap_or_default(), Vec::new());
        let compared = folder
            .scrim(&["publish", "policy.toml", "--compare", "--json"])
            .exits(1)
            .json();
        let own = compared["compared"].as_array().unwrap().iter();
        for own in own.filter(|own| own["chosen"] == true) {
            assert_eq!(own["verdict"], "refused", "{algorithm}");
        }
        if algorithm == "datafly" {
            // It gives the whole table up, so that there is nothing to allow.
            continue;
        }
        folder.replace(
            "policy.toml",
            "[search]\n",
            "[search]\nallow-empty = true\n",
        );
        let answer = publish(&folder, 0);
        assert_eq!(answer["models"][0]["observed"], 4, "{algorithm}");
        assert_eq!(answer["rows"]["suppressed"], 4, "{algorithm}");
        let remark = json!("no quasi-identifier of any row shows anything but stars");
        assert!(answer["remarks"].as_array().unwrap().contains(&remark));
    }
}

#[test]
fn the_top_of_the_lattice_is_still_listed() {
    let folder = folder("a,b,s\n1,5,x\n2,6,y\n3,7,x\n", TWO, K2);
    let answer = folder
        .scrim(&["lattice", "policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(answer["status"], "listed");
    assert_eq!(answer["minimal"][0]["levels"], json!({ "a": 1, "b": 1 }));
}

#[test]
fn suppressing_every_row_is_no_success_either() {
    let rest = format!("{K2}[search]\nsuppression = 1\n");
    let folder = folder("a,b,s\n1,5,x\n2,6,y\n", TWO, &rest);
    let answer = publish(&folder, 1);
    assert_eq!(answer["status"], "refused");
    folder.replace(
        "policy.toml",
        "suppression = 1\n",
        "suppression = 1\nsuppressed = \"drop\"\n",
    );
    assert_eq!(publish(&folder, 1)["status"], "refused");
}

#[test]
fn a_table_without_quasi_identifiers_is_not_made_of_stars() {
    let columns = "a = { role = \"insensitive\" }\nb = { role = \"insensitive\" }\ns = { role = \"sensitive\" }";
    let folder = folder("a,b,s\n1,5,x\n2,6,y\n", columns, K2);
    let run = folder.scrim(&["publish", "policy.toml", "--json"]);
    // Where such a policy is taken at all, its one class is the table.
    if run.code == Some(0) {
        let answer = run.json();
        assert_eq!(answer["rows"]["suppressed"], 0);
        assert_eq!(answer["models"][0]["observed"], 2);
    } else {
        run.exits(2);
    }
}

#[test]
fn a_k_above_rows_or_persons_is_refused_everywhere() {
    let persons =
        "p = { role = \"person\" }\na = { role = \"quasi\" }\ns = { role = \"sensitive\" }";
    let rows = "a = { role = \"quasi\" }\ns = { role = \"sensitive\" }";
    for (data, columns, words) in [
        (
            "a,s\n1,x\n1,y\n2,x\n",
            rows,
            "4 rows in each class, but the whole table has 3 rows",
        ),
        (
            "p,a,s\n7,1,x\n7,1,y\n8,2,x\n8,2,y\n9,1,x\n",
            persons,
            "4 persons in each class, but the whole table has 3 persons",
        ),
    ] {
        let folder = folder(
            data,
            columns,
            "[[privacy]]\nmodel = \"k-anonymity\"\nk = 4\n",
        );
        let answer = publish(&folder, 1);
        assert_eq!(answer["status"], "refused");
        assert!(
            answer["reason"].as_str().unwrap().contains(words),
            "{answer}"
        );
        assert_eq!(answer["hint"], "`k` cannot be above 3 in this table");
        let listed = folder
            .scrim(&["lattice", "policy.toml", "--json"])
            .exits(1)
            .json();
        assert_eq!(listed["status"], "refused");
        assert_eq!(listed["reason"], answer["reason"]);
        assert_eq!(listed["minimal"], json!([]));
        let text = folder.scrim(&["lattice", "policy.toml"]).exits(1);
        assert!(
            text.stdout.starts_with("refused: k-anonymity asks for"),
            "{}",
            text.shown()
        );
        let compared = folder
            .scrim(&["publish", "policy.toml", "--compare", "--json"])
            .exits(1)
            .json();
        for one in compared["compared"].as_array().unwrap() {
            assert!(one["verdict"] != "certified", "{one}");
        }
    }
}

const WISHES: &str = "a = { role = \"quasi\" }\ns = { role = \"sensitive\", hierarchy = \"s.txt\" }\nw = { role = \"guard\", of = \"s\" }";
const GUARDED: &str =
    "a,s,w\n1,flu,\n1,cold,\n1,flu,any\n1,pox,\n2,cold,cold\n2,flu,\n2,pox,\n2,pox,\n";

fn wishes(search: &str) -> Folder {
    let promise = "[[privacy]]\nmodel = \"personal\"\nbreach = \"1/2\"\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 3\n";
    let folder = folder(GUARDED, WISHES, &format!("{promise}[search]\n{search}"));
    folder.write("s.txt", "any\n  cough\n    flu\n    cold\n  pox\n");
    folder
}

#[test]
fn a_guard_at_the_root_is_left_out_where_rows_may_be_dropped() {
    // One row of eight: its class has four, more than may be suppressed.
    let folder = wishes("algorithm = \"optimal\"\nsuppression = \"1/8\"\nsuppressed = \"drop\"");
    let answer = publish(&folder, 0);
    assert_eq!(
        answer["rows"],
        json!({ "read": 8, "released": 7, "suppressed": 1, "withheld": 0 })
    );
    assert_eq!(folder.text("release/release.csv").lines().count(), 8);
    let measured = folder
        .scrim(&[
            "measure",
            "data.csv",
            "release/release.csv",
            "-p",
            "policy.toml",
            "--json",
        ])
        .exits(0)
        .json();
    assert_eq!(measured["metrics"], answer["metrics"]);
    // Too little may be suppressed, rows stay, or the search suppresses nothing.
    for search in [
        "algorithm = \"optimal\"\nsuppression = 0.1\nsuppressed = \"drop\"",
        "algorithm = \"optimal\"\nsuppression = 0.5",
        "algorithm = \"mondrian\"\nsuppression = 0.5\nsuppressed = \"drop\"",
    ] {
        let answer = publish(&wishes(search), 1);
        assert_eq!(answer["status"], "refused", "{search}");
        assert!(
            answer["reason"].as_str().unwrap().contains("as guard"),
            "{answer}"
        );
    }
}

#[test]
fn any_number_of_stars_is_the_top_to_an_audit_with_the_raw_table() {
    let columns = "zip = { role = \"quasi\", hierarchy = { mask = \"right\" } }\na = { role = \"quasi\" }\ns = { role = \"sensitive\" }";
    let folder = folder("zip,a,s\n021,1,x\n022,1,y\n", columns, K2);
    for zip in ["*", "***", "*******"] {
        folder.write("release.csv", format!("zip,a,s\n{zip},1,x\n{zip},1,y\n"));
        folder
            .scrim(&[
                "audit",
                "release.csv",
                "-p",
                "policy.toml",
                "--raw",
                "data.csv",
            ])
            .exits(0);
    }
    folder.write("release.csv", "zip,a,s\n03*,1,x\n03*,1,y\n");
    folder
        .scrim(&[
            "audit",
            "release.csv",
            "-p",
            "policy.toml",
            "--raw",
            "data.csv",
        ])
        .exits(2);
}

#[test]
fn rows_that_came_out_as_stars_count_as_suppressed_everywhere() {
    // The last two rows have nothing in common, so that their class shows the tops.
    let data = "a,b,s\n1,5,x\n1,5,y\n2,6,x\n3,7,y\n";
    let folder = folder(
        data,
        TWO,
        &format!("{K2}[search]\nalgorithm = \"mingen-cell\"\n"),
    );
    let answer = publish(&folder, 0);
    assert_eq!(answer["rows"]["suppressed"], 2);
    let audited = folder
        .scrim(&[
            "audit",
            "release/release.csv",
            "-p",
            "policy.toml",
            "--json",
        ])
        .exits(0)
        .json();
    assert_eq!(audited["rows"]["suppressed"], 2);
    let measured = folder
        .scrim(&[
            "measure",
            "data.csv",
            "release/release.csv",
            "-p",
            "policy.toml",
            "--json",
        ])
        .exits(0)
        .json();
    assert_eq!(measured["rows"], answer["rows"]);
}

#[test]
fn without_a_sensitive_column_no_row_is_withheld() {
    let columns = "a = { role = \"quasi\" }\nb = { role = \"quasi\" }";
    let rest = format!("{K2}[search]\nsuppression = 0.5\n");
    let folder = folder("a,b\n1,5\n1,5\n2,6\n", columns, &rest);
    let answer = publish(&folder, 0);
    assert_eq!(
        answer["rows"],
        json!({ "read": 3, "released": 3, "suppressed": 1, "withheld": 0 })
    );
    assert_eq!(answer["models"][0]["observed"], 2);
    // A table that is nothing else has one class, and that is judged.
    folder.write("stars.csv", "a,b\n*,*\n*,*\n*,*\n");
    let audited = folder
        .scrim(&["audit", "stars.csv", "-p", "policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(audited["models"][0]["observed"], 3);
    assert_eq!(audited["rows"]["withheld"], 0);
    folder.write("stars.csv", "a,b\n*,*\n");
    let audited = folder
        .scrim(&["audit", "stars.csv", "-p", "policy.toml", "--json"])
        .exits(1)
        .json();
    assert_eq!(audited["models"][0]["observed"], 1);
}

#[test]
fn what_was_found_is_never_null_where_there_are_classes() {
    let models = [
        "model = \"k-anonymity\"\nk = 1",
        "model = \"p-sensitive\"\np = 1",
        "model = \"l-diversity\"\nl = 1",
        "model = \"t-closeness\"\nt = 1",
        "model = \"delta-disclosure\"\ndelta = 9",
        "model = \"beta-likeness\"\nbeta = 9",
    ];
    for model in models {
        let folder = folder(
            "a,b,s\n1,5,x\n2,6,y\n",
            TWO,
            &format!("[[privacy]]\n{model}\n"),
        );
        for release in [
            "a,b,s\n1,5,x\n2,6,y\n",
            "a,b,s\n*,*,*\n*,*,*\n",
            "a,b,s\n*,*,x\n*,*,y\n",
        ] {
            folder.write("release.csv", release);
            let run = folder.scrim(&["audit", "release.csv", "-p", "policy.toml", "--json"]);
            assert!(run.is_orderly(), "{}", run.shown());
            if run.code == Some(2) {
                continue;
            }
            let answer = run.json();
            assert!(
                !answer["models"][0]["observed"].is_null(),
                "{model}\n{release}\n{answer}"
            );
        }
    }
}

#[test]
fn a_gap_of_nothing_is_a_proof_in_an_uneven_hierarchy_too() {
    let columns = "a = { role = \"quasi\", hierarchy = \"a.txt\" }\nb = { role = \"quasi\" }";
    let rest = format!("{K2}[search]\nalgorithm = \"mingen-cell\"\n");
    // In both every cell counts at its own level, so that what was searched is what is measured.
    for (data, prec) in [
        ("a,b\n1,5\n1,5\n3,6\n3,6\n", "1"),
        ("a,b\n1,5\n2,5\n3,6\n3,6\n4,5\n1,5\n", "8/9"),
    ] {
        let folder = folder(data, columns, &rest);
        folder.write(
            "a.txt",
            "all\n  low\n    1\n    2\n  3\n  up\n    4\n    5\n",
        );
        let answer = publish(&folder, 0);
        let metrics = &answer["metrics"];
        assert_eq!(metrics["prec_exact"], prec);
        assert_eq!(
            (&metrics["gap"], &metrics["bound"]),
            (&json!(0.0), &metrics["prec"])
        );
        assert_eq!(answer["optimal"], true, "{answer}");
    }
}
