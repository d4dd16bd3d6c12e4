//! How nodes, rows and shares are written.

use scrim::Share;
use scrim::recoding::Node;

/// A share as a fraction and to four places.
pub(super) fn share(share: Share) -> String {
    format!("{share} = {}", rounded(share, 4))
}

/// Whether a share, rounded to two places, is what the paper prints.
pub(super) fn prints_as(share: Share, printed: &str) -> bool {
    rounded(share, 2) == printed
}

/// A share of at least 0 in decimals, halves rounded up; a float would round 25/32 down.
fn rounded(share: Share, places: usize) -> String {
    let scale = 10i128.pow(places as u32);
    let (above, below) = (share.numerator() * scale, share.denominator());
    let units = (2 * above + below) / (2 * below);
    format!("{}.{:0places$}", units / scale, units % scale)
}

/// A node as the paper writes it.
pub(super) fn node(node: &Node) -> String {
    let levels: Vec<String> = node.levels().iter().map(ToString::to_string).collect();
    format!("[{}]", levels.join(","))
}

/// Several nodes.
pub(super) fn nodes(nodes: &[Node]) -> String {
    nodes.iter().map(node).collect::<Vec<_>>().join(" ")
}

/// Rows from 0 as the paper numbers them; many as a count.
pub(super) fn rows(rows: &[usize]) -> String {
    match rows.len() {
        0 => "none".to_owned(),
        1..=7 => {
            let named: Vec<String> = rows.iter().map(|row| format!("t{}", row + 1)).collect();
            named.join(" ")
        }
        count => format!("{count} rows"),
    }
}

/// Numbers with spaces between.
pub(super) fn numbers<T: ToString>(numbers: impl IntoIterator<Item = T>) -> String {
    let texts: Vec<String> = numbers
        .into_iter()
        .map(|number| number.to_string())
        .collect();
    texts.join(" ")
}
