//! The tables of [Wong09], and small cases of serial publishing whose answers are known.

use crate::oracle::serial::{Group, Release};

/// Who has what in the first release of Figure 1.
pub const FIRST: [(u32, &str); 4] = [(1, "flu"), (2, "chlamydia"), (3, "flu"), (4, "fever")];
/// Who has what in the second release of Figure 1.
pub const SECOND: [(u32, &str); 4] = [(1, "chlamydia"), (2, "flu"), (3, "fever"), (5, "flu")];

/// A group of these individuals with these values.
#[must_use]
pub fn group(individuals: &[u32], values: &[&'static str]) -> Group {
    Group {
        individuals: individuals.to_vec(),
        values: values.to_vec(),
    }
}

/// Figure 2: groups of two, twice.
#[must_use]
pub fn figure2() -> Vec<Release> {
    vec![
        vec![
            group(&[1, 2], &["flu", "chlamydia"]),
            group(&[3, 4], &["flu", "fever"]),
        ],
        vec![
            group(&[1, 2], &["chlamydia", "flu"]),
            group(&[3, 5], &["fever", "flu"]),
        ],
    ]
}

/// Figure 4: one group of four, twice.
#[must_use]
pub fn figure4() -> Vec<Release> {
    vec![
        vec![group(&[1, 2, 3, 4], &["flu", "chlamydia", "flu", "fever"])],
        vec![group(&[1, 2, 3, 5], &["chlamydia", "flu", "fever", "flu"])],
    ]
}

/// E12: groups of two with other partners.
#[must_use]
pub fn rotating_partners() -> Vec<Release> {
    vec![
        vec![
            group(&[2, 3], &["chlamydia", "flu"]),
            group(&[1, 4], &["flu", "fever"]),
        ],
        vec![
            group(&[2, 3], &["flu", "fever"]),
            group(&[1, 5], &["chlamydia", "flu"]),
        ],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Fraction;
    use crate::oracle::serial::{is_guaranteed, partitions, probability, worlds};

    const VALUES: [&str; 3] = ["flu", "chlamydia", "fever"];

    #[test]
    fn worlds_are_as_many_as_the_golden_cases_say() {
        let of = |releases: &[Release], individual, value| worlds(releases, individual, value);
        let (two, four) = (figure2(), figure4());
        assert_eq!(of(&two, 2, "chlamydia"), (16, 12));
        assert_eq!(of(&two, 4, "flu"), (16, 8));
        assert_eq!(of(&two, 3, "chlamydia"), (16, 0));
        assert_eq!(of(&four, 2, "chlamydia"), (144, 63)); // E11: not 576
        assert_eq!(of(&four, 1, "flu"), (144, 108));
        assert_eq!(of(&four, 5, "fever"), (144, 36));
    }

    #[test]
    fn figure_4_keeps_the_guarantee_for_chlamydia_and_fever_but_not_for_flu() {
        let l = Fraction::whole(2);
        assert!(is_guaranteed(&figure4(), &["chlamydia", "fever"], l));
        assert!(!is_guaranteed(&figure4(), &["flu"], l)); // E10
        assert!(!is_guaranteed(&figure2(), &["chlamydia"], l));
        assert!(is_guaranteed(&rotating_partners(), &["chlamydia"], l)); // E12
        let worst = |value| {
            let all = (1..=5).map(|who| probability(&rotating_partners(), who, value));
            all.max().unwrap()
        };
        assert_eq!(worst("chlamydia"), Fraction::new(1, 2));
    }

    #[test]
    fn figure_1_has_as_many_pairs_of_partitions_as_the_golden_file_says() {
        let l = Fraction::whole(2);
        let released = |table: &[(u32, &'static str)], groups: &[Vec<usize>]| -> Release {
            let of = |group: &Vec<usize>| Group {
                individuals: group.iter().map(|at| table[*at].0).collect(),
                values: group.iter().map(|at| table[*at].1).collect(),
            };
            groups.iter().map(of).collect()
        };
        let count = |protected: &[&str]| {
            let mut pairs = 0;
            for first in partitions(4) {
                let first = released(&FIRST, &first);
                if !is_guaranteed(std::slice::from_ref(&first), protected, l) {
                    continue;
                }
                let seconds = partitions(4).into_iter().filter(|second| {
                    let both = [first.clone(), released(&SECOND, second)];
                    is_guaranteed(&both, protected, l)
                });
                pairs += seconds.count();
            }
            pairs
        };
        assert_eq!(count(&["chlamydia"]), 23);
        assert_eq!(count(&["chlamydia", "fever"]), 12);
        assert_eq!(count(&VALUES), 0);
        assert_eq!(partitions(7).len(), 877);
    }
}
