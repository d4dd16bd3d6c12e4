use std::fs;
use std::time::Duration;

use super::*;
use crate::files::{exists, read_text, write_bytes};

fn entries(dir: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn committed_files_appear_and_nothing_else_stays() {
    let dir = tempfile::tempdir().unwrap();
    let staging = Staging::new(dir.path()).unwrap();
    for name in ["release.csv", "manifest.json", "scratch"] {
        write_bytes(&staging.path(name), name.as_bytes()).unwrap();
    }
    assert!(!exists(&dir.path().join("release.csv")));
    let moved = staging
        .commit_waiting(&["release.csv", "manifest.json"])
        .unwrap()
        .files;
    assert_eq!(
        moved,
        [
            dir.path().join("release.csv"),
            dir.path().join("manifest.json")
        ]
    );
    assert_eq!(entries(dir.path()), ["manifest.json", "release.csv"]);
}

#[test]
fn what_is_not_committed_leaves_no_trace() {
    let dir = tempfile::tempdir().unwrap();
    let target = dir.path().join("a/b");
    let staging = Staging::new(&target).unwrap();
    write_bytes(&staging.path("release.csv"), b"x").unwrap();
    drop(staging);
    assert!(entries(dir.path()).is_empty());
}

#[test]
#[cfg(unix)]
fn what_a_killed_process_left_is_swept_and_what_is_in_use_is_not() {
    let dir = tempfile::tempdir().unwrap();
    let living = Staging::new(dir.path()).unwrap();
    for name in [".scrim-0-left", ".scrim-0-kept", ".scrimshaw", "plain"] {
        fs::create_dir(dir.path().join(name)).unwrap();
    }
    write_bytes(&dir.path().join(".scrim-0-left/release.csv"), b"x").unwrap();
    write_bytes(&living.path("release.csv"), b"x").unwrap();
    let kept = |folder: &Path| folder.ends_with(".scrim-0-kept");
    assert_eq!(Staging::sweep(dir.path(), &kept), 1);
    assert!(exists(&living.path("release.csv")));
    drop(living);
    assert_eq!(
        entries(dir.path()),
        [".scrim-0-kept", ".scrimshaw", "plain"]
    );
    assert_eq!(Staging::sweep(&dir.path().join("not there"), &|_| false), 0);
}

#[test]
fn a_panic_leaves_no_trace() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().to_owned();
    let panicked = std::thread::spawn(move || {
        let staging = Staging::new(&path).unwrap();
        write_bytes(&staging.path("release.csv"), b"x").unwrap();
        std::panic::resume_unwind(Box::new("stop"));
    });
    assert!(panicked.join().is_err());
    assert!(entries(dir.path()).is_empty());
}

#[test]
fn a_missing_file_commits_nothing_and_keeps_the_old_release() {
    let dir = tempfile::tempdir().unwrap();
    write_bytes(&dir.path().join("manifest.json"), b"old").unwrap();
    let staging = Staging::new(dir.path()).unwrap();
    write_bytes(&staging.path("manifest.json"), b"new").unwrap();
    assert!(
        staging
            .commit_waiting(&["release.csv", "manifest.json"])
            .is_err()
    );
    assert_eq!(read_text(&dir.path().join("manifest.json")).unwrap(), "old");
    assert_eq!(entries(dir.path()), ["manifest.json"]);
}

#[test]
fn a_manifest_of_another_name_leaves_the_others_alone() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["manifest.json", "manifest.BROKEN.json"] {
        write_bytes(&dir.path().join(name), b"old").unwrap();
    }
    let staging = Staging::new(dir.path()).unwrap();
    write_bytes(&staging.path("manifest.BROKEN.json"), b"new").unwrap();
    staging.commit_waiting(&["manifest.BROKEN.json"]).unwrap();
    let read = |name: &str| read_text(&dir.path().join(name)).unwrap();
    assert_eq!(read("manifest.json"), "old");
    assert_eq!(read("manifest.BROKEN.json"), "new");
}

#[test]
fn a_folder_in_the_way_keeps_the_old_release() {
    let dir = tempfile::tempdir().unwrap();
    write_bytes(&dir.path().join("manifest.json"), b"old").unwrap();
    fs::create_dir(dir.path().join("report.html")).unwrap();
    let staging = Staging::new(dir.path()).unwrap();
    let names = ["release.csv", "report.html", "manifest.json"];
    for name in names {
        staging.write(name, b"new").unwrap();
    }
    let error = staging.commit_waiting(&names).unwrap_err();
    assert!(error.to_string().contains("a folder stands"), "{error}");
    assert_eq!(entries(dir.path()), ["manifest.json", "report.html"]);
    assert_eq!(read_text(&dir.path().join("manifest.json")).unwrap(), "old");
}

#[test]
#[cfg(unix)]
fn staged_files_are_their_owners_until_they_appear() {
    use std::os::unix::fs::PermissionsExt as _;
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let dir = tempfile::tempdir().unwrap();
    write_bytes(&dir.path().join("usual"), b"").unwrap();
    let staging = Staging::new(dir.path()).unwrap();
    staging.write("manifest.json", b"new").unwrap();
    write_bytes(&staging.private("release.csv").unwrap(), b"new").unwrap();
    assert_eq!(mode(staging.path("x").parent().unwrap()), 0o700);
    assert_eq!(mode(&staging.path("manifest.json")), 0o600);
    assert_eq!(mode(&staging.path("release.csv")), 0o600);
    staging
        .commit_waiting(&["release.csv", "manifest.json"])
        .unwrap();
    let usual = mode(&dir.path().join("usual"));
    assert_eq!(mode(&dir.path().join("release.csv")), usual);
    assert_eq!(mode(&dir.path().join("manifest.json")), usual);
}

#[test]
#[cfg(unix)]
fn a_folder_is_locked_by_every_path_and_a_lock_of_another_does_not_do() {
    let dir = tempfile::tempdir().unwrap();
    let (folder, link) = (dir.path().join("release"), dir.path().join("link"));
    fs::create_dir(&folder).unwrap();
    std::os::unix::fs::symlink(&folder, &link).unwrap();
    let held = FolderLock::take(&folder, Duration::ZERO, &mut |_| Ok(())).unwrap();
    let mut said = Vec::new();
    let error = FolderLock::take(&link, Duration::from_millis(60), &mut |words| {
        said.extend(words.map(str::to_owned));
        Ok(())
    });
    let error = error.unwrap_err();
    assert!(
        error
            .to_string()
            .contains("another publisher is at work on this folder")
    );
    assert_eq!(said.len(), 1, "{said:?}");
    let stopped = FolderLock::take(&link, WAIT, &mut |_| Err(scrim::Error::Interrupted));
    assert!(matches!(
        stopped,
        Err(IoError::Scrim(scrim::Error::Interrupted))
    ));
    let staging = Staging::new(dir.path()).unwrap();
    staging.write("manifest.json", b"new").unwrap();
    assert!(staging.commit(&held, &["manifest.json"], &[]).is_err());
    drop(held);
    FolderLock::take(&link, Duration::ZERO, &mut |_| Ok(())).unwrap();
}

#[test]
#[cfg(unix)]
fn a_journal_that_leads_elsewhere_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("release");
    let hidden = folder.join(".scrim-0-forged");
    files::create_dir(&hidden.join("old")).unwrap();
    write_bytes(&dir.path().join("precious"), b"x").unwrap();
    for forged in [
        r#"{"files":["manifest.json"],"old":["../precious"]}"#,
        r#"{"files":["../precious"],"old":[]}"#,
        r#"{"files":["/precious"],"old":[]}"#,
        "{",
    ] {
        write_bytes(&hidden.join(".journal"), forged.as_bytes()).unwrap();
        let lock = FolderLock::take(&folder, Duration::ZERO, &mut |_| Ok(())).unwrap();
        assert!(lock.settle().is_err(), "{forged}");
        assert!(exists(&dir.path().join("precious")));
    }
}

#[test]
#[cfg(unix)]
fn what_waits_for_a_ledger_keeps_others_away_and_is_not_swept() {
    let dir = tempfile::tempdir().unwrap();
    let hidden = dir.path().join(".scrim-0-pending");
    files::create_dir(&hidden).unwrap();
    write_bytes(&hidden.join(OWNER), b"00ff").unwrap();
    let lock = FolderLock::take(dir.path(), Duration::ZERO, &mut |_| Ok(())).unwrap();
    assert!(lock.settle().unwrap().is_empty());
    assert!(exists(&hidden));
    let error = lock.must_be_free().unwrap_err();
    assert!(error.hint().unwrap().contains("ledger recover"), "{error}");
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    write_bytes(&file, b"").unwrap();
    let error = Staging::new(&file.join("release")).unwrap_err();
    assert!(error.to_string().contains("file/release"), "{error}");
    assert!(exists(&file));
}
