//! Figure 9: how long the search takes over the penalty w^s.

use super::datasets::Kind;
use super::findings::Findings;
use super::penalty::{PAIRS, Pair, axis, place};
use super::policy::{Method, Weight};
use super::seconds::{Seconds, Took};
use super::study::Study;
use crate::Failure;
use crate::plot::{Axis, Chart, Form, Point, Series};

/// A penalty, and how long it took on both data sets.
type Row = (Weight, [Took; 2]);

pub(super) fn find(
    study: &mut Study<'_>,
    findings: &mut Findings,
) -> Result<Vec<Seconds>, Failure> {
    let mut table = "dataset,weight,seconds,tested\n".to_owned();
    let mut seconds = Vec::new();
    for pair in PAIRS {
        let mut rows: Vec<Row> = Vec::new();
        for weight in Weight::ALL {
            let [first, second] = pair
                .kinds
                .map(|kind| study.publish(kind, Method::Personal(weight)));
            let took = [first?.took, second?.took];
            for (kind, took) in pair.kinds.into_iter().zip(took) {
                let (seconds, tested) = (took.seconds, took.tested);
                table.push_str(&format!("{},{weight},{seconds:.3},{tested}\n", kind.name()));
            }
            rows.push((weight, took));
        }
        let picture = chart(&study.primary.name, &pair, &rows);
        findings
            .charts
            .push((format!("figure9{}.svg", pair.nine), picture));
        seconds.push(Seconds {
            title: format!(
                "Seconds, Figure 9{}: the personalized search, below 240 in the paper ({})",
                pair.nine, study.primary.name
            ),
            headings: pair.kinds.map(|kind| kind.name().to_owned()).to_vec(),
            tested: "tables tested",
            rows: rows
                .iter()
                .map(|(weight, took)| (format!("w^s = {weight}"), took.to_vec()))
                .collect(),
        });
    }
    findings.tables.push(("time.csv", table));
    Ok(seconds)
}

fn chart(on: &str, pair: &Pair, rows: &[Row]) -> Chart {
    let one = |(at, kind): (usize, Kind)| Series {
        name: kind.name().to_owned(),
        form: Form::Line,
        points: rows
            .iter()
            .map(|(weight, took)| Point {
                x: place(*weight),
                y: took[at].seconds,
                high: None,
            })
            .collect(),
    };
    let seconds = rows
        .iter()
        .flat_map(|(_, took)| took.iter().map(|took| took.seconds));
    Chart {
        title: "Time of the personalized search".to_owned(),
        about: "Seconds of the search over the penalty of generalizing incomes.".to_owned(),
        source: format!("After Xiao and Tao 2006, Figure 9{}; {on}.", pair.nine),
        x: axis(),
        y: Axis::from_zero("seconds", seconds),
        series: pair.kinds.into_iter().enumerate().map(one).collect(),
        limits: Vec::new(),
    }
}
