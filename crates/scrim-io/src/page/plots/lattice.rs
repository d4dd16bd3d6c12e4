//! A lattice of generalizations: rows by how far up a node is in all, the raw table at the bottom, the chosen node marked.

use super::{Caption, WIDTH, figure, line, short, text};
use crate::page::html::Html;

/// Lattices of more nodes are not drawn.
pub(crate) const MOST: u64 = 150;

/// How high a row is.
const STEP: f64 = 30.0;

/// The lattice of these columns (name, height, chosen level); nothing where it is too large to be drawn.
pub(crate) fn lattice(caption: &Caption, columns: &[(&str, u64, u64)]) -> Option<Html> {
    let size = columns
        .iter()
        .try_fold(1u64, |size, (_, height, _)| size.checked_mul(height + 1))?;
    if columns.is_empty() || size > MOST {
        return None;
    }
    let nodes = nodes(columns);
    let chosen: Vec<u64> = columns.iter().map(|(_, _, level)| *level).collect();
    let rows = columns.iter().map(|(_, height, _)| height).sum::<u64>() as usize + 1;
    let mut by_row: Vec<Vec<&Vec<u64>>> = vec![Vec::new(); rows];
    for node in &nodes {
        by_row[node.iter().sum::<u64>() as usize].push(node);
    }
    let left = 26.0;
    let place = |node: &[u64]| {
        let sum = node.iter().sum::<u64>() as usize;
        let own = &by_row[sum];
        let at = own.iter().position(|other| *other == node).unwrap_or(0);
        let x = left + (WIDTH - left) * (at as f64 + 0.5) / own.len() as f64;
        (x, 16.0 + STEP * (rows - 1 - sum) as f64)
    };
    let mut drawn = Html::new();
    for node in &nodes {
        for (at, (_, height, _)) in columns.iter().enumerate() {
            if node[at] < *height {
                let mut above = node.clone();
                above[at] += 1;
                drawn.push(&line(place(node), place(&above), "edge"));
            }
        }
    }
    for node in &nodes {
        let is_chosen = *node == chosen;
        drawn.push(&dot(place(node), is_chosen, &told(columns, node)));
    }
    for sum in 0..rows {
        let y = 20.0 + STEP * (rows - 1 - sum) as f64;
        drawn.push(&text(14.0, y, "end", "axis", &sum.to_string()));
    }
    let bottom = 16.0 + STEP * (rows - 1) as f64;
    let words = "upwards: levels climbed, all columns together (count)";
    drawn.push(&text(4.0, bottom + 24.0, "start", "axis", words));
    Some(figure(caption, bottom + 32.0, &drawn))
}

/// All nodes, in lexicographic order.
fn nodes(columns: &[(&str, u64, u64)]) -> Vec<Vec<u64>> {
    let mut nodes = vec![Vec::new()];
    for (_, height, _) in columns {
        let longer = |node: &Vec<u64>| {
            let node = node.clone();
            (0..=*height).map(move |level| [&node[..], &[level]].concat())
        };
        nodes = nodes.iter().flat_map(longer).collect();
    }
    nodes
}

fn told(columns: &[(&str, u64, u64)], node: &[u64]) -> String {
    let levels = columns.iter().zip(node);
    let levels: Vec<String> = levels
        .map(|((name, _, _), level)| format!("{name} {level}"))
        .collect();
    levels.join(", ")
}

fn dot((x, y): (f64, f64), is_chosen: bool, words: &str) -> Html {
    let (radius, class) = if is_chosen {
        ("7", "chosen")
    } else {
        ("3.5", "node")
    };
    let attributes = [
        ("cx", &*short(x)),
        ("cy", &*short(y)),
        ("r", radius),
        ("class", class),
    ];
    let mut inner = Html::tag("circle", &attributes, &Html::line("title", &[], words));
    if is_chosen {
        let (anchor, beside) = if x > WIDTH * 0.7 {
            ("end", x - 11.0)
        } else {
            ("start", x + 11.0)
        };
        inner.push(&text(beside, y + 4.0, anchor, "number halo", "chosen"));
    }
    inner
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_lattice_is_drawn_whole_and_a_large_one_not() {
        let caption = Caption {
            id: "l".to_owned(),
            title: "t".to_owned(),
            told: "d".to_owned(),
            source: "s".to_owned(),
        };
        let drawn = lattice(&caption, &[("a", 2, 1), ("b", 1, 0)]).unwrap();
        let drawn = drawn.into_string();
        assert_eq!(drawn.matches("<circle").count(), 6);
        assert_eq!(drawn.matches("class=\"edge\"").count(), 7);
        assert_eq!(drawn.matches("class=\"chosen\"").count(), 1);
        assert!(drawn.contains("a 1, b 0"));
        assert!(lattice(&caption, &[("a", 12, 1), ("b", 12, 0)]).is_none());
        assert!(lattice(&caption, &[]).is_none());
        assert!(lattice(&caption, &[("a", u64::MAX - 1, 1), ("b", 9, 0)]).is_none());
    }
}
