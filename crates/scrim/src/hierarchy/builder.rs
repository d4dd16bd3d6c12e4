//! Builds a hierarchy from parent links and checks that it is one rooted tree.

use rustc_hash::FxHashMap;

use super::{Hierarchy, MAX_HEIGHT, STAR, TaxonId, is_star};

/// Taxa and their parents, before they are known to be a tree.
#[derive(Debug, Default)]
pub struct TreeBuilder {
    labels: Vec<Box<str>>,
    parents: Vec<Option<TaxonId>>,
    /// How many values of the domain a leaf-like taxon stands for, where it is not one for each leaf listed.
    domains: FxHashMap<TaxonId, u64>,
    values: FxHashMap<Box<str>, TaxonId>,
    warnings: Vec<String>,
    /// The line that first names a taxon, where it comes from a file.
    lines: FxHashMap<TaxonId, u64>,
}

/// Why the links are no tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotATree {
    /// There is no taxon.
    Empty,
    /// Several taxa have no parent; the line names the second of them.
    Tops(Vec<String>, Option<u64>),
    /// Going up from this taxon comes back to it; the line names it.
    Cycle(String, Option<u64>),
    /// The tree is taller than [`MAX_HEIGHT`].
    TooTall(usize),
}

impl TreeBuilder {
    /// Adds a taxon without a parent.
    pub fn add(&mut self, label: &str) -> TaxonId {
        let taxon = TaxonId(self.labels.len() as u32);
        self.labels.push(label.into());
        self.parents.push(None);
        taxon
    }

    /// Adds a taxon that a line of a file names.
    pub fn add_at(&mut self, label: &str, line: u64) -> TaxonId {
        let taxon = self.add(label);
        self.lines.insert(taxon, line);
        taxon
    }

    /// Sets the parent of a taxon.
    pub fn link(&mut self, child: TaxonId, parent: TaxonId) {
        self.parents[child.0 as usize] = Some(parent);
    }

    /// Says that a value of the data is this leaf.
    pub fn value(&mut self, text: &str, leaf: TaxonId) {
        self.values.insert(text.into(), leaf);
    }

    /// Says how many values of the domain lie below a taxon, where not every one of them is a leaf of the tree.
    pub fn domain(&mut self, taxon: TaxonId, values: u64) {
        self.domains.insert(taxon, values);
    }

    /// Notes something a reader of the file should know.
    pub fn warn(&mut self, warning: String) {
        self.warnings.push(warning);
    }

    /// The label of a taxon.
    pub fn label(&self, taxon: TaxonId) -> &str {
        &self.labels[taxon.0 as usize]
    }

    /// The parent of a taxon.
    pub fn parent(&self, taxon: TaxonId) -> Option<TaxonId> {
        self.parents[taxon.0 as usize]
    }

    /// The tree; `suppressible` puts suppression on top unless the top is it already.
    pub fn finish(mut self, suppressible: bool) -> Result<Hierarchy, NotATree> {
        let mut root = self.single_top()?;
        if suppressible && !is_star(self.label(root)) {
            let star = self.add(STAR);
            self.link(root, star);
            if let Some(values) = self.domains.get(&root).copied() {
                self.domain(star, values);
            }
            root = star;
        }
        let depths = self.depths()?;
        let leaves = self.leaf_counts(&depths);
        let (height, even) = self.shape(&depths)?;
        Ok(Hierarchy {
            labels: self.labels,
            parents: self.parents,
            depths,
            leaves,
            root,
            height,
            even,
            values: self.values,
            warnings: self.warnings,
        })
    }

    fn single_top(&self) -> Result<TaxonId, NotATree> {
        let tops: Vec<usize> = (0..self.parents.len())
            .filter(|taxon| self.parents[*taxon].is_none())
            .collect();
        match tops.as_slice() {
            [top] => Ok(TaxonId(*top as u32)),
            [] if self.labels.is_empty() => Err(NotATree::Empty),
            [] => Err(self.cycle(0)),
            several => {
                let labels = several
                    .iter()
                    .map(|top| self.labels[*top].to_string())
                    .collect();
                let second = several.get(1).and_then(|top| self.line(*top));
                Err(NotATree::Tops(labels, second))
            }
        }
    }

    fn line(&self, taxon: usize) -> Option<u64> {
        self.lines.get(&TaxonId(taxon as u32)).copied()
    }

    fn cycle(&self, taxon: usize) -> NotATree {
        NotATree::Cycle(self.labels[taxon].to_string(), self.line(taxon))
    }

    /// Depths by walking up until a known depth; a walk longer than the number of taxa has met a cycle.
    fn depths(&self) -> Result<Vec<u16>, NotATree> {
        let mut depths: Vec<Option<u16>> = vec![None; self.labels.len()];
        for start in 0..self.labels.len() {
            let mut path = Vec::new();
            let mut at = start;
            let base = loop {
                if let Some(depth) = depths[at] {
                    break usize::from(depth);
                }
                path.push(at);
                if path.len() > self.labels.len() {
                    return Err(self.cycle(start));
                }
                let Some(parent) = self.parents[at] else {
                    depths[at] = Some(0);
                    path.pop();
                    break 0;
                };
                at = parent.0 as usize;
            };
            for (steps, taxon) in path.iter().rev().enumerate() {
                let depth = base + steps + 1;
                if depth > MAX_HEIGHT {
                    return Err(NotATree::TooTall(depth));
                }
                depths[*taxon] = Some(depth as u16);
            }
        }
        Ok(depths.into_iter().map(|depth| depth.unwrap_or(0)).collect())
    }

    fn leaf_counts(&self, depths: &[u16]) -> Vec<u64> {
        let mut has_child = vec![false; self.labels.len()];
        self.parents
            .iter()
            .flatten()
            .for_each(|parent| has_child[parent.0 as usize] = true);
        let mut leaves: Vec<u64> = has_child.iter().map(|inner| u64::from(!inner)).collect();
        let mut order: Vec<usize> = (0..self.labels.len()).collect();
        order.sort_by_key(|taxon| std::cmp::Reverse(depths[*taxon]));
        for taxon in order {
            if let Some(values) = self.domains.get(&TaxonId(taxon as u32)) {
                leaves[taxon] = *values;
            }
            if let Some(parent) = self.parents[taxon] {
                leaves[parent.0 as usize] += leaves[taxon];
            }
        }
        leaves
    }

    fn shape(&self, depths: &[u16]) -> Result<(u8, bool), NotATree> {
        let mut has_child = vec![false; self.labels.len()];
        self.parents
            .iter()
            .flatten()
            .for_each(|parent| has_child[parent.0 as usize] = true);
        let leaf_depths = || {
            depths
                .iter()
                .zip(&has_child)
                .filter(|(_, inner)| !**inner)
                .map(|(depth, _)| *depth)
        };
        let height = leaf_depths().max().unwrap_or(0);
        let even = leaf_depths().all(|depth| depth == height);
        let height = u8::try_from(height).map_err(|_| NotATree::TooTall(height.into()))?;
        Ok((height, even))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suppression_is_added_above_a_named_top_only() {
        let mut builder = TreeBuilder::default();
        let (leaf, top) = (builder.add("a"), builder.add("Person"));
        builder.link(leaf, top);
        builder.value("a", leaf);
        let tree = builder.finish(true).unwrap();
        assert_eq!((tree.label(tree.root()), tree.height()), ("*", 2));

        let mut builder = TreeBuilder::default();
        let (leaf, top) = (builder.add("a"), builder.add("*****"));
        builder.link(leaf, top);
        let tree = builder.finish(true).unwrap();
        assert_eq!((tree.label(tree.root()), tree.height()), ("*****", 1));
    }

    #[test]
    fn a_cycle_beside_a_tree_is_found() {
        let mut builder = TreeBuilder::default();
        let (a, b, top) = (builder.add("a"), builder.add("b"), builder.add("top"));
        builder.link(a, b);
        builder.link(b, a);
        assert_eq!(builder.label(top), "top");
        assert_eq!(
            builder.finish(false),
            Err(NotATree::Cycle("a".to_owned(), None))
        );
    }

    #[test]
    fn a_shallow_leaf_stands_for_itself_until_its_turn_comes() {
        let mut builder = TreeBuilder::default();
        let (deep, mid, shallow, top) = (
            builder.add("deep"),
            builder.add("mid"),
            builder.add("shallow"),
            builder.add("*"),
        );
        builder.link(deep, mid);
        builder.link(mid, top);
        builder.link(shallow, top);
        let tree = builder.finish(true).unwrap();
        assert!(!tree.is_even());
        assert_eq!(tree.label(tree.at_level(deep, 1)), "mid");
        assert_eq!(tree.label(tree.at_level(shallow, 1)), "shallow");
        assert_eq!(tree.label(tree.at_level(shallow, 2)), "*");
    }
}
