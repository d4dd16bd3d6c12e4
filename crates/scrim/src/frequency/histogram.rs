//! Sparse histograms of one column for all tuples: which values, and how often each.

/// For each tuple the codes that occur in it, ascending, with their counts.
#[derive(Clone, Debug, Default)]
pub struct Histogram {
    starts: Vec<u32>,
    codes: Vec<u32>,
    counts: Vec<u32>,
}

/// The histogram of one tuple.
#[derive(Clone, Copy, Debug)]
pub struct Slice<'a> {
    codes: &'a [u32],
    counts: &'a [u32],
}

impl<'a> Slice<'a> {
    /// How many different values.
    pub fn distinct(self) -> usize {
        self.codes.len()
    }

    /// The codes, ascending.
    pub fn codes(self) -> &'a [u32] {
        self.codes
    }

    /// The counts, by code.
    pub fn counts(self) -> &'a [u32] {
        self.counts
    }

    /// Codes with their counts.
    pub fn iter(self) -> impl Iterator<Item = (u32, u32)> + 'a {
        self.codes.iter().copied().zip(self.counts.iter().copied())
    }
}

impl Histogram {
    /// Counts cells: tuple, code, and how often that stands in the table.
    pub(crate) fn count(
        tuples: usize,
        cells: impl Iterator<Item = (u32, u32, u64)> + Clone,
    ) -> Self {
        let mut starts = vec![0u32; tuples + 1];
        cells
            .clone()
            .for_each(|(tuple, ..)| starts[tuple as usize + 1] += 1);
        for at in 0..tuples {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut codes = vec![0; starts[tuples] as usize];
        let mut counts = vec![0u32; codes.len()];
        for (tuple, code, times) in cells {
            let slot = &mut next[tuple as usize];
            codes[*slot as usize] = code;
            counts[*slot as usize] = times as u32;
            *slot += 1;
        }
        Self::squeeze(&starts, codes, &counts)
    }

    /// The histogram of no tuple.
    pub(super) fn none() -> Self {
        Self {
            starts: vec![0],
            ..Self::default()
        }
    }

    /// Puts the tuples of another one behind its own.
    pub(super) fn append(&mut self, other: &Self) {
        let offset = self.codes.len() as u32;
        let starts = other.starts.iter().skip(1).map(|start| start + offset);
        self.starts.extend(starts);
        self.codes.extend_from_slice(&other.codes);
        self.counts.extend_from_slice(&other.counts);
    }

    /// Puts a tuple behind the others, of codes that may come in any order and more than once.
    pub(super) fn push(&mut self, cells: &mut [(u32, u32)]) {
        cells.sort_unstable();
        let first = self.codes.len();
        for (code, count) in cells.iter() {
            match self.codes[first..].last() {
                Some(last) if last == code => {
                    *self.counts.last_mut().expect("as long as the codes") += count;
                }
                _ => {
                    self.codes.push(*code);
                    self.counts.push(*count);
                }
            }
        }
        self.starts.push(self.codes.len() as u32);
    }

    /// The histogram of these tuples.
    pub(super) fn only(&self, tuples: &[u32]) -> Self {
        let mut only = Self::none();
        for tuple in tuples {
            let slice = self.slice(*tuple as usize);
            only.codes.extend_from_slice(slice.codes);
            only.counts.extend_from_slice(slice.counts);
            only.starts.push(only.codes.len() as u32);
        }
        only
    }

    /// Its bytes.
    pub(super) fn bytes(&self) -> u64 {
        4 * (self.starts.len() + self.codes.len() + self.counts.len()) as u64
    }

    /// The histogram of a single tuple, from ascending codes.
    pub(super) fn of_one(counts: &[(u32, u64)]) -> Self {
        Self {
            starts: vec![0, counts.len() as u32],
            codes: counts.iter().map(|(code, _)| *code).collect(),
            counts: counts.iter().map(|(_, rows)| *rows as u32).collect(),
        }
    }

    /// Adds a code to the last tuple.
    pub(super) fn add_to_last(&mut self, code: u32, times: u32) {
        let start = self.starts[self.starts.len() - 2] as usize;
        match self.codes[start..].binary_search(&code) {
            Ok(at) => self.counts[start + at] += times,
            Err(at) => {
                self.codes.insert(start + at, code);
                self.counts.insert(start + at, times);
                self.end_at_codes();
            }
        }
    }

    /// Takes a code off the last tuple, which has it so often at least.
    pub(super) fn take_from_last(&mut self, code: u32, times: u32) {
        let start = self.starts[self.starts.len() - 2] as usize;
        let Ok(at) = self.codes[start..].binary_search(&code) else {
            return;
        };
        let count = &mut self.counts[start + at];
        *count = count.saturating_sub(times);
        if *count == 0 {
            self.codes.remove(start + at);
            self.counts.remove(start + at);
            self.end_at_codes();
        }
    }

    /// The last tuple ends where the codes do.
    fn end_at_codes(&mut self) {
        if let Some(end) = self.starts.last_mut() {
            *end = self.codes.len() as u32;
        }
    }

    /// The histogram of one tuple.
    pub fn slice(&self, tuple: usize) -> Slice<'_> {
        let range = self.starts[tuple] as usize..self.starts[tuple + 1] as usize;
        Slice {
            codes: &self.codes[range.clone()],
            counts: &self.counts[range],
        }
    }

    /// The histogram in which each tuple's counts go to its target.
    pub(super) fn merge(&self, targets: &[u32], tuples: usize) -> Self {
        let mut starts = vec![0u32; tuples + 1];
        for (tuple, target) in targets.iter().enumerate() {
            starts[*target as usize + 1] += self.starts[tuple + 1] - self.starts[tuple];
        }
        for at in 0..tuples {
            starts[at + 1] += starts[at];
        }
        let mut next = starts.clone();
        let mut codes = vec![0; self.codes.len()];
        let mut counts = vec![0; self.codes.len()];
        for (tuple, target) in targets.iter().enumerate() {
            let slice = self.slice(tuple);
            let from = next[*target as usize] as usize;
            codes[from..from + slice.codes.len()].copy_from_slice(slice.codes);
            counts[from..from + slice.codes.len()].copy_from_slice(slice.counts);
            next[*target as usize] += slice.codes.len() as u32;
        }
        Self::squeeze(&starts, codes, &counts)
    }

    /// Sorts each tuple's codes and adds up equal ones.
    fn squeeze(starts: &[u32], mut codes: Vec<u32>, counts: &[u32]) -> Self {
        let mut squeezed = Self::none();
        let mut scratch: Vec<(u32, u32)> = Vec::new();
        for bounds in starts.windows(2) {
            let range = bounds[0] as usize..bounds[1] as usize;
            scratch.clear();
            scratch.extend(
                codes[range.clone()]
                    .iter_mut()
                    .zip(&counts[range])
                    .map(|(code, count)| (*code, *count)),
            );
            squeezed.push(&mut scratch);
        }
        squeezed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_that_leaves_its_tuple_is_gone() {
        let mut histogram = Histogram::count(2, [(0, 9, 1), (1, 5, 1)].into_iter());
        histogram.add_to_last(3, 2);
        histogram.add_to_last(5, 1);
        let last = |histogram: &Histogram| histogram.slice(1).iter().collect::<Vec<_>>();
        assert_eq!(last(&histogram), [(3, 2), (5, 2)]);
        histogram.take_from_last(5, 1);
        histogram.take_from_last(3, 2);
        assert_eq!(last(&histogram), [(5, 1)]);
        assert_eq!(histogram.slice(0).iter().collect::<Vec<_>>(), [(9, 1)]);
    }

    #[test]
    fn merging_tuples_adds_their_histograms() {
        let cells = [(0, 5, 1), (1, 7, 1), (0, 5, 3), (2, 7, 1), (1, 1, 1)];
        let histogram = Histogram::count(3, cells.into_iter());
        assert_eq!(histogram.slice(0).iter().collect::<Vec<_>>(), [(5, 4)]);
        let merged = histogram.merge(&[0, 1, 1], 2);
        assert_eq!(merged.slice(0).iter().collect::<Vec<_>>(), [(5, 4)]);
        assert_eq!(merged.slice(1).iter().collect::<Vec<_>>(), [(1, 1), (7, 2)]);
        assert_eq!(merged.slice(1).distinct(), 2);
    }
}
