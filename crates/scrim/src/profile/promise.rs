//! What a first policy promises: how many look alike, and how many sensitive values they have.
//!
//! **Reading.** k is 5, in tables of fewer than 50 rows (or persons) 3, of fewer than 15 it is 2. Of a sensitive column at least 3 values are
//! promised in every class where, without its two commonest, a twentieth of the rows is left; else 2 where that holds without
//! its commonest; else nothing, because classes could keep it only by becoming the whole table. A missing value counts as one.
//! **Holds because** the table as one class keeps these promises, so that a release exists.

use super::values::Values;

/// The k for so many rows or persons; nothing where nobody can hide.
pub(super) fn k_for(units: u64) -> Option<u64> {
    match units {
        0 | 1 => None,
        2..15 => Some(2),
        15..50 => Some(3),
        _ => Some(5),
    }
}

/// The l for a sensitive column in classes of at least k; nothing where none should be promised.
pub(super) fn l_for(values: &Values<'_>, k: u64) -> Option<u64> {
    let mut rows: Vec<u64> = values.texts.iter().map(|(_, rows)| *rows).collect();
    rows.extend((values.missing > 0).then_some(values.missing));
    rows.sort_unstable_by_key(|rows| std::cmp::Reverse(*rows));
    let left = |commonest: usize| rows.iter().skip(commonest).sum::<u64>();
    let enough = |l: &u64| {
        let left = left(*l as usize - 1);
        *l <= k && left > 0 && u128::from(left) * 20 >= u128::from(values.rows)
    };
    [3, 2].into_iter().find(enough)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Column;

    fn l(counts: &[(&str, usize)], k: u64) -> Option<u64> {
        let texts = counts
            .iter()
            .flat_map(|(text, rows)| std::iter::repeat_n(*text, *rows));
        let column = Column::from_texts("a", texts);
        l_for(&Values::of(&column, &["?".to_owned()]), k)
    }

    #[test]
    fn what_nearly_all_share_is_not_promised_to_be_diverse() {
        assert_eq!(l(&[("a", 50), ("b", 40), ("c", 10)], 5), Some(3));
        assert_eq!(l(&[("a", 50), ("b", 40), ("c", 10)], 2), Some(2));
        assert_eq!(l(&[("a", 75), ("?", 25)], 5), Some(2));
        assert_eq!(l(&[("a", 96), ("b", 4)], 5), None);
        assert_eq!(l(&[("a", 96)], 5), None);
    }

    #[test]
    fn small_tables_promise_less() {
        assert_eq!(
            [1, 2, 14, 15, 49, 50].map(k_for),
            [None, Some(2), Some(2), Some(3), Some(3), Some(5)]
        );
    }
}
