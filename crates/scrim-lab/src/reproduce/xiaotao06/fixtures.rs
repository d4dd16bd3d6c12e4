//! Figures 1 to 3, and the answers that enumeration found.

use scrim::hierarchy::{Hierarchy, TaxonId, from_outline};
use scrim::{Error, Share};

use super::bench::{internal, records};

macro_rules! fixture {
    ($file:literal) => {
        include_str!(concat!("../../../../../fixtures/papers/xiaotao06/", $file))
    };
}

/// Figure 1a: name, age, sex, zip code, disease, guard.
pub(super) const FIGURE_1A: &str = fixture!("figure1a.csv");
/// Figure 1b: name, age, sex, zip code.
const FIGURE_1B: &str = fixture!("figure1b.csv");
/// A 2-anonymous table.
pub(super) const FIGURE_1C: &str = fixture!("figure1c.csv");
/// A personalized one.
pub(super) const FIGURE_3: &str = fixture!("figure3.csv");
/// The taxonomy of Figure 2; names that the paper does not tell end with `?`.
pub(super) const DISEASE: &str = fixture!("disease.txt");

/// A row of a figure with its guard, put before the taxonomy.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) name: &'static str,
    /// Nothing for the empty guard.
    pub(super) guard: Option<TaxonId>,
    /// The class: rows from 0, itself among them.
    pub(super) class: Vec<usize>,
    /// The class's published values.
    pub(super) published: Vec<TaxonId>,
    /// How many persons of Figure 1b fit the class.
    pub(super) fitting: usize,
}

/// The taxonomy of Figure 2.
pub(super) fn tree() -> Result<Hierarchy, Error> {
    from_outline("Disease", "disease.txt", DISEASE, false)
}

/// The rows of a published figure.
pub(super) fn rows(published: &'static str, tree: &Hierarchy) -> Result<Vec<Row>, Error> {
    let cells: Vec<Vec<&'static str>> = records(published).skip(1).collect();
    let taxon = |name: &str| {
        let mut found = tree.labelled(name);
        found.next().ok_or_else(|| internal("no such taxon"))
    };
    let people: Vec<Vec<&str>> = records(FIGURE_1B).skip(1).collect();
    let originals = records(FIGURE_1A).skip(1);
    let row = |(at, original): (usize, Vec<&'static str>)| {
        let quasi = &cells[at][..3];
        let class: Vec<usize> = (0..cells.len())
            .filter(|other| cells[*other][..3] == *quasi)
            .collect();
        let fits = |person: &&Vec<&str>| quasi.iter().zip(&person[1..]).all(|(q, v)| covers(q, v));
        Ok(Row {
            name: original[0],
            guard: match original[5] {
                "" => None,
                name => Some(taxon(name)?),
            },
            published: class
                .iter()
                .map(|row| taxon(cells[*row][3]))
                .collect::<Result<_, _>>()?,
            class,
            fitting: people.iter().filter(fits).count(),
        })
    };
    originals.enumerate().map(row).collect()
}

/// Whether a published cell, `5-6` or a value, covers a value.
fn covers(cell: &str, value: &str) -> bool {
    let number = |text: &str| text.parse::<u32>().ok();
    match cell.split_once('-') {
        Some((low, high)) => {
            number(low) <= number(value) && number(value) <= number(high) && number(value).is_some()
        }
        None => cell == value,
    }
}

/// The number of whole ages of a cell, and those above an age.
pub(super) fn ages(cell: &str, above: u32) -> (u32, u32) {
    let (low, high) = cell.split_once('-').unwrap_or((cell, cell));
    let (low, high) = (low.parse().unwrap_or(0), high.parse().unwrap_or(0));
    let over: u32 = (high + 1u32).saturating_sub(low.max(above + 1));
    ((high + 1).saturating_sub(low), over)
}

/// The probability of each row of a figure: `case` is `primary` or `non-primary`, `counted` is `figure1b` or `class`.
pub(super) fn probabilities(table: &str, case: &str, counted: &str) -> Result<Vec<Share>, Error> {
    let wanted = records(fixture!("breach.csv"))
        .filter(|record| record[0] == table && record[2] == case && record[3] == counted);
    wanted
        .map(|record| {
            record[7]
                .parse()
                .map_err(|_| internal("no share in a fixture"))
        })
        .collect()
}

/// The loss of the greedy search on Figure 1a, and the least that there is.
pub(super) fn greedy(run: &str) -> Option<(&'static str, &'static str)> {
    let mut found = records(fixture!("greedy.csv")).filter(|record| record[0] == run);
    found.next().map(|record| (record[1], record[2]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_are_read() {
        let tree = tree().unwrap();
        assert_eq!(tree.domain_size(), 12);
        let rows = rows(FIGURE_3, &tree).unwrap();
        assert_eq!(rows.len(), 10);
        assert_eq!((rows[2].name, rows[2].fitting), ("Ken", 5));
        assert_eq!(rows[2].class, [0, 1, 2, 3]);
        assert_eq!(rows[6].guard, None);
        assert_eq!(ages("21-60", 30), (40, 30));
        assert_eq!(ages("9", 30), (1, 0));
    }
}
