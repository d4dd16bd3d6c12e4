//! Which combinations of attributes are tested.
//!
//! **Definition.** All pairs and triples, or those of Figure 12 ([Sweeney02]): of sixteen kinds by how identifying their
//! attributes are, seven always, three only where more than one attribute is *identifying*, six never.
//! **Reading.** Figure 12 lists Most x Most twice; the first must be Most x Most x Most. In letters (I identifying, M more,
//! T most): always IMT, ITT, TTT, IM, IT, MT, TT; where there are several I: MMT, MTT, MM; never II, III, IIM, IIT, IMM, MMM.

use Identifying::{Identifying as I, More as M, Most as T};

/// How identifying an attribute is, by what is suppressed first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Identifying {
    /// Most identifying.
    Most,
    /// More identifying.
    More,
    /// Identifying.
    #[default]
    Identifying,
}

impl Identifying {
    /// All of them, by name.
    pub const NAMES: [(&'static str, Self); 3] = [
        ("most", Self::Most),
        ("more", Self::More),
        ("identifying", Self::Identifying),
    ];
}

/// Which combinations are tested.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Combinations {
    /// All pairs and triples.
    #[default]
    All,
    /// Those of Figure 12.
    Figure12,
}

impl Combinations {
    /// All of them, by name.
    pub const NAMES: [(&'static str, Self); 2] =
        [("all", Self::All), ("figure-12", Self::Figure12)];

    /// The name in the policy.
    pub fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Figure12 => "figure-12",
        }
    }
}

/// The combinations that are tested, pairs first, each in the order of the attributes.
pub fn tested_combinations(
    identifying: &[Identifying],
    combinations: Combinations,
) -> Vec<Vec<usize>> {
    let count = identifying.len();
    let pairs =
        (0..count).flat_map(|first| (first + 1..count).map(move |second| vec![first, second]));
    let triples = (0..count).flat_map(|first| {
        (first + 1..count).flat_map(move |second| {
            (second + 1..count).map(move |third| vec![first, second, third])
        })
    });
    let plain = identifying
        .iter()
        .filter(|level| **level == Identifying::Identifying);
    let several = plain.count() > 1;
    pairs
        .chain(triples)
        .filter(|combination| {
            combinations == Combinations::All || is_listed(identifying, combination, several)
        })
        .collect()
}

/// Figure 12, each kind in the order of [`Identifying`].
const ALWAYS: [&[Identifying]; 7] = [
    &[T, M, I],
    &[T, T, I],
    &[T, T, T],
    &[M, I],
    &[T, I],
    &[T, M],
    &[T, T],
];
const IF_SEVERAL: [&[Identifying]; 3] = [&[T, M, M], &[T, T, M], &[M, M]];

/// Whether Figure 12 has this kind; `several` attributes are *identifying*.
fn is_listed(identifying: &[Identifying], combination: &[usize], several: bool) -> bool {
    let mut kind: Vec<Identifying> = combination.iter().map(|at| identifying[*at]).collect();
    kind.sort_unstable();
    ALWAYS.contains(&&kind[..]) || several && IF_SEVERAL.contains(&&kind[..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_of_sixteen_kinds_are_never_tested() {
        let letter = |level: Identifying| match level {
            T => 'T',
            M => 'M',
            I => 'I',
        };
        let levels = [I, I, I, M, M, M, T, T, T];
        let kinds = |combinations| {
            let mut kinds: Vec<String> = tested_combinations(&levels, combinations)
                .iter()
                .map(|combination| combination.iter().map(|at| letter(levels[*at])).collect())
                .collect();
            kinds.sort();
            kinds.dedup();
            kinds
        };
        let (all, listed) = (kinds(Combinations::All), kinds(Combinations::Figure12));
        assert_eq!((all.len(), listed.len()), (16, 10));
        let never: Vec<&String> = all.iter().filter(|kind| !listed.contains(kind)).collect();
        assert_eq!(never, ["II", "III", "IIM", "IIT", "IMM", "MMM"]);
    }

    #[test]
    fn three_kinds_need_several_identifying_attributes() {
        assert_eq!(
            tested_combinations(&[I, T, M, M], Combinations::Figure12),
            [
                vec![0, 1],
                vec![0, 2],
                vec![0, 3],
                vec![1, 2],
                vec![1, 3],
                vec![0, 1, 2],
                vec![0, 1, 3]
            ]
        );
        let several = tested_combinations(&[I, I, M, M, T], Combinations::Figure12);
        assert!(several.contains(&vec![2, 3]) && several.contains(&vec![2, 3, 4]));
        assert!(!several.contains(&vec![0, 1]) && !several.contains(&vec![0, 2, 3]));
    }

    #[test]
    fn one_attribute_has_no_combination() {
        assert!(tested_combinations(&[T], Combinations::All).is_empty());
        assert!(tested_combinations(&[], Combinations::All).is_empty());
    }
}
