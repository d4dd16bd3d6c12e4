//! The models of a policy, bound to the table that they speak of.

use std::sync::Arc;

use super::policy::{DistanceSpec, DiversityKind, ModelPolicy, ModelSpec, Policy, Unit};
use crate::error::Error;
use crate::hierarchy::Hierarchy;
use crate::model::{
    AlphaK, BetaLikeness, Categories, DeltaDisclosure, Distance, Diversity, KAnonymity, LDiversity,
    Likeness, ModelSet, PAlpha, PPlusAlpha, PSensitive, PrivacyModel, TCloseness, Taxonomy,
    ValueOrder,
};
use crate::table::{Column, Table};

/// The conjunction of a policy's models over a table.
pub(super) fn models(
    policy: &Policy,
    table: &Table,
    trees: &[(String, Arc<Hierarchy>)],
    remarks: &mut Vec<String>,
) -> Result<ModelSet, Error> {
    let binder = Binder {
        policy,
        table,
        trees,
    };
    let models = policy
        .privacy
        .iter()
        .map(|model| binder.bind(model, remarks))
        .collect::<Result<_, _>>()?;
    Ok(ModelSet::new(models))
}

struct Binder<'a> {
    policy: &'a Policy,
    table: &'a Table,
    trees: &'a [(String, Arc<Hierarchy>)],
}

impl Binder<'_> {
    fn bind(
        &self,
        model: &ModelPolicy,
        remarks: &mut Vec<String>,
    ) -> Result<Box<dyn PrivacyModel>, Error> {
        let fault = |what: String| Error::Policy {
            place: model.place.clone(),
            what,
            hint: None,
        };
        Ok(match &model.spec {
            ModelSpec::KAnonymity { k, unit } => {
                Box::new(self.k_anonymity(*k, *unit, remarks).map_err(fault)?)
            }
            ModelSpec::PSensitive { of, p } => Box::new(PSensitive::new(of, *p).map_err(fault)?),
            ModelSpec::PAlpha { of, p, alpha } => Box::new(
                PAlpha::new(of, *p, *alpha, self.categories(of, remarks).map_err(fault)?)
                    .map_err(fault)?,
            ),
            ModelSpec::PPlusAlpha { of, p, alpha } => Box::new(
                PPlusAlpha::new(of, *p, *alpha, self.categories(of, remarks).map_err(fault)?)
                    .map_err(fault)?,
            ),
            ModelSpec::LDiversity { of, kind, l, c } => {
                Box::new(LDiversity::new(of, diversity(*kind, *l, *c)).map_err(fault)?)
            }
            ModelSpec::TCloseness { of, t, distance } => {
                let column = self.column(of).map_err(fault)?;
                let distance = self.distance(of, distance, column).map_err(fault)?;
                Box::new(TCloseness::new(of, *t, distance, column.counts()).map_err(fault)?)
            }
            ModelSpec::AlphaK { of, alpha, value } => {
                let column = self.column(of).map_err(fault)?;
                let code =
                    |value: &String| column.dictionary().texts().position(|text| text == value);
                let code = match value {
                    None => None,
                    Some(value) => Some(
                        code(value)
                            .ok_or_else(|| fault(format!("`{of}` has no value `{value}`")))?
                            as u32,
                    ),
                };
                Box::new(AlphaK::new(of, *alpha, code).map_err(fault)?)
            }
            ModelSpec::DeltaDisclosure { of, delta } => Box::new(
                DeltaDisclosure::new(of, *delta, self.column(of).map_err(fault)?.counts())
                    .map_err(fault)?,
            ),
            ModelSpec::BetaLikeness { of, beta, enhanced } => {
                let likeness = if *enhanced {
                    Likeness::Enhanced
                } else {
                    Likeness::Basic
                };
                Box::new(
                    BetaLikeness::new(
                        of,
                        *beta,
                        likeness,
                        self.column(of).map_err(fault)?.counts(),
                    )
                    .map_err(fault)?,
                )
            }
        })
    }

    fn column(&self, name: &str) -> Result<&Column, String> {
        self.table
            .column(name)
            .ok_or_else(|| format!("the column `{name}` was not read"))
    }

    /// Persons are counted only where one of them has two rows: else rows are persons, and faster to count.
    fn k_anonymity(
        &self,
        k: u64,
        unit: Unit,
        remarks: &mut Vec<String>,
    ) -> Result<KAnonymity, String> {
        let person = self.policy.person().filter(|_| unit == Unit::Person);
        let column = person.and_then(|person| self.table.column(&person.name));
        let repeats = column.filter(|column| column.dictionary().len() < column.codes().len());
        if let (Some(person), None) = (person, repeats) {
            remarks.push(format!(
                "no person of `{}` has two rows: persons are counted as rows",
                person.name
            ));
        }
        KAnonymity::new(k, repeats.map(|column| column.name().to_owned()))
    }

    fn categories(&self, of: &str, remarks: &mut Vec<String>) -> Result<Categories, String> {
        let listed = self
            .policy
            .column(of)
            .and_then(|column| column.categories.as_ref())
            .ok_or_else(|| format!("`{of}` has no categories"))?;
        let categories = Categories::new(listed, self.column(of)?.dictionary())?;
        remarks.extend(categories.warning().map(Into::into));
        Ok(categories)
    }

    fn distance(&self, of: &str, spec: &DistanceSpec, column: &Column) -> Result<Distance, String> {
        Ok(match spec {
            DistanceSpec::Equal => Distance::Equal,
            DistanceSpec::Ordered(Some(order)) => {
                Distance::Ordered(ValueOrder::listed(order, column.dictionary())?)
            }
            DistanceSpec::Ordered(None) => {
                Distance::Ordered(ValueOrder::numeric(column.dictionary())?)
            }
            DistanceSpec::Hierarchical => {
                let tree = self
                    .trees
                    .iter()
                    .find(|(name, _)| name == of)
                    .map(|(_, tree)| tree);
                let tree = tree.ok_or_else(|| format!("`{of}` has no hierarchy"))?;
                Distance::Hierarchical(Taxonomy::new(tree, column.dictionary())?)
            }
        })
    }
}

fn diversity(
    kind: DiversityKind,
    l: crate::share::Share,
    c: Option<crate::share::Share>,
) -> Diversity {
    let whole = u64::try_from(l.numerator()).unwrap_or(u64::MAX);
    match (kind, c) {
        (DiversityKind::Recursive, Some(c)) => Diversity::Recursive { c, l: whole },
        (DiversityKind::Distinct | DiversityKind::Recursive, _) => Diversity::Distinct { l: whole },
        (DiversityKind::Entropy, _) => Diversity::Entropy { l },
        (DiversityKind::Frequency, _) => Diversity::Frequency { l },
    }
}
