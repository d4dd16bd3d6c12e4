//! What the runs of one chain, promise and size came to.

use super::super::findings::rounded;
use super::kinds::{Promise, Steps};
use super::study::{Came, Run, Tells};

/// Runs of one kind, counted.
#[derive(Debug)]
pub(super) struct Summary {
    pub(super) steps: Steps,
    pub(super) promise: Promise,
    pub(super) rows: usize,
    pub(super) runs: usize,
    /// Runs in which the naive walk released something.
    pub(super) released: usize,
    /// Of these those of which it was found exactly what they tell.
    pub(super) exact: usize,
    /// Of these those in which more is believed of some row than its class says.
    pub(super) tells_more: usize,
    /// Releases that break the promise, and those of which that is not decided.
    pub(super) breaks: usize,
    pub(super) undecided: usize,
    /// The mean best ratio before and after, and the mean share of rows that rose, over what was found exactly.
    pub(super) ratios: Option<(f64, f64)>,
    pub(super) risen: Option<f64>,
    pub(super) naive: Tally,
    pub(super) exclusive: Tally,
    pub(super) inclusive: Tally,
    /// Whether no run contradicts what must be.
    pub(super) sane: bool,
}

/// What a strategy did.
#[derive(Debug)]
pub(super) struct Tally {
    pub(super) published: usize,
    pub(super) nothing: usize,
    pub(super) undecided: usize,
    /// The mean over what is published.
    pub(super) prec: Option<f64>,
}

impl Tally {
    fn of(all: impl Iterator<Item = Came>) -> Self {
        let mut tally = Self {
            published: 0,
            nothing: 0,
            undecided: 0,
            prec: None,
        };
        let mut precs = Vec::new();
        for came in all {
            match came {
                Came::Published(prec) => precs.push(prec),
                Came::Nothing => tally.nothing += 1,
                Came::Undecided => tally.undecided += 1,
            }
        }
        tally.published = precs.len();
        tally.prec = mean(&precs);
        tally
    }

    /// The mean Prec where nothing counts 0; not a number where some run is undecided.
    pub(super) fn worth(&self, runs: usize) -> f64 {
        if self.undecided > 0 {
            return f64::NAN;
        }
        self.prec.unwrap_or(0.0) * self.published as f64 / runs.max(1) as f64
    }

    /// How often it published.
    pub(super) fn told(&self, runs: usize) -> String {
        let undecided = match self.undecided {
            0 => String::new(),
            some => format!(" ({some} undecided)"),
        };
        format!("{} of {runs}{undecided}", self.published)
    }
}

impl Summary {
    /// For tables.
    pub(super) fn name(&self) -> String {
        format!("{}, {} rows", self.promise.name(), self.rows)
    }

    fn of(steps: Steps, promise: Promise, rows: usize, runs: &[&Run]) -> Self {
        let released = runs
            .iter()
            .filter(|run| matches!(run.naive, Came::Published(_)));
        let released: Vec<&&Run> = released.collect();
        let exact: Vec<Tells> = released.iter().filter_map(|run| run.tells).collect();
        let means = |of: &dyn Fn(&Tells) -> f64| mean(&exact.iter().map(of).collect::<Vec<_>>());
        let count = |wanted: Option<bool>| {
            let runs = released.iter();
            runs.filter(|run| run.breaks() == wanted).count()
        };
        Self {
            steps,
            promise,
            rows,
            runs: runs.len(),
            released: released.len(),
            exact: exact.len(),
            tells_more: exact.iter().filter(|tells| tells.risen > 0).count(),
            breaks: count(Some(true)),
            undecided: count(None),
            ratios: means(&|tells| tells.before).zip(means(&|tells| tells.after)),
            risen: means(&|tells| tells.risen as f64 / rows as f64),
            naive: Tally::of(runs.iter().map(|run| run.naive)),
            exclusive: Tally::of(runs.iter().map(|run| run.exclusive)),
            inclusive: Tally::of(runs.iter().map(|run| run.inclusive)),
            sane: exact.iter().all(|tells| tells.sane),
        }
    }
}

/// By chain, promise and size, in this order.
pub(super) fn summaries(runs: &[Run]) -> Vec<Summary> {
    let mut sizes: Vec<usize> = runs.iter().map(|run| run.rows).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let mut all = Vec::new();
    for steps in Steps::ALL {
        for promise in Promise::ALL {
            for rows in &sizes {
                let own: Vec<&Run> = runs
                    .iter()
                    .filter(|run| (run.steps, run.promise, run.rows) == (steps, promise, *rows))
                    .collect();
                all.push(Summary::of(steps, promise, *rows, &own));
            }
        }
    }
    all
}

fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

/// A share in hundredths.
pub(super) fn percent(share: f64) -> String {
    format!("{} %", rounded(100.0 * share, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(naive: Came, exclusive: Came, risen: Option<usize>) -> Run {
        Run {
            steps: Steps::Datafly,
            promise: Promise::Frequency(2),
            rows: 10,
            sample: 1,
            naive,
            exclusive,
            inclusive: Came::Undecided,
            method: None,
            tells: risen.map(|risen| Tells {
                before: 0.5,
                after: 0.75,
                risen,
                sane: true,
            }),
        }
    }

    #[test]
    fn only_releases_that_were_decided_and_found_exactly_are_counted() {
        let prec = Came::Published(0.5);
        let runs = [
            run(prec, prec, Some(0)),
            run(prec, Came::Nothing, Some(5)),
            run(prec, Came::Undecided, None),
            run(Came::Nothing, Came::Nothing, None),
        ];
        let all = summaries(&runs);
        let own = all
            .iter()
            .find(|one| one.steps == Steps::Datafly && one.promise == Promise::Frequency(2));
        let own = own.unwrap();
        assert_eq!((own.runs, own.released, own.exact), (4, 3, 2));
        assert_eq!((own.tells_more, own.breaks, own.undecided), (1, 1, 1));
        assert_eq!(own.risen, Some(0.25));
        assert_eq!(own.exclusive.told(own.runs), "1 of 4 (1 undecided)");
        assert!(own.exclusive.worth(4).is_nan());
        assert!((own.naive.worth(4) - 0.375).abs() < 1e-12);
    }
}
