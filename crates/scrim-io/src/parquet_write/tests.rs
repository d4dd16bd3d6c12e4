use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray};
use bytes::Bytes;
use memchr::memmem;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Encoding;
use parquet::column::page::Page;
use parquet::file::metadata::{PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::page_index::offset_index::PageLocation;
use parquet::file::reader::{FileReader, SerializedFileReader};
use proptest::prelude::*;
use rayon::ThreadPoolBuilder;
use scrim::table::Codes;

use super::*;
use crate::files::{read_bytes, write_bytes};
use crate::{FileOrder, Keep, OutPart, ReadOptions, Source, read_table};

fn column(labels: &[Option<&str>], codes: &[u8]) -> OutColumn {
    let labels = labels.iter().map(|label| label.map(str::to_owned));
    OutColumn {
        name: "a".to_owned(),
        labels: labels.collect(),
        codes: Codes::U8(codes.to_vec()),
    }
}

fn small() -> OutColumn {
    column(&[Some("x"), None, Some("secret"), Some("y")], &[0, 1, 3, 3])
}

fn sized(columns: &[OutColumn], order: Option<Order<'_>>, sizes: &Sizes) -> Bytes {
    let rows = columns[0].codes.len();
    let mut bytes = Vec::new();
    let groups = Groups::new(columns, rows, order, sizes.group_rows);
    let path = Path::new("a.parquet");
    write(path, &mut bytes, columns, groups, sizes, &mut |_| Ok(())).unwrap();
    bytes.into()
}

/// The texts of each column, as the reader of the Parquet crate has them.
fn texts(bytes: &Bytes) -> Vec<Vec<Option<String>>> {
    let reader = ParquetRecordBatchReaderBuilder::try_new(bytes.clone()).unwrap();
    let mut columns = vec![Vec::new(); reader.schema().fields().len()];
    for batch in reader.with_batch_size(5000).build().unwrap() {
        for (column, array) in columns.iter_mut().zip(batch.unwrap().columns()) {
            column.extend(
                array
                    .as_string::<i32>()
                    .iter()
                    .map(|text| text.map(str::to_owned)),
            );
        }
    }
    columns
}

fn expected(columns: &[OutColumn], rows: &[usize]) -> Vec<Vec<Option<String>>> {
    let text =
        |column: &OutColumn, row: &usize| column.labels[column.codes.get(*row) as usize].clone();
    let column = |column| rows.iter().map(|row| text(column, row)).collect();
    columns.iter().map(column).collect()
}

fn metadata(bytes: &Bytes) -> ParquetMetaData {
    let mut reader = ParquetMetaDataReader::new().with_page_index_policy(PageIndexPolicy::Required);
    reader.try_parse(bytes).unwrap();
    reader.finish().unwrap()
}

/// All pages of a column, unpacked.
fn pages(bytes: &Bytes, column: usize) -> Vec<Page> {
    let reader = SerializedFileReader::new(bytes.clone()).unwrap();
    let group = |group| reader.get_row_group(group).unwrap();
    (0..reader.num_row_groups())
        .flat_map(|at| group(at).get_column_page_reader(column).unwrap())
        .map(Result::unwrap)
        .collect()
}

#[test]
fn the_same_table_gives_the_same_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let paths = [dir.path().join("a.parquet"), dir.path().join("b.parquet")];
    for path in &paths {
        write_parquet(path, &[small()], 4, None, &mut |_| Ok(())).unwrap();
    }
    assert_eq!(
        read_bytes(&paths[0]).unwrap(),
        read_bytes(&paths[1]).unwrap()
    );
}

#[test]
fn a_label_that_no_row_has_is_not_written() {
    // The fourth different row is gone; it alone has the secret.
    let gone = column(&[Some("x"), None, Some("secret"), Some("y")], &[0, 1, 3, 2]);
    let rows = FileOrder::from(vec![0, 1, 2, 2, 3]);
    let order = Order::whole(&rows, &[0, 1, 2, Order::GONE]);
    for (columns, order) in [([small()], None), ([gone], Some(order))] {
        for dictionary_bytes in [1 << 20, 0] {
            let sizes = Sizes {
                dictionary_bytes,
                ..SIZES
            };
            let bytes = sized(&columns, order, &sizes);
            let pages = pages(&bytes, 0);
            let dictionaries = pages.iter().filter(|page| page.is_dictionary_page());
            let counts: Vec<u32> = dictionaries.map(Page::num_values).collect();
            assert_eq!(counts, vec![2; usize::from(dictionary_bytes > 0)]);
            let parts = pages.iter().map(|page| &page.buffer()[..]);
            let mut parts: Vec<&[u8]> = parts.chain([&bytes[..]]).collect();
            assert!(
                parts
                    .iter()
                    .all(|part| memmem::find(part, b"secret").is_none())
            );
            parts.retain(|part| memmem::find(part, b"x").is_some());
            assert!(
                parts.len() > 1,
                "the labels that rows have are looked for as well"
            );
        }
    }
}

#[test]
fn a_full_disk_is_told_with_the_path() {
    let path = Path::new("/dev/full");
    if !files::exists(path) {
        return;
    }
    // More than waits in the buffer, so that writing itself fails and not only its end.
    let noise = |seed: u64| {
        let text =
            (1..40).map(|at| format!("{:x}", (seed * at + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        Some(text.collect::<String>())
    };
    let large = OutColumn {
        name: "a".to_owned(),
        labels: (0..2000).map(noise).collect(),
        codes: Codes::U16((0..2000).collect()),
    };
    for (column, rows) in [(small(), 4), (large, 2000)] {
        let error = write_parquet(path, &[column], rows, None, &mut |_| Ok(())).unwrap_err();
        assert!(error.to_string().starts_with("/dev/full: "), "{error}");
        assert!(error.hint().is_some(), "{error:?}");
    }
}

#[test]
fn an_interruption_stops_the_writing() {
    let sizes = Sizes {
        group_rows: 3,
        ..SIZES
    };
    let columns = [column(&[Some("x")], &[0; 10])];
    let mut heard = Vec::new();
    let stop = &mut |rows| {
        heard.push(rows);
        if rows < 6 {
            Ok(())
        } else {
            Err(scrim::Error::Interrupted)
        }
    };
    let groups = Groups::new(&columns, 10, None, sizes.group_rows);
    let error = write(Path::new("a"), Vec::new(), &columns, groups, &sizes, stop).unwrap_err();
    assert!(matches!(error, IoError::Scrim(scrim::Error::Interrupted)));
    assert_eq!(heard, [3, 6]);
}

#[test]
fn a_table_without_rows_has_its_columns() {
    let bytes = sized(&[column(&[Some("x")], &[])], None, &SIZES);
    assert_eq!(texts(&bytes), [vec![]]);
    assert_eq!(metadata(&bytes).num_row_groups(), 0);
}

#[test]
fn a_page_of_equal_values_is_a_run_and_a_large_dictionary_gives_way() {
    let rows = 150_000;
    let labels = |count: usize| (0..count).map(|at| Some(format!("v{at}"))).collect();
    let of = |count: usize, codes: fn(usize) -> usize| OutColumn {
        name: format!("{count}"),
        labels: labels(count),
        codes: Codes::collect(count, (0..rows).map(|row| codes(row) as u32)),
    };
    let columns = [
        of(1, |_| 0),
        of(2, |row| row / 65_536 % 2),
        of(70_000, |row| row * 7919 % 70_000),
        of(150_000, |row| row),
    ];
    let bytes = sized(&columns, None, &SIZES);
    let all: Vec<usize> = (0..rows).collect();
    assert_eq!(texts(&bytes), expected(&columns, &all));
    for column in [0, 1] {
        let pages = pages(&bytes, column);
        assert!(
            pages[1..].iter().all(|page| page.buffer().len() < 20),
            "{column}"
        );
    }
    let encodings = |column| -> Vec<Encoding> {
        let pages = pages(&bytes, column);
        pages.iter().map(Page::encoding).collect()
    };
    let by_place = Encoding::RLE_DICTIONARY;
    assert_eq!(
        encodings(2),
        [Encoding::PLAIN, by_place, by_place, by_place]
    );
    let plain = pages(&bytes, 3);
    assert!(
        plain
            .iter()
            .all(|page| page.is_data_page() && page.encoding() == Encoding::PLAIN)
    );
    assert!(
        plain
            .iter()
            .all(|page| page.num_values() <= 1 << 16 && page.buffer().len() < (1 << 20) + 64)
    );
}

/// The file as the crate's own writer makes it.
fn oracle(columns: &[OutColumn], page_rows: usize) -> Bytes {
    let paged = properties()
        .into_builder()
        .set_data_page_row_count_limit(page_rows);
    let paged = options().with_properties(paged.set_write_batch_size(page_rows).build());
    let schema = schema(columns.iter().map(|column| column.name.as_str()));
    let array = |column: &OutColumn| -> ArrayRef {
        let label = |row| column.labels[column.codes.get(row) as usize].as_deref();
        let texts: Vec<&str> = (0..column.codes.len())
            .map(|row| label(row).unwrap_or_default())
            .collect();
        let keys: Int32Array = (0..texts.len())
            .map(|row| label(row).and_then(|_| i32::try_from(row).ok()))
            .collect();
        let texts = Arc::new(StringArray::from(texts));
        Arc::new(DictionaryArray::<Int32Type>::try_new(keys, texts).unwrap())
    };
    let batch =
        RecordBatch::try_new(Arc::clone(&schema), columns.iter().map(array).collect()).unwrap();
    let mut writer = ArrowWriter::try_new_with_options(Vec::new(), schema, paged).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap().into()
}

/// Labels of many kinds; some are equal, some are none.
fn labels() -> impl Strategy<Value = Vec<Option<String>>> {
    let text = prop_oneof![
        Just(String::new()),
        "[a-c]{1,2}",
        "\\PC{0,6}",
        "[a\u{7f}é\u{d7ff}\u{10ffff}]{16,70}",
    ];
    let label = move |nulls: f64| prop::option::weighted(1.0 - nulls, text.clone());
    let count = prop::sample::select(vec![1usize, 2, 3, 20, 300]);
    (count, prop::sample::select(vec![0.001, 0.3, 0.999]))
        .prop_flat_map(move |(count, nulls)| prop::collection::vec(label(nulls), count))
}

fn table() -> impl Strategy<Value = Vec<OutColumn>> {
    (1usize..4, 1usize..100).prop_flat_map(|(columns, rows)| {
        let codes = prop::collection::vec(any::<prop::sample::Index>(), rows);
        // Narrow choices make pages of one value.
        let column = (
            labels(),
            codes,
            prop::sample::select(vec![1usize, 2, 500]),
            0u8..3,
        );
        prop::collection::vec(column, columns).prop_map(|columns| {
            let named = columns.into_iter().enumerate();
            let column = named.map(|(at, (labels, codes, most, wide))| {
                let codes = codes
                    .iter()
                    .map(|code| code.index(labels.len().min(most)) as u32);
                let wide = [labels.len(), 0x1_0000, 0x1_0001][usize::from(wide)];
                OutColumn {
                    name: format!("c{at}"),
                    codes: Codes::collect(wide, codes),
                    labels,
                }
            });
            column.collect()
        })
    })
}

fn sizes() -> impl Strategy<Value = Sizes> {
    let group_rows = prop::sample::select(vec![1usize, 7, 16, 50, 1000]);
    let page_rows = prop::sample::select(vec![1usize, 3, 8, 16, 1000]);
    let page_bytes = prop::sample::select(vec![0usize, 30, 1000]);
    let dictionary_bytes = prop::sample::select(vec![0usize, 20, 1 << 20]);
    (group_rows, page_rows, page_bytes, dictionary_bytes).prop_map(
        |(group_rows, page_rows, page_bytes, dictionary_bytes)| Sizes {
            group_rows,
            page_rows,
            page_bytes,
            dictionary_bytes,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn what_is_written_reads_back_with_its_nulls(columns in table(), sizes in sizes()) {
        let bytes = sized(&columns, None, &sizes);
        let rows: Vec<usize> = (0..columns[0].codes.len()).collect();
        let expected = expected(&columns, &rows);
        prop_assert_eq!(&texts(&bytes), &expected);
        let metadata = metadata(&bytes);
        prop_assert_eq!(metadata.num_row_groups(), rows.len().div_ceil(sizes.group_rows));
        prop_assert_eq!(metadata.file_metadata().num_rows(), bounds::long(rows.len()));
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.parquet");
        write_bytes(&path, &bytes).unwrap();
        let keep = &mut |names: &[String]| Ok(vec![Keep::AsIs; names.len()]);
        let read = read_table(&Source::File(path), &ReadOptions::default(), keep, &mut |_, _| Ok(())).unwrap();
        for (column, expected) in read.table.columns().iter().zip(&expected) {
            for (row, text) in expected.iter().enumerate() {
                prop_assert_eq!(column.text(row), text.as_deref().unwrap_or_default());
            }
        }
    }

    #[test]
    fn an_order_and_threads_change_nothing(
        columns in table(), sizes in sizes(), gone: u8,
        order in prop::collection::vec(any::<prop::sample::Index>(), 0..200),
    ) {
        let different = columns[0].codes.len();
        // Different rows stand in the columns backwards, without those that are gone.
        let kept = |row: usize| row % 100 != usize::from(gone);
        let left: Vec<usize> = (0..different).rev().filter(|row| kept(*row)).collect();
        let pick = |column: &OutColumn, rows: &[usize]| OutColumn {
            codes: Codes::U32(rows.iter().map(|row| column.codes.get(*row)).collect()),
            ..column.clone()
        };
        let places: Vec<u32> = (0..different)
            .map(|row| left.iter().position(|left| *left == row).map_or(Order::GONE, |at| at as u32))
            .collect();
        let rows: Vec<u32> = order.iter().map(|row| row.index(different) as u32).collect();
        let held_order = FileOrder::from(rows.clone());
        let by_order = Order::whole(&held_order, &places);
        let file_rows: Vec<usize> = rows.iter().map(|row| *row as usize).filter(|row| kept(*row)).collect();
        let held: Vec<OutColumn> = columns.iter().map(|column| pick(column, &left)).collect();
        let plain: Vec<OutColumn> = columns.iter().map(|column| pick(column, &file_rows)).collect();
        let bytes = sized(&held, Some(by_order), &sizes);
        prop_assert_eq!(&texts(&bytes), &expected(&columns, &file_rows));
        prop_assert_eq!(&bytes, &sized(&plain, None, &sizes));
        for threads in [1, 2] {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            prop_assert_eq!(&bytes, &pool.install(|| sized(&held, Some(by_order), &sizes)));
        }
    }

    #[test]
    fn parts_are_written_one_after_the_other(parts in prop::collection::vec((table(), any::<bool>()), 1..4)) {
        let width = parts.iter().map(|(columns, _)| columns.len()).min().unwrap();
        let orders: Vec<Arc<FileOrder>> = parts
            .iter()
            .map(|(columns, _)| Arc::new(FileOrder::from((0..columns[0].codes.len() as u32).rev().collect::<Vec<u32>>())))
            .collect();
        let mut wanted = vec![Vec::new(); width];
        let mut left: Vec<OutPart> = Vec::new();
        for ((columns, by_order), order) in parts.iter().zip(&orders) {
            let rows = columns[0].codes.len();
            let columns = columns[..width].to_vec();
            // Backwards and without the first row of the file, which is the last one here.
            let file_rows: Vec<usize> = if *by_order { (0..rows.saturating_sub(1)).rev().collect() } else { (0..rows).collect() };
            for (all, own) in wanted.iter_mut().zip(expected(&columns, &file_rows)) {
                all.extend(own);
            }
            let places = (0..rows as u32).collect();
            left.push(OutPart {
                columns,
                rows,
                order: by_order.then_some((Arc::clone(order), (1, rows as u64), places)),
            });
        }
        left.reverse();
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.parquet");
        write_parquet_parts(&path, &mut || Ok(left.pop()), &mut |_| Ok(())).unwrap();
        prop_assert_eq!(texts(&read_bytes(&path).unwrap().into()), wanted);
    }

    #[test]
    fn the_bounds_are_those_of_the_other_writer(
        columns in table(), page_rows in prop::sample::select(vec![2usize, 8, 1000]), plain: bool,
    ) {
        let dictionary_bytes = if plain { 0 } else { 1 << 20 };
        let own = metadata(&sized(&columns, None, &Sizes { page_rows, dictionary_bytes, ..SIZES }));
        let other = metadata(&oracle(&columns, page_rows));
        let (own_file, other_file) = (own.file_metadata(), other.file_metadata());
        prop_assert_eq!(own_file.schema_descr().root_schema(), other_file.schema_descr().root_schema());
        prop_assert_eq!(own_file.created_by(), other_file.created_by());
        prop_assert_eq!(own_file.key_value_metadata(), other_file.key_value_metadata());
        prop_assert_eq!(own_file.column_orders(), other_file.column_orders());
        let (own_index, other_index) = (own.page_index_for_row_group(0), other.page_index_for_row_group(0));
        let chunks = own.row_group(0).columns().iter().zip(other.row_group(0).columns());
        for (at, (own, other)) in chunks.enumerate() {
            prop_assert_eq!(own.statistics(), other.statistics());
            prop_assert_eq!(own.definition_level_histogram(), other.definition_level_histogram());
            prop_assert_eq!(own.compression_codec(), other.compression_codec());
            prop_assert_eq!(own.num_values(), other.num_values());
            prop_assert!(own_index.column_index(at).is_some());
            prop_assert_eq!(own_index.column_index(at), other_index.column_index(at));
            let first_rows = |index: Option<&Vec<PageLocation>>| -> Vec<i64> {
                index.unwrap().iter().map(|page| page.first_row_index).collect()
            };
            let other_rows = first_rows(other_index.page_locations(at));
            prop_assert_eq!(first_rows(own_index.page_locations(at)), other_rows);
        }
    }
}
