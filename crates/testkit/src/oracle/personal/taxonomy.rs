//! A rooted tree of names.
//!
//! **Definition.** Each taxon has a parent but the root; the values are the leaves (\[XiaoTao06\], section 2.1); SUBTR(x) holds x and
//! all below it.
//! **Reading.** Taxa are numbered so that a parent stands before its children; branches may have different depths.

/// A taxonomy; taxa are indices into `names`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Taxonomy {
    names: Vec<String>,
    parents: Vec<Option<usize>>,
    leaves_below: Vec<Vec<usize>>,
}

impl Taxonomy {
    /// The tree of these names, with the parent of each: none for the first, an earlier one for all others.
    ///
    /// # Panics
    /// When that is no tree or a name occurs twice.
    #[must_use]
    pub fn from_parents(names: &[&str], parents: &[Option<usize>]) -> Self {
        assert_eq!(names.len(), parents.len(), "each taxon has its parent");
        for (taxon, parent) in parents.iter().enumerate() {
            assert_eq!(parent.is_none(), taxon == 0, "only the first is the root");
            assert!(parent.is_none_or(|parent| parent < taxon), "parents first");
            assert!(!names[..taxon].contains(&names[taxon]), "a name twice");
        }
        let mut leaves_below = vec![Vec::new(); names.len()];
        for leaf in (0..names.len()).filter(|taxon| !parents.contains(&Some(*taxon))) {
            let mut above = Some(leaf);
            while let Some(taxon) = above {
                leaves_below[taxon].push(leaf);
                above = parents[taxon];
            }
        }
        Self {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            parents: parents.to_vec(),
            leaves_below,
        }
    }

    /// The tree of an outline: a taxon a line, two spaces for each level below the root.
    ///
    /// # Panics
    /// When a line is deeper by more than one level than the line before, or there is no single root.
    #[must_use]
    pub fn from_outline(text: &str) -> Self {
        let mut path: Vec<usize> = Vec::new();
        let mut names = Vec::new();
        let mut parents = Vec::new();
        for (taxon, line) in text.lines().enumerate() {
            let name = line.trim_start_matches(' ');
            let depth = (line.len() - name.len()) / 2;
            assert!(depth <= path.len(), "line {} is too deep", taxon + 1);
            path.truncate(depth);
            parents.push(path.last().copied());
            names.push(name);
            path.push(taxon);
        }
        Self::from_parents(&names, &parents)
    }

    /// The outline of the tree.
    #[must_use]
    pub fn outline(&self) -> String {
        self.outline_below(self.root())
    }

    fn outline_below(&self, taxon: usize) -> String {
        let indent = "  ".repeat(self.ancestors(taxon).len());
        let below: String = self
            .children(taxon)
            .into_iter()
            .map(|child| self.outline_below(child))
            .collect();
        format!("{indent}{}\n{below}", self.names[taxon])
    }

    /// How many taxa there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// The taxon of that name.
    ///
    /// # Panics
    /// When there is none.
    #[must_use]
    pub fn taxon(&self, name: &str) -> usize {
        self.names
            .iter()
            .position(|known| known == name)
            .unwrap_or_else(|| panic!("no taxon `{name}`"))
    }

    /// The name of a taxon.
    #[must_use]
    pub fn name(&self, taxon: usize) -> &str {
        &self.names[taxon]
    }

    /// The names of these taxa.
    #[must_use]
    pub fn names(&self, taxa: &[usize]) -> Vec<&str> {
        taxa.iter().map(|taxon| self.name(*taxon)).collect()
    }

    /// The root.
    #[must_use]
    pub fn root(&self) -> usize {
        0
    }

    /// The parent; the root has none.
    #[must_use]
    pub fn parent(&self, taxon: usize) -> Option<usize> {
        self.parents[taxon]
    }

    /// The children, in order.
    #[must_use]
    pub fn children(&self, taxon: usize) -> Vec<usize> {
        (0..self.count())
            .filter(|child| self.parents[*child] == Some(taxon))
            .collect()
    }

    /// All leaves, in order.
    #[must_use]
    pub fn leaves(&self) -> &[usize] {
        self.leaves_below(self.root())
    }

    /// The leaves of the taxon's subtree; of a leaf, itself.
    #[must_use]
    pub fn leaves_below(&self, taxon: usize) -> &[usize] {
        &self.leaves_below[taxon]
    }

    /// All taxa above, the nearest first.
    #[must_use]
    pub fn ancestors(&self, taxon: usize) -> Vec<usize> {
        std::iter::successors(self.parent(taxon), |above| self.parent(*above)).collect()
    }

    /// The path from the root to the taxon, both among it.
    #[must_use]
    pub fn path(&self, taxon: usize) -> Vec<usize> {
        let mut path = self.ancestors(taxon);
        path.reverse();
        path.push(taxon);
        path
    }

    /// Whether the taxon is in SUBTR(`above`), which holds `above` itself.
    #[must_use]
    pub fn is_within(&self, taxon: usize, above: usize) -> bool {
        taxon == above || self.ancestors(taxon).contains(&above)
    }
}

#[cfg(test)]
mod tests {
    use super::Taxonomy;

    const OUTLINE: &str = "all\n  a\n    a1\n    a2\n  b\n";

    #[test]
    fn an_outline_is_read_and_written() {
        let tree = Taxonomy::from_outline(OUTLINE);
        let parents = [None, Some(0), Some(1), Some(1), Some(0)];
        let same = Taxonomy::from_parents(&["all", "a", "a1", "a2", "b"], &parents);
        assert_eq!((tree.outline().as_str(), &tree), (OUTLINE, &same));
    }

    #[test]
    fn leaves_paths_and_subtrees_are_those_of_the_tree() {
        let tree = Taxonomy::from_outline(OUTLINE);
        assert_eq!(tree.names(tree.leaves()), ["a1", "a2", "b"]);
        let [a, deep, b] = ["a", "a2", "b"].map(|name| tree.taxon(name));
        assert_eq!(tree.names(&tree.path(deep)), ["all", "a", "a2"]);
        assert_eq!(tree.names(tree.leaves_below(a)), ["a1", "a2"]);
        assert_eq!(tree.leaves_below(b), [b]);
        assert!(tree.is_within(deep, a) && tree.is_within(a, a));
        assert!(!tree.is_within(a, deep) && !tree.is_within(b, a));
    }

    #[test]
    fn outlines_that_are_no_tree_are_refused() {
        for text in ["a\nb\n", "a\n    b\n", "a\n  b\n  b\n", "  a\n"] {
            assert!(std::panic::catch_unwind(|| Taxonomy::from_outline(text)).is_err());
        }
    }
}
