//! Masks: characters replaced by stars from one end, `02138 → 0213* → … → *****`.
//!
//! **Reading.** Values of different lengths keep apart until the top: the top has as many stars as the longest value,
//! and a shorter value waits until the level at which its own length is reached.

use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::builder::TreeBuilder;
use super::{Hierarchy, MAX_HEIGHT, STAR, TaxonId};

/// The end at which masking starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The last character first.
    Right,
    /// The first character first.
    Left,
}

pub(super) fn over<'a>(
    side: Side,
    values: impl Iterator<Item = &'a str> + Clone,
    suppressible: bool,
) -> Option<Hierarchy> {
    let longest = values
        .clone()
        .map(|value| value.chars().count())
        .max()
        .unwrap_or(0)
        .max(1);
    if longest > MAX_HEIGHT {
        return None;
    }
    let mut builder = TreeBuilder::default();
    let top = builder.add(&STAR.repeat(longest));
    let mut known: FxHashMap<String, TaxonId> = FxHashMap::default();
    for value in values {
        let characters: Vec<char> = value.chars().collect();
        let mut above = top;
        for kept in 1..characters.len() {
            let label = masked(side, &characters, kept);
            above = *known.entry(label).or_insert_with_key(|label| {
                let taxon = builder.add(label);
                builder.link(taxon, above);
                taxon
            });
        }
        let leaf = builder.add(value);
        builder.link(leaf, above);
        builder.value(value, leaf);
    }
    builder.finish(suppressible).ok()
}

fn masked(side: Side, characters: &[char], kept: usize) -> String {
    let stars = std::iter::repeat_n('*', characters.len() - kept);
    match side {
        Side::Right => characters[..kept].iter().copied().chain(stars).collect(),
        Side::Left => stars
            .chain(characters[characters.len() - kept..].iter().copied())
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(side: Side, values: &[&str], value: &str) -> Vec<String> {
        let tree = over(side, values.iter().copied(), true).unwrap();
        let leaf = tree.leaf(value).unwrap();
        (0..=tree.height())
            .map(|level| tree.label(tree.at_level(leaf, level)).to_owned())
            .collect()
    }

    #[test]
    fn stars_come_from_the_chosen_end() {
        assert_eq!(
            labels(Side::Right, &["02138", "02139"], "02138"),
            ["02138", "0213*", "021**", "02***", "0****", "*****"]
        );
        assert_eq!(
            labels(Side::Left, &["abc"], "abc"),
            ["abc", "*bc", "**c", "***"]
        );
    }

    #[test]
    fn a_shorter_value_waits() {
        assert_eq!(
            labels(Side::Right, &["213", "02138"], "213"),
            ["213", "213", "213", "21*", "2**", "*****"]
        );
        assert_eq!(labels(Side::Right, &["", "ü"], "ü"), ["ü", "*"]);
        assert_eq!(labels(Side::Right, &["", "ab"], ""), ["", "", "**"]);
    }
}
