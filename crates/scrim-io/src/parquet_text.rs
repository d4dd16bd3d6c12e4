//! The values of a Parquet column as the texts that a CSV would have.
//!
//! **Reading.** Integers are plain. A float is the shortest text that reads back the same, with a point (`5.0`), as
//! Arrow writes it. A decimal has all digits of its scale, a boolean is `true` or `false`, a date `2024-02-29`, a
//! timestamp `2024-02-29T12:00:00`, with a `Z` where the file says that it is in universal time. Bytes that bear no
//! type are text if they are UTF-8.

use std::fmt::Write;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::UInt32Type;
use arrow_array::{Array, ArrayRef, DictionaryArray, StringArray};
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_cast::{CastOptions, cast_with_options};
use arrow_schema::DataType;

use crate::cells::{Coded, ColumnCells, Met};
use crate::intern::Interner;

/// Whether a column of this type has one text a row.
pub(crate) fn is_readable(kind: &DataType) -> bool {
    !(kind.is_nested() || matches!(kind, DataType::FixedSizeBinary(_) | DataType::Interval(_)))
}

/// The texts of an array; the error says what the column does.
pub(crate) fn texts(array: &ArrayRef, null: &str) -> Result<ColumnCells, String> {
    if let DataType::Dictionary(keys, values) = array.data_type()
        && (&**keys, &**values) == (&DataType::UInt32, &DataType::Utf8)
    {
        return Ok(coded(array.as_dictionary(), null));
    }
    met(array, null).map(ColumnCells::Met)
}

/// Texts that are looked up one by one.
fn met(array: &ArrayRef, null: &str) -> Result<Met, String> {
    match array.data_type() {
        DataType::Utf8 => Ok(strings(array.as_string(), null)),
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => {
            let text = cast(array, &DataType::Utf8)
                .map_err(|_| "holds bytes that are not UTF-8 text".to_owned())?;
            Ok(strings(text.as_string(), null))
        }
        DataType::LargeUtf8 | DataType::Utf8View | DataType::Dictionary(..) => {
            let text = cast(array, &DataType::Utf8)
                .map_err(|_| "holds values that are no text".to_owned())?;
            Ok(strings(text.as_string(), null))
        }
        // Arrow knows the names of time zones only with a table of them; the instant is what the file holds.
        DataType::Timestamp(unit, Some(_)) => {
            let universal = DataType::Timestamp(*unit, Some("+00:00".into()));
            formatted(
                &cast(array, &universal).map_err(|_| "holds times out of range".to_owned())?,
                null,
            )
        }
        _ => formatted(array, null),
    }
}

fn cast(array: &ArrayRef, kind: &DataType) -> Result<ArrayRef, arrow_schema::ArrowError> {
    if array.data_type() == kind {
        return Ok(Arc::clone(array));
    }
    cast_with_options(
        array,
        kind,
        &CastOptions {
            safe: false,
            ..CastOptions::default()
        },
    )
}

/// Codes of the file's own dictionary: as they are, where no row is null and a batch is longer than the dictionary.
fn coded(array: &DictionaryArray<UInt32Type>, null: &str) -> ColumnCells {
    let values = array.values().as_string::<i32>();
    let is_plain = array.keys().null_count() == 0 && values.null_count() == 0;
    if is_plain && values.len() <= array.len() {
        return ColumnCells::Coded(Coded {
            texts: values.clone(),
            ids: array.keys().clone(),
        });
    }
    ColumnCells::Met(renumbered(array, values, null))
}

/// The same numbered by first occurrence: values that no row has are not taken over.
fn renumbered(array: &DictionaryArray<UInt32Type>, values: &StringArray, null: &str) -> Met {
    const NEW: u32 = u32::MAX;
    let mut texts = Interner::new();
    // One place more, for what is null.
    let mut id_of = vec![NEW; values.len() + 1];
    let mut ids = Vec::with_capacity(array.len());
    let mut look_up = |value: usize| {
        let value = value.min(values.len());
        let id = &mut id_of[value];
        if *id == NEW {
            let is_null = value == values.len() || values.is_null(value);
            let text = if is_null { null } else { values.value(value) };
            *id = texts.intern(text.as_bytes(), 0..text.len());
        }
        *id
    };
    let key = |key: Option<u32>| key.map_or(usize::MAX, |key| key as usize);
    ids.extend(array.keys().iter().map(|at| look_up(key(at))));
    Met { texts, ids }
}

fn strings(array: &StringArray, null: &str) -> Met {
    let mut part = Met {
        texts: Interner::new(),
        ids: Vec::with_capacity(array.len()),
    };
    let bytes = array.value_data();
    for (row, ends) in array.value_offsets().windows(2).enumerate() {
        let id = match (
            array.is_null(row),
            usize::try_from(ends[0]),
            usize::try_from(ends[1]),
        ) {
            (false, Ok(start), Ok(end)) => part.texts.intern(bytes, start..end),
            _ => part.texts.intern(null.as_bytes(), 0..null.len()),
        };
        part.ids.push(id);
    }
    part
}

fn formatted(array: &ArrayRef, null: &str) -> Result<Met, String> {
    let options = FormatOptions::new().with_display_error(false);
    let formatter = ArrayFormatter::try_new(array.as_ref(), &options)
        .map_err(|_| "holds values that are no text".to_owned())?;
    let mut part = Met {
        texts: Interner::new(),
        ids: Vec::with_capacity(array.len()),
    };
    let mut text = String::new();
    // An array of the type Null has no marks: all its values are null.
    let nulls = array.logical_nulls();
    for row in 0..array.len() {
        text.clear();
        if nulls.as_ref().is_some_and(|nulls| nulls.is_null(row)) {
            text.push_str(null);
        } else {
            write!(text, "{}", formatter.value(row))
                .map_err(|_| "holds values out of range".to_owned())?;
        }
        part.ids
            .push(part.texts.intern(text.as_bytes(), 0..text.len()));
    }
    Ok(part)
}

#[cfg(test)]
mod tests {
    use arrow_array::{
        BinaryArray, BooleanArray, Date32Array, Decimal128Array, Float64Array, Int64Array,
        NullArray, TimestampMicrosecondArray,
    };

    use super::*;

    fn read(array: impl Array + 'static) -> Vec<String> {
        let array: ArrayRef = Arc::new(array);
        match texts(&array, "?").unwrap() {
            ColumnCells::Met(met) => {
                let text = |id: &u32| met.texts.text(*id as usize).to_vec();
                let texts = met.ids.iter().map(text);
                texts.map(|text| String::from_utf8(text).unwrap()).collect()
            }
            ColumnCells::Coded(coded) => {
                let ids = coded.ids.values().iter();
                ids.map(|id| coded.texts.value(*id as usize).to_owned())
                    .collect()
            }
        }
    }

    #[test]
    fn values_read_as_they_would_in_a_csv() {
        assert_eq!(
            read(Int64Array::from(vec![Some(-5), None, Some(i64::MAX)])),
            ["-5", "?", "9223372036854775807"]
        );
        assert_eq!(
            read(Float64Array::from(vec![5.0, 0.1, 1e-7])),
            ["5.0", "0.1", "1e-7"]
        );
        assert_eq!(
            read(BooleanArray::from(vec![true, false])),
            ["true", "false"]
        );
        assert_eq!(
            read(Date32Array::from(vec![0, 19_782])),
            ["1970-01-01", "2024-02-29"]
        );
        let decimals = Decimal128Array::from(vec![150, -5])
            .with_precision_and_scale(10, 2)
            .unwrap();
        assert_eq!(read(decimals), ["1.50", "-0.05"]);
        assert_eq!(
            read(StringArray::from(vec![Some("a"), None, Some("")])),
            ["a", "?", ""]
        );
        assert_eq!(read(NullArray::new(2)), ["?", "?"]);
        let keys: DictionaryArray<UInt32Type> =
            vec![Some("x"), None, Some("x")].into_iter().collect();
        assert_eq!(read(keys), ["x", "?", "x"]);
        let keys: DictionaryArray<UInt32Type> = vec!["x", "y", "x"].into_iter().collect();
        assert_eq!(read(keys), ["x", "y", "x"]);
    }

    #[test]
    fn times_are_iso() {
        let times = TimestampMicrosecondArray::from(vec![1_709_208_000_000_000, 1_500_000]);
        assert_eq!(
            read(times.clone()),
            ["2024-02-29T12:00:00", "1970-01-01T00:00:01.500"]
        );
        for zone in ["UTC", "Europe/Berlin"] {
            assert_eq!(
                read(times.clone().with_timezone(zone))[0],
                "2024-02-29T12:00:00Z"
            );
        }
    }

    #[test]
    fn bytes_are_text_only_if_they_are_utf_8() {
        assert_eq!(read(BinaryArray::from(vec![&b"ab"[..]])), ["ab"]);
        let bytes: ArrayRef = Arc::new(BinaryArray::from(vec![&b"\xff"[..]]));
        assert!(texts(&bytes, "").is_err());
    }
}
