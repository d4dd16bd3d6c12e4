//! A table of the policy file, read key by key, with every fault told by its line and column.

use std::cell::RefCell;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::error::{Error, Place};
use crate::share::Share;

/// The file that is read.
#[derive(Clone, Copy, Debug)]
pub(super) struct File<'a> {
    pub(super) name: &'a str,
    pub(super) text: &'a str,
}

impl File<'_> {
    pub(super) fn place(self, offset: usize) -> Place {
        Place::offset(self.name, self.text, offset)
    }

    pub(super) fn fault(self, offset: usize, what: impl Into<String>, hint: Option<&str>) -> Error {
        Error::Policy {
            place: self.place(offset),
            what: what.into(),
            hint: hint.map(str::to_owned),
        }
    }
}

pub(super) type Value<'a> = Spanned<DeValue<'a>>;

/// One table of the file and the keys that were asked for.
#[derive(Debug)]
pub(super) struct Section<'a> {
    pub(super) file: File<'a>,
    /// How it is called in messages, such as `[search]`.
    pub(super) title: String,
    pub(super) offset: usize,
    table: &'a DeTable<'a>,
    asked: RefCell<Vec<&'static str>>,
}

impl<'a> Section<'a> {
    pub(super) fn new(
        file: File<'a>,
        title: impl Into<String>,
        offset: usize,
        table: &'a DeTable<'a>,
    ) -> Self {
        Self {
            file,
            title: title.into(),
            offset,
            table,
            asked: RefCell::new(Vec::new()),
        }
    }

    /// All keys with their values, in the order of the file.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'a str, &'a Value<'a>)> + use<'a> {
        self.table
            .iter()
            .map(|(key, value)| (key.get_ref().as_ref(), value))
    }

    fn get(&self, key: &'static str) -> Option<&'a Value<'a>> {
        self.asked.borrow_mut().push(key);
        self.table.get(key)
    }

    fn wrong(&self, key: &str, value: &Value<'_>, expected: &str) -> Error {
        let what = format!(
            "`{key}` in {} must be {expected}, but it is {}",
            self.title,
            kind(value.get_ref())
        );
        self.file.fault(value.span().start, what, None)
    }

    pub(super) fn string(&self, key: &'static str) -> Result<Option<(&'a str, usize)>, Error> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        let text = value
            .get_ref()
            .as_str()
            .ok_or_else(|| self.wrong(key, value, "a text in quotes"))?;
        Ok(Some((text, value.span().start)))
    }

    /// One of several words.
    pub(super) fn choice<T: Copy>(
        &self,
        key: &'static str,
        choices: &[(&str, T)],
    ) -> Result<Option<T>, Error> {
        let Some((text, offset)) = self.string(key)? else {
            return Ok(None);
        };
        if let Some((_, choice)) = choices.iter().find(|(word, _)| *word == text) {
            return Ok(Some(*choice));
        }
        let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
        Err(self.unknown(offset, &format!("`{key}`"), text, &words))
    }

    /// The fault of a word that is none of the known ones, with the nearest of them.
    pub(super) fn unknown(&self, offset: usize, what: &str, found: &str, known: &[&str]) -> Error {
        let hint = nearest(found, known).map(|near| format!("did you mean `{near}`?"));
        let known: Vec<String> = known.iter().map(|word| format!("`{word}`")).collect();
        self.file.fault(
            offset,
            format!(
                "{what} in {} is none of {}: `{found}`",
                self.title,
                known.join(", ")
            ),
            hint.as_deref(),
        )
    }

    pub(super) fn share(&self, key: &'static str) -> Result<Option<Share>, Error> {
        self.get(key)
            .map(|value| self.share_of(key, value))
            .transpose()
    }

    pub(super) fn share_of(&self, key: &str, value: &Value<'_>) -> Result<Share, Error> {
        let text = match value.get_ref() {
            DeValue::Integer(number) if number.radix() == 10 => number.as_str(),
            DeValue::Float(number) => number.as_str(),
            DeValue::String(text) => text.as_ref(),
            _ => return Err(self.wrong(key, value, "a number")),
        };
        text.replace('_', "").parse().map_err(|_| {
            let what = format!("`{key}` in {} is no exact number: `{text}`", self.title);
            self.file.fault(
                value.span().start,
                what,
                Some("write it like 2, 0.25 or \"7/3\""),
            )
        })
    }

    /// A whole number not below a least one.
    pub(super) fn whole(&self, key: &'static str, least: u64) -> Result<Option<u64>, Error> {
        let Some(share) = self.share(key)? else {
            return Ok(None);
        };
        let whole = (share.denominator() == 1)
            .then(|| u64::try_from(share.numerator()).ok())
            .flatten();
        whole
            .filter(|number| *number >= least)
            .map(Some)
            .ok_or_else(|| {
                let offset = self
                    .table
                    .get(key)
                    .map_or(self.offset, |value| value.span().start);
                self.file.fault(
                    offset,
                    format!(
                        "`{key}` in {} must be a whole number from {least} on, but it is {share}",
                        self.title
                    ),
                    None,
                )
            })
    }

    /// A share within bounds.
    pub(super) fn share_within(
        &self,
        key: &'static str,
        low: Share,
        high: Share,
    ) -> Result<Option<Share>, Error> {
        let Some(share) = self.share(key)? else {
            return Ok(None);
        };
        if (low..=high).contains(&share) {
            return Ok(Some(share));
        }
        let offset = self
            .table
            .get(key)
            .map_or(self.offset, |value| value.span().start);
        Err(self.file.fault(
            offset,
            format!(
                "`{key}` in {} must be from {low} to {high}, but it is {share}",
                self.title
            ),
            None,
        ))
    }

    pub(super) fn flag_or(&self, key: &'static str, default: bool) -> Result<bool, Error> {
        let Some(value) = self.get(key) else {
            return Ok(default);
        };
        value
            .get_ref()
            .as_bool()
            .ok_or_else(|| self.wrong(key, value, "true or false"))
    }

    pub(super) fn list(&self, key: &'static str) -> Result<Option<&'a [Value<'a>]>, Error> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        let items = value
            .get_ref()
            .as_array()
            .ok_or_else(|| self.wrong(key, value, "a list in [ ]"))?;
        Ok(Some(items))
    }

    pub(super) fn strings(&self, key: &'static str) -> Result<Option<Vec<String>>, Error> {
        let Some(items) = self.list(key)? else {
            return Ok(None);
        };
        items
            .iter()
            .map(|item| self.text_of(key, item))
            .collect::<Result<_, _>>()
            .map(Some)
    }

    pub(super) fn text_of(&self, key: &str, item: &Value<'_>) -> Result<String, Error> {
        item.get_ref()
            .as_str()
            .map(str::to_owned)
            .ok_or_else(|| self.wrong(key, item, "a list of texts in quotes"))
    }

    pub(super) fn section(&self, key: &'static str) -> Result<Option<Section<'a>>, Error> {
        let Some(value) = self.get(key) else {
            return Ok(None);
        };
        let table = value
            .get_ref()
            .as_table()
            .ok_or_else(|| self.wrong(key, value, "a table { … }"))?;
        let title = if self.title.is_empty() {
            format!("[{key}]")
        } else {
            format!("{} {key}", self.title)
        };
        Ok(Some(Section::new(
            self.file,
            title,
            value.span().start,
            table,
        )))
    }

    /// A value that may have several shapes.
    pub(super) fn raw(&self, key: &'static str) -> Option<&'a Value<'a>> {
        self.get(key)
    }

    /// Refuses keys that nobody asked for.
    pub(super) fn finish(self) -> Result<(), Error> {
        let asked = self.asked.borrow();
        for (key, _) in self.table {
            let name: &str = key.get_ref();
            if !asked.contains(&name) {
                let title = if self.title.is_empty() {
                    "a policy"
                } else {
                    &self.title
                };
                let known = nearest(name, &asked).map(|near| format!("did you mean `{near}`?"));
                let listed: Vec<String> = asked.iter().map(|key| format!("`{key}`")).collect();
                let hint = known.unwrap_or_else(|| format!("known here: {}", listed.join(", ")));
                return Err(self.file.fault(
                    key.span().start,
                    format!("{title} has no key `{name}`"),
                    Some(&hint),
                ));
            }
        }
        Ok(())
    }

    /// Whether the file gives a key.
    pub(super) fn has(&self, key: &str) -> bool {
        self.table.contains_key(key)
    }

    pub(super) fn missing(&self, key: &str) -> Error {
        // A slip in a required key is told here: the key that stands in its place is unknown.
        let keys: Vec<&str> = self
            .table
            .iter()
            .map(|(key, _)| key.get_ref().as_ref())
            .collect();
        let asked = self.asked.borrow();
        let strangers: Vec<&str> = keys
            .into_iter()
            .filter(|other| !asked.contains(other))
            .collect();
        let hint = nearest(key, &strangers)
            .map(|slip| format!("did you mean `{key}` where it says `{slip}`?"));
        let what = format!("{} lacks `{key}`", self.title);
        self.file.fault(self.offset, what, hint.as_deref())
    }
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// The known word that differs least, if it differs little.
pub(in crate::release) fn nearest<'a>(found: &str, known: &[&'a str]) -> Option<&'a str> {
    let scored = known.iter().map(|word| (edits(found, word), *word));
    scored
        .min()
        .filter(|(edits, word)| *edits <= 2.max(word.len() / 3))
        .map(|(_, word)| word)
}

/// The number of single-character edits between two words.
fn edits(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (at, character) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = at + 1;
        for (column, other) in right.iter().enumerate() {
            let best = (diagonal + usize::from(character != *other))
                .min(row[column] + 1)
                .min(row[column + 1] + 1);
            diagonal = row[column + 1];
            row[column + 1] = best;
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_near_and_another_word_is_not() {
        assert_eq!(
            nearest("k-anonimity", &["k-anonymity", "l-diversity"]),
            Some("k-anonymity")
        );
        assert_eq!(nearest("frobnicate", &["path", "null"]), None);
    }
}
