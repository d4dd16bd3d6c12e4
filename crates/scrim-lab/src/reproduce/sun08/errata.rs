//! Where the paper errs.

use super::super::comparison::Erratum;

/// By their numbers in the project's reading of the paper.
pub(super) const ERRATA: [Erratum; 11] = [
    Erratum {
        number: 1,
        says: "Table 6 is no view of Table 1: record 3 has zip code 14246 and is printed as 1420*. Only three records lie in 1420*, so no 4-anonymous table can use it; with 142** the table is valid.",
    },
    Erratum {
        number: 2,
        says: "Table 8 is given for alpha = 2, but each of its classes weighs 0 + 1 = 1. It is valid for alpha up to 1; for 2 only all four rows at 435* will do.",
    },
    Erratum {
        number: 3,
        says: "That 3 of 28 minimal (p+,alpha) tables are vulnerable cannot be for p = 2: each of their classes has two categories.",
    },
    Erratum {
        number: 4,
        says: "916 exposed records hardly come of eight values drawn evenly. A 2-sensitive 4-anonymous table of 45,222 records expects at most 619.5 of them (all classes of four rows), a plain 4-anonymous one 706.6; that there are 916 or more has probability 1.2e-8 and 8e-5. Our minimal tables have large classes and none exposed; column C, which goes with age, shows the attack.",
    },
    Erratum {
        number: 5,
        says: "In Figure 3 p-sensitivity costs most, and the cost falls as alpha grows, because a greater alpha would require less. By Definitions 3 to 5 it is the other way round: (p+,alpha) implies (p,alpha), which implies p-sensitivity, and a greater alpha requires more, so the least distortion never falls. With the paper's own Algorithm 1 it is the other way round on Adult as well. A heuristic may show single cases as the paper has them: Algorithm 1 on Table 1 gives 2/5 for p = 2 and 11/30 for (2,2).",
    },
    Erratum {
        number: 7,
        says: "Table 2 does not tell that Rick and Rudy have Cancer: records 1 and 2, with HIV, are published as 142**, which fits both men, too.",
    },
    Erratum {
        number: 8,
        says: "Table 7 prints Obesity for record 8, where Table 1 has Heart Disease. Its class 4, 10, 11, 12 stands at 14***, though 142** would do.",
    },
    Erratum {
        number: 9,
        says: "Section 1 says that Table 2 shows (27-28), but it shows <30. Section 3 says that categories are published instead of values, but Tables 6 and 7 publish the values, Table 6 with the category of each beside it. Section 4 credits the (p,alpha) model with caring more about categories, which is the (p+,alpha) model.",
    },
    Erratum {
        number: 10,
        says: "Line 13 of Algorithm 1 stands outside the loop, where the rows pushed back by all nodes but the last are lost. It belongs inside, and a node at ground level must be put out.",
    },
    Erratum {
        number: 11,
        says: "With one category weights and distances are 0/0; here each value then weighs 1. Table 9 seems to count levels where it says height, and its Workclass has one value more than the data without unknowns.",
    },
    Erratum {
        number: 12,
        says: "(p,alpha) does not stop the similarity attack: a class of one category passes once it is large enough, unless the category is the most sensitive one or has fewer than p values.",
    },
];

/// What is true, but no error of the paper.
pub(super) const REMARKS: [Erratum; 1] = [Erratum {
    number: 6,
    says: "That the distortion ratio grows with the number of quasi-identifiers is what the paper saw, and so it is with Algorithm 1 on Adult. It is no law: a new attribute adds to the divisor as well, and the least ratio of full-domain tables may fall (Adult of ARX: 8/11 with four, 9/13 with five). The sum of levels never falls.",
}];
