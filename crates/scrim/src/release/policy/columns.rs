//! The `[columns]` section: a role for every column, and the hierarchies.

use toml::Spanned;
use toml::de::DeValue;

use super::categories::{self, CategoryColumn};
use super::section::Section;
use crate::algorithm::Identifying;
use crate::error::{Error, Place};
use crate::hierarchy::{DateFormat, DateStep, Generated, Intervals, NumericDomain, Side};
use crate::share::Share;
use crate::table::Role;

/// How a hierarchy file is to be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// `leaf;level 1;…;*`
    Levels,
    /// `child,parent`
    Parents,
    /// Two spaces a level.
    Outline,
}

/// Where a column's hierarchy comes from.
#[derive(Clone, Debug, PartialEq)]
pub enum HierarchyPolicy {
    /// A file, relative to the policy; its kind is told from name and header where the policy is silent.
    File {
        /// The path.
        path: String,
        /// The kind, where the policy says.
        kind: Option<FileKind>,
    },
    /// Made from the column's values.
    Generated(Generated),
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub struct ColumnPolicy {
    /// Its name in the data.
    pub name: String,
    /// What it is for.
    pub role: Role,
    /// Its hierarchy, where it has one of its own.
    pub hierarchy: Option<HierarchyPolicy>,
    /// Its numbers' domain, where it may be cut anywhere.
    pub numeric: Option<NumericDomain>,
    /// The sensitive column that a guard belongs to.
    pub of: Option<String>,
    /// Categories of sensitive values, most sensitive first.
    pub categories: Option<Vec<Vec<String>>>,
    /// The released column that gives the category of each value, where the policy asks for one.
    pub category_column: Option<CategoryColumn>,
    /// How identifying a quasi-identifier is, where the policy says: mu-Argus asks.
    pub identifying: Option<Identifying>,
    /// Where the policy names it.
    pub place: Place,
}

impl ColumnPolicy {
    /// A quasi-identifier without a hierarchy of its own.
    pub(super) fn plain_quasi(name: &str, place: Place) -> Self {
        Self {
            name: name.to_owned(),
            role: Role::Quasi,
            hierarchy: None,
            numeric: None,
            of: None,
            categories: None,
            category_column: None,
            identifying: None,
            place,
        }
    }

    /// The hierarchy to use: the policy's, or a flat one.
    pub fn hierarchy(&self) -> HierarchyPolicy {
        let flat =
            || HierarchyPolicy::Generated(self.numeric.map_or(Generated::Flat, Generated::Numeric));
        self.hierarchy.clone().unwrap_or_else(flat)
    }
}

const ROLES: [(&str, Role); 7] = [
    ("identifier", Role::Identifier),
    ("quasi", Role::Quasi),
    ("quasi-identifier", Role::Quasi),
    ("sensitive", Role::Sensitive),
    ("guard", Role::Guard),
    ("person", Role::Person),
    ("insensitive", Role::Insensitive),
];

pub(super) fn read(section: &Section<'_>) -> Result<Vec<ColumnPolicy>, Error> {
    let columns: Vec<ColumnPolicy> = section
        .entries()
        .map(|(name, value)| read_column(section, name, value))
        .collect::<Result<_, _>>()?;
    for column in &columns {
        check_guard(section, column, &columns)?;
        categories::check_name(column, &columns)?;
    }
    let mut persons = columns.iter().filter(|column| column.role == Role::Person);
    if let (Some(first), Some(second)) = (persons.next(), persons.next()) {
        let what = format!(
            "`{}` and `{}` both have the role `person`, but one column tells persons apart",
            first.name, second.name
        );
        return Err(Error::Policy {
            place: second.place.clone(),
            what,
            hint: None,
        });
    }
    Ok(columns)
}

fn check_guard(
    section: &Section<'_>,
    column: &ColumnPolicy,
    columns: &[ColumnPolicy],
) -> Result<(), Error> {
    let Some(of) = &column.of else { return Ok(()) };
    let known = columns
        .iter()
        .any(|other| other.name == *of && other.role == Role::Sensitive);
    if known {
        Ok(())
    } else {
        Err(Error::Policy {
            place: column.place.clone(),
            what: format!(
                "`{}` guards `{of}`, which is no sensitive column of {}",
                column.name, section.title
            ),
            hint: None,
        })
    }
}

fn read_column(
    columns: &Section<'_>,
    name: &str,
    value: &Spanned<DeValue<'_>>,
) -> Result<ColumnPolicy, Error> {
    let offset = value.span().start;
    let title = format!("column `{name}`");
    let Some(table) = value.get_ref().as_table() else {
        let hint = format!("{name} = {{ role = \"quasi\" }}");
        return Err(columns.file.fault(
            offset,
            format!("{title} must be a table with a role"),
            Some(&hint),
        ));
    };
    let section = Section::new(columns.file, title, offset, table);
    let role = section
        .choice("role", &ROLES)?
        .ok_or_else(|| section.missing("role"))?;
    let hierarchy = section
        .raw("hierarchy")
        .map(|value| read_hierarchy(&section, value))
        .transpose()?;
    let numeric = section.section("numeric")?.map(read_numeric).transpose()?;
    let of = section.string("of")?.map(|(text, _)| text.to_owned());
    let categories = section
        .list("categories")?
        .map(|lists| categories::read(&section, lists))
        .transpose()?;
    let category_column = categories::read_column(&section, name, categories.as_deref())?;
    let column = ColumnPolicy {
        name: name.to_owned(),
        role,
        hierarchy,
        numeric,
        of,
        categories,
        category_column,
        identifying: section.choice("identifying", &Identifying::NAMES)?,
        place: columns.file.place(offset),
    };
    check_role(&section, &column)?;
    section.finish()?;
    Ok(column)
}

fn check_role(section: &Section<'_>, column: &ColumnPolicy) -> Result<(), Error> {
    let fault = |what: &str| {
        Err(section
            .file
            .fault(section.offset, format!("{} {what}", section.title), None))
    };
    let generalizes = matches!(column.role, Role::Quasi | Role::Sensitive);
    match column.role {
        Role::Guard if column.of.is_none() => {
            fault("is a guard, but lacks `of`: the sensitive column that it guards")
        }
        _ if column.of.is_some() && column.role != Role::Guard => {
            fault("has `of`, which only a guard has")
        }
        _ if column.hierarchy.is_some() && !generalizes => {
            fault("has a hierarchy, but is neither quasi-identifier nor sensitive")
        }
        _ if column.numeric.is_some() && !generalizes => {
            fault("has `numeric`, but is neither quasi-identifier nor sensitive")
        }
        _ if column.categories.is_some() && column.role != Role::Sensitive => {
            fault("has categories, which only a sensitive column has")
        }
        _ if column.identifying.is_some() && column.role != Role::Quasi => {
            fault("has `identifying`, which only a quasi-identifier has")
        }
        _ => Ok(()),
    }
}

fn read_hierarchy(
    section: &Section<'_>,
    value: &Spanned<DeValue<'_>>,
) -> Result<HierarchyPolicy, Error> {
    let offset = value.span().start;
    if let Some(path) = value.get_ref().as_str() {
        return Ok(HierarchyPolicy::File {
            path: path.to_owned(),
            kind: None,
        });
    }
    let Some(table) = value.get_ref().as_table() else {
        let hint =
            "a file name, or one of { intervals = { … } }, { mask = \"right\" }, { dates = [ … ] }";
        return Err(section.file.fault(
            offset,
            format!(
                "`hierarchy` in {} is neither a file nor a description",
                section.title
            ),
            Some(hint),
        ));
    };
    let inner = Section::new(
        section.file,
        format!("{} hierarchy", section.title),
        offset,
        table,
    );
    let kinds = [
        ("levels", FileKind::Levels),
        ("parents", FileKind::Parents),
        ("outline", FileKind::Outline),
    ];
    let file = inner.string("file")?.map(|(path, _)| path.to_owned());
    let kind = inner.choice("kind", &kinds)?;
    let mask = inner.choice("mask", &[("right", Side::Right), ("left", Side::Left)])?;
    let intervals = inner
        .section("intervals")?
        .map(read_intervals)
        .transpose()?;
    let steps = inner
        .list("dates")?
        .map(|items| read_dates(&inner, items))
        .transpose()?;
    let formats = [
        ("iso", DateFormat::Iso),
        ("mdy", DateFormat::Mdy),
        ("dmy", DateFormat::Dmy),
    ];
    let format = inner.choice("format", &formats)?.unwrap_or_default();
    let flat = inner.flag_or("flat", false)?;
    let mut found = Vec::new();
    found.extend(file.map(|path| HierarchyPolicy::File { path, kind }));
    found.extend(mask.map(|side| HierarchyPolicy::Generated(Generated::Mask(side))));
    found.extend(intervals.map(|spec| HierarchyPolicy::Generated(Generated::Intervals(spec))));
    found.extend(steps.map(|steps| HierarchyPolicy::Generated(Generated::Dates(steps, format))));
    found.extend(flat.then_some(HierarchyPolicy::Generated(Generated::Flat)));
    inner.finish()?;
    match found.len() {
        1 => Ok(found.remove(0)),
        count => {
            let what = format!(
                "`hierarchy` in {} describes {count} hierarchies, but a column has one",
                section.title
            );
            Err(section.file.fault(
                offset,
                what,
                Some("one of `file`, `intervals`, `mask`, `dates`, `flat`"),
            ))
        }
    }
}

fn read_intervals(section: Section<'_>) -> Result<Intervals, Error> {
    let from = section
        .share("from")?
        .ok_or_else(|| section.missing("from"))?;
    let to = section.share("to")?.ok_or_else(|| section.missing("to"))?;
    let items = section
        .list("widths")?
        .ok_or_else(|| section.missing("widths"))?;
    let widths: Vec<Share> = items
        .iter()
        .map(|item| section.share_of("widths", item))
        .collect::<Result<_, _>>()?;
    let intervals = Intervals::new(from, to, widths).map_err(|what| {
        section
            .file
            .fault(section.offset, format!("{}: {what}", section.title), None)
    })?;
    section.finish()?;
    Ok(intervals)
}

fn read_numeric(section: Section<'_>) -> Result<NumericDomain, Error> {
    let domain = NumericDomain {
        from: section.share("from")?,
        to: section.share("to")?,
    };
    if let (Some(from), Some(to)) = (domain.from, domain.to)
        && from > to
    {
        return Err(section.file.fault(
            section.offset,
            format!("{}: `from` is {from}, above `to`, {to}", section.title),
            None,
        ));
    }
    section.finish()?;
    Ok(domain)
}

fn read_dates(
    section: &Section<'_>,
    items: &[Spanned<DeValue<'_>>],
) -> Result<Vec<DateStep>, Error> {
    const STEPS: [(&str, DateStep); 6] = [
        ("day", DateStep::Day),
        ("month", DateStep::Month),
        ("quarter", DateStep::Quarter),
        ("year", DateStep::Year),
        ("decade", DateStep::Decade),
        ("century", DateStep::Century),
    ];
    let mut steps: Vec<DateStep> = Vec::new();
    for item in items {
        let text = section.text_of("dates", item)?;
        let known: Vec<&str> = STEPS.iter().map(|(word, _)| *word).collect();
        let Some((_, step)) = STEPS.iter().find(|(word, _)| *word == text) else {
            return Err(section.unknown(item.span().start, "a step of `dates`", &text, &known));
        };
        if steps.last().is_some_and(|last| last >= step) {
            return Err(section.file.fault(
                item.span().start,
                format!("`dates` in {} must go from fine to coarse", section.title),
                Some(&known.join(" < ")),
            ));
        }
        steps.push(*step);
    }
    if steps.is_empty() {
        return Err(section.file.fault(
            section.offset,
            format!("`dates` in {} names no step", section.title),
            None,
        ));
    }
    Ok(steps)
}
