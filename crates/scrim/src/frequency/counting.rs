//! Counting a table that is never held: its different rows, how often each stands in it, and where first.
//!
//! **Reading.** Rows come in blocks: ids of dictionaries of the block's own, and the code that each id means in dictionaries that
//! may still grow. Keys are packed block by block ([`Counting::pack`]), which any number of threads may do at once, and go through one
//! index in the order of the file. Rows are numbered by first occurrence, so the numbers do not depend on the blocks.
//! **Cost.** A look-up a cell and a probe a row, but for rows that the block knows by their numbers; memory grows
//! with the different rows. Where the codes of a row do not fit 512 bits, rows are not put together: the table is still counted
//! rightly, with a row for each of the file.

use super::distinct::each_block;
use super::{Index, Layout};
use crate::table::{Code, Codes};

/// The keys of the different rows, as wide as they have to be.
#[derive(Debug)]
enum Keys {
    One(Index<1>),
    Two(Index<2>),
    Four(Index<4>),
    Eight(Index<8>),
    /// Codes, row after row, that no key holds: each is taken for a different row.
    Loose(Vec<Code>),
}

/// A column of a block.
#[derive(Clone, Copy, Debug)]
pub struct RowIds<'a> {
    /// An id a row.
    pub ids: &'a [u32],
    /// The code that each id means.
    pub meaning: &'a [Code],
}

/// The rows of a block as keys.
#[derive(Clone, Debug)]
pub struct Packed {
    rows: usize,
    words: Vec<u64>,
}

/// Column by column: each pass runs over one array, and the keys stay in cache a block at a time.
fn pack<const W: usize>(layout: &Layout, rows: usize, columns: &[RowIds<'_>]) -> Vec<u64> {
    const BLOCK: usize = 2048;
    let mut keys = vec![[0u64; W]; rows];
    let placed: Vec<(usize, Vec<u64>)> = columns
        .iter()
        .enumerate()
        .map(|(attribute, part)| {
            let field = layout.field(attribute);
            let codes = part.meaning.iter();
            let placed = codes.map(|code| u64::from(*code) << field.shift);
            (field.word, placed.collect())
        })
        .collect();
    for (block, keys) in keys.chunks_mut(BLOCK).enumerate() {
        let start = block * BLOCK;
        // Two at a time: half as often are the keys read and written.
        for (parts, placed) in columns.chunks(2).zip(placed.chunks(2)) {
            match (parts, placed) {
                ([a, b], [(a_word, a_placed), (b_word, b_placed)]) => {
                    let ids = a.ids[start..].iter().zip(&b.ids[start..]);
                    for (key, (a, b)) in keys.iter_mut().zip(ids) {
                        key[*a_word] |= a_placed[*a as usize];
                        key[*b_word] |= b_placed[*b as usize];
                    }
                }
                _ => {
                    for (part, (word, placed)) in parts.iter().zip(placed) {
                        for (key, id) in keys.iter_mut().zip(&part.ids[start..]) {
                            key[*word] |= placed[*id as usize];
                        }
                    }
                }
            }
        }
    }
    keys.into_flattened()
}

/// The different rows so far.
#[derive(Debug)]
pub struct Counting {
    /// How many codes of each column have room in a key.
    room: Vec<usize>,
    layout: Layout,
    keys: Keys,
    /// Rows so far.
    rows: u64,
    times: Vec<u32>,
    first: Vec<u64>,
}

impl Counting {
    /// Nothing counted, of so many columns.
    pub fn new(columns: usize) -> Self {
        let room = vec![2; columns];
        let layout = Layout::new(room.iter().copied());
        let mut counting = Self {
            layout: Layout::empty(),
            keys: Keys::Loose(Vec::new()),
            room,
            rows: 0,
            times: Vec::new(),
            first: Vec::new(),
        };
        if let Some(layout) = layout {
            counting.keys = Keys::of(&layout);
            counting.layout = layout;
        }
        counting
    }

    /// Nothing counted, of as many columns and with as much room, in the rows that follow.
    #[must_use]
    pub fn following(&self) -> Self {
        let mut next = Self::new(self.room.len());
        next.make_room(&self.room);
        next.rows = self.rows;
        next
    }

    /// Packs the rows of a block, whose codes have room.
    pub fn pack(&self, rows: usize, columns: &[RowIds<'_>]) -> Packed {
        let words = match &self.keys {
            Keys::One(_) => pack::<1>(&self.layout, rows, columns),
            Keys::Two(_) => pack::<2>(&self.layout, rows, columns),
            Keys::Four(_) => pack::<4>(&self.layout, rows, columns),
            Keys::Eight(_) => pack::<8>(&self.layout, rows, columns),
            Keys::Loose(_) => {
                let code = |row: usize| {
                    let columns = columns.iter();
                    columns.map(move |part| u64::from(part.meaning[part.ids[row] as usize]))
                };
                (0..rows).flat_map(code).collect()
            }
        };
        Packed { rows, words }
    }

    /// Marks a row that is known by its number.
    pub const KNOWN: u32 = 1 << 31;

    /// Adds the rows of a block and puts their numbers behind others. Where only some rows are packed, `of_row` tells of
    /// each row its number, marked as [`Self::KNOWN`], or which of the packed rows it is.
    pub fn add(&mut self, packed: &Packed, of_row: Option<&[u32]>, order: &mut Vec<u32>) {
        let start = order.len();
        let Some(of_row) = of_row else {
            self.number(packed, order);
            for number in &order[start..] {
                self.meet(*number);
            }
            return;
        };
        let mut numbers = Vec::with_capacity(packed.rows);
        self.number(packed, &mut numbers);
        order.reserve(of_row.len());
        for same in of_row {
            let known = same.checked_sub(Self::KNOWN);
            let number = known.unwrap_or_else(|| numbers[*same as usize]);
            self.meet(number);
            order.push(number);
        }
    }

    fn number(&mut self, packed: &Packed, numbers: &mut Vec<u32>) {
        let words = &packed.words;
        match &mut self.keys {
            Keys::One(index) => index.find_or_add_all(words.as_chunks().0, numbers),
            Keys::Two(index) => index.find_or_add_all(words.as_chunks().0, numbers),
            Keys::Four(index) => index.find_or_add_all(words.as_chunks().0, numbers),
            Keys::Eight(index) => index.find_or_add_all(words.as_chunks().0, numbers),
            Keys::Loose(codes) => {
                codes.extend(words.iter().map(|code| *code as Code));
                let next = self.times.len() as u32;
                numbers.extend((next..).take(packed.rows));
            }
        }
    }

    /// Counts a row; a number that is new is the next one.
    #[inline]
    fn meet(&mut self, number: u32) {
        if let Some(times) = self.times.get_mut(number as usize) {
            *times += 1;
        } else {
            self.times.push(1);
            self.first.push(self.rows);
        }
        self.rows += 1;
    }

    /// How many words a row is packed into; as many as columns where it is not.
    pub fn words(&self) -> usize {
        match &self.keys {
            Keys::Loose(_) => self.room.len(),
            _ => self.layout.words(),
        }
    }

    /// How many different rows there are.
    pub fn len(&self) -> usize {
        self.times.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.times.is_empty()
    }

    /// The codes of a column, by different row.
    pub fn codes(&self, column: usize, values: usize) -> Codes {
        let layout = &self.layout;
        match &self.keys {
            Keys::One(index) => read(index, layout, column, values),
            Keys::Two(index) => read(index, layout, column, values),
            Keys::Four(index) => read(index, layout, column, values),
            Keys::Eight(index) => read(index, layout, column, values),
            Keys::Loose(codes) => {
                let codes = codes.iter().skip(column).step_by(self.room.len().max(1));
                Codes::collect(values, codes.copied())
            }
        }
    }

    /// Whether rows that were alike were put together.
    pub fn tells_apart(&self) -> bool {
        !matches!(self.keys, Keys::Loose(_))
    }

    /// How often each different row stands in the file, and where first.
    pub fn finish(self) -> (Vec<u32>, Vec<u64>) {
        (self.times, self.first)
    }

    /// Widens the fields of columns that have more values than before; keys are packed anew.
    pub fn make_room(&mut self, widths: &[usize]) {
        if matches!(self.keys, Keys::Loose(_))
            || widths
                .iter()
                .zip(&self.room)
                .all(|(width, room)| width <= room)
        {
            return;
        }
        let room = spacious(widths);
        let count = self.times.len();
        let codes: Vec<Codes> = (0..room.len())
            .map(|column| self.codes(column, widths[column].max(1)))
            .collect();
        let columns: Vec<&Codes> = codes.iter().collect();
        self.room = room;
        let Some(layout) = Layout::new(self.room.iter().copied()) else {
            let row = |row: usize| columns.iter().map(move |column| column.get(row));
            self.keys = Keys::Loose((0..count).flat_map(row).collect());
            return;
        };
        self.keys = Keys::of(&layout);
        match &mut self.keys {
            Keys::One(index) => drop(add_to(index, &layout, &columns, count)),
            Keys::Two(index) => drop(add_to(index, &layout, &columns, count)),
            Keys::Four(index) => drop(add_to(index, &layout, &columns, count)),
            Keys::Eight(index) => drop(add_to(index, &layout, &columns, count)),
            Keys::Loose(_) => {}
        }
        self.layout = layout;
    }
}

/// Room for at least this number of codes in each column: the bits that a key has left are shared out among the columns, so that
/// the keys of a sorted file, whose values appear one after the other, are seldom packed anew.
fn spacious(widths: &[usize]) -> Vec<usize> {
    let least: Vec<usize> = widths
        .iter()
        .map(|width| width.next_power_of_two())
        .collect();
    let words = |room: &[usize]| Some(Layout::new(room.iter().copied())?.words());
    let with_more = |bits: u32| -> Vec<usize> {
        let more = least
            .iter()
            .map(|width| (width << bits).min(1 << 31).max(*width));
        more.collect()
    };
    let fits = |room: &Vec<usize>| words(room) == words(&least);
    let most = (0..=16).rev().map(with_more).find(fits);
    most.unwrap_or(least)
}

impl Keys {
    fn of(layout: &Layout) -> Self {
        const ROOM: usize = 1 << 12;
        match layout.words() {
            1 => Self::One(Index::with_room_for(ROOM)),
            2 => Self::Two(Index::with_room_for(ROOM)),
            4 => Self::Four(Index::with_room_for(ROOM)),
            _ => Self::Eight(Index::with_room_for(ROOM)),
        }
    }
}

fn add_to<const W: usize>(
    index: &mut Index<W>,
    layout: &Layout,
    columns: &[&Codes],
    rows: usize,
) -> Vec<u32> {
    let mut numbers = Vec::with_capacity(rows);
    each_block::<W>(layout, columns, rows, |keys| {
        index.find_or_add_all(keys, &mut numbers);
    });
    numbers
}

fn read<const W: usize>(index: &Index<W>, layout: &Layout, column: usize, values: usize) -> Codes {
    let keys = index.keys().iter();
    Codes::collect(values, keys.map(|key| layout.read(key, column)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rustc_hash::FxHashMap;

    use super::*;
    use crate::frequency::distinct;

    /// Counts rows in blocks of this size, as a reader does: dictionaries grow from block to block.
    fn counted(rows: &[Vec<u32>], columns: usize, block: usize) -> (Counting, Vec<u32>) {
        let mut counting = Counting::new(columns);
        let mut numbers = Vec::new();
        let mut known: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let mut widths = vec![0usize; columns];
        for (at, block_rows) in rows.chunks(block).enumerate() {
            let codes: Vec<Vec<u32>> = (0..columns)
                .map(|column| block_rows.iter().map(|row| row[column]).collect())
                .collect();
            for (width, codes) in widths.iter_mut().zip(&codes) {
                let most = codes.iter().max().map_or(0, |most| *most as usize + 1);
                *width = (*width).max(most);
            }
            counting.make_room(&widths);
            // Every other block packs equal rows once, and asks those that were there before.
            let wide: Vec<Codes> = codes.iter().cloned().map(Codes::U32).collect();
            let wide: Vec<&Codes> = wide.iter().collect();
            let local = distinct(&widths, &wide, block_rows.len());
            let asks = at % 2 == 1;
            let all: Vec<u32> = (0..block_rows.len() as u32).collect();
            let rows = if asks { &local.first_rows } else { &all };
            let packable = codes.iter().map(|codes| {
                let mut meaning = codes.clone();
                meaning.sort_unstable();
                meaning.dedup();
                let id = |row: &u32| meaning.binary_search(&codes[*row as usize]).unwrap() as u32;
                (rows.iter().map(id).collect::<Vec<u32>>(), meaning)
            });
            let packable: Vec<_> = packable.collect();
            let parts = packable
                .iter()
                .map(|(ids, meaning)| RowIds { ids, meaning });
            let parts: Vec<RowIds<'_>> = parts.collect();
            let packed = counting.pack(rows.len(), &parts);
            let of_row = block_rows.iter().zip(&local.of_row).map(|(row, same)| {
                let number = known.get(row);
                number.map_or(*same, |number| Counting::KNOWN | number)
            });
            let of_row: Vec<u32> = of_row.collect();
            counting.add(&packed, asks.then_some(&of_row[..]), &mut numbers);
            if counting.tells_apart() {
                let block_rows = block_rows.iter().cloned();
                known.extend(block_rows.zip(numbers[at * block..].iter().copied()));
            }
        }
        (counting, numbers)
    }

    proptest! {
        #[test]
        fn rows_are_counted_as_a_map_counts_them(
            columns in 1usize..5,
            most in prop::sample::select(vec![2u32, 9, 300, 70_000]),
            seed in prop::collection::vec(any::<u32>(), 1..120),
            block in 1usize..50,
        ) {
            let rows: Vec<Vec<u32>> = seed
                .iter()
                .map(|seed| (0..columns).map(|at| (seed >> at) % most).collect())
                .collect();
            let (counting, numbers) = counted(&rows, columns, block);
            let mut expected: FxHashMap<&Vec<u32>, (u32, u32, u64)> = FxHashMap::default();
            for (at, row) in rows.iter().enumerate() {
                let next = expected.len() as u32;
                expected.entry(row).or_insert((next, 0, at as u64)).1 += 1;
            }
            prop_assert_eq!(counting.len(), expected.len());
            for (row, number) in rows.iter().zip(&numbers) {
                prop_assert_eq!(expected[row].0, *number);
                for (column, code) in row.iter().enumerate() {
                    prop_assert_eq!(counting.codes(column, usize::MAX).get(*number as usize), *code);
                }
            }
            let (times, first) = counting.finish();
            for (number, (times, first)) in (0u32..).zip(times.iter().zip(&first)) {
                let found = expected.values().find(|(of, ..)| *of == number);
                prop_assert_eq!(found, Some(&(number, *times, *first)));
            }
        }
    }

    #[test]
    fn rows_too_wide_for_a_key_are_each_their_own() {
        let rows: Vec<Vec<u32>> = (0..40).map(|_| vec![u32::MAX - 1; 20]).collect();
        let (counting, numbers) = counted(&rows, 20, 7);
        assert_eq!(counting.codes(19, usize::MAX).get(3), u32::MAX - 1);
        assert_eq!(numbers, (0..40).collect::<Vec<u32>>());
        let (times, first) = counting.finish();
        assert!(times.iter().all(|times| *times == 1));
        assert_eq!(first, (0..40).collect::<Vec<u64>>());
    }
}
