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

fn main() -> ExitCode {
    let arguments = match line::parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version go to standard output and are no failure.
            let failed = error.use_stderr();
            let text = error.render().to_string();
            if scrim::printable_lines(&text) == text {
                let _ = error.print();
            } else {
                outcome::talk(&text, paint::When::Never);
            }
            return ExitCode::from(if failed { 2 } else { 0 });
        }
    };
    match commands::run(&arguments) {
        Ok(outcome) => outcome.finish(arguments.color),
        Err(failure) => failure.finish(arguments.quiet, arguments.color),
    }
}
