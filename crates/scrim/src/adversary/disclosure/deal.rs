//! All histograms that a group can have.

/// Rows that a group takes from one class: how many of each value are there, and how many rows are taken.
#[derive(Clone, Debug)]
pub(super) struct Share<'a> {
    /// Counts of the class, by value.
    pub(super) counts: &'a [(u32, u32)],
    /// Rows taken.
    pub(super) rows: u32,
}

/// Sees (value, taken) for each value of each share and says whether to go on.
pub(super) type See<'s> = dyn FnMut(&[(u32, u32)]) -> bool + 's;

/// Walks over all ways of taking so many of each value, class by class, one histogram of the group a way (the same histogram may come
/// again where several classes can give it). The visitor sees (value, taken) in the order of the shares and their counts and says
/// whether to go on. Says whether the walk reached its end within `most` moves.
pub(super) fn deal(shares: &[Share<'_>], most: usize, visit: &mut See<'_>) -> bool {
    let mut walk = Walk {
        left: most,
        taken: Vec::new(),
        visit,
    };
    walk.share(shares, 0)
}

struct Walk<'a, 's> {
    left: usize,
    taken: Vec<(u32, u32)>,
    visit: &'a mut See<'s>,
}

impl Walk<'_, '_> {
    fn share(&mut self, shares: &[Share<'_>], at: usize) -> bool {
        let Some(share) = shares.get(at) else {
            return (self.visit)(&self.taken);
        };
        let capacity = share
            .counts
            .iter()
            .map(|(_, count)| u64::from(*count))
            .sum();
        self.value(shares, at, 0, share.rows, capacity)
    }

    fn value(
        &mut self,
        shares: &[Share<'_>],
        at: usize,
        index: usize,
        rows: u32,
        capacity: u64,
    ) -> bool {
        let Some(left) = self.left.checked_sub(1) else {
            return false;
        };
        self.left = left;
        let Some((value, count)) = shares[at].counts.get(index).copied() else {
            return rows > 0 || self.share(shares, at + 1);
        };
        let after = capacity - u64::from(count);
        let least = u64::from(rows).saturating_sub(after) as u32;
        for taken in least..=count.min(rows) {
            self.taken.push((value, taken));
            let on = self.value(shares, at, index + 1, rows - taken, after);
            self.taken.pop();
            if !on {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_is_seen_once_and_a_short_budget_is_told() {
        let counts = [(0, 2), (3, 1), (4, 2)];
        let share = Share {
            counts: &counts,
            rows: 3,
        };
        let mut seen = Vec::new();
        assert!(deal(std::slice::from_ref(&share), 1000, &mut |taken| {
            seen.push(taken.iter().map(|(_, rows)| *rows).collect::<Vec<_>>());
            true
        }));
        let all = [[0, 1, 2], [1, 0, 2], [1, 1, 1], [2, 0, 1], [2, 1, 0]];
        assert_eq!(seen, all);
        assert!(!deal(&[share], 4, &mut |_| true));
    }
}
