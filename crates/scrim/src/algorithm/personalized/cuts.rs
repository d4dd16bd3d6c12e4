//! Cuts as lists of parts: the finest one, without gaps, with them, and as a plan.

use super::attribute::{Attribute, Extent, Kind, Part};
use crate::hierarchy::STAR;
use crate::recoding::{Cut, Part as CutPart};

impl Attribute {
    /// The same parts without those that no row has, intervals as narrow as their values allow.
    pub(super) fn trimmed(&self, parts: &[Part]) -> Vec<Part> {
        let trim = |part: &Part| match part.extent {
            Extent::Interval(..) if part.first == part.last => None,
            Extent::Interval(..) => Some(self.hull(part.first, part.last)),
            _ => Some(*part),
        };
        parts.iter().filter_map(trim).collect()
    }

    /// The same parts with what lies between the intervals, so that they cover the domain.
    pub(super) fn with_gaps(&self, parts: &[Part]) -> Vec<Part> {
        let Kind::Numeric { numbers, .. } = &self.kind else {
            return parts.to_vec();
        };
        if let [only] = parts
            && only.extent == Extent::Whole
        {
            return parts.to_vec();
        }
        let mut all = Vec::new();
        let mut next = numbers.from();
        let gap = |all: &mut Vec<Part>, place: u32, next: i64, low: i64| {
            if next < low {
                all.push(Part {
                    first: place,
                    last: place,
                    extent: Extent::Interval(next, low - 1),
                });
            }
        };
        let mut numbered = 0;
        for part in parts {
            if let Extent::Interval(low, high) = part.extent {
                gap(&mut all, part.first, next, low);
                next = high + 1;
                numbered = part.last;
            } else {
                gap(&mut all, numbered, next, numbers.to() + 1);
                next = numbers.to() + 1;
            }
            all.push(*part);
        }
        gap(&mut all, numbered, next, numbers.to() + 1);
        all
    }

    /// Every value that occurs as a part of its own.
    pub(super) fn finest(&self) -> Vec<Part> {
        let mut open = vec![self.uncut()];
        let mut parts = Vec::new();
        while let Some(part) = open.pop() {
            match self.split_along(part) {
                Some(split) => open.extend(split.into_iter().rev()),
                None => parts.push(part),
            }
        }
        let single = |part: &Part| match part.extent {
            Extent::Interval(..) => (part.first..part.last)
                .map(|place| self.hull(place, place + 1))
                .collect(),
            _ => vec![*part],
        };
        parts.iter().flat_map(single).collect()
    }

    /// The cut as a plan.
    pub(super) fn cut(&self, parts: &[Part]) -> Cut {
        let mut part_of_place = vec![0u32; self.places as usize];
        for (number, part) in (0..).zip(parts) {
            part_of_place[part.first as usize..part.last as usize].fill(number);
        }
        // Without an interval between a number and the whole domain there is one step only.
        let between = |part: &Part| {
            part.first < part.last && (2..self.domain()).contains(&self.values(*part))
        };
        let stepped = u8::from(parts.iter().any(between));
        let height = match &self.kind {
            Kind::Numeric { .. } => 1 + stepped,
            Kind::Categorical { tree, .. } => tree.height(),
        };
        Cut {
            parts: parts
                .iter()
                .map(|part| self.published(*part, height))
                .collect(),
            part_of_code: self
                .place
                .iter()
                .map(|place| part_of_place[*place as usize])
                .collect(),
            domain: self.domain(),
            height,
            numeric: matches!(self.kind, Kind::Numeric { .. }),
        }
    }

    fn published(&self, part: Part, height: u8) -> CutPart {
        let values = self.values(part);
        let (label, level) = match (&self.kind, part.extent) {
            (Kind::Categorical { tree, .. }, Extent::Taxon(taxon)) => {
                (tree.label(taxon).to_owned(), tree.level(taxon))
            }
            (Kind::Numeric { .. }, Extent::Interval(low, high))
                if low < high && part == self.uncut() =>
            {
                (STAR.to_owned(), height)
            }
            (Kind::Numeric { numbers, .. }, Extent::Interval(low, high)) => {
                (numbers.label(low, high), u8::from(low < high))
            }
            (Kind::Numeric { missing, .. }, Extent::Missing) => {
                (missing.clone().unwrap_or_default(), 0)
            }
            _ => (STAR.to_owned(), height),
        };
        CutPart {
            label,
            values,
            level,
        }
    }
}
