//! What a search is asked to do: the counts, the models, the metric and the limit.

use super::node_release::shows_stars;
use crate::error::Error;
use crate::frequency::{FrequencySet, Ground};
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
    /// Whether suppressed rows stay in the release, with stars.
    pub keeps_rows: bool,
}

/// The classes of a set that are suppressed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// Their numbers, ascending.
    pub failing: Vec<u32>,
    /// Their rows.
    pub suppressed: u64,
    /// What the other classes lose in their sensitive values, by column, where persons in several classes couple them.
    pub lost: Option<Vec<u128>>,
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

    /// The classes that break a model while all rows are visible, unless they have more rows than the limit. These are the first that
    /// the release of a node suppresses ([`Self::judge`]).
    pub(super) fn failing(&self, set: &FrequencySet, limit: u64) -> Option<Judged> {
        let mut judged = Judged::default();
        for (number, class) in (0..).zip(set.classes()) {
            if !self.models.holds_alone(class) {
                judged.suppressed += class.rows();
                if judged.suppressed > limit {
                    return None;
                }
                judged.failing.push(number);
            }
        }
        self.settle_coupled(set, judged, limit)
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
        if let Some(together) = &judged.lost {
            let sums = lost.iter_mut().zip(together);
            sums.for_each(|(sum, lost)| *sum += lost);
            return lost;
        }
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
            Some(Quantity::Rows(rows)) if model.columns().is_none() => Some(rows),
            _ => None,
        });
        let least = rows.try_fold(0, |most: u64, rows| Some(most.max(rows?)));
        least.filter(|_| self.metric.sensitive_domains().is_empty())
    }

    /// What the release of a node comes to, of a table that is held in sections only, and the star class where rows are suppressed: all
    /// rows that show stars only, as one class.
    pub fn weigh(&self, node: &Node) -> Result<(Tally, Option<FrequencySet>), Error> {
        let mut all = Tally::none(self.ladders, node, self.ground.rows());
        let top = self.lattice().top();
        let mut star: Option<FrequencySet> = None;
        self.each_suppressed(node, |set, judged| {
            all.join(&self.tally(set, judged));
            let mut starred = shows_stars(self.ladders, set);
            starred.extend_from_slice(&judged.failing);
            starred.sort_unstable();
            starred.dedup();
            if !starred.is_empty() {
                let more = set.only_classes(&starred).roll_up(self.ladders, &top);
                star = Some(match star.take() {
                    Some(star) => star.and(&more, self.ladders),
                    None => more,
                });
            }
            Ok::<_, Error>(())
        })?;
        let any = all.suppressed > 0;
        Ok((all, star.filter(|_| any)))
    }

    /// Visits all classes of a node, and which of them it suppresses, in as many sets as memory needs.
    pub fn each_suppressed<E: From<Error>>(
        &self,
        node: &Node,
        mut visit: impl FnMut(&FrequencySet, &Judged) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut settled = self.settled_parts(node).into_iter();
        let mut done = Ok(());
        self.ground.set().each_part(self.ladders, node, |set| {
            if done.is_ok() {
                let judged = settled.next();
                let first = || self.failing(set, u64::MAX).unwrap_or_default();
                done = visit(set, &judged.unwrap_or_else(first));
            }
        });
        self.ground.must_have_told_all()?;
        done
    }

    /// The tuples of the ground domain that a node suppresses; none of a table that is held in sections only, of which classes tell
    /// ([`Self::each_suppressed`]).
    pub fn suppressed_at(&self, node: &Node) -> Suppressed {
        if self.ground.is_of_sections() {
            return Suppressed::default();
        }
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
