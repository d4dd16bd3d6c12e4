//! Pictures as SVG: drawn 360 units wide, so that a phone shows them without scaling; colours come from the page's style.

mod bars;
mod curve;
mod lattice;
mod spans;

pub(super) use bars::{Bars, Group};
pub(super) use curve::curve;
pub(super) use lattice::lattice;
pub(super) use spans::spans;

use super::html::Html;

/// How wide a picture is.
const WIDTH: f64 = 360.0;

/// How wide a letter is, more or less.
const LETTER: f64 = 6.6;

/// What a picture says to those who do not see it, and where it comes from.
#[derive(Clone, Debug)]
pub(super) struct Caption {
    /// Its name within the page.
    pub(super) id: String,
    /// Its title.
    pub(super) title: String,
    /// What is to be seen.
    pub(super) told: String,
    /// What it was made from.
    pub(super) source: String,
}

/// A picture with its title, its text for screen readers and its source.
fn figure(caption: &Caption, height: f64, drawing: &Html) -> Html {
    let (title, told) = (format!("{}-t", caption.id), format!("{}-d", caption.id));
    let mut inner = Html::line("title", &[("id", &title)], &caption.title);
    inner.push(&Html::line("desc", &[("id", &told)], &caption.told));
    inner.push(drawing);
    let view = format!("0 0 {WIDTH} {}", short(height));
    let labelled = format!("{title} {told}");
    let attributes = [
        ("viewBox", view.as_str()),
        ("role", "img"),
        ("aria-labelledby", labelled.as_str()),
    ];
    let mut figure = Html::line("p", &[("class", "figure-title")], &caption.title);
    figure.push(&Html::tag("svg", &attributes, &inner));
    let source = format!("Source: {}", caption.source);
    figure.push(&Html::line("figcaption", &[], &source));
    Html::tag("figure", &[], &figure)
}

/// A coordinate.
fn short(number: f64) -> String {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn text(x: f64, y: f64, anchor: &str, class: &str, words: &str) -> Html {
    let attributes = [
        ("x", &*short(x)),
        ("y", &*short(y)),
        ("text-anchor", anchor),
        ("class", class),
    ];
    Html::line("text", &attributes, words)
}

fn line(from: (f64, f64), to: (f64, f64), class: &str) -> Html {
    let attributes = [
        ("x1", &*short(from.0)),
        ("y1", &*short(from.1)),
        ("x2", &*short(to.0)),
        ("y2", &*short(to.1)),
        ("class", class),
    ];
    Html::lone("line", &attributes)
}

fn bar(x: f64, y: f64, width: f64, height: f64, class: &str) -> Html {
    let attributes = [
        ("x", &*short(x)),
        ("y", &*short(y)),
        ("width", &*short(width.max(0.0))),
        ("height", &*short(height)),
        ("class", class),
    ];
    Html::lone("rect", &attributes)
}

/// A label that has room: cut where it is too long, whole in the tooltip.
fn label(x: f64, y: f64, room: f64, words: &str) -> Html {
    let letters = (room / LETTER).max(2.0) as usize;
    let shown = if words.is_empty() { "(missing)" } else { words };
    if shown.chars().count() <= letters {
        return text(x, y, "end", "label", shown);
    }
    let cut: String = shown.chars().take(letters - 1).chain(['…']).collect();
    let inner = [
        Html::line("title", &[], shown),
        text(x, y, "end", "label", &cut),
    ];
    Html::tag("g", &[], &inner.into_iter().collect())
}

/// The room that the longest of some labels needs.
fn room_for<'a>(labels: impl Iterator<Item = &'a str>) -> f64 {
    let longest = labels.map(|label| label.chars().count()).max().unwrap_or(0);
    (longest as f64 * LETTER + 8.0).clamp(24.0, 118.0)
}

/// Ticks from nought to a round number at or above the largest: at most six.
fn ticks(most: f64) -> Vec<f64> {
    if !(most.is_finite() && most > 0.0) {
        return vec![0.0, 1.0];
    }
    let power = 10f64.powf((most / 4.0).log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|step| step * power);
    let step = steps
        .into_iter()
        .find(|step| most / step <= 4.0 + 1e-9)
        .unwrap_or(power * 10.0);
    let last = (most / step - 1e-9).ceil().max(1.0) as u32;
    (0..=last).map(|at| f64::from(at) * step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_few_round_and_reach_the_largest() {
        for most in [0.007, 0.26, 1.0, 3.0, 9.9, 45.0, 100.0, 12_345.0, 1e12] {
            let ticks = ticks(most);
            assert!((2..=6).contains(&ticks.len()), "{most}: {ticks:?}");
            assert!(
                ticks[ticks.len() - 1] >= most * 0.999_999,
                "{most}: {ticks:?}"
            );
            assert!(ticks[ticks.len() - 2] < most, "{most}: {ticks:?}");
        }
        assert_eq!(ticks(100.0), [0.0, 25.0, 50.0, 75.0, 100.0]);
        assert_eq!(ticks(f64::NAN), [0.0, 1.0]);
    }

    #[test]
    fn a_long_label_is_cut_and_whole_in_its_tooltip() {
        let drawn = label(0.0, 0.0, 40.0, "a very long label").into_string();
        assert!(drawn.contains("<title>a very long label</title>"));
        assert!(drawn.contains("a ver…<"), "{drawn}");
    }
}
