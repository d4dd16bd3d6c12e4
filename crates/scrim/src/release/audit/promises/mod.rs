//! Each promise, checked from its definition. One file a model.
//!
//! **Reading.** The distribution that classes are compared with is that of the published table: all its rows but those
//! whose sensitive value is starred. In a class that promises speak of, stars are a value like any other.

mod alpha_k;
mod beta_likeness;
mod delta_disclosure;
mod exact;
mod guarded;
mod k_anonymity;
mod l_diversity;
mod lasting;
mod p_alpha;
mod p_sensitive;
mod personal;
mod projected;
mod sensitive;
mod serial;
mod t_closeness;
mod transport;

use serde_json::{Map, Value};

use super::{BreachReport, ModelReport, Published, SerialReport, Witness};
use crate::error::Error;
use crate::release::policy::ModelSpec;
use exact::Fraction;
pub(super) use k_anonymity::sizes_of;
pub(super) use l_diversity::reaches_entropy;
use sensitive::{Cell, Reference, Sensitive};
pub(super) use t_closeness::Away;

/// What was found about a promise.
#[derive(Debug, Default)]
struct Finding {
    observed: Value,
    details: Map<String, Value>,
    /// The class that breaks it worst, and how; none where all classes keep it.
    broken: Option<(usize, String)>,
    /// The witness, where it is no class of all quasi-identifiers.
    witness: Option<Witness>,
    /// Classes without which something else might be found: the worst ones.
    worst: Vec<usize>,
    /// The probabilities behind it, where it is about those.
    breach: Option<BreachReport>,
    /// The probabilities over all releases, where it is about those.
    serial: Option<SerialReport>,
}

impl Finding {
    /// A fraction as a number and, beside it, as it is, and the class that has it.
    fn exact(worst: Option<(Fraction, usize)>, broken: Option<(usize, String)>) -> Self {
        let class = worst.map(|(_, class)| class);
        let worst = worst.map(|(worst, _)| worst);
        let mut details = Map::new();
        details.insert("observed_exact".to_owned(), told(worst));
        Self {
            observed: number(worst),
            details,
            worst: class
                .into_iter()
                .chain(broken.iter().map(|(class, _)| *class))
                .collect(),
            broken,
            ..Self::default()
        }
    }
}

/// A fraction as a number; none where it is beyond all numbers.
fn number(fraction: Option<Fraction>) -> Value {
    fraction.map_or(Value::Null, |fraction| fraction.to_f64().into())
}

/// What was found where it is beyond all numbers.
const INFINITE: &str = "infinite";

/// What was found where all rows are withheld, of which no promise speaks.
const WITHHELD: &str = "all rows withheld";

/// A fraction as a text; none where it is beyond all numbers.
fn told(fraction: Option<Fraction>) -> Value {
    fraction
        .filter(|fraction| fraction.is_finite())
        .map_or(Value::Null, |fraction| fraction.to_string().into())
}

/// The classes of which a promise must see these, to find what it finds in all.
pub(super) fn worst(published: &Published<'_>, spec: &ModelSpec) -> Result<Vec<usize>, Error> {
    Ok(find(published, spec)?.worst)
}

pub(super) fn check(published: &Published<'_>, spec: &ModelSpec) -> Result<ModelReport, Error> {
    let finding = find(published, spec)?;
    let observed = match finding.observed {
        // A number that JSON cannot write.
        Value::Null if published.classes.judged().next().is_some() => INFINITE.into(),
        Value::Null => WITHHELD.into(),
        found => found,
    };
    Ok(ModelReport {
        model: spec.name().to_owned(),
        parameters: spec.parameters(),
        holds: finding.broken.is_none() && finding.witness.is_none(),
        observed,
        details: finding.details,
        witness: finding.witness.or_else(|| {
            let broken = finding.broken;
            broken.map(|(class, found)| published.witness(class, found))
        }),
        breach: finding.breach,
        serial: finding.serial,
    })
}

fn find(published: &Published<'_>, spec: &ModelSpec) -> Result<Finding, Error> {
    let sensitive = |of: &str| Sensitive::of(published, of);
    match spec {
        ModelSpec::KAnonymity { k, unit, columns } => match columns {
            None => Ok(k_anonymity::check(published, *k, *unit)),
            Some(columns) => projected::check(published, *k, *unit, columns),
        },
        ModelSpec::PSensitive { of, p } => Ok(p_sensitive::check(&sensitive(of)?, *p)),
        ModelSpec::PAlpha { of, p, alpha } => p_alpha::check(&sensitive(of)?, *p, *alpha),
        ModelSpec::PPlusAlpha { of, p, alpha } => p_alpha::check_plus(&sensitive(of)?, *p, *alpha),
        ModelSpec::LDiversity { of, kind, l, c } => {
            l_diversity::check(&sensitive(of)?, *kind, *l, *c)
        }
        ModelSpec::TCloseness { of, t, distance } => {
            t_closeness::check(&sensitive(of)?, *t, distance)
        }
        ModelSpec::AlphaK { of, alpha, value } => {
            Ok(alpha_k::check(&sensitive(of)?, *alpha, value.as_deref()))
        }
        ModelSpec::DeltaDisclosure { of, delta } => {
            delta_disclosure::check(&sensitive(of)?, *delta)
        }
        ModelSpec::Personal { of, breach, .. } => personal::check(published, of, *breach),
        ModelSpec::Serial { .. } => serial::check(published, spec),
        ModelSpec::BetaLikeness { of, beta, enhanced } => {
            beta_likeness::check(&sensitive(of)?, *beta, *enhanced)
        }
    }
}
