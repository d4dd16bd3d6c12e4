//! Neighbouring fields of a packed tuple that are looked up at once, and the numbers that come of it.

use super::keys::Field;

/// Neighbouring fields that are looked up at once.
#[derive(Debug)]
pub(super) struct Group {
    word: usize,
    shift: u32,
    bits: u32,
    pub(super) table: Vec<u64>,
}

/// A group of fields has at most so many bits: the tables of all groups together stay in the first cache.
pub(super) const MOST_BITS: u32 = 10;

/// A packed tuple.
pub(super) trait Key: Copy {
    /// One of its words.
    fn word(&self, word: usize) -> u64;
}

impl Key for u32 {
    #[inline]
    fn word(&self, _: usize) -> u64 {
        (*self).into()
    }
}

impl<const W: usize> Key for [u64; W] {
    #[inline]
    fn word(&self, word: usize) -> u64 {
        self[word]
    }
}

/// The length of tables that are all equally long.
pub(super) const EVEN: usize = 1 << MOST_BITS;

/// A group of fields: their shift, and a table that repeats itself to its end, so that higher bits do no harm.
pub(super) type EvenGroup = (u32, [u32; EVEN]);

#[inline]
pub(super) fn each_narrow<const G: usize>(
    groups: [EvenGroup; G],
    keys: &[u32],
    rows: &[u8],
    mut visit: impl FnMut(u64, u8),
) {
    for (key, rows) in keys.iter().zip(rows) {
        let mut number = 0;
        for (shift, table) in &groups {
            number += table[(key >> shift) as usize % EVEN];
        }
        visit(number.into(), *rows);
    }
}

#[inline]
pub(super) fn each_tuple<const G: usize, K: Key>(
    groups: &[&Group; G],
    keys: &[K],
    rows: &[u8],
    mut visit: impl FnMut(u64, u8),
) {
    for (key, rows) in keys.iter().zip(rows) {
        let mut number = 0;
        for group in groups {
            number += group.of(key);
        }
        visit(number, *rows);
    }
}

/// The bits of the codes that have a value: above the ground domain fewer than their field has.
fn bits_of(values: &[u64]) -> u32 {
    usize::BITS - values.len().saturating_sub(1).leading_zeros()
}

impl Group {
    /// Of one field, whose codes count so much.
    pub(super) fn new(field: Field, values: &[u64]) -> Self {
        let mut group = Self {
            word: field.word,
            shift: field.shift,
            bits: 0,
            table: vec![0],
        };
        group.append(bits_of(values), values);
        group
    }

    /// The same group with a table of even length, which has room for it.
    pub(super) fn even(&self) -> EvenGroup {
        let places = self.table.len() - 1;
        let table = std::array::from_fn(|at| self.table[at & places] as u32);
        (self.shift, table)
    }

    /// What the codes of these fields count.
    #[inline]
    pub(super) fn of(&self, key: &impl Key) -> u64 {
        let at = (key.word(self.word) >> self.shift) as usize;
        self.table[at & (self.table.len() - 1)]
    }

    /// Adds what the codes of these fields count; the first group finds nothing to add to.
    #[inline]
    pub(super) fn add<const W: usize, const FIRST: bool>(
        &self,
        keys: &[[u64; W]],
        numbers: &mut [u64],
    ) {
        let (table, mask) = (&self.table[..], self.table.len() - 1);
        for (key, number) in keys.iter().zip(numbers) {
            let before = if FIRST { 0 } else { *number };
            *number = before + table[(key[self.word] >> self.shift) as usize & mask];
        }
    }

    /// Takes a further field in, unless the table would have more bits than this.
    pub(super) fn join(&mut self, field: Field, values: &[u64], bits: u32) -> bool {
        let width = bits_of(values);
        if field.word != self.word || field.shift + width - self.shift > bits {
            return false;
        }
        // Fields between that count nothing.
        self.append(field.shift - self.shift - self.bits, &[]);
        self.append(width, values);
        true
    }

    /// The next bits, and what their codes count; codes beyond them do not occur.
    fn append(&mut self, bits: u32, values: &[u64]) {
        let below = self.table.len();
        self.table.reserve_exact((below << bits) - below);
        for code in 1..1usize << bits {
            let value = values.get(code).copied().unwrap_or(0);
            for at in 0..below {
                self.table.push(self.table[at].wrapping_add(value));
            }
        }
        let first = values.first().copied().unwrap_or(0);
        self.table[..below]
            .iter_mut()
            .for_each(|number| *number = number.wrapping_add(first));
        self.bits += bits;
    }
}
