//! Several publishers into one folder, and publishers that are killed or fail while files appear.
#![cfg(unix)]

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use scrim_io::ledger::fault;
use scrim_io::{files, sha256};
use serde_json::Value;

use crate::folder::Folder;

/// A folder with two policies for one release folder: k = 2 in `policy.toml`, k = 3 in `other.toml`.
fn two_policies() -> Folder {
    let folder = Folder::figure_7();
    let other = folder.text("policy.toml").replace("k = 2", "k = 3");
    folder.write("other.toml", other);
    folder
}

/// Starts `scrim publish` with something that goes wrong.
fn start(folder: &Folder, policy: &str, fault: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_scrim"))
        .args(["publish", policy])
        .current_dir(folder.path(""))
        .env(fault::VARIABLE, fault)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn end(child: Child) -> (Output, String) {
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr.clone()).unwrap();
    (output, stderr)
}

fn names(folder: &Folder) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder.path("release"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

/// The k of the manifest, whose files must be those it was made with.
fn whole(folder: &Folder) -> u64 {
    assert_eq!(
        names(folder),
        ["manifest.json", "plan.json", "release.csv", "report.html"]
    );
    let manifest: Value = serde_json::from_str(&folder.text("release/manifest.json")).unwrap();
    let release = sha256(&folder.read("release/release.csv"));
    assert_eq!(manifest["output"]["sha256"], release.as_str());
    let plan: Value = serde_json::from_str(&folder.text("release/plan.json")).unwrap();
    assert!(plan["policy_sha256"].is_string());
    assert_eq!(manifest["policy"]["sha256"], plan["policy_sha256"]);
    manifest["models"][0]["k"].as_u64().unwrap()
}

/// Waits until a file is there.
fn wait_for(folder: &Folder, name: &str, is_there: bool) {
    let start = Instant::now();
    while folder.path(name).exists() != is_there {
        assert!(start.elapsed() < Duration::from_secs(20), "{name}");
        sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_second_publisher_waits_until_the_first_has_moved_its_files() {
    let folder = two_policies();
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    assert_eq!(whole(&folder), 2);
    // The first stops for a while between two renames.
    let first = start(&folder, "policy.toml", "pause:manifest-aside");
    wait_for(&folder, "release/manifest.json", false);
    let second = folder.scrim(&["publish", "other.toml"]).exits(0);
    assert!(
        second.stderr.contains("another publisher is at work on"),
        "{}",
        second.stderr
    );
    assert!(end(first).0.status.success());
    assert_eq!(whole(&folder), 3);
}

#[test]
fn a_publisher_killed_while_files_appear_is_completed_by_the_next() {
    // Those of a failure that is taken back have a test of their own.
    for point in &fault::JOURNAL_POINTS[..5] {
        let folder = two_policies();
        folder.scrim(&["publish", "policy.toml"]).exits(0);
        let (killed, _) = end(start(&folder, "other.toml", point));
        assert!(killed.status.signal().is_some(), "{point}");
        // A run that publishes nothing settles the folder too.
        folder.write("data.csv", "Race\n");
        let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
        let said = ["it was completed now", "unfinished folder removed"];
        assert!(
            said.iter().any(|words| run.stderr.contains(words)),
            "{point}: {}",
            run.stderr
        );
        assert_eq!(whole(&folder), 3, "{point}");
    }
}

#[test]
fn a_publisher_killed_before_the_journal_leaves_the_old_release() {
    let folder = two_policies();
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    fs::create_dir(folder.path("release/.scrim-0-left")).unwrap();
    folder.write("release/.scrim-0-left/release.csv", "half");
    folder.write("data.csv", "Race\n");
    let run = folder.scrim(&["publish", "other.toml"]).exits(2);
    assert!(
        run.stderr.contains("1 unfinished folder removed"),
        "{}",
        run.stderr
    );
    assert_eq!(whole(&folder), 2);
}

#[test]
fn a_failed_rename_keeps_the_old_release() {
    for step in [
        "old-aside=manifest.json",
        "old-aside=plan.json",
        "file-appears=release.csv",
        "file-appears=plan.json",
        "file-appears=manifest.json",
    ] {
        let folder = two_policies();
        folder.scrim(&["publish", "policy.toml"]).exits(0);
        let (failed, stderr) = end(start(&folder, "other.toml", &format!("fail:{step}")));
        assert_eq!(failed.status.code(), Some(2), "{step}");
        assert!(
            stderr.contains("the files that were here are back"),
            "{stderr}"
        );
        assert_eq!(whole(&folder), 2, "{step}");
    }
    // Where there was nothing, nothing stays.
    let folder = two_policies();
    let step = "fail:file-appears=manifest.json";
    assert_eq!(
        end(start(&folder, "other.toml", step)).0.status.code(),
        Some(2)
    );
    assert!(folder.files("release").is_none_or(|files| files.is_empty()));
}

#[test]
fn a_failure_that_cannot_be_taken_back_is_taken_back_by_the_next_run() {
    for end_of_it in [
        "fail:file-appears=manifest.json,old-returns=plan.json",
        "fail:file-appears=plan.json;turned-back",
        "fail:file-appears=manifest.json;new-taken-back",
    ] {
        let folder = two_policies();
        folder.scrim(&["publish", "policy.toml"]).exits(0);
        let (failed, _) = end(start(&folder, "other.toml", end_of_it));
        assert!(!failed.status.success(), "{end_of_it}");
        folder.write("data.csv", "Race\n");
        let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
        assert!(
            run.stderr.contains("it was taken back now"),
            "{}",
            run.stderr
        );
        assert_eq!(whole(&folder), 2, "{end_of_it}");
    }
}

#[test]
fn an_answer_that_cannot_be_printed_does_not_deny_the_release() {
    let folder = Folder::figure_7();
    let Ok(full) = fs::File::options().write(true).open("/dev/full") else {
        return;
    };
    let run = Command::new(env!("CARGO_BIN_EXE_scrim"))
        .args(["publish", "policy.toml"])
        .current_dir(folder.path(""))
        .stdout(full)
        .output()
        .unwrap();
    let stderr = String::from_utf8(run.stderr).unwrap();
    assert!(
        stderr.contains("warning: the release is published as"),
        "{stderr}"
    );
    assert_eq!(run.status.code(), Some(0), "{stderr}");
    assert_eq!(whole(&folder), 2);
}

#[test]
fn a_file_beyond_the_limit_of_the_shell_is_an_error() {
    let folder = Folder::figure_7();
    let scrim = env!("CARGO_BIN_EXE_scrim");
    let run = Command::new("sh")
        .args([
            "-c",
            &format!("ulimit -c 0; ulimit -f 1; exec '{scrim}' publish policy.toml"),
        ])
        .current_dir(folder.path(""))
        .output()
        .unwrap();
    let stderr = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("ulimit -f"), "{stderr}");
    assert!(folder.files("release").is_none());
    assert!(files::exists(&folder.path("data.csv")));
}

/// A folder whose policy names a ledger and this key, with a person in every row.
fn with_ledger(ledger: &str, key: &str) -> Folder {
    let folder = Folder::figure_7();
    let data = folder.text("data.csv");
    let rows = (0..).zip(data.lines()).map(|(number, line)| match number {
        0 => format!("Person,{line}\n"),
        _ => format!("p{number},{line}\n"),
    });
    folder.write("data.csv", rows.collect::<String>());
    folder.replace(
        "policy.toml",
        "[columns]\n",
        "[columns]\nPerson = { role = \"person\" }\n",
    );
    let own = format!("\n[ledger]\npath = \"{ledger}\"\nkey = \"{key}\"\n");
    folder.write("policy.toml", folder.text("policy.toml") + &own);
    folder
}

#[test]
fn the_files_of_a_publication_are_not_one_another() {
    for (ledger, key) in [
        ("data.csv", "ledger.key"),
        ("policy.toml", "ledger.key"),
        ("zip.csv", "ledger.key"),
        ("ledger.sqlite", "data.csv"),
        ("ledger.sqlite", "./ledger.sqlite"),
        ("release/manifest.json", "ledger.key"),
        ("ledger.sqlite", "release/plan.json"),
        ("linked.sqlite", "ledger.key"),
        ("same.sqlite", "ledger.key"),
    ] {
        let folder = with_ledger(ledger, key);
        fs::create_dir(folder.path("release")).unwrap();
        std::os::unix::fs::symlink("data.csv", folder.path("linked.sqlite")).unwrap();
        fs::hard_link(folder.path("data.csv"), folder.path("same.sqlite")).unwrap();
        let before = (folder.files(""), folder.files("release"));
        let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
        let said = ["are one file", "would overwrite"];
        assert!(
            said.iter().any(|words| run.stderr.contains(words)),
            "{ledger} {key}: {}",
            run.stderr
        );
        assert_eq!((folder.files(""), folder.files("release")), before);
    }
    let folder = with_ledger("ledger.sqlite", "ledger.key");
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    assert_eq!(whole(&folder), 2);
}

#[test]
fn what_a_ledger_has_to_complete_keeps_a_publisher_without_it_away() {
    let folder = with_ledger("ledger.sqlite", "ledger.key");
    let policy = folder.text("policy.toml");
    folder.write("other.toml", policy.split("\n[ledger]").next().unwrap());
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    let (killed, _) = end(start(&folder, "policy.toml", "file-placed"));
    assert!(killed.status.signal().is_some());
    let run = folder.scrim(&["publish", "other.toml"]).exits(2);
    assert!(run.stderr.contains("ledger recover"), "{}", run.stderr);
    folder.scrim(&["ledger", "recover"]).exits(0);
    folder.scrim(&["publish", "other.toml"]).exits(0);
    assert_eq!(whole(&folder), 2);
}
