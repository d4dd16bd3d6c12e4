//! The four data sets of section 5: a row a person or several, guards that are the values themselves or mixed.

use scrim::Random;

use super::census::draw;
use super::chance::pick;
use super::primary::{Primary, SEED};

/// A data set by its name in the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    PriLeaf,
    PriMixed,
    NonpriLeaf,
    NonpriMixed,
}

impl Kind {
    pub(super) const ALL: [Self; 4] = [
        Self::PriLeaf,
        Self::PriMixed,
        Self::NonpriLeaf,
        Self::NonpriMixed,
    ];

    /// As the paper writes it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::PriLeaf => "Pri-leaf",
            Self::PriMixed => "Pri-mixed",
            Self::NonpriLeaf => "Nonpri-leaf",
            Self::NonpriMixed => "Nonpri-mixed",
        }
    }

    /// Whether a person has one row.
    pub(super) fn is_primary(self) -> bool {
        matches!(self, Self::PriLeaf | Self::PriMixed)
    }

    /// Whether some ask for more and some for nothing.
    pub(super) fn is_mixed(self) -> bool {
        matches!(self, Self::PriMixed | Self::NonpriMixed)
    }
}

/// What a row asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    Parent,
    Nothing,
    Value,
}

/// A row: a person of the primary relation, and an income that need not be that person's there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) person: usize,
    pub(super) income: u8,
    pub(super) wish: Wish,
}

/// The rows of a data set.
pub(super) fn rows(primary: &Primary, kind: Kind) -> Vec<Row> {
    // The same persons and incomes with either kind of guards, as the paper has it.
    let mut random = Random::new(SEED + u64::from(!kind.is_primary()));
    let pairs = if kind.is_primary() {
        let own = primary.people.iter().enumerate();
        own.map(|(person, row)| (person, row.income)).collect()
    } else {
        several(primary, &mut random)
    };
    let mut wishes = Random::new(SEED + 10);
    let wish = |random: &mut Random| match pick(random, &[10, 30, 60]) {
        0 => Wish::Parent,
        1 => Wish::Nothing,
        _ => Wish::Value,
    };
    let row = |(person, income)| Row {
        person,
        income,
        wish: if kind.is_mixed() {
            wish(&mut wishes)
        } else {
            Wish::Value
        },
    };
    pairs.into_iter().map(row).collect()
}

/// Half of the people; of these a third with one more row, a third with two more, whose incomes are drawn as they are
/// spread in the primary relation. As many rows as there were.
fn several(primary: &Primary, random: &mut Random) -> Vec<(usize, u8)> {
    let all = primary.people.len();
    let chosen = draw((0..all).collect(), all.div_ceil(2), random);
    let thrice = (chosen.len() / 3).min((all - chosen.len()) / 2);
    let twice = all - chosen.len() - 2 * thrice;
    let mut order = chosen.clone();
    for at in (1..order.len()).rev() {
        order.swap(at, random.index(at + 1));
    }
    let mut more = vec![0usize; all];
    for (at, person) in order.iter().enumerate() {
        more[*person] = match at {
            at if at < thrice => 2,
            at if at < thrice + twice => 1,
            _ => 0,
        };
    }
    let mut rows = Vec::with_capacity(all);
    for person in chosen {
        rows.push((person, primary.people[person].income));
        for _ in 0..more[person] {
            let other = random.index(all);
            rows.push((person, primary.people[other].income));
        }
    }
    rows
}

/// The columns of the file, in order.
pub(super) const HEADER: &str = "person,age,education,gender,marital,occupation,income,wish";

/// The data set as CSV.
pub(super) fn csv(primary: &Primary, rows: &[Row]) -> String {
    let mut text = format!("{HEADER}\n");
    for row in rows {
        let person = &primary.people[row.person];
        let word = |words: &[String], at: u32| quoted(&words[at as usize]);
        let income = usize::from(row.income);
        text.push_str(&format!(
            "{},{},{},{},{},{},{},{}\n",
            row.person + 1,
            person.age,
            person.education,
            word(&primary.genders, person.gender),
            word(&primary.maritals, person.marital),
            word(&primary.occupations, person.occupation),
            primary.incomes.leaf(income),
            match row.wish {
                Wish::Parent => primary.incomes.parent(income),
                Wish::Nothing => String::new(),
                Wish::Value => primary.incomes.leaf(income),
            }
        ));
    }
    text
}

fn quoted(word: &str) -> String {
    if word.contains(['"', ',', '\n', '\r', ' ']) {
        format!("\"{}\"", word.replace('"', "\"\""))
    } else {
        word.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::super::synthetic;
    use super::*;

    fn wishes(rows: &[Row]) -> [usize; 3] {
        let count = |wish| rows.iter().filter(|row| row.wish == wish).count();
        [Wish::Parent, Wish::Nothing, Wish::Value].map(count)
    }

    #[test]
    fn the_primary_sets_have_each_person_once() {
        let primary = synthetic::primary(6_000);
        let leaf = rows(&primary, Kind::PriLeaf);
        assert_eq!(wishes(&leaf), [0, 0, 6_000]);
        assert!(leaf.iter().map(|row| row.person).eq(0..6_000));
        let mixed = wishes(&rows(&primary, Kind::PriMixed));
        for (count, wanted) in mixed.into_iter().zip([600, 1_800, 3_600usize]) {
            assert!(count.abs_diff(wanted) < 120, "{count} {wanted}");
        }
    }

    #[test]
    fn the_other_sets_have_half_the_persons_a_third_each_with_one_two_and_three_rows() {
        for size in [1usize, 2, 7, 6_000] {
            let primary = synthetic::primary(size);
            let leaf = rows(&primary, Kind::NonpriLeaf);
            assert_eq!(leaf.len(), size);
            let mut counts = vec![0usize; size];
            leaf.iter().for_each(|row| counts[row.person] += 1);
            let with = |many| counts.iter().filter(|count| **count == many).count();
            assert_eq!(with(1) + with(2) + with(3), size.div_ceil(2));
            if size == 6_000 {
                assert_eq!((with(1), with(2), with(3)), (1_000, 1_000, 1_000));
            }
            let mixed = rows(&primary, Kind::NonpriMixed);
            let same = |(one, other): (&Row, &Row)| {
                (one.person, one.income) == (other.person, other.income)
            };
            assert!(leaf.iter().zip(&mixed).all(same));
        }
    }

    #[test]
    fn the_file_has_a_guard_on_the_path_or_none() {
        let primary = synthetic::primary(300);
        let text = csv(&primary, &rows(&primary, Kind::PriMixed));
        let mut seen = [false; 3];
        for line in text.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let low: usize = cells[6].split('-').next().unwrap().parse().unwrap();
            let parent = primary.incomes.parent(low / 1_000);
            let at = ["", cells[6], &parent]
                .iter()
                .position(|wish| *wish == cells[7]);
            seen[at.unwrap()] = true;
        }
        assert_eq!(seen, [true; 3]);
        assert_eq!(quoted("never married"), "\"never married\"");
    }
}
