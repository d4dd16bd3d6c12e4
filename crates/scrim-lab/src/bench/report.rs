//! What was measured: for people, as Markdown for docs/benchmarks.md, and as JSON.

use std::fmt::Write as _;

use serde::Serialize;

use super::RunRequest;
use super::floor::Floor;
use super::grid::{self, Grid};
use super::machine::Machine;
use super::measure::{Ended, Used};
use super::peers::Peer;

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub(super) struct Answer {
    machine: Machine,
    settings: Settings,
    /// The tables, and every search on them.
    pub(super) tables: Vec<Table>,
    /// How searches grow.
    pub(super) growth: Vec<Growth>,
    /// Others beside us.
    pub(super) peers: Vec<Peer>,
}

/// What was asked for.
#[derive(Debug, Serialize)]
struct Settings {
    shape: &'static str,
    file: &'static str,
    k: u64,
    seed: u64,
    repeats: u32,
    limit_seconds: f64,
    threads: Option<usize>,
    given: bool,
}

/// A table, its floor, and every search on it.
#[derive(Debug, Serialize)]
pub(super) struct Table {
    /// How many rows, where it is known.
    pub(super) rows: Option<u64>,
    /// How many quasi-identifiers.
    pub(super) quasi: u32,
    /// What must be done by any program.
    pub(super) floor: Floor,
    /// The searches.
    pub(super) lines: Vec<Line>,
}

/// A search on a table.
#[derive(Debug, Serialize)]
pub(super) struct Line {
    /// The search.
    pub(super) algorithm: String,
    /// What its process used.
    pub(super) used: Used,
    /// Its CPU by that of the floor.
    pub(super) by_floor: Option<f64>,
}

impl Line {
    /// A search whose process used this, on a table with this floor.
    pub(super) fn new(algorithm: &str, used: Used, floor: &Floor) -> Self {
        let floor = floor.time().cpu.filter(|&cpu| cpu > 0.0);
        let done = used.cpu.filter(|_| used.ended == Ended::Done);
        Self {
            algorithm: algorithm.to_owned(),
            by_floor: done.zip(floor).map(|(cpu, floor)| cpu / floor),
            used,
        }
    }
}

/// How CPU grows with rows: as their power.
#[derive(Debug, Serialize)]
pub(super) struct Growth {
    /// The search.
    pub(super) algorithm: String,
    /// The slope of log CPU over log rows.
    pub(super) exponent: f64,
    /// Of how many sizes.
    pub(super) sizes: usize,
}

impl Answer {
    /// How many seconds a run might take.
    pub(super) fn limit(&self) -> f64 {
        self.settings.limit_seconds
    }

    /// What was measured.
    pub(super) fn new(
        machine: Machine,
        asked: &RunRequest,
        tables: Vec<Table>,
        peers: Vec<Peer>,
    ) -> Self {
        let looks = &asked.looks;
        let settings = Settings {
            shape: looks.shape.name(),
            file: looks.kind.name(),
            k: looks.k,
            seed: looks.seed,
            repeats: asked.repeats,
            limit_seconds: asked.limit,
            threads: asked.threads,
            given: asked.data.is_some(),
        };
        let growth = |algorithm: &String| growth(algorithm, &tables);
        Self {
            machine,
            settings,
            growth: asked.algorithms.iter().filter_map(growth).collect(),
            tables,
            peers,
        }
    }
}

/// The growth of a search over all sizes at the quasi-identifiers of the first table.
fn growth(algorithm: &str, tables: &[Table]) -> Option<Growth> {
    let quasi = tables.first()?.quasi;
    let points: Vec<(f64, f64)> = tables
        .iter()
        .filter(|table| table.quasi == quasi)
        .filter_map(|table| {
            let line = table
                .lines
                .iter()
                .find(|line| line.algorithm == algorithm)?;
            let done = line.used.ended == Ended::Done;
            let cpu = line.used.cpu.filter(|&cpu| done && cpu > 0.0)?;
            Some(((table.rows? as f64).ln(), cpu.ln()))
        })
        .collect();
    let exponent = slope(&points)?;
    Some(Growth {
        algorithm: algorithm.to_owned(),
        exponent,
        sizes: points.len(),
    })
}

/// The slope of the line of least squares; none of fewer than two places.
fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let count = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / count;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let (mut along, mut spread) = (0.0, 0.0);
    for point in points {
        along += (point.0 - x) * (point.1 - y);
        spread += (point.0 - x).powi(2);
    }
    (spread > 1e-9).then(|| along / spread)
}

/// For people.
pub(super) fn text(answer: &Answer) -> String {
    whole(answer, "", Grid::text)
}

/// For docs/benchmarks.md.
pub(super) fn markdown(answer: &Answer) -> String {
    whole(answer, "### ", Grid::markdown)
}

fn whole(answer: &Answer, mark: &str, shown: fn(&Grid) -> String) -> String {
    let mut text = format!("{}.\n{}\n", answer.machine.words(), words(&answer.settings));
    let mut part = |title: &str, of: &Grid| {
        if !of.rows.is_empty() {
            let _ = write!(text, "\n{mark}{title}\n\n{}", shown(of));
        }
    };
    part("Searches", &grid::searches(answer));
    part("Growth: CPU as a power of rows", &grid::powers(answer));
    part(
        "The floor: reading the bytes once, and one look-up a row",
        &grid::floors(answer),
    );
    part("Others, as multiples of ours", &grid::others(answer));
    part("What failed", &grid::failures(answer));
    text
}

fn words(settings: &Settings) -> String {
    let Settings {
        shape,
        file,
        k,
        seed,
        repeats,
        limit_seconds,
        ..
    } = settings;
    let what = if settings.given {
        "A given table".to_owned()
    } else {
        format!(
            "Made-up tables (shape {shape}, {file}, seed {seed}), k = {k}, suppression 0.02, Loss"
        )
    };
    let threads = settings
        .threads
        .map_or_else(String::new, |threads| format!(", {threads} threads"));
    format!(
        "{what}{threads}: `publish`, the whole process, CPU = user + system; the least of {repeats} runs; limit \
         {limit_seconds} s."
    )
}

#[cfg(test)]
mod tests {
    use super::super::floor::Time;
    use super::*;

    fn used(ended: Ended, cpu: f64) -> Used {
        Used {
            ended,
            exit: Some(0),
            cpu: Some(cpu),
            wall: cpu / 2.0,
            megabytes: Some(12.0),
            why: None,
        }
    }

    fn table(rows: u64, quasi: u32, lines: &[(&str, Ended, f64)]) -> Table {
        let time = Time {
            cpu: Some(0.5),
            wall: 0.5,
        };
        let floor = Floor {
            bytes: 2_500_000,
            rows: Some(rows),
            distinct: Some(7),
            read: time,
            probe: Some(time),
        };
        let line =
            |&(name, ended, cpu): &(&str, Ended, f64)| Line::new(name, used(ended, cpu), &floor);
        let lines = lines.iter().map(line).collect();
        Table {
            rows: Some(rows),
            quasi,
            floor,
            lines,
        }
    }

    #[test]
    fn the_exponent_is_that_of_the_power_that_was_put_in() {
        let power = |exponent: f64| {
            let place = |rows: f64| (rows.ln(), (3.0 * rows.powf(exponent)).ln());
            slope(&[place(10.0), place(300.0), place(1e6)]).unwrap()
        };
        assert!((power(1.5) - 1.5).abs() < 1e-9 && (power(0.0)).abs() < 1e-9);
        assert!(slope(&[(1.0, 1.0)]).is_none() && slope(&[]).is_none());
        assert!(slope(&[(1.0, 1.0), (1.0, 2.0)]).is_none());
    }

    #[test]
    fn growth_is_of_sizes_that_were_done_at_the_first_number_of_columns() {
        let done = Ended::Done;
        let tables = [
            table(100, 9, &[("a", done, 1.0), ("b", done, 1.0)]),
            table(
                1_000,
                9,
                &[("a", done, 100.0), ("b", Ended::OverLimit, 60.0)],
            ),
            table(100, 20, &[("a", done, 1e6)]),
        ];
        let found = growth("a", &tables).unwrap();
        assert_eq!(found.sizes, 2);
        assert!((found.exponent - 2.0).abs() < 1e-9);
        assert!(growth("b", &tables).is_none() && growth("c", &tables).is_none());
    }

    #[test]
    fn what_was_over_the_limit_is_told_without_figures() {
        let tables = vec![table(
            1_000_000,
            9,
            &[("a", Ended::OverLimit, 60.0), ("b", Ended::Done, 2.0)],
        )];
        let answer = Answer {
            machine: Machine::this(),
            settings: Settings {
                shape: "adult",
                file: "csv",
                k: 5,
                seed: 1,
                repeats: 3,
                limit_seconds: 60.0,
                threads: None,
                given: false,
            },
            tables,
            growth: Vec::new(),
            peers: Vec::new(),
        };
        let page = markdown(&answer);
        assert!(
            page.contains("| 1,000,000 | 9 | a | over 60 s | - | - | - |\n"),
            "{page}"
        );
        assert!(
            page.contains("| 1,000,000 | 9 | b | 2.000 | 1.000 | 12.0 | 4.0 |\n"),
            "{page}"
        );
        assert!(page.contains("| 7 | 2.5 | 0.5000 |"), "{page}");
        assert!(
            !page.contains("Others") && !page.contains("Growth"),
            "{page}"
        );
        assert!(text(&answer).contains("over 60 s"));
    }
}
