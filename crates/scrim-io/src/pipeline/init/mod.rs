//! Init: looks at a table and writes its first policy, after a search has shown that it can be published.

mod answer;
mod beside;
mod cost;
mod place;
mod trial;

use std::path::{Path, PathBuf};

use scrim::profile::{Draft, Profile};
use scrim::table::{Role, Table};
use scrim::{Error, Place};

pub use answer::{ColumnAnswer, InitAnswer};
pub use cost::Cost;

use super::{Door, Stage};
use crate::{IoError, Keep, ReadOptions, Source, files, read_table};
use beside::Beside;
use place::{free_folder, relative};
use trial::Trial;

/// What is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InitRequest {
    /// Where the policy goes.
    pub dir: PathBuf,
    /// How many should look alike; chosen by the size of the table where nobody says.
    pub k: Option<u64>,
    /// Whether files that are there already are replaced.
    pub force: bool,
}

/// A table that was looked at.
#[derive(Debug)]
pub struct Survey {
    data: PathBuf,
    name: String,
    table: Table,
    delimiter: Option<u8>,
    profile: Profile,
}

impl Survey {
    /// Reads a table and looks at its columns.
    pub fn read(data: &Path, door: &mut dyn Door) -> Result<Self, IoError> {
        let source = Source::new(data);
        let name = data.display().to_string();
        if source == Source::Stdin {
            let what = "standard input can be read only once, but a policy is for a file";
            let hint = "write the table to a file first";
            return Err(IoError::data(Place::file("-"), what, Some(hint)));
        }
        if files::is_special(data) {
            let what = "this is a pipe or a device, which can be read only once, but a policy is for a file";
            let hint = "write the table to a file first";
            return Err(IoError::data(files::place(data), what, Some(hint)));
        }
        door.stage(Stage::Read);
        let mut plan = |header: &[String]| Ok(vec![Keep::Value; header.len()]);
        let mut progress = |done, total| door.bytes(done, total);
        let read = read_table(&source, &ReadOptions::default(), &mut plan, &mut progress)?;
        let profile = Profile::of(&read.table);
        if read.delimiter.is_some() && profile.has_no_header() {
            let what = "the first line looks like a row, not like the names of the columns";
            let hint = "put a line above it that gives each column a name";
            return Err(IoError::data(Place::line(&name, 1), what, Some(hint)));
        }
        Ok(Self {
            data: data.to_owned(),
            name,
            table: read.table,
            delimiter: read.delimiter,
            profile,
        })
    }

    /// What was seen.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.profile
    }

    /// Refuses to go on where columns were only guessed: each is named with the question that somebody must answer.
    pub fn must_be_sure(&self) -> Result<(), IoError> {
        let guessed: Vec<String> = self
            .profile
            .guessed()
            .map(|column| {
                let role = column.guess.role.name();
                format!(
                    "`{}` ({role}?): {}",
                    printable(&column.name),
                    column.guess.reason
                )
            })
            .collect();
        if guessed.is_empty() {
            return Ok(());
        }
        let (columns, are) = if guessed.len() == 1 {
            ("1 column was", "it")
        } else {
            ("some columns were", "each")
        };
        let what = format!(
            "{columns} only guessed, and a wrong role protects nobody; who may know {are}, and what must nobody learn?\n  {}",
            guessed.join("\n  ")
        );
        let hint = "give roles with `--role COLUMN=ROLE` (identifier, quasi, sensitive, person, insensitive), run it without `--yes` to be asked, or take every guess with `--accept-guesses`";
        Err(IoError::data(Place::file(&self.name), what, Some(hint)))
    }

    /// Gives a column the role that somebody decided on.
    pub fn decide(&mut self, column: &str, role: Role) -> Result<(), IoError> {
        let decided = self.profile.decide(column, role);
        decided.map_err(|what| {
            let names = self.profile.columns.iter();
            let names: Vec<String> = names.map(|column| format!("`{}`", column.name)).collect();
            let hint = format!("its columns are {}", names.join(", "));
            IoError::data(Place::file(&self.name), what, Some(&hint))
        })
    }

    /// Finds a policy that can be published, and writes it with its hierarchies.
    pub fn write(&self, request: &InitRequest, door: &mut dyn Door) -> Result<InitAnswer, IoError> {
        let beside = Beside {
            data: &self.data,
            dir: &request.dir,
            force: request.force,
        };
        let found = beside.find(&self.profile, &self.table);
        let mut draft = Draft::new(&self.profile, &self.table, request.k, &self.name, &found)?;
        // Files of this folder are named without it.
        let here = request.dir == Path::new(".");
        let dir = if here {
            Path::new("")
        } else {
            request.dir.as_path()
        };
        let policy = dir.join("policy.toml");
        let written = |draft: &Draft| -> Vec<(PathBuf, String)> {
            let files = draft.files.iter().filter(|file| !file.is_found);
            let files = files.map(|file| (dir.join(&file.path), file.text.clone()));
            files.collect()
        };
        let hierarchies = written(&draft);
        if !request.force {
            let paths = hierarchies.iter().map(|(path, _)| path);
            refuse_existing(std::iter::once(&policy).chain(paths))?;
        }
        for path in hierarchies.iter().map(|(path, _)| path).chain([&policy]) {
            files::must_be_writable_as_file(path)?;
        }
        let path = relative(&self.data, &request.dir)?;
        let release = free_folder(&self.data, &request.dir);
        let trial = Trial {
            data: &self.data,
            policy: &policy,
        };
        let (text, found) = loop {
            let text = draft.text(&path, self.delimiter, release);
            let found = trial.run(&text, &draft.files, door)?;
            if found.says_something || !draft.weaken() {
                break (text, found);
            }
        };
        let costs: Vec<Cost> = std::iter::once(found.cost.clone())
            .chain(found.beside(door)?)
            .collect();
        let made: Vec<(&Path, &str)> = hierarchies
            .iter()
            .map(|(path, text)| (path.as_path(), text.as_str()))
            .chain([(policy.as_path(), text.as_str())])
            .collect();
        door.stage(Stage::Write);
        door.check()?;
        write_all(&made)?;
        let written = made.iter().map(|(path, _)| path.display().to_string());
        Ok(InitAnswer::new(
            self,
            &draft,
            written.collect(),
            &policy,
            (costs, found.remarks()),
        ))
    }
}

/// A name on one line.
fn printable(name: &str) -> String {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    name.chars().map(plain).collect()
}

/// Nobody's policy is lost by asking for a new one.
fn refuse_existing<'a>(mut paths: impl Iterator<Item = &'a PathBuf>) -> Result<(), IoError> {
    let Some(path) = paths.find(|path| files::exists(path)) else {
        return Ok(());
    };
    let what = "this file is there already";
    let hint = "name another folder with `-o`, or let it be replaced with `--force`";
    Err(IoError::data(files::place(path), what, Some(hint)))
}

/// Writes all files; the policy is the last, so that where it is, the others are too.
fn write_all(made: &[(&Path, &str)]) -> Result<(), IoError> {
    for (path, text) in made {
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        folder.map_or(Ok(()), files::create_dir)?;
        files::write_bytes(path, text.as_bytes())?;
    }
    Ok(())
}

/// A fault of a place on the disk that is not one of the system.
fn fault(what: &str, hint: &str) -> IoError {
    IoError::Scrim(Error::Data {
        place: Place::file("policy.toml"),
        what: what.to_owned(),
        hint: Some(hint.to_owned()),
    })
}
