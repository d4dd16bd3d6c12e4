//! Intervals of numbers along their domain, each on a line of its own.

use super::{Caption, WIDTH, bar, figure, label, line, room_for, text};
use crate::page::html::Html;
use crate::page::numbers::whole;

/// How high a line is.
const STEP: f64 = 16.0;

/// An interval: its label, where it lies as shares of the domain, and the rows that show it.
pub(crate) type Interval<'a> = (&'a str, f64, f64, u64);

/// The intervals in the order of their domain.
pub(crate) fn spans(caption: &Caption, intervals: &[Interval<'_>]) -> Html {
    let left = room_for(
        intervals
            .iter()
            .map(|interval| interval.0)
            .chain(["shown as"]),
    );
    let right = WIDTH - 52.0;
    let top = 22.0;
    let bottom = top + STEP * intervals.len() as f64;
    let x = |share: f64| left + (right - left) * share.clamp(0.0, 1.0);
    let mut drawn = text(left - 6.0, 14.0, "end", "axis", "shown as");
    drawn.push(&text(WIDTH, 14.0, "end", "axis", "rows"));
    for share in [0.0, 0.5, 1.0] {
        drawn.push(&line((x(share), top), (x(share), bottom), "grid"));
    }
    for (at, (words, from, to, rows)) in intervals.iter().enumerate() {
        let y = top + STEP * at as f64;
        drawn.push(&label(left - 6.0, y + 11.5, left - 6.0, words));
        let width = (x(*to) - x(*from)).max(1.5);
        let class = if *rows > 0 { "s1" } else { "s0" };
        drawn.push(&bar(x(*from), y + 3.0, width, STEP - 6.0, class));
        drawn.push(&text(WIDTH, y + 11.5, "end", "number", &whole(*rows)));
    }
    drawn.push(&line((left, bottom), (right, bottom), "base"));
    let axis = "the domain, from its lowest to its highest value";
    drawn.push(&text(left, bottom + 15.0, "start", "axis", axis));
    figure(caption, bottom + 23.0, &drawn)
}
