//! The plan of a release as a value that can be written and read again: what `plan.json` holds.
//!
//! **Definition.** A plan says for every row of its source what the release shows of it. Full-domain recodings say it by levels and
//! suppressed classes, subtree recodings by the part of each value, local recodings by the class of each row.
//! **Reading.** Rows are numbered as in the canonical form of the source ([`Table::canonical`]), which does not depend on the order of a
//! file. Values and classes are written as texts. The file stays in the house: it has values of the raw table.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::plan::Plan;
use super::prepare::Prepared;
use crate::hierarchy::Ladder;
use crate::recoding::{Cell, Cut, GeneralizedSensitive, Recoding, Suppressed};
use crate::table::Table;

/// The version of the format.
const VERSION: u32 = 1;

/// Which kind of recoding a plan is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlanKind {
    /// A level for each quasi-identifier.
    FullDomain,
    /// A cut of each quasi-identifier's domain.
    Subtree,
    /// A class for each row.
    Local,
}

/// What becomes of one quasi-identifier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanColumn {
    /// Its name.
    pub name: String,
    /// The level that all values go to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// The labels of the parts that the domain is cut into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cuts: Option<Vec<String>>,
    /// The label of each value of the table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub map: Option<BTreeMap<String, String>>,
}

/// What becomes of suppressed rows, and which they are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanSuppressed {
    /// They are left out.
    pub drop: bool,
    /// Their sensitive values are starred too.
    pub withheld: bool,
    /// How many rows.
    pub rows: u64,
    /// The combinations of values, one for each quasi-identifier, whose rows are all suppressed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tuples: Vec<Vec<String>>,
    /// Single rows beside those.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub single: Vec<u32>,
}

/// The classes of a local recoding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanClasses {
    /// The label of each quasi-identifier, by class.
    pub cells: Vec<Vec<String>>,
    /// The class of each row, as pairs of a class and of how many rows that follow each other have it.
    pub of_rows: Vec<(u32, u32)>,
}

/// How a sensitive column is generalized.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanSensitive {
    /// The column.
    pub column: String,
    /// The taxa to which values are raised, by class that raises some.
    pub raised: Vec<Vec<String>>,
    /// Which of these each row has, or -1 for none, as pairs with how many rows follow each other.
    pub of_rows: Vec<(i64, u32)>,
}

/// A plan as it is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlanFile {
    /// The version of this format.
    pub version: u32,
    /// SHA-256 of the policy's text.
    pub policy_sha256: String,
    /// Which kind.
    pub kind: PlanKind,
    /// The quasi-identifiers in policy order.
    pub columns: Vec<PlanColumn>,
    /// Suppressed rows.
    pub suppressed: PlanSuppressed,
    /// The classes of a local recoding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classes: Option<PlanClasses>,
    /// Sensitive columns that are generalized.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sensitive: Vec<PlanSensitive>,
    /// SHA-256 of each hierarchy file, by column.
    #[serde(default)]
    pub hierarchies: BTreeMap<String, String>,
}

impl PlanFile {
    /// The plan of a table.
    pub fn new(prepared: &Prepared, plan: &Plan, table: &Table, policy_sha256: String) -> Self {
        let recoding = &plan.found.recoding;
        let ladders = prepared.ladders.iter();
        let (kind, columns, classes): (PlanKind, Vec<PlanColumn>, Option<PlanClasses>) =
            match recoding {
                Recoding::FullDomain { node, .. } => {
                    let column = |(ladder, level): (&Ladder, &u8)| PlanColumn {
                        name: ladder.name().to_owned(),
                        level: Some(*level),
                        cuts: None,
                        map: None,
                    };
                    let columns = ladders.zip(node.levels()).map(column);
                    (PlanKind::FullDomain, columns.collect(), None)
                }
                Recoding::Subtree(cuts) => {
                    let column = |(ladder, cut): (&Ladder, &Cut)| {
                        let labels = cut.parts.iter().map(|part| part.label.clone());
                        let values = table.column(ladder.name());
                        let values = values.into_iter().flat_map(|own| own.dictionary().texts());
                        let part = |part: &u32| cut.parts[*part as usize].label.clone();
                        let map = values.map(str::to_owned);
                        PlanColumn {
                            name: ladder.name().to_owned(),
                            level: None,
                            cuts: Some(labels.collect()),
                            map: Some(map.zip(cut.part_of_code.iter().map(part)).collect()),
                        }
                    };
                    (
                        PlanKind::Subtree,
                        ladders.zip(cuts).map(column).collect(),
                        None,
                    )
                }
                Recoding::Local(local) => {
                    let columns = ladders.map(|ladder| PlanColumn {
                        name: ladder.name().to_owned(),
                        level: None,
                        cuts: None,
                        map: None,
                    });
                    let cells = |class: &[Cell]| {
                        let cells = prepared.ladders.iter().zip(class.iter()).enumerate();
                        cells
                            .map(|(at, (ladder, cell))| local.label(ladder, at, *cell))
                            .collect()
                    };
                    let classes = PlanClasses {
                        cells: local.classes.iter().map(|class| cells(class)).collect(),
                        of_rows: runs(local.class_of_row.iter().copied()),
                    };
                    (PlanKind::Local, columns.collect(), Some(classes))
                }
            };
        Self {
            version: VERSION,
            policy_sha256,
            kind,
            columns,
            suppressed: suppressed(prepared, plan, table),
            classes,
            sensitive: sensitive(plan),
            hierarchies: BTreeMap::new(),
        }
    }
}

/// The suppressed rows of a plan. Of a table in sections only their number is known here.
fn suppressed(prepared: &Prepared, plan: &Plan, table: &Table) -> PlanSuppressed {
    let mut all = PlanSuppressed {
        drop: plan.fate.drop,
        withheld: plan.fate.star_sensitive,
        rows: plan.suppressed,
        ..PlanSuppressed::default()
    };
    if let Recoding::FullDomain {
        suppressed: Suppressed { tuples, rows },
        ..
    } = &plan.found.recoding
    {
        let set = prepared.ground.set();
        let text = |tuple: u32, at: usize, name: &str| {
            let code = set.code(tuple as usize, at);
            let column = table.column(name);
            column.map_or_else(String::new, |column| {
                column.dictionary().text(code).to_owned()
            })
        };
        let tuple = |tuple: &u32| {
            let ladders = prepared.ladders.iter().enumerate();
            ladders
                .map(|(at, ladder)| text(*tuple, at, ladder.name()))
                .collect()
        };
        all.tuples = tuples.iter().map(tuple).collect();
        all.tuples.sort_unstable();
        all.single.clone_from(rows);
    }
    all
}

fn sensitive(plan: &Plan) -> Vec<PlanSensitive> {
    let columns = plan.sensitive.iter();
    let column = |generalized: &GeneralizedSensitive| {
        let mut raised = Vec::new();
        let mut number_of = vec![-1; generalized.functions.len()];
        for (class, function) in generalized.functions.iter().enumerate() {
            let taxa = function.as_ref().filter(|taxa| !taxa.is_empty());
            if let Some(taxa) = taxa {
                number_of[class] = i64::try_from(raised.len()).unwrap_or(i64::MAX);
                let labels = taxa
                    .iter()
                    .map(|taxon| generalized.tree.label(*taxon).to_owned());
                raised.push(labels.collect());
            }
        }
        let rows = generalized.class_of_row.iter();
        PlanSensitive {
            column: generalized.column.clone(),
            raised,
            of_rows: runs(rows.map(|class| number_of[*class as usize])),
        }
    };
    columns.map(column).collect()
}

/// Numbers with how many that follow each other are equal.
fn runs<T: PartialEq>(numbers: impl Iterator<Item = T>) -> Vec<(T, u32)> {
    let mut runs: Vec<(T, u32)> = Vec::new();
    for number in numbers {
        match runs.last_mut() {
            Some((last, times)) if *last == number => *times += 1,
            _ => runs.push((number, 1)),
        }
    }
    runs
}
