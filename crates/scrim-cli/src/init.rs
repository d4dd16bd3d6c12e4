//! What `init` takes.

use std::path::PathBuf;

use clap::Args;

pub(crate) const EXAMPLES: &str = "\
Examples:
  scrim init patients.csv                            look, ask about what is unclear, write policy.toml here
  scrim init patients.csv -o first --yes             do not ask; write first/policy.toml
  scrim init patients.csv --sensitive diagnosis --k 10
  scrim init patients.parquet --json

Then read the policy, and: scrim risk patients.csv -p policy.toml; scrim publish policy.toml.
docs/init.md says what is guessed and how.";

/// What `init` takes.
#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    /// The table: CSV, TSV (also .gz, .zst) or Parquet
    pub(crate) data: PathBuf,
    /// The folder for the policy and its hierarchies
    #[arg(long, short, value_name = "DIR", default_value = ".")]
    pub(crate) out: PathBuf,
    /// Ask nothing: take every guess
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// A column that nobody should learn about a person; may be given several times
    #[arg(long, value_name = "COLUMN")]
    pub(crate) sensitive: Vec<String>,
    /// How many should look alike [default: 5, less in a small table]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) k: Option<u64>,
    /// Replace a policy and hierarchies that are there already
    #[arg(long)]
    pub(crate) force: bool,
}
