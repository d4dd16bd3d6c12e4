//! The attack of somebody who knows the algorithm: reads the release and everybody's quasi-identifiers.

use std::path::Path;

use scrim::release::{KnowingAttack, attack_knowing as attack};
use scrim::{Error, Place, counted};

use super::load::LoadedPolicy;
use super::{Door, Stage};
use crate::{IoError, Source, files};

/// What somebody learns from a release who knows by which steps it was found. `raw` is the table that it was made from: its
/// quasi-identifiers are what he knows, of its sensitive values nothing is used.
pub fn attack_knowing(
    file: &Path,
    policy: &Path,
    raw: Option<&Path>,
    all: bool,
    door: &mut dyn Door,
) -> Result<KnowingAttack, IoError> {
    let policy = LoadedPolicy::read(policy)?;
    policy.policy.must_promise()?;
    if policy
        .policy
        .privacy
        .iter()
        .all(|model| model.spec.of().is_none())
    {
        return Err(Error::Policy {
            place: Place::file(&policy.policy.file),
            what: "no promise of this policy speaks of a sensitive column, so that no refusal tells anything"
                .to_owned(),
            hint: Some("try `--similarity` or `--linkage`".to_owned()),
        }
        .into());
    }
    door.stage(Stage::Read);
    let published = policy.read_published(file, door)?;
    let mut remarks = Vec::new();
    let source = match (raw, policy.source()) {
        (Some(raw), _) => Source::new(raw),
        (None, Source::File(path)) if files::canonical(&path).is_some() => {
            remarks.push(format!(
                "everybody's quasi-identifiers are read from {}, which the policy names",
                path.display()
            ));
            Source::File(path)
        }
        _ => {
            return Err(Error::Data {
                place: Place::file(&published.name),
                what: "this attack needs everybody's quasi-identifiers".to_owned(),
                hint: Some("give the table that it was made from with --raw".to_owned()),
            }
            .into());
        }
    };
    let original = policy.read_in_file_order(&source, door)?;
    let (own, theirs) = (published.read.table.rows(), original.read.table.rows());
    if own != theirs || own == 0 {
        return Err(Error::Data {
            place: Place::file(&published.name),
            what: format!(
                "the release has {}, but {} has {theirs}",
                counted(own, "row"),
                original.name
            ),
            hint: Some("is this release made from that table, with no row left out?".to_owned()),
        }
        .into());
    }
    let prepared = original.prepare(&policy)?;
    door.stage(Stage::Search);
    let tables = (&original.read.table, &published.read.table);
    let mut answer = attack(&policy.policy, tables.0, &prepared, tables.1, all, door)?;
    answer.remarks.extend(remarks);
    Ok(answer)
}
