//! Figure 7 with Example 7: twelve patients, generalized by attribute.

use scrim::Error;
use scrim::algorithm::Unwatched;

use super::bench::{Bench, internal, read_table};
use super::released::{self, prec_of_rows, rows_of_table};
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
    let gt = rows_of_table(&read_table(fixtures::GT)?, bench.ladders.len());
    let ours = prec_of_rows(bench, &gt)?;
    let (_, expected, _) = fixtures::variant(fixtures::LIKELIEST)?;
    let right = ours == expected && !words::prints_as(ours, "0.90");
    Ok(vec![
        Line::same(
            "largest k of GT",
            "2",
            released::smallest_class(&gt).to_string(),
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
    let gt = rows_of_table(&read_table(fixtures::GT)?, bench.ladders.len());
    let gt = prec_of_rows(&bench, &gt)?;
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
