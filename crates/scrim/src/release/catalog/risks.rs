//! The measures of risk. Definitions are those of `adversary/risk`, in the same words.

use super::parameters::parameter;
use super::{Entry, Kind, Parameter};

const POPULATION: Parameter = parameter(
    "--population",
    "a table",
    "all persons of the population, with the quasi-identifiers as they are",
)
.or("unknown");
const FRACTION: Parameter = parameter(
    "--fraction",
    "above 0, up to 1",
    "the share of the population that is in the table",
)
.or("unknown");
const THRESHOLD: Parameter =
    parameter("--threshold", "0 to 1", "risks above this are counted").or("0.2");

const HERE: &str = "scrim risk patients.csv -p policy.toml\n";
const SAMPLE: &str = "scrim risk patients.csv -p policy.toml --fraction 0.05\n";
const NO_SECRETS: &str =
    "it knows nothing of sensitive values: see `scrim help linkage` and `scrim help similarity`";
const MODEL_ONLY: &str = "a population that is nothing like its assumption: the estimates then differ much, and that is the sign of it";

const fn risk(name: &'static str) -> Entry {
    Entry {
        page: "docs/risk.md",
        limits: &[NO_SECRETS],
        cost: "a hash probe a row",
        example: HERE,
        ..Entry::new(Kind::Risk, name)
    }
}

const fn estimate(name: &'static str) -> Entry {
    Entry {
        parameters: &[POPULATION, FRACTION],
        limits: &[MODEL_ONLY, NO_SECRETS],
        example: SAMPLE,
        ..risk(name)
    }
}

pub(super) const UNIQUE: Entry = Entry {
    summary: "who is alone in a class, in the table",
    definition: "The persons, else rows, whose quasi-identifiers nobody else in the table has. Somebody in several classes counts once, by the smallest. A column's contribution is how many are alone no more when it is left out.",
    ..risk("unique")
};
pub(super) const PROSECUTOR: Entry = Entry {
    summary: "one over the size of the class: the target is known to be in the table",
    definition: "The target is known to be in the table, so a record of a class of size f is found with 1/f; sizes count persons where they are told, else rows.",
    parameters: &[THRESHOLD],
    ..risk("prosecutor")
};
pub(super) const JOURNALIST: Entry = Entry {
    place: "Benedetti and Franconi 1998",
    summary: "one over the persons of the population whom the class covers, counted, or expected under a negative binomial distribution (Benedetti and Franconi 1998): the target is known to be in the population",
    definition: "The target is known to be in a population, so it is found with 1/F, F being the persons of the population whom the record's class covers. With the sampling fraction only: the expectation of 1/F given that f persons of the class are in the table, F being negative binomial.",
    parameters: &[POPULATION, FRACTION, THRESHOLD],
    example: SAMPLE,
    ..risk("journalist")
};
pub(super) const MARKETER: Entry = Entry {
    summary: "the share of records that somebody who links all of them expects to find: the mean of the prosecutor's risk",
    definition: "The share of all records that somebody who links all of them expects to find: the mean of 1/f (one class a person: classes / records), or of 1/F against a population.",
    ..risk("marketer")
};
pub(super) const DISTINCTION: Entry = Entry {
    place: "Motwani and Xu 2007",
    summary: "distinct values of columns over records (Motwani and Xu 2007)",
    definition: "The distinct values of some columns over the records. Pairs of a person and a value are counted, each once.",
    cost: "a hash probe a distinct tuple for every column and every pair of columns",
    ..risk("distinction")
};
pub(super) const SEPARATION: Entry = Entry {
    place: "Motwani and Xu 2007",
    summary: "the share of pairs of records that differ in columns (Motwani and Xu 2007)",
    definition: "The share of pairs of records that differ in some columns. Pairs of a person and a value are counted, each once.",
    cost: "a hash probe a distinct tuple for every column and every pair of columns",
    ..risk("separation")
};
pub(super) const ZAYATZ: Entry = Entry {
    place: "Zayatz 1991",
    summary: "population uniques, if classes of each size have the same share in the population as in the table (Zayatz 1991)",
    definition: "The share of classes of size j is taken to be the same in the population as in the sample. By Bayes, a class with one member in the sample has one in the population with P = s1 h(1) / the sum of sj h(j), h(j) being the hypergeometric probability that one of j members is drawn. The population has s1 P / f uniques, f being the sampling fraction.",
    cost: "O(the largest class)",
    ..estimate("zayatz")
};
pub(super) const PITMAN: Entry = Entry {
    place: "Hoshino 2001",
    summary: "population uniques, if the population is a draw from Pitman's sampling formula (Hoshino 2001); for tables of at most a tenth of it",
    definition: "The population is one draw of the Ewens-Pitman partition with 0 < alpha < 1 and theta > -alpha; both are the most likely ones for the sample. The population is expected to have N G(theta + 1) G(theta + alpha + N - 1) / (G(theta + alpha) G(theta + N)) uniques, G being the gamma function.",
    cost: "a digamma value for each distinct size, some hundred times",
    ..estimate("pitman")
};
pub(super) const SNB: Entry = Entry {
    place: "Chen and Keller-McNulty 1998",
    summary: "population uniques, if sizes of population classes less one are negative binomial (Chen and Keller-McNulty 1998); for larger tables",
    definition: "The size of a population class, less one, is negative binomial with alpha and beta, so that the K classes of the population have K beta^alpha uniques. alpha and beta are those under which the sample is expected to have the classes of one and two that it has; K is estimated by Shlosser (Haas and Stokes 1998).",
    cost: "O(distinct sizes), and a thousand steps",
    ..estimate("snb")
};
