//! Workload files: a header, then a query a line.
//!
//! ```text
//! sensitive_from,sensitive_to,column,from,to
//! flu,,,,
//! gastritis,bronchitis,age,20,29
//! respiratory-infection,,sex,F,
//! *,,age,31,60
//! ```
//!
//! **Reading.** `sensitive_from` alone is a value or a taxon; with `sensitive_to` all leaves from the one to the other in
//! leaf order, both within; `*` is any value. `column` names a quasi-identifier, `from` and `to` its condition in the same
//! way; in a column of numbers they are numbers, or `from` alone is an interval as it is published. Where a value and a
//! taxon have one name, the value is meant. Columns may stand in any order; all but the first may be left out.

use super::{Axes, Axis, Query, Span};
use crate::counted;
use crate::error::{Error, Place};

const HEADER: [&str; 5] = ["sensitive_from", "sensitive_to", "column", "from", "to"];

/// Reads the queries of a workload file; `file` is its name for messages.
pub fn read_queries(axes: &Axes, file: &str, text: &str) -> Result<Vec<Query>, Error> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lines = (1..)
        .zip(text.lines())
        .filter(|(_, line)| !line.trim().is_empty());
    let header = lines.next().unwrap_or((1, ""));
    let reader = Reader::new(file, header)?;
    let queries = lines
        .map(|(number, line)| reader.query(axes, number, line))
        .collect::<Result<Vec<_>, _>>()?;
    if queries.is_empty() {
        return Err(fault(
            file,
            None,
            "there is no query after the header",
            EXAMPLE,
        ));
    }
    Ok(queries)
}

/// The file of these queries, as [`read_queries`] reads it.
pub fn write_queries(axes: &Axes, queries: &[Query]) -> Result<Vec<u8>, Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let failed = |what: String| Error::Internal(format!("the workload cannot be written: {what}"));
    writer
        .write_record(HEADER)
        .map_err(|error| failed(error.to_string()))?;
    for query in queries {
        let (first, last) = axes.sensitive.words(query.sensitive);
        let quasi = query
            .quasi
            .and_then(|(at, span)| Some((axes.quasi.get(at)?, span)));
        let (column, (from, to)) = quasi.map_or_else(Default::default, |(axis, span)| {
            (axis.name().to_owned(), axis.words(span))
        });
        writer
            .write_record([first, last, column, from, to])
            .map_err(|error| failed(error.to_string()))?;
    }
    writer
        .into_inner()
        .map_err(|error| failed(error.to_string()))
}

const EXAMPLE: &str =
    "a workload looks like\n  sensitive_from,sensitive_to,column,from,to\n  flu,,age,20,29";

fn fault(file: &str, line: Option<u64>, what: &str, hint: &str) -> Error {
    Error::Data {
        place: line.map_or_else(|| Place::file(file), |line| Place::line(file, line)),
        what: what.to_owned(),
        hint: Some(hint.to_owned()),
    }
}

struct Reader<'a> {
    file: &'a str,
    delimiter: u8,
    /// Where each column of the header stands.
    places: [Option<usize>; 5],
    width: usize,
}

impl<'a> Reader<'a> {
    fn new(file: &'a str, (line, text): (u64, &str)) -> Result<Self, Error> {
        let delimiter = if text.contains(';') && !text.contains(',') {
            b';'
        } else {
            b','
        };
        let mut reader = Self {
            file,
            delimiter,
            places: [None; 5],
            width: 0,
        };
        let names = reader.fields(line, text)?;
        reader.width = names.len();
        for (at, name) in names.iter().enumerate() {
            let Some(known) = HEADER.iter().position(|known| *known == name.trim()) else {
                let what = format!("`{name}` is no column of a workload");
                return Err(fault(file, Some(line), &what, EXAMPLE));
            };
            if reader.places[known].replace(at).is_some() {
                let what = format!("the header has `{name}` twice");
                return Err(fault(file, Some(line), &what, EXAMPLE));
            }
        }
        if reader.places[0].is_none() {
            return Err(fault(
                file,
                Some(line),
                "the header lacks `sensitive_from`",
                EXAMPLE,
            ));
        }
        Ok(reader)
    }

    /// The fields of one line. A reader a line, so that line numbers are those of the file.
    fn fields(&self, line: u64, text: &str) -> Result<Vec<String>, Error> {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .delimiter(self.delimiter)
            .buffer_capacity(text.len() + 1)
            .from_reader(text.as_bytes());
        let record = reader.records().next().transpose();
        let record = record.map_err(|error| {
            fault(
                self.file,
                Some(line),
                &format!("unreadable: {error}"),
                EXAMPLE,
            )
        })?;
        let fields = record.iter().flat_map(csv::StringRecord::iter);
        Ok(fields.map(str::to_owned).collect())
    }

    fn query(&self, axes: &Axes, line: u64, text: &str) -> Result<Query, Error> {
        let fields = self.fields(line, text)?;
        if fields.len() != self.width {
            let what = format!(
                "this line has {}, but the header has {}",
                counted(fields.len(), "field"),
                self.width
            );
            let hint = "is a field with a comma not in quotes?";
            return Err(fault(self.file, Some(line), &what, hint));
        }
        let field = |at: usize| {
            let place = self.places[at].and_then(|place| fields.get(place));
            place.map_or("", String::as_str)
        };
        let sensitive = self.condition(line, &axes.sensitive, [0, 1], [field(0), field(1)])?;
        let ends = [field(3), field(4)];
        if field(2).is_empty() {
            if ends != [""; 2] {
                let what = "a condition is there, but `column` is empty";
                let hint = "name the quasi-identifier that it is about";
                return Err(fault(self.file, Some(line), what, hint));
            }
            return Ok(Query {
                sensitive,
                quasi: None,
            });
        }
        let known = axes.quasi.iter().position(|axis| axis.name() == field(2));
        let Some(at) = known else {
            let names: Vec<String> = axes
                .quasi
                .iter()
                .map(|axis| format!("`{}`", axis.name()))
                .collect();
            let what = format!("`column` is `{}`, which is no quasi-identifier", field(2));
            let hint = format!("the policy has {}", names.join(", "));
            return Err(fault(self.file, Some(line), &what, &hint));
        };
        let condition = self.condition(line, &axes.quasi[at], [3, 4], ends)?;
        Ok(Query {
            sensitive,
            quasi: Some((at, condition)),
        })
    }

    /// The texts are the user's own; what the column holds is not shown.
    fn condition(
        &self,
        line: u64,
        axis: &Axis,
        columns: [usize; 2],
        [from, to]: [&str; 2],
    ) -> Result<Span, Error> {
        let [first, last] = columns.map(|at| HEADER[at]);
        if from.is_empty() {
            let what = format!("`{first}` is empty");
            return Err(fault(
                self.file,
                Some(line),
                &what,
                "for any value write `*`",
            ));
        }
        if let Some(span) = axis.asked(from, to) {
            return Ok(span);
        }
        let unknown = [(first, from), (last, to)]
            .into_iter()
            .find(|(_, text)| !text.is_empty() && axis.asked(text, "").is_none());
        let what = match unknown {
            Some((field, text)) => format!(
                "`{field}` is `{text}`, which names nothing in the domain of `{}`",
                axis.name()
            ),
            None => format!(
                "from `{from}` to `{to}` there is nothing in the domain of `{}`",
                axis.name()
            ),
        };
        let hint = axis.expects();
        Err(fault(self.file, Some(line), &what, hint))
    }
}
