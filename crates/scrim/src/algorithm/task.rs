//! What a search is asked to do: the counts, the models, the metric and the limit.

use crate::error::Error;
use crate::frequency::{FrequencySet, Ground, Scratch};
use crate::hierarchy::Ladder;
use crate::metric::{Metric, MetricId, Tally};
use crate::model::{ModelSet, Quantity};
use crate::recoding::{Lattice, Node, Suppressed};

/// The task of a search.
#[derive(Debug)]
pub struct Task<'a> {
    /// The counts of the ground domain.
    pub ground: &'a Ground,
    /// The quasi-identifiers in policy order.
    pub ladders: &'a [Ladder],
    /// What every class must keep.
    pub models: &'a ModelSet,
    /// What is optimized.
    pub metric: &'a dyn Metric,
    /// At most so many rows may be suppressed.
    pub limit: u64,
}

/// The classes of a set that break a model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// Their numbers, ascending.
    pub failing: Vec<u32>,
    /// Their rows.
    pub suppressed: u64,
}

impl Task<'_> {
    /// Whether a cell costs what its own taxon says, whatever the others show. In an uneven tree a value that lies less deep
    /// stands at the level of the others, where they have one.
    pub fn counts_cells_alone(&self, metric: MetricId) -> bool {
        metric != MetricId::Prec
            || self
                .ladders
                .iter()
                .all(|ladder| ladder.hierarchy().is_even())
    }

    /// The lattice of the quasi-identifiers.
    pub fn lattice(&self) -> Lattice {
        Lattice::new(self.ladders)
    }

    /// All classes that break a model.
    pub fn judge(&self, set: &FrequencySet) -> Judged {
        self.judge_within(set, u64::MAX).unwrap_or_default()
    }

    /// The classes that break a model, unless they have more rows than the limit.
    pub fn judge_within(&self, set: &FrequencySet, limit: u64) -> Option<Judged> {
        let mut judged = Judged::default();
        for (number, class) in (0..).zip(set.classes()) {
            if !self.models.holds(class) {
                judged.suppressed += class.rows();
                if judged.suppressed > limit {
                    return None;
                }
                judged.failing.push(number);
            }
        }
        Some(judged)
    }

    /// Whether an invalid set shows that all nodes below it are invalid as well: because the models together say so,
    /// or because those of them that may be pruned by are broken by more rows than the limit alone.
    pub fn is_hopeless(&self, set: &FrequencySet) -> bool {
        if self.models.prunes(self.limit) {
            return true;
        }
        let broken = set
            .classes()
            .filter(|class| self.models.breaks_for_good(*class));
        broken.map(|class| class.rows()).sum::<u64>() > self.limit
    }

    /// A judged set, summed up for the metric.
    pub fn tally(&self, set: &FrequencySet, judged: &Judged) -> Tally {
        let mut tally = Tally::new(self.ladders, set, &judged.failing, self.ground.rows());
        if !self.metric.sensitive_domains().is_empty() {
            tally.sensitive_lost =
                self.sensitive_lost(set, judged, self.metric.sensitive_domains());
        }
        tally
    }

    /// The leaves that rows may have beside their own where sensitive values are generalized, by column; suppressed rows may
    /// have any, as in every other attribute.
    pub fn sensitive_lost(
        &self,
        set: &FrequencySet,
        judged: &Judged,
        domains: &[u64],
    ) -> Vec<u128> {
        let suppressed = u128::from(judged.suppressed);
        let mut lost: Vec<u128> = domains
            .iter()
            .map(|domain| suppressed * u128::from(domain.saturating_sub(1)))
            .collect();
        let mut failing = judged.failing.iter().peekable();
        for (number, class) in (0..).zip(set.classes()) {
            if failing.next_if(|failing| **failing == number).is_some() {
                continue;
            }
            lost.iter_mut()
                .zip(self.models.sensitive_losses(class))
                .for_each(|(sum, lost)| *sum += u128::from(lost));
        }
        lost
    }

    /// Where the models ask for so many rows a class and nothing else, and the metric too: how many.
    pub fn least_rows(&self) -> Option<u64> {
        let mut rows = self.models.models().map(|model| match model.least_size() {
            Some(Quantity::Rows(rows)) => Some(rows),
            _ => None,
        });
        let least = rows.try_fold(0, |most: u64, rows| Some(most.max(rows?)));
        least.filter(|_| self.metric.sensitive_domains().is_empty())
    }

    /// What a node suppresses, also of a table that is held in sections only, in about so many bytes.
    pub fn suppressed_within(&self, node: &Node, memory: Option<u64>) -> Result<Suppressed, Error> {
        if !self.ground.is_of_sections() {
            return Ok(self.suppressed_at(node));
        }
        let least = self.least_rows().ok_or_else(in_sections)?;
        let mut scratch = Scratch::new(memory.map(|bytes| bytes / 8));
        let set = self.ground.set();
        let classes = set.small_numbers(self.ladders, node, least, &mut scratch);
        self.ground.must_have_told_all()?;
        Ok(Suppressed {
            classes,
            ..Suppressed::default()
        })
    }

    /// The tally of a node of a table that is held in sections only, in about so many bytes.
    pub fn tally_of_sections(&self, node: &Node, memory: Option<u64>) -> Result<Tally, Error> {
        let least = self.least_rows().ok_or_else(in_sections)?;
        let mut scratch = Scratch::new(memory.map(|bytes| bytes / 8));
        let (all, limits) = (self.ground.rows(), (least, u64::MAX));
        let set = self.ground.set();
        let found = set.small_classes(self.ladders, node, limits, all, &mut scratch);
        self.ground.must_have_told_all()?;
        let found = found.ok_or_else(in_sections)?;
        Ok(Tally::suppressing(self.ladders, node, found, all))
    }

    /// The tuples of the ground domain that a node suppresses.
    pub fn suppressed_at(&self, node: &Node) -> Suppressed {
        let (set, targets) = self.ground.set().roll_up_with_map(self.ladders, node);
        let mut fails = vec![false; set.len()];
        self.judge(&set)
            .failing
            .iter()
            .for_each(|class| fails[*class as usize] = true);
        let tuples = (0..)
            .zip(&targets)
            .filter(|(_, class)| fails[**class as usize])
            .map(|(tuple, _)| tuple)
            .collect();
        Suppressed {
            tuples,
            ..Suppressed::default()
        }
    }
}

fn in_sections() -> Error {
    Error::Internal("a table in sections can be judged by numbers of rows only".to_owned())
}
