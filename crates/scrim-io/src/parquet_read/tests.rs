use std::sync::Arc;

use arrow_array::{ArrayRef, Int64Array, ListArray, StringArray, types::Int64Type};
use parquet::arrow::ArrowWriter;
use proptest::prelude::*;
use scrim::table::Codes;

use super::*;
use crate::files::{read_bytes, sha256_file};
use crate::out::OutColumn;
use crate::{FileOrder, Source, write_csv, write_parquet};

fn parquet(columns: Vec<(&str, ArrayRef)>) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let mut bytes = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    bytes
}

fn read(bytes: &[u8], keep: Keep) -> Result<ReadTable, IoError> {
    let plan = &mut |names: &[String]| Ok(vec![keep; names.len()]);
    let options = ReadOptions {
        delimiter: None,
        nulls: vec!["?".to_owned(), "NA".to_owned()],
        ..ReadOptions::default()
    };
    read_table(
        Opened::bytes("t.parquet", bytes),
        &options,
        plan,
        &mut |_, _| Ok(()),
    )
}

#[test]
fn a_null_is_the_first_spelling_of_a_missing_value() {
    let texts: ArrayRef = Arc::new(StringArray::from(vec![Some("x"), None, Some("NA")]));
    let numbers: ArrayRef = Arc::new(Int64Array::from(vec![None, Some(5), Some(5)]));
    let bytes = parquet(vec![("t", texts), ("n", numbers)]);
    let values = read(&bytes, Keep::Value).unwrap();
    let column = values.table.column("t").unwrap();
    assert_eq!(column.dictionary().texts().collect::<Vec<_>>(), ["x", "?"]);
    assert_eq!(values.missing, [("t".to_owned(), 2), ("n".to_owned(), 1)]);
    let kept = read(&bytes, Keep::AsIs).unwrap();
    assert_eq!(
        kept.table
            .column("t")
            .unwrap()
            .dictionary()
            .texts()
            .collect::<Vec<_>>(),
        ["x", "?", "NA"]
    );
    assert_eq!(kept.missing, values.missing);
    assert_eq!(
        (kept.rows, kept.bytes, kept.sha256),
        (3, bytes.len() as u64, crate::sha256(&bytes))
    );
}

#[test]
fn a_nested_column_is_named_unless_it_is_dropped() {
    let list: ArrayRef = Arc::new(ListArray::from_iter_primitive::<Int64Type, _, _>(vec![
        Some(vec![Some(1)]),
    ]));
    let bytes = parquet(vec![
        ("visits", list),
        ("age", Arc::new(Int64Array::from(vec![3]))),
    ]);
    let error = read(&bytes, Keep::Value).unwrap_err();
    assert_eq!(
        error.to_string(),
        "t.parquet: column `visits` holds nested or binary values, not single ones"
    );
    let plan = &mut |_: &[String]| Ok(vec![Keep::Drop, Keep::Value]);
    let opened = Opened::bytes("t.parquet", &bytes);
    let read = read_table(opened, &ReadOptions::default(), plan, &mut |_, _| Ok(())).unwrap();
    assert_eq!((read.header.len(), read.table.columns().len()), (2, 1));
    assert_eq!(read.table.column("age").unwrap().text(0), "3");
}

#[test]
fn what_is_no_table_is_told() {
    assert_eq!(
        read(b"", Keep::Value).unwrap_err().to_string(),
        "t.parquet: the file is empty"
    );
    assert!(
        read(b"PAR1PAR1", Keep::Value)
            .unwrap_err()
            .to_string()
            .starts_with("t.parquet: the Parquet file is damaged")
    );
    let none: ArrayRef = Arc::new(StringArray::from(Vec::<&str>::new()));
    let error = read(&parquet(vec![("a", none)]), Keep::Value).unwrap_err();
    assert_eq!(
        error.to_string(),
        "t.parquet: the file has columns but no row"
    );
}

#[test]
fn a_parquet_file_is_told_by_its_name_or_its_first_bytes() {
    let dir = tempfile::tempdir().unwrap();
    let bytes = parquet(vec![("a", Arc::new(Int64Array::from(vec![3])))]);
    for name in ["a.parquet", "a", "a.data"] {
        let path = dir.path().join(name);
        files::write_bytes(&path, &bytes).unwrap();
        assert_eq!(
            crate::read_header(&Source::File(path), &ReadOptions::default()).unwrap(),
            ["a"]
        );
    }
}

fn out_columns() -> impl Strategy<Value = (Vec<OutColumn>, usize)> {
    (1..4_usize, 1..40_usize).prop_flat_map(|(width, rows)| {
        let labels = prop::collection::vec(prop::option::of("[ab,;\"\n\r \u{feff}ü]{0,6}"), 1..6);
        let codes = prop::collection::vec(any::<prop::sample::Index>(), rows);
        let name = "[ab,;\"\n\r \u{feff}ü|\t]{0,4}";
        prop::collection::vec((name, labels, codes), width).prop_map(move |columns| {
            let columns = columns
                .into_iter()
                .enumerate()
                .map(|(at, (name, labels, codes))| OutColumn {
                    // A number behind it makes each name one of its own.
                    name: format!("{name}{at}"),
                    codes: Codes::U16(
                        codes
                            .iter()
                            .map(|code| code.index(labels.len()) as u16)
                            .collect(),
                    ),
                    labels,
                });
            (columns.collect(), rows)
        })
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_back_the_same((columns, rows) in out_columns()) {
        let dir = tempfile::tempdir().unwrap();
        for name in ["a.csv", "a.parquet"] {
            let path = dir.path().join(name);
            let write = if name == "a.csv" { write_csv } else { write_parquet };
            write(&path, &columns, rows, None, &mut |_| Ok(())).unwrap();
            let keep = &mut |names: &[String]| Ok(vec![Keep::AsIs; names.len()]);
            let options = ReadOptions::default();
            let read = crate::read_table(&Source::File(path.clone()), &options, keep, &mut |_, _| Ok(())).unwrap();
            prop_assert_eq!(&read.sha256, &sha256_file(&path).unwrap());
            prop_assert_eq!(read.bytes as usize, read_bytes(&path).unwrap().len());
            prop_assert_eq!(read.rows as usize, rows);
            for (column, found) in columns.iter().zip(read.table.columns()) {
                prop_assert_eq!(&column.name, found.name());
                for row in 0..rows {
                    let label = column.labels[column.codes.get(row) as usize].as_deref();
                    prop_assert_eq!(label.unwrap_or_default(), found.text(row));
                }
            }
        }
    }

    #[test]
    fn rows_written_by_their_order_are_the_rows_written_one_by_one(
        (columns, rows) in out_columns(), order in prop::collection::vec(any::<prop::sample::Index>(), 1..60), gone: u8,
    ) {
        let dir = tempfile::tempdir().unwrap();
        let order: Vec<u32> = order.iter().map(|at| at.index(rows) as u32).collect();
        let places: Vec<u32> = (0..rows as u32).map(|row| if row as u8 == gone { crate::Order::GONE } else { row }).collect();
        let kept: Vec<u32> = order.iter().copied().filter(|row| *row as u8 != gone).collect();
        let expanded: Vec<OutColumn> = columns
            .iter()
            .map(|column| OutColumn {
                name: column.name.clone(),
                labels: column.labels.clone(),
                codes: Codes::U16(kept.iter().map(|row| column.codes.get(*row as usize) as u16).collect()),
            })
            .collect();
        for write in [write_csv, write_parquet] {
            let (own, other) = (dir.path().join("own"), dir.path().join("other"));
            write(&other, &expanded, kept.len(), None, &mut |_| Ok(())).unwrap();
            for order in [order.clone().into(), FileOrder::spilled(&order)] {
                let by_order = Some(crate::Order::whole(&order, &places));
                write(&own, &columns, rows, by_order, &mut |_| Ok(())).unwrap();
                prop_assert_eq!(read_bytes(&own).unwrap(), read_bytes(&other).unwrap());
            }
        }
    }

    #[test]
    fn no_change_to_a_parquet_file_makes_it_panic(
        (columns, rows) in out_columns(), at: prop::sample::Index, byte: u8, cut in prop::bool::weighted(0.1),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a.parquet");
        write_parquet(&path, &columns, rows, None, &mut |_| Ok(())).unwrap();
        let mut bytes = read_bytes(&path).unwrap();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        if cut {
            bytes.truncate(at);
        }
        drop(read(&bytes, Keep::Value));
        // The same from a file, which is not held.
        crate::files::write_bytes(&path, &bytes).unwrap();
        let plan = &mut |names: &[String]| Ok(vec![Keep::Value; names.len()]);
        let source = Source::File(path);
        drop(crate::read_table(&source, &ReadOptions::default(), plan, &mut |_, _| Ok(())));
    }
}

#[test]
fn a_panic_that_becomes_an_error_is_not_printed() {
    const ALONE: &str = "SCRIM_TEST_ALONE";
    static HEARD: AtomicUsize = AtomicUsize::new(0);
    // The hook belongs to the whole process, and other tests change it too: a process of its own.
    if std::env::var_os(ALONE).is_none() {
        let own = std::env::current_exe().unwrap();
        let name = "parquet_read::tests::a_panic_that_becomes_an_error_is_not_printed";
        let mut run = std::process::Command::new(own);
        let run = run.args(["--exact", name]).env(ALONE, "1");
        let out = run.output().unwrap();
        let said = String::from_utf8_lossy(&out.stdout);
        assert!(out.status.success() && said.contains("1 passed"), "{said}");
        return;
    }
    let before = take_hook();
    set_hook(Box::new(|panic| {
        let noise = panic.payload().downcast_ref::<&str>() == Some(&"noise of a test");
        HEARD.fetch_add(usize::from(noise), Ordering::SeqCst);
    }));
    silence_guarded_panics();
    let worked: Result<(), IoError> = guarded(Path::new("x.parquet"), || {
        std::panic::panic_any("noise of a test");
    });
    let heard = HEARD.load(Ordering::SeqCst);
    let _ = catch_unwind(|| std::panic::panic_any("noise of a test"));
    let after = HEARD.load(Ordering::SeqCst);
    set_hook(before);
    assert!(worked.unwrap_err().to_string().contains("x.parquet"));
    assert_eq!((heard, after), (0, 1));
}
