//! Figure 7 with Example 7: twelve patients, generalized by attribute.

use scrim::algorithm::Unwatched;
use scrim::hierarchy::Hierarchy;
use scrim::table::Table;
use scrim::{Error, Share};

use super::bench::{Bench, internal, read_table};
use super::{Line, Part, Verdict, datafly, fixtures, words};

pub(super) fn parts() -> Result<Vec<Part>, Error> {
    let bench = fixtures::figure_7(fixtures::LIKELIEST)?;
    let attribute_level = (2..=4).map(|k| attribute_level(&bench, k));
    let variants = fixtures::VARIANTS.into_iter().map(variant);
    Ok(vec![
        Part::new(
            "Figure 7, Example 7: the printed GT, Figure 6 read as Y-D-C/G2",
            &["ours"],
            printed(&bench)?,
        ),
        Part::new(
            "Figure 7 generalized by attribute [Race,BirthDate,Gender,ZIP], Y-D-C/G2",
            &["minimal generalizations", "minimal distortions", "Prec"],
            attribute_level.collect::<Result<_, _>>()?,
        ),
        Part::new(
            "Figure 7 under ten readings of Figure 6",
            &[
                "heights",
                "GT",
                "Datafly k=2",
                "best k=2",
                "best k=3",
                "best k=4",
            ],
            variants.collect::<Result<_, _>>()?,
        ),
    ])
}

fn printed(bench: &Bench) -> Result<Vec<Line>, Error> {
    let gt = read_table(fixtures::GT)?;
    let ours = prec_of_cells(bench, &gt)?;
    let (_, expected, _) = fixtures::variant(fixtures::LIKELIEST)?;
    let right = ours == expected && !words::prints_as(ours, "0.90");
    Ok(vec![
        Line::same(
            "largest k of GT",
            "2",
            smallest_class(&gt, bench.ladders.len()).to_string(),
        ),
        Line::new(
            "Prec(GT)",
            "0.90",
            vec![words::share(ours)],
            Verdict::Erratum(2),
            right,
        ),
    ])
}

fn attribute_level(bench: &Bench, k: u64) -> Result<Line, Error> {
    let (minimal, (distortions, prec)) = (bench.minimal(k)?, bench.distortions(k)?);
    let of_kind = |kind| fixtures::figure_7_nodes(fixtures::LIKELIEST, k, kind);
    let (expected_minimal, (expected, expected_prec)) =
        (of_kind("minimal")?.0, of_kind("distortion")?);
    let (minimal, distortions) = (words::nodes(&minimal), words::nodes(&distortions));
    let right = minimal == expected_minimal.join(" ")
        && distortions == expected.join(" ")
        && prec == expected_prec;
    let ours = vec![minimal, distortions, words::share(prec)];
    Ok(Line::new(
        format!("k = {k}"),
        "",
        ours,
        Verdict::Checked,
        right,
    ))
}

fn variant(variant: &str) -> Result<Line, Error> {
    let bench = fixtures::figure_7(variant)?;
    let heights = words::numbers(bench.ladders.iter().map(scrim::hierarchy::Ladder::height));
    let gt = prec_of_cells(&bench, &read_table(fixtures::GT)?)?;
    let found = bench.search(&datafly::algorithm(2, true), 2, &mut Unwatched)?;
    let found = found.ok_or_else(|| internal("Datafly found nothing for k = 2"))?;
    let mgt = bench.prec(&found.recoding)?;
    let mut right = (heights.as_str(), gt, mgt) == fixtures::variant(variant)?
        && !(words::prints_as(gt, "0.90") && words::prints_as(mgt, "0.75"));
    let mut ours = vec![heights, gt.to_string(), mgt.to_string()];
    for k in 2..=4 {
        let (_, best) = bench.distortions(k)?;
        right &= best == fixtures::figure_7_nodes(variant, k, "distortion")?.1;
        ours.push(best.to_string());
    }
    Ok(Line::new(
        variant,
        "GT 0.90, Datafly 0.75",
        ours,
        Verdict::Erratum(2),
        right,
    ))
}

/// Definition 5 on a table as printed: the level of each cell is looked up in the hierarchy of its value.
fn prec_of_cells(bench: &Bench, printed: &Table) -> Result<Share, Error> {
    let mut lost = Share::ZERO;
    for ladder in &bench.ladders {
        let column = |table: &Table| {
            table
                .column(ladder.name())
                .cloned()
                .ok_or_else(|| internal("a column is missing"))
        };
        let (original, printed) = (column(&bench.table)?, column(printed)?);
        for row in 0..bench.table.rows() {
            let level = level(ladder.hierarchy(), original.text(row), printed.text(row))?;
            let cell = Share::new(level.into(), ladder.height().into());
            lost = cell
                .and_then(|cell| lost.checked_add(cell))
                .ok_or_else(|| internal("Prec is no fraction"))?;
        }
    }
    let cells = (bench.table.rows() * bench.ladders.len()) as i128;
    let mean = Share::new(-1, cells).and_then(|part| lost.checked_mul(part));
    mean.and_then(|mean| Share::ONE.checked_add(mean))
        .ok_or_else(|| internal("Prec is no fraction"))
}

/// How far up from a value a printed label stands.
fn level(hierarchy: &Hierarchy, value: &str, label: &str) -> Result<u8, Error> {
    let leaf = hierarchy
        .leaf(value)
        .ok_or_else(|| internal("a value has no leaf"))?;
    let mut levels = 0..=hierarchy.height();
    let found = levels.find(|level| hierarchy.label(hierarchy.at_level(leaf, *level)) == label);
    found.ok_or_else(|| internal("a printed cell generalizes another value"))
}

fn smallest_class(table: &Table, columns: usize) -> usize {
    let tuple = |row: usize| -> Vec<&str> {
        table.columns()[..columns]
            .iter()
            .map(|column| column.text(row))
            .collect()
    };
    let same = |row: usize| {
        (0..table.rows())
            .filter(|other| tuple(*other) == tuple(row))
            .count()
    };
    (0..table.rows()).map(same).min().unwrap_or(0)
}
