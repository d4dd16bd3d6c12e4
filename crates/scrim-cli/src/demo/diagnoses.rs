//! The diagnoses of the sample, who gets which, and their tree.

mod table;

use super::people::Sex;
use super::random::Weighted;
use table::{DELICATE, DIAGNOSES, Diagnosis, STARTS};

/// The root of the tree of diagnoses.
pub(super) const ROOT: &str = "any diagnosis";

/// The choice of a diagnosis for each age and sex.
pub(super) struct Diagnoses {
    /// A choice for each age band, by sex.
    bands: Vec<[Weighted; 3]>,
}

impl Diagnoses {
    /// The choices, made ready.
    pub(super) fn new() -> Self {
        let choice = |band: usize, sex: Sex| {
            Weighted::new(DIAGNOSES.iter().map(|case| case.weight(band, sex)))
        };
        let bands = (0..STARTS.len()).map(|band| Sex::ALL.map(|sex| choice(band, sex)));
        Self {
            bands: bands.collect(),
        }
    }

    /// How diagnoses are spread among people of this age and sex.
    pub(super) fn of(&self, age: u32, sex: Sex) -> &Weighted {
        let band = STARTS.partition_point(|&start| start <= age) - 1;
        &self.bands[band][sex as usize]
    }
}

impl Diagnosis {
    /// How common it is among people of this age band and sex: the cases are shared out, their sum stays.
    fn weight(&self, band: usize, sex: Sex) -> u32 {
        let women = 200 * self.women / (100 + self.women);
        let share = match sex {
            Sex::Female => women,
            Sex::Male => 200 - women,
            Sex::Diverse => 100,
        };
        self.weights[band] * share
    }
}

/// Whether it is a diagnosis that many would rather not tell.
pub(super) fn is_delicate(diagnosis: u8) -> bool {
    DELICATE.contains(&DIAGNOSES[usize::from(diagnosis)].group)
}

/// The taxa from a diagnosis up to its chapter; the root, above them, is the same for all.
pub(super) fn path(diagnosis: u8) -> [&'static str; 3] {
    let case = &DIAGNOSES[usize::from(diagnosis)];
    [case.name, case.group, case.chapter]
}

/// The tree as a file of children and parents, from the top down.
pub(super) fn parent_file() -> String {
    let mut chapters: Vec<_> = DIAGNOSES.iter().map(|case| (case.chapter, ROOT)).collect();
    chapters.dedup();
    let mut groups: Vec<_> = DIAGNOSES
        .iter()
        .map(|case| (case.group, case.chapter))
        .collect();
    groups.dedup();
    let leaves = DIAGNOSES.iter().map(|case| (case.name, case.group));
    let edges = chapters.into_iter().chain(groups).chain(leaves);
    let header = std::iter::once("child,parent\n".to_owned());
    header
        .chain(edges.map(|(child, parent)| format!("{child},{parent}\n")))
        .collect()
}
