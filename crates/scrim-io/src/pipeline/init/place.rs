//! Where the table stands, seen from the policy.

use std::path::{Component, Path, PathBuf};

use super::fault;
use crate::{IoError, files};

/// The path of a table that is there from a folder that need not be there yet, with slashes.
pub(super) fn relative(data: &Path, dir: &Path) -> Result<String, IoError> {
    let target = absolute(data);
    let base = absolute(dir);
    let (targets, bases): (Vec<Component<'_>>, Vec<Component<'_>>) =
        (target.components().collect(), base.components().collect());
    let pairs = targets.iter().zip(&bases);
    let shared = pairs.take_while(|(left, right)| left == right).count();
    let ups = std::iter::repeat_n("..", bases.len() - shared).map(PathBuf::from);
    let downs = targets[shared..]
        .iter()
        .map(|part| PathBuf::from(part.as_os_str()));
    // On two drives nothing is shared, and there is no relative path.
    let path = if shared == 0 {
        target.clone()
    } else {
        ups.chain(downs).collect()
    };
    let text = path.to_str().ok_or_else(|| {
        fault(
            "the path of the table is no UTF-8 text, so no policy can name it",
            "move the table to a folder with a plain name",
        )
    })?;
    Ok(if cfg!(windows) {
        text.replace('\\', "/")
    } else {
        text.to_owned()
    })
}

/// A folder for releases that does not hold the table itself.
pub(super) fn free_folder(data: &Path, dir: &Path) -> &'static str {
    let parent = absolute(data);
    let inside = parent.parent() == Some(absolute(dir).join("release").as_path());
    if inside { "published" } else { "release" }
}

/// The absolute path of a file or folder, also where its last parts are not there yet.
pub(super) fn absolute(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let mut missing = Vec::new();
    let mut there = path.as_path();
    loop {
        if let Some(found) = files::canonical(there) {
            return missing
                .iter()
                .rev()
                .fold(found, |path, part| path.join(part));
        }
        let (Some(parent), Some(name)) = (there.parent(), there.file_name()) else {
            return path;
        };
        missing.push(name.to_owned());
        there = parent;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_found_from_beside_above_and_below() {
        let dir = tempfile::tempdir().unwrap();
        let data = dir.path().join("a").join("t.csv");
        files::create_dir(&dir.path().join("a")).unwrap();
        files::write_bytes(&data, b"x\n1\n").unwrap();
        let from = |folder: &str| relative(&data, &dir.path().join(folder)).unwrap();
        assert_eq!(from("a"), "t.csv");
        assert_eq!(from(""), "a/t.csv");
        assert_eq!(from("a/b/c"), "../../t.csv");
        assert_eq!(from("z"), "../a/t.csv");
    }

    #[test]
    fn a_release_does_not_fall_on_its_table() {
        let dir = tempfile::tempdir().unwrap();
        files::create_dir(&dir.path().join("release")).unwrap();
        let inside = dir.path().join("release").join("release.csv");
        files::write_bytes(&inside, b"x\n1\n").unwrap();
        assert_eq!(free_folder(&inside, dir.path()), "published");
        assert_eq!(
            free_folder(&dir.path().join("t.csv"), dir.path()),
            "release"
        );
    }
}
