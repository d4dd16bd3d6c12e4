//! Attacks and measures of risk: what is not asked for in a policy but on the command line.

use super::entries::entry;
use super::parameters::parameter;
use super::{Entry, Kind, Parameter};

const OF: Parameter = parameter("--of", "a sensitive column", "where there are several");
const POPULATION: Parameter = parameter(
    "--population",
    "a table",
    "all persons of the population, with the quasi-identifiers as they are",
);
const FRACTION: Parameter = parameter(
    "--fraction",
    "above 0, up to 1",
    "the share of the population that is in the table",
);
const THRESHOLD: Parameter = parameter(
    "--threshold",
    "0 to 1",
    "risks above this are counted; default 0.2",
);

pub(super) const SIMILARITY: Entry = entry(
    Kind::Attack,
    "similarity",
    "Sun08",
    "classes whose sensitive values all lie in one category, or are all equal",
    &[
        OF,
        parameter(
            "--depth",
            "a whole number from 1",
            "taxa at this depth below the top instead of categories",
        ),
    ],
);
pub(super) const LINKAGE: Entry = entry(
    Kind::Attack,
    "linkage",
    "XiaoTao06",
    "join a release with a table that has names: a row matches a person where each quasi-identifier is the person's value or above it; who matches one row, whose matching rows show one sensitive value, whose breach probability with the table's own n (Definition 8) is above a limit",
    &[
        OF,
        parameter(
            "--limit",
            "0 to 1",
            "default: the `breach` of the policy's `personal`, else 1/2",
        ),
    ],
);
pub(super) const PERSONAL_ATTACK: Entry = entry(
    Kind::Attack,
    "personal",
    "XiaoTao06",
    "the breach probability of every row that has a guard",
    &[
        OF,
        parameter(
            "--raw",
            "a table",
            "what the release was made from, row by row",
        ),
        parameter(
            "--external",
            "a table",
            "among whose persons owners are sought; else among those of the class",
        ),
    ],
);
pub(super) const SERIAL_ATTACK: Entry = entry(
    Kind::Attack,
    "serial",
    "Wong09",
    "the probability that a person was linked to a protected value by all releases of the ledger together",
    &[
        OF,
        parameter("--all", "", "every person and protected value"),
    ],
);
pub(super) const UNIQUE: Entry = entry(
    Kind::Risk,
    "unique",
    "",
    "who is alone in a class, in the table",
    &[],
);
pub(super) const PROSECUTOR: Entry = entry(
    Kind::Risk,
    "prosecutor",
    "",
    "one over the size of the class: the target is known to be in the table",
    &[THRESHOLD],
);
pub(super) const JOURNALIST: Entry = entry(
    Kind::Risk,
    "journalist",
    "",
    "one over the persons of the population whom the class covers, counted, or expected under a negative binomial distribution (Benedetti and Franconi 1998): the target is known to be in the population",
    &[POPULATION, FRACTION, THRESHOLD],
);
pub(super) const MARKETER: Entry = entry(
    Kind::Risk,
    "marketer",
    "",
    "the share of records that somebody who links all of them expects to find: the mean of the prosecutor's risk",
    &[],
);
pub(super) const DISTINCTION: Entry = entry(
    Kind::Risk,
    "distinction",
    "",
    "distinct values of columns over records (Motwani and Xu 2007)",
    &[],
);
pub(super) const SEPARATION: Entry = entry(
    Kind::Risk,
    "separation",
    "",
    "the share of pairs of records that differ in columns (Motwani and Xu 2007)",
    &[],
);
pub(super) const ZAYATZ: Entry = entry(
    Kind::Risk,
    "zayatz",
    "",
    "population uniques, if classes of each size have the same share in the population as in the table (Zayatz 1991)",
    &[POPULATION, FRACTION],
);
pub(super) const PITMAN: Entry = entry(
    Kind::Risk,
    "pitman",
    "",
    "population uniques, if the population is a draw from Pitman's sampling formula (Hoshino 2001); for tables of at most a tenth of it",
    &[POPULATION, FRACTION],
);
pub(super) const SNB: Entry = entry(
    Kind::Risk,
    "snb",
    "",
    "population uniques, if sizes of population classes less one are negative binomial (Chen and Keller-McNulty 1998); for larger tables",
    &[POPULATION, FRACTION],
);
