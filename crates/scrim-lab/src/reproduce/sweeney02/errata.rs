//! Where the paper errs.

use super::super::comparison::Erratum;

/// By their numbers in the project's reading of the paper.
pub(super) const ERRATA: [Erratum; 9] = [
    Erratum {
        number: 1,
        says: "Example 7 calls GT the only minimal distortion. It is a minimal generalization, but in none of the ten readings of Figure 6 the most precise. With g the share of a step of Gender and x that of the steps from year to decade, pairing t7 with t8 (A) saves 11/6 - 2g + x cells and regrouping t3 t8, t4 t5 t6 (B) saves 5/6 - 3x: whatever Figure 6 was, one of them is above 0. So a minimal generalization need not be a minimal distortion, the converse of Theorem 2.",
    },
    Erratum {
        number: 2,
        says: "The paper prints Prec 0.90 for GT (Figure 7) and 0.75 for MGT (Figure 10). By Definition 5 no hierarchy in place of the missing Figure 6 gives both; the likeliest gives 167/192 and 25/32.",
    },
    Erratum {
        number: 3,
        says: "Definition 6 read literally asks that every table as precise be the same table, so under a tie there is no minimal distortion. We keep all tables of greatest Prec, as Figure 5 does.",
    },
    Erratum {
        number: 4,
        says: "Theorem 2, that a minimal distortion is a minimal generalization, needs weights above zero. An attribute of weight 0 can be generalized for nothing.",
    },
    Erratum {
        number: 5,
        says: "Section 4.1 calls k < |PT| necessary; Figures 5 and 8 ask for |PT| >= k, which is right. But Figure 8 read literally never enters its loop at k = |PT| and suppresses the whole table.",
    },
    Erratum {
        number: 6,
        says: "Datafly as printed can also lose everything for k < |PT|: on Figure 7 for k = 7 to 10 two rows are left over, and step 4 then takes all others, although one more step of ZIP would do. We go on generalizing.",
    },
    Erratum {
        number: 7,
        says: "The text stops at k or fewer tuples with distinct sequences, Figure 8 when the sequences that occur less than k times account for at most k tuples. For k > 2 these differ; we follow Figure 8.",
    },
    Erratum {
        number: 8,
        says: "Figure 14 lacks {Race,Gender,ZIP} for t8: white, female, 02139 occurs once. With the seven combinations that are printed step 6 gives {BirthDate,Gender} without a tie, as printed. With all eight each attribute of t8 stands in five, and the paper has no rule for ties: where the tie goes to BirthDate or Gender the printed cells come out, where it goes to Race or ZIP {Race,ZIP}. We let it go to the most identifying attribute, BirthDate.",
    },
    Erratum {
        number: 9,
        says: "MTactual cannot be the output of Figures 11 and 12: {Race,BirthDate,ZIP} is always tested and makes t7 an outlier, yet t7 is printed whole; {Race,Gender} is always tested too, so t8 must lose a second cell; and equal rows (t9 and t10, t11 and t12) are printed with different blanks. Figure 12's combinations give MT as well.",
    },
];

/// What is true, but no error of the paper.
pub(super) const REMARKS: [Erratum; 1] = [Erratum {
    number: 10,
    says: "Section 4.1 says that MinGen, by deciding cell by cell, can be more precise than Datafly, and so it is. It is no law of MinGen by attribute, and the paper does not say so: Datafly may suppress rows, and in all ten readings its release for k = 2 is more precise than the best generalization by attribute. By cell it is a law whenever Datafly suppresses no row or at least k, since suppressed rows are then a class like any other: so in all ten readings for every k.",
}];
