//! The promise `serial` and the section `[ledger]`: what is kept from being learnt over all releases together.

use super::section::Section;
use super::spec::{ModelSpec, Protected, Retire};
use super::{ColumnPolicy, ModelPolicy};
use crate::error::Error;
use crate::model::Schedule;
use crate::share::Share;
use crate::table::Role;

/// The `[ledger]` section.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerPolicy {
    /// The ledger, relative to the policy; created on first use.
    pub path: String,
    /// The key by which persons are hashed, relative to the policy.
    pub key: String,
}

/// The largest horizon.
const MOST: u64 = 1000;

/// Reads the parameters of `serial`.
pub(super) fn read(
    section: &Section<'_>,
    of: String,
    columns: &[ColumnPolicy],
) -> Result<ModelSpec, Error> {
    let fault = |offset, what: String, hint: &str| section.file.fault(offset, what, Some(hint));
    if !columns.iter().any(|column| column.role == Role::Person) {
        return Err(fault(
            section.offset,
            "`serial` follows persons from release to release, but no column has the role `person`"
                .to_owned(),
            "give the column that tells persons apart { role = \"person\" }; it is never published",
        ));
    }
    let l = section.share("l")?.ok_or_else(|| section.missing("l"))?;
    if l <= Share::ONE {
        return Err(fault(
            section.offset,
            format!("`l` in {} must be above 1, but it is {l}", section.title),
            "with l = 2 nobody is ever linked to a protected value with a probability above 1/2",
        ));
    }
    let (values, lasting) = (read_values(section)?, read_lasting(section)?);
    let group = read_group(section, &values)?;
    must_be_apart(section, &values, &lasting)?;
    let kind = section
        .choice("schedule", &Schedule::NAMES)?
        .unwrap_or_default();
    let horizon = section.whole("horizon", 1)?;
    // Powers of the horizon are made exactly.
    if horizon.is_some_and(|horizon| horizon > MOST) {
        return Err(fault(
            section.offset,
            format!("`horizon` in {} is above {MOST}", section.title),
            "the schedules `geometric` and `inverse-square` have no end",
        ));
    }
    match (kind.has_horizon(), horizon) {
        (true, None) => {
            return Err(fault(
                section.offset,
                format!(
                    "the schedule `{}` in {} lacks `horizon`",
                    kind.name(),
                    section.title
                ),
                "say in how many releases a person shall be able to appear, such as `horizon = 10`",
            ));
        }
        (false, Some(_)) => {
            return Err(fault(
                section.offset,
                format!(
                    "`horizon` in {} means nothing to the schedule `{}`",
                    section.title,
                    kind.name()
                ),
                "the schedules `constant` and `linear` have one",
            ));
        }
        _ => {}
    }
    Ok(ModelSpec::Serial {
        of,
        l,
        values,
        lasting,
        group,
        schedule: kind,
        horizon,
        retire: read_retire(section, l)?,
    })
}

fn read_values(section: &Section<'_>) -> Result<Protected, Error> {
    let Some(value) = section.raw("values") else {
        return if section.has("lasting") {
            Ok(Protected::Named(Vec::new()))
        } else {
            Err(section.missing("values"))
        };
    };
    if value.get_ref().as_str() == Some("all") {
        return Ok(Protected::All);
    }
    let expected = |what: &str| {
        section.file.fault(
            value.span().start,
            format!("`values` in {} {what}", section.title),
            Some("name the protected values, or taxa of the column's hierarchy: values = [\"chlamydia\"]; \"all\" protects every value, which is often impossible"),
        )
    };
    if value.get_ref().as_array().is_none() {
        return Err(expected("is neither a list of texts nor \"all\""));
    }
    let names = section.strings("values")?.unwrap_or_default();
    if names.is_empty() {
        return Err(expected("protects nothing"));
    }
    Ok(Protected::Named(names))
}

/// Values that, once had, stay.
fn read_lasting(section: &Section<'_>) -> Result<Vec<String>, Error> {
    let names = section.strings("lasting")?;
    if names.as_ref().is_some_and(Vec::is_empty) {
        let what = format!("`lasting` in {} protects nothing", section.title);
        return Err(section.file.fault(
            section.offset,
            what,
            Some("name the values that stay once somebody has them: lasting = [\"diabetes\"]"),
        ));
    }
    Ok(names.unwrap_or_default())
}

fn read_group(section: &Section<'_>, values: &Protected) -> Result<bool, Error> {
    let group = section.flag_or("group", false)?;
    if group && *values == Protected::All {
        let what = format!(
            "`group` in {} has no taxa to protect as a whole",
            section.title
        );
        return Err(section.file.fault(
            section.offset,
            what,
            Some("name the taxa in `values` or `lasting`; everybody has some value, so \"all\" is no group"),
        ));
    }
    Ok(group)
}

/// A value is transient or it lasts.
fn must_be_apart(
    section: &Section<'_>,
    values: &Protected,
    lasting: &[String],
) -> Result<(), Error> {
    let Protected::Named(names) = values else {
        return Ok(());
    };
    match names.iter().find(|name| lasting.contains(name)) {
        None => Ok(()),
        Some(name) => Err(section.file.fault(
            section.offset,
            format!("`{name}` stands in `values` and in `lasting` of {}", section.title),
            Some("`values` are had anew or not in each release; what stays once somebody has it belongs into `lasting`"),
        )),
    }
}

fn read_retire(section: &Section<'_>, l: Share) -> Result<Retire, Error> {
    let Some(inner) = section.section("retire")? else {
        return Ok(Retire::default());
    };
    let after = inner.whole("after", 1)?;
    let below = inner.share("below")?;
    let fault = |what: String| inner.file.fault(inner.offset, what, None);
    if after.is_none() && below.is_none() {
        let what = format!("{} says neither `after` nor `below`", inner.title);
        return Err(fault(what));
    }
    // A newcomer has room for 1/l: a higher bound would retire everybody.
    let newcomer = Share::new(l.denominator(), l.numerator()).unwrap_or(Share::ONE);
    if let Some(below) = below.filter(|below| *below <= Share::ZERO || *below > newcomer) {
        let what = format!(
            "`below` in {} must be above 0 and at most {newcomer}, the room of a newcomer, but it is {below}",
            inner.title
        );
        return Err(fault(what));
    }
    inner.finish()?;
    Ok(Retire { after, below })
}

/// Reads the section.
pub(super) fn read_ledger(
    section: Option<Section<'_>>,
    columns: &[ColumnPolicy],
) -> Result<Option<LedgerPolicy>, Error> {
    let Some(section) = section else {
        return Ok(None);
    };
    if !columns.iter().any(|column| column.role == Role::Person) {
        return Err(section.file.fault(
            section.offset,
            "[ledger] records who was in which release, but no column has the role `person`",
            Some("give the column that tells persons apart { role = \"person\" }, which is never published; or leave [ledger] out"),
        ));
    }
    let named = |key: &'static str| -> Result<Option<String>, Error> {
        match section.string(key)? {
            Some(("", offset)) => {
                let what = format!("`{key}` in [ledger] names no file");
                Err(section.file.fault(offset, what, None))
            }
            other => Ok(other.map(|(text, _)| text.to_owned())),
        }
    };
    let path = named("path")?.ok_or_else(|| section.missing("path"))?;
    let key = named("key")?.unwrap_or_else(|| beside(&path));
    if key == path {
        let what = "`key` in [ledger] is the ledger itself";
        return Err(section.file.fault(section.offset, what, None));
    }
    section.finish()?;
    Ok(Some(LedgerPolicy { path, key }))
}

/// The ledger's path with the extension `.key`.
fn beside(path: &str) -> String {
    let start = path.rfind('/').map_or(0, |slash| slash + 1);
    let stem = match path[start..].rfind('.') {
        Some(dot) if dot > 0 => &path[..start + dot],
        _ => path,
    };
    format!("{stem}.key")
}

/// Refuses what `serial` cannot stand beside.
pub(super) fn check_together(
    models: &[ModelPolicy],
    ledger: Option<&LedgerPolicy>,
    drops: bool,
) -> Result<(), Error> {
    let is_serial = |model: &&ModelPolicy| matches!(model.spec, ModelSpec::Serial { .. });
    let mut serial = models.iter().filter(is_serial);
    let Some(model) = serial.next() else {
        return Ok(());
    };
    let fault = |model: &ModelPolicy, what: &str, hint: &str| {
        Err(Error::Policy {
            place: model.place.clone(),
            what: what.to_owned(),
            hint: Some(hint.to_owned()),
        })
    };
    if let Some(second) = serial.next() {
        return fault(
            second,
            "a policy has at most one `serial` promise",
            "its ledger keeps one sensitive column; put all protected values into one promise, or publish the other column with a policy and a ledger of its own",
        );
    }
    if ledger.is_none() {
        return fault(
            model,
            "`serial` counts earlier releases, but the policy has no [ledger]",
            "say where they are kept:\n  [ledger]\n  path = \"ledger.sqlite\"",
        );
    }
    if drops {
        return fault(
            model,
            "rows that are left out because of what they say tell it: `suppressed = \"drop\"` cannot stand beside `serial`",
            "leave `suppressed` out: suppressed rows are then kept as one class; `retire` leaves persons out by public history only",
        );
    }
    Ok(())
}
