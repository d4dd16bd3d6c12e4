//! Every bad input ends with exit 2 and a message that names the file, and leaves the release folder as it was.

mod cases;

use std::fs;
use std::process::Command;

use crate::folder::{FIGURE_7, Folder, POLICY, Run};
use cases::CASES;

#[test]
fn every_bad_input_is_named_and_nothing_is_written() {
    let mut shown = String::new();
    for (name, spoil, named) in CASES {
        let folder = Folder::figure_7();
        spoil.apply(&folder);
        let run = refused(&folder, name, named);
        assert_eq!(folder.files("release"), None, "{name}");
        shown.push_str(&format!("## {name}\n{}\n", run.shown()));
    }
    insta::assert_snapshot!(shown);
}

#[test]
fn an_earlier_release_stays_as_it_was() {
    for (name, spoil, named) in CASES {
        let folder = Folder::figure_7();
        folder.scrim(&["publish", "policy.toml"]).exits(0);
        let before = folder.files("release");
        spoil.apply(&folder);
        refused(&folder, name, named);
        assert!(folder.files("release") == before, "{name}");
    }
}

fn refused(folder: &Folder, name: &str, named: &str) -> Run {
    let run = folder.scrim(&["publish", "policy.toml"]);
    assert_eq!(run.code, Some(2), "{name}\n{}", run.shown());
    assert!(run.stderr.starts_with("error: "), "{name}\n{}", run.shown());
    let first = run.stderr.lines().next().unwrap_or_default();
    assert!(
        first.contains(named),
        "{name}: `{named}` is not named\n{}",
        run.shown()
    );
    run
}

#[test]
fn a_file_where_the_folder_should_be_is_left_alone() {
    let folder = Folder::figure_7();
    folder.write("release", "mine");
    let run = refused(&folder, "a file in the way", "release");
    insta::assert_snapshot!(run.shown());
    assert_eq!(folder.text("release"), "mine");
}

#[test]
fn a_failure_is_told_as_json_too() {
    let folder = Folder::figure_7();
    folder.replace("policy.toml", "Race =", "Rase =");
    let answer = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(2)
        .json();
    assert!(
        answer["error"]
            .as_str()
            .unwrap()
            .contains("no column `Rase`")
    );
    assert_eq!(answer["hint"], "did you mean `Race`?");
}

/// A small file system, unmounted in the end.
struct Small<'a>(&'a Folder);

impl<'a> Small<'a> {
    fn mount(folder: &'a Folder) -> Option<Self> {
        fs::create_dir(folder.path("release")).unwrap();
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=64k", "tmpfs"])
            .arg(folder.path("release"))
            .output();
        mount
            .is_ok_and(|output| output.status.success())
            .then_some(Self(folder))
    }
}

impl Drop for Small<'_> {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path("release")).output();
    }
}

#[test]
fn a_full_disk_leaves_nothing() {
    let folder = Folder::figure_7();
    let Some(_small) = Small::mount(&folder) else {
        println!("skipped: no file system can be mounted here");
        return;
    };
    let rows: String = FIGURE_7
        .lines()
        .skip(1)
        .map(|line| format!("{line}\n"))
        .collect();
    for format in ["csv", "parquet"] {
        folder.write(
            "policy.toml",
            POLICY.replace("format = \"csv\"", &format!("format = \"{format}\"")),
        );
        // Sensitive texts of their own keep Parquet from packing them small.
        let long: Vec<String> = rows
            .repeat(1000)
            .lines()
            .enumerate()
            .map(|(at, line)| format!("{line} {}", at * 7_919_777))
            .collect();
        folder.write(
            "data.csv",
            format!("Race,BirthDate,Gender,ZIP,Problem\n{}\n", long.join("\n")),
        );
        let run = refused(&folder, "a full disk", "release");
        assert!(
            run.stderr.contains("hint: free some space"),
            "{}",
            run.shown()
        );
        assert_eq!(folder.files("release"), Some(Vec::new()), "{format}");
    }
}
