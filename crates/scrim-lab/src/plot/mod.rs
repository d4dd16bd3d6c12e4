//! Charts as SVG: lines, steps and bars with axes, a legend and a line on where the numbers come from.
//!
//! A chart is one text without scripts, fonts or links, so that it can stand in a file or inside a page. Series differ by
//! dash, marker and order as well as by colour. Dark paper comes by `prefers-color-scheme`. The same chart gives the same
//! bytes: coordinates have one decimal.

mod axis;
mod frame;
mod marks;

use std::fmt;

pub(crate) use axis::{Axis, Scale};
use frame::Frame;

/// A picture of numbers.
#[derive(Clone, Debug)]
pub(crate) struct Chart {
    /// What is shown, in one line.
    pub(crate) title: String,
    /// The same for who cannot see it: what the picture says.
    pub(crate) about: String,
    /// Where the numbers come from.
    pub(crate) source: String,
    /// To the right.
    pub(crate) x: Axis,
    /// Upwards; never names.
    pub(crate) y: Axis,
    /// What is drawn, later ones over earlier ones.
    pub(crate) series: Vec<Series>,
    /// Heights that matter, each with its name.
    pub(crate) limits: Vec<(f64, String)>,
}

/// Numbers that belong together.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    /// For the legend.
    pub(crate) name: String,
    /// How they are drawn.
    pub(crate) form: Form,
    /// From left to right. A point that is no number is left out.
    pub(crate) points: Vec<Point>,
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Markers joined by lines.
    Line,
    /// Each height holds until the next point.
    Step,
    /// Bars from the bottom, those of several series side by side.
    Bars,
}

/// Where a point stands along the x axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Place {
    /// A number, or the index of a name.
    At(f64),
    /// The category at the end of the axis.
    Last,
}

/// A number over its place.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Point {
    /// Where.
    pub(crate) x: Place,
    /// How much.
    pub(crate) y: f64,
    /// The top of a thin bar upwards from there: how far it spreads.
    pub(crate) high: Option<f64>,
}

impl Point {
    /// A point that does not spread.
    pub(crate) fn new(x: f64, y: f64) -> Self {
        Self {
            x: Place::At(x),
            y,
            high: None,
        }
    }
}

impl fmt::Display for Chart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let frame = Frame::new(self);
        writeln!(
            f,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"scrim-chart\" role=\"img\" viewBox=\"0 0 {} {}\" width=\"{0}\" height=\"{1}\">",
            Frame::WIDTH,
            frame.height()
        )?;
        writeln!(f, "<title>{}</title>", escaped(&self.title))?;
        writeln!(f, "<desc>{}</desc>", escaped(&self.about))?;
        writeln!(f, "<style>\n{STYLE}</style>")?;
        writeln!(
            f,
            "<rect class=\"paper\" width=\"{}\" height=\"{}\"/>",
            Frame::WIDTH,
            frame.height()
        )?;
        frame.write(f)?;
        frame.write_limits(f)?;
        for (number, series) in self.series.iter().enumerate() {
            marks::write(f, &frame, number, series)?;
        }
        frame.write_legend(f)?;
        writeln!(f, "</svg>")
    }
}

/// Colours for light and dark paper, told apart by most eyes; dashes tell them apart for all.
const STYLE: &str = "\
.scrim-chart { font: 12px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; }
.scrim-chart .paper { fill: #ffffff; }
.scrim-chart text { fill: #1c2126; }
.scrim-chart .title { font-size: 15px; font-weight: 600; }
.scrim-chart .faint { fill: #59636e; font-size: 11px; }
.scrim-chart .grid { stroke: #e1e5ea; fill: none; }
.scrim-chart .axis { stroke: #59636e; fill: none; }
.scrim-chart .limit { stroke: #1c2126; stroke-dasharray: 1 3; fill: none; }
.scrim-chart .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
.scrim-chart .spread { fill: none; stroke-width: 1; }
.scrim-chart .s0 { stroke: #0a64ad; fill: #0a64ad; }
.scrim-chart .s1 { stroke: #c2410c; fill: #c2410c; }
.scrim-chart .s2 { stroke: #0d7a52; fill: #0d7a52; }
.scrim-chart .s3 { stroke: #8b3fa0; fill: #8b3fa0; }
.scrim-chart .s4 { stroke: #8a6a00; fill: #8a6a00; }
.scrim-chart .s5 { stroke: #475569; fill: #475569; }
.scrim-chart .line.s0, .scrim-chart .line.s1, .scrim-chart .line.s2, .scrim-chart .line.s3, .scrim-chart .line.s4, .scrim-chart .line.s5 { fill: none; }
.scrim-chart .d1 { stroke-dasharray: 6 4; }
.scrim-chart .d2 { stroke-dasharray: 14 3 3 3; }
.scrim-chart .d3 { stroke-dasharray: 3 2; }
@media (prefers-color-scheme: dark) {
  .scrim-chart .paper { fill: #14181d; }
  .scrim-chart text { fill: #e6e9ed; }
  .scrim-chart .faint { fill: #a3adb8; }
  .scrim-chart .grid { stroke: #2b323a; }
  .scrim-chart .axis { stroke: #a3adb8; }
  .scrim-chart .limit { stroke: #e6e9ed; }
  .scrim-chart .s0 { stroke: #58a6ff; fill: #58a6ff; }
  .scrim-chart .s1 { stroke: #ff9b5e; fill: #ff9b5e; }
  .scrim-chart .s2 { stroke: #4fc38a; fill: #4fc38a; }
  .scrim-chart .s3 { stroke: #d18be3; fill: #d18be3; }
  .scrim-chart .s4 { stroke: #e0bd4a; fill: #e0bd4a; }
  .scrim-chart .s5 { stroke: #a8b3c2; fill: #a8b3c2; }
}
";

/// A text as XML has it.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // No other control is allowed in XML 1.0.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

/// A coordinate.
fn at(number: f64) -> String {
    let text = format!("{number:.1}");
    let text = text.strip_suffix(".0").unwrap_or(&text);
    if text == "-0" { "0" } else { text }.to_owned()
}

#[cfg(test)]
mod tests;
