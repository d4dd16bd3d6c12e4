use std::collections::BTreeSet;

use super::{
    Cuts, Domain, Encounter, Figure5, PersonalTable, Splits, breach, breaches, breaches_across,
    class_of, cuts_optimum, figure5_as_printed, greedy, is_safe, random_encounters,
    random_personal_group, random_personal_table, reconstructions, sensitive_generalizations,
};
use crate::Fraction;

#[test]
fn the_closed_form_is_the_share_of_enumerated_reconstructions() {
    let mut between = 0;
    for seed in 0..300 {
        let group = random_personal_group(seed, 3);
        let found =
            sensitive_generalizations(&group.tree, &group.rows, Fraction::ONE, group.primary);
        let persons = group.rows.len() + (seed % 2) as usize;
        for published in found.safe.iter().take(6) {
            for guard in group.rows.iter().map(|row| row.guard) {
                let (all, breaching) =
                    reconstructions(&group.tree, published, persons, guard, group.primary);
                let counted = Fraction::new(breaching.into(), all.into());
                let closed = breach(&group.tree, published, persons, guard, group.primary);
                assert_eq!(counted, closed, "seed {seed}");
                between += usize::from(closed > Fraction::ZERO && closed < Fraction::ONE);
            }
        }
    }
    assert!(between > 500, "{between}");
}

#[test]
fn over_several_classes_the_product_is_the_share_of_all_combined_reconstructions() {
    let mut several = 0;
    for seed in 0..150 {
        let table = random_encounters(seed, 3, 4);
        let tree = &table.tree;
        let rows: Vec<Encounter> = (0..)
            .zip(&table.rows)
            .map(|(at, row)| Encounter {
                class: (at + seed as usize) % 2,
                shown: [row.secret.leaf, tree.parent(row.secret.leaf).unwrap_or(0)][at % 2],
                guard: row.secret.guard,
                person: row.secret.person,
            })
            .collect();
        for (row, found) in rows.iter().zip(breaches_across(tree, &rows)) {
            let Some(guard) = row.guard else {
                assert_eq!(found, Fraction::ZERO);
                continue;
            };
            let own = |class: &usize| {
                let mut rows = rows.iter();
                rows.any(|other| other.person == row.person && other.class == *class)
            };
            let classes: Vec<usize> = (0..2).filter(own).collect();
            // Every pair of reconstructions of the two classes, one by one.
            let breaching = |class: usize| -> Vec<bool> {
                let (shown, persons) = class_of(&rows, class);
                let (all, bad) = reconstructions(tree, &shown, persons, Some(guard), false);
                (0..all).map(|number| number < bad).collect()
            };
            let first = breaching(classes[0]);
            let second = classes
                .get(1)
                .map_or(vec![false], |class| breaching(*class));
            let pairs = first
                .iter()
                .flat_map(|one| second.iter().map(move |other| *one || *other));
            let (mut all, mut bad) = (0, 0);
            for breached in pairs {
                all += 1;
                bad += i128::from(breached);
            }
            assert_eq!(found, Fraction::new(bad, all), "seed {seed}");
            several += usize::from(classes.len() > 1);
        }
    }
    assert!(several > 50, "{several}");
}

#[test]
fn where_anything_is_safe_there_is_a_least_safe_generalization() {
    let (mut raised, mut hopeless) = (0, 0);
    for seed in 0..600 {
        let group = random_personal_group(seed, 7);
        let (tree, rows) = (&group.tree, &group.rows);
        let found = sensitive_generalizations(tree, rows, group.p, group.primary);
        assert_eq!(
            found.minimal.is_some(),
            !found.safe.is_empty(),
            "seed {seed}"
        );
        let Some(minimal) = found.minimal else {
            hopeless += 1;
            continue;
        };
        assert!(is_safe(tree, rows, &minimal, group.p, group.primary));
        for other in &found.safe {
            for (low, high) in minimal.iter().zip(other) {
                assert!(tree.is_within(*low, *high), "seed {seed}");
            }
        }
        raised += usize::from(
            rows.iter()
                .zip(&minimal)
                .any(|(row, value)| row.leaf != *value),
        );
    }
    assert!(raised > 100 && hopeless > 50, "{raised} {hopeless}");
}

#[test]
fn figure_5_as_printed_is_unsafe_or_overlapping_now_and_then() {
    let mut outcomes = [[0; 4]; 2];
    for seed in 0..600 {
        let group = random_personal_group(seed, 7);
        let (tree, rows) = (&group.tree, &group.rows);
        let best = sensitive_generalizations(tree, rows, group.p, group.primary).minimal;
        let best = best.map_or(Figure5::Nothing, Figure5::Published);
        for (by_the_text, counts) in [false, true].into_iter().zip(&mut outcomes) {
            let found = figure5_as_printed(tree, rows, group.p, group.primary, by_the_text);
            let kind = match &found {
                _ if found == best => 0,
                Figure5::Undefined => 1,
                Figure5::Published(values)
                    if !is_safe(tree, rows, values, group.p, group.primary) =>
                {
                    2
                }
                _ => 3,
            };
            counts[kind] += 1;
        }
    }
    for counts in outcomes {
        assert!(counts.iter().all(|count| *count > 0), "{outcomes:?}");
        assert!(counts[0] > 300, "{outcomes:?}");
    }
}

#[test]
fn the_two_ends_of_each_piece_are_enough_for_greedy() {
    let (mut found, mut rounds) = (0, 0);
    for seed in 0..150 {
        let table = stretched(random_personal_table(seed, 6));
        let [all, ends] = [Splits::All, Splits::Ends].map(|splits| greedy(&table, splits));
        assert_eq!(all, ends, "seed {seed}");
        found += usize::from(all.is_some());
        rounds += all.map_or(0, |all| all.trace.len());
    }
    assert!(found > 60 && rounds > 100, "{found} {rounds}");
}

/// The numbers four times as far from each other, so that there are points between the ends.
fn stretched(mut table: PersonalTable) -> PersonalTable {
    for (at, attribute) in table.attributes.iter_mut().enumerate() {
        if let Domain::Numeric { from, to } = &mut attribute.domain {
            (*from, *to) = (*from * 4, *to * 4 + 3);
            table.rows.iter_mut().for_each(|row| row.quasi[at] *= 4);
        }
    }
    table
}

#[test]
fn the_hulls_are_enough_for_the_optimum_and_greedy_is_never_below_it() {
    let (mut optimal, mut worse, mut missed, mut nothing) = (0, 0, 0, 0);
    for seed in 0..250 {
        let table = random_personal_table(seed, 7);
        let [all, hulls] = [Cuts::All, Cuts::Hulls].map(|cuts| cuts_optimum(&table, cuts));
        let loss = all.as_ref().map(|all| all.loss);
        assert_eq!(loss, hulls.map(|hulls| hulls.loss), "seed {seed}");
        match (greedy(&table, Splits::All), all) {
            (Some(greedy), Some(all)) if greedy.loss == all.loss => optimal += 1,
            (Some(greedy), Some(all)) => {
                assert!(greedy.loss > all.loss, "seed {seed}");
                worse += 1;
            }
            (None, Some(_)) => missed += 1,
            (None, None) => nothing += 1,
            (Some(_), None) => panic!("greedy found what is not there, seed {seed}"),
        }
        check_safe(&table);
    }
    let counts = [optimal, worse, missed, nothing];
    assert!(optimal > 80 && nothing > 40, "{counts:?}");
    assert!(worse > 5 && missed > 2, "{counts:?}");
}

fn check_safe(table: &PersonalTable) {
    let Some(found) = greedy(table, Splits::Ends) else {
        return;
    };
    assert_eq!(table.loss(&found.published), found.loss);
    let losses: Vec<Fraction> = found
        .initial
        .into_iter()
        .chain(found.trace.iter().map(|step| step.loss))
        .collect();
    assert!(losses.windows(2).all(|pair| pair[1] < pair[0]));
    for class in PersonalTable::classes(&found.published) {
        let values: Vec<usize> = class
            .iter()
            .map(|row| found.published[*row].sensitive)
            .collect();
        let secrets = table.secrets(&class);
        let now = breaches(&table.tree, &secrets, &values, table.primary);
        assert!(now.into_iter().all(|probability| probability <= table.p));
        if table.sensitive_weight.is_none() {
            assert!(
                secrets
                    .iter()
                    .zip(&values)
                    .all(|(row, value)| row.leaf == *value)
            );
        }
    }
}

#[test]
fn random_problems_keep_to_their_bounds_and_every_kind_occurs() {
    let mut kinds = BTreeSet::new();
    let mut levels = BTreeSet::new();
    for seed in 0..300 {
        let group = random_personal_group(seed, 7);
        let persons: BTreeSet<u32> = group.rows.iter().map(|row| row.person).collect();
        let repeating = persons.len() < group.rows.len();
        assert!((1..=7).contains(&group.rows.len()) && !(repeating && group.primary));
        kinds.insert((group.primary, repeating));
        for row in &group.rows {
            assert!(
                row.guard
                    .is_none_or(|guard| group.tree.is_within(row.leaf, guard))
            );
            levels.insert(row.guard.map(|guard| group.tree.ancestors(guard).len()));
        }
        let table = random_personal_table(seed, 6);
        for row in &table.rows {
            for (attribute, value) in table.attributes.iter().zip(&row.quasi) {
                assert!(attribute.domain.covers(attribute.domain.whole(), *value));
            }
        }
        assert!((2..=3).contains(&table.attributes.len()));
        assert!(matches!(table.attributes[0].domain, Domain::Numeric { .. }));
        assert_eq!(table, random_personal_table(seed, 6));
    }
    assert_eq!(kinds.len(), 3);
    assert_eq!(levels, [None, Some(0), Some(1), Some(2), Some(3)].into());
}
