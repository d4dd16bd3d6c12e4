//! Walks along chains, from policy to certificate, against the algorithms of [Zhang07] word by word.
#![allow(
    clippy::unwrap_used,
    reason = "tests of small tables that are made here"
)]

mod large;

use std::sync::Arc;

use scrim::algorithm::{ChainOutcome, Unwatched};
use scrim::recoding::apply;
use scrim::release::audit::{Audit, Known, Source, audit_with};
use scrim::release::disclosure::DisclosureReport;
use scrim::release::{Planned, Policy, Prepared, Rows, planned};
use scrim::table::{Column, Table};
use testkit::oracle::disclosure_set::{Algorithm, Generalization};
use testkit::{Fraction, SplitMix64};

const VALUES: [&str; 5] = ["a", "b", "c", "d", "e"];

/// A promise as a policy says it and as the definition says it: of the rows of a class, the shares of the values in a belief and
/// those in the table.
struct Promise {
    text: &'static str,
    check: fn(usize, &[Fraction], &[Fraction]) -> bool,
}

fn largest(shares: &[Fraction]) -> Fraction {
    shares.iter().copied().max().unwrap()
}

fn told(fraction: Fraction) -> String {
    match fraction.denominator() {
        1 => fraction.numerator().to_string(),
        _ => fraction.to_string(),
    }
}

fn possible(shares: &[Fraction]) -> usize {
    shares
        .iter()
        .filter(|share| **share > Fraction::whole(0))
        .count()
}

fn sorted(shares: &[Fraction]) -> Vec<Fraction> {
    let mut sorted = shares.to_vec();
    sorted.sort();
    sorted.reverse();
    sorted
}

const PROMISES: [Promise; 9] = [
    Promise {
        text: "model = \"l-diversity\"\nkind = \"recursive\"\nc = 2\nl = 2",
        check: |_, shares, _| largest(shares) < Fraction::new(2, 3),
    },
    Promise {
        text: "model = \"l-diversity\"\nkind = \"recursive\"\nc = 3\nl = 3",
        check: |_, shares, _| {
            let sorted = sorted(shares);
            sorted[0] < Fraction::whole(3) * (sorted[2] + sorted[3] + sorted[4])
        },
    },
    Promise {
        text: "model = \"alpha-k\"\nalpha = 0.5",
        check: |_, shares, _| largest(shares) <= Fraction::new(1, 2),
    },
    Promise {
        text: "model = \"alpha-k\"\nalpha = \"2/5\"\nvalue = \"a\"",
        check: |_, shares, _| shares[0] <= Fraction::new(2, 5),
    },
    Promise {
        text: "model = \"l-diversity\"\nkind = \"distinct\"\nl = 2",
        check: |_, shares, _| possible(shares) >= 2,
    },
    Promise {
        text: "model = \"p-sensitive\"\np = 3",
        check: |_, shares, _| possible(shares) >= 3,
    },
    Promise {
        text: "model = \"l-diversity\"\nkind = \"frequency\"\nl = \"5/3\"",
        check: |_, shares, _| largest(shares) <= Fraction::new(3, 5),
    },
    Promise {
        // Weights 0, 1/2, 1/2, 1, 1.
        text: "model = \"p-alpha\"\np = 2\nalpha = 1",
        check: |rows, shares, _| {
            let half = (shares[1] + shares[2]) * Fraction::new(1, 2) + shares[3] + shares[4];
            possible(shares) >= 2 && half * Fraction::whole(rows) >= Fraction::whole(1)
        },
    },
    Promise {
        text: "model = \"t-closeness\"\nt = 0.4",
        check: |_, shares, table| {
            let apart = |(here, there): (&Fraction, &Fraction)| {
                if here > there {
                    *here - *there
                } else {
                    Fraction::whole(0)
                }
            };
            let moved = shares.iter().zip(table).map(apart);
            moved.fold(Fraction::whole(0), |sum, next| sum + next) <= Fraction::new(2, 5)
        },
    },
];

struct Case {
    labels: Vec<Vec<u32>>,
    values: Vec<usize>,
    k: usize,
}

impl Case {
    /// Neighbours in small groups, as in Table 2 of the paper: nested or crossing; few values occur twice.
    fn random(random: &mut SplitMix64) -> Self {
        let steps = random.between(2, 3);
        let rows = random.between(5, if steps == 2 { 8 } else { 6 });
        let nested = random.below(2) == 0;
        let mut labels: Vec<Vec<u32>> = Vec::new();
        for step in 0..steps {
            let runs = |count: usize, random: &mut SplitMix64| -> Vec<u32> {
                let mut group = 0;
                let mut left = random.between(2, 2 + step);
                let label = |_| {
                    if left == 0 {
                        left = random.between(2, 2 + step);
                        group += 1;
                    }
                    left -= 1;
                    group
                };
                (0..count).map(label).collect()
            };
            let fresh = match labels.last().filter(|_| nested) {
                Some(finer) => {
                    let map = runs(8, random);
                    finer.iter().map(|label| map[*label as usize]).collect()
                }
                None => runs(rows, random),
            };
            labels.push(fresh);
        }
        // Every value once or twice; two of the same stand together in a small group.
        let mut values: Vec<usize> = (0..rows).map(|row| row % VALUES.len()).collect();
        for at in (1..rows).rev() {
            values.swap(at, random.below(at + 1));
        }
        let pair = 2 * random.below(rows / 2);
        values[pair + 1] = values[pair];
        if !values.contains(&0) {
            values[rows - 1] = 0;
        }
        Self {
            labels,
            values,
            k: random.between(1, 2),
        }
    }

    fn table(&self) -> Table {
        let mut columns: Vec<Column> = (1..)
            .zip(&self.labels)
            .map(|(number, labels)| {
                let texts: Vec<String> = labels.iter().map(|label| format!("x{label}")).collect();
                Column::from_texts(&format!("g{number}"), texts.iter().map(String::as_str))
            })
            .collect();
        let values = self.values.iter().map(|value| VALUES[*value]);
        columns.push(Column::from_texts("s", values));
        Table::new(columns).unwrap()
    }

    fn policy(&self, promise: &Promise, strategy: &str) -> Policy {
        let columns: Vec<String> = (1..=self.labels.len())
            .map(|at| format!("\"g{at}\""))
            .collect();
        let k = self.k;
        let text = format!(
            "[data]\npath = \"x.csv\"\n[columns]\ns = {{ role = \"sensitive\", categories = [[\"a\"], [\"b\", \"c\"], [\"d\", \"e\"]] }}\n\
             [[privacy]]\n{}\n[[privacy]]\nmodel = \"k-anonymity\"\nk = {k}\n[disclosure]\nstrategy = \"{strategy}\"\nchain = {{ columns = [{}] }}\n",
            promise.text,
            columns.join(", ")
        );
        Policy::parse("p.toml", &text).unwrap()
    }

    fn groups(&self) -> Vec<Generalization> {
        let groups = |labels: &Vec<u32>| {
            let mut groups: Generalization = vec![Vec::new(); 8];
            for (row, label) in labels.iter().enumerate() {
                groups[*label as usize].push(row);
            }
            groups.retain(|group| !group.is_empty());
            groups
        };
        self.labels.iter().map(groups).collect()
    }

    fn shares(&self) -> Vec<Fraction> {
        let share = |value: usize| {
            let held = self.values.iter().filter(|own| **own == value).count();
            Fraction::new(held as i128, self.values.len() as i128)
        };
        (0..VALUES.len()).map(share).collect()
    }
}

fn prepare(policy: &Policy, table: &Table) -> Prepared {
    let mut load = |_: &str| unreachable!("there is no hierarchy file");
    let rows = Rows {
        file: "x.csv",
        line: &|row| row as u64 + 2,
    };
    Prepared::new(policy, table, &mut load, &rows).unwrap()
}

/// A step published as it is, whatever it tells, and what the certifier says of it under a policy.
fn certified(policy: &Policy, table: &Table, prepared: &Prepared, done: &Planned) -> Audit {
    let plan = done.plan.as_ref().unwrap();
    let made = apply(
        table,
        &prepared.roles,
        &prepared.ladders,
        &plan.found.recoding.suppressed_rows(&prepared.ground),
        &plan.found.recoding,
        &plan.sensitive,
        plan.fate,
    );
    let column = |column: &scrim::recoding::AppliedColumn| {
        let text = |row: usize| column.labels[column.codes.get(row) as usize].as_str();
        Column::from_texts(&column.name, (0..column.codes.len()).map(text))
    };
    let published = Table::new(made.columns.iter().map(column).collect()).unwrap();
    let trees: Vec<_> = prepared
        .ladders
        .iter()
        .map(|ladder| (ladder.name().to_owned(), Arc::clone(ladder.hierarchy())))
        .collect();
    let source = Source {
        table,
        rows: &made.rows,
        hierarchies: &trees,
    };
    let known = Known {
        source: Some(&source),
        ..Known::default()
    };
    audit_with(policy, &published, "release.csv", &known).unwrap()
}

#[test]
fn walks_and_certificates_are_those_of_the_definition() {
    let (mut published, mut refused, mut leaks) = (0, 0, 0);
    for seed in 0..700 {
        let mut random = SplitMix64::new(seed);
        let case = Case::random(&mut random);
        let promise = &PROMISES[seed as usize % PROMISES.len()];
        let (table, there) = (case.table(), case.shares());
        let check = |rows: usize, shares: &[Fraction]| {
            rows >= case.k && (promise.check)(rows, shares, &there)
        };
        let algorithm = Algorithm {
            functions: case.groups(),
            values: VALUES.len(),
            check: &check,
        };
        let exclusive = algorithm.exclusive(&case.values);
        let inclusive = algorithm.inclusive(case.labels.len(), &case.values);
        for (strategy, expected) in [("exclusive", exclusive), ("inclusive", inclusive)] {
            let policy = case.policy(promise, strategy);
            let prepared = prepare(&policy, &table);
            let done = planned(&policy, &table, &prepared, &mut Unwatched).unwrap();
            let decision = done.decision.as_ref().unwrap();
            let step = match decision.outcome {
                ChainOutcome::Published(step) => Some(step - 1),
                _ => None,
            };
            let about = format!("seed {seed} {strategy}: {}", promise.text);
            assert_eq!(step, expected, "{about}: {:?}", decision.outcome);
            let Some(step) = step else {
                refused += 1;
                continue;
            };
            published += 1;
            let set = if strategy == "exclusive" {
                algorithm.exclusive_set(step, &case.values)
            } else {
                algorithm.inclusive_set(step, &case.values)
            };
            let best = algorithm
                .ratios(&set)
                .iter()
                .map(|shares| largest(shares))
                .max()
                .unwrap();
            let report = DisclosureReport::new(&policy, &prepared, &table, decision).unwrap();
            assert_eq!(report.max_ratio_exact, Some(told(best)), "{about}");
            let audit = certified(&policy, &table, &prepared, &done);
            let found = audit.disclosure.as_ref().unwrap();
            assert!(audit.holds, "{about}: {found:?} {:?}", audit.models);
            assert_eq!(found.max_ratio_exact, Some(told(best)), "{about}");
            if let Some(size) = &found.size {
                assert_eq!(*size, set.len().to_string(), "{about}");
            }
        }
        // What a naive walk publishes is admitted under `exclusive` exactly where the exclusive walk publishes.
        let policy = case.policy(promise, "naive");
        let prepared = prepare(&policy, &table);
        let done = planned(&policy, &table, &prepared, &mut Unwatched).unwrap();
        if done.plan.is_some() {
            let policy = case.policy(promise, "exclusive");
            let audit = certified(&policy, &table, &prepared, &done);
            leaks += u32::from(exclusive.is_none());
            assert_eq!(
                audit.holds,
                exclusive.is_some(),
                "seed {seed}: {:?}",
                audit.disclosure
            );
        }
    }
    assert!(published > 60 && refused > 60 && leaks > 12);
}
