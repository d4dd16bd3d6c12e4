//! Decisions about somebody who knows the algorithm, and his attack, as text: rows by number, values never.

use scrim::counted;
use scrim::release::KnowingAttack;
use scrim::release::audit::DisclosureAudit;
use scrim::release::disclosure::DisclosureReport;
use scrim_text::Table;

/// A ratio with its fraction, where that is short; of a bound that it is one.
fn ratio(float: Option<f64>, exact: Option<&str>, method: &str) -> String {
    let at_most = if matches!(method, "certificate" | "union" | "sampling") {
        "at most "
    } else {
        ""
    };
    let float = float.map_or_else(
        || "unknown".to_owned(),
        |float| format!("{at_most}{float:.6}"),
    );
    match exact.filter(|exact| exact.len() <= 40) {
        Some(exact) => format!("{float} ({exact})"),
        None => float,
    }
}

/// How many tables, where that is short.
fn tables(size: Option<&str>) -> String {
    match size {
        None => "not counted".to_owned(),
        Some("1") => "1 table".to_owned(),
        Some(size) if size.len() <= 30 => format!("{size} tables"),
        Some(size) if size.contains('e') => format!("{size} tables"),
        Some(size) => format!("tables: a number of {} digits", size.len()),
    }
}

/// How a method is told.
fn method(name: &str) -> &str {
    match name {
        "public" => "every earlier refusal was certain, so it tells nothing",
        "symmetric" => "the classes split evenly, so the rows of a class stay alike",
        "counting" => "counted class by class, exactly",
        "frontier" => "counted across the steps, exactly",
        "literal" => "counted table by table, exactly",
        "histograms" => "counted histogram by histogram, exactly",
        "certificate" => "bounded without counting",
        "union" => "bounded without counting: a very unlikely refusal, by union bounds",
        "sampling" => "bounded by random tables",
        other => other,
    }
}

/// The decision of a publication.
pub(super) fn decision(report: &DisclosureReport) -> String {
    let step = match (report.step, report.judged) {
        (Some(step), _) => format!("step {step} of the chain `{}`", report.chain.kind),
        (None, Some(step)) => format!(
            "nothing; judged last: step {step} of the chain `{}`",
            report.chain.kind
        ),
        (None, None) => format!("no step of the chain `{}`", report.chain.kind),
    };
    let mut text = format!(
        "\nsomebody who knows the algorithm ({} strategy)\n",
        report.strategy
    );
    text.push_str(&format!("  released    {step}\n"));
    if let Some(name) = report.method {
        text.push_str(&format!("  decided     {} ({name})\n", method(name)));
        text.push_str(&format!(
            "  possible    {}\n",
            tables(report.size.as_deref())
        ));
        let ratio = ratio(report.max_ratio, report.max_ratio_exact.as_deref(), name);
        let row = report.witness.as_ref();
        let row = row.map_or_else(String::new, |witness| format!(", row {}", witness.row));
        text.push_str(&format!("  best ratio  {ratio}{row}\n"));
    }
    if let Some(certified) = report.certified.as_ref().and_then(|found| found.method) {
        text.push_str(&format!("  certified   by other means: {certified}\n"));
    }
    for other in &report.otherwise {
        text.push_str(&format!("  otherwise   {}\n", other.words));
    }
    text
}

/// What the certifier found.
pub(super) fn audited(found: &DisclosureAudit) -> String {
    let verdict = match (found.holds, found.strategy) {
        (true, "naive") => "not judged: the naive strategy promises nothing about it".to_owned(),
        (true, _) => "no more than is promised".to_owned(),
        (false, _) => found.why.clone().unwrap_or_default(),
    };
    let mut text = format!("\nsomebody who knows the algorithm believes: {verdict}\n");
    if let (Some(method), Some(step)) = (found.method, found.step) {
        text.push_str(&format!(
            "  step {step}, best ratio {}, found by {method}\n",
            ratio(found.max_ratio, found.max_ratio_exact.as_deref(), method)
        ));
    }
    text
}

/// The answer of `attack --knows-algorithm`.
pub(crate) fn knowing(answer: &KnowingAttack) -> String {
    if let Some(why) = &answer.unsound {
        return format!(
            "the sequence is unsound: {why}\nwhat somebody who knows the algorithm learns from this release is not bounded\n"
        );
    }
    let verdict = match answer.holds {
        Some(true) => "the attack finds nothing that the policy forbids",
        Some(false) => "the attack succeeds",
        None => "whether the attack succeeds could not be decided",
    };
    let mut text = format!(
        "{verdict}: of {} of {} something is believed more than their class says\n\n",
        answer.risen,
        counted(answer.of, "row")
    );
    if let (Some(step), Some(name)) = (answer.step, answer.method) {
        let before = answer.before.unwrap_or_default();
        text.push_str(&format!(
            "release     step {step} of the sequence, {} strategy\n\
             found       {} ({name})\n\
             possible    {}\n\
             best ratio  {}, {before:.6} without knowing the algorithm\n",
            answer.strategy,
            method(name),
            tables(answer.size.as_deref()),
            ratio(answer.max, answer.max_exact.as_deref(), name)
        ));
    }
    if !answer.worst.is_empty() {
        let mut table = Table::new(&["row", "before", "after", "exact"]);
        for row in &answer.worst {
            let exact = row.ratio_exact.clone().filter(|exact| exact.len() <= 21);
            table.row(vec![
                row.row.to_string(),
                format!("{:.6}", row.before),
                format!("{:.6}", row.ratio),
                exact.unwrap_or_default(),
            ]);
        }
        text.push_str(&format!("\n{table}"));
    }
    text
}
