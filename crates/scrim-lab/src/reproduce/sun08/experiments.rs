//! The experiments of section 6 as files: a table of all runs, and Figures 2 and 3 for each algorithm.

use scrim::Share;
use serde_json::json;

use super::super::findings::{Findings, rounded};
use super::algorithm1::TopDown;
use super::ask::Kind;
use super::data::QUASI;
use super::figures::{Figures, least};
use super::runs::Runs;
use super::seconds::Took;
use crate::plot::{Axis, Chart, Form, Point, Scale, Series};

/// The table of all runs, by which a folder of ours is known, and its first line.
pub(super) const FILE: &str = "experiments.csv";
pub(super) const HEADING: &str = "algorithm,model,quasi_identifiers,k,p,alpha,distortion_ratio,distortion_ratio_exact,as_printed,as_printed_exact,seconds,tested";

/// What is varied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Size(usize),
    Alpha(i128),
}

impl By {
    fn place(self) -> f64 {
        match self {
            Self::Size(size) => size as f64,
            Self::Alpha(alpha) => alpha as f64,
        }
    }

    /// Quasi-identifiers, p and alpha.
    fn numbers(self) -> (usize, u64, i128) {
        match self {
            Self::Size(size) => (size, 4, 2),
            Self::Alpha(alpha) => (QUASI.len(), 2, alpha),
        }
    }
}

/// One run of either algorithm.
#[derive(Clone, Copy, Debug)]
struct Run {
    algorithm: &'static str,
    kind: Kind,
    by: By,
    ratio: Option<Share>,
    /// The ratio of Algorithm 1 as printed, without tightening.
    printed: Option<Share>,
    took: Took,
}

/// What is drawn of a run: its ratio or its seconds.
type Height = fn(&Run) -> Option<f64>;

pub(super) fn findings(runs: &Runs<'_>, incognito: &Figures, top_down: &TopDown) -> Findings {
    let all = flat(runs, incognito, top_down);
    let mut findings = Findings::default();
    findings.tables.push((FILE, csv(&all)));
    let ratio: Height = |run| run.ratio.map(Share::to_f64);
    let seconds: Height = |run| Some(run.took.seconds);
    for (algorithm, key) in [("top-down", "algorithm1"), ("incognito", "incognito")] {
        for (figure, what, height) in [(2, "seconds", seconds), (3, "distortion ratio", ratio)] {
            for letter in ["a", "b"] {
                let own = all.iter().filter(|run| {
                    run.algorithm == algorithm && matches!(run.by, By::Size(_)) == (letter == "a")
                });
                let own: Vec<Run> = own.copied().collect();
                let about = (algorithm, what, format!("Figure {figure}({letter})"));
                let chart = chart(&own, about, height, &runs.data.name());
                findings
                    .charts
                    .push((format!("figure{figure}{letter}-{key}.svg"), chart));
            }
        }
    }
    findings.numbers.insert(
        "data".to_owned(),
        json!({
            "name": runs.data.name(),
            "rows": runs.data.table.rows(),
            "seed": runs.data.seed,
        }),
    );
    let numbers: Vec<_> = all.iter().map(object).collect();
    findings.numbers.insert("runs".to_owned(), json!(numbers));
    findings
}

fn flat(runs: &Runs<'_>, incognito: &Figures, top_down: &TopDown) -> Vec<Run> {
    let mut all = Vec::new();
    let mut add = |algorithm, by, [ratios, printed]: [[Option<Share>; 3]; 2], took: [Took; 3]| {
        for (at, kind) in Kind::SENSITIVE.into_iter().enumerate() {
            all.push(Run {
                algorithm,
                kind,
                by,
                ratio: ratios[at],
                printed: printed[at],
                took: took[at],
            });
        }
    };
    let sizes = top_down.sizes.iter();
    let sizes = sizes.map(|(size, row)| (By::Size(*size), row));
    let alphas = top_down.alphas.iter();
    for (by, row) in sizes.chain(alphas.map(|(alpha, row)| (By::Alpha(*alpha), row))) {
        let ratios = [row.map(|run| run.ratio), row.map(|run| run.printed)];
        add("top-down", by, ratios, row.map(|run| run.took));
    }
    let sizes = incognito.sizes.iter();
    let sizes = sizes.map(|(size, row)| (By::Size(*size), row));
    let alphas = incognito.alphas.iter();
    for (by, row) in sizes.chain(alphas.map(|(alpha, row)| (By::Alpha(*alpha), row))) {
        let ratios = least(runs, row).map(|least| Some(least?.1));
        let took = [row[0].took, row[1].took, row[2].took];
        add("incognito", by, [ratios, [None; 3]], took);
    }
    all
}

fn csv(runs: &[Run]) -> String {
    let mut text = format!("{HEADING}\n");
    for run in runs {
        let (size, p, alpha) = run.by.numbers();
        let alpha = if run.kind == Kind::P {
            String::new()
        } else {
            alpha.to_string()
        };
        let both = |ratio: Option<Share>| {
            let cells = |ratio: Share| format!("{},{ratio}", rounded(ratio.to_f64(), 6));
            ratio.map_or_else(|| ",".to_owned(), cells)
        };
        text.push_str(&format!(
            "{},\"{}\",{size},4,{p},{alpha},{},{},{:.3},{}\n",
            run.algorithm,
            run.kind.name(),
            both(run.ratio),
            both(run.printed),
            run.took.seconds,
            run.took.tested
        ));
    }
    text
}

fn object(run: &Run) -> serde_json::Value {
    let (size, p, alpha) = run.by.numbers();
    json!({
        "algorithm": run.algorithm,
        "model": run.kind.name(),
        "quasi_identifiers": size,
        "k": 4,
        "p": p,
        "alpha": (run.kind != Kind::P).then_some(alpha as u64),
        "distortion_ratio": run.ratio.map(Share::to_f64),
        "distortion_ratio_exact": run.ratio.map(|ratio| ratio.to_string()),
        "as_printed": run.printed.map(Share::to_f64),
        "as_printed_exact": run.printed.map(|ratio| ratio.to_string()),
        "tested": run.took.tested,
    })
}

fn chart(
    runs: &[Run],
    (algorithm, what, figure): (&str, &str, String),
    height: Height,
    on: &str,
) -> Chart {
    let by_size = runs.iter().any(|run| matches!(run.by, By::Size(_)));
    let (by, label) = if by_size {
        ("by number of quasi-identifiers", "quasi-identifiers")
    } else {
        ("by alpha", "alpha")
    };
    let series = Kind::SENSITIVE.map(|kind| {
        let own = runs.iter().filter(|run| run.kind == kind);
        Series {
            name: kind.name().to_owned(),
            form: Form::Line,
            points: own
                .filter_map(|run| Some(Point::new(run.by.place(), height(run)?)))
                .collect(),
        }
    });
    let ticks: Vec<f64> = {
        let own = runs.iter().filter(|run| run.kind == Kind::P);
        own.map(|run| run.by.place()).collect()
    };
    let (from, to) = match (ticks.first(), ticks.last()) {
        (Some(from), Some(to)) => (from - 0.25, to + 0.25),
        _ => (0.0, 1.0),
    };
    Chart {
        title: format!(
            "{}{} of {algorithm} {by}",
            what[..1].to_uppercase(),
            &what[1..]
        ),
        about: format!("A line for each of the three models, {what} over {label}."),
        source: format!("After Sun et al. 2008, {figure}; {on}."),
        x: Axis {
            ticks,
            ..Axis::new(label, Scale::Linear { from, to })
        },
        y: Axis::from_zero(what, runs.iter().filter_map(height)),
        series: series.to_vec(),
        limits: Vec::new(),
    }
}
