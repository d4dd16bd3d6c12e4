//! A release that memory does not hold, checked part by part.
//!
//! **Reading.** All rows of a class are in one part, whose columns know how often each value stands in the whole release
//! ([`Table::with_margins`]). Only counted releases come in parts: promises about persons, wishes or the past need every row.
//! **Holds because** each promise is about its worst class, by a measure of its own ([`promises::worst`]): the worst of all is among the
//! worst of the parts. So these alone are put together and checked as any other table; rows and classes are counted part by part.
//! **Oracle.** [`audit_with`](super::audit_with) of the whole table, in the tests.

use super::promises;
use super::{Audit, Known, Published, Totals, check, classes};
use crate::error::Error;
use crate::release::policy::Policy;
use crate::table::{Code, Codes, Column, Table};

/// The certifier of a release in parts.
#[derive(Debug)]
pub struct AuditInParts<'a> {
    policy: &'a Policy,
    file: &'a str,
    known: &'a Known<'a>,
    totals: Totals,
    worst: Vec<Row>,
    /// A part without its rows.
    columns: Vec<Column>,
    margins: Vec<Vec<u64>>,
}

/// A row of a class that is the worst of its part.
#[derive(Debug)]
struct Row {
    first: u64,
    times: u32,
    codes: Vec<Code>,
}

impl<'a> AuditInParts<'a> {
    /// No part yet.
    pub fn new(policy: &'a Policy, file: &'a str, known: &'a Known<'a>) -> Result<Self, Error> {
        policy.must_promise()?;
        if policy.column_promises().next().is_some() {
            let what = "classes of some of the quasi-identifiers lie in several parts of a release";
            return Err(Error::Internal(what.to_owned()));
        }
        Ok(Self {
            policy,
            file,
            known,
            totals: Totals::default(),
            worst: Vec::new(),
            columns: Vec::new(),
            margins: Vec::new(),
        })
    }

    /// Counts a part, and keeps its worst classes.
    pub fn add(&mut self, part: &Table) -> Result<(), Error> {
        if part.rows() == 0 {
            return Ok(());
        }
        let published = self.published(part)?;
        self.totals.add(&Totals::of(part, &published.classes));
        if self.columns.is_empty() {
            let without = |column: &Column| column.with_codes(Codes::U8(Vec::new()));
            self.columns = part.columns().iter().filter_map(without).collect();
            self.margins = part.columns().iter().map(Column::counts).collect();
        }
        let is_first = self.worst.is_empty();
        self.keep_worst(&published)?;
        if !is_first {
            // The worst of the worst are all that is needed of both.
            self.worst.sort_unstable_by_key(|row| row.first);
            let both = self.table().ok_or_else(unlike)?;
            self.worst.clear();
            let published = self.published(&both)?;
            self.keep_worst(&published)?;
        }
        Ok(())
    }

    fn published<'t>(&self, table: &'t Table) -> Result<Published<'t>, Error>
    where
        'a: 't,
    {
        Ok(Published {
            policy: self.policy,
            table,
            classes: classes(self.policy, table, self.file)?,
            persons: None,
            trees: self.known.trees,
            wishes: &[],
            history: None,
            file: self.file,
        })
    }

    /// Keeps the rows of the classes that are the worst of some.
    fn keep_worst(&mut self, published: &Published<'_>) -> Result<(), Error> {
        let part = published.table;
        let mut is_kept = vec![false; published.classes.count()];
        for model in &self.policy.privacy {
            for class in promises::worst(published, &model.spec)? {
                is_kept[class] = true;
            }
        }
        // No promise speaks of withheld rows, but they are there.
        if !is_kept.contains(&true) {
            is_kept[0] = true;
        }
        for (row, class) in published.classes.class_of_row().iter().enumerate() {
            if is_kept[*class as usize] {
                let columns = part.columns().iter();
                self.worst.push(Row {
                    first: part.first(row),
                    times: part.times(row) as u32,
                    codes: columns.map(|column| column.codes().get(row)).collect(),
                });
            }
        }
        Ok(())
    }

    /// What was found in all parts. `again` visits them once more, where a class has to be told by its number.
    pub fn finish<E: From<Error>>(
        mut self,
        again: impl FnOnce(&mut dyn FnMut(&Table) -> Result<(), Error>) -> Result<(), E>,
    ) -> Result<Audit, E> {
        self.worst.sort_unstable_by_key(|row| row.first);
        let (policy, file) = (self.policy, self.file);
        let of = self.totals.sizes.count;
        let table = self.table().ok_or_else(unlike)?;
        let (known, totals) = (self.known, self.totals);
        let mut audit = check(policy, &table, file, known, &policy.privacy, Some(totals))?;
        if audit.models.iter().all(|model| model.witness.is_none()) {
            return Ok(audit);
        }
        // Where each class of the few begins in the file, and how many classes begin before it.
        let few = classes(policy, &table, file)?;
        let begins = (0..few.count()).map(|class| table.first(few.first_row(class)));
        let begins: Vec<u64> = begins.collect();
        let mut before = vec![0u64; begins.len()];
        again(&mut |part| {
            let own = classes(policy, part, file)?;
            for class in 0..own.count() {
                let first = part.first(own.first_row(class));
                let later = begins.partition_point(|begins| *begins <= first);
                before[later..].iter_mut().for_each(|before| *before += 1);
            }
            Ok(())
        })?;
        let witnesses = audit.models.iter_mut();
        for witness in witnesses.filter_map(|model| model.witness.as_mut()) {
            let number = before.get(witness.class as usize - 1);
            witness.class = number.map_or(0, |before| before + 1);
            witness.of = of;
        }
        Ok(audit)
    }

    /// The worst classes of all parts, among as many values as all have.
    fn table(&self) -> Option<Table> {
        let column = |(at, column): (usize, &Column)| {
            let codes = self.worst.iter().map(|row| row.codes[at]);
            column.with_codes(Codes::collect(column.dictionary().len(), codes))
        };
        let columns: Option<Vec<Column>> = self.columns.iter().enumerate().map(column).collect();
        let times = self.worst.iter().map(|row| row.times).collect();
        let first = self.worst.iter().map(|row| row.first).collect();
        Table::counted(columns?, times, first)?.with_margins(&self.margins)
    }
}

fn unlike() -> Error {
    Error::Internal("parts of a release that are not alike".to_owned())
}
