//! What the file says about its pages: the least and the greatest text, how many are missing, where each page stands.
//!
//! **Reading.** Texts are ordered by their bytes. A bound of more than 64 bytes is cut, as writers do: the least to
//! what stands before, the greatest to something that stands behind it, both whole characters.

use parquet::basic::{BoundaryOrder, Type};
use parquet::data_type::ByteArray;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnIndexBuilder, LevelHistogram};
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::statistics::{Statistics, ValueStatistics};

const LONGEST: usize = 64;

/// The least and the greatest of some texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Bounds<'a> {
    pub(super) least: &'a str,
    pub(super) greatest: &'a str,
}

impl<'a> Bounds<'a> {
    /// The bounds of these texts, if there is one.
    pub(super) fn of(texts: impl Iterator<Item = &'a str>) -> Option<Self> {
        texts.fold(None, |bounds, text| Some(Self::with(bounds, text)))
    }

    /// The bounds of one text more.
    pub(super) fn with(bounds: Option<Self>, text: &'a str) -> Self {
        bounds.map_or(
            Self {
                least: text,
                greatest: text,
            },
            |bounds| Self {
                least: bounds.least.min(text),
                greatest: bounds.greatest.max(text),
            },
        )
    }
}

/// The bounds of the pages of a column chunk.
pub(super) struct PageBounds<'a> {
    index: ColumnIndexBuilder,
    all: Option<Bounds<'a>>,
    last: Option<Bounds<'a>>,
    ascending: bool,
    descending: bool,
    rows: usize,
    nulls: usize,
}

impl<'a> PageBounds<'a> {
    pub(super) fn new() -> Self {
        Self {
            index: ColumnIndexBuilder::new(Type::BYTE_ARRAY),
            all: None,
            last: None,
            ascending: true,
            descending: true,
            rows: 0,
            nulls: 0,
        }
    }

    /// A page of so many rows, nulls among them; it has no bounds where it has nothing but nulls.
    pub(super) fn add(&mut self, rows: usize, nulls: usize, bounds: Option<Bounds<'a>>) {
        let (mut least, mut greatest) = (Vec::new(), Vec::new());
        if let Some(bounds) = bounds {
            let before = self.last.replace(bounds).unwrap_or(bounds);
            self.ascending &= before.least <= bounds.least && before.greatest <= bounds.greatest;
            self.descending &= before.least >= bounds.least && before.greatest >= bounds.greatest;
            let all = Bounds::with(self.all, bounds.least);
            self.all = Some(Bounds::with(Some(all), bounds.greatest));
            least = below(bounds.least).to_owned().into_bytes();
            greatest = above(bounds.greatest)
                .unwrap_or_else(|| bounds.greatest.to_owned())
                .into_bytes();
        }
        let none = bounds.is_none();
        self.index.append(none, least, greatest, long(nulls), None);
        self.index
            .append_histograms(&None, &Some(histogram(rows, nulls)));
        self.rows += rows;
        self.nulls += nulls;
    }

    /// How many rows all pages have.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// How many rows have a text, and how many have none.
    pub(super) fn histogram(&self) -> LevelHistogram {
        histogram(self.rows, self.nulls)
    }

    /// The bounds of all pages together.
    pub(super) fn statistics(&self) -> Statistics {
        let nulls = Some(self.nulls as u64);
        let Some(Bounds { least, greatest }) = self.all else {
            return ValueStatistics::<ByteArray>::new(None, None, None, nulls, false).into();
        };
        let (low, high) = (below(least), above(greatest));
        let exact = (low.len() == least.len(), high.is_none());
        let high = high.map_or_else(
            || ByteArray::from(greatest),
            |high| ByteArray::from(high.into_bytes()),
        );
        ValueStatistics::new(Some(ByteArray::from(low)), Some(high), None, nulls, false)
            .with_min_is_exact(exact.0)
            .with_max_is_exact(exact.1)
            .into()
    }

    /// The bounds page by page.
    pub(super) fn index(mut self) -> Result<ColumnIndexMetaData, ParquetError> {
        self.index
            .set_boundary_order(match (self.ascending, self.descending) {
                (true, _) => BoundaryOrder::ASCENDING,
                (false, true) => BoundaryOrder::DESCENDING,
                (false, false) => BoundaryOrder::UNORDERED,
            });
        self.index.build()
    }
}

/// A size as the format has it.
pub(super) fn long(size: usize) -> i64 {
    i64::try_from(size).unwrap_or(i64::MAX)
}

fn histogram(rows: usize, nulls: usize) -> LevelHistogram {
    vec![long(nulls), long(rows - nulls)].into()
}

/// The text, or its beginning where it is long.
fn below(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST)]
}

/// A short text behind a long one, if there is one: its beginning with a later last character, as wide as before.
fn above(text: &str) -> Option<String> {
    if text.len() <= LONGEST {
        return None;
    }
    let beginning = below(text);
    beginning.char_indices().rev().find_map(|(at, last)| {
        let next = char::from_u32(u32::from(last) + 1)?;
        (next.len_utf8() == last.len_utf8()).then(|| format!("{}{next}", &text[..at]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_bounds_are_cut_to_whole_characters_on_either_side() {
        let short = "é".repeat(32);
        assert_eq!((below(&short), above(&short)), (&*short, None));
        let long = format!("a{short}");
        assert_eq!(below(&long), &long[..63]);
        assert_eq!(above(&long), Some(format!("a{}ê", "é".repeat(30))));
        // No character of one byte comes after DEL, so the one before it is raised.
        let delete = format!("a{}", "\u{7f}".repeat(70));
        assert_eq!(above(&delete), Some("b".to_owned()));
        assert_eq!(above(&"\u{7f}".repeat(70)), None);
    }
}
