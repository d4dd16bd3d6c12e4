//! A column of the whole table, put together from the pieces in their order.
//!
//! Codes are given by first occurrence in the file, whatever the number of threads: the pieces come in the file's
//! order, and within a piece its own dictionary is in order of occurrence.

use std::sync::Arc;

use arrow_array::StringArray;
use scrim::table::{Code, Codes, Column};

use crate::cells::{Cells, Coded, are_one};
use crate::error::IoError;
use crate::intern::Interner;
use crate::source::Keep;

/// Codes as narrow as the dictionary allows so far.
enum Packed {
    Narrow(Vec<u8>),
    Medium(Vec<u16>),
    Wide(Vec<u32>),
}

/// A column that grows by pieces.
pub(crate) struct Growing {
    name: String,
    /// What stands for a missing value, whether or not it is kept as it is.
    nulls: Vec<String>,
    one_missing: bool,
    texts: Interner,
    /// The code of each text: all spellings of a missing value have one.
    code_of: Vec<Code>,
    /// The text under which each code is published.
    spelled: Vec<usize>,
    missing: Option<Code>,
    /// The first spelling, in the order of the nulls, under which a missing value occurred.
    spelling: Option<usize>,
    codes: Packed,
    /// The dictionary of the last part, where it had one of the file's own.
    dictionary: Option<Known>,
}

/// What the texts of a dictionary mean.
struct Known {
    texts: StringArray,
    codes: Arc<[Code]>,
}

impl Growing {
    pub(crate) fn new(name: &str, keep: Keep, nulls: &[String]) -> Self {
        Self {
            name: name.to_owned(),
            nulls: nulls.to_vec(),
            one_missing: keep == Keep::Value,
            texts: Interner::new(),
            code_of: Vec::new(),
            spelled: Vec::new(),
            missing: None,
            spelling: None,
            codes: Packed::Narrow(Vec::new()),
            dictionary: None,
        }
    }

    /// The code of a text; a new one if it was not seen before.
    fn learn(&mut self, text: &[u8]) -> Code {
        let id = self.texts.intern(text, 0..text.len()) as usize;
        if let Some(code) = self.code_of.get(id) {
            return *code;
        }
        let null = self
            .nulls
            .iter()
            .position(|null| null.as_bytes() == text)
            .filter(|_| self.one_missing);
        let code = if let (Some(_), Some(missing)) = (null, self.missing) {
            missing
        } else {
            self.spelled.push(id);
            self.spelled.len() as Code - 1
        };
        if let Some(null) = null {
            self.missing = Some(code);
            if self.spelling.is_none_or(|former| null < former) {
                self.spelling = Some(null);
                self.spelled[code as usize] = id;
            }
        }
        self.code_of.push(code);
        code
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// How many different values it has so far.
    pub(crate) fn values(&self) -> usize {
        self.spelled.len()
    }

    /// How many different texts it has so far, and their bytes.
    pub(crate) fn texts(&self) -> (usize, usize) {
        (self.texts.len(), self.texts.bytes())
    }

    /// The code of each text of a part; of a text that no row has, any.
    pub(crate) fn meaning(&mut self, part: Cells<'_>) -> Arc<[Code]> {
        match part {
            Cells::Met(met) => (0..met.texts.len())
                .map(|id| self.learn(met.texts.text(id)))
                .collect(),
            Cells::Coded(coded) => self.meaning_of(coded),
        }
    }

    /// The same of a dictionary, which most parts share. Texts that are new are learnt as they come.
    fn meaning_of(&mut self, part: &Coded) -> Arc<[Code]> {
        const NEW: Code = Code::MAX;
        let former = self.dictionary.take();
        let former = former.filter(|former| are_one(&former.texts, &part.texts));
        let mut own = former.unwrap_or_else(|| {
            let code = |text: Option<&str>| {
                let id = self.texts.find(text.unwrap_or_default().as_bytes())?;
                self.code_of.get(id as usize).copied()
            };
            let codes = part.texts.iter().map(|text| code(text).unwrap_or(NEW));
            Known {
                texts: part.texts.clone(),
                codes: codes.collect(),
            }
        });
        let new = own.codes.iter().filter(|code| **code == NEW).count();
        if new > 0 {
            let mut codes = own.codes.to_vec();
            let is_new = part.ids.values().iter().map(|id| *id as usize);
            let mut left = new;
            for id in is_new {
                if codes[id] == NEW {
                    codes[id] = self.learn(part.texts.value(id).as_bytes());
                    left -= 1;
                    if left == 0 {
                        break;
                    }
                }
            }
            own.codes = codes.into();
        }
        let codes = Arc::clone(&own.codes);
        self.dictionary = Some(own);
        codes
    }

    /// Adds the rows of a piece.
    pub(crate) fn absorb(&mut self, part: Cells<'_>) {
        let meaning = self.meaning(part);
        self.widen();
        let codes = part.ids().iter().map(|id| meaning[*id as usize]);
        match &mut self.codes {
            Packed::Narrow(packed) => packed.extend(codes.map(|code| code as u8)),
            Packed::Medium(packed) => packed.extend(codes.map(|code| code as u16)),
            Packed::Wide(packed) => packed.extend(codes),
        }
    }

    /// Makes room for the codes known by now.
    fn widen(&mut self) {
        let values = self.spelled.len();
        if let Packed::Narrow(packed) = &self.codes
            && values > 0x100
        {
            self.codes = Packed::Medium(packed.iter().map(|code| (*code).into()).collect());
        }
        if let Packed::Medium(packed) = &self.codes
            && values > 0x1_0000
        {
            self.codes = Packed::Wide(packed.iter().map(|code| (*code).into()).collect());
        }
    }

    /// The column of all rows that were added.
    pub(crate) fn finish(mut self) -> Result<Column, IoError> {
        let codes = match std::mem::replace(&mut self.codes, Packed::Narrow(Vec::new())) {
            Packed::Narrow(codes) => Codes::U8(codes),
            Packed::Medium(codes) => Codes::U16(codes),
            Packed::Wide(codes) => Codes::U32(codes),
        };
        self.finish_with(codes)
    }

    /// The column of these codes.
    pub(crate) fn finish_with(&self, codes: Codes) -> Result<Column, IoError> {
        let text = |id: &usize| Some(std::str::from_utf8(self.texts.text(*id)).ok()?.into());
        let values: Option<Vec<Box<str>>> = self.spelled.iter().map(text).collect();
        let values = values.ok_or_else(|| IoError::internal("a checked text is not UTF-8"))?;
        Column::from_packed(&self.name, values, self.missing, codes)
            .ok_or_else(|| IoError::internal("a code without a value"))
    }
}

/// How many rows of a column have a text that stands for a missing value.
pub(crate) fn missing_rows(column: &Column, nulls: &[String]) -> u64 {
    let is_null = |text: &str| nulls.iter().any(|null| **null == *text);
    let nulls: Vec<bool> = column.dictionary().texts().map(is_null).collect();
    if !nulls.contains(&true) {
        return 0;
    }
    let counts = column.counts().into_iter().zip(nulls);
    counts
        .filter(|(_, null)| *null)
        .map(|(count, _)| count)
        .sum()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use scrim::table::ColumnBuilder;

    use super::*;
    use crate::cells::Met;

    fn grown(keep: Keep, nulls: &[String], texts: &[String]) -> (Column, u64) {
        let mut growing = Growing::new("a", keep, nulls);
        // Parts of a few rows, so that a part's dictionary is not that of the column.
        for texts in texts.chunks(3) {
            let mut part = Met {
                texts: Interner::new(),
                ids: Vec::new(),
            };
            for text in texts {
                part.ids
                    .push(part.texts.intern(text.as_bytes(), 0..text.len()));
            }
            growing.absorb(Cells::Met(&part));
        }
        let column = growing.finish().unwrap();
        let missing = missing_rows(&column, nulls);
        (column, missing)
    }

    proptest! {
        #[test]
        fn values_are_coded_as_the_library_codes_them(texts in prop::collection::vec("[xyN?]?", 1..40)) {
            let nulls = ["N".to_owned(), String::new(), "?".to_owned()];
            let mut builder = ColumnBuilder::new("a", &nulls);
            for text in &texts {
                builder.push(text);
            }
            let expected = builder.finish();
            let (column, missing) = grown(Keep::Value, &nulls, &texts);
            prop_assert_eq!(missing, expected.missing_rows());
            prop_assert_eq!(column.dictionary().missing(), expected.dictionary().missing());
            prop_assert!(column.dictionary().texts().eq(expected.dictionary().texts()));
            prop_assert!((0..texts.len()).all(|row| column.codes().get(row) == expected.codes().get(row)));
            let (column, kept_apart) = grown(Keep::AsIs, &nulls, &texts);
            prop_assert_eq!(kept_apart, missing);
            prop_assert!((0..texts.len()).all(|row| column.text(row) == texts[row]));
        }
    }

    #[test]
    fn codes_widen_as_values_come() {
        let texts: Vec<String> = (0..70_000).map(|number| number.to_string()).collect();
        let (column, _) = grown(Keep::Value, &[], &texts);
        assert!((0..texts.len()).all(|row| column.text(row) == texts[row]));
    }
}
