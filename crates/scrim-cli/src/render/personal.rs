//! The answer of `attack --personal` as text: numbers and row numbers, never a name, a value or a wish.

use scrim::adversary::{PersonalAttack, RowBreach};
use scrim::{counted, verb};
use scrim_text::Table;

/// So many of the worst rows are listed.
const WORST: usize = 10;

/// So many steps has the histogram, from 0 to 1.
const STEPS: usize = 10;

/// The whole answer.
pub(crate) fn personal(answer: &PersonalAttack) -> String {
    let verdict = if answer.above == 0 {
        "the attack finds nothing"
    } else {
        "the attack succeeds"
    };
    let exactly = answer.max_exact.as_deref().filter(|text| text.len() <= 40);
    let exactly = exactly.map_or_else(String::new, |text| format!(" ({text})"));
    let sought = match answer.external_persons {
        Some(persons) => {
            format!(
                "among the {} of the external table whom a class covers",
                counted(persons, "person")
            )
        }
        None => "among exactly the persons of a class".to_owned(),
    };
    let mut text = format!(
        "{verdict}: the breach probability of {} of {} is above {}\n\n\
         largest   {:.6}{exactly}\n\
         wishes    {} {} one\n\
         classes   {}\n\
         owners    {sought}, {} case\n",
        answer.above,
        counted(answer.rows.len(), "row"),
        answer.limit,
        answer.max,
        counted(answer.guarded, "row"),
        verb(answer.guarded, "has", "have"),
        answer.classes,
        answer.case
    );
    text.push_str(&format!("\n{}", worst(&answer.rows)));
    text.push_str(&format!("\n{}", histogram(&answer.curve)));
    text
}

/// The rows with the largest probabilities, in the order of the table where they are equal.
fn worst(rows: &[RowBreach]) -> Table {
    let mut order: Vec<&RowBreach> = rows.iter().filter(|row| row.breach > 0.0).collect();
    order.sort_by(|left, right| right.breach.total_cmp(&left.breach));
    let mut table = Table::new(&["row", "probability", "exact", "persons"]);
    for row in order.into_iter().take(WORST) {
        table.row(vec![
            row.row.to_string(),
            format!("{:.6}", row.breach),
            row.breach_exact
                .clone()
                .filter(|exact| exact.len() <= 21)
                .unwrap_or_default(),
            row.n.to_string(),
        ]);
    }
    table
}

/// How many rows have a probability above the step before, up to each.
fn histogram(curve: &[(f64, u64)]) -> Table {
    let mut steps = [0u64; STEPS + 1];
    for (probability, rows) in curve {
        let step = (probability * STEPS as f64 - 1e-9).ceil().max(1.0) as usize;
        let step = if *probability > 0.0 { step } else { 0 };
        steps[step.min(STEPS)] += rows;
    }
    let mut table = Table::new(&["probability", "rows"]);
    for (step, rows) in steps.iter().enumerate().filter(|(_, rows)| **rows > 0) {
        let label = match step {
            0 => "0".to_owned(),
            step => format!("up to {:.1}", step as f64 / STEPS as f64),
        };
        table.row(vec![label, rows.to_string()]);
    }
    table
}
