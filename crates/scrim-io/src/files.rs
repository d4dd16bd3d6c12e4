//! Files, with errors that name them: the only place that touches `std::fs`.

#![expect(
    clippy::disallowed_methods,
    reason = "here the path is put to the error"
)]

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Duration;

use scrim::Place;

use crate::decode::{Decoder, damage};
use crate::digest::Hashing;
use crate::error::IoError;
use crate::utf8;

/// Opens a file for reading.
pub fn open(path: &Path) -> Result<File, IoError> {
    File::open(path).map_err(|source| IoError::file(path, source))
}

/// Makes a file for writing, in place of one that is there.
pub fn create(path: &Path) -> Result<File, IoError> {
    File::create(path).map_err(|source| IoError::file(path, source))
}

/// How long a pipe that is read whole may have no writer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Opens a pipe, which takes until somebody opens it for writing.
fn open_within(path: &Path, patience: Duration) -> Result<File, IoError> {
    let (sender, receiver) = sync_channel(1);
    let waited_for = path.to_owned();
    // Not joined: one that waits for a pipe ends with the process.
    thread::Builder::new()
        .spawn(move || drop(sender.send(open(&waited_for))))
        .map_err(|error| IoError::thread(&error))?;
    receiver.recv_timeout(patience).unwrap_or_else(|_| {
        let what = format!(
            "nobody writes to this pipe: waited {} s",
            patience.as_secs()
        );
        let hint = "start its writer first, or name a file";
        Err(IoError::data(place(path), what, Some(hint)))
    })
}

/// How large a text may be that is read whole, where `--memory` does not say.
const MOST_TEXT: u64 = 1 << 30;

/// The text of a file, decompressed if it is a `.gz` or `.zst`. Anything but UTF-8 is an error with its place.
pub fn read_text(path: &Path) -> Result<String, IoError> {
    read_text_within(path, None)
}

/// The same, where memory is limited to so many bytes: a text may take a quarter of them, so that a small file that
/// unpacks to a large one is an error and not the end of the process.
pub(crate) fn read_text_within(path: &Path, memory: Option<u64>) -> Result<String, IoError> {
    let most = memory.map_or(MOST_TEXT, |memory| memory / 4);
    let name = path.display().to_string();
    let file = if is_special(path) {
        open_within(path, PATIENCE)?
    } else {
        open(path)?
    };
    let mut decoder = Decoder::new(file, path).map_err(|source| IoError::file(path, source))?;
    let mut bytes = Vec::new();
    (&mut decoder)
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)
        .map_err(|source| damage(path, decoder.format(), source))?;
    if bytes.len() as u64 > most {
        let limit = match memory {
            Some(_) => format!("a quarter of --memory ({most} bytes)"),
            None => format!("{most} bytes, the limit without --memory"),
        };
        return Err(IoError::Memory {
            what: format!("{name}: the text of this file, unpacked, is larger than {limit}"),
            hint: Some("check that it is the right file; or allow more with --memory".to_owned()),
        });
    }
    String::from_utf8(bytes).map_err(|error| utf8::fault(&name, error.as_bytes(), 0, 0))
}

/// The bytes of a file as they are on disk.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>, IoError> {
    fs::read(path).map_err(|source| IoError::file(path, source))
}

/// Writes a file of these bytes.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), IoError> {
    fs::write(path, bytes).map_err(|source| IoError::file(path, source))
}

/// The SHA-256 of a file's bytes as they are on disk, in hexadecimal.
pub fn sha256_file(path: &Path) -> Result<String, IoError> {
    let mut reader = Hashing::new(open(path)?);
    io::copy(
        &mut io::BufReader::with_capacity(1 << 16, &mut reader),
        &mut io::sink(),
    )
    .map_err(|source| IoError::file(path, source))?;
    Ok(reader.hex())
}

/// Creates a folder and those above it; one that is there already is fine.
pub fn create_dir(path: &Path) -> Result<(), IoError> {
    fs::create_dir_all(path).map_err(|source| IoError::file(path, source))
}

/// Creates one folder that must not be there yet, and that only its owner may enter.
pub(crate) fn create_private_dir(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

/// The folders in a folder, hidden ones too, in no order; none where it cannot be read.
pub(crate) fn folders(path: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    // A link to a folder is not one: what it leads to is not ours.
    let folders = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()));
    folders.map(|entry| entry.path()).collect()
}

/// Locks a folder for as long as the answer lives; nothing where somebody else has it, an error where folders cannot be
/// locked.
pub(crate) fn lock_folder(path: &Path) -> io::Result<Option<File>> {
    let folder = File::open(path)?;
    match folder.try_lock() {
        Ok(()) => Ok(Some(folder)),
        Err(fs::TryLockError::WouldBlock) => Ok(None),
        Err(fs::TryLockError::Error(error)) => Err(error),
    }
}

/// What to lock for a folder, and whether it is locked already: the folder itself, or a file of this name in it where
/// folders cannot be locked.
pub(crate) fn open_folder_lock(path: &Path, name: &str) -> Result<(File, bool), IoError> {
    let folder = match File::open(path) {
        Ok(folder) => folder,
        Err(source) if source.kind() == io::ErrorKind::NotFound => {
            return Err(IoError::file(path, source));
        }
        Err(_) => return Ok((open_for_lock(&path.join(name))?, false)),
    };
    match folder.try_lock() {
        Ok(()) => Ok((folder, true)),
        Err(fs::TryLockError::WouldBlock) => Ok((folder, false)),
        Err(fs::TryLockError::Error(_)) => Ok((open_for_lock(&path.join(name))?, false)),
    }
}

/// Gives files the rights that a new file has in the folder of `probe`, a name that is free.
pub(crate) fn open_as_usual(probe: &Path, paths: &[PathBuf]) -> Result<(), IoError> {
    let usual = File::create(probe).and_then(|file| Ok(file.metadata()?.permissions()));
    let usual = usual.map_err(|source| IoError::file(probe, source))?;
    remove(probe)?;
    for path in paths {
        fs::set_permissions(path, usual.clone()).map_err(|source| IoError::file(path, source))?;
    }
    Ok(())
}

/// Opens a file for a lock, making an empty one if need be.
pub(crate) fn open_for_lock(path: &Path) -> Result<File, IoError> {
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path);
    file.map_err(|source| IoError::file(path, source))
}

/// Makes a new file of these bytes that only its owner may read, and waits until it is on the disk.
pub(crate) fn write_private(path: &Path, bytes: &[u8]) -> Result<(), IoError> {
    let mut options = File::options();
    options.create_new(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let written = options.open(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.sync_all()
    });
    written.map_err(|source| IoError::file(path, source))
}

/// Whether others than the owner have any right to a file.
pub(crate) fn open_to_others(path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::metadata(path).is_ok_and(|data| data.permissions().mode() & 0o077 != 0)
    }
    #[cfg(not(unix))]
    {
        let _ = path;
        false
    }
}

/// Whether there is a folder of that name.
pub(crate) fn is_dir(path: &Path) -> bool {
    path.is_dir()
}

/// Whether there is a plain file of that name, no pipe or device.
pub(crate) fn is_file(path: &Path) -> bool {
    path.is_file()
}

/// Whether there is something of that name that is neither a file nor a folder, such as a pipe: it may never answer.
pub(crate) fn is_special(path: &Path) -> bool {
    path.exists() && !path.is_file() && !path.is_dir()
}

/// Refuses to write to, or to replace, what is no plain file.
pub(crate) fn must_be_writable_as_file(path: &Path) -> Result<(), IoError> {
    if !is_special(path) {
        return Ok(());
    }
    let what = "this is a pipe or a device, not a file that can be written or replaced";
    let hint = "remove it, or name another place";
    Err(IoError::data(place(path), what, Some(hint)))
}

/// Whether there is a file or folder of that name.
#[must_use]
pub fn exists(path: &Path) -> bool {
    path.exists()
}

/// Whether there is anything of that name, be it a link that leads nowhere.
pub(crate) fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Removes a folder that is empty; any other stays.
pub fn remove_empty_dir(path: &Path) {
    let _ = fs::remove_dir(path);
}

/// The one absolute path of a file that is there.
#[must_use]
pub fn canonical(path: &Path) -> Option<PathBuf> {
    fs::canonicalize(path).ok()
}

/// The files of a folder in the order of their names; none where it cannot be read.
pub(crate) fn files_in(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()))
        .map(|entry| entry.path())
        .collect();
    files.sort();
    files
}

/// How many bytes a file has; none where it cannot be seen.
pub(crate) fn length(path: &Path) -> Option<u64> {
    fs::metadata(path).ok().map(|data| data.len())
}

/// What changes when a file does: its size, its times, and which file it is; nothing where it cannot be seen.
pub(crate) fn state(path: &Path) -> Option<String> {
    let data = fs::metadata(path).ok()?;
    let modified = data.modified().ok()?;
    let modified = modified.duration_since(std::time::UNIX_EPOCH).ok()?;
    let state = format!("{} {}", data.len(), modified.as_nanos());
    #[cfg(unix)]
    let state = {
        use std::os::unix::fs::MetadataExt as _;
        let changed = (data.ctime(), data.ctime_nsec());
        format!("{state} {changed:?} {} {}", data.dev(), data.ino())
    };
    Some(state)
}

/// Whether two paths are one file: by path once links are followed, or by number in the file system. A file that is not
/// there yet is known by its folder and name.
pub(crate) fn are_one(one: &Path, other: &Path) -> bool {
    let place = |path: &Path| {
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new("."));
        canonical(path).or_else(|| Some(canonical(folder)?.join(path.file_name()?)))
    };
    if place(one).is_some() && place(one) == place(other) {
        return true;
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let number = |path: &Path| fs::metadata(path).ok().map(|data| (data.dev(), data.ino()));
        number(one).is_some() && number(one) == number(other)
    }
    #[cfg(not(unix))]
    false
}

/// The file that a link leads to in the end; another path is itself. A link that leads nowhere is an error.
pub(crate) fn followed(path: &Path) -> Result<PathBuf, IoError> {
    if fs::symlink_metadata(path).is_ok_and(|data| data.is_symlink()) {
        return fs::canonicalize(path).map_err(|source| IoError::file(path, source));
    }
    Ok(path.to_owned())
}

/// Whether a folder is empty or not there at all.
pub fn is_empty_or_absent(path: &Path) -> Result<bool, IoError> {
    match fs::read_dir(path) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(source) if source.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(source) => Err(IoError::file(path, source)),
    }
}

/// Removes a file; one that is not there is fine.
pub fn remove(path: &Path) -> Result<(), IoError> {
    match fs::remove_file(path) {
        Err(source) if source.kind() != io::ErrorKind::NotFound => Err(IoError::file(path, source)),
        _ => Ok(()),
    }
}

/// Removes a folder with all that is in it, if it can be done.
pub(crate) fn discard(path: &Path) {
    drop(fs::remove_dir_all(path));
}

/// Removes a folder if it is empty.
pub(crate) fn discard_empty(path: &Path) {
    drop(fs::remove_dir(path));
}

pub(crate) fn rename(from: &Path, to: &Path) -> Result<(), IoError> {
    fs::rename(from, to).map_err(|source| IoError::file(to, source))
}

/// Waits until a file, or the entries of a folder, are on the disk.
pub(crate) fn sync(path: &Path) -> Result<(), IoError> {
    open(path)?
        .sync_all()
        .map_err(|source| IoError::file(path, source))
}

/// The place that is a whole file.
pub(crate) fn place(path: &Path) -> Place {
    Place::file(path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_that_is_not_utf_8_is_told_by_line_column_and_byte() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.csv");
        write_bytes(&path, b"one\nt\xc3\xbc\xfc").unwrap();
        let error = read_text(&path).unwrap_err();
        assert!(
            error
                .to_string()
                .ends_with("a.csv:2:3: this is not UTF-8 text (byte 8 of the file)"),
            "{error}"
        );
        assert!(error.hint().is_some());
    }

    #[test]
    fn compressed_texts_read_like_plain_ones() {
        let dir = tempfile::tempdir().unwrap();
        let zst = dir.path().join("a.csv.zst");
        write_bytes(&zst, &zstd::encode_all(&b"a;b\n"[..], 1).unwrap()).unwrap();
        assert_eq!(read_text(&zst).unwrap(), "a;b\n");
    }

    #[test]
    fn a_small_file_that_unpacks_to_a_large_one_is_refused_by_the_name_of_the_limit() {
        let dir = tempfile::tempdir().unwrap();
        let zst = dir.path().join("a.csv.zst");
        let text = vec![b'a'; 1 << 20];
        write_bytes(&zst, &zstd::encode_all(&text[..], 1).unwrap()).unwrap();
        assert!(length(&zst).unwrap() < 1000);
        let error = read_text_within(&zst, Some(2 << 20)).unwrap_err();
        assert!(error.to_string().contains("--memory"), "{error}");
        let whole = read_text_within(&zst, Some(4 << 20)).unwrap();
        assert_eq!(whole.len(), text.len());
    }

    #[test]
    fn a_file_that_is_not_there_is_named() {
        let error = read_text(Path::new("no/such.toml")).unwrap_err();
        assert!(error.to_string().starts_with("no/such.toml: "));
        assert!(sha256_file(Path::new("no/such.toml")).is_err());
    }

    #[test]
    #[cfg(unix)]
    fn a_pipe_without_a_writer_is_given_up() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        if !made.is_ok_and(|made| made.success()) {
            return;
        }
        let error = open_within(&path, Duration::from_millis(50)).unwrap_err();
        assert!(
            error.to_string().contains("nobody writes to this pipe"),
            "{error}"
        );
        assert!(must_be_writable_as_file(&path).is_err());
        // One with a writer is read to its end; at the first one a thread still waits.
        let path = dir.path().join("other");
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        let writer = thread::spawn({
            let path = path.clone();
            move || write_bytes(&path, b"text")
        });
        assert_eq!(read_text(&path).unwrap(), "text");
        writer.join().unwrap().unwrap();
    }

    #[test]
    fn the_digest_of_a_file_is_that_of_its_bytes() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        let bytes = vec![7; 100_000];
        write_bytes(&path, &bytes).unwrap();
        assert_eq!(sha256_file(&path).unwrap(), crate::sha256(&bytes));
        assert_eq!(read_bytes(&path).unwrap(), bytes);
    }
}
