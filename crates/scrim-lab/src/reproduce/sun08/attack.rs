//! Section 6, similarity attack: how many minimal tables are vulnerable.

use scrim::{Error, Share};

use super::ask::{Ask, Kind};
use super::data::{QUASI, SENSITIVE};
use super::runs::Runs;
use super::{Line, Part, Verdict, words};

/// Minimal tables, vulnerable ones and most records of Adult, by column and model: found by brute force.
const ADULT: [[[u64; 3]; 4]; 2] = [
    [[14, 0, 0], [14, 0, 0], [15, 0, 0], [15, 0, 0]],
    [[14, 4, 1806], [14, 4, 1806], [15, 4, 1806], [11, 0, 0]],
];

pub(super) fn parts(runs: &mut Runs<'_>) -> Result<Vec<Part>, Error> {
    let (mut counted, mut vulnerable, mut best) = (Vec::new(), Vec::new(), Vec::new());
    for (column, of) in SENSITIVE.iter().enumerate() {
        for (at, kind) in Kind::ALL.into_iter().enumerate() {
            let ask = Ask::new(kind, 4, 2, Share::whole(2));
            let run = runs.run(column, QUASI.len(), ask)?;
            let mut ours = [run.minimal.len() as u64, 0, 0];
            for node in &run.minimal {
                let records = runs.exposed(column, node)?;
                ours[1] += u64::from(records > 0);
                ours[2] = ours[2].max(records);
            }
            // (2+,alpha) rules the attack out, whatever the data.
            let right = run.right
                && (kind != Kind::PPlus || ours[1] == 0)
                && (!runs.data.real || ours == ADULT[column][at]);
            let name = format!("column {of}: {}", kind.name());
            let said = Said::of(column, kind);
            let cells = |ours: &[u64]| ours.iter().map(ToString::to_string).collect();
            let (paper, verdict) = said.minimal;
            counted.push(Line::new(&name, paper, cells(&ours[..1]), verdict, right));
            let (paper, verdict) = said.vulnerable;
            vulnerable.push(Line::new(&name, paper, cells(&ours[1..]), verdict, right));
            best.push(best_line(runs, &name, &run.minimal, run.right));
        }
    }
    let on = runs.data.name();
    Ok(vec![
        Part::new(
            format!(
                "Section 6: minimal tables for k = 4, p = 2, alpha = 2 and seven quasi-identifiers ({on})"
            ),
            &["minimal"],
            counted,
        ),
        Part::new(
            "The same: those that the similarity attack finds records in",
            &["vulnerable", "most records"],
            vulnerable,
        ),
        Part::new(
            "The same: the best of the minimal tables",
            &["distortion ratio", "Prec"],
            best,
        ),
    ])
}

/// What the paper prints, with the verdict on it. Its sensitive values are uniform, as column A's.
struct Said {
    minimal: (&'static str, Verdict),
    vulnerable: (&'static str, Verdict),
}

impl Said {
    fn of(column: usize, kind: Kind) -> Self {
        // How many tables are minimal depends on the hierarchies, which are not printed; so does how many are vulnerable.
        let unprinted = |paper| (paper, Verdict::NotReproducible);
        let silent = ("", Verdict::Checked);
        let (minimal, vulnerable) = match (column, kind) {
            (0, Kind::P) => (
                unprinted("21"),
                ("13 of 21, 916 records", Verdict::Erratum(4)),
            ),
            (0, Kind::PAlpha) => (unprinted("30"), unprinted("7 of 30")),
            (0, Kind::PPlus) => (unprinted("28"), ("3 of 28", Verdict::Erratum(3))),
            _ => (silent, silent),
        };
        Self {
            minimal,
            vulnerable,
        }
    }
}

fn best_line(runs: &Runs<'_>, name: &str, minimal: &[scrim::recoding::Node], right: bool) -> Line {
    let ratio = minimal
        .iter()
        .filter_map(|node| runs.ratio(node))
        .map(|(_, ratio)| ratio)
        .min();
    let prec = minimal.iter().filter_map(|node| runs.prec(node)).max();
    let known = !runs.data.real || (ratio, prec) == (Share::new(11, 15), Share::new(5, 14));
    let cell = |share: Option<Share>| share.map_or_else(|| "none".to_owned(), words::share);
    Line::new(
        name,
        "",
        vec![cell(ratio), cell(prec)],
        Verdict::Checked,
        right && known,
    )
}
