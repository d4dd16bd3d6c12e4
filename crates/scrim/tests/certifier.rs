//! The certifier: against the models that steer searches and against the oracles, against sabotage, and against the wrong answers
//! of other checkers.
#![allow(
    clippy::unwrap_used,
    reason = "the lint knows tests, but not the functions beside them"
)]

use std::collections::BTreeMap;
use std::sync::Arc;

use scrim::Error;
use scrim::hierarchy::{Hierarchy, from_level_csv, from_parents_csv};
use scrim::recoding::Node;
use scrim::release::audit::{Audit, ModelReport, Source, audit, certify_source};
use scrim::release::{HierarchyText, Policy, Prepared, Rows};
use scrim::table::{Column, ColumnBuilder, Table};
use serde_json::{Value, json};
use testkit::{Fraction, Problem, SplitMix64, oracle, random_problem};

type Trees = Vec<(String, Arc<Hierarchy>)>;

/// A policy with these columns, each `name = { … }`, and these promises, each the lines of a `[[privacy]]`.
fn policy(columns: &[String], privacy: &[&str]) -> Policy {
    let privacy: String = privacy
        .iter()
        .map(|lines| format!("[[privacy]]\n{lines}\n"))
        .collect();
    let columns = columns.join("\n");
    let text = format!("[data]\npath = \"t.csv\"\n[columns]\n{columns}\n{privacy}");
    Policy::parse("p.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn table(columns: &[(&str, Vec<&str>)]) -> Table {
    let column =
        |(name, texts): &(&str, Vec<&str>)| Column::from_texts(name, texts.iter().copied());
    Table::new(columns.iter().map(column).collect()).unwrap()
}

/// Classes of sensitive values as a published table with the columns `class` and `s`.
fn classes(classes: &[Vec<&str>]) -> Table {
    let names: Vec<String> = (0..classes.len()).map(|at| format!("c{at}")).collect();
    let rows = names.iter().zip(classes);
    let rows = rows.flat_map(|(name, class)| class.iter().map(|_| name.as_str()));
    table(&[("class", rows.collect()), ("s", classes.concat())])
}

/// The answer about one promise on the classes; `more` is added to the sensitive column.
fn try_judge(table: &Table, more: &str, promise: &str, trees: &Trees) -> Result<Audit, Error> {
    let columns = [
        "class = { role = \"quasi\" }".to_owned(),
        format!("s = {{ role = \"sensitive\"{more} }}"),
    ];
    audit(
        &policy(&columns, &[promise]),
        table,
        "release.csv",
        None,
        trees,
    )
}

fn judge(table: &Table, more: &str, promise: &str) -> ModelReport {
    try_judge(table, more, promise, &Vec::new())
        .unwrap()
        .models
        .remove(0)
}

/// So many rows of each value.
fn counted<'a>(counts: &[(&'a str, usize)]) -> Vec<&'a str> {
    counts
        .iter()
        .flat_map(|(value, count)| std::iter::repeat_n(*value, *count))
        .collect()
}

mod three_ways {
    use super::*;

    const VALUES: [&str; 6] = ["3", "10", "9.5", "-1", "20", "4"];

    /// Whether a class keeps the model: its values, and those of the table.
    type Holds = Box<dyn Fn(&[&str], &[&str]) -> bool>;

    /// A promise as the policy writes it, what the sensitive column needs for it, and the oracle's word.
    struct Case {
        promise: String,
        column: String,
        tree: Option<String>,
        holds: Holds,
    }

    fn case(promise: String, holds: impl Fn(&[&str], &[&str]) -> bool + 'static) -> Case {
        Case {
            promise,
            column: String::new(),
            tree: None,
            holds: Box::new(holds),
        }
    }

    fn fraction(random: &mut SplitMix64, most: usize) -> Fraction {
        let below = random.between(1, 6);
        Fraction::whole(random.between(1, most * below)) / Fraction::whole(below)
    }

    fn told(fraction: Fraction) -> String {
        format!("\"{}/{}\"", fraction.numerator(), fraction.denominator())
    }

    fn at_least_one(random: &mut SplitMix64) -> Fraction {
        match random.below(3) {
            0 => Fraction::whole(random.between(1, 3)),
            1 => Fraction::ONE + fraction(random, 1),
            _ => Fraction::whole(2),
        }
    }

    fn random_categories(random: &mut SplitMix64) -> Vec<Vec<String>> {
        let mut categories = vec![Vec::new(); random.between(1, 4)];
        for value in VALUES {
            let at = random.below(categories.len());
            categories[at].push(value.to_owned());
        }
        categories.retain(|category| !category.is_empty());
        categories
    }

    /// A random, mostly uneven tree: a parent file, and the way to the top of each value.
    fn random_tree(random: &mut SplitMix64) -> (String, BTreeMap<String, Vec<String>>) {
        let mut above: BTreeMap<String, String> = BTreeMap::new();
        let mut tops: Vec<String> = VALUES.iter().map(ToString::to_string).collect();
        let mut next = 0;
        while tops.len() > 1 {
            let parent = format!("t{next}");
            next += 1;
            for _ in 0..random.between(1, 3).min(tops.len()) {
                let child = tops.swap_remove(random.below(tops.len()));
                above.insert(child, parent.clone());
            }
            tops.push(parent);
        }
        let lines: String = above
            .iter()
            .map(|(child, parent)| format!("{child},{parent}\n"))
            .collect();
        let chain = |value: &str| {
            let mut chain = vec![value.to_owned()];
            while let Some(parent) = above.get(&chain[chain.len() - 1]) {
                chain.push(parent.clone());
            }
            (value.to_owned(), chain)
        };
        let chains = VALUES.into_iter().map(chain).collect();
        (format!("child,parent\n{lines}"), chains)
    }

    /// The ways of the certifier, of the models and of the oracle, on random tables and nodes; returns how many held.
    fn agree(seeds: u64, make: impl Fn(&mut SplitMix64, &[&str]) -> Case) -> (usize, usize) {
        let mut verdicts = (0, 0);
        for seed in 0..seeds {
            let mut random = SplitMix64::new(seed);
            let mut problem = random_problem(seed, 24, 3, 3);
            problem.persons = None;
            let node: Vec<usize> = problem
                .heights()
                .iter()
                .map(|height| height - random.below(height + 1).min(random.below(height + 1)))
                .collect();
            problem.sensitive = vec![random_values(&mut random, &problem, &node)];
            let values: Vec<&str> = problem.sensitive[0].iter().map(String::as_str).collect();
            let case = make(&mut random, &values);
            let verdict = compare(&problem, &node, &values, &case, seed);
            if verdict {
                verdicts.0 += 1;
            } else {
                verdicts.1 += 1;
            }
        }
        verdicts
    }

    /// Often the same values in every class, so that not all promises are broken.
    fn random_values(random: &mut SplitMix64, problem: &Problem, node: &[usize]) -> Vec<String> {
        let count = random.between(1, VALUES.len());
        let evenly = random.once_in(2);
        let mut values = vec![String::new(); problem.rows.len()];
        for class in problem.classes(node) {
            for (at, row) in class.into_iter().enumerate() {
                let pick = if evenly {
                    at % count
                } else {
                    random.below(count)
                };
                VALUES[pick].clone_into(&mut values[row]);
            }
        }
        values
    }

    fn compare(problem: &Problem, node: &[usize], values: &[&str], case: &Case, seed: u64) -> bool {
        let mut columns: Vec<String> = problem
            .columns
            .iter()
            .map(|name| format!("{name} = {{ role = \"quasi\", hierarchy = \"{name}\" }}"))
            .collect();
        columns.push(format!("s = {{ role = \"sensitive\"{} }}", case.column));
        let policy = policy(&columns, &[&case.promise]);
        let raw = with_values(&problem.columns, &problem.rows, values);
        let prepared = prepare(&policy, &raw, problem, case.tree.as_deref());
        let levels: Vec<u8> = node.iter().map(|level| *level as u8).collect();
        let set = prepared
            .ground
            .set()
            .roll_up(&prepared.ladders, &Node::new(levels));
        let by_models = set.classes().all(|class| prepared.models.holds(class));
        let groups = problem.classes(node);
        let broken: Vec<bool> = groups
            .iter()
            .map(|class| {
                let class: Vec<&str> = class.iter().map(|row| values[*row]).collect();
                !(case.holds)(&class, values)
            })
            .collect();
        let published = with_values(&problem.columns, &problem.generalize(node), values);
        let answer = audit(&policy, &published, "r.csv", None, &prepared.sensitive).unwrap();
        let context = format!("seed {seed}: {} at {node:?}, {answer:?}", case.promise);
        assert_eq!(answer.holds, by_models, "models; {context}");
        assert_eq!(answer.holds, !broken.contains(&true), "oracle; {context}");
        assert_eq!(answer.classes.count, groups.len() as u64, "{context}");
        if let Some(witness) = &answer.models[0].witness {
            assert!(broken[witness.class as usize - 1], "{context}");
        }
        answer.holds
    }

    fn with_values(names: &[String], rows: &[Vec<String>], values: &[&str]) -> Table {
        let mut columns: Vec<(&str, Vec<&str>)> = names
            .iter()
            .enumerate()
            .map(|(at, name)| {
                let texts = rows.iter().map(|row| row[at].as_str()).collect();
                (name.as_str(), texts)
            })
            .collect();
        columns.push(("s", values.to_vec()));
        table(&columns)
    }

    fn prepare(policy: &Policy, raw: &Table, problem: &Problem, tree: Option<&str>) -> Prepared {
        let mut load = |path: &str| {
            let at = problem.columns.iter().position(|name| name == path);
            let text = match at {
                Some(at) => problem.chains[at]
                    .values()
                    .map(|chain| chain.join(";") + "\n")
                    .collect(),
                None => tree.unwrap().to_owned(),
            };
            Ok(HierarchyText {
                name: path.to_owned(),
                text,
            })
        };
        let rows = Rows {
            file: "t.csv",
            line: &|row| row as u64 + 2,
        };
        Prepared::new(policy, raw, &mut load, &rows).unwrap_or_else(|error| panic!("{error}"))
    }

    fn must_vary((held, broken): (usize, usize)) {
        assert!(held > 20 && broken > 20, "{held} held, {broken} did not");
    }

    #[test]
    fn k_anonymity() {
        must_vary(agree(300, |random, _| {
            let k = random.between(1, 4);
            case(
                format!("model = \"k-anonymity\"\nk = {k}"),
                move |class, _| class.len() >= k,
            )
        }));
    }

    #[test]
    fn p_sensitive() {
        must_vary(agree(300, |random, _| {
            let p = random.between(1, 3);
            case(
                format!("model = \"p-sensitive\"\np = {p}"),
                move |class, _| oracle::p_sensitive(class, p),
            )
        }));
    }

    #[test]
    fn p_alpha_and_p_plus_alpha() {
        for plus in [false, true] {
            must_vary(agree(400, |random, _| {
                let listed = random_categories(random);
                let p = random.between(1, 3).min(listed.len());
                let alpha = fraction(random, 3);
                let model = if plus { "p-plus-alpha" } else { "p-alpha" };
                let column = format!(", categories = {}", json!(listed));
                let promise = format!("model = \"{model}\"\np = {p}\nalpha = {}", told(alpha));
                let holds = move |class: &[&str], _: &[&str]| {
                    if plus {
                        oracle::p_plus_alpha(class, &listed, p, alpha)
                    } else {
                        oracle::p_alpha(class, &listed, p, alpha)
                    }
                };
                Case {
                    column,
                    ..case(promise, holds)
                }
            }));
        }
    }

    #[test]
    fn l_diversity_in_all_kinds() {
        must_vary(agree(300, |random, _| {
            let l = random.between(1, 3);
            case(
                format!("model = \"l-diversity\"\nl = {l}"),
                move |class, _| oracle::distinct_l_diverse(class, l),
            )
        }));
        must_vary(agree(500, |random, _| {
            let l = at_least_one(random);
            let promise = format!(
                "model = \"l-diversity\"\nkind = \"entropy\"\nl = {}",
                told(l)
            );
            case(promise, move |class, _| oracle::entropy_l_diverse(class, l))
        }));
        must_vary(agree(400, |random, _| {
            let (c, l) = (fraction(random, 4), random.between(1, 3));
            let promise = format!(
                "model = \"l-diversity\"\nkind = \"recursive\"\nl = {l}\nc = {}",
                told(c)
            );
            case(promise, move |class, _| {
                oracle::recursive_cl_diverse(class, c, l)
            })
        }));
        must_vary(agree(400, |random, _| {
            let l = at_least_one(random);
            let promise = format!(
                "model = \"l-diversity\"\nkind = \"frequency\"\nl = {}",
                told(l)
            );
            case(promise, move |class, _| {
                oracle::frequency_l_diverse(class, l)
            })
        }));
    }

    #[test]
    fn t_closeness_by_all_distances() {
        let t = |random: &mut SplitMix64| Fraction::new(random.between(0, 12) as i128, 24);
        let promise =
            |t: Fraction, more: &str| format!("model = \"t-closeness\"\nt = {}\n{more}", told(t));
        must_vary(agree(300, |random, _| {
            let t = t(random);
            case(promise(t, ""), move |class, table| {
                oracle::t_close_equal(class, table, t)
            })
        }));
        must_vary(agree(300, |random, _| {
            let t = t(random);
            let mut left = VALUES.to_vec();
            let order: Vec<&'static str> = VALUES
                .iter()
                .map(|_| left.swap_remove(random.below(left.len())))
                .collect();
            case(
                promise(t, &format!("order = {}", json!(order))),
                move |class, table| oracle::t_close_ordered(class, table, &order, t),
            )
        }));
        must_vary(agree(300, |random, _| {
            let t = t(random);
            case(promise(t, "distance = \"ordered\""), move |class, table| {
                let mut order: Vec<&str> = table.to_vec();
                order.sort_by(|left, right| {
                    let number = |text: &str| text.parse::<f64>().unwrap();
                    number(left).total_cmp(&number(right))
                });
                order.dedup();
                oracle::t_close_ordered(class, table, &order, t)
            })
        }));
        must_vary(agree(400, |random, _| {
            let t = t(random);
            let (tree, chains) = random_tree(random);
            Case {
                column: ", hierarchy = \"s.csv\"".to_owned(),
                tree: Some(tree),
                ..case(
                    promise(t, "distance = \"hierarchical\""),
                    move |class, table| oracle::t_close_hierarchical(class, table, &chains, t),
                )
            }
        }));
    }

    #[test]
    fn alpha_k_for_all_values_and_for_one() {
        for one in [false, true] {
            must_vary(agree(300, |random, values| {
                let alpha = fraction(random, 1);
                let value = one.then(|| values[random.below(values.len())].to_owned());
                let mut promise = format!("model = \"alpha-k\"\nalpha = {}", told(alpha));
                if let Some(value) = &value {
                    promise += &format!("\nvalue = \"{value}\"");
                }
                case(promise, move |class, _| {
                    oracle::alpha_k(class, value.as_deref(), alpha)
                })
            }));
        }
    }

    #[test]
    fn delta_disclosure() {
        must_vary(agree(300, |random, _| {
            let delta = fraction(random, 2);
            let promise = format!("model = \"delta-disclosure\"\ndelta = {}", told(delta));
            case(promise, move |class, table| {
                oracle::delta_disclosure(class, table, delta)
            })
        }));
    }

    #[test]
    fn beta_likeness_basic_and_enhanced() {
        for enhanced in [false, true] {
            must_vary(agree(300, |random, _| {
                let beta = fraction(random, 2);
                let kind = if enhanced { "enhanced" } else { "basic" };
                let promise = format!(
                    "model = \"beta-likeness\"\nkind = \"{kind}\"\nbeta = {}",
                    told(beta)
                );
                case(promise, move |class, table| {
                    oracle::beta_likeness(class, table, beta, enhanced)
                })
            }));
        }
    }
}

mod sabotage {
    use super::*;

    const AGES: &str = "21;20-29;*\n25;20-29;*\n34;30-39;*\n36;30-39;*";
    const ZIPS: &str = "53711;537**;*\n53712;537**;*\n94110;941**;*";

    struct Case {
        policy: Policy,
        source: Table,
        trees: Trees,
        /// Age, zip and disease by row.
        honest: Vec<[&'static str; 3]>,
    }

    impl Case {
        fn new() -> Self {
            let columns = [
                "name = { role = \"identifier\" }",
                "age = { role = \"quasi\" }",
            ]
            .into_iter()
            .chain([
                "zip = { role = \"quasi\" }",
                "disease = { role = \"sensitive\" }",
            ])
            .map(str::to_owned)
            .collect::<Vec<_>>();
            let promises = [
                "model = \"k-anonymity\"\nk = 2",
                "model = \"l-diversity\"\nl = 2",
                "model = \"t-closeness\"\nt = 0.5",
            ];
            let tree = |name: &str, text: &str| {
                let tree = from_level_csv(name, name, text, true).unwrap();
                (name.to_owned(), Arc::new(tree))
            };
            Self {
                policy: policy(&columns, &promises),
                source: table(&[
                    ("age", vec!["21", "25", "34", "36", "21", "36"]),
                    (
                        "zip",
                        vec!["53711", "53712", "53711", "53711", "94110", "94110"],
                    ),
                    ("disease", vec!["Flu", "HIV", "HIV", "Flu", "Cold", "HIV"]),
                ]),
                trees: vec![tree("age", AGES), tree("zip", ZIPS)],
                honest: vec![
                    ["20-29", "537**", "Flu"],
                    ["20-29", "537**", "HIV"],
                    ["30-39", "537**", "HIV"],
                    ["30-39", "537**", "Flu"],
                    ["*", "941**", "Cold"],
                    ["*", "941**", "HIV"],
                ],
            }
        }

        fn published(rows: &[[&'static str; 3]]) -> Table {
            let texts = |at: usize| rows.iter().map(|row| row[at]).collect();
            table(&[("age", texts(0)), ("zip", texts(1)), ("disease", texts(2))])
        }

        fn is_true(&self, published: &Table) -> Result<(), String> {
            let source = Source {
                table: &self.source,
                rows: &[0, 1, 2, 3, 4, 5],
                hierarchies: &self.trees,
            };
            certify_source(&self.policy, published, &source).unwrap()
        }

        fn holds(&self, published: &Table) -> bool {
            audit(&self.policy, published, "r.csv", None, &[])
                .unwrap()
                .holds
        }
    }

    #[test]
    fn the_honest_release_passes() {
        let case = Case::new();
        let published = Case::published(&case.honest);
        assert!(case.holds(&published));
        assert_eq!(case.is_true(&published), Ok(()));
    }

    #[test]
    fn any_other_quasi_identifier_in_any_row_is_refused() {
        let case = Case::new();
        let ages = ["21", "25", "34", "20-29", "30-39", "*", "**", "", "x"];
        let zips = ["53711", "53712", "94110", "537**", "941**", "*", "***", "?"];
        for row in 0..case.honest.len() {
            for (column, labels) in [ages.as_slice(), &zips].into_iter().enumerate() {
                let honest = case.honest[row][column];
                // Any number of stars is the top.
                let is_stars = |label: &str| !label.is_empty() && label.chars().all(|c| c == '*');
                let is_same = |label: &str| label == honest || is_stars(label) && is_stars(honest);
                for label in labels.iter().filter(|label| !is_same(label)) {
                    let mut rows = case.honest.clone();
                    rows[row][column] = label;
                    let published = Case::published(&rows);
                    let refused = !case.holds(&published) || case.is_true(&published).is_err();
                    assert!(refused, "row {row}: {label}");
                }
            }
        }
    }

    #[test]
    fn any_other_sensitive_value_in_any_row_is_a_lie() {
        let case = Case::new();
        for row in 0..case.honest.len() {
            for label in ["Flu", "HIV", "Cold", "", "flu"] {
                let mut rows = case.honest.clone();
                if std::mem::replace(&mut rows[row][2], label) != label {
                    let lie = case.is_true(&Case::published(&rows)).unwrap_err();
                    let told = format!(
                        "row {} of the release does not say in `disease` what its source says",
                        row + 1
                    );
                    assert_eq!(lie, told);
                }
            }
        }
    }

    #[test]
    fn rows_and_columns_too_many_or_too_few_are_refused() {
        let case = Case::new();
        let mut rows = case.honest.clone();
        rows.push(rows[0]);
        assert!(case.is_true(&Case::published(&rows)).is_err());
        assert!(case.is_true(&Case::published(&case.honest[..5])).is_err());
        let honest = Case::published(&case.honest);
        for name in ["name", "row number"] {
            let mut columns = honest.columns().to_vec();
            columns.push(Column::from_texts(name, ["1", "2", "3", "4", "5", "6"]));
            let lie = case.is_true(&Table::new(columns).unwrap()).unwrap_err();
            assert_eq!(lie, format!("the column `{name}` must not be published"));
        }
        let fewer = Table::new(honest.columns()[..2].to_vec()).unwrap();
        assert_eq!(
            case.is_true(&fewer).unwrap_err(),
            "the column `disease` was not written"
        );
        assert!(audit(&case.policy, &fewer, "r.csv", None, &[]).is_err());
    }

    #[test]
    fn rows_in_another_order_are_lies() {
        let case = Case::new();
        let mut rows = case.honest.clone();
        rows.swap(0, 3);
        assert!(case.holds(&Case::published(&rows)));
        assert!(case.is_true(&Case::published(&rows)).is_err());
    }
}

mod suppressed_rows {
    use super::*;

    fn judge(disease: &str) -> Audit {
        let columns = [
            "age = { role = \"quasi\" }".to_owned(),
            "zip = { role = \"quasi\" }".to_owned(),
            "disease = { role = \"sensitive\", categories = [[\"CANCER\"], [\"Flu\"]] }".to_owned(),
        ];
        let promises = [
            "model = \"k-anonymity\"\nk = 3",
            "model = \"l-diversity\"\nl = 2",
            "model = \"p-alpha\"\np = 2\nalpha = 1",
            "model = \"t-closeness\"\nt = 0\norder = [\"Flu\", \"CANCER\"]",
            "model = \"delta-disclosure\"\ndelta = 0.001",
            "model = \"beta-likeness\"\nbeta = 0.001",
        ];
        let published = table(&[
            ("age", vec!["20-29", "20-29", "20-29", "*"]),
            ("zip", vec!["537**", "537**", "537**", "**"]),
            ("disease", vec!["CANCER", "Flu", "Flu", disease]),
        ]);
        audit(&policy(&columns, &promises), &published, "r.csv", None, &[]).unwrap()
    }

    #[test]
    fn one_starred_row_with_its_sensitive_value_is_refused() {
        let answer = judge("CANCER");
        assert_eq!((answer.rows.suppressed, answer.rows.withheld), (1, 0));
        assert!(answer.models.iter().all(|model| !model.holds));
        let witness = answer.models[0].witness.as_ref().unwrap();
        assert_eq!((witness.class, witness.of, witness.rows), (2, 2, 1));
        assert_eq!(witness.found, "1 row, but k is 3");
    }

    #[test]
    fn with_its_sensitive_value_starred_it_is_withheld_and_passes() {
        for star in ["*", "***"] {
            let answer = judge(star);
            assert_eq!((answer.rows.suppressed, answer.rows.withheld), (1, 1));
            // The reference leaves the starred value out: the one class is like the table.
            assert!(answer.holds, "{answer:?}");
            assert_eq!(answer.models[3].details["observed_exact"], "0");
        }
    }

    #[test]
    fn a_table_of_withheld_rows_only_breaks_nothing() {
        let published = table(&[("class", vec!["*", "*"]), ("s", vec!["*", "**"])]);
        for promise in [
            "model = \"t-closeness\"\nt = 0",
            "model = \"delta-disclosure\"\ndelta = 1",
            "model = \"p-sensitive\"\np = 2",
        ] {
            let report = super::judge(&published, "", promise);
            assert_eq!(
                (report.holds, report.observed),
                (true, json!("all rows withheld"))
            );
        }
    }
}

mod wrong_answers_of_others {
    use super::*;

    #[test]
    fn a_missing_quasi_identifier_is_a_value() {
        let mut column = ColumnBuilder::new("class", &[String::new()]);
        for text in ["a", "a", "a", ""] {
            column.push(text);
        }
        let sensitive = Column::from_texts("s", ["1", "2", "3", "4"]);
        let published = Table::new(vec![column.finish(), sensitive]).unwrap();
        let report = judge(&published, "", "model = \"k-anonymity\"\nk = 3");
        assert_eq!((report.holds, report.observed), (false, json!(1)));
    }

    #[test]
    fn shuffled_rows_change_nothing() {
        let rows = [
            ("a", "x"),
            ("b", "y"),
            ("a", "y"),
            ("b", "y"),
            ("a", "x"),
            ("c", "z"),
            ("c", "x"),
        ];
        let promises = [
            "model = \"l-diversity\"\nl = 2",
            "model = \"l-diversity\"\nkind = \"entropy\"\nl = 2",
            "model = \"t-closeness\"\nt = 0.3",
            "model = \"delta-disclosure\"\ndelta = 2",
            "model = \"beta-likeness\"\nbeta = 0.7",
        ];
        let answers = |rows: &[(&str, &str)]| {
            let (class, s) = rows.iter().copied().unzip();
            let published = table(&[("class", class), ("s", s)]);
            promises.map(|promise| {
                let report = judge(&published, "", promise);
                (report.holds, report.observed, report.details)
            })
        };
        let first = answers(&rows);
        let mut shuffled = rows.to_vec();
        for _ in 0..rows.len() {
            shuffled.rotate_left(1);
            shuffled.swap(0, 3);
            assert_eq!(answers(&shuffled), first);
        }
    }

    #[test]
    fn recursive_looks_at_the_most_frequent_value() {
        let published = classes(&[counted(&[("a", 98), ("b", 1), ("c", 1)])]);
        let recursive = |c: &str| {
            let promise = format!("model = \"l-diversity\"\nkind = \"recursive\"\nl = 2\nc = {c}");
            judge(&published, "", &promise)
        };
        // 98 < c * 2.
        assert!(!recursive("49").holds);
        assert!(recursive("\"4901/100\"").holds);
        assert_eq!(recursive("49").observed, json!(49.0));
        assert_eq!(recursive("49").details["observed_exact"], "49");
        let few = "model = \"l-diversity\"\nkind = \"recursive\"\nl = 4\nc = 1000";
        let few = judge(&published, "", few);
        assert_eq!((few.holds, few.observed), (false, json!("infinite")));
        assert_eq!(few.details["observed_exact"], Value::Null);
    }

    #[test]
    fn two_equally_frequent_values_are_entropy_2_diverse() {
        let entropy = |class: Vec<&str>, l: &str| {
            let promise = format!("model = \"l-diversity\"\nkind = \"entropy\"\nl = {l}");
            judge(&classes(&[class]), "", &promise)
        };
        for rows in [1, 3, 7, 49, 1000] {
            assert!(entropy(counted(&[("a", rows), ("b", rows)]), "2").holds);
            assert!(entropy(counted(&[("a", rows), ("b", rows), ("c", rows)]), "3").holds);
            assert!(!entropy(counted(&[("a", rows), ("b", rows + 1)]), "2").holds);
        }
        let report = entropy(vec!["a", "b"], "2");
        assert!((report.observed.as_f64().unwrap() - 2.0).abs() < 1e-12);
    }

    #[test]
    fn a_value_absent_from_a_class_breaks_delta_disclosure() {
        let published = classes(&[vec!["a", "b"], vec!["a", "a"]]);
        let report = judge(&published, "", "model = \"delta-disclosure\"\ndelta = 100");
        assert_eq!((report.holds, report.observed), (false, json!("infinite")));
        assert_eq!(report.witness.unwrap().class, 2);
        let alike = classes(&[vec!["a", "b"], vec!["b", "a", "a", "b"]]);
        let report = judge(&alike, "", "model = \"delta-disclosure\"\ndelta = 1e-20");
        assert_eq!((report.holds, report.observed), (true, json!(0.0)));
    }

    #[test]
    fn distances_do_not_overflow_and_every_t_is_its_own() {
        let tree = from_parents_csv("s", "s", "child,parent\na,ab\nb,ab\nab,top\nc,top", false);
        let trees = vec![("s".to_owned(), Arc::new(tree.unwrap()))];
        let half = 100_000;
        let published = classes(&[
            counted(&[("a", half), ("c", half)]),
            counted(&[("b", half), ("c", half)]),
        ]);
        let promise =
            |t: &str| format!("model = \"t-closeness\"\nt = {t}\ndistance = \"hierarchical\"");
        let judge = |t: &str| {
            let column = ", hierarchy = \"s.csv\"";
            try_judge(&published, column, &promise(t), &trees).unwrap()
        };
        // A quarter moves from a to b, over a taxon half as high as the tree.
        assert_eq!(judge("0.02").models[0].details["observed_exact"], "1/8");
        assert!(!judge("0.02").holds && !judge("0.1249").holds && judge("0.125").holds);
    }
}

mod reports {
    use super::*;

    const COLUMN: &str = ", categories = [[\"HIV\"], [\"Flu\", \"Cold\"]]";

    #[test]
    fn what_was_observed_is_told_in_numbers_and_the_worst_class_without_its_values() {
        let published = classes(&[
            counted(&[("HIV", 3), ("Flu", 1)]),
            vec!["Flu", "Cold", "Cold"],
            vec!["HIV", "Flu", "Cold"],
        ]);
        let told = |promise: &str| {
            let report = judge(&published, COLUMN, promise);
            let observed = match report.observed.as_f64() {
                Some(number) => format!("{number:.4}"),
                None => report.observed.to_string(),
            };
            let details: Vec<String> = report
                .details
                .iter()
                .map(|(key, value)| format!(" {key} {value}"))
                .collect();
            let witness = report.witness.unwrap();
            assert_eq!(witness.values["class"], format!("c{}", witness.class - 1));
            format!(
                "{observed}{}; {}: {}",
                details.concat(),
                witness.class,
                witness.found
            )
        };
        let l = |kind: &str, more: &str| {
            told(&format!(
                "model = \"l-diversity\"\nkind = \"{kind}\"\n{more}"
            ))
        };
        let texts = [
            told("model = \"p-sensitive\"\np = 3"),
            told("model = \"p-alpha\"\np = 2\nalpha = 1.5"),
            told("model = \"p-alpha\"\np = 3\nalpha = 1.5"),
            told("model = \"p-plus-alpha\"\np = 2\nalpha = 1"),
            l("distinct", "l = 3"),
            l("entropy", "l = 2"),
            l("recursive", "l = 2\nc = 3"),
            l("recursive", "l = 3\nc = 3"),
            l("frequency", "l = 1.5"),
            told("model = \"t-closeness\"\nt = 0.2"),
            told("model = \"t-closeness\"\nt = 0.3\norder = [\"HIV\", \"Flu\", \"Cold\"]"),
            told("model = \"alpha-k\"\nalpha = 0.7"),
            told("model = \"alpha-k\"\nalpha = 0.7\nvalue = \"HIV\""),
            told("model = \"delta-disclosure\"\ndelta = 2"),
            told("model = \"beta-likeness\"\nbeta = 0.5"),
            told("model = \"beta-likeness\"\nkind = \"enhanced\"\nbeta = 10"),
        ];
        let expected = [
            "2.0000; 1: 2 distinct values of `s`, but p is 3",
            "2.0000 weight 1.0 weight_exact \"1\"; 1: weight 1 of `s`, but alpha is 3/2",
            "2.0000 weight 1.0 weight_exact \"1\"; 1: 2 distinct values of `s`, but p is 3",
            "1.0000 weight 1.0 weight_exact \"1\"; 2: 1 category of `s`, but p is 2",
            "2.0000; 1: 2 distinct values of `s`, but l is 3",
            "1.7548; 1: an entropy of `s` as of 1.754765 equally frequent values, but l is 2",
            "3.0000 observed_exact \"3\"; 1: the commonest value of `s` has 3 times the rows of all but the 1 commonest, but c is 3",
            "\"infinite\" observed_exact null; 1: fewer distinct values of `s` than l, which is 3",
            "1.3333 observed_exact \"4/3\"; 1: a value of `s` in 3/4 of the rows, but l is 3/2",
            "0.4000 observed_exact \"2/5\"; 2: `s` is 2/5 away from the table, but t is 1/5",
            "0.3833 observed_exact \"23/60\"; 2: `s` is 23/60 away from the table, but t is 3/10",
            "0.7500 observed_exact \"3/4\"; 1: a value of `s` in 3/4 of the rows, but alpha is 7/10",
            "0.7500 observed_exact \"3/4\"; 1: the named value of `s` in 3/4 of the rows, but alpha is 7/10",
            "\"infinite\"; 1: a value of `s` is in the class or in the table alone, but delta is 2",
            "1.2222 observed_exact \"11/9\"; 2: a value of `s` gains 11/9 of its share, but beta is 1/2",
            "1.2222; 2: a value of `s` gains 11/9 of its share, but -ln of its share in the table is less",
        ];
        assert_eq!(texts, expected);
    }

    #[test]
    fn values_that_a_promise_does_not_know_are_told_by_their_rows() {
        let published = classes(&[vec!["1", "2"], vec!["SECRET", "1"]]);
        let tree = from_parents_csv("s", "s", "child,parent\n1,top\n2,top", false).unwrap();
        let trees = vec![("s".to_owned(), Arc::new(tree))];
        let fault = |column: &str, promise: &str| {
            let error = try_judge(&published, column, promise, &trees).unwrap_err();
            assert!(matches!(error, Error::Data { .. }));
            error.to_string()
        };
        let t = |more: &str| format!("model = \"t-closeness\"\nt = 0.5\n{more}");
        assert_eq!(
            [
                fault(
                    ", categories = [[\"1\"], [\"2\"]]",
                    "model = \"p-alpha\"\np = 1\nalpha = 1"
                ),
                fault("", &t("distance = \"ordered\"")),
                fault("", &t("order = [\"1\", \"2\"]")),
                fault(", hierarchy = \"s.csv\"", &t("distance = \"hierarchical\"")),
            ],
            [
                "release.csv: a value of `s` is in none of its categories (row 3)",
                "release.csv: a value of `s` is no number (row 3)",
                "release.csv: a value of `s` is not in the order of the policy (row 3)",
                "release.csv: a value of `s` has no leaf in its hierarchy (row 3)",
            ]
        );
    }

    #[test]
    fn stars_in_a_class_that_shows_something_are_a_value_and_no_reference() {
        // A quarter of the first class is starred; the table's own distribution is half and half.
        let published = classes(&[vec!["a", "b", "a", "*"], vec!["b", "b", "a"]]);
        let report = judge(&published, "", "model = \"t-closeness\"\nt = 0.25");
        assert!(report.holds);
        assert_eq!(report.details["observed_exact"], "1/4");
        let report = judge(&published, "", "model = \"beta-likeness\"\nbeta = 100");
        assert_eq!((report.holds, report.observed), (false, json!("infinite")));
        assert_eq!(report.witness.unwrap().class, 1);
        let values = judge(&published, "", "model = \"p-sensitive\"\np = 3");
        assert_eq!(values.observed, json!(2));
        let stars = classes(&[vec!["*", "**"]]);
        let report = judge(&stars, "", "model = \"p-sensitive\"\np = 2");
        assert_eq!((report.holds, report.observed), (false, json!(1)));
        let promise = "model = \"t-closeness\"\nt = 1";
        assert!(try_judge(&stars, "", promise, &Vec::new()).is_err());
    }
}
