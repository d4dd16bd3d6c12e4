//! Reads and writes the tables that Scrim publishes: CSV, TSV and Parquet, packed or not.
//!
//! [`read_table`] makes a [`scrim::table::Table`] of a source in one pass; [`write_csv`] and [`write_parquet`] write
//! columns of codes and labels; [`Staging`] lets files appear whole and together, or not at all; [`ledger`] remembers
//! what was published about whom. Errors name file and line, and never what a cell holds.

#![allow(
    clippy::result_large_err,
    reason = "an error ends the work: its size costs nothing"
)]

mod cells;
mod csv_header;
mod csv_read;
mod csv_write;
mod cut;
mod decode;
mod digest;
mod error;
mod feed;
mod field;
pub mod files;
mod foreign;
mod gather;
mod ground_file;
mod intern;
mod known;
pub mod ledger;
mod lines;
mod marks;
mod memory;
mod merge;
mod order;
mod out;
mod out_lines;
mod page;
mod parquet_file;
mod parquet_pages;
mod parquet_pieces;
mod parquet_read;
mod parquet_text;
mod parquet_write;
mod pending;
mod piece;
pub mod pipeline;
mod plain;
mod sections;
mod sniff;
mod source;
mod staging;
mod utf8;

pub use csv_write::{write_csv, write_csv_parts};
pub use digest::sha256;
pub use error::IoError;
pub use lines::RowLines;
pub use memory::Memory;
pub use order::{FileOrder, OrderReader};
pub use out::{Order, OutColumn, OutPart, OutParts, PartOrder, RowProgress};
pub use page::Readers;
pub use parquet_pieces::ParquetPieces;
pub use parquet_read::silence_guarded_panics;
pub(crate) use parquet_write::ROW_GROUP;
pub use parquet_write::{write_parquet, write_parquet_parts};
pub use sections::Sections;
pub use source::{Keep, Plan, Progress, ReadOptions, ReadTable, Source, read_header, read_table};
pub use staging::{Committed, FolderLock, Staging, WAIT, Waiting};
