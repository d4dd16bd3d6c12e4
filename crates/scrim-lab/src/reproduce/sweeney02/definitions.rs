//! Definition 6 and Theorem 2, on the smallest tables that show where they fail.

use scrim::Error;

use super::{Line, Part, Verdict, fixtures, words};

pub(super) fn part() -> Result<Part, Error> {
    Ok(Part::new(
        "Definition 6 and Theorem 2",
        &["minimal distortions", "Prec", "minimal generalizations"],
        vec![tie()?, zero_weight()?],
    ))
}

/// {a,b} x {x,y}: two nodes are equally precise, and Definition 6 asks that they be the same table.
fn tie() -> Result<Line, Error> {
    let bench = fixtures::tie()?;
    let (minimal, (ties, prec)) = (bench.minimal(2)?, bench.distortions(2)?);
    let right =
        words::nodes(&ties) == "[0,1] [1,0]" && minimal == ties && prec.to_string() == "1/2";
    let ours = vec![
        words::nodes(&ties),
        words::share(prec),
        words::nodes(&minimal),
    ];
    Ok(Line::new(
        "Definition 6 on {a,b} x {x,y}, k = 2",
        "none (section 3.4: at least one)",
        ours,
        Verdict::Erratum(3),
        right,
    ))
}

/// Figure 4 with no weight on ZIP: some minimal distortions are no minimal generalizations.
fn zero_weight() -> Result<Line, Error> {
    let bench = fixtures::figure_4()?.weighted(&[1, 0]);
    let (minimal, (ties, prec)) = (bench.minimal(2)?, bench.distortions(2)?);
    let expected = fixtures::figure_4_weighted("1/1 0/1", 2)?;
    let fails = ties.iter().any(|node| !minimal.contains(node));
    let right = (words::nodes(&ties), prec) == (expected.0.join(" "), expected.1) && fails;
    let ours = vec![
        words::nodes(&ties),
        words::share(prec),
        words::nodes(&minimal),
    ];
    Ok(Line::new(
        "Theorem 2 on Figure 4, weight of ZIP 0, k = 2",
        "each a minimal generalization",
        ours,
        Verdict::Erratum(4),
        right,
    ))
}
