//! One column: codes and the dictionary behind them.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::{Code, Codes};

/// The distinct values of a column, in the order in which the file has them first.
#[derive(Clone, Debug, Default)]
pub struct Dictionary {
    values: Vec<Box<str>>,
    missing: Option<Code>,
}

impl Dictionary {
    /// How many distinct values, a missing one included.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The text of a code. A missing value has the spelling under which it is published.
    pub fn text(&self, code: Code) -> &str {
        &self.values[code as usize]
    }

    /// All texts, by code.
    pub fn texts(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.values.iter().map(AsRef::as_ref)
    }

    /// The code that stands for a missing value, if the column has one.
    pub fn missing(&self) -> Option<Code> {
        self.missing
    }

    /// The code that each value has when values are numbered by their texts; of two equal texts the missing value comes first.
    pub fn sorted_codes(&self) -> Vec<Code> {
        let mut order: Vec<Code> = (0..self.values.len() as Code).collect();
        let key = |code: &Code| (&self.values[*code as usize], Some(*code) != self.missing);
        order.sort_unstable_by(|one, other| key(one).cmp(&key(other)));
        let mut code_of = vec![0; order.len()];
        for (new, old) in (0..).zip(order) {
            code_of[old as usize] = new;
        }
        code_of
    }

    /// The same values with these codes, which are all different.
    pub(super) fn sorted(&self, code_of: &[Code]) -> Self {
        let mut values: Vec<Box<str>> = vec![Box::default(); self.values.len()];
        for (value, code) in self.values.iter().zip(code_of) {
            values[*code as usize] = value.clone();
        }
        Self {
            values,
            missing: self.missing.map(|code| code_of[code as usize]),
        }
    }
}

/// A named column.
#[derive(Clone, Debug)]
pub struct Column {
    name: String,
    dictionary: Arc<Dictionary>,
    codes: Codes,
    /// How often each row stands in the file, where it is the column of a counted table.
    times: Option<Arc<Vec<u32>>>,
    /// How many rows of the file have each code, where it holds some of them only.
    margin: Option<Arc<Vec<u64>>>,
}

impl Column {
    /// A column of these texts, none of them missing: for tests and small tables.
    pub fn from_texts<'a>(name: &str, texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut builder = ColumnBuilder::new(name, &[]);
        texts.into_iter().for_each(|text| builder.push(text));
        builder.finish()
    }

    /// A column from codes that are known to lie within the dictionary.
    ///
    /// Returns nothing when one does not.
    pub fn from_codes(
        name: &str,
        values: Vec<Box<str>>,
        missing: Option<Code>,
        codes: impl Iterator<Item = Code>,
    ) -> Option<Self> {
        let mut packed = match values.len() {
            0..=0x100 => Codes::U8(Vec::with_capacity(codes.size_hint().0)),
            0x101..=0x1_0000 => Codes::U16(Vec::with_capacity(codes.size_hint().0)),
            _ => Codes::U32(Vec::with_capacity(codes.size_hint().0)),
        };
        for code in codes {
            if code as usize >= values.len() {
                return None;
            }
            packed.push(code);
        }
        Some(Self {
            name: name.to_owned(),
            dictionary: Arc::new(Dictionary { values, missing }),
            codes: packed,
            times: None,
            margin: None,
        })
    }

    /// The same from codes that are packed already.
    pub fn from_packed(
        name: &str,
        values: Vec<Box<str>>,
        missing: Option<Code>,
        codes: Codes,
    ) -> Option<Self> {
        let empty = Self {
            name: name.to_owned(),
            dictionary: Arc::new(Dictionary { values, missing }),
            codes: Codes::U8(Vec::new()),
            times: None,
            margin: None,
        };
        empty.with_codes(codes)
    }

    /// The column of the same name and values with other codes; nothing when one of them has no value.
    #[must_use]
    pub fn with_codes(&self, codes: Codes) -> Option<Self> {
        let fits = codes
            .largest()
            .is_none_or(|code| (code as usize) < self.dictionary.len());
        fits.then(|| Self {
            name: self.name.clone(),
            dictionary: Arc::clone(&self.dictionary),
            codes,
            times: None,
            margin: None,
        })
    }

    /// The same codes of other texts, of which no two are alike, under another name. A text for which there is none stays.
    pub(super) fn relabelled(&self, text: &dyn Fn(&str) -> Option<String>) -> Self {
        let values = self.dictionary.values.iter();
        let value = |old: &str| text(old).map_or_else(|| old.into(), String::into_boxed_str);
        Self {
            name: text(&self.name).unwrap_or_else(|| self.name.clone()),
            dictionary: Arc::new(Dictionary {
                values: values.map(|old| value(old)).collect(),
                missing: self.dictionary.missing,
            }),
            ..self.clone()
        }
    }

    /// Makes it the column of a counted table.
    pub(super) fn count_by(&mut self, times: &Arc<Vec<u32>>) {
        self.times = Some(Arc::clone(times));
    }

    /// How often each row stands in the file, where it is the column of a counted table.
    pub fn times(&self) -> Option<&[u32]> {
        self.times.as_deref().map(Vec::as_slice)
    }

    /// Makes it the column of some rows of a file in which so many have each code.
    pub(super) fn stand_for(&mut self, margin: Vec<u64>) {
        self.margin = Some(Arc::new(margin));
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its distinct values.
    pub fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }

    /// Its codes by row.
    pub fn codes(&self) -> &Codes {
        &self.codes
    }

    /// The text in a row.
    pub fn text(&self, row: usize) -> &str {
        self.dictionary.text(self.codes.get(row))
    }

    /// The column of these rows, with the same dictionary or one of the values that are left.
    pub(super) fn only(&self, rows: &[u32], whole: bool) -> Self {
        let codes = || rows.iter().map(|row| self.codes.get(*row as usize));
        let mut code_of = vec![None; self.dictionary.len()];
        let mut values: Vec<Box<str>> = Vec::new();
        if whole {
            (0..)
                .zip(&mut code_of)
                .for_each(|(at, code)| *code = Some(at));
            values.clone_from(&self.dictionary.values);
        }
        for code in codes() {
            code_of[code as usize].get_or_insert_with(|| {
                values.push(self.dictionary.values[code as usize].clone());
                values.len() as Code - 1
            });
        }
        let missing = self.dictionary.missing;
        let kept = codes().map(|code| code_of[code as usize].unwrap_or_default());
        Self {
            name: self.name.clone(),
            codes: Codes::collect(values.len(), kept),
            dictionary: Arc::new(Dictionary {
                missing: missing.and_then(|code| code_of[code as usize]),
                values,
            }),
            times: None,
            margin: None,
        }
    }

    /// The same column with its values numbered by their texts; of two equal texts the missing value comes first.
    pub(super) fn canonical(&self) -> Self {
        let code_of = self.dictionary.sorted_codes();
        let renumbered = |code: Code| code_of[code as usize];
        let mut codes = Vec::with_capacity(self.codes.len());
        self.codes.for_each(|_, code| codes.push(renumbered(code)));
        Self {
            name: self.name.clone(),
            codes: Codes::collect(self.dictionary.len(), codes.into_iter()),
            dictionary: Arc::new(self.dictionary.sorted(&code_of)),
            times: self.times.clone(),
            margin: None,
        }
    }

    /// The same values in rows of another order: where each of the new rows stood before.
    pub(super) fn reordered(&self, order: &[u32]) -> Self {
        let codes = order.iter().map(|row| self.codes.get(*row as usize));
        Self {
            name: self.name.clone(),
            codes: Codes::collect(self.dictionary.len(), codes),
            dictionary: Arc::clone(&self.dictionary),
            times: None,
            margin: None,
        }
    }

    /// How many rows have each code.
    pub fn counts(&self) -> Vec<u64> {
        if let Some(margin) = &self.margin {
            return margin.to_vec();
        }
        let mut counts = vec![0; self.dictionary.len()];
        match &self.times {
            None => self.codes.for_each(|_, code| counts[code as usize] += 1),
            Some(times) => self
                .codes
                .for_each(|row, code| counts[code as usize] += u64::from(times[row])),
        }
        counts
    }

    /// How many rows have no value.
    pub fn missing_rows(&self) -> u64 {
        self.dictionary
            .missing()
            .map_or(0, |missing| self.counts()[missing as usize])
    }
}

/// Builds a column value by value.
#[derive(Debug)]
pub struct ColumnBuilder {
    name: String,
    nulls: Vec<String>,
    /// The first spelling, in the policy's order, under which a missing value occurred.
    spelling: Option<usize>,
    missing: Option<Code>,
    values: Vec<Box<str>>,
    known: FxHashMap<Box<str>, Code>,
    codes: Codes,
}

impl ColumnBuilder {
    /// A column in which these texts stand for a missing value.
    pub fn new(name: &str, nulls: &[String]) -> Self {
        Self {
            name: name.to_owned(),
            nulls: nulls.to_vec(),
            spelling: None,
            missing: None,
            values: Vec::new(),
            known: FxHashMap::default(),
            codes: Codes::U8(Vec::new()),
        }
    }

    /// Adds a row.
    pub fn push(&mut self, text: &str) {
        let code = match self.known.get(text) {
            Some(code) => *code,
            None => self.learn(text),
        };
        self.codes.push(code);
    }

    /// Adds a row without a value.
    pub fn push_missing(&mut self) {
        let code = self.missing_code(0);
        self.codes.push(code);
    }

    /// The column of all rows added.
    pub fn finish(mut self) -> Column {
        if let Some(missing) = self.missing {
            let spelling = self
                .spelling
                .and_then(|at| self.nulls.get(at))
                .map_or("", String::as_str);
            self.values[missing as usize] = spelling.into();
        }
        let dictionary = Dictionary {
            values: self.values,
            missing: self.missing,
        };
        Column {
            name: self.name,
            dictionary: Arc::new(dictionary),
            codes: self.codes,
            times: None,
            margin: None,
        }
    }

    fn learn(&mut self, text: &str) -> Code {
        let code = match self.nulls.iter().position(|null| null == text) {
            Some(spelling) => self.missing_code(spelling),
            None => self.add(text),
        };
        self.known.insert(text.into(), code);
        code
    }

    fn missing_code(&mut self, spelling: usize) -> Code {
        self.spelling = Some(
            self.spelling
                .map_or(spelling, |former| former.min(spelling)),
        );
        if let Some(code) = self.missing {
            return code;
        }
        let code = self.add("");
        self.missing = Some(code);
        code
    }

    fn add(&mut self, text: &str) -> Code {
        let code = self.values.len() as Code;
        self.values.push(text.into());
        code
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_widen_as_the_dictionary_grows() {
        let texts: Vec<String> = (0..70_000).map(|number| number.to_string()).collect();
        let narrow = Column::from_texts("a", texts[..256].iter().map(String::as_str));
        let medium = Column::from_texts("a", texts[..257].iter().map(String::as_str));
        let wide = Column::from_texts("a", texts.iter().map(String::as_str));
        assert!(matches!(narrow.codes(), Codes::U8(_)));
        assert!(matches!(medium.codes(), Codes::U16(_)));
        assert!(matches!(wide.codes(), Codes::U32(_)));
        assert_eq!(wide.text(69_999), "69999");
        assert_eq!(wide.text(3), "3");
    }

    #[test]
    fn all_spellings_of_a_missing_value_are_one_value() {
        let mut builder = ColumnBuilder::new("a", &["NA".to_owned(), "?".to_owned()]);
        ["x", "?", "NA", "?", "y"]
            .into_iter()
            .for_each(|text| builder.push(text));
        let column = builder.finish();
        assert_eq!(column.missing_rows(), 3);
        assert_eq!(column.dictionary().len(), 3);
        assert_eq!(column.text(1), "NA");
    }

    #[test]
    fn a_missing_value_keeps_the_spelling_the_file_has() {
        let mut builder = ColumnBuilder::new("a", &[String::new(), "?".to_owned()]);
        ["x", "?"].into_iter().for_each(|text| builder.push(text));
        assert_eq!(builder.finish().text(1), "?");
    }
}
