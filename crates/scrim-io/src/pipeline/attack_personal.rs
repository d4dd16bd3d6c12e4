//! The attack on wishes: reads the release, its source, and what the adversary has.

use std::path::Path;

use scrim::adversary::{Covering, Exposed, PersonalAttack, covered_persons, personal, persons_of};
use scrim::release::audit::quasi_classes;
use scrim::release::policy::{Case, ModelSpec};
use scrim::table::Table;
use scrim::{Error, Place, Share, counted, verb};

use super::aligned::Aligned;
use super::linked::Linking;
use super::load::{LoadedPolicy, LoadedTable, Needed};
use super::{Door, Stage};
use crate::{IoError, Source};

/// How sure somebody may become of what the persons of a release asked to have kept: somebody who knows exactly who is
/// in it, or who has an external table of persons.
pub fn attack_personal(
    file: &Path,
    policy: &Path,
    of: Option<&str>,
    (raw, plan): (&Path, Option<&Path>),
    external: Option<&Path>,
    door: &mut dyn Door,
) -> Result<PersonalAttack, IoError> {
    let policy = LoadedPolicy::read(policy)?;
    policy.policy.must_promise()?;
    let (of, limit) = target(&policy, of)?;
    door.stage(Stage::Read);
    let published = policy.read_published(file, door)?;
    if published.read.table.rows() == 0 {
        let what = "there is no row to attack";
        return Err(Error::data(Place::file(&published.name), what).into());
    }
    let raw = Source::new(raw);
    let aligned = Aligned::read(&policy, (file, &published), &raw, plan, door)?.in_file_order();
    let table = &aligned.published;
    let (class_of_row, first_rows) = quasi_classes(&policy.policy, table, &published.name)?;
    let wishes = aligned.wishes.iter().find(|wishes| wishes.of == of);
    let wishes = wishes.ok_or_else(|| Error::Internal(format!("no wishes about `{of}`")))?;
    let column = table.column(of).ok_or_else(|| {
        Error::data(
            Place::file(&published.name),
            format!("the table has no column `{of}`"),
        )
    })?;
    let shown = wishes
        .shown(column)
        .map_err(|row| Error::Internal(format!("row {} lost its value", row + 1)))?;
    let known = aligned
        .persons
        .as_deref()
        .filter(|_| wishes.case == Case::NonPrimary);
    let mut persons = persons_of(&class_of_row, first_rows.len(), known);
    let mut remarks = aligned.remarks.clone();
    let mut external_persons = None;
    if let Some(path) = external {
        let external = policy.read_external(path, Needed::All, door)?;
        door.stage(Stage::Search);
        external_persons = Some(widen(
            &policy,
            table,
            &external,
            &first_rows,
            &mut persons,
            &mut remarks,
        )?);
    }
    let exposed = Exposed {
        tree: &wishes.tree,
        case: wishes.case,
        class_of_row: &class_of_row,
        shown: &shown,
        guards: &wishes.guards,
        persons: &persons,
        person_of_row: known,
    };
    let mut found = personal(of, &exposed, limit);
    found.remarks.extend(remarks);
    Ok(PersonalAttack {
        external: external.is_some(),
        external_persons,
        ..found
    })
}

/// The promise that is attacked.
fn target<'a>(policy: &'a LoadedPolicy, of: Option<&str>) -> Result<(&'a str, Share), IoError> {
    let promises = policy.policy.privacy.iter();
    let personal: Vec<(&str, Share)> = promises
        .filter_map(|model| match &model.spec {
            ModelSpec::Personal { of, breach, .. } => Some((of.as_str(), *breach)),
            _ => None,
        })
        .filter(|(name, _)| of.is_none_or(|of| of == *name))
        .collect();
    let fault = |what: String| Error::Policy {
        place: Place::file(&policy.policy.file),
        what,
        hint: None,
    };
    match (personal.as_slice(), of) {
        ([only], _) => Ok(*only),
        ([], None) => {
            Err(fault("the policy has no `personal` promise to attack".to_owned()).into())
        }
        ([], Some(of)) => {
            Err(fault(format!("the policy has no `personal` promise about `{of}`")).into())
        }
        (several, _) => {
            let count = several.len();
            Err(fault(format!(
                "there are {count} `personal` promises: say which with --of"
            ))
            .into())
        }
    }
}

/// Counts the external persons that each class covers; gives how many persons there are in all.
fn widen(
    policy: &LoadedPolicy,
    published: &Table,
    external: &LoadedTable,
    first_rows: &[usize],
    persons: &mut [u64],
    remarks: &mut Vec<String>,
) -> Result<u64, IoError> {
    let table = &external.read.table;
    let linking = Linking::new(policy, published, table)?;
    let linked = linking.columns(published, table)?;
    let own = external.persons(&policy.policy);
    let person = policy.policy.person();
    let person = person.and_then(|person| table.column(&person.name));
    let covering = Covering::new(&linked, first_rows);
    let (covered, any) = covered_persons(&covering, first_rows.len(), table.rows(), own.as_deref());
    let lacking = covered
        .iter()
        .zip(persons.iter())
        .filter(|(covered, own)| covered < own);
    let lacking = lacking.count();
    if lacking > 0 {
        remarks.push(format!(
            "in {lacking} of {} {} has fewer persons than the class, so it lacks somebody: there the persons of the class count",
            counted(first_rows.len(), "class"),
            external.name
        ));
    }
    for (persons, covered) in persons.iter_mut().zip(covered) {
        *persons = covered.max(*persons);
    }
    let distinct = person.map_or(table.rows(), |column| column.dictionary().len()) as u64;
    if any < distinct {
        remarks.push(format!(
            "{} of {} of {} {} covered by no class",
            distinct - any,
            counted(distinct, "person"),
            external.name,
            verb(distinct - any, "is", "are")
        ));
    }
    Ok(any)
}
