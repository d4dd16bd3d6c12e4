//! The sample hospital of `scrim demo`: an invented table about invented people, with all that a first publication
//! needs.
//!
//! The same number of rows and the same seed give the same bytes on every platform: the generator is our own
//! ([`random`]), only integers are drawn, and every table it draws from stands in this folder.
//!
//! What the data shows, on purpose: persons with several rows, a few missing values, a rare value in a
//! quasi-identifier (`sex`), ZIP codes with a leading zero, an uneven population, and people who ask for a guard.
//! The column `ward` depends on nothing, so publishing it as it is tells nothing.

mod calendar;
mod diagnoses;
mod hospital;
mod jobs;
mod names;
mod people;
mod places;
mod policy;
mod random;
mod readme;

pub(crate) use policy::POLICY;
#[cfg(test)]
mod tests;

/// The files of the sample hospital, by name.
pub(crate) struct Hospital {
    /// Name and content of each file, in the order in which a reader should meet them.
    pub files: Vec<(&'static str, String)>,
}

/// Makes a sample hospital with that many admissions.
pub(crate) fn generate(rows: usize, seed: u64) -> Hospital {
    Hospital {
        files: vec![
            ("README.md", readme::readme(rows, seed)),
            ("policy.toml", policy::POLICY.to_owned()),
            ("personal.toml", policy::PERSONAL.to_owned()),
            ("patients.csv", hospital::admissions(rows, seed)),
            ("job.csv", jobs::level_file()),
            ("diagnosis.csv", diagnoses::parent_file()),
        ],
    }
}
