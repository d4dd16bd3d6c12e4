//! Whether a published file is what a ledger recorded: its hash, and its classes.

use std::collections::BTreeMap;
use std::path::Path;

use scrim::release::PastClass;
use scrim::release::audit::quasi_classes;
use scrim::{Error, Place, counted};
use serde::Serialize;

use super::load::{LoadedPolicy, LoadedTable};
use super::serial::release_of;
use super::{Door, Stage};
use crate::IoError;
use crate::ledger::Ledger;

/// How a file fits the ledger.
#[derive(Clone, Debug, Serialize)]
pub struct FileAnswer {
    /// The file.
    pub file: String,
    /// The release that it is recorded for.
    pub release: Option<u64>,
    /// Whether it is what the ledger recorded.
    pub holds: bool,
    /// What is wrong, and where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// Rows and histogram of a class.
type Shape = (u64, BTreeMap<String, u64>);

/// Whether a file is what the ledger recorded, with the classes of its entry.
pub(super) fn check_file(
    policy: &LoadedPolicy,
    of: &str,
    ledger: &Ledger,
    file: &Path,
    door: &mut dyn Door,
) -> Result<FileAnswer, IoError> {
    let name = file.display().to_string();
    let Some(release) = release_of(ledger, file)? else {
        return Ok(FileAnswer {
            file: name,
            release: None,
            holds: false,
            fault: Some("no release of the ledger has a file with this content".to_owned()),
        });
    };
    door.stage(Stage::Read);
    let table = policy.read_published(file, door)?;
    let shapes = shapes(policy, &table, of)?;
    let recorded = ledger.classes(release, of)?;
    let fault = difference(&shapes, &recorded, release);
    Ok(FileAnswer {
        file: name,
        release: Some(release),
        holds: fault.is_none(),
        fault,
    })
}

/// First row and shape of each class of a file.
fn shapes(
    policy: &LoadedPolicy,
    table: &LoadedTable,
    of: &str,
) -> Result<Vec<(usize, Shape)>, IoError> {
    let data = &table.read.table;
    let column = data.column(of).ok_or_else(|| {
        let what = format!("the table has no column `{of}`");
        Error::data(Place::file(&table.name), what)
    })?;
    let (class_of_row, first_rows) = quasi_classes(&policy.policy, data, &table.name)?;
    let mut shapes: Vec<(usize, Shape)> = first_rows
        .into_iter()
        .map(|row| (row, (0, BTreeMap::new())))
        .collect();
    for (row, class) in class_of_row.iter().enumerate() {
        let (rows, counts) = &mut shapes[*class as usize].1;
        *rows += 1;
        let text = column.dictionary().text(column.codes().get(row));
        match counts.get_mut(text) {
            Some(count) => *count += 1,
            None => {
                counts.insert(text.to_owned(), 1);
            }
        }
    }
    Ok(shapes)
}

/// The first class of a file that the ledger does not have, or else one of the ledger that the file lacks.
fn difference(shapes: &[(usize, Shape)], recorded: &[PastClass], release: u64) -> Option<String> {
    let mut left: BTreeMap<(u64, &BTreeMap<String, u64>), u64> = BTreeMap::new();
    for class in recorded {
        *left.entry((class.rows, &class.counts)).or_insert(0) += 1;
    }
    for (class, (row, (rows, counts))) in (1..).zip(shapes) {
        match left.get_mut(&(*rows, counts)) {
            Some(many) if *many > 0 => *many -= 1,
            _ => {
                return Some(format!(
                    "class {class} of the file, which begins in row {} and has {}, is no class of release {release}: do the quasi-identifiers of the policy make the classes that were published?",
                    row + 1,
                    counted(*rows, "row")
                ));
            }
        }
    }
    let lacking: u64 = left.values().sum();
    (lacking > 0).then(|| {
        format!(
            "the file lacks {} of release {release}",
            counted(lacking, "class")
        )
    })
}
