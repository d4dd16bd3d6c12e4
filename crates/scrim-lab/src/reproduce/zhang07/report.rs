//! The study as tables, files and pictures.

use serde_json::{Value, json};

use super::super::findings::{Findings, rounded};
use super::kinds::{Promise, Steps};
use super::people::{People, QUASI, SECRET};
use super::study::{Came, Run};
use super::summary::{Summary, percent, summaries};
use super::{Line, Part, Verdict};
use crate::plot::{Axis, Chart, Form, Point, Scale, Series};

/// The table that tells a former run.
pub(super) const FILE: &str = "runs.csv";
pub(super) const HEADING: &str = "chain,promise,rows,sample,naive_prec,exclusive_prec,inclusive_prec,breaks,method,ratio_before,ratio_after,rows_risen";
const SUMMARY: &str = "chain,promise,rows,runs,released,exact,tells_more,undecided,breaks,ratio_before,ratio_after,risen_share,naive_prec,exclusive_nothing,exclusive_undecided,exclusive_prec,inclusive_nothing,inclusive_undecided,inclusive_prec";

pub(super) fn findings(people: &People, runs: &[Run], seed: u64) -> Findings {
    let summaries = summaries(runs);
    let mut findings = Findings::default();
    for steps in Steps::ALL {
        let own: Vec<&Summary> = summaries.iter().filter(|one| one.steps == steps).collect();
        findings.parts.push(leaks(people, steps, &own));
        findings.parts.push(costs(people, steps, &own));
    }
    findings.tables.push((FILE, runs_csv(runs)));
    findings.tables.push(("study.csv", summary_csv(&summaries)));
    findings.charts = charts(people, &summaries);
    findings.numbers.insert(
        "data".to_owned(),
        json!({
            "name": people.name,
            "about": people.about,
            "rows": people.table.rows(),
            "quasi": QUASI,
            "sensitive": SECRET,
            "seed": seed,
        }),
    );
    let numbers: Vec<Value> = summaries.iter().map(as_json).collect();
    findings.numbers.insert("study".to_owned(), numbers.into());
    findings
}

fn title(steps: Steps) -> &'static str {
    match steps {
        Steps::Datafly => "naive releases along Datafly's chain",
        Steps::Optimal => "naive releases by `optimal` (Prec)",
    }
}

/// How often and how much a naive release tells.
fn leaks(people: &People, steps: Steps, summaries: &[&Summary]) -> Part {
    let lines = summaries.iter().map(|one| {
        let ratios = match one.ratios {
            Some((before, after)) => format!("{} -> {}", rounded(before, 3), rounded(after, 3)),
            None => String::new(),
        };
        let cells = vec![
            format!("{} of {}", one.released, one.runs),
            format!("{} of {}", one.tells_more, one.exact),
            format!("{} of {}", one.breaks, one.released - one.undecided),
            one.undecided.to_string(),
            ratios,
            one.risen.map_or_else(String::new, percent),
        ];
        Line::new(one.name(), "", cells, Verdict::Measured, one.sane)
    });
    Part::new(
        format!(
            "What {} tell to somebody who knows that ({}): ratios and rows over what was found exactly",
            title(steps),
            people.name
        ),
        &[
            "released",
            "tell more",
            "break the promise",
            "undecided",
            "best ratio, mean",
            "rows of which more is believed",
        ],
        lines.collect(),
    )
}

/// What each strategy costs.
fn costs(people: &People, steps: Steps, summaries: &[&Summary]) -> Part {
    let lines = summaries.iter().map(|one| {
        let prec = |of: Option<f64>| of.map_or_else(String::new, |prec| rounded(prec, 3));
        let cells = vec![
            prec(one.naive.prec),
            one.exclusive.told(one.runs),
            prec(one.exclusive.prec),
            one.inclusive.told(one.runs),
            prec(one.inclusive.prec),
        ];
        Line::new(one.name(), "", cells, Verdict::Measured, true)
    });
    Part::new(
        format!(
            "What safety costs, beside {} ({}): Prec is the mean of what is published",
            title(steps),
            people.name
        ),
        &[
            "naive: Prec",
            "exclusive: publishes",
            "Prec",
            "inclusive: publishes",
            "Prec",
        ],
        lines.collect(),
    )
}

fn runs_csv(runs: &[Run]) -> String {
    let came = |came: Came| match came {
        Came::Published(prec) => rounded(prec, 6),
        Came::Nothing => "nothing".to_owned(),
        Came::Undecided => "undecided".to_owned(),
    };
    let mut text = format!("{HEADING}\n");
    for run in runs {
        let tells = run.tells.map_or_else(
            || ",,".to_owned(),
            |tells| {
                let (before, after) = (rounded(tells.before, 6), rounded(tells.after, 6));
                format!("{before},{after},{}", tells.risen)
            },
        );
        let breaks = run.breaks().map(|breaks| breaks.to_string());
        text.push_str(&format!(
            "{},\"{}\",{},{},{},{},{},{},{},{tells}\n",
            run.steps.name(),
            run.promise.name(),
            run.rows,
            run.sample,
            came(run.naive),
            came(run.exclusive),
            came(run.inclusive),
            breaks.unwrap_or_default(),
            run.method.unwrap_or_default(),
        ));
    }
    text
}

fn number(number: Option<f64>) -> String {
    number.map_or_else(String::new, |number| rounded(number, 6))
}

fn summary_csv(summaries: &[Summary]) -> String {
    let mut text = format!("{SUMMARY}\n");
    for one in summaries {
        text.push_str(&format!(
            "{},\"{}\",{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n",
            one.steps.name(),
            one.promise.name(),
            one.rows,
            one.runs,
            one.released,
            one.exact,
            one.tells_more,
            one.undecided,
            one.breaks,
            number(one.ratios.map(|(before, _)| before)),
            number(one.ratios.map(|(_, after)| after)),
            number(one.risen),
            number(one.naive.prec),
            one.exclusive.nothing,
            one.exclusive.undecided,
            number(one.exclusive.prec),
            one.inclusive.nothing,
            one.inclusive.undecided,
            number(one.inclusive.prec),
        ));
    }
    text
}

fn as_json(one: &Summary) -> Value {
    let strategy = |of: &super::summary::Tally| {
        json!({
            "published": of.published,
            "nothing": of.nothing,
            "undecided": of.undecided,
            "prec": of.prec,
        })
    };
    json!({
        "chain": one.steps.name(),
        "promise": one.promise.name(),
        "rows": one.rows,
        "runs": one.runs,
        "released": one.released,
        "exact": one.exact,
        "tells_more": one.tells_more,
        "breaks": one.breaks,
        "undecided": one.undecided,
        "ratio_before": one.ratios.map(|(before, _)| before),
        "ratio_after": one.ratios.map(|(_, after)| after),
        "rows_risen_share": one.risen,
        "naive": strategy(&one.naive),
        "exclusive": strategy(&one.exclusive),
        "inclusive": strategy(&one.inclusive),
    })
}

fn charts(people: &People, summaries: &[Summary]) -> Vec<(String, Chart)> {
    let mut charts = Vec::new();
    for steps in Steps::ALL {
        let of = |promise: Promise| {
            let own = summaries.iter();
            own.filter(move |one| one.steps == steps && one.promise == promise)
                .collect::<Vec<_>>()
        };
        let breaks = |one: &Summary| {
            let decided = one.released - one.undecided;
            one.breaks as f64
                / if decided == 0 {
                    f64::NAN
                } else {
                    decided as f64
                }
        };
        let series = Promise::ALL.map(|promise| (promise.name(), heights(&of(promise), &breaks)));
        charts.push((
            format!("breaks_{}.svg", steps.name()),
            chart(
                people,
                &of(Promise::ALL[0]),
                &format!("Share of {} that break the promise", title(steps)),
                "of those that were decided",
                &series,
            ),
        ));
        for (promise, file) in Promise::ALL.into_iter().zip(["2-2", "3-3", "frequency"]) {
            let own = of(promise);
            let series = [
                (
                    "naive".to_owned(),
                    heights(&own, &|one| one.naive.worth(one.runs)),
                ),
                (
                    "exclusive".to_owned(),
                    heights(&own, &|one| one.exclusive.worth(one.runs)),
                ),
                (
                    "inclusive".to_owned(),
                    heights(&own, &|one| one.inclusive.worth(one.runs)),
                ),
            ];
            let name = format!("Mean Prec, {}: {}", title(steps), promise.name());
            let about = "Prec, 0 where nothing is published";
            charts.push((
                format!("prec_{}_{file}.svg", steps.name()),
                chart(people, &own, &name, about, &series),
            ));
        }
    }
    charts
}

fn heights(summaries: &[&Summary], of: &dyn Fn(&Summary) -> f64) -> Vec<f64> {
    summaries.iter().map(|one| of(one)).collect()
}

fn chart(
    people: &People,
    places: &[&Summary],
    title: &str,
    y: &str,
    series: &[(String, Vec<f64>)],
) -> Chart {
    let names: Vec<String> = places.iter().map(|one| one.rows.to_string()).collect();
    let told: Vec<String> = series
        .iter()
        .map(|(name, heights)| {
            let heights: Vec<String> = heights.iter().map(|height| rounded(*height, 3)).collect();
            format!("{name}: {}", heights.join(", "))
        })
        .collect();
    Chart {
        title: title.to_owned(),
        about: format!(
            "By rows of a sample ({}); {}.",
            names.join(", "),
            told.join("; ")
        ),
        source: format!("After Zhang et al. 2007; {}.", people.name),
        x: Axis::new(
            "rows of a sample; the last is everybody",
            Scale::Names(names),
        ),
        y: Axis::new(y, Scale::Linear { from: 0.0, to: 1.0 }),
        series: series
            .iter()
            .map(|(name, heights)| Series {
                name: name.clone(),
                form: Form::Bars,
                points: (0..)
                    .zip(heights)
                    .map(|(at, height): (u32, &f64)| Point::new(at.into(), *height))
                    .collect(),
            })
            .collect(),
        limits: Vec::new(),
    }
}
