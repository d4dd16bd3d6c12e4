//! Where the paper errs.

use super::super::comparison::Erratum;

/// By their numbers in the list of errata over all papers.
pub(super) const ERRATA: [Erratum; 4] = [
    Erratum {
        number: 14,
        says: "Section 2.2 and Example 5 say that no table of PER(G3) meets condition 2. Of 432 tables 312, 20 and 100 meet conditions 1, 2 and 3. So the inclusive DS_3 has 100 tables and its best ratio is (52 + 12 + 12) / (52 + 24 + 24) = 19/25, not 120 and 0.8: those are the tables for which g1 fails. That nothing is disclosed stays.",
    },
    Erratum {
        number: 15,
        says: "\"2 x 2 x 1 x 2 = 16\" lacks a factor 2. \"PER(g1(G_1))\" in Example 4 is PER(g1(G_a)). \"C and H must have 2 and 6\" in Example 8 is C = c2 or H = c6: with both 36 tables would become 4, not 20. Section 2.2 excludes \"EXP(G_2) \\ PER(X)\" from DS_2 where their intersection is meant, and EXP is PER. \"Whether G_2 should be included in DS_3\" (section 3) is G_0. Table 2 prints g_1^10 for g_0^10.",
    },
    Erratum {
        number: 16,
        says: "The exclusive strategy is not polynomial in the size of the table: it costs O(n^2 |PER|), and |PER| is factorial in the rows of a class.",
    },
    Erratum {
        number: 17,
        says: "Definition 1 does not ask that the disclosure set be the largest: the empty set satisfies both of its conditions. Algorithm DS of Table 3 computes the largest one, which is meant.",
    },
];
