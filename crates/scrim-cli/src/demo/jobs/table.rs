//! The table of jobs.

/// A job with its place in the hierarchy.
pub(super) struct Job {
    /// Its name, a leaf.
    pub(super) name: &'static str,
    /// The taxon above it.
    pub(super) group: &'static str,
    /// The taxon above the group.
    pub(super) sector: &'static str,
    /// How common it is in each band of [`STARTS`].
    pub(super) weights: [u32; 6],
}

/// The ages with which the bands of [`Job::weights`] start.
pub(super) const STARTS: [u32; 6] = [0, 6, 18, 25, 60, 67];

/// A line of the table below.
const fn job(
    name: &'static str,
    group: &'static str,
    sector: &'static str,
    weights: [u32; 6],
) -> Job {
    Job {
        name,
        group,
        sector,
        weights,
    }
}

/// All jobs, those of a group side by side.
#[rustfmt::skip] // a line a row
pub(super) const JOBS: [Job; 26] = [
    job("child", "in education", "not employed", [1, 0, 0, 0, 0, 0]),
    job("pupil", "in education", "not employed", [0, 1, 90, 0, 0, 0]),
    job("student", "in education", "not employed", [0, 0, 400, 30, 0, 0]),
    job("homemaker", "at home", "not employed", [0, 0, 20, 60, 60, 5]),
    job("unemployed", "at home", "not employed", [0, 0, 50, 50, 40, 0]),
    job("pensioner", "at home", "not employed", [0, 0, 0, 5, 300, 1500]),
    job("nurse", "health care", "public services", [0, 0, 25, 55, 40, 2]),
    job("care assistant", "health care", "public services", [0, 0, 30, 45, 30, 2]),
    job("physician", "health care", "public services", [0, 0, 0, 20, 20, 6]),
    job("teacher", "teaching", "public services", [0, 0, 5, 55, 45, 3]),
    job("childcare worker", "teaching", "public services", [0, 0, 25, 35, 20, 1]),
    job("police officer", "public safety", "public services", [0, 0, 15, 20, 8, 0]),
    job("firefighter", "public safety", "public services", [0, 0, 6, 10, 3, 0]),
    job("office clerk", "office", "business", [0, 0, 60, 110, 85, 4]),
    job("accountant", "office", "business", [0, 0, 8, 45, 40, 5]),
    job("engineer", "technology", "business", [0, 0, 5, 60, 45, 5]),
    job("software developer", "technology", "business", [0, 0, 15, 45, 15, 1]),
    job("shop assistant", "trade and food", "business", [0, 0, 90, 70, 50, 6]),
    job("cook", "trade and food", "business", [0, 0, 30, 30, 18, 2]),
    job("electrician", "crafts", "manual work", [0, 0, 30, 35, 22, 1]),
    job("carpenter", "crafts", "manual work", [0, 0, 22, 25, 16, 2]),
    job("mechanic", "crafts", "manual work", [0, 0, 32, 35, 22, 1]),
    job("driver", "transport and cleaning", "manual work", [0, 0, 20, 50, 45, 8]),
    job("cleaner", "transport and cleaning", "manual work", [0, 0, 15, 45, 40, 8]),
    job("farmer", "land and garden", "manual work", [0, 0, 6, 15, 20, 12]),
    job("gardener", "land and garden", "manual work", [0, 0, 10, 18, 12, 3]),
];
