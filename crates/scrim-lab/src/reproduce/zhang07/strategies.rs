//! What each strategy publishes (Examples 4 to 8), and that neither is better.

use scrim::Error;
use scrim::adversary::Strategy;

use super::case::Case;
use super::{Line, Part, Verdict};

/// A table that the inclusive strategy publishes and the exclusive one does not.
const INCLUSIVE: &str = include_str!("../../../../../fixtures/papers/zhang07/inclusive.csv");

const STRATEGIES: [Strategy; 3] = [Strategy::Naive, Strategy::Exclusive, Strategy::Inclusive];

/// What each strategy shall publish.
type Right = [&'static str; 3];

pub(super) fn part(case: &Case) -> Result<Part, Error> {
    let small = Case::read(INCLUSIVE, 3)?;
    let lines = vec![
        line(
            case,
            ("Ga", "Ga"),
            "G1",
            ["G1", "G1", "G1"],
            Verdict::Agrees,
        )?,
        line(
            case,
            ("G0", "G0"),
            "nothing by either strategy",
            ["G2", "nothing", "nothing"],
            Verdict::Agrees,
        )?,
        line(
            case,
            ("Gb", "Gb"),
            "exclusive G3, inclusive nothing",
            ["G3", "G3", "nothing"],
            Verdict::Agrees,
        )?,
        line(
            case,
            ("the table of erratum 14", "witness"),
            "",
            ["G2", "G2", "G2"],
            Verdict::Erratum(14),
        )?,
        line(
            &small,
            ("six ids, crossing intervals", "crossing"),
            "incomparable",
            ["G2", "nothing", "G3"],
            Verdict::Agrees,
        )?,
    ];
    Ok(Part::new(
        "Examples 6 to 8: what each strategy publishes, by the walk of `publish`",
        &["naive", "exclusive", "inclusive"],
        lines,
    ))
}

fn line(
    case: &Case,
    (name, table): (&str, &str),
    paper: &str,
    right: Right,
    verdict: Verdict,
) -> Result<Line, Error> {
    let table = case.table(table)?;
    let mut cells = Vec::new();
    let mut is_right = true;
    for (strategy, right) in STRATEGIES.into_iter().zip(right) {
        let walked = case.publish(table, strategy)?;
        is_right &= walked.told() == right;
        cells.push(format!("{} ({})", walked.told(), walked.ratio()));
    }
    Ok(Line::new(name, paper, cells, verdict, is_right))
}
