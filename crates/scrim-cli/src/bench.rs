//! What can be typed after `scrim bench`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use scrim_lab::bench::{self, GenerateRequest, RunRequest};

/// What to measure.
#[derive(Debug, Args)]
#[command(after_help = BENCH)]
pub(crate) struct BenchArguments {
    #[command(subcommand)]
    pub(crate) action: BenchAction,
}

const BENCH: &str = "\
Examples:
  scrim bench run -o table.md                            the table of `scrim help page benchmarks`, on this machine
  scrim bench generate -o adult --rows 1000000           only the data, with a policy that `publish` accepts
  scrim bench measure -- scrim publish adult/policy.toml";

#[derive(Debug, Subcommand)]
pub(crate) enum BenchAction {
    /// Write a made-up table of any size, its hierarchies and a policy
    ///
    /// The same for every machine and number of threads. Rows are written as they are made: memory does not grow with
    /// them. A million rows take a second or two and 80 MB of disk.
    Generate(GenerateArguments),
    /// Run every search on tables of growing size and print CPU, wall, memory, growth and the distance from the floor
    ///
    /// Every figure is that of a whole process: `publish`, from the file to the certified release. Each table is
    /// published some times, and the run with the least CPU counts. A run over the limit is ended and told as such.
    /// The floor is measured beside it: reading the bytes once, and one look-up a row. First all sizes at nine
    /// quasi-identifiers, then all numbers of quasi-identifiers at the smallest size.
    Run(RunArguments),
    /// Run a command and tell its CPU, wall and peak memory
    ///
    /// As `run` measures: user and system time and the largest memory of the process and of all that it waited for. What the
    /// command prints is thrown away, its errors are not.
    Measure {
        /// End it after so many seconds
        #[arg(long, value_name = "SECONDS", value_parser = seconds)]
        limit: Option<f64>,
        /// The command
        #[arg(required = true, trailing_var_arg = true, value_name = "COMMAND")]
        command: Vec<OsString>,
    },
}

/// How uneven a made-up table is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shape {
    /// Nine columns with the values, heights and skew of Adult, correlated; beyond nine they begin anew
    #[default]
    Adult,
    /// Columns alike, all values equally frequent, no correlation
    Even,
}

impl From<Shape> for bench::Shape {
    fn from(shape: Shape) -> Self {
        match shape {
            Shape::Adult => Self::Adult,
            Shape::Even => Self::Even,
        }
    }
}

/// How a made-up table is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// data.csv
    #[default]
    Csv,
    /// data.parquet
    Parquet,
}

impl From<Kind> for bench::Kind {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Csv => Self::Csv,
            Kind::Parquet => Self::Parquet,
        }
    }
}

/// What a made-up table looks like, apart from its size.
#[derive(Clone, Debug, Args)]
pub(crate) struct Looks {
    /// How uneven it is
    #[arg(long, value_enum, default_value_t)]
    pub(crate) shape: Shape,
    /// For `--shape even`: how many values a column has [default: 10]
    #[arg(long, value_name = "V", value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub(crate) values: Option<u32>,
    /// For `--shape even`: how many levels stand above the values, with the top [default: 3]
    #[arg(long, value_name = "L", value_parser = clap::value_parser!(u32).range(1..=16))]
    pub(crate) levels: Option<u32>,
    /// The seed of the generator
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// The file (the release is of the same kind)
    #[arg(long = "as", value_enum, default_value_t)]
    pub(crate) kind: Kind,
    /// How many should look alike
    #[arg(long, short, value_name = "K", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) k: u64,
}

impl From<&Looks> for bench::Looks {
    fn from(looks: &Looks) -> Self {
        Self {
            shape: looks.shape.into(),
            values: looks.values,
            levels: looks.levels,
            seed: looks.seed,
            kind: looks.kind.into(),
            k: looks.k,
        }
    }
}

/// What `bench generate` takes.
#[derive(Debug, Args)]
pub(crate) struct GenerateArguments {
    /// The folder; it must be empty, not exist, or hold a former table of this command
    #[arg(long, short, value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// How many rows
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = rows)]
    pub(crate) rows: u64,
    /// How many quasi-identifiers
    #[arg(long, value_name = "Q", default_value_t = 9, value_parser = quasi)]
    pub(crate) quasi: u32,
    /// The search that the policy names
    #[arg(long, value_name = "NAME", default_value = "optimal")]
    pub(crate) algorithm: String,
    #[command(flatten)]
    pub(crate) looks: Looks,
}

impl GenerateArguments {
    /// The table that is asked for.
    pub(crate) fn request(&self) -> GenerateRequest {
        GenerateRequest {
            out: self.out.clone(),
            rows: self.rows,
            quasi: self.quasi,
            algorithm: self.algorithm.clone(),
            looks: (&self.looks).into(),
        }
    }
}

/// What `bench run` takes.
#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// Numbers of rows
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "10000,100000,1000000",
        value_parser = rows)]
    pub(crate) sizes: Vec<u64>,
    /// Numbers of quasi-identifiers
    #[arg(long, value_name = "Q", value_delimiter = ',', default_value = "4,9,15,20", value_parser = quasi)]
    pub(crate) quasi: Vec<u32>,
    /// The searches
    #[arg(
        long,
        value_name = "NAME",
        value_delimiter = ',',
        default_value = "optimal,datafly,mondrian,top-down,incognito,local"
    )]
    pub(crate) algorithms: Vec<String>,
    /// A run over so many seconds is ended
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = seconds)]
    pub(crate) limit: f64,
    /// How often each is run; what took over 10 seconds is not run again
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100))]
    pub(crate) repeats: u32,
    #[command(flatten)]
    pub(crate) looks: Looks,
    /// Instead of made-up tables: this one, whole
    #[arg(long, value_name = "FILE", requires = "policy", conflicts_with_all = ["sizes", "quasi", "peers"])]
    pub(crate) data: Option<PathBuf>,
    /// For `--data`: its policy; every search runs under it
    #[arg(long, short, value_name = "FILE", requires = "data")]
    pub(crate) policy: Option<PathBuf>,
    /// Beside us anonypy, anjana and pycanon, by this Python: `bench/peers` makes one
    #[arg(long, value_name = "PYTHON")]
    pub(crate) peers: Option<PathBuf>,
    /// Numbers of rows for them
    #[arg(long, value_name = "N", value_delimiter = ',', default_value = "1000,10000", requires = "peers",
        value_parser = rows)]
    pub(crate) peer_sizes: Vec<u64>,
    /// Also write the tables as Markdown
    #[arg(long, short, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Where tables and releases stand while they are needed; they are removed [default: the system's temporary folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) scratch: Option<PathBuf>,
}

impl RunArguments {
    /// The searches that are to be measured, with this number of threads.
    pub(crate) fn request(&self, threads: Option<usize>) -> RunRequest {
        RunRequest {
            sizes: self.sizes.clone(),
            quasi: self.quasi.clone(),
            algorithms: self.algorithms.clone(),
            limit: self.limit,
            repeats: self.repeats,
            threads,
            looks: (&self.looks).into(),
            data: self.data.clone(),
            policy: self.policy.clone(),
            peers: self.peers.clone(),
            peer_sizes: self.peer_sizes.clone(),
            out: self.out.clone(),
            scratch: self.scratch.clone(),
        }
    }
}

/// A time above nought.
fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds > 0.0 && seconds <= 1e6 => Ok(seconds),
        _ => Err("not a number of seconds above 0".to_owned()),
    }
}

fn rows(text: &str) -> Result<u64, String> {
    within(text, 10_000_000_000)
}

fn quasi(text: &str) -> Result<u32, String> {
    within(text, 64).map(|quasi| quasi as u32)
}

fn within(text: &str, most: u64) -> Result<u64, String> {
    match text.parse() {
        Ok(number) if (1..=most).contains(&number) => Ok(number),
        _ => Err(format!("not a number from 1 to {most}")),
    }
}
