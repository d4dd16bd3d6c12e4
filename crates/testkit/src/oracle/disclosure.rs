//! delta-disclosure privacy and beta-likeness of one class.
//!
//! **Definition.** delta: for every value of the table |ln(q / p)| < delta, where p is its share in the table and q in the class.
//! beta: where q > p, (q - p) / p <= beta; enhanced: and <= -ln p.
//! **Reading.** A value that is absent from the class has the ratio 0 and breaks every delta; one that is absent from the table
//! breaks delta and beta. Logarithms are floats: where they are too close to call the oracle panics.

use std::collections::BTreeSet;

use super::l_diversity::counts;
use crate::Fraction;

/// Whether no share differs from that in the table by a log-ratio of delta.
///
/// # Panics
/// When the floats cannot tell.
#[must_use]
pub fn delta_disclosure(class: &[&str], table: &[&str], delta: Fraction) -> bool {
    shares(class, table).into_iter().all(|(q, p)| {
        q > Fraction::ZERO
            && p > Fraction::ZERO
            && is_below((q / p).to_f64().ln().abs(), delta.to_f64())
    })
}

/// Whether no share grew by more than beta (enhanced: nor by more than -ln p) of itself.
///
/// # Panics
/// When the floats cannot tell.
#[must_use]
pub fn beta_likeness(class: &[&str], table: &[&str], beta: Fraction, enhanced: bool) -> bool {
    shares(class, table)
        .into_iter()
        .filter(|(q, p)| q > p)
        .all(|(q, p)| {
            p > Fraction::ZERO
                && (q - p) / p <= beta
                && (!enhanced || is_below(((q - p) / p).to_f64(), -p.to_f64().ln()))
        })
}

/// The share of every value in the class and in the table.
fn shares(class: &[&str], table: &[&str]) -> Vec<(Fraction, Fraction)> {
    let values: BTreeSet<&str> = class.iter().chain(table).copied().collect();
    let share = |list: &[&str], value: &str| {
        let count = counts(list).get(value).copied().unwrap_or(0);
        Fraction::new(count, list.len() as i128)
    };
    values
        .into_iter()
        .map(|value| (share(class, value), share(table, value)))
        .collect()
}

fn is_below(number: f64, bound: f64) -> bool {
    assert!(
        (number - bound).abs() > 1e-9,
        "floats cannot tell {number} from {bound}"
    );
    number < bound
}

#[cfg(test)]
mod tests {
    use super::{beta_likeness, delta_disclosure};
    use crate::Fraction;

    #[test]
    fn an_absent_value_breaks_delta_and_not_beta() {
        let table = ["a", "a", "b", "c"];
        assert!(!delta_disclosure(&["a", "b"], &table, Fraction::whole(9)));
        assert!(beta_likeness(&["a", "b"], &table, Fraction::ONE, true));
        assert!(!beta_likeness(&["b"], &table, Fraction::whole(2), false));
        assert!(beta_likeness(&["b"], &table, Fraction::whole(3), false));
        assert!(!beta_likeness(&["b"], &table, Fraction::whole(3), true));
    }
}
