//! The examples of entries, as policies over the table that `scrim demo` makes.
//!
//! **Reading.** An example shows what an entry needs beyond a common policy. Its `[columns]`, where it has them, stand in place of
//! the columns of the same name.

/// The columns of the sample hospital.
const COLUMNS: [(&str, &str); 10] = [
    ("patient", r#"{ role = "person" }"#),
    ("name", r#"{ role = "identifier" }"#),
    (
        "age",
        r#"{ role = "quasi", hierarchy = { intervals = { from = 0, to = 119, widths = [5, 10, 20, 40] } } }"#,
    ),
    ("sex", r#"{ role = "quasi" }"#),
    (
        "zip",
        r#"{ role = "quasi", hierarchy = { mask = "right" } }"#,
    ),
    ("job", r#"{ role = "quasi", hierarchy = "job.csv" }"#),
    (
        "admitted",
        r#"{ role = "quasi", hierarchy = { dates = ["month", "year"] } }"#,
    ),
    (
        "diagnosis",
        r#"{ role = "sensitive", hierarchy = "diagnosis.csv" }"#,
    ),
    ("wish", r#"{ role = "identifier" }"#),
    ("ward", r#"{ role = "insensitive" }"#),
];

/// A whole policy around what an example shows.
pub(super) fn policy(name: &str, example: &str) -> String {
    let (own, rest) = match example.split_once("\n\n") {
        Some((columns, rest)) if columns.starts_with("[columns]") => (columns, rest),
        _ => ("[columns]", example),
    };
    let mut lines = own.lines();
    let heading = lines.next().unwrap_or("[columns]");
    let own: Vec<(&str, &str)> = lines.filter_map(|line| line.split_once(" = ")).collect();
    let mut text = format!("# `scrim help {name}` on the table of `scrim demo`\n\n");
    text.push_str("[data]\npath = \"patients.csv\"\n\n");
    text.push_str(heading);
    text.push('\n');
    for (column, line) in COLUMNS {
        let line = own
            .iter()
            .find(|(name, _)| *name == column)
            .map_or(line, |(_, line)| line);
        text.push_str(&format!("{column} = {line}\n"));
    }
    text.push('\n');
    text.push_str(rest);
    text.push_str(&format!("\n[release]\ndir = \"release-{name}\"\n"));
    text
}
