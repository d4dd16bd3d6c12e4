//! l-diversity, in four kinds.
//!
//! **Definition.** After Machanavajjhala et al. (2006; not among the papers in hand), for a class of n rows whose
//! sensitive values have the counts r1 >= r2 >= .. >= rm. *Distinct*: m >= l. *Entropy*: the entropy of the counts is at
//! least log l. *Recursive*: r1 < c * (rl + .. + rm). *Frequency*: no value has more than 1/l of the rows, r1 * l <= n.
//! **Reading.** Counts and bounds are exact. Entropy is decided as in `entropy.rs`: two equally frequent values are
//! exactly 2-diverse, a tie holds, and what is too close to call and no tie is broken. Recursive looks at the most
//! frequent value: counts 98, 1, 1 with l = 2 ask for 98 < c * 2; with l above m the right side is 0 and the class
//! is broken. A missing value counts as one value. Rows are counted, not persons: an onlooker sees the rows of a class
//! and cannot tell which belong to one person.
//! **Holds because** values only grow with a class: distinct holds in every superset. The other kinds do not: a class
//! 1, 1 with eight rows more of one value is 9, 1. But unions of two valid classes are valid. Entropy is concave, so that
//! a mixture has at least the mixed entropy. r1 and the sum of the l - 1 largest counts are each at most the sums of
//! those of the parts, so r1 - c * (n - r1 - .. - r(l-1)) stays below 0, and r1 * l - n stays at most 0.
//! Infeasible is what no part of the table could keep, however much is suppressed: the best part has equal counts, so
//! entropy and frequency need l <= m and recursive needs 1 < c * (m - l + 1). A table that breaks one of these kinds
//! as a whole has no release without suppression; the search finds that out, for here the limit is not known.
//! **Does not protect against** values that differ but mean the same, nor against a class that differs from the table
//! (see t-closeness). Distinct and recursive let one value be likely.
//! **Cost.** O(values of a class), recursive with a sort.
//! **Oracle.** `testkit::oracle::{distinct_l_diverse, entropy_l_diverse, recursive_cl_diverse, frequency_l_diverse}`.

use super::belief::rational;
use super::entropy;
use super::p_sensitive::refuse_scarce;
use super::proportion::Proportion;
use super::{
    BeliefModel, Beliefs, Breach, Evidence, Exact, Monotone, PrivacyModel, Quantity, Verdict,
};
use num_traits::One;

use crate::error::Error;
use crate::frequency::Tracked;
use crate::share::Share;

/// The kinds of l-diversity with their parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Diversity {
    /// At least l values.
    Distinct {
        /// At least 1.
        l: u64,
    },
    /// An entropy of at least log l.
    Entropy {
        /// At least 1.
        l: Share,
    },
    /// The commonest value is rarer than c times all but the l - 1 commonest.
    Recursive {
        /// Above 0.
        c: Share,
        /// At least 1.
        l: u64,
    },
    /// No value has more than 1/l of the rows.
    Frequency {
        /// At least 1.
        l: Share,
    },
}

/// Enough different sensitive values, well spread, in each class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LDiversity {
    of: String,
    kind: Diversity,
}

impl LDiversity {
    /// A kind of diversity of the column `of`. `l` is at least 1, `c` above 0.
    pub fn new(of: impl Into<String>, kind: Diversity) -> Result<Self, String> {
        let l = match kind {
            Diversity::Distinct { l } | Diversity::Recursive { l, .. } => Share::whole(l.into()),
            Diversity::Entropy { l } | Diversity::Frequency { l } => l,
        };
        if l < Share::ONE {
            return Err(format!("`l` must be at least 1, but it is {l}"));
        }
        match kind {
            Diversity::Recursive { c, .. } if c <= Share::ZERO => {
                Err(format!("`c` must be above 0, but it is {c}"))
            }
            _ => Ok(Self {
                of: of.into(),
                kind,
            }),
        }
    }
}

impl PrivacyModel for LDiversity {
    fn id(&self) -> &'static str {
        "l-diversity"
    }

    fn needs(&self) -> Vec<Tracked> {
        vec![Tracked::Sensitive(self.of.clone())]
    }

    fn monotone(&self) -> Monotone {
        match self.kind {
            Diversity::Distinct { .. } => Monotone::Supersets,
            Diversity::Entropy { .. }
            | Diversity::Recursive { .. }
            | Diversity::Frequency { .. } => Monotone::Unions,
        }
    }

    fn as_belief_model(&self) -> Option<&dyn BeliefModel> {
        Some(self)
    }

    fn check(&self, evidence: &Evidence<'_>) -> Verdict {
        let counts = evidence.histogram(0).counts();
        let rows = evidence.rows();
        let breach = match self.kind {
            Diversity::Distinct { l } => distinct_breach(counts, l),
            Diversity::Entropy { l } => entropy_breach(counts, rows, l),
            Diversity::Recursive { c, l } => recursive_breach(counts, c, l),
            Diversity::Frequency { l } => frequency_breach(counts, rows, l),
        };
        breach.map_or(Verdict::Holds, Verdict::Broken)
    }

    fn feasible(&self, whole: &Evidence<'_>) -> Result<(), Error> {
        let values = whole.histogram(0).distinct() as u64;
        let found = (values, Quantity::Values(values));
        match self.kind {
            Diversity::Distinct { l } if values < l => {
                refuse_scarce(self.id(), &self.of, "l", Quantity::Values(l), found)
            }
            Diversity::Entropy { l } | Diversity::Frequency { l }
                if Proportion::new(values, 1u64).compare(l).is_lt() =>
            {
                let asked = Quantity::Values(u64::try_from(ceiling(l)).unwrap_or(u64::MAX));
                refuse_scarce(self.id(), &self.of, "l", asked, found)
            }
            Diversity::Recursive { c, l } => self.refuse_short_tail(values, c, l),
            _ => Ok(()),
        }
    }
}

impl BeliefModel for LDiversity {
    fn believed(&self, beliefs: &Beliefs<'_>) -> bool {
        match self.kind {
            Diversity::Distinct { l } => beliefs.possible().count() as u64 >= l,
            // No entropy is below that of the commonest value alone.
            Diversity::Entropy { l } => {
                beliefs.highest() * rational(l) <= Exact::one()
                    || beliefs.counts().is_some_and(|counts| {
                        let all = counts.iter().map(|count| u64::from(*count)).sum();
                        entropy::reaches(&counts, all, l)
                    })
            }
            Diversity::Recursive { c, l } => {
                let head = usize::try_from(l - 1).unwrap_or(usize::MAX);
                let tail = Exact::one() - beliefs.top(head);
                beliefs.highest() < rational(c) * tail
            }
            Diversity::Frequency { l } => beliefs.highest() * rational(l) <= Exact::one(),
        }
    }

    fn least_failing(&self, rows: u64) -> Option<u64> {
        match self.kind {
            // r1 >= c (n - r1), that is r1 >= c n / (1 + c).
            Diversity::Recursive { c, l: 2 } => {
                let most = Share::new(c.numerator(), c.numerator().checked_add(c.denominator())?)?;
                let below = most.floor_of(rows);
                let is_whole =
                    most.checked_mul(Share::whole(rows.into()))? == Share::whole(below.into());
                Some(below + u64::from(!is_whole))
            }
            // r1 l > n.
            Diversity::Frequency { l } => {
                Some(Share::new(l.denominator(), l.numerator())?.floor_of(rows) + 1)
            }
            _ => None,
        }
    }
}

impl LDiversity {
    /// Even equal counts need a tail of more than 1/c values.
    fn refuse_short_tail(&self, values: u64, c: Share, l: u64) -> Result<(), Error> {
        let least = u64::try_from(c.denominator() / c.numerator())
            .unwrap_or(u64::MAX)
            .saturating_add(1);
        let asked = least.saturating_add(l - 1);
        if values >= asked {
            return Ok(());
        }
        let largest = values.saturating_add(1).saturating_sub(least);
        Err(Error::Infeasible {
            what: format!(
                "recursive l-diversity with c = {c} and l = {l} asks for {} of `{}` in each class, but the whole table has {}",
                Quantity::Values(asked),
                self.of,
                Quantity::Values(values)
            ),
            hint: Some(if largest == 0 {
                format!(
                    "with {} `c` must be above 1/{values}",
                    Quantity::Values(values)
                )
            } else {
                format!("`l` cannot be above {largest} in this table with this `c`")
            }),
        })
    }
}

/// The least whole number that is not below.
fn ceiling(share: Share) -> i128 {
    -(-share.numerator()).div_euclid(share.denominator())
}

fn distinct_breach(counts: &[u32], l: u64) -> Option<Breach> {
    let values = counts.len() as u64;
    (values < l).then_some(Breach {
        found: Quantity::Values(values),
        required: Quantity::Values(l),
    })
}

fn entropy_breach(counts: &[u32], rows: u64, l: Share) -> Option<Breach> {
    (!entropy::reaches(counts, rows, l)).then(|| Breach {
        found: Quantity::EffectiveValues(Quantity::rounded(entropy::effective_values(
            counts, rows,
        ))),
        required: Quantity::EffectiveValues(l),
    })
}

fn recursive_breach(counts: &[u32], c: Share, l: u64) -> Option<Breach> {
    let mut sorted = counts.to_vec();
    sorted.sort_unstable_by(|left, right| right.cmp(left));
    let head = usize::try_from(l - 1).unwrap_or(usize::MAX);
    let tail: u64 = sorted
        .iter()
        .skip(head)
        .map(|count| u64::from(*count))
        .sum();
    let most = u64::from(sorted.first().copied().unwrap_or(0));
    let holds = tail > 0 && Proportion::new(most, tail).compare(c).is_lt();
    (!holds).then(|| Breach {
        found: Quantity::Commonest(Share::whole(most.into())),
        required: Quantity::CommonestBelow(c.checked_mul(Share::whole(tail.into())).unwrap_or(c)),
    })
}

fn frequency_breach(counts: &[u32], rows: u64, l: Share) -> Option<Breach> {
    let most = u64::from(counts.iter().max().copied().unwrap_or(0));
    Proportion::new(rows, most)
        .compare(l)
        .is_lt()
        .then(|| Breach {
            found: Quantity::Part(Proportion::new(most, rows).share()),
            required: Quantity::Part(
                Share::new(l.denominator(), l.numerator()).unwrap_or(Share::ONE),
            ),
        })
}
