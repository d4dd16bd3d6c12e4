//! Queries asked of a release: `measure --workload`.

use serde_json::Value;

use crate::folder::{Folder, Run};

const MEASURE: [&str; 5] = [
    "measure",
    "data.csv",
    "release/release.csv",
    "-p",
    "policy.toml",
];

fn measure(folder: &Folder, more: &[&str]) -> Run {
    folder.scrim(&[&MEASURE, more].concat())
}

fn published() -> Folder {
    let folder = Folder::figure_7();
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    folder
}

const RANDOM: [&str; 6] = ["--workload", "random", "--queries", "200", "--share", "0.3"];

#[test]
fn random_queries_are_summed_up_beside_the_metrics() {
    let folder = published();
    insta::assert_snapshot!(measure(&folder, &RANDOM).exits(0).shown());
    let answer = measure(&folder, &[&RANDOM[..], &["--json"]].concat())
        .exits(0)
        .json();
    assert!(answer["metrics"]["prec"].is_number());
    let workload = &answer["workload"];
    assert_eq!(workload["queries"], 200);
    for key in [
        "mean", "stddev", "median", "p75", "p90", "p95", "p99", "max",
    ] {
        assert!(workload[key].is_number(), "{key}");
        assert!(workload["type2"][key].is_number(), "{key}");
    }
    assert_eq!(
        (&workload["seed"], &workload["of"]),
        (&1.into(), &"Problem".into())
    );
    assert_eq!(
        (&workload["share"], &workload["least"]),
        (&"3/10".into(), &"1/100".into())
    );
    assert_eq!(
        (&workload["type1"]["queries"], &workload["type2"]["queries"]),
        (&60.into(), &140.into())
    );
    // The sensitive column is published as it is: queries about it alone have no error.
    assert_eq!(workload["type1"]["max"], 0.0);
    assert!(workload["type2"]["max"].as_f64().unwrap() > 0.0);
    let plain = measure(&folder, &["--json"]).exits(0).json();
    assert!(plain.get("workload").is_none());
}

#[test]
fn the_seed_and_nothing_else_decides() {
    let folder = published();
    let with = |more: &[&str]| {
        let run = measure(&folder, &[&RANDOM[..], more, &["--json"]].concat());
        run.exits(0).json()["workload"].clone()
    };
    assert_eq!(with(&["--threads", "1"]), with(&["--threads", "4"]));
    assert_eq!(with(&[]), with(&["--seed", "1"]));
    assert_ne!(with(&[])["mean"], with(&["--seed", "2"])["mean"]);
}

#[test]
fn a_workload_that_was_written_can_be_asked_again() {
    let folder = published();
    let write = ["--write-workload", "queries.csv", "--json"];
    let drawn = measure(&folder, &[&RANDOM[..], &write].concat())
        .exits(0)
        .json();
    let again = measure(&folder, &["--workload", "queries.csv", "--json"])
        .exits(0)
        .json();
    for key in [
        "queries", "mean", "stddev", "median", "p90", "max", "type1", "type2",
    ] {
        assert_eq!(drawn["workload"][key], again["workload"][key], "{key}");
    }
    assert_eq!(again["workload"]["file"], "queries.csv");
    assert!(again["workload"].get("seed").is_none());
    let before = folder.text("queries.csv");
    let refused = measure(&folder, &[&RANDOM[..], &write].concat()).exits(2);
    assert!(
        refused
            .stderr
            .contains("queries.csv: there is such a file already")
    );
    assert_eq!(folder.text("queries.csv"), before);
}

#[test]
fn the_original_itself_answers_without_error() {
    let folder = published();
    let run = folder.scrim(
        &[
            &[
                "measure",
                "data.csv",
                "data.csv",
                "-p",
                "policy.toml",
                "--json",
            ],
            &RANDOM[..],
        ]
        .concat(),
    );
    assert_eq!(run.exits(0).json()["workload"]["max"], 0.0);
}

/// [XiaoTao06], Figures 1a and 1c, ages and diseases.
fn figure_1() -> Folder {
    let folder = Folder::figure_7();
    let ages = ["5", "9", "6", "8", "12", "19", "21", "26", "28", "56"];
    let released = |age: &str| match age.parse().unwrap() {
        ..=10_u32 => "[1, 10]",
        11..=20 => "[11, 20]",
        _ => "[21, 60]",
    };
    let diseases = "gastric-ulcer dyspepsia pneumonia bronchitis pneumonia pneumonia flu gastritis pneumonia flu";
    let table = |label: &dyn Fn(&str) -> String| {
        let rows = ages.iter().zip(diseases.split(' '));
        let rows = rows.map(|(age, disease)| format!("{},{disease}\n", label(age)));
        format!("age,disease\n{}", rows.collect::<String>())
    };
    folder.write("data.csv", table(&str::to_owned));
    std::fs::create_dir_all(folder.path("release")).unwrap();
    folder.write(
        "release/release.csv",
        table(&|age| format!("\"{}\"", released(age))),
    );
    let lines: String = ages
        .iter()
        .map(|age| format!("{age};{};*\n", released(age)))
        .collect();
    folder.write("age.csv", lines);
    folder.write(
        "policy.toml",
        r#"[data]
path = "data.csv"
[columns]
age = { role = "quasi", hierarchy = "age.csv", numeric = { from = 1, to = 60 } }
disease = { role = "sensitive" }
[[privacy]]
model = "k-anonymity"
k = 2
"#,
    );
    folder
}

#[test]
fn the_paper_s_patients_above_30_are_estimated_at_3_where_there_is_1() {
    let folder = figure_1();
    folder.write(
        "queries.csv",
        "sensitive_from,column,from,to\n*,age,31,60\nflu,age,1,20\n",
    );
    let run = measure(&folder, &["--workload", "queries.csv"]).exits(0);
    insta::assert_snapshot!(run.shown());
    let workload = measure(&folder, &["--workload", "queries.csv", "--json"])
        .exits(0)
        .json()["workload"]
        .clone();
    // |1 - 3| / 1; nobody below 20 has the flu.
    assert_eq!(
        (&workload["mean"], &workload["undefined"]),
        (&2.0.into(), &1.into())
    );
    assert_eq!(workload["type1"]["mean"], Value::Null);
}

#[test]
fn faults_of_a_workload_are_told_with_their_place() {
    let folder = figure_1();
    let refused = |file: &str| {
        folder.write("queries.csv", file);
        measure(&folder, &["--workload", "queries.csv"])
            .exits(2)
            .stderr
    };
    let faults = [
        refused("sensitive_from\ngout\n"),
        refused("disease,age\nflu,3\n"),
        refused("sensitive_from,column,from,to\nflu,age,60,31\n"),
        refused("sensitive_from,column,from\nflu,sex,F\n"),
        measure(&folder, &["--workload", "none.csv"])
            .exits(2)
            .stderr,
        measure(&folder, &["--workload", "queries.csv", "--seed", "2"])
            .exits(2)
            .stderr,
        measure(&folder, &["--workload", "random", "--least", "0.9"])
            .exits(2)
            .stderr,
        measure(&folder, &["--workload", "random", "--of", "age"])
            .exits(2)
            .stderr,
        measure(&folder, &["--workload", "random", "--share", "1.5"])
            .exits(2)
            .stderr,
        measure(&folder, &["--seed", "1"]).exits(2).stderr,
    ];
    insta::assert_snapshot!(faults.join("----\n"));
}

#[test]
fn a_published_value_of_another_table_is_told_by_its_line_alone() {
    let folder = figure_1();
    folder.replace("release/release.csv", "bronchitis", "SECRET");
    let run = measure(&folder, &["--workload", "random"]).exits(2);
    assert!(
        run.stderr
            .contains("release/release.csv:5: the label of `disease`"),
        "{}",
        run.shown()
    );
    assert!(!run.shown().contains("SECRET"));
}
