//! The command line as a whole: what `arguments.rs` declares, with examples and exit codes for every command.

use std::ffi::OsString;

use clap::builder::PossibleValuesParser;
use clap::{Arg, ArgAction, ColorChoice, Command, CommandFactory, Error, FromArgMatches};
use scrim::release::catalog::{CATALOG, Kind};

use crate::arguments::Arguments;
use crate::examples::{examples, exit_codes};
use crate::paint::When;

/// What was typed.
pub(crate) enum Typed {
    /// A command with its arguments.
    Arguments(Box<Arguments>),
    /// `--version --sbom`, which no command has to follow.
    Sbom,
}

/// Reads what was typed.
pub(crate) fn parse() -> Result<Typed, Error> {
    let typed: Vec<OsString> = std::env::args_os().collect();
    if asks_for_sbom(&typed) {
        return Ok(Typed::Sbom);
    }
    let color = match When::asked(&typed) {
        When::Auto => ColorChoice::Auto,
        When::Always => ColorChoice::Always,
        When::Never => ColorChoice::Never,
    };
    let command = command();
    let typed = help_first(typed, &command);
    let matches = command.color(color).try_get_matches_from(typed)?;
    Arguments::from_arg_matches(&matches).map(|arguments| Typed::Arguments(Box::new(arguments)))
}

/// Whether the bill of materials is asked for, and nothing else.
fn asks_for_sbom(typed: &[OsString]) -> bool {
    let words = typed.get(1..).unwrap_or_default();
    let is_version = |word: &OsString| word == "--version" || word == "-V";
    words.len() == 2 && words.iter().any(is_version) && words.iter().any(|word| word == "--sbom")
}

/// `scrim ledger help verify` as `scrim help ledger verify`.
fn help_first(mut typed: Vec<OsString>, command: &Command) -> Vec<OsString> {
    let above = command
        .get_subcommands()
        .filter(|above| above.has_subcommands());
    let mut above = above.map(Command::get_name);
    if typed.get(2).is_some_and(|word| word == "help") && above.any(|name| typed[1] == name) {
        typed.swap(1, 2);
    }
    typed
}

/// All commands.
pub(crate) fn command() -> Command {
    // `help` is ours: it knows the catalog too.
    let mut command = Arguments::command()
        .disable_help_subcommand(true)
        .arg(sbom());
    let names: Vec<String> = names_of(&command);
    for name in names {
        command = command.mut_subcommand(&name, |command| finished(command, &name));
    }
    command
}

/// All commands, built, with the names that `help` takes as values: for completions.
pub(crate) fn completable() -> Command {
    let mut names: Vec<String> = names_of(&command());
    names.extend(Kind::ALL.map(|kind| kind.title().to_owned()));
    names.extend(CATALOG.iter().map(|entry| entry.name.to_owned()));
    names.sort_unstable();
    names.dedup();
    command().mut_subcommand("help", |help| {
        help.mut_arg("names", |argument| {
            argument.value_parser(PossibleValuesParser::new(names))
        })
    })
}

/// It is in the help and in completions from here; [`asks_for_sbom`] answers it.
fn sbom() -> Arg {
    Arg::new("sbom")
        .long("sbom")
        .action(ArgAction::SetTrue)
        .requires("version")
        .help("With `--version`: which crates the program is made of, as CycloneDX JSON")
}

fn names_of(command: &Command) -> Vec<String> {
    let names = command.get_subcommands().map(Command::get_name);
    names.map(str::to_owned).collect()
}

/// A command, named by its path, with what stands at the end of its help, and so its subcommands.
fn finished(command: Command, path: &str) -> Command {
    let mut parts: Vec<String> = Vec::new();
    let own = command.get_after_help().map(ToString::to_string);
    parts.extend(own.or_else(|| examples(path).map(str::to_owned)));
    if !command.has_subcommands() {
        parts.push(format!("Exit codes: {}", exit_codes(path)));
    }
    let names = names_of(&command);
    let mut command = command.after_help(parts.join("\n\n"));
    for name in names {
        let path = format!("{path} {name}");
        command = command.mut_subcommand(&name, |command| finished(command, &path));
    }
    command
}
