//! The keys that entries understand, where several share them or there are many.

use super::Parameter;

/// A key that must be given.
pub(super) const fn parameter(
    name: &'static str,
    value: &'static str,
    summary: &'static str,
) -> Parameter {
    Parameter {
        name,
        value,
        default: None,
        summary,
    }
}

impl Parameter {
    /// What it is where it is left out.
    pub(super) const fn or(self, default: &'static str) -> Self {
        Self {
            default: Some(default),
            ..self
        }
    }
}

pub(super) const SUPPRESSION: Parameter = parameter(
    "suppression",
    "0 to 1",
    "at most this share of the rows may be suppressed",
)
.or("0");
pub(super) const METRIC: Parameter =
    parameter("metric", "a metric", "what is optimized").or("prec; with wishes information-loss");
pub(super) const OF: Parameter = parameter(
    "of",
    "a sensitive column",
    "the column it speaks of; needed where there are several",
)
.or("the only one");
pub(super) const K: Parameter = parameter(
    "k",
    "a whole number from 1",
    "promises k-anonymity beside it",
)
.or("no such promise");
pub(super) const WEIGHTS: Parameter = parameter(
    "weights",
    "{ column = number }",
    "how much each column counts in the metric",
)
.or("1 each");

pub(super) const PREFERRED: Parameter = parameter(
    "preferred",
    "[\"column\", …]",
    "of equally good recodings the one that generalizes the first of these columns least, then the next",
)
.or("none");

pub(super) const PERSONAL: &[Parameter] = &[
    OF,
    parameter(
        "breach",
        "0 to 1",
        "the largest breach probability, exact: 0.25 or \"1/4\"",
    ),
    parameter(
        "guard",
        "a guard column",
        "needed where there are several for the sensitive column",
    )
    .or("the only one"),
    parameter(
        "default-guard",
        "\"value\" or a taxon",
        "for tables without a guard column: every row guards its own value, or rows below a taxon guard that",
    )
    .or("none"),
    parameter(
        "case",
        "\"primary\" or \"non-primary\"",
        "whether a person may own several rows",
    )
    .or("by the person column"),
    K,
];
/// Of a search that has something to publish at any time.
pub(super) const TIME_LIMIT: Parameter = parameter(
    "time-limit",
    "seconds, at least 1",
    "the best found until then is published, and the manifest says so",
)
.or("none");
/// Of a search that has nothing to publish before it ends.
pub(super) const TIME_TO_END: Parameter = parameter(
    "time-limit",
    "seconds, at least 1",
    "if it has not ended by then, nothing is published: exit 1",
)
.or("none");
pub(super) const MINGEN_CELL: &[Parameter] = &[
    parameter("metric", "prec or loss-mean", "what is optimized").or("prec"),
    WEIGHTS,
    PREFERRED,
    parameter(
        "time-limit",
        "seconds, at least 1",
        "the best found until then is published with its bound",
    )
    .or("60"),
];
pub(super) const OPTIMAL_KEYS: &[Parameter] = &[
    METRIC,
    WEIGHTS,
    PREFERRED,
    SUPPRESSION,
    parameter(
        "time-limit",
        "seconds, at least 1",
        "the best found until then is published with its bound",
    )
    .or("until it is proven"),
];
pub(super) const LOCAL: &[Parameter] = &[
    parameter(
        "metric",
        "prec, loss, loss-mean or information-loss",
        "what is optimized",
    )
    .or("prec"),
    WEIGHTS,
    parameter(
        "time-limit",
        "seconds, at least 1",
        "go on improving until then; whatever is found by then is published with a bound",
    )
    .or("a number of rounds that grows with the classes"),
];
pub(super) const DATAFLY: &[Parameter] = &[
    parameter(
        "strict",
        "true or false",
        "the algorithm as printed: nothing is published where it gives up the whole table or exceeds `suppression`",
    )
    .or("false"),
    parameter(
        "complement",
        "tuple or sequence",
        "how fewer than k suppressed rows are made k",
    )
    .or("tuple"),
    parameter(
        "linking",
        "{ column = 0 to 1 }",
        "how likely a column is used for linking; weighs its number of values",
    )
    .or("1 each"),
    parameter(
        "distort",
        "{ column = 0 to 1 }",
        "how much distortion of a column is tolerated; weighs its number of values",
    )
    .or("1 each"),
    parameter(
        "suppression",
        "0 to 1",
        "tightens the rule that up to k rows may be suppressed; step 4 keeps it too",
    )
    .or("the rule alone"),
    TIME_TO_END,
];
pub(super) const PERSONALIZED: &[Parameter] = &[
    parameter(
        "weights",
        "{ column = number }",
        "how much each column counts; of a sensitive column with wishes its generalized values, or \"forbid\"",
    )
    .or("1 each"),
    parameter(
        "improve",
        "true or false",
        "a local search for a better cut than the greedy one, never a worse one",
    )
    .or("false"),
    TIME_LIMIT,
];
pub(super) const MU_ARGUS: &[Parameter] = &[
    parameter(
        "identifying",
        "most, more or identifying",
        "of a quasi-identifier in [columns]: how identifying it is; ties go to the most identifying, and Figure 12 looks at it",
    )
    .or("identifying"),
    parameter(
        "combinations",
        "all or figure-12",
        "whether all pairs and triples of columns are tested, or those that the paper saw the program test",
    )
    .or("all"),
    parameter(
        "generalize",
        "a list of columns, or \"ask\"",
        "the data holder's decisions: each raises its column by a level before cells are suppressed",
    )
    .or("none"),
    parameter(
        "allow-broken",
        "true or false",
        "writes a release that breaks its promise as release.BROKEN.csv, exit 1",
    )
    .or("false"),
    TIME_TO_END,
];
pub(super) const SERIAL: &[Parameter] = &[
    OF,
    parameter(
        "l",
        "a number above 1",
        "nobody is ever linked to a protected value with more than 1/l; exact: 2, 2.5 or \"7/3\"",
    ),
    parameter(
        "values",
        "a list of values or taxa, or \"all\"",
        "what is protected, taken as transient: had anew or not in each release; a taxon means all values below it",
    )
    .or("none, where `lasting` is given"),
    parameter(
        "lasting",
        "a list of values or taxa",
        "what is protected and stays once somebody has it",
    )
    .or("none"),
    parameter(
        "group",
        "true or false",
        "whether a taxon is protected as a whole: having any of the values below it",
    )
    .or("false: each value below it for itself"),
    parameter(
        "schedule",
        "greedy, constant, linear, geometric or inverse-square",
        "how a person's room for `values` is spread over releases; greedy: what is left may be spent at once; constant: the smallest largest class over the horizon; geometric: of the family that minimizes the average class",
    )
    .or("greedy"),
    parameter(
        "horizon",
        "a whole number from 1",
        "the appearances of a person that the room is spread over; constant and linear need it",
    )
    .or("none"),
    parameter(
        "retire",
        "{ after = number, below = number }",
        "persons are left out after so many releases, or when the room for some protected value is below that; by public history only",
    )
    .or("nobody"),
    K,
];
pub(super) const CHAIN: &[Parameter] = &[
    parameter(
        "strategy",
        "naive, exclusive or inclusive",
        "in [disclosure]: what is done where a release would tell too much",
    )
    .or("exclusive"),
    parameter(
        "chain",
        "datafly, prec, [[levels], ..] or { columns = [..] }",
        "in [disclosure]: the steps",
    )
    .or("datafly"),
    parameter(
        "decide",
        "exact, certificate or sampling",
        "in [disclosure]: by which method; `certificate` allows the bounds without counting, `certificate` and `union`",
    )
    .or("the first that decides"),
    parameter(
        "confidence",
        "0.5 to below 1",
        "in [disclosure]: how sure sampling must be",
    )
    .or("0.999999"),
    parameter("seed", "a whole number", "in [disclosure]: of sampling").or("1"),
    TIME_TO_END,
];
