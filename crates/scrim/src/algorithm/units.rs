//! What cells cost in whole numbers, for searches that add costs up over single cells.
//!
//! **Reading.** A cell costs so many steps of its attribute: levels for `Prec`, values beside its own for the losses. The
//! steps of all attributes are whole numbers of one unit, the greatest that allows it, so that sums and ties are exact.

use crate::metric::MetricId;
use crate::share::Share;

/// The unit of cost, and what a step of each attribute costs in it.
#[derive(Clone, Debug)]
pub(super) struct Units {
    per: Vec<i64>,
    /// What one unit, of one row, takes from the metric.
    unit: Share,
}

impl Units {
    /// The units of a metric; `most` has the steps of each attribute at its top. Nothing where all rows at the top cost
    /// more than fits, with so many bits to spare.
    pub(super) fn new(
        metric: MetricId,
        weights: &[Share],
        most: &[u64],
        rows: u64,
        spare: u32,
    ) -> Option<Self> {
        let sums = metric == MetricId::InformationLoss;
        let part = |(most, weight): (&u64, &Share)| {
            let of = most.checked_add(u64::from(sums))?.max(1);
            weight.checked_mul(Share::new(1, i128::from(of))?)
        };
        let parts: Vec<Share> = most.iter().zip(weights).map(part).collect::<Option<_>>()?;
        let whole = weights
            .iter()
            .try_fold(Share::ZERO, |sum, weight| sum.checked_add(*weight))?;
        let (scaled, denominator) = Share::over_common(&parts)?;
        let common = scaled
            .iter()
            .fold(0, |common, part| num_integer::gcd(common, *part))
            .max(1);
        let unit = if sums {
            Share::new(common, denominator)?
        } else {
            Share::new(common, denominator.checked_mul(i128::from(rows.max(1)))?)?
                .checked_mul(Share::new(whole.denominator(), whole.numerator())?)?
        };
        let per: Vec<i64> = scaled
            .iter()
            .map(|part| i64::try_from(part / common).ok())
            .collect::<Option<_>>()?;
        let top = most.iter().zip(&per).try_fold(0i64, |sum, (most, per)| {
            sum.checked_add(per.checked_mul(i64::try_from(*most).ok()?)?)
        })?;
        let all = top.checked_mul(i64::try_from(rows).ok()?)?;
        (all <= i64::MAX >> spare).then_some(Self { per, unit })
    }

    /// Units as fine as fits, with each step rounded down: what they add up to is no more than the metric.
    pub(super) fn rounded(
        metric: MetricId,
        weights: &[Share],
        most: &[u64],
        rows: u64,
        spare: u32,
    ) -> Option<Self> {
        let sums = metric == MetricId::InformationLoss;
        let whole = weights
            .iter()
            .try_fold(Share::ZERO, |sum, weight| sum.checked_add(*weight))?;
        let rows = rows.max(1);
        let room = Share::whole(i128::from(i64::MAX >> spare) / i128::from(rows));
        // All rows at the top cost `room` at the most.
        let scale = room.checked_mul(Share::new(whole.denominator(), whole.numerator())?)?;
        let scale = Share::whole(scale.numerator() / scale.denominator());
        let per = |(most, weight): (&u64, &Share)| {
            let of = most.checked_add(u64::from(sums))?.max(1);
            let step = weight.checked_mul(scale)?;
            i64::try_from(step.numerator() / step.denominator().checked_mul(of.into())?).ok()
        };
        let unit = Share::new(1, scale.numerator())?;
        let unit = if sums {
            unit
        } else {
            let mean = Share::whole(rows.into()).checked_mul(whole)?;
            unit.checked_mul(Share::new(mean.denominator(), mean.numerator())?)?
        };
        Some(Self {
            per: most.iter().zip(weights).map(per).collect::<Option<_>>()?,
            unit,
        })
    }

    /// What a step of an attribute costs.
    pub(super) fn per(&self, attribute: usize) -> i64 {
        self.per[attribute]
    }

    /// What a cost takes from the metric: nought where nothing is lost.
    pub(super) fn lost(&self, cost: i64) -> f64 {
        let exact = self.unit.checked_mul(Share::whole(cost.into()));
        exact.map_or_else(|| self.unit.to_f64() * cost as f64, Share::to_f64)
    }
}
