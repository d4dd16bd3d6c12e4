//! p-sensitivity, (p, alpha)- and (p+, alpha)-sensitivity of one class.
//!
//! **Definition.** At least p distinct values (\[Sun08\], Definition 3); at least p distinct values and a total weight of at
//! least alpha (Definition 4); at least p distinct categories and a total weight of at least alpha (Definition 5). The i-th of m
//! categories weighs (i - 1) / (m - 1) (Equation 1).
//! **Reading.** Every row adds the weight of its value. With one category every value weighs 1.

use std::collections::BTreeSet;

use crate::Fraction;

/// Whether the class has at least p distinct values.
#[must_use]
pub fn p_sensitive(values: &[&str], p: usize) -> bool {
    values.iter().collect::<BTreeSet<_>>().len() >= p
}

/// Whether the class has at least p distinct values of total weight alpha.
#[must_use]
pub fn p_alpha(values: &[&str], categories: &[Vec<String>], p: usize, alpha: Fraction) -> bool {
    p_sensitive(values, p) && total_weight(values, categories) >= alpha
}

/// Whether the class has at least p distinct categories of total weight alpha.
#[must_use]
pub fn p_plus_alpha(
    values: &[&str],
    categories: &[Vec<String>],
    p: usize,
    alpha: Fraction,
) -> bool {
    distinct_categories(values, categories) >= p && total_weight(values, categories) >= alpha
}

/// How many categories the class has.
#[must_use]
pub fn distinct_categories(values: &[&str], categories: &[Vec<String>]) -> usize {
    values
        .iter()
        .map(|value| category(value, categories))
        .collect::<BTreeSet<_>>()
        .len()
}

/// The weights of all rows together.
#[must_use]
pub fn total_weight(values: &[&str], categories: &[Vec<String>]) -> Fraction {
    let most = categories.len() - 1;
    values
        .iter()
        .map(|value| match most {
            0 => Fraction::ONE,
            _ => Fraction::whole(category(value, categories)) / Fraction::whole(most),
        })
        .sum()
}

fn category(value: &str, categories: &[Vec<String>]) -> usize {
    categories
        .iter()
        .position(|values| values.iter().any(|listed| listed == value))
        .expect("every value of a test stands in a category")
}

#[cfg(test)]
mod tests {
    use super::total_weight;
    use crate::{Fraction, sun};

    #[test]
    fn the_example_of_section_3_weighs_2() {
        let values = ["Cancer", "Phthisis", "Asthma", "Flu"];
        assert_eq!(
            total_weight(&values, &sun::categories()),
            Fraction::whole(2)
        );
    }

    #[test]
    fn with_one_category_every_row_weighs_1() {
        let one = [vec!["a".to_owned(), "b".to_owned()]];
        assert_eq!(total_weight(&["a", "b", "b"], &one), Fraction::whole(3));
    }
}
