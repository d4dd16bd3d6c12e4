//! What `init` takes.

use std::path::PathBuf;

use clap::Args;
use scrim::table::Role;

pub(crate) const EXAMPLES: &str = "\
Examples:
  scrim init patients.csv                            look, ask about what is unclear, write policy.toml here
  scrim init patients.csv -o first --yes             do not ask; stop where a column was only guessed
  scrim init patients.csv --yes --role ward=quasi    answer for one column beforehand
  scrim init patients.csv --accept-guesses           do not ask; take every guess, and check the policy later
  scrim init patients.csv --sensitive diagnosis --k 10
  scrim init patients.parquet --json

Then read the policy, and: scrim risk patients.csv -p policy.toml; scrim publish policy.toml.
`scrim help page init` says what is guessed and how.";

/// What `init` takes.
#[derive(Debug, Args)]
pub(crate) struct InitArguments {
    /// The table: CSV, TSV (also .gz, .zst) or Parquet
    pub(crate) data: PathBuf,
    /// The folder for the policy and its hierarchies
    #[arg(long, short, value_name = "DIR", default_value = ".")]
    pub(crate) out: PathBuf,
    /// Ask nothing: take what was recognised, and stop where a column was only guessed
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Ask nothing: take every guess, also where nothing says what a column is
    #[arg(long)]
    pub(crate) accept_guesses: bool,
    /// The role of a column: identifier, quasi, sensitive, person or insensitive; may be given several times
    #[arg(long, value_name = "COLUMN=ROLE", value_parser = column_role)]
    pub(crate) role: Vec<(String, Role)>,
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

/// The roles that a first policy gives.
pub(crate) const ROLES: [Role; 5] = [
    Role::Identifier,
    Role::Quasi,
    Role::Sensitive,
    Role::Person,
    Role::Insensitive,
];

fn column_role(text: &str) -> Result<(String, Role), String> {
    let (column, name) = text
        .rsplit_once('=')
        .ok_or("write the column, `=` and its role, such as `ward=quasi`")?;
    let role = ROLES.into_iter().find(|role| role.name() == name.trim());
    let role = role.ok_or("the roles are identifier, quasi, sensitive, person and insensitive")?;
    Ok((column.to_owned(), role))
}
