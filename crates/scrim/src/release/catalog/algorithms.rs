//! The searches. Definitions are those of `algorithm/*.rs`, in the same words.

use super::parameters::{
    CHAIN, DATAFLY, LOCAL, METRIC, MINGEN_CELL, MU_ARGUS, OPTIMAL_KEYS, PERSONALIZED, PREFERRED,
    SUPPRESSION, TIME_LIMIT, TIME_TO_END, WEIGHTS, parameter,
};
use super::{Entry, Kind};

const GREEDY: &str = "greedy: it does not find the least loss";
const SUPPRESSES_NONE: &str = "it suppresses no row";
pub(super) const HOLDS_ROWS: &str =
    "it works on single rows: every one is held, and `--memory` refuses a table that does not fit";

const fn algorithm(name: &'static str) -> Entry {
    Entry::new(Kind::Algorithm, name)
}

pub(super) const OPTIMAL: Entry = Entry {
    summary: "the best full-domain recoding by any metric, proven, or at a time limit the best so far with a bound",
    definition: "Of all nodes of the generalization lattice that keep the models within the suppression limit, the one of least cost by the metric; ties by the columns of `preferred`, then by fewest suppressed rows, then the smallest level sum, then the smallest levels in policy order.",
    parameters: OPTIMAL_KEYS,
    example: r#"[[privacy]]
model = "k-anonymity"
k = 5

[search]
algorithm = "optimal"
metric = "loss"
suppression = 0.02     # up to 2% of the rows may be suppressed, to spare the others
"#,
    limits: &[
        "one level for all rows of a column: `local` and `mondrian` lose less",
        "where a model promises nothing about growing classes, all nodes within the bound are checked",
        "a time limit that is hit makes the release depend on the machine",
    ],
    cost: "a roll-up a checked node; usually few of them, at worst exponential in the columns; anytime",
    ..algorithm("optimal")
};

pub(super) const MINGEN: Entry = Entry {
    source: "Sweeney02",
    place: "Figure 5",
    summary: "all full-domain recodings of greatest Prec, and the preferred one",
    definition: "Of all full-domain generalizations of the table that keep the models, those of greatest Prec; the preferred one generalizes the columns of `preferred` least, then has fewest suppressed rows, then the smallest level sum, then the smallest levels in policy order.",
    parameters: &[WEIGHTS, PREFERRED, SUPPRESSION, TIME_LIMIT],
    example: r#"[[privacy]]
model = "k-anonymity"
k = 5

[search]
algorithm = "mingen"
weights = { age = 3 }  # the age counts three times as much
"#,
    limits: &[
        "it does not generalize single cells: see `mingen-cell`",
        "it optimizes Prec beside wishes too, which does not count generalized sensitive values; another `metric` is an error",
    ],
    cost: "a roll-up a checked node: every node whose bound does not exceed the best cost",
    ..algorithm("mingen")
};

pub(super) const MINGEN_CELL_SEARCH: Entry = Entry {
    source: "Sweeney02",
    place: "Figure 5 and Equation 2",
    summary: "the least distortion when every cell may be generalized on its own, proven or with a bound; k-anonymity only",
    definition: "Of all tables whose cells are each raised by levels of their own and that are k-anonymous, one that costs least. All tables that cost as little are counted and at most 100 of them listed (`ties`), where they are few; of these the columns of `preferred` choose. When the time is up, the best found and a bound that no such table beats.",
    parameters: MINGEN_CELL,
    example: r#"[columns]              # rows are counted: no person column
patient = { role = "identifier" }

[[privacy]]
model = "k-anonymity"
k = 5

[search]
algorithm = "mingen-cell"
time-limit = 2
"#,
    limits: &[
        "models other than k-anonymity: there a valid block need not split; they are refused",
        "tables beyond some hundred rows: more than eight million pairs of a row and a vector of taxa above it are refused",
        "a time limit that is hit makes the release depend on the machine",
        "two of the equally good tables together: who has both sees smaller classes than either has, so one is published and the manifest has none",
        SUPPRESSES_NONE,
        HOLDS_ROWS,
    ],
    cost: "exponential; anytime",
    ..algorithm("mingen-cell")
};

pub(super) const DATAFLY_SEARCH: Entry = Entry {
    source: "Sweeney02",
    place: "Figure 8",
    summary: "generalize the column with most values until few outliers are left, and suppress those",
    definition: "While the sequences that occur less than k times account for more than k tuples, generalize the attribute with most distinct values; then suppress those sequences, and more tuples if fewer than k are suppressed. A sequence is an outlier when it breaks any model of the policy.",
    parameters: DATAFLY,
    example: r#"[[privacy]]
model = "k-anonymity"
k = 5

[search]
algorithm = "datafly"
linking = { admitted = 0.5 }    # others hardly know the day
"#,
    limits: &["it does not find minimal generalizations", HOLDS_ROWS],
    cost: "a roll-up a step",
    ..algorithm("datafly")
};

pub(super) const INCOGNITO: Entry = Entry {
    source: "Sun08",
    place: "section 5",
    summary: "all minimal generalizations by subsets of the columns; publishes the best of them",
    definition: "For subsets of the quasi-identifiers by size: the candidates are the level vectors all of whose projections with one attribute less survived; they are visited bottom-up, a valid one marks all candidates above it valid untested, and the valid ones survive into the next size. Published is the minimal node of least cost by the metric.",
    parameters: &[METRIC, WEIGHTS, PREFERRED, SUPPRESSION, TIME_LIMIT],
    example: r#"[[privacy]]
model = "k-anonymity"
k = 5

[search]
algorithm = "incognito"
metric = "discernibility"
"#,
    limits: &[
        "with suppression, models that not every superset of a valid class keeps: they are refused",
        "one level for all rows of a column",
    ],
    cost: "a roll-up a tested candidate of each subset",
    ..algorithm("incognito")
};

pub(super) const TOP_DOWN: Entry = Entry {
    source: "Sun08",
    place: "Algorithm 1",
    summary: "local recoding from the top: each class is specialized as far as its rows stay valid",
    definition: "Start with all rows at the tops. Specialize a class by one attribute, a level down; children that break a model push their rows back to the parent; if the rows pushed back are themselves too few, siblings give up rows until they are valid.",
    parameters: &[
        parameter(
            "tighten",
            "true or false",
            "each class ends at the least common ancestors of its rows",
        )
        .or("true"),
        TIME_LIMIT,
    ],
    example: r#"[[privacy]]
model = "p-sensitive"
p = 3
k = 5

[search]
algorithm = "top-down"
"#,
    limits: &[
        "it does not find the least distortion",
        SUPPRESSES_NONE,
        HOLDS_ROWS,
    ],
    cost: "a level of the trees: O(rows log rows) for each attribute, and the values that the models look at",
    ..algorithm("top-down")
};

pub(super) const PERSONALIZED_SEARCH: Entry = Entry {
    source: "XiaoTao06",
    place: "Figure 4 and equations 4 to 6",
    summary: "greedy cuts of each domain, numbers anywhere, categories along their tree, for the least information loss; sensitive values are generalized class by class as far as wishes ask for it",
    definition: "Each quasi-identifier's domain is cut into parts, numbers anywhere, categories along their taxonomy; the sensitive values of each class are then generalized as little as its wishes allow. From the uncut domains a greedy search splits one part at a time, always that which lowers the information loss most, and stops when none does.",
    parameters: PERSONALIZED,
    example: r#"[columns]
age = { role = "quasi", numeric = { from = 0, to = 119 } }    # may be cut anywhere
diagnosis = { role = "sensitive", hierarchy = "diagnosis.csv" }
wish = { role = "guard", of = "diagnosis" }

[[privacy]]
model = "personal"
breach = "1/4"
k = 5

[search]
algorithm = "personalized"
improve = true         # a local search after the paper's
"#,
    limits: &[GREEDY, SUPPRESSES_NONE, HOLDS_ROWS],
    cost: "each split changes the classes that it divides, and only those are judged again",
    ..algorithm("personalized")
};

pub(super) const MONDRIAN: Entry = Entry {
    place: "LeFevre, DeWitt and Ramakrishnan 2006",
    summary: "multidimensional recoding after LeFevre, DeWitt and Ramakrishnan: each class is cut at the median of its widest column, numbers anywhere, other values along their hierarchy, as long as every part keeps all promises",
    definition: "Start with all rows as one class. Cut a class in one dimension as long as every part keeps all models: the dimension whose range is widest, measured against its domain, comes first, then the next. Numbers are cut at their median, other values along their hierarchy.",
    parameters: &[
        parameter(
            "mondrian",
            "strict or relaxed",
            "whether rows equal to the median stay together, or are divided so that halves are even",
        )
        .or("strict"),
        TIME_LIMIT,
    ],
    example: r#"[columns]
age = { role = "quasi", numeric = { from = 0, to = 119 } }    # may be cut anywhere

[[privacy]]
model = "l-diversity"
l = 3
k = 5

[search]
algorithm = "mondrian"
mondrian = "relaxed"
"#,
    limits: &[GREEDY, SUPPRESSES_NONE, HOLDS_ROWS],
    cost: "O(rows * attributes) a generation of classes, about log2(rows / k) of them; in parallel",
    ..algorithm("mondrian")
};

pub(super) const LOCAL_SEARCH: Entry = Entry {
    source: "Sweeney02",
    place: "MinGen at the cell level, bounded",
    summary: "local recoding of high quality for models that let classes grow, never worse than `mondrian` and `top-down`, always with a bound that no release beats",
    definition: "Of all partitions of the rows into valid classes, each shown at the least cells above its rows, one that costs little by the metric, and a bound that says how little any can. It starts from the classes of `mondrian`, strict and relaxed, and of `top-down`, and is never worse than they are where there is time to make them.",
    parameters: LOCAL,
    example: r#"[columns]
age = { role = "quasi", numeric = { from = 0, to = 119 } }    # may be cut anywhere

[[privacy]]
model = "k-anonymity"
k = 5

[search]
algorithm = "local"
metric = "loss-mean"
"#,
    limits: &[
        "models whose valid classes can be spoilt by more rows: they are refused",
        "a time limit makes the release depend on the machine; without one it does not",
        SUPPRESSES_NONE,
        HOLDS_ROWS,
    ],
    cost: "walks over vectors of generalized values, linear in the tuples each, and rounds of local search; anytime: `publish --keep-best`",
    ..algorithm("local")
};

pub(super) const MU_ARGUS_SEARCH: Entry = Entry {
    source: "Sweeney02",
    place: "Figures 11 and 12",
    summary: "generalize each column until its values occur k times, test pairs and triples of columns, suppress cells of rare combinations; often not k-anonymous, and then refused",
    definition: "Generalize each attribute until every value occurs k times; find the combinations of two and three attributes whose values together occur less often, the outliers; let the data holder generalize further and test again; then suppress single cells until each outlier has lost one.",
    parameters: MU_ARGUS,
    example: r#"[columns]
zip = { role = "quasi", hierarchy = { mask = "right" }, identifying = "most" }

[[privacy]]
model = "k-anonymity"
k = 2

[search]
algorithm = "mu-argus"
generalize = ["zip", "admitted"]    # the data holder's decisions
allow-broken = true    # writes what is not k-anonymous under a name that says so, exit 1
"#,
    limits: &[
        "rare combinations of four and more attributes, and rare suppressed cells: the result is often not k-anonymous, and is then refused",
        "other models beside k-anonymity do not steer it; the certifier judges all",
        HOLDS_ROWS,
    ],
    cost: "O(tuples * combinations), of which there are C(n, 2) + C(n, 3)",
    ..algorithm("mu-argus")
};

pub(super) const ROTATING: Entry = Entry {
    source: "Wong09",
    place: "docs/papers.md, E12; the algorithm is ours",
    summary: "classes of partners for `serial`: rows that have least left for their own value choose first, others in each release; numbers are cut anywhere, other values go to their least common ancestors",
    definition: "What a person has left for a protected value is scarce, and everybody in a class spends of it. Rows whose own value has the smallest cap come first, and each takes the partners with whom its class, as large as it must become, loses least. Other partners in each release can do with smaller classes than the same partners again. For `lasting` values it keeps cohorts together instead: persons whom earlier classes linked are in one class, newcomers form new cohorts, and what is not valid alone is united with the classes that cost least. What is left of a cohort is left out of the release while some of its last class are missing, but fewer than l times as many as had the value there: by public history and presence only.",
    parameters: &[WEIGHTS, TIME_TO_END],
    example: r#"[[privacy]]
model = "serial"
l = 2
values = ["gonorrhea", "syphilis"]
schedule = "linear"
horizon = 10

[search]
algorithm = "rotating"
weights = { zip = 2 }

[ledger]
path = "ledger.sqlite"
"#,
    limits: &[
        "it does not find the least loss, and beyond eight rows may find nothing where a solution exists",
        "one of the models must be `serial`",
        SUPPRESSES_NONE,
        HOLDS_ROWS,
    ],
    cost: "linear in the rows, sorting aside; in parallel",
    page: "docs/ledger.md",
    ..algorithm("rotating")
};

pub(super) const CHAIN_SEARCH: Entry = Entry {
    source: "Zhang07",
    place: "Tables 3 and 5",
    summary: "walks the public steps of [disclosure] and releases the first that tells no more than is promised, also to somebody who knows the steps; all other models of one sensitive column, no suppression",
    definition: "Given recodings g1, g2, .. whose order does not depend on the sensitive values. Naive: release the first whose classes keep the models; who knows that learns from a release that all earlier ones were refused, and what remains possible is its disclosure set. Inclusive: release the first whose disclosure set keeps the models. Exclusive: at the first whose classes keep the models, release it if its disclosure set keeps them too, and else nothing.",
    parameters: CHAIN,
    example: r#"[[privacy]]
model = "l-diversity"
kind = "frequency"
l = 2
k = 5

[disclosure]           # the search is then `chain`
strategy = "exclusive"
chain = "prec"         # all nodes of the lattice, by falling Prec
"#,
    limits: &[
        "what the table as a whole tells, or knowledge about single persons' values",
        "`personal` and `serial`, several sensitive columns, and suppression: they are refused",
        "counting may be too much work: then nothing is decided, and nothing released",
        HOLDS_ROWS,
    ],
    cost: "a roll-up a step, and one disclosure set; inclusive: one a step; exponential in the worst case, limited",
    page: "docs/disclosure.md",
    ..algorithm("chain")
};
