//! Query workloads against the definition, row by row.
#![allow(clippy::unwrap_used, reason = "a test that cannot prepare has failed")]

use std::sync::Arc;

use proptest::prelude::*;
use scrim::Share;
use scrim::hierarchy::{Hierarchy, from_level_csv};
use scrim::metric::workload::{
    Answer, Axes, Axis, Draw, Pairs, ask, draw, read_queries, write_queries,
};
use scrim::table::{Column, Table};
use testkit::oracle::{Values, leaf_order, relative_error, values_below, workload_answer};
use testkit::{Fraction, Problem, SplitMix64, random_problem};

const AGES: usize = 30;

/// A random original, a random release of it, both as texts and as the values below each text.
struct Case {
    problem: Problem,
    ages: Vec<usize>,
    /// The published rows: labels of the tree columns, then of the ages. The last tree column is sensitive.
    published: Vec<Vec<(String, Values)>>,
}

impl Case {
    fn random(seed: u64, random: &mut SplitMix64) -> Option<Self> {
        let problem = random_problem(seed, 14, 3, 3);
        if problem.columns.len() < 2 {
            return None;
        }
        let ages: Vec<usize> = problem
            .rows
            .iter()
            .map(|_| random.between(1, AGES))
            .collect();
        let mut case = Self {
            problem,
            ages,
            published: Vec::new(),
        };
        for row in 0..case.ages.len() {
            // Some rows are dropped.
            if !random.once_in(6) {
                let labels = case.labels(row, random);
                case.published.push(labels);
            }
        }
        Some(case)
    }

    fn labels(&self, row: usize, random: &mut SplitMix64) -> Vec<(String, Values)> {
        let mut labels: Vec<(String, Values)> = (0..self.problem.columns.len())
            .map(|column| {
                let level = random.below(self.problem.height(column) + 1);
                let label = match random.below(5) {
                    0 => "***",
                    _ => self.problem.cell(row, column, level),
                };
                let below = values_below(&self.problem.chains[column], label);
                (label.to_owned(), below)
            })
            .collect();
        let (low, high) = (
            random.between(1, self.ages[row]),
            random.between(self.ages[row], AGES),
        );
        let label = match random.below(6) {
            0 => return [labels, vec![("*".to_owned(), numbers(1, AGES))]].concat(),
            _ if low == high => low.to_string(),
            1 => format!("[{low}, {high}]"),
            2 => format!("[{low}, {})", high + 1),
            3 => format!("({}, {high}]", low - 1),
            _ => format!("{low}-{high}"),
        };
        labels.push((label, numbers(low, high)));
        labels
    }

    fn sensitive(&self) -> usize {
        self.problem.columns.len() - 1
    }

    fn names(&self) -> Vec<String> {
        let mut names = self.problem.columns.clone();
        names.push("age".to_owned());
        names
    }

    fn original(&self) -> Vec<Vec<(String, Values)>> {
        let single = |text: &String| (text.clone(), Values::from([text.clone()]));
        let rows = self.problem.rows.iter().zip(&self.ages);
        rows.map(|(row, age)| row.iter().chain([&age.to_string()]).map(single).collect())
            .collect()
    }

    fn table(&self, rows: &[Vec<(String, Values)>]) -> Table {
        let column = |(at, name): (usize, String)| {
            Column::from_texts(&name, rows.iter().map(|row| row[at].0.as_str()))
        };
        Table::new(self.names().into_iter().enumerate().map(column).collect()).unwrap()
    }

    fn tree(&self, at: usize) -> Arc<Hierarchy> {
        let lines: Vec<String> = self.problem.chains[at]
            .values()
            .map(|chain| chain.join(";"))
            .collect();
        let name = &self.problem.columns[at];
        Arc::new(from_level_csv(name, "chains", &lines.join("\n"), at != self.sensitive()).unwrap())
    }

    fn axes(&self, original: &Table) -> Axes {
        let column = |at: usize| original.column(&self.names()[at]).unwrap();
        let ages = Axis::numbers(
            original.column("age").unwrap(),
            Some(Share::ONE),
            Some(Share::whole(AGES as i128)),
            None,
        );
        let mut quasi: Vec<Axis> = (0..self.sensitive())
            .map(|at| Axis::leaves(column(at), self.tree(at), false))
            .collect();
        quasi.push(ages.unwrap());
        Axes {
            sensitive: Axis::leaves(column(self.sensitive()), self.tree(self.sensitive()), false),
            quasi,
        }
    }

    /// A random line of a workload file, and the values that it asks for, by column.
    fn query(&self, random: &mut SplitMix64) -> (String, Vec<(usize, Values)>) {
        let at = self.sensitive();
        let (from, to, asked) = if random.once_in(3) {
            self.taxon(at, random)
        } else {
            let leaves = leaf_order(&self.problem.chains[at]);
            let low = random.below(leaves.len());
            let high = random.between(low, leaves.len() - 1);
            let asked = leaves[low..=high].iter().cloned().collect();
            (leaves[low].clone(), leaves[high].clone(), asked)
        };
        let mut conditions = vec![(at, asked)];
        let quasi = match random.below(3) {
            0 => ",,".to_owned(),
            1 => {
                let at = random.below(self.sensitive());
                let (from, to, asked) = self.taxon(at, random);
                conditions.push((at, asked));
                format!("{},{from},{to}", self.problem.columns[at])
            }
            _ => {
                let low = random.between(1, AGES);
                let high = random.between(low, AGES);
                conditions.push((self.problem.columns.len(), numbers(low, high)));
                format!("age,{low},{high}")
            }
        };
        (format!("{from},{to},{quasi}"), conditions)
    }

    fn taxon(&self, at: usize, random: &mut SplitMix64) -> (String, String, Values) {
        let chains = &self.problem.chains[at];
        let chain = chains.values().nth(random.below(chains.len())).unwrap();
        let label = &chain[random.below(chain.len())];
        (label.clone(), String::new(), values_below(chains, label))
    }
}

fn numbers(from: usize, to: usize) -> Values {
    (from..=to).map(|number| number.to_string()).collect()
}

fn below(rows: &[Vec<(String, Values)>]) -> Vec<Vec<Values>> {
    let values = |row: &Vec<(String, Values)>| row.iter().map(|(_, below)| below.clone()).collect();
    rows.iter().map(values).collect()
}

fn agrees(answer: Answer, actual: Fraction, estimate: Fraction) -> Result<(), TestCaseError> {
    prop_assert_eq!(Fraction::whole(answer.actual), actual);
    prop_assert!((answer.estimate - estimate.to_f64()).abs() < 1e-9);
    let (ours, theirs) = (
        answer.relative_error(),
        relative_error(actual, estimate).map(Fraction::to_f64),
    );
    prop_assert_eq!(ours.is_some(), theirs.is_some());
    prop_assert!((ours.unwrap_or(0.0) - theirs.unwrap_or(0.0)).abs() < 1e-9);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn answers_are_those_of_the_definition(seed: u64) {
        let mut random = SplitMix64::new(seed);
        let Some(case) = Case::random(seed, &mut random) else { return Ok(()) };
        let original = case.original();
        let raw = case.table(&original);
        let axes = case.axes(&raw);
        let release = case.table(&case.published);
        let asked: Vec<_> = (0..12).map(|_| case.query(&mut random)).collect();
        let lines: Vec<&str> = asked.iter().map(|(line, _)| line.as_str()).collect();
        let file = format!("sensitive_from,sensitive_to,column,from,to\n{}\n", lines.join("\n"));
        let queries = read_queries(&axes, "queries.csv", &file).unwrap();
        let pairs = [
            Pairs::count(&axes, &raw).unwrap(),
            Pairs::count(&axes, &release).unwrap(),
        ];
        let answers = ask(&queries, &pairs[0], &pairs[1]);
        let (original, published) = (below(&original), below(&case.published));
        for ((_, conditions), answer) in asked.iter().zip(answers) {
            agrees(
                answer,
                workload_answer(&original, conditions),
                workload_answer(&published, conditions),
            )?;
        }
        // What is written is read again as the same.
        let written = String::from_utf8(write_queries(&axes, &queries).unwrap()).unwrap();
        prop_assert_eq!(read_queries(&axes, "written.csv", &written).unwrap(), queries);
    }

    #[test]
    fn random_queries_select_enough_and_can_be_written_and_read(seed: u64) {
        let mut random = SplitMix64::new(seed);
        let Some(case) = Case::random(seed, &mut random) else { return Ok(()) };
        let raw = case.table(&case.original());
        let axes = case.axes(&raw);
        let pairs = Pairs::count(&axes, &raw).unwrap();
        let wanted = Draw {
            queries: 20,
            type1: Share::new(1, 4).unwrap(),
            least: Share::new(1, 10).unwrap(),
            seed,
        };
        let Ok(drawn) = draw(&axes, &pairs, &wanted) else { return Ok(()) };
        prop_assert_eq!(drawn.queries.iter().filter(|query| query.quasi.is_none()).count(), 5);
        // Answered from the original itself, nothing is off.
        for answer in ask(&drawn.queries, &pairs, &pairs) {
            prop_assert!(answer.actual * 10 >= raw.rows() as u64 && answer.actual > 0);
            prop_assert_eq!(answer.relative_error(), Some(0.0));
        }
        let written = String::from_utf8(write_queries(&axes, &drawn.queries).unwrap()).unwrap();
        prop_assert_eq!(&read_queries(&axes, "written.csv", &written).unwrap(), &drawn.queries);
        prop_assert_eq!(draw(&axes, &pairs, &wanted).unwrap(), drawn);
    }
}
