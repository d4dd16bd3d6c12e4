//! The examples and the study of [Zhang07] through the command.

use serde_json::Value;

use crate::folder::Folder;

const HEADER: &str =
    "sex;age;race;marital-status;education;native-country;workclass;occupation;salary-class";

fn study(folder: &Folder, more: &[&str]) -> Value {
    let mut arguments = vec!["reproduce", "zhang07", "--json"];
    arguments.extend(more);
    folder.scrim(&arguments).exits(0).json()
}

/// A file in the shape of Adult.
fn adult() -> String {
    let rows = (0..120).map(|row| {
        let (age, job) = (20 + row * 7 % 40, row * 5 % 6);
        let sex = ["Male", "Female"][row % 2];
        format!("{sex};{age};White;Divorced;HS-grad;United-States;w;job {job};<=50K\n")
    });
    format!("{HEADER}\n{}", rows.collect::<String>())
}

#[test]
fn the_examples_are_reproduced() {
    let folder = Folder::figure_7();
    let shown = folder
        .scrim(&["reproduce", "zhang07", "--rows", "100"])
        .exits(0)
        .shown();
    let (examples, study) = shown.split_once("\nWhat naive releases").unwrap();
    assert!(study.contains("0 differ"), "{study}");
    insta::assert_snapshot!(examples);
}

#[test]
fn a_small_study_is_the_same_for_its_seed_and_writes_its_files() {
    let folder = Folder::figure_7();
    let first = study(&folder, &["--rows", "100", "--out", "a"]);
    // Over a former run; not over anything else.
    let again = study(&folder, &["--rows", "100", "--out", "a"]);
    assert_eq!(first["figures"], again["figures"]);
    let other = study(&folder, &["--rows", "100", "--out", "b", "--seed", "5"]);
    assert_ne!(first["figures"]["study"], other["figures"]["study"]);
    std::fs::create_dir(folder.path("c")).unwrap();
    folder.write("c/mine.txt", "mine");
    let refused = folder
        .scrim(&["reproduce", "zhang07", "--rows", "100", "--out", "c"])
        .exits(2);
    assert!(
        refused.stderr.contains("is not empty"),
        "{}",
        refused.stderr
    );

    let runs = folder.text("a/runs.csv");
    // Four samples of 12, 20 and 50 rows and everybody, two chains, three promises.
    assert_eq!(runs.lines().count(), 1 + (3 * 4 + 1) * 2 * 3);
    assert_eq!(folder.text("a/study.csv").lines().count(), 1 + 4 * 2 * 3);
    assert!(folder.text("a/breaks_optimal.svg").starts_with("<svg"));
    let summaries = first["figures"]["study"].as_array().unwrap();
    for one in summaries {
        let count = |key: &str| one[key].as_u64().unwrap();
        let published = one["exclusive"]["published"].as_u64().unwrap();
        assert!(count("tells_more") <= count("exact"), "{one}");
        assert_eq!(
            published + count("breaks") + count("undecided"),
            count("released"),
            "{one}"
        );
    }
    // The study would be idle if no release told anything.
    let told = summaries
        .iter()
        .map(|one| one["tells_more"].as_u64().unwrap());
    assert!(told.sum::<u64>() > 0);
}

#[test]
fn the_study_takes_adult_and_says_what_does_not_fit() {
    let folder = Folder::figure_7();
    folder.write("adult.csv", adult());
    let given = study(
        &folder,
        &["--data", "adult.csv", "--rows", "100", "--out", "a"],
    );
    assert_eq!(given["figures"]["data"]["name"], "Adult, 100 rows");
    assert_eq!(given["not_yet"], "");
    folder.write("age.csv", adult().replacen(";27;", ";old;", 1));
    let age = folder
        .scrim(&["reproduce", "zhang07", "--data", "age.csv", "--out", "b"])
        .exits(2);
    assert!(
        age.stderr
            .contains("age.csv:3: `age` is no number of years"),
        "{}",
        age.stderr
    );
    folder.write("none.csv", format!("{HEADER}\n"));
    folder
        .scrim(&["reproduce", "zhang07", "--data", "none.csv", "--out", "b"])
        .exits(2);
    folder.write("columns.csv", "age;sex\n20;Male\n");
    let column = folder
        .scrim(&[
            "reproduce",
            "zhang07",
            "--data",
            "columns.csv",
            "--out",
            "b",
        ])
        .exits(2);
    assert!(
        column.stderr.contains("there is no column `education`"),
        "{}",
        column.stderr
    );
}
