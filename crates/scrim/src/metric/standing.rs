//! Which taxon a published cell is, and at which level it counts.
//!
//! **Reading.** Where one level fits all cells of a column, that level counts for all of them, as in a full-domain
//! recoding; else each cell counts at the lowest level it can stand at. Stars are the top. Local recodings are measured by
//! the same rule from their plan, where each taxon is known; a label that several taxa of one tree have is read from a file as
//! the lowest of them.

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
        match by_label.get(text) {
            Some(taxa) => Ok(taxa.clone()),
            None if is_star(text) => Ok(vec![tree.root()]),
            None => Err(text.to_owned()),
        }
    };
    labels.map(candidates).collect()
}

/// The level and taxon of each cell of a column, from the taxa that it may be.
pub(crate) fn standing(tree: &Hierarchy, cells: &[Vec<TaxonId>]) -> Vec<(Level, TaxonId)> {
    let at = |level: Level, taxa: &[TaxonId]| {
        taxa.iter()
            .copied()
            .find(|taxon| stands_at(tree, *taxon, level))
    };
    let fits = |level: &Level| {
        cells
            .iter()
            .all(|taxa| taxa.contains(&tree.root()) || at(*level, taxa).is_some())
    };
    let common = (0..=tree.height()).find(fits);
    let pick = |taxa: &Vec<TaxonId>| match common
        .and_then(|level| at(level, taxa).map(|taxon| (level, taxon)))
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
