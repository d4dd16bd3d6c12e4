//! What `help`, `completions` and `man` take.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// What `help` takes.
#[derive(Debug, Args)]
#[command(after_help = HELP)]
pub(crate) struct HelpArguments {
    /// A command, a name of the catalog, after its kind where it is of two (`model personal`), or a word of the glossary
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Print only the example: what is typed, or a whole policy for the table of `scrim demo`
    #[arg(long)]
    pub(crate) example: bool,
}

const HELP: &str = "\
Examples:
  scrim help publish                                     a command
  scrim help k-anonymity                                 a model: definition, keys, example, limits
  scrim help model personal                              the model, not the attack of the same name
  scrim help metric                                      all metrics
  scrim help quasi                                       a word: what is a quasi-identifier?
  scrim help page policy                                 a page of the docs: the policy file, key by key
  scrim help mondrian --example > demo/mondrian.toml     then: scrim publish demo/mondrian.toml";

/// What `completions` takes.
#[derive(Debug, Args)]
#[command(after_help = COMPLETIONS)]
pub(crate) struct CompletionArguments {
    /// The shell
    pub(crate) shell: Shell,
}

const COMPLETIONS: &str = "\
Examples:
  scrim completions bash > ~/.local/share/bash-completion/completions/scrim
  scrim completions zsh > ~/.zfunc/_scrim                with `fpath+=~/.zfunc` before compinit
  scrim completions fish > ~/.config/fish/completions/scrim.fish
  scrim completions powershell >> $PROFILE
  scrim completions elvish >> ~/.config/elvish/rc.elv";

/// A shell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shell {
    /// Bourne again
    Bash,
    /// Z shell
    Zsh,
    /// Friendly
    Fish,
    /// Microsoft's
    Powershell,
    /// Elvish
    Elvish,
}

/// What `man` takes.
#[derive(Debug, Args)]
#[command(after_help = MAN)]
pub(crate) struct ManArguments {
    /// Write a page a command into this folder, instead of the main page to standard output
    #[arg(long, short, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

const MAN: &str = "\
Examples:
  scrim man | man -l -                                   read the main page
  scrim man -o ~/.local/share/man/man1                   install all pages; then: man scrim-publish";
