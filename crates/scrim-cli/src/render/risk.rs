//! The answer of `risk` as text: counts, columns and row numbers, never a value.

use scrim::adversary::{Band, JournalistRisk, Risk, Uniqueness};
use scrim::{counted, verb};
use scrim_text::Table;

/// So many pairs of columns are listed.
const PAIRS: usize = 5;

/// The whole answer.
pub(crate) fn risk(answer: &Risk) -> String {
    let many = answer.counted;
    let one = many.trim_end_matches('s');
    let mut text = format!(
        "{} of {} {} alone in their class ({}), {} {} above a risk of {} ({})\n\n",
        answer.unique,
        counted(answer.persons.unwrap_or(answer.rows), one),
        verb(answer.unique, "is", "are"),
        percent(answer.unique_share),
        answer.prosecutor.above,
        verb(answer.prosecutor.above, "is", "are"),
        answer.threshold_exact,
        percent(answer.prosecutor.above_share)
    );
    text.push_str(&format!("rows      {}", answer.rows));
    if let Some(persons) = answer.persons {
        text.push_str(&format!(", of {}", counted(persons, "person")));
    }
    text.push_str(&format!(
        "\nclasses   {}, the smallest of {}{}\n",
        answer.classes,
        counted(answer.smallest, one),
        rows_of(answer)
    ));
    text.push_str(&format!("\n{}", risks(answer)));
    if let Some(journalist) = &answer.journalist {
        text.push_str(&told(journalist));
    } else {
        text.push_str(
            "\nthe population is not known: --population TABLE or --fraction F tells the journalist's risk\n",
        );
    }
    text.push_str(&format!("\n{}", sizes(many, "class size", &answer.sizes)));
    text.push_str(&format!("\n{}", columns(answer)));
    if !answer.pairs.is_empty() {
        text.push_str(&format!("\n{}", pairs(answer)));
    }
    if !answer.quasi_identifiers.is_empty() {
        text.push_str(&format!("\n{}", several(answer)));
    }
    if let Some(uniqueness) = &answer.uniqueness {
        text.push_str(&format!("\n{}", estimates(uniqueness)));
    }
    text
}

/// The quasi-identifiers that promises name.
fn several(answer: &Risk) -> Table {
    let below = format!("{} below k", answer.counted);
    let mut table = Table::new(&[
        "quasi-identifier",
        "classes",
        "smallest",
        "k",
        &below,
        "alone",
        "largest risk",
        "mean",
    ]);
    for own in &answer.quasi_identifiers {
        table.row(vec![
            own.columns.join(", "),
            own.classes.to_string(),
            own.smallest.to_string(),
            own.k.to_string(),
            own.below_k.to_string(),
            own.unique.to_string(),
            format!("{:.6}", own.prosecutor.max),
            format!("{:.6}", own.prosecutor.mean),
        ]);
    }
    table
}

fn rows_of(answer: &Risk) -> String {
    let rows: Vec<String> = answer.smallest_rows.iter().map(u64::to_string).collect();
    if rows.is_empty() {
        return String::new();
    }
    format!(" (first rows {})", rows.join(", "))
}

fn risks(answer: &Risk) -> Table {
    let mut table = Table::new(&["risk", "largest", "mean", "above"]);
    let prosecutor = &answer.prosecutor;
    table.row(vec![
        "prosecutor: known to be in the table".to_owned(),
        format!("{:.6}", prosecutor.max),
        format!("{:.6}", prosecutor.mean),
        prosecutor.above.to_string(),
    ]);
    if let Some(journalist) = &answer.journalist {
        let words = if journalist.basis == "fraction" {
            "journalist: known to be in the population, estimated"
        } else {
            "journalist: known to be in the population"
        };
        table.row(vec![
            words.to_owned(),
            format!("{:.6}", journalist.max),
            format!("{:.6}", journalist.mean),
            journalist.above.to_string(),
        ]);
    }
    table.row(vec![
        "marketer: expected to be found, of all".to_owned(),
        String::new(),
        format!("{:.6}", answer.marketer),
        String::new(),
    ]);
    table
}

fn told(journalist: &JournalistRisk) -> String {
    let mut text = format!("\njournalist: {}\n", journalist.assumption);
    if let Some(unique) = journalist.unique {
        text.push_str(&format!(
            "{unique} {} alone in the population too\n",
            verb(unique, "is", "are")
        ));
    }
    text
}

/// Sizes with how many have them.
pub(super) fn sizes(counted: &str, of: &str, bands: &[Band]) -> Table {
    let with_classes = bands.iter().any(|band| band.classes.is_some());
    let mut heading = vec![of];
    if with_classes {
        heading.push("classes");
    }
    heading.extend([counted, "share"]);
    let mut table = Table::new(&heading);
    for band in bands {
        let mut row = vec![band.label()];
        if with_classes {
            row.push(band.classes.unwrap_or(0).to_string());
        }
        row.extend([band.records.to_string(), percent(band.share)]);
        table.row(row);
    }
    table
}

fn columns(answer: &Risk) -> Table {
    let mut table = Table::new(&[
        "column",
        "values",
        "distinction",
        "separation",
        "alone by it",
        "alone through it",
        "above through it",
    ]);
    for column in &answer.columns {
        table.row(vec![
            column.column.clone(),
            column.values.to_string(),
            format!("{:.6}", column.distinction),
            format!("{:.6}", column.separation),
            column.unique.to_string(),
            column.unique_through.to_string(),
            column.above_through.to_string(),
        ]);
    }
    table
}

fn pairs(answer: &Risk) -> String {
    let mut table = Table::new(&[
        "two columns",
        "values",
        "distinction",
        "separation",
        "alone by them",
        "above by them",
    ]);
    for pair in answer.pairs.iter().take(PAIRS) {
        table.row(vec![
            pair.columns.join(", "),
            pair.values.to_string(),
            format!("{:.6}", pair.distinction),
            format!("{:.6}", pair.separation),
            pair.unique.to_string(),
            pair.above.to_string(),
        ]);
    }
    let rest = answer.pairs.len().saturating_sub(PAIRS);
    let more = if rest > 0 {
        format!("… {} (--json for all)\n", counted(rest, "more pair"))
    } else {
        String::new()
    };
    format!("{table}{more}")
}

fn estimates(uniqueness: &Uniqueness) -> String {
    let heading = [
        "estimate",
        "alone in the population",
        "share",
        "usable for, or why not",
    ];
    let mut table = Table::new(&heading);
    for estimate in &uniqueness.estimates {
        let found = estimate.unique.zip(estimate.share);
        let found = found.map(|(unique, share)| (format!("{unique:.1}"), percent(share)));
        let remark = estimate.why.unwrap_or(estimate.usable);
        let (unique, share) = found.unwrap_or_else(|| ("not estimable".to_owned(), String::new()));
        table.row(vec![
            estimate.model.to_owned(),
            unique,
            share,
            remark.to_owned(),
        ]);
    }
    let mut text = format!(
        "a sample of {} of a population of {}\n{table}",
        percent(uniqueness.fraction),
        uniqueness.population
    );
    text.push_str(&format!(
        "by the rule, {}: {}\n",
        uniqueness.chosen, uniqueness.rule
    ));
    for estimate in &uniqueness.estimates {
        text.push_str(&format!("{}: {}\n", estimate.model, estimate.assumption));
    }
    text
}

/// A share as people say it.
pub(super) fn percent(share: f64) -> String {
    format!("{:.2}%", share * 100.0)
}
