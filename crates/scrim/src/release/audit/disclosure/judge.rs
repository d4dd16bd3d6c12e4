//! The promises, asked of a histogram and of what is believed of a row, from their definitions.
//!
//! **Reading.** Shares are given in whole numbers over a total, by bounds; a histogram has equal bounds. A promise holds when it
//! does for all shares within them. A belief about a row of a class of n rows is judged as n rows with these shares.

mod most_frequent;

use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{Signed, ToPrimitive};

use super::super::promises::{Away, reaches_entropy};
use super::super::{Published, is_suppressed};
use crate::error::Error;
use crate::release::policy::{DiversityKind, ModelPolicy, ModelSpec};
use crate::share::Share;
use crate::table::{Code, Column};

/// Whole numbers of one kind: machine words for histograms, any length for beliefs.
pub(super) trait Whole: Integer + Signed + Clone + From<i128> + ToPrimitive {
    /// The same number in any length.
    fn big(&self) -> BigInt;
}

impl Whole for i128 {
    fn big(&self) -> BigInt {
        (*self).into()
    }
}

impl Whole for BigInt {
    fn big(&self) -> BigInt {
        self.clone()
    }
}

/// Logarithms this near to a bound, as a part of it, do not decide.
const GUARD: f64 = 1e-11;

/// Shares of all values, by bounds in whole numbers.
pub(super) struct Shares<'a, N> {
    /// The rows of the class.
    pub(super) rows: u64,
    /// What all shares add up to.
    pub(super) total: &'a N,
    pub(super) low: &'a [N],
    pub(super) high: &'a [N],
}

/// The promises about one sensitive column.
pub(super) struct Judge<'a> {
    promises: Vec<Promise<'a>>,
    /// The published values, by number.
    pub(super) codes: Vec<Code>,
    /// Rows of the table with each value, and all.
    table: Vec<u64>,
    rows: u64,
}

enum Promise<'a> {
    Spec(&'a ModelSpec),
    /// Categories by value number, and how many there are.
    Weighted {
        spec: &'a ModelSpec,
        categories: Vec<u64>,
        count: u64,
    },
    /// How far a histogram is from the table.
    Close(Away, Share),
    /// The share of a named value.
    Named(Option<usize>, Share),
}

impl<'a> Judge<'a> {
    /// The promises about a column of a published table, and the number of each row's value.
    pub(super) fn new(
        published: &'a Published<'a>,
        column: &'a Column,
    ) -> Result<(Self, Vec<u32>), Error> {
        let mut numbers = vec![None; column.dictionary().len()];
        let mut codes: Vec<Code> = Vec::new();
        let mut values = Vec::with_capacity(column.codes().len());
        for row in 0..column.codes().len() {
            let code = column.codes().get(row);
            if is_suppressed(column.dictionary().text(code)) {
                return Err(Error::Internal("a chain suppresses no row".to_owned()));
            }
            values.push(*numbers[code as usize].get_or_insert_with(|| {
                codes.push(code);
                codes.len() as u32 - 1
            }));
        }
        let mut table = vec![0; codes.len()];
        values.iter().for_each(|value| table[*value as usize] += 1);
        let mut judge = Self {
            promises: Vec::new(),
            rows: values.len() as u64,
            codes,
            table,
        };
        for ModelPolicy { spec, .. } in &published.policy.privacy {
            let promise = judge.promise(published, column, spec)?;
            judge.promises.extend(promise);
        }
        Ok((judge, values))
    }

    fn promise(
        &self,
        published: &'a Published<'a>,
        column: &'a Column,
        spec: &'a ModelSpec,
    ) -> Result<Option<Promise<'a>>, Error> {
        let text = |code: &Code| column.dictionary().text(*code);
        Ok(Some(match spec {
            // Sizes are the same for every secret.
            ModelSpec::KAnonymity { .. } => return Ok(None),
            ModelSpec::PAlpha { .. } | ModelSpec::PPlusAlpha { .. } => {
                let policy = published.policy.column(column.name());
                let listed = policy.and_then(|column| column.categories.as_deref());
                let listed = listed.unwrap_or_default();
                let category = |code: &Code| {
                    let holds =
                        |values: &Vec<String>| values.iter().any(|value| value == text(code));
                    listed.iter().position(holds).unwrap_or(0) as u64
                };
                Promise::Weighted {
                    spec,
                    categories: self.codes.iter().map(category).collect(),
                    count: listed.len() as u64,
                }
            }
            ModelSpec::TCloseness { t, distance, .. } => {
                Promise::Close(Away::new(published, column.name(), distance)?, *t)
            }
            ModelSpec::AlphaK {
                alpha,
                value: Some(value),
                ..
            } => Promise::Named(
                self.codes.iter().position(|code| text(code) == value),
                *alpha,
            ),
            ModelSpec::Personal { .. } | ModelSpec::Serial { .. } => {
                return Err(Error::Internal(format!(
                    "`{}` says nothing about a belief",
                    spec.name()
                )));
            }
            _ => Promise::Spec(spec),
        }))
    }

    /// Whether of two histograms the more even one breaks a promise only where the other does too.
    pub(super) fn is_even_best(&self) -> bool {
        let is_blind = |promise: &Promise<'_>| {
            matches!(
                promise,
                Promise::Spec(
                    ModelSpec::PSensitive { .. }
                        | ModelSpec::LDiversity { .. }
                        | ModelSpec::AlphaK { .. }
                )
            )
        };
        self.promises.iter().all(is_blind)
    }

    /// Whether a histogram keeps all promises.
    pub(super) fn passes(&self, counts: &[u32]) -> bool {
        let counts: Vec<i128> = counts.iter().map(|count| i128::from(*count)).collect();
        let total: i128 = counts.iter().sum();
        self.keeps(&Shares {
            rows: total as u64,
            total: &total,
            low: &counts,
            high: &counts,
        })
    }

    /// Whether all shares within the bounds keep all promises.
    pub(super) fn keeps<N: Whole>(&self, shares: &Shares<'_, N>) -> bool {
        self.promises.iter().all(|promise| match promise {
            Promise::Spec(spec) => self.keeps_spec(spec, shares),
            Promise::Weighted {
                spec,
                categories,
                count,
            } => weighs(spec, categories, *count, shares),
            Promise::Close(away, t) => away
                .at_most(
                    &self.codes,
                    &exact(shares.low),
                    &exact(shares.high),
                    &shares.total.big(),
                )
                .is_some_and(|(above, below)| {
                    above * BigInt::from(t.denominator()) <= below * BigInt::from(t.numerator())
                }),
            Promise::Named(None, _) => true,
            Promise::Named(Some(value), alpha) => shares.at_most(&shares.high[*value], *alpha),
        })
    }

    fn keeps_spec<N: Whole>(&self, spec: &ModelSpec, shares: &Shares<'_, N>) -> bool {
        match spec {
            ModelSpec::PSensitive { p, .. } => shares.possible() >= *p,
            ModelSpec::AlphaK { alpha, .. } => shares.at_most(&shares.top(1), *alpha),
            ModelSpec::LDiversity { kind, l, c, .. } => diverse(*kind, *l, *c, shares),
            ModelSpec::DeltaDisclosure { delta, .. } => self.near(delta.to_f64(), shares),
            ModelSpec::BetaLikeness { beta, enhanced, .. } => self.alike(*beta, *enhanced, shares),
            _ => false,
        }
    }

    /// |ln(share / share in the table)| < delta, for each value.
    fn near<N: Whole>(&self, delta: f64, shares: &Shares<'_, N>) -> bool {
        let near = |share: &N, there: u64| {
            let ratio = shares.float(share) * self.rows as f64 / there as f64;
            share.is_positive() && ratio.ln().abs() * (1.0 + GUARD) + GUARD < delta
        };
        let all = shares.low.iter().zip(shares.high).zip(&self.table);
        all.into_iter()
            .all(|((low, high), there)| near(low, *there) && near(high, *there))
    }

    /// (share - share in the table) / share in the table <= beta, and <= -ln(share in the table).
    fn alike<N: Whole>(&self, beta: Share, enhanced: bool, shares: &Shares<'_, N>) -> bool {
        let all = N::from(self.rows.into());
        shares.high.iter().zip(&self.table).all(|(high, there)| {
            let wanted = N::from((*there).into()) * shares.total.clone();
            let grown = high.clone() * all.clone() - wanted.clone();
            if !grown.is_positive() {
                return true;
            }
            let within =
                grown.clone() * N::from(beta.denominator()) <= wanted * N::from(beta.numerator());
            let gain = shares.float(high) * self.rows as f64 / *there as f64 - 1.0;
            let log = (self.rows as f64 / *there as f64).ln();
            within && (!enhanced || gain * (1.0 + GUARD) + GUARD < log)
        })
    }
}

impl<N: Whole> Shares<'_, N> {
    /// How many values are surely possible.
    fn possible(&self) -> u64 {
        self.low.iter().filter(|low| low.is_positive()).count() as u64
    }

    /// The most that so many values can have together.
    fn top(&self, values: usize) -> N {
        let mut high = self.high.to_vec();
        high.sort_unstable();
        let mut low = self.low.to_vec();
        low.sort_unstable();
        let sum = |numbers: &[N]| {
            numbers
                .iter()
                .fold(N::zero(), |sum, next| sum + next.clone())
        };
        let values = values.min(high.len());
        let most = sum(&high[high.len() - values..]);
        most.min(self.total.clone() - sum(&low[..low.len() - values]))
    }

    fn at_most(&self, part: &N, share: Share) -> bool {
        part.clone() * N::from(share.denominator())
            <= self.total.clone() * N::from(share.numerator())
    }

    fn float(&self, part: &N) -> f64 {
        ratio(&part.big(), &self.total.big())
    }
}

fn diverse<N: Whole>(
    kind: DiversityKind,
    l: Share,
    c: Option<Share>,
    shares: &Shares<'_, N>,
) -> bool {
    let whole = usize::try_from(l.numerator()).unwrap_or(usize::MAX);
    let frequent = || {
        shares.top(1) * N::from(l.numerator()) <= shares.total.clone() * N::from(l.denominator())
    };
    match (kind, c) {
        (DiversityKind::Distinct, _) => shares.possible() >= whole as u64,
        (DiversityKind::Frequency, _) => frequent(),
        (DiversityKind::Recursive, Some(c)) => {
            let tail = shares.total.clone() - shares.top(whole.saturating_sub(1));
            shares.top(1) * N::from(c.denominator()) < tail * N::from(c.numerator())
        }
        (DiversityKind::Recursive, None) => false,
        (DiversityKind::Entropy, _) => frequent() || entropy(l, shares),
    }
}

/// Entropy where the shares are known exactly and not too long.
fn entropy<N: Whole>(l: Share, shares: &Shares<'_, N>) -> bool {
    if shares.low != shares.high {
        return false;
    }
    let common = shares
        .low
        .iter()
        .fold(N::zero(), |common, next| common.gcd(next));
    let count = |share: &N| share.div_floor(&common).to_u32().map(u64::from);
    let counts: Option<Vec<u64>> = shares
        .low
        .iter()
        .filter(|share| share.is_positive())
        .map(count)
        .collect();
    counts.is_some_and(|counts| reaches_entropy(counts, l))
}

fn weighs<N: Whole>(
    spec: &ModelSpec,
    categories: &[u64],
    count: u64,
    shares: &Shares<'_, N>,
) -> bool {
    let (ModelSpec::PAlpha { p, alpha, .. } | ModelSpec::PPlusAlpha { p, alpha, .. }) = spec else {
        return false;
    };
    let possible = shares.low.iter().zip(categories);
    let possible = possible.filter(|(low, _)| low.is_positive());
    let kinds = if matches!(spec, ModelSpec::PPlusAlpha { .. }) {
        let mut kinds: Vec<u64> = possible.map(|(_, category)| *category).collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds.len() as u64
    } else {
        possible.count() as u64
    };
    // What is not surely some value's is given to the lightest that may have more.
    let unit = |category: &u64| if count == 1 { 1 } else { *category };
    let mut weight = N::zero();
    let mut rest = shares.total.clone();
    let mut lightest = None;
    for ((low, high), category) in shares.low.iter().zip(shares.high).zip(categories) {
        weight = weight + low.clone() * N::from(unit(category).into());
        rest = rest - low.clone();
        if high > low {
            lightest =
                Some(lightest.map_or(unit(category), |least: u64| least.min(unit(category))));
        }
    }
    weight = weight + rest * N::from(lightest.unwrap_or(0).into());
    let steps = count.saturating_sub(1).max(1);
    let have = weight * N::from(shares.rows.into()) * N::from(alpha.denominator());
    let need = shares.total.clone() * N::from(steps.into()) * N::from(alpha.numerator());
    kinds >= *p && have >= need
}

fn exact<N: Whole>(numbers: &[N]) -> Vec<BigInt> {
    numbers.iter().map(Whole::big).collect()
}

/// One number over another as a float.
pub(super) fn ratio(above: &BigInt, below: &BigInt) -> f64 {
    let cut = above.bits().max(below.bits()).saturating_sub(900);
    let float = |number: &BigInt| (number >> cut).to_f64().unwrap_or(f64::NAN);
    float(above) / float(below)
}
