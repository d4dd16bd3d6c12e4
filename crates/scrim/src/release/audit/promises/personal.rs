//! Personalized anonymity.
//!
//! **Definition.** Nobody's breach probability is above the limit ([XiaoTao06], Definition 3), where the owner of a row
//! is sought among the persons of its class; the probability is that of `adversary::breach`. Of a person whose rows lie in
//! several classes it is 1 minus the product of their complements: `adversary::spread`. The published values of a
//! class overlap nowhere: a tailored generalization publishes taxa of which none lies above another (Definition 4).
//! **Reading.** A class is all rows with equal quasi-identifiers. Withheld rows belong to it, and their stars mean any
//! value; but they do not overlap, since they are withheld and not generalized.
//! **Cost.** O(rows · depth of the tree).

use rustc_hash::FxHashSet;
use serde_json::Value;

use super::super::{BreachReport, Published, Wishes};
use super::Finding;
use crate::adversary::{Breaches, Exposed, MAX_DIGITS, persons_of};
use crate::error::{Error, Place};
use crate::hierarchy::TaxonId;
use crate::release::policy::Case;
use crate::share::Share;

pub(super) fn check(published: &Published<'_>, of: &str, limit: Share) -> Result<Finding, Error> {
    let place = || Place::file(published.file);
    let wishes = published.wishes.iter().find(|wishes| wishes.of == of);
    let wishes = wishes.ok_or_else(|| Error::Data {
        place: place(),
        what: format!(
            "`personal` cannot be checked: the table does not tell the wishes about `{of}`"
        ),
        hint: Some("give the table that the release was made from".to_owned()),
    })?;
    let column = published.table.column(of);
    let column = column.ok_or_else(|| Error::Internal(format!("column `{of}` was not read")))?;
    if wishes.values.len() != published.table.rows() {
        return Err(Error::Internal(
            "the wishes are those of other rows".to_owned(),
        ));
    }
    let shown = wishes.shown(column).map_err(|row| Error::Data {
        place: place(),
        what: format!(
            "row {} does not cover in `{of}` what its source says",
            row + 1
        ),
        hint: Some("is this release made from that table?".to_owned()),
    })?;
    Ok(judge(published, wishes, &shown, limit))
}

fn judge(published: &Published<'_>, wishes: &Wishes, shown: &[TaxonId], limit: Share) -> Finding {
    let class_of_row = published.classes.by_quasi();
    let known = published
        .persons
        .filter(|_| wishes.case == Case::NonPrimary);
    let breaches = Breaches::of(&Exposed {
        tree: &wishes.tree,
        case: wishes.case,
        class_of_row: &class_of_row,
        shown,
        guards: &wishes.guards,
        persons: &persons_of(&class_of_row, published.classes.count(), known),
        person_of_row: known,
    });
    let report = BreachReport::new(&breaches, wishes.case);
    let above = breaches
        .distinct
        .iter()
        .filter(|judged| judged.breach.is_above(limit));
    // The first of equals.
    let worst = above.reduce(|best, next| {
        if next.breach.value() > best.breach.value() {
            next
        } else {
            best
        }
    });
    let too_high = worst.map(|judged| {
        let found = judged.breach.exact(MAX_DIGITS / 20);
        let found = found.unwrap_or_else(|| format!("about {:.6}", judged.breach.value()));
        let over = match judged.classes {
            1 => String::new(),
            classes => format!(" over the {classes} classes of a person together"),
        };
        (
            judged.class as usize,
            format!(
                "breach probability {found}{over} about `{}`, but `breach` is {limit}",
                wishes.of
            ),
        )
    });
    let overlap = overlap(published, wishes, shown, &class_of_row).map(|class| {
        (
            class,
            format!("published values of `{}` overlap", wishes.of),
        )
    });
    let mut finding = Finding {
        observed: report.max.into(),
        broken: too_high.or(overlap),
        ..Finding::default()
    };
    let mut put = |key: &str, value: Value| finding.details.insert(key.to_owned(), value);
    put("observed_exact", report.max_exact.clone().into());
    put("case", report.case.into());
    finding.breach = Some(report);
    finding
}

/// The first class in which a published taxon lies above another one.
fn overlap(
    published: &Published<'_>,
    wishes: &Wishes,
    shown: &[TaxonId],
    class_of_row: &[u32],
) -> Option<usize> {
    let told = (0..shown.len()).filter(|row| !published.classes.is_withheld(*row));
    let mut cells: Vec<(u32, TaxonId)> = told.map(|row| (class_of_row[row], shown[row])).collect();
    cells.sort_unstable();
    cells.dedup();
    let all: FxHashSet<(u32, TaxonId)> = cells.iter().copied().collect();
    let overlaps = |(class, taxon): &&(u32, TaxonId)| {
        let above = std::iter::successors(wishes.tree.parent(*taxon), |at| wishes.tree.parent(*at));
        above
            .into_iter()
            .any(|taxon| all.contains(&(*class, taxon)))
    };
    cells
        .iter()
        .find(overlaps)
        .map(|(class, _)| *class as usize)
}
