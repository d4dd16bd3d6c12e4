//! What only mu-Argus looks at in `[search]`.

use toml::Spanned;
use toml::de::DeValue;

use super::ColumnPolicy;
use super::section::Section;
use crate::algorithm::{Combinations, Decision, Generalize, Identifying};
use crate::error::Error;

/// What [Sweeney02] leaves to the data holder in mu-Argus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MuArgusPolicy {
    /// How identifying each quasi-identifier is, in policy order.
    pub identifying: Vec<Identifying>,
    /// Which combinations are tested.
    pub combinations: Combinations,
    /// The decisions of steps 4 and 5.
    pub generalize: Generalize,
    /// Whether a release that breaks its promise is written all the same, under a name that says so.
    pub allow_broken: bool,
}

impl MuArgusPolicy {
    /// All combinations and no decision, over these quasi-identifiers.
    pub(super) fn over(quasi: &[&ColumnPolicy]) -> Self {
        let identifying = |column: &&ColumnPolicy| column.identifying.unwrap_or_default();
        Self {
            identifying: quasi.iter().map(identifying).collect(),
            combinations: Combinations::All,
            generalize: Generalize::Listed(Vec::new()),
            allow_broken: false,
        }
    }
}

pub(super) fn read(section: &Section<'_>, quasi: &[&ColumnPolicy]) -> Result<MuArgusPolicy, Error> {
    let mut mu_argus = MuArgusPolicy::over(quasi);
    mu_argus.combinations = section
        .choice("combinations", &Combinations::NAMES)?
        .unwrap_or_default();
    if let Some(value) = section.raw("generalize") {
        mu_argus.generalize = read_decisions(section, value, quasi)?;
    }
    mu_argus.allow_broken = section.flag_or("allow-broken", false)?;
    Ok(mu_argus)
}

fn read_decisions(
    section: &Section<'_>,
    value: &Spanned<DeValue<'_>>,
    quasi: &[&ColumnPolicy],
) -> Result<Generalize, Error> {
    let place = |value: &Spanned<DeValue<'_>>| section.file.place(value.span().start);
    if value.get_ref().as_str() == Some("ask") {
        return Ok(Generalize::Asked(place(value)));
    }
    let Some(items) = value.get_ref().as_array() else {
        return Err(section.file.fault(
            value.span().start,
            "`generalize` in [search] is neither a list of columns nor \"ask\"",
            Some(
                "the columns to raise by a level, in order, such as [\"zip\", \"birth\", \"zip\"]",
            ),
        ));
    };
    let decision = |item: &Spanned<DeValue<'_>>| {
        let name = section.text_of("generalize", item)?;
        let attribute = quasi.iter().position(|column| column.name == name);
        let known = || {
            quasi
                .iter()
                .map(|column| column.name.as_str())
                .collect::<Vec<_>>()
        };
        let attribute = attribute.ok_or_else(|| {
            section.unknown(
                item.span().start,
                "a column of `generalize`",
                &name,
                &known(),
            )
        })?;
        Ok(Decision {
            attribute,
            place: place(item),
        })
    };
    let decisions = items.iter().map(decision).collect::<Result<_, Error>>()?;
    Ok(Generalize::Listed(decisions))
}
