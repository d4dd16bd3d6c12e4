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
    for (column, role) in &asked.role {
        survey.decide(column, *role)?;
    }
    let asks = !asked.yes && !asked.accept_guesses && !quiet && Terminal::has_somebody();
    if !asks && !asked.accept_guesses {
        survey.must_be_sure()?;
    }
    if asks {
        let unsure: Vec<_> = survey.profile().guessed().cloned().collect();
        for column in &unsure {
            // What says the same as another column was decided with it.
            if !is_guessed(&survey, &column.name) {
                continue;
            }
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

fn is_guessed(survey: &Survey, name: &str) -> bool {
    let mut guessed = survey.profile().guessed();
    guessed.any(|column| column.name == name)
}
