//! `scrim attack --linkage` from outside: Figure 1c of [XiaoTao06] joined with Figure 1b, and every kind of hierarchy.

use serde_json::{Value, json};

use crate::folder::{Folder, Run};

macro_rules! fixture {
    ($file:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../fixtures/papers/xiaotao06/",
            $file
        ))
    };
}

const COLUMNS: &str = "[data]\npath = \"figure1a.csv\"\nothers = \"drop\"\n[columns]\nname = { role = \"identifier\" }\n\
    Age = { role = \"quasi\", numeric = { from = 1, to = 60 } }\nSex = { role = \"quasi\" }\n\
    Zipcode = { role = \"quasi\", numeric = { from = 10001, to = 60000 } }\n\
    Disease = { role = \"sensitive\", hierarchy = \"disease.txt\" }\n";
const PLAIN: &str = "[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n";
const PERSONAL: &str =
    "[[privacy]]\nmodel = \"personal\"\nbreach = \"1/2\"\ndefault-guard = \"value\"\n";

fn paper(privacy: &str) -> Folder {
    let folder = Folder::empty();
    folder.write("figure1b.csv", fixture!("figure1b.csv"));
    folder.write("figure1c.csv", fixture!("figure1c.csv"));
    folder.write("figure3.csv", fixture!("figure3.csv"));
    folder.write("disease.txt", fixture!("disease.txt"));
    folder.write("policy.toml", format!("{COLUMNS}{privacy}"));
    folder
}

fn attack(folder: &Folder, file: &str, external: &str, more: &[&str]) -> Run {
    let arguments = ["attack", file, "-p", "policy.toml", "--linkage", external];
    folder.scrim(&[&arguments, more].concat())
}

fn counts(answer: &Value) -> [u64; 4] {
    ["external", "matched_one", "certain", "above_limit"].map(|key| answer[key].as_u64().unwrap())
}

#[test]
fn joes_pneumonia_is_certain_in_figure_1c() {
    let figure_1b: Vec<&str> = fixture!("figure1b.csv").lines().collect();
    for (privacy, above) in [(PLAIN, 2), (PERSONAL, 2)] {
        let folder = paper(privacy);
        let answer = attack(&folder, "figure1c.csv", "figure1b.csv", &["--json"])
            .exits(1)
            .json();
        // Joe and Sam; nobody is alone. Mike is not in the table, but nothing tells.
        assert_eq!(counts(&answer), [11, 0, 2, above], "{privacy}");
        assert_eq!(answer["certain_rows"], json!([6, 7]));
        assert!(figure_1b[6].starts_with("Joe,") && figure_1b[7].starts_with("Sam,"));
        assert_eq!(answer["expected_matches_exact"], "9/2");
        // 2/2 + 2/3 + 2/2 + 4/4 rows are guessed right.
        assert_eq!(answer["expected_by_row_exact"], "11/3");
        assert_eq!(answer["unmatched"], 0);
    }
}

#[test]
fn the_external_n_decides_the_breach_probability() {
    let folder = paper(PERSONAL);
    // Ken, Nash and Mike share two rows: a third each, but half of the matching rows.
    let limit = ["--limit", "0.49", "--json"];
    let answer = attack(&folder, "figure1c.csv", "figure1b.csv", &limit)
        .exits(1)
        .json();
    assert_eq!(answer["above_limit"], 2 + 2 + 4);
    assert_eq!(
        answer["measured"],
        "breach probability of any value, primary case"
    );
    let plain = attack(&paper(PLAIN), "figure1c.csv", "figure1b.csv", &limit).json();
    assert_eq!(plain["above_limit"], 11);
    // Non-primary: three quarters for Joe and Sam, 7/16 for flu among four rows of four persons.
    folder.replace(
        "policy.toml",
        "default-guard",
        "case = \"non-primary\"\ndefault-guard",
    );
    let answer = attack(
        &folder,
        "figure1c.csv",
        "figure1b.csv",
        &["--limit", "7/16", "--json"],
    )
    .json();
    assert_eq!(answer["above_limit"], 2 + 2);
    let answer = attack(
        &folder,
        "figure1c.csv",
        "figure1b.csv",
        &["--limit", "0.43", "--json"],
    )
    .json();
    assert_eq!(answer["above_limit"], 2 + 2 + 4);
    let answer = attack(
        &folder,
        "figure1c.csv",
        "figure1b.csv",
        &["--limit", "3/4", "--json"],
    )
    .json();
    assert_eq!(answer["above_limit"], 0);
}

#[test]
fn the_answer_tells_rows_and_never_names_or_values() {
    let folder = paper(PERSONAL);
    let run = attack(&folder, "figure1c.csv", "figure1b.csv", &[]).exits(1);
    for secret in ["Joe", "Sam", "pneumonia", "22000", "flu"] {
        assert!(!run.shown().contains(secret), "{}", run.shown());
    }
    insta::assert_snapshot!(run.shown());
}

/// A tree, a mask, dates, intervals of a hierarchy, numbers that are cut anywhere.
const EVERY_KIND: &str = "[data]\npath = \"raw.csv\"\nnull = [\"\", \"?\"]\n[columns]\nid = { role = \"person\" }\n\
    city = { role = \"quasi\", hierarchy = \"city.txt\" }\nzip = { role = \"quasi\", hierarchy = { mask = \"right\" } }\n\
    born = { role = \"quasi\", hierarchy = { dates = [\"month\", \"year\"] } }\n\
    age = { role = \"quasi\", hierarchy = { intervals = { from = 0, to = 99, widths = [10, 50] } } }\n\
    size = { role = \"quasi\", numeric = { from = 0, to = 300 } }\nill = { role = \"sensitive\" }\n\
    [[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n";

const RELEASE: &str = "city,zip,born,age,size,ill\n\
    north,02*,1990-05,30-39,150-180,flu\n\
    north,02*,1990-05,30-39,150-180,flu\n\
    ayr,021,1990-05-01,30-39,150-160,hiv\n\
    *,***,*,*,*,cold\n\
    *,*,*,*,*,cold\n\
    ?,02*,1990,0-49,*,flu\n";

const EXTERNAL: &str = "id,city,zip,born,age,size\n\
    1,ayr,021,1990-05-01,31,155\n\
    2,bee,021,1990-05-02,39,180\n\
    3,,022,1990-12-31,49,200\n\
    4,oz,999,never,200,0\n\
    5,ayr,021,1990-05-01,31,155\n\
    5,cee,333,2000-01-01,5,10\n";

fn every_kind() -> Folder {
    let folder = Folder::empty();
    folder.write("policy.toml", EVERY_KIND);
    folder.write(
        "city.txt",
        "land\n  north\n    ayr\n    bee\n  south\n    cee\n",
    );
    folder.write("release.csv", RELEASE);
    folder.write("people.csv", EXTERNAL);
    folder
}

#[test]
fn every_kind_of_hierarchy_is_honoured() {
    let folder = every_kind();
    let answer = attack(&folder, "release.csv", "people.csv", &["--json"])
        .exits(1)
        .json();
    // 1 and 5: five rows; 2: four; 3: three, one of them by the missing city; 4: the two of stars, which are all cold.
    assert_eq!(counts(&answer), [5, 0, 1, 2 - 1 + 1]);
    assert_eq!(answer["certain_rows"], json!([4]));
    assert_eq!(answer["expected_matches_exact"], "89/60");
    assert_eq!(
        (&answer["unknown"], &answer["unmatched"]),
        (&json!(1), &json!(0))
    );
    let sizes: Vec<(u64, u64)> = answer["sizes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|band| {
            (
                band["from"].as_u64().unwrap(),
                band["records"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(sizes, [(2, 1), (3, 1), (4, 1), (5, 2)]);
}

#[test]
fn columns_that_one_table_lacks_are_left_out_and_told() {
    let folder = every_kind();
    folder.write("few.csv", "zip,age\n021,31\n555,77\n");
    // Without the rows of stars nobody matches the second.
    let text: String = RELEASE
        .lines()
        .filter(|line| !line.starts_with('*'))
        .map(|line| format!("{line}\n"))
        .collect();
    folder.write("release.csv", text);
    let answer = attack(&folder, "release.csv", "few.csv", &["--json"])
        .exits(0)
        .json();
    assert_eq!(answer["columns"], json!(["zip", "age"]));
    assert_eq!(
        (&answer["matched"], &answer["unmatched"]),
        (&json!(1), &json!(1))
    );
    let remarks: Vec<&str> = answer["remarks"]
        .as_array()
        .unwrap()
        .iter()
        .map(|remark| remark.as_str().unwrap())
        .collect();
    assert_eq!(
        remarks[0],
        "few.csv has no column `city`: it is linked without it"
    );
    assert_eq!(
        remarks.last(),
        Some(&"each row of few.csv is taken as one person")
    );
    folder.write("none.csv", "id,shoe\n1,44\n");
    let run = attack(&folder, "release.csv", "none.csv", &[]).exits(2);
    assert!(
        run.stderr.contains("it lacks the quasi-identifiers `city`"),
        "{}",
        run.shown()
    );
}

#[test]
fn a_release_that_mixes_secrets_stands() {
    let folder = paper(PLAIN);
    let mixed = fixture!("figure1c.csv").replacen("20001-25000,pneumonia", "20001-25000,flu", 1);
    folder.write("mixed.csv", mixed);
    let run = attack(&folder, "mixed.csv", "figure1b.csv", &[]).exits(0);
    assert!(
        run.stdout.starts_with("the attack finds nothing for sure"),
        "{}",
        run.shown()
    );
    // Stars in the sensitive column make nobody certain.
    folder.write(
        "starred.csv",
        fixture!("figure1c.csv").replace("20001-25000,pneumonia", "20001-25000,*"),
    );
    let answer = attack(&folder, "starred.csv", "figure1b.csv", &["--json"])
        .exits(0)
        .json();
    assert_eq!(counts(&answer), [11, 0, 0, 0]);
}

#[test]
fn only_a_leaf_is_certain_and_a_taxon_is_named_as_one() {
    // Joe and Sam show the taxon above pneumonia: with a promise that generalizes values, and without one.
    let text = fixture!("figure1c.csv")
        .replace("20001-25000,pneumonia", "20001-25000,respiratory-infection");
    for privacy in [PLAIN, PERSONAL] {
        let folder = paper(privacy);
        folder.write("taxon.csv", &text);
        let answer = attack(&folder, "taxon.csv", "figure1b.csv", &["--json"])
            .exits(0)
            .json();
        assert_eq!(answer["certain"], 0, "{privacy}");
        assert_eq!(answer["certain_rows"], json!([]));
        assert_eq!(answer["certain_taxon"], 2);
        assert_eq!(answer["certain_taxon_rows"], json!([6, 7]));
        let run = attack(&folder, "taxon.csv", "figure1b.csv", &[]).exits(0);
        let words = "the sensitive value of 0 is certain; of 2 all that is certain is a taxon above several values";
        assert!(run.stdout.contains(words), "{}", run.shown());
        assert!(!run.shown().contains("respiratory"), "{}", run.shown());
        // The top of the tree tells nothing.
        let top = fixture!("disease.txt").lines().next().unwrap();
        folder.write("taxon.csv", text.replace("respiratory-infection", top));
        let answer = attack(&folder, "taxon.csv", "figure1b.csv", &["--json"])
            .exits(0)
            .json();
        assert_eq!(answer["certain_taxon"], 0, "{privacy}");
    }
}

#[test]
fn linkage_goes_with_no_other_attack() {
    let folder = paper(PLAIN);
    for more in [
        &["--similarity"][..],
        &["--personal", "--raw", "figure1b.csv"],
        &["--limit", "2"],
        &["--of", "Age"],
        &["--depth", "1"],
    ] {
        attack(&folder, "figure1c.csv", "figure1b.csv", more).exits(2);
    }
    folder
        .scrim(&[
            "attack",
            "figure1c.csv",
            "-p",
            "policy.toml",
            "--limit",
            "0.5",
        ])
        .exits(2);
}
