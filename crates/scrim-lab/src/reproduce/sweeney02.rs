//! [Sweeney02]: k-anonymity, Prec, `MinGen` by attribute and by cell, Datafly and mu-Argus, by the paper's figures and examples.
//!
//! **Reading.** Figure 6, the hierarchies of Figure 7, is missing from the paper's text. Of ten reconstructions the
//! likeliest, Y-D-C/G2 (date, year, decade, century, `*`; gender, human, `*`), is shown in full.
//! What the paper says of all, such as that GT is a minimal distortion, is answered for each of the ten.

mod cell;
mod datafly;
mod definitions;
mod errata;
mod example7;
mod figure1;
mod figure4;
mod figure7;
mod fixtures;
mod methods;
mod mu_argus;
mod released;

use super::bench;
use super::comparison::{Comparison, Line, Part, Verdict};
use super::words;
use crate::Failure;

/// The paper beside us.
pub(super) fn compare() -> Result<Comparison, Failure> {
    let mut parts = figure1::parts()?;
    parts.extend(figure4::parts()?);
    parts.extend(figure7::parts()?);
    let readings = cell::readings()?;
    parts.extend(cell::parts(&readings)?);
    parts.extend(example7::parts(&readings)?);
    parts.extend(datafly::parts()?);
    parts.extend(mu_argus::parts()?);
    parts.extend(methods::parts(&readings)?);
    parts.push(definitions::part()?);
    Ok(Comparison {
        key: "sweeney02",
        title: "L. Sweeney, Achieving k-anonymity privacy protection using generalization and suppression, 2002",
        parts,
        seconds: Vec::new(),
        errata: &errata::ERRATA,
        remarks: &errata::REMARKS,
        not_yet: "",
        figures: serde_json::Value::Null,
        written: Vec::new(),
    })
}
