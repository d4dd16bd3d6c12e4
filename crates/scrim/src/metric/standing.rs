//! Which taxon a published cell is, and at which level it counts.
//!
//! **Reading.** A label that several taxa of one tree carry is the lowest of them, in a plan as in a file: a reader of the release
//! cannot tell which was meant. A full-domain recoding has one level for all cells of a column, the lowest that fits all of its labels.
//! In any other recoding the taxa are settled first. Where one level then fits all cells of a column, that level counts for all of
//! them; else each cell counts at the lowest level it can stand at. Stars are the top, also those that the raw table has.

use rustc_hash::FxHashMap;

use crate::hierarchy::{Hierarchy, Level, TaxonId, is_star};

/// The taxa that each published label of a column may be, or the first label that is none.
pub(crate) fn named<'a>(
    tree: &Hierarchy,
    labels: impl Iterator<Item = &'a str>,
) -> Result<Vec<Vec<TaxonId>>, String> {
    let mut by_label: FxHashMap<&str, Vec<TaxonId>> = FxHashMap::default();
    tree.taxa()
        .for_each(|taxon| by_label.entry(tree.label(taxon)).or_default().push(taxon));
    let candidates = |text: &str| -> Result<Vec<TaxonId>, String> {
        let taxa = by_label.get(text);
        if is_star(text) {
            // A raw value of stars cannot be told from a suppressed one.
            let taxa = taxa.into_iter().flatten().copied();
            let taxa: Vec<TaxonId> = taxa
                .filter(|taxon| tree.leaf(text) != Some(*taxon))
                .collect();
            return Ok(if taxa.is_empty() {
                vec![tree.root()]
            } else {
                taxa
            });
        }
        taxa.cloned().ok_or_else(|| text.to_owned())
    };
    labels.map(candidates).collect()
}

/// The lowest of the taxa that each cell may be, of several at one level the first of the tree.
pub(crate) fn lowest(tree: &Hierarchy, cells: Vec<Vec<TaxonId>>) -> Vec<Vec<TaxonId>> {
    let lowest = |taxa: Vec<TaxonId>| {
        let least = taxa
            .into_iter()
            .min_by_key(|taxon| (tree.level(*taxon), *taxon));
        least.into_iter().collect()
    };
    cells.into_iter().map(lowest).collect()
}

/// Whether every release that shows least common ancestors is read as it was meant: at their levels, or with the values below them.
pub(crate) fn reads_as_meant(tree: &Hierarchy, by_level: bool) -> bool {
    let mut children = vec![0u32; tree.len()];
    tree.taxa()
        .filter_map(|taxon| tree.parent(taxon))
        .for_each(|above| children[above.0 as usize] += 1);
    let key = |taxon: TaxonId| (tree.level(taxon), taxon);
    let mut lowest: FxHashMap<&str, TaxonId> = FxHashMap::default();
    for taxon in tree.taxa() {
        let least = lowest.entry(tree.label(taxon)).or_insert(taxon);
        if key(taxon) < key(*least) {
            *least = taxon;
        }
    }
    // A taxon with one child is no least common ancestor of anything.
    let mut shown = tree.taxa().filter(|taxon| children[taxon.0 as usize] != 1);
    shown.all(|taxon| {
        let read = lowest[tree.label(taxon)];
        if by_level {
            tree.level(read) == tree.level(taxon)
        } else {
            tree.leaves_below(read) == tree.leaves_below(taxon)
        }
    })
}

/// Whether one level fits all cells of a column but those at the top.
pub(crate) fn fits_one_level(tree: &Hierarchy, cells: &[Vec<TaxonId>]) -> bool {
    common_level(tree, cells).is_some()
}

/// The first of the taxa that a cell may be that stands at a level.
fn at(tree: &Hierarchy, level: Level, taxa: &[TaxonId]) -> Option<TaxonId> {
    let mut taxa = taxa.iter().copied();
    taxa.find(|taxon| stands_at(tree, *taxon, level))
}

/// The lowest level that fits all cells of a column but those at the top.
fn common_level(tree: &Hierarchy, cells: &[Vec<TaxonId>]) -> Option<Level> {
    let fits = |level: &Level| {
        cells
            .iter()
            .all(|taxa| taxa.contains(&tree.root()) || at(tree, *level, taxa).is_some())
    };
    (0..=tree.height()).find(fits)
}

/// The level and taxon of each cell of a column, from the taxa that it may be.
pub(crate) fn standing(tree: &Hierarchy, cells: &[Vec<TaxonId>]) -> Vec<(Level, TaxonId)> {
    let common = common_level(tree, cells);
    let pick = |taxa: &Vec<TaxonId>| match common
        .and_then(|level| at(tree, level, taxa).map(|taxon| (level, taxon)))
    {
        Some(cell) => cell,
        None => taxa
            .iter()
            .map(|taxon| (tree.level(*taxon), *taxon))
            .min()
            .unwrap_or((tree.height(), tree.root())),
    };
    cells.iter().map(pick).collect()
}

/// Whether a taxon is what some leaf becomes at a level.
pub(super) fn stands_at(tree: &Hierarchy, taxon: TaxonId, level: Level) -> bool {
    let depth = u16::from(tree.height() - level);
    tree.depth(taxon) == depth
        || (tree.depth(taxon) < depth && tree.level(taxon) == 0 && taxon != tree.root())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::from_level_csv;

    fn tree(text: &str) -> Hierarchy {
        from_level_csv("a", "a.csv", text, true).unwrap()
    }

    fn levels(tree: &Hierarchy, cells: &[Vec<TaxonId>]) -> Vec<Level> {
        let standing = standing(tree, cells).into_iter();
        standing.map(|(level, _)| level).collect()
    }

    #[test]
    fn a_label_on_two_levels_is_the_lower_one_unless_one_level_fits_all() {
        let ages = tree("25;<30;<40;*\n33;3x;<40;*\n41;>40;>40;*\n");
        let cells = named(&ages, ["<40", ">40", "*"].into_iter()).unwrap();
        assert!(fits_one_level(&ages, &cells));
        assert_eq!(levels(&ages, &cells), [2, 2, 3]);
        assert_eq!(levels(&ages, &lowest(&ages, cells)), [2, 1, 3]);
        let mixed = named(&ages, ["<30", "<40"].into_iter()).unwrap();
        assert!(!fits_one_level(&ages, &mixed));
    }

    #[test]
    fn repeated_labels_are_read_as_meant_only_where_no_class_shows_the_higher_one() {
        // `>40` has one child, so that no least common ancestor is the higher one.
        let chain = tree("25;<30;<40;*\n33;3x;<40;*\n41;>40;>40;*\n");
        assert!(reads_as_meant(&chain, true) && reads_as_meant(&chain, false));
        // `x` is a value, and a taxon above two others.
        let across = tree("x;y;*\na;x;*\nb;x;*\n");
        assert!(!reads_as_meant(&across, true) && !reads_as_meant(&across, false));
    }
}
