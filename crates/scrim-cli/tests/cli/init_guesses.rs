//! `scrim init` where columns are only guessed, what a release would cost, and hierarchies that lie beside the table.

use crate::folder::Folder;

/// A table with one column that nothing explains.
fn table() -> String {
    let mut text = String::from("age,sex,ward,income\n");
    for row in 0..120u32 {
        let income = format!("{}.{:03},50", 1 + row % 9, row % 1000);
        text.push_str(&format!(
            "{},{},West {},\"{income}\"\n",
            20 + row % 40,
            ["m", "f"][row as usize % 2],
            row % 4
        ));
    }
    text
}

#[test]
fn yes_stops_at_what_was_only_guessed_and_writes_nothing() {
    let folder = Folder::empty();
    folder.write("t.csv", table());
    for arguments in [
        vec!["init", "t.csv", "--yes"],
        vec!["init", "t.csv"],
        vec!["init", "t.csv", "-q"],
    ] {
        let run = folder.scrim(&arguments).exits(2);
        assert!(
            run.stderr.contains("1 column was only guessed"),
            "{}",
            run.shown()
        );
        assert!(
            run.stderr.contains("`ward` (quasi?): not recognised"),
            "{}",
            run.shown()
        );
        assert!(
            !run.stderr.contains("West") && !run.stderr.contains("`age`"),
            "{}",
            run.shown()
        );
        assert!(!folder.path("policy.toml").exists() && !folder.path("hierarchies").exists());
    }
    let run = folder.scrim(&["init", "t.csv", "--yes"]).exits(2);
    for way in ["--accept-guesses", "--role COLUMN=ROLE", "without `--yes`"] {
        assert!(run.stderr.contains(way), "{}", run.shown());
    }
}

#[test]
fn a_role_or_accept_guesses_goes_on() {
    let folder = Folder::empty();
    folder.write("t.csv", table());
    let decided = folder.scrim(&[
        "init",
        "t.csv",
        "-o",
        "a",
        "--yes",
        "--role",
        "ward=insensitive",
        "--json",
    ]);
    let answer = decided.exits(0).json();
    assert_eq!(answer["columns"][2]["role"], "insensitive");
    assert_eq!(answer["columns"][2]["unsure"], false);
    let accepted = folder.scrim(&["init", "t.csv", "-o", "b", "--accept-guesses", "--json"]);
    let answer = accepted.exits(0).json();
    assert_eq!(answer["columns"][2]["unsure"], true);
    assert_eq!(answer["counted"], "rows");
    assert!(
        answer["remarks"]
            .to_string()
            .contains("no column tells persons: rows are counted")
    );
    let wrong = folder
        .scrim(&["init", "t.csv", "--role", "ward=secret"])
        .exits(2);
    assert!(
        wrong
            .stderr
            .contains("the roles are identifier, quasi, sensitive, person and insensitive"),
        "{}",
        wrong.shown()
    );
    folder
        .scrim(&["init", "t.csv", "--role", "nowhere=quasi"])
        .exits(2);
}

#[test]
fn what_a_release_would_cost_is_said_before_it_is_published() {
    let folder = Folder::empty();
    folder.write("t.csv", table());
    let init = ["init", "t.csv", "--accept-guesses", "--json"];
    let answer = folder.scrim(&init).exits(0).json();
    let costs = answer["costs"].as_array().unwrap();
    let searches: Vec<&str> = costs
        .iter()
        .map(|cost| cost["algorithm"].as_str().unwrap())
        .collect();
    assert_eq!(searches, ["optimal", "local"]);
    let own = &costs[0];
    let published = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(own["loss"], published["metrics"]["loss_mean"]);
    assert_eq!(own["suppressed_rows"], published["rows"]["suppressed"]);
    // The k that is said to cost nothing gives the same release.
    let free = own["free_k"].as_u64().unwrap();
    assert!(free >= answer["k"].as_u64().unwrap(), "{own}");
    let before = folder.text("release/release.csv");
    let policy = folder.text("policy.toml");
    let with =
        |k: u64| policy.replace(&format!("\nk = {}\n", answer["k"]), &format!("\nk = {k}\n"));
    folder.write("policy.toml", with(free));
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    assert_eq!(folder.text("release/release.csv"), before);
    let shown = folder
        .scrim(&["init", "t.csv", "-o", "b", "--accept-guesses"])
        .exits(0)
        .stdout;
    assert!(
        shown.contains("what a release would cost:\n  optimal"),
        "{shown}"
    );
}

#[test]
fn columns_that_would_be_wholly_suppressed_are_named() {
    let folder = Folder::empty();
    let mut text = String::from("age,zip\n");
    for row in 0..60u32 {
        text.push_str(&format!("{},{:05}\n", 20 + row % 2, 10_000 + row * 1_499));
    }
    folder.write("t.csv", text);
    let shown = folder.scrim(&["init", "t.csv", "--yes"]).exits(0).stdout;
    assert!(shown.contains("wholly suppressed: zip"), "{shown}");
}

#[test]
fn hierarchies_beside_the_table_are_used_where_they_cover_its_values() {
    let folder = Folder::empty();
    std::fs::create_dir_all(folder.path("data/hierarchies")).unwrap();
    folder.write("data/t.csv", table());
    let ages: String = (20..60)
        .map(|age| format!("{age};{}s;*\n", age / 10 * 10))
        .collect();
    folder.write("data/t_hierarchy_age.csv", &ages);
    folder.write("data/hierarchies/sex.csv", "m;*\n");
    let init = [
        "init",
        "data/t.csv",
        "-o",
        "first",
        "--accept-guesses",
        "--json",
    ];
    let answer = folder.scrim(&init).exits(0).json();
    let policy = folder.text("first/policy.toml");
    assert!(
        policy.contains("age = { role = \"quasi\", hierarchy = \"../data/t_hierarchy_age.csv\" }"),
        "{policy}"
    );
    assert!(!policy.contains("sex.csv"), "{policy}");
    assert!(
        answer["remarks"]
            .to_string()
            .contains("../data/t_hierarchy_age.csv lies beside the table and is used")
    );
    assert!(!folder.path("first/hierarchies/age.csv").exists());
    folder.scrim(&["publish", "first/policy.toml"]).exits(0);
    assert_eq!(folder.text("data/t_hierarchy_age.csv"), ages);
}

#[test]
fn decimal_commas_and_labels_of_rare_values_mean_one_thing() {
    let folder = Folder::empty();
    let mut text = String::from("age;betrag;job\n");
    for row in 0..1000u32 {
        let job = match row {
            0..500 => 0,
            500..900 => 1,
            900..960 => 2,
            960..980 => 3,
            980..990 => 4,
            _ => row,
        };
        text.push_str(&format!(
            "{};1.{:03},{:02};job {job}\n",
            20 + row % 5,
            row % 1000,
            row % 100
        ));
    }
    folder.write("t.csv", text);
    folder
        .scrim(&["init", "t.csv", "--accept-guesses"])
        .exits(0);
    let amounts = folder.text("hierarchies/betrag.csv");
    assert!(
        amounts
            .lines()
            .any(|line| line.contains("1.000,00") && line.contains(" to ")),
        "{}",
        &amounts[..200]
    );
    let jobs = folder.text("hierarchies/job.csv");
    let mut levels: Vec<(usize, &str)> = Vec::new();
    for line in jobs.lines() {
        let groups = line
            .split(';')
            .enumerate()
            .filter(|(_, label)| label.starts_with('('));
        levels.extend(groups);
    }
    levels.sort_unstable();
    levels.dedup();
    let mut labels: Vec<&str> = levels.iter().map(|(_, label)| *label).collect();
    labels.sort_unstable();
    let all = labels.len();
    labels.dedup();
    assert_eq!(labels.len(), all, "{levels:?}");
    assert!(labels.contains(&"(rarer than 2%)"), "{levels:?}");
    folder.scrim(&["publish", "policy.toml"]).exits(0);
}

#[test]
fn a_table_whose_values_are_stars_is_not_said_to_show_something() {
    let folder = Folder::empty();
    let rows = "31.12.1999,**,A12.3\n(other),**,A12.3\n31.12.1999,**,A12.3\n(other),**,A12.3\n(other),*,red\n*,**,A12.3\n\
                (other),**,A12.3\n(other),*,A12.3\n(other),*,red\n(other),*,A12.3\n(other),**,A12.3\n(other),**,A12.3\n\
                (other),*,A12.3\n(other),*,A12.3\n*,**,red\n(other),*,red\n*,*,red\n(other),*,red\n*,**,A12.3\n*,*,red\n";
    folder.write("t.csv", format!("x,zip,age\n{rows}"));
    let init = folder
        .scrim(&["init", "t.csv", "--accept-guesses"])
        .exits(0);
    let foretold = init.shown().contains("all rows look alike");
    let published = folder.scrim(&["publish", "policy.toml"]);
    assert_eq!(
        published.code,
        Some(i32::from(foretold)),
        "{}",
        published.shown()
    );
}
