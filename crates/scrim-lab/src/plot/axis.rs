//! Axes: where a number stands, and which numbers are written beside.

use super::Place;

/// How numbers become places.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Scale {
    /// Equal steps, equal ways.
    Linear {
        /// The left or lower end.
        from: f64,
        /// The other end.
        to: f64,
    },
    /// Equal factors, equal ways; both ends above 0.
    Log {
        /// The left or lower end.
        from: f64,
        /// The other end.
        to: f64,
    },
    /// Names side by side: numbers are indices.
    Names(Vec<String>),
}

/// An axis with its words.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Axis {
    /// What is measured, with its unit.
    pub(crate) label: String,
    /// How numbers become places.
    pub(crate) scale: Scale,
    /// The numbers to write; chosen by the axis when there are none.
    pub(crate) ticks: Vec<f64>,
    /// A category after the end, for what is no number: infinity, forbidden, none.
    pub(crate) last: Option<String>,
}

/// The share of the axis that the numbers keep where there is a category after them.
const BEFORE_LAST: f64 = 0.88;

impl Axis {
    /// An axis that chooses its own ticks.
    pub(crate) fn new(label: impl Into<String>, scale: Scale) -> Self {
        Self {
            label: label.into(),
            scale,
            ticks: Vec::new(),
            last: None,
        }
    }

    /// From 0 to the next round number above all of these.
    pub(crate) fn from_zero(
        label: impl Into<String>,
        numbers: impl IntoIterator<Item = f64>,
    ) -> Self {
        let finite = numbers.into_iter().filter(|number| number.is_finite());
        let most = finite.fold(0.0, f64::max);
        let step = step(if most > 0.0 { most } else { 1.0 });
        let to = (most / step).ceil().max(1.0) * step;
        Self::new(label, Scale::Linear { from: 0.0, to })
    }

    /// Where a place stands, from 0 to 1; nothing for what the axis cannot show.
    pub(super) fn share(&self, place: Place) -> Option<f64> {
        let number = match place {
            Place::Last => return self.last.as_ref().map(|_| 1.0),
            Place::At(number) => number,
        };
        let share = match &self.scale {
            Scale::Linear { from, to } => (number - from) / (to - from),
            Scale::Log { from, to } => (number / from).ln() / (to / from).ln(),
            Scale::Names(names) => (number + 0.5) / names.len() as f64,
        };
        let room = if self.last.is_some() {
            BEFORE_LAST
        } else {
            1.0
        };
        // What lies outside stands at the rim; a line does not leave the frame.
        share.is_finite().then(|| share.clamp(0.0, 1.0) * room)
    }

    /// The ticks with their texts, from the low end.
    pub(super) fn marks(&self) -> Vec<(f64, String)> {
        let numbers = match &self.scale {
            Scale::Names(names) => (0..names.len()).map(|at| at as f64).collect(),
            _ if !self.ticks.is_empty() => self.ticks.clone(),
            Scale::Linear { from, to } => steps(*from, *to),
            Scale::Log { from, to } => powers(*from, *to),
        };
        let text = |number: f64| match &self.scale {
            Scale::Names(names) => names.get(number as usize).cloned().unwrap_or_default(),
            _ => written(number),
        };
        let marks = numbers.iter().filter_map(|number| {
            self.share(Place::At(*number))
                .map(|share| (share, text(*number)))
        });
        let last = self.last.iter().map(|name| (1.0, name.clone()));
        marks.chain(last).collect()
    }

    /// How wide one name is, as a share of the axis.
    pub(super) fn slot(&self) -> f64 {
        match &self.scale {
            Scale::Names(names) => 1.0 / names.len().max(1) as f64,
            _ => 0.05,
        }
    }
}

/// A step of 1, 2 or 5 times a power of ten that fits four to ten times.
fn step(width: f64) -> f64 {
    let rough = width.abs() / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let factor = match rough / power {
        part if part <= 1.0 => 1.0,
        part if part <= 2.0 => 2.0,
        part if part <= 5.0 => 5.0,
        _ => 10.0,
    };
    factor * power
}

fn steps(from: f64, to: f64) -> Vec<f64> {
    let step = step(to - from);
    if !step.is_normal() {
        return vec![from];
    }
    let first = (from / step).ceil() as i64;
    let last = (to / step + 1e-9).floor() as i64;
    (first..=last).take(50).map(|at| at as f64 * step).collect()
}

fn powers(from: f64, to: f64) -> Vec<f64> {
    if !(from > 0.0 && to >= from) {
        return Vec::new();
    }
    let (first, last) = (from.log10().ceil() as i32, to.log10().floor() as i32);
    (first..=last)
        .take(50)
        .map(|power| 10f64.powi(power))
        .collect()
}

/// A number in as few figures as it needs, thousands set off.
pub(super) fn written(number: f64) -> String {
    let text = format!("{number:.6}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    let (whole, part) = text.split_once('.').unwrap_or((text, ""));
    let (sign, digits) = whole
        .strip_prefix('-')
        .map_or(("", whole), |digits| ("-", digits));
    let mut grouped = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 && digits.len() > 4 {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    match (part, digits) {
        ("", "0") => "0".to_owned(),
        ("", _) => format!("{sign}{grouped}"),
        _ => format!("{sign}{grouped}.{part}"),
    }
}
