//! Publishers killed at every fault point and at random moments: the ledger verifies, no release is without entry, no
//! entry without release, and what was acknowledged is there.
//!
//! The test runs itself as the publisher that is killed: the test `publisher` does nothing unless its folder is named in
//! the environment.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::exit,
    reason = "a test that cannot prepare its files has failed"
)]

mod desk;

use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use scrim::Random;
use scrim_io::files;
use scrim_io::ledger::{Ledger, fault};

use desk::{COUNT, FOLDER, ROWS, command, folder, place, publish};

/// The publisher: so many releases one after another, each acknowledged in a file once it is recorded.
#[test]
fn publisher() {
    let Some(folder) = std::env::var_os(FOLDER) else {
        return;
    };
    let number = |name: &str| std::env::var(name).unwrap().parse::<usize>().unwrap();
    for _ in 0..number(COUNT) {
        if let Err(error) = publish(Path::new(&folder), number(ROWS)) {
            eprintln!("error: {error}\nhint: {}", error.hint().unwrap_or_default());
            std::process::exit(2);
        }
    }
}

/// What must hold right after a kill, before anybody tidies up: no release file without its entry.
fn nothing_without_entry(folder: &Path) {
    let known: Vec<String> = match Ledger::open(&folder.join("ledger.sqlite"), None) {
        Ok(ledger) => {
            let verdict = ledger.verify(None).unwrap();
            assert!(verdict.holds, "{verdict:?}");
            let releases = ledger.overview().unwrap().releases;
            releases
                .into_iter()
                .flat_map(|release| release.files)
                .map(|file| file.sha256)
                .collect()
        }
        Err(_) => Vec::new(),
    };
    for entry in fs::read_dir(folder).unwrap() {
        let dir = entry.unwrap().path();
        for name in ["release.csv", "manifest.json"] {
            if let Ok(hash) = files::sha256_file(&dir.join(name)) {
                assert!(
                    known.contains(&hash),
                    "{}/{name} has no entry",
                    dir.display()
                );
            }
        }
    }
}

/// What must hold once the next publisher has opened the ledger.
fn all_is_whole(folder: &Path) -> Vec<String> {
    let (path, key) = (folder.join("ledger.sqlite"), folder.join("ledger.key"));
    let mut ledger =
        Ledger::open_or_create(&path, &key, Duration::from_secs(5), &mut |_| {}).unwrap();
    let releases = ledger.overview().unwrap().releases;
    for release in 1..=releases.len() + 1 {
        ledger.sweep(&place(folder, release));
    }
    let verdict = ledger.verify(None).unwrap();
    assert!(verdict.holds && verdict.remarks.is_empty(), "{verdict:?}");
    let acknowledged = fs::read_to_string(folder.join("acknowledged")).unwrap_or_default();
    let acknowledged = acknowledged.lines().count();
    // Each run may have recorded one more than it could say.
    assert!(
        releases.len() >= acknowledged,
        "an acknowledged release is lost"
    );
    let even = releases.len() / 2 * 2;
    for (number, record) in (1..).zip(&releases) {
        assert_eq!(record.state, "complete");
        if number % 2 == 1 || number == even {
            for file in &record.files {
                let hash = files::sha256_file(&folder.join(&file.path)).unwrap();
                assert_eq!(hash, file.sha256, "release {number} is not in place");
            }
        }
    }
    for release in 1..=releases.len() + 1 {
        let dir = place(folder, release);
        let names = fs::read_dir(&dir).into_iter().flatten().flatten();
        let mut names: Vec<_> = names
            .map(|entry| entry.file_name().into_string().unwrap())
            .collect();
        names.sort();
        let whole = ["manifest.json", "release.csv"];
        let expected: &[&str] = if release <= releases.len() || (release % 2 == 0 && even > 0) {
            &whole
        } else {
            &[]
        };
        assert_eq!(names, expected, "{}", dir.display());
    }
    ledger.remarks().to_vec()
}

fn killed_by(mut child: Child) -> Option<i32> {
    child.wait().unwrap().signal()
}

#[test]
fn a_publisher_that_dies_at_any_point_leaves_all_or_nothing() {
    let mut died = 0;
    for first in fault::POINTS {
        // Nobody recovers in the first run: its points come with the second.
        let fresh = folder();
        let child = command(fresh.path(), 2, 5)
            .env(fault::VARIABLE, first)
            .spawn()
            .unwrap();
        let killed = killed_by(child).is_some();
        assert_eq!(killed, !first.starts_with("recovery"), "{first}");
        died += usize::from(killed);
        nothing_without_entry(fresh.path());
        for second in fault::POINTS {
            let dir = folder();
            copy(fresh.path(), dir.path());
            let child = command(dir.path(), 1, 5)
                .env(fault::VARIABLE, second)
                .spawn()
                .unwrap();
            died += usize::from(killed_by(child).is_some());
            nothing_without_entry(dir.path());
            all_is_whole(dir.path());
            if first == second {
                publish(dir.path(), 5).unwrap();
                all_is_whole(dir.path());
            }
        }
    }
    assert!(died > 150, "only {died} died");
}

#[test]
fn an_interrupted_release_is_completed_and_the_user_is_told() {
    for (point, said) in [
        (
            "files-synced",
            "interrupted before anything was recorded: 1 unfinished folder removed",
        ),
        (
            "entry-written",
            "interrupted before anything was recorded: 1 unfinished folder removed",
        ),
        (
            "committed",
            "the last run was interrupted: release 1 was completed now",
        ),
        (
            "file-placed",
            "the last run was interrupted: release 1 was completed now",
        ),
        (
            "files-settled",
            "the last run was interrupted: release 1 was completed now",
        ),
    ] {
        let dir = folder();
        let child = command(dir.path(), 1, 5)
            .env(fault::VARIABLE, point)
            .spawn()
            .unwrap();
        assert!(killed_by(child).is_some(), "{point}");
        let remarks = all_is_whole(dir.path());
        assert!(
            remarks.len() == 1 && remarks[0].contains(said),
            "{point}: {remarks:?}"
        );
        assert!(all_is_whole(dir.path()).is_empty(), "told once");
    }
}

#[test]
fn a_publisher_killed_at_any_moment_leaves_all_or_nothing() {
    let mut random = Random::new(20_261_116);
    let mut killed = 0;
    let mut recovered = 0;
    while killed < 120 {
        let dir = folder();
        for _ in 0..12 {
            let mut child = command(dir.path(), 1000, 60).spawn().unwrap();
            sleep(Duration::from_micros(random.below(60_000)));
            child.kill().unwrap();
            assert_eq!(killed_by(child), Some(9));
            killed += 1;
            nothing_without_entry(dir.path());
            recovered += usize::from(!all_is_whole(dir.path()).is_empty());
        }
    }
    assert!(recovered > 0, "no kill fell into a publication");
}

#[test]
fn a_full_disk_is_told_and_nothing_is_lost() {
    let dir = folder();
    publish(dir.path(), 40).unwrap();
    let before = fs::read(dir.path().join("ledger.sqlite")).unwrap();
    let mut failed = 0;
    // The limit is on the size of any one file, in blocks of 512 or 1024 bytes: both files and ledger run into it.
    for limit in [1, 8, 40, 90, 130, 180, 260, 400] {
        let exe = std::env::current_exe().unwrap();
        let script =
            format!("trap '' XFSZ; ulimit -f {limit}; exec \"$0\" --exact publisher --nocapture");
        let child = Command::new("sh")
            .args(["-c", &script])
            .arg(exe)
            .env(FOLDER, dir.path())
            .env(COUNT, "1")
            .env(ROWS, "3000")
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        if output.status.success() {
            continue;
        }
        failed += 1;
        assert_eq!(output.status.code(), Some(2), "{limit}: {stderr}");
        assert!(
            stderr.contains("error: /") && !stderr.contains("panicked"),
            "{limit}: {stderr}"
        );
        nothing_without_entry(dir.path());
        all_is_whole(dir.path());
        if failed == 1 {
            assert_eq!(fs::read(dir.path().join("ledger.sqlite")).unwrap(), before);
        }
    }
    assert!(failed >= 4, "the disk was full only {failed} times");
    publish(dir.path(), 3000).unwrap();
    all_is_whole(dir.path());
}

#[test]
fn a_ledger_that_cannot_be_written_is_told_and_nothing_is_lost() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    use std::os::unix::process::CommandExt;

    let dir = folder();
    publish(dir.path(), 5).unwrap();
    let root = fs::metadata(dir.path()).unwrap().uid() == 0;
    // Nothing is read-only to root: there the publisher is somebody else, who must be able to run this test.
    let exe = dir.path().join("publisher");
    if root {
        fs::copy(std::env::current_exe().unwrap(), &exe).unwrap();
    }
    let mode = |path: &Path, mode: u32| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        if root {
            chown(path, Some(65_534), Some(65_534)).unwrap();
        }
    };
    for name in ["ledger.key", "ledger.sqlite.lock", "release-1"] {
        mode(
            &dir.path().join(name),
            if name == "release-1" { 0o755 } else { 0o600 },
        );
    }
    let ledger = dir.path().join("ledger.sqlite");
    let before = fs::read(&ledger).unwrap();
    for (file_mode, folder_mode) in [(0o400, 0o755), (0o600, 0o555), (0o000, 0o755)] {
        mode(&ledger, file_mode);
        mode(dir.path(), folder_mode);
        let mut child = command(dir.path(), 1, 5);
        if root {
            child = Command::new(&exe);
            child.args(["--exact", "publisher", "--nocapture"]);
            child.env(FOLDER, dir.path()).env(COUNT, "1").env(ROWS, "5");
            child.uid(65_534).gid(65_534).current_dir("/");
            child.stdout(Stdio::null()).stderr(Stdio::piped());
        }
        let output = child.spawn().unwrap().wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{file_mode:o}: {stderr}");
        let told = [
            "cannot be written",
            "cannot be opened",
            "Permission denied",
            "denied",
        ];
        assert!(
            told.iter().any(|text| stderr.contains(text)),
            "{file_mode:o}: {stderr}"
        );
        mode(dir.path(), 0o755);
        mode(&ledger, 0o600);
        assert_eq!(fs::read(&ledger).unwrap(), before);
        assert!(!dir.path().join("release").exists());
    }
    nothing_without_entry(dir.path());
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            fs::create_dir_all(&target).unwrap();
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).unwrap();
        }
    }
}
