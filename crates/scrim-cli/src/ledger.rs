//! What can be typed after `scrim ledger`.

use std::path::PathBuf;

use clap::{Args, Subcommand};
use scrim::Share;

/// A ledger and what to do with it.
#[derive(Debug, Args)]
#[command(after_help = LEDGER)]
pub(crate) struct LedgerArguments {
    /// The ledger [default: ledger.sqlite; for `check` what the policy names]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) ledger: Option<PathBuf>,
    /// Its key [default: the ledger's path with the extension `key`; for `check` what the policy names]
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) key: Option<PathBuf>,
    #[command(subcommand)]
    pub(crate) action: LedgerAction,
}

const LEDGER: &str = "\
Examples:
  scrim ledger list                                      what was released
  scrim ledger show 3 --ledger hospital.sqlite           one release: policy, classes, values
  scrim ledger persons --nearest 10                      who is nearest to the limit
  echo 4711 | scrim ledger persons --stdin               what a person has left, by identifier
  scrim ledger verify --head 5d41402a…                   is it what it was when the hash was noted down?";

const PERSONS: &str = "\
Examples:
  scrim ledger persons                                   the 20 nearest to the limit
  scrim ledger persons 17 23                             rows 17 and 23 of the ledger
  scrim ledger persons --all --json > left.json
  cut -d, -f1 patients.csv | scrim ledger persons --stdin
  scrim ledger persons --l 3 --values flu,syphilis       under other terms than were promised";

const EXPORT: &str = "\
Examples:
  scrim ledger export > ledger.json
  scrim ledger export --csv tables";

const CHECK: &str = "\
Examples:
  scrim ledger check policy.toml                         by the policy's own `serial` and [ledger]
  scrim ledger check policy.toml --l 3 --values flu      could more be promised?
  scrim ledger check policy.toml --retire-after 10 --retire-below 1/100";

#[derive(Debug, Subcommand)]
pub(crate) enum LedgerAction {
    /// All releases with time, rows, classes and files
    List,
    /// One release: its policy, its classes, the values of its sensitive columns
    Show {
        /// The number of the release
        release: u64,
    },
    /// What each person has left for each protected value
    ///
    /// For a person in earlier classes with shares f1, f2, … of a value, p = 1 - (1 - f1)(1 - f2)… is how strongly an
    /// onlooker must believe that the person had it, and `left` the largest share that the next class may have. Looks at
    /// every person unless some are named: some seconds for a million.
    #[command(after_help = PERSONS)]
    Persons {
        /// Rows of the ledger
        #[arg(value_name = "ROW", conflicts_with_all = ["stdin", "nearest", "all"])]
        rows: Vec<u64>,
        /// Identifiers on standard input, one a line; needs the key
        #[arg(long, conflicts_with_all = ["nearest", "all"])]
        stdin: bool,
        /// So many of those nearest to the limit [default: 20]
        #[arg(long, value_name = "N", conflicts_with = "all")]
        nearest: Option<usize>,
        /// Everybody
        #[arg(long)]
        all: bool,
        #[command(flatten)]
        terms: TermArguments,
    },
    /// Is the ledger what it was? Chain of hashes, numbers, file, released files
    ///
    /// Exit 1 when something is wrong; says at which release. A released file that is gone is only remarked, one that
    /// differs is a fault.
    Verify {
        /// A hash that was noted down: some release must have it
        #[arg(long, value_name = "HASH")]
        head: Option<String>,
    },
    /// Everything but the persons' hashes, as one JSON object or as CSV files
    #[command(after_help = EXPORT)]
    Export {
        /// CSV files into this folder, instead of JSON to standard output
        #[arg(long, value_name = "DIR")]
        csv: Option<PathBuf>,
    },
    /// Could the persons of a policy's table be published now? Asks only their history
    ///
    /// Ledger, l, protected values and retirement are those of the policy's `serial`, or what was last promised where it has
    /// none; options override each. Exit 1 when somebody who is not retired has nothing left for some protected value.
    #[command(after_help = CHECK)]
    Check {
        /// The policy file
        policy: PathBuf,
        /// Leave out whoever was in so many releases
        #[arg(long, value_name = "N")]
        retire_after: Option<u64>,
        /// Leave out whoever has less than this left for some protected value
        #[arg(long, value_name = "SHARE")]
        retire_below: Option<Share>,
        #[command(flatten)]
        terms: TermArguments,
    },
    /// Finish what an interrupted publication left; publishing does the same by itself
    Recover {
        /// Give up files that are nowhere to be found; their release stays recorded and counts
        #[arg(long)]
        accept_loss: bool,
    },
}

/// Terms other than those of the last release.
#[derive(Debug, Args)]
pub(crate) struct TermArguments {
    /// The sensitive column [default: that of the last promise; for `check` of the policy's `serial`]
    #[arg(long, value_name = "COLUMN")]
    pub(crate) of: Option<String>,
    /// Nobody is to be linked to a value with more than 1/L: 2, 2.5 or 7/3 [default: as last promised]
    #[arg(long, value_name = "L")]
    pub(crate) l: Option<Share>,
    /// The protected values, or `all` [default: as last promised]
    #[arg(long, value_name = "VALUE", value_delimiter = ',')]
    pub(crate) values: Option<Vec<String>>,
}
