//! `scrim init` on tables in other dresses than CSV: the same guesses, and a policy that publishes the same.

use std::fs::File;
use std::sync::Arc;

use arrow_array::{ArrayRef, Date32Array, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use serde_json::Value;

use crate::folder::Folder;
use crate::formats::gzip;

const ROWS: i32 = 80;

/// Row by row: name, age, the day of birth since 1970, fever, zip, diagnosis.
fn row(at: i32) -> (String, Option<i64>, i32, f64, String, &'static str) {
    let age = 20 + i64::from(at * 7 % 60);
    (
        format!("Person {at}"),
        (at % 10 != 3).then_some(age),
        365 * (at % 40) + at,
        36.5 + f64::from(at % 30) / 10.0,
        format!("0{}", 4100 + at * 3 % 60),
        ["J45.9", "E11.0", "I21.4", "C50.1", "K35.8"][at as usize % 5],
    )
}

/// A day since 1970 as a date.
fn date(days: i32) -> String {
    let (mut year, mut day) = (1970, days);
    let leap = |year: i32| year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    while day >= 365 + i32::from(leap(year)) {
        day -= 365 + i32::from(leap(year));
        year += 1;
    }
    let february = 28 + i32::from(leap(year));
    let mut month = 0;
    for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if day < days {
            break;
        }
        day -= days;
        month += 1;
    }
    format!("{year}-{:02}-{:02}", month + 1, day + 1)
}

fn text(delimiter: &str) -> String {
    let head = ["name", "age", "born", "fever", "zip", "diagnosis"];
    let mut text = head.join(delimiter) + "\n";
    for at in 0..ROWS {
        let (name, age, born, fever, zip, diagnosis) = row(at);
        let age = age.map_or_else(String::new, |age| age.to_string());
        let cells = [
            name,
            age,
            date(born),
            format!("{fever:.1}"),
            zip,
            diagnosis.to_owned(),
        ];
        text.push_str(&(cells.join(delimiter) + "\n"));
    }
    text
}

/// The same with a type a column, as other programs write it.
fn write_typed(folder: &Folder, name: &str) {
    let rows: Vec<_> = (0..ROWS).map(row).collect();
    let columns: [(&str, ArrayRef); 6] = [
        (
            "name",
            Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.0))),
        ),
        (
            "age",
            Arc::new(rows.iter().map(|row| row.1).collect::<Int64Array>()),
        ),
        (
            "born",
            Arc::new(Date32Array::from_iter_values(rows.iter().map(|row| row.2))),
        ),
        (
            "fever",
            Arc::new(Float64Array::from_iter_values(rows.iter().map(|row| row.3))),
        ),
        (
            "zip",
            Arc::new(StringArray::from_iter_values(rows.iter().map(|row| &row.4))),
        ),
        (
            "diagnosis",
            Arc::new(StringArray::from_iter_values(rows.iter().map(|row| row.5))),
        ),
    ];
    let field =
        |(name, array): &(&str, ArrayRef)| Field::new(*name, array.data_type().clone(), true);
    assert_eq!(columns[2].1.data_type(), &DataType::Date32);
    let schema = Arc::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()));
    let arrays = columns.into_iter().map(|(_, array)| array).collect();
    let batch = RecordBatch::try_new(Arc::clone(&schema), arrays).unwrap();
    let file = File::create(folder.path(name)).unwrap();
    let mut writer = ArrowWriter::try_new(file, schema, None).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
}

/// What `init` says of every column, and the release of the policy that it writes.
fn first_try(folder: &Folder, data: &str) -> (Vec<(String, String, String)>, String) {
    let answer = folder
        .scrim(&["init", data, "-o", "first", "--accept-guesses", "--json"])
        .exits(0)
        .json();
    assert_eq!(answer["rows"], ROWS, "{data}");
    let word = |column: &Value, key: &str| column[key].as_str().unwrap().to_owned();
    let columns = answer["columns"].as_array().unwrap().iter().map(|column| {
        (
            word(column, "column"),
            word(column, "kind"),
            word(column, "role"),
        )
    });
    let columns = columns.collect();
    folder.scrim(&["publish", "first/policy.toml"]).exits(0);
    let released = folder.text("first/release/release.csv");
    (columns, released)
}

fn of(data: &str, bytes: impl AsRef<[u8]>) -> (Vec<(String, String, String)>, String) {
    let folder = Folder::empty();
    folder.write(data, bytes);
    first_try(&folder, data)
}

#[test]
fn a_table_is_understood_in_every_dress() {
    let plain = of("table.csv", text(","));
    let roles: Vec<&str> = plain.0.iter().map(|column| column.2.as_str()).collect();
    assert_eq!(
        roles,
        [
            "identifier",
            "quasi",
            "quasi",
            "quasi",
            "quasi",
            "sensitive"
        ]
    );
    assert_eq!(of("table.tsv", text("\t")), plain);
    assert_eq!(of("table.csv", text(";")), plain);
    assert_eq!(of("table.csv.gz", gzip(text(",").as_bytes())), plain);
    assert_eq!(of("table.tsv.gz", gzip(text("\t").as_bytes())), plain);
}

#[test]
fn a_parquet_table_with_types_is_understood_as_its_text_is() {
    let folder = Folder::empty();
    write_typed(&folder, "table.parquet");
    assert_eq!(
        first_try(&folder, "table.parquet"),
        of("table.csv", text(","))
    );
}

#[test]
fn a_table_that_is_no_parquet_is_told_and_nothing_is_written() {
    let folder = Folder::empty();
    folder.write("table.parquet", text(","));
    let run = folder
        .scrim(&["init", "table.parquet", "-o", "first", "--accept-guesses"])
        .exits(2);
    assert!(run.stderr.contains("table.parquet"), "{}", run.stderr);
    assert!(!folder.path("first/policy.toml").exists());
}
