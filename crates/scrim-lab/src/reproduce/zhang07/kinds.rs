//! Which chains and promises the study has.

use scrim::algorithm::Sequence;
use scrim::model::{Diversity, LDiversity, ModelSet};
use scrim::{Error, Share};

use super::people::SECRET;

/// A public chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Steps {
    Datafly,
    Optimal,
}

impl Steps {
    pub(super) const ALL: [Self; 2] = [Self::Datafly, Self::Optimal];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Datafly => "datafly",
            Self::Optimal => "optimal",
        }
    }

    pub(super) fn sequence(self, weights: &[Share]) -> Sequence {
        match self {
            Self::Datafly => Sequence::Datafly,
            Self::Optimal => Sequence::Best(weights.to_vec()),
        }
    }
}

/// What is promised of every class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Promise {
    /// Recursive (c,l)-diversity, c = l.
    Recursive(u8),
    /// No value has more than one in l rows.
    Frequency(u8),
}

impl Promise {
    pub(super) const ALL: [Self; 3] = [Self::Recursive(2), Self::Recursive(3), Self::Frequency(2)];

    pub(super) fn name(self) -> String {
        match self {
            Self::Recursive(l) => format!("recursive ({l},{l})"),
            Self::Frequency(l) => format!("frequency {l}"),
        }
    }

    pub(super) fn models(self) -> Result<ModelSet, Error> {
        let kind = match self {
            Self::Recursive(l) => Diversity::Recursive {
                c: Share::whole(l.into()),
                l: l.into(),
            },
            Self::Frequency(l) => Diversity::Frequency {
                l: Share::whole(l.into()),
            },
        };
        let model = LDiversity::new(SECRET, kind).map_err(Error::Internal)?;
        Ok(ModelSet::new(vec![Box::new(model)]))
    }
}
