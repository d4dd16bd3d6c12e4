//! What a column is for.

use serde::{Deserialize, Serialize};

/// What a column is for. It is a property of the policy, not of the column's hierarchy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Names its person outright; never read into memory, never published.
    Identifier,
    /// May be known to an outsider and can be linked with other tables; generalized.
    #[serde(alias = "quasi-identifier")]
    Quasi,
    /// What nobody should learn about a person.
    Sensitive,
    /// A person's wish: the taxon of a sensitive column that must not be pinned on them; never published.
    Guard,
    /// Links the rows of one person; never published.
    Person,
    /// Published as it is.
    Insensitive,
}

impl Role {
    /// The role as a policy names it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Identifier => "identifier",
            Self::Quasi => "quasi",
            Self::Sensitive => "sensitive",
            Self::Guard => "guard",
            Self::Person => "person",
            Self::Insensitive => "insensitive",
        }
    }

    /// Whether the column stands in the release.
    pub fn is_published(self) -> bool {
        matches!(self, Self::Quasi | Self::Sensitive | Self::Insensitive)
    }
}
