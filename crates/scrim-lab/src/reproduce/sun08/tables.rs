//! Tables 2, 5, 6, 7 and 8: what their classes have.

use scrim::{Error, Share};

use super::bench::internal;
use super::released::Released;
use super::{Line, Part, Verdict, admitted, claims, fixtures};

/// Name, key in the fixtures, text, categories, and the weights that are printed.
type Printed = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    [&'static str; 3],
);

const PRINTED: [Printed; 6] = [
    (
        "Table 2",
        "table2",
        fixtures::TABLE_2,
        fixtures::TABLE_4,
        [""; 3],
    ),
    (
        "Table 5",
        "table5",
        fixtures::TABLE_5,
        fixtures::TABLE_4,
        [""; 3],
    ),
    (
        "Table 6",
        "table6",
        fixtures::TABLE_6,
        fixtures::TABLE_4,
        ["weight 2", "", ""],
    ),
    (
        "Table 6 with 142**",
        "table6_corrected",
        fixtures::TABLE_6_CORRECTED,
        fixtures::TABLE_4,
        [""; 3],
    ),
    (
        "Table 7",
        "table7",
        fixtures::TABLE_7,
        fixtures::SECTION_6,
        ["weight 1", "weight 3", "weight 2"],
    ),
    (
        "Table 8, right",
        "table8_printed",
        fixtures::TABLE_8_PRINTED,
        fixtures::OF_TABLE_8,
        [""; 3],
    ),
];

pub(super) fn parts() -> Result<Vec<Part>, Error> {
    let mut lines = Vec::new();
    for (name, key, text, categories, weights) in PRINTED {
        let expected = fixtures::classes(key);
        let ours = Released::new(text, categories)?.facts()?;
        if ours.len() != expected.len() {
            return Err(internal("a fixture has other classes"));
        }
        for (((records, facts), known), weight) in ours
            .into_iter()
            .zip(expected)
            .zip(weights.iter().chain([""; 3].iter()))
        {
            let same = known.0 == records
                && known.1[..3] == facts[..3]
                && whole(known.1[3]) == whole(&facts[3]);
            let printed = weight.is_empty() || *weight == format!("weight {}", facts[3]);
            let verdict = if weight.is_empty() {
                Verdict::Checked
            } else {
                Verdict::Agrees
            };
            lines.push(Line::new(
                format!("{name}: {records}"),
                *weight,
                facts,
                verdict,
                same && printed,
            ));
        }
    }
    Ok(vec![
        Part::new(
            "Tables 2, 5, 6, 7 and 8: the classes, by records",
            &["rows", "values", "categories", "weight"],
            lines,
        ),
        Part::new(
            "The same: what the paper says of them",
            &["ours"],
            claims::lines()?,
        ),
        Part::new(
            "Section 3: the least class of one category that a model admits",
            &["One", "Two", "Three", "Four"],
            admitted::lines()?,
        ),
    ])
}

fn whole(text: &str) -> Option<Share> {
    text.parse().ok()
}
