//! Section 5: which of the eight cases publish, the four data sets with w^s = 1 and with SA-generalization forbidden.
//!
//! **Reading.** The paper draws all eight in Figures 8 and 9, so each was published there. Whether one is depends on the
//! incomes: a case is refused where the table as one class breaks a wish and every single split still does. Both taxonomies
//! are tried where they differ: the leaves of ours hold as many rows each, those of the paper span a thousand each.

use serde_json::json;

use super::datasets::Kind;
use super::findings::{Findings, rounded};
use super::policy::{Method, Weight};
use super::study::Study;
use super::{Line, Part, Verdict};
use crate::Failure;

/// The penalties of the cases.
const WEIGHTS: [Weight; 2] = [Weight::Of(1), Weight::Forbid];

/// What came of one case; nothing where it was refused.
type Outcome = Option<(f64, u64)>;

/// The eight cases on one relation.
#[derive(Debug)]
pub(super) struct Cases {
    /// The relation.
    on: String,
    about: String,
    /// Information loss and classes of each case, by data set and penalty.
    outcomes: Vec<(Kind, Weight, Outcome)>,
}

/// Publishes the eight cases.
pub(super) fn of(study: &mut Study<'_>) -> Result<Cases, Failure> {
    let mut outcomes = Vec::new();
    for kind in Kind::ALL {
        for weight in WEIGHTS {
            let release = study.publish(kind, Method::Personal(weight))?.release;
            let outcome = release.map(|release| (release.loss, release.classes));
            outcomes.push((kind, weight, outcome));
        }
    }
    Ok(Cases {
        on: study.primary.name.clone(),
        about: study.primary.about.clone(),
        outcomes,
    })
}

/// A table for each relation, all of them in one file.
pub(super) fn find(all: Vec<Cases>, findings: &mut Findings) {
    let mut table = "data,dataset,weight,published,information_loss,classes\n".to_owned();
    let mut numbers = Vec::new();
    for cases in all {
        for (kind, weight, outcome) in &cases.outcomes {
            let (loss, classes) = match outcome {
                Some((loss, classes)) => (rounded(*loss, 6), classes.to_string()),
                None => Default::default(),
            };
            let (name, published) = (kind.name(), outcome.is_some());
            table.push_str(&format!(
                "\"{}\",{name},{weight},{published},{loss},{classes}\n",
                cases.on
            ));
            numbers.push(json!({
                "data": cases.on,
                "about": cases.about,
                "dataset": name,
                "weight": weight.to_string(),
                "published": published,
                "information_loss": outcome.map(|(loss, _)| loss),
                "classes": outcome.map(|(_, classes)| classes),
            }));
        }
        findings.parts.push(part(&cases));
    }
    findings.tables.push(("cases.csv", table));
    findings.numbers.insert("cases".to_owned(), json!(numbers));
}

fn part(cases: &Cases) -> Part {
    let line = |(kind, weight, outcome): &(Kind, Weight, Outcome)| {
        let (verdict, cells) = match outcome {
            Some((loss, classes)) => (
                Verdict::Agrees,
                vec!["yes".to_owned(), rounded(*loss, 1), classes.to_string()],
            ),
            None => (
                Verdict::NotHere,
                vec!["refused".to_owned(), String::new(), String::new()],
            ),
        };
        let name = format!("{}, w^s = {weight}", kind.name());
        Line::new(name, "yes", cells, verdict, true)
    };
    let published = cases
        .outcomes
        .iter()
        .filter(|(_, _, outcome)| outcome.is_some());
    Part::new(
        format!(
            "Section 5: {} of the eight cases publish ({})",
            published.count(),
            cases.on
        ),
        &["published", "information loss", "classes"],
        cases.outcomes.iter().map(line).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refused_case_is_not_what_the_paper_saw_and_is_counted() {
        let outcomes = vec![
            (Kind::PriLeaf, Weight::Of(1), Some((12.25, 3))),
            (Kind::NonpriMixed, Weight::Forbid, None),
        ];
        let cases = Cases {
            on: "t".to_owned(),
            about: String::new(),
            outcomes,
        };
        let shown = part(&cases).to_string();
        assert!(
            shown.contains("1 of the eight cases publish (t)"),
            "{shown}"
        );
        let refused = shown.lines().find(|line| line.starts_with("Nonpri-mixed"));
        assert!(
            refused.is_some_and(|line| line.ends_with("not here")),
            "{shown}"
        );
        let mut findings = Findings::default();
        find(vec![cases], &mut findings);
        let written = &findings.tables[0].1;
        assert!(
            written.contains("\"t\",Nonpri-mixed,forbid,false,,\n"),
            "{written}"
        );
        assert!(
            written.contains("\"t\",Pri-leaf,1,true,12.25,3\n"),
            "{written}"
        );
    }
}
