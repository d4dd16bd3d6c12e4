//! Packed keys and the hash index over them.

/// Where each attribute lies in a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Layout {
    words: usize,
    fields: Vec<Field>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) word: usize,
    pub(super) shift: u32,
    pub(super) mask: u64,
}

impl Layout {
    /// Fields wide enough for these numbers of codes, or nothing when eight words do not hold them.
    pub(crate) fn new(widths: impl Iterator<Item = usize>) -> Option<Self> {
        let mut fields = Vec::new();
        let (mut word, mut used) = (0, 0);
        for width in widths {
            let bits = usize::BITS - width.saturating_sub(1).leading_zeros();
            // A field never straddles two words: reading it is one shift and one mask.
            if used + bits > 64 {
                word += 1;
                used = 0;
            }
            fields.push(Field {
                word,
                shift: used.min(63),
                mask: (1 << bits) - 1,
            });
            used += bits;
        }
        let words = [1, 2, 4, 8].into_iter().find(|words| word < *words)?;
        Some(Self { words, fields })
    }

    /// The layout of keys without a field.
    pub(crate) fn empty() -> Self {
        Self {
            words: 1,
            fields: Vec::new(),
        }
    }

    /// How many words a key has: 1, 2, 4 or 8.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// Where an attribute lies.
    pub(super) fn field(&self, attribute: usize) -> Field {
        self.fields[attribute]
    }

    /// The code of an attribute.
    pub(crate) fn read(&self, key: &[u64], attribute: usize) -> u32 {
        let field = self.fields[attribute];
        ((key[field.word] >> field.shift) & field.mask) as u32
    }

    /// The key with some attributes mapped to the codes of a higher level.
    pub(super) fn recode<const W: usize>(
        &self,
        key: &[u64; W],
        climbs: &[Option<Vec<u32>>],
    ) -> [u64; W] {
        let mut recoded = *key;
        for (field, climb) in self.fields.iter().zip(climbs) {
            if let Some(climb) = climb {
                let word = &mut recoded[field.word];
                let code = (*word >> field.shift) & field.mask;
                *word = (*word & !(field.mask << field.shift))
                    | (u64::from(climb[code as usize]) << field.shift);
            }
        }
        recoded
    }
}

/// Numbers keys by first occurrence: open addressing over a dense list of keys.
#[derive(Debug)]
pub(crate) struct Index<const W: usize> {
    keys: Vec<[u64; W]>,
    /// Key number plus one; zero is free.
    slots: Vec<u32>,
}

impl<const W: usize> Index<W> {
    /// An empty index that holds so many keys before it grows.
    pub(crate) fn with_room_for(keys: usize) -> Self {
        Self {
            keys: Vec::with_capacity(keys),
            slots: vec![0; (keys * 2).next_power_of_two().max(16)],
        }
    }

    /// The number of a key, new or known.
    pub(crate) fn find_or_add(&mut self, key: [u64; W]) -> u32 {
        let mask = self.slots.len() - 1;
        let mut at = hash(&key) as usize & mask;
        loop {
            match self.slots[at] {
                0 => break,
                known if self.keys[known as usize - 1] == key => return known - 1,
                _ => at = (at + 1) & mask,
            }
        }
        self.keys.push(key);
        self.slots[at] = self.keys.len() as u32;
        if self.keys.len() * 2 > self.slots.len() {
            self.grow();
        }
        self.keys.len() as u32 - 1
    }

    /// The numbers of some keys, in their order, put behind others. First all slots are looked at and then all keys, so that
    /// the memory is asked for many of them at once. So it is again for keys that stand one place further; only what is not found
    /// so is looked for one by one.
    pub(crate) fn find_or_add_all(&mut self, keys: &[[u64; W]], numbers: &mut Vec<u32>) {
        const AT_ONCE: usize = 256;
        let (mut guesses, mut further) = ([0u32; AT_ONCE], [0u16; AT_ONCE]);
        for keys in keys.chunks(AT_ONCE) {
            let guesses = &mut guesses[..keys.len()];
            let mask = self.slots.len() - 1;
            for (guess, key) in guesses.iter_mut().zip(keys) {
                *guess = self.slots[hash(key) as usize & mask];
            }
            let mut others = 0;
            for (at, (guess, key)) in (0u16..).zip(guesses.iter_mut().zip(keys)) {
                further[others] = at;
                others += usize::from(*guess > 0 && !self.has(*guess, key));
            }
            let further = &further[..others];
            for at in further.iter().map(|at| usize::from(*at)) {
                guesses[at] = self.slots[(hash(&keys[at]) as usize + 1) & mask];
            }
            for at in further.iter().map(|at| usize::from(*at)) {
                // Another key again: it is looked for from its place on.
                guesses[at] *= u32::from(self.has(guesses[at], &keys[at]));
            }
            for (guess, key) in guesses.iter().zip(keys) {
                let number = match guess.checked_sub(1) {
                    Some(number) => number,
                    None => self.find_or_add(*key),
                };
                numbers.push(number);
            }
        }
    }

    /// The same for keys of which many repeat the one before them, as those of sorted rows do: only the others are looked for.
    pub(crate) fn find_or_add_runs(&mut self, keys: &[[u64; W]], numbers: &mut Vec<u32>) {
        const AT_ONCE: usize = 1024;
        let mut firsts = [[0; W]; AT_ONCE];
        let mut found = Vec::with_capacity(AT_ONCE);
        for keys in keys.chunks(AT_ONCE) {
            let mut runs = 0;
            for (at, key) in keys.iter().enumerate() {
                firsts[runs] = *key;
                runs += usize::from(at + 1 == keys.len() || keys[at + 1] != *key);
            }
            found.clear();
            self.find_or_add_all(&firsts[..runs], &mut found);
            let mut run = 0;
            for (at, key) in keys.iter().enumerate() {
                numbers.push(found[run]);
                run += usize::from(at + 1 < keys.len() && keys[at + 1] != *key);
            }
        }
    }

    /// Whether a key is in it.
    pub(crate) fn has_key(&self, key: &[u64; W]) -> bool {
        let mask = self.slots.len() - 1;
        let mut at = hash(key) as usize & mask;
        while self.slots[at] != 0 {
            if self.has(self.slots[at], key) {
                return true;
            }
            at = (at + 1) & mask;
        }
        false
    }

    /// Whether a slot that holds this has a key.
    #[inline]
    fn has(&self, slot: u32, key: &[u64; W]) -> bool {
        let known = slot.checked_sub(1);
        known.is_some_and(|number| self.keys[number as usize] == *key)
    }

    /// All keys in order.
    pub(crate) fn keys(&self) -> &[[u64; W]] {
        &self.keys
    }

    /// All keys in order, word after word.
    pub(crate) fn into_keys(self) -> Vec<u64> {
        self.keys.into_flattened()
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 4;
        let mut slots = vec![0u32; size];
        for (number, key) in (1u32..).zip(&self.keys) {
            let mut at = hash(key) as usize & (size - 1);
            while slots[at] != 0 {
                at = (at + 1) & (size - 1);
            }
            slots[at] = number;
        }
        self.slots = slots;
    }
}

/// A multiply-and-fold hash: the high half of the product, where all bits have met, lands in the low bits.
#[inline]
pub(super) fn hash(key: &[u64]) -> u64 {
    key.iter().fold(0x9e37_79b9_7f4a_7c15, |state, word| {
        let product = u128::from(state ^ word) * 0xa076_1d64_78bd_642f;
        (product >> 64) as u64 ^ product as u64
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_hold_their_largest_code() {
        for widths in [
            vec![1, 2, 3, 256, 257],
            vec![u32::MAX as usize; 5],
            vec![1 << 20; 20],
            vec![1; 70],
        ] {
            let layout = Layout::new(widths.iter().copied()).unwrap();
            let mut key = vec![0; layout.words()];
            for (attribute, width) in widths.iter().enumerate() {
                let field = layout.field(attribute);
                key[field.word] |= (*width as u64 - 1) << field.shift;
            }
            for (attribute, width) in widths.iter().enumerate() {
                assert_eq!(layout.read(&key, attribute), (*width - 1) as u32);
            }
        }
        assert!(Layout::new([1 << 32; 17].into_iter()).is_none());
    }

    #[test]
    fn keys_are_numbered_by_first_occurrence() {
        let mut index = Index::<2>::with_room_for(1);
        let numbers: Vec<u32> = (0..5000u64)
            .map(|number| index.find_or_add([number % 1700, number % 7]))
            .collect();
        let again: Vec<u32> = (0..5000u64)
            .map(|number| index.find_or_add([number % 1700, number % 7]))
            .collect();
        assert_eq!(numbers, again);
        let keys: Vec<[u64; 2]> = (0..5000u64)
            .map(|number| [number % 1700, number % 7])
            .collect();
        let (mut together, mut fresh) = (Vec::new(), Index::<2>::with_room_for(1));
        fresh.find_or_add_all(&keys, &mut together);
        assert_eq!(numbers, together);
        for run in [1, 3, 700, 5000] {
            let keys: Vec<[u64; 2]> = (0..5000u64).map(|at| [at / run % 1700, at / run]).collect();
            let (mut all, mut runs) = (Vec::new(), Vec::new());
            Index::<2>::with_room_for(1).find_or_add_all(&keys, &mut all);
            Index::<2>::with_room_for(1).find_or_add_runs(&keys, &mut runs);
            assert_eq!(all, runs, "runs of {run}");
        }
        assert_eq!(numbers[0..3], [0, 1, 2]);
        assert_eq!(
            index.into_keys().len(),
            2 * (*numbers.iter().max().unwrap() as usize + 1)
        );
    }
}
