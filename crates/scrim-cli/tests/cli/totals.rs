//! `scrim attack --totals` from outside: what suppressed cells and rows give away to who knows how many there are.

use serde_json::json;

use crate::folder::{FIGURE_7, Folder, POLICY, Run};

const BY_HAND: &str = "Race,BirthDate,Gender,ZIP,Problem\nblack,1965,male,021**,a\nblack,1965,human,021**,b\nwhite,1964,******,021**,c\nwhite,1964,male,021**,d\n";

fn attack(folder: &Folder, totals: &str, more: &[&str]) -> Run {
    folder.write("totals.csv", totals);
    let arguments = [
        "attack",
        "release.csv",
        "-p",
        "policy.toml",
        "--totals",
        "totals.csv",
    ];
    folder.scrim(&[&arguments, more].concat())
}

#[test]
fn who_knows_how_many_men_and_women_there_are_knows_the_hidden_ones() {
    let folder = Folder::figure_7();
    folder.write("release.csv", BY_HAND);
    let answer = attack(
        &folder,
        "column,value,count\nGender,male,2\nGender,female,2\n",
        &["--json"],
    )
    .exits(1)
    .json();
    let column = &answer["columns"][0];
    assert_eq!(
        (&column["hidden"], &column["inferred"], &column["max_exact"]),
        (&json!(2), &json!(2), &json!("1"))
    );
    assert!(answer.get("cells").is_none());
    assert_eq!(answer["k"], 2);
    let run = attack(
        &folder,
        "column,value,count\nGender,male,2\nGender,female,2\n",
        &["--all"],
    )
    .exits(1);
    assert!(
        run.stdout
            .contains("the attack succeeds: 2 of 2 hidden values"),
        "{}",
        run.stdout
    );
    assert!(run.stdout.contains("female"), "{}", run.stdout);
    // One man more than is shown may be any of the two.
    let answer = attack(
        &folder,
        "column,value,count\nGender,male,3\nGender,female,1\n",
        &["--json"],
    )
    .exits(0)
    .json();
    assert_eq!(answer["columns"][0]["inferred"], 0);
    assert_eq!(answer["columns"][0]["max_exact"], "1/2");
}

#[test]
fn rows_that_were_left_out_are_told_by_subtraction_and_certain_cells_part_classes() {
    let folder = Folder::figure_7();
    folder.write("release.csv", "Race,BirthDate,Gender,ZIP,Problem\nblack,1965,male,021**,a\nblack,1965,male,021**,b\nperson,1964,male,021**,c\nperson,1964,male,021**,d\n");
    let totals = "column,value,count\nRace,black,3\nRace,white,2\nGender,male,4\nGender,female,1\n";
    let answer = attack(&folder, totals, &["--json"]).exits(1).json();
    let (race, gender) = (&answer["columns"][0], &answer["columns"][1]);
    // Of three hidden races one is black: nobody knows which. The one who is missing is a woman.
    assert_eq!(
        (&race["inferred"], &race["missing_inferred"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(race["max_exact"], "2/3");
    assert_eq!(
        (&gender["missing"], &gender["missing_inferred"]),
        (&json!(1), &json!(1))
    );
    assert_eq!(answer["before"], answer["after"]);
}

#[test]
fn what_mu_argus_suppresses_in_figure_7_can_be_inferred() {
    let folder = Folder::figure_7();
    let mu_argus = "algorithm = \"mu-argus\"\nallow-broken = true";
    let columns = POLICY
        .replace("algorithm = \"optimal\"", mu_argus)
        .replace(
            "Race = { role = \"quasi\"",
            "Race = { role = \"quasi\", identifying = \"identifying\"",
        )
        .replace(
            "BirthDate = { role = \"quasi\"",
            "BirthDate = { role = \"quasi\", identifying = \"most\"",
        )
        .replace(
            "Gender = { role = \"quasi\"",
            "Gender = { role = \"quasi\", identifying = \"more\"",
        )
        .replace(
            "ZIP = { role = \"quasi\"",
            "ZIP = { role = \"quasi\", identifying = \"more\"",
        );
    folder.write("policy.toml", columns);
    folder.scrim(&["publish", "policy.toml"]).exits(1);
    folder.write("release.csv", folder.text("release/release.BROKEN.csv"));
    let women = FIGURE_7
        .lines()
        .filter(|line| line.contains(",female,"))
        .count();
    let totals = format!(
        "column,value,count\nGender,male,{}\nGender,female,{women}\n",
        12 - women
    );
    let answer = attack(&folder, &totals, &["--json"]).exits(1).json();
    let gender = &answer["columns"][0];
    assert_eq!(
        (&gender["hidden"], &gender["inferred"]),
        (&json!(1), &json!(1)),
        "{answer}"
    );
}

#[test]
fn totals_that_do_not_fit_are_errors_without_values() {
    let folder = Folder::figure_7();
    folder.write("release.csv", BY_HAND);
    for (totals, words) in [
        (
            "column,value,count\nGender,male,1\nGender,female,3\n",
            "2 rows of `Gender` show a value or something below it of which the totals in totals.csv have 1",
        ),
        (
            "column,value,count\nGender,male,2\n",
            "it has 4 rows, but the totals of `Gender` in totals.csv add up to 2",
        ),
        (
            "column,value,count\nGender,secret,4\n",
            "totals.csv:2: this value is no leaf of the hierarchy of `Gender`",
        ),
        (
            "column,value,count\nname,x,4\n",
            "totals.csv:2: `name` is no quasi-identifier and no sensitive column of the policy",
        ),
        (
            "column,value,count\nProblem,x,4\n",
            "`Problem` shows something that the totals and its hierarchy do not have",
        ),
    ] {
        let run = attack(&folder, totals, &[]).exits(2);
        assert!(run.stderr.contains(words), "{}", run.stderr);
        assert!(!run.stderr.contains("secret"), "{}", run.stderr);
    }
}
