//! Sensitive values in ordered categories, most sensitive first, with the weights of [Sun08].
//!
//! **Definition.** Of m categories the i-th weighs (i - 1) / (m - 1): the most sensitive 0, the least 1 ([Sun08],
//! section 3, Equation 1).
//! **Reading.** Weights are counted in units of 1 / (m - 1), so that sums are exact: six values of weight 1/3 weigh 2.
//! With one category the formula is 0/0: every value weighs 1. A category whose values the data do not have counts in
//! m. Every value of the data, the missing one too, must stand in a category; a value outside all of them has no
//! weight, and none that could be made up would be safe.

use rustc_hash::FxHashMap;

use super::proportion::Proportion;
use crate::frequency::Slice;
use crate::share::Share;
use crate::table::Dictionary;
use crate::{counted, verb};

/// The category of each value of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Categories {
    of_code: Vec<u32>,
    count: u32,
}

impl Categories {
    /// The categories as the policy lists them, over the values of a column.
    pub fn new(listed: &[Vec<String>], dictionary: &Dictionary) -> Result<Self, String> {
        if listed.is_empty() {
            return Err("`categories` is empty: list at least one category".to_owned());
        }
        let mut known: FxHashMap<&str, u32> = FxHashMap::default();
        for (category, values) in (0..).zip(listed) {
            if values.is_empty() {
                return Err(format!(
                    "category {} of `categories` is empty",
                    category + 1
                ));
            }
            for value in values {
                if let Some(former) = known.insert(value, category) {
                    return Err(format!(
                        "`{value}` is listed twice: in category {} and in category {}",
                        former + 1,
                        category + 1
                    ));
                }
            }
        }
        let of_code: Vec<Option<u32>> = dictionary
            .texts()
            .map(|text| known.get(text).copied())
            .collect();
        complain_of_strays(&of_code, dictionary, "any category")?;
        Ok(Self {
            of_code: of_code.into_iter().flatten().collect(),
            count: listed.len() as u32,
        })
    }

    /// How many categories there are, in the data or not.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The category of a value, 0 the most sensitive.
    #[must_use]
    pub fn of(&self, code: u32) -> u32 {
        self.of_code[code as usize]
    }

    /// How far apart the categories of two values are: the steps between them, out of those between the first category and
    /// the last ([Sun08], section 3). With one category only there is no step, and the distance is 0.
    #[must_use]
    pub fn distance(&self, one: u32, other: u32) -> Share {
        let steps = self.of(one).abs_diff(self.of(other));
        Share::new(steps.into(), self.steps().into()).unwrap_or(Share::ZERO)
    }

    /// What a reader of the policy should know, without being a fault.
    #[must_use]
    pub fn warning(&self) -> Option<&'static str> {
        (self.count == 1)
            .then_some("there is one category only: every value weighs 1, and none tells apart")
    }

    /// The total weight of a class: every row adds the weight of its value.
    pub(super) fn weight(&self, values: Slice<'_>) -> Proportion {
        let units = |(code, rows): (u32, u32)| u128::from(rows) * u128::from(self.units(code));
        let total: u128 = values.iter().map(units).sum();
        Proportion::new(total, self.steps())
    }

    /// The weight of a row of a value, in steps.
    pub(super) fn units(&self, code: u32) -> u32 {
        if self.count == 1 { 1 } else { self.of(code) }
    }

    /// How many steps a weight of one has.
    pub(super) fn steps(&self) -> u32 {
        self.count.saturating_sub(1).max(1)
    }

    /// How many different categories a class has.
    pub(super) fn distinct(&self, values: Slice<'_>) -> u64 {
        let categories = values.codes().iter().map(|code| self.of(*code));
        if self.count <= u128::BITS {
            let mask = categories.fold(0u128, |mask, category| mask | 1 << category);
            return mask.count_ones().into();
        }
        let mut all: Vec<u32> = categories.collect();
        all.sort_unstable();
        all.dedup();
        all.len() as u64
    }
}

/// Refuses values of the data that a policy's list does not have, without naming one.
pub(super) fn complain_of_strays<T>(
    of_code: &[Option<T>],
    dictionary: &Dictionary,
    list: &str,
) -> Result<(), String> {
    let strays = of_code.iter().filter(|known| known.is_none()).count();
    if strays == 0 {
        return Ok(());
    }
    let missing = dictionary
        .missing()
        .is_some_and(|code| of_code[code as usize].is_none());
    Err(format!(
        "{strays} of the {} in the data {} not listed in {list}{}",
        counted(of_code.len(), "value"),
        verb(strays, "is", "are"),
        if missing {
            ", the missing value among them"
        } else {
            ""
        }
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::{Column, ColumnBuilder};

    fn listed(lists: &[&[&str]]) -> Vec<Vec<String>> {
        lists
            .iter()
            .map(|list| list.iter().map(ToString::to_string).collect())
            .collect()
    }

    fn fault(lists: &[&[&str]], values: &[&str]) -> String {
        let column = Column::from_texts("s", values.iter().copied());
        Categories::new(&listed(lists), column.dictionary()).unwrap_err()
    }

    #[test]
    fn what_the_policy_wrote_may_be_named() {
        assert_eq!(
            fault(&[&["Flu"], &["HIV", "Flu"]], &["HIV"]),
            "`Flu` is listed twice: in category 1 and in category 2"
        );
        assert_eq!(
            fault(&[&["Flu"], &[]], &["Flu"]),
            "category 2 of `categories` is empty"
        );
        assert_eq!(
            fault(&[], &["Flu"]),
            "`categories` is empty: list at least one category"
        );
    }

    #[test]
    fn a_value_of_the_data_is_never_named() {
        assert_eq!(
            fault(&[&["Flu"]], &["HIV", "Flu", "Cancer"]),
            "2 of the 3 values in the data are not listed in any category"
        );
        let mut builder = ColumnBuilder::new("s", &["?".to_owned()]);
        for text in ["Flu", "?"] {
            builder.push(text);
        }
        let column = builder.finish();
        assert_eq!(
            Categories::new(&listed(&[&["Flu"]]), column.dictionary()).unwrap_err(),
            "1 of the 2 values in the data is not listed in any category, the missing value among them"
        );
    }

    #[test]
    fn one_category_weighs_one_and_warns() {
        let column = Column::from_texts("s", ["Flu"]);
        let one = Categories::new(&listed(&[&["Flu", "HIV"]]), column.dictionary()).unwrap();
        assert!(one.warning().is_some());
        assert_eq!((one.count(), one.of(0)), (1, 0));
        assert_eq!(one.distance(0, 0), Share::ZERO);
    }

    #[test]
    fn the_distance_counts_steps_between_categories_either_way() {
        let lists: [&[&str]; 4] = [&["HIV", "Cancer"], &["Phthisis"], &["Asthma"], &["Flu"]];
        let values = ["HIV", "Cancer", "Phthisis", "Asthma", "Flu"];
        let column = Column::from_texts("s", values);
        let categories = Categories::new(&listed(&lists), column.dictionary()).unwrap();
        let third = Share::new(1, 3).unwrap();
        assert_eq!(categories.distance(1, 4), Share::ONE);
        assert_eq!(categories.distance(3, 2), third);
        assert_eq!(categories.distance(0, 1), Share::ZERO);
    }
}
