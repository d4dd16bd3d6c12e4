//! The policy file: what the columns are, what is promised, how to search, where to write.
//!
//! TOML, one file a publication, paths relative to it. Numbers that a promise hangs on are exact: `2`, `0.25` (read
//! as 25/100) or `"7/3"`. Nobody publishes a column by accident: what is not named is an error, or dropped.

mod categories;
mod columns;
mod datafly;
mod disclosure;
mod mu_argus;
mod personal;
mod privacy;
mod quasi;
mod search;
mod section;
mod serial;
mod spec;
mod weights;

pub use categories::CategoryColumn;
pub use columns::{ColumnPolicy, FileKind, HierarchyPolicy};
pub use disclosure::{ChainPolicy, DisclosurePolicy};
pub use mu_argus::MuArgusPolicy;
pub use privacy::ModelPolicy;
pub use search::{AlgorithmId, SearchPolicy, SuppressedRows};
pub use serial::LedgerPolicy;
#[cfg(test)]
pub(in crate::release) use spec::MODEL_NAMES;
pub use spec::{
    Case, DefaultGuard, DistanceSpec, DiversityKind, ModelSpec, Protected, Retire, Unit,
};
pub use weights::SensitiveWeight;

use toml::de::DeTable;

use crate::algorithm::{Generalize, unasked};
use crate::error::{Error, Place};
use crate::table::Role;
pub(in crate::release) use section::nearest;
use section::{File, Section};

/// What happens to columns that the policy does not name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Others {
    /// They are an error.
    #[default]
    Error,
    /// They are dropped.
    Drop,
}

/// The `[data]` section.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DataPolicy {
    /// The table, relative to the policy; `-` is standard input.
    pub path: String,
    /// Columns not named.
    pub others: Others,
    /// What counts as missing.
    pub null: Vec<String>,
    /// The delimiter, where it is not to be sniffed.
    pub delimiter: Option<u8>,
}

/// The format of the release.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated text.
    #[default]
    Csv,
    /// Parquet.
    Parquet,
}

/// The order of the rows of a release.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowOrder {
    /// By the published columns from left to right, each by text: the order tells nothing about the order of the input.
    #[default]
    Sorted,
    /// As in the input: whoever knows that order knows which row is whose.
    Input,
}

/// The `[release]` section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleasePolicy {
    /// The folder, relative to the policy.
    pub dir: String,
    /// The format.
    pub format: Format,
    /// The order of its rows.
    pub order: RowOrder,
    /// Whether texts that a spreadsheet would run get an apostrophe before them, in CSV.
    pub spreadsheet_safe: bool,
}

/// A whole policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Policy {
    /// The file's name, for messages.
    pub file: String,
    /// Where the data are.
    pub data: DataPolicy,
    /// The columns in the order of the policy.
    pub columns: Vec<ColumnPolicy>,
    /// The promises; all must hold.
    pub privacy: Vec<ModelPolicy>,
    /// How to search.
    pub search: SearchPolicy,
    /// Where to write.
    pub release: ReleasePolicy,
    /// Where releases are remembered.
    pub ledger: Option<LedgerPolicy>,
    /// What is done about somebody who knows the algorithm.
    pub disclosure: Option<DisclosurePolicy>,
}

impl Policy {
    /// Reads a policy.
    pub fn parse(name: &str, text: &str) -> Result<Self, Error> {
        Self::read(name, text, None)
    }

    /// Reads a policy as if it named this algorithm. Keys that mean something to others only are ignored; what the
    /// algorithm cannot do with the rest is the error it would be in a policy of its own.
    pub fn parse_with(name: &str, text: &str, algorithm: AlgorithmId) -> Result<Self, Error> {
        Self::read(name, text, Some(algorithm))
    }

    fn read(name: &str, text: &str, instead: Option<AlgorithmId>) -> Result<Self, Error> {
        let file = File { name, text };
        let document = DeTable::parse(text).map_err(|error| {
            let offset = error.span().map_or(0, |span| span.start);
            file.fault(
                offset,
                format!("this is no TOML: {}", error.message()),
                Some("a policy is a TOML file: `scrim demo` writes one to look at"),
            )
        })?;
        let root = Section::new(file, "", 0, document.get_ref());
        let data = root.section("data")?;
        let columns = root
            .section("columns")?
            .ok_or_else(|| file.fault(0, "there is no section [columns]", Some(COLUMNS_HINT)))?;
        let mut columns = columns::read(&columns)?;
        let disclosure = disclosure::read(root.section("disclosure")?, &mut columns)?;
        let privacy = privacy::read(&root, &columns)?;
        let walks = disclosure.is_some();
        let search = search::read(root.section("search")?, &columns, &privacy, walks, instead)?;
        personal::check_together(&privacy, &search)?;
        categories::check_together(&columns, |column| {
            personal::generalizes(&privacy, &search, column)
        })?;
        disclosure::check_together(disclosure.as_ref(), &privacy, &search, name)?;
        let release = read_release(root.section("release")?)?;
        let ledger = serial::read_ledger(root.section("ledger")?, &columns)?;
        let drops = search.suppressed == SuppressedRows::Drop
            && search.suppression != Some(crate::share::Share::ZERO);
        serial::check_together(&privacy, ledger.as_ref(), drops)?;
        let data = read_data(file, data)?;
        categories::check_nulls(&columns, &data.null, name)?;
        root.finish()?;
        Ok(Self {
            file: name.to_owned(),
            data,
            columns,
            privacy,
            search,
            release,
            ledger,
            disclosure,
        })
    }

    /// The columns of a role, in policy order.
    pub fn with_role(&self, role: Role) -> impl Iterator<Item = &ColumnPolicy> + Clone {
        self.columns
            .iter()
            .filter(move |column| column.role == role)
    }

    /// The column of that name.
    pub fn column(&self, name: &str) -> Option<&ColumnPolicy> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The role of a column of a release. A column of categories is not judged by any promise: it is as an insensitive one.
    pub fn released_role(&self, name: &str) -> Option<Role> {
        let gives = |category: &CategoryColumn| category.name == name;
        let mut categories = self.columns.iter().map(|column| &column.category_column);
        if categories.any(|category| category.as_ref().is_some_and(gives)) {
            return Some(Role::Insensitive);
        }
        self.column(name).map(|column| column.role)
    }

    /// Whether the release has a column of that name.
    pub fn publishes(&self, name: &str) -> bool {
        self.released_role(name).is_some_and(Role::is_published)
    }

    /// Whether its release follows from how often each row stands in the table. Otherwise single rows must be known: persons
    /// have several, searches move them, or wishes and earlier releases speak of them.
    pub fn needs_only_counts(&self) -> bool {
        let by_row = |model: &ModelPolicy| {
            matches!(
                model.spec,
                ModelSpec::Personal { .. } | ModelSpec::Serial { .. }
            )
        };
        self.search.algorithm.needs_only_counts()
            && self.person().is_none()
            && self.disclosure.is_none()
            && !self.privacy.iter().any(by_row)
    }

    /// The promises that are about classes of some of the quasi-identifiers.
    pub fn column_promises(&self) -> impl Iterator<Item = &ModelPolicy> {
        self.privacy
            .iter()
            .filter(|model| model.spec.columns().is_some())
    }

    /// The largest k of all its k-anonymity promises.
    pub fn largest_k(&self) -> Option<u64> {
        let k = self.privacy.iter().filter_map(|model| match model.spec {
            ModelSpec::KAnonymity { k, .. } => Some(k),
            _ => None,
        });
        k.max()
    }

    /// The person column, if there is one.
    pub fn person(&self) -> Option<&ColumnPolicy> {
        self.with_role(Role::Person).next()
    }

    /// The `serial` promise, if there is one.
    pub fn serial(&self) -> Option<&ModelPolicy> {
        self.privacy
            .iter()
            .find(|model| matches!(model.spec, ModelSpec::Serial { .. }))
    }

    /// Whether sensitive values of a column may be generalized: where a `personal` promise speaks of it, unless its weight
    /// forbids it.
    pub fn generalizes_sensitive(&self, column: &str) -> bool {
        personal::generalizes(&self.privacy, &self.search, column)
    }

    /// Refuses a policy that asks the data holder where nobody can be asked.
    pub fn must_be_answered(&self, can_ask: bool) -> Result<(), Error> {
        match &self.search.mu_argus.generalize {
            Generalize::Asked(place) if self.search.is_mu_argus() && !can_ask => {
                Err(unasked(place))
            }
            _ => Ok(()),
        }
    }

    /// Refuses a policy that promises nothing, or about nothing.
    pub fn must_promise(&self) -> Result<(), Error> {
        let fault = |what: &str, hint: &str| Error::Policy {
            place: Place::file(&self.file),
            what: what.to_owned(),
            hint: Some(hint.to_owned()),
        };
        if self.privacy.is_empty() {
            return Err(fault(
                "the policy promises nothing: there is no [[privacy]]",
                "add for example:\n  [[privacy]]\n  model = \"k-anonymity\"\n  k = 5",
            ));
        }
        if self.with_role(Role::Quasi).next().is_none() {
            return Err(fault(
                "no column has the role `quasi`",
                "name the columns by which an outsider could recognise a person",
            ));
        }
        Ok(())
    }
}

const COLUMNS_HINT: &str =
    "name every column with its role, for example:\n  [columns]\n  age = { role = \"quasi\" }";

fn read_data(file: File<'_>, section: Option<Section<'_>>) -> Result<DataPolicy, Error> {
    let section = section.ok_or_else(|| {
        file.fault(
            0,
            "there is no section [data]",
            Some("say where the table is:\n  [data]\n  path = \"patients.csv\""),
        )
    })?;
    let path = section
        .string("path")?
        .ok_or_else(|| section.missing("path"))?
        .0
        .to_owned();
    let others = section
        .choice(
            "others",
            &[("error", Others::Error), ("drop", Others::Drop)],
        )?
        .unwrap_or_default();
    let null = section
        .strings("null")?
        .unwrap_or_else(|| vec![String::new()]);
    if null.iter().any(|text| crate::hierarchy::is_star(text)) {
        let what = "`null` in [data] has a text of stars, which means suppressed";
        return Err(section.file.fault(section.offset, what, None));
    }
    let delimiter = match section.string("delimiter")? {
        None => None,
        Some(("tab" | "\\t", _)) => Some(b'\t'),
        Some((text, offset)) => match text.as_bytes() {
            [byte]
                if byte.is_ascii()
                    && !byte.is_ascii_alphanumeric()
                    && !matches!(byte, b'"' | b'\n' | b'\r') =>
            {
                Some(*byte)
            }
            _ => {
                return Err(section.file.fault(
                    offset,
                    "`delimiter` in [data] must be one character, such as \";\" or \"tab\"",
                    None,
                ));
            }
        },
    };
    section.finish()?;
    Ok(DataPolicy {
        path,
        others,
        null,
        delimiter,
    })
}

fn read_release(section: Option<Section<'_>>) -> Result<ReleasePolicy, Error> {
    let mut release = ReleasePolicy {
        dir: "release".to_owned(),
        format: Format::Csv,
        order: RowOrder::Sorted,
        spreadsheet_safe: false,
    };
    let Some(section) = section else {
        return Ok(release);
    };
    if let Some((dir, offset)) = section.string("dir")? {
        if dir.is_empty() {
            return Err(section.file.fault(
                offset,
                "`dir` in [release] names no folder",
                Some("write \".\" for the folder of the policy"),
            ));
        }
        dir.clone_into(&mut release.dir);
    }
    release.format = section
        .choice(
            "format",
            &[("csv", Format::Csv), ("parquet", Format::Parquet)],
        )?
        .unwrap_or_default();
    release.order = section
        .choice(
            "order",
            &[("sorted", RowOrder::Sorted), ("input", RowOrder::Input)],
        )?
        .unwrap_or_default();
    release.spreadsheet_safe = section.flag_or("spreadsheet-safe", false)?;
    section.finish()?;
    Ok(release)
}

#[cfg(test)]
mod tests;
