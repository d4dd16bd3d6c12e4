//! Everything but the persons' hashes, for other programs: one JSON object, or CSV files.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use rusqlite::types::ValueRef;
use rusqlite::{Connection, Row};
use scrim::printable_json;
use serde_json::{Value, json};

use super::{Ledger, schema};
use crate::error::IoError;
use crate::{Staging, files};

/// File, header and query. Persons are there as row numbers only.
const TABLES: [(&str, &str, &str); 7] = [
    (
        "releases.csv",
        "release,time,scrim,policy_sha256,rows,classes,newcomers,previous,hash",
        "SELECT number, time, scrim, policy_sha256, rows, classes, newcomers, lower(hex(previous)), lower(hex(hash)) \
         FROM releases ORDER BY number",
    ),
    (
        "files.csv",
        "release,path,sha256",
        "SELECT release, path, sha256 FROM files ORDER BY release, position",
    ),
    (
        "promises.csv",
        "release,column,l",
        "SELECT promises.release, name, l FROM promises JOIN columns ON columns.release = promises.release \
         AND columns.number = promises.column ORDER BY promises.release, promises.column",
    ),
    (
        "protected.csv",
        "release,column,value",
        "SELECT protected.release, name, value FROM protected JOIN columns ON columns.release = protected.release \
         AND columns.number = protected.column ORDER BY protected.release, protected.column, value",
    ),
    (
        "classes.csv",
        "release,class,rows",
        "SELECT release, number, rows FROM classes ORDER BY release, number",
    ),
    (
        "histogram.csv",
        "release,class,column,value,count",
        "SELECT h.release, class, name, value, count FROM histogram h CROSS JOIN columns ON columns.release = h.release \
         AND columns.number = h.column ORDER BY h.release, class, h.column, value",
    ),
    (
        "membership.csv",
        "release,person,class",
        "SELECT release, person, class FROM membership ORDER BY release, person",
    ),
];

/// The table that a ledger has where persons have several rows.
const FURTHER: (&str, &str, &str) = (
    "further.csv",
    "release,person,class,rows",
    "SELECT release, person, class, rows FROM further ORDER BY release, person, class",
);

/// The tables of a ledger.
fn tables(
    connection: &Connection,
) -> rusqlite::Result<Vec<(&'static str, &'static str, &'static str)>> {
    let further = schema::has_further(connection)?.then_some(FURTHER);
    Ok(TABLES.into_iter().chain(further).collect())
}

impl Ledger {
    /// Writes all tables as CSV files into a folder, all of them or none.
    pub fn export_csv(&self, dir: &Path) -> Result<Vec<PathBuf>, IoError> {
        let staging = Staging::new(dir)?;
        let tables = tables(&self.connection).map_err(|error| self.fault(&error))?;
        for (name, header, query) in &tables {
            let path = staging.private(name)?;
            let mut out = io::BufWriter::new(files::create(&path)?);
            let written = write_csv(&self.connection, header, query, &mut out);
            written.map_err(|error| self.failed(&path, error))?;
        }
        let names: Vec<&str> = tables.iter().map(|(name, ..)| *name).collect();
        Ok(staging.commit_waiting(&names)?.files)
    }

    /// Writes one JSON object.
    pub fn export_json(&self, out: &mut dyn Write) -> Result<(), IoError> {
        let written = write_json(&self.connection, out);
        written.map_err(|error| self.failed(Path::new("the export"), error))
    }

    fn failed(&self, path: &Path, error: Failed) -> IoError {
        match error {
            Failed::Ledger(error) => self.fault(&error),
            Failed::Out(error) => IoError::file(path, error),
        }
    }
}

enum Failed {
    Ledger(rusqlite::Error),
    Out(io::Error),
}

impl From<rusqlite::Error> for Failed {
    fn from(error: rusqlite::Error) -> Self {
        Self::Ledger(error)
    }
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self::Out(error)
    }
}

fn write_csv(
    connection: &Connection,
    header: &str,
    query: &str,
    out: &mut dyn Write,
) -> Result<(), Failed> {
    writeln!(out, "{header}")?;
    let mut select = connection.prepare(query)?;
    let width = select.column_count();
    let mut rows = select.query([])?;
    while let Some(row) = rows.next()? {
        for at in 0..width {
            if at > 0 {
                out.write_all(b",")?;
            }
            match row.get_ref(at)? {
                ValueRef::Text(text) => write_field(text, out)?,
                ValueRef::Integer(number) => write!(out, "{number}")?,
                _ => {}
            }
        }
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
}

fn write_field(text: &[u8], out: &mut dyn Write) -> io::Result<()> {
    if !text.iter().any(|byte| b",\"\r\n".contains(byte)) {
        return out.write_all(text);
    }
    out.write_all(b"\"")?;
    for part in text.split_inclusive(|byte| *byte == b'"') {
        out.write_all(part)?;
        if part.ends_with(b"\"") {
            out.write_all(b"\"")?;
        }
    }
    out.write_all(b"\"")
}

/// The same tables, each an array of objects, written a row a line as they are read.
fn write_json(connection: &Connection, out: &mut dyn Write) -> Result<(), Failed> {
    let tables = tables(connection)?;
    let version = if tables.len() > TABLES.len() { 2 } else { 1 };
    write!(out, "{{\n  \"ledger\": {version}")?;
    for (name, header, query) in tables {
        write!(out, ",\n  \"{}\": [", name.trim_end_matches(".csv"))?;
        let keys: Vec<&str> = header.split(',').collect();
        let mut select = connection.prepare(query)?;
        let mut rows = select.query([])?;
        let mut separator = "\n";
        while let Some(row) = rows.next()? {
            let object = object(&keys, row)?.to_string();
            write!(out, "{separator}    {}", printable_json(&object))?;
            separator = ",\n";
        }
        write!(out, "\n  ]")?;
    }
    writeln!(out, "\n}}")?;
    Ok(out.flush()?)
}

fn object(keys: &[&str], row: &Row<'_>) -> rusqlite::Result<Value> {
    let mut object = serde_json::Map::new();
    for (at, key) in keys.iter().enumerate() {
        let value = match row.get_ref(at)? {
            ValueRef::Text(text) => json!(String::from_utf8_lossy(text)),
            ValueRef::Integer(number) => json!(number),
            _ => Value::Null,
        };
        object.insert((*key).to_owned(), value);
    }
    Ok(Value::Object(object))
}
