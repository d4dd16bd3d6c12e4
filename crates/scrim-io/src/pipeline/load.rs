//! Policies and tables, found relative to the policy and brought together.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use scrim::hierarchy::{Hierarchy, is_star};
use scrim::release::formula::{guarded, unguarded};
use scrim::release::manifest::{Hashed, HierarchySource};
use scrim::release::policy::{
    ColumnPolicy, DistanceSpec, HierarchyPolicy, ModelSpec, Policy, RowOrder,
};
use scrim::release::{HierarchyText, History, Load, Prepared, Rows, read_file, roles_of};
use scrim::table::{Column, Role, Table};
use scrim::{Error, Place};

use super::Door;
use crate::{IoError, Keep, Memory, ReadOptions, ReadTable, Source, files, read_table, sha256};

/// A policy with its text and the folder that its paths start from.
#[derive(Clone, Debug)]
pub struct LoadedPolicy {
    /// The policy.
    pub policy: Policy,
    /// The file's text.
    pub text: String,
    /// Where it stands.
    pub path: PathBuf,
    /// How much memory a publication may take, where that is limited: hierarchies may take a part of it.
    pub memory: Option<u64>,
}

impl LoadedPolicy {
    /// Reads a policy file.
    pub fn read(path: &Path) -> Result<Self, IoError> {
        let text = files::read_text(path)?;
        let policy = Policy::parse(&path.display().to_string(), &text)?;
        Ok(Self {
            policy,
            text,
            path: path.to_owned(),
            memory: None,
        })
    }

    /// A path that the policy names.
    pub fn resolve(&self, path: &str) -> PathBuf {
        self.path.parent().unwrap_or(Path::new("")).join(path)
    }

    /// The policy's file and hash.
    pub fn hashed(&self) -> Hashed {
        let name = self
            .path
            .file_name()
            .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
        Hashed {
            file: name,
            sha256: sha256(self.text.as_bytes()),
        }
    }

    /// The table that the policy names.
    pub fn source(&self) -> Source {
        if self.policy.data.path == "-" {
            Source::Stdin
        } else {
            Source::File(self.resolve(&self.policy.data.path))
        }
    }

    fn options(&self) -> ReadOptions {
        ReadOptions {
            delimiter: self.policy.data.delimiter,
            nulls: self.policy.data.null.clone(),
            counted: false,
            memory: None,
            sections: false,
            order: false,
        }
    }

    /// The same for a release, in which what stands for a missing value may be guarded too.
    fn options_of_release(&self) -> ReadOptions {
        let mut options = self.options();
        if self.policy.release.spreadsheet_safe {
            let guarded: Vec<String> = options
                .nulls
                .iter()
                .filter_map(|null| guarded(null))
                .collect();
            options.nulls.extend(guarded);
        }
        options
    }

    /// Reads the original table for a release, each different row once where counts do, and within the memory that is allowed: in
    /// sections where it does not hold all of them.
    pub(super) fn read_for_release(
        &self,
        counted: bool,
        memory: Option<&Memory>,
        door: &mut dyn Door,
    ) -> Result<LoadedTable, IoError> {
        let options = ReadOptions {
            counted,
            memory: memory.cloned(),
            sections: counted,
            order: self.policy.release.order == RowOrder::Input,
            ..self.options()
        };
        self.read_original_as(&self.source(), &options, door)
    }

    /// Reads the original table from a source, keeping what the policy has a use for.
    pub fn read_original(
        &self,
        source: &Source,
        door: &mut dyn Door,
    ) -> Result<LoadedTable, IoError> {
        self.read_original_as(source, &self.options(), door)
    }

    /// Reads the original table from a source, with its rows in the order of the file.
    pub(super) fn read_in_file_order(
        &self,
        source: &Source,
        door: &mut dyn Door,
    ) -> Result<LoadedTable, IoError> {
        let (read, name) = self.read_kept(source, &self.options(), door)?;
        let former = Vec::new();
        Ok(LoadedTable { read, name, former })
    }

    fn read_original_as(
        &self,
        source: &Source,
        options: &ReadOptions,
        door: &mut dyn Door,
    ) -> Result<LoadedTable, IoError> {
        let (read, name) = self.read_kept(source, options, door)?;
        Ok(LoadedTable::canonical(read, name))
    }

    /// Reads the columns that the policy has a use for.
    fn read_kept(
        &self,
        source: &Source,
        options: &ReadOptions,
        door: &mut dyn Door,
    ) -> Result<(ReadTable, String), IoError> {
        let name = source.path().display().to_string();
        let mut plan = |header: &[String]| {
            let roles = roles_of(&self.policy, header, &name)?;
            Ok(roles.into_iter().map(keep).collect())
        };
        let read = read_table(source, options, &mut plan, &mut |done, total| {
            door.bytes(done, total)
        })?;
        Ok((read, name))
    }

    /// Reads a published table: every column of it, so that nothing that should not be there is overlooked.
    pub fn read_published(&self, path: &Path, door: &mut dyn Door) -> Result<LoadedTable, IoError> {
        self.read_published_as(path, &self.options_of_release(), door)
    }

    /// Reads a release that was just written, as its source was read.
    pub(super) fn read_back(
        &self,
        path: &Path,
        counted: bool,
        memory: Option<&Memory>,
        sections: bool,
        door: &mut dyn Door,
    ) -> Result<LoadedTable, IoError> {
        let options = ReadOptions {
            delimiter: Some(b','),
            counted,
            memory: memory.cloned(),
            sections,
            ..self.options_of_release()
        };
        self.read_published_as(path, &options, door)
    }

    fn read_published_as(
        &self,
        path: &Path,
        options: &ReadOptions,
        door: &mut dyn Door,
    ) -> Result<LoadedTable, IoError> {
        let safe = self.policy.release.spreadsheet_safe;
        let mut plan = |header: &[String]| {
            let role = |name: &String| {
                let bare = unguarded(name).filter(|_| safe).unwrap_or(name);
                self.policy.released_role(bare)
            };
            // A column that must not be published is noticed by its name; its texts are not wanted in memory.
            Ok(header.iter().map(|name| keep(role(name))).collect())
        };
        let source = Source::new(path);
        let mut read = read_table(&source, options, &mut plan, &mut |done, total| {
            door.bytes(done, total)
        })?;
        // Parquet says itself what is text.
        if safe && read.delimiter.is_some() {
            read.relabel(&|text| unguarded(text).map(str::to_owned));
        }
        Ok(LoadedTable {
            read,
            name: source.path().display().to_string(),
            former: Vec::new(),
        })
    }

    /// Reads a table of any origin: the quasi-identifiers, all of which it must have or at least one, and persons where it has
    /// them.
    pub fn read_external(
        &self,
        path: &Path,
        must_have: Needed,
        door: &mut dyn Door,
    ) -> Result<LoadedTable, IoError> {
        let source = Source::new(path);
        let name = source.path().display().to_string();
        let mut plan = |header: &[String]| {
            let quasi = self.policy.with_role(Role::Quasi);
            let absent: Vec<String> = quasi
                .clone()
                .filter(|column| !header.contains(&column.name))
                .map(|column| format!("`{}`", column.name))
                .collect();
            let is_missed = match must_have {
                Needed::All => !absent.is_empty(),
                Needed::Any => absent.len() == quasi.count(),
            };
            if is_missed {
                let what = format!("it lacks the quasi-identifiers {}", absent.join(", "));
                return Err(Error::data(Place::file(&name), what));
            }
            let role = |column: &String| self.policy.column(column).map(|column| column.role);
            let kept = |role: &Role| matches!(role, Role::Quasi | Role::Person);
            Ok(header
                .iter()
                .map(|column| keep(role(column).filter(kept)))
                .collect())
        };
        let read = read_table(&source, &self.options(), &mut plan, &mut |done, total| {
            door.bytes(done, total)
        })?;
        Ok(LoadedTable {
            read,
            name,
            former: Vec::new(),
        })
    }

    /// The hierarchies of a prepared table, with the hashes of their files.
    pub fn hierarchy_sources(&self, prepared: &Prepared) -> Result<Vec<HierarchySource>, IoError> {
        let quasi = prepared
            .ladders
            .iter()
            .map(|ladder| (ladder.name(), ladder.hierarchy()));
        let sensitive = prepared
            .sensitive
            .iter()
            .map(|(name, tree)| (name.as_str(), tree));
        let mut sources = Vec::new();
        for (name, tree) in quasi.chain(sensitive) {
            let file = match self
                .policy
                .column(name)
                .and_then(|column| column.hierarchy.clone())
            {
                Some(HierarchyPolicy::File { path, .. }) => Some(Hashed {
                    sha256: files::sha256_file(&self.resolve(&path))?,
                    file: path,
                }),
                _ => None,
            };
            sources.push(HierarchySource {
                column: name.to_owned(),
                file,
                height: tree.height(),
                values: tree.domain_size(),
                even: tree.is_even(),
            });
        }
        Ok(sources)
    }

    /// The hierarchies of sensitive columns that a promise measures distances or names taxa in, over a published table.
    pub fn sensitive_trees(
        &self,
        published: &LoadedTable,
    ) -> Result<Vec<(String, Arc<Hierarchy>)>, IoError> {
        let measures = |column: &&ColumnPolicy| {
            self.policy.privacy.iter().any(|model| {
                let by_tree = matches!(
                    &model.spec,
                    ModelSpec::TCloseness {
                        distance: DistanceSpec::Hierarchical,
                        ..
                    }
                ) || matches!(model.spec, ModelSpec::Serial { .. })
                    && column.hierarchy.is_some();
                by_tree && model.spec.of() == Some(&column.name)
            })
        };
        let there = |column: &&ColumnPolicy| published.read.table.column(&column.name).is_some();
        let columns = self.policy.with_role(Role::Sensitive).filter(measures);
        // A column that is not there is the certifier's to complain of.
        columns
            .filter(there)
            .map(|column| {
                Ok((
                    column.name.clone(),
                    self.tree_over(column, &published.read.table)?,
                ))
            })
            .collect()
    }

    /// The hierarchy of a column over the values of a table, whether they all have a leaf or not.
    pub fn tree_over(
        &self,
        column: &ColumnPolicy,
        table: &Table,
    ) -> Result<Arc<Hierarchy>, IoError> {
        let missing_column = || Error::Internal(format!("column `{}` was not read", column.name));
        let values = table.column(&column.name).ok_or_else(missing_column)?;
        let tree = self.lenient_tree(column, values)?;
        let dictionary = values.dictionary();
        Ok(Arc::new(match dictionary.missing() {
            Some(code) => tree.with_missing(dictionary.text(code)),
            None => tree,
        }))
    }

    fn lenient_tree(&self, column: &ColumnPolicy, values: &Column) -> Result<Hierarchy, IoError> {
        let suppressible = column.role == Role::Quasi;
        let spec = match column.hierarchy() {
            HierarchyPolicy::File { path, kind } => {
                let file = self.load_hierarchy(&path)?;
                return Ok(read_file(&column.name, &file, kind, suppressible)?);
            }
            HierarchyPolicy::Generated(spec) => spec,
        };
        let dictionary = values.dictionary();
        let texts = (0..)
            .zip(dictionary.texts())
            .filter(|(code, text)| Some(*code) != dictionary.missing() && !is_star(text))
            .map(|(_, text)| text);
        let tree = spec
            .over(texts, suppressible)
            .ok_or_else(|| Error::Hierarchy {
                attribute: column.name.clone(),
                place: column.place.clone(),
                what: "no hierarchy can be made of the table's values".to_owned(),
                hint: Some(format!("it expects {}", spec.expects())),
            })?;
        Ok(tree)
    }

    /// Loads a hierarchy file that the policy names.
    pub fn load_hierarchy(&self, path: &str) -> Result<HierarchyText, IoError> {
        let text = files::read_text_within(&self.resolve(path), self.memory)?;
        Ok(HierarchyText {
            name: path.to_owned(),
            text,
        })
    }
}

fn keep(role: Option<Role>) -> Keep {
    match role {
        None | Some(Role::Identifier) => Keep::Drop,
        Some(Role::Insensitive) => Keep::AsIs,
        Some(_) => Keep::Value,
    }
}

/// Which quasi-identifiers a table of other origin must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needed {
    /// Every one.
    All,
    /// At least one.
    Any,
}

/// A table as it was read.
#[derive(Debug)]
pub struct LoadedTable {
    /// What was read.
    pub read: ReadTable,
    /// The file, for messages.
    pub name: String,
    /// The former number of each row, where rows were put into another order and the order of the file was asked for.
    pub(super) former: Vec<u32>,
}

impl LoadedTable {
    /// A table in canonical form, so that nothing that is made of it depends on the order of its file ([`Table::canonical`]).
    fn canonical(mut read: ReadTable, name: String) -> Self {
        let (table, mut former) = read.table.canonical();
        read.table = table;
        if let Some(sections) = read.sections.as_mut().and_then(Arc::get_mut) {
            sections.renumber();
        }
        if read.order.is_none() {
            former = Vec::new();
        }
        Self { read, name, former }
    }

    /// The person of each row, where the policy has a column for it and the table too.
    pub(super) fn persons(&self, policy: &Policy) -> Option<Vec<u32>> {
        let column = self.read.table.column(&policy.person()?.name)?;
        let mut persons = vec![0; self.read.table.rows()];
        column.codes().for_each(|row, person| persons[row] = person);
        Some(persons)
    }

    /// The line of the file on which a row stands, the first time if it is counted.
    pub fn line(&self, row: usize) -> u64 {
        self.read.lines.line(self.read.table.first(row) as usize)
    }

    /// Brings the table together with the policy.
    pub fn prepare(&self, policy: &LoadedPolicy) -> Result<Prepared, IoError> {
        self.prepare_with(policy, &History::default())
    }

    /// Brings a table of persons with a past together with the policy.
    pub fn prepare_with(
        &self,
        policy: &LoadedPolicy,
        history: &History,
    ) -> Result<Prepared, IoError> {
        self.with_hierarchies(policy, |load, rows| {
            Prepared::with_history(&policy.policy, &self.read.table, load, rows, history)
        })
    }

    /// Runs what reads hierarchy files and names lines of this table.
    pub(super) fn with_hierarchies<T>(
        &self,
        policy: &LoadedPolicy,
        run: impl FnOnce(&mut Load<'_>, &Rows<'_>) -> Result<T, Error>,
    ) -> Result<T, IoError> {
        // A file that cannot be read keeps its own error; the library's only passes on.
        let mut failure = None;
        let mut load = |path: &str| {
            policy.load_hierarchy(path).map_err(|error| {
                let passed = Error::Internal(error.to_string());
                failure = Some(error);
                passed
            })
        };
        let line = |row: usize| self.line(row);
        let rows = Rows {
            file: &self.name,
            line: &line,
        };
        let result = run(&mut load, &rows);
        match failure {
            Some(error) => Err(error),
            None => Ok(result?),
        }
    }
}
