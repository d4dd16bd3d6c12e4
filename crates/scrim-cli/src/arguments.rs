//! What can be typed.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use scrim::Share;

use crate::bench::BenchArguments;
use crate::init::{self, InitArguments};
use crate::ledger::LedgerArguments;
use crate::manual::{CompletionArguments, HelpArguments, ManArguments};
use crate::paint::When;
use crate::reproduce::Reproduce;
use crate::size::bytes;
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
    /// When there is colour
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: When,
    /// How many threads may work; the answer is the same for any number [default: all cores]
    #[arg(long, global = true, value_name = "N")]
    pub(crate) threads: Option<usize>,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const OVERVIEW: &str = "\
Exit codes: 0 it holds, 1 the answer is no, 2 could not run.

Start with `scrim demo`: it makes a sample hospital, publishes it and says what to look at.
For a table of your own `scrim init` writes the first policy.
Models, algorithms and metrics: `scrim catalog`, `scrim help NAME`. The policy file: `scrim help page policy`.";

const PUBLISH: &str = "\
Examples:
  scrim publish policy.toml                              write the release that the policy asks for
  scrim publish policy.toml --memory 2GB                 with little memory, however many rows there are
  scrim publish policy.toml --compare                    which algorithm would do best?
  scrim publish policy.toml --compare --limit 60 --json";

const AUDIT: &str = "\
Examples:
  scrim audit release/release.csv -p policy.toml
  scrim audit release/release.csv -p policy.toml --raw patients.csv     for `personal` and `serial`";

const REPORT: &str = "\
Examples:
  scrim report release                      report.html, for those who have the raw table
  scrim report release --external           report.external.html, to go out with the release
  scrim report release -o - > board.html

`scrim help page report` says what stands in it and what the external version leaves out.";

const RISK: &str = "\
Examples:
  scrim risk patients.csv -p policy.toml                             before publishing
  scrim risk release/release.csv -p policy.toml --threshold 0.09     after: who is above about 1/11?
  scrim risk patients.csv -p policy.toml --population citizens.csv   against a table of everybody
  scrim risk patients.csv -p policy.toml --fraction 0.05             a sample of 5% of everybody

`scrim help page risk` says what each figure means and assumes.";

const ATTACK: &str = "\
Examples:
  scrim attack release/release.csv -p policy.toml --similarity
  scrim attack release/release.csv -p policy.toml --linkage voters.csv          join it with a table that has names
  scrim attack release/release.csv -p policy.toml --totals census.csv           subtract it from known totals
  scrim attack release/release.csv -p policy.toml --personal --raw patients.csv
  scrim attack release/release.csv -p policy.toml --knows-algorithm             what the refused steps tell
  scrim attack -p policy.toml --serial                   what all releases of the ledger give away together
  scrim attack -p policy.toml --serial --all --json 2024.csv 2025.csv";

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
    /// Look at a table and write its first policy, with reasons
    ///
    /// Says of every column what it holds and guesses its role: by what values look like, by its name, by how many there are; what
    /// is unclear is generalized. Proposes hierarchies and promises, and searches once, so that `publish` accepts what it wrote.
    /// On a terminal it asks about what it is unsure of. Shows counts and shapes, never a value. Costs two readings of the
    /// table and a search.
    #[command(after_help = init::EXAMPLES)]
    Init(InitArguments),
    /// Search, apply, certify and write what a policy says
    ///
    /// The table is read into memory in small codes, one to four bytes a cell. Nothing appears in the release folder
    /// before the written file was read back and every model of the policy was found to hold. Only `mu-argus` with
    /// `allow-broken = true` writes what does not, under names that say BROKEN, and exits 1.
    ///
    /// With `--compare` nothing appears at all: every algorithm runs under the policy in turn, what it would publish is
    /// certified and removed, and cost by each metric, classes, suppressed rows and time stand side by side. Each has the same
    /// time (`--limit`). A line appears as soon as an algorithm has ended; Ctrl-C ends the comparison with the algorithms that are
    /// finished, and exits 2.
    #[command(after_help = PUBLISH)]
    Publish {
        /// The policy file
        policy: PathBuf,
        /// Publish nothing: run every algorithm under the policy and compare what they would publish
        #[arg(long)]
        compare: bool,
        /// Ctrl-C ends a search that has a release (`optimal`, `local`, `mingen-cell`), and the best so far is certified and published;
        /// pressed again it ends the work
        #[arg(long, conflicts_with = "compare")]
        keep_best: bool,
        /// Also write `report.external.html`: the report without anything that helps an adversary (none for a release that breaks
        /// its promise)
        #[arg(long, conflicts_with = "compare")]
        external: bool,
        /// Take at most about so much memory, such as `500MB` or `2GB`: what grows with the rows of the table goes to the disk of the
        /// release's folder, and the search keeps less. Different rows that do not fit go there too where a release follows from counts
        /// (`optimal`, `mingen`, `incognito`; no persons, wishes or past); else such a table is refused
        #[arg(long, value_name = "SIZE", conflicts_with = "compare", value_parser = bytes)]
        memory: Option<u64>,
        /// For `--compare`: how many seconds each search may take [default: the policy's `time-limit`, else 30]
        #[arg(long, alias = "time-limit", value_name = "SECONDS", requires = "compare", value_parser = clap::value_parser!(u64).range(1..))]
        limit: Option<u64>,
    },
    /// Does this table keep the policy's promise? Needs no raw data
    ///
    /// Checks every model of the policy on the table as it is, from the definitions, by code that no search uses. Only
    /// `personal` and `serial` need the table that the release was made from: a release does not tell its persons' wishes,
    /// nor who they are. `serial` also needs the policy's ledger and its key.
    #[command(after_help = AUDIT)]
    Audit {
        /// The table: CSV, TSV or Parquet
        file: PathBuf,
        /// The policy file
        #[arg(long, short)]
        policy: PathBuf,
        /// The table that it was made from [default for `personal` and `serial`: the policy's own, if it is there]
        #[arg(long)]
        raw: Option<PathBuf>,
        /// The plan of the release, which says which row is whose [default: the `plan.json` beside the release]
        #[arg(long)]
        plan: Option<PathBuf>,
        /// The manifest of the release (`manifest.json` or `manifest.external.json`): the file must have the hash that it names
        #[arg(long)]
        manifest: Option<PathBuf>,
        /// Print the quasi-identifier values of a class that breaks a promise: in a raw table those of a person
        #[arg(long)]
        show_values: bool,
    },
    /// What did a release cost? Every metric, for any release, also one made elsewhere
    ///
    /// With `--workload` also how far off COUNT queries are that are answered from the release: `scrim help page workload`. 10,000
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
    /// Render the report of a release again, or its version for outsiders
    ///
    /// `publish` writes the report beside the release. This makes the same page from the manifest, without the raw table,
    /// after it has seen that the release is the file that the manifest speaks of.
    #[command(after_help = REPORT)]
    Report {
        /// The folder that `publish` wrote, or a manifest in it
        #[arg(value_name = "DIR")]
        dir: PathBuf,
        /// Leave out everything that helps an adversary: figures of the raw table, its hash, the policy, how it was found
        #[arg(long)]
        external: bool,
        /// Write it here; `-` is standard output [default: report.html or report.external.html in the folder]
        #[arg(long, short, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// How exposed are the people of a table, raw or released?
    ///
    /// Counts who looks alike in the quasi-identifiers: sizes of classes, who is alone, the risk of being found by somebody
    /// who knows that a person is in the table (prosecutor), in the population (journalist) or who links everybody
    /// (marketer), and which columns make people stand out. Persons are counted where the table tells them, else rows.
    /// A million rows take a second or two. For what a release gives away of sensitive values use `attack`.
    #[command(after_help = RISK)]
    Risk {
        /// The table
        file: PathBuf,
        /// The policy file
        #[arg(long, short)]
        policy: PathBuf,
        /// A table of all persons of the population, with the quasi-identifiers as they are
        #[arg(long, value_name = "TABLE", conflicts_with = "fraction")]
        population: Option<PathBuf>,
        /// The share of the population that is in the table, above 0 and up to 1: for estimates
        #[arg(long, value_name = "F", value_parser = above_nought)]
        fraction: Option<Share>,
        /// Risks above this are counted: 0.2, or "1/5"
        #[arg(long, value_name = "T", default_value = "0.2", value_parser = up_to_one)]
        threshold: Share,
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
    #[command(group(clap::ArgGroup::new("kind").required(true)), after_help = ATTACK)]
    Attack {
        /// The published table; for `--serial` any number: each must be what the ledger recorded
        #[arg(value_name = "FILE", required_unless_present = "serial")]
        files: Vec<PathBuf>,
        /// The policy file
        #[arg(long, short)]
        policy: PathBuf,
        /// Classes whose sensitive values all lie in one category (or, without categories, are all equal)
        #[arg(long, group = "kind")]
        similarity: bool,
        /// Persons of an external table (a voter list: columns named as in the policy, values as they are) whom a join finds
        #[arg(long, group = "kind", value_name = "TABLE")]
        linkage: Option<PathBuf>,
        /// Hidden values that follow from known totals: a CSV list `column,value,count` of how often values occur
        #[arg(long, group = "kind", value_name = "TOTALS")]
        totals: Option<PathBuf>,
        /// For `--linkage`: count persons for whom some sensitive value has a probability above this
        /// [default: the `breach` of the policy's `personal`, else 1/2]
        #[arg(
            long,
            value_name = "P",
            requires = "linkage",
            conflicts_with_all = ["similarity", "personal", "serial", "knows_algorithm", "totals"],
            value_parser = up_to_one
        )]
        limit: Option<Share>,
        /// Persons of whom somebody may become surer than they wished; needs `--raw`
        #[arg(long, group = "kind", requires = "raw")]
        personal: bool,
        /// Persons who are linked to a protected value too strongly by all releases together, from the policy's ledger
        #[arg(long, group = "kind")]
        serial: bool,
        /// What somebody learns who knows by which steps the release was found: from the policy's chain, or from `optimal` by
        /// `prec`
        #[arg(long, group = "kind")]
        knows_algorithm: bool,
        /// For `--serial` and `--knows-algorithm`: tell everybody and every value, not only the 10 worst; for `--totals`: every
        /// cell that is certain
        #[arg(long, requires = "kind", conflicts_with_all = ["similarity", "personal", "linkage"])]
        all: bool,
        /// For `--personal`: the table that the release was made from, with the wishes; for `--knows-algorithm`: the
        /// same, for its quasi-identifiers (default: the policy's own)
        #[arg(long, requires = "kind", conflicts_with_all = ["similarity", "serial", "linkage", "totals"])]
        raw: Option<PathBuf>,
        /// For `--personal`: the plan of the release, which says which row is whose [default: the `plan.json` beside the
        /// release]
        #[arg(
            long,
            requires = "personal",
            conflicts_with_all = ["similarity", "serial", "linkage", "knows_algorithm"]
        )]
        plan: Option<PathBuf>,
        /// For `--personal`: what the adversary has, a table of persons with the quasi-identifiers; without it the
        /// adversary knows exactly who is in the release
        #[arg(
            long,
            value_name = "TABLE",
            requires = "personal",
            conflicts_with_all = ["similarity", "serial", "linkage", "totals"]
        )]
        external: Option<PathBuf>,
        /// The sensitive column, where there are several
        #[arg(long, value_name = "COLUMN", conflicts_with = "totals")]
        of: Option<String>,
        /// Instead of categories: taxa at this depth below the top of the column's hierarchy
        #[arg(
            long,
            value_name = "N",
            requires = "similarity",
            conflicts_with_all = ["personal", "serial", "linkage", "knows_algorithm", "totals"]
        )]
        depth: Option<u16>,
    },
    /// Look at hierarchies
    Hierarchy {
        #[command(subcommand)]
        action: HierarchyAction,
    },
    /// What was released about whom, and what each person has left
    ///
    /// A ledger is made by publishing under a policy with [ledger]. It holds no identifiers: persons are told by their row
    /// in it, or asked for by identifiers on standard input, for which the key is needed. `scrim help page ledger` says more.
    Ledger(LedgerArguments),
    /// The papers' tables and examples, ours beside theirs, with the errata
    ///
    /// The experiments of xiaotao06 (section 5) run when the paper is named: 34 searches over 100,000 rows. They write
    /// their tables (CSV) and pictures (SVG) into a folder; `--rows 5000` gives a quick look.
    /// So does the study of wong09: ten releases of a hospital, by l-diversity in each and by `serial` over all of them. And
    /// that of zhang07: what naive releases of samples tell to somebody who knows the algorithm, and what safety costs.
    Reproduce(Reproduce),
    /// Measure it yourself: make tables of any size, run every search on them, beside the floor and other programs
    ///
    /// `scrim help page benchmarks` says how to read the table. Figures mean something in a release build on an idle machine only.
    Bench(BenchArguments),
    /// All models, algorithms and metrics that a policy may name
    Catalog {
        /// As the reference page of the documentation
        #[arg(long)]
        markdown: bool,
    },
    /// Explain a command, or any entry of the catalog: definition, keys, example, limits
    Help(HelpArguments),
    /// Print a completion script for a shell
    Completions(CompletionArguments),
    /// Print or write manual pages
    Man(ManArguments),
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

/// A number from 0 to 1, exactly.
fn up_to_one(text: &str) -> Result<Share, String> {
    let share: Share = text
        .parse()
        .map_err(|error: scrim::NotAShare| error.to_string())?;
    if (Share::ZERO..=Share::ONE).contains(&share) {
        Ok(share)
    } else {
        Err(format!("{share} is not from 0 to 1"))
    }
}

/// A number above 0 and up to 1, exactly.
fn above_nought(text: &str) -> Result<Share, String> {
    let share = up_to_one(text)?;
    if share.is_zero() {
        Err("nothing of the population would be in the table".to_owned())
    } else {
        Ok(share)
    }
}
