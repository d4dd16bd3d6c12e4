//! Figures 2 and 3 as tables: seconds and least distortion ratio by quasi-identifier size, p and alpha.

use scrim::{Error, Share};

use super::ask::{Ask, Kind};
use super::data::QUASI;
use super::runs::{Run, Runs};
use super::seconds::Seconds;
use super::{Line, Part, Verdict, words};

/// One search for each of the three models.
type Row = [Run; 3];

/// The searches of Figures 2 and 3 by Incognito.
#[derive(Debug)]
pub(super) struct Figures {
    /// By number of quasi-identifiers, p = 4, alpha = 2.
    pub(super) sizes: Vec<(usize, Row)>,
    /// By p, alpha = 2.
    ps: Vec<(u64, Row)>,
    /// By alpha, p = 2.
    pub(super) alphas: Vec<(i128, Row)>,
}

/// How lines about a size are named.
pub(super) fn size_name(size: usize) -> String {
    format!("{size} quasi-identifiers")
}

/// How lines about an alpha are named.
pub(super) fn alpha_name(alpha: i128) -> String {
    format!("p = 2, alpha = {alpha}")
}

impl Figures {
    pub(super) fn search(runs: &mut Runs<'_>) -> Result<Self, Error> {
        let mut row = |size, p, alpha| -> Result<Row, Error> {
            let [first, second, third] = Kind::SENSITIVE
                .map(|kind| runs.run(0, size, Ask::new(kind, 4, p, Share::whole(alpha))));
            Ok([first?, second?, third?])
        };
        let sizes = (2..=QUASI.len()).map(|size| Ok((size, row(size, 4, 2)?)));
        let sizes = sizes.collect::<Result<_, Error>>()?;
        let ps = (3..=4).map(|p| Ok((p, row(QUASI.len(), p, 2)?)));
        let ps = ps.collect::<Result<_, Error>>()?;
        let alphas = (1..=4).map(|alpha| Ok((alpha, row(QUASI.len(), 2, alpha)?)));
        let alphas = alphas.collect::<Result<_, Error>>()?;
        Ok(Self { sizes, ps, alphas })
    }

    /// Figure 3, and what the paper says of Figure 2.
    pub(super) fn parts(&self, runs: &Runs<'_>) -> Vec<Part> {
        let on = runs.data.name();
        let headings = ["p-sensitive", "(p,alpha)", "(p+,alpha)", "levels"];
        vec![
            Part::new(
                format!("Figure 2: what the paper says of its seconds, which stand below ({on})"),
                &["p-sensitive", "(p,alpha)", "(p+,alpha)"],
                self.said_of_time(),
            ),
            Part::new(
                format!(
                    "Figure 3(a): least distortion ratio by size, p = 4, k = 4, alpha = 2 ({on})"
                ),
                &headings,
                by_size(runs, &self.sizes),
            ),
            Part::new(
                format!(
                    "Figure 3(b): least distortion ratio by alpha, k = 4, seven quasi-identifiers ({on})"
                ),
                &headings,
                by_alpha(runs, &self.alphas),
            ),
        ]
    }

    /// Seconds depend on program and machine; how many tables Incognito tests does not.
    fn said_of_time(&self) -> Vec<Line> {
        let tested = |rows: &mut dyn Iterator<Item = &Row>| -> Vec<String> {
            let mut sums = [0; 3];
            for row in rows {
                let all = sums.iter_mut().zip(row);
                all.for_each(|(sum, run)| *sum += run.took.tested);
            }
            sums.map(|sum| format!("{sum} tables tested")).to_vec()
        };
        let line = |name: &str, paper: &str, cells: Vec<String>| {
            Line::new(name, paper, cells, Verdict::NotReproducible, true)
        };
        vec![
            line(
                "Figure 2(a): all sizes",
                "p-sensitive is faster",
                tested(&mut self.sizes.iter().map(|(_, row)| row)),
            ),
            line(
                "Figure 2(b): all alphas",
                "the more so, the larger alpha",
                tested(&mut self.alphas.iter().map(|(_, row)| row)),
            ),
        ]
    }

    /// Figure 2.
    pub(super) fn seconds(&self, on: &str) -> Vec<Seconds> {
        let by_p = self.ps.iter();
        let by_p = by_p.map(|(p, row)| (format!("p = {p}, alpha = 2"), row));
        let by_alpha = self.alphas.iter();
        let by_alpha = by_alpha.map(|(alpha, row)| (alpha_name(*alpha), row));
        let sizes = self.sizes.iter();
        vec![
            seconds(
                format!("Seconds, Figure 2(a): Incognito by size, p = 4, k = 4, alpha = 2 ({on})"),
                sizes.map(|(size, row)| (size_name(*size), row)),
            ),
            seconds(
                format!(
                    "Seconds, Figure 2(b): Incognito by p and alpha, k = 4, seven quasi-identifiers ({on})"
                ),
                by_alpha.chain(by_p),
            ),
        ]
    }
}

/// The least ratio of each model and the levels behind it; nothing where a model has no table.
pub(super) fn least(runs: &Runs<'_>, row: &Row) -> [Option<(u32, Share)>; 3] {
    let of = |at: usize| {
        row[at]
            .minimal
            .iter()
            .filter_map(|node| runs.ratio(node))
            .min()
    };
    [of(0), of(1), of(2)]
}

fn cells(least: [Option<(u32, Share)>; 3]) -> Vec<String> {
    let cell = |least: Option<(u32, Share)>| {
        least.map_or_else(|| "none".to_owned(), |(_, ratio)| words::share(ratio))
    };
    let mut cells: Vec<String> = least.iter().map(|least| cell(*least)).collect();
    let levels = least
        .map(|least| least.map_or_else(|| "none".to_owned(), |(levels, _)| levels.to_string()));
    cells.push(levels.join(" "));
    cells
}

/// No model is below a weaker one, where no table at all is the worst.
fn in_order(least: [Option<(u32, Share)>; 3]) -> bool {
    not_below(least[1], least[0]) && not_below(least[2], least[1])
}

fn not_below(strict: Option<(u32, Share)>, weak: Option<(u32, Share)>) -> bool {
    match (weak, strict) {
        (Some(weak), Some(strict)) => weak <= strict,
        (_, None) => true,
        (None, Some(_)) => false,
    }
}

fn by_size(runs: &Runs<'_>, sizes: &[(usize, Row)]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut before: Option<[Option<(u32, Share)>; 3]> = None;
    for (size, row) in sizes {
        let ours = least(runs, row);
        // Levels never fall with size; ratios may, which is remark 6.
        let level = |least: Option<(u32, Share)>| least.map_or(u32::MAX, |(levels, _)| levels);
        let rises =
            before.is_none_or(|before| (0..3).all(|at| level(before[at]) <= level(ours[at])));
        let ratio = |least: Option<(u32, Share)>| least.map(|(_, ratio)| ratio);
        let lower = |now: Option<Share>, before| now.is_some() && now < before;
        let falls =
            before.is_some_and(|before| (0..3).any(|at| lower(ratio(ours[at]), ratio(before[at]))));
        let (paper, verdict) = if falls {
            ("grows with size", Verdict::Remark(6))
        } else {
            ("p-sensitive 3 times the others", Verdict::Erratum(5))
        };
        let known = match size {
            4 if runs.data.real => Share::new(8, 11),
            5 if runs.data.real => Share::new(9, 13),
            _ => ratio(ours[0]),
        };
        let right =
            row.iter().all(|run| run.right) && in_order(ours) && rises && ratio(ours[0]) == known;
        lines.push(Line::new(
            size_name(*size),
            paper,
            cells(ours),
            verdict,
            right,
        ));
        before = Some(ours);
    }
    lines
}

fn by_alpha(runs: &Runs<'_>, alphas: &[(i128, Row)]) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut before: Option<[Option<(u32, Share)>; 3]> = None;
    for (alpha, row) in alphas {
        let ours = least(runs, row);
        let rises = before.is_none_or(|before| (0..3).all(|at| not_below(ours[at], before[at])));
        let right = row.iter().all(|run| run.right) && in_order(ours) && rises;
        lines.push(Line::new(
            alpha_name(*alpha),
            "falls as alpha grows",
            cells(ours),
            Verdict::Erratum(5),
            right,
        ));
        before = Some(ours);
    }
    lines
}

fn seconds<'a>(title: String, rows: impl Iterator<Item = (String, &'a Row)>) -> Seconds {
    Seconds {
        title,
        headings: Kind::SENSITIVE.map(|kind| kind.name().to_owned()).to_vec(),
        tested: "tables tested",
        rows: rows
            .map(|(name, row)| (name, row.iter().map(|run| run.took).collect()))
            .collect(),
    }
}
