//! What lost values cost, as whole numbers of one unit, so that ties are exact.

use crate::metric::SensitiveUnit;
use crate::share::Share;

/// The weights of all attributes and sensitive columns, each over its domain, as whole numbers of one common unit; where
/// they do not fit, rounded to some twelve digits.
fn whole_units(parts: &[(Share, u64)], rows: u64) -> (Vec<i128>, Option<i128>) {
    let exact = parts
        .iter()
        .map(|(weight, domain)| weight.checked_mul(Share::new(1, i128::from((*domain).max(1)))?))
        .collect::<Option<Vec<Share>>>();
    let exact = exact.and_then(|shares| Share::over_common(&shares));
    let fits = |units: &Vec<i128>| {
        let mut most = 0i128;
        parts.iter().zip(units).all(|((_, domain), unit)| {
            let top = i128::from(*domain)
                .checked_mul(i128::from(rows))
                .and_then(|cells| cells.checked_mul(*unit));
            let sum = top.and_then(|top| most.checked_add(top));
            most = sum.unwrap_or(0);
            sum.is_some_and(|sum| sum < 1 << 120)
        })
    };
    if let Some((units, common)) = exact.filter(|(units, _)| fits(units)) {
        return (units, Some(common));
    }
    let float = |(weight, domain): &(Share, u64)| {
        (weight.to_f64() / (*domain).max(1) as f64 * 2f64.powi(60)).round() as i128
    };
    (parts.iter().map(float).collect(), None)
}

/// What a lost value costs, in a common unit.
pub(super) struct Costs {
    /// By attribute.
    pub(super) attributes: Vec<i128>,
    /// By sensitive column.
    pub(super) sensitive: Vec<i128>,
    /// How many units are one; none where costs are rounded.
    pub(super) common: Option<i128>,
}

/// What lost values of attributes and of sensitive columns cost.
pub(super) fn costs(
    weights: &[Share],
    domains: &[u64],
    sensitive: &[SensitiveUnit],
    rows: u64,
) -> Costs {
    let parts: Vec<(Share, u64)> = weights
        .iter()
        .copied()
        .zip(domains.iter().copied())
        .chain(sensitive.iter().map(|unit| (unit.weight, unit.domain)))
        .collect();
    let (mut attributes, common) = whole_units(&parts, rows);
    let sensitive = attributes.split_off(weights.len());
    Costs {
        attributes,
        sensitive,
        common,
    }
}
