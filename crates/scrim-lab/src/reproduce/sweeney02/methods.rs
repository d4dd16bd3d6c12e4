//! Section 4: Datafly and mu-Argus beside `MinGen` at both levels, and beside searches that came later.

use scrim::algorithm::{Algorithm, LocalRecoding, MinGen, Mondrian, Partitioning, TopDown};
use scrim::metric::MetricId;
use scrim::{Error, Share};

use super::bench::{Bench, internal};
use super::cell::{self, KS, Reading};
use super::released::{self, Released};
use super::{Line, Part, Verdict, datafly, fixtures, mu_argus, words};

/// Bounds are floats.
const NEAR: f64 = 1e-9;

pub(super) fn parts(readings: &[Reading]) -> Result<Vec<Part>, Error> {
    let likeliest = readings
        .iter()
        .find(|reading| reading.name == fixtures::LIKELIEST)
        .ok_or_else(|| internal("the likeliest reading is missing"))?;
    let mut lines = Vec::new();
    for (k, best) in KS.into_iter().zip(&likeliest.best) {
        lines.extend(side_by_side(&likeliest.bench, k, best)?);
    }
    Ok(vec![
        Part::new(
            "Section 4, Figure 7, Y-D-C/G2: the searches side by side; no k-anonymous release is more precise than the optimum by cell, no bound below it",
            &[
                "Prec",
                "bound",
                "classes",
                "smallest",
                "suppressed rows",
                "k-anonymous for the certifier",
            ],
            lines,
        ),
        Part::new(
            "Datafly beside MinGen under ten readings of Figure 6: Prec (suppressed rows)",
            &[
                "Datafly k=2",
                "attribute",
                "cell",
                "Datafly k=3",
                "attribute",
                "cell",
                "Datafly k=4",
                "attribute",
                "cell",
                "cell at least Datafly, k=5 to 12",
            ],
            readings.iter().map(of_reading).collect::<Result<_, _>>()?,
        ),
    ])
}

/// All searches for one k.
fn side_by_side(bench: &Bench, k: u64, best: &Released) -> Result<Vec<Line>, Error> {
    let weights = vec![Share::ONE; bench.ladders.len()];
    let local = LocalRecoding {
        table: &bench.table,
        numbers: &[],
        metric: MetricId::Prec,
        weights: &weights,
        uses_time: false,
    };
    let mondrian = Mondrian {
        table: &bench.table,
        numbers: &[],
        partitioning: Partitioning::Strict,
    };
    let top_down = TopDown {
        table: &bench.table,
        tighten: true,
    };
    let [strict, ours] = [true, false].map(|strict| datafly::algorithm(k, strict));
    let literal = fixtures::datafly(fixtures::LIKELIEST, k)?.2;
    let attribute = fixtures::figure_7_nodes(fixtures::LIKELIEST, k, "distortion")?.1;
    // What Prec must be, where brute force has answered.
    let searches: [(&str, &dyn Algorithm, Option<Share>); 6] = [
        ("Datafly, strict", &strict, Some(literal)),
        ("Datafly, ours", &ours, Some(literal)),
        ("MinGen by attribute", &MinGen::default(), Some(attribute)),
        ("local", &local, None),
        ("mondrian", &mondrian, None),
        ("top-down", &top_down, None),
    ];
    let mut lines = Vec::new();
    for (name, algorithm, expected) in searches {
        let found = Released::by(bench, algorithm, k)?;
        let found = found.ok_or_else(|| internal("a search left nothing"))?;
        let right = expected.is_none_or(|expected| expected == found.prec)
            && found.prec <= best.prec
            && found
                .bound
                .is_none_or(|bound| bound >= best.prec.to_f64() - NEAR);
        let (paper, verdict) = match (name, k) {
            ("Datafly, strict", 2) => ("Prec 0.75", Verdict::Erratum(2)),
            ("Datafly, strict", _) => ("k-anonymous", Verdict::Agrees),
            _ => ("", Verdict::Checked),
        };
        lines.push(line(bench, (name, k), paper, &found, verdict, right)?);
    }
    let expected = fixtures::figure_7_cell(fixtures::LIKELIEST, k)?;
    let right = best.prec == expected && cell::stands(bench, best, k)?;
    let (paper, verdict) = match k {
        2 => ("GT, Prec 0.90", Verdict::Erratum(1)),
        _ => ("", Verdict::Checked),
    };
    let by_cell = line(bench, ("MinGen by cell", k), paper, best, verdict, right)?;
    lines.insert(3, by_cell);
    lines.insert(2, of_mu_argus(bench, k)?);
    Ok(lines)
}

/// A release that must be k-anonymous.
fn line(
    bench: &Bench,
    (name, k): (&str, u64),
    paper: &str,
    found: &Released,
    verdict: Verdict,
    right: bool,
) -> Result<Line, Error> {
    let refused = released::refused(bench, &found.rows, k)?;
    let smallest = released::smallest_class(&found.rows);
    let right = right
        && refused.is_none()
        && smallest as u64 >= k
        && released::prec_of_rows(bench, &found.rows)? == found.prec;
    let bound = found.bound.map(|bound| format!("{bound:.4}"));
    let ours = vec![
        words::share(found.prec),
        bound.unwrap_or_default(),
        released::classes(&found.rows).to_string(),
        smallest.to_string(),
        found.suppressed.to_string(),
        refused.map_or_else(|| "yes".to_owned(), |rare| format!("no: {rare}")),
    ];
    let name = format!("k = {k}, {name}");
    Ok(Line::new(name, paper, ours, verdict, right))
}

/// mu-Argus suppresses cells, and its release is not k-anonymous.
fn of_mu_argus(bench: &Bench, k: u64) -> Result<Line, Error> {
    let (rows, cells) = mu_argus::release(bench, k)?;
    let prec = released::prec_of_rows(bench, &rows)?;
    let refused = released::refused(bench, &rows, k)?;
    let right = refused.is_some() && prec == fixtures::mu_argus_prec(fixtures::LIKELIEST, k)?;
    let ours = vec![
        words::share(prec),
        String::new(),
        released::classes(&rows).to_string(),
        released::smallest_class(&rows).to_string(),
        format!("0, and {cells} cells"),
        refused.map_or_else(|| "yes".to_owned(), |rare| format!("no: {rare}")),
    ];
    Ok(Line::new(
        format!("k = {k}, mu-Argus, all combinations"),
        "may fail",
        ours,
        Verdict::Agrees,
        right,
    ))
}

/// Erratum 10: Datafly may beat the best by attribute; where it suppresses no row or k of them, never the best by cell.
fn of_reading(reading: &Reading) -> Result<Line, Error> {
    let (mut ours, mut right) = (Vec::new(), true);
    for (k, cell) in KS.into_iter().zip(&reading.best) {
        let found = Released::by(&reading.bench, &datafly::algorithm(k, true), k)?;
        let found = found.ok_or_else(|| internal("Datafly left nothing"))?;
        let (_, attribute) = reading.bench.distortions(k)?;
        right &= found.prec == fixtures::datafly(reading.name, k)?.2
            && suppresses_a_class(&found, k)
            && cell.prec >= found.prec
            && (k > 2 || found.prec > attribute);
        ours.extend([
            format!("{} ({})", found.prec, found.suppressed),
            attribute.to_string(),
            cell.prec.to_string(),
        ]);
    }
    let (held, all) = greater_k(&reading.bench)?;
    right &= held == all && all > 0;
    ours.push(format!("{held} of {all}"));
    Ok(Line::new(
        reading.name,
        "MinGen by cell can be more precise",
        ours,
        Verdict::Remark(10),
        right,
    ))
}

/// The releases of Datafly, strict and ours, for greater k: those no more precise than the best by cell, and all.
fn greater_k(bench: &Bench) -> Result<(usize, usize), Error> {
    let (mut held, mut all) = (0, 0);
    for k in 5..=bench.table.rows() as u64 {
        let best = cell::best(bench, k)?;
        for strict in [true, false] {
            let found = Released::by(bench, &datafly::algorithm(k, strict), k)?;
            let found = found.filter(|found| suppresses_a_class(found, k));
            if let Some(found) = found {
                all += 1;
                held += usize::from(best.proven && best.prec >= found.prec);
            }
        }
    }
    Ok((held, all))
}

/// No suppressed row, or so many that they are a class.
fn suppresses_a_class(found: &Released, k: u64) -> bool {
    found.suppressed == 0 || found.suppressed as u64 >= k
}
