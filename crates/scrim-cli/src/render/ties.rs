//! Tables that are equally good.

use scrim::release::report::Publication;
use serde_json::Value;

/// So many tables are printed; `--json` lists more.
const MOST_PRINTED: usize = 10;

/// How many tables are equally good, and the first of them.
pub(super) fn tables(answer: &Publication, count: u64) -> String {
    let complete = answer.ties_complete == Some(true);
    if count < 2 {
        return if complete {
            "\nno other table is equally good\n".to_owned()
        } else {
            String::new()
        };
    }
    let least = if complete { "" } else { "at least " };
    let mut text = format!(
        "\n{least}{count} tables are equally good; table 1 is published. Do not give away another beside it\n"
    );
    for (number, table) in (1..).zip(answer.ties.iter().take(MOST_PRINTED)) {
        text.push_str(&format!("table {number}\n"));
        for class in table
            .get("classes")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
        {
            text.push_str(&format!("  {}\n", line(class)));
        }
    }
    let more = answer.ties.len().saturating_sub(MOST_PRINTED);
    if more > 0 {
        text.push_str(&format!("--json lists {more} more\n"));
    }
    text
}

/// What a class shows, and its rows.
fn line(class: &Value) -> String {
    let values = class.get("values").and_then(Value::as_object);
    let shown: Vec<&str> = values
        .into_iter()
        .flat_map(|values| values.values())
        .filter_map(Value::as_str)
        .collect();
    let rows = class.get("rows").and_then(Value::as_array);
    let rows: Vec<String> = rows
        .into_iter()
        .flatten()
        .map(ToString::to_string)
        .collect();
    format!("{}: rows {}", shown.join(", "), rows.join(" "))
}
