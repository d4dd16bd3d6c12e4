//! `scrim risk` from outside.

use serde_json::{Value, json};

use crate::folder::{FIGURE_7, Folder};

fn risk(folder: &Folder, file: &str, more: &[&str]) -> Value {
    let arguments = ["risk", file, "-p", "policy.toml", "--json"];
    folder.scrim(&[&arguments, more].concat()).exits(0).json()
}

#[test]
fn the_patients_of_figure_7_are_told_without_a_value_of_theirs() {
    let folder = Folder::figure_7();
    let run = folder.scrim(&[
        "risk",
        "data.csv",
        "-p",
        "policy.toml",
        "--fraction",
        "0.25",
    ]);
    let run = run.exits(0);
    for cell in FIGURE_7.lines().skip(1).flat_map(|line| line.split(',')) {
        assert!(!run.shown().contains(cell), "{cell}\n{}", run.shown());
    }
    insta::assert_snapshot!(run.shown());
}

#[test]
fn the_keys_of_the_contract_are_there() {
    let folder = Folder::figure_7();
    let found = risk(&folder, "data.csv", &[]);
    assert_eq!(
        (&found["rows"], &found["persons"]),
        (&json!(12), &Value::Null)
    );
    // By their birth dates all are alone.
    assert_eq!(
        (&found["classes"], &found["unique"]),
        (&json!(12), &json!(12))
    );
    let prosecutor = &found["prosecutor"];
    assert_eq!(
        (&prosecutor["max_exact"], &prosecutor["mean_exact"]),
        (&json!("1"), &json!("1"))
    );
    assert_eq!(found["marketer_exact"], "1");
    assert_eq!(
        (&prosecutor["above"], &found["threshold_exact"]),
        (&json!(12), &json!("1/5"))
    );
    assert_eq!(found["journalist"], Value::Null);
    let columns = found["columns"].as_array().unwrap();
    assert_eq!(columns.len(), 4);
    for column in columns {
        for key in [
            "column",
            "distinction",
            "separation",
            "distinction_exact",
            "separation_exact",
        ] {
            assert!(!column[key].is_null(), "{key} {column}");
        }
    }
    let gender = columns
        .iter()
        .find(|column| column["column"] == "Gender")
        .unwrap();
    assert_eq!(
        (&gender["values"], &gender["distinction_exact"]),
        (&json!(2), &json!("1/6"))
    );
    assert_eq!(found["pairs"].as_array().unwrap().len(), 6);
}

#[test]
fn a_release_exposes_less_than_its_source_and_suppressed_rows_are_a_class() {
    let folder = Folder::figure_7();
    folder.replace("policy.toml", "[search]", "[search]\nsuppression = 0.25");
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    let found = risk(&folder, "release/release.csv", &[]);
    // One row is suppressed: a class of its own.
    assert_eq!(
        (&found["unique"], &found["smallest_rows"]),
        (&json!(1), &json!([1]))
    );
    let remark = found["remarks"][0].as_str().unwrap();
    assert!(remark.starts_with("1 row suppressed"), "{remark}");
    let text = folder.text("release/release.csv");
    let classes: std::collections::BTreeSet<&str> = text
        .lines()
        .skip(1)
        .map(|line| line.rsplit_once(',').unwrap().0)
        .collect();
    assert_eq!(found["classes"], classes.len());
    // Against its own source everybody is found where the class finds them.
    let against = risk(
        &folder,
        "release/release.csv",
        &["--population", "data.csv"],
    );
    let (own, theirs) = (&against["prosecutor"], &against["journalist"]);
    assert_eq!(theirs["lacking"], 0);
    assert!(theirs["mean"].as_f64() <= own["mean"].as_f64());
    assert_eq!(against["uniqueness"]["fraction"], 1.0);
}

/// Ann is in two classes, Bob has twice the same row.
const VISITS: &str =
    "who,age,ill\nAnn,30,flu\nAnn,31,flu\nBob,30,flu\nBob,30,flu\nCy,30,flu\nDee,40,flu\n";

fn visits() -> Folder {
    let folder = Folder::empty();
    folder.write("visits.csv", VISITS);
    folder.write(
        "policy.toml",
        "[data]\npath = \"visits.csv\"\n[columns]\nwho = { role = \"person\" }\nage = { role = \"quasi\" }\n\
         ill = { role = \"sensitive\" }\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n",
    );
    folder
}

#[test]
fn persons_are_counted_where_the_table_tells_them() {
    let folder = visits();
    let found = risk(&folder, "visits.csv", &["--threshold", "1/3"]);
    assert_eq!((&found["rows"], &found["persons"]), (&json!(6), &json!(4)));
    assert_eq!(
        (&found["classes"], &found["unique"]),
        (&json!(3), &json!(2))
    );
    // Ann 1, Bob 1/3, Cy 1/3, Dee 1.
    assert_eq!(found["prosecutor"]["mean_exact"], "2/3");
    assert_eq!(found["prosecutor"]["above"], 2);
    let remark = found["remarks"][0].as_str().unwrap();
    assert!(
        remark.starts_with("some persons are in several classes"),
        "{remark}"
    );
    folder.write("rows.csv", "age,ill\n30,flu\n30,flu\n31,flu\n");
    let rows = risk(&folder, "rows.csv", &[]);
    assert_eq!(
        (&rows["persons"], &rows["counted"]),
        (&Value::Null, &json!("rows"))
    );
    assert_eq!(
        rows["remarks"][0],
        "the table does not tell persons (`who`): rows are counted"
    );
}

#[test]
fn a_population_says_more_than_the_table() {
    let folder = visits();
    folder.write("all.csv", "age\n30\n30\n30\n30\n31\n31\n40\n50\n");
    let found = risk(
        &folder,
        "visits.csv",
        &["--population", "all.csv", "--threshold", "1/3"],
    );
    let journalist = &found["journalist"];
    // Ann 1/2 by 31, Bob and Cy 1/4, Dee 1.
    assert_eq!(journalist["mean_exact"], "1/2");
    assert_eq!(
        (&journalist["above"], &journalist["unique"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(found["uniqueness"]["population"], 8);
    folder.write("few.csv", "age\n30\n40\n");
    let found = risk(&folder, "visits.csv", &["--population", "few.csv"]);
    assert_eq!(found["journalist"]["lacking"], 2);
    assert_eq!(found["uniqueness"], Value::Null);
}

#[test]
fn what_cannot_be_asked_exits_2() {
    let folder = visits();
    folder.write("empty.csv", "who,age,ill\n");
    folder.write("other.csv", "who,ill\nAnn,flu\n");
    for (more, words) in [
        (
            &["visits.csv", "--fraction", "0"][..],
            "nothing of the population",
        ),
        (&["visits.csv", "--fraction", "1.5"], "is not from 0 to 1"),
        (&["visits.csv", "--threshold", "x"], "is no exact number"),
        (
            &[
                "visits.csv",
                "--fraction",
                "0.1",
                "--population",
                "visits.csv",
            ],
            "cannot be used with",
        ),
        (&["empty.csv"], "a header but no row"),
        (&["other.csv"], "it lacks the quasi-identifiers `age`"),
        (
            &["visits.csv", "--population", "other.csv"],
            "it lacks the quasi-identifiers `age`",
        ),
        (&["nobody.csv"], "nobody.csv"),
    ] {
        let run = folder
            .scrim(&[&["risk", "-p", "policy.toml"], more].concat())
            .exits(2);
        assert!(run.stderr.contains(words), "{}", run.shown());
        assert!(!run.shown().contains("Ann"), "{}", run.shown());
    }
}
