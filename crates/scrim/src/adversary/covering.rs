//! Who may be in a class: the rows of another table whose quasi-identifiers the class's published values cover.
//!
//! **Definition.** A person of an external table may own a row of a class where every published quasi-identifier of the
//! class is the person's value, or more general ([XiaoTao06], Definition 8).
//! **Reading.** A published text covers a value that it equals, one that has it on its way to the top of the column's
//! hierarchy, and, as an interval, every number within; stars cover all values. A missing value is covered by a missing
//! one and by stars.
//! **Cost.** A label list for each external value, then a walk down a trie of the classes, column by column, that follows
//! the shorter of a vertex's labels and the value's list: about O(columns) for a row where classes do not overlap.
//! **Oracle.** Every class against every row, in this file's tests.

use rustc_hash::FxHashMap;

use crate::hierarchy::{Decimal, Hierarchy, Interval, is_star};
use crate::table::{Code, Column};

/// One quasi-identifier: as published, as another table has it, and what lies above the other table's values.
pub struct Linked<'a> {
    /// The published column.
    pub published: &'a Column,
    /// The column of the other table.
    pub external: &'a Column,
    /// The hierarchy over the other table's values.
    pub tree: Option<&'a Hierarchy>,
    /// Whether published texts may be intervals of numbers.
    pub numeric: bool,
}

/// Which classes cover a row.
pub struct Covering<'a> {
    external: Vec<&'a Column>,
    /// By column and external value: the published labels that cover it, ascending.
    above: Vec<Vec<Vec<Code>>>,
    /// By column: the distinct beginnings of class tuples, in order.
    levels: Vec<Level>,
    /// The class of each tuple, in the order of the last level.
    classes: Vec<u32>,
}

/// The vertices of the trie at one depth.
#[derive(Default)]
struct Level {
    labels: Vec<Code>,
    /// Where the vertices below each begin in the next level; one more at the end.
    below: Vec<u32>,
}

impl<'a> Covering<'a> {
    /// Prepares the classes, each given by one of its rows.
    pub fn new(columns: &[Linked<'a>], first_rows: &[usize]) -> Self {
        let stars: Vec<Vec<Code>> = columns
            .iter()
            .map(|column| one_star(column.published))
            .collect();
        let tuple = |row: usize| -> Vec<Code> {
            let label = |(column, star): (&Linked<'_>, &Vec<Code>)| {
                star[column.published.codes().get(row) as usize]
            };
            columns.iter().zip(&stars).map(label).collect()
        };
        let mut tuples: Vec<(Vec<Code>, u32)> =
            first_rows.iter().map(|row| tuple(*row)).zip(0..).collect();
        tuples.sort_unstable();
        Self {
            external: columns.iter().map(|column| column.external).collect(),
            above: columns.iter().map(labels_above).collect(),
            levels: levels(&tuples, columns.len()),
            classes: tuples.into_iter().map(|(_, class)| class).collect(),
        }
    }

    /// Visits every class that covers a row of the other table, each once.
    pub fn of(&self, row: usize, visit: &mut impl FnMut(u32)) {
        if let Some(top) = self.levels.first() {
            self.walk(0, 0..top.labels.len(), row, visit);
        }
    }

    fn walk(
        &self,
        depth: usize,
        vertices: std::ops::Range<usize>,
        row: usize,
        visit: &mut impl FnMut(u32),
    ) {
        let level = &self.levels[depth];
        let value = self.external[depth].codes().get(row) as usize;
        let above = &self.above[depth][value];
        let start = vertices.start;
        let labels = &level.labels[vertices];
        let mut enter = |at: usize| {
            if depth + 1 == self.levels.len() {
                visit(self.classes[at]);
            } else {
                let below = level.below[at] as usize..level.below[at + 1] as usize;
                self.walk(depth + 1, below, row, visit);
            }
        };
        if labels.len() < above.len() {
            for (at, label) in labels.iter().enumerate() {
                if above.binary_search(label).is_ok() {
                    enter(start + at);
                }
            }
        } else {
            for label in above {
                if let Ok(at) = labels.binary_search(label) {
                    enter(start + at);
                }
            }
        }
    }
}

/// The trie, depth by depth, of sorted tuples that are all different.
fn levels(tuples: &[(Vec<Code>, u32)], depth: usize) -> Vec<Level> {
    let mut levels: Vec<Level> = (0..depth).map(|_| Level::default()).collect();
    let mut former: Option<&[Code]> = None;
    for (tuple, _) in tuples {
        let same = former.map_or(0, |former| {
            let pairs = former.iter().zip(tuple);
            pairs.take_while(|(left, right)| left == right).count()
        });
        for at in same..depth {
            let below = levels
                .get(at + 1)
                .map_or(0, |next| next.labels.len() as u32);
            levels[at].labels.push(tuple[at]);
            levels[at].below.push(below);
        }
        former = Some(tuple);
    }
    for at in 0..depth {
        let end = levels
            .get(at + 1)
            .map_or(0, |next| next.labels.len() as u32);
        levels[at].below.push(end);
    }
    levels
}

/// Each code, where all spellings of suppression are the first of them.
pub(super) fn one_star(column: &Column) -> Vec<Code> {
    let texts = column.dictionary().texts();
    let star = texts.clone().position(is_star).unwrap_or(0) as Code;
    (0..)
        .zip(texts)
        .map(|(code, text)| if is_star(text) { star } else { code })
        .collect()
}

/// For every external value the published labels that cover it.
fn labels_above(column: &Linked<'_>) -> Vec<Vec<Code>> {
    let (shown, known) = (column.published.dictionary(), column.external.dictionary());
    let mut codes: FxHashMap<&str, Code> = FxHashMap::default();
    for (code, text) in (0..).zip(shown.texts()) {
        if Some(code) != shown.missing() && !is_star(text) {
            codes.insert(text, code);
        }
    }
    let star = shown.texts().position(is_star).map(|code| code as Code);
    let above = |(value, text): (Code, &str)| {
        let mut labels: Vec<Code> = star.into_iter().collect();
        if Some(value) == known.missing() {
            labels.extend(shown.missing());
            return labels;
        }
        labels.extend(codes.get(text));
        let tree = column.tree;
        let mut at = tree.and_then(|tree| tree.leaf(text));
        while let (Some(tree), Some(taxon)) = (tree, at) {
            labels.extend(codes.get(tree.label(taxon)));
            at = tree.parent(taxon);
        }
        labels
    };
    let mut lists: Vec<Vec<Code>> = (0..).zip(known.texts()).map(above).collect();
    if column.numeric {
        add_intervals(column, &mut lists);
    }
    for list in &mut lists {
        list.sort_unstable();
        list.dedup();
        list.shrink_to_fit();
    }
    lists
}

/// Adds each interval to the numbers within it, found by bisection.
fn add_intervals(column: &Linked<'_>, lists: &mut [Vec<Code>]) {
    let (shown, known) = (column.published.dictionary(), column.external.dictionary());
    let mut numbers: Vec<(Decimal, usize)> = known
        .texts()
        .enumerate()
        .filter(|(code, _)| known.missing() != Some(*code as Code))
        .filter_map(|(code, text)| Some((Decimal::parse(text)?, code)))
        .collect();
    numbers.sort_unstable();
    for (label, text) in (0..).zip(shown.texts()) {
        let Some(interval) = Interval::parse(text).filter(|_| shown.missing() != Some(label))
        else {
            continue;
        };
        let first = numbers.partition_point(|(number, _)| *number < interval.low());
        let near = numbers[first..]
            .iter()
            .take_while(|(number, _)| *number <= interval.high());
        for (_, value) in near.filter(|(number, _)| interval.holds(*number)) {
            lists[*value].push(label);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::from_level_csv;

    /// Whether a label covers a value, read off the definition.
    fn covers(tree: &Hierarchy, numeric: bool, label: &str, value: &str) -> bool {
        let mut at = tree.leaf(value);
        while let Some(taxon) = at {
            if tree.label(taxon) == label {
                return true;
            }
            at = tree.parent(taxon);
        }
        let within = || Some(Interval::parse(label)?.holds(Decimal::parse(value)?));
        label == value || is_star(label) || numeric && within() == Some(true)
    }

    #[test]
    fn every_class_that_covers_a_row_is_found_once() {
        let city = "a;north;*\nb;north;*\nc;south;*\n";
        let tree = from_level_csv("city", "city.csv", city, true).unwrap();
        let flat = from_level_csv("age", "age.csv", "1;*\n", true).unwrap();
        let shown_city = ["north", "a", "*", "south", "north", "**", "c", "zzz"];
        let shown_age = ["1-3", "2", "2-9", "[1.5, 2)", "*", "5", "-1-1", "7"];
        let mut rows = Vec::new();
        for city in shown_city {
            for age in shown_age {
                if !rows.contains(&(city, age)) && city != "**" {
                    rows.push((city, age));
                }
            }
        }
        let known: Vec<(&str, &str)> = ["a", "b", "c", "zzz", "other"]
            .into_iter()
            .flat_map(|city| ["1", "2", "1.75", "5", "-1", "9", "x"].map(|age| (city, age)))
            .collect();
        let column = |pairs: &[(&'static str, &'static str)], first: bool| {
            let texts = pairs
                .iter()
                .map(|(city, age)| if first { *city } else { *age });
            Column::from_texts("c", texts)
        };
        let (pub_city, pub_age) = (column(&rows, true), column(&rows, false));
        let (ext_city, ext_age) = (column(&known, true), column(&known, false));
        let linked = [
            Linked {
                published: &pub_city,
                external: &ext_city,
                tree: Some(&tree),
                numeric: false,
            },
            Linked {
                published: &pub_age,
                external: &ext_age,
                tree: Some(&flat),
                numeric: true,
            },
        ];
        let classes: Vec<usize> = (0..rows.len()).collect();
        let covering = Covering::new(&linked, &classes);
        let mut met = 0;
        for (row, (city, age)) in known.iter().enumerate() {
            let mut found = Vec::new();
            covering.of(row, &mut |class| found.push(class as usize));
            found.sort_unstable();
            let expected: Vec<usize> = classes
                .iter()
                .copied()
                .filter(|class| {
                    covers(&tree, false, rows[*class].0, city)
                        && covers(&flat, true, rows[*class].1, age)
                })
                .collect();
            assert_eq!(found, expected, "{city} {age}");
            met += found.len();
        }
        assert!(met > 100);
    }
}
