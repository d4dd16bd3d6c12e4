//! The codes of a column, of the smallest sufficient width.

use std::ops::Range;

use super::Code;

/// The codes of a column, row by row, as narrow as its dictionary allows.
#[derive(Clone, Debug)]
pub enum Codes {
    /// At most 256 values.
    U8(Vec<u8>),
    /// At most 65,536 values.
    U16(Vec<u16>),
    /// More.
    U32(Vec<u32>),
}

impl Codes {
    /// How many rows.
    pub fn len(&self) -> usize {
        match self {
            Self::U8(codes) => codes.len(),
            Self::U16(codes) => codes.len(),
            Self::U32(codes) => codes.len(),
        }
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code of a row.
    pub fn get(&self, row: usize) -> Code {
        match self {
            Self::U8(codes) => codes[row].into(),
            Self::U16(codes) => codes[row].into(),
            Self::U32(codes) => codes[row],
        }
    }

    /// All codes in order. The width is looked at once, not once a row.
    pub fn for_each(&self, visit: impl FnMut(usize, Code)) {
        self.for_each_in(0..self.len(), visit);
    }

    /// The codes of some rows in order, numbered from 0.
    pub fn for_each_in(&self, rows: Range<usize>, mut visit: impl FnMut(usize, Code)) {
        match self {
            Self::U8(codes) => codes[rows]
                .iter()
                .enumerate()
                .for_each(|(row, code)| visit(row, (*code).into())),
            Self::U16(codes) => codes[rows]
                .iter()
                .enumerate()
                .for_each(|(row, code)| visit(row, (*code).into())),
            Self::U32(codes) => codes[rows]
                .iter()
                .enumerate()
                .for_each(|(row, code)| visit(row, *code)),
        }
    }

    /// The largest code, where there is a row.
    pub fn largest(&self) -> Option<Code> {
        let largest = match self {
            Self::U8(codes) => codes.iter().fold(0, |most, code| most.max(*code)).into(),
            Self::U16(codes) => codes.iter().fold(0, |most, code| most.max(*code)).into(),
            Self::U32(codes) => codes.iter().fold(0, |most, code| most.max(*code)),
        };
        (!self.is_empty()).then_some(largest)
    }

    /// What a list has at each of these codes; nothing where it does not have one of them.
    pub fn translated(&self, new: &[Code]) -> Option<Self> {
        if self
            .largest()
            .is_some_and(|code| code as usize >= new.len())
        {
            return None;
        }
        let values = new.iter().max().map_or(0, |largest| *largest as usize + 1);
        Some(match Self::collect(values, new.iter().copied()) {
            Self::U8(new) => Self::U8(self.look_up(&new)),
            Self::U16(new) => Self::U16(self.look_up(&new)),
            Self::U32(new) => Self::U32(self.look_up(&new)),
        })
    }

    fn look_up<T: Copy>(&self, new: &[T]) -> Vec<T> {
        match self {
            Self::U8(codes) => codes.iter().map(|code| new[usize::from(*code)]).collect(),
            Self::U16(codes) => codes.iter().map(|code| new[usize::from(*code)]).collect(),
            Self::U32(codes) => codes.iter().map(|code| new[*code as usize]).collect(),
        }
    }

    /// Codes that are all below `values`, as narrow as that allows.
    pub fn collect(values: usize, codes: impl Iterator<Item = Code>) -> Self {
        match values {
            0..=0x100 => Self::U8(codes.map(|code| code as u8).collect()),
            0x101..=0x1_0000 => Self::U16(codes.map(|code| code as u16).collect()),
            _ => Self::U32(codes.collect()),
        }
    }

    pub(super) fn push(&mut self, code: Code) {
        match self {
            Self::U8(codes) if code <= 0xff => codes.push(code as u8),
            Self::U8(codes) => {
                *self = Self::U16(codes.iter().map(|code| (*code).into()).collect());
                self.push(code);
            }
            Self::U16(codes) if code <= 0xffff => codes.push(code as u16),
            Self::U16(codes) => {
                *self = Self::U32(codes.iter().map(|code| (*code).into()).collect());
                self.push(code);
            }
            Self::U32(codes) => codes.push(code),
        }
    }
}
