//! Section 5.1: what the tables of Figures 6 and 7 cost.

use serde_json::json;

use super::datasets::Kind;
use super::findings::{Findings, rounded};
use super::policy::Method;
use super::study::Study;
use super::{Line, Part, Verdict};
use crate::Failure;
use crate::plot::{Axis, Chart, Form, Point, Scale, Series};

pub(super) fn find(study: &mut Study<'_>, findings: &mut Findings) -> Result<(), Failure> {
    let mut lines = Vec::new();
    let mut table = "dataset,method,information_loss,classes\n".to_owned();
    let mut numbers = Vec::new();
    let mut series = Method::COMPARED.map(|method| Series {
        name: method.name().to_owned(),
        form: Form::Bars,
        points: Vec::new(),
    });
    for (at, kind) in Kind::ALL.into_iter().enumerate() {
        let mut losses = [None; 3];
        for (method_at, method) in Method::COMPARED.into_iter().enumerate() {
            let release = study.publish(kind, method)?.release;
            losses[method_at] = release.as_ref().map(|release| release.loss);
            let Some(release) = release else { continue };
            table.push_str(&format!(
                "{},{},{},{}\n",
                kind.name(),
                method.name(),
                rounded(release.loss, 6),
                release.classes
            ));
            numbers.push(json!({
                "dataset": kind.name(),
                "method": method.name(),
                "information_loss": release.loss,
                "classes": release.classes,
            }));
            series[method_at]
                .points
                .push(Point::new(at as f64, release.loss));
        }
        lines.push(line(kind, losses));
    }
    findings.parts.push(Part::new(
        format!(
            "Section 5.1: information loss, equation 6 with all weights 1 ({})",
            study.primary.name
        ),
        &["4-anonymity", "l-diversity", "personalized"],
        lines,
    ));
    let points = series.iter().flat_map(|series| &series.points);
    let most = points.map(|point| point.y).fold(10.0, f64::max);
    let chart = Chart {
        title: "Information loss of the three methods".to_owned(),
        about: "For each data set three bars on a scale of powers of ten.".to_owned(),
        source: format!(
            "After Xiao and Tao 2006, section 5.1; {}.",
            study.primary.name
        ),
        x: Axis::new(
            "",
            Scale::Names(Kind::ALL.map(|kind| kind.name().to_owned()).to_vec()),
        ),
        y: Axis::new(
            "information loss (equation 6)",
            Scale::Log {
                from: 1.0,
                to: 10f64.powf(most.log10().ceil()),
            },
        ),
        series: series.to_vec(),
        limits: Vec::new(),
    };
    findings.charts.push(("loss.svg".to_owned(), chart));
    findings.tables.push(("loss.csv", table));
    findings.numbers.insert("loss".to_owned(), json!(numbers));
    Ok(())
}

/// Whether personalized costs less is what the paper says of its data; ours need not, the search is greedy.
fn line(kind: Kind, losses: [Option<f64>; 3]) -> Line {
    let paper = match kind {
        Kind::PriLeaf => "l-diversity 184845, personalized 3123",
        _ => "",
    };
    let below = matches!(losses, [_, Some(diverse), Some(personal)] if personal < diverse);
    let verdict = match (kind, below) {
        (Kind::PriLeaf, true) => Verdict::Agrees,
        (Kind::PriLeaf, false) => Verdict::NotHere,
        _ => Verdict::Measured,
    };
    let cell = |loss: Option<f64>| loss.map_or_else(|| "none".to_owned(), |loss| rounded(loss, 1));
    Line::new(kind.name(), paper, losses.map(cell).to_vec(), verdict, true)
}
