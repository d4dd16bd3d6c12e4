//! The search of Figure 4 on Figure 1a: the losses that the definitions give.

use scrim::Share;

use super::fixtures::{DISEASE, FIGURE_1A, greedy};
use super::study::Study;
use super::{Line, Part, Verdict};
use crate::Failure;

/// What is run: its name in the fixture, what is shown, and the lines that differ in the policy.
const RUNS: [(&str, &str, &str, &str); 3] = [
    ("primary", "p = 1/2, w^s = 1", "", ""),
    (
        "non-primary",
        "p = 1/2, w^s = 1, persons may own several",
        "case = \"non-primary\"\n",
        "",
    ),
    (
        "forbid",
        "p = 1/2, no SA-generalization",
        "",
        "weights = { Disease = \"forbid\" }\n",
    ),
];

/// The loss that was found beside the least that there is.
pub(super) fn part(study: &mut Study<'_>) -> Result<Part, Failure> {
    study.put("figure1a.csv", FIGURE_1A)?;
    study.put("disease.txt", DISEASE)?;
    let mut lines = Vec::new();
    for (run, name, case, weights) in RUNS {
        let published = study.run(&format!("figure1a-{run}"), &policy(run, case, weights))?;
        let loss = published
            .metrics
            .and_then(|metrics| metrics.information_loss_exact);
        let ours = loss.map_or_else(|| "none".to_owned(), |loss: Share| loss.to_string());
        let (known, least) = greedy(run).unwrap_or_default();
        let verdict = if run == "forbid" {
            Verdict::Erratum(7)
        } else {
            Verdict::Checked
        };
        let right = ours == known;
        let cells = vec![ours, least.to_owned()];
        lines.push(Line::new(name, "", cells, verdict, right));
    }
    Ok(Part::new(
        "Figure 4 on Figure 1a, ages 1 to 60, zip codes 10001 to 60000: information loss",
        &["ours", "least possible"],
        lines,
    ))
}

fn policy(run: &str, case: &str, weights: &str) -> String {
    format!(
        "[data]\npath = \"figure1a.csv\"\n\n\
         [columns]\n\
         name = {{ role = \"person\" }}\n\
         Age = {{ role = \"quasi\", numeric = {{ from = 1, to = 60 }} }}\n\
         Sex = {{ role = \"quasi\" }}\n\
         Zipcode = {{ role = \"quasi\", numeric = {{ from = 10001, to = 60000 }} }}\n\
         Disease = {{ role = \"sensitive\", hierarchy = \"disease.txt\" }}\n\
         guard = {{ role = \"guard\", of = \"Disease\" }}\n\n\
         [[privacy]]\nmodel = \"personal\"\nbreach = \"1/2\"\n{case}\n\
         [search]\nalgorithm = \"personalized\"\n{weights}\n\
         [release]\ndir = \"figure1a-{run}\"\n"
    )
}
