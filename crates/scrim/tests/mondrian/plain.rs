//! A small table in plain rows, and `mondrian` over it straight from the definition.

use std::collections::BTreeSet;

use scrim::table::{Column, ColumnBuilder, Table};
use testkit::{Fraction, SplitMix64};

pub(crate) const JOBS: &str = "all\n  a\n    a1\n    a2\n  b\n    b1\n    b2\n    b3\n  c\n";
/// Each job with the taxa above it.
pub(crate) const PATHS: [&[&str]; 6] = [
    &["a1", "a", "all"],
    &["a2", "a", "all"],
    &["b1", "b", "all"],
    &["b2", "b", "all"],
    &["b3", "b", "all"],
    &["c", "all"],
];
pub(crate) const OLDEST: i64 = 9;

/// Ages from 0 to 9, some of them missing; jobs along a tree; sexes without one; a sensitive value.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    pub(crate) ages: Vec<Option<i64>>,
    pub(crate) jobs: Vec<usize>,
    pub(crate) sexes: Vec<usize>,
    pub(crate) ills: Vec<String>,
}

impl Plain {
    pub(crate) fn random(seed: u64, rows: usize) -> Self {
        let mut random = SplitMix64::new(seed);
        let (ages, missing) = (random.between(1, 10), random.once_in(2));
        let (jobs, sexes) = (random.between(1, 6), random.between(1, 3));
        let mut plain = Self {
            ages: Vec::new(),
            jobs: Vec::new(),
            sexes: Vec::new(),
            ills: Vec::new(),
        };
        for row in 0..rows {
            let ill = format!("v{}", random.below(4));
            if row > 0 && random.once_in(3) {
                let twin = random.below(row);
                plain.ages.push(plain.ages[twin]);
                plain.jobs.push(plain.jobs[twin]);
                plain.sexes.push(plain.sexes[twin]);
            } else {
                let age = random.below(ages) as i64;
                plain
                    .ages
                    .push((!(missing && random.once_in(3))).then_some(age));
                plain.jobs.push(random.below(jobs));
                plain.sexes.push(random.below(sexes));
            }
            plain.ills.push(ill);
        }
        plain
    }

    pub(crate) fn table(&self) -> Table {
        let mut ages = ColumnBuilder::new("age", &[String::new()]);
        for age in &self.ages {
            ages.push(&age.map_or_else(String::new, |age| age.to_string()));
        }
        let jobs = self.jobs.iter().map(|job| PATHS[*job][0]);
        let sexes = self.sexes.iter().map(|sex| ["f", "m", "x"][*sex]);
        Table::new(vec![
            ages.finish(),
            Column::from_texts("job", jobs),
            Column::from_texts("sex", sexes),
            Column::from_texts("ill", self.ills.iter().map(String::as_str)),
        ])
        .unwrap()
    }

    fn any_missing(&self) -> bool {
        self.ages.contains(&None)
    }

    /// What rows show in each column, by definition.
    pub(crate) fn cells(&self, rows: &[usize]) -> Vec<String> {
        let ages: BTreeSet<Option<i64>> = rows.iter().map(|row| self.ages[*row]).collect();
        let numbers: Vec<i64> = ages.iter().copied().flatten().collect();
        let age = match (numbers.first(), numbers.last(), ages.contains(&None)) {
            (None, None, _) => String::new(),
            (Some(_), Some(_), true) => "*".to_owned(),
            (Some(0), Some(&OLDEST), false) if !self.any_missing() => "*".to_owned(),
            (Some(low), Some(high), false) if low == high => low.to_string(),
            (low, high, _) => format!("{}-{}", low.unwrap(), high.unwrap()),
        };
        let first = PATHS[self.jobs[rows[0]]];
        let covers = |label: &&&str| {
            rows.iter()
                .all(|row| PATHS[self.jobs[*row]].contains(*label))
        };
        let job = (*first.iter().find(covers).unwrap()).to_owned();
        let sexes: BTreeSet<usize> = rows.iter().map(|row| self.sexes[*row]).collect();
        let sex = match sexes.first() {
            Some(sex) if sexes.len() == 1 => ["f", "m", "x"][*sex].to_owned(),
            _ => "*".to_owned(),
        };
        vec![age, job, sex]
    }

    /// How many values a column's domain has.
    #[allow(dead_code, reason = "for another test that has this table")]
    pub(crate) fn domain(&self, column: usize) -> f64 {
        let sexes: BTreeSet<usize> = self.sexes.iter().copied().collect();
        match column {
            0 => (OLDEST + 1 + i64::from(self.any_missing())) as f64,
            1 => 6.0,
            _ => sexes.len() as f64,
        }
    }

    /// The values of the domain that rows cover beside one, as a share of the domain's.
    pub(crate) fn width(&self, column: usize, rows: &[usize]) -> Fraction {
        let cell = &self.cells(rows)[column];
        let (values, domain) = match column {
            0 => {
                let domain = OLDEST + 1 + i64::from(self.any_missing());
                let values = match cell.split_once('-') {
                    Some((low, high)) => {
                        high.parse::<i64>().unwrap() - low.parse::<i64>().unwrap() + 1
                    }
                    None if cell == "*" => domain,
                    None => 1,
                };
                (values, domain)
            }
            1 => {
                let below = PATHS.iter().filter(|path| path.contains(&cell.as_str()));
                (below.count() as i64, 6)
            }
            _ => {
                let sexes: BTreeSet<usize> = self.sexes.iter().copied().collect();
                let all = sexes.len() as i64;
                (if cell == "*" { all } else { 1 }, all)
            }
        };
        Fraction::new((values - 1).into(), (domain - 1).max(1).into())
    }

    /// The parts of rows by the cut of a column, by definition; one part or none where there is no cut.
    fn cut(&self, column: usize, rows: &[usize], relaxed: bool) -> Vec<Vec<usize>> {
        let by = |key: &dyn Fn(usize) -> usize| -> Vec<Vec<usize>> {
            let keys: BTreeSet<usize> = rows.iter().map(|row| key(*row)).collect();
            let part = |at: usize| rows.iter().copied().filter(|row| key(*row) == at).collect();
            keys.into_iter().map(part).collect()
        };
        match column {
            0 if rows.iter().any(|row| self.ages[*row].is_none()) => {
                by(&|row| usize::from(self.ages[row].is_none()))
            }
            0 => {
                let mut sorted = rows.to_vec();
                sorted.sort_by_key(|row| (self.ages[*row], *row));
                if relaxed {
                    if self.ages[sorted[0]] == self.ages[*sorted.last().unwrap()] {
                        return Vec::new();
                    }
                    let right = sorted.split_off(sorted.len().div_ceil(2));
                    return vec![sorted, right];
                }
                let median = self.ages[sorted[(sorted.len() - 1) / 2]];
                by(&|row| usize::from(self.ages[row] > median))
            }
            1 => {
                let above = &self.cells(rows)[1];
                // The taxon right below: for a job that is the class's taxon there is none.
                let child = |row: usize| {
                    let path = PATHS[self.jobs[row]];
                    let at = path.iter().position(|label| label == above).unwrap();
                    let taxon = path[at.saturating_sub(1)];
                    PATHS.iter().position(|path| path.contains(&taxon)).unwrap()
                };
                by(&child)
            }
            _ => by(&|row| self.sexes[row]),
        }
    }

    /// The classes by definition, by first row.
    pub(crate) fn classes(
        &self,
        relaxed: bool,
        holds: &dyn Fn(&[usize]) -> bool,
    ) -> Option<Vec<Vec<usize>>> {
        let all: Vec<usize> = (0..self.ages.len()).collect();
        if !holds(&all) {
            return None;
        }
        let mut open = vec![all];
        let mut done = Vec::new();
        while let Some(rows) = open.pop() {
            match self.allowable(&rows, relaxed, holds) {
                Some(parts) => open.extend(parts),
                None => done.push(rows),
            }
        }
        done.iter_mut().for_each(|rows| rows.sort_unstable());
        done.sort();
        Some(done)
    }

    /// The first allowable cut, by width.
    pub(crate) fn allowable(
        &self,
        rows: &[usize],
        relaxed: bool,
        holds: &dyn Fn(&[usize]) -> bool,
    ) -> Option<Vec<Vec<usize>>> {
        let mut columns = [0, 1, 2];
        columns.sort_by_key(|column| std::cmp::Reverse(self.width(*column, rows)));
        let cuts = columns
            .iter()
            .map(|column| self.cut(*column, rows, relaxed));
        let mut cuts = cuts.filter(|parts| parts.len() > 1);
        cuts.find(|parts| parts.iter().all(|part| holds(part)))
    }
}

/// The values that a label stands for; a missing age is -1.
pub(crate) fn values(plain: &Plain, column: usize, label: &str) -> BTreeSet<i64> {
    match (column, label) {
        (0, "*") => (-1..=OLDEST).collect(),
        (0, "") => BTreeSet::from([-1]),
        (0, label) => {
            let (low, high) = label.split_once('-').unwrap_or((label, label));
            (low.parse().unwrap()..=high.parse().unwrap()).collect()
        }
        (1, label) => (0..6)
            .filter(|job| PATHS[*job as usize].contains(&label))
            .collect(),
        (_, "*") => plain.sexes.iter().map(|sex| *sex as i64).collect(),
        (_, label) => BTreeSet::from([["f", "m", "x"]
            .iter()
            .position(|sex| *sex == label)
            .unwrap() as i64]),
    }
}
