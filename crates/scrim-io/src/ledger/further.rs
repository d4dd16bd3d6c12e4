//! The rows of a person beyond the first of a release.
//!
//! **Definition.** `membership` has each person of a release once, with the first of the classes that it has rows in. `further`
//! has how many more rows the person has, by class.
//! **Reading.** A ledger has the table, and is of version 2, from the first release on in which a person has several rows. A Scrim
//! that knows version 1 only would count such persons once, so it must not open it. What was recorded before stays as it is.
//! **Oracle.** `tests/several.rs`: a model that knows no ledger.

use rusqlite::{Connection, Statement, params};

use super::schema;

/// A person's further rows in a class of a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct FurtherRows {
    pub(super) person: i64,
    pub(super) class: i64,
    pub(super) rows: u64,
}

/// The further rows of a ledger, to be asked for; none in a ledger of version 1.
pub(super) struct Further<'c>(Option<Statement<'c>>);

impl<'c> Further<'c> {
    pub(super) fn new(connection: &'c Connection) -> rusqlite::Result<Self> {
        if !schema::has_further(connection)? {
            return Ok(Self(None));
        }
        let select = connection.prepare(
            "SELECT person, class, rows FROM further WHERE release = ?1 AND person > ?2 AND person <= ?3 \
             ORDER BY person, class",
        )?;
        Ok(Self(Some(select)))
    }

    /// Those of a release's persons with numbers above `from` up to `to`, by person and class.
    pub(super) fn of(
        &mut self,
        release: i64,
        from: i64,
        to: i64,
    ) -> rusqlite::Result<Vec<FurtherRows>> {
        let Some(select) = &mut self.0 else {
            return Ok(Vec::new());
        };
        let rows = select.query_map(params![release, from, to], |row| {
            Ok(FurtherRows {
                person: row.get(0)?,
                class: row.get(1)?,
                rows: row.get::<_, i64>(2)?.unsigned_abs(),
            })
        })?;
        rows.collect()
    }
}

/// The rows of a person by class, where these are its further ones.
pub(super) fn in_classes(first: i64, further: &[FurtherRows]) -> impl Iterator<Item = (i64, u64)> {
    let beside = further.iter().find(|more| more.class == first);
    let others = further.iter().filter(move |more| more.class != first);
    let of_first = (first, 1 + beside.map_or(0, |more| more.rows));
    std::iter::once(of_first).chain(others.map(|more| (more.class, more.rows)))
}

/// The further rows of one person, of those of many in the order of persons.
pub(super) fn of_person(further: &[FurtherRows], person: i64) -> &[FurtherRows] {
    let from = further.partition_point(|more| more.person < person);
    let to = further.partition_point(|more| more.person <= person);
    &further[from..to]
}
