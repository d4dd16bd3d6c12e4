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
