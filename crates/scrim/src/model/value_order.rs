//! The values of a sensitive column in an order, for distances that ask how far apart two values lie.
//!
//! **Reading.** A listed order counts all its values, also those that the data do not have. A numeric order has the
//! numbers that occur in the visible rows, ascending; equal numbers that are spelt differently have one place. Errors say how many values
//! have no place and never name one of the data.

use rustc_hash::FxHashMap;

use super::categories::complain_of_strays;
use crate::counted;
use crate::share::Share;
use crate::table::{Code, Dictionary};

/// The place of each value of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ValueOrder {
    place_of_code: Vec<u32>,
    places: u32,
    /// Whether its places are the values that occur, and no others.
    occurring: bool,
}

impl ValueOrder {
    /// The order in which the policy lists the values.
    pub fn listed(listed: &[String], dictionary: &Dictionary) -> Result<Self, String> {
        let mut known: FxHashMap<&str, u32> = FxHashMap::default();
        for (place, value) in (0..).zip(listed) {
            if known.insert(value, place).is_some() {
                return Err(format!("`{value}` stands twice in `order`"));
            }
        }
        let places: Vec<Option<u32>> = dictionary
            .texts()
            .map(|text| known.get(text).copied())
            .collect();
        complain_of_strays(&places, dictionary, "`order`")?;
        Ok(Self {
            place_of_code: places.into_iter().flatten().collect(),
            places: listed.len() as u32,
            occurring: false,
        })
    }

    /// The values as numbers, ascending.
    pub fn numeric(dictionary: &Dictionary) -> Result<Self, String> {
        let numbers: Vec<Option<Share>> = (0..)
            .zip(dictionary.texts())
            .map(|(code, text)| {
                (dictionary.missing() != Some(code))
                    .then(|| text.parse().ok())
                    .flatten()
            })
            .collect();
        let strays = numbers.iter().filter(|number| number.is_none()).count();
        if strays > 0 {
            return Err(format!(
                "{strays} of the {} in the data cannot be read as numbers: list the values in `order`",
                counted(numbers.len(), "value")
            ));
        }
        let numbers: Vec<Share> = numbers.into_iter().flatten().collect();
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        sorted.dedup();
        Ok(Self {
            place_of_code: numbers
                .iter()
                .map(|number| sorted.partition_point(|other| other < number) as u32)
                .collect(),
            places: sorted.len() as u32,
            occurring: true,
        })
    }

    /// How many places there are.
    #[must_use]
    pub fn places(&self) -> u32 {
        self.places
    }

    /// The place of a value.
    #[must_use]
    pub fn place(&self, code: Code) -> u32 {
        self.place_of_code[code as usize]
    }

    /// Whether its places are the values that occur: those without a visible row are none.
    pub(super) fn is_of_occurring(&self) -> bool {
        self.occurring
    }

    /// How many values have a place.
    pub(super) fn codes(&self) -> usize {
        self.place_of_code.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Column;

    #[test]
    fn numbers_stand_by_size_and_not_by_spelling() {
        let column = Column::from_texts("s", ["10", "9", "9.0", "-1"]);
        let order = ValueOrder::numeric(column.dictionary()).unwrap();
        assert_eq!([0, 1, 2, 3].map(|code| order.place(code)), [2, 1, 1, 0]);
        assert_eq!(order.places(), 3);
    }

    #[test]
    fn a_value_without_a_place_is_counted_and_not_named() {
        let column = Column::from_texts("s", ["10", "HIV"]);
        assert_eq!(
            ValueOrder::numeric(column.dictionary()).unwrap_err(),
            "1 of the 2 values in the data cannot be read as numbers: list the values in `order`"
        );
        let order = ["10".to_owned(), "11".to_owned()];
        assert_eq!(
            ValueOrder::listed(&order, column.dictionary()).unwrap_err(),
            "1 of the 2 values in the data is not listed in `order`"
        );
        assert!(
            ValueOrder::listed(&["a".to_owned(), "a".to_owned()], column.dictionary()).is_err()
        );
    }
}
