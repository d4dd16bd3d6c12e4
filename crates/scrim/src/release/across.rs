//! Plans for persons with rows in several classes, by searches that make classes one by one.
//!
//! **Definition.** Two releases are made, and the one that costs less by the policy's metric is taken; the first among equals. Of the first every
//! class keeps its share of each wish (`model::personal`), which is enough, but asks for more than is promised. For the second the search judges each
//! class as if nobody had rows in several of them; then all classes are judged together, and where a wish is not kept they are
//! joined (`algorithm::reunite`), or the split is taken back (`personalized`). With `improve` there is a third release, the second one improved: it is not always the
//! better one, for what the wishes of all classes together raise is counted only in the end.
//! **Holds because** both are judged together in the end, and the certifier decides.

use super::plan::{Plan, Work};
use super::policy::AlgorithmId;
use super::searches::{algorithm, algorithm_with};
use crate::algorithm::{Found, Reunited, Task, Watch, reunite};
use crate::error::Error;
use crate::model::ModelSet;
use crate::recoding::Recoding;
use crate::{counted, verb};

/// Whether classes that are made one by one may share persons. Those of `rotating` do not: `serial` has one row a person.
pub(super) fn is_needed(work: &Work<'_>) -> bool {
    let by_class = matches!(
        work.policy.search.algorithm,
        AlgorithmId::Personalized | AlgorithmId::Mondrian | AlgorithmId::TopDown
    );
    by_class && work.task.models.looks_across()
}

/// The best of the releases.
pub(super) fn plan(work: &Work<'_>, watch: &mut dyn Watch) -> Result<Option<Plan>, Error> {
    let mut best = by_shares(work, watch)?;
    let search = &work.policy.search;
    let improves = search.improve && search.algorithm == AlgorithmId::Personalized;
    let cost = |plan: &Plan| search.metric.cost_in(&plan.metrics);
    for improve in [false, true] {
        if improve && !improves {
            continue;
        }
        let mut remarks = Vec::new();
        let together = match together(work, improve, &mut remarks, watch) {
            // Where there is one release already, time ends the search for a better one.
            Err(Error::OutOfTime { .. }) if best.is_some() => None,
            other => work.measured_if_any(other?)?,
        };
        best = match (best, together) {
            (Some(best), Some(together)) if cost(&together) < cost(&best) => Some(together),
            (Some(mut best), _) => {
                let known = best.found.remarks.clone();
                remarks.retain(|remark| !known.contains(remark));
                best.found.remarks.extend(remarks);
                Some(best)
            }
            (None, together) => together,
        };
    }
    Ok(best)
}

/// The release of which every class keeps its share.
fn by_shares(work: &Work<'_>, watch: &mut dyn Watch) -> Result<Option<Plan>, Error> {
    let search = algorithm(work.policy, work.table, work.prepared);
    let found = search.map(|search| search.search(work.task, watch));
    work.measured_if_any(found.transpose()?.flatten())
}

/// What the search finds by judging all classes together.
fn together(
    work: &Work<'_>,
    improve: bool,
    remarks: &mut Vec<String>,
    watch: &mut dyn Watch,
) -> Result<Option<Found>, Error> {
    let models = work.task.models;
    let Some(mut found) = found_apart(work, Some(models), improve, watch)? else {
        return Ok(None);
    };
    if let Recoding::Local(local) = &found.recoding {
        let weights = &work.policy.search.weights;
        match reunite(work.task, work.table, weights, local, watch)? {
            Reunited::Kept(local, joined) => {
                found.recoding = Recoding::Local(local);
                if joined > 0 {
                    found.notes.push(format!("{} {} joined with others, so that persons with rows in several classes are protected over all of them", counted(joined, "class"), verb(joined, "was", "were")));
                }
            }
            Reunited::Broken => return Ok(None),
            Reunited::Stopped(remark) => {
                remarks.push(remark);
                return Ok(None);
            }
        }
    }
    Ok(Some(found))
}

/// What the search finds as if nobody had rows in several classes.
fn found_apart(
    work: &Work<'_>,
    together: Option<&ModelSet>,
    improve: bool,
    watch: &mut dyn Watch,
) -> Result<Option<Found>, Error> {
    let (policy, table, prepared) = (work.policy, work.table, work.prepared);
    let Some(search) = algorithm_with(policy, table, prepared, together, improve) else {
        return Ok(None);
    };
    let models = work.task.models.apart();
    let apart = Task {
        models: &models,
        ..*work.task
    };
    search.search(&apart, watch)
}

/// Where only persons with rows in several classes stand in the way of a release: how many with a wish have rows that may come
/// into several classes.
pub(super) fn torn_persons(work: &Work<'_>, watch: &mut dyn Watch) -> Option<u64> {
    let models = work.task.models;
    if !models.looks_across() {
        return None;
    }
    let found = found_apart(work, None, false, watch).ok().flatten();
    found.map(|_| models.spread_persons(work.prepared.ground.tuple_of_row()))
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;
    use crate::algorithm::Unwatched;
    use crate::random::Random;
    use crate::release::plan::with_task;
    use crate::release::{HierarchyText, Policy, Prepared, Rows};
    use crate::table::{Column, Table};

    const TREE: &str = "any\n  a\n    a1\n    a2\n    a3\n  b\n    b1\n    b2\n    b3\n";

    /// Persons with up to three visits whose ages lie near each other, or with four of which the later ones may be a year
    /// after the first.
    fn persons(seed: u64, years_apart: bool) -> Table {
        let mut random = Random::new(seed);
        let mut columns: [Vec<String>; 5] = Default::default();
        for person in 0..120 {
            let age = random.index(60);
            let later = random.index(3);
            for visit in 0..if years_apart { 4 } else { later + 1 } {
                let value = format!("{}{}", ["a", "b"][random.index(2)], 1 + random.index(3));
                let (after, guard) = if years_apart {
                    let guards = ["", &value];
                    (
                        usize::from(visit > 0 && later == 2),
                        guards[random.index(2)],
                    )
                } else {
                    let guards = ["", &value, &value[..1]];
                    (random.index(3), guards[random.index(3)])
                };
                let cells = [
                    person.to_string(),
                    (age + after).to_string(),
                    visit.to_string(),
                    guard.to_owned(),
                    value.clone(),
                ];
                let cells = columns.iter_mut().zip(cells);
                cells.for_each(|(column, cell)| column.push(cell));
            }
        }
        let columns = ["p", "age", "visit", "w", "d"].iter().zip(&columns);
        let columns =
            columns.map(|(name, texts)| Column::from_texts(name, texts.iter().map(String::as_str)));
        Table::new(columns.collect()).unwrap()
    }

    fn policy(algorithm: &str, improve: bool) -> Policy {
        let mut text =
            "[data]\npath = \"x.csv\"\n[columns]\np = { role = \"person\" }\n".to_owned();
        let domain = if algorithm == "top-down" {
            "hierarchy = { intervals = { from = 0, to = 64, widths = [2, 8, 32] } }"
        } else {
            "numeric = { from = 0, to = 63 }"
        };
        let (visit, breach) = if algorithm == "personalized" {
            (
                "visit = { role = \"quasi\", numeric = { from = 0, to = 3 } }\n",
                "3/4",
            )
        } else {
            ("", "2/3")
        };
        write!(
            text,
            "age = {{ role = \"quasi\", {domain} }}\n{visit}d = {{ role = \"sensitive\", hierarchy = \"d.txt\" }}\n\
             w = {{ role = \"guard\", of = \"d\" }}\n[[privacy]]\nmodel = \"personal\"\nbreach = \"{breach}\"\n\
             [search]\nalgorithm = \"{algorithm}\"\n{}",
            if improve { "improve = true\n" } else { "" }
        )
        .unwrap();
        Policy::parse("p.toml", &text).unwrap()
    }

    /// What the release costs, what the one costs of which each class keeps its share, and what the ones do that are judged
    /// together, without and with `improve`.
    fn costs(algorithm: &str, seed: u64, improve: bool) -> [f64; 4] {
        let policy = policy(algorithm, improve);
        let table = persons(seed, algorithm == "personalized");
        let mut load = |_: &str| {
            Ok(HierarchyText {
                name: "d.txt".to_owned(),
                text: TREE.to_owned(),
            })
        };
        let rows = Rows {
            file: "x.csv",
            line: &|row| row as u64 + 2,
        };
        let prepared = Prepared::new(&policy, &table, &mut load, &rows).unwrap();
        with_task(&policy, &prepared, |task, marginals| {
            let work = Work {
                policy: &policy,
                table: &table,
                prepared: &prepared,
                task,
                marginals,
            };
            assert!(is_needed(&work));
            let cost = |plan: Option<Plan>| {
                plan.map_or(f64::INFINITY, |plan| {
                    policy.search.metric.cost_in(&plan.metrics)
                })
            };
            let loose = |improve: bool| {
                let found = together(&work, improve, &mut Vec::new(), &mut Unwatched).unwrap();
                cost(work.measured_if_any(found).unwrap())
            };
            [
                cost(plan(&work, &mut Unwatched).unwrap()),
                cost(by_shares(&work, &mut Unwatched).unwrap()),
                loose(false),
                loose(true),
            ]
        })
    }

    #[test]
    fn judging_all_classes_together_is_never_worse_and_often_better() {
        for (algorithm, seeds, least) in [
            ("mondrian", 12, 8),
            ("top-down", 12, 8),
            ("personalized", 6, 3),
        ] {
            let mut better = 0;
            for seed in 0..seeds {
                let [both, shares, ..] = costs(algorithm, seed, false);
                assert!(both.is_finite(), "{algorithm}, seed {seed}");
                assert!(both <= shares, "{algorithm}, seed {seed}: {both} {shares}");
                better += u32::from(both < shares);
            }
            assert!(better >= least, "{algorithm}: {better} of {seeds} better");
        }
    }

    #[test]
    fn what_is_judged_together_is_improved_too() {
        let mut better = 0;
        for seed in 0..3 {
            let [made, shares, greedy, improved] = costs("personalized", seed, true);
            assert!(
                made <= shares && made <= greedy && made <= improved,
                "{seed}"
            );
            better += u32::from(improved < greedy);
        }
        assert!(better > 0, "{better} of 3 better");
    }
}
