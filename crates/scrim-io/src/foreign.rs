//! Files that are no delimited text, by their first bytes: what they are and how they become one.

use scrim::Place;

use crate::error::IoError;

const EXCEL: &str = "save the sheet as \"CSV UTF-8\" in the spreadsheet, or convert it: `libreoffice --convert-to csv FILE`";
const PANDAS: &str = "write it as CSV where it was made, or convert it with Python: ";
const OLE: &[u8] = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1";
const SAS: &[u8] = b"\0\0\0\0\0\0\0\0\0\0\0\0\xc2\xea\x81\x60\xb3\x14\x11\xcf\xbd\x92\x08\0";

/// What begins with which bytes, and what to do.
#[rustfmt::skip] // a table
const BEGINNINGS: [(&[u8], &str, &str); 19] = [
    (OLE, "an Excel workbook (.xls) or another file of Microsoft Office", EXCEL),
    (b"$FL2", "an SPSS file (.sav)", "pandas.read_spss(\"FILE\").to_csv(\"NEW.csv\", index=False)"),
    (b"$FL3", "an SPSS file (.zsav)", "pandas.read_spss(\"FILE\").to_csv(\"NEW.csv\", index=False)"),
    (b"<stata_dta>", "a Stata file (.dta)", "pandas.read_stata(\"FILE\").to_csv(\"NEW.csv\", index=False)"),
    (b"\x72\x02\x01\0", "a Stata file (.dta)", "pandas.read_stata(\"FILE\").to_csv(\"NEW.csv\", index=False)"),
    (b"\x73\x02\x01\0", "a Stata file (.dta)", "pandas.read_stata(\"FILE\").to_csv(\"NEW.csv\", index=False)"),
    (SAS, "a SAS file (.sas7bdat)", "pandas.read_sas(\"FILE\", encoding=\"utf-8\").to_csv(\"NEW.csv\", index=False)"),
    (b"HEADER RECORD*******LIB", "a SAS transport file (.xpt)", "pandas.read_sas(\"FILE\", encoding=\"utf-8\").to_csv(\"NEW.csv\", index=False)"),
    (b"FEA1", "a Feather file", "pandas.read_feather(\"FILE\").to_parquet(\"NEW.parquet\")"),
    (b"ARROW1", "an Arrow or Feather file", "pandas.read_feather(\"FILE\").to_parquet(\"NEW.parquet\")"),
    (b"SQLite format 3\0", "an SQLite database", "export the table: `sqlite3 -csv -header FILE \"SELECT * FROM table\" > NEW.csv`"),
    (b"%PDF-", "a PDF document", "ask for the table as CSV: a PDF has the picture of a table, not its cells"),
    (b"PAR1", "a Parquet file", "give it a name that ends in .parquet"),
    (b"ORC", "an ORC file", "pandas.read_orc(\"FILE\").to_parquet(\"NEW.parquet\")"),
    (b"\x89HDF\r\n", "an HDF5 file", "pandas.read_hdf(\"FILE\").to_csv(\"NEW.csv\", index=False)"),
    (b"BZh9", "a file packed with bzip2", "unpack it (`bunzip2 FILE`), or pack it with gzip or zstd"),
    (b"\xfd7zXZ\0", "a file packed with xz", "unpack it (`unxz FILE`), or pack it with gzip or zstd"),
    (b"RDX", "a file of R (.rda)", "write it in R: write.csv(x, \"NEW.csv\", row.names = FALSE)"),
    (b"<?xml", "an XML document", "export the table as CSV where it was made"),
];

/// The error for a file that is no delimited text, where its first bytes say what it is.
pub(crate) fn fault(file: &str, head: &[u8]) -> Option<IoError> {
    let (what, hint) = recognized(head)?;
    let hint = if hint.starts_with("pandas.") {
        format!("{PANDAS}`{hint}`")
    } else {
        hint.to_owned()
    };
    let what = format!("this is {what}, not a table in UTF-8 text");
    Some(IoError::data(Place::file(file), what, Some(&hint)))
}

fn recognized(head: &[u8]) -> Option<(&'static str, &'static str)> {
    const UTF_16: &str =
        "save the file as UTF-8, or convert it: `iconv -f utf-16 -t utf-8 FILE > NEW`";
    const UTF_32: &str =
        "save the file as UTF-8, or convert it: `iconv -f utf-32 -t utf-8 FILE > NEW`";
    let begins = |(mark, ..): &&(&[u8], _, _)| head.starts_with(mark);
    if let Some((_, what, hint)) = BEGINNINGS.iter().find(begins) {
        return Some((what, hint));
    }
    if head.starts_with(b"PK\x03\x04") {
        return Some(zipped(&head[..head.len().min(1 << 16)]));
    }
    if head.starts_with(b"\xff\xfe\0\0") || head.starts_with(b"\0\0\xfe\xff") {
        return Some(("text in UTF-32", UTF_32));
    }
    if head.starts_with(b"\xff\xfe") || head.starts_with(b"\xfe\xff") {
        return Some(("text in UTF-16", UTF_16));
    }
    if let Some(little) = unmarked_utf_16(head) {
        return Some(if little {
            (
                "text in UTF-16",
                "save the file as UTF-8, or convert it: `iconv -f utf-16le -t utf-8 FILE > NEW`",
            )
        } else {
            (
                "text in UTF-16",
                "save the file as UTF-8, or convert it: `iconv -f utf-16be -t utf-8 FILE > NEW`",
            )
        });
    }
    is_json(head).then_some((
        "a JSON document",
        "convert it with Python: `pandas.read_json(\"FILE\").to_csv(\"NEW.csv\", index=False)` (lines=True where each line is an object)",
    ))
}

/// Spreadsheets are ZIP archives too; their parts have names.
fn zipped(head: &[u8]) -> (&'static str, &'static str) {
    let has = |name: &[u8]| head.windows(name.len()).any(|window| window == name);
    if has(b"opendocument.spreadsheet") {
        ("an OpenDocument spreadsheet (.ods)", EXCEL)
    } else if has(b"xl/") || has(b"[Content_Types].xml") {
        ("an Excel workbook (.xlsx)", EXCEL)
    } else {
        ("a ZIP archive", "unpack it, and name the table in it")
    }
}

/// Whether every other byte of the first ones is zero, and then whether the low bytes come first.
fn unmarked_utf_16(head: &[u8]) -> Option<bool> {
    let head = &head[..head.len().min(64) & !1];
    let zeros = |from: usize| {
        head.iter()
            .skip(from)
            .step_by(2)
            .filter(|byte| **byte == 0)
            .count()
    };
    let half = head.len() / 2;
    match (zeros(0), zeros(1)) {
        (0, odd) if half > 1 && odd * 4 >= half * 3 => Some(true),
        (even, 0) if half > 1 && even * 4 >= half * 3 => Some(false),
        _ => None,
    }
}

/// Whether a text begins as an object or a list of things does.
fn is_json(head: &[u8]) -> bool {
    let mut bytes = head.iter().filter(|byte| !byte.is_ascii_whitespace());
    match (bytes.next(), bytes.next()) {
        (Some(b'{'), Some(second)) => matches!(second, b'"' | b'}'),
        (Some(b'['), Some(second)) => matches!(second, b'{' | b'[' | b']'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_in_text_are_none_of_them() {
        for text in [
            "",
            "a",
            "a,b\n1,2\n",
            "{a},b\n",
            "[a],b\n1,2\n",
            "\"{\",b\n",
            "ab\0c\n",
            "é,ü\n",
        ] {
            assert!(recognized(text.as_bytes()).is_none(), "{text:?}");
        }
    }

    #[test]
    fn what_is_no_text_is_named() {
        for (head, what) in [
            (
                &b"PK\x03\x04\x14\0[Content_Types].xml..xl/workbook.xml"[..],
                "Excel workbook (.xlsx)",
            ),
            (b"PK\x03\x04\x14\0data.csv", "ZIP"),
            (b"[{\"a\": 1}]", "JSON"),
            (b" { \"a\": 1}", "JSON"),
            (b"a\0,\0b\0\n\0", "UTF-16"),
            (b"\0a\0,\0b\0\n", "UTF-16"),
            (b"\xff\xfea\0", "UTF-16"),
        ] {
            let error = fault("a.csv", head).unwrap();
            assert!(error.to_string().contains(what), "{error}");
            assert!(error.hint().is_some());
        }
    }
}
