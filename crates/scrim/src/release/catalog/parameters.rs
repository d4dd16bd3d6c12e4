//! The keys that entries understand, where several share them or there are many.

use super::Parameter;

pub(super) const fn parameter(
    name: &'static str,
    value: &'static str,
    summary: &'static str,
) -> Parameter {
    Parameter {
        name,
        value,
        summary,
    }
}

pub(super) const SUPPRESSION: Parameter = parameter(
    "suppression",
    "0 to 1",
    "at most this share of the rows may be suppressed; default 0",
);
pub(super) const METRIC: Parameter =
    parameter("metric", "a metric", "what is optimized; default prec");
pub(super) const OF: Parameter = parameter(
    "of",
    "a sensitive column",
    "the column it speaks of; may be left out where there is one",
);
pub(super) const K: Parameter = parameter(
    "k",
    "a whole number from 1",
    "promises k-anonymity beside it",
);
pub(super) const WEIGHTS: Parameter = parameter(
    "weights",
    "{ column = number }",
    "how much each column counts in the metric; default 1",
);

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
        "where there are several for the sensitive column",
    ),
    parameter(
        "default-guard",
        "\"value\" or a taxon",
        "for tables without a guard column: every row guards its own value, or rows below a taxon guard that",
    ),
    parameter(
        "case",
        "\"primary\" or \"non-primary\"",
        "whether a person may own several rows; default: by the person column",
    ),
    K,
];
pub(super) const MINGEN_CELL: &[Parameter] = &[
    parameter(
        "metric",
        "prec or loss-mean",
        "what is optimized; default prec",
    ),
    WEIGHTS,
    parameter(
        "time-limit",
        "seconds, at least 1",
        "the best found until then is published with its bound; default 60",
    ),
];
pub(super) const DATAFLY: &[Parameter] = &[
    parameter(
        "strict",
        "true or false",
        "the algorithm as printed, also where it gives up the whole table",
    ),
    parameter(
        "complement",
        "tuple or sequence",
        "how fewer than k suppressed rows are made k",
    ),
    parameter(
        "linking",
        "{ column = 0 to 1 }",
        "how likely a column is used for linking; weighs its number of values",
    ),
    parameter(
        "distort",
        "{ column = 0 to 1 }",
        "how much distortion of a column is tolerated; weighs its number of values",
    ),
    parameter(
        "suppression",
        "0 to 1",
        "tightens the rule that up to k rows may be suppressed",
    ),
];
pub(super) const PERSONALIZED: &[Parameter] = &[
    parameter(
        "weights",
        "{ column = number }",
        "how much each column counts; of a sensitive column with wishes its generalized values, or \"forbid\"; default 1",
    ),
    parameter(
        "improve",
        "true or false",
        "a local search for a better cut than the greedy one, never a worse one; default false",
    ),
];
pub(super) const MU_ARGUS: &[Parameter] = &[
    parameter(
        "identifying",
        "most, more or identifying",
        "of a quasi-identifier in [columns]: how identifying it is; ties go to the most identifying, and Figure 12 looks at it; default identifying",
    ),
    parameter(
        "combinations",
        "all or figure-12",
        "whether all pairs and triples of columns are tested, or those that the paper saw the program test; default all",
    ),
    parameter(
        "generalize",
        "a list of columns, or \"ask\"",
        "the data holder's decisions: each raises its column by a level before cells are suppressed; default none",
    ),
    parameter(
        "allow-broken",
        "true or false",
        "writes a release that breaks its promise as release.BROKEN.csv, exit 1; default false",
    ),
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
        "what is protected; a taxon means all values below it",
    ),
    parameter(
        "schedule",
        "greedy, constant, linear, geometric or inverse-square",
        "how a person's room is spread over releases; default greedy: what is left may be spent at once",
    ),
    parameter(
        "horizon",
        "a whole number from 1",
        "for constant and linear: the appearances of a person that the room is spread over",
    ),
    parameter(
        "retire",
        "{ after = number, below = number }",
        "persons are left out after so many releases, or when the room for some protected value is below that; by public history only",
    ),
    K,
];
pub(super) const CHAIN: &[Parameter] = &[
    parameter(
        "strategy",
        "naive, exclusive or inclusive",
        "in [disclosure]: what is done where a release would tell too much; default exclusive",
    ),
    parameter(
        "chain",
        "datafly, prec, [[levels], ..] or { columns = [..] }",
        "in [disclosure]: the steps; default datafly",
    ),
    parameter(
        "decide",
        "exact, certificate or sampling",
        "in [disclosure]: by which method; default the first that decides",
    ),
    parameter(
        "confidence",
        "0.5 to below 1",
        "in [disclosure]: how sure sampling must be; default 0.999999",
    ),
    parameter(
        "seed",
        "a whole number",
        "in [disclosure]: of sampling; default 1",
    ),
];
