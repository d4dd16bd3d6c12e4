//! What sums alone say: the fewest and the most carriers among persons with the same classes, release by release.

/// So often everything is gone through; what is found is right after any number of times.
const ROUNDS: usize = 64;

/// The fewest and the most carriers, by atom and place among its classes.
pub(super) struct Sums<'a> {
    pub(super) linked: &'a [u64],
    pub(super) fewest: Vec<Vec<u64>>,
    pub(super) most: Vec<Vec<u64>>,
}

impl<'a> Sums<'a> {
    /// Nothing where the counts contradict each other.
    pub(super) fn of(atoms: &[(&[u32], u64)], linked: &'a [u64]) -> Option<Self> {
        let zeros = |(classes, _): &(&[u32], u64)| vec![0; classes.len()];
        let whole = |(classes, persons): &(&[u32], u64)| vec![*persons; classes.len()];
        let mut sums = Self {
            linked,
            fewest: atoms.iter().map(zeros).collect(),
            most: atoms.iter().map(whole).collect(),
        };
        for _ in 0..ROUNDS {
            let before = (sums.fewest.clone(), sums.most.clone());
            sums.by_class(atoms)?;
            sums.by_time()?;
            if before == (sums.fewest.clone(), sums.most.clone()) {
                break;
            }
        }
        Some(sums)
    }

    /// A class's count less what all others have at most, or at least.
    fn by_class(&mut self, atoms: &[(&[u32], u64)]) -> Option<()> {
        let mut fewest = vec![0; self.linked.len()];
        let mut most = vec![0; self.linked.len()];
        for (atom, (classes, _)) in atoms.iter().enumerate() {
            for (place, class) in classes.iter().enumerate() {
                fewest[*class as usize] += self.fewest[atom][place];
                most[*class as usize] += self.most[atom][place];
            }
        }
        for (atom, (classes, _)) in atoms.iter().enumerate() {
            for (place, class) in classes.iter().enumerate() {
                let class = *class as usize;
                let linked = self.linked[class];
                let others_fewest = fewest[class] - self.fewest[atom][place];
                let others_most = most[class] - self.most[atom][place];
                let (own_fewest, own_most) =
                    (&mut self.fewest[atom][place], &mut self.most[atom][place]);
                // Sums that change meanwhile only become narrower: the old ones are right, too.
                *own_fewest = (*own_fewest).max(linked.saturating_sub(others_most));
                *own_most = (*own_most).min(linked.checked_sub(others_fewest)?);
                if own_fewest > own_most {
                    return None;
                }
            }
        }
        Some(())
    }

    /// Nobody loses the value.
    fn by_time(&mut self) -> Option<()> {
        for (fewest, most) in self.fewest.iter_mut().zip(&mut self.most) {
            for at in 1..fewest.len() {
                fewest[at] = fewest[at].max(fewest[at - 1]);
            }
            for at in (1..most.len()).rev() {
                most[at - 1] = most[at - 1].min(most[at]);
            }
            if fewest
                .iter()
                .zip(most)
                .any(|(fewest, most)| *fewest > *most)
            {
                return None;
            }
        }
        Some(())
    }

    /// Whether it is open how many of an atom have the value there.
    pub(super) fn is_open(&self, atom: usize, place: usize) -> bool {
        self.fewest[atom][place] < self.most[atom][place]
    }
}
