//! Weaker settings of a promise, from the strictest on.

use serde_json::{Value, json};

use crate::release::policy::{DiversityKind, ModelSpec, Policy};
use crate::share::Share;

/// A weaker setting of a promise.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Setting {
    /// The key in the policy.
    pub(super) key: &'static str,
    /// Its value.
    pub(super) value: Value,
    /// The value that the policy has.
    pub(super) asked: Value,
    /// The next stricter value, which does not go through.
    pub(super) stricter: Option<Value>,
    /// The promise with it.
    pub(super) spec: ModelSpec,
}

/// No promise of more than these is tried one by one.
const MOST: u64 = 1 << 20;

/// All weaker settings of a promise that still promise something, the strictest first.
pub(super) fn settings(spec: &ModelSpec, rows: u64) -> Vec<Setting> {
    let mut settings = Settings {
        key: "k",
        asked: Value::Null,
        rows: rows.min(MOST),
        all: Vec::new(),
    };
    match spec {
        ModelSpec::KAnonymity { k, unit, columns } => settings.whole("k", *k, |k| {
            let columns = columns.clone();
            ModelSpec::KAnonymity {
                k,
                unit: *unit,
                columns,
            }
        }),
        ModelSpec::PSensitive { of, p } => {
            settings.whole("p", *p, |p| ModelSpec::PSensitive { of: of.clone(), p });
        }
        ModelSpec::PAlpha { of, p, alpha } => settings.whole("p", *p, |p| ModelSpec::PAlpha {
            of: of.clone(),
            p,
            alpha: *alpha,
        }),
        ModelSpec::PPlusAlpha { of, p, alpha } => {
            settings.whole("p", *p, |p| ModelSpec::PPlusAlpha {
                of: of.clone(),
                p,
                alpha: *alpha,
            });
        }
        ModelSpec::LDiversity { of, kind, l, c } => {
            let spec = |l: Share| ModelSpec::LDiversity {
                of: of.clone(),
                kind: *kind,
                l,
                c: *c,
            };
            match kind {
                DiversityKind::Distinct | DiversityKind::Recursive => {
                    let whole = u64::try_from(l.numerator()).unwrap_or(u64::MAX);
                    settings.whole("l", whole, |l| spec(Share::whole(l.into())));
                }
                DiversityKind::Entropy | DiversityKind::Frequency => {
                    settings.falling("l", *l, spec);
                }
            }
        }
        ModelSpec::TCloseness { of, t, distance } => {
            settings.rising("t", *t, (100, 100), |t| ModelSpec::TCloseness {
                of: of.clone(),
                t,
                distance: distance.clone(),
            });
        }
        ModelSpec::AlphaK { of, alpha, value } => {
            settings.rising("alpha", *alpha, (100, 99), |alpha| ModelSpec::AlphaK {
                of: of.clone(),
                alpha,
                value: value.clone(),
            });
        }
        ModelSpec::DeltaDisclosure { of, delta } => {
            settings.rising("delta", *delta, (10, 100), |delta| {
                ModelSpec::DeltaDisclosure {
                    of: of.clone(),
                    delta,
                }
            });
        }
        ModelSpec::BetaLikeness { of, beta, enhanced } => {
            settings.rising("beta", *beta, (10, 100), |beta| ModelSpec::BetaLikeness {
                of: of.clone(),
                beta,
                enhanced: *enhanced,
            });
        }
        ModelSpec::Personal { breach, .. } => {
            settings.rising("breach", *breach, (100, 99), |asked| {
                let mut spec = spec.clone();
                if let ModelSpec::Personal { breach, .. } = &mut spec {
                    *breach = asked;
                }
                spec
            });
        }
        ModelSpec::Serial { .. } => {}
    }
    settings.all
}

/// The number of the [[privacy]] that a promise stands in, from 0. A `k` beside another promise stands in the same one.
pub(super) fn section_of(policy: &Policy, at: usize) -> usize {
    let places = policy.privacy[..=at].windows(2);
    places.filter(|pair| pair[0].place != pair[1].place).count()
}

struct Settings {
    key: &'static str,
    asked: Value,
    rows: u64,
    all: Vec<Setting>,
}

impl Settings {
    fn add(&mut self, value: Value, spec: ModelSpec) {
        self.all.push(Setting {
            key: self.key,
            value,
            asked: self.asked.clone(),
            stricter: None,
            spec,
        });
    }

    /// Whole numbers below what was asked, down to 2.
    fn whole(&mut self, key: &'static str, asked: u64, spec: impl Fn(u64) -> ModelSpec) {
        (self.key, self.asked) = (key, json!(asked));
        let most = asked.saturating_sub(1).min(self.rows);
        for value in (2..=most).rev() {
            self.add(json!(value), spec(value));
        }
    }

    /// Tenths below what was asked, down to 1.1.
    fn falling(&mut self, key: &'static str, asked: Share, spec: impl Fn(Share) -> ModelSpec) {
        (self.key, self.asked) = (key, number(asked));
        let most = parts(asked, 10, true).saturating_sub(1);
        for tenths in (11..=most.min(self.rows.saturating_mul(10))).rev() {
            if let Some(value) = Share::new(tenths.into(), 10) {
                self.add(number(value), spec(value));
            }
        }
    }

    /// Parts of a whole above what was asked, up to a most.
    fn rising(
        &mut self,
        key: &'static str,
        asked: Share,
        (whole, most): (u64, u64),
        spec: impl Fn(Share) -> ModelSpec,
    ) {
        (self.key, self.asked) = (key, number(asked));
        for part in parts(asked, whole, false).saturating_add(1)..=most {
            if let Some(value) = Share::new(part.into(), whole.into()) {
                self.add(number(value), spec(value));
            }
        }
    }
}

/// How many parts of a whole a number has, rounded up or down.
fn parts(number: Share, whole: u64, up: bool) -> u64 {
    let product = number.numerator().saturating_mul(whole.into());
    let floor = product.div_euclid(number.denominator());
    let rest = u64::from(up && product.rem_euclid(number.denominator()) != 0);
    u64::try_from(floor).unwrap_or(u64::MAX / 2) + rest
}

/// A number as a policy writes it.
fn number(share: Share) -> Value {
    if share.denominator() == 1 {
        return json!(share.numerator() as i64);
    }
    // Tenths and hundredths are written as decimals; anything else as the fraction that it is.
    if 10_000 % share.denominator() == 0 {
        json!(share.to_f64())
    } else {
        json!(share.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(spec: &ModelSpec) -> Vec<String> {
        let settings = settings(spec, 100);
        settings.iter().map(|one| one.value.to_string()).collect()
    }

    #[test]
    fn settings_begin_right_behind_what_was_asked() {
        let of = || "disease".to_owned();
        let l = |l: i128, kind| ModelSpec::LDiversity {
            of: of(),
            kind,
            l: Share::whole(l),
            c: None,
        };
        assert_eq!(values(&l(5, DiversityKind::Distinct)), ["4", "3", "2"]);
        assert_eq!(values(&l(2, DiversityKind::Entropy))[..2], ["1.9", "1.8"]);
        let t = Share::new(973, 1000).unwrap();
        let distance = crate::release::policy::DistanceSpec::Equal;
        let t = ModelSpec::TCloseness {
            of: of(),
            t,
            distance,
        };
        assert_eq!(values(&t), ["0.98", "0.99", "1"]);
    }

    #[test]
    fn no_setting_asks_for_more_than_the_table_has() {
        let unit = crate::release::policy::Unit::Row;
        let k = ModelSpec::KAnonymity {
            k: 1_000_000_000,
            unit,
            columns: None,
        };
        assert_eq!(values(&k)[0], "100");
        assert_eq!(values(&k).last().map(String::as_str), Some("2"));
    }
}
