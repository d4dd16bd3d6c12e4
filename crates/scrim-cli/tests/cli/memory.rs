//! `--memory`: different rows that do not fit go to the disk where counts are all that is asked for; else the table is refused while
//! it is read, in words, and nothing is left behind.

use serde_json::Value;

use crate::folder::Folder;

const POLICY: &str = r#"[data]
path = "data.csv"
[columns]
age = { role = "quasi" }
zip = { role = "quasi", hierarchy = { mask = "right" } }
[[privacy]]
model = "k-anonymity"
k = 2
[search]
algorithm = "ALGORITHM"
[release]
dir = "out/release"
"#;

fn folder(algorithm: &str) -> Folder {
    let folder = Folder::empty();
    let row = |row: u32| format!("{},{:05}\n", row % 7, row % 60_000);
    let rows: String = (0..70_000).map(row).collect();
    folder.write("data.csv", format!("age,zip\n{rows}"));
    folder.write("policy.toml", POLICY.replace("ALGORITHM", algorithm));
    folder
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_is_left() {
    // All rows where a search moves single ones.
    for algorithm in ["top-down", "mondrian"] {
        let folder = folder(algorithm);
        let run = folder.scrim(&["publish", "policy.toml", "--memory", "87MB"]);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(
            run.stderr
                .contains("error: --memory 87 MB: the table has more than ")
        );
        assert!(
            run.stderr
                .contains("different rows, which with all else take about ")
        );
        assert!(run.stderr.contains("`zip`"), "{}", run.stderr);
        let left = folder.path(".").read_dir().unwrap().count();
        assert_eq!(left, 2, "the table and the policy");
        let run = folder.scrim(&["publish", "policy.toml", "--memory", "1GB"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(folder.path("out/release/release.csv").exists());
    }
}

#[test]
fn an_amount_that_is_none_or_too_little_is_told() {
    let folder = folder("optimal");
    for (amount, words) in [
        (
            "GB",
            "expected a number and a unit, such as `500MB` or `2GB`",
        ),
        ("3 apples", "expected a size such as `500MB` or `2GB`"),
        (
            "1MB",
            "--memory 1.0 MB: less than the 84 MB that any publication takes",
        ),
    ] {
        let run = folder.scrim(&["publish", "policy.toml", "--memory", amount]);
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains(words), "{}", run.stderr);
    }
    let run = folder.scrim(&["publish", "policy.toml", "--compare", "--memory", "1GB"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("cannot be used with"), "{}", run.stderr);
}

const SECTIONS: &str = r#"[data]
path = "data.csv"
null = ["", "?"]
[columns]
name = { role = "identifier" }
age = { role = "quasi", hierarchy = { intervals = { from = 0, to = 99, widths = [5, 20] } } }
zip = { role = "quasi", hierarchy = { mask = "right" } }
sex = { role = "quasi" }
disease = { role = "sensitive", categories = [["hiv"], ["cold"], ["flu"]], hierarchy = { file = "disease.csv" } }
sign = { role = "sensitive" }
note = { role = "insensitive" }
ward = { role = "insensitive" }
bed = { role = "insensitive" }
MODELS
[search]
algorithm = "ALGORITHM"
metric = "METRIC"
suppression = SHARE
suppressed = "FATE"
[release]
dir = "out/release"
format = "FORMAT"
"#;

/// A hundred thousand persons of whom hardly two are alike, with long names, so that the file has several blocks.
fn persons(change: impl Fn(u64, String) -> String) -> String {
    let mut state = 7u64;
    let row = |row: u64| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        let random = |shift: u32, values: u64| (state >> shift) % values;
        let zip = format!("{:04}", random(20, 60).min(random(29, 60)) * random(35, 50));
        let line = format!(
            "{row:0>200},{},{},{},{},{},{},{},{}\n",
            random(40, 100).min(random(47, 100)),
            if row % 977 == 5 { "?" } else { &zip },
            match row {
                // Three whom nobody is like: fewer than make a class.
                7 | 33_340 | 66_673 => "x",
                _ => ["f", "m", ""][random(10, 3) as usize],
            },
            ["flu", "cold", "hiv"][random(12, 3) as usize],
            random(17, 40),
            ["", "a", "b", "?"][random(15, 4) as usize],
            // Hardly two rows of the release are alike either.
            row % 317,
            row % 331,
        );
        change(row, line)
    };
    let rows: String = (0..100_000).map(row).collect();
    format!("name,age,zip,sex,disease,sign,note,ward,bed\n{rows}")
}

/// A table and its policy: algorithm, models, metric, share of suppressed rows, what becomes of them, format.
type Case = [&'static str; 6];

fn sections(table: &str, replaced: Case) -> Folder {
    let folder = Folder::empty();
    folder.write("data.csv", table);
    folder.write(
        "disease.csv",
        "hiv;serious;any\ncold;light;any\nflu;light;any\n",
    );
    let keys = ["ALGORITHM", "MODELS", "METRIC", "SHARE", "FATE", "FORMAT"];
    let policy = keys.iter().zip(replaced);
    let policy = policy.fold(SECTIONS.to_owned(), |policy, (key, value)| {
        policy.replace(key, value)
    });
    folder.write("policy.toml", policy);
    folder
}

const K: &str = "[[privacy]]\nmodel = \"k-anonymity\"\nk = 5";
const LITTLE: [&str; 4] = ["publish", "policy.toml", "--memory", "88MB"];

fn answer(folder: &Folder, arguments: &[&str]) -> Value {
    let run = folder.scrim(&[arguments, &["--json"]].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let mut answer = run.json();
    answer.as_object_mut().unwrap().remove("seconds");
    // A second publication says that it took the place of the first.
    let files = answer["files"].as_object_mut().unwrap();
    files.remove("replaced");
    answer
}

fn wrote_the_same(held: &Folder, away: &Folder, files: &[&str]) {
    for file in files {
        let file = format!("out/release/{file}");
        assert!(held.read(&file) == away.read(&file), "{file}");
    }
}

/// Publishes with and without a limit, and compares all that is told and written.
fn changes_nothing(table: &str, replaced: Case) -> Value {
    let (held, away) = (sections(table, replaced), sections(table, replaced));
    let mut whole = answer(&held, &["publish", "policy.toml"]);
    let mut apart = answer(&away, &LITTLE);
    let mut is_csv = replaced[5] == "csv";
    // How many nodes were counted is the only thing that may depend on the memory.
    let counts = (&whole["searched"]["checked"], &apart["searched"]["checked"]);
    if counts.0 != counts.1 {
        is_csv = false;
        whole["searched"]["checked"] = Value::Null;
        apart["searched"]["checked"] = Value::Null;
    }
    assert_eq!(apart, whole, "{replaced:?}");
    if replaced[5] == "csv" {
        wrote_the_same(&held, &away, &["release.csv"]);
    }
    if is_csv {
        wrote_the_same(&held, &away, &["manifest.json", "report.html"]);
    }
    let files = away.path("out/release").read_dir().unwrap().count();
    assert_eq!(files, held.path("out/release").read_dir().unwrap().count());
    whole
}

#[test]
fn different_rows_that_do_not_fit_go_to_the_disk_and_change_nothing() {
    let table = persons(|_, line| line);
    for replaced in [
        ["optimal", K, "loss", "0.02", "star", "csv"],
        ["optimal", K, "discernibility", "0.3", "drop", "csv"],
        ["optimal", K, "prec", "0", "star", "csv"],
        // Nearly everything may be suppressed.
        ["optimal", K, "loss", "1", "star", "csv"],
        ["optimal", K, "entropy", "0.1", "drop", "parquet"],
        ["mingen", K, "prec", "0.01", "star", "csv"],
        ["incognito", K, "loss", "0.02", "drop", "csv"],
    ] {
        changes_nothing(&table, replaced);
    }
    // Its plan finds the rows again, though it does not list which are suppressed.
    for fate in ["star", "drop"] {
        let away = sections(&table, ["optimal", K, "loss", "0.02", fate, "csv"]);
        let answer = answer(&away, &LITTLE);
        assert!(answer["rows"]["suppressed"].as_u64() > Some(0), "{answer}");
        let audit = ["audit", "out/release/release.csv", "-p", "policy.toml"];
        away.scrim(&[&audit[..], &["--raw", "data.csv"]].concat())
            .exits(0);
    }
    // Fewer rows are suppressed than make a class: they are withheld.
    let withheld = changes_nothing(&table, ["optimal", K, "loss", "0.00003", "star", "csv"]);
    assert_eq!(withheld["rows"]["withheld"], 3, "{withheld}");
}

#[test]
fn a_column_of_categories_is_the_same_where_rows_go_to_the_disk() {
    let table = persons(|_, line| line);
    let case = ["optimal", K, "loss", "0.00003", "star", "csv"];
    let (held, away) = (sections(&table, case), sections(&table, case));
    for folder in [&held, &away] {
        let asked = "publish-category = true, categories = [[\"hiv\"]";
        folder.replace("policy.toml", "categories = [[\"hiv\"]", asked);
    }
    answer(&held, &["publish", "policy.toml"]);
    let told = answer(&away, &LITTLE);
    assert_eq!(told["rows"]["withheld"], 3, "{told}");
    wrote_the_same(
        &held,
        &away,
        &["release.csv", "manifest.json", "report.html"],
    );
    let release = away.text("out/release/release.csv");
    let mut lines = release
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>());
    assert_eq!(lines.next().unwrap()[3..5], ["disease", "disease_category"]);
    for line in lines {
        let category = match line[3] {
            "hiv" => "1",
            "cold" => "2",
            "flu" => "3",
            _ => "*",
        };
        assert_eq!(line[4], category, "{line:?}");
    }
}

#[test]
fn sensitive_values_that_do_not_fit_go_to_the_disk_and_change_nothing() {
    const L: &str = r#"[[privacy]]
model = "l-diversity"
of = "sign"
l = 8
[[privacy]]
model = "k-anonymity"
k = 5"#;
    const T: &str = r#"[[privacy]]
model = "t-closeness"
of = "disease"
t = 0.3
distance = "hierarchical"
[[privacy]]
model = "k-anonymity"
k = 5"#;
    const BOTH: &str = r#"[[privacy]]
model = "p-alpha"
of = "disease"
p = 2
alpha = 1
[[privacy]]
model = "alpha-k"
of = "sign"
alpha = 0.5"#;
    const TABLE: &str = r#"[[privacy]]
model = "beta-likeness"
of = "disease"
beta = 1.5
[[privacy]]
model = "delta-disclosure"
of = "disease"
delta = 1.2"#;
    let table = persons(|_, line| line);
    for replaced in [
        ["optimal", L, "loss", "0.02", "star", "csv"],
        ["incognito", L, "prec", "0.05", "drop", "csv"],
        ["mingen", L, "prec", "0.05", "star", "parquet"],
        ["optimal", T, "loss", "0.05", "star", "csv"],
        ["incognito", BOTH, "loss", "0", "star", "csv"],
        ["optimal", BOTH, "entropy", "0.2", "star", "csv"],
        ["optimal", TABLE, "loss", "0.01", "drop", "csv"],
    ] {
        changes_nothing(&table, replaced);
    }
    // Fewer rows are suppressed than have eight signs: they are withheld.
    let withheld = changes_nothing(&table, ["optimal", L, "loss", "0.00003", "star", "csv"]);
    assert_eq!(withheld["rows"]["withheld"], 3, "{withheld}");
}

#[test]
fn classes_that_do_not_fit_are_counted_suppressed_and_judged_in_parts() {
    let row = |number: u32, disease: &str| {
        let (a, b) = (number % 250, number / 250);
        format!("{number:0>200},{a},{b},{disease}\n")
    };
    // Pairs with two diseases, and some who are alone.
    let pairs = ["flu", "cold"].map(|disease| {
        let rows = (0..25_000).map(|number| row(number, disease));
        rows.collect::<String>()
    });
    let alone: String = (25_000..40_000).map(|number| row(number, "flu")).collect();
    let policy = "[data]\npath = \"data.csv\"\n[columns]\nname = { role = \"identifier\" }\n\
                  a = { role = \"quasi\" }\nb = { role = \"quasi\" }\ndisease = { role = \"sensitive\" }\n\
                  [[privacy]]\nmodel = \"l-diversity\"\nof = \"disease\"\nl = 2\n\
                  [search]\nalgorithm = \"optimal\"\nmetric = \"prec\"\nsuppression = 0.5\nsuppressed = \"FATE\"\n\
                  [release]\ndir = \"out/release\"\n";
    for fate in ["star", "drop"] {
        let folder = || {
            let folder = Folder::empty();
            folder.write(
                "data.csv",
                format!("name,a,b,disease\n{}{alone}", pairs.concat()),
            );
            folder.write("policy.toml", policy.replace("FATE", fate));
            folder
        };
        let (held, away) = (folder(), folder());
        let whole = answer(&held, &["publish", "policy.toml"]);
        assert_eq!(whole["rows"]["suppressed"], 15_000, "{whole}");
        assert!(whole["classes"]["count"].as_u64().unwrap() >= 25_000);
        let little = ["publish", "policy.toml", "--memory", "86MB"];
        assert_eq!(answer(&away, &little), whole);
        wrote_the_same(
            &held,
            &away,
            &["release.csv", "manifest.json", "report.html"],
        );
    }
}

#[test]
fn rows_that_look_like_suppressed_ones_are_told_from_them() {
    let pair = |row: u32| format!("{},{}\n", row % 200, row / 200 % 200);
    let mut rows: String = (0..120_000).map(pair).collect();
    rows += &"*,*\n".repeat(50);
    rows += "odd,1\nodder,1\n";
    let policy = "[data]\npath = \"data.csv\"\n[columns]\na = { role = \"quasi\" }\nb = { role = \"quasi\" }\n\
                  [[privacy]]\nmodel = \"k-anonymity\"\nk = 3\n\
                  [search]\nalgorithm = \"optimal\"\nsuppression = 0.00002\n[release]\ndir = \"out/release\"\n";
    let folder = || {
        let folder = Folder::empty();
        folder.write("data.csv", format!("a,b\n{rows}"));
        folder.write("policy.toml", policy);
        folder
    };
    let (held, away) = (folder(), folder());
    let whole = answer(&held, &["publish", "policy.toml"]);
    // Who reads the release cannot tell the two that were suppressed from the others.
    assert_eq!(whole["rows"]["suppressed"], 52, "{whole}");
    assert_eq!(
        answer(&away, &["publish", "policy.toml", "--memory", "86MB"]),
        whole
    );
    wrote_the_same(
        &held,
        &away,
        &["release.csv", "manifest.json", "report.html"],
    );
}

#[test]
fn sections_are_read_from_parquet_too() {
    let table = persons(|_, line| line);
    let replaced = ["optimal", K, "loss", "0.02", "star", "csv"];
    // A first publication that changes nothing turns the table into a Parquet file.
    let maker = sections(&table, replaced);
    let plain = SECTIONS
        .replace(
            ", categories = [[\"hiv\"], [\"cold\"], [\"flu\"]], hierarchy = { file = \"disease.csv\" }",
            "",
        )
        .replace("role = \"identifier\"", "role = \"insensitive\"")
        .replace("role = \"quasi\"", "role = \"insensitive\"")
        .replace("role = \"sensitive\"", "role = \"insensitive\"");
    let columns = plain.split("MODELS").next().unwrap();
    let columns = columns
        .replace(
            ", hierarchy = { intervals = { from = 0, to = 99, widths = [5, 20] } }",
            "",
        )
        .replace(", hierarchy = { mask = \"right\" }", "")
        .replace(
            "name = { role = \"insensitive\" }",
            "name = { role = \"identifier\" }",
        )
        .replace(
            "note = { role = \"insensitive\" }",
            "note = { role = \"quasi\" }",
        );
    let rest = "[[privacy]]\nmodel = \"k-anonymity\"\nk = 1\n[release]\nformat = \"parquet\"\ndir = \"made\"\n";
    maker.write("maker.toml", columns + rest);
    answer(&maker, &["publish", "maker.toml"]);
    let policy = maker
        .text("policy.toml")
        .replace("data.csv", "made/release.parquet");
    maker.write(
        "policy.toml",
        policy.replace("name = { role = \"identifier\" }\n", ""),
    );
    let whole = answer(&maker, &["publish", "policy.toml"]);
    let held = maker.read("out/release/release.csv");
    assert_eq!(answer(&maker, &LITTLE), whole);
    assert!(held == maker.read("out/release/release.csv"));
}

#[test]
fn what_is_wrong_in_a_later_section_is_told_by_its_line_and_nothing_is_left() {
    let words = |table: &str| {
        let folder = sections(table, ["optimal", K, "loss", "0.02", "star", "csv"]);
        let run = folder.scrim(&LITTLE);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert_eq!(folder.path(".").read_dir().unwrap().count(), 3);
        run.stderr
    };
    // An age that the intervals do not have.
    let outside = persons(|row, line| match row {
        90_000 => line.replacen(',', ",12345", 1),
        _ => line,
    });
    let told = words(&outside);
    assert!(
        told.contains("line 90002 of data.csv") && told.contains("`age`"),
        "{told}"
    );
    let ragged = persons(|row, line| match row {
        95_000 => "x,1\n".to_owned(),
        _ => line,
    });
    assert!(
        words(&ragged).contains("data.csv:95002"),
        "{}",
        words(&ragged)
    );
}
