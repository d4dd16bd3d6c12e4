//! The study as tables, files and pictures.

use serde_json::json;

use super::super::findings::{Findings, rounded};
use super::hospital::Hospital;
use super::study::{L, Method, RETIRE, Step};
use super::{Line, Part, Verdict};
use crate::plot::{Axis, Chart, Form, Point, Scale, Series};

/// The table that tells a former run.
pub(super) const FILE: &str = "releases.csv";
pub(super) const HEADING: &str = "method,release,rows,released,retired,certified,localized,p_max,above,persons,loss_mean,information_loss_per_row,classes,mean_class,largest_class";

/// All methods with their releases.
pub(super) type Runs = Vec<(Method, Vec<Step>)>;

pub(super) fn findings(hospital: &Hospital, runs: &Runs) -> Findings {
    let mut findings = Findings::default();
    findings.parts.push(outcome(hospital, runs));
    findings.parts.push(by_release(
        hospital,
        runs,
        "largest p over all releases so far (persons above 1/2)",
        &|step| {
            format!(
                "{} ({})",
                number(step.attack.max.value()),
                step.attack.above
            )
        },
    ));
    findings.parts.push(by_release(
        hospital,
        runs,
        "largest p within the release alone, which l-diversity looks at",
        &|step| number(step.localized.value()),
    ));
    findings.parts.push(by_release(
        hospital,
        runs,
        "mean loss of a cell (rows a class, persons left out)",
        &|step| match &step.cost {
            Some(cost) => format!(
                "{} ({}, {})",
                rounded(cost.loss, 3),
                rounded(cost.mean, 1),
                step.retired
            ),
            None => "refused".to_owned(),
        },
    ));
    findings.tables.push((FILE, csv(runs)));
    findings.charts = charts(hospital, runs);
    findings.numbers.insert("data".to_owned(), json!({
        "name": hospital.name,
        "about": hospital.about,
        "persons": runs.first().and_then(|(_, steps)| steps.last()).map(|step| step.attack.persons),
        "in_several_releases": hospital.again(),
        "protected": hospital.protected,
        "l": L as u64,
        "retire_below": RETIRE,
    }));
    findings
        .numbers
        .insert("releases".to_owned(), numbers(runs));
    findings
}

fn charts(hospital: &Hospital, runs: &Runs) -> Vec<(String, Chart)> {
    let mut charts = Vec::new();
    let on = format!("After Wong et al. 2009; {}.", hospital.name);
    charts.push((
        "p_max.svg".to_owned(),
        chart(
            runs,
            "Largest probability of having been linked to a protected value",
            ("probability, over all releases so far", &on),
            &|step| step.attack.max.value(),
            Some((1.0 / L as f64, "limit 1/2")),
        ),
    ));
    charts.push((
        "above.svg".to_owned(),
        chart(
            runs,
            "Persons above the limit",
            ("persons", &on),
            &|step| step.attack.above as f64,
            None,
        ),
    ));
    charts.push((
        "left_out.svg".to_owned(),
        chart(
            runs,
            "Persons who are left out because of their history",
            ("persons of the release", &on),
            &|step| step.retired as f64,
            None,
        ),
    ));
    let cost =
        |step: &Step, of: fn(&super::study::Cost) -> f64| step.cost.as_ref().map_or(f64::NAN, of);
    charts.push((
        "loss.svg".to_owned(),
        chart(
            runs,
            "What each release loses",
            ("mean loss of a cell", &on),
            &|step| cost(step, |cost| cost.loss),
            None,
        ),
    ));
    charts.push((
        "class_size.svg".to_owned(),
        chart(
            runs,
            "Rows a class",
            ("mean rows of a class", &on),
            &|step| cost(step, |cost| cost.mean),
            None,
        ),
    ));
    charts
}

fn number(value: f64) -> String {
    rounded(value, 4)
}

/// What each method came to. Only the promise of `serial` must hold.
fn outcome(hospital: &Hospital, runs: &Runs) -> Part {
    let lines = runs.iter().map(|(method, steps)| {
        let published: Vec<&Step> = steps.iter().filter(|step| step.cost.is_some()).collect();
        let costs = published.iter().filter_map(|step| step.cost.as_ref());
        let loss = costs.map(|cost| cost.loss).sum::<f64>() / published.len().max(1) as f64;
        let last = steps.last().map(|step| &step.attack);
        let above = last.map_or(0, |attack| attack.above);
        let max = last.map(|attack| &attack.max);
        let told = max.map(|max| max.exact(9).unwrap_or_else(|| number(max.value())));
        let left_out: u64 = steps.iter().map(|step| step.retired).sum();
        let rows: usize = steps.iter().map(|step| step.rows).sum();
        let cells = vec![
            told.unwrap_or_default(),
            above.to_string(),
            format!("{left_out} of {rows}"),
            (steps.len() - published.len()).to_string(),
            rounded(loss, 3),
        ];
        let kept = published.iter().all(|step| step.certified);
        let (paper, verdict, right) = if method.is_serial() {
            ("at most 1/2", Verdict::Agrees, kept && above == 0)
        } else if above > 0 {
            ("localized is not global", Verdict::Agrees, kept)
        } else {
            ("localized is not global", Verdict::NotHere, kept)
        };
        Line::new(method.name(), paper, cells, verdict, right)
    });
    Part::new(
        format!(
            "Ten releases ({}): {} protected, l = {L}; `serial` stands beside frequency {L}-diversity and leaves out who has less room than {RETIRE}",
            hospital.name,
            hospital.protected.join(", ")
        ),
        &[
            "largest p in the end",
            "persons above 1/2",
            "rows left out",
            "refused",
            "mean loss",
        ],
        lines.collect(),
    )
}

fn by_release(
    hospital: &Hospital,
    runs: &Runs,
    what: &str,
    cell: &dyn Fn(&Step) -> String,
) -> Part {
    let lines = (0..hospital.releases.len()).map(|at| {
        let cells = runs
            .iter()
            .map(|(_, steps)| steps.get(at).map(cell).unwrap_or_default());
        Line::new(
            format!("release {}", at + 1),
            "",
            cells.collect(),
            Verdict::Measured,
            true,
        )
    });
    Part::new(
        format!("Ten releases: {what}"),
        &["distinct", "frequency", "greedy", "geometric", "linear"],
        lines.collect(),
    )
}

fn csv(runs: &Runs) -> String {
    let mut text = format!("{HEADING}\n");
    for (method, steps) in runs {
        for (at, step) in steps.iter().enumerate() {
            let cost = step.cost.map_or_else(
                || "refused,,,,".to_owned(),
                |cost| {
                    format!(
                        "{},{},{},{},{}",
                        rounded(cost.loss, 6),
                        rounded(cost.information_loss, 6),
                        cost.classes,
                        rounded(cost.mean, 3),
                        cost.largest
                    )
                },
            );
            text.push_str(&format!(
                "{},{},{},{},{},{},{},{},{},{},{cost}\n",
                method.name().replace(',', ""),
                at + 1,
                step.rows,
                step.released,
                step.retired,
                step.certified,
                rounded(step.localized.value(), 6),
                rounded(step.attack.max.value(), 6),
                step.attack.above,
                step.attack.persons,
            ));
        }
    }
    text
}

fn numbers(runs: &Runs) -> serde_json::Value {
    let objects = runs.iter().flat_map(|(method, steps)| {
        (1..).zip(steps).map(move |(release, step): (u32, &Step)| {
            json!({
                "method": method.name(),
                "release": release,
                "rows": step.rows,
                "released": step.released,
                "retired": step.retired,
                "certified": step.certified,
                "localized": step.localized.value(),
                "p_max": step.attack.max.value(),
                "p_max_exact": step.attack.max.exact(60),
                "above": step.attack.above,
                "persons": step.attack.persons,
                "loss_mean": step.cost.map(|cost| cost.loss),
                "information_loss_per_row": step.cost.map(|cost| cost.information_loss),
                "classes": step.cost.map(|cost| cost.classes),
                "mean_class": step.cost.map(|cost| cost.mean),
                "largest_class": step.cost.map(|cost| cost.largest),
            })
        })
    });
    objects.collect()
}

fn chart(
    runs: &Runs,
    title: &str,
    (y, source): (&str, &str),
    height: &dyn Fn(&Step) -> f64,
    limit: Option<(f64, &str)>,
) -> Chart {
    let ends = runs.iter().map(|(method, steps)| {
        let last = steps.iter().map(height).rfind(|height| height.is_finite());
        format!(
            "{}: {}",
            method.name(),
            last.map_or_else(|| "none".to_owned(), number)
        )
    });
    let ends: Vec<String> = ends.collect();
    let heights = runs.iter().flat_map(|(_, steps)| steps.iter().map(height));
    let highest = heights.chain(limit.map(|(at, _)| at));
    let last = runs
        .iter()
        .map(|(_, steps)| steps.len())
        .max()
        .unwrap_or(1)
        .max(2);
    let mut x = Axis::new(
        "release",
        Scale::Linear {
            from: 1.0,
            to: last as f64,
        },
    );
    x.ticks = (1..=last).map(|release| release as f64).collect();
    Chart {
        title: title.to_owned(),
        about: format!("By release; in the end {}.", ends.join("; ")),
        source: source.to_owned(),
        x,
        y: Axis::from_zero(y, highest),
        series: runs
            .iter()
            .map(|(method, steps)| Series {
                name: method.name(),
                form: Form::Line,
                points: (1..)
                    .zip(steps)
                    .map(|(release, step)| Point::new(f64::from(release), height(step)))
                    .collect(),
            })
            .collect(),
        limits: limit
            .into_iter()
            .map(|(at, name)| (at, name.to_owned()))
            .collect(),
    }
}
