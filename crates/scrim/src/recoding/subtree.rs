//! Single-dimensional subtree recoding: each quasi-identifier's domain is cut into parts, the same for all rows.
//!
//! **Definition.** A general domain is a set of disjoint partitions that cover the domain: intervals of a numeric attribute,
//! subtrees of a categorical one ([XiaoTao06], Definition 4).

/// A part of a domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// How it is published.
    pub label: String,
    /// How many values of the domain it has.
    pub values: u64,
    /// How far up it stands; 0 for a single value.
    pub level: u8,
}

/// The cut of one quasi-identifier.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The parts in the order of the domain, also those that no row has.
    pub parts: Vec<Part>,
    /// The part of each code of the column.
    pub part_of_code: Vec<u32>,
    /// How many values the domain has.
    pub domain: u64,
    /// The level of the whole domain.
    pub height: u8,
    /// Whether the parts are intervals.
    pub numeric: bool,
}

impl Cut {
    /// The part that the missing value alone makes.
    pub fn missing(&self, code: Option<u32>) -> Option<u32> {
        let part = self.part_of_code[code? as usize];
        (self.parts[part as usize].values == 1).then_some(part)
    }
}
