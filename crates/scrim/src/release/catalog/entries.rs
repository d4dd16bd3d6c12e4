//! The entries themselves.

use super::parameters::{
    CHAIN, DATAFLY, K, METRIC, MINGEN_CELL, MU_ARGUS, OF, PERSONAL, PERSONALIZED, SERIAL,
    SUPPRESSION, WEIGHTS, parameter,
};
use super::{Entry, Kind, Parameter, Status};

const fn entry(
    kind: Kind,
    name: &'static str,
    source: &'static str,
    summary: &'static str,
    parameters: &'static [Parameter],
) -> Entry {
    Entry {
        kind,
        name,
        summary,
        source,
        parameters,
        status: Status::Vetted,
    }
}

/// All of them.
pub const CATALOG: &[Entry] = &[
    entry(
        Kind::Model,
        "k-anonymity",
        "Sweeney02",
        "every class has at least k rows, or persons",
        &[
            parameter("k", "a whole number from 1", "the least size of a class"),
            parameter(
                "unit",
                "row or person",
                "what is counted; persons where the policy has a person column",
            ),
        ],
    ),
    entry(
        Kind::Model,
        "p-sensitive",
        "Sun08",
        "every class has at least p distinct sensitive values",
        &[
            OF,
            parameter("p", "a whole number from 1", "the least number of values"),
            K,
        ],
    ),
    entry(
        Kind::Model,
        "p-alpha",
        "Sun08",
        "every class has at least p distinct sensitive values of total weight alpha; the column needs categories",
        &[
            OF,
            parameter("p", "a whole number from 1", "the least number of values"),
            parameter("alpha", "a number from 0", "the least total weight"),
            K,
        ],
    ),
    entry(
        Kind::Model,
        "p-plus-alpha",
        "Sun08",
        "every class has sensitive values of at least p categories and of total weight alpha; the column needs categories",
        &[
            OF,
            parameter(
                "p",
                "a whole number from 1",
                "the least number of categories",
            ),
            parameter("alpha", "a number from 0", "the least total weight"),
            K,
        ],
    ),
    entry(
        Kind::Model,
        "l-diversity",
        "",
        "the sensitive values of every class are well spread",
        &[
            OF,
            parameter(
                "kind",
                "distinct, entropy, recursive or frequency",
                "how spread is told: l values; an entropy of ln l; the commonest below c times all but the l - 1 commonest; none above 1/l of the rows; default distinct",
            ),
            parameter(
                "l",
                "a number from 1, whole for distinct and recursive",
                "how diverse",
            ),
            parameter("c", "a number above 0", "the factor of recursive"),
            K,
        ],
    ),
    entry(
        Kind::Model,
        "t-closeness",
        "",
        "the sensitive values of every class are distributed nearly as in the table",
        &[
            OF,
            parameter("t", "0 to 1", "the largest earth mover's distance"),
            parameter(
                "distance",
                "equal, ordered or hierarchical",
                "how far two values are apart: all alike, by places in an order, by the column's hierarchy; default equal",
            ),
            parameter(
                "order",
                "a list of values",
                "the order; without it that of the numbers",
            ),
            K,
        ],
    ),
    entry(
        Kind::Model,
        "alpha-k",
        "",
        "no sensitive value has more than a share of alpha of a class",
        &[
            OF,
            parameter("alpha", "above 0, to 1", "the largest share"),
            parameter("value", "a value", "the one that counts; default every"),
            K,
        ],
    ),
    entry(
        Kind::Model,
        "delta-disclosure",
        "",
        "the share of each sensitive value in every class is within a factor of that in the table",
        &[
            OF,
            parameter(
                "delta",
                "a number above 0",
                "the logarithm of the factor, which is not reached",
            ),
            K,
        ],
    ),
    entry(
        Kind::Model,
        "beta-likeness",
        "",
        "no sensitive value gains too much in a class over its share in the table",
        &[
            OF,
            parameter(
                "beta",
                "a number above 0",
                "the largest gain, as a part of the share in the table",
            ),
            parameter(
                "kind",
                "basic or enhanced",
                "whether a gain is also bounded by -ln of the share in the table; default basic",
            ),
            K,
        ],
    ),
    entry(
        Kind::Model,
        "personal",
        "XiaoTao06",
        "nobody is believed, with a probability above a limit, to have a value that the person asked to hide",
        PERSONAL,
    ),
    entry(
        Kind::Model,
        "serial",
        "Wong09",
        "over all releases together, nobody is linked to a protected value with a probability above 1/l; needs a person column and a [ledger]",
        SERIAL,
    ),
    entry(
        Kind::Algorithm,
        "optimal",
        "",
        "the best full-domain recoding by any metric, proven",
        &[METRIC, WEIGHTS, SUPPRESSION],
    ),
    entry(
        Kind::Algorithm,
        "mingen",
        "Sweeney02",
        "all full-domain recodings of greatest Prec, and the preferred one",
        &[WEIGHTS, SUPPRESSION],
    ),
    entry(
        Kind::Algorithm,
        "mingen-cell",
        "Sweeney02",
        "the least distortion when every cell may be generalized on its own, proven or with a bound; k-anonymity only",
        MINGEN_CELL,
    ),
    entry(
        Kind::Algorithm,
        "datafly",
        "Sweeney02",
        "generalize the column with most values until few outliers are left, and suppress those",
        DATAFLY,
    ),
    entry(
        Kind::Algorithm,
        "incognito",
        "Sun08",
        "all minimal generalizations by subsets of the columns; publishes the best of them",
        &[METRIC, WEIGHTS, SUPPRESSION],
    ),
    entry(
        Kind::Algorithm,
        "top-down",
        "Sun08",
        "local recoding from the top: each class is specialized as far as its rows stay valid",
        &[parameter(
            "tighten",
            "true or false",
            "each class ends at the least common ancestors of its rows; default true",
        )],
    ),
    entry(
        Kind::Algorithm,
        "personalized",
        "XiaoTao06",
        "greedy cuts of each domain, numbers anywhere, categories along their tree, for the least information loss; sensitive values are generalized class by class as far as wishes ask for it",
        PERSONALIZED,
    ),
    entry(
        Kind::Algorithm,
        "mondrian",
        "",
        "multidimensional recoding after LeFevre, DeWitt and Ramakrishnan: each class is cut at the median of its widest column, numbers anywhere, other values along their hierarchy, as long as every part keeps all promises",
        &[parameter(
            "mondrian",
            "strict or relaxed",
            "whether rows equal to the median stay together, or are divided so that halves are even; default strict",
        )],
    ),
    entry(
        Kind::Algorithm,
        "local",
        "Sweeney02",
        "local recoding of high quality for models that let classes grow, always with a bound that no release beats",
        &[
            parameter(
                "metric",
                "prec, loss, loss-mean or information-loss",
                "what is optimized; default prec",
            ),
            WEIGHTS,
            parameter(
                "time-limit",
                "seconds, at least 1",
                "go on improving until then; default: a number of rounds that grows with the classes",
            ),
        ],
    ),
    entry(
        Kind::Algorithm,
        "mu-argus",
        "Sweeney02",
        "generalize each column until its values occur k times, test pairs and triples of columns, suppress cells of rare combinations; often not k-anonymous, and then refused",
        MU_ARGUS,
    ),
    entry(
        Kind::Algorithm,
        "rotating",
        "Wong09",
        "classes of partners for `serial`: rows that have least left for their own value choose first, others in each release; numbers are cut anywhere, other values go to their least common ancestors",
        &[WEIGHTS],
    ),
    entry(
        Kind::Algorithm,
        "chain",
        "Zhang07",
        "walks the public steps of [disclosure] and releases the first that tells no more than is promised, also to somebody who knows the steps; all other models of one sensitive column, no suppression",
        CHAIN,
    ),
    entry(
        Kind::Metric,
        "prec",
        "Sweeney02",
        "precision: one less the mean of level over height of all cells",
        &[],
    ),
    entry(
        Kind::Metric,
        "distortion-ratio",
        "Sun08",
        "the levels of all cells over the levels of a wholly suppressed table",
        &[],
    ),
    entry(
        Kind::Metric,
        "information-loss",
        "XiaoTao06",
        "values that a published one may stand for, over the domain, added up",
        &[],
    ),
    entry(
        Kind::Metric,
        "loss",
        "",
        "share of the domain that a cell covers, geometric mean over columns",
        &[],
    ),
    entry(
        Kind::Metric,
        "loss-mean",
        "",
        "the same, arithmetic mean",
        &[],
    ),
    entry(
        Kind::Metric,
        "discernibility",
        "",
        "rows that each row cannot be told from, added up",
        &[],
    ),
    entry(
        Kind::Metric,
        "average-class-size",
        "",
        "released rows over classes",
        &[],
    ),
    entry(
        Kind::Metric,
        "entropy",
        "",
        "non-uniform entropy in bits",
        &[],
    ),
];
