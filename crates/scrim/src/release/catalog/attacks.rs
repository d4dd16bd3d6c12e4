//! The attacks: what is not asked for in a policy but on the command line. Definitions are those of `adversary/*.rs`.

use super::parameters::parameter;
use super::{Entry, Kind, Parameter};

const OF: Parameter = parameter(
    "--of",
    "a sensitive column",
    "needed where there are several",
)
.or("the only one");
const ALL: Parameter = parameter("--all", "", "everybody and every value").or("the 10 worst");

const fn attack(name: &'static str) -> Entry {
    Entry {
        page: "docs/risk.md",
        ..Entry::new(Kind::Attack, name)
    }
}

pub(super) const SIMILARITY: Entry = Entry {
    source: "Sun08",
    place: "section 1",
    summary: "classes whose sensitive values all lie in one category, or are all equal",
    definition: "Who knows that a person is in a class whose sensitive values all lie in one category learns that category, however different the values are. Categories are the policy's; with a hierarchy, the taxa at a chosen depth below its top, where a value that lies less deep stands for itself. A class of one value only (homogeneity) is counted apart as well.",
    parameters: &[
        OF,
        parameter(
            "--depth",
            "a whole number from 1",
            "taxa at this depth below the top instead of categories",
        )
        .or("the policy's categories, else values"),
    ],
    example: "scrim attack release/release.csv -p policy.toml --similarity --depth 1\n",
    limits: &[
        "it knows only the release: a category that nearly all rows of a class have is not counted",
    ],
    cost: "O(rows)",
    page: "docs/papers.md",
    ..attack("similarity")
};

pub(super) const LINKAGE: Entry = Entry {
    source: "XiaoTao06",
    place: "Definition 8",
    summary: "join a release with a table that has names: a row matches a person where each quasi-identifier is the person's value or above it; who matches one row, whose matching rows show one sensitive value, whose breach probability with the table's own n (Definition 8) is above a limit",
    definition: "A row of the release matches a person of the external table where every published quasi-identifier is the person's value, or more general. A person who matches exactly one row is matched to one. A person all of whose matching rows show one sensitive value is certain of it; where they all show one taxon that several values lie below, only the taxon is certain, which is counted apart (`certain_taxon`). The breach probability is that of [XiaoTao06] with n the external persons whom a class covers; without a `personal` promise, the share of the commonest value among the matching rows. All figures assume that the person is in the release.",
    parameters: &[
        parameter(
            "--linkage",
            "a table",
            "persons, with the quasi-identifiers named as in the policy, values as they are",
        ),
        parameter(
            "--limit",
            "0 to 1",
            "persons for whom some sensitive value has a probability above this are counted",
        )
        .or("the `breach` of the policy's `personal`, else 1/2"),
        OF,
    ],
    example: "scrim attack release/release.csv -p policy.toml --linkage patients.csv\n",
    limits: &["an adversary who knows more than the external table may find more"],
    cost: "both tables are put together by distinct tuples; a million persons against a million rows take seconds",
    ..attack("linkage")
};

pub(super) const TOTALS: Entry = Entry {
    source: "Sweeney02",
    place: "section 4.2",
    summary: "hidden values that follow from known totals by subtraction: how many men and women there are tells the suppressed sexes",
    definition: "Somebody knows how often each value of a column occurs among the people of the table. A world gives every cell a value that lies below what it shows, so that each value occurs as often as its total says. A hidden cell is certain where it has the same value in all worlds, and narrowed where it has fewer values than it shows; the probability of a value is its share of the worlds. Rows that the totals count and the release lacks are cells that show nothing. Certain cells are then filled in and classes counted again.",
    parameters: &[
        parameter(
            "--totals",
            "a CSV list",
            "`column,value,count`: a line for each value of each column that is known; a value that is not listed occurs nowhere",
        ),
        parameter("--all", "", "every cell that is certain, with its value").or("counts only"),
    ],
    example: "scrim attack release/release.csv -p policy.toml --totals totals.csv\n",
    limits: &[
        "each column by itself: who knows totals of several columns together may find more",
        "columns whose cells show taxa of their hierarchy; intervals that `mondrian` or `local` cut are refused",
    ],
    cost: "O(rows + values * height) a column",
    ..attack("totals")
};

pub(super) const PERSONAL_ATTACK: Entry = Entry {
    source: "XiaoTao06",
    place: "Definitions 3, 9 and 10, Theorems 1 and 2",
    summary: "the breach probability of every row that has a guard",
    definition: "For every row that has a guard, its owner's breach probability in the row's class: that a random assignment of rows to persons gives them a row whose value lies below their guard; where the owner has rows in several classes, 1 minus the product of 1 - the probability in each. The attack succeeds on the rows whose probability is above the policy's limit.",
    parameters: &[
        parameter(
            "--raw",
            "a table",
            "what the release was made from, row by row",
        ),
        parameter(
            "--external",
            "a table",
            "among whose persons owners are sought",
        )
        .or("among those of the class: the most that can be known"),
        OF,
    ],
    example: "scrim attack release/release.csv -p personal.toml --personal --raw patients.csv\n",
    limits: &[
        "an adversary who knows more than the external table, such as what another person has, may find more",
    ],
    cost: "O(rows * depth of the tree), and a probability for each class and distinct guard in it",
    page: "docs/policy.md",
    ..attack("personal")
};

pub(super) const SERIAL_ATTACK: Entry = Entry {
    source: "Wong09",
    place: "section 2 and Lemma 2",
    summary: "the probability that a person was linked to a protected value by all releases of the ledger together",
    definition: "Somebody knows who is in which class of every release. The probability that a person was linked to a value at least once is 1 minus the product, over the classes that the person was in, of 1 - n_s/n; within one release alone it is n_s/n, the localized guarantee, which says nothing about all releases together. For `lasting` values the onlooker also knows that they stay: the probability is the share of all worlds in which the person has the value in some release, where nobody loses it and every class has as many carriers as were published.",
    parameters: &[ALL, OF],
    example: "scrim attack -p serial.toml --serial\n",
    limits: &[
        "it reads the policy's ledger: releases that are not in it are not counted",
        "`values` are taken as transient",
        "where worlds of `lasting` values are too many to count it gives a bound, and says so",
    ],
    cost: "O(persons * protected values of their classes); worlds of `lasting` values are counted within a limit",
    page: "docs/ledger.md",
    ..attack("serial")
};

pub(super) const KNOWS_ALGORITHM: Entry = Entry {
    source: "Zhang07",
    place: "Definition 1, Tables 3 and 5",
    summary: "what somebody learns who knows by which steps the release was found",
    definition: "An algorithm tries partitions in a known order and releases one. Who sees the release knows more than the release says: that every earlier step was refused. The disclosure set is the tables that the release allows for which the algorithm would have come as far; what is believed of a row is the share of these in which it has a value. The steps are those of the policy's [disclosure], or of `optimal` by `prec`.",
    parameters: &[
        parameter(
            "--raw",
            "a table",
            "what the release was made from, for its quasi-identifiers",
        )
        .or("the policy's own"),
        ALL,
    ],
    example: "scrim attack release/release.csv -p chain.toml --knows-algorithm\n",
    limits: &[
        "an onlooker who also knows values of some rows may learn more",
        "counting may be too much work: then it says that nothing is decided",
    ],
    cost: "exponential in the worst case, limited",
    page: "docs/disclosure.md",
    ..attack("knows-algorithm")
};
