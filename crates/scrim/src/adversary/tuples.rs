//! The distinct tuples of some columns, and who has them.
//!
//! **Reading.** Texts are compared as they stand; all spellings of suppression are one value, and a missing value equals
//! only other missing ones. Where persons are told, a class is as large as the number of its persons, else of its rows.
//! Somebody who is in several classes is as exposed as in the smallest of them, and counts once, by that.
//! **Cost.** One hash probe a row for all columns together; any choice of columns after that is one probe a tuple.

use std::collections::BTreeMap;

use super::covering::one_star;
use crate::frequency::Index;
use crate::table::{Code, Column};

/// Distinct tuples in the order of their first rows.
#[derive(Clone, Debug)]
pub struct Tuples {
    /// By column: the value of each tuple.
    codes: Vec<Vec<Code>>,
    /// By column: how many values it may have.
    widths: Vec<u64>,
    of_row: Vec<u32>,
    /// Rows of the file.
    rows: u64,
    first_rows: Vec<usize>,
    /// Persons, or rows, of each tuple.
    sizes: Vec<u64>,
    /// Those of them who have no other tuple.
    settled: Vec<u64>,
    /// Persons with several tuples, and each of those, ascending.
    movers: Vec<(u32, u32)>,
    subjects: u64,
}

/// Rows put together by some of the columns.
#[derive(Clone, Debug)]
struct Numbers {
    of: Vec<u32>,
    count: usize,
}

/// How large classes are, and how exposed their members.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Exposure {
    /// Size of a class, and how many classes have it.
    pub classes: BTreeMap<u64, u64>,
    /// Size of somebody's smallest class, and how many persons (rows) have it so.
    pub subjects: BTreeMap<u64, u64>,
}

impl Exposure {
    /// Adds a class of so many rows, all of them of different persons who have no other.
    pub fn add(&mut self, rows: u64) {
        *self.classes.entry(rows).or_default() += 1;
        *self.subjects.entry(rows).or_default() += rows;
    }

    /// How many classes there are.
    pub fn count(&self) -> u64 {
        self.classes.values().sum()
    }

    /// The sizes of all classes, added up: pairs of a person and a class.
    pub fn appearances(&self) -> u64 {
        self.classes
            .iter()
            .map(|(size, classes)| size * classes)
            .sum()
    }

    /// Who is alone in a class.
    pub fn unique(&self) -> u64 {
        self.subjects.get(&1).copied().unwrap_or(0)
    }

    /// Pairs of appearances in one class.
    fn joined(&self) -> u128 {
        let pairs = |(size, classes): (&u64, &u64)| pairs_of(*size) * u128::from(*classes);
        self.classes.iter().map(pairs).sum()
    }

    /// Pairs of appearances, and those of them in different classes.
    pub fn separated(&self) -> (u128, u128) {
        let all = pairs_of(self.appearances());
        (all - self.joined(), all)
    }
}

fn pairs_of(count: u64) -> u128 {
    u128::from(count) * u128::from(count.saturating_sub(1)) / 2
}

impl Tuples {
    /// The tuples of these columns, which may be of a counted table. `persons` tells the person of each row.
    pub fn new(columns: &[&Column], rows: usize, persons: Option<&[u32]>) -> Self {
        let shown: Vec<Vec<Code>> = columns.iter().map(|column| one_star(column)).collect();
        let widths: Vec<u64> = shown
            .iter()
            .map(|shown| shown.len().max(1) as u64)
            .collect();
        let numbers = number(rows, &widths, |at, add| {
            columns[at]
                .codes()
                .for_each(|row, code| add(row, shown[at][code as usize]));
        });
        let mut first_rows = Vec::with_capacity(numbers.count);
        for (row, tuple) in numbers.of.iter().enumerate() {
            if *tuple as usize == first_rows.len() {
                first_rows.push(row);
            }
        }
        let values = |(column, shown): (&&Column, &Vec<Code>)| {
            let value = |row: &usize| shown[column.codes().get(*row) as usize];
            first_rows.iter().map(value).collect()
        };
        let times = columns.iter().find_map(|column| column.times());
        let all = times.map_or(rows as u64, |times| {
            times.iter().map(|times| u64::from(*times)).sum()
        });
        let mut tuples = Self {
            rows: all,
            codes: columns.iter().zip(&shown).map(values).collect(),
            widths,
            sizes: vec![0; first_rows.len()],
            settled: Vec::new(),
            of_row: numbers.of,
            first_rows,
            movers: Vec::new(),
            subjects: all,
        };
        match (persons, times) {
            (Some(persons), _) => tuples.count_persons(persons),
            (None, None) => tuples
                .of_row
                .iter()
                .for_each(|tuple| tuples.sizes[*tuple as usize] += 1),
            (None, Some(times)) => {
                for (tuple, times) in tuples.of_row.iter().zip(times) {
                    tuples.sizes[*tuple as usize] += u64::from(*times);
                }
            }
        }
        tuples.settled.clone_from(&tuples.sizes);
        for (_, tuple) in &tuples.movers {
            tuples.settled[*tuple as usize] -= 1;
        }
        tuples
    }

    fn count_persons(&mut self, persons: &[u32]) {
        let pairs = persons.iter().copied().zip(self.of_row.iter().copied());
        let mut pairs: Vec<(u32, u32)> = pairs.collect();
        pairs.sort_unstable();
        pairs.dedup();
        self.subjects = 0;
        for own in pairs.chunk_by(|left, right| left.0 == right.0) {
            self.subjects += 1;
            own.iter()
                .for_each(|(_, tuple)| self.sizes[*tuple as usize] += 1);
            if own.len() > 1 {
                self.movers.extend(own);
            }
        }
    }

    /// How many tuples there are.
    pub fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.sizes.is_empty()
    }

    /// How many columns a tuple has.
    pub fn columns(&self) -> usize {
        self.codes.len()
    }

    /// The first row of each tuple.
    pub fn first_rows(&self) -> &[usize] {
        &self.first_rows
    }

    /// How many rows the file has.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// The tuple of each row.
    pub fn of_row(&self) -> &[u32] {
        &self.of_row
    }

    /// Persons, or rows, of each tuple.
    pub fn sizes(&self) -> &[u64] {
        &self.sizes
    }

    /// Persons, or rows, in all.
    pub fn subjects(&self) -> u64 {
        self.subjects
    }

    /// Those of each tuple who have no other.
    pub fn settled(&self) -> &[u64] {
        &self.settled
    }

    /// Each person with several tuples, and those.
    pub fn movers(&self) -> impl Iterator<Item = &[(u32, u32)]> {
        self.movers.chunk_by(|left, right| left.0 == right.0)
    }

    /// Classes by all columns.
    pub fn exposure(&self) -> Exposure {
        let of: Vec<u32> = (0..self.len() as u32).collect();
        self.exposure_of(&Numbers {
            of,
            count: self.len(),
        })
    }

    /// Classes by some of the columns.
    pub fn exposure_by(&self, columns: &[usize]) -> Exposure {
        let widths: Vec<u64> = columns.iter().map(|at| self.widths[*at]).collect();
        let numbers = number(self.len(), &widths, |at, add| {
            let codes = self.codes[columns[at]].iter().enumerate();
            codes.for_each(|(tuple, code)| add(tuple, *code));
        });
        self.exposure_of(&numbers)
    }

    fn exposure_of(&self, classes: &Numbers) -> Exposure {
        let mut sizes = vec![0u64; classes.count];
        for (class, size) in classes.of.iter().zip(&self.sizes) {
            sizes[*class as usize] += size;
        }
        // Somebody whose tuples are now in one class was counted for each of them.
        let mut own = Vec::new();
        for tuples in self.movers() {
            own.clear();
            own.extend(tuples.iter().map(|(_, tuple)| classes.of[*tuple as usize]));
            own.sort_unstable();
            for same in own.chunk_by(|left, right| left == right) {
                sizes[same[0] as usize] -= same.len() as u64 - 1;
            }
        }
        let mut exposure = Exposure::default();
        for size in &sizes {
            *exposure.classes.entry(*size).or_default() += 1;
        }
        let settled = classes.of.iter().zip(&self.settled);
        for (class, settled) in settled.filter(|(_, settled)| **settled > 0) {
            *exposure.subjects.entry(sizes[*class as usize]).or_default() += settled;
        }
        for tuples in self.movers() {
            let size = |(_, tuple): &(u32, u32)| sizes[classes.of[*tuple as usize] as usize];
            if let Some(smallest) = tuples.iter().map(size).min() {
                *exposure.subjects.entry(smallest).or_default() += 1;
            }
        }
        exposure
    }
}

/// Hands out (place, code) of a column.
type Add<'a> = &'a mut dyn FnMut(usize, Code);

/// Numbers what is equal in all columns alike, by first occurrence. Codes become digits of one number as long as it fits;
/// where it does not, the number so far is replaced by its own number.
fn number(count: usize, widths: &[u64], mut column: impl FnMut(usize, Add<'_>)) -> Numbers {
    let mut keys = vec![0u64; count];
    let mut room = 1u64;
    for (at, width) in widths.iter().enumerate() {
        room = room.checked_mul(*width).unwrap_or_else(|| {
            let numbers = renumber(&keys);
            keys.iter_mut()
                .zip(&numbers.of)
                .for_each(|(key, number)| *key = u64::from(*number));
            // Both are below 2^32.
            numbers.count.max(1) as u64 * width
        });
        column(at, &mut |place, code| {
            keys[place] = keys[place] * width + u64::from(code);
        });
    }
    if room <= (count as u64).saturating_mul(4).max(1 << 12) {
        return renumber_dense(&keys, room as usize);
    }
    renumber(&keys)
}

fn renumber(keys: &[u64]) -> Numbers {
    let mut index = Index::<1>::with_room_for(keys.len().min(1 << 16));
    let of: Vec<u32> = keys.iter().map(|key| index.find_or_add([*key])).collect();
    Numbers {
        count: index.into_keys().len(),
        of,
    }
}

/// The same for keys below `room`.
fn renumber_dense(keys: &[u64], room: usize) -> Numbers {
    let mut numbers = vec![u32::MAX; room];
    let mut count = 0;
    let of = keys.iter().map(|key| {
        let number = &mut numbers[*key as usize];
        if *number == u32::MAX {
            *number = count;
            count += 1;
        }
        *number
    });
    let of = of.collect();
    Numbers {
        of,
        count: count as usize,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_too_wide_for_one_word_are_numbered_all_the_same() {
        let wide = vec![1 << 20; 7];
        let columns: Vec<Vec<u32>> = (0..7u32)
            .map(|at| (0..500u32).map(|row| (row * (at + 1)) % 7).collect())
            .collect();
        let numbers = number(500, &wide, |at, add| {
            (0..500).for_each(|row| add(row, columns[at][row]));
        });
        // Every column repeats with the first: seven different tuples.
        assert_eq!(numbers.count, 7);
        assert!((0..500).all(|row| numbers.of[row] == row as u32 % 7));
    }

    #[test]
    fn somebody_in_two_classes_counts_once_by_the_smaller() {
        let age = Column::from_texts("age", ["1", "1", "1", "2", "2", "**", "*"]);
        // Person 7 has two ages; person 9 twice the same row.
        let persons = [7, 8, 6, 7, 5, 9, 9];
        let tuples = Tuples::new(&[&age], 7, Some(&persons));
        assert_eq!((tuples.sizes(), tuples.subjects()), (&[3, 2, 1][..], 5));
        let exposure = tuples.exposure();
        assert_eq!(exposure.subjects, BTreeMap::from([(1, 1), (2, 2), (3, 2)]));
        assert_eq!((exposure.unique(), exposure.appearances()), (1, 6));
        let none = tuples.exposure_by(&[]);
        assert_eq!(none.subjects, BTreeMap::from([(5, 5)]));
    }
}
