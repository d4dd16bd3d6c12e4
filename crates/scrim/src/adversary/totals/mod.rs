//! Inference from known totals.
//!
//! **Definition.** Somebody knows from elsewhere how often each value of a column occurs among the people of the table, and
//! subtracts what the release shows: "knowing the total number of men and women allows the suppressed values for Gender to be
//! inferred" ([Sweeney02], section 4.2). A *world* gives every cell of the column a value that lies below what the cell shows, so that
//! each value occurs as often as its total says. A hidden cell (one that shows no single value) is *inferred* where it
//! has the same value in all worlds, and *narrowed* where it has fewer values in all of them together than values with a total lie below
//! what it shows.
//! The probability of a value is the share of the worlds in which the cell has it.
//! **Reading.** Totals are about single values; a value that is not listed occurs nowhere. Rows that the totals count and the release
//! lacks were left out: they are cells that show nothing, and what is inferred of them is what people had who were suppressed. A
//! suppressed cell shows the top, in a sensitive column too. A taxon above one value only hides it as well: that there is no other is
//! what the totals tell. A label that stands on several levels counts at its lowest. Each
//! column is attacked by itself; what its hidden cells are found to be is then filled in, and classes are counted again.
//! **Holds because** the taxa of a hierarchy lie within or beside each other, so values are handed up the tree: the cells that
//! show a taxon take theirs from what the cells below it left over, and nothing else limits them ([`subtract`]).
//! **Does not protect against** anything: it attacks. It finds less than somebody who knows totals of several columns together, or who
//! combines totals with classes and sensitive values.
//! **Cost.** O(rows + values * height) a column. **Oracle.** `testkit::oracle::worlds_of_totals`.

mod file;
mod filled;
mod subtract;

pub use file::{Total, Totals};
pub use filled::{FilledClasses, filled};
pub use subtract::{Contradiction, Group, subtract};

use serde::Serialize;

/// What is found in one column.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TotalsColumn {
    /// The column.
    pub column: String,
    /// Cells of the release that show no single value.
    pub hidden: u64,
    /// Those of them whose value is certain.
    pub inferred: u64,
    /// Those of them that are not certain, but have fewer possible values than they show.
    pub narrowed: u64,
    /// Rows that the totals count and the release lacks.
    pub missing: u64,
    /// Those of them whose value is certain.
    pub missing_inferred: u64,
    /// The largest probability of a value of a hidden cell or a missing row; none where nothing is hidden.
    pub max: Option<f64>,
    /// The same as a fraction, where it is short.
    pub max_exact: Option<String>,
}

impl TotalsColumn {
    /// What the groups of a column come to. `missing` rows of the group at the root are not in the release.
    pub fn new(column: &str, groups: &[Group], missing: u64) -> Self {
        let mut found = Self {
            column: column.to_owned(),
            hidden: 0,
            inferred: 0,
            narrowed: 0,
            missing,
            missing_inferred: 0,
            max: None,
            max_exact: None,
        };
        for group in groups.iter().filter(|group| group.is_hidden) {
            let cells = group.cells - if group.is_root { missing } else { 0 };
            found.hidden += cells;
            if group.certain.is_some() {
                found.inferred += cells;
                found.missing_inferred += if group.is_root { missing } else { 0 };
            } else if group.possible < group.below {
                found.narrowed += cells;
            }
            if found.max.is_none_or(|max| group.most > max) {
                found.max = Some(group.most);
                found.max_exact = group.most_exact.map(|exact| exact.to_string());
            }
        }
        found
    }
}

/// A cell whose value is certain.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct InferredCell {
    /// Its row in the release, from 1.
    pub row: u64,
    /// Its column.
    pub column: String,
    /// Its value.
    pub value: String,
}

/// The answer of the attack.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TotalsAttack {
    /// Rows of the release.
    pub rows: u64,
    /// Each column that totals are known of.
    pub columns: Vec<TotalsColumn>,
    /// The k that classes are compared with: the largest of the policy's k-anonymity over all columns.
    pub k: Option<u64>,
    /// Classes of the release.
    pub before: FilledClasses,
    /// Classes once certain cells are filled in.
    pub after: FilledClasses,
    /// Every cell that is certain, where they are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cells: Option<Vec<InferredCell>>,
    /// What a reader should know.
    pub remarks: Vec<String>,
}

impl TotalsAttack {
    /// Whether a hidden value became certain.
    pub fn succeeds(&self) -> bool {
        let certain = |column: &TotalsColumn| column.inferred + column.missing_inferred > 0;
        self.columns.iter().any(certain)
    }
}
