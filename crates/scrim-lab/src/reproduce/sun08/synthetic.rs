//! A made-up table in the shape of Adult: as many values and levels, most rows in few values, the same every time.

use scrim::Error;
use scrim::hierarchy::Ladder;
use scrim::table::{Column, Table};

use super::bench::{internal, ladder};
use super::data::QUASI;

const ROWS: usize = 5_000;

/// For each quasi-identifier its values, the least, and the width of the groups at each level below the top.
const SHAPES: [(u64, u64, &[u64]); 7] = [
    (72, 17, &[5, 10, 20]),
    (7, 0, &[3]),
    (16, 0, &[2, 6]),
    (41, 0, &[10]),
    (7, 0, &[4]),
    (5, 0, &[]),
    (2, 0, &[]),
];

/// `SplitMix64`: the state grows by a constant, the output is the mixed state.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % bound
    }
}

/// Table and hierarchies.
pub(super) fn table() -> Result<(Table, Vec<Ladder>), Error> {
    let mut random = Random(2008);
    let mut columns = vec![Vec::with_capacity(ROWS); SHAPES.len()];
    for row in 0..ROWS as u64 {
        for (cells, (values, least, _)) in columns.iter_mut().zip(SHAPES) {
            let rank = match values {
                // Every value is there.
                _ if row < values => row,
                // Most rows have the first value, as most people of Adult have one country and one race.
                5 | 41 if random.below(10) > 0 => 0,
                5 | 41 => random.below(values),
                // Low ranks are frequent: the least of two draws.
                _ => random.below(values).min(random.below(values)),
            };
            cells.push((least + rank).to_string());
        }
    }
    let mut named = Vec::new();
    let mut ladders = Vec::new();
    for ((name, cells), shape) in QUASI.iter().zip(&columns).zip(SHAPES) {
        let column = Column::from_texts(name, cells.iter().map(String::as_str));
        ladders.push(ladder(&levels(shape), &column)?);
        named.push(column);
    }
    let table = Table::new(named).ok_or_else(|| internal("columns of other lengths"))?;
    Ok((table, ladders))
}

/// A level file: groups of neighbours, each as wide as its level says, then the top.
fn levels((values, least, widths): (u64, u64, &[u64])) -> String {
    let line = |value: u64| {
        let group = |width: &u64| format!("{}+{width}", (value - least) / width * width);
        let groups: Vec<String> = widths.iter().map(group).collect();
        [vec![value.to_string()], groups, vec!["*".to_owned()]]
            .concat()
            .join(";")
    };
    let lines: Vec<String> = (least..least + values).map(line).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_the_shape_of_adult() {
        let (table, ladders) = table().unwrap();
        let values: Vec<usize> = ladders.iter().map(|ladder| ladder.width(0)).collect();
        assert_eq!(values, [72, 7, 16, 41, 7, 5, 2]);
        let heights: Vec<u8> = ladders.iter().map(Ladder::height).collect();
        assert_eq!(heights, [4, 2, 3, 2, 2, 1, 1]);
        assert_eq!(table.rows(), ROWS);
    }
}
