//! Classes that look alike are one class. Those that are not valid together are told apart: one of them shows wider cells.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};

use super::crowd::{Crowd, Group};
use crate::recoding::Cell;

/// So many wider cells are looked at for one class.
const WIDER: usize = 512;

type Cells = Box<[Cell]>;

/// Classes with cells of their own; none where some cannot be told apart.
pub(super) fn told_apart(
    crowd: &Crowd<'_>,
    classes: Vec<Vec<u32>>,
) -> Option<Vec<(Vec<u32>, Cells)>> {
    let mut alike: FxHashMap<Cells, u32> = FxHashMap::default();
    let mut groups: Vec<(Cells, Vec<Vec<u32>>)> = Vec::new();
    for class in classes {
        let cells = crowd.cells(&class);
        let next = groups.len() as u32;
        let at = *alike.entry(cells.clone()).or_insert(next);
        if at == next {
            groups.push((cells, vec![class]));
        } else {
            groups[at as usize].1.push(class);
        }
    }
    let mut bins = Bins::default();
    let mut later = Vec::new();
    for (cells, mut classes) in groups {
        if classes.len() > 1 {
            let all = classes.concat();
            if crowd.is_valid(&all) {
                classes = vec![all];
            }
        }
        let mut classes = classes.into_iter();
        if let Some(first) = classes.next() {
            bins.put(cells.clone(), Group::of(crowd, &first));
        }
        later.extend(classes.map(|class| (cells.clone(), class)));
    }
    for (cells, class) in later {
        bins.find(crowd, cells, &class)?;
    }
    let bins = bins.groups.into_iter();
    Some(bins.map(|(cells, group)| (group.rows, cells)).collect())
}

/// Classes by the cells that they show.
#[derive(Default)]
struct Bins {
    at: FxHashMap<Cells, usize>,
    groups: Vec<(Cells, Group)>,
}

impl Bins {
    fn put(&mut self, cells: Cells, group: Group) {
        self.at.insert(cells.clone(), self.groups.len());
        self.groups.push((cells, group));
    }

    /// A place for a class: with a class that looks alike, or at the cheapest wider cells that nobody shows.
    fn find(&mut self, crowd: &Crowd<'_>, cells: Cells, class: &[u32]) -> Option<()> {
        let mut open = BinaryHeap::from([Reverse((crowd.price_of(&cells), cells.clone()))]);
        let mut seen: FxHashSet<Cells> = FxHashSet::from_iter([cells]);
        for _ in 0..WIDER {
            let Reverse((_, cells)) = open.pop()?;
            match self.at.get(&cells) {
                None => {
                    self.put(cells, Group::of(crowd, class));
                    return Some(());
                }
                Some(at) if self.groups[*at].1.is_valid_with(crowd, class) => {
                    self.groups[*at].1.add(crowd, class);
                    return Some(());
                }
                Some(_) => {}
            }
            for (attribute, axis) in crowd.axes.iter().enumerate() {
                for wider in axis.wider(cells[attribute]) {
                    let mut next = cells.clone();
                    next[attribute] = wider;
                    if seen.insert(next.clone()) {
                        open.push(Reverse((crowd.price_of(&next), next)));
                    }
                }
            }
        }
        None
    }
}
