//! Where the paper errs.

use super::super::comparison::Erratum;

/// By their numbers in the list of errata over all papers.
pub(super) const ERRATA: [Erratum; 4] = [
    Erratum {
        number: 10,
        says: "Figure 4 does not solve Problem 1: p(o, flu, 2) = 3/4 is above 1/2 for o1, o2 and o3; it holds for chlamydia and fever only. With every value protected, Figure 1 has no pair of partitions at l = 2; with chlamydia and fever 12, with chlamydia alone 23.",
    },
    Erratum {
        number: 11,
        says: "4! x 4! counts permutations of records. Possible worlds by Definition 1 are 12 x 12 = 144, of which 63 link o2 to chlamydia. The ratio 7/16 stays.",
    },
    Erratum {
        number: 13,
        says: "Lemma 2 is undefined for who is absent from a release: there is no group and no n_j. An absent release is no factor.",
    },
    Erratum {
        number: 18,
        says: "Section III refers to Section II for commonly adopted measures of utility, but Section II describes none. Problem 1 takes a measure as given.",
    },
];

/// What is true, but no error of the paper.
pub(super) const REMARKS: [Erratum; 1] = [Erratum {
    number: 12,
    says: "Larger groups are typical, as the paper says, but not necessary: {o2, o3}, {o1, o4}, then {o2, o3}, {o1, o5} keeps chlamydia at 1/2 with groups of two. Other partners do what more partners do.",
}];
