//! The models of a policy, bound to the table that they speak of.

use std::sync::Arc;

use super::budgets;
use super::history::History;
use super::policy::{
    Case, DistanceSpec, DiversityKind, HierarchyPolicy, ModelPolicy, ModelSpec, Policy, Unit,
};
use super::prepare::Prepared;
use super::trees::Rows;
use super::wishes::{Bound, Guards, wishes};
use crate::error::Error;
use crate::hierarchy::Hierarchy;
use crate::model::{
    AlphaK, BetaLikeness, Categories, DeltaDisclosure, Distance, Diversity, KAnonymity, LDiversity,
    Likeness, ModelSet, Ownership, PAlpha, PPlusAlpha, PSensitive, Personal, PrivacyModel, Serial,
    Shaped, TCloseness, Taxonomy, ValueOrder,
};
use crate::table::{Column, Role, Table};
use crate::{counted, verb};

/// The models of a policy, and those among them that have sensitive values generalized.
pub(super) struct Promised {
    pub(super) models: ModelSet,
    pub(super) personal: Vec<Arc<Personal>>,
    pub(super) serial: Option<Arc<Serial>>,
}

/// The conjunction of a policy's models over a table.
pub(super) fn models(
    policy: &Policy,
    table: &Table,
    trees: &[(String, Arc<Hierarchy>)],
    rows: &Rows<'_>,
    history: &History,
    remarks: &mut Vec<String>,
) -> Result<Promised, Error> {
    let mut binder = Binder {
        policy,
        table,
        trees,
        personal: Vec::new(),
        serial: None,
    };
    if let Some(model) = policy.serial() {
        let tree = trees.iter().find(|(name, _)| model.spec.of() == Some(name));
        let tree = tree.map(|(_, tree)| tree);
        let serial = budgets::serial(policy, model, table, tree, rows, history, remarks)?;
        binder.serial = Some(Arc::new(serial));
    }
    binder.personal = policy
        .privacy
        .iter()
        .filter_map(|model| binder.personal(model, rows, remarks).transpose())
        .collect::<Result<_, _>>()?;
    let models = policy
        .privacy
        .iter()
        .map(|model| binder.bind_published(model, remarks))
        .collect::<Result<_, _>>()?;
    Ok(Promised {
        models: ModelSet::new(models),
        personal: binder.personal,
        serial: binder.serial,
    })
}

struct Binder<'a> {
    policy: &'a Policy,
    table: &'a Table,
    trees: &'a [(String, Arc<Hierarchy>)],
    personal: Vec<Arc<Personal>>,
    serial: Option<Arc<Serial>>,
}

impl Binder<'_> {
    /// A model, over what is published of the sensitive column that it speaks of.
    fn bind_published(
        &self,
        model: &ModelPolicy,
        remarks: &mut Vec<String>,
    ) -> Result<Box<dyn PrivacyModel>, Error> {
        let of = model.spec.of().unwrap_or_default();
        let personal = self
            .personal
            .iter()
            .find(|personal| personal.wishes().of() == of);
        match (&model.spec, personal) {
            (ModelSpec::Personal { .. }, Some(personal)) => {
                Ok(Box::new(Personal::clone(personal.as_ref())))
            }
            (_, Some(personal)) if self.policy.generalizes_sensitive(of) => Ok(Box::new(
                Shaped::new(self.bind(model, remarks)?, Arc::clone(personal)),
            )),
            _ => self.bind(model, remarks),
        }
    }

    /// The wishes that a `personal` promise speaks of.
    fn personal(
        &self,
        model: &ModelPolicy,
        rows: &Rows<'_>,
        remarks: &mut Vec<String>,
    ) -> Result<Option<Arc<Personal>>, Error> {
        let ModelSpec::Personal {
            of,
            breach,
            guard,
            default_guard,
            case,
        } = &model.spec
        else {
            return Ok(None);
        };
        let fault = |what: String| Error::Policy {
            place: model.place.clone(),
            what,
            hint: None,
        };
        let tree = self.trees.iter().find(|(name, _)| name == of);
        let (_, tree) = tree.ok_or_else(|| fault(format!("`{of}` has no hierarchy")))?;
        let guards = match (guard, default_guard) {
            (Some(guard), _) => Guards::Column(self.column(guard).map_err(fault)?),
            (None, Some(guard)) => Guards::Same(guard),
            (None, None) => return Err(fault(format!("no column guards `{of}`"))),
        };
        let column = self.column(of).map_err(fault)?;
        let policy = self.policy.column(of).and_then(|of| of.hierarchy.as_ref());
        let bound = Bound {
            place: &model.place,
            public: matches!(policy, Some(HierarchyPolicy::File { .. })),
        };
        let wishes = wishes(column, tree, &guards, rows, &bound)?;
        let person = self
            .policy
            .person()
            .and_then(|person| self.table.column(&person.name))
            .filter(|column| column.counts().iter().any(|rows| *rows > 1));
        let ownership = match (case, person) {
            (Some(Case::Primary), Some(person)) => {
                return Err(fault(format!(
                    "`case` is \"primary\", but persons of `{}` have several rows",
                    person.name()
                )));
            }
            (Some(Case::Primary) | None, None) => Ownership::Primary,
            _ => Ownership::NonPrimary,
        };
        let (guarded, all) = (wishes.guarded_rows(), self.table.rows() as u64);
        if guarded == 0 {
            remarks.push(format!("no row has a guard for `{of}`: `personal` protects nobody here. Is the column of wishes filled in? k-anonymity protects everybody"));
        }
        let rest = if guarded < all {
            ", the others are protected by no wish"
        } else {
            ""
        };
        let case = match ownership {
            Ownership::Primary => "primary",
            Ownership::NonPrimary => "non-primary",
        };
        remarks.push(format!(
            "wishes about `{of}`: {guarded} of {} {} a guard{rest}; {case} case",
            counted(all, "row"),
            verb(guarded, "has", "have")
        ));
        let personal = Personal::new(
            Arc::new(wishes),
            *breach,
            ownership,
            person.map(|column| column.name().to_owned()),
            self.policy.generalizes_sensitive(of),
        );
        let drops = !Prepared::keeps_rows(self.policy);
        Ok(Some(Arc::new(match person {
            Some(column) => personal.of_persons(column.codes(), drops),
            None => personal,
        })))
    }

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
            ModelSpec::KAnonymity { k, unit, columns } => {
                let all = self.k_anonymity(*k, *unit, remarks).map_err(fault)?;
                Box::new(self.over_columns(all, columns.as_deref()).map_err(fault)?)
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
            ModelSpec::Personal { of, .. } => {
                return Err(fault(format!("the wishes about `{of}` were not read")));
            }
            ModelSpec::Serial { of, .. } => match &self.serial {
                Some(serial) => Box::new(Serial::clone(serial.as_ref())),
                None => return Err(fault(format!("the past of `{of}` was not read"))),
            },
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

    /// A promise over its columns. Where it says no more than a promise over all quasi-identifiers, which asks for at least as
    /// many in each class, it is treated as one of those.
    fn over_columns(
        &self,
        all: KAnonymity,
        columns: Option<&[String]>,
    ) -> Result<KAnonymity, String> {
        let Some(columns) = columns else {
            return Ok(all);
        };
        let quasi: Vec<&str> = self
            .policy
            .with_role(Role::Quasi)
            .map(|column| column.name.as_str())
            .collect();
        let number = |name: &String| quasi.iter().position(|known| known == name);
        let mut numbers: Vec<usize> = columns.iter().filter_map(number).collect();
        numbers.sort_unstable();
        let mut implied = numbers.len() == quasi.len();
        for other in &self.policy.privacy {
            if let ModelSpec::KAnonymity { k, unit, columns } = &other.spec
                && columns
                    .as_ref()
                    .is_none_or(|columns| columns.len() == quasi.len())
            {
                let other = self.k_anonymity(*k, *unit, &mut Vec::new())?;
                implied |= other.implies(&all);
            }
        }
        Ok(if implied { all } else { all.over(numbers) })
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
