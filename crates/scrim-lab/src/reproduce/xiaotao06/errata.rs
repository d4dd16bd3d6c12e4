//! Where the paper errs.

use super::super::comparison::Erratum;

/// By their numbers in the project's reading of the paper.
pub(super) const ERRATA: [Erratum; 8] = [
    Erratum {
        number: 1,
        says: "Figure 5, line 2: a subtree contains its own root, so two tuples with equal guards put each other out of S_prob. Joe and Sam (both pneumonia, guard pneumonia): by the text, with p = 1/2, the output is pneumonia twice and the probability 1; by the figure, with p = 1/4, it stops at respiratory-infection with 1/3, where respiratory-system-problem with 1/6 is right. Here the guards count, not the tuples: each distinct one that lies in no other.",
    },
    Erratum {
        number: 2,
        says: "Figure 5, line 5 assigns and so may lower a value that was raised before: the result depends on the order and may overlap. With p = 2/5, (pneumonia, guard respiratory-infection) and (leaf 5, guard leaf 5) end at respiratory-system-problem beside leaf 5's parent, which lies in it; the other way round both end at the root, which is right. Here values are only raised.",
    },
    Erratum {
        number: 3,
        says: "Figure 5, line 5: a guard at the root has no parent. In the primary case its probability is always 1, so no generalization helps unless p = 1.",
    },
    Erratum {
        number: 4,
        says: "Figure 5, line 3 takes S_bad from all tuples, the text only from S_prob. With the two repairs above both are the same; as printed both fail: of 3000 random groups the figure leaves 199 unsafe and 70 invalid, the text 493 and 17.",
    },
    Erratum {
        number: 5,
        says: "The proof of Lemma 2 says that c is the same for both tuples. It is not (c_x is at most c_y); the lemma holds.",
    },
    Erratum {
        number: 7,
        says: "Figure 4 does not say what it does with a group that cannot be published. Where SA-generalization is forbidden (w^s = infinity) it finds nothing on Figure 1a, since the first group and every single split of it are unpublishable, although a table with information loss 583/60 exists.",
    },
    Erratum {
        number: 8,
        says: "Definition 10 says multi-set, but its count n^m is that of ordered owners. Jame and Jane, digestion- and digestive-system-problem, and the zip codes from 30000 instead of 30001 are slips.",
    },
    Erratum {
        number: 9,
        says: "The model is not monotone, which the paper does not say: joining two safe groups may breach. {flu guarded by flu, gastritis unguarded} and {flu, flu, both unguarded}: 1/2 becomes 3/4. So no search may prune by it.",
    },
];

/// What is true, but no error of the paper.
pub(super) const REMARKS: [Erratum; 2] = [
    Erratum {
        number: 6,
        says: "Figure 3 is not what Figure 5 makes of its own groups: tuples 3 and 4 are safe at 1/2 as they are. The paper does not say that it is.",
    },
    Erratum {
        number: 7,
        says: "A weight w^s of infinity switches SA-generalization off if infinity times 0 is taken as 0. In arithmetic it is no number, so a policy says \"forbid\".",
    },
];
