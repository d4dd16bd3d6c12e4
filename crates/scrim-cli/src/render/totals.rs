//! The answer of `attack --totals` as text: counts, and values only where every cell is asked for.

use scrim::adversary::{FilledClasses, TotalsAttack, TotalsColumn};
use scrim::counted;
use scrim_text::Table;

/// The answer of `attack --totals`.
pub(crate) fn totals(answer: &TotalsAttack) -> String {
    let sum = |count: fn(&TotalsColumn) -> u64| answer.columns.iter().map(count).sum::<u64>();
    let inferred = sum(|column| column.inferred + column.missing_inferred);
    let hidden = sum(|column| column.hidden + column.missing);
    let verdict = if answer.succeeds() {
        "the attack succeeds"
    } else {
        "the attack finds nothing"
    };
    let mut text =
        format!("{verdict}: {inferred} of {hidden} hidden values follow from the totals\n\n");
    let mut table = Table::new(&[
        "column",
        "hidden cells",
        "certain",
        "narrowed",
        "rows left out",
        "certain",
        "largest probability",
    ]);
    for column in &answer.columns {
        let max = match (&column.max_exact, column.max) {
            (Some(exact), _) if exact.len() <= 21 => exact.clone(),
            (_, Some(max)) => format!("{max:.6}"),
            (_, None) => String::new(),
        };
        table.row(vec![
            column.column.clone(),
            column.hidden.to_string(),
            column.inferred.to_string(),
            column.narrowed.to_string(),
            column.missing.to_string(),
            column.missing_inferred.to_string(),
            max,
        ]);
    }
    text.push_str(&table.to_string());
    let line = |when: &str, classes: &FilledClasses| {
        let below = match (classes.below_k, answer.k) {
            (Some(rows), Some(k)) => {
                format!(", {} in classes of fewer than {k}", counted(rows, "row"))
            }
            _ => String::new(),
        };
        format!(
            "{when} {}, the smallest of {}, {} alone{below}\n",
            counted(classes.classes, "class"),
            counted(classes.smallest, "row"),
            counted(classes.unique, "row")
        )
    };
    text.push_str(&format!(
        "\n{}{}",
        line("as published:        ", &answer.before),
        line("certain cells filled:", &answer.after)
    ));
    if let Some(cells) = &answer.cells {
        let mut table = Table::new(&["row", "column", "value"]);
        for cell in cells {
            table.row(vec![
                cell.row.to_string(),
                cell.column.clone(),
                cell.value.clone(),
            ]);
        }
        text.push_str(&format!("\n{table}"));
    }
    text
}
