//! Section 5, what the paper does not say of Nonpri-mixed: some persons cannot be published alone.

use scrim::adversary::{Exposed, personal};
use scrim::hierarchy::from_outline;
use scrim::release::policy::Case;
use scrim::{Error, Share};

use super::bench::internal;
use super::income::{Incomes, TOP};
use super::{Line, Part, Verdict};

/// Whether a person whose rows all show the top may stand alone, by the number of rows, one guarded by its parent.
pub(super) fn part() -> Result<Part, Error> {
    let incomes = Incomes::even();
    let tree = from_outline("income", "income.txt", &incomes.outline(), false)?;
    let taxon = |name: &str| {
        let found = tree.labelled(name).next();
        found.ok_or_else(|| internal("no such taxon"))
    };
    let (top, guard) = (taxon(TOP)?, taxon(&incomes.parent(0))?);
    let limit = Share::new(1, 4).ok_or_else(|| internal("no quarter"))?;
    let line = |(rows, known): (usize, &str)| {
        let exposed = Exposed {
            tree: &tree,
            case: Case::NonPrimary,
            class_of_row: &vec![0; rows],
            shown: &vec![top; rows],
            guards: &vec![Some(guard); rows],
            person_of_row: None,
            persons: &[1],
        };
        let found = personal("income", &exposed, limit);
        let ours = found.max_exact.unwrap_or_default();
        let safe = if found.above == 0 { "yes" } else { "no" };
        let right = ours == known && (found.above == 0) == (rows < 3);
        let name = format!("a person alone, rows: {rows}");
        let cells = vec![ours, safe.to_owned()];
        Line::new(name, "", cells, Verdict::Checked, right)
    };
    let known = [(1, "1/10"), (2, "19/100"), (3, "271/1000")];
    Ok(Part::new(
        "Section 5, Nonpri-mixed: all incomes at the top, one guarded by its parent",
        &["probability", "safe at 1/4"],
        known.into_iter().map(line).collect(),
    ))
}
