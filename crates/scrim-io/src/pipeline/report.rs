//! The report of a release, made again from its manifest: no raw table is needed.
//!
//! **Reading.** A report vouches for a file. So the release must stand beside its manifest and have the hash that this tells;
//! else nothing is written. A release that breaks its promise has no external report: it is not for outsiders.

use std::path::{Path, PathBuf};

use scrim::{Error, Place};
use serde::Serialize;

use super::publish::{EXTERNAL, Names};
use crate::page::{Readers, Told, page};
use crate::{IoError, Staging, files, sha256};

/// What was rendered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Rendered {
    /// The file; none where the page is only answered.
    pub file: Option<String>,
    /// The manifest that it was made from.
    pub manifest: String,
    /// Whether it is the version for outsiders.
    pub external: bool,
    /// The hash of the page.
    pub sha256: String,
    /// The page.
    #[serde(skip)]
    pub page: String,
}

/// Renders the report of a release folder, or of a manifest, beside the manifest or into a file. `-` writes nothing.
pub fn render_report(
    place: &Path,
    readers: Readers,
    out: Option<&Path>,
) -> Result<Rendered, IoError> {
    let (manifest, report) = find(place)?;
    let dir = manifest.parent().unwrap_or(Path::new("")).to_owned();
    let text = files::read_text(&manifest)?;
    let told = Told::read(&manifest.display().to_string(), &text)?;
    let release = dir.join(&told.output.hashed.file);
    if files::sha256_file(&release)? != told.output.hashed.sha256 {
        return Err(fault(
            &release,
            "this is not the file that the manifest speaks of",
            "publish again: a report vouches for the release beside it",
        ));
    }
    if told.broken && readers == Readers::External {
        return Err(fault(
            &manifest,
            "the release breaks its promise: there is no report of it for outsiders",
            "leave out `--external`",
        ));
    }
    let page = page(told, readers);
    let target = match (out, readers) {
        (Some(out), _) if out == Path::new("-") => None,
        (Some(out), _) => Some(out.to_owned()),
        (None, Readers::Internal) => Some(dir.join(report)),
        (None, Readers::External) => Some(dir.join(EXTERNAL)),
    };
    if let Some(target) = &target {
        files::must_be_writable_as_file(target)?;
        write(target, &[&manifest, &release], &page)?;
    }
    Ok(Rendered {
        file: target.map(|target| target.display().to_string()),
        manifest: manifest.display().to_string(),
        external: readers == Readers::External,
        sha256: sha256(page.as_bytes()),
        page,
    })
}

/// The page of a manifest's text. `name` stands for the manifest in errors. Unlike [`render_report`] it does not ask whether the
/// release is there.
pub fn report_page(name: &str, manifest: &str, readers: Readers) -> Result<String, IoError> {
    Told::read(name, manifest).map(|told| page(told, readers))
}

/// The manifest at a place, and what its report is called. What keeps its promise comes first.
fn find(place: &Path) -> Result<(PathBuf, &'static str), IoError> {
    if !files::is_dir(place) {
        let name = place.file_name().and_then(|name| name.to_str());
        let own = Names::ALL.iter().find(|names| Some(names.manifest) == name);
        return match own {
            Some(names) => Ok((place.to_owned(), names.report)),
            None => Err(fault(
                place,
                "this is neither a folder nor a manifest",
                "name the folder that `publish` wrote",
            )),
        };
    }
    let mut there = Names::ALL
        .iter()
        .map(|names| (place.join(names.manifest), names.report));
    there
        .find(|(manifest, _)| files::exists(manifest))
        .ok_or_else(|| {
            fault(
                place,
                "there is no manifest in this folder",
                "name the folder that `publish` wrote",
            )
        })
}

/// Writes the page, whole or not at all, and never over what it is made from.
fn write(target: &Path, inputs: &[&Path], page: &str) -> Result<(), IoError> {
    let own = files::canonical(target);
    if own.is_some() && inputs.iter().any(|input| files::canonical(input) == own) {
        return Err(fault(
            target,
            "the report would overwrite what it is made from",
            "name another file",
        ));
    }
    let name = target.file_name().and_then(|name| name.to_str());
    let name = name.ok_or_else(|| fault(target, "this is no name of a file", "name a file"))?;
    let staging = Staging::new(target.parent().unwrap_or(Path::new("")))?;
    staging.write(name, page.as_bytes())?;
    staging.commit_waiting(&[name])?;
    Ok(())
}

fn fault(path: &Path, what: &str, hint: &str) -> IoError {
    Error::Data {
        place: Place::file(path.display().to_string()),
        what: what.to_owned(),
        hint: Some(hint.to_owned()),
    }
    .into()
}
