//! All vectors of taxa at which a block of rows may stand.
//!
//! A block stands at the least common ancestors of its rows, so only vectors count that are the least common ancestors
//! of all rows below them, and that have k rows below.

use super::axis::Axes;
use crate::error::Error;
use crate::{counted, verb};

/// A vector, what a row at it costs, and the rows below it.
#[derive(Clone, Debug)]
pub(super) struct Site {
    pub(super) cost: i64,
    pub(super) rows: Vec<u32>,
}

/// The most pairs of a row and a vector above it that are looked at.
const MOST_PAIRS: usize = 8_000_000;

/// All sites by cost, then rows.
pub(super) fn sites(axes: &Axes, tuple_of_row: &[u32], k: usize) -> Result<Vec<Site>, Error> {
    let mut found = Finder {
        axes,
        tuple_of_row,
        k,
        pairs: 0,
        vector: Vec::new(),
        sites: Vec::new(),
    };
    found.refine((0..tuple_of_row.len() as u32).collect())?;
    let mut sites = found.sites;
    sites.sort_by(|left, right| (left.cost, &left.rows).cmp(&(right.cost, &right.rows)));
    Ok(sites)
}

struct Finder<'a> {
    axes: &'a Axes,
    tuple_of_row: &'a [u32],
    k: usize,
    pairs: usize,
    vector: Vec<u32>,
    sites: Vec<Site>,
}

impl Finder<'_> {
    /// The rows below the vector so far, by each taxon of the next axis.
    fn refine(&mut self, rows: Vec<u32>) -> Result<(), Error> {
        self.pairs += rows.len();
        if self.pairs > MOST_PAIRS {
            return Err(Error::Infeasible {
                what: format!(
                    "mingen-cell looks at every vector above every row, and {} {} more than {MOST_PAIRS} of them",
                    counted(self.tuple_of_row.len(), "row"),
                    verb(self.tuple_of_row.len(), "has", "have")
                ),
                hint: Some("use `algorithm = \"top-down\"` for a table of this size".to_owned()),
            });
        }
        let Some(axis) = self.axes.axes.get(self.vector.len()) else {
            let mut joined = self.axes.leaves(self.tuple_of_row[rows[0] as usize]);
            for row in &rows {
                self.axes
                    .join(&mut joined, self.tuple_of_row[*row as usize]);
            }
            if joined == self.vector {
                let cost = self.axes.cost(&joined);
                self.sites.push(Site { cost, rows });
            }
            return Ok(());
        };
        let mut below: Vec<(u32, u32)> = Vec::with_capacity(rows.len());
        for row in rows {
            let mut at = axis.leaf(self.tuple_of_row[row as usize]);
            loop {
                below.push((at, row));
                if at == 0 {
                    break;
                }
                at = axis.parent(at);
            }
        }
        below.sort_unstable();
        let groups = below.chunk_by(|left, right| left.0 == right.0);
        let k = self.k;
        for group in groups.filter(|group| group.len() >= k) {
            self.vector.push(group[0].0);
            self.refine(group.iter().map(|(_, row)| *row).collect())?;
            self.vector.pop();
        }
        Ok(())
    }
}
