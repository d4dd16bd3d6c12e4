//! What stands inside the frame: lines, steps, bars, and how far they spread.

use std::fmt;

use super::frame::Frame;
use super::{Form, Place, Series, at};

/// As many colours as the style has.
const COLOURS: usize = 6;
/// A way that cannot be seen, a height that cannot, and a step that is small.
const NEAR: f64 = 0.3;
const SAME: f64 = 0.05;
const SMALL: f64 = 1.2;

pub(super) fn write(
    f: &mut fmt::Formatter<'_>,
    frame: &Frame<'_>,
    number: usize,
    series: &Series,
) -> fmt::Result {
    // Where points spread, those of several series at one place stand beside each other.
    let spreads = series.points.iter().any(|point| point.high.is_some());
    let aside = if spreads { frame.aside(number) } else { 0.0 };
    let places = series.points.iter().filter_map(|point| {
        let place = (frame.x(point.x)? + aside, frame.y(point.y)?);
        let high = point.high.and_then(|high| frame.y(high));
        Some((point.x, place, high))
    });
    let places: Vec<(Place, (f64, f64), Option<f64>)> = places.collect();
    for (_, (x, y), high) in &places {
        if let Some(high) = high {
            spread(f, number, *x, *y, *high)?;
        }
    }
    match series.form {
        Form::Step => {
            let steps: Vec<(f64, f64)> = places.iter().map(|(_, place, _)| *place).collect();
            write_steps(f, number, &steps)
        }
        Form::Bars => {
            let (offset, width) = frame.bar(number);
            for (_, (x, y), _) in &places {
                let class = number % COLOURS;
                writeln!(
                    f,
                    "<rect class=\"s{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                    at(x + offset),
                    at(*y),
                    at((width - 2.0).max(1.0)),
                    at((Frame::bottom() - y).max(0.0))
                )?;
            }
            Ok(())
        }
        Form::Line => {
            // No line crosses the gap before the last category: there is nothing between.
            let joined = places.iter().filter(|(place, _, _)| *place != Place::Last);
            let path: Vec<String> = joined
                .map(|(_, (x, y), _)| format!("{} {}", at(*x), at(*y)))
                .collect();
            if path.len() > 1 {
                writeln!(
                    f,
                    "<path class=\"{}\" d=\"M{}\"/>",
                    stroke(number),
                    path.join("L")
                )?;
            }
            places
                .iter()
                .try_for_each(|(_, (x, y), _)| marker(f, number, *x, *y))
        }
    }
}

fn write_steps(f: &mut fmt::Formatter<'_>, number: usize, steps: &[(f64, f64)]) -> fmt::Result {
    let (Some((first_x, first_y)), Some((end, last))) = (steps.first(), steps.last()) else {
        return Ok(());
    };
    let mut path = format!("M{} {}", at(*first_x), at(*first_y));
    let mut height = *first_y;
    for (here, next) in steps.iter().zip(&steps[1..]).skip(1) {
        let (x, y) = *here;
        // A height that nobody can tell from the one before, or a small step that holds for no visible way.
        let rise = (y - height).abs();
        if rise < SAME || next.0 - x < NEAR && rise < SMALL {
            continue;
        }
        path.push_str(&format!("H{}V{}", at(x), at(y)));
        height = y;
    }
    writeln!(
        f,
        "<path class=\"{}\" d=\"{path}H{}V{}\"/>",
        stroke(number),
        at(*end),
        at(*last)
    )
}

fn spread(f: &mut fmt::Formatter<'_>, number: usize, x: f64, y: f64, high: f64) -> fmt::Result {
    writeln!(
        f,
        "<path class=\"spread s{}\" d=\"M{} {}V{}m-4 0h8\"/>",
        number % COLOURS,
        at(x),
        at(y),
        at(high)
    )
}

/// A form of its own for each series.
fn marker(f: &mut fmt::Formatter<'_>, number: usize, x: f64, y: f64) -> fmt::Result {
    let class = number % COLOURS;
    let (x, y) = (at(x), at(y));
    match number % 4 {
        0 => writeln!(
            f,
            "<circle class=\"s{class}\" cx=\"{x}\" cy=\"{y}\" r=\"4\"/>"
        ),
        1 => writeln!(f, "<path class=\"s{class}\" d=\"M{x} {y}m-4 -4h8v8h-8z\"/>"),
        2 => writeln!(f, "<path class=\"s{class}\" d=\"M{x} {y}m0 -5l5 9h-10z\"/>"),
        _ => writeln!(
            f,
            "<path class=\"s{class}\" d=\"M{x} {y}m0 -5l5 5l-5 5l-5 -5z\"/>"
        ),
    }
}

/// A piece of a series for the legend.
pub(super) fn sample(
    f: &mut fmt::Formatter<'_>,
    number: usize,
    form: Form,
    x: f64,
    y: f64,
) -> fmt::Result {
    if form == Form::Bars {
        return writeln!(
            f,
            "<rect class=\"s{}\" x=\"{}\" y=\"{}\" width=\"16\" height=\"10\"/>",
            number % COLOURS,
            at(x + 8.0),
            at(y - 5.0)
        );
    }
    writeln!(
        f,
        "<path class=\"{}\" d=\"M{} {}h26\"/>",
        stroke(number),
        at(x),
        at(y)
    )?;
    if form == Form::Line {
        marker(f, number, x + 13.0, y)?;
    }
    Ok(())
}

fn stroke(number: usize) -> String {
    let colour = number % COLOURS;
    match number % 4 {
        0 => format!("line s{colour}"),
        dash => format!("line s{colour} d{dash}"),
    }
}
