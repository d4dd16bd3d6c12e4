//! `scrim risk`.

use scrim_io::pipeline::{PopulationSource, measure_risk};

use super::{outcome, remarks};
use crate::arguments::Command;
use crate::outcome::{Failure, Outcome};
use crate::render;
use crate::terminal::Terminal;

pub(super) fn run(
    command: &Command,
    json: bool,
    quiet: bool,
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    let Command::Risk {
        file,
        policy,
        population,
        fraction,
        threshold,
    } = command
    else {
        return Err(Failure::new("this is no question about risk", None));
    };
    let population = match (population, fraction) {
        (Some(file), _) => PopulationSource::File(file.clone()),
        (None, Some(fraction)) => PopulationSource::Fraction(*fraction),
        (None, None) => PopulationSource::Unknown,
    };
    let answer = measure_risk(file, policy, &population, *threshold, terminal)?;
    let talk = remarks(&answer.remarks, quiet);
    outcome(json, true, &answer, || render::risk(&answer), &talk)
}
