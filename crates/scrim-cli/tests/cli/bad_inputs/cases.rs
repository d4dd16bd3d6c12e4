//! The bad inputs: what is wrong, how to make it so, and what the message must name.

use std::fs;

use crate::folder::{FIGURE_7, Folder};
use crate::formats::gzip;
use crate::spoil::Spoil::{self, By, Remove, Replace, Write};

const DATA: &str = "data.csv";
const ZIP: &str = "zip.csv";
const POLICY: &str = "policy.toml";
const HEADER: &str = "Race,BirthDate,Gender,ZIP,Problem\n";
const GENDER: &str = "Gender = { role = \"quasi\", hierarchy = \"gender.csv\" }\n";
const PROMISE: &str = "[[privacy]]\nmodel = \"k-anonymity\"\nk = 2";
const SEARCH: &str = "\"optimal\"";

pub(super) type Case = (&'static str, Spoil, &'static str);

#[rustfmt::skip] // a table
pub(super) const CASES: [Case; 32] = [
    ("an empty file", Write(DATA, ""), "data.csv"),
    ("a header only", Write(DATA, HEADER), "data.csv"),
    ("a ragged row", Replace(DATA, "black,2/14/1965,male", "black,male"), "data.csv:3"),
    ("a row too long", Replace(DATA, "chest pain", "chest,pain"), "data.csv:3"),
    ("a quote that stays open", Replace(DATA, "fever", "\"fever"), "data.csv:11"),
    ("a name twice", Replace(DATA, "Gender", "Race"), "data.csv:1"),
    ("invalid UTF-8", By(invalid_utf8), "data.csv:14"),
    ("a huge field", By(huge_field), "data.csv:11"),
    ("missing data", Remove(DATA), "data.csv"),
    ("a folder as data", By(folder_as_data), "data.csv"),
    ("a packed file cut short", By(cut_short), "data.csv.gz"),
    ("no Parquet", By(no_parquet), "data.parquet"),
    ("a missing hierarchy", Remove(ZIP), "zip.csv"),
    ("an empty hierarchy", Write(ZIP, ""), "zip.csv"),
    ("a hierarchy with two parents", Replace(ZIP, "02139;0213*;021**", "02139;0213*;022**"), "zip.csv:2"),
    ("a hierarchy with two tops", Replace(ZIP, "02142;0214*;021**;*****", "02142;0215*;022**;#"), "zip.csv"),
    ("a value without a leaf", Replace(ZIP, "02138;", "02130;"), "zip.csv"),
    ("a missing policy", Remove(POLICY), "policy.toml"),
    ("an empty policy", Write(POLICY, ""), "policy.toml"),
    ("no TOML", Replace(POLICY, "k = 2", "k = = 2"), "policy.toml:13"),
    ("a column that the data lack", Replace(POLICY, "Race =", "Rase ="), "policy.toml:5"),
    ("a column that the policy lacks", Replace(POLICY, GENDER, ""), "policy.toml"),
    ("a role that does not exist", Replace(POLICY, "\"sensitive\"", "\"sensitiv\""), "policy.toml:9"),
    ("a model that does not exist", Replace(POLICY, "k-anonymity", "k-anonimity"), "policy.toml:12"),
    ("an algorithm that does not exist", Replace(POLICY, "optimal", "best"), "policy.toml:16"),
    ("no promise", Replace(POLICY, PROMISE, ""), "policy.toml"),
    ("k of 0", Replace(POLICY, "k = 2", "k = 0"), "policy.toml:13"),
    ("k of two and a half", Replace(POLICY, "k = 2", "k = 2.5"), "policy.toml:13"),
    ("a negative weight", Replace(POLICY, SEARCH, "\"optimal\"\nweights = { ZIP = -1 }"), "policy.toml:17"),
    ("suppression of 1.5", Replace(POLICY, SEARCH, "\"optimal\"\nsuppression = 1.5"), "policy.toml:17"),
    ("an unknown key", Replace(POLICY, "format =", "fromat ="), "policy.toml:19"),
    ("a delimiter of two characters", Replace(POLICY, "path =", "delimiter = \"ab\"\npath ="), "policy.toml:2"),
];

fn invalid_utf8(folder: &Folder) {
    let row = b"black,\xff,male,02141,x\n";
    folder.write(DATA, [FIGURE_7.as_bytes(), row].concat());
}

fn huge_field(folder: &Folder) {
    folder.write(DATA, FIGURE_7.replace("fever", &"f".repeat(2 << 20)));
}

fn folder_as_data(folder: &Folder) {
    fs::remove_file(folder.path(DATA)).unwrap();
    fs::create_dir(folder.path(DATA)).unwrap();
}

fn cut_short(folder: &Folder) {
    folder.write("data.csv.gz", &gzip(FIGURE_7.as_bytes())[..200]);
    folder.replace(POLICY, DATA, "data.csv.gz");
}

fn no_parquet(folder: &Folder) {
    folder.write("data.parquet", FIGURE_7);
    folder.replace(POLICY, DATA, "data.parquet");
}
