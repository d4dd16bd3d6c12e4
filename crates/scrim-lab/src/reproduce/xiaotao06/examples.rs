//! Examples 1 to 4, Figure 3, Figure 1c and the arithmetic of sections 1 and 4.

use scrim::adversary::{Exposed, personal};
use scrim::hierarchy::Hierarchy;
use scrim::release::policy::Case;
use scrim::{Error, Share};

use super::bench::{internal, records};
use super::fixtures::{self, Row};
use super::reconstructions::{Counted, Seen};
use super::{Line, Part, Verdict};

pub(super) fn parts() -> Result<Vec<Part>, Error> {
    let tree = fixtures::tree()?;
    let figure_3 = fixtures::rows(fixtures::FIGURE_3, &tree)?;
    let figure_1c = fixtures::rows(fixtures::FIGURE_1C, &tree)?;
    Ok(vec![
        Part::new(
            "Examples 1 to 4: reconstructions of Figure 3, counted one by one, and the attack's probability",
            &["breaching", "possible", "probability"],
            worked(&tree, &figure_3)?,
        ),
        Part::new(
            "Figure 3: breach probabilities, persons counted by Figure 1b or by the class",
            &READINGS.map(|(heading, _, _)| heading),
            judged("figure3", &tree, &figure_3)?,
        ),
        Part::new(
            "Figure 1c, which is 2-anonymous: the same guards",
            &READINGS.map(|(heading, _, _)| heading),
            judged("figure1c", &tree, &figure_1c)?,
        ),
        Part::new(
            "Sections 1 and 4: arithmetic",
            &["ours"],
            arithmetic(&tree)?,
        ),
    ])
}

/// Heading, case, and who is counted.
const READINGS: [(&str, &str, &str); 4] = [
    ("primary, Figure 1b", "primary", "figure1b"),
    ("primary, class", "primary", "class"),
    ("non-primary, Figure 1b", "non-primary", "figure1b"),
    ("non-primary, class", "non-primary", "class"),
];

/// What an example says: its name, the tuple from 1, the case, and the numbers that it prints.
const EXAMPLES: [(&str, usize, &str, &str); 6] = [
    (
        "Example 1: tuple 3, primary",
        3,
        "primary",
        "432 of 1080 = 2/5",
    ),
    (
        "Example 2: tuple 3, non-primary",
        3,
        "non-primary",
        "2025 of 5625 = 9/25",
    ),
    ("Example 3: tuple 3, primary", 3, "primary", "2/5"),
    ("Example 3: tuple 5, primary", 5, "primary", "1/3"),
    ("Example 4: tuple 3, non-primary", 3, "non-primary", "9/25"),
    ("Example 4: tuple 5, non-primary", 5, "non-primary", "11/36"),
];

fn worked(tree: &Hierarchy, rows: &[Row]) -> Result<Vec<Line>, Error> {
    let line = |(name, tuple, case, paper): (&str, usize, &str, &str)| {
        let row = &rows[tuple - 1];
        let counted = counted(tree, row, case, "figure1b");
        let probability = probability(counted)?;
        let attacked = attacked(tree, row, case, "figure1b");
        let whole = format!(
            "{} of {} = {probability}",
            counted.breaching, counted.possible
        );
        let right = (paper == whole || paper == probability.to_string())
            && attacked == Some(probability.to_string());
        let cells = vec![
            counted.breaching.to_string(),
            counted.possible.to_string(),
            attacked.unwrap_or_default(),
        ];
        Ok(Line::new(name, paper, cells, Verdict::Agrees, right))
    };
    EXAMPLES.into_iter().map(line).collect()
}

fn judged(table: &str, tree: &Hierarchy, rows: &[Row]) -> Result<Vec<Line>, Error> {
    let known: Vec<Vec<Share>> = READINGS
        .iter()
        .map(|(_, case, counted)| fixtures::probabilities(table, case, counted))
        .collect::<Result<_, _>>()?;
    let half = Share::new(1, 2).ok_or_else(|| internal("no half"))?;
    let mut lines = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let ours: Vec<Share> = READINGS
            .iter()
            .map(|(_, case, by)| probability(counted(tree, row, case, by)))
            .collect::<Result<_, _>>()?;
        let attacked = READINGS.map(|(_, case, by)| attacked(tree, row, case, by));
        let same = ours
            .iter()
            .zip(&known)
            .zip(attacked)
            .all(|((ours, known), attacked)| {
                known.get(at) == Some(ours) && attacked == Some(ours.to_string())
            });
        let name = format!("tuple {} ({})", at + 1, row.name);
        let (paper, verdict, right) = match (table, at + 1) {
            ("figure3", _) => {
                let below = ours.iter().all(|share| *share <= half);
                ("at most 1/2", Verdict::Agrees, below)
            }
            // Section 1.1: the tuples of Andy's class are stomach diseases; both of Joe's have pneumonia.
            (_, 1) => ("certain", Verdict::Agrees, ours[0] == Share::ONE),
            (_, 5) => ("100%", Verdict::Agrees, ours[0] == Share::ONE),
            _ => ("", Verdict::Checked, true),
        };
        let cells = ours.iter().map(ToString::to_string).collect();
        lines.push(Line::new(name, paper, cells, verdict, same && right));
    }
    Ok(lines)
}

fn persons(row: &Row, by: &str) -> usize {
    if by == "class" {
        row.class.len()
    } else {
        row.fitting
    }
}

fn counted(tree: &Hierarchy, row: &Row, case: &str, by: &str) -> Counted {
    let seen = Seen {
        tree,
        published: &row.published,
        persons: persons(row, by),
        primary: case == "primary",
    };
    seen.count(row.guard)
}

/// The probability as `scrim attack --personal` has it.
fn attacked(tree: &Hierarchy, row: &Row, case: &str, by: &str) -> Option<String> {
    let rows = row.published.len();
    let found = personal(
        "Disease",
        &Exposed {
            tree,
            case: if case == "primary" {
                Case::Primary
            } else {
                Case::NonPrimary
            },
            class_of_row: &vec![0; rows],
            shown: &row.published,
            guards: &vec![row.guard; rows],
            person_of_row: None,
            persons: &[persons(row, by) as u64],
        },
        Share::ONE,
    );
    found.rows.into_iter().next()?.breach_exact
}

fn probability(counted: Counted) -> Result<Share, Error> {
    counted
        .probability()
        .ok_or_else(|| internal("a class without reconstructions"))
}

fn arithmetic(tree: &Hierarchy) -> Result<Vec<Line>, Error> {
    let women = |text: &'static str| {
        records(text)
            .skip(1)
            .filter(|record| record.contains(&"F"))
            .collect::<Vec<_>>()
    };
    let mut estimate = Share::ZERO;
    for woman in women(fixtures::FIGURE_1C) {
        let (all, over) = fixtures::ages(woman[0], 30);
        let share = Share::new(over.into(), all.into());
        estimate = share
            .and_then(|share| estimate.checked_add(share))
            .ok_or_else(|| internal("an age is no number"))?;
    }
    let actual = women(fixtures::FIGURE_1A)
        .iter()
        .filter(|woman| fixtures::ages(woman[1], 30).1 > 0)
        .count();
    let infection = tree
        .labelled("respiratory-infection")
        .next()
        .ok_or_else(|| internal("no such taxon"))?;
    let loss = Share::new(
        i128::from(tree.leaves_below(infection)) - 1,
        tree.domain_size().into(),
    );
    let loss = loss.ok_or_else(|| internal("an empty tree"))?;
    let same = |name: &str, paper: &str, ours: String| Line::same(name, paper, ours);
    Ok(vec![
        same(
            "Section 1.1: women above 30, estimated from Figure 1c",
            "3",
            estimate.to_string(),
        ),
        same(
            "Section 1.1: women above 30 in Figure 1a",
            "1",
            actual.to_string(),
        ),
        Line::new(
            "Section 4: loss of flu as respiratory-infection",
            "(3 - 1) / 12",
            vec![loss.to_string()],
            Verdict::Agrees,
            Some(loss) == Share::new(2, 12),
        ),
    ])
}
