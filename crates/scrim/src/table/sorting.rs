//! The order of rows by their texts.
//!
//! **Definition.** Rows are compared column by column from left to right, each value by the bytes of its text; a missing value comes
//! first. Rows that are equal in all columns stand in the order of their numbers.
//! **Holds because** ranks of texts compare as the texts do, and ranks packed side by side, the first column highest, compare as rows do.
//! **Cost.** A radix sort of the rows by a packed key where that has at most 64 bits: a pass over all rows for every 11 bits. Else one
//! sort by comparison, of ranks one by one where a key would need more than 128 bits.

use rayon::prelude::*;

use super::{Code, Codes};

/// A column to sort by.
#[derive(Clone, Copy, Debug)]
pub struct SortColumn<'a> {
    /// Its codes.
    pub codes: &'a Codes,
    /// The rank of each code among the texts of the column ([`ranks`]).
    pub ranks: &'a [u32],
}

impl SortColumn<'_> {
    fn rank(&self, row: u32) -> u32 {
        self.ranks[self.codes.get(row as usize) as usize]
    }

    fn bits(&self) -> u32 {
        let largest = self.ranks.iter().copied().max().unwrap_or(0);
        u32::BITS - largest.leading_zeros()
    }
}

/// The rank of each text: equal texts have equal ranks. A missing value, which is no text, has the first rank.
pub fn ranks<'a>(texts: impl Iterator<Item = Option<&'a str>>) -> Vec<u32> {
    let texts: Vec<Option<&str>> = texts.collect();
    let mut order: Vec<u32> = (0..texts.len() as u32).collect();
    order.sort_unstable_by_key(|code| texts[*code as usize]);
    let mut ranks = vec![0; texts.len()];
    let mut rank = 0;
    for (at, code) in order.iter().enumerate() {
        let text = |at: usize| texts[order[at] as usize];
        rank += u32::from(at > 0 && text(at - 1) != text(at));
        ranks[*code as usize] = rank;
    }
    ranks
}

/// The rows from 0 to `rows` in ascending order; equal rows in the order of their numbers.
pub fn sorted_rows(columns: &[SortColumn<'_>], rows: usize) -> Vec<u32> {
    let bits: u32 = columns.iter().map(SortColumn::bits).sum();
    match bits {
        0..=64 => {
            let push = |key: u64, bits, rank| key.checked_shl(bits).unwrap_or(0) | u64::from(rank);
            let keys = sort_keys(packed(columns, rows, push), bits);
            keys.into_iter().map(|(_, row)| row).collect()
        }
        65..=128 => sort_packed(packed(columns, rows, |key: u128, bits, rank| {
            key.checked_shl(bits).unwrap_or(0) | u128::from(rank)
        })),
        _ => {
            let mut order: Vec<u32> = (0..rows as u32).collect();
            order.par_sort_unstable_by(|one, other| {
                let mut unequal = columns
                    .iter()
                    .map(|column| column.rank(*one).cmp(&column.rank(*other)))
                    .filter(|order| order.is_ne());
                unequal.next().unwrap_or_else(|| one.cmp(other))
            });
            order
        }
    }
}

/// The key of each row, with its number: `push` appends the rank of one more column, which has this number of bits.
fn packed<K: Copy + Default + Send>(
    columns: &[SortColumn<'_>],
    rows: usize,
    push: impl Fn(K, u32, u32) -> K,
) -> Vec<(K, u32)> {
    let mut keys: Vec<(K, u32)> = (0..rows as u32).map(|row| (K::default(), row)).collect();
    for column in columns {
        let bits = column.bits();
        let ranks = column.ranks;
        column.codes.for_each(|row, code: Code| {
            let key = &mut keys[row].0;
            *key = push(*key, bits, ranks[code as usize]);
        });
    }
    keys
}

/// Keys of at most this number of bits, each with a number beside it, in ascending order; equal keys stay in the order in which they stand.
pub fn sort_keys(mut keys: Vec<(u64, u32)>, bits: u32) -> Vec<(u64, u32)> {
    const DIGIT: u32 = 11;
    const FEW: usize = 1 << 14;
    if keys.is_sorted_by_key(|(key, _)| *key) {
        return keys;
    }
    if keys.len() < FEW {
        keys.sort_by_key(|(key, _)| *key);
        return keys;
    }
    let mut sorted = vec![(0, 0); keys.len()];
    for shift in (0..bits).step_by(DIGIT as usize) {
        let digit = |key: u64| (key >> shift) as usize & ((1 << DIGIT) - 1);
        let mut places = vec![0usize; 1 << DIGIT];
        keys.iter().for_each(|(key, _)| places[digit(*key)] += 1);
        let mut next = 0;
        for place in &mut places {
            next += std::mem::replace(place, next);
        }
        for pair in &keys {
            let place = &mut places[digit(pair.0)];
            sorted[*place] = *pair;
            *place += 1;
        }
        std::mem::swap(&mut keys, &mut sorted);
    }
    keys
}

fn sort_packed<K: Ord + Send>(mut keys: Vec<(K, u32)>) -> Vec<u32> {
    keys.par_sort_unstable();
    keys.into_iter().map(|(_, row)| row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_texts_have_one_rank_and_a_missing_value_the_first() {
        let texts = [Some("b"), None, Some(""), Some("a"), Some("b"), Some("B")];
        assert_eq!(ranks(texts.into_iter()), [4, 0, 1, 3, 4, 2]);
    }

    #[test]
    fn many_keys_are_sorted_as_few_are() {
        let mix = |row: u32| u64::from(row).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        for bits in [1, 11, 12, 33, 64] {
            let keys = (0..40_000).map(|row| (mix(row / 3) >> (64 - bits), row));
            let keys: Vec<(u64, u32)> = keys.collect();
            let mut expected = keys.clone();
            expected.sort_unstable();
            assert_eq!(sort_keys(keys, bits), expected, "{bits} bits");
        }
    }

    proptest! {
        #[test]
        fn rows_are_sorted_as_lists_of_texts_are(
            rows in proptest::collection::vec(proptest::collection::vec(0u32..40, 5), 0..60),
            copies in 1usize..8,
        ) {
            // Several copies of the columns make keys of more than 64 and of more than 128 bits.
            let text = |code: u32| format!("{}", u64::from(code) * 7919 % 41);
            let texts: Vec<String> = (0..40).map(text).collect();
            let ranks = ranks(texts.iter().map(|text| Some(text.as_str())));
            let codes: Vec<Codes> = (0..5)
                .map(|column| Codes::collect(40, rows.iter().map(|row| row[column])))
                .collect();
            let columns: Vec<SortColumn<'_>> = (0..5 * copies)
                .map(|column| SortColumn { codes: &codes[column % 5], ranks: &ranks })
                .collect();
            let mut expected: Vec<u32> = (0..rows.len() as u32).collect();
            expected.sort_by_key(|row| {
                let cells = rows[*row as usize].iter();
                cells.map(|code| text(*code)).collect::<Vec<_>>()
            });
            prop_assert_eq!(sorted_rows(&columns, rows.len()), expected);
        }
    }
}
