//! The jobs of the sample, how common each is at which age, and their hierarchy.

mod table;

use super::random::Weighted;
use table::{JOBS, Job, STARTS};

/// The choice of a job for each age.
pub(super) struct Jobs {
    bands: Vec<Weighted>,
}

impl Jobs {
    /// The choices, made ready.
    pub(super) fn new() -> Self {
        let band = |at: usize| Weighted::new(JOBS.iter().map(|job| job.weights[at]));
        Self {
            bands: (0..STARTS.len()).map(band).collect(),
        }
    }

    /// How jobs are spread among people of this age.
    pub(super) fn at(&self, age: u32) -> &Weighted {
        &self.bands[STARTS.partition_point(|&start| start <= age) - 1]
    }
}

/// The name of a job by its number.
pub(super) fn name(job: u8) -> &'static str {
    JOBS[usize::from(job)].name
}

/// The hierarchy as an ARX level file: one line a job, from the job up to the star.
pub(super) fn level_file() -> String {
    let line = |job: &Job| [job.name, job.group, job.sector, "*\n"].join(";");
    JOBS.iter().map(line).collect()
}
