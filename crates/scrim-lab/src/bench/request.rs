//! What can be asked of the benchmark.

use std::path::PathBuf;

/// How uneven a made-up table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Nine columns with the values, heights and skew of Adult, correlated; beyond nine they begin anew.
    Adult,
    /// Columns alike, all values equally frequent, no correlation.
    Even,
}

impl Shape {
    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Adult => "adult",
            Self::Even => "even",
        }
    }
}

/// How a made-up table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// As `data.csv`.
    Csv,
    /// As `data.parquet`.
    Parquet,
}

impl Kind {
    /// The file's name.
    pub(super) fn file(self) -> &'static str {
        match self {
            Self::Csv => "data.csv",
            Self::Parquet => "data.parquet",
        }
    }

    /// The name in a policy.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Parquet => "parquet",
        }
    }
}

/// What a made-up table looks like, apart from its size.
#[derive(Clone, Debug)]
pub struct Looks {
    /// How uneven it is.
    pub shape: Shape,
    /// For [`Shape::Even`]: how many values a column has; 10 when left out.
    pub values: Option<u32>,
    /// For [`Shape::Even`]: how many levels stand above the values, with the top; 3 when left out.
    pub levels: Option<u32>,
    /// The seed of the generator.
    pub seed: u64,
    /// The file; the release is of the same kind.
    pub kind: Kind,
    /// How many should look alike.
    pub k: u64,
}

/// A table to be made.
#[derive(Clone, Debug)]
pub struct GenerateRequest {
    /// The folder; it must be empty, not exist, or hold a former table of this command.
    pub out: PathBuf,
    /// How many rows.
    pub rows: u64,
    /// How many quasi-identifiers.
    pub quasi: u32,
    /// The search that the policy names.
    pub algorithm: String,
    /// All else.
    pub looks: Looks,
}

/// Searches to be measured.
#[derive(Clone, Debug)]
pub struct RunRequest {
    /// Numbers of rows.
    pub sizes: Vec<u64>,
    /// Numbers of quasi-identifiers.
    pub quasi: Vec<u32>,
    /// The searches.
    pub algorithms: Vec<String>,
    /// A run over this number of seconds is ended.
    pub limit: f64,
    /// How often each is run.
    pub repeats: u32,
    /// How many threads each run has; the program decides when left out.
    pub threads: Option<usize>,
    /// What made-up tables look like.
    pub looks: Looks,
    /// Instead of made-up tables: this one, whole.
    pub data: Option<PathBuf>,
    /// The policy of `data`; every search runs under it.
    pub policy: Option<PathBuf>,
    /// The Python that runs other anonymizers for comparison.
    pub peers: Option<PathBuf>,
    /// Numbers of rows for them.
    pub peer_sizes: Vec<u64>,
    /// Where the tables are also written, as Markdown.
    pub out: Option<PathBuf>,
    /// Where tables and releases stand while they are needed; the system's temporary folder when left out.
    pub scratch: Option<PathBuf>,
}
