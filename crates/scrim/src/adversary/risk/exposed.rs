//! The few figures of a table that a reader of a report compares before and after.

use serde::Serialize;

use super::{ProsecutorRisk, prosecutor};
use crate::adversary::bands::{Band, part};
use crate::adversary::tuples::{Exposure, Tuples};
use crate::share::Share;

/// Sizes of classes, who is alone, and the risk of a target who is known to be in the table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExposureReport {
    /// Rows.
    pub rows: u64,
    /// Persons where they are told, else rows.
    pub subjects: u64,
    /// Classes.
    pub classes: u64,
    /// The size of the smallest class.
    pub smallest: u64,
    /// Who is alone in a class.
    pub unique: u64,
    /// Their share of all.
    pub unique_share: f64,
    /// The target is known to be in the table.
    pub prosecutor: ProsecutorRisk,
    /// Sizes of classes.
    pub sizes: Vec<Band>,
}

impl ExposureReport {
    /// The figures of a table, given by the tuples of its quasi-identifiers. Risks are compared with the threshold.
    pub fn new(tuples: &Tuples, threshold: Share) -> Self {
        Self::of(
            &tuples.exposure(),
            tuples.rows(),
            tuples.subjects(),
            threshold,
        )
    }

    /// The figures of a table of so many rows and persons, of whose classes this is known.
    pub fn of(exposure: &Exposure, rows: u64, subjects: u64, threshold: Share) -> Self {
        let (unique_share, _) = part(exposure.unique().into(), subjects.into());
        Self {
            rows,
            subjects,
            classes: exposure.count(),
            smallest: exposure.classes.keys().next().copied().unwrap_or(0),
            unique: exposure.unique(),
            unique_share,
            prosecutor: prosecutor(exposure, subjects, threshold),
            sizes: Band::of(Some(&exposure.classes), &exposure.subjects),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adversary::{Population, risk};
    use crate::table::Column;

    #[test]
    fn a_report_has_the_figures_of_risk() {
        let age = Column::from_texts("age", ["1", "1", "1", "2", "2", "3", "4"]);
        let fifth = Share::new(1, 2).unwrap();
        for persons in [None, Some(&[0, 1, 1, 2, 3, 3, 4][..])] {
            let tuples = Tuples::new(&[&age], 7, persons);
            let short = ExposureReport::new(&tuples, fifth);
            let whole = risk(
                &["age"],
                &tuples,
                persons.is_some(),
                Population::Unknown,
                fifth,
            );
            assert_eq!(short.sizes, whole.sizes);
            assert_eq!(short.prosecutor, whole.prosecutor);
            assert_eq!(
                (short.rows, short.classes, short.unique, short.smallest),
                (whole.rows, whole.classes, whole.unique, whole.smallest)
            );
            assert_eq!(short.subjects, if persons.is_some() { 5 } else { 7 });
        }
    }
}
