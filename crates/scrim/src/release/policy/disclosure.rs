//! The `[disclosure]` section: what somebody learns who knows the algorithm ([Zhang07]).

use toml::de::DeValue;

use super::section::{Section, Value};
use super::{AlgorithmId, ColumnPolicy, ModelPolicy, ModelSpec, SearchPolicy};
use crate::adversary::{Decide, Strategy};
use crate::counted;
use crate::error::{Error, Place};
use crate::hierarchy::Level;
use crate::share::Share;
use crate::table::Role;

/// The steps of a search that walks a public sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChainPolicy {
    /// Each step generalizes the attribute with most distinct values.
    Datafly,
    /// All nodes of the lattice, by falling Prec.
    Prec,
    /// These nodes: the levels of the quasi-identifiers in policy order.
    Levels(Vec<Vec<Level>>),
    /// These columns: each holds the class of every row, and is the published quasi-identifier of its step.
    Columns(Vec<String>),
}

/// How a chain is walked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisclosurePolicy {
    /// What the search does where a release would tell too much.
    pub strategy: Strategy,
    /// The steps.
    pub chain: ChainPolicy,
    /// The method, where the policy names one; else the first that decides.
    pub decide: Option<Decide>,
    /// How sure sampling must be.
    pub confidence: Share,
    /// The seed of sampling.
    pub seed: u64,
    /// Where the policy says it.
    pub place: Place,
}

const STRATEGIES: [(&str, Strategy); 3] = [
    ("naive", Strategy::Naive),
    ("exclusive", Strategy::Exclusive),
    ("inclusive", Strategy::Inclusive),
];

const METHODS: [(&str, Decide); 3] = [
    ("exact", Decide::Exact),
    ("certificate", Decide::Certificate),
    ("sampling", Decide::Sampling),
];

impl DisclosurePolicy {
    /// The strategy's name in a policy.
    pub fn strategy_name(strategy: Strategy) -> &'static str {
        let named = STRATEGIES.iter().find(|(_, known)| *known == strategy);
        named.map_or("", |(name, _)| name)
    }

    /// One chance in a million to be wrong.
    pub fn default_confidence() -> Share {
        Share::new(999_999, 1_000_000).unwrap_or(Share::ONE)
    }
}

/// Reads the section. Columns that a chain names and `[columns]` does not are quasi-identifiers.
pub(super) fn read(
    section: Option<Section<'_>>,
    columns: &mut Vec<ColumnPolicy>,
) -> Result<Option<DisclosurePolicy>, Error> {
    let Some(section) = section else {
        return Ok(None);
    };
    let place = section.file.place(section.offset);
    let strategy = section
        .choice("strategy", &STRATEGIES)?
        .unwrap_or(Strategy::Exclusive);
    let decide = section.choice("decide", &METHODS)?;
    if let (Strategy::Inclusive, Some(Decide::Certificate | Decide::Sampling)) = (strategy, decide)
    {
        return Err(section.file.fault(
            section.offset,
            "only an exact method is sound under the inclusive strategy: what it would have published before depends on the whole disclosure set",
            Some("leave `decide` out, or use `strategy = \"exclusive\"`"),
        ));
    }
    let half = Share::new(1, 2).unwrap_or(Share::ONE);
    let confidence = section
        .share_within("confidence", half, Share::ONE)?
        .unwrap_or_else(DisclosurePolicy::default_confidence);
    if confidence == Share::ONE {
        return Err(section.file.fault(
            section.offset,
            "`confidence` in [disclosure] must be below 1: no sample is certain",
            Some("use `decide = \"exact\"` for certainty"),
        ));
    }
    let seed = section.whole("seed", 0)?.unwrap_or(1);
    let chain = read_chain(&section, columns)?;
    section.finish()?;
    Ok(Some(DisclosurePolicy {
        strategy,
        chain,
        decide,
        confidence,
        seed,
        place,
    }))
}

const CHAIN_HINT: &str = "chain = \"datafly\", \"prec\", [[0, 0], [1, 0], [1, 1]] (levels, a list a step) or { columns = [\"g1\", \"g2\"] }";

fn read_chain(
    section: &Section<'_>,
    columns: &mut Vec<ColumnPolicy>,
) -> Result<ChainPolicy, Error> {
    let Some(value) = section.raw("chain") else {
        return Ok(ChainPolicy::Datafly);
    };
    let offset = value.span().start;
    let fault = |what: &str| section.file.fault(offset, what, Some(CHAIN_HINT));
    match value.get_ref() {
        DeValue::String(name) => match name.as_ref() {
            "datafly" => Ok(ChainPolicy::Datafly),
            "prec" => Ok(ChainPolicy::Prec),
            other => Err(section.unknown(offset, "`chain`", other, &["datafly", "prec"])),
        },
        DeValue::Array(steps) => {
            let quasi = columns
                .iter()
                .filter(|column| column.role == Role::Quasi)
                .count();
            let steps: Vec<Vec<Level>> = steps
                .iter()
                .map(|step| read_step(section, step, quasi))
                .collect::<Result<_, _>>()?;
            if steps.is_empty() {
                return Err(fault("`chain` in [disclosure] has no step"));
            }
            Ok(ChainPolicy::Levels(steps))
        }
        DeValue::Table(_) => {
            let inner = section.section("chain")?;
            let inner = inner.ok_or_else(|| fault("`chain` in [disclosure] says nothing"))?;
            let names = inner
                .strings("columns")?
                .ok_or_else(|| inner.missing("columns"))?;
            inner.finish()?;
            if names.is_empty() {
                return Err(fault("`columns` in the chain names no step"));
            }
            names
                .iter()
                .try_for_each(|name| name_step(name, columns, section, offset))?;
            Ok(ChainPolicy::Columns(names))
        }
        _ => Err(fault("`chain` in [disclosure] is no chain")),
    }
}

fn read_step(section: &Section<'_>, step: &Value<'_>, quasi: usize) -> Result<Vec<Level>, Error> {
    let offset = step.span().start;
    let fault = |what: String| section.file.fault(offset, what, Some(CHAIN_HINT));
    let Some(levels) = step.get_ref().as_array() else {
        return Err(fault("a step of `chain` is no list of levels".to_owned()));
    };
    let level = |value: &Value<'_>| match value.get_ref() {
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().parse().ok(),
        _ => None,
    };
    let read: Option<Vec<Level>> = levels.iter().map(level).collect();
    let read = read.ok_or_else(|| fault("a level is no whole number from 0 to 255".to_owned()))?;
    if read.len() != quasi {
        return Err(fault(format!(
            "a step of `chain` has {}, but the policy has {}",
            counted(read.len(), "level"),
            counted(quasi, "quasi-identifier")
        )));
    }
    Ok(read)
}

/// A column of a chain is a quasi-identifier.
fn name_step(
    name: &str,
    columns: &mut Vec<ColumnPolicy>,
    section: &Section<'_>,
    offset: usize,
) -> Result<(), Error> {
    match columns.iter().find(|column| column.name == *name) {
        Some(column) if column.role == Role::Quasi => Ok(()),
        Some(column) => Err(Error::Policy {
            place: column.place.clone(),
            what: format!("`{name}` is a step of the chain, so its role must be `quasi`"),
            hint: Some(format!(
                "write `{name} = {{ role = \"quasi\" }}`, or leave it out of [columns]"
            )),
        }),
        None => {
            columns.push(ColumnPolicy::plain_quasi(name, section.file.place(offset)));
            Ok(())
        }
    }
}

/// Refuses what cannot stand beside a chain, and a chain without its section.
pub(super) fn check_together(
    disclosure: Option<&DisclosurePolicy>,
    models: &[ModelPolicy],
    search: &SearchPolicy,
    file: &str,
) -> Result<(), Error> {
    let fault = |place: &Place, what: String, hint: &str| {
        Err(Error::Policy {
            place: place.clone(),
            what,
            hint: Some(hint.to_owned()),
        })
    };
    let Some(disclosure) = disclosure else {
        if search.algorithm == AlgorithmId::Chain {
            return fault(
                &Place::file(file),
                "the algorithm `chain` walks the steps of [disclosure], but the policy has no such section".to_owned(),
                "add for example:\n  [disclosure]\n  strategy = \"exclusive\"\n  chain = \"datafly\"",
            );
        }
        return Ok(());
    };
    if search.algorithm != AlgorithmId::Chain {
        return fault(
            &disclosure.place,
            format!(
                "[disclosure] is kept by the algorithm `chain` only, but [search] names `{}`",
                search.algorithm.name()
            ),
            "write `algorithm = \"chain\"` in [search], or leave [disclosure] out",
        );
    }
    if search.suppression.is_some_and(|share| share != Share::ZERO) {
        return fault(
            &disclosure.place,
            "which rows would be suppressed depends on their sensitive values, and tells them: `suppression` cannot stand beside [disclosure]".to_owned(),
            "leave `suppression` out of [search]",
        );
    }
    let mut secret: Option<&str> = None;
    for model in models {
        if matches!(
            model.spec,
            ModelSpec::Personal { .. } | ModelSpec::Serial { .. }
        ) {
            return fault(
                &model.place,
                format!(
                    "`{}` cannot stand beside [disclosure]: what it asks of a class is not a matter of its values alone",
                    model.spec.name()
                ),
                "publish with one of the two",
            );
        }
        let of = model.spec.of();
        if let (Some(first), Some(second)) = (secret, of)
            && first != second
        {
            return fault(
                &model.place,
                format!(
                    "[disclosure] judges one sensitive column, but promises speak of `{first}` and `{second}`"
                ),
                "publish the second column with a policy of its own",
            );
        }
        secret = secret.or(of);
    }
    if secret.is_none() && !models.is_empty() {
        return fault(
            &disclosure.place,
            "no promise of this policy speaks of a sensitive column, so that no refusal tells anything".to_owned(),
            "leave [disclosure] out and use `algorithm = \"optimal\"`, or add a promise such as l-diversity",
        );
    }
    Ok(())
}
