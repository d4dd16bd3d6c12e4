//! What is asked of every class: the four models of the paper with their numbers.

use std::fmt;

use scrim::model::{
    Categories, KAnonymity, ModelSet, PAlpha, PPlusAlpha, PSensitive, PrivacyModel,
};
use scrim::table::Table;
use scrim::{Error, Share};

use super::bench::internal;

/// A model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// k-anonymity.
    K,
    /// p-sensitive k-anonymity.
    P,
    /// (p,alpha)-sensitive k-anonymity.
    PAlpha,
    /// (p+,alpha)-sensitive k-anonymity.
    PPlus,
}

impl Kind {
    /// From weak to strict.
    pub(super) const ALL: [Self; 4] = [Self::K, Self::P, Self::PAlpha, Self::PPlus];
    /// The three that Figures 2 and 3 compare.
    pub(super) const SENSITIVE: [Self; 3] = [Self::P, Self::PAlpha, Self::PPlus];

    /// The model of a word in the fixtures.
    pub(super) fn of_word(word: &str) -> Result<Self, Error> {
        match word {
            "k" | "k-anonymity" => Ok(Self::K),
            "p" | "p-sensitive" => Ok(Self::P),
            "pa" | "p-alpha" => Ok(Self::PAlpha),
            "p+a" | "p-plus-alpha" => Ok(Self::PPlus),
            _ => Err(internal("a fixture names no model")),
        }
    }

    /// As a heading.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::K => "k-anonymity",
            Self::P => "p-sensitive",
            Self::PAlpha => "(p,alpha)",
            Self::PPlus => "(p+,alpha)",
        }
    }
}

/// A model with its numbers; those that it does not have are 1 and 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ask {
    pub(super) kind: Kind,
    pub(super) k: u64,
    pub(super) p: u64,
    pub(super) alpha: Share,
}

impl Ask {
    pub(super) fn new(kind: Kind, k: u64, p: u64, alpha: Share) -> Self {
        let weighs = matches!(kind, Kind::PAlpha | Kind::PPlus);
        Self {
            kind,
            k,
            p: if kind == Kind::K { 1 } else { p },
            alpha: if weighs { alpha } else { Share::ZERO },
        }
    }

    /// For the library: k-anonymity and the model beside it.
    pub(super) fn models(
        &self,
        table: &Table,
        of: &str,
        listed: &[Vec<String>],
    ) -> Result<ModelSet, Error> {
        let column = table
            .column(of)
            .ok_or_else(|| internal("no sensitive column"))?;
        let categories =
            || Categories::new(listed, column.dictionary()).map_err(|what| internal(&what));
        let beside: Option<Box<dyn PrivacyModel>> = match self.kind {
            Kind::K => None,
            Kind::P => Some(Box::new(fine(PSensitive::new(of, self.p))?)),
            Kind::PAlpha => Some(Box::new(fine(PAlpha::new(
                of,
                self.p,
                self.alpha,
                categories()?,
            ))?)),
            Kind::PPlus => Some(Box::new(fine(PPlusAlpha::new(
                of,
                self.p,
                self.alpha,
                categories()?,
            ))?)),
        };
        let k: Box<dyn PrivacyModel> = Box::new(fine(KAnonymity::new(self.k, None))?);
        Ok(ModelSet::new(
            [Some(k), beside].into_iter().flatten().collect(),
        ))
    }
}

impl fmt::Display for Ask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Kind::K => write!(f, "k = {}", self.k),
            Kind::P => write!(f, "p = {}, k = {}", self.p, self.k),
            Kind::PAlpha => write!(f, "({},{}), k = {}", self.p, self.alpha, self.k),
            Kind::PPlus => write!(f, "({}+,{}), k = {}", self.p, self.alpha, self.k),
        }
    }
}

fn fine<T>(model: Result<T, String>) -> Result<T, Error> {
    model.map_err(|what| internal(&what))
}
