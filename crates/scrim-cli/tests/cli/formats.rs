//! The same table in every dress gives the same release.

use crate::folder::{FIGURE_7, Folder, POLICY};

/// The release of Figure 7 as plain CSV.
fn plain() -> String {
    let folder = Folder::figure_7();
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    folder.text("release/release.csv")
}

fn released(name: &str, bytes: impl AsRef<[u8]>) -> String {
    let folder = Folder::figure_7();
    folder.write(name, bytes);
    folder.replace("policy.toml", "\"data.csv\"", &format!("\"{name}\""));
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    folder.text("release/release.csv")
}

#[test]
fn delimiters_line_ends_and_marks_do_not_matter() {
    let expected = plain();
    assert_eq!(released("table.tsv", FIGURE_7.replace(',', "\t")), expected);
    assert_eq!(released("table.csv", FIGURE_7.replace(',', ";")), expected);
    assert_eq!(released("table.csv", FIGURE_7.replace(',', "|")), expected);
    assert_eq!(
        released("table.csv", FIGURE_7.replace('\n', "\r\n")),
        expected
    );
    assert_eq!(
        released("table.csv", format!("\u{feff}{FIGURE_7}")),
        expected
    );
    assert_eq!(released("table.csv", FIGURE_7.trim_end()), expected);
    assert_eq!(
        released("table.csv", FIGURE_7.replace("black", "\"black\"")),
        expected
    );
    assert_eq!(released("tä ble.csv", FIGURE_7), expected);
}

#[test]
fn packed_tables_are_unpacked() {
    let expected = plain();
    assert_eq!(
        released("table.csv.gz", gzip(FIGURE_7.as_bytes())),
        expected
    );
    assert_eq!(
        released("table.csv.zst", zstandard(FIGURE_7.as_bytes())),
        expected
    );
    assert_eq!(
        released("table.tsv.gz", gzip(FIGURE_7.replace(',', "\t").as_bytes())),
        expected
    );
}

#[test]
fn standard_input_is_read() {
    let folder = Folder::figure_7();
    folder.replace("policy.toml", "\"data.csv\"", "\"-\"");
    let answer = folder
        .scrim_with(&["publish", "policy.toml", "--json"], FIGURE_7.as_bytes())
        .exits(0)
        .json();
    assert_eq!(answer["rows"]["read"], 12);
    assert_eq!(folder.text("release/release.csv"), plain());
    let packed = folder.scrim_with(&["publish", "policy.toml"], &gzip(FIGURE_7.as_bytes()));
    packed.exits(0);
    assert_eq!(folder.text("release/release.csv"), plain());
}

#[test]
fn parquet_goes_out_and_in() {
    let folder = Folder::figure_7();
    folder.replace("policy.toml", "format = \"csv\"", "format = \"parquet\"");
    let first = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(first["files"]["release"], "release/release.parquet");
    folder
        .scrim(&["audit", "release/release.parquet", "-p", "policy.toml"])
        .exits(0);
    let measured = folder.scrim(&[
        "measure",
        "data.csv",
        "release/release.parquet",
        "-p",
        "policy.toml",
        "--json",
    ]);
    assert_eq!(measured.exits(0).json()["metrics"], first["metrics"]);
    // Nothing is generalized for k = 1: the release is the table, now as Parquet.
    folder.replace("policy.toml", "k = 2", "k = 1");
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    folder.write("table.parquet", folder.read("release/release.parquet"));
    folder.write("policy.toml", POLICY.replace("data.csv", "table.parquet"));
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    assert_eq!(folder.text("release/release.csv"), plain());
}

/// A gzip file of stored blocks.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let length = u16::try_from(bytes.len()).unwrap();
    let mut packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1];
    packed.extend(length.to_le_bytes());
    packed.extend((!length).to_le_bytes());
    packed.extend(bytes);
    packed.extend(crc32(bytes).to_le_bytes());
    packed.extend(u32::from(length).to_le_bytes());
    packed
}

fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| {
        if crc & 1 == 1 {
            (crc >> 1) ^ 0xedb8_8320
        } else {
            crc >> 1
        }
    };
    !bytes
        .iter()
        .fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}

/// A Zstandard frame of one raw block.
fn zstandard(bytes: &[u8]) -> Vec<u8> {
    let length = u32::try_from(bytes.len()).unwrap();
    // One segment, its length in four bytes.
    let mut packed = vec![0x28, 0xb5, 0x2f, 0xfd, 0b1010_0000];
    packed.extend(length.to_le_bytes());
    packed.extend(&((length << 3) | 1).to_le_bytes()[..3]);
    packed.extend(bytes);
    packed
}
