//! What can be typed.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

use crate::workload::WorkloadArguments;

/// How answers are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    #[default]
    Text,
    /// One JSON object.
    Json,
}

/// Publish tables about people without publishing the people.
#[derive(Debug, Parser)]
#[command(name = "scrim", version, propagate_version = true, after_help = OVERVIEW)]
pub(crate) struct Arguments {
    /// How to print the answer
    #[arg(
        long,
        global = true,
        value_enum,
        default_value_t,
        value_name = "FORMAT"
    )]
    pub(crate) format: Format,
    /// Short for `--format json`
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// No progress and no remarks on standard error
    #[arg(long, short, global = true)]
    pub(crate) quiet: bool,
    /// How many threads may work; the answer is the same for any number [default: all cores]
    #[arg(long, global = true, value_name = "N")]
    pub(crate) threads: Option<usize>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const OVERVIEW: &str = "\
Exit codes: 0 it holds, 1 the answer is no, 2 could not run.

Start with `scrim demo`: it makes a sample hospital, publishes it and says what to look at.
Models, algorithms and metrics: `scrim catalog`. The policy file: docs/policy.md.";

const PUBLISH: &str = "\
Examples:
  scrim publish policy.toml                              write the release that the policy asks for
  scrim publish policy.toml --compare                    which algorithm would do best?
  scrim publish policy.toml --compare --time-limit 60 --json";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make a sample hospital and publish it: the tour
    ///
    /// Writes data, hierarchies and an annotated policy into a folder, publishes them and says what to look at next.
    /// 10,000 rows take less than a second; a million rows some ten seconds and half a gigabyte.
    Demo {
        /// The folder; it must be empty, not exist, or hold a former demo
        #[arg(default_value = "demo")]
        dir: PathBuf,
        /// How many admissions
        #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
        rows: u64,
        /// The seed of the generator
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Search, apply, certify and write what a policy says
    ///
    /// The table is read into memory in small codes, one to four bytes a cell. Nothing appears in the release folder
    /// before the written file was read back and every model of the policy was found to hold. Only `mu-argus` with
    /// `allow-broken = true` writes what does not, under names that say BROKEN, and exits 1.
    ///
    /// With `--compare` nothing appears at all: every algorithm runs under the policy in turn, what it would publish is
    /// certified and removed, and cost by each metric, classes, suppressed rows and time stand side by side.
    #[command(after_help = PUBLISH)]
    Publish {
        /// The policy file
        policy: PathBuf,
        /// Publish nothing: run every algorithm under the policy and compare what they would publish
        #[arg(long)]
        compare: bool,
        /// Ctrl-C ends a search that has a release (`local`, `mingen-cell`), and the best so far is certified and published;
        /// pressed again it ends the work
        #[arg(long, conflicts_with = "compare")]
        keep_best: bool,
        /// For `--compare`: how long a search that can stop at any time may take
        /// [default: the policy's `time-limit`, else 10]
        #[arg(long, value_name = "SECONDS", requires = "compare", value_parser = clap::value_parser!(u64).range(1..))]
        time_limit: Option<u64>,
    },
    /// Does this table keep the policy's promise? Needs no raw data
    ///
    /// Checks every model of the policy on the table as it is, from the definitions, by code that no search uses. Only
    /// `personal` needs the table that the release was made from: a release does not tell its persons' wishes.
    Audit {
        /// The table: CSV, TSV or Parquet
        file: PathBuf,
        /// The policy file
        #[arg(long, short)]
        policy: PathBuf,
        /// The table that it was made from, row by row [default for `personal`: the policy's own, if it is there]
        #[arg(long)]
        raw: Option<PathBuf>,
    },
    /// What did a release cost? Every metric, for any release, also one made elsewhere
    ///
    /// With `--workload` also how far off COUNT queries are that are answered from the release: docs/workload.md. 10,000
    /// queries on 100,000 rows take about a second.
    Measure {
        /// The original table
        raw: PathBuf,
        /// The release
        release: PathBuf,
        /// The policy file
        #[arg(long, short)]
        policy: PathBuf,
        #[command(flatten)]
        workload: Box<WorkloadArguments>,
    },
    /// List all minimal generalizations with their metrics
    ///
    /// Visits the whole lattice, a node at a time; for one good node of a large lattice use `publish` with
    /// `algorithm = "optimal"`, which checks few.
    Lattice {
        /// The policy file
        policy: PathBuf,
        /// At most so many lines of text (JSON has all)
        #[arg(long, default_value_t = 50)]
        most: usize,
    },
    /// Be the adversary: what does a published table give away?
    ///
    /// Exit 1 when the attack succeeds.
    #[command(group(clap::ArgGroup::new("kind").required(true)))]
    Attack {
        /// The published table
        file: PathBuf,
        /// The policy file
        #[arg(long, short)]
        policy: PathBuf,
        /// Classes whose sensitive values all lie in one category (or, without categories, are all equal)
        #[arg(long, group = "kind")]
        similarity: bool,
        /// Persons of whom somebody may become surer than they wished; needs `--raw`
        #[arg(long, group = "kind", requires = "raw")]
        personal: bool,
        /// For `--personal`: the table that the release was made from, row by row, with the wishes
        #[arg(long, requires = "personal", conflicts_with = "similarity")]
        raw: Option<PathBuf>,
        /// For `--personal`: what the adversary has, a table of persons with the quasi-identifiers; without it the
        /// adversary knows exactly who is in the release
        #[arg(
            long,
            value_name = "TABLE",
            requires = "personal",
            conflicts_with = "similarity"
        )]
        external: Option<PathBuf>,
        /// The sensitive column, where there are several
        #[arg(long, value_name = "COLUMN")]
        of: Option<String>,
        /// Instead of categories: taxa at this depth below the top of the column's hierarchy
        #[arg(
            long,
            value_name = "N",
            requires = "similarity",
            conflicts_with = "personal"
        )]
        depth: Option<u16>,
    },
    /// Look at hierarchies
    Hierarchy {
        #[command(subcommand)]
        action: HierarchyAction,
    },
    /// The papers' tables and examples, ours beside theirs, with the errata
    ///
    /// The experiments of xiaotao06 (section 5) run when the paper is named: 34 searches over 100,000 rows. They write
    /// their tables (CSV) and pictures (SVG) into a folder; `--rows 5000` gives a quick look.
    Reproduce {
        /// The paper; all that are there when left out
        #[arg(value_parser = ["sweeney02", "sun08", "xiaotao06"])]
        key: Option<String>,
        /// The data of the experiments; a made-up table of the same shape when left out
        ///
        /// sun08: a folder with `adult.csv` (or `.zst`) and `adult_hierarchy_*.csv`. xiaotao06: a folder with
        /// `gov_census.csv` (or `.zst`) and `hierarchies/marital.csv`, `hierarchies/occupation.csv`, or the CSV file in it.
        #[arg(long, value_name = "PATH")]
        data: Option<PathBuf>,
        /// Where the tables and pictures of xiaotao06 go: a new or empty folder, or that of a former run
        /// [default: reproduce-xiaotao06]
        #[arg(long, value_name = "DIR")]
        out: Option<PathBuf>,
        /// How many rows the experiments of xiaotao06 take [default: 100000]
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(100..=1_000_000))]
        rows: Option<u64>,
    },
    /// All models, algorithms and metrics that a policy may name
    Catalog {
        /// As the reference page of the documentation
        #[arg(long)]
        markdown: bool,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum HierarchyAction {
    /// Print a hierarchy as a tree
    Show {
        /// A hierarchy file, or a policy (.toml) whose data give the values
        file: PathBuf,
        /// The column, for a policy with several
        #[arg(long, short)]
        column: Option<String>,
        /// At most so many children of a taxon are printed
        #[arg(long, default_value_t = 12)]
        most: usize,
    },
    /// Print a hierarchy's faults, or all of a policy's
    Check {
        /// A hierarchy file, or a policy (.toml) whose data must have leaves
        file: PathBuf,
    },
}

impl Arguments {
    /// How the answer is printed.
    pub(crate) fn format(&self) -> Format {
        if self.json { Format::Json } else { self.format }
    }
}
