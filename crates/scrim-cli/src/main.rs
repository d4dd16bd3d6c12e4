//! The `scrim` command: a thin door. It translates arguments into the library's calls and their answers into text or
//! JSON; it decides nothing.
//!
//! Data go to standard output, talk to standard error. Exit 0: it holds. 1: the answer is no. 2: could not run.

mod arguments;
mod ask;
mod ask_role;
mod bench;
mod commands;
mod demo;
mod examples;
mod glossary;
mod init;
mod ledger;
mod line;
mod manual;
mod outcome;
mod pages;
mod paint;
mod render;
mod reproduce;
mod size;
mod terminal;
mod workload;

use std::process::ExitCode;

use line::Typed;
use outcome::Outcome;
use paint::When;

/// The crates that the program is made of; `supply-chain/sbom` writes it.
const SBOM: &str = include_str!("../sbom.cdx.json");

/// A file that grows beyond the limit of the shell (`ulimit -f`) is an error of the write, told like a full disk, and does not
/// end the process, which would leave staged files and a core dump. Threads that are started later inherit this.
fn hold_back_file_size_signal() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        let mut signals = SigSet::empty();
        signals.add(Signal::SIGXFSZ);
        // Where it cannot be held back, the process ends as before.
        let _ = signals.thread_block();
    }
}

fn main() -> ExitCode {
    hold_back_file_size_signal();
    scrim_io::silence_guarded_panics();
    let arguments = match line::parse() {
        Ok(Typed::Arguments(arguments)) => arguments,
        Ok(Typed::Sbom) => return Outcome::yes(SBOM.to_owned()).finish(When::Never),
        Err(error) => {
            // Help and version go to standard output and are no failure.
            let failed = error.use_stderr();
            let text = error.render().to_string();
            if scrim::printable_lines(&text) == text {
                let _ = error.print();
            } else {
                outcome::talk(&text, When::Never);
            }
            return ExitCode::from(if failed { 2 } else { 0 });
        }
    };
    match commands::run(&arguments) {
        Ok(outcome) => outcome.finish(arguments.color),
        Err(failure) => failure.finish(arguments.quiet, arguments.color),
    }
}
