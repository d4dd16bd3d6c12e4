//! Bars that lie: long labels have room, and any number of them fits a phone.

use super::{Caption, WIDTH, bar, figure, label, line, room_for, text, ticks};
use crate::page::html::Html;

/// How thick a bar is.
const THICK: f64 = 11.0;
/// What is left free between two groups.
const GAP: f64 = 7.0;
/// The room for a number behind a bar.
const BEHIND: f64 = 58.0;

/// Bars that belong together: a label, and for each series how long and what is written behind.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// What they are about.
    pub(crate) label: String,
    /// By series; none where there is nothing to draw.
    pub(crate) bars: Vec<Option<(f64, String)>>,
}

/// A picture of bars.
#[derive(Clone, Debug)]
pub(crate) struct Bars {
    /// What it says.
    pub(crate) caption: Caption,
    /// What the lengths are, with the unit.
    pub(crate) axis: String,
    /// What the labels are.
    pub(crate) of: &'static str,
    /// The names of the series; one needs no legend.
    pub(crate) series: Vec<&'static str>,
    /// The bars.
    pub(crate) groups: Vec<Group>,
    /// The end of the axis; else the longest bar decides.
    pub(crate) most: Option<f64>,
}

impl Bars {
    /// The picture.
    pub(crate) fn html(&self) -> Html {
        let left = room_for(
            self.groups
                .iter()
                .map(|group| group.label.as_str())
                .chain([self.of]),
        );
        let bars = self.groups.iter().flat_map(|group| &group.bars).flatten();
        let longest = bars.map(|(length, _)| *length).fold(0.0, f64::max);
        let ticks = ticks(self.most.unwrap_or(longest));
        let end = ticks.last().copied().unwrap_or(1.0);
        let scale = (WIDTH - left - BEHIND) / end;
        let class = |at: usize| series(at, self.series.len());
        let mut drawn = Html::new();
        let mut y = 14.0;
        if self.series.len() > 1 {
            for (at, name) in self.series.iter().enumerate() {
                drawn.push(&bar(left, y - 9.0, 12.0, 9.0, class(at)));
                drawn.push(&text(left + 17.0, y - 1.0, "start", "label", name));
                y += 14.0;
            }
        }
        drawn.push(&text(left - 6.0, y, "end", "axis", self.of));
        y += 8.0;
        let top = y;
        let thick = THICK + 2.0;
        let each = thick * self.series.len() as f64 + GAP;
        let bottom = top + each * self.groups.len() as f64;
        for tick in &ticks {
            let x = left + tick * scale;
            drawn.push(&line((x, top), (x, bottom), "grid"));
            let words = tick_words(*tick);
            drawn.push(&text(x, bottom + 13.0, "middle", "axis", &words));
        }
        for group in &self.groups {
            let middle = y + (each - GAP) / 2.0 + 4.0 + GAP / 2.0;
            drawn.push(&label(left - 6.0, middle, left - 6.0, &group.label));
            for (at, drawn_bar) in group.bars.iter().enumerate() {
                let Some((length, words)) = drawn_bar else {
                    continue;
                };
                let at_y = y + GAP / 2.0 + thick * at as f64;
                let width = (length * scale).max(if *length > 0.0 { 1.0 } else { 0.0 });
                drawn.push(&bar(left, at_y, width, THICK, class(at)));
                let behind = left + width + 4.0;
                drawn.push(&text(behind, at_y + 9.0, "start", "number", words));
            }
            y += each;
        }
        drawn.push(&line((left, top), (left, bottom), "base"));
        drawn.push(&text(left, bottom + 28.0, "start", "axis", &self.axis));
        figure(&self.caption, bottom + 36.0, &drawn)
    }
}

/// The class of a series, by its number and how many there are. Before is always the one colour, the release the other.
fn series(at: usize, of: usize) -> &'static str {
    match (of, at) {
        (2, 0) => "s0",
        (_, 0) | (2, _) => "s1",
        (_, 1) => "s2",
        _ => "s3",
    }
}

fn tick_words(tick: f64) -> String {
    if tick >= 1e6 {
        return format!("{}M", crate::page::numbers::decimal(tick / 1e6));
    }
    crate::page::numbers::decimal(tick)
}
