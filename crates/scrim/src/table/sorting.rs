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
            let mut keys = vec![0u64; rows];
            pack(columns, &mut keys, |key, bits, rank| {
                *key = key.checked_shl(bits).unwrap_or(0) | u64::from(rank);
            });
            NumberedKeys::new(keys, |row| row as u32)
                .sorted()
                .into_numbers()
        }
        65..=128 => {
            let mut keys: Vec<(u128, u32)> = (0..rows as u32).map(|row| (0, row)).collect();
            pack(columns, &mut keys, |(key, _), bits, rank| {
                *key = key.checked_shl(bits).unwrap_or(0) | u128::from(rank);
            });
            keys.par_sort_unstable();
            keys.into_iter().map(|(_, row)| row).collect()
        }
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

/// Appends the rank of every column to the keys of the rows: `push` gets a key, the bits that the column needs, and the rank.
fn pack<K>(columns: &[SortColumn<'_>], keys: &mut [K], push: impl Fn(&mut K, u32, u32)) {
    for column in columns {
        let bits = column.bits();
        let ranks = column.ranks;
        column
            .codes
            .for_each(|row, code: Code| push(&mut keys[row], bits, ranks[code as usize]));
    }
}

/// Keys with a number beside each: both in one word where they have room in it, which halves the memory that a sort moves.
#[derive(Clone, Debug)]
pub struct NumberedKeys {
    pairs: Pairs,
    key_bits: u32,
}

#[derive(Clone, Debug)]
enum Pairs {
    /// The key above the number, which has this number of bits.
    InOneWord(Vec<u64>, u32),
    Wide(Vec<(u64, u32)>),
}

impl NumberedKeys {
    /// Keys with the number of each, which is asked for by the key's place.
    pub fn new(mut keys: Vec<u64>, number: impl Fn(usize) -> u32) -> Self {
        let largest = keys.iter().copied().max().unwrap_or(0);
        let key_bits = u64::BITS - largest.leading_zeros();
        let largest = (0..keys.len()).map(&number).max().unwrap_or(0);
        let number_bits = u32::BITS - largest.leading_zeros();
        let pairs = if key_bits + number_bits <= u64::BITS && number_bits < u64::BITS {
            for (at, key) in keys.iter_mut().enumerate() {
                *key = *key << number_bits | u64::from(number(at));
            }
            Pairs::InOneWord(keys, number_bits)
        } else {
            let pairs = keys.into_iter().enumerate();
            Pairs::Wide(pairs.map(|(at, key)| (key, number(at))).collect())
        };
        Self { pairs, key_bits }
    }

    /// The same in ascending order of the keys; equal keys stay in the order in which they stand.
    #[must_use]
    pub fn sorted(self) -> Self {
        let pairs = match self.pairs {
            Pairs::InOneWord(pairs, bits) => {
                let sorted = radix_sorted(pairs, self.key_bits, |pair| pair >> bits);
                Pairs::InOneWord(sorted, bits)
            }
            Pairs::Wide(pairs) => Pairs::Wide(radix_sorted(pairs, self.key_bits, |(key, _)| *key)),
        };
        Self { pairs, ..self }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        match &self.pairs {
            Pairs::InOneWord(pairs, _) => pairs.len(),
            Pairs::Wide(pairs) => pairs.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The key and the number at a place.
    #[inline]
    pub fn get(&self, at: usize) -> (u64, u32) {
        match &self.pairs {
            Pairs::InOneWord(pairs, bits) => {
                let mask = (1u64 << bits) - 1;
                (pairs[at] >> bits, (pairs[at] & mask) as u32)
            }
            Pairs::Wide(pairs) => pairs[at],
        }
    }

    /// All keys and numbers in their order.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        (0..self.len()).map(|at| self.get(at))
    }

    /// The numbers in the order of the keys.
    pub fn into_numbers(self) -> Vec<u32> {
        self.iter().map(|(_, number)| number).collect()
    }
}

/// A stable sort by a key of at most this number of bits.
fn radix_sorted<P: Copy + Default>(
    mut pairs: Vec<P>,
    bits: u32,
    key: impl Fn(&P) -> u64,
) -> Vec<P> {
    const DIGIT: u32 = 11;
    const FEW: usize = 1 << 14;
    if pairs.is_sorted_by_key(&key) {
        return pairs;
    }
    if pairs.len() < FEW {
        pairs.sort_by_key(key);
        return pairs;
    }
    let mut sorted = vec![P::default(); pairs.len()];
    for shift in (0..bits).step_by(DIGIT as usize) {
        let digit = |pair: &P| (key(pair) >> shift) as usize & ((1 << DIGIT) - 1);
        let mut places = vec![0usize; 1 << DIGIT];
        pairs.iter().for_each(|pair| places[digit(pair)] += 1);
        let mut next = 0;
        for place in &mut places {
            next += std::mem::replace(place, next);
        }
        for pair in &pairs {
            let place = &mut places[digit(pair)];
            sorted[*place] = *pair;
            *place += 1;
        }
        std::mem::swap(&mut pairs, &mut sorted);
    }
    pairs
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
        for bits in [1, 11, 12, 33, 48, 49, 64] {
            let keys = (0..40_000).map(|row| mix(row / 3) >> (64 - bits));
            let keys: Vec<u64> = keys.collect();
            let mut expected: Vec<(u64, u32)> = keys.iter().copied().zip(0..).collect();
            expected.sort_unstable();
            let sorted = NumberedKeys::new(keys, |row| row as u32).sorted();
            assert_eq!(sorted.iter().collect::<Vec<_>>(), expected, "{bits} bits");
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
