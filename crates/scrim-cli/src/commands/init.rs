//! `scrim init`.

use scrim::table::Role;
use scrim_io::pipeline::{Door as _, InitRequest, Survey};

use super::{outcome, remarks};
use crate::init::InitArguments;
use crate::outcome::{Failure, Outcome};
use crate::render;
use crate::terminal::Terminal;

pub(super) fn run(
    asked: &InitArguments,
    json: bool,
    quiet: bool,
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    let mut survey = Survey::read(&asked.data, terminal)?;
    for column in &asked.sensitive {
        survey.decide(column, Role::Sensitive)?;
    }
    if !asked.yes && !quiet && Terminal::has_somebody() {
        let unsure = survey.profile().columns.iter();
        let unsure: Vec<_> = unsure
            .filter(|column| column.guess.unsure)
            .cloned()
            .collect();
        for column in &unsure {
            let mut role = terminal.ask_role(column)?;
            while let Err(error) = survey.decide(&column.name, role) {
                terminal.say(&error.to_string());
                role = terminal.ask_role(column)?;
            }
        }
    }
    let request = InitRequest {
        dir: asked.out.clone(),
        k: asked.k,
        force: asked.force,
    };
    let answer = survey.write(&request, terminal)?;
    let talk = remarks(&answer.remarks, quiet);
    outcome(json, true, &answer, || render::init(&answer), &talk)
}
