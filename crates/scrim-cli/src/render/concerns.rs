//! What gives cause for concern, each with what to do.

use scrim::release::verdict::ConcernReport;
use scrim_text::wrapped;

use super::width::width;

/// The list of concerns; nothing where there is none.
pub(super) fn concerns(concerns: &[ConcernReport]) -> String {
    if concerns.is_empty() {
        return String::new();
    }
    let mut text = String::from("\n");
    for (number, concern) in (1..).zip(concerns) {
        let first = format!("{number}. ");
        let others = " ".repeat(first.len());
        text.push_str(&wrapped(&concern.text, width(), &first, &others));
        let advice = format!("What to do: {}", concern.suggestion);
        text.push_str(&wrapped(&advice, width(), &others, &others));
    }
    text
}

/// How many concerns there are, behind a verdict.
pub(super) fn with_concerns(concerns: &[ConcernReport]) -> String {
    match concerns.len() {
        0 => String::new(),
        1 => ", with 1 concern".to_owned(),
        many => format!(", with {many} concerns"),
    }
}
