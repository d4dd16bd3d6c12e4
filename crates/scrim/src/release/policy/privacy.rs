//! The `[[privacy]]` sections: the promises.

use super::quasi::read_quasi;
use super::section::Section;
use super::spec::{DistanceSpec, DiversityKind, MODEL_NAMES, ModelSpec, Unit};
use super::{ColumnPolicy, personal, serial};
use crate::error::{Error, Place};
use crate::share::Share;
use crate::table::Role;

/// A promise and where the policy makes it.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelPolicy {
    /// The promise.
    pub spec: ModelSpec,
    /// Where it stands.
    pub place: Place,
}

pub(super) fn read(
    root: &Section<'_>,
    columns: &[ColumnPolicy],
) -> Result<Vec<ModelPolicy>, Error> {
    let Some(items) = root.list("privacy")? else {
        return Ok(Vec::new());
    };
    let mut models = Vec::new();
    for (number, item) in items.iter().enumerate() {
        let offset = item.span().start;
        let Some(table) = item.get_ref().as_table() else {
            return Err(root.file.fault(
                offset,
                "each of `privacy` must be a table: [[privacy]]",
                None,
            ));
        };
        let section = Section::new(
            root.file,
            format!("[[privacy]] number {}", number + 1),
            offset,
            table,
        );
        let place = root.file.place(offset);
        let spec = read_model(&section, columns)?;
        // The papers' names carry a k ("p-sensitive k-anonymity"): given here, it is a promise of its own.
        if spec.of().is_some()
            && let Some(k) = section.whole("k", 1)?
        {
            models.push(ModelPolicy {
                spec: ModelSpec::KAnonymity {
                    k,
                    unit: read_unit(&section, columns)?,
                    columns: None,
                },
                place: place.clone(),
            });
        }
        section.finish()?;
        models.push(ModelPolicy { spec, place });
    }
    Ok(models)
}

fn read_unit(section: &Section<'_>, columns: &[ColumnPolicy]) -> Result<Unit, Error> {
    let has_person = columns.iter().any(|column| column.role == Role::Person);
    let unit = section.choice("unit", &[("row", Unit::Row), ("person", Unit::Person)])?;
    if unit == Some(Unit::Person) && !has_person {
        return Err(section.file.fault(
            section.offset,
            "`unit = \"person\"` needs a column with the role `person`",
            None,
        ));
    }
    Ok(unit.unwrap_or(if has_person { Unit::Person } else { Unit::Row }))
}

/// The quasi-identifiers that a promise is about; none where it is about all of them.
fn read_columns(
    section: &Section<'_>,
    columns: &[ColumnPolicy],
) -> Result<Option<Vec<String>>, Error> {
    let Some(listed) = read_quasi(section, "columns", columns)? else {
        return Ok(None);
    };
    if listed.is_empty() {
        return Err(section.file.fault(
            section.offset,
            format!("`columns` in {} names no column", section.title),
            Some("leave it out where the promise is about all quasi-identifiers"),
        ));
    }
    let quasi = columns.iter().filter(|column| column.role == Role::Quasi);
    let names: Vec<&String> = quasi.map(|column| &column.name).collect();
    Ok(Some(listed.iter().map(|at| names[*at].clone()).collect()))
}

fn read_model(section: &Section<'_>, columns: &[ColumnPolicy]) -> Result<ModelSpec, Error> {
    let (name, offset) = section
        .string("model")?
        .ok_or_else(|| section.missing("model"))?;
    let of = || read_of(section, columns);
    let whole = |key| section.whole(key, 1)?.ok_or_else(|| section.missing(key));
    let share = |key| positive(section, key);
    match name {
        "k-anonymity" => Ok(ModelSpec::KAnonymity {
            k: whole("k")?,
            unit: read_unit(section, columns)?,
            columns: read_columns(section, columns)?,
        }),
        "p-sensitive" => Ok(ModelSpec::PSensitive {
            of: of()?,
            p: whole("p")?,
        }),
        "p-alpha" => Ok(ModelSpec::PAlpha {
            of: with_categories(section, of()?, columns)?,
            p: whole("p")?,
            alpha: share("alpha")?,
        }),
        "p-plus-alpha" => Ok(ModelSpec::PPlusAlpha {
            of: with_categories(section, of()?, columns)?,
            p: whole("p")?,
            alpha: share("alpha")?,
        }),
        "l-diversity" => read_diversity(section, of()?),
        "t-closeness" => read_closeness(section, of()?, columns),
        "alpha-k" => {
            let value = section.string("value")?.map(|(text, _)| text.to_owned());
            Ok(ModelSpec::AlphaK {
                of: of()?,
                alpha: above_zero(section, "alpha")?,
                value,
            })
        }
        "delta-disclosure" => Ok(ModelSpec::DeltaDisclosure {
            of: of()?,
            delta: above_zero(section, "delta")?,
        }),
        "beta-likeness" => {
            let enhanced = section
                .choice("kind", &[("basic", false), ("enhanced", true)])?
                .unwrap_or(false);
            Ok(ModelSpec::BetaLikeness {
                of: of()?,
                beta: share("beta")?,
                enhanced,
            })
        }
        "personal" => personal::read(section, of()?, columns),
        "serial" => serial::read(section, of()?, columns),
        other => Err(section.unknown(offset, "`model`", other, &MODEL_NAMES)),
    }
}

/// A number above zero.
fn above_zero(section: &Section<'_>, key: &'static str) -> Result<Share, Error> {
    let share = positive(section, key)?;
    if share.is_zero() {
        let what = format!(
            "`{key}` in {} must be above 0: no class can keep it",
            section.title
        );
        return Err(section.file.fault(section.offset, what, None));
    }
    Ok(share)
}

/// A number not below zero.
fn positive(section: &Section<'_>, key: &'static str) -> Result<Share, Error> {
    let share = section.share(key)?.ok_or_else(|| section.missing(key))?;
    if share < Share::ZERO {
        return Err(section.file.fault(
            section.offset,
            format!("`{key}` in {} is negative: {share}", section.title),
            None,
        ));
    }
    Ok(share)
}

/// The sensitive column that a model speaks of; it may be left out where there is one.
fn read_of(section: &Section<'_>, columns: &[ColumnPolicy]) -> Result<String, Error> {
    let sensitive: Vec<&str> = columns
        .iter()
        .filter(|column| column.role == Role::Sensitive)
        .map(|column| column.name.as_str())
        .collect();
    match (section.string("of")?, sensitive.as_slice()) {
        (Some((of, _)), known) if known.contains(&of) => Ok(of.to_owned()),
        (Some((of, offset)), []) => Err(section.file.fault(
            offset,
            format!(
                "`of` in {} is `{of}`, but no column is sensitive",
                section.title
            ),
            None,
        )),
        (Some((of, offset)), known) => Err(section.unknown(offset, "`of`", of, known)),
        (None, [only]) => Ok((*only).to_owned()),
        (None, []) => Err(section.file.fault(
            section.offset,
            format!(
                "{} needs a sensitive column, but no column has that role",
                section.title
            ),
            None,
        )),
        (None, several) => {
            let what = format!(
                "{} lacks `of`: there are {} sensitive columns",
                section.title,
                several.len()
            );
            Err(section.file.fault(
                section.offset,
                what,
                Some(&format!("say which: {}", several.join(", "))),
            ))
        }
    }
}

fn with_categories(
    section: &Section<'_>,
    of: String,
    columns: &[ColumnPolicy],
) -> Result<String, Error> {
    let has = columns
        .iter()
        .any(|column| column.name == of && column.categories.is_some());
    if has {
        return Ok(of);
    }
    let hint = format!(
        "{of} = {{ role = \"sensitive\", categories = [[\"most sensitive\", …], …, [\"least\"]] }}"
    );
    Err(section.file.fault(
        section.offset,
        format!("{} weighs categories, but `{of}` has none", section.title),
        Some(&hint),
    ))
}

fn read_diversity(section: &Section<'_>, of: String) -> Result<ModelSpec, Error> {
    let kind = section
        .choice("kind", &DiversityKind::NAMES)?
        .unwrap_or(DiversityKind::Distinct);
    let l = match kind {
        DiversityKind::Distinct | DiversityKind::Recursive => {
            section.whole("l", 1)?.map(|l| Share::whole(l.into()))
        }
        DiversityKind::Entropy | DiversityKind::Frequency => section.share("l")?,
    };
    let l = l.ok_or_else(|| section.missing("l"))?;
    if l < Share::ONE {
        return Err(section.file.fault(
            section.offset,
            format!("`l` in {} must be at least 1, but it is {l}", section.title),
            None,
        ));
    }
    let c = if kind == DiversityKind::Recursive {
        Some(above_zero(section, "c")?)
    } else {
        None
    };
    Ok(ModelSpec::LDiversity { of, kind, l, c })
}

fn read_closeness(
    section: &Section<'_>,
    of: String,
    columns: &[ColumnPolicy],
) -> Result<ModelSpec, Error> {
    let t = section
        .share_within("t", Share::ZERO, Share::ONE)?
        .ok_or_else(|| section.missing("t"))?;
    let order = section.strings("order")?;
    let distance = match section.string("distance")? {
        None if order.is_some() => DistanceSpec::Ordered(order),
        None | Some(("equal", _)) => DistanceSpec::Equal,
        Some(("ordered", _)) => DistanceSpec::Ordered(order),
        Some(("hierarchical", offset)) => {
            if !columns
                .iter()
                .any(|column| column.name == of && column.hierarchy.is_some())
            {
                return Err(section.file.fault(
                    offset,
                    format!(
                        "`distance` in {} is hierarchical, but `{of}` has no hierarchy",
                        section.title
                    ),
                    None,
                ));
            }
            DistanceSpec::Hierarchical
        }
        Some((other, offset)) => {
            return Err(section.unknown(
                offset,
                "`distance`",
                other,
                &["equal", "ordered", "hierarchical"],
            ));
        }
    };
    Ok(ModelSpec::TCloseness { of, t, distance })
}
