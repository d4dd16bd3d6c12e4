//! [Sweeney02]: k-anonymity, Prec, `MinGen` at the attribute level, Datafly and mu-Argus, by the paper's figures and examples.
//!
//! **Reading.** Figure 6, the hierarchies of Figure 7, is missing from the paper's text. Of ten reconstructions the
//! likeliest, Y-D-C/G2 (date, year, decade, century, `*`; gender, human, `*`), is shown in full.

mod datafly;
mod definitions;
mod errata;
mod figure1;
mod figure4;
mod figure7;
mod fixtures;
mod mu_argus;

use super::bench;
use super::comparison::{Comparison, Line, Part, Verdict};
use super::words;
use crate::outcome::Failure;

/// The paper beside us.
pub(super) fn compare() -> Result<Comparison, Failure> {
    let mut parts = figure1::parts()?;
    parts.extend(figure4::parts()?);
    parts.extend(figure7::parts()?);
    parts.extend(datafly::parts()?);
    parts.extend(mu_argus::parts()?);
    parts.push(definitions::part()?);
    Ok(Comparison {
        key: "sweeney02",
        title: "L. Sweeney, Achieving k-anonymity privacy protection using generalization and suppression, 2002",
        parts,
        seconds: Vec::new(),
        errata: &errata::ERRATA,
        not_yet: errata::NOT_YET,
        figures: serde_json::Value::Null,
        written: Vec::new(),
    })
}
