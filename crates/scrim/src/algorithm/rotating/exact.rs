//! A few rows, put into classes in the best way there is.

use super::crowd::Crowd;

/// So many rows can be parted in every way.
pub(super) const FEW: usize = 8;

/// The cheapest valid partition of a few rows, by subsets; none where there is none.
pub(super) fn cheapest(crowd: &Crowd<'_>, rows: &[u32]) -> Option<(u64, Vec<Vec<u32>>)> {
    let count = rows.len();
    if count == 0 || count > FEW {
        return None;
    }
    let members = |mask: usize| -> Vec<u32> {
        let inside = (0..count).filter(|at| mask >> at & 1 == 1);
        inside.map(|at| rows[at]).collect()
    };
    let whole = (1usize << count) - 1;
    let cost = |mask: usize| {
        let rows = members(mask);
        crowd.is_valid(&rows).then(|| crowd.cost(&rows))
    };
    let costs: Vec<Option<u64>> = (0..=whole)
        .map(|mask| if mask == 0 { None } else { cost(mask) })
        .collect();
    // The best way to part each subset, and the class of its first row in it.
    let mut best: Vec<Option<(u64, usize)>> = vec![None; whole + 1];
    best[0] = Some((0, 0));
    for mask in 1..=whole {
        let first = mask & mask.wrapping_neg();
        let rest = mask ^ first;
        let mut part = rest;
        loop {
            let class = part | first;
            if let (Some(cost), Some((others, _))) = (costs[class], best[mask ^ class]) {
                let sum = cost + others;
                if best[mask].is_none_or(|(least, _)| sum < least) {
                    best[mask] = Some((sum, class));
                }
            }
            if part == 0 {
                break;
            }
            part = (part - 1) & rest;
        }
    }
    let (cost, _) = best[whole]?;
    let mut classes = Vec::new();
    let mut mask = whole;
    while let Some((_, class)) = best[mask].filter(|_| mask != 0) {
        classes.push(members(class));
        mask ^= class;
    }
    Some((cost, classes))
}

/// All valid partitions of a few rows, the cheapest first.
pub(super) fn all(crowd: &Crowd<'_>, rows: &[u32]) -> Vec<Vec<Vec<u32>>> {
    if rows.len() > FEW {
        return Vec::new();
    }
    let mut found: Vec<(u64, Vec<Vec<u32>>)> = Vec::new();
    let mut classes: Vec<Vec<u32>> = Vec::new();
    part(rows, &mut classes, &mut |classes| {
        if classes.iter().all(|class| crowd.is_valid(class)) {
            let cost = classes.iter().map(|class| crowd.cost(class)).sum();
            found.push((cost, classes.to_vec()));
        }
    });
    found.sort();
    found.into_iter().map(|(_, classes)| classes).collect()
}

fn part(rows: &[u32], classes: &mut Vec<Vec<u32>>, visit: &mut dyn FnMut(&[Vec<u32>])) {
    let Some((row, rest)) = rows.split_first() else {
        visit(classes);
        return;
    };
    for at in 0..classes.len() {
        classes[at].push(*row);
        part(rest, classes, visit);
        classes[at].pop();
    }
    classes.push(vec![*row]);
    part(rest, classes, visit);
    classes.pop();
}
