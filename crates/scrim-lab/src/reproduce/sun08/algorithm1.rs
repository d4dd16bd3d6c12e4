//! Figures 2 and 3 by Algorithm 1, the paper's local recoding: distortion ratio and seconds by quasi-identifier size and alpha.
//!
//! **Reading.** Classes are tightened afterwards to what their rows have in common, as `top-down` does unless told otherwise;
//! the ratios of the algorithm as printed stand beside. Seconds are those of the algorithm as printed. The ratios depend on the
//! hierarchies and random values, which the paper does not print; what it says of its curves is held against ours.

use scrim::recoding::Local;
use scrim::{Error, Share};

use super::ask::{Ask, Kind};
use super::data::{Data, QUASI, SENSITIVE};
use super::figures::{Figures, alpha_name, least, size_name};
use super::runs::Runs;
use super::seconds::{Seconds, Took};
use super::{Line, Part, Verdict};

/// What Algorithm 1 found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Specialized {
    /// The distortion ratio with tightened classes; nothing where there is no table.
    pub(super) ratio: Option<Share>,
    /// That of the algorithm as printed.
    pub(super) printed: Option<Share>,
    pub(super) took: Took,
}

/// One run for each of the three models.
pub(super) type Row = [Specialized; 3];

/// The runs of Figures 2 and 3.
#[derive(Debug)]
pub(super) struct TopDown {
    /// By number of quasi-identifiers, p = 4, alpha = 2.
    pub(super) sizes: Vec<(usize, Row)>,
    /// By alpha, p = 2, all quasi-identifiers.
    pub(super) alphas: Vec<(i128, Row)>,
}

impl TopDown {
    pub(super) fn search(data: &Data) -> Result<Self, Error> {
        let run = |size: usize, ask: Ask| -> Result<Specialized, Error> {
            let subject = data.subject(SENSITIVE[0], size);
            let ratio = |local: Option<Local>| local.map(|local| subject.ratio(&local)).transpose();
            let (local, took) = subject.top_down_timed(&ask, false)?;
            Ok(Specialized {
                ratio: ratio(subject.top_down(&ask, true)?)?,
                printed: ratio(local)?,
                took,
            })
        };
        let mut sizes = Vec::new();
        for size in 2..=QUASI.len() {
            let [first, second, third] =
                Kind::SENSITIVE.map(|kind| run(size, Ask::new(kind, 4, 4, Share::whole(2))));
            sizes.push((size, [first?, second?, third?]));
        }
        let mut alphas = Vec::new();
        // p-sensitivity has no alpha: one run for all.
        let plain = run(QUASI.len(), Ask::new(Kind::P, 4, 2, Share::ZERO))?;
        for alpha in 1..=4 {
            let with = |kind| run(QUASI.len(), Ask::new(kind, 4, 2, Share::whole(alpha)));
            alphas.push((alpha, [plain, with(Kind::PAlpha)?, with(Kind::PPlus)?]));
        }
        Ok(Self { sizes, alphas })
    }

    /// The curves of Figure 3, and what the paper says of them.
    pub(super) fn parts(&self, runs: &Runs<'_>, figures: &Figures) -> Vec<Part> {
        let on = runs.data.name();
        let headings = ["p-sensitive", "(p,alpha)", "(p+,alpha)", "Incognito"];
        let sizes = self.sizes.iter().zip(&figures.sizes);
        let sizes = sizes.map(|((size, row), (_, beside))| {
            let beside = incognito(least(runs, beside).map(|least| Some(least?.1)));
            line(size_name(*size), row, beside)
        });
        let alphas = self.alphas.iter().zip(&figures.alphas);
        let alphas = alphas.map(|((alpha, row), (_, beside))| {
            let beside = incognito(least(runs, beside).map(|least| Some(least?.1)));
            line(alpha_name(*alpha), row, beside)
        });
        vec![
            Part::new(
                format!(
                    "Figure 3(a) by Algorithm 1, tightened (as printed): distortion ratio by size, p = 4, k = 4, alpha = 2 ({on})"
                ),
                &headings,
                sizes.collect(),
            ),
            Part::new(
                format!(
                    "Figure 3(b) by Algorithm 1, tightened (as printed): distortion ratio by alpha, k = 4, seven quasi-identifiers ({on})"
                ),
                &headings,
                alphas.collect(),
            ),
            Part::new(
                "The same: what the paper says of the curves",
                &["ours"],
                self.said(),
            ),
        ]
    }

    fn said(&self) -> Vec<Line> {
        let by_size: Vec<Row> = self.sizes.iter().map(|(_, row)| *row).collect();
        let by_alpha: Vec<Row> = self.alphas.iter().map(|(_, row)| *row).collect();
        let claim = |name: &str, paper: &str, ours: String, is_so: bool| {
            let verdict = if is_so {
                Verdict::Agrees
            } else {
                Verdict::NotHere
            };
            Line::new(name, paper, vec![ours], verdict, true)
        };
        let size = trend(&by_size, &[0, 1, 2]);
        let alpha = trend(&by_alpha, &[1, 2]);
        let mut lines = vec![
            claim(
                "as the size grows",
                "grows",
                size.words(),
                size == Trend::Grows,
            ),
            claim(
                "as alpha grows",
                "falls",
                alpha.words(),
                alpha == Trend::Falls,
            ),
        ];
        if let Some(factor) = times_the_others(&by_size) {
            lines.push(claim(
                "p-sensitive, on average over sizes",
                "almost 3 times the others",
                format!("{factor:.2} times the others"),
                factor > 2.0,
            ));
        }
        lines
    }

    /// Figure 2.
    pub(super) fn seconds(&self, on: &str) -> Vec<Seconds> {
        let table = |title: &str, rows: Vec<(String, Vec<Took>)>| Seconds {
            title: format!("Seconds, {title} ({on})"),
            headings: Kind::SENSITIVE.map(|kind| kind.name().to_owned()).to_vec(),
            tested: "classes tested",
            rows,
        };
        let took = |row: &Row| row.map(|run| run.took).to_vec();
        let sizes = self.sizes.iter();
        let alphas = self.alphas.iter();
        vec![
            table(
                "Figure 2(a): Algorithm 1 by size, p = 4, k = 4, alpha = 2",
                sizes
                    .map(|(size, row)| (size_name(*size), took(row)))
                    .collect(),
            ),
            table(
                "Figure 2(b): Algorithm 1 by alpha, k = 4, seven quasi-identifiers",
                alphas
                    .map(|(alpha, row)| (alpha_name(*alpha), took(row)))
                    .collect(),
            ),
        ]
    }
}

fn line(name: String, row: &Row, beside: String) -> Line {
    let cell = |run: &Specialized| format!("{} ({})", decimal(run.ratio), decimal(run.printed));
    let mut cells: Vec<String> = row.iter().map(cell).collect();
    cells.push(beside);
    Line::new(name, "", cells, Verdict::Measured, true)
}

/// The least ratios of Incognito, once where all three are the same.
fn incognito(least: [Option<Share>; 3]) -> String {
    if least[0] == least[1] && least[1] == least[2] {
        return decimal(least[0]);
    }
    least.map(decimal).join(" ")
}

fn decimal(ratio: Option<Share>) -> String {
    ratio.map_or_else(
        || "none".to_owned(),
        |ratio| format!("{:.4}", ratio.to_f64()),
    )
}

/// Which way ratios go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Trend {
    Grows,
    Falls,
    Same,
    Neither,
}

impl Trend {
    fn words(self) -> String {
        match self {
            Self::Grows => "grows",
            Self::Falls => "falls",
            Self::Same => "stays",
            Self::Neither => "does neither",
        }
        .to_owned()
    }
}

/// The way of these models together; no table at all is the worst ratio.
fn trend(rows: &[Row], models: &[usize]) -> Trend {
    let (mut up, mut down) = (false, false);
    for pair in rows.windows(2) {
        for model in models {
            let worst = Share::whole(2);
            let of = |row: &Row| row[*model].ratio.unwrap_or(worst);
            up |= of(&pair[1]) > of(&pair[0]);
            down |= of(&pair[1]) < of(&pair[0]);
        }
    }
    match (up, down) {
        (true, false) => Trend::Grows,
        (false, true) => Trend::Falls,
        (false, false) => Trend::Same,
        (true, true) => Trend::Neither,
    }
}

/// How many times the mean of the other two p-sensitivity costs, on average; nothing where a model has no table.
fn times_the_others(rows: &[Row]) -> Option<f64> {
    let mut sum = 0.0;
    for row in rows {
        let of = |at: usize| row[at].ratio.map(Share::to_f64);
        let others = f64::midpoint(of(1)?, of(2)?);
        sum += of(0)? / (others > 0.0).then_some(others)?;
    }
    (!rows.is_empty()).then(|| sum / rows.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(hundredths: [i128; 3]) -> Row {
        hundredths.map(|hundredths| Specialized {
            ratio: Share::new(hundredths, 100),
            printed: None,
            took: Took {
                seconds: 0.0,
                tested: 1,
            },
        })
    }

    #[test]
    fn the_trend_is_that_of_all_models_together() {
        let grows = [row([1, 2, 3]), row([1, 2, 4])];
        assert_eq!(trend(&grows, &[0, 1, 2]), Trend::Grows);
        assert_eq!(trend(&grows, &[0, 1]), Trend::Same);
        let mixed = [row([1, 5, 3]), row([2, 4, 3])];
        assert_eq!(trend(&mixed, &[0, 1, 2]), Trend::Neither);
        assert_eq!(trend(&mixed, &[1]), Trend::Falls);
        let mut none = grows;
        none[1][2].ratio = None;
        assert_eq!(trend(&none, &[2]), Trend::Grows);
    }

    #[test]
    fn p_sensitivity_is_held_against_the_mean_of_the_others() {
        let factor = times_the_others(&[row([6, 1, 3]), row([2, 2, 2])]).unwrap();
        assert!((factor - 2.0).abs() < 1e-12, "{factor}");
        let mut none = row([1, 1, 1]);
        none[0].ratio = None;
        assert_eq!(times_the_others(&[none]), None);
    }
}
