//! The promise `personal`: where its guards come from, and what it can stand beside.

use super::search::SearchPolicy;
use super::section::Section;
use super::spec::{Case, DefaultGuard, ModelSpec};
use super::weights::SensitiveWeight;
use super::{ColumnPolicy, ModelPolicy};
use crate::error::Error;
use crate::share::Share;
use crate::table::Role;

/// Guards are read from the guard column of the sensitive column, or are the same for all rows.
pub(super) fn read(
    section: &Section<'_>,
    of: String,
    columns: &[ColumnPolicy],
) -> Result<ModelSpec, Error> {
    let fault = |offset, what: String, hint: &str| section.file.fault(offset, what, Some(hint));
    let column = columns.iter().find(|column| column.name == of);
    if column.is_some_and(|column| column.hierarchy.is_none()) {
        return Err(fault(
            section.offset,
            format!("`personal` needs a hierarchy of `{of}`: a wish is a taxon of it"),
            "give the column a `hierarchy`; { flat = true } where there is nothing between a value and `*`",
        ));
    }
    let guards: Vec<&ColumnPolicy> = columns
        .iter()
        .filter(|column| column.role == Role::Guard && column.of.as_deref() == Some(of.as_str()))
        .collect();
    let guard = match (section.string("guard")?, guards.as_slice()) {
        (Some((name, offset)), guards) => {
            if !guards.iter().any(|column| column.name == name) {
                let known: Vec<&str> = guards.iter().map(|column| column.name.as_str()).collect();
                return Err(section.unknown(offset, "`guard`", name, &known));
            }
            Some(name.to_owned())
        }
        (None, []) => None,
        (None, [only]) => Some(only.name.clone()),
        (None, several) => {
            return Err(fault(
                section.offset,
                format!("{} columns guard `{of}`", several.len()),
                "say which with `guard`",
            ));
        }
    };
    let default_guard = section.string("default-guard")?;
    if let (Some(guard), Some((_, offset))) = (&guard, default_guard) {
        return Err(fault(
            offset,
            format!("`default-guard` speaks for tables without wishes, but `{guard}` has them"),
            "an empty wish asks for no protection; leave `default-guard` out",
        ));
    }
    if guard.is_none() && default_guard.is_none() {
        return Err(fault(
            section.offset,
            format!("no column guards `{of}`"),
            "give a column { role = \"guard\", of = \"…\" }, or every row the same with `default-guard = \"value\"` or a taxon",
        ));
    }
    let cases = [
        ("primary", Case::Primary),
        ("non-primary", Case::NonPrimary),
    ];
    Ok(ModelSpec::Personal {
        of,
        breach: section
            .share_within("breach", Share::ZERO, Share::ONE)?
            .ok_or_else(|| section.missing("breach"))?,
        guard,
        default_guard: default_guard.map(|(text, _)| match text {
            "value" => DefaultGuard::Value,
            taxon => DefaultGuard::Taxon(taxon.to_owned()),
        }),
        case: section.choice("case", &cases)?,
    })
}

/// Whether a promise lets the sensitive values of a column be generalized.
pub(super) fn generalizes(models: &[ModelPolicy], search: &SearchPolicy, column: &str) -> bool {
    let personal =
        |model: &ModelPolicy| matches!(&model.spec, ModelSpec::Personal { of, .. } if of == column);
    let forbidden = |(name, weight): &(String, SensitiveWeight)| {
        name == column && *weight == SensitiveWeight::Forbid
    };
    models.iter().any(personal) && !search.sensitive_weights.iter().any(forbidden)
}

/// Refuses promises that cannot be kept side by side.
pub(super) fn check_together(models: &[ModelPolicy], search: &SearchPolicy) -> Result<(), Error> {
    for (at, model) in models.iter().enumerate() {
        let Some(of) = model.spec.of() else { continue };
        let is_personal = |model: &ModelPolicy| matches!(model.spec, ModelSpec::Personal { .. });
        let twice = models[..at]
            .iter()
            .any(|other| is_personal(other) && other.spec.of() == Some(of));
        if is_personal(model) && twice {
            return Err(Error::Policy {
                place: model.place.clone(),
                what: format!("`{of}` has two `personal` promises"),
                hint: Some("the smaller `breach` is the stronger one: keep that".to_owned()),
            });
        }
        // These count values only: a taxon in place of a value makes a class look less diverse, never more.
        let counts_labels = matches!(
            model.spec,
            ModelSpec::PSensitive { .. } | ModelSpec::LDiversity { .. }
        );
        if !is_personal(model) && !counts_labels && generalizes(models, search, of) {
            return Err(Error::Policy {
                place: model.place.clone(),
                what: format!(
                    "`{}` judges single values of `{of}`, but `personal` may publish coarser ones",
                    model.spec.name()
                ),
                hint: Some(format!(
                    "publish its values as they are, with `weights = {{ {of} = \"forbid\" }}` in [search]"
                )),
            });
        }
    }
    Ok(())
}
