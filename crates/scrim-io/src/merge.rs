//! A column of the whole table, put together from the pieces in their order.
//!
//! Codes are given by first occurrence in the file, whatever the number of threads: the pieces come in the file's
//! order, and within a piece its own dictionary is in order of occurrence.

use scrim::table::{Code, Codes, Column};

use crate::error::IoError;
use crate::intern::Interner;
use crate::piece::PieceColumn;
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

    /// The code of each text of a piece.
    pub(crate) fn meaning(&mut self, part: &PieceColumn) -> Vec<Code> {
        (0..part.texts.len())
            .map(|id| self.learn(part.texts.text(id)))
            .collect()
    }

    /// Adds the rows of a piece.
    pub(crate) fn absorb(&mut self, part: &PieceColumn) {
        let meaning = self.meaning(part);
        self.widen();
        let codes = part.ids.iter().map(|id| meaning[*id as usize]);
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

    fn grown(keep: Keep, nulls: &[String], texts: &[String]) -> (Column, u64) {
        let mut growing = Growing::new("a", keep, nulls);
        // Parts of a few rows, so that a part's dictionary is not that of the column.
        for texts in texts.chunks(3) {
            let mut part = PieceColumn {
                texts: Interner::new(),
                ids: Vec::new(),
            };
            for text in texts {
                part.ids
                    .push(part.texts.intern(text.as_bytes(), 0..text.len()));
            }
            growing.absorb(&part);
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
