//! Why nothing was published, and what would let it through.

use scrim::counted;
use scrim::release::refusal::{BestNode, Refusal, Suggestion};
use scrim_text::{Table, wrapped};

use super::width::width;

/// The promises that stand in the way at the best node, what the columns cost, and what would let the publication through.
pub(super) fn explained(refusal: Option<&Refusal>, suggestions: Option<&[Suggestion]>) -> String {
    let mut text = refusal.map_or_else(String::new, why);
    let suggestions = suggestions.unwrap_or_default();
    if !suggestions.is_empty() {
        text.push_str("\nany one of these lets it through, as was checked:\n");
    }
    for (number, suggestion) in (1..).zip(suggestions) {
        let first = format!("{number}. ");
        let others = " ".repeat(first.len());
        text.push_str(&wrapped(&suggestion.text, width(), &first, &others));
    }
    for what in refusal.iter().flat_map(|refusal| &refusal.not_tried) {
        text.push_str(&wrapped(what, width(), "not tried: ", "  "));
    }
    text
}

fn why(refusal: &Refusal) -> String {
    let mut text = String::from("\n") + &wrapped(&best(&refusal.best), width(), "", "");
    let mut table = Table::new(&[
        "promise",
        "number",
        "classes that break it",
        "rows",
        "worst",
        "asked",
    ]);
    for failed in &refusal.failed {
        table.row(vec![
            failed.model.to_owned(),
            (failed.privacy + 1).to_string(),
            failed.classes.to_string(),
            failed.rows.to_string(),
            failed.found.clone(),
            failed.required.clone(),
        ]);
    }
    if !refusal.failed.is_empty() {
        text.push_str(&format!("\n{table}"));
    }
    let is_short = |suppressed: u64| suppressed > refusal.best.allowed;
    if refusal.best.suppressed.is_some_and(is_short) {
        let mut table = Table::new(&["column, shown alone", "rows to suppress"]);
        for cost in &refusal.columns {
            let rows = cost.suppressed.map(|rows| rows.to_string());
            let rows = rows.unwrap_or_else(|| "cannot be shown".to_owned());
            table.row(vec![cost.column.clone(), rows]);
        }
        text.push_str(&format!("\n{table}"));
    }
    text
}

fn best(best: &BestNode) -> String {
    let levels = best.levels.iter();
    let levels: Vec<String> = levels
        .map(|(column, level)| format!("{column} {level}"))
        .collect();
    let levels = levels.join(", ");
    match best.suppressed {
        Some(suppressed) if suppressed <= best.allowed => format!(
            "a node shows something and keeps the promises (levels: {levels}); the search did not look at it"
        ),
        Some(suppressed) => format!(
            "the best node that shows something (levels: {levels}) has to suppress {}, and {} may be:",
            counted(suppressed, "row"),
            best.allowed
        ),
        None => format!(
            "no node shows something and keeps the promises, whatever may be suppressed; the one that comes closest (levels: {levels}):"
        ),
    }
}
