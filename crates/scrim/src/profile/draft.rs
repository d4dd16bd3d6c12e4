//! A first policy: roles, hierarchies, promises and a search, as a commented file.
//!
//! **Reading.** The search is `optimal` where the lattice has at most [`LARGEST_LATTICE`] nodes, else `mondrian`, which walks no lattice. The policy is
//! the same for the same table, whatever the order of its rows.
//! **Holds because** every hierarchy was built over the column's own values, and the table as one class keeps the promises.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::promise::{k_for, l_for};
use super::propose::{Proposed, propose, propose_sensitive};
use super::survey::{ColumnProfile, Profile};
use super::text::{comment, file_name, key, quoted};
use super::values::Values;
use crate::counted;
use crate::error::{Error, Place};
use crate::table::{Role, Table};

/// A larger lattice is not searched for the optimum.
const LARGEST_LATTICE: u64 = 100_000;

/// A column of a draft.
#[derive(Clone, Debug)]
pub struct DraftColumn {
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// Its hierarchy as the policy says it, where it says one.
    pub hierarchy: Option<String>,
    /// Why, in words.
    pub comment: String,
}

/// A hierarchy file of a draft.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HierarchyFile {
    /// Where it stands, beside the policy.
    pub path: String,
    /// What it holds.
    pub text: String,
    /// Whether it lies beside the table already: it is used, not written.
    pub is_found: bool,
}

/// A hierarchy file that lies beside a table and has a leaf for every value of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundHierarchy {
    /// The column.
    pub column: String,
    /// Where it stands, seen from the policy.
    pub path: String,
    /// What it holds.
    pub text: String,
    /// How many levels there are above the values.
    pub height: u8,
}

/// A first policy for a table.
#[derive(Clone, Debug)]
pub struct Draft {
    /// How many rows the table has.
    pub rows: u64,
    /// The texts that count as missing.
    pub nulls: Vec<String>,
    /// The columns, in the order of the table.
    pub columns: Vec<DraftColumn>,
    /// The files that the policy names.
    pub files: Vec<HierarchyFile>,
    /// How many look alike.
    pub k: u64,
    /// Of which sensitive column how many values.
    pub diverse: Vec<(String, u64)>,
    /// Sensitive columns that no promise speaks of, because nearly all rows share few values.
    pub uniform: Vec<String>,
    /// So many of a hundred rows may be suppressed.
    pub suppression: u8,
    /// Whether the optimum is searched; else Mondrian cuts.
    pub optimal: bool,
    /// What was tried before, in words.
    pub tried: Vec<String>,
}

impl Draft {
    /// A policy for a table of this profile; `k` where somebody asks for one. The file is named in errors only. Hierarchies that were
    /// found go before those that would be made.
    pub fn new(
        profile: &Profile,
        table: &Table,
        k: Option<u64>,
        file: &str,
        found: &[FoundHierarchy],
    ) -> Result<Self, Error> {
        let units = units(profile);
        let k = promised_k(k, units)?;
        let with_role = |role: Role| {
            profile
                .columns
                .iter()
                .any(|column| column.guess.role == role)
        };
        if !with_role(Role::Quasi) {
            return Err(Error::Data {
                place: Place::file(file),
                what: "no column is left that could be published and generalized".to_owned(),
                hint: Some(
                    "all columns name their persons, are free text or have no values".to_owned(),
                ),
            });
        }
        let mut draft = Self {
            rows: profile.rows,
            nulls: profile.nulls.clone(),
            columns: Vec::new(),
            files: Vec::new(),
            k,
            diverse: Vec::new(),
            uniform: Vec::new(),
            suppression: 2,
            optimal: true,
            tried: Vec::new(),
        };
        let mut names = BTreeSet::new();
        let mut lattice = 1u64;
        for column in &profile.columns {
            let Some(data) = table.column(&column.name) else {
                continue;
            };
            let values = Values::of(data, &profile.nulls);
            let own = found.iter().find(|found| found.column == column.name);
            let own = own.map(|own| draft.take(own));
            let proposed = match column.guess.role {
                Role::Quasi => Some(own.unwrap_or_else(|| propose(column, &values))),
                Role::Sensitive => {
                    draft.promise(column, &values);
                    own.or_else(|| propose_sensitive(column, &values))
                }
                _ => None,
            };
            if let (Role::Quasi, Some(proposed)) = (column.guess.role, &proposed) {
                lattice = lattice.saturating_mul(u64::from(proposed.height) + 1);
            }
            draft.add(column, proposed, &mut names);
        }
        draft.optimal = lattice <= LARGEST_LATTICE;
        Ok(draft)
    }

    fn take(&mut self, found: &FoundHierarchy) -> Proposed {
        self.files.push(HierarchyFile {
            path: found.path.clone(),
            text: found.text.clone(),
            is_found: true,
        });
        Proposed {
            described: Some(quoted(&found.path)),
            file: None,
            height: found.height,
            words: format!("by {}, which lies beside the table", found.path),
        }
    }

    fn promise(&mut self, column: &ColumnProfile, values: &Values<'_>) {
        match l_for(values, self.k) {
            Some(l) => self.diverse.push((column.name.clone(), l)),
            None => self.uniform.push(column.name.clone()),
        }
    }

    fn add(
        &mut self,
        column: &ColumnProfile,
        proposed: Option<Proposed>,
        names: &mut BTreeSet<String>,
    ) {
        let mut comment = seen(column);
        let mut hierarchy = None;
        if let Some(proposed) = proposed {
            let _ = write!(comment, " Generalized: {}.", proposed.words);
            hierarchy = proposed.described;
            if let Some(text) = proposed.file {
                let plain = file_name(&column.name);
                let numbered = (2..).map(|number| format!("{plain}-{number}"));
                let mut all = std::iter::once(plain.clone()).chain(numbered);
                let name = all.find(|name| !names.contains(name)).unwrap_or(plain);
                let path = format!("hierarchies/{name}.csv");
                names.insert(name);
                hierarchy = Some(format!("{{ file = {}, kind = \"levels\" }}", quoted(&path)));
                self.files.push(HierarchyFile {
                    path,
                    text,
                    is_found: false,
                });
            }
        }
        self.columns.push(DraftColumn {
            name: column.name.clone(),
            role: column.guess.role,
            hierarchy,
            comment,
        });
    }

    /// What to try where the search kept nothing but stars; false where nothing is left.
    pub fn weaken(&mut self) -> bool {
        if self.optimal && self.suppression < 5 {
            self.suppression = 5;
            let what = "with 2% of the rows suppressed all rows would look alike: 5% are allowed";
            self.tried.push(what.to_owned());
            return true;
        }
        if self.optimal {
            self.optimal = false;
            let what = "with 5% suppressed too: so classes are cut one by one, each as coarse as it must be";
            self.tried.push(what.to_owned());
            return true;
        }
        false
    }

    /// The policy file for a table at this path, relative to it, with this delimiter.
    pub fn text(&self, path: &str, delimiter: Option<u8>, release: &str) -> String {
        let mut text = comment(&format!(
            "A first policy for {path}: {}, {}. Proposed by `scrim init`.",
            counted(self.rows, "row"),
            counted(self.columns.len(), "column")
        ));
        text += "# Read it before you publish: what is wrong here protects nobody.\n\n[data]\n";
        let _ = writeln!(text, "path = {}", quoted(path));
        let nulls: Vec<String> = self.nulls.iter().map(|null| quoted(null)).collect();
        let _ = writeln!(text, "null = [{}]", nulls.join(", "));
        match delimiter {
            None | Some(b',') => {}
            Some(b'\t') => text += "delimiter = \"tab\"\n",
            Some(other) => {
                let _ = writeln!(
                    text,
                    "delimiter = {}",
                    quoted(&char::from(other).to_string())
                );
            }
        }
        text += "\n# identifier: never published. quasi: others may know it; generalized. sensitive: what nobody should learn about a\n";
        text += "# person. person: tells which rows are one person's; never published. insensitive: published as it is.\n[columns]\n";
        for column in &self.columns {
            text += &column.line();
        }
        text += &self.promises();
        text += &self.search();
        let _ = write!(text, "\n[release]\ndir = {}\n", quoted(release));
        text
    }

    /// Whether a column tells persons; else rows are counted.
    pub fn counts_persons(&self) -> bool {
        let mut columns = self.columns.iter();
        columns.any(|column| column.role == Role::Person)
    }

    fn promises(&self) -> String {
        let whom = if self.counts_persons() {
            "No person can be told apart from k - 1 others by the quasi-identifiers."
        } else {
            "No row can be told apart from k - 1 others by the quasi-identifiers. Rows are counted: no column tells persons."
        };
        let mut text = format!("\n{}", comment(whom));
        let _ = write!(
            text,
            "[[privacy]]\nmodel = \"k-anonymity\"\nk = {}\n",
            self.k
        );
        for (column, l) in &self.diverse {
            text += "\n# Rows that look alike have at least l different values: their likeness gives no secret away.\n";
            let _ = write!(
                text,
                "[[privacy]]\nmodel = \"l-diversity\"\nof = {}\nl = {l}\n",
                quoted(column)
            );
        }
        for column in &self.uniform {
            text += "\n";
            text += &comment(&format!(
                "Nothing is promised about {}: nearly all rows share its commonest values, so that classes with others would be few and large. Where one value must be guarded see alpha-k in `scrim catalog`.",
                quoted(column)
            ));
        }
        text
    }

    fn search(&self) -> String {
        let mut text = String::from("\n[search]\n");
        for tried in &self.tried {
            text += &comment(tried);
        }
        if !self.optimal {
            if self.tried.is_empty() {
                text += "# There are too many ways to generalize so many columns: classes are cut one by one.\n";
            }
            text += "algorithm = \"mondrian\"\n";
            return text;
        }
        text += "algorithm = \"optimal\"     # the best there is by the metric\n";
        text += "metric = \"loss\"           # the least detail lost\n";
        let _ = writeln!(
            text,
            "suppression = 0.0{}        # so many rows may become stars, to spare the others",
            self.suppression
        );
        text
    }
}

impl DraftColumn {
    fn line(&self) -> String {
        let role = self.role.name();
        let hierarchy = self.hierarchy.as_ref();
        let hierarchy = hierarchy.map_or_else(String::new, |text| format!(", hierarchy = {text}"));
        format!(
            "{}{} = {{ role = \"{role}\"{hierarchy} }}\n",
            comment(&self.comment),
            key(&self.name)
        )
    }
}

/// What is known of a column, in words.
fn seen(column: &ColumnProfile) -> String {
    let missing = match column.missing {
        0 => String::new(),
        missing => format!(", {} without", counted(missing, "row")),
    };
    let like = match column.shapes.as_slice() {
        [] => String::new(),
        shapes => format!(", like {}", shapes.join(" or ")),
    };
    let values = if column.distinct == 1 {
        "value"
    } else {
        "values"
    };
    let unsure = if column.guess.unsure {
        " Please check."
    } else {
        ""
    };
    let hipaa = column.guess.hipaa;
    let hipaa = hipaa.map_or_else(String::new, |hipaa| format!(" HIPAA Safe Harbor {hipaa}."));
    let kind = column.kind.words();
    format!(
        "{kind}, {} {values}{missing}{like}: {}.{hipaa}{unsure}",
        column.distinct, column.guess.reason
    )
}

/// How many persons there are, or rows where nothing tells them, and which of the two.
fn units(profile: &Profile) -> (u64, &'static str) {
    let mut columns = profile.columns.iter();
    let person = columns.find(|column| column.guess.role == Role::Person);
    person.map_or((profile.rows, "row"), |person| {
        (person.distinct + u64::from(person.missing > 0), "person")
    })
}

fn promised_k(asked: Option<u64>, (units, word): (u64, &str)) -> Result<u64, Error> {
    let plural = if units == 1 { "" } else { "s" };
    let too_small = |what: &str| Error::TooSmall {
        what: format!("{what}the table has {units} {word}{plural}"),
        hint: Some("nobody can hide in so small a table".to_owned()),
    };
    match asked {
        Some(k) if k > units => Err(too_small(&format!("k is {k}, but "))),
        Some(k) => Ok(k.max(1)),
        None => k_for(units).ok_or_else(|| too_small("")),
    }
}
