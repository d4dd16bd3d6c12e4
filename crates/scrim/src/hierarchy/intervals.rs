//! Nested intervals over numbers: `{ from = 0, to = 120, widths = [5, 10, 20, 60] }`.
//!
//! **Reading.** Both bounds belong to the domain. The first interval starts at `from`; each width is a multiple of the
//! one before, so that intervals nest. Whole numbers are labelled by their ends, both within (`20-24`); with decimals
//! the upper end is without (`[20, 25)`). An interval that `to` cuts short is labelled as cut. The domain counts every
//! number on the grid of the finest decimal that occurs, so an interval's share of it is exact.

use rustc_hash::FxHashMap;

use super::builder::TreeBuilder;
use super::spec::NumericDomain;
use super::{Hierarchy, STAR, TaxonId, flat};
use crate::share::Share;

/// The description of nested intervals; valid by construction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Intervals {
    from: Share,
    to: Share,
    widths: Vec<Share>,
}

impl Intervals {
    /// Checks the bounds and that each width is a multiple of the one before.
    pub fn new(from: Share, to: Share, widths: Vec<Share>) -> Result<Self, String> {
        if from > to {
            return Err(format!("`from` is {from}, above `to`, {to}"));
        }
        if widths.is_empty() {
            return Err("`widths` names no width".to_owned());
        }
        for (width, former) in widths
            .iter()
            .zip(std::iter::once(&Share::ZERO).chain(&widths))
        {
            if *width <= *former {
                return Err(format!("the width {width} does not grow from {former}"));
            }
            if !former.is_zero() && !is_multiple(*width, *former) {
                return Err(format!(
                    "the width {width} is no multiple of {former}, so its intervals would not nest"
                ));
            }
        }
        if widths
            .iter()
            .chain([&from, &to])
            .any(|number| places_of(*number).is_none())
        {
            return Err(
                "write the bounds and widths as decimals of at most nine places".to_owned(),
            );
        }
        Ok(Self { from, to, widths })
    }

    /// The least value.
    pub fn from(&self) -> Share {
        self.from
    }

    /// The greatest value.
    pub fn to(&self) -> Share {
        self.to
    }

    pub(super) fn over<'a>(
        &self,
        values: impl Iterator<Item = &'a str> + Clone,
        suppressible: bool,
    ) -> Option<Hierarchy> {
        let grid = Grid::fine_enough(
            values.clone(),
            [&self.from, &self.to].into_iter().chain(&self.widths),
        )?;
        let (from, to) = (grid.scale(self.from)?, grid.scale(self.to)?);
        let widths: Vec<i128> = self
            .widths
            .iter()
            .map(|width| grid.scale(*width))
            .collect::<Option<_>>()?;
        let mut tree = Pieces {
            builder: TreeBuilder::default(),
            grid,
            from,
            to,
            known: FxHashMap::default(),
        };
        let top = tree.builder.add(STAR);
        tree.builder.domain(top, u64::try_from(to - from + 1).ok()?);
        for value in values {
            let Some(number) = tree
                .grid
                .read(value)
                .filter(|number| (from..=to).contains(number))
            else {
                continue;
            };
            let mut above = top;
            for (level, width) in widths.iter().enumerate().rev() {
                above = tree.piece(level, (number - from) / width, *width, above);
            }
            let leaf = tree.builder.add(value);
            tree.builder.link(leaf, above);
            tree.builder.value(value, leaf);
        }
        tree.builder.finish(suppressible).ok()
    }
}

/// A number column without intervals of its own: a value, then `*`, over the domain's numbers.
pub(super) fn numeric<'a>(
    domain: NumericDomain,
    values: impl Iterator<Item = &'a str> + Clone,
    suppressible: bool,
) -> Option<Hierarchy> {
    let grid = Grid::fine_enough(values.clone(), domain.from.iter().chain(&domain.to))?;
    let numbers: Vec<i128> = values
        .clone()
        .filter_map(|value| grid.read(value))
        .collect();
    let from = domain
        .from
        .and_then(|from| grid.scale(from))
        .or_else(|| numbers.iter().min().copied())?;
    let to = domain
        .to
        .and_then(|to| grid.scale(to))
        .or_else(|| numbers.iter().max().copied())?;
    let count = u64::try_from(to - from + 1).ok()?;
    let inside = values.filter(|value| {
        grid.read(value)
            .is_some_and(|number| (from..=to).contains(&number))
    });
    flat::over(inside, Some(count), suppressible)
}

struct Pieces {
    builder: TreeBuilder,
    grid: Grid,
    from: i128,
    to: i128,
    known: FxHashMap<(usize, i128), TaxonId>,
}

impl Pieces {
    fn piece(&mut self, level: usize, index: i128, width: i128, above: TaxonId) -> TaxonId {
        if let Some(taxon) = self.known.get(&(level, index)) {
            return *taxon;
        }
        let low = self.from + index * width;
        let high = (low + width - 1).min(self.to);
        let taxon = self.builder.add(&self.grid.label(low, high, self.to));
        self.builder.link(taxon, above);
        self.builder.domain(taxon, (high - low + 1) as u64);
        self.known.insert((level, index), taxon);
        taxon
    }
}

/// Numbers as whole multiples of the finest decimal place that occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Grid {
    places: u32,
}

impl Grid {
    pub(super) fn fine_enough<'a, 'b>(
        values: impl Iterator<Item = &'a str>,
        bounds: impl Iterator<Item = &'b Share>,
    ) -> Option<Self> {
        let in_data = values
            .filter_map(|value| parse(value).map(|(_, places)| places))
            .max()
            .unwrap_or(0);
        let in_policy = bounds
            .map(|bound| places_of(*bound))
            .collect::<Option<Vec<u32>>>()?;
        Some(Self {
            places: in_policy.into_iter().max().unwrap_or(0).max(in_data),
        })
    }

    pub(super) fn scale(self, number: Share) -> Option<i128> {
        let scaled = number.checked_mul(Share::whole(10i128.pow(self.places)))?;
        (scaled.denominator() == 1 && scaled.numerator().unsigned_abs() < 1 << 60)
            .then(|| scaled.numerator())
    }

    pub(super) fn read(self, text: &str) -> Option<i128> {
        let (number, places) = parse(text)?;
        Some(number * 10i128.pow(self.places.checked_sub(places)?))
    }

    pub(super) fn label(self, low: i128, high: i128, last: i128) -> String {
        if self.places == 0 {
            return if low == high {
                low.to_string()
            } else {
                format!("{low}-{high}")
            };
        }
        // With decimals the interval ends before the next one starts, except the last, which holds its end.
        if high == last {
            format!("[{}, {}]", self.decimal(low), self.decimal(high))
        } else {
            format!("[{}, {})", self.decimal(low), self.decimal(high + 1))
        }
    }

    pub(super) fn decimal(self, number: i128) -> String {
        let scale = 10i128.pow(self.places);
        let sign = if number < 0 { "-" } else { "" };
        let (whole, fraction) = (number.abs() / scale, number.abs() % scale);
        let text = format!(
            "{sign}{whole}.{fraction:0width$}",
            width = self.places as usize
        );
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }
}

/// A plain decimal with at most nine places, as (digits, places).
fn parse(text: &str) -> Option<(i128, u32)> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let fraction = fraction.trim_end_matches('0');
    let plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if digits.is_empty()
        || digits == "."
        || whole.len() > 15
        || fraction.len() > 9
        || !plain(whole)
        || !plain(fraction)
    {
        return None;
    }
    let number: i128 = format!("0{whole}{fraction}").parse().ok()?;
    Some((
        if text.starts_with('-') {
            -number
        } else {
            number
        },
        fraction.len() as u32,
    ))
}

fn places_of(number: Share) -> Option<u32> {
    let text = (0..=9).find(|places| 10i128.pow(*places) % number.denominator() == 0);
    text.filter(|_| number.numerator().unsigned_abs() < 1 << 50)
}

fn is_multiple(width: Share, former: Share) -> bool {
    // width / former is whole: cross-multiplied, so that nothing is rounded.
    let above = width.numerator().checked_mul(former.denominator());
    let below = former.numerator().checked_mul(width.denominator());
    matches!((above, below), (Some(above), Some(below)) if below != 0 && above % below == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn intervals(from: i128, to: i128, widths: &[i128]) -> Result<Intervals, String> {
        Intervals::new(
            Share::whole(from),
            Share::whole(to),
            widths.iter().map(|width| Share::whole(*width)).collect(),
        )
    }

    fn labels(tree: &Hierarchy, value: &str) -> Vec<String> {
        let leaf = tree.leaf(value).unwrap();
        (0..=tree.height())
            .map(|level| tree.label(tree.at_level(leaf, level)).to_owned())
            .collect()
    }

    #[test]
    fn twenty_lies_in_twenty_to_twenty_four() {
        let tree = intervals(0, 120, &[5, 10, 60])
            .unwrap()
            .over(["20", "24", "120"].into_iter(), true)
            .unwrap();
        assert_eq!(labels(&tree, "20"), ["20", "20-24", "20-29", "0-59", "*"]);
        assert_eq!(labels(&tree, "24"), ["24", "20-24", "20-29", "0-59", "*"]);
        assert_eq!(labels(&tree, "120"), ["120", "120", "120", "120", "*"]);
        assert_eq!(tree.domain_size(), 121);
        assert_eq!(
            tree.leaves_below(tree.at_level(tree.leaf("20").unwrap(), 1)),
            5
        );
    }

    #[test]
    fn decimals_have_half_open_labels_and_a_finer_domain() {
        let tree = intervals(0, 10, &[5])
            .unwrap()
            .over(["4.9", "5.0", "10"].into_iter(), true)
            .unwrap();
        assert_eq!(labels(&tree, "4.9"), ["4.9", "[0, 5)", "*"]);
        assert_eq!(labels(&tree, "5.0"), ["5.0", "[5, 10)", "*"]);
        assert_eq!(labels(&tree, "10"), ["10", "[10, 10]", "*"]);
        assert_eq!(tree.domain_size(), 101);
    }

    #[test]
    fn a_value_outside_or_no_number_has_no_leaf() {
        let tree = intervals(-5, 10, &[5])
            .unwrap()
            .over(["-5", "11", "old", "", "1e1", "٣"].into_iter(), true)
            .unwrap();
        assert!(tree.leaf("-5").is_some());
        assert!(
            ["11", "old", "", "1e1", "٣"]
                .iter()
                .all(|value| tree.leaf(value).is_none())
        );
    }

    #[test]
    fn widths_that_do_not_nest_are_refused() {
        assert!(
            intervals(0, 10, &[5, 12])
                .unwrap_err()
                .contains("no multiple")
        );
        assert!(
            intervals(0, 10, &[5, 5])
                .unwrap_err()
                .contains("does not grow")
        );
        assert!(
            intervals(0, 10, &[0])
                .unwrap_err()
                .contains("does not grow")
        );
        assert!(intervals(0, 10, &[]).unwrap_err().contains("no width"));
        assert!(intervals(10, 0, &[5]).unwrap_err().contains("above"));
    }

    #[test]
    fn a_number_column_counts_the_numbers_of_its_domain() {
        let domain = NumericDomain {
            from: Some(Share::whole(1)),
            to: Some(Share::whole(60)),
        };
        let tree = numeric(domain, ["5", "61"].into_iter(), true).unwrap();
        assert_eq!((tree.domain_size(), tree.height()), (60, 1));
        assert!(tree.leaf("61").is_none());
    }
}
