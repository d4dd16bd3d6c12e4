//! Promises about the most frequent value of a group.

use super::{Judge, Promise, Shares};
use crate::release::policy::{DiversityKind, ModelSpec};
use crate::share::Share;

impl Judge<'_> {
    /// The least count of one value that breaks a promise in a group of so many rows, more than these where none does; nothing
    /// where more than the most frequent value matters.
    pub(in super::super) fn least_breaking(&self, rows: u32) -> Option<u32> {
        let only_top = |promise: &Promise<'_>| match promise {
            Promise::Spec(ModelSpec::AlphaK { .. }) => true,
            Promise::Spec(ModelSpec::LDiversity { kind, l, .. }) => match kind {
                DiversityKind::Frequency => true,
                DiversityKind::Recursive => *l == Share::whole(2),
                _ => false,
            },
            _ => false,
        };
        if self.promises.is_empty() || !self.promises.iter().all(only_top) {
            return None;
        }
        let keeps = |top: u32| {
            let mut counts = vec![1; (rows - top) as usize + 1];
            counts[0] = i128::from(top);
            self.keeps(&Shares {
                rows: rows.into(),
                total: &i128::from(rows),
                low: &counts,
                high: &counts,
            })
        };
        let (mut least, mut beyond) = (1, rows + 1);
        while least < beyond {
            let middle = least.midpoint(beyond);
            if keeps(middle) {
                least = middle + 1;
            } else {
                beyond = middle;
            }
        }
        Some(least)
    }
}

#[cfg(test)]
impl<'a> Judge<'a> {
    /// One promise about numbers of values.
    pub(in super::super) fn of_most_frequent(
        spec: &'a ModelSpec,
        values: &[u32],
        width: u32,
    ) -> Self {
        let rows = |value: u32| values.iter().filter(|own| **own == value).count() as u64;
        Self {
            promises: vec![Promise::Spec(spec)],
            codes: (0..width).collect(),
            table: (0..width).map(rows).collect(),
            rows: values.len() as u64,
        }
    }
}
