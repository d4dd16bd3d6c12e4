//! The answer of `attack --linkage` as text: numbers and row numbers, never a name or a value.

use scrim::adversary::LinkageAttack;
use scrim::counted;

use super::risk::sizes;

/// So many external rows are listed.
const ROWS: usize = 10;

/// The whole answer.
pub(crate) fn linkage(answer: &LinkageAttack) -> String {
    let verdict = if answer.succeeds() {
        "the attack succeeds"
    } else {
        "the attack finds nothing for sure"
    };
    let mut text = format!(
        "{verdict}: of {} external persons {} match exactly one row",
        answer.external, answer.matched_one
    );
    if answer.of.is_some() {
        text.push_str(&format!(
            ", and the sensitive value of {} is certain",
            answer.certain
        ));
    }
    if answer.certain_taxon > 0 {
        text.push_str(&format!(
            "; of {} all that is certain is a taxon above several values",
            answer.certain_taxon
        ));
    }
    text.push_str(&format!(
        "\n\nlinked by  {}\nrelease    {}, in {}\nexternal   {}: {} match some row, {} match none\n",
        answer.columns.join(", "),
        counted(answer.rows, "row"),
        counted(answer.classes, "class"),
        counted(answer.external, "person"),
        answer.matched,
        answer.unmatched
    ));
    text.push_str(&format!(
        "expected   {:.3}{} right matches, if all who match are in the release and a row is guessed for each\n\
         \x20          {:.3}{} right matches, if a person is guessed for each row\n",
        answer.expected_matches,
        exactly(answer.expected_matches_exact.as_deref()),
        answer.expected_by_row,
        exactly(answer.expected_by_row_exact.as_deref()),
    ));
    if let Some(of) = &answer.of {
        text.push_str(&format!(
            "above {}  {}, by `{of}`: {}\n",
            answer.limit_exact,
            counted(answer.above_limit, "person"),
            answer.measured
        ));
    }
    text.push_str(&rows(
        "matched to one row",
        answer.matched_one,
        &answer.matched_one_rows,
    ));
    text.push_str(&rows("certain", answer.certain, &answer.certain_rows));
    text.push_str(&rows(
        "only a taxon is certain",
        answer.certain_taxon,
        &answer.certain_taxon_rows,
    ));
    text.push_str(&format!(
        "\n{}",
        sizes("persons", "matching rows", &answer.sizes)
    ));
    text
}

fn exactly(exact: Option<&str>) -> String {
    exact
        .filter(|text| text.contains('/'))
        .map_or_else(String::new, |text| format!(" ({text})"))
}

/// Where the persons stand in the external table.
fn rows(what: &str, all: u64, rows: &[u64]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let told: Vec<String> = rows.iter().take(ROWS).map(u64::to_string).collect();
    let more = if all > told.len() as u64 { ", …" } else { "" };
    format!("{what}: external rows {}{more}\n", told.join(", "))
}
