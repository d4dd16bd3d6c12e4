//! The models. Definitions are those of `model/*.rs`, in the same words.

use super::parameters::{K, OF, PERSONAL, SERIAL, parameter};
use super::{Entry, Kind, Parameter};

/// The searches that carry whatever a class can be asked for.
const ANY: &[&str] = &[
    "optimal",
    "mingen",
    "datafly",
    "incognito",
    "top-down",
    "personalized",
    "mondrian",
    "mu-argus",
    "rotating",
    "chain",
];
/// And those that need every superset of a valid class to be valid.
const GROWING: &[&str] = &[
    "optimal",
    "mingen",
    "datafly",
    "incognito",
    "top-down",
    "personalized",
    "mondrian",
    "local",
    "mu-argus",
    "rotating",
    "chain",
];
const P: Parameter = parameter("p", "a whole number from 1", "the least number of values");
const ALPHA: Parameter = parameter("alpha", "a number from 0", "the least total weight");
const NO_ROOM_TO_SUPPRESS: &str = "`incognito` carries it without suppression only";
const ROWS: &str = "rows are counted, not persons: an onlooker sees the rows of a class and cannot tell which belong to one person";

const fn model(name: &'static str) -> Entry {
    Entry::new(Kind::Model, name)
}

pub(super) const K_ANONYMITY: Entry = Entry {
    source: "Sweeney02",
    place: "Definition 2",
    summary: "every class has at least k rows, or persons",
    definition: "Each sequence of quasi-identifier values appears with at least k occurrences. Where the policy has a person column, a class is counted by distinct persons, else by rows. A missing value equals only other missing ones; suppressed rows form a class like any other. With `columns` the published table is projected on these columns, and each sequence of their values appears with at least k occurrences; a policy may make any number of such promises.",
    parameters: &[
        parameter("k", "a whole number from 1", "the least size of a class"),
        parameter("unit", "row or person", "what is counted")
            .or("persons where the policy has a person column"),
        parameter(
            "columns",
            "[\"column\", …]",
            "the quasi-identifiers that classes are formed by",
        )
        .or("all of them"),
    ],
    example: r#"[[privacy]]
model = "k-anonymity"
k = 5                  # nobody can be told apart from 4 others

[[privacy]]            # and those who know only age and sex find 20 who look alike
model = "k-anonymity"
k = 20
columns = ["age", "sex"]
"#,
    limits: &[
        "a class whose sensitive values are all alike: put a model beside it that looks at them, such as `l-diversity`",
        "`mingen-cell` carries it by rows, or by persons where none has two rows; `chain` only beside a model of a sensitive column",
        "`columns`: searches that form classes one by one (`top-down`, `mondrian`, `local`, `personalized`, `rotating`, `mingen-cell`, `chain`) have the largest k of all promises in each class, which is enough but more than is asked for, and claim no bound; a table that `--memory` holds in sections is refused",
    ],
    searches: &[
        "optimal",
        "mingen",
        "mingen-cell",
        "datafly",
        "incognito",
        "top-down",
        "personalized",
        "mondrian",
        "local",
        "mu-argus",
        "rotating",
        "chain",
    ],
    cost: "O(classes), with persons O(their histograms)",
    ..model("k-anonymity")
};

pub(super) const P_SENSITIVE: Entry = Entry {
    source: "Sun08",
    place: "Definition 3",
    summary: "every class has at least p distinct sensitive values",
    definition: "In each class the sensitive attribute has at least p distinct values; the k of p-sensitive k-anonymity is k-anonymity beside it. A missing value counts as one value.",
    parameters: &[OF, P, K],
    example: r#"[[privacy]]
model = "p-sensitive"
p = 3                  # at least 3 diagnoses in each class
k = 5
"#,
    limits: &[
        "values that differ but mean the same: see `scrim help similarity`, and `p-plus-alpha`",
        "one value that nearly all rows of a class have",
        ROWS,
    ],
    searches: GROWING,
    cost: "O(1) a class",
    ..model("p-sensitive")
};

pub(super) const P_ALPHA: Entry = Entry {
    source: "Sun08",
    place: "Definition 4",
    summary: "every class has at least p distinct sensitive values of total weight alpha; the column needs categories",
    definition: "Each class has at least p distinct sensitive values, and its total weight is at least alpha. Of m categories, most sensitive first, the i-th weighs (i - 1)/(m - 1), for each row, counted exactly.",
    parameters: &[OF, P, ALPHA, K],
    example: r#"[columns]              # categories: most sensitive first; every value stands in one
diagnosis = { role = "identifier" }
ward = { role = "sensitive", categories = [["East 1", "East 2"], ["West 1", "West 2"], ["North 1", "North 2"], ["South 1", "South 2"]] }

[[privacy]]
model = "p-alpha"
p = 3
alpha = 2              # the rows of each class weigh at least 2
k = 5
"#,
    limits: &[
        "the similarity attack: a large class of one category, but not the most sensitive one, may keep it; use `p-plus-alpha`",
        ROWS,
    ],
    searches: GROWING,
    cost: "O(values of a class)",
    ..model("p-alpha")
};

pub(super) const P_PLUS_ALPHA: Entry = Entry {
    source: "Sun08",
    place: "Definition 5",
    summary: "every class has sensitive values of at least p categories and of total weight alpha; the column needs categories",
    definition: "Each class has at least p distinct categories of the sensitive attribute, and its total weight is at least alpha. Of m categories, most sensitive first, the i-th weighs (i - 1)/(m - 1), for each row, counted exactly. With p of 2 or more no class lies in one category. The paper also gives a distance between categories, which no promise uses: of the i-th and the j-th, |i - j|/(m - 1), so with four categories 1 between the first and the last and 1/3 between neighbours. The category of each value may be published beside it: `publish-category = true` of the column (Table 6).",
    parameters: &[
        OF,
        parameter(
            "p",
            "a whole number from 1",
            "the least number of categories",
        ),
        ALPHA,
        K,
    ],
    example: r#"[columns]              # categories: most sensitive first; every value stands in one
diagnosis = { role = "identifier" }
ward = { role = "sensitive", categories = [["East 1", "East 2"], ["West 1", "West 2"], ["North 1", "North 2"], ["South 1", "South 2"]] }

[[privacy]]
model = "p-plus-alpha"
p = 2                  # values of at least 2 categories in each class
alpha = 2
k = 5
"#,
    limits: &["one category that nearly all rows of a class have", ROWS],
    searches: GROWING,
    cost: "O(values of a class)",
    ..model("p-plus-alpha")
};

pub(super) const L_DIVERSITY: Entry = Entry {
    place: "Machanavajjhala et al. 2006",
    summary: "the sensitive values of every class are well spread",
    definition: "For a class of n rows whose sensitive values have the counts r1 >= r2 >= .. >= rm. Distinct: m >= l. Entropy: the entropy of the counts is at least log l. Recursive: r1 < c * (rl + .. + rm). Frequency: no value has more than 1/l of the rows, r1 * l <= n. A missing value counts as one value.",
    parameters: &[
        OF,
        parameter(
            "kind",
            "distinct, entropy, recursive or frequency",
            "how spread is told: l values; an entropy of ln l; the commonest below c times all but the l - 1 commonest; none above 1/l of the rows",
        )
        .or("distinct"),
        parameter("l", "a number from 1, whole for distinct and recursive", "how diverse"),
        parameter("c", "a number above 0", "the factor of recursive, which needs it").or("none"),
        K,
    ],
    example: r#"[[privacy]]
model = "l-diversity"
kind = "distinct"      # or entropy, recursive (with c), frequency
l = 3                  # at least 3 diagnoses in each class
k = 5
"#,
    limits: &[
        "values that differ but mean the same: see `scrim help similarity`",
        "a class that differs from the table: see `t-closeness`; distinct and recursive let one value be likely",
        "`local`, and `incognito` with suppression, carry the kind distinct only",
        ROWS,
    ],
    searches: GROWING,
    cost: "O(values of a class), recursive with a sort",
    ..model("l-diversity")
};

pub(super) const T_CLOSENESS: Entry = Entry {
    place: "Li et al. 2007",
    summary: "the sensitive values of every class are distributed nearly as in the table",
    definition: "In each class the distribution of the sensitive attribute is at most t away from that of the whole table, by the earth mover's distance; exactly t holds. Equal: any two values are 1 apart. Ordered: the values at places i and j of m are |i - j|/(m - 1) apart. Hierarchical: two values are the height of their lowest common taxon over that of the tree apart.",
    parameters: &[
        OF,
        parameter("t", "0 to 1", "the largest earth mover's distance"),
        parameter(
            "distance",
            "equal, ordered or hierarchical",
            "how far two values are apart: all alike, by places in an order, by the column's hierarchy",
        )
        .or("equal; ordered where there is an order"),
        parameter("order", "a list of values", "the order of the values").or("that of the numbers"),
        K,
    ],
    example: r#"[[privacy]]
model = "t-closeness"
t = 0.4
distance = "hierarchical"    # by the hierarchy of diagnosis
k = 5
"#,
    limits: &["what the whole table tells about everybody", NO_ROOM_TO_SUPPRESS, ROWS],
    searches: ANY,
    cost: "that of the distance: O(values of a class), ordered O(values of the column), hierarchical O(taxa above them)",
    ..model("t-closeness")
};

pub(super) const ALPHA_K: Entry = Entry {
    place: "Wong et al. 2006",
    summary: "no sensitive value has more than a share of alpha of a class",
    definition: "In each class the share of the rows that have the sensitive value is at most alpha, for one value or for every value; a share of exactly alpha holds. The k is k-anonymity beside it.",
    parameters: &[
        OF,
        parameter("alpha", "above 0, to 1", "the largest share"),
        parameter("value", "a value", "the one that counts").or("every value"),
        K,
    ],
    example: r#"[[privacy]]
model = "alpha-k"
alpha = 0.4            # no diagnosis has more than 40% of a class
k = 5
"#,
    limits: &[
        "a value that is rare in the table and comes up to alpha in a class: see `beta-likeness`",
        "values that differ but mean the same",
        NO_ROOM_TO_SUPPRESS,
        ROWS,
    ],
    searches: ANY,
    cost: "O(values of a class)",
    ..model("alpha-k")
};

pub(super) const DELTA_DISCLOSURE: Entry = Entry {
    place: "Brickell and Shmatikov 2008",
    summary: "the share of each sensitive value in every class is within a factor of that in the table",
    definition: "For each class and every sensitive value of the table, |ln(share in the class / share in the table)| < delta. So every value of the table occurs in every class.",
    parameters: &[
        OF,
        parameter(
            "delta",
            "a number above 0",
            "the logarithm of the factor, which is not reached",
        ),
        K,
    ],
    example: r#"[columns]              # few values: each must occur in every class
diagnosis = { role = "identifier" }
ward = { role = "sensitive" }

[[privacy]]
model = "delta-disclosure"
delta = 1.5            # shares within a factor of e^1.5, about 4.5
k = 5
"#,
    limits: &[
        "what the whole table tells about everybody",
        "it is strong: a column with rare values often has no release but the whole table as one class",
        NO_ROOM_TO_SUPPRESS,
        ROWS,
    ],
    searches: ANY,
    cost: "O(values of the column) a class",
    ..model("delta-disclosure")
};

pub(super) const BETA_LIKENESS: Entry = Entry {
    place: "Cao and Karras 2012",
    summary: "no sensitive value gains too much in a class over its share in the table",
    definition: "Where a value has share p in the table and a larger share q in a class, (q - p)/p is at most beta (basic), and at most -ln p as well (enhanced). A gain of exactly beta holds.",
    parameters: &[
        OF,
        parameter(
            "beta",
            "a number above 0",
            "the largest gain, as a part of the share in the table",
        ),
        parameter(
            "kind",
            "basic or enhanced",
            "whether a gain is also bounded by -ln of the share in the table",
        )
        .or("basic"),
        K,
    ],
    example: r#"[[privacy]]
model = "beta-likeness"
beta = 4               # at most five times the share in the table
k = 5
"#,
    limits: &[
        "learning that a person does not have a value",
        "what the whole table tells about everybody",
        NO_ROOM_TO_SUPPRESS,
        ROWS,
    ],
    searches: ANY,
    cost: "O(values of a class)",
    ..model("beta-likeness")
};

pub(super) const PERSONAL_MODEL: Entry = Entry {
    source: "XiaoTao06",
    place: "Definitions 2, 3, 9 and 10, Theorems 1 and 2",
    summary: "nobody is believed, with a probability above a limit, to have a value that the person asked to hide",
    definition: "A person names a taxon of the sensitive tree on the path from the root to the own value, the guard: nobody shall believe with a probability above the limit that the person has any value below it. The breach probability is that a random assignment of the rows of a class to its persons gives them a row whose value lies below their guard. A class keeps the model when some generalization of its sensitive values does: the least one is published. A person with rows in several classes is protected over all of them: 1 minus the product of 1 - the probability in each class is at most the limit, for each guard of any of the person's rows; two classes with 1/2 each are 3/4.",
    parameters: PERSONAL,
    example: r#"[columns]              # the wish: the row's value or a taxon above it; empty: none
diagnosis = { role = "sensitive", hierarchy = "diagnosis.csv" }
wish = { role = "guard", of = "diagnosis" }

[[privacy]]
model = "personal"
breach = "1/4"
k = 5                  # a wish protects who has one; this protects everybody

[search]
algorithm = "personalized"
"#,
    limits: &[
        "an onlooker who knows the values of others, or knows the guards: a raised value tells that somebody asked for it",
        "persons without a wish: put `k-anonymity` beside it",
        "an onlooker who knows which rows of different classes belong to one person",
        "wishes are not published, so `scrim audit` needs the table that the release was made from",
    ],
    searches: &[
        "optimal",
        "mingen",
        "datafly",
        "top-down",
        "personalized",
        "mondrian",
        "mu-argus",
        "rotating",
    ],
    cost: "a walk up the tree for the values and guards of each class",
    ..model("personal")
};

pub(super) const SERIAL_MODEL: Entry = Entry {
    source: "Wong09",
    place: "Problem 1 and Lemma 2",
    summary: "over all releases together, nobody is linked to a protected value with a probability above 1/l; needs a person column and a [ledger]",
    definition: "In a class of n rows of which n_s have the value s, each of its persons is linked to s with the probability n_s/n. Over all releases that contain a person the probability of having been linked at least once is 1 minus the product of 1 - n_s/n. It is at most 1/l for every person and protected value. This assumes that `values` are transient: whether a person has one in a release says nothing about the next, as with a disease that is cured. For `lasting` values, which stay once somebody has them, a world says of each person from which release on they have the value, or never, so that every class of every release has as many carriers as were published; the probability is the share of all worlds in which the person has it. With `group` a person has a taxon's value who has any value below it.",
    parameters: SERIAL,
    example: r#"[[privacy]]
model = "serial"
l = 2                  # nobody is ever linked with more than 1/2
values = ["gonorrhea", "syphilis"] # curable: what stays belongs into `lasting`
schedule = "linear"    # keeps room for later releases
horizon = 10
k = 2                  # nobody stands alone in a class

[search]
algorithm = "rotating"

[ledger]
path = "ledger.sqlite" # created at first use, with its key beside it
"#,
    limits: &[
        "a value in `values` that lasts (HIV, diabetes): who knows that it does may become certain of a carrier; put it into `lasting`",
        "an onlooker who knows how classes are chosen, or who knows the values of others; for `lasting` also who knows how likely it is to fall ill",
        "standing alone in a class without protected values: put `k-anonymity` beside it",
        "a person has one row in a release: the demo's table, where some have several, is refused with the line",
    ],
    searches: &[
        "optimal",
        "mingen",
        "datafly",
        "top-down",
        "personalized",
        "mondrian",
        "mu-argus",
        "rotating",
    ],
    cost: "persons times protected values of a class, a look-up each; for `lasting` the certifier counts worlds, exactly where that takes at most 400,000 steps for persons who are linked by classes, else by a bound, or the release is refused",
    page: "docs/ledger.md",
    ..model("serial")
};
