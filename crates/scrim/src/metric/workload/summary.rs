//! The relative errors of a workload in a few numbers.
//!
//! **Reading.** The standard deviation is that of the workload itself, divided by the number of its queries. The median of
//! an even number is the mean of the two in the middle; any other percentile is the least error that so many percent of
//! the queries do not exceed.

use serde::Serialize;

/// The two answers of a query.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Answer {
    /// From the original.
    pub actual: u64,
    /// From the release.
    pub estimate: f64,
}

impl Answer {
    /// |act - est| / act, unless the query selects nothing.
    pub fn relative_error(self) -> Option<f64> {
        let actual = self.actual as f64;
        (self.actual > 0).then(|| (actual - self.estimate).abs() / actual)
    }
}

/// The relative errors of some queries; nothing where none is defined.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ErrorSummary {
    /// How many queries were asked.
    pub queries: u64,
    /// How many of them select nothing in the original: they have no relative error and are left out below.
    pub undefined: u64,
    /// The mean.
    pub mean: Option<f64>,
    /// The standard deviation.
    pub stddev: Option<f64>,
    /// The median.
    pub median: Option<f64>,
    /// Three of four queries have no larger error.
    pub p75: Option<f64>,
    /// Nine of ten.
    pub p90: Option<f64>,
    /// 95 of 100.
    pub p95: Option<f64>,
    /// 99 of 100.
    pub p99: Option<f64>,
    /// The largest.
    pub max: Option<f64>,
}

impl ErrorSummary {
    /// Sums up answers.
    pub fn of(answers: impl Iterator<Item = Answer>) -> Self {
        let errors: Vec<Option<f64>> = answers.map(Answer::relative_error).collect();
        let mut defined: Vec<f64> = errors.iter().flatten().copied().collect();
        let mut summary = Self {
            queries: errors.len() as u64,
            undefined: (errors.len() - defined.len()) as u64,
            ..Self::default()
        };
        if defined.is_empty() {
            return summary;
        }
        let count = defined.len() as f64;
        // Sorted first, so that the order of the queries does not matter to the last digit.
        defined.sort_by(f64::total_cmp);
        let mean = defined.iter().sum::<f64>() / count;
        let variance = defined
            .iter()
            .map(|error| (error - mean).powi(2))
            .sum::<f64>()
            / count;
        let rank = |percent: usize| {
            let at = (defined.len() * percent).div_ceil(100).max(1) - 1;
            defined.get(at).copied()
        };
        let middle = f64::midpoint(defined[(defined.len() - 1) / 2], defined[defined.len() / 2]);
        summary.mean = Some(mean);
        summary.stddev = Some(variance.sqrt());
        summary.median = Some(middle);
        summary.p75 = rank(75);
        summary.p90 = rank(90);
        summary.p95 = rank(95);
        summary.p99 = rank(99);
        summary.max = rank(100);
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(answers: &[(u64, f64)]) -> ErrorSummary {
        let answer = |(actual, estimate): &(u64, f64)| Answer {
            actual: *actual,
            estimate: *estimate,
        };
        ErrorSummary::of(answers.iter().map(answer))
    }

    #[test]
    fn the_numbers_are_those_of_a_small_example() {
        // Errors 2, 0, 0.5 and 0.5; one query selects nothing.
        let found = summary(&[(1, 3.0), (4, 4.0), (2, 1.0), (2, 3.0), (0, 7.0)]);
        assert_eq!((found.queries, found.undefined), (5, 1));
        assert_eq!((found.mean, found.median), (Some(0.75), Some(0.5)));
        assert_eq!(
            (found.p75, found.p90, found.max),
            (Some(0.5), Some(2.0), Some(2.0))
        );
        assert!((found.stddev.unwrap() - 0.5625_f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn percentiles_are_errors_that_occur() {
        let answers: Vec<(u64, f64)> = (1..=100).map(|error| (1, 1.0 + f64::from(error))).collect();
        let found = summary(&answers);
        assert_eq!(found.median, Some(50.5));
        assert_eq!((found.p75, found.p90), (Some(75.0), Some(90.0)));
        assert_eq!((found.p95, found.p99), (Some(95.0), Some(99.0)));
    }

    #[test]
    fn without_a_defined_query_there_is_no_number() {
        let found = summary(&[(0, 1.0)]);
        assert_eq!((found.queries, found.undefined, found.mean), (1, 1, None));
        assert_eq!(summary(&[]).max, None);
    }
}
