//! What may be wrong with a release that keeps its promises.

use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::release::figures::percent;
use crate::{counted, verb};

/// A concern, with the figures behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Concern {
    /// The smallest class is smaller than three, or the policy asks for no more than that.
    SmallK {
        /// The size of the smallest class.
        smallest: u64,
        /// The largest k of the policy, where it promises k-anonymity.
        asked: Option<u64>,
        /// What is counted: `persons` or `rows`.
        counted: &'static str,
    },
    /// No row shows anything but stars in a column.
    ColumnSuppressed {
        /// The quasi-identifier.
        column: String,
        /// A search that generalizes each class by itself, where it could carry the policy and the one that was used does not.
        better: Option<&'static str>,
    },
    /// All rows that show something in a column show the same.
    ColumnCollapsed {
        /// The quasi-identifier.
        column: String,
        /// Its different values in the table that was read.
        before: u64,
    },
    /// More than half of the cells of the quasi-identifiers are lost.
    CellsLost {
        /// Cells that show stars, and cells of rows that were left out.
        lost: u64,
        /// All cells of the quasi-identifiers.
        cells: u64,
    },
    /// More than half of the rows are suppressed.
    RowsSuppressed {
        /// Rows that are suppressed or left out.
        suppressed: u64,
        /// All rows.
        rows: u64,
    },
    /// Rows are counted, although persons may have several.
    PersonsNotCounted {
        /// The column that tells persons, or looks as if it did.
        column: String,
        /// How many rows and values it has, where it was looked at.
        rows: Option<(u64, u64)>,
    },
    /// No promise speaks of a sensitive column.
    SensitiveUnprotected {
        /// The sensitive column.
        column: String,
    },
    /// The largest prosecutor risk is the same before and after.
    RiskUnchanged {
        /// The risk, as a fraction.
        risk: String,
    },
    /// Values of a sensitive column are nowhere in the release.
    ValuesGone {
        /// The sensitive column.
        column: String,
        /// Its different values in the table that was read.
        before: u64,
        /// Those that the release shows.
        after: u64,
    },
}

/// A concern as the commands answer it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConcernReport {
    /// What programs know it by.
    pub code: &'static str,
    /// What is the matter.
    pub text: String,
    /// What to do.
    pub suggestion: String,
    /// The figures behind it.
    #[serde(flatten)]
    pub figures: Map<String, Value>,
}

impl Concern {
    /// What programs know it by.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::SmallK { .. } => "small-k",
            Self::ColumnSuppressed { .. } => "column-suppressed",
            Self::ColumnCollapsed { .. } => "column-collapsed",
            Self::CellsLost { .. } => "cells-lost",
            Self::RowsSuppressed { .. } => "rows-suppressed",
            Self::PersonsNotCounted { .. } => "persons-not-counted",
            Self::SensitiveUnprotected { .. } => "sensitive-unprotected",
            Self::RiskUnchanged { .. } => "risk-unchanged",
            Self::ValuesGone { .. } => "values-gone",
        }
    }

    /// What is the matter, in a sentence. No value of the data is named.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::SmallK {
                smallest,
                asked,
                counted: unit,
            } => {
                let smallest = counted(*smallest, unit.trim_end_matches('s'));
                match asked {
                    Some(k) if *k < 3 => format!(
                        "The policy asks for k = {k} only; the smallest class has {smallest}."
                    ),
                    _ => format!("The smallest class has {smallest}: fewer than three look alike."),
                }
            }
            Self::ColumnSuppressed { column, .. } => {
                format!("All of `{column}` is suppressed: no row shows anything but stars in it.")
            }
            Self::ColumnCollapsed { column, before } => format!(
                "`{column}` had {}, and the release shows a single one: the column tells nothing.",
                counted(*before, "value")
            ),
            Self::CellsLost { lost, cells } => format!(
                "{} of the cells of the quasi-identifiers are lost ({lost} of {cells}): they show stars, or their rows were left out.",
                percent(*lost, *cells)
            ),
            Self::RowsSuppressed { suppressed, rows } => format!(
                "Most rows are suppressed: {suppressed} of {rows} ({}).",
                percent(*suppressed, *rows)
            ),
            Self::PersonsNotCounted { column, rows } => match rows {
                Some((rows, values)) => format!(
                    "Classes are counted in rows, but `{column}` looks like the key of a person and repeats: {} {} {}.",
                    counted(*rows, "row"),
                    verb(*rows, "has", "have"),
                    counted(*values, "different value")
                ),
                None => format!(
                    "Classes are counted in rows: the table does not have `{column}`, which tells persons, and a person may have several rows."
                ),
            },
            Self::SensitiveUnprotected { column } => {
                format!("No promise speaks of the sensitive column `{column}`.")
            }
            Self::RiskUnchanged { risk } => format!(
                "The largest risk of being found is the same as before: {risk}. The release protects the most exposed person no better than the original table."
            ),
            Self::ValuesGone {
                column,
                before,
                after,
            } => format!(
                "{} of the {} of the sensitive column `{column}` {} nowhere in the release: what was rare in it is gone.",
                before - after,
                counted(*before, "value"),
                verb(before - after, "occurs", "occur")
            ),
        }
    }

    /// What to do, in a sentence.
    #[must_use]
    pub fn suggestion(&self) -> String {
        match self {
            Self::SmallK { .. } => {
                "Ask for k-anonymity with k = 3 at least; 5 and 11 are usual for tables that leave the house.".to_owned()
            }
            Self::ColumnSuppressed { column, better } => {
                let give = match better {
                    Some(better) => format!("Name `algorithm = \"{better}\"` in [search]: it generalizes each class by itself, where this search treats a column alike in all rows. Or give"),
                    None => "Give".to_owned(),
                };
                format!("{give} `{column}` a hierarchy with coarser levels below the top, allow some `suppression`, or leave the column out (role \"identifier\") so that others keep more.")
            }
            Self::ColumnCollapsed { column, .. } => format!(
                "Give `{column}` a hierarchy with more levels near its top, allow some `suppression`, or leave the column out so that others keep more."
            ),
            Self::CellsLost { .. } => {
                "Compare the algorithms (`scrim publish --compare`), give the columns finer hierarchies, ask for less, or publish fewer quasi-identifiers.".to_owned()
            }
            Self::RowsSuppressed { .. } => {
                "Lower `suppression` in [search], so that columns are generalized instead; those who are left are not a fair picture of the table.".to_owned()
            }
            Self::PersonsNotCounted { column, rows: Some(_) } => format!(
                "If `{column}` tells persons, give it the role \"person\": it is not published, and classes are counted in persons."
            ),
            Self::PersonsNotCounted { rows: None, .. } => {
                "Give the original table with `--raw`, so that persons are counted.".to_owned()
            }
            Self::SensitiveUnprotected { column } => format!(
                "Add a promise with `of = \"{column}\"` (`l-diversity`, `t-closeness`; see `scrim catalog`), or give the column another role."
            ),
            Self::RiskUnchanged { .. } => {
                "Ask for a larger k, or see with `scrim risk` whether the original table needed protection by these columns at all.".to_owned()
            }
            Self::ValuesGone { column, .. } => format!(
                "Lower `suppression` in [search], try another algorithm (`scrim publish --compare`), or say to readers of the release that rare values of `{column}` are missing from it."
            ),
        }
    }

    /// The concern as the commands answer it.
    #[must_use]
    pub fn report(&self) -> ConcernReport {
        ConcernReport {
            code: self.code(),
            text: self.text(),
            suggestion: self.suggestion(),
            figures: self.figures(),
        }
    }

    fn figures(&self) -> Map<String, Value> {
        let figures = match self {
            Self::SmallK {
                smallest,
                asked,
                counted,
            } => json!({ "smallest": smallest, "k": asked, "counted": counted }),
            Self::ColumnSuppressed { column, better } => {
                json!({ "column": column, "better_algorithm": better })
            }
            Self::ColumnCollapsed { column, before } => {
                json!({ "column": column, "values_before": before })
            }
            Self::CellsLost { lost, cells } => json!({ "lost": lost, "cells": cells }),
            Self::RowsSuppressed { suppressed, rows } => {
                json!({ "suppressed": suppressed, "rows": rows })
            }
            Self::PersonsNotCounted { column, rows } => match rows {
                Some((rows, values)) => {
                    json!({ "column": column, "rows": rows, "values": values })
                }
                None => json!({ "column": column }),
            },
            Self::SensitiveUnprotected { column } => json!({ "column": column }),
            Self::RiskUnchanged { risk } => json!({ "risk": risk }),
            Self::ValuesGone {
                column,
                before,
                after,
            } => json!({ "column": column, "values_before": before, "values_after": after }),
        };
        match figures {
            Value::Object(mut figures) => {
                figures.retain(|_, value| !value.is_null());
                figures
            }
            _ => Map::new(),
        }
    }
}
