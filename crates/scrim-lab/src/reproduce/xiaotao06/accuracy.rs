//! Figure 8: how far off queries are over the penalty w^s.

use serde_json::{Value, json};

use super::datasets::Kind;
use super::findings::{Findings, rounded};
use super::penalty::{PAIRS, Pair, axis, place};
use super::policy::{Method, Weight};
use super::study::Study;
use super::{Line, Part, Verdict};
use crate::Failure;
use crate::plot::{Axis, Chart, Form, Point, Series};

/// The shares of queries about incomes alone, in tenths.
const SHARES: [i128; 2] = [1, 9];

/// Mean and standard deviation of the relative errors; nothing where there is no table or no query.
type Errors = Option<(f64, f64)>;
/// A picture's numbers: the errors of both data sets for each penalty.
type Found = Vec<(Weight, [Errors; 2])>;

pub(super) fn find(study: &mut Study<'_>, findings: &mut Findings) -> Result<(), Failure> {
    let mut table = "dataset,weight,type1_share,queries,mean,stddev,median,p90\n".to_owned();
    let mut numbers = Vec::new();
    for pair in PAIRS {
        for (tenths, letter) in SHARES.into_iter().zip(pair.eight) {
            let mut found: Found = Vec::new();
            for weight in Weight::ALL {
                let mut errors = [None; 2];
                for (errors, kind) in errors.iter_mut().zip(pair.kinds) {
                    *errors = ask(study, kind, weight, tenths, &mut table, &mut numbers)?;
                }
                found.push((weight, errors));
            }
            let figure = format!("Figure 8{letter}");
            findings
                .parts
                .push(part(study, &figure, &pair, tenths, &found));
            let picture = chart(study, &figure, &pair, tenths, &found);
            findings
                .charts
                .push((format!("figure8{letter}.svg"), picture));
        }
    }
    findings.tables.push(("error.csv", table));
    findings.numbers.insert("error".to_owned(), json!(numbers));
    Ok(())
}

/// Asks the queries of one release, and writes down what came of it.
fn ask(
    study: &mut Study<'_>,
    kind: Kind,
    weight: Weight,
    tenths: i128,
    table: &mut String,
    numbers: &mut Vec<Value>,
) -> Result<Errors, Failure> {
    let attempt = study.publish(kind, Method::Personal(weight))?;
    let loss = attempt.release.as_ref().map(|release| release.loss);
    let report = match &attempt.release {
        Some(release) => study.errors(kind, release, tenths)?,
        None => None,
    };
    numbers.push(json!({
        "dataset": kind.name(),
        "weight": weight.to_string(),
        "information_loss": loss,
        "workload": report,
    }));
    let Some(report) = report else {
        return Ok(None);
    };
    let all = &report.all;
    let places = |number: Option<f64>| number.map_or_else(String::new, |it| rounded(it, 6));
    table.push_str(&format!(
        "{},{weight},0.{tenths},{},{},{},{},{}\n",
        kind.name(),
        all.queries,
        places(all.mean),
        places(all.stddev),
        places(all.median),
        places(all.p90)
    ));
    Ok(all.mean.zip(all.stddev))
}

fn percent(number: f64) -> String {
    format!("{:.2}", 100.0 * number)
}

/// What the paper says of a weight's error, and whether it is so here for both data sets.
fn said(kind: Kind, tenths: i128, weight: Weight, found: &Found) -> (&'static str, bool) {
    let means = |wanted: Weight| {
        let row = found.iter().find(|(weight, _)| *weight == wanted);
        row.map_or([None; 2], |(_, errors)| {
            errors.map(|both| both.map(|(mean, _)| mean))
        })
    };
    let own = means(weight);
    let all = |holds: &dyn Fn(usize, f64) -> bool| {
        (0..2).all(|at| own[at].is_some_and(|mean| holds(at, mean)))
    };
    match (kind, tenths, weight) {
        (Kind::PriLeaf, 1, Weight::Of(1)) => {
            let least = |at: usize, own: f64| {
                let others = Weight::ALL.into_iter().filter_map(|other| means(other)[at]);
                others.into_iter().all(|other| own <= other)
            };
            ("the least", all(&least))
        }
        (Kind::PriLeaf, 1, Weight::Forbid) => ("nearly 30%, 5 times the least", false),
        (Kind::PriLeaf, 9, _) => ("below 5%", all(&|_, mean| mean < 0.05)),
        (Kind::PriMixed, _, Weight::Of(40..=100)) => ("alike from 40 to 100", false),
        _ => ("", false),
    }
}

fn part(study: &Study<'_>, figure: &str, pair: &Pair, tenths: i128, found: &Found) -> Part {
    let line = |(weight, errors): &(Weight, [Errors; 2])| {
        let cells = errors.iter().flat_map(|errors| match errors {
            Some((mean, deviation)) => [percent(*mean), percent(mean + deviation)],
            None => ["none".to_owned(), "none".to_owned()],
        });
        let (paper, so) = said(pair.kinds[0], tenths, *weight, found);
        // What the paper saw on its data need not be seen on others: this never differs.
        let verdict = match (so, paper) {
            (true, _) => Verdict::Agrees,
            (false, "the least" | "below 5%") => Verdict::NotHere,
            (false, _) => Verdict::Measured,
        };
        let name = format!("w^s = {weight}");
        Line::new(name, paper, cells.collect(), verdict, true)
    };
    let [first, second] = pair.kinds.map(Kind::name);
    Part::new(
        format!(
            "{figure}: mean relative error in %, r = 0.{tenths}, {} queries ({})",
            study.queries(),
            study.primary.name
        ),
        &[first, "and stddev", second, "and stddev"],
        found.iter().map(line).collect(),
    )
}

fn chart(study: &Study<'_>, figure: &str, pair: &Pair, tenths: i128, found: &Found) -> Chart {
    let series = [0, 1].map(|at| Series {
        name: format!("{}: mean, bar up to mean + stddev", pair.kinds[at].name()),
        form: Form::Line,
        points: found
            .iter()
            .filter_map(|(weight, errors)| {
                let (mean, deviation) = errors[at]?;
                Some(Point {
                    x: place(*weight),
                    y: 100.0 * mean,
                    high: Some(100.0 * (mean + deviation)),
                })
            })
            .collect(),
    });
    let points = series.iter().flat_map(|series| &series.points);
    let highest: Vec<f64> = points.filter_map(|point| point.high).collect();
    Chart {
        title: format!("Error of queries, {tenths}0% of them about incomes alone"),
        about: "Mean relative error over the penalty of generalizing incomes, with the mean plus a standard deviation."
            .to_owned(),
        source: format!(
            "After Xiao and Tao 2006, {figure}; {}, {} queries.",
            study.primary.name,
            study.queries()
        ),
        x: axis(),
        y: Axis::from_zero("relative error (%)", highest),
        series: series.to_vec(),
        limits: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_agrees_only_where_both_data_sets_show_it() {
        let mut found: Found = Weight::ALL
            .map(|weight| (weight, [Some((0.02, 0.1)); 2]))
            .to_vec();
        let so = |found: &Found, tenths, weight| said(Kind::PriLeaf, tenths, weight, found).1;
        assert!(so(&found, 1, Weight::Of(1)) && so(&found, 9, Weight::Of(60)));
        found[3].1[1] = Some((0.05, 0.0));
        assert!(!so(&found, 9, Weight::Of(60)) && so(&found, 9, Weight::Of(40)));
        found[6].1[0] = Some((0.01, 0.0));
        assert!(!so(&found, 1, Weight::Of(1)));
        found[0].1[0] = None;
        assert!(!so(&found, 9, Weight::Of(1)));
    }
}
