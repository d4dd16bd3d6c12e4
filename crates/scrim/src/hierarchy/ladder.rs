//! A column's climb: what each of its codes becomes at each level of its hierarchy.
//!
//! Level 0 has the codes of the column's dictionary. Every higher level has codes of its own, dense from 0 in the
//! order in which the codes below reach them, so that a frequency set at any node packs into the same fields.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Hierarchy, Level, TaxonId};
use crate::table::{Code, Dictionary};

/// The levels of one quasi-identifier over the codes of its column.
#[derive(Clone, Debug)]
pub struct Ladder {
    name: String,
    hierarchy: Arc<Hierarchy>,
    /// The taxon of each code, by level.
    taxa: Vec<Vec<TaxonId>>,
    /// The code one level up of each code, by level.
    steps: Vec<Vec<Code>>,
}

impl Ladder {
    /// The climb of a dictionary's values, or the codes of those that have no leaf.
    pub fn new(
        name: &str,
        hierarchy: Arc<Hierarchy>,
        dictionary: &Dictionary,
    ) -> Result<Self, Vec<Code>> {
        let leaves: Vec<Option<TaxonId>> = dictionary
            .texts()
            .map(|text| hierarchy.leaf(text))
            .collect();
        let strays: Vec<Code> = (0..)
            .zip(&leaves)
            .filter(|(_, leaf)| leaf.is_none())
            .map(|(code, _)| code)
            .collect();
        if !strays.is_empty() {
            return Err(strays);
        }
        let leaves: Vec<TaxonId> = leaves.into_iter().flatten().collect();
        let mut taxa = vec![leaves.clone()];
        let mut steps = Vec::new();
        let mut code_of_leaf: Vec<Code> = (0..leaves.len() as Code).collect();
        for level in 1..=hierarchy.height() {
            let mut known: FxHashMap<TaxonId, Code> = FxHashMap::default();
            let mut labels = Vec::new();
            let mut step = vec![0; taxa[usize::from(level) - 1].len()];
            for (leaf, code) in leaves.iter().zip(&mut code_of_leaf) {
                let taxon = hierarchy.at_level(*leaf, level);
                let above = *known.entry(taxon).or_insert_with(|| {
                    labels.push(taxon);
                    labels.len() as Code - 1
                });
                step[*code as usize] = above;
                *code = above;
            }
            steps.push(step);
            taxa.push(labels);
        }
        Ok(Self {
            name: name.to_owned(),
            hierarchy,
            taxa,
            steps,
        })
    }

    /// The column's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tree that is climbed.
    pub fn hierarchy(&self) -> &Arc<Hierarchy> {
        &self.hierarchy
    }

    /// The top level.
    pub fn height(&self) -> Level {
        self.hierarchy.height()
    }

    /// How many different codes there are at a level.
    pub fn width(&self, level: Level) -> usize {
        self.taxa[usize::from(level)].len()
    }

    /// The taxa of a level, by code.
    pub fn taxa(&self, level: Level) -> &[TaxonId] {
        &self.taxa[usize::from(level)]
    }

    /// The labels of a level, by code.
    pub fn labels(&self, level: Level) -> impl Iterator<Item = &str> {
        self.taxa(level)
            .iter()
            .map(|taxon| self.hierarchy.label(*taxon))
    }

    /// What each code of a lower level becomes at a higher one.
    pub fn climb(&self, from: Level, to: Level) -> Vec<Code> {
        let mut codes: Vec<Code> = (0..self.width(from) as Code).collect();
        for step in &self.steps[usize::from(from)..usize::from(to)] {
            codes
                .iter_mut()
                .for_each(|code| *code = step[*code as usize]);
        }
        codes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hierarchy::from_level_csv;
    use crate::table::Column;

    #[test]
    fn climbing_in_steps_is_climbing_at_once() {
        let tree =
            from_level_csv("z", "z", "a;ab;x;*\nb;ab;x;*\nc;c1;x;*\nd;d1;y;*\n", true).unwrap();
        let column = Column::from_texts("z", ["d", "b", "a", "c"]);
        let ladder = Ladder::new("z", Arc::new(tree), column.dictionary()).unwrap();
        let (low, high) = (ladder.climb(0, 1), ladder.climb(1, 2));
        let composed: Vec<Code> = low.iter().map(|code| high[*code as usize]).collect();
        assert_eq!(composed, ladder.climb(0, 2));
        assert_eq!(ladder.labels(2).collect::<Vec<_>>(), ["y", "x"]);
        assert_eq!(ladder.climb(2, 2), [0, 1]);
    }

    #[test]
    fn values_without_a_leaf_are_named_by_code() {
        let tree = from_level_csv("z", "z", "a;*\nb;*\n", true).unwrap();
        let column = Column::from_texts("z", ["a", "q", "b", "r"]);
        assert_eq!(
            Ladder::new("z", Arc::new(tree), column.dictionary()).unwrap_err(),
            [1, 3]
        );
    }
}
