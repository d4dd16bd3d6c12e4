//! A temporary folder with the patients of [Sweeney02], Figure 7, and the command run in it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

macro_rules! fixture {
    ($file:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../fixtures/papers/sweeney02/",
            $file
        ))
    };
}

pub(crate) const FIGURE_7: &str = fixture!("figure7.csv");
pub(crate) const FIGURE_10: &str = fixture!("figure10_mgt.csv");

/// What every test starts from; tests replace parts of it.
pub(crate) const POLICY: &str = r#"[data]
path = "data.csv"

[columns]
Race = { role = "quasi", hierarchy = "race.csv" }
BirthDate = { role = "quasi", hierarchy = "birth.csv" }
Gender = { role = "quasi", hierarchy = "gender.csv" }
ZIP = { role = "quasi", hierarchy = "zip.csv" }
Problem = { role = "sensitive" }

[[privacy]]
model = "k-anonymity"
k = 2

[search]
algorithm = "optimal"

[release]
format = "csv"
"#;

/// A folder that is removed in the end.
pub(crate) struct Folder(TempDir);

impl Folder {
    /// Figure 7 with its hierarchies and the policy.
    pub(crate) fn figure_7() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        folder.write("data.csv", FIGURE_7);
        folder.write("race.csv", fixture!("race.csv"));
        folder.write("birth.csv", fixture!("birthdate.Y-D-C.csv"));
        folder.write("gender.csv", fixture!("gender.G2.csv"));
        folder.write("zip.csv", fixture!("zip.csv"));
        folder.write("policy.toml", POLICY);
        folder
    }

    /// A folder with nothing in it.
    pub(crate) fn empty() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        fs::write(self.path(name), bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> Vec<u8> {
        fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn text(&self, name: &str) -> String {
        String::from_utf8(self.read(name)).unwrap()
    }

    /// Replaces a part of a file that must be there.
    pub(crate) fn replace(&self, name: &str, from: &str, to: &str) {
        let text = self.text(name);
        assert!(text.contains(from), "{name} has no `{from}`");
        self.write(name, text.replace(from, to));
    }

    /// Names and bytes of all files below a folder of this one, hidden ones too; nothing when there is none.
    pub(crate) fn files(&self, name: &str) -> Option<Vec<(String, Vec<u8>)>> {
        let entries = fs::read_dir(self.path(name)).ok()?;
        let mut files: Vec<(String, Vec<u8>)> = entries
            .map(|entry| entry.unwrap().path())
            .map(|path| (path.display().to_string(), contents(&path)))
            .collect();
        files.sort();
        Some(files)
    }

    /// Runs `scrim` in this folder.
    pub(crate) fn scrim(&self, arguments: &[&str]) -> Run {
        self.scrim_with(arguments, b"")
    }

    /// The same with something on standard input.
    pub(crate) fn scrim_with(&self, arguments: &[&str], input: &[u8]) -> Run {
        let mut child = Command::new(env!("CARGO_BIN_EXE_scrim"))
            .args(arguments)
            .current_dir(self.0.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A command that reads no standard input may be gone already.
        let _ = child.stdin.take().unwrap().write_all(input);
        Run::new(arguments, child.wait_with_output().unwrap(), self.0.path())
    }
}

fn contents(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap_or_else(|_| b"<a folder>".to_vec())
}

/// How a run ended.
#[derive(Debug)]
pub(crate) struct Run {
    command: String,
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Run {
    fn new(arguments: &[&str], output: Output, folder: &Path) -> Self {
        let text = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).expect("scrim prints UTF-8");
            text.replace(&folder.display().to_string(), "[folder]")
        };
        Self {
            command: format!("scrim {}", arguments.join(" ")),
            code: output.status.code(),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    /// The run as a reader of a snapshot sees it.
    pub(crate) fn shown(&self) -> String {
        let mut text = format!("$ {}\n{}", self.command, self.stdout);
        if !self.stderr.is_empty() {
            text.push_str(&format!("--- stderr\n{}", self.stderr));
        }
        text + &format!("--- exit {}\n", self.code.unwrap_or(-1))
    }

    /// The answer as JSON.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}\n{}", self.shown()))
    }

    /// The run, if it ended as expected.
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "\n{}", self.shown());
        self
    }

    /// Whether it ended in an orderly way, whatever the answer.
    pub(crate) fn is_orderly(&self) -> bool {
        matches!(self.code, Some(0..=2)) && !self.stderr.contains("panicked")
    }
}
