//! The frame of a chart: title, axes, grid, limits, legend.

use std::fmt;

use super::axis::Axis;
use super::{Chart, Form, Place, at, escaped, marks};

/// A chart with its measures.
#[derive(Debug)]
pub(super) struct Frame<'a> {
    chart: &'a Chart,
    /// The lines of the legend, as numbers of series with the place where each begins.
    legend: Vec<Vec<(usize, f64)>>,
}

const LEFT: f64 = 76.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 44.0;
const PLOT: f64 = 290.0;
const LEGEND_TOP: f64 = TOP + PLOT + 64.0;
const LEGEND_LINE: f64 = 20.0;

impl<'a> Frame<'a> {
    /// The width of every chart.
    pub(super) const WIDTH: f64 = 720.0;

    pub(super) fn new(chart: &'a Chart) -> Self {
        let mut legend: Vec<Vec<(usize, f64)>> = vec![Vec::new()];
        let mut reached = LEFT;
        for (number, series) in chart.series.iter().enumerate() {
            let width = 44.0 + text_width(&series.name);
            if reached + width > Self::WIDTH - RIGHT && reached > LEFT {
                legend.push(Vec::new());
                reached = LEFT;
            }
            if let Some(line) = legend.last_mut() {
                line.push((number, reached));
            }
            reached += width;
        }
        Self { chart, legend }
    }

    pub(super) fn height(&self) -> f64 {
        LEGEND_TOP + self.legend.len() as f64 * LEGEND_LINE + 26.0
    }

    fn width() -> f64 {
        Self::WIDTH - LEFT - RIGHT
    }

    /// A place along the x axis; nothing where the axis does not show it.
    pub(super) fn x(&self, place: Place) -> Option<f64> {
        let share = self.chart.x.share(place)?;
        Some(LEFT + share * Self::width())
    }

    /// A height.
    pub(super) fn y(&self, number: f64) -> Option<f64> {
        let share = self.chart.y.share(Place::At(number))?;
        Some(TOP + PLOT * (1.0 - share))
    }

    /// The bottom of the plot.
    pub(super) fn bottom() -> f64 {
        TOP + PLOT
    }

    /// The right end of the plot.
    pub(super) fn right() -> f64 {
        Self::WIDTH - RIGHT
    }

    /// For bars: the offset of the left side of this series' bar from the middle of its place, and its width.
    pub(super) fn bar(&self, number: usize) -> (f64, f64) {
        let is_bar = |series: &&super::Series| series.form == Form::Bars;
        let all = self.chart.series.iter().filter(is_bar).count().max(1) as f64;
        let before = self.chart.series[..number].iter().filter(is_bar).count() as f64;
        let room = self.chart.x.slot() * Self::width() * 0.8;
        (before * room / all - room / 2.0, room / all)
    }

    /// How far points of this series stand from their place, so that their spreads do not cover each other.
    pub(super) fn aside(&self, number: usize) -> f64 {
        let middle = self.chart.series.len().saturating_sub(1) as f64 / 2.0;
        (number as f64 - middle) * 7.0
    }

    pub(super) fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        text(f, "title", LEFT, 24.0, "start", &self.chart.title)?;
        Self::write_y(f, &self.chart.y)?;
        Self::write_x(f, &self.chart.x)?;
        writeln!(
            f,
            "<path class=\"axis\" d=\"M{} {}V{}H{}\"/>",
            at(LEFT),
            at(TOP),
            at(Self::bottom()),
            at(Self::right())
        )
    }

    fn write_y(f: &mut fmt::Formatter<'_>, axis: &Axis) -> fmt::Result {
        for (share, label) in axis.marks() {
            let y = TOP + PLOT * (1.0 - share);
            let (from, to) = (at(LEFT), at(Self::right()));
            writeln!(f, "<path class=\"grid\" d=\"M{from} {}H{to}\"/>", at(y))?;
            text(f, "faint", LEFT - 8.0, y + 4.0, "end", &label)?;
        }
        let middle = TOP + PLOT / 2.0;
        writeln!(
            f,
            "<text x=\"0\" y=\"0\" text-anchor=\"middle\" transform=\"translate(18 {}) rotate(-90)\">{}</text>",
            at(middle),
            escaped(&axis.label)
        )
    }

    fn write_x(f: &mut fmt::Formatter<'_>, axis: &Axis) -> fmt::Result {
        let mut free = 0.0;
        for (share, label) in axis.marks() {
            let x = LEFT + share * Self::width();
            let half = text_width(&label) / 2.0;
            let y = Self::bottom();
            writeln!(f, "<path class=\"axis\" d=\"M{} {}v5\"/>", at(x), at(y))?;
            // A text that would run into the one before it is left out; its tick stays.
            if x - half >= free {
                text(f, "faint", x, y + 19.0, "middle", &label)?;
                free = x + half + 4.0;
            }
        }
        if axis.last.is_some() {
            // The gap in the axis: what follows is no number.
            let x = LEFT + 0.94 * Self::width();
            let y = Self::bottom();
            writeln!(
                f,
                "<path class=\"axis\" d=\"M{} {}l4 -10m4 0l-4 10\"/>",
                at(x - 4.0),
                at(y + 5.0)
            )?;
        }
        let middle = LEFT + Self::width() / 2.0;
        text(f, "", middle, Self::bottom() + 40.0, "middle", &axis.label)
    }

    pub(super) fn write_limits(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (height, name) in &self.chart.limits {
            let Some(y) = self.y(*height) else { continue };
            let (from, to) = (at(LEFT), at(Self::right()));
            writeln!(f, "<path class=\"limit\" d=\"M{from} {}H{to}\"/>", at(y))?;
            text(f, "faint", Self::right(), y - 5.0, "end", name)?;
        }
        Ok(())
    }

    pub(super) fn write_legend(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (line, entries) in self.legend.iter().enumerate() {
            let y = LEGEND_TOP + line as f64 * LEGEND_LINE;
            for (number, x) in entries {
                let series = &self.chart.series[*number];
                marks::sample(f, *number, series.form, *x, y - 4.0)?;
                text(f, "", x + 32.0, y, "start", &series.name)?;
            }
        }
        let below = self.height() - 12.0;
        text(f, "faint", LEFT, below, "start", &self.chart.source)
    }
}

fn text(
    f: &mut fmt::Formatter<'_>,
    class: &str,
    x: f64,
    y: f64,
    anchor: &str,
    content: &str,
) -> fmt::Result {
    let class = if class.is_empty() {
        String::new()
    } else {
        format!(" class=\"{class}\"")
    };
    writeln!(
        f,
        "<text{class} x=\"{}\" y=\"{}\" text-anchor=\"{anchor}\">{}</text>",
        at(x),
        at(y),
        escaped(content)
    )
}

/// Some pixels a character: fonts differ, so a little too much.
fn text_width(text: &str) -> f64 {
    text.chars().count() as f64 * 6.8
}
