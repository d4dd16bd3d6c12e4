//! What holds of every command: quiet, colour, pipes.

use std::process::{Command, Stdio};

use crate::folder::{Folder, POLICY};

const RELEASE: &str = "release/release.csv";

/// A command of each kind, run beside Figure 7 and its release.
fn commands() -> Vec<Vec<&'static str>> {
    let policy = ["-p", "policy.toml"];
    let with = |words: &[&'static str]| [words, &policy].concat();
    vec![
        vec!["publish", "policy.toml"],
        vec!["publish", "policy.toml", "--compare", "--time-limit", "1"],
        vec!["lattice", "policy.toml"],
        with(&["audit", RELEASE]),
        with(&["audit", "data.csv"]),
        with(&["measure", "data.csv", RELEASE]),
        with(&["risk", "data.csv", "--fraction", "0.1"]),
        with(&["risk", RELEASE, "--population", "data.csv"]),
        with(&["attack", RELEASE, "--similarity"]),
        with(&["attack", RELEASE, "--linkage", "data.csv"]),
        vec![
            "attack",
            "knowing/release.csv",
            "-p",
            "knowing.toml",
            "--knows-algorithm",
        ],
        vec!["hierarchy", "show", "race.csv"],
        vec!["hierarchy", "check", "policy.toml"],
        vec![
            "init",
            "data.csv",
            "-o",
            "first",
            "--accept-guesses",
            "--force",
        ],
        vec!["demo", "tour", "--rows", "300"],
        vec!["reproduce", "sweeney02"],
        vec!["catalog"],
        vec!["help", "mondrian"],
        vec!["man"],
        vec!["completions", "bash"],
    ]
}

fn folder() -> Folder {
    let folder = Folder::figure_7();
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    let diverse = POLICY.replace(
        "[search]",
        "[[privacy]]\nmodel = \"p-sensitive\"\np = 2\n\n[search]",
    );
    folder.write(
        "knowing.toml",
        diverse.replace("[release]", "[release]\ndir = \"knowing\""),
    );
    folder.scrim(&["publish", "knowing.toml"]).exits(0);
    folder
}

#[test]
fn quiet_leaves_standard_error_empty_and_the_answer_as_it_is() {
    let folder = folder();
    let mut spoke = false;
    for words in commands() {
        if ["publish", "demo"].contains(&words[0]) {
            // A second publication says what it replaces.
            folder.scrim(&words);
        }
        let loud = folder.scrim(&words);
        let quiet = folder.scrim(&[&words[..], &["--quiet"]].concat());
        assert!(
            loud.is_orderly() && loud.code != Some(2),
            "{}",
            loud.shown()
        );
        assert_eq!(quiet.stderr, "", "{words:?}");
        assert_eq!(quiet.code, loud.code, "{words:?}");
        // A comparison tells how long it took.
        if !words.contains(&"--compare") {
            assert_eq!(quiet.stdout, loud.stdout, "{words:?}");
        }
        // Into a pipe there is no progress, only remarks.
        assert!(
            loud.stderr.lines().all(|line| line.starts_with("note: ")),
            "{}",
            loud.stderr
        );
        spoke |= !loud.stderr.is_empty();
    }
    assert!(spoke, "none of the commands had anything to remark");
    let wrong = folder.scrim(&["audit", "nowhere.csv", "-p", "policy.toml", "--quiet"]);
    assert!(wrong.exits(2).stderr.starts_with("error: "));
}

#[test]
fn colour_is_only_where_it_is_asked_for_and_says_nothing_new() {
    let folder = folder();
    let plain = folder.scrim(&["audit", "data.csv", "-p", "policy.toml"]);
    assert!(!plain.stdout.contains('\u{1b}'));
    let always = folder.scrim(&[
        "--color",
        "always",
        "audit",
        "data.csv",
        "-p",
        "policy.toml",
    ]);
    assert!(
        always.stdout.contains("\u{1b}[1;31mBROKEN\u{1b}[0m"),
        "{}",
        always.stdout
    );
    assert_eq!(without_colour(&always.stdout), plain.stdout);
    let never = folder.scrim(&["audit", "data.csv", "-p", "policy.toml", "--color=never"]);
    assert_eq!(never.stdout, plain.stdout);
    let json = folder
        .scrim(&["catalog", "--json", "--color", "always"])
        .exits(0);
    assert!(!json.stdout.contains('\u{1b}'));
    let error = folder.scrim(&[
        "audit",
        "nowhere.csv",
        "-p",
        "policy.toml",
        "--color",
        "always",
    ]);
    assert!(
        error.stderr.starts_with("\u{1b}[1;31merror:\u{1b}[0m "),
        "{}",
        error.stderr
    );
    folder.scrim(&["catalog", "--color", "pink"]).exits(2);
    let help = folder
        .scrim(&["help", "publish", "--color", "always"])
        .exits(0);
    assert!(help.stdout.contains('\u{1b}'));
}

fn without_colour(text: &str) -> String {
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| {
        text + part.split_once('m').map_or(part, |(_, rest)| rest)
    })
}

#[test]
fn a_reader_who_has_seen_enough_is_no_error() {
    let folder = folder();
    for words in commands() {
        let mut child = Command::new(env!("CARGO_BIN_EXE_scrim"))
            .args(&words)
            .args(["--quiet"])
            .current_dir(folder.path("."))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Nobody reads: the first byte finds the pipe closed.
        drop(child.stdout.take());
        let ended = child.wait_with_output().unwrap();
        assert!(
            matches!(ended.status.code(), Some(0 | 1)),
            "{words:?}: {ended:?}"
        );
        assert!(ended.stderr.is_empty(), "{words:?}: {ended:?}");
    }
}
