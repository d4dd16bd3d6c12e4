//! Vectors that are worth a class, with the tuples that they cover.

use rustc_hash::FxHashSet;

use super::frame::Frame;

/// A vector: what a row costs there at least, and where its tuples are.
#[derive(Clone, Copy, Debug)]
struct Column {
    floor: i64,
    start: usize,
    end: usize,
}

/// Many vectors.
#[derive(Debug, Default)]
pub(super) struct Columns {
    all: Vec<Column>,
    tuples: Vec<u32>,
    known: FxHashSet<u64>,
}

/// What a class does best at a vector, against prices of its rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Profit {
    /// What the prices pay beyond the cost.
    pub(super) sum: f64,
    /// Copies that are taken of tuples priced at the margin, to have as many rows as a class needs; all of the dearer ones.
    pub(super) margin: Option<(f64, u64)>,
}

impl Columns {
    /// How many vectors there are.
    pub(super) fn len(&self) -> usize {
        self.all.len()
    }

    /// Takes a vector in, unless it is there.
    pub(super) fn add(&mut self, key: u64, floor: i64, tuples: &[u32]) -> bool {
        if !self.known.insert(key) {
            return false;
        }
        let start = self.tuples.len();
        self.tuples.extend(tuples);
        self.all.push(Column {
            floor,
            start,
            end: self.tuples.len(),
        });
        true
    }

    /// How many tuples all vectors cover together.
    pub(super) fn entries(&self) -> usize {
        self.tuples.len()
    }

    /// What a row costs at a vector, at least.
    pub(super) fn floor(&self, column: usize) -> i64 {
        self.all[column].floor
    }

    /// The tuples that a vector covers.
    pub(super) fn tuples(&self, column: usize) -> &[u32] {
        let column = &self.all[column];
        &self.tuples[column.start..column.end]
    }
}

/// The best class of these tuples at a cost a row, where it pays; `scratch` is only room.
pub(super) fn profit(
    frame: &Frame<'_>,
    tuples: &[u32],
    cost: f64,
    prices: &[f64],
    scratch: &mut Vec<(f64, u32)>,
) -> Option<Profit> {
    let least = frame.least as u64;
    let mut sum = 0.0;
    let mut count = 0u64;
    for tuple in tuples {
        let over = prices[*tuple as usize] - cost;
        if over > 0.0 {
            let rows = frame.weight(*tuple);
            sum += over * f64::from(rows);
            count += u64::from(rows);
        }
    }
    if count == 0 {
        return None;
    }
    if count >= least {
        return Some(Profit { sum, margin: None });
    }
    dearest(
        scratch,
        least - count,
        tuples.iter().filter_map(|tuple| {
            let over = prices[*tuple as usize] - cost;
            (over <= 0.0).then(|| (over, frame.weight(*tuple)))
        }),
    );
    let mut need = least - count;
    let mut margin = None;
    for (over, rows) in scratch.iter() {
        let taken = need.min((*rows).into());
        sum += over * taken as f64;
        need -= taken;
        // Tuples of the same price count together.
        margin = match margin {
            Some((at, so_far)) if over.total_cmp(&at).is_eq() => Some((at, so_far + taken)),
            _ => Some((*over, taken)),
        };
    }
    (need == 0 && sum > 0.0).then_some(Profit { sum, margin })
}

/// Keeps the dearest tuples, the dearest first, as many as have so many rows together.
pub(super) fn dearest<P: Copy + PartialOrd>(
    kept: &mut Vec<(P, u32)>,
    need: u64,
    tuples: impl Iterator<Item = (P, u32)>,
) {
    kept.clear();
    let mut rows = 0u64;
    for (price, weight) in tuples {
        let full = rows >= need;
        if full && kept.last().is_some_and(|(least, _)| price <= *least) {
            continue;
        }
        let place = kept.partition_point(|(other, _)| *other >= price);
        kept.insert(place, (price, weight));
        rows += u64::from(weight);
        while let Some((_, last)) = kept.last() {
            let without = rows - u64::from(*last);
            if without < need {
                break;
            }
            rows = without;
            kept.pop();
        }
    }
}
