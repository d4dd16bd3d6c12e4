//! The weights of columns, in `[search]`.

use toml::Spanned;
use toml::de::DeValue;

use super::ColumnPolicy;
use super::search::SearchPolicy;
use super::section::Section;
use crate::error::Error;
use crate::share::Share;

/// The penalty of a generalized sensitive value: w^s of [XiaoTao06], equation 5.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SensitiveWeight {
    /// So much.
    Weight(Share),
    /// Sensitive values are published as they are.
    Forbid,
}

/// The weights of quasi-identifiers, and of sensitive columns that wishes speak of.
pub(super) fn read_all_weights(
    section: &Section<'_>,
    quasi: &[&ColumnPolicy],
    personal: &[&str],
    search: &mut SearchPolicy,
) -> Result<(), Error> {
    let mut sensitive: Vec<(String, SensitiveWeight)> = Vec::new();
    let mut other = |inner: &Section<'_>, name: &str, value: &Spanned<DeValue<'_>>| {
        if !personal.contains(&name) {
            return Ok(false);
        }
        let weight = match value.get_ref().as_str() {
            Some("forbid") => SensitiveWeight::Forbid,
            Some(word) if word.parse::<Share>().is_err() => {
                return Err(inner.file.fault(
                    value.span().start,
                    format!(
                        "the weight of `{name}` in {} is neither a number nor \"forbid\"",
                        inner.title
                    ),
                    Some("\"forbid\" publishes its values as they are"),
                ));
            }
            _ => SensitiveWeight::Weight(inner.share_of(name, value)?),
        };
        if matches!(weight, SensitiveWeight::Weight(weight) if weight < Share::ZERO) {
            let what = format!("the weight of `{name}` in {} is negative", inner.title);
            return Err(inner.file.fault(value.span().start, what, None));
        }
        sensitive.push((name.to_owned(), weight));
        Ok(true)
    };
    let weights = read_weights(section, "weights", quasi, None, personal, &mut other)?;
    search.sensitive_weights = sensitive;
    if let Some(weights) = weights {
        if weights.iter().all(|weight| weight.is_zero()) && !weights.is_empty() {
            return Err(section.file.fault(
                section.offset,
                "`weights` in [search] are all 0: one must count",
                None,
            ));
        }
        search.weights = weights;
        search.weighted = true;
    }
    Ok(())
}

/// Takes the weight of a column that is no quasi-identifier, or says that it has none.
type TakesWeight<'a> =
    dyn FnMut(&Section<'_>, &str, &Spanned<DeValue<'_>>) -> Result<bool, Error> + 'a;

pub(super) fn read_weights(
    section: &Section<'_>,
    key: &'static str,
    quasi: &[&ColumnPolicy],
    most: Option<Share>,
    others: &[&str],
    other: &mut TakesWeight<'_>,
) -> Result<Option<Vec<Share>>, Error> {
    let Some(inner) = section.section(key)? else {
        return Ok(None);
    };
    let mut weights = vec![Share::ONE; quasi.len()];
    for (name, value) in inner.entries() {
        let offset = value.span().start;
        let Some(at) = quasi.iter().position(|column| column.name == name) else {
            if other(&inner, name, value)? {
                continue;
            }
            let own = quasi.iter().map(|column| column.name.as_str());
            let known: Vec<&str> = own.chain(others.iter().copied()).collect();
            return Err(inner.unknown(offset, "a key", name, &known));
        };
        let weight = inner.share_of(name, value)?;
        if weight < Share::ZERO {
            return Err(inner.file.fault(
                offset,
                format!(
                    "the weight of `{name}` in {} is negative: {weight}",
                    inner.title
                ),
                None,
            ));
        }
        if most.is_some_and(|most| weight > most) {
            return Err(inner.file.fault(
                offset,
                format!(
                    "the weight of `{name}` in {} must be from 0 to 1, but it is {weight}",
                    inner.title
                ),
                None,
            ));
        }
        weights[at] = weight;
    }
    Ok(Some(weights))
}
