//! Totals as a file: a CSV table with the columns `column`, `value` and `count`.

use csv::{Position, StringRecord};

use crate::error::{Error, Place};

/// More people than a table can be about; so much that no sum of totals overflows.
const MOST: u64 = 1_000_000_000_000;

/// How often a value occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Total {
    /// The value.
    pub value: String,
    /// How often it occurs.
    pub count: u64,
    /// Where the file says so.
    pub line: u64,
}

/// What is known from elsewhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Totals {
    file: String,
    /// By column, in the order of the file.
    pub columns: Vec<(String, Vec<Total>)>,
}

impl Totals {
    /// Reads a file.
    pub fn parse(file: &str, text: &str) -> Result<Self, Error> {
        let mut totals = Self {
            file: file.to_owned(),
            columns: Vec::new(),
        };
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .from_reader(text.trim_start_matches('\u{feff}').as_bytes());
        let mut places: Option<[usize; 3]> = None;
        for record in reader.records() {
            let record = record.map_err(|error| {
                let line = error.position().map_or(1, Position::line);
                totals.fault(line, "this is no CSV".to_owned())
            })?;
            let line = record.position().map_or(1, Position::line);
            match places {
                None => places = Some(totals.heading(&record, line)?),
                Some(places) => totals.add(&record, line, places)?,
            }
        }
        if totals.columns.is_empty() {
            return Err(totals.fault(1, "there is no total".to_owned()));
        }
        Ok(totals)
    }

    /// The file's name.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// A fault of a line; it never tells the value.
    pub fn fault(&self, line: u64, what: String) -> Error {
        let hint = "a line for each value, such as\n  column,value,count\n  sex,female,120";
        Error::Data {
            place: Place::line(&self.file, line),
            what,
            hint: Some(hint.to_owned()),
        }
    }

    fn heading(&self, record: &StringRecord, line: u64) -> Result<[usize; 3], Error> {
        let place = |name: &str| {
            let found = record.iter().position(|field| field.trim() == name);
            found.ok_or_else(|| self.fault(line, format!("the heading has no `{name}`")))
        };
        Ok([place("column")?, place("value")?, place("count")?])
    }

    fn add(
        &mut self,
        record: &StringRecord,
        line: u64,
        [column, value, count]: [usize; 3],
    ) -> Result<(), Error> {
        let field = |at: usize| record.get(at).map(str::trim);
        let (Some(name), Some(value), Some(count)) = (field(column), field(value), field(count))
        else {
            let what = format!(
                "there are {} fields, and the heading has more",
                record.len()
            );
            return Err(self.fault(line, what));
        };
        let count: u64 = count
            .parse()
            .map_err(|_| self.fault(line, "`count` is no whole number".to_owned()))?;
        if count > MOST {
            return Err(self.fault(line, format!("`count` is above {MOST}")));
        }
        let known = self.columns.iter().position(|(known, _)| known == name);
        let at = known.unwrap_or_else(|| {
            self.columns.push((name.to_owned(), Vec::new()));
            self.columns.len() - 1
        });
        let values = &self.columns[at].1;
        if let Some(first) = values.iter().find(|known| known.value == value) {
            let what = format!(
                "this value of `{name}` has a total on line {} already",
                first.line
            );
            return Err(self.fault(line, what));
        }
        self.columns[at].1.push(Total {
            value: value.to_owned(),
            count,
            line,
        });
        Ok(())
    }
}
