//! Messages are releases too: no error prints what stands in a sensitive or identifying column.

use crate::folder::{FIGURE_7, Folder, POLICY};
use crate::spoil::Spoil::{self, By, Replace};

const SECRET: &str = "SECRETVALUE";

/// Figure 7 with a name for everyone, and the secret in both columns of the third row.
fn folder() -> Folder {
    let folder = Folder::figure_7();
    let lines = FIGURE_7.lines().enumerate().map(|(at, line)| match at {
        0 => format!("Name,{line}\n"),
        3 => format!("{SECRET},{}\n", line.replace("painful eye", SECRET)),
        _ => format!("n{at},{line}\n"),
    });
    folder.write("data.csv", lines.collect::<String>());
    folder.write(
        "policy.toml",
        POLICY.replace("[columns]", "[columns]\nName = { role = \"identifier\" }"),
    );
    folder.write("problem.csv", "child,parent\nchest pain,any\n");
    folder
}

/// Ways to go wrong near the secret.
type Case = (&'static str, Spoil);

const DATA: &str = "data.csv";
const POLICY_FILE: &str = "policy.toml";
const SENSITIVE: &str = "\"sensitive\"";

#[rustfmt::skip] // a table
const CASES: [Case; 14] = [
    ("nothing is wrong", By(|_| {})),
    ("a hierarchy without the value", Replace(POLICY_FILE, SENSITIVE, "\"sensitive\", hierarchy = \"problem.csv\"")),
    ("categories without the value", By(categories)),
    ("numbers asked for", By(numbers)),
    ("a domain of numbers", Replace(POLICY_FILE, SENSITIVE, "\"sensitive\", numeric = { from = 0, to = 9 }")),
    ("a row too short", Replace(DATA, "10/23/1965,female,", "")),
    ("a row too long", Replace(DATA, SECRET, "SECRETVALUE,SECRETVALUE")),
    ("a quote that stays open", Replace(DATA, "02138,SECRETVALUE", "02138,\"SECRETVALUE")),
    ("a quote in the middle", Replace(DATA, "02138,SECRETVALUE", "02138,\"SECRET\"SECRETVALUE")),
    ("invalid UTF-8", By(invalid_utf8)),
    ("a huge field", By(huge_field)),
    ("a quasi-identifier without a leaf beside it", Replace(DATA, "10/23/1965", "10/23/2065")),
    ("k larger than the table", Replace(POLICY_FILE, "k = 2", "k = 13")),
    ("a column that the policy lacks", Replace(POLICY_FILE, "Name = { role = \"identifier\" }\n", "")),
];

fn categories(folder: &Folder) {
    let some = "\"sensitive\", categories = [[\"obesity\"], [\"fever\"]]";
    folder.replace(POLICY_FILE, SENSITIVE, some);
    let model = "model = \"p-plus-alpha\"\np = 2\nalpha = 1\nk = 2";
    folder.replace(POLICY_FILE, "model = \"k-anonymity\"\nk = 2", model);
}

fn numbers(folder: &Folder) {
    let model = "model = \"t-closeness\"\nt = 0.5\ndistance = \"ordered\"";
    folder.replace(POLICY_FILE, "model = \"k-anonymity\"\nk = 2", model);
}

fn invalid_utf8(folder: &Folder) {
    let bytes = folder.read(DATA);
    let secret = SECRET.as_bytes();
    let last = bytes
        .windows(secret.len())
        .rposition(|window| window == secret);
    let at = last.unwrap() + secret.len();
    folder.write(DATA, [&bytes[..at], b"\xff", &bytes[at..]].concat());
}

fn huge_field(folder: &Folder) {
    let huge = format!("02138,{}", SECRET.repeat(200_000));
    folder.replace(DATA, "02138,SECRETVALUE", &huge);
}

#[test]
fn no_message_prints_a_secret() {
    let mut shown = String::new();
    for (name, spoil) in CASES {
        let folder = folder();
        spoil.apply(&folder);
        for arguments in [
            &["publish", "policy.toml"][..],
            &["publish", "policy.toml", "--json"],
            &["publish", "policy.toml", "--compare"],
            &["publish", "policy.toml", "--compare", "--json"],
            &["audit", "data.csv", "-p", "policy.toml"],
            &["audit", "data.csv", "-p", "policy.toml", "--json"],
            &["measure", "data.csv", "data.csv", "-p", "policy.toml"],
            &["lattice", "policy.toml"],
            &["hierarchy", "check", "policy.toml"],
            &[
                "risk",
                "data.csv",
                "-p",
                "policy.toml",
                "--population",
                "data.csv",
            ],
            &[
                "risk",
                "data.csv",
                "-p",
                "policy.toml",
                "--fraction",
                "0.1",
                "--json",
            ],
            &[
                "attack",
                "data.csv",
                "-p",
                "policy.toml",
                "--linkage",
                "data.csv",
            ],
            &[
                "attack",
                "data.csv",
                "-p",
                "policy.toml",
                "--linkage",
                "data.csv",
                "--json",
            ],
        ] {
            let run = folder.scrim(arguments);
            assert!(run.is_orderly(), "{name}\n{}", run.shown());
            assert!(
                !run.stdout.contains(SECRET) && !run.stderr.contains(SECRET),
                "{name}\n{}",
                run.shown()
            );
            if run.code == Some(2) && arguments == ["publish", "policy.toml"] {
                shown.push_str(&format!("## {name}\n{}\n", run.shown()));
            }
        }
    }
    insta::assert_snapshot!(shown);
}

/// A value of a quasi-identifier that a hierarchy lacks is named where the hierarchy is repaired, and nowhere else.
#[test]
fn a_value_without_a_leaf_is_named_on_the_terminal_of_those_who_repair_it_alone() {
    let folder = folder();
    folder.replace(DATA, "10/23/1965", "10/23/2065");
    for (arguments, names) in [
        (&["publish", "policy.toml"][..], true),
        (&["publish", "policy.toml", "--json"], true),
        (&["lattice", "policy.toml"], false),
        (&["measure", DATA, DATA, "-p", "policy.toml"], false),
    ] {
        let run = folder.scrim(arguments).exits(2);
        assert_eq!(run.stderr.contains("10/23/2065"), names, "{}", run.shown());
        assert!(!run.stdout.contains("10/23/2065"), "{}", run.shown());
        assert!(run.stderr.contains("line 4"), "{}", run.shown());
    }
    let check = folder
        .scrim(&["hierarchy", "check", "policy.toml"])
        .exits(1);
    assert!(check.stdout.contains("10/23/2065"), "{}", check.shown());
}

/// What a sensitive column's hierarchy is made of, where no file gives it, is its cells.
#[test]
fn no_tree_of_sensitive_cells_is_shown() {
    let folder = folder();
    let show = ["hierarchy", "show", "policy.toml", "--column", "Problem"];
    let run = folder.scrim(&show).exits(2);
    assert!(run.stderr.contains("are not printed"), "{}", run.shown());
    for arguments in [&show[..], &show[..3]] {
        let run = folder.scrim(arguments);
        assert!(!run.shown().contains("chest pain"), "{}", run.shown());
    }
}

/// The witness of a raw table is a person.
#[test]
fn audit_prints_no_values_of_a_class_unless_asked() {
    let folder = Folder::figure_7();
    let audit = ["audit", DATA, "-p", "policy.toml"];
    let run = folder.scrim(&audit).exits(1);
    assert!(!run.shown().contains("02141"), "{}", run.shown());
    assert!(run.stdout.contains("first on line 2"), "{}", run.shown());
    let json = folder.scrim(&[&audit[..], &["--json"]].concat()).exits(1);
    assert!(!json.stdout.contains("02141"), "{}", json.shown());
    let witness = &json.json()["models"][0]["witness"];
    assert!(
        witness["values"]["ZIP"].is_null() && witness["line"] == 2,
        "{witness}"
    );
    for more in [&["--show-values"][..], &["--show-values", "--json"]] {
        let run = folder.scrim(&[&audit[..], more].concat()).exits(1);
        assert!(run.stdout.contains("02141"), "{}", run.shown());
    }
    // Of a release, which a manifest names, JSON has the values as they are published; text has them on demand.
    folder
        .scrim(&["publish", "policy.toml", "--external"])
        .exits(0);
    folder.replace("policy.toml", "k = 2", "k = 9");
    let audit = ["audit", "release/release.csv", "-p", "policy.toml"];
    let json = folder.scrim(&[&audit[..], &["--json"]].concat()).exits(1);
    assert!(json.json()["models"][0]["witness"]["values"]["ZIP"].is_string());
    let run = folder.scrim(&audit).exits(1);
    assert!(!run.stdout.contains("ZIP "), "{}", run.shown());
    folder.write("sent.csv", folder.text("release/release.csv"));
    let sent = ["audit", "sent.csv", "-p", "policy.toml", "--json"];
    let zip = |more: &[&str]| {
        let answer = folder.scrim(&[&sent[..], more].concat()).exits(1).json();
        answer["models"][0]["witness"]["values"]["ZIP"].clone()
    };
    assert!(zip(&[]).is_null());
    let manifest = ["--manifest", "release/manifest.external.json"];
    assert!(zip(&manifest).is_string());
}

/// A copy of the raw table without identifiers has the columns of a release, and the values of persons.
#[test]
fn audit_of_a_copy_of_the_raw_table_prints_no_values() {
    let folder = Folder::figure_7();
    let published = ["Race", "BirthDate", "Gender", "ZIP", "Problem"];
    let text = folder.text(DATA);
    let header: Vec<&str> = text.lines().next().unwrap().split(',').collect();
    let keeps: Vec<usize> = (0..header.len())
        .filter(|at| published.contains(&header[*at]))
        .collect();
    let copy = text.lines().map(|line| {
        let cells: Vec<&str> = line.split(',').collect();
        keeps
            .iter()
            .map(|at| cells[*at])
            .collect::<Vec<_>>()
            .join(",")
            + "\n"
    });
    folder.write("copy.csv", copy.collect::<String>());
    // A release that lies beside it is another file.
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    folder.write("release/copy.csv", folder.text("copy.csv"));
    for file in ["copy.csv", "release/copy.csv"] {
        let audit = ["audit", file, "-p", "policy.toml", "--json"];
        let run = folder.scrim(&audit).exits(1);
        let answer = run.json();
        assert_eq!(
            answer["forbidden"],
            serde_json::json!([]),
            "{}",
            run.shown()
        );
        let witness = &answer["models"][0]["witness"];
        assert_eq!(witness["line"], 2, "{witness}");
        let values = witness["values"].as_object().unwrap();
        assert!(!values.is_empty() && values.values().all(serde_json::Value::is_null));
        assert!(!run.stdout.contains("02141"), "{}", run.shown());
    }
}

/// The first record ends with the line: else the cells of the first row are names of columns.
#[test]
fn a_header_that_runs_on_into_the_first_row_prints_none_of_its_cells() {
    for glue in ["", ","] {
        let folder = folder();
        let text = folder.text(DATA);
        let mut lines = text.lines();
        let header = lines.next().unwrap();
        let secret = format!("{SECRET},");
        let row = lines.find(|line| line.starts_with(&secret)).unwrap();
        let row = row.replace(',', "x,");
        folder.write(DATA, format!("{header}{glue}{row}\n"));
        for arguments in [
            &["publish", "policy.toml"][..],
            &["publish", "policy.toml", "--json"],
            &["audit", DATA, "-p", "policy.toml"],
            &["audit", DATA, "-p", "policy.toml", "--json"],
            &["risk", DATA, "-p", "policy.toml"],
            &["hierarchy", "check", "policy.toml"],
        ] {
            let run = folder.scrim(arguments);
            assert!(run.is_orderly(), "{}", run.shown());
            for cell in row.split(',') {
                assert!(!run.shown().contains(cell), "{cell}\n{}", run.shown());
            }
        }
    }
}

/// A short cell behind the last name of a header looks like a slip of the pen in the policy.
#[test]
fn a_name_with_a_cell_behind_it_is_not_proposed() {
    let folder = Folder::figure_7();
    let text = folder.text(DATA);
    folder.write(DATA, text.replacen("Problem\n", "Problem7", 1));
    let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
    assert!(!run.shown().contains("Problem7"), "{}", run.shown());
    folder.write(DATA, text.replacen("Problem\n", "Probem\n", 1));
    let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
    assert!(
        run.stderr.contains("did you mean `Probem`"),
        "{}",
        run.shown()
    );
}

/// The first row is then taken for the header, and its cells for names.
#[test]
fn a_file_without_a_header_prints_no_secret() {
    let folder = folder();
    let text = folder.text("data.csv");
    let rows: Vec<&str> = text.lines().filter(|line| line.contains(SECRET)).collect();
    folder.write("data.csv", rows.join("\n"));
    for arguments in [
        &["publish", "policy.toml"][..],
        &["audit", "data.csv", "-p", "policy.toml"],
    ] {
        let run = folder.scrim(arguments).exits(2);
        assert!(
            !run.stdout.contains(SECRET) && !run.stderr.contains(SECRET),
            "{}",
            run.shown()
        );
    }
}

/// A stray quote opens a field that runs over the next rows up to another stray quote: whole rows, with all their
/// quasi-identifiers, would be published as one sensitive value.
#[test]
fn a_stray_quote_does_not_publish_whole_rows() {
    let folder = Folder::figure_7();
    folder.replace("data.csv", "obesity", "\"obesity");
    let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
    assert!(run.stderr.contains("data.csv:"), "{}", run.shown());
    assert_eq!(folder.files("release"), None);
}
