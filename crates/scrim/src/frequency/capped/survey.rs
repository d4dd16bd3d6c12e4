//! Counts in bytes, read from end to end.

use crate::frequency::scratch::Sum;

/// Counts from end to end: how many are not nought, and the sum of those below a limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Survey {
    pub(super) classes: u64,
    pub(super) rows: u64,
}

/// Side by side in bytes, as long as these hold the sums.
pub(super) fn survey(counts: &[u8], least: u8) -> Survey {
    const LANES: usize = 32;
    let small = |count: u8| if count < least { count } else { 0 };
    let rounds = usize::from(u8::MAX / (least.max(2) - 1));
    let mut all = Survey::default();
    for block in counts.chunks(LANES * rounds) {
        let (mut rows, mut classes) = ([0u8; LANES], [0u8; LANES]);
        let (lanes, rest) = block.as_chunks::<LANES>();
        for lane in lanes {
            for at in 0..LANES {
                rows[at] += small(lane[at]);
                classes[at] += u8::from(lane[at] > 0);
            }
        }
        let add = |sums: &[u8]| sums.iter().map(|sum| u64::from(*sum)).sum::<u64>();
        all.rows += add(&rows)
            + rest
                .iter()
                .map(|count| u64::from(small(*count)))
                .sum::<u64>();
        let met = rest.iter().filter(|count| **count > 0);
        all.classes += add(&classes) + met.count() as u64;
    }
    all
}

/// About how many classes a sketch met: so many throws leave about so many places free.
pub(super) fn classes_behind(sketch: &[u8]) -> usize {
    let places = sketch.len() as f64;
    let free = sketch.len() as u64 - survey(sketch, 2).classes;
    (-places * (free.max(1) as f64 / places).ln()) as usize
}

/// The numbers that have fewer rows than these, and some.
pub(super) fn list_small(counts: &[u8], least: u8, small: &mut Vec<Sum>) {
    let below = least.saturating_sub(1);
    let mut met = 0;
    let (words, rest) = counts.as_chunks::<8>();
    for (at, word) in words.iter().enumerate() {
        if *word == [0; 8] {
            continue;
        }
        if small.len() < met + 8 {
            small.resize(met * 2 + 64, (0, 0));
        }
        for (number, rows) in (at as u64 * 8..).zip(word) {
            // Nobody can foretell which are small: each is put down, and the next one over it unless it was.
            small[met] = (number, u32::from(*rows));
            met += usize::from(rows.wrapping_sub(1) < below);
        }
    }
    small.truncate(met);
    let rest = (words.len() as u64 * 8..).zip(rest);
    let rest = rest.filter(|(_, rows)| rows.wrapping_sub(1) < below);
    small.extend(rest.map(|(number, rows)| (number, u32::from(*rows))));
}
