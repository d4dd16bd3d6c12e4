//! The answer of `attack --similarity` as text.

use scrim::adversary::Similarity;
use scrim::counted;
use scrim_text::Table;

/// The answer of `attack --similarity`.
pub(crate) fn similarity(answer: &Similarity) -> String {
    let verdict = if answer.records == 0 {
        "the attack finds nothing"
    } else {
        "the attack succeeds"
    };
    let mut text = format!(
        "{verdict}: {} of {}, in {} of {}, with sensitive values of one category\n\
         {} in {} with one value only\n",
        answer.records,
        counted(answer.of.records, "row"),
        answer.classes,
        counted(answer.of.classes, "class"),
        counted(answer.homogeneous.records, "row"),
        counted(answer.homogeneous.classes, "class")
    );
    if !answer.by_category.is_empty() {
        let mut table = Table::new(&["category", "classes", "rows"]);
        for (category, affected) in &answer.by_category {
            table.row(vec![
                category.clone(),
                affected.classes.to_string(),
                affected.records.to_string(),
            ]);
        }
        text.push_str(&format!("\n{table}"));
    }
    let mut table = Table::new(&["model", "rules it out", "because"]);
    for model in &answer.models {
        let ruled_out = if model.rules_out { "yes" } else { "no" };
        table.row(vec![
            model.model.to_owned(),
            ruled_out.to_owned(),
            model.because.clone(),
        ]);
    }
    text.push_str(&format!("\n{table}"));
    text
}
