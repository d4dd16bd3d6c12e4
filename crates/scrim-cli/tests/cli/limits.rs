//! Outputs that never answer, and threads that cannot be had: an error, never a hang or a panic.

use std::process::Command;
use std::time::{Duration, Instant};

use crate::folder::Folder;

fn make_pipe(folder: &Folder, name: &str) -> bool {
    let made = Command::new("mkfifo").arg(folder.path(name)).status();
    made.is_ok_and(|made| made.success())
}

/// How many files a folder has; none is opened.
fn names(folder: &Folder, dir: &str) -> usize {
    std::fs::read_dir(folder.path(dir)).unwrap().count()
}

/// Runs a command that must end by itself with exit 2 and a message about a pipe.
fn refused(folder: &Folder, arguments: &[&str]) {
    let begun = Instant::now();
    let run = folder.scrim(arguments).exits(2);
    assert!(run.stderr.contains("a pipe or a device"), "{}", run.shown());
    assert!(begun.elapsed() < Duration::from_mins(1));
}

#[test]
#[cfg(unix)]
fn a_pipe_is_no_output_and_no_input_of_a_policy() {
    for name in [
        "release.csv",
        "manifest.json",
        "plan.json",
        "report.html",
        "policy.external.toml",
    ] {
        let folder = Folder::figure_7();
        std::fs::create_dir(folder.path("release")).unwrap();
        if !make_pipe(&folder, &format!("release/{name}")) {
            return;
        }
        refused(&folder, &["publish", "policy.toml", "--external"]);
        assert_eq!(names(&folder, "release"), 1);
    }
    let folder = Folder::figure_7();
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    make_pipe(&folder, "page.html");
    refused(&folder, &["report", "release", "--out", "page.html"]);
    make_pipe(&folder, "pipe.csv");
    refused(
        &folder,
        &["init", "pipe.csv", "-o", "first", "--accept-guesses"],
    );
    std::fs::create_dir(folder.path("first")).unwrap();
    make_pipe(&folder, "first/policy.toml");
    let init = [
        "init",
        "data.csv",
        "-o",
        "first",
        "--accept-guesses",
        "--force",
    ];
    refused(&folder, &init);
    assert_eq!(names(&folder, "first"), 1);
}

/// The check while the folder is locked comes after the search; this one comes before.
#[test]
fn a_file_of_others_is_refused_before_the_table_is_read() {
    let folder = Folder::figure_7();
    std::fs::create_dir(folder.path("release")).unwrap();
    folder.write("release/report.html", "of others");
    // Whoever read the table would say this.
    folder.write("data.csv", "no,such,columns\n1,2,3\n");
    let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
    assert!(run.stderr.contains("is in the way"), "{}", run.shown());
    assert_eq!(folder.text("release/report.html"), "of others");
    // What went out with no release is not in the way of one without it.
    let folder = Folder::figure_7();
    std::fs::create_dir(folder.path("release")).unwrap();
    folder.write("release/report.external.html", "of others");
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    folder
        .scrim(&["publish", "policy.toml", "--external"])
        .exits(2);
}

/// Room for the program and a few threads, not for the stacks of all.
#[test]
#[cfg(target_os = "linux")]
fn threads_that_cannot_be_had_are_an_error() {
    let folder = Folder::figure_7();
    let script = format!(
        "ulimit -v 300000; exec '{}' --threads 100000 publish policy.toml",
        env!("CARGO_BIN_EXE_scrim")
    );
    let run = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folder.path("."))
        .output()
        .unwrap();
    let stderr = String::from_utf8_lossy(&run.stderr);
    assert_eq!(run.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("cannot start 256 threads"), "{stderr}");
    assert!(stderr.contains("hint: ask for fewer"), "{stderr}");
    assert_eq!(folder.files("release"), None);
}
