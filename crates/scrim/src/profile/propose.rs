//! A hierarchy for a column: described in the policy where that will do, else written as a level file.
//!
//! **Reading.** Numbers get round intervals, dates calendar steps, postal codes and short codes masks, codes of diagnoses their
//! categories and chapters, other texts groups of rare values. Each proposal is built before it is made, and one in which a value
//! would have no leaf gives way to the next; that a value becomes `*` is always left.

use std::collections::BTreeMap;

use super::grouped::{grouped, label};
use super::icd;
use super::kind::{Kind, any_format};
use super::level_file::level_file;
use super::notation::Notation;
use super::ranges;
use super::rounded::Rounded;
use super::survey::ColumnProfile;
use super::topic::Topic;
use super::values::Values;
use crate::hierarchy::{DateFormat, DateStep, Generated, Hierarchy, Side, from_level_csv};

/// Codes longer than this get no mask: each character is a level.
const LONGEST_MASK: u64 = 8;
/// So few values need no groups.
const FEW: u64 = 6;

/// A hierarchy that was proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Proposed {
    /// What the policy says of it, where no file is needed; nothing for a value and then `*`.
    pub(super) described: Option<String>,
    /// The text of a level file.
    pub(super) file: Option<String>,
    /// How many levels there are above the values.
    pub(super) height: u8,
    /// What it does, in words.
    pub(super) words: String,
}

/// The hierarchy of a column over its values.
pub(super) fn propose(column: &ColumnProfile, values: &Values<'_>) -> Proposed {
    let found = match column.kind {
        _ if column.distinct <= 2 => None,
        _ if column.topic == Some(Topic::Diagnosis) && is_icd(values) => diagnoses(values),
        Kind::Date(format) => dates(values, format),
        Kind::MixedDates => mixed_dates(values),
        Kind::Whole | Kind::Decimal | Kind::MixedNumbers if column.topic != Some(Topic::Postal) => {
            numbers(column.kind, values)
        }
        Kind::Range => neighbours(values),
        _ if column.topic == Some(Topic::Postal) && column.kind.is_number() => postal(values),
        _ => mask(column, values),
    };
    found
        .or_else(|| groups(column, values))
        .unwrap_or_else(|| Proposed {
            described: None,
            file: None,
            height: 1,
            words: "the value, or *".to_owned(),
        })
}

/// The chapters of a sensitive column, for promises that measure distances.
pub(super) fn propose_sensitive(column: &ColumnProfile, values: &Values<'_>) -> Option<Proposed> {
    let diagnoses_are_codes = column.topic == Some(Topic::Diagnosis) && is_icd(values);
    diagnoses_are_codes.then(|| diagnoses(values)).flatten()
}

fn is_icd(values: &Values<'_>) -> bool {
    let few = values.distinct() < 3;
    !few && (values.mostly(90, icd::is_tenth) || values.mostly(90, icd::is_ninth))
}

fn described(
    text: String,
    spec: &Generated,
    words: String,
    values: &Values<'_>,
) -> Option<Proposed> {
    let texts = values.texts.iter().map(|(text, _)| *text);
    let tree = spec.over(texts, true)?;
    fits(&tree, values).then(|| Proposed {
        described: Some(text),
        file: None,
        height: tree.height(),
        words,
    })
}

fn written(text: Option<String>, words: &str, values: &Values<'_>) -> Option<Proposed> {
    let text = text?;
    let tree = from_level_csv("column", "file", &text, true).ok()?;
    fits(&tree, values).then(|| Proposed {
        described: None,
        file: Some(text),
        height: tree.height(),
        words: words.to_owned(),
    })
}

fn fits(tree: &Hierarchy, values: &Values<'_>) -> bool {
    values
        .texts
        .iter()
        .all(|(text, _)| tree.leaf(text).is_some())
}

fn numbers(kind: Kind, values: &Values<'_>) -> Option<Proposed> {
    let notation = Notation::of(values, if kind == Kind::MixedNumbers { 95 } else { 100 })?;
    let rounded = Rounded::over(values, notation)?;
    if kind == Kind::MixedNumbers || notation != Notation::Plain {
        let other = label("(other)", values);
        let others = || vec![other.clone(); rounded.widths.len()];
        let file = level_file(values, |text, _| {
            rounded.labels(text, notation).unwrap_or_else(others)
        });
        let words = if kind == Kind::MixedNumbers {
            "intervals, and what is no number together, then *"
        } else {
            "intervals, then *"
        };
        return written(file, words, values);
    }
    let widths: Vec<String> = rounded
        .widths
        .iter()
        .map(|width| rounded.text(*width))
        .collect();
    let widths = widths.join(", ");
    let text = format!(
        "{{ intervals = {{ from = {}, to = {}, widths = [{widths}] }} }}",
        rounded.text(rounded.from),
        rounded.text(rounded.to)
    );
    let spec = Generated::Intervals(rounded.intervals()?);
    described(
        text,
        &spec,
        format!("intervals of {widths}, then *"),
        values,
    )
}

fn dates(values: &Values<'_>, format: DateFormat) -> Option<Proposed> {
    let years = values
        .texts
        .iter()
        .filter_map(|(text, _)| Some(format.read(text)?.0));
    let (first, last) = (years.clone().min()?, years.max()?);
    let mut steps = vec![DateStep::Month, DateStep::Year];
    let mut named = vec!["month", "year"];
    if last - first >= 15 {
        steps.push(DateStep::Decade);
        named.push("decade");
    }
    let quoted: Vec<String> = named.iter().map(|step| format!("\"{step}\"")).collect();
    let format_key = match format {
        DateFormat::Iso => "",
        DateFormat::Mdy => ", format = \"mdy\"",
        DateFormat::Dmy => ", format = \"dmy\"",
    };
    let text = format!("{{ dates = [{}]{format_key} }}", quoted.join(", "));
    let words = format!("{}, then *", named.join(", "));
    described(text, &Generated::Dates(steps, format), words, values)
}

fn mixed_dates(values: &Values<'_>) -> Option<Proposed> {
    let labels = |(year, _, _): (u32, u32, u32)| {
        let decade = year / 10 * 10;
        vec![
            format!("{year:04}"),
            format!("{decade:04}-{:04}", decade + 9),
        ]
    };
    let no_date = label("(no date)", values);
    let none = || vec![no_date.clone(); 2];
    let file = level_file(values, |text, _| any_format(text).map_or_else(none, labels));
    written(
        file,
        "year, decade, and what is no date together, then *",
        values,
    )
}

/// Category and chapter of each code, by the edition that more of them are of.
fn diagnoses(values: &Values<'_>) -> Option<Proposed> {
    let tenth = values.rows_where(icd::is_tenth) >= values.rows_where(icd::is_ninth);
    let labels = |(category, chapter): (String, &str)| vec![category, chapter.to_owned()];
    let other = label("(other)", values);
    let none = || vec![other.clone(); 2];
    let file = level_file(values, |text, _| {
        let found = if tenth {
            icd::tenth(text)
        } else {
            icd::ninth(text)
        };
        found.map_or_else(none, labels)
    });
    let words = if tenth {
        "category and chapter of ICD-10, then *"
    } else {
        "category and chapter of ICD-9, then *"
    };
    written(file, words, values)
}

/// Ranges that stand beside each other, two by two.
fn neighbours(values: &Values<'_>) -> Option<Proposed> {
    let labels: BTreeMap<&str, Vec<String>> = ranges::labels(values)?.into_iter().collect();
    let file = level_file(values, |text, _| {
        labels.get(text).cloned().unwrap_or_default()
    });
    written(file, "neighbouring ranges together, then *", values)
}

/// Postal codes that were read as numbers: `91911.0`, or without the zeros in front.
fn postal(values: &Values<'_>) -> Option<Proposed> {
    let read = |text: &str| {
        Notation::Plain
            .read(text)
            .filter(|code| !code.contains(['-', '.']))
    };
    let codes: Vec<String> = values
        .texts
        .iter()
        .map(|(text, _)| read(text))
        .collect::<Option<_>>()?;
    let width = codes.iter().map(String::len).max()?;
    if !(2..=LONGEST_MASK as usize).contains(&width) {
        return None;
    }
    let file = level_file(values, |text, _| {
        let code = read(text).unwrap_or_default();
        let code = format!("{code:0>width$}");
        let masked = |stars: usize| format!("{}{}", &code[..width - stars], "*".repeat(stars));
        (1..width).map(masked).collect()
    });
    let words = "the last digit becomes a star, then the one before it";
    written(file, words, values)
}

/// Stars from the right, for codes of about one length.
fn mask(column: &ColumnProfile, values: &Values<'_>) -> Option<Proposed> {
    let postal = column.topic == Some(Topic::Postal);
    let even = column.longest - values.shortest() <= 2;
    let short = (2..=LONGEST_MASK).contains(&column.longest);
    let many = column.distinct > FEW;
    if !short || !many || !(postal || column.kind == Kind::Code && even) {
        return None;
    }
    let text = "{ mask = \"right\" }".to_owned();
    let words = "the last character becomes a star, then the one before it".to_owned();
    described(text, &Generated::Mask(Side::Right), words, values)
}

fn groups(column: &ColumnProfile, values: &Values<'_>) -> Option<Proposed> {
    if column.distinct <= FEW {
        return None;
    }
    written(grouped(values), "rare values together, then *", values)
}
