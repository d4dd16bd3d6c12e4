//! The errors of a workload as text.

use scrim::metric::workload::ErrorSummary;
use scrim::release::WorkloadReport;
use scrim_text::Table;

use super::answers::number;

/// What was asked, and a line for all queries and for each type.
pub(super) fn workload(report: &WorkloadReport) -> String {
    let source = match (&report.random, &report.file) {
        (Some(random), _) => format!(
            "random, seed {}, share of type 1 {}, at least {} of the rows each; {} drawn again",
            random.seed, random.share, random.least, random.redrawn
        ),
        (None, file) => format!("from {}", file.as_deref().unwrap_or("a file")),
    };
    let mut table = Table::new(&[
        "relative error",
        "queries",
        "mean",
        "stddev",
        "median",
        "p75",
        "p90",
        "p95",
        "p99",
        "max",
    ]);
    for (name, summary) in [
        ("all queries", &report.all),
        ("type 1", &report.type1),
        ("type 2", &report.type2),
    ] {
        table.row(line(name, summary));
    }
    let mut text = format!("\nworkload  of `{}`: {source}\n\n{table}", report.of);
    if report.all.undefined > 0 {
        text.push_str(&format!(
            "left out: {} that select nothing in the original and so have no relative error\n",
            report.all.undefined
        ));
    }
    text
}

fn line(name: &str, summary: &ErrorSummary) -> Vec<String> {
    let numbers = [
        summary.mean,
        summary.stddev,
        summary.median,
        summary.p75,
        summary.p90,
        summary.p95,
        summary.p99,
        summary.max,
    ];
    let mut cells = vec![name.to_owned(), summary.queries.to_string()];
    cells.extend(numbers.map(|value| value.map_or_else(String::new, number)));
    cells
}
