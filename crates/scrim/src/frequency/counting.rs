//! Counting a table that is never held: its different rows, how often each stands in it, and where first.
//!
//! **Reading.** Rows come in blocks, as codes of dictionaries that may still grow. Within a block equal rows are put together
//! first ([`distinct`]), which any number of threads may do for any number of blocks; what is left goes through one index.
//! Rows are numbered by first occurrence, so the numbers do not depend on the blocks.
//! **Cost.** A probe a row in a small index and a probe a different row of the block in the large one; memory grows with the
//! different rows. Where the codes of a row do not fit 512 bits, rows are not put together: the table is still counted
//! rightly, with a row for each of the file.

use super::{Index, Layout};
use crate::table::{Code, Codes};

/// The different rows of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distinct {
    /// The number of each row.
    pub of_row: Vec<u32>,
    /// Where each different row stands first.
    pub first_rows: Vec<u32>,
}

/// Numbers equal rows alike, by first occurrence. The codes of a column are below its width.
pub fn distinct(widths: &[usize], columns: &[&[Code]], rows: usize) -> Distinct {
    let Some(layout) = Layout::new(widths.iter().copied()) else {
        let all: Vec<u32> = (0..rows as u32).collect();
        return Distinct {
            of_row: all.clone(),
            first_rows: all,
        };
    };
    match layout.words() {
        1 => distinct_by::<1>(&layout, columns, rows),
        2 => distinct_by::<2>(&layout, columns, rows),
        4 => distinct_by::<4>(&layout, columns, rows),
        _ => distinct_by::<8>(&layout, columns, rows),
    }
}

fn distinct_by<const W: usize>(layout: &Layout, columns: &[&[Code]], rows: usize) -> Distinct {
    let mut index = Index::<W>::with_room_for(rows.min(1 << 12));
    let mut first_rows = Vec::new();
    let mut of_row = Vec::with_capacity(rows);
    each_block::<W>(layout, columns, rows, |keys| {
        let start = of_row.len();
        index.find_or_add_all(keys, &mut of_row);
        for (row, number) in (start as u32..).zip(&of_row[start..]) {
            if *number as usize == first_rows.len() {
                first_rows.push(row);
            }
        }
    });
    Distinct { of_row, first_rows }
}

/// Packs rows into keys, column by column: each pass runs over one array, and the keys stay in cache a block at a time.
fn each_block<const W: usize>(
    layout: &Layout,
    columns: &[&[Code]],
    rows: usize,
    mut visit: impl FnMut(&[[u64; W]]),
) {
    const BLOCK: usize = 1024;
    let mut block = [[0u64; W]; BLOCK];
    for start in (0..rows).step_by(BLOCK) {
        let size = BLOCK.min(rows - start);
        block.fill([0; W]);
        for (attribute, column) in columns.iter().enumerate() {
            let codes = &column[start..start + size];
            for (key, code) in block.iter_mut().zip(codes) {
                layout.write(key, attribute, *code);
            }
        }
        visit(&block[..size]);
    }
}

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

/// The different rows so far.
#[derive(Debug)]
pub struct Counting {
    /// How many codes of each column have room in a key.
    room: Vec<usize>,
    layout: Layout,
    keys: Keys,
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
            times: Vec::new(),
            first: Vec::new(),
        };
        if let Some(layout) = layout {
            counting.keys = Keys::of(&layout);
            counting.layout = layout;
        }
        counting
    }

    /// Adds different rows of a block: `columns` are their codes, which are below the widths; `times` how often each stands in the
    /// block, `first` where in the file. Answers their numbers.
    pub fn add(
        &mut self,
        widths: &[usize],
        columns: &[Vec<Code>],
        times: &[u32],
        first: &[u64],
    ) -> Vec<u32> {
        self.make_room(widths);
        let columns: Vec<&[Code]> = columns.iter().map(Vec::as_slice).collect();
        let rows = times.len();
        let layout = &self.layout;
        let numbers = match &mut self.keys {
            Keys::One(index) => add_to(index, layout, &columns, rows),
            Keys::Two(index) => add_to(index, layout, &columns, rows),
            Keys::Four(index) => add_to(index, layout, &columns, rows),
            Keys::Eight(index) => add_to(index, layout, &columns, rows),
            Keys::Loose(codes) => {
                for row in 0..rows {
                    codes.extend(columns.iter().map(|column| column[row]));
                }
                let next = self.times.len() as u32;
                (next..).take(rows).collect()
            }
        };
        for ((number, times), first) in numbers.iter().zip(times).zip(first) {
            if *number as usize == self.times.len() {
                self.times.push(0);
                self.first.push(*first);
            }
            let all = &mut self.times[*number as usize];
            *all = all.saturating_add(*times);
        }
        numbers
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

    /// How often each different row stands in the file, and where first.
    pub fn finish(self) -> (Vec<u32>, Vec<u64>) {
        (self.times, self.first)
    }

    /// Widens the fields of columns that have more values than before; keys are packed anew.
    fn make_room(&mut self, widths: &[usize]) {
        if matches!(self.keys, Keys::Loose(_))
            || widths
                .iter()
                .zip(&self.room)
                .all(|(width, room)| width <= room)
        {
            return;
        }
        let grown = |(width, room): (&usize, &usize)| width.next_power_of_two().max(*room);
        let room: Vec<usize> = widths.iter().zip(&self.room).map(grown).collect();
        let count = self.times.len();
        let codes: Vec<Vec<Code>> = (0..room.len())
            .map(|column| {
                let codes = self.codes(column, usize::MAX);
                (0..count).map(|row| codes.get(row)).collect()
            })
            .collect();
        let columns: Vec<&[Code]> = codes.iter().map(Vec::as_slice).collect();
        self.room = room;
        let Some(layout) = Layout::new(self.room.iter().copied()) else {
            let row = |row: usize| columns.iter().map(move |column| column[row]);
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
    columns: &[&[Code]],
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

    /// Counts rows in blocks of this size, as a reader does: dictionaries grow from block to block.
    fn counted(rows: &[Vec<u32>], columns: usize, block: usize) -> (Counting, Vec<u32>) {
        let mut counting = Counting::new(columns);
        let mut numbers = Vec::new();
        let mut widths = vec![0usize; columns];
        for (at, block_rows) in rows.chunks(block).enumerate() {
            let codes: Vec<Vec<u32>> = (0..columns)
                .map(|column| block_rows.iter().map(|row| row[column]).collect())
                .collect();
            for (width, codes) in widths.iter_mut().zip(&codes) {
                let most = codes.iter().max().map_or(0, |most| *most as usize + 1);
                *width = (*width).max(most);
            }
            let slices: Vec<&[u32]> = codes.iter().map(Vec::as_slice).collect();
            let local = distinct(&widths, &slices, block_rows.len());
            let mut times = vec![0; local.first_rows.len()];
            local
                .of_row
                .iter()
                .for_each(|row| times[*row as usize] += 1);
            let kept: Vec<Vec<u32>> = codes
                .iter()
                .map(|codes| {
                    local
                        .first_rows
                        .iter()
                        .map(|row| codes[*row as usize])
                        .collect()
                })
                .collect();
            let first: Vec<u64> = local
                .first_rows
                .iter()
                .map(|row| (at * block) as u64 + u64::from(*row))
                .collect();
            let global = counting.add(&widths, &kept, &times, &first);
            numbers.extend(local.of_row.iter().map(|row| global[*row as usize]));
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
