use std::collections::BTreeSet;

use super::{
    RUNS, breach_answers, disease, examples, external_persons, fact, facts, figure_1a, figure_1b,
    greedy_answer, groups, names, published, run,
};
use crate::Fraction;
use crate::oracle::personal::{
    Cuts, Domain, Figure5, Part, PersonalTable, PublishedRow, Splits, breach, breaches,
    cuts_optimum, figure5_as_printed, general_domains, greedy, is_safe, reconstructions,
    sensitive_generalizations, share,
};

#[test]
fn examples_1_to_4_have_the_written_reconstructions() {
    let tree = disease();
    let examples = examples();
    assert_eq!(examples.len(), 4);
    for answer in examples {
        let guard = Some(answer.guard);
        let (values, persons) = (&answer.published, answer.persons);
        let counts = reconstructions(&tree, values, persons, guard, answer.primary);
        assert_eq!(counts, answer.reconstructions, "{}", answer.name);
        let closed = breach(&tree, values, persons, guard, answer.primary);
        assert_eq!(closed, answer.probability, "{}", answer.name);
        assert_eq!(Fraction::new(counts.1.into(), counts.0.into()), closed);
    }
}

#[test]
fn figures_1c_and_3_have_the_written_probabilities_in_all_four_readings() {
    let table = figure_1a();
    let answers = breach_answers();
    assert_eq!(answers.len(), 2 * 4 * 10);
    for answer in &answers {
        let published = published(&answer.table);
        let class: Vec<usize> = (0..published.len())
            .filter(|row| published[*row].quasi == published[answer.row].quasi)
            .collect();
        let values: Vec<usize> = class.iter().map(|row| published[*row].sensitive).collect();
        let persons = if answer.external {
            external_persons(&published[answer.row])
        } else {
            class.len()
        };
        assert_eq!(persons, answer.persons, "{answer:?}");
        let guard = table.rows[answer.row].secret.guard;
        let counts = reconstructions(&table.tree, &values, persons, guard, answer.primary);
        assert_eq!(counts, answer.reconstructions, "{answer:?}");
        let closed = breach(&table.tree, &values, persons, guard, answer.primary);
        assert_eq!(closed, answer.probability, "{answer:?}");
    }
    let greatest = |name: &str, primary: bool| {
        answers
            .iter()
            .filter(|answer| answer.table == name && answer.primary == primary)
            .map(|answer| answer.probability)
            .max()
    };
    assert_eq!(greatest("figure3", true), Some(Fraction::new(1, 2)));
    assert_eq!(greatest("figure3", false), Some(Fraction::new(1, 2)));
    assert_eq!(greatest("figure1c", true), Some(Fraction::ONE));
    assert_eq!(greatest("figure1c", false), Some(Fraction::new(3, 4)));
}

#[test]
fn the_tree_of_figure_2_has_the_written_facts() {
    let tree = disease();
    let domain = Domain::Categorical(tree.clone());
    for (kind, of, guard, value) in facts() {
        let found = match kind.as_str() {
            "leaves" => Fraction::whole(tree.leaves_below(tree.taxon(&of)).len() as u64),
            "share" => share(&tree, tree.taxon(&of), tree.taxon(&guard)),
            "loss" => domain.loss(Part::Taxon(tree.taxon(&of))),
            "domains" => Fraction::whole(general_domains(&tree).len() as u64),
            "table-loss" => figure_1a().loss(&published(&of)),
            "females-above-30" if of == "figure1c" => estimated_females_above_30(),
            "females-above-30" => actual_females_above_30(),
            _ => panic!("no such fact"),
        };
        assert_eq!(found, value, "{kind} {of} {guard}");
    }
    assert_eq!(fact("domains", ""), Fraction::whole(26));
    for domain in general_domains(&tree) {
        let mut leaves: Vec<usize> = domain
            .iter()
            .flat_map(|taxon| tree.leaves_below(*taxon).to_vec())
            .collect();
        leaves.sort_unstable();
        assert_eq!(leaves, tree.leaves());
    }
}

/// Section 1.1: each row counts with the part of its interval that lies above 30.
fn estimated_females_above_30() -> Fraction {
    let female = Part::Taxon(super::sex().taxon("F"));
    published("figure1c")
        .iter()
        .filter(|row| row.quasi[1] == female)
        .map(|row| match row.quasi[0] {
            Part::Interval(low, high) => {
                let above = (high - low.max(31) + 1).max(0);
                Fraction::new(above.into(), (high - low + 1).into())
            }
            Part::Taxon(_) => panic!("Age is a number"),
        })
        .sum()
}

fn actual_females_above_30() -> Fraction {
    let female = i64::try_from(super::sex().taxon("F")).unwrap();
    let rows = figure_1a().rows;
    let count = rows
        .iter()
        .filter(|row| row.quasi[1] == female && row.quasi[0] > 30)
        .count();
    Fraction::whole(count as u64)
}

#[test]
fn the_voter_list_has_everybody_and_one_more() {
    let listed: BTreeSet<String> = figure_1b().into_iter().map(|(name, _)| name).collect();
    let known: BTreeSet<String> = names().into_iter().collect();
    assert!(known.is_subset(&listed));
    assert_eq!(listed.difference(&known).collect::<Vec<_>>(), ["Mike"]);
    for (row, name) in figure_1a().rows.iter().zip(names()) {
        assert!(figure_1b().contains(&(name, row.quasi.clone())));
    }
}

#[test]
fn figures_1c_and_3_cover_the_rows_of_figure_1a() {
    let table = figure_1a();
    for figure in ["figure1c", "figure3"] {
        for (row, published) in table.rows.iter().zip(published(figure)) {
            assert!(table.tree.is_within(row.secret.leaf, published.sensitive));
            for (at, attribute) in table.attributes.iter().enumerate() {
                assert!(attribute.domain.covers(published.quasi[at], row.quasi[at]));
            }
        }
    }
}

#[test]
fn every_written_class_has_its_best_sensitive_generalization() {
    let groups = groups();
    assert_eq!(groups.len(), 26);
    for group in &groups {
        let (tree, rows) = (&group.tree, &group.rows);
        let found = sensitive_generalizations(tree, rows, group.p, group.primary);
        assert_eq!(found.minimal, group.optimal, "{}", group.name);
        if let Some(probabilities) = &group.probabilities {
            let leaves: Vec<usize> = rows.iter().map(|row| row.leaf).collect();
            let now = breaches(tree, rows, &leaves, group.primary);
            assert_eq!(now, *probabilities, "{}", group.name);
        }
    }
}

#[test]
fn merging_two_safe_classes_can_make_an_unsafe_one_and_even_a_hopeless_one() {
    let groups = groups();
    let merges: Vec<_> = groups
        .windows(3)
        .filter(|three| three[0].name.ends_with("first"))
        .collect();
    assert_eq!(merges.len(), 5);
    for three in merges {
        let rows = [three[0].rows.clone(), three[1].rows.clone()].concat();
        assert_eq!(rows, three[2].rows, "{}", three[2].name);
        let unraised = |at: usize| {
            let leaves: Vec<usize> = three[at].rows.iter().map(|row| row.leaf).collect();
            three[at].optimal == Some(leaves)
        };
        assert!(three[0].optimal.is_some() && three[1].optimal.is_some());
        assert!(!unraised(2), "{}", three[2].name);
        if three[2].name == "merge-null-merged" {
            assert_eq!(three[2].optimal, None);
        } else {
            assert!(unraised(0) && unraised(1), "{}", three[2].name);
        }
    }
}

#[test]
fn figure_5_as_printed_fails_as_written() {
    let mut wrong = BTreeSet::new();
    for group in groups() {
        let Some(printed) = &group.printed else {
            continue;
        };
        for (by_the_text, answer) in [false, true].into_iter().zip(printed) {
            let (tree, rows) = (&group.tree, &group.rows);
            let found = figure5_as_printed(tree, rows, group.p, group.primary, by_the_text);
            assert_eq!(found, *answer, "{} {by_the_text}", group.name);
            let best = group
                .optimal
                .clone()
                .map_or(Figure5::Nothing, Figure5::Published);
            if found != best {
                wrong.insert((group.name.clone(), by_the_text));
            }
        }
    }
    let wrong: Vec<_> = wrong
        .iter()
        .map(|(name, text)| (name.as_str(), *text))
        .collect();
    assert_eq!(
        wrong,
        [
            ("E1-half", true),
            ("E1-quarter", false),
            ("E1-quarter", true),
            ("E2", false),
            ("E2", true),
            ("E2-none", false),
            ("E2-none", true),
            ("E3", false),
            ("E3", true),
        ]
    );
}

fn check_published(table: &PersonalTable, answer: &[(PublishedRow, Fraction)], loss: Fraction) {
    let rows: Vec<PublishedRow> = answer.iter().map(|(row, _)| row.clone()).collect();
    assert_eq!(table.loss(&rows), loss);
    for class in PersonalTable::classes(&rows) {
        let values: Vec<usize> = class.iter().map(|row| rows[*row].sensitive).collect();
        let secrets = table.secrets(&class);
        assert!(is_safe(
            &table.tree,
            &secrets,
            &values,
            table.p,
            table.primary
        ));
        let now = breaches(&table.tree, &secrets, &values, table.primary);
        let written: Vec<Fraction> = class.iter().map(|row| answer[*row].1).collect();
        assert_eq!(now, written);
    }
}

#[test]
fn greedy_on_figure_1a_goes_the_written_way() {
    for name in RUNS {
        let (table, answer) = (run(name), greedy_answer(name));
        let found = greedy(&table, Splits::Ends);
        let Some(loss) = answer.loss else {
            assert_eq!((name, found), ("forbid", None));
            continue;
        };
        let found = found.unwrap();
        assert_eq!((found.loss, found.initial), (loss, answer.initial));
        assert_eq!(found.trace.len(), answer.trace.len());
        for (step, written) in found.trace.iter().zip(&answer.trace) {
            assert_eq!(
                (step.attribute, step.split, &step.into, step.loss),
                (
                    written.attribute,
                    written.split,
                    &written.into,
                    written.loss
                ),
                "{name}"
            );
        }
        assert_eq!(found.partitions, answer.partitions, "{name}");
        let rows: Vec<PublishedRow> = answer.published.iter().map(|row| row.0.clone()).collect();
        assert_eq!(found.published, rows, "{name}");
        check_published(&table, &answer.published, loss);
    }
    assert_eq!(greedy_answer("primary").loss, Some(Fraction::new(37, 30)));
    assert_eq!(
        greedy_answer("non-primary").loss,
        Some(Fraction::new(539, 300))
    );
}

#[test]
fn the_best_table_of_figure_1a_is_the_written_one() {
    for name in RUNS {
        let (table, answer) = (run(name), greedy_answer(name));
        let found = cuts_optimum(&table, Cuts::Hulls).unwrap();
        assert_eq!(found.loss, answer.optimum, "{name}");
        assert_eq!(table.loss(&found.published), found.loss);
        check_published(&table, &answer.best, answer.optimum);
    }
}
