//! The numbers of a roll-up taken apart: from a number back to the codes that it was made of.
//!
//! A number holds codes in mixed radix, an attribute with one code counting nothing. Neighbouring digits are taken off together: a run of
//! them costs a product, because dividing by a known number is multiplying by its inverse.

use super::keys::Layout;

/// The digits of a number, the least first.
#[derive(Debug)]
pub(super) struct Digits<'a> {
    layout: &'a Layout,
    runs: Vec<Run>,
}

/// Neighbouring digits.
#[derive(Debug)]
struct Run {
    /// The word in which all of them lie.
    word: usize,
    numbers: u64,
    /// 2^64 by the numbers, rounded up: the high half of a 32-bit number times this is the number by these, exactly.
    inverse: u64,
    /// Attributes with several codes, and how many.
    digits: Vec<(usize, u32)>,
}

/// A run of several digits has at most so many numbers.
const MOST_NUMBERS: u64 = 1 << 10;

impl<'a> Digits<'a> {
    /// No digit.
    pub(super) fn none(layout: &'a Layout) -> Self {
        Self {
            layout,
            runs: Vec::new(),
        }
    }

    /// Takes the next attribute in, which has so many codes, several.
    pub(super) fn add(&mut self, attribute: usize, codes: u64) {
        let word = self.layout.field(attribute).word;
        let digit = (attribute, codes as u32);
        let joins =
            |run: &&mut Run| run.word == word && run.numbers.saturating_mul(codes) <= MOST_NUMBERS;
        if let Some(run) = self.runs.last_mut().filter(joins) {
            run.numbers *= codes;
            run.inverse = u64::MAX / run.numbers + 1;
            run.digits.push(digit);
        } else {
            self.runs.push(Run {
                word,
                numbers: codes,
                inverse: u64::MAX / codes + 1,
                digits: vec![digit],
            });
        }
    }

    /// The part of a number that each run is.
    #[inline]
    fn each_part(&self, mut number: u64, mut visit: impl FnMut(usize, usize)) {
        for (at, run) in self.runs.iter().enumerate() {
            let left = if u32::try_from(number).is_ok() {
                ((u128::from(number) * u128::from(run.inverse)) >> 64) as u64
            } else {
                number / run.numbers
            };
            visit(at, (number - left * run.numbers) as usize);
            number = left;
        }
    }

    /// Adds the rows of numbers by attribute and code; an attribute of one code is left alone.
    pub(super) fn add_rows(&self, numbers: &[(u64, u32)], by: &mut [Vec<u64>]) {
        let nothing = |run: &Run| vec![0u64; run.numbers as usize];
        let mut by_part: Vec<Vec<u64>> = self.runs.iter().map(nothing).collect();
        for (number, rows) in numbers {
            self.each_part(*number, |run, part| by_part[run][part] += u64::from(*rows));
        }
        for (run, by_part) in self.runs.iter().zip(by_part) {
            let met = (0..).zip(by_part).filter(|(_, rows)| *rows > 0);
            for (part, rows) in met {
                run.each_code(part, |attribute, code| by[attribute][code as usize] += rows);
            }
        }
    }

    /// What makes keys of numbers.
    pub(super) fn unpacker(&self) -> Unpacker<'_> {
        let placed = |run: &Run| {
            let place = |part: u32| {
                let mut word = 0;
                run.each_code(part, |attribute, code| {
                    word |= u64::from(code) << self.layout.field(attribute).shift;
                });
                word
            };
            (0..run.numbers as u32).map(place).collect()
        };
        Unpacker {
            digits: self,
            placed: self.runs.iter().map(placed).collect(),
        }
    }
}

impl Run {
    /// The attributes of a part, with their codes.
    fn each_code(&self, mut part: u32, mut visit: impl FnMut(usize, u32)) {
        for (attribute, codes) in &self.digits {
            visit(*attribute, part % codes);
            part /= codes;
        }
    }
}

/// Makes keys of numbers.
#[derive(Debug)]
pub(super) struct Unpacker<'a> {
    digits: &'a Digits<'a>,
    /// By run and part, the codes in their fields.
    placed: Vec<Vec<u64>>,
}

impl Unpacker<'_> {
    /// Puts the key of a number behind others.
    #[inline]
    pub(super) fn push(&self, number: u64, keys: &mut Vec<u64>) {
        let at = keys.len();
        keys.resize(at + self.digits.layout.words(), 0);
        let key = &mut keys[at..];
        self.digits.each_part(number, |run, part| {
            key[self.digits.runs[run].word] |= self.placed[run][part];
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_gives_back_its_codes() {
        // Few numbers; runs of one digit and of several; more than 32 bits; two words.
        let shapes: [&[u64]; 5] = [
            &[2, 3],
            &[5, 1, 2000, 4, 7, 300],
            &[3, 1 << 20, 1 << 31, 2, 2],
            &[1 << 30, 70, 9, 1 << 23],
            &[(1 << 20) + 1, (1 << 20) + 1, (1 << 20) + 1, 3],
        ];
        let mut state = 1u64;
        for widths in shapes {
            let layout = Layout::new(widths.iter().map(|width| *width as usize)).unwrap();
            let mut digits = Digits::none(&layout);
            let wide = (0..).zip(widths).filter(|(_, width)| **width > 1);
            for (attribute, width) in wide.clone() {
                digits.add(attribute, *width);
            }
            for round in 0..2000u64 {
                state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
                // All codes, their largest ones, and anything between.
                let code = |(at, width): (u64, &u64)| match round {
                    0 => 0,
                    1 => width - 1,
                    _ => (state >> (at * 5)) % width,
                };
                let codes: Vec<u64> = (0..).zip(widths).map(code).collect();
                let mut number = 0;
                for (code, width) in codes.iter().zip(widths).rev() {
                    number = number * width + code;
                }
                let mut by: Vec<Vec<u64>> = Vec::new();
                by.extend(
                    widths
                        .iter()
                        .map(|width| vec![0; (*width).min(3000) as usize]),
                );
                if widths.iter().all(|width| *width <= 3000) {
                    digits.add_rows(&[(number, 7), (number, 1)], &mut by);
                    for (attribute, _) in wide.clone() {
                        assert_eq!(by[attribute][codes[attribute] as usize], 8);
                        assert_eq!(by[attribute].iter().sum::<u64>(), 8);
                    }
                }
                let mut found = Vec::new();
                digits.each_part(number, |run, part| {
                    digits.runs[run].each_code(part as u32, |attribute, code| {
                        found.push((attribute, u64::from(code)));
                    });
                });
                let expected = wide.clone().map(|(at, _)| (at, codes[at]));
                assert_eq!(found, expected.collect::<Vec<_>>());
            }
        }
    }
}
