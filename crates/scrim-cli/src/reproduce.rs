//! What `reproduce` takes.

use std::path::PathBuf;

use clap::Args;
use scrim_lab::reproduce::Request;

/// What `reproduce` takes.
#[derive(Debug, Args)]
pub(crate) struct Reproduce {
    /// The paper; all that are there when left out
    #[arg(value_parser = ["sweeney02", "sun08", "xiaotao06", "wong09", "zhang07"])]
    pub(crate) key: Option<String>,
    /// The data of the experiments; a made-up table of the same shape when left out
    ///
    /// sun08: the CSV file (or `.zst`) of Adult, with any delimiter, ARX's 30162 rows or UCI's (rows with `?` are left out), or
    /// the folder of it, with `adult_hierarchy_*.csv` beside it where ARX's are not to be used. xiaotao06: a folder with
    /// `gov_census.csv` (or `.zst`) and `hierarchies/marital.csv`, `hierarchies/occupation.csv`, or the CSV file in it.
    /// wong09: the CSV file (or `.zst`) of the diabetes encounters (UCI 296), in the order of time; with a column `release`
    /// from 1 to 10, or cut into ten slices. zhang07: the CSV file (or `.zst`) of Adult, `;`-separated.
    #[arg(long, value_name = "PATH")]
    pub(crate) data: Option<PathBuf>,
    /// Where the tables and pictures of sun08, xiaotao06, wong09 or zhang07 go: a new or empty folder, or that of a former run
    /// [default: reproduce-KEY; for sun08 none are written]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// How many rows the experiments of xiaotao06 take [default: 100000], or each of ten releases of wong09 at most
    /// [default: 2000], or the table of zhang07 that samples are drawn from [default: 5000, or all of the file]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(100..=1_000_000))]
    pub(crate) rows: Option<u64>,
    /// The seed of the sensitive values of sun08 [default: 20080101], of the made-up hospital of wong09 [default: 2009], or of
    /// the samples of zhang07 [default: 2007]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
}

impl Reproduce {
    /// What is asked of the experiments.
    pub(crate) fn request(&self) -> Request<'_> {
        Request {
            key: self.key.as_deref(),
            data: self.data.as_deref(),
            out: self.out.as_deref(),
            rows: self.rows.map(|rows| rows as usize),
            seed: self.seed,
        }
    }
}
