//! `scrim init`: what it sees, what it writes, and that `publish` accepts it as it is.

use proptest::prelude::*;
use serde_json::Value;

use crate::folder::Folder;

/// A hospital with odd names, mixed dates, missing values, a constant and an empty column, and ids that repeat.
fn messy() -> String {
    let mut text = String::from(
        "\"patient \"\"ID\"\"\",größe,\"Date, of Birth\",  ward ,empty,constant,E-Mail,zip,score,diagnosis,note,\"a\nb\"\n",
    );
    for row in 0..60u32 {
        let size = if row % 4 == 0 {
            "NA".to_owned()
        } else {
            format!("1.{}", 50 + row % 45)
        };
        let birth = match row % 5 {
            0 => format!("19{}-03-0{}", 50 + row % 40, 1 + row % 9),
            1 => format!("{}/13/19{}", 1 + row % 12, 50 + row % 40),
            2 => format!("{}.2.19{}", 1 + row % 28, 50 + row % 40),
            3 if row == 3 => "long ago".to_owned(),
            _ => format!("19{}-11-11", 50 + row % 40),
        };
        let ward = ["West 1", "\"East; \"\"2\"\"\"", "?", " "][row as usize % 4];
        let score = if row == 7 {
            "many".to_owned()
        } else {
            (row * 3 % 50).to_string()
        };
        let code = ["J45.9", "E11.0", "I21.4", "C50.1", "K35.8"][row as usize % 5];
        text.push_str(&format!(
            "P{:03},{size},{birth},{ward},,same,p{row}@example.org,{:05},{score},{code},came in by day {row} with a cough,{}\n",
            row / 2,
            2100 + row * 7 % 40,
            ["x", "y"][row as usize % 2]
        ));
    }
    text
}

fn column<'a>(answer: &'a Value, name: &str) -> &'a Value {
    let columns = answer["columns"].as_array().unwrap();
    columns
        .iter()
        .find(|column| column["column"] == name)
        .unwrap()
}

#[test]
fn a_messy_table_is_published_at_the_first_try() {
    let folder = Folder::empty();
    folder.write("messy.csv", messy());
    let answer = folder
        .scrim(&[
            "init",
            "messy.csv",
            "-o",
            "first",
            "--accept-guesses",
            "--json",
        ])
        .exits(0)
        .json();
    for (name, kind, role) in [
        ("patient \"ID\"", "code", "person"),
        ("größe", "decimal", "quasi"),
        ("Date, of Birth", "mixed dates", "quasi"),
        ("  ward ", "category", "quasi"),
        ("empty", "no value", "identifier"),
        ("constant", "category", "quasi"),
        ("E-Mail", "category", "identifier"),
        ("zip", "code", "quasi"),
        ("score", "mixed numbers", "quasi"),
        ("diagnosis", "code", "sensitive"),
        ("note", "free text", "identifier"),
        ("a\nb", "category", "quasi"),
    ] {
        let column = column(&answer, name);
        assert_eq!(
            (&column["kind"], &column["role"]),
            (&kind.into(), &role.into()),
            "{name}"
        );
    }
    assert_eq!(answer["null"], serde_json::json!(["", "?", "NA"]));
    assert_eq!(column(&answer, "größe")["missing"], 15);
    assert!(
        column(&answer, "E-Mail")["hipaa"]
            .as_str()
            .unwrap()
            .starts_with("(F)")
    );
    let codes = folder.text("first/hierarchies/diagnosis.csv");
    assert!(codes.contains("J45.9;J45;breathing;*"), "{codes}");
    let published = folder
        .scrim(&["publish", "first/policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(published["status"], "published");
    let audit = [
        "audit",
        "first/release/release.csv",
        "-p",
        "first/policy.toml",
    ];
    folder.scrim(&audit).exits(0);
}

#[test]
fn a_table_and_its_first_policy_as_people_see_them() {
    let folder = Folder::empty();
    folder.write("messy.csv", messy());
    insta::assert_snapshot!(
        folder
            .scrim(&["init", "messy.csv", "--accept-guesses"])
            .exits(0)
            .shown()
    );
    insta::assert_snapshot!(folder.text("policy.toml"));
}

#[test]
fn the_sample_hospital_is_published_at_the_first_try() {
    let folder = Folder::empty();
    folder.scrim(&["demo", "tour", "--rows", "600"]).exits(0);
    let init = [
        "init",
        "tour/patients.csv",
        "-o",
        "mine",
        "--yes",
        "--role",
        "ward=quasi",
        "--json",
    ];
    let answer = folder.scrim(&init).exits(0).json();
    for (name, role) in [
        ("patient", "person"),
        ("name", "identifier"),
        ("diagnosis", "sensitive"),
        ("zip", "quasi"),
    ] {
        assert_eq!(column(&answer, name)["role"], role, "{name}");
    }
    let published = folder
        .scrim(&["publish", "mine/policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(published["status"], "published");
}

#[test]
fn what_is_there_is_not_written_over() {
    let folder = Folder::empty();
    folder.write("messy.csv", messy());
    folder.write("policy.toml", "mine");
    let refused = folder
        .scrim(&["init", "messy.csv", "--accept-guesses"])
        .exits(2);
    assert!(
        refused
            .stderr
            .contains("policy.toml: this file is there already"),
        "{}",
        refused.stderr
    );
    assert_eq!(folder.text("policy.toml"), "mine");
    assert!(!folder.path("hierarchies").exists());
    folder
        .scrim(&["init", "messy.csv", "--accept-guesses", "--force"])
        .exits(0);
    assert!(folder.text("policy.toml").contains("[columns]"));
}

#[test]
fn what_the_user_says_counts() {
    let folder = Folder::empty();
    folder.write("messy.csv", messy());
    let init = [
        "init",
        "messy.csv",
        "--accept-guesses",
        "--sensitive",
        "zip",
        "--k",
        "4",
        "--json",
    ];
    let answer = folder.scrim(&init).exits(0).json();
    assert_eq!(column(&answer, "zip")["role"], "sensitive");
    assert!(folder.text("policy.toml").contains("\nk = 4\n"));
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    let unknown = folder
        .scrim(&["init", "messy.csv", "-o", "b", "--sensitive", "zap"])
        .exits(2);
    assert!(
        unknown.stderr.contains("there is no column `zap`"),
        "{}",
        unknown.stderr
    );
    let large = folder
        .scrim(&[
            "init",
            "messy.csv",
            "-o",
            "b",
            "--accept-guesses",
            "--k",
            "900",
        ])
        .exits(2);
    assert!(
        large
            .stderr
            .contains("k is 900, but the table has 30 persons"),
        "{}",
        large.stderr
    );
}

#[test]
fn no_answer_shows_a_value() {
    let folder = Folder::empty();
    folder.write("messy.csv", messy());
    let text = folder
        .scrim(&["init", "messy.csv", "--accept-guesses"])
        .exits(0);
    let json = folder
        .scrim(&["init", "messy.csv", "-o", "b", "--accept-guesses", "--json"])
        .exits(0);
    for shown in [
        &text.stdout,
        &text.stderr,
        &json.stdout,
        &folder.text("policy.toml"),
    ] {
        for value in [
            "P001", "p1@", "cough", "J45", "West", "East", "long ago", "02107",
        ] {
            assert!(!shown.contains(value), "{value}");
        }
    }
}

#[test]
fn a_table_without_rows_header_or_columns_to_publish_is_refused() {
    let folder = Folder::empty();
    for (name, text, message) in [
        ("empty.csv", "a,b\n", "the file has a header but no row"),
        (
            "bare.csv",
            "Anna,34,female\nBert,34,male\nCarl,20,female\n",
            "the first line looks like a row",
        ),
        (
            // No value of the first row comes again.
            "alone.csv",
            "Anna,37,rare disease\nBert,41,cough\nCarl,29,cough\n",
            "the first line looks like a row",
        ),
        (
            "keys.csv",
            "Anna,MRN-00017,rare disease\nBert,MRN-00021,cough\nCarl,MRN-00045,cough\n",
            "put a line above it that gives each column a name",
        ),
        ("one.csv", "age,sex\n3,m\n", "the table has 1 row"),
        (
            "mails.csv",
            "email\na@x.org\nb@x.org\n",
            "no column is left",
        ),
    ] {
        folder.write(name, text);
        let run = folder.scrim(&["init", name, "--accept-guesses"]).exits(2);
        assert!(run.stderr.contains(message), "{}", run.shown());
        assert!(!run.stderr.contains("Anna") && !folder.path("policy.toml").exists());
    }
    folder.scrim(&["init", "-"]).exits(2);
    folder.scrim(&["init", "nowhere.csv"]).exits(2);
}

#[test]
fn a_wide_table_is_cut_down_and_cut_by_mondrian() {
    let folder = Folder::empty();
    let names: Vec<String> = (0..30).map(|at| format!("m{at}")).collect();
    let mut text = names.join(";") + "\n";
    for row in 0..80u32 {
        let cells: Vec<String> = (0..30)
            .map(|at| (row * (at + 3) % 23).to_string())
            .collect();
        text.push_str(&(cells.join(";") + "\n"));
    }
    folder.write("wide.csv", text);
    let answer = folder
        .scrim(&["init", "wide.csv", "--accept-guesses", "--json"])
        .exits(0)
        .json();
    let columns = answer["columns"].as_array().unwrap();
    assert_eq!(
        columns
            .iter()
            .filter(|column| column["role"] == "quasi")
            .count(),
        16
    );
    assert_eq!(answer["delimiter"], ";");
    assert!(
        folder
            .text("policy.toml")
            .contains("algorithm = \"mondrian\"")
    );
    folder.scrim(&["publish", "policy.toml"]).exits(0);
}

/// Cells of which messy tables are made.
const CELLS: [&str; 28] = [
    "",
    "?",
    "NA",
    "none",
    "-",
    "*",
    "**",
    "0",
    "1",
    "-7",
    "3.25",
    "1e9",
    "0042",
    "2024-02-29",
    "2/30/2024",
    "31.12.1999",
    "red",
    "Red ",
    "\"a;b\"",
    "\"two\nlines\"",
    "\"say \"\"x\"\"\"",
    "ü",
    "999999999999999999",
    "(other)",
    "A12.3",
    "x@y.zz",
    "yes",
    "no",
];
const NAMES: [&str; 14] = [
    "age",
    "diagnosis",
    "patient",
    "name",
    "zip",
    "\"q, \"\"r\"\"\"",
    "größe",
    " ",
    "\"x\ny\"",
    "salary",
    "date",
    "id",
    "#",
    "a.b",
];

fn table() -> impl Strategy<Value = String> {
    let names = prop::sample::subsequence(NAMES.to_vec(), 1..6).prop_shuffle();
    (names, 1usize..40).prop_flat_map(|(names, rows)| {
        // Each column draws from few kinds of cells, so that some look like something.
        let column = prop::collection::vec(prop::sample::select(CELLS.to_vec()), 1..6)
            .prop_flat_map(move |few| prop::collection::vec(prop::sample::select(few), rows));
        prop::collection::vec(column, names.len()).prop_map(move |columns| {
            let mut text = names.join(",") + "\n";
            for row in 0..rows {
                let cells: Vec<&str> = columns.iter().map(|column| column[row]).collect();
                text.push_str(&(cells.join(",") + "\n"));
            }
            text
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_for_any_table_is_published(table in table()) {
        let folder = Folder::empty();
        folder.write("t.csv", &table);
        let init = folder.scrim(&["init", "t.csv", "--accept-guesses"]);
        prop_assert!(init.is_orderly(), "{}", init.shown());
        prop_assert_eq!(init.code == Some(0), folder.path("policy.toml").exists(), "{}", init.shown());
        if init.code == Some(0) {
            let published = folder.scrim(&["publish", "policy.toml"]);
            // A release of stars only is refused; then that was foretold.
            let foretold = init.shown().contains("all rows look alike");
            let refused = foretold && published.stdout.contains("nothing but stars");
            let code = i32::from(refused);
            prop_assert_eq!(published.code, Some(code), "{}\n{}", published.shown(), folder.text("policy.toml"));
        }
    }
}
