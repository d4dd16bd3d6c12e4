//! A falling curve of probabilities: how many rows have at least so much.

use super::{Caption, WIDTH, figure, line, short, text, ticks};
use crate::page::html::Html;
use crate::page::numbers::{decimal, whole};

/// Rows by probability, the largest first, and the limit that none may exceed.
pub(crate) fn curve(caption: &Caption, steps: &[(f64, u64)], limit: Option<f64>) -> Html {
    let rows: u64 = steps.iter().map(|(_, rows)| rows).sum();
    let highest = steps.iter().map(|(p, _)| *p).fold(0.0, f64::max);
    let up = ticks(highest.max(limit.unwrap_or(0.0)).clamp(0.01, 1.0));
    let end = up.last().copied().unwrap_or(1.0);
    let (left, right, top, bottom) = (42.0, WIDTH - 14.0, 16.0, 190.0);
    let x = |rows_so_far: u64| left + (right - left) * rows_so_far as f64 / rows.max(1) as f64;
    let y = |p: f64| bottom - (bottom - top) * p / end;
    let mut drawn = Html::new();
    for tick in &up {
        let at = y(*tick);
        drawn.push(&line((left, at), (right, at), "grid"));
        drawn.push(&text(left - 5.0, at + 4.0, "end", "axis", &decimal(*tick)));
    }
    for part in 0..=4u64 {
        let so_far = rows * part / 4;
        let anchor = if part == 4 { "end" } else { "middle" };
        let words = whole(so_far);
        drawn.push(&text(x(so_far), bottom + 14.0, anchor, "axis", &words));
    }
    let mut path = format!("M{} {}", short(left), short(bottom));
    let mut so_far = 0;
    for (p, count) in steps {
        path.push_str(&format!("L{} {}", short(x(so_far)), short(y(*p))));
        so_far += count;
        path.push_str(&format!("L{} {}", short(x(so_far)), short(y(*p))));
    }
    path.push_str(&format!("L{} {}Z", short(x(so_far)), short(bottom)));
    drawn.push(&Html::lone("path", &[("d", &path), ("class", "area")]));
    if let Some(limit) = limit {
        let at = y(limit);
        drawn.push(&line((left, at), (right, at), "limit"));
        let words = format!("limit {}", decimal(limit));
        drawn.push(&text(right, at - 4.0, "end", "number", &words));
    }
    drawn.push(&line((left, bottom), (right, bottom), "base"));
    let axis = "rows, the most exposed first (count); upwards: probability";
    drawn.push(&text(left - 36.0, bottom + 30.0, "start", "axis", axis));
    figure(caption, bottom + 38.0, &drawn)
}
