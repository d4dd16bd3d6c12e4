//! Figures 6 and 7: every tuple's breach probability under 4-anonymity, l-diversity and personalized anonymity.

use std::collections::BTreeMap;

use scrim::adversary::PersonalAttack;
use serde_json::json;

use super::datasets::Kind;
use super::findings::{Findings, rounded};
use super::policy::Method;
use super::study::{Release, Study};
use super::{Line, Part, Verdict};
use crate::Failure;
use crate::plot::{Axis, Chart, Form, Point, Scale, Series};

/// The file of the curves, by which a folder of ours is known, and its first line.
pub(super) const FILE: &str = "breach.csv";
pub(super) const HEADING: &str = "dataset,method,probability,rows";
/// The limit as a height.
const LIMIT: f64 = 0.25;
/// How much of the tuples the second picture of each data set shows, in percent.
const FIRST: f64 = 2.5;

/// A data set's attacks, one for each method that published it.
type Attacks = Vec<(Method, PersonalAttack)>;

pub(super) fn find(study: &mut Study<'_>, findings: &mut Findings) -> Result<(), Failure> {
    let mut lines = Vec::new();
    let mut table = format!("{HEADING}\n");
    let mut numbers = Vec::new();
    let mut above: BTreeMap<(bool, Method), u64> = BTreeMap::new();
    for kind in Kind::ALL {
        let mut attacks: Attacks = Vec::new();
        for method in Method::COMPARED {
            let Some(release) = study.publish(kind, method)?.release else {
                lines.push(none(kind, method));
                continue;
            };
            let attack = study.attack(kind, &release)?;
            let plain = above.get(&(kind.is_primary(), method)).copied();
            let checked = is_as_certified(kind, &release, &attack);
            lines.push(line(kind, method, &attack, plain, checked));
            if !kind.is_mixed() {
                above.insert((kind.is_primary(), method), attack.above);
            }
            for (probability, rows) in &attack.curve {
                table.push_str(&format!(
                    "{},{},{},{rows}\n",
                    kind.name(),
                    method.name(),
                    rounded(*probability, 9)
                ));
            }
            numbers.push(json!({
                "dataset": kind.name(),
                "method": method.name(),
                "max": attack.max,
                "max_exact": attack.max_exact,
                "above": attack.above,
                "guarded": attack.guarded,
                "classes": attack.classes,
                "curve": attack.curve,
            }));
            attacks.push((method, attack));
        }
        findings
            .charts
            .extend(charts(kind, &attacks, &study.primary.name));
    }
    findings.parts.push(Part::new(
        format!(
            "Figures 6 and 7: breach probabilities at the limit 1/4 ({})",
            study.primary.name
        ),
        &["rows above 1/4", "largest", "rows at 0", "classes"],
        lines,
    ));
    findings.tables.push((FILE, table));
    findings.numbers.insert("breach".to_owned(), json!(numbers));
    Ok(())
}

/// What the paper says of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Said {
    /// No tuple is above the limit: so it must be, whatever the data.
    Safe,
    /// Some tuple is above this.
    Exposed(f64),
    /// More tuples are above the limit than with the values as guards.
    More,
}

impl Said {
    fn of(kind: Kind, method: Method) -> Self {
        match (method, kind) {
            (Method::Personal(_), _) | (Method::Diversity, Kind::PriLeaf) => Self::Safe,
            (Method::Anonymity, Kind::PriLeaf) => Self::Exposed(LIMIT),
            (Method::Anonymity, Kind::NonpriLeaf) => Self::Exposed(0.7),
            (Method::Diversity, Kind::NonpriLeaf) => Self::Exposed(0.4),
            (_, Kind::PriMixed | Kind::NonpriMixed) => Self::More,
        }
    }

    fn words(self) -> String {
        match self {
            Self::Safe => "none above".to_owned(),
            Self::Exposed(height) => format!("some above {height}"),
            Self::More => "more above than without wishes".to_owned(),
        }
    }

    /// Whether it is so here; `plain` is how many are above the limit with the values as guards.
    fn is_so(self, attack: &PersonalAttack, plain: Option<u64>) -> bool {
        match self {
            Self::Safe => attack.above == 0,
            Self::Exposed(height) => attack.max > height,
            Self::More => plain.is_some_and(|plain| attack.above > plain),
        }
    }
}

/// Whether the certifier let the release pass and, where it looked at wishes, saw what the attack sees.
fn is_as_certified(kind: Kind, release: &Release, attack: &PersonalAttack) -> bool {
    let case = if kind.is_primary() {
        "primary"
    } else {
        "non-primary"
    };
    let same = release.breach.as_ref().is_none_or(|breach| {
        breach.curve == attack.curve && breach.max_exact == attack.max_exact && breach.case == case
    });
    release.certified && same && attack.case == case
}

/// `plain` is how many are above the limit with the values as guards, `checked` whether the certifier says the same.
fn line(
    kind: Kind,
    method: Method,
    attack: &PersonalAttack,
    plain: Option<u64>,
    checked: bool,
) -> Line {
    let said = Said::of(kind, method);
    let zero = attack.curve.iter().filter(|(value, _)| *value <= 0.0);
    let zero: u64 = zero.map(|(_, rows)| rows).sum();
    let cells = vec![
        attack.above.to_string(),
        rounded(attack.max, 4),
        zero.to_string(),
        attack.classes.to_string(),
    ];
    // Only a promise must hold on any data; what the paper saw on its own need not be seen here.
    let so = said.is_so(attack, plain);
    let promised = said == Said::Safe;
    let verdict = if so || promised {
        Verdict::Agrees
    } else {
        Verdict::NotHere
    };
    let right = checked && (so || !promised);
    Line::new(name(kind, method), said.words(), cells, verdict, right)
}

fn none(kind: Kind, method: Method) -> Line {
    let cells = vec!["no table".to_owned(); 4];
    Line::new(
        name(kind, method),
        Said::of(kind, method).words(),
        cells,
        Verdict::Measured,
        true,
    )
}

fn name(kind: Kind, method: Method) -> String {
    format!("{}: {}", kind.name(), method.name())
}

/// All tuples, and the first ones.
fn charts(kind: Kind, attacks: &Attacks, on: &str) -> Vec<(String, Chart)> {
    let (figure, letters) = match kind {
        Kind::PriLeaf => (6, ["a", "b"]),
        Kind::NonpriLeaf => (6, ["c", "d"]),
        Kind::PriMixed => (7, ["a", "b"]),
        Kind::NonpriMixed => (7, ["c", "d"]),
    };
    let most = attacks.iter().map(|(_, attack)| attack.max);
    let most = most.fold(LIMIT, f64::max);
    let chart = |letter: &str, to: f64| {
        let what = if to < 100.0 {
            format!(", the first {to}%")
        } else {
            String::new()
        };
        let maxima: Vec<String> = attacks
            .iter()
            .map(|(method, attack)| {
                format!(
                    "{}: at most {}, {} above a quarter",
                    method.name(),
                    rounded(attack.max, 4),
                    attack.above
                )
            })
            .collect();
        let chart = Chart {
            title: format!("Breach probability of every tuple: {}{what}", kind.name()),
            about: format!(
                "Tuples from the most to the least exposed. {}.",
                maxima.join("; ")
            ),
            source: format!("After Xiao and Tao 2006, Figure {figure}{letter}; {on}."),
            x: Axis::new(
                "tuples, the most exposed first (%)",
                Scale::Linear { from: 0.0, to },
            ),
            y: Axis::from_zero("breach probability", [most]),
            series: attacks
                .iter()
                .map(|(method, attack)| Series {
                    name: method.name().to_owned(),
                    form: Form::Step,
                    points: curve(&attack.curve, to),
                })
                .collect(),
            limits: vec![(LIMIT, "limit 1/4".to_owned())],
        };
        (format!("figure{figure}{letter}.svg"), chart)
    };
    vec![chart(letters[0], 100.0), chart(letters[1], FIRST)]
}

/// A curve over the share of the tuples in percent, up to an end.
fn curve(runs: &[(f64, u64)], to: f64) -> Vec<Point> {
    let all: u64 = runs.iter().map(|(_, rows)| rows).sum();
    let mut points = Vec::new();
    let mut before = 0u64;
    for (probability, rows) in runs {
        let start = before as f64 * 100.0 / all.max(1) as f64;
        if start > to {
            break;
        }
        points.push(Point::new(start, *probability));
        before += rows;
    }
    points.extend(points.last().map(|last| Point::new(to, last.y)));
    points
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_above_a_promise_differs_and_one_that_the_paper_saw_is_not_asked_for() {
        let attack = |above, max| PersonalAttack {
            above,
            max,
            ..PersonalAttack::default()
        };
        let shown = |kind, method, attack: &PersonalAttack| {
            let lines = vec![line(kind, method, attack, Some(3), true)];
            Part::new("t", &["a", "b", "c", "d"], lines).to_string()
        };
        let personal = Method::Personal(super::super::policy::Weight::Of(1));
        let broken = shown(Kind::PriMixed, personal, &attack(1, 0.3));
        assert!(broken.contains("DIFFERS"), "{broken}");
        let none = shown(Kind::NonpriLeaf, Method::Anonymity, &attack(1, 0.69));
        assert!(none.contains("not here"), "{none}");
        let some = shown(Kind::NonpriLeaf, Method::Anonymity, &attack(1, 0.71));
        assert!(some.contains("agrees"), "{some}");
        let more = shown(Kind::PriMixed, Method::Diversity, &attack(4, 0.3));
        assert!(more.contains("agrees"), "{more}");
    }

    #[test]
    fn a_curve_starts_where_its_rows_do_and_ends_at_the_end() {
        let runs = [(0.5, 1), (0.25, 3), (0.0, 4)];
        let all = curve(&runs, 100.0);
        let wanted = [(0.0, 0.5), (12.5, 0.25), (50.0, 0.0), (100.0, 0.0)];
        assert_eq!(all, wanted.map(|(x, y)| Point::new(x, y)));
        let first = curve(&runs, 20.0);
        assert_eq!(first.last(), Some(&Point::new(20.0, 0.25)));
        assert!(curve(&[], 100.0).is_empty());
    }
}
