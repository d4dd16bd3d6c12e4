//! What the ledger says about its releases.

use std::collections::BTreeMap;

use rusqlite::{OptionalExtension, Row};
use scrim::Share;
use serde::Serialize;

use super::{Ledger, schema};
use crate::digest::hex;
use crate::error::IoError;

/// All releases in short.
#[derive(Clone, Debug, Serialize)]
pub struct Overview {
    /// The ledger.
    pub ledger: String,
    /// How many persons it knows.
    pub persons: u64,
    /// The hash of the last release: who notes it down can tell later whether anything was changed or taken off.
    pub head: Option<String>,
    /// The releases, the first one first.
    pub releases: Vec<ReleaseRecord>,
}

/// A release in short.
#[derive(Clone, Debug, Serialize)]
pub struct ReleaseRecord {
    /// Its number, from 1.
    pub release: u64,
    /// When it was made, in UTC.
    pub time: String,
    /// `complete`, `unfinished` (recorded, but not known to be in place) or `lost` (given up).
    pub state: &'static str,
    /// Its rows.
    pub rows: u64,
    /// Its persons: fewer than rows where somebody has several.
    pub persons: u64,
    /// Its classes.
    pub classes: u64,
    /// How many persons no earlier release has.
    pub newcomers: u64,
    /// Its files, as they were put in place.
    pub files: Vec<FileRecord>,
    /// The SHA-256 of the policy's text.
    pub policy_sha256: String,
    /// The version of Scrim that made it.
    pub scrim: String,
    /// Its hash in the chain.
    pub hash: String,
}

/// A file of a release.
#[derive(Clone, Debug, Serialize)]
pub struct FileRecord {
    /// From the ledger's folder, or absolute where it is not below it.
    pub path: String,
    /// Its SHA-256.
    pub sha256: String,
}

/// One release in full.
#[derive(Clone, Debug, Serialize)]
pub struct ReleaseView {
    /// In short.
    #[serde(flatten)]
    pub record: ReleaseRecord,
    /// The policy's text.
    pub policy: String,
    /// The rows of the smallest and the largest class.
    pub class_rows: [u64; 2],
    /// The sensitive columns.
    pub columns: Vec<ColumnSummary>,
}

/// A sensitive column of a release.
#[derive(Clone, Debug, Serialize)]
pub struct ColumnSummary {
    /// Its name.
    pub column: String,
    /// The promise about it, where there is one: nobody is linked to a protected value with more than 1/l.
    pub l: Option<String>,
    /// Its values.
    pub values: Vec<ValueSummary>,
}

/// A value of a sensitive column in a release.
#[derive(Clone, Debug, Serialize)]
pub struct ValueSummary {
    /// The value as published.
    pub value: String,
    /// Whether it is protected.
    pub protected: bool,
    /// In how many rows.
    pub rows: u64,
    /// In how many classes.
    pub classes: u64,
    /// The largest share that it has in a class.
    pub max_share: f64,
    /// The same, exact.
    pub max_share_exact: Share,
}

const RELEASES: &str = "SELECT number, releases.time, scrim, policy_sha256, rows, classes, newcomers, hash, done.lost \
    FROM releases LEFT JOIN done ON done.release = number";

impl Ledger {
    /// All releases in short.
    pub fn overview(&self) -> Result<Overview, IoError> {
        let releases = self.records().map_err(|error| self.fault(&error))?;
        Ok(Overview {
            ledger: self.path.display().to_string(),
            persons: releases.iter().map(|release| release.newcomers).sum(),
            head: releases.last().map(|release| release.hash.clone()),
            releases,
        })
    }

    /// One release in full.
    pub fn release(&self, number: u64) -> Result<ReleaseView, IoError> {
        let found = self.view(number).map_err(|error| self.fault(&error))?;
        found.ok_or_else(|| {
            IoError::ledger(
                &self.path,
                format!("there is no release {number}"),
                "`scrim ledger list` shows all",
            )
        })
    }

    fn records(&self) -> rusqlite::Result<Vec<ReleaseRecord>> {
        let mut select = self
            .connection
            .prepare(&format!("{RELEASES} ORDER BY number"))?;
        let mut records: Vec<ReleaseRecord> = select
            .query_map([], record)?
            .collect::<rusqlite::Result<_>>()?;
        for record in &mut records {
            self.complete(record)?;
        }
        Ok(records)
    }

    /// Adds files and persons.
    fn complete(&self, record: &mut ReleaseRecord) -> rusqlite::Result<()> {
        record.files = self.files(record.release)?;
        record.persons = record.rows;
        if schema::has_further(&self.connection)? {
            let query = "SELECT coalesce(sum(rows), 0) FROM further WHERE release = ?1";
            let further =
                self.connection
                    .query_row(query, [record.release.cast_signed()], |row| count(row, 0))?;
            record.persons = record.rows.saturating_sub(further);
        }
        Ok(())
    }

    fn files(&self, release: u64) -> rusqlite::Result<Vec<FileRecord>> {
        let mut select = self
            .connection
            .prepare("SELECT path, sha256 FROM files WHERE release = ?1 ORDER BY position")?;
        let files = select.query_map([release.cast_signed()], |row| {
            Ok(FileRecord {
                path: row.get(0)?,
                sha256: row.get(1)?,
            })
        })?;
        files.collect()
    }

    fn view(&self, number: u64) -> rusqlite::Result<Option<ReleaseView>> {
        let at = [number.cast_signed()];
        let found = self
            .connection
            .query_row(&format!("{RELEASES} WHERE number = ?1"), at, record)
            .optional()?;
        let Some(mut record) = found else {
            return Ok(None);
        };
        self.complete(&mut record)?;
        let policy = self.connection.query_row(
            "SELECT policy FROM releases WHERE number = ?1",
            at,
            |row| row.get(0),
        )?;
        let class_rows = self.connection.query_row(
            "SELECT coalesce(min(rows), 0), coalesce(max(rows), 0) FROM classes WHERE release = ?1",
            at,
            |row| Ok([count(row, 0)?, count(row, 1)?]),
        )?;
        let mut columns = self.connection.prepare(
            "SELECT columns.number, name, l FROM columns LEFT JOIN promises ON promises.release = columns.release \
             AND promises.column = columns.number WHERE columns.release = ?1 ORDER BY columns.number",
        )?;
        let named = columns.query_map(at, |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        let mut summaries = Vec::new();
        for column in named {
            let (at, column, l): (i64, String, Option<String>) = column?;
            let values = self.summary(number.cast_signed(), at)?;
            summaries.push(ColumnSummary { column, l, values });
        }
        Ok(Some(ReleaseView {
            record,
            policy,
            class_rows,
            columns: summaries,
        }))
    }

    fn summary(&self, release: i64, column: i64) -> rusqlite::Result<Vec<ValueSummary>> {
        let mut select = self.connection.prepare(
            "SELECT value, count, rows FROM histogram JOIN classes ON classes.release = histogram.release \
             AND classes.number = class WHERE histogram.release = ?1 AND column = ?2",
        )?;
        let mut rows = select.query([release, column])?;
        let mut values: BTreeMap<String, ValueSummary> = BTreeMap::new();
        while let Some(row) = rows.next()? {
            let value: String = row.get(0)?;
            let (count, class) = (count(row, 1)?, count(row, 2)?);
            let share = Share::new(count.into(), class.into()).unwrap_or(Share::ZERO);
            let summary = values.entry(value.clone()).or_insert_with(|| ValueSummary {
                value,
                protected: false,
                rows: 0,
                classes: 0,
                max_share: 0.0,
                max_share_exact: Share::ZERO,
            });
            summary.rows += count;
            summary.classes += 1;
            summary.max_share_exact = summary.max_share_exact.max(share);
            summary.max_share = summary.max_share_exact.to_f64();
        }
        let mut select = self
            .connection
            .prepare("SELECT value FROM protected WHERE release = ?1 AND column = ?2")?;
        let protected = select.query_map([release, column], |row| row.get::<_, String>(0))?;
        for value in protected {
            values
                .entry(value?)
                .and_modify(|summary| summary.protected = true);
        }
        let mut values: Vec<ValueSummary> = values.into_values().collect();
        values.sort_by(|a, b| b.rows.cmp(&a.rows).then_with(|| a.value.cmp(&b.value)));
        Ok(values)
    }
}

fn record(row: &Row<'_>) -> rusqlite::Result<ReleaseRecord> {
    Ok(ReleaseRecord {
        release: count(row, 0)?,
        time: row.get(1)?,
        scrim: row.get(2)?,
        policy_sha256: row.get(3)?,
        rows: count(row, 4)?,
        persons: 0,
        classes: count(row, 5)?,
        newcomers: count(row, 6)?,
        hash: hex(&row.get::<_, [u8; 32]>(7)?),
        state: match row.get::<_, Option<bool>>(8)? {
            None => "unfinished",
            Some(false) => "complete",
            Some(true) => "lost",
        },
        files: Vec::new(),
    })
}

fn count(row: &Row<'_>, at: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(at).map(i64::unsigned_abs)
}
