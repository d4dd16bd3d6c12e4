//! A table whose release follows from counts is held as its different rows, and which of them each row is may be on disk. With a column that tells a person for every row the
//! same policy needs the rows: both ways must publish the same.

use proptest::prelude::*;
use serde_json::Value;

use crate::folder::Folder;

const POLICY: &str = r#"[data]
path = "data.csv"
null = ["", "?"]
[columns]
PERSON
age = { role = "quasi", hierarchy = { intervals = { from = 0, to = 7, widths = [2, 4] } } }
sex = { role = "quasi" }
zip = { role = "quasi", hierarchy = { mask = "right" } }
disease = { role = "sensitive" }
note = { role = "insensitive" }
[[privacy]]
model = "k-anonymity"
k = K
[[privacy]]
SECOND
[search]
algorithm = "ALGORITHM"
suppression = SHARE
suppressed = "FATE"
[release]
dir = "release"
format = "FORMAT"
"#;

const SECOND: [&str; 4] = [
    "model = \"l-diversity\"\nof = \"disease\"\nl = 2",
    "model = \"l-diversity\"\nof = \"disease\"\nkind = \"entropy\"\nl = 1.5",
    "model = \"t-closeness\"\nof = \"disease\"\nt = 0.4",
    "model = \"alpha-k\"\nof = \"disease\"\nalpha = 0.8",
];

/// The answer without what differs by its nature: times, and the figures that count persons.
fn told(folder: &Folder, more: &[&str]) -> (Option<i32>, Value) {
    let run = folder.scrim(&[&["publish", "policy.toml", "--json"], more].concat());
    let code = run.code;
    let mut answer = if code == Some(2) {
        Value::Null
    } else {
        run.json()
    };
    if let Some(answer) = answer.as_object_mut() {
        answer.remove("seconds");
        answer.remove("remarks");
        for concern in answer["concerns"].as_array_mut().into_iter().flatten() {
            *concern = concern["code"].take();
        }
        for model in answer["models"].as_array_mut().into_iter().flatten() {
            model.as_object_mut().unwrap().remove("counted");
            model.as_object_mut().unwrap().remove("unit");
        }
    }
    (code, answer)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn different_rows_and_all_rows_give_the_same_release(
        rows in prop::collection::vec((0..8u8, 0..3usize, 0..4usize, 0..3usize, 0..2usize), 4..60),
        k in 2..5u8,
        second in 0..SECOND.len(),
        algorithm in prop::sample::select(vec!["optimal", "mingen", "incognito"]),
        share in prop::sample::select(vec!["0", "0.2"]),
        fate in prop::sample::select(vec!["star", "drop"]),
        format in prop::sample::select(vec!["csv", "parquet"]),
    ) {
        let line = |(number, (age, sex, zip, disease, note)): (usize, &(u8, usize, usize, usize, usize))| {
            let (sex, zip) = (["f", "m", "?"][*sex], ["10", "11", "20", ""][*zip]);
            let (disease, note) = (["flu", "cold", "hiv"][*disease], ["a", ""][*note]);
            format!("{number},{age},{sex},{zip},{disease},{note}\n")
        };
        let table: String = std::iter::once("id,age,sex,zip,disease,note\n".to_owned())
            .chain(rows.iter().enumerate().map(line))
            .collect();
        let policy = POLICY
            .replace("k = K", &format!("k = {k}"))
            .replace("SECOND", SECOND[second])
            .replace("ALGORITHM", algorithm)
            .replace("SHARE", share)
            .replace("FATE", fate)
            .replace("FORMAT", format);
        let folder = |person: &str| {
            let folder = Folder::empty();
            folder.write("data.csv", &table);
            folder.write("policy.toml", policy.replace("PERSON", person));
            folder
        };
        let counted = folder("id = { role = \"identifier\" }");
        let plain = folder("id = { role = \"person\" }");
        let spilled = folder("id = { role = \"identifier\" }");
        let answer = told(&counted, &[]);
        prop_assert_eq!(&answer, &told(&plain, &[]));
        prop_assert_eq!(&answer, &told(&spilled, &["--memory", "200MB"]));
        let release = format!("release/release.{format}");
        prop_assert_eq!(counted.path(&release).exists(), plain.path(&release).exists());
        prop_assert_eq!(counted.path(&release).exists(), spilled.path(&release).exists());
        if counted.path(&release).exists() {
            prop_assert!(counted.read(&release) == plain.read(&release));
            prop_assert!(counted.read(&release) == spilled.read(&release));
            prop_assert!(counted.read("release/manifest.json") == spilled.read("release/manifest.json"));
            let report = |folder: &Folder| {
                let manifest: Value = serde_json::from_str(&folder.text("release/manifest.json")).unwrap();
                let mut report = manifest["report"].clone();
                report["counted"] = Value::Null;
                report
            };
            prop_assert_eq!(report(&counted), report(&plain));
        }
    }
}
