//! What the rows of a made-up table hold: every row follows from the seed and its number alone, so that a table is the
//! same however it is cut into pieces.
//!
//! **Adult.** Nine columns with as many values and levels as those of Adult, and about as uneven. Every row is one of a few
//! thousand prototypes, of which some are more frequent than others, with a fifth of its cells drawn anew from their
//! column: so columns are correlated, and different rows become rarer the more rows there are.
//! **Even.** Every cell is drawn by itself; hardly two rows are alike, which is the worst that a search can meet.

use scrim::Random;

/// How many rows the rows of Adult's shape are made from.
const PROTOTYPES: usize = 1 << 12;
/// How finely frequencies are told.
const SLOTS: u64 = 1 << 16;

/// A column: its values, what stands above them, how frequent they are.
#[derive(Debug)]
pub(super) struct Attribute {
    /// Its name.
    pub(super) name: String,
    /// Its values by code.
    pub(super) values: Vec<String>,
    /// For each level between value and top how many values or taxa below one taxon has.
    widths: Vec<usize>,
    /// The first and the last number, where it holds numbers.
    pub(super) numbers: Option<(u32, u32)>,
    /// The code of each slot; none where all values are equally frequent.
    slots: Vec<u32>,
}

impl Attribute {
    /// The hierarchy as a level file.
    pub(super) fn level_file(&self) -> String {
        let last = self.values.len() - 1;
        let line = |(code, value): (usize, &String)| {
            let mut line = value.clone();
            for &width in &self.widths {
                let first = code / width * width;
                let end = (first + width - 1).min(last);
                let (from, to) = (&self.values[first], &self.values[end]);
                let between = if self.numbers.is_some() { "-" } else { ".." };
                line.push_str(&format!(";{from}{between}{to}"));
            }
            line + ";*\n"
        };
        self.values.iter().enumerate().map(line).collect()
    }

    /// A code by 64 random bits, of which the lower half is used.
    fn draw(&self, bits: u64) -> u32 {
        if self.slots.is_empty() {
            (((bits & 0xffff_ffff) * self.values.len() as u64) >> 32) as u32
        } else {
            self.slots[(bits % SLOTS) as usize]
        }
    }
}

/// All columns, and how rows are drawn.
#[derive(Debug)]
pub(super) struct Rows {
    /// The columns.
    pub(super) attributes: Vec<Attribute>,
    /// The codes of the prototypes, row by row; none where cells are drawn by themselves.
    prototypes: Vec<u32>,
    seed: u64,
}

impl Rows {
    /// The shape of Adult, with so many columns.
    pub(super) fn adult(quasi: usize, seed: u64) -> Self {
        let attributes: Vec<Attribute> = (0..quasi).map(adult).collect();
        // Prototypes come from a stream of their own, so that rows need not know how many there are.
        let mut random = Random::new(!seed);
        let prototypes = (0..PROTOTYPES)
            .flat_map(|_| attributes.iter())
            .map(|attribute| attribute.draw(random.bits()))
            .collect();
        Self {
            attributes,
            prototypes,
            seed,
        }
    }

    /// So many columns of so many values, with so many levels above them.
    pub(super) fn even(quasi: usize, values: u32, levels: u32, seed: u64) -> Self {
        let fan = fan_out(values, levels);
        let attribute = |number: usize| Attribute {
            name: format!("q{:02}", number + 1),
            values: labels("v", values as usize),
            widths: (1..levels).map(|level| fan.saturating_pow(level)).collect(),
            numbers: None,
            slots: Vec::new(),
        };
        Self {
            attributes: (0..quasi).map(attribute).collect(),
            prototypes: Vec::new(),
            seed,
        }
    }

    /// The codes of a row, one for each column.
    pub(super) fn row(&self, number: u64, codes: &mut [u32]) {
        let start = self
            .seed
            .wrapping_add(number.wrapping_mul(0xd134_2543_de82_ef95));
        let mut random = Random::new(Random::new(start).bits());
        let columns = self.attributes.len();
        if self.prototypes.is_empty() {
            for (code, attribute) in codes.iter_mut().zip(&self.attributes) {
                *code = attribute.draw(random.bits());
            }
            return;
        }
        // The product of two even draws: the first prototypes are the most frequent.
        let bits = random.bits();
        let at = (((bits & 0xffff) * ((bits >> 16) & 0xffff)) >> 20) as usize;
        let prototype = &self.prototypes[at * columns..(at + 1) * columns];
        for ((code, attribute), &own) in codes.iter_mut().zip(&self.attributes).zip(prototype) {
            let bits = random.bits();
            let anew = bits >> 32 < (1 << 32) / 5;
            *code = if anew { attribute.draw(bits) } else { own };
        }
    }
}

/// How many children a taxon has, so that so many levels come to one top.
fn fan_out(values: u32, levels: u32) -> usize {
    let enough = |fan: usize| fan.saturating_pow(levels) >= values as usize;
    let values = values as usize;
    (2..values).find(|&fan| enough(fan)).unwrap_or(values)
}

/// Numbered values, all of the same length.
fn labels(word: &str, count: usize) -> Vec<String> {
    let digits = count.to_string().len();
    (1..=count)
        .map(|number| format!("{word}{number:0digits$}"))
        .collect()
}

/// Name, word of the values, widths of the levels between value and top, frequencies by ten thousand.
type Model = (&'static str, &'static str, &'static [usize], &'static [u32]);

/// The columns of Adult but age and country. Frequencies are about those of Adult.
const MODELS: [Model; 7] = [
    ("sex", "sex-", &[], &[6750, 3250]),
    ("race", "race-", &[], &[8600, 930, 300, 95, 75]),
    (
        "marital-status",
        "status-",
        &[3],
        &[4660, 3220, 1390, 310, 280, 123, 7],
    ),
    (
        "education",
        "education-",
        &[3, 6],
        &[
            3260, 2210, 1670, 540, 430, 350, 330, 270, 185, 180, 151, 125, 124, 95, 50, 15,
        ],
    ),
    (
        "workclass",
        "work-",
        &[2],
        &[7390, 830, 690, 425, 360, 310, 5, 5],
    ),
    (
        "occupation",
        "occupation-",
        &[3],
        &[
            1340, 1340, 1320, 1230, 1190, 1060, 650, 520, 445, 440, 330, 300, 210, 50,
        ],
    ),
    ("salary-class", "salary-", &[], &[7510, 2490]),
];

/// A column of Adult's shape; after nine they begin anew under another name.
fn adult(number: usize) -> Attribute {
    let mut attribute = match number % 9 {
        0 => modelled(&MODELS[0]),
        1 => age(),
        5 => country(),
        place @ 2..=4 => modelled(&MODELS[place - 1]),
        place => modelled(&MODELS[place - 2]),
    };
    if number >= 9 {
        attribute.name.push_str(&format!("-{}", number / 9 + 1));
    }
    attribute
}

fn modelled(&(name, word, widths, weights): &Model) -> Attribute {
    Attribute {
        name: name.to_owned(),
        values: labels(word, weights.len()),
        widths: widths.to_vec(),
        numbers: None,
        slots: slots(weights),
    }
}

/// 74 years, most of them those of people who work.
fn age() -> Attribute {
    let weight = |age: u32| match age {
        ..=22 => 120 + 35 * (age - 17),
        23..=46 => 280,
        _ => 2 + 280 * (90 - age) * (90 - age) / (44 * 44),
    };
    let weights: Vec<u32> = (17..=90).map(weight).collect();
    Attribute {
        name: "age".to_owned(),
        values: (17..=90).map(|age: u32| age.to_string()).collect(),
        widths: vec![5, 10, 20],
        numbers: Some((17, 90)),
        slots: slots(&weights),
    }
}

/// 41 countries, of which nearly everybody is from the first.
fn country() -> Attribute {
    let weight = |place: u32| match place {
        1 => 9120,
        2 => 200,
        _ => 450 / (place + 8),
    };
    let weights: Vec<u32> = (1..=41).map(weight).collect();
    Attribute {
        name: "native-country".to_owned(),
        values: labels("country-", weights.len()),
        widths: vec![9],
        numbers: None,
        slots: slots(&weights),
    }
}

/// Codes, each in as many slots as its weight asks for.
fn slots(weights: &[u32]) -> Vec<u32> {
    let total: u64 = weights.iter().map(|&weight| u64::from(weight)).sum();
    let mut slots = Vec::with_capacity(SLOTS as usize);
    let mut sum = 0;
    for (code, &weight) in weights.iter().enumerate() {
        sum += u64::from(weight);
        slots.resize((sum * SLOTS / total) as usize, code as u32);
    }
    slots
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn distinct(rows: &Rows, count: u64) -> usize {
        let mut codes = vec![0; rows.attributes.len()];
        let mut seen = BTreeSet::new();
        for number in 0..count {
            rows.row(number, &mut codes);
            seen.insert(codes.clone());
        }
        seen.len()
    }

    #[test]
    fn adult_has_the_values_and_heights_of_adult() {
        let rows = Rows::adult(9, 1);
        let values: Vec<usize> = rows.attributes.iter().map(|one| one.values.len()).collect();
        assert_eq!(values, [2, 74, 5, 7, 16, 41, 8, 14, 2]);
        let heights: Vec<usize> = rows
            .attributes
            .iter()
            .map(|one| one.widths.len() + 2)
            .collect();
        assert_eq!(heights, [2, 5, 2, 3, 4, 3, 3, 3, 2]);
        // The lattice of Adult.
        assert_eq!(heights.iter().product::<usize>(), 12_960);
    }

    #[test]
    fn every_value_occurs_and_different_rows_become_rarer() {
        let rows = Rows::adult(9, 1);
        let mut seen = vec![BTreeSet::new(); 9];
        let mut codes = [0; 9];
        for number in 0..100_000 {
            rows.row(number, &mut codes);
            for (seen, code) in seen.iter_mut().zip(codes) {
                seen.insert(code);
            }
        }
        let counts: Vec<usize> = seen.iter().map(BTreeSet::len).collect();
        assert_eq!(counts, [2, 74, 5, 7, 16, 41, 8, 14, 2]);
        let (few, many) = (distinct(&rows, 5_000), distinct(&rows, 50_000));
        assert!(many > few && many < 7 * few, "{few} and {many}");
    }

    #[test]
    fn columns_of_adult_are_correlated() {
        let rows = Rows::adult(9, 1);
        let even = distinct(&Rows::even(9, 10, 3, 1), 5_000);
        assert_eq!(even, 5_000);
        assert!(distinct(&rows, 5_000) < 4_900);
    }

    #[test]
    fn an_even_column_has_so_many_levels_and_one_top() {
        let rows = Rows::even(2, 10, 3, 1);
        let file = rows.attributes[1].level_file();
        let lines: Vec<Vec<&str>> = file.lines().map(|line| line.split(';').collect()).collect();
        assert_eq!(lines.len(), 10);
        assert!(lines.iter().all(|line| line.len() == 4 && line[3] == "*"));
        let taxa = |level: usize| {
            lines
                .iter()
                .map(|line| line[level])
                .collect::<BTreeSet<_>>()
        };
        assert_eq!((taxa(1).len(), taxa(2).len()), (4, 2));
        assert_eq!(lines[9], ["v10", "v10..v10", "v10..v10", "*"]);
    }

    #[test]
    fn another_seed_gives_other_rows() {
        let row = |seed: u64| {
            let mut codes = [0; 9];
            Rows::adult(9, seed).row(3, &mut codes);
            codes
        };
        assert_eq!(row(1), row(1));
        assert_ne!(row(1), row(2));
    }
}
