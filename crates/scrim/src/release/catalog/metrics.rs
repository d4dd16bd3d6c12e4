//! The metrics. Definitions are those of `metric/*.rs`, in the same words.

use super::{Entry, Kind};

const ANY_METRIC: &[&str] = &["optimal", "incognito"];

const fn metric(name: &'static str) -> Entry {
    Entry {
        cost: "from the counts of a node, O(attributes) or O(classes)",
        ..Entry::new(Kind::Metric, name)
    }
}

pub(super) const PREC: Entry = Entry {
    source: "Sweeney02",
    place: "Definition 5",
    summary: "precision: one less the mean of level over height of all cells",
    definition: "Prec = 1 - the sum of h/H over all cells, divided by the number of cells; h is the level of a cell, H the height of its hierarchy with suppression on top. Weighted: each attribute's cells count by its weight, divided by the sum of the weights. A suppressed row counts at the top in every attribute. 1 is best.",
    example: r#"[[privacy]]
model = "k-anonymity"
k = 5

[search]
metric = "prec"
"#,
    limits: &[
        "it counts steps, not values: a level more costs the same wherever it is, and a deep hierarchy makes each step cheap",
    ],
    searches: &["optimal", "mingen", "mingen-cell", "incognito", "local"],
    ..metric("prec")
};

pub(super) const DISTORTION_RATIO: Entry = Entry {
    source: "Sun08",
    place: "section 6",
    summary: "the levels of all cells over the levels of a wholly suppressed table",
    definition: "The levels of all cells added up, divided by what they would be with every cell at the top. Suppressed rows count at the top. Not 1 - Prec, which divides each level by its own height first. 0 is best.",
    example: r#"[[privacy]]
model = "k-anonymity"
k = 5

[search]
metric = "distortion-ratio"
"#,
    limits: &["columns with deep hierarchies count more; there are no weights"],
    searches: ANY_METRIC,
    ..metric("distortion-ratio")
};

pub(super) const INFORMATION_LOSS: Entry = Entry {
    source: "XiaoTao06",
    place: "equations 4 to 6",
    summary: "values that a published one may stand for, over the domain, added up",
    definition: "A generalized value loses (values below it - 1)/(values in the domain); a row's loss is the weighted sum over its attributes, a table's the sum over its rows. Sensitive values that are published more generally lose in the same way, with their own weight. 0 is best.",
    example: r#"[[privacy]]
model = "k-anonymity"
k = 5

[search]
metric = "information-loss"
"#,
    limits: &["it grows with the rows: compare releases of one table only"],
    searches: &["optimal", "incognito", "personalized", "local"],
    ..metric("information-loss")
};

pub(super) const LOSS: Entry = Entry {
    place: "as ARX computes it",
    summary: "share of the domain that a cell covers, geometric mean over columns",
    definition: "With |D| values in the domain, x = (mean share of the domain below a cell - 1/|D|)/(1 - 1/|D|), a suppressed row counting 1. Loss = (product of 1 + x)^(1/attributes) - 1. Weights are exponents, normalized. 0 is best, 1 is all suppressed.",
    example: r#"[[privacy]]
model = "k-anonymity"
k = 5

[search]
metric = "loss"
"#,
    limits: &["all values count alike, however few rows have them: see `entropy`"],
    searches: &["optimal", "incognito", "local"],
    ..metric("loss")
};

pub(super) const LOSS_MEAN: Entry = Entry {
    place: "as ARX computes it",
    summary: "share of the domain that a cell covers, arithmetic mean over columns",
    definition: "The mean of the x of `loss`: with |D| values in the domain, x = (mean share of the domain below a cell - 1/|D|)/(1 - 1/|D|), a suppressed row counting 1. 0 is best, 1 is all suppressed.",
    example: r#"[[privacy]]
model = "k-anonymity"
k = 5

[search]
algorithm = "local"
metric = "loss-mean"
"#,
    limits: &["all values count alike, however few rows have them: see `entropy`"],
    searches: &["optimal", "mingen-cell", "incognito", "local"],
    ..metric("loss-mean")
};

pub(super) const DISCERNIBILITY: Entry = Entry {
    place: "Bayardo and Agrawal 2005",
    summary: "rows that each row cannot be told from, added up",
    definition: "Each row costs the number of rows it cannot be told from: the squares of the sizes of published classes, added up, and the number of all rows for each suppressed one, kept with stars or dropped. The number of rows is best.",
    example: r#"[[privacy]]
model = "k-anonymity"
k = 5

[search]
metric = "discernibility"
"#,
    limits: &[
        "it looks at sizes of classes only, not at what their cells still tell; there are no weights",
    ],
    searches: ANY_METRIC,
    ..metric("discernibility")
};

pub(super) const AVERAGE_CLASS_SIZE: Entry = Entry {
    place: "LeFevre, DeWitt and Ramakrishnan 2006",
    summary: "released rows over classes",
    definition: "Released rows divided by the number of published classes. Suppressed rows that are kept with stars are one class; dropped rows count neither as rows nor as a class. 1 is best.",
    example: r#"[[privacy]]
model = "k-anonymity"
k = 5

[search]
metric = "average-class-size"
"#,
    limits: &["one huge class beside many small ones looks good; there are no weights"],
    searches: ANY_METRIC,
    ..metric("average-class-size")
};

pub(super) const ENTROPY: Entry = Entry {
    summary: "non-uniform entropy in bits",
    definition: "A cell that shows g instead of v loses -log2(n(v)/n(g)) bits, n counting the rows of the original table whose value lies below; the measure adds up all cells. A suppressed cell shows the top. 0 is best.",
    example: r#"[[privacy]]
model = "k-anonymity"
k = 5

[search]
metric = "entropy"
"#,
    limits: &["it grows with the rows: compare releases of one table only; there are no weights"],
    searches: ANY_METRIC,
    ..metric("entropy")
};
