//! (alpha, k)-anonymity: no sensitive value, or not the one that is named, has more than a share of *alpha* of a class.

use std::cmp::Reverse;

use super::sensitive::most;
use super::{Cell, Finding, Fraction, Sensitive};
use crate::share::Share;
use crate::table::Code;

pub(super) fn check(sensitive: &Sensitive<'_>, alpha: Share, value: Option<&str>) -> Finding {
    let text = |code: Code| sensitive.column.dictionary().text(code);
    let rows = |cells: &[Cell]| match value {
        None => most(cells),
        Some(value) => cells
            .iter()
            .filter(|cell| text(cell.value) == value)
            .map(|cell| cell.rows)
            .sum(),
    };
    let worst = sensitive
        .classes()
        .map(|(class, cells)| {
            (
                Fraction::new(rows(cells), sensitive.size(class)),
                Reverse(class),
            )
        })
        .max();
    let broken = worst
        .filter(|(share, _)| *share > alpha.into())
        .map(|(share, class)| {
            let of = sensitive.name();
            let what = if value.is_some() {
                "the named value"
            } else {
                "a value"
            };
            (
                class.0,
                format!("{what} of `{of}` in {share} of the rows, but alpha is {alpha}"),
            )
        });
    Finding::exact(worst.map(|(share, class)| (share, class.0)), broken)
}
