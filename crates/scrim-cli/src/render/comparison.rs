//! The answer of `publish --compare` as text: how each algorithm ended, a line each as soon as it is known, then a table of costs and a
//! list of reasons, of at most 100 columns.

use scrim::metric::{MetricId, Metrics};
use scrim::release::audit::ClassSizes;
use scrim::release::comparison::{Compared, Comparison, SENSITIVE_LOSS, Verdict};
use scrim_text::{Table, wrapped};

/// Lines are no longer than this.
const WIDTH: usize = 100;

/// The digits of a cost.
const DIGITS: usize = 6;

/// All that is known only when every algorithm has ended.
pub(crate) fn comparison(answer: &Comparison) -> String {
    let certified = |one: &&Compared| one.verdict == Verdict::Certified;
    let all = answer.compared.len() + answer.interrupted.len();
    let mut text = format!(
        "\n{} of {all} algorithms certified under {}; nothing was published\n",
        answer.compared.iter().filter(certified).count(),
        answer.policy
    );
    if !answer.interrupted.is_empty() {
        let names = answer.interrupted.join(", ");
        text.push_str(&wrapped(
            &format!("interrupted: {names} did not run to the end"),
            WIDTH,
            "",
            "  ",
        ));
    }
    if answer.compared.iter().any(|one| one.metrics.is_some()) {
        text.push_str(&format!("\n{}\n{LEGEND}", costs(answer)));
    }
    text.push_str(&notes(answer));
    text
}

const LEGEND: &str = "\
> the policy's own algorithm   [ ] what the policy optimizes   * the best of the certified
of prec more is better, of all others less; distort: distortion ratio, info: information loss,
mean: mean loss, discern: discernibility, class: average class size, sens.: sensitive values alone\n";

/// A measure: its key, its heading, and its value in words, where a release has it.
type Measure = (
    String,
    &'static str,
    Box<dyn Fn(&Metrics) -> Option<String>>,
);

fn measures() -> Vec<Measure> {
    let mut measures: Vec<Measure> = MetricId::ALL
        .into_iter()
        .map(|id| -> Measure {
            let value = move |metrics: &Metrics| Some(shown(id, metrics));
            (id.key(), heading(id), Box::new(value))
        })
        .collect();
    let lost = |metrics: &Metrics| metrics.sensitive_loss.map(compact);
    measures.push((SENSITIVE_LOSS.to_owned(), "sens.", Box::new(lost)));
    measures
}

fn shown(id: MetricId, metrics: &Metrics) -> String {
    match metrics.discernibility {
        squares @ ..1_000_000 if id == MetricId::Discernibility => squares.to_string(),
        _ => compact(id.value_in(metrics)),
    }
}

fn heading(id: MetricId) -> &'static str {
    match id {
        MetricId::Prec => "prec",
        MetricId::DistortionRatio => "distort",
        MetricId::InformationLoss => "info",
        MetricId::Loss => "loss",
        MetricId::LossMean => "mean",
        MetricId::Discernibility => "discern",
        MetricId::AverageClassSize => "class",
        MetricId::Entropy => "entropy",
    }
}

/// The cost of each release by each measure that some release has.
fn costs(answer: &Comparison) -> Table {
    let told: Vec<(&Compared, &Metrics)> = answer
        .compared
        .iter()
        .filter_map(|one| Some((one, one.metrics.as_ref()?)))
        .collect();
    let mut measures = measures();
    measures.retain(|(_, _, value)| told.iter().any(|(_, metrics)| value(metrics).is_some()));
    let mut headings = vec!["  cost by metric".to_owned()];
    headings.extend(measures.iter().map(|(key, heading, _)| {
        let optimized = *key == answer.metric;
        let heading = if optimized {
            format!("[{heading}]")
        } else {
            (*heading).to_owned()
        };
        format!("{heading:>DIGITS$}")
    }));
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut table = Table::new(&headings);
    for (one, metrics) in told {
        let cell = |(key, _, value): &Measure| {
            let best = if answer.is_best(key, one.algorithm) {
                "*"
            } else {
                ""
            };
            value(metrics).map_or_else(String::new, |value| format!("{value:>DIGITS$}{best}"))
        };
        let mut row = vec![named(one)];
        row.extend(measures.iter().map(cell));
        table.row(row);
    }
    table
}

fn named(one: &Compared) -> String {
    let mark = if one.chosen { ">" } else { " " };
    format!("{mark} {}", one.algorithm)
}

/// A number in six places; JSON has all.
fn compact(value: f64) -> String {
    match value.abs() {
        size if size < 9.999_95 => format!("{value:.4}"),
        size if size < 99.999_5 => format!("{value:.3}"),
        size if size < 999.995 => format!("{value:.2}"),
        size if size < 9_999.95 => format!("{value:.1}"),
        size if size < 999_999.5 => format!("{value:.0}"),
        _ => format!("{value:.2e}"),
    }
}

/// What stands above the lines of [`ending`].
pub(crate) fn ending_heading() -> String {
    line([
        "  algorithm",
        "verdict",
        "recoding",
        "classes",
        "min",
        "mean",
        "max",
        "suppr.",
        "proven",
        "seconds",
    ])
}

/// How an algorithm ended.
pub(crate) fn ending(one: &Compared) -> String {
    let classes =
        |told: fn(&ClassSizes) -> String| one.classes.as_ref().map_or_else(String::new, told);
    let ran = one.verdict != Verdict::NotApplicable;
    let seconds = ran.then(|| format!("{:.3}", one.seconds.search));
    let suppressed = one.rows.map(|rows| rows.suppressed.to_string());
    line([
        &named(one),
        &one.verdict.to_string(),
        one.recoding.as_ref().map_or("", |recoding| recoding.kind),
        &classes(|classes| classes.count.to_string()),
        &classes(|classes| classes.min.to_string()),
        &classes(|classes| format!("{:.1}", classes.mean)),
        &classes(|classes| classes.max.to_string()),
        &suppressed.unwrap_or_default(),
        proven(one),
        &seconds.unwrap_or_default(),
    ])
}

/// Columns of a fixed width: the lines to come are not known yet.
fn line(cells: [&str; 10]) -> String {
    let [name, verdict, recoding, numbers @ .., proven, seconds] = cells;
    let [classes, min, mean, max, suppressed] = numbers;
    let line = format!(
        "{name:<14}  {verdict:<14}  {recoding:<11} {classes:>7} {min:>6} {mean:>8} {max:>7} {suppressed:>6}  {proven:<7} {seconds:>7}"
    );
    format!("{}\n", line.trim_end())
}

fn proven(one: &Compared) -> &'static str {
    match (one.verdict, one.optimal, one.timed_out) {
        (Verdict::Refused, _, true) => "time up",
        (Verdict::NotApplicable | Verdict::Refused, ..) => "",
        (_, true, _) => "yes",
        (_, false, true) => "time up",
        (_, false, false) => "no",
    }
}

/// Why some are not certified, how far others may be from the best, and what else is to be known.
fn notes(answer: &Comparison) -> String {
    let mut notes: Vec<(Vec<&str>, String)> = Vec::new();
    let mut note = |name, words: String| match notes.iter_mut().find(|(_, told)| *told == words) {
        Some((names, _)) => names.push(name),
        None => notes.push((vec![name], words)),
    };
    for one in &answer.compared {
        if let Some(reason) = &one.reason {
            note(one.algorithm, format!("{}: {reason}", one.verdict));
        }
        for model in one.models.iter().filter(|model| !model.holds) {
            note(one.algorithm, format!("`{}` is broken", model.model));
        }
        let metrics = one.metrics.as_ref().filter(|_| !one.optimal);
        if let Some((bound, gap)) = metrics.and_then(|it| it.bound.zip(it.gap)) {
            let (bound, gap) = (compact(bound), compact(gap));
            note(
                one.algorithm,
                format!(
                    "no release is better than {bound} by the optimized metric; this one is {gap} away from it"
                ),
            );
        }
        for remark in &one.remarks {
            note(one.algorithm, remark.clone());
        }
    }
    let mut text = String::new();
    for (names, words) in notes {
        let gap = if text.is_empty() { "\n" } else { "" };
        let names = names.join(", ");
        text.push_str(&format!(
            "{gap}{}",
            wrapped(&format!("{names}: {words}"), WIDTH, "", "  ")
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_of_number_takes_six_places() {
        for (value, shown) in [
            (0.0, "0.0000"),
            (0.892_36, "0.8924"),
            (9.999_96, "10.000"),
            (99.999_6, "100.00"),
            (999.996, "1000.0"),
            (12_345.678, "12346"),
            (999_999.4, "999999"),
            (1_234_567.0, "1.23e6"),
        ] {
            assert_eq!(compact(value), shown);
        }
    }
}
