//! What can be typed about workloads.

use std::path::PathBuf;

use clap::Args;
use scrim::Share;
use scrim::metric::workload::Draw;
use scrim_io::pipeline::{QuerySource, WorkloadRequest};

use crate::outcome::Failure;

/// The options of `measure` about queries.
#[derive(Debug, Args)]
#[command(next_help_heading = "Queries")]
pub(crate) struct WorkloadArguments {
    /// Ask COUNT queries of both tables: `random`, or a file of queries (CSV)
    #[arg(long, value_name = "random|FILE")]
    workload: Option<PathBuf>,
    /// How many random queries [default: 10000]
    #[arg(long, value_name = "N", requires = "workload", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    queries: Option<u64>,
    /// The share of random queries about the sensitive column alone (type 1) [default: 0.5]
    #[arg(long, value_name = "R", requires = "workload", value_parser = share)]
    share: Option<Share>,
    /// The seed of the random queries [default: 1]
    #[arg(long, requires = "workload")]
    seed: Option<u64>,
    /// The least share of the rows that a random query selects [default: 0.01]
    #[arg(long, value_name = "SHARE", requires = "workload", value_parser = share)]
    least: Option<Share>,
    /// The sensitive column, where there are several
    #[arg(long, value_name = "COLUMN", requires = "workload")]
    of: Option<String>,
    /// Write the queries into a new file that `--workload` reads
    #[arg(long, value_name = "FILE", requires = "workload")]
    write_workload: Option<PathBuf>,
}

impl WorkloadArguments {
    /// The workload that is asked for, if one is.
    pub(crate) fn request(&self) -> Result<Option<WorkloadRequest>, Failure> {
        let Some(source) = &self.workload else {
            return Ok(None);
        };
        let queries = if source.as_os_str() == "random" {
            QuerySource::Random(self.draw())
        } else {
            self.refuse_drawing()?;
            QuerySource::File(source.clone())
        };
        Ok(Some(WorkloadRequest {
            of: self.of.clone(),
            queries,
            write: self.write_workload.clone(),
        }))
    }

    fn draw(&self) -> Draw {
        let percent = |number: i128| Share::new(number, 100).unwrap_or(Share::ZERO);
        Draw {
            queries: self.queries.unwrap_or(10_000),
            type1: self.share.unwrap_or(percent(50)),
            least: self.least.unwrap_or(percent(1)),
            seed: self.seed.unwrap_or(1),
        }
    }

    fn refuse_drawing(&self) -> Result<(), Failure> {
        let given = [
            ("--queries", self.queries.is_some()),
            ("--share", self.share.is_some()),
            ("--seed", self.seed.is_some()),
            ("--least", self.least.is_some()),
        ];
        match given.iter().find(|(_, given)| *given) {
            None => Ok(()),
            Some((option, _)) => Err(Failure::new(
                format!("{option} is about random queries, but --workload names a file"),
                Some("for random queries write `--workload random`"),
            )),
        }
    }
}

/// An exact number from 0 to 1.
fn share(text: &str) -> Result<Share, String> {
    let share: Share = text
        .parse()
        .map_err(|error: scrim::NotAShare| error.to_string())?;
    if share < Share::ZERO || share > Share::ONE {
        return Err("it must lie between 0 and 1".to_owned());
    }
    Ok(share)
}
