//! People made up in the shape of Adult: the same columns and values, some common, some rare, the same for a seed everywhere.

use scrim::Random;
use scrim::table::Column;

use super::super::chance::{happens, pick};
use super::people::{QUASI, SECRET};

/// A value and how common it is.
type Common = (&'static str, u64);

/// Values of each column after the age, and how common each is.
const EDUCATION: [(&str, u64); 16] = [
    ("HS-grad", 325),
    ("Some-college", 220),
    ("Bachelors", 165),
    ("Masters", 54),
    ("Assoc-voc", 43),
    ("11th", 35),
    ("Assoc-acdm", 33),
    ("10th", 27),
    ("7th-8th", 19),
    ("Prof-school", 18),
    ("9th", 15),
    ("12th", 13),
    ("Doctorate", 12),
    ("5th-6th", 10),
    ("1st-4th", 6),
    ("Preschool", 5),
];
const MARITAL: [(&str, u64); 7] = [
    ("Married-civ-spouse", 466),
    ("Never-married", 322),
    ("Divorced", 140),
    ("Separated", 31),
    ("Widowed", 27),
    ("Married-spouse-absent", 12),
    ("Married-AF-spouse", 2),
];
const COUNTRY: [(&str, u64); 8] = [
    ("United-States", 912),
    ("Mexico", 30),
    ("Philippines", 14),
    ("Germany", 12),
    ("Puerto-Rico", 10),
    ("Canada", 8),
    ("India", 8),
    ("England", 6),
];
const RACE: [(&str, u64); 5] = [
    ("White", 860),
    ("Black", 93),
    ("Asian-Pac-Islander", 30),
    ("Amer-Indian-Eskimo", 10),
    ("Other", 7),
];
/// Occupations, how common after school and after college.
const OCCUPATION: [(&str, u64, u64); 14] = [
    ("Adm-clerical", 120, 125),
    ("Armed-Forces", 1, 1),
    ("Craft-repair", 190, 80),
    ("Exec-managerial", 80, 200),
    ("Farming-fishing", 50, 15),
    ("Handlers-cleaners", 70, 20),
    ("Machine-op-inspct", 110, 25),
    ("Other-service", 155, 65),
    ("Priv-house-serv", 8, 2),
    ("Prof-specialty", 20, 260),
    ("Protective-serv", 20, 25),
    ("Sales", 100, 130),
    ("Tech-support", 15, 45),
    ("Transport-moving", 80, 20),
];

/// The columns with so many rows.
pub(super) fn columns(rows: usize, seed: u64) -> Vec<Column> {
    let mut random = Random::new(seed);
    let weights = |of: &[(&str, u64)]| of.iter().map(|(_, weight)| *weight).collect::<Vec<_>>();
    let kinds: [(&[Common], Vec<u64>); 4] = [
        (&EDUCATION, weights(&EDUCATION)),
        (&MARITAL, weights(&MARITAL)),
        (&COUNTRY, weights(&COUNTRY)),
        (&RACE, weights(&RACE)),
    ];
    let mut cells: Vec<Vec<String>> = vec![Vec::with_capacity(rows); QUASI.len() + 1];
    for _ in 0..rows {
        let age = 17 + random.below(50).min(random.below(74));
        cells[0].push(age.to_string());
        let mut college = false;
        for (at, (values, weights)) in kinds.iter().enumerate() {
            let (value, _) = values[pick(&mut random, weights)];
            cells[at + 1].push(value.to_owned());
            college |= matches!(value, "Bachelors" | "Masters" | "Doctorate" | "Prof-school");
        }
        let sex = if happens(&mut random, 330) {
            "Female"
        } else {
            "Male"
        };
        cells[5].push(sex.to_owned());
        let weight = |(_, school, after): &(&str, u64, u64)| if college { *after } else { *school };
        let common: Vec<u64> = OCCUPATION.iter().map(weight).collect();
        cells[6].push(OCCUPATION[pick(&mut random, &common)].0.to_owned());
    }
    QUASI
        .into_iter()
        .chain([SECRET])
        .zip(&cells)
        .map(|(name, texts)| Column::from_texts(name, texts.iter().map(String::as_str)))
        .collect()
}
