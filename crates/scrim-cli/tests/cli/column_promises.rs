//! Promises about some of the quasi-identifiers, from outside.

use serde_json::{Value, json};

use crate::folder::{Folder, POLICY};

const WOMEN: &str =
    "k = 2\n\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 5\ncolumns = [\"Gender\", \"Race\"]\n";

fn folder(algorithm: &str, more: &str) -> Folder {
    let folder = Folder::figure_7();
    let policy = POLICY.replace("k = 2\n", WOMEN).replace(
        "algorithm = \"optimal\"",
        &format!("algorithm = \"{algorithm}\"\n{more}"),
    );
    folder.write("policy.toml", policy);
    folder
}

/// The sizes of the classes by some columns of a release.
fn sizes(text: &str, columns: &[&str]) -> Vec<usize> {
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let heading = lines.next().unwrap();
    let places: Vec<usize> = columns
        .iter()
        .map(|column| heading.iter().position(|name| name == column).unwrap())
        .collect();
    let mut rows: Vec<Vec<&str>> = lines
        .map(|line| places.iter().map(|at| line[*at]).collect())
        .collect();
    rows.sort();
    rows.chunk_by(|left, right| left == right)
        .map(<[_]>::len)
        .collect()
}

#[test]
fn every_search_keeps_both_promises_and_the_certifier_shows_them() {
    for (algorithm, more) in [
        ("optimal", ""),
        ("optimal", "suppression = 0.5"),
        ("optimal", "suppression = 0.5\nsuppressed = \"drop\""),
        ("mingen", ""),
        ("incognito", "suppression = 0.25"),
        ("datafly", ""),
        ("top-down", ""),
        ("mondrian", ""),
        ("local", ""),
        ("mingen-cell", ""),
        ("personalized", ""),
    ] {
        let folder = folder(algorithm, more);
        let answer = folder
            .scrim(&["publish", "policy.toml", "--json"])
            .exits(0)
            .json();
        let models = answer["models"].as_array().unwrap();
        assert_eq!(
            models[1]["columns"],
            json!(["Gender", "Race"]),
            "{algorithm}"
        );
        assert_eq!(
            (&models[0]["holds"], &models[1]["holds"]),
            (&json!(true), &json!(true))
        );
        let release = folder.text("release/release.csv");
        if answer["rows"]["withheld"] == 0 {
            let least = sizes(&release, &["Race", "Gender"])
                .into_iter()
                .min()
                .unwrap();
            assert!(least >= 5, "{algorithm} {more}\n{release}");
            assert_eq!(models[1]["observed"], least);
        }
        folder
            .scrim(&["audit", "release/release.csv", "-p", "policy.toml"])
            .exits(0);
        let by_class = [
            "top-down",
            "mondrian",
            "local",
            "mingen-cell",
            "personalized",
        ]
        .contains(&algorithm);
        let remarks = answer["remarks"].to_string();
        assert_eq!(
            remarks.contains("classes were formed one by one"),
            by_class,
            "{algorithm}"
        );
        if by_class {
            assert_eq!(answer["optimal"], false);
            assert!(answer["metrics"].get("bound").is_none(), "{algorithm}");
        }
    }
}

#[test]
fn a_release_that_breaks_one_of_them_is_told_with_a_class_of_its_columns() {
    let folder = folder("optimal", "");
    // The best 2-anonymous release of Figure 7 generalizes the sex: six rows of each race are left.
    folder.write("plain.toml", POLICY);
    folder.scrim(&["publish", "plain.toml"]).exits(0);
    folder.replace("policy.toml", "k = 5\n", "k = 7\n");
    let answer = folder
        .scrim(&[
            "audit",
            "release/release.csv",
            "-p",
            "policy.toml",
            "--json",
        ])
        .exits(1)
        .json();
    assert_eq!(answer["models"][0]["holds"], true);
    let broken = &answer["models"][1];
    assert_eq!(broken["holds"], false);
    let values: Vec<&String> = broken["witness"]["values"]
        .as_object()
        .unwrap()
        .keys()
        .collect();
    assert_eq!(values, ["Gender", "Race"]);
    let found = broken["witness"]["found"].as_str().unwrap();
    assert!(found.ends_with("over Gender, Race, but k is 7"), "{found}");
}

#[test]
fn the_lattice_lists_the_nodes_that_keep_both() {
    let count = |folder: &Folder, policy: &str| {
        let answer = folder.scrim(&["lattice", policy, "--json"]).exits(0).json();
        answer["minimal"].as_array().unwrap().clone()
    };
    let folder = folder("optimal", "");
    folder.write("plain.toml", POLICY);
    folder.replace("policy.toml", "k = 5\n", "k = 7\n");
    let (both, plain) = (count(&folder, "policy.toml"), count(&folder, "plain.toml"));
    assert_ne!(both, plain);
    // There are six rows of each race, so the race is generalized in every node.
    let levels = |node: &Value, column: &str| node["levels"][column].as_u64().unwrap();
    assert!(!both.is_empty());
    assert!(both.iter().all(|node| levels(node, "Race") > 0));
}

#[test]
fn risk_has_a_line_for_each_of_them() {
    let folder = folder("optimal", "");
    let answer = folder
        .scrim(&["risk", "data.csv", "-p", "policy.toml", "--json"])
        .exits(0)
        .json();
    let own = &answer["quasi_identifiers"][0];
    assert_eq!(own["columns"], json!(["Gender", "Race"]));
    // 2 black men, 4 black women, 5 white men, 1 white woman.
    assert_eq!(
        (&own["classes"], &own["smallest"], &own["below_k"]),
        (&json!(4), &json!(1), &json!(7))
    );
    let run = folder
        .scrim(&["risk", "data.csv", "-p", "policy.toml"])
        .exits(0);
    assert!(run.stdout.contains("Gender, Race"), "{}", run.stdout);
}

#[test]
fn a_promise_that_says_no_more_than_one_about_all_columns_changes_nothing() {
    let folder = folder("mingen-cell", "");
    folder.replace("policy.toml", "k = 5\n", "k = 2\n");
    let answer = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(
        (&answer["optimal"], &answer["metrics"]["prec_exact"]),
        (&json!(true), &json!("257/288"))
    );
    assert_eq!(answer["models"][1]["columns"], json!(["Gender", "Race"]));
}

#[test]
fn wrong_columns_are_errors_of_their_line() {
    for (columns, words) in [
        ("[]", "`columns` in [[privacy]] number 2 names no column"),
        ("[\"Gender\", \"Gender\"]", "names `Gender` twice"),
        (
            "[\"Problem\"]",
            "names `Problem`, which is no quasi-identifier",
        ),
        ("[\"Sex\"]", "`columns` in [[privacy]] number 2 is none of"),
    ] {
        let folder = folder("optimal", "");
        folder.replace("policy.toml", "[\"Gender\", \"Race\"]", columns);
        let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
        assert!(run.stderr.contains(words), "{}", run.stderr);
    }
}

#[test]
fn a_table_in_sections_is_refused_by_name() {
    let folder = Folder::empty();
    let row = |row: u32| format!("{},{:03}\n", row % 300, row / 300 % 300);
    let rows: String = (0..90_000).map(row).collect();
    folder.write("data.csv", format!("age,zip\n{rows}"));
    let policy = |columns: &str| {
        format!(
            "[data]\npath = \"data.csv\"\n[columns]\nage = {{ role = \"quasi\" }}\nzip = {{ role = \"quasi\", hierarchy = {{ mask = \"right\" }} }}\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n{columns}[release]\ndir = \"out\"\n"
        )
    };
    folder.write("policy.toml", policy("columns = [\"age\"]\n"));
    let run = folder
        .scrim(&["publish", "policy.toml", "--memory", "87MB"])
        .exits(2);
    assert!(
        run.stderr.contains(
            "a `k-anonymity` promise with `columns` counts classes that lie in several sections"
        ),
        "{}",
        run.stderr
    );
    assert!(!folder.path("out").exists());
    folder
        .scrim(&["publish", "policy.toml", "--memory", "1GB"])
        .exits(0);
}

fn over_a(data: &str, columns: &str) -> Folder {
    let folder = Folder::empty();
    folder.write("data.csv", data);
    folder.write(
        "policy.toml",
        format!("[data]\npath = \"data.csv\"\n[columns]\n{columns}a = {{ role = \"quasi\" }}\nb = {{ role = \"quasi\" }}\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\ncolumns = [\"a\"]\n"),
    );
    folder
}

#[test]
fn persons_are_counted_by_the_certifier_and_by_risk() {
    // Three rows of two persons each.
    let data = "p,a,b\n1,x,5\n1,x,5\n2,x,5\n3,y,5\n3,y,5\n4,y,5\n";
    let folder = over_a(data, "p = { role = \"person\" }\n");
    let answer = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(0)
        .json();
    let model = &answer["models"][0];
    assert_eq!(
        (&model["observed"], &model["counted"]),
        (&json!(2), &json!("persons"))
    );
    let risk = folder
        .scrim(&["risk", "data.csv", "-p", "policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(risk["quasi_identifiers"][0]["smallest"], 2);
}

#[test]
fn withheld_rows_are_no_class_of_a_promise_about_some_columns() {
    let data = "a,b,s\nx,5,u\nx,5,v\ny,6,u\n";
    let folder = over_a(data, "s = { role = \"sensitive\" }\n");
    folder.write("release.csv", "a,b,s\nx,5,u\nx,5,v\n*,*,*\n");
    let answer = folder
        .scrim(&["audit", "release.csv", "-p", "policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(answer["rows"]["withheld"], 1);
    assert_eq!(answer["models"][0]["observed"], 2);
}
