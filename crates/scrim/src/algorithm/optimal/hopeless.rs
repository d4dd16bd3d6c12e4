//! Nodes that settle all nodes below them.

use crate::hierarchy::Level;
use crate::recoding::Node;

/// Hopeless nodes of which none lies below another, packed: a byte an attribute, compared eight at a time.
#[derive(Clone, Debug)]
pub(super) struct Hopeless {
    words: usize,
    nodes: Vec<u64>,
    /// Levels above 127 do not leave the bit free that the comparison needs: then nothing is remembered.
    fits: bool,
}

/// The high bit of every byte.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// So many nodes are remembered: beyond that looking them up costs more than counting.
const MOST: usize = 1 << 14;

impl Hopeless {
    pub(super) fn new(top: &Node) -> Self {
        Self {
            words: top.levels().len().div_ceil(8).max(1),
            nodes: Vec::new(),
            fits: top.levels().iter().all(|level| *level < 128),
        }
    }

    fn pack(&self, node: &Node) -> Vec<u64> {
        let pack = |levels: &[Level]| {
            let bytes = levels.iter().rev();
            bytes.fold(0, |word, level| word << 8 | u64::from(*level))
        };
        let mut packed: Vec<u64> = node.levels().chunks(8).map(pack).collect();
        packed.resize(self.words, 0);
        packed
    }

    /// Whether every byte of the first is at least that of the second.
    fn above(high: &[u64], low: &[u64]) -> bool {
        let mut pairs = high.iter().zip(low);
        pairs.all(|(high, low)| ((high | HIGH) - low) & HIGH == HIGH)
    }

    /// Whether a node is known to be below a hopeless one.
    pub(super) fn covers(&self, node: &Node) -> bool {
        let packed = self.pack(node);
        let mut nodes = self.nodes.chunks_exact(self.words);
        nodes.any(|known| Self::above(known, &packed))
    }

    /// Remembers a node, and forgets those below it.
    pub(super) fn add(&mut self, node: &Node) {
        if !self.fits || self.nodes.len() >= MOST * self.words || self.covers(node) {
            return;
        }
        let packed = self.pack(node);
        let known = std::mem::take(&mut self.nodes);
        let kept = known.chunks_exact(self.words);
        let kept = kept.filter(|known| !Self::above(&packed, known)).flatten();
        self.nodes = kept.copied().chain(packed.iter().copied()).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_below_a_known_node_is_covered_and_nothing_else() {
        for attributes in [1, 7, 8, 9, 20] {
            let node = |level: u8| Node::new(vec![level; attributes]);
            let mut hopeless = Hopeless::new(&node(5));
            assert!(!hopeless.covers(&node(0)));
            hopeless.add(&node(2));
            for at in 0..attributes {
                assert!(hopeless.covers(&node(2).with(at, 1)));
                assert!(!hopeless.covers(&node(0).with(at, 3)));
            }
            hopeless.add(&node(3));
            assert_eq!(hopeless.nodes.len(), hopeless.words);
        }
    }
}
