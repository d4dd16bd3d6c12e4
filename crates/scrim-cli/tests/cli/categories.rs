//! Categories of sensitive values: published beside them ([Sun08], Table 6), and what a similarity attack finds by them.

use crate::folder::Folder;

macro_rules! fixture {
    ($file:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../fixtures/papers/sun08/",
            $file
        ))
    };
}

const CATEGORIES: &str = r#"categories = [["HIV", "Cancer"], ["Phthisis", "Hepatitis"], ["Heart Disease", "Asthma"], ["Flu", "Indigestion"]]"#;
const NAMED: &str =
    r#"publish-category = true, category-names = ["One", "Two", "Three", "Four"], "#;
const TWO_PLUS: &str = "model = \"p-plus-alpha\"\np = 2\nalpha = 2\nk = 4";
const PUBLISH: [&str; 3] = ["publish", "policy.toml", "--json"];

/// Table 1 of the paper with what the sensitive column says beside its role, a promise and an algorithm.
fn table_1(health: &str, promise: &str, algorithm: &str) -> Folder {
    let folder = Folder::empty();
    folder.write("data.csv", fixture!("table1.csv"));
    folder.write("age.csv", fixture!("age.csv"));
    folder.write("country.csv", fixture!("country.csv"));
    folder.write("zip.csv", fixture!("zip.csv"));
    folder.write(
        "policy.toml",
        format!(
            r#"[data]
path = "data.csv"
[columns]
Age = {{ role = "quasi", hierarchy = "age.csv" }}
Country = {{ role = "quasi", hierarchy = "country.csv" }}
Zip = {{ role = "quasi", hierarchy = "zip.csv" }}
Health = {{ role = "sensitive", {health} }}
[[privacy]]
{promise}
[search]
algorithm = "{algorithm}"
"#
        ),
    );
    folder
}

fn category(value: &str) -> &'static str {
    match value {
        "HIV" | "Cancer" => "One",
        "Phthisis" | "Hepatitis" => "Two",
        "Heart Disease" | "Asthma" => "Three",
        "Flu" | "Indigestion" => "Four",
        _ => "*",
    }
}

/// The arguments of an audit.
fn audit(file: &str) -> [&str; 5] {
    ["audit", file, "-p", "policy.toml", "--json"]
}

/// Values and categories of a release, below their headings.
fn pairs(release: &str) -> Vec<(String, String)> {
    let mut lines = release.lines();
    let header: Vec<&str> = lines.next().unwrap().split(',').collect();
    let at = header.iter().position(|name| *name == "Health").unwrap();
    assert_eq!(header[at + 1], "Health_category");
    lines
        .map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            (cells[at].to_owned(), cells[at + 1].to_owned())
        })
        .collect()
}

#[test]
fn the_release_has_the_category_of_each_value_as_table_6() {
    for algorithm in ["top-down", "optimal", "incognito", "mondrian", "local"] {
        let health = format!("{NAMED}{CATEGORIES}");
        let folder = table_1(&health, TWO_PLUS, algorithm);
        folder.scrim(&PUBLISH).exits(0);
        let shown = pairs(&folder.text("release/release.csv"));
        assert_eq!(shown.len(), 12, "{algorithm}");
        for (value, shown) in shown {
            assert_eq!(category(&value), shown, "{algorithm}");
        }
        let manifest: serde_json::Value =
            serde_json::from_str(&folder.text("release/manifest.json")).unwrap();
        let listed = serde_json::json!([{
            "column": "Health_category",
            "of": "Health",
            "labels": ["One", "Two", "Three", "Four"],
        }]);
        assert_eq!(manifest["categories"], listed);
        let page = folder.text("release/report.html");
        assert!(page.contains("Health_category"), "{algorithm}");
    }
}

#[test]
fn what_reads_a_release_reads_its_categories_too() {
    let health = format!("publish-category = true, {CATEGORIES}");
    let folder = table_1(&health, TWO_PLUS, "optimal");
    let published = folder.scrim(&PUBLISH).exits(0).json();
    let release = "release/release.csv";
    assert!(folder.text(release).contains("Flu,4\n"), "numbers, from 1");
    let judged = folder.scrim(&audit(release)).exits(0).json();
    assert_eq!(judged["categories"][0]["holds"], true);
    assert_eq!(judged["forbidden"], serde_json::json!([]));
    let raw = [&audit(release)[..], &["--raw", "data.csv"]].concat();
    folder.scrim(&raw).exits(0);
    let measure = [
        "measure",
        "data.csv",
        release,
        "-p",
        "policy.toml",
        "--json",
    ];
    let measured = folder.scrim(&measure).exits(0).json();
    assert_eq!(measured["metrics"]["prec"], published["metrics"]["prec"]);
    let attack = [
        "attack",
        release,
        "-p",
        "policy.toml",
        "--similarity",
        "--json",
    ];
    assert_eq!(folder.scrim(&attack).exits(0).json()["records"], 0);
    folder.scrim(&["risk", release, "-p", "policy.toml"]);
    // A category that is not that of its value, or that stands beside stars, is found.
    let text = folder.text(release);
    folder.write("wrong.csv", text.replacen("Flu,4\n", "Flu,3\n", 1));
    let wrong = folder.scrim(&audit("wrong.csv")).exits(1).json();
    assert_eq!(wrong["holds"], false);
    let row = text.lines().position(|line| line.ends_with("Flu,4"));
    assert_eq!(wrong["categories"][0]["row"], row.unwrap());
    let words = folder
        .scrim(&["audit", "wrong.csv", "-p", "policy.toml"])
        .exits(1);
    assert!(
        words
            .stdout
            .contains("`Health_category` does not give the category"),
        "{}",
        words.stdout
    );
    folder.write("told.csv", text.replacen("Flu,4\n", "*,4\n", 1));
    let told = folder.scrim(&audit("told.csv"));
    assert!(
        told.code == Some(1) || told.code == Some(2),
        "{}",
        told.stdout
    );
    let without = text.lines().map(|line| line.rsplit_once(',').unwrap().0);
    folder.write("without.csv", without.collect::<Vec<_>>().join("\n"));
    let lacks = folder.scrim(&audit("without.csv")).exits(2);
    assert!(
        lacks.stderr.contains("no column `Health_category`"),
        "{}",
        lacks.stderr
    );
}

#[test]
fn a_suppressed_value_has_a_suppressed_category() {
    let folder = Folder::empty();
    folder.write("data.csv", "z,s\n1,A\n1,B\n1,C\n2,CANCER\n");
    folder.write(
        "policy.toml",
        r#"[data]
path = "data.csv"
[columns]
z = { role = "quasi" }
s = { role = "sensitive", publish-category = true, categories = [["CANCER"], ["A", "B", "C"]] }
[[privacy]]
model = "l-diversity"
l = 2
k = 3
[search]
suppression = 0.5
"#,
    );
    let answer = folder.scrim(&PUBLISH).exits(0).json();
    assert_eq!(answer["rows"]["withheld"], 1);
    let release = "z,s,s_category\n*,*,*\n1,A,2\n1,B,2\n1,C,2\n";
    assert_eq!(folder.text("release/release.csv"), release);
    folder.scrim(&audit("release/release.csv")).exits(0);
    // The same without the star of the category tells what the stars hide.
    folder.write("told.csv", release.replace("*,*,*", "*,*,1"));
    folder.scrim(&audit("told.csv")).exits(1);
    folder.replace(
        "policy.toml",
        "suppression = 0.5",
        "suppression = 0.5\nsuppressed = \"drop\"",
    );
    folder.scrim(&PUBLISH).exits(0);
    assert_eq!(
        folder.text("release/release.csv"),
        release.replace("*,*,*\n", "")
    );
}

#[test]
fn parquet_has_the_column_too_and_missing_values_have_a_category() {
    let folder = Folder::empty();
    folder.write("data.csv", "z,s\n1,A\n1,\n1,A\n2,B\n2,\n2,B\n");
    folder.write(
        "policy.toml",
        r#"[data]
path = "data.csv"
[columns]
z = { role = "quasi" }
s = { role = "sensitive", publish-category = true, category-names = ["ill", "not known"], categories = [["A", "B"], [""]] }
[[privacy]]
model = "k-anonymity"
k = 3
[release]
format = "parquet"
"#,
    );
    folder.scrim(&PUBLISH).exits(0);
    let audit = audit("release/release.parquet");
    let judged = folder.scrim(&audit).exits(0).json();
    assert_eq!(judged["categories"][0]["holds"], true);
    assert_eq!(judged["forbidden"], serde_json::json!([]));
    folder.replace("policy.toml", "\"not known\"", "\"well\"");
    // The labels are the policy's: another name is another column.
    folder.scrim(&audit).exits(1);
}

#[test]
fn what_cannot_be_published_is_refused_with_the_reason() {
    let refused = |health: &str, words: &str| {
        let folder = table_1(health, TWO_PLUS, "optimal");
        let run = folder.scrim(&PUBLISH).exits(2);
        let told = run.json()["error"].as_str().unwrap().to_owned();
        assert!(told.contains(words), "{told}");
        assert!(folder.files("release").is_none());
    };
    refused("publish-category = true", "but no `categories`");
    refused(
        &format!("category-names = [\"a\", \"b\", \"c\", \"d\"], {CATEGORIES}"),
        "its categories are not published",
    );
    refused(
        &format!("publish-category = true, category-names = [\"a\"], {CATEGORIES}"),
        "1 `category-names` for 4 `categories`",
    );
    for names in [r#"["a", "a", "b", "c"]"#, r#"["*", "a", "b", "c"]"#] {
        refused(
            &format!("publish-category = true, category-names = {names}, {CATEGORIES}"),
            "two are equal, or one is empty or made of stars",
        );
    }
    refused(
        &format!(
            "publish-category = true, {}",
            CATEGORIES.replace("\"Flu\", ", "")
        ),
        "1 of the 8 values in the data is not listed in any category",
    );
    let folder = table_1(
        &format!("publish-category = true, {CATEGORIES}"),
        TWO_PLUS,
        "optimal",
    );
    folder.replace(
        "policy.toml",
        "path = \"data.csv\"",
        "path = \"data.csv\"\nnull = [\"3\"]",
    );
    let error = folder.scrim(&PUBLISH).exits(2).json()["error"].to_string();
    assert!(
        error.contains("the category `3` is a text that means missing"),
        "{error}"
    );
    let folder = table_1(
        &format!("publish-category = true, {CATEGORIES}"),
        TWO_PLUS,
        "optimal",
    );
    folder.replace(
        "policy.toml",
        "[[privacy]]",
        "Health_category = { role = \"insensitive\" }\n[[privacy]]",
    );
    let error = folder.scrim(&PUBLISH).exits(2).json()["error"].to_string();
    assert!(
        error.contains("the name of the column that gives the categories"),
        "{error}"
    );
}

#[test]
fn a_category_beside_a_generalized_value_is_refused() {
    let folder = Folder::empty();
    folder.write("data.csv", "z,s,w\n1,flu,flu\n1,cold,\n");
    folder.write("s.csv", "flu;light;any\ncold;light;any\nhiv;serious;any\n");
    let policy = |weights: &str| {
        format!(
            r#"[data]
path = "data.csv"
[columns]
z = {{ role = "quasi" }}
s = {{ role = "sensitive", hierarchy = "s.csv", publish-category = true, categories = [["hiv"], ["flu", "cold"]] }}
w = {{ role = "guard", of = "s" }}
[[privacy]]
model = "personal"
breach = "1/2"
[search]
algorithm = "personalized"
{weights}
"#
        )
    };
    folder.write("policy.toml", policy(""));
    let error = folder.scrim(&PUBLISH).exits(2).json()["error"].to_string();
    assert!(
        error.contains("could tell more than what is published"),
        "{error}"
    );
    folder.write("policy.toml", policy("weights = { s = \"forbid\" }"));
    folder.scrim(&PUBLISH).exits(0);
    assert_eq!(
        folder.text("release/release.csv"),
        "z,s,s_category\n1,cold,2\n1,flu,2\n"
    );
}

#[test]
fn lattice_says_how_many_records_of_each_table_are_similar() {
    // Table 5 of the paper is the minimal table for 2-sensitive 4-anonymity: two of its three classes, 8 records.
    let folder = table_1(
        CATEGORIES,
        "model = \"p-sensitive\"\np = 2\nk = 4",
        "incognito",
    );
    let lattice = ["lattice", "policy.toml", "--json"];
    let answer = folder.scrim(&lattice).exits(0).json();
    assert_eq!(answer["minimal"].as_array().unwrap().len(), 1);
    let found = serde_json::json!({ "of": ["Health"], "records": 8, "classes": 2 });
    assert_eq!(answer["minimal"][0]["similarity"], found);
    let shown = folder.scrim(&["lattice", "policy.toml"]).exits(0).stdout;
    assert!(shown.contains("similar records"), "{shown}");
    folder.scrim(&PUBLISH).exits(0);
    let attack = [
        "attack",
        "release/release.csv",
        "-p",
        "policy.toml",
        "--similarity",
        "--json",
    ];
    let attacked = folder.scrim(&attack).exits(1).json();
    assert_eq!(
        (&attacked["records"], &attacked["classes"]),
        (&8.into(), &2.into())
    );
    // No class of a (2+,2) table lies in one category, and without categories nothing is said.
    let folder = table_1(CATEGORIES, TWO_PLUS, "incognito");
    let answer = folder.scrim(&lattice).exits(0).json();
    assert_eq!(answer["minimal"][0]["similarity"]["records"], 0);
    let folder = table_1("", "model = \"p-sensitive\"\np = 2\nk = 4", "incognito");
    folder.replace("policy.toml", "\"sensitive\",  }", "\"sensitive\" }");
    let answer = folder.scrim(&lattice).exits(0).json();
    assert!(answer["minimal"][0]["similarity"].is_null());
}

#[test]
fn lattice_attacks_the_table_that_would_be_published() {
    let policy = |k: u64, share: &str, fate: &str| {
        format!(
            r#"[data]
path = "data.csv"
[columns]
a = {{ role = "quasi" }}
b = {{ role = "quasi" }}
s = {{ role = "sensitive", categories = [["0", "1"], ["2"], ["3"]] }}
[[privacy]]
model = "k-anonymity"
k = {k}
[search]
algorithm = "incognito"
suppression = {share}
suppressed = "{fate}"
"#
        )
    };
    let mut state = 5u64;
    let mut random = |values: u64| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (state >> 33) % values
    };
    let (mut compared, mut some) = (0, 0);
    for round in 0..24 {
        let folder = Folder::empty();
        let row = |_| format!("{},{},{}\n", random(3), random(3), random(4) * random(2));
        let rows: String = (0..9).map(row).collect();
        folder.write("data.csv", format!("a,b,s\n{rows}"));
        let fate = ["star", "drop"][round % 2];
        folder.write("policy.toml", policy(2, ["0", "1/4"][round / 2 % 2], fate));
        let answer = folder.scrim(&["lattice", "policy.toml", "--json"]).json();
        let published = folder.scrim(&PUBLISH);
        if published.code != Some(0) {
            continue;
        }
        let levels = &published.json()["recoding"]["levels"];
        let nodes = answer["minimal"].as_array().unwrap();
        let node = nodes.iter().find(|node| node["levels"] == *levels);
        let Some(node) = node else { continue };
        let attack = [
            "attack",
            "release/release.csv",
            "-p",
            "policy.toml",
            "--similarity",
            "--json",
        ];
        let found = folder.scrim(&attack).json();
        let of = |value: &serde_json::Value| (value["records"].clone(), value["classes"].clone());
        assert_eq!(of(&node["similarity"]), of(&found), "{rows}");
        compared += 1;
        some += usize::from(found["records"] != 0);
    }
    assert!(
        compared > 9 && some > 3,
        "{compared} compared, {some} with records"
    );
}
