//! `scrim completions`: a script for a shell.

use clap_complete::shells;

use crate::line::completable;
use crate::manual::Shell;
use crate::outcome::Outcome;

pub(super) fn run(shell: Shell) -> Outcome {
    let mut command = completable();
    let mut script = Vec::new();
    let out = &mut script;
    match shell {
        Shell::Bash => clap_complete::generate(shells::Bash, &mut command, "scrim", out),
        Shell::Zsh => clap_complete::generate(shells::Zsh, &mut command, "scrim", out),
        Shell::Fish => clap_complete::generate(shells::Fish, &mut command, "scrim", out),
        Shell::Powershell => {
            clap_complete::generate(shells::PowerShell, &mut command, "scrim", out);
        }
        Shell::Elvish => clap_complete::generate(shells::Elvish, &mut command, "scrim", out),
    }
    Outcome::yes(String::from_utf8_lossy(&script).into_owned())
}
