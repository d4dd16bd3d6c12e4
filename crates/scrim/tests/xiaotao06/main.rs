//! [XiaoTao06] against the library: the paper's table, and random tables against the oracles.
#![allow(clippy::unwrap_used, reason = "tests")]

mod encounters;

use std::collections::BTreeSet;

use scrim::algorithm::Unwatched;
use scrim::recoding::apply;
use scrim::release::{HierarchyText, Policy, Prepared, Rows, plan};
use scrim::table::{Column, ColumnBuilder, Table};
use testkit::Fraction;
use testkit::oracle::personal::{
    Cuts, Domain, Part, PersonalGroup, PersonalTable, PublishedRow, Splits, cuts_optimum, greedy,
    is_safe, random_personal_group, random_personal_table, sensitive_generalizations,
};
use testkit::xiaotao;

/// What the library makes of a table: the labels of each row, and the information loss.
#[derive(Debug, PartialEq)]
struct Made {
    rows: Vec<Vec<String>>,
    loss: Fraction,
    remarks: Vec<String>,
}

/// A random table that a policy can describe: some quasi-identifier must count. A person has one vector, so one class: of others
/// see `encounters`.
fn random_table(seed: u64, max_rows: usize) -> Option<PersonalTable> {
    let table = random_personal_table(seed, max_rows).with_one_vector_each();
    let counts =
        |attribute: &testkit::oracle::personal::Attribute| attribute.weight > Fraction::ZERO;
    table.attributes.iter().any(counts).then_some(table)
}

fn policy_of(table: &PersonalTable, search: &str) -> String {
    let mut text = "[data]\npath = \"x.csv\"\n[columns]\n".to_owned();
    for (at, attribute) in table.attributes.iter().enumerate() {
        let domain = match &attribute.domain {
            Domain::Numeric { from, to } => format!("numeric = {{ from = {from}, to = {to} }}"),
            Domain::Categorical(_) => format!("hierarchy = \"q{at}.txt\""),
        };
        text += &format!("q{at} = {{ role = \"quasi\", {domain} }}\n");
    }
    text += "secret = { role = \"sensitive\", hierarchy = \"secret.txt\" }\n";
    text += "wish = { role = \"guard\", of = \"secret\" }\nperson = { role = \"person\" }\n";
    let case = if table.primary {
        "primary"
    } else {
        "non-primary"
    };
    text += &format!(
        "[[privacy]]\nmodel = \"personal\"\nbreach = \"{}\"\ncase = \"{case}\"\n",
        table.p
    );
    let mut weights: Vec<String> = table
        .attributes
        .iter()
        .enumerate()
        .map(|(at, attribute)| format!("q{at} = \"{}\"", attribute.weight))
        .collect();
    weights.push(match table.sensitive_weight {
        Some(weight) => format!("secret = \"{weight}\""),
        None => "secret = \"forbid\"".to_owned(),
    });
    text + &format!(
        "[search]\nweights = {{ {} }}\n{search}\n",
        weights.join(", ")
    )
}

fn columns_of(table: &PersonalTable) -> Table {
    let texts =
        |name: &str, texts: Vec<String>| Column::from_texts(name, texts.iter().map(String::as_str));
    let mut columns: Vec<Column> = (0..table.attributes.len())
        .map(|at| {
            let value = |value: i64| match &table.attributes[at].domain {
                Domain::Numeric { .. } => value.to_string(),
                Domain::Categorical(tree) => tree.name(value as usize).to_owned(),
            };
            let values = table.rows.iter().map(|row| value(row.quasi[at]));
            texts(&format!("q{at}"), values.collect())
        })
        .collect();
    let name = |taxon: usize| table.tree.name(taxon).to_owned();
    let secrets = || table.rows.iter().map(|row| &row.secret);
    columns.push(texts(
        "secret",
        secrets().map(|row| name(row.leaf)).collect(),
    ));
    let guard = |guard: Option<usize>| guard.map_or_else(String::new, name);
    columns.push(texts(
        "wish",
        secrets().map(|row| guard(row.guard)).collect(),
    ));
    columns.push(texts(
        "person",
        secrets().map(|row| row.person.to_string()).collect(),
    ));
    Table::new(columns).unwrap()
}

fn published(table: &PersonalTable, search: &str) -> Option<Made> {
    published_from(table, &columns_of(table), search)
}

/// The same from other data of the same columns.
fn published_from(table: &PersonalTable, data: &Table, search: &str) -> Option<Made> {
    let policy = Policy::parse("p.toml", &policy_of(table, search)).unwrap();
    let mut load = |path: &str| {
        let tree = match path.strip_prefix('q') {
            None => &table.tree,
            Some(rest) => {
                let at: usize = rest.trim_end_matches(".txt").parse().unwrap();
                let Domain::Categorical(tree) = &table.attributes[at].domain else {
                    panic!("only trees are loaded")
                };
                tree
            }
        };
        Ok(HierarchyText {
            name: path.to_owned(),
            text: tree.outline(),
        })
    };
    let rows = Rows {
        file: "x.csv",
        line: &|row| row as u64 + 2,
    };
    let prepared = Prepared::new(&policy, data, &mut load, &rows).unwrap();
    let plan = plan(&policy, data, &prepared, &mut Unwatched).unwrap()?;
    let applied = apply(
        data,
        &prepared.roles,
        &prepared.ladders,
        &plan.found.recoding.suppressed_rows(&prepared.ground),
        &plan.found.recoding,
        &plan.sensitive,
        plan.fate,
    );
    let label = |row: usize| {
        let columns = applied.columns.iter();
        columns
            .map(|column| column.labels[column.codes.get(row) as usize].clone())
            .collect()
    };
    Some(Made {
        rows: (0..applied.rows.len()).map(label).collect(),
        loss: plan
            .metrics
            .information_loss_exact
            .unwrap()
            .to_string()
            .parse()
            .unwrap(),
        remarks: plan.found.remarks,
    })
}

/// The oracle's rows as the library labels them: an uncut domain of numbers is a star.
fn labels(table: &PersonalTable, rows: &[PublishedRow]) -> Vec<Vec<String>> {
    let label = |at: usize, part: Part| {
        let domain = &table.attributes[at].domain;
        match domain {
            Domain::Numeric { from, to } if part == domain.whole() && from < to => "*".to_owned(),
            _ => domain.label(part),
        }
    };
    rows.iter()
        .map(|row| {
            let quasi = row.quasi.iter().enumerate();
            quasi
                .map(|(at, part)| label(at, *part))
                .chain([table.tree.name(row.sensitive).to_owned()])
                .collect()
        })
        .collect()
}

#[test]
fn figure_1a_is_recoded_as_the_golden_case_says() {
    let table = xiaotao::run("primary");
    let made = published(&table, "algorithm = \"personalized\"").unwrap();
    assert_eq!(made.loss.to_string(), "37/30");
    let expected = greedy(&table, Splits::Ends).unwrap();
    assert_eq!(made.rows, labels(&table, &expected.published));
    assert_eq!(made.rows[0], ["5-6", "M", "12000-19000", "gastric-ulcer"]);
    assert_eq!(made.rows[9], ["56", "F", "33000", "respiratory-infection"]);
}

#[test]
fn the_greedy_search_is_not_the_best_and_improving_it_finds_the_best_of_figure_1a() {
    let table = xiaotao::run("non-primary");
    let greedy = published(&table, "algorithm = \"personalized\"").unwrap();
    assert_eq!(greedy.loss.to_string(), "539/300");
    let improved = published(&table, "algorithm = \"personalized\"\nimprove = true").unwrap();
    assert_eq!(improved.loss.to_string(), "37/30");
    assert!(
        improved
            .remarks
            .iter()
            .any(|note| note.contains("539/300") && note.contains("37/30")),
        "{:?}",
        improved.remarks
    );
}

#[test]
fn without_generalized_sensitive_values_the_printed_search_finds_nothing_and_the_improved_one_does()
{
    let table = xiaotao::run("forbid");
    assert_eq!(published(&table, "algorithm = \"personalized\""), None);
    let improved = published(&table, "algorithm = \"personalized\"\nimprove = true").unwrap();
    assert_eq!(improved.loss.to_string(), "583/60");
}

#[test]
fn the_greedy_search_is_figure_4_word_by_word() {
    let (mut found, mut nothing) = (0, 0);
    for seed in 0..400 {
        let Some(table) = random_table(seed, 7) else {
            continue;
        };
        let expected = greedy(&table, Splits::All);
        let made = published(&table, "algorithm = \"personalized\"");
        match (&made, &expected) {
            (Some(made), Some(expected)) => {
                assert_eq!(made.loss, expected.loss, "seed {seed}");
                assert_eq!(
                    made.rows,
                    labels(&table, &expected.published),
                    "seed {seed}"
                );
                found += 1;
            }
            (None, None) => nothing += 1,
            _ => panic!("seed {seed}: {made:?} instead of {expected:?}"),
        }
    }
    assert!(found > 150 && nothing > 20, "{found} found, {nothing} not");
}

#[test]
fn the_improved_search_lies_between_the_greedy_and_the_best() {
    let (mut found, mut better, mut best, mut rescued) = (0, 0, 0, 0);
    for seed in 0..250 {
        let Some(table) = random_table(seed, 6) else {
            continue;
        };
        let printed = greedy(&table, Splits::All);
        let optimum = cuts_optimum(&table, Cuts::All);
        let made = published(&table, "algorithm = \"personalized\"\nimprove = true");
        let Some(made) = made else {
            assert!(printed.is_none(), "seed {seed}: lost the greedy table");
            continue;
        };
        let loss = made.loss;
        let optimum = optimum.expect("a table was found").loss;
        assert!(
            optimum <= loss,
            "seed {seed}: {loss} beats the optimum {optimum}"
        );
        found += 1;
        best += u32::from(loss == optimum);
        match printed {
            Some(printed) => {
                assert!(loss <= printed.loss, "seed {seed}");
                better += u32::from(loss < printed.loss);
            }
            // Seldom where a person has one vector; Figure 1a without generalized values is such a case, above.
            None => rescued += 1,
        }
    }
    assert!(
        better > 2 && best * 100 > found * 97,
        "of {found}: {better} better, {rescued} rescued, {best} best"
    );
}

/// A class as a table of its own, in which everybody looks alike.
fn as_table(group: &PersonalGroup, rows: &[usize]) -> PersonalTable {
    let mut table = xiaotao::figure_1a();
    table.attributes.truncate(1);
    table.tree = group.tree.clone();
    table.p = group.p;
    table.primary = group.primary;
    table.sensitive_weight = Some(Fraction::ONE);
    table.rows = rows
        .iter()
        .map(|row| testkit::oracle::personal::PersonalRow {
            quasi: vec![5],
            secret: group.rows[*row],
        })
        .collect();
    table
}

#[test]
fn sensitive_values_are_generalized_as_by_all_general_domains_in_any_row_order() {
    let (mut raised, mut kept, mut none) = (0, 0, 0);
    for seed in 0..3000 {
        let group = random_personal_group(seed, 7);
        let expected = sensitive_generalizations(&group.tree, &group.rows, group.p, group.primary);
        let count = group.rows.len();
        for start in [0, count / 2] {
            let order: Vec<usize> = (0..count).map(|at| (at + start) % count).collect();
            let table = as_table(&group, &order);
            let made = published(&table, "algorithm = \"optimal\"");
            match (&expected.minimal, made) {
                (Some(minimal), Some(made)) => {
                    let names: Vec<&str> = order
                        .iter()
                        .map(|row| group.tree.name(minimal[*row]))
                        .collect();
                    let shown: Vec<&str> = made.rows.iter().map(|row| row[1].as_str()).collect();
                    assert_eq!(shown, names, "seed {seed}, start {start}");
                    let changed = (0..count).any(|row| minimal[row] != group.rows[row].leaf);
                    raised += u32::from(changed);
                    kept += u32::from(!changed);
                }
                (None, None) => none += 1,
                (expected, made) => panic!("seed {seed}: {made:?} instead of {expected:?}"),
            }
        }
    }
    assert!(
        raised > 1000 && kept > 500 && none > 500,
        "{raised} raised, {kept} kept, {none} none"
    );
}

#[test]
fn wishes_compose_with_other_searches() {
    let mut searches = BTreeSet::new();
    for seed in 0..150 {
        let Some(table) = random_table(seed, 7) else {
            continue;
        };
        for search in [
            "optimal",
            "top-down",
            "mingen",
            "mondrian",
            "mondrian\"\nmondrian = \"relaxed",
        ] {
            let Some(made) = published(&table, &format!("algorithm = \"{search}\"")) else {
                continue;
            };
            // Classes as published, by their quasi-identifier labels.
            let width = table.attributes.len();
            for row in &made.rows {
                let class: Vec<usize> = (0..made.rows.len())
                    .filter(|other| made.rows[*other][..width] == row[..width])
                    .collect();
                let shown: Vec<usize> = class
                    .iter()
                    .map(|row| table.tree.taxon(&made.rows[*row][width]))
                    .collect();
                let secrets = table.secrets(&class);
                assert!(
                    is_safe(&table.tree, &secrets, &shown, table.p, table.primary),
                    "seed {seed}, {search}"
                );
            }
            searches.insert(search);
        }
    }
    assert_eq!(searches.len(), 5, "{searches:?}");
}

#[test]
fn missing_numbers_are_cut_off_or_stay_with_all_others_and_losses_are_told_as_they_are() {
    let (mut improved_ones, mut beside) = (0, 0);
    for seed in 0..150 {
        let Some(table) = random_table(seed, 7) else {
            continue;
        };
        // The numbers of every third person are missing.
        let lose = |column: &Column| {
            let numeric = column.name().strip_prefix('q').is_some_and(|at| {
                let at: usize = at.parse().unwrap();
                matches!(table.attributes[at].domain, Domain::Numeric { .. })
            });
            if !numeric {
                return column.clone();
            }
            let mut builder = ColumnBuilder::new(column.name(), &[String::new()]);
            for row in 0..table.rows.len() {
                // A person has one vector.
                let person = table.rows[row].secret.person;
                let lost = (u64::from(person) + seed).is_multiple_of(3);
                builder.push(if lost { "" } else { column.text(row) });
            }
            builder.finish()
        };
        let data = Table::new(columns_of(&table).columns().iter().map(lose).collect()).unwrap();
        let plain = published_from(&table, &data, "algorithm = \"personalized\"");
        let better = published_from(
            &table,
            &data,
            "algorithm = \"personalized\"\nimprove = true",
        );
        let Some(better) = better else {
            assert_eq!(plain, None, "seed {seed}");
            continue;
        };
        improved_ones += 1;
        let told = better.remarks[0]
            .split("improved: ")
            .nth(1)
            .unwrap()
            .to_owned();
        let exact = better.loss.to_string();
        let float = better.loss.numerator() as f64 / better.loss.denominator() as f64;
        assert!(
            told.contains(&format!("({})", exact.trim_end_matches("/1")))
                || told.contains(&format!("{float:.4}")),
            "seed {seed}: {told}, but {exact}"
        );
        if let Some(plain) = plain {
            assert!(better.loss <= plain.loss, "seed {seed}");
        }
        beside += u32::from(better.rows.iter().flatten().any(String::is_empty));
    }
    assert!(
        improved_ones > 40 && beside > 20,
        "{improved_ones} {beside}"
    );
}
