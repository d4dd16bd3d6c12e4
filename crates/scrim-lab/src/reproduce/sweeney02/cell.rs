//! `MinGen` at the cell level: Equation 2, and the best tables of Figures 4 and 7.

use std::collections::BTreeSet;

use scrim::algorithm::MinGenCell;
use scrim::hierarchy::Ladder;
use scrim::metric::MetricId;
use scrim::recoding::{Node, Recoding, Suppressed};
use scrim::{Error, Share};

use super::bench::{Bench, internal};
use super::released::{self, Released, Rows};
use super::{Line, Part, Verdict, fixtures, words};

/// The k for which brute force has answered.
pub(super) const KS: [u64; 3] = [2, 3, 4];

/// Figure 7 under a reading of Figure 6, and its best tables by cell for each of [`KS`].
#[derive(Debug)]
pub(super) struct Reading {
    pub(super) name: &'static str,
    pub(super) bench: Bench,
    pub(super) best: Vec<Released>,
}

/// All readings.
pub(super) fn readings() -> Result<Vec<Reading>, Error> {
    let reading = |name: &'static str| {
        let bench = fixtures::figure_7(name)?;
        let best = KS.into_iter().map(|k| best(&bench, k));
        let best = best.collect::<Result<_, _>>()?;
        Ok(Reading { name, bench, best })
    };
    fixtures::VARIANTS.into_iter().map(reading).collect()
}

/// The best table by cell.
pub(super) fn best(bench: &Bench, k: u64) -> Result<Released, Error> {
    let weights = vec![Share::ONE; bench.ladders.len()];
    let algorithm = MinGenCell {
        metric: MetricId::Prec,
        weights: &weights,
        preferred: &[],
    };
    let found = Released::by(bench, &algorithm, k)?;
    found.ok_or_else(|| internal("fewer rows than k"))
}

/// Whether a table is proven, k-anonymous for the certifier, and as precise cell by cell as the library says.
pub(super) fn stands(bench: &Bench, best: &Released, k: u64) -> Result<bool, Error> {
    Ok(best.proven
        && released::refused(bench, &best.rows, k)?.is_none()
        && released::prec_of_rows(bench, &best.rows)? == best.prec)
}

pub(super) fn parts(readings: &[Reading]) -> Result<Vec<Part>, Error> {
    let figure_4 = fixtures::figure_4()?;
    let mut of_figure_4 = KS
        .iter()
        .map(|k| of_figure_4(&figure_4, *k))
        .collect::<Result<Vec<_>, _>>()?;
    of_figure_4.push(the_table_of_figure_4(&figure_4)?);
    Ok(vec![
        Part::new(
            "Equation 2: tables when every cell is generalized on its own",
            &["ours"],
            equation_2(&figure_4, readings)?,
        ),
        Part::new(
            "Figure 4 by attribute and by cell: the greatest Prec",
            &["by attribute", "by cell"],
            of_figure_4,
        ),
        Part::new(
            "Figure 7 by attribute and by cell under ten readings of Figure 6: the greatest Prec",
            &[
                "attribute k=2",
                "cell k=2",
                "attribute k=3",
                "cell k=3",
                "attribute k=4",
                "cell k=4",
            ],
            readings.iter().map(of_reading).collect::<Result<_, _>>()?,
        ),
    ])
}

/// The equation as printed beside the generalizations of a row, to the power of the rows.
fn equation_2(figure_4: &Bench, readings: &[Reading]) -> Result<Vec<Line>, Error> {
    let printed = |name: &str, bench: &Bench| {
        let rows = bench.table.rows() as u32;
        let heights = bench.ladders.iter().map(Ladder::height);
        let factors: Vec<u128> = heights.map(|height| u128::from(height) + 1).collect();
        let product = factors.iter().try_fold(1u128, |product, factor| {
            product.checked_mul(factor.checked_pow(rows)?)
        });
        let ours = bench.lattice().size().checked_pow(rows);
        let told: Vec<String> = factors
            .iter()
            .map(|factor| format!("{factor}^{rows}"))
            .collect();
        let shown = ours.map_or_else(|| "too many".to_owned(), |ours| ours.to_string());
        let right = ours.is_some() && ours == product;
        Line::new(name, told.join(" x "), vec![shown], Verdict::Agrees, right)
    };
    let mut lines = vec![printed("Figure 4", figure_4)];
    let likeliest = readings
        .iter()
        .filter(|reading| reading.name == fixtures::LIKELIEST);
    lines.extend(
        likeliest.map(|reading| printed(&format!("Figure 7, {}", reading.name), &reading.bench)),
    );
    lines.extend(one_by_one()?);
    Ok(lines)
}

/// A table so small that all its generalizations can be made: how many there are, and the most precise of them.
fn one_by_one() -> Result<Vec<Line>, Error> {
    let bench = fixtures::tie()?;
    let lattice = bench.lattice();
    let single: Vec<Rows> = (0..lattice.size() as usize)
        .map(|index| at_node(&bench, &lattice.node(index)))
        .collect();
    let mut tables: BTreeSet<Rows> = BTreeSet::from([Vec::new()]);
    for row in 0..bench.table.rows() {
        let longer = |table: &Rows| {
            let rows = single.iter().map(|rows| rows[row].clone());
            let longer = rows.map(|row| [&table[..], &[row]].concat());
            longer.collect::<Vec<Rows>>()
        };
        tables = tables.iter().flat_map(longer).collect();
    }
    let mut most = Share::ZERO;
    for table in tables
        .iter()
        .filter(|table| released::smallest_class(table) >= 2)
    {
        most = most.max(released::prec_of_rows(&bench, table)?);
    }
    let found = best(&bench, 2)?;
    let right = found.prec == most && stands(&bench, &found, 2)?;
    let [rows, attributes] = [bench.table.rows(), bench.ladders.len()];
    let paper = vec![format!("2^{rows}"); attributes].join(" x ");
    let all = lattice.size().checked_pow(rows as u32) == Some(tables.len() as u128);
    Ok(vec![
        Line::new(
            "{a,b} x {x,y}, every table made",
            paper,
            vec![tables.len().to_string()],
            Verdict::Agrees,
            all,
        ),
        Line::new(
            "the most precise of these for k = 2",
            "",
            vec![words::share(found.prec)],
            Verdict::Checked,
            right,
        ),
    ])
}

fn at_node(bench: &Bench, node: &Node) -> Rows {
    let recoding = Recoding::FullDomain {
        node: node.clone(),
        suppressed: Suppressed::default(),
    };
    released::rows(bench, &recoding)
}

fn of_figure_4(bench: &Bench, k: u64) -> Result<Line, Error> {
    let (_, attribute) = bench.distortions(k)?;
    let cell = best(bench, k)?;
    let right = attribute == fixtures::figure_4_nodes(k, "distortion")?.1
        && cell.prec == fixtures::figure_4_cell(k)?
        && cell.prec >= attribute
        && stands(bench, &cell, k)?;
    let ours = vec![words::share(attribute), words::share(cell.prec)];
    let name = format!("k = {k}");
    Ok(if k == 2 {
        let right = right && words::prints_as(cell.prec, "0.83");
        Line::new(name, "0.83", ours, Verdict::Agrees, right)
    } else {
        Line::new(name, "", ours, Verdict::Checked, right)
    })
}

/// For k = 2 the best by cell is the paper's best by attribute.
fn the_table_of_figure_4(bench: &Bench) -> Result<Line, Error> {
    let by_cell = best(bench, 2)?.rows;
    let (nodes, _) = bench.distortions(2)?;
    let same = nodes.iter().any(|node| at_node(bench, node) == by_cell);
    let node = words::nodes(&nodes);
    let ours = vec![
        node.clone(),
        if same {
            node
        } else {
            "another table".to_owned()
        },
    ];
    Ok(Line::new(
        "the table for k = 2",
        "[0,1]",
        ours,
        Verdict::Agrees,
        same && words::nodes(&nodes) == "[0,1]",
    ))
}

fn of_reading(reading: &Reading) -> Result<Line, Error> {
    let (mut ours, mut right) = (Vec::new(), true);
    for (k, cell) in KS.into_iter().zip(&reading.best) {
        let (_, attribute) = reading.bench.distortions(k)?;
        right &= attribute == fixtures::figure_7_nodes(reading.name, k, "distortion")?.1
            && cell.prec == fixtures::figure_7_cell(reading.name, k)?
            && cell.prec >= attribute
            && stands(&reading.bench, cell, k)?;
        ours.extend([attribute.to_string(), cell.prec.to_string()]);
    }
    Ok(Line::new(reading.name, "", ours, Verdict::Checked, right))
}
