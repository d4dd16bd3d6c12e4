//! `personalized`: greedy single-dimensional recoding under everybody's own wish.
//!
//! **Definition.** Each quasi-identifier's domain is cut into parts, numbers anywhere, categories along their taxonomy; the
//! sensitive values of each class are then generalized as little as its wishes allow. From the uncut domains a greedy search
//! splits one part at a time, always that which lowers the information loss most, and stops when none does ([XiaoTao06],
//! Figure 4, equations 4 to 6).
//! **Reading.** Ties: attribute in policy order, then part, then split point, ascending. A class that no generalization makes
//! safe makes the loss infinite; where the uncut table is such, the search goes on all the same. Where persons have rows in several
//! classes two searches are made, and the better release is published: one judges class by class, each of which keeps its share ([`demands`]),
//! so that what is published in the end may have lost less than it counts; one splits as if nobody had such rows, and judges all
//! classes together ([`together`]). Other models of the policy
//! are asked of every class as well. With `improve`, see [`improve`].
//! When the time is up the cut so far is the answer, where it may be published.
//! **Does not** suppress rows.
//! **Oracle.** `testkit::oracle::personal`, all split points.

mod attribute;
mod costs;
mod crowd;
mod cuts;
mod demands;
mod effects;
mod greedy;
mod improve;
mod rule;
mod together;

use std::sync::Arc;

use super::ending::Cut;
use super::{Algorithm, Found, Task, Watch};
use crate::error::Error;
use crate::frequency::Piles;
use crate::hierarchy::Numbers;
use crate::metric::SensitiveUnit;
use crate::model::{ModelSet, Personal};
use crate::recoding::Recoding;
use crate::share::Share;
use crate::table::Table;
use attribute::Attribute;
use costs::costs;
use crowd::Crowd;
use greedy::{Ended, Greedy};
use rule::Rule;
use together::Gate;

/// Greedy recoding by cuts.
#[derive(Debug)]
pub struct Personalized<'a> {
    /// The table.
    pub table: &'a Table,
    /// The numbers of the attributes that may be cut anywhere, in policy order.
    pub numbers: &'a [Option<Numbers>],
    /// The wishes.
    pub personal: &'a [Arc<Personal>],
    /// What generalized sensitive values cost, in the order of the wishes.
    pub sensitive: Vec<SensitiveUnit>,
    /// The weights of the attributes, in policy order.
    pub weights: &'a [Share],
    /// Whether to look for a better cut than the greedy one.
    pub improve: bool,
    /// Models that look at all classes together, where those of the task do not.
    pub together: Option<&'a ModelSet>,
}

impl Algorithm for Personalized<'_> {
    fn id(&self) -> &'static str {
        "personalized"
    }

    fn search(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Result<Option<Found>, Error> {
        let mut attributes = self.attributes(task)?;
        let domains: Vec<u64> = attributes.iter().map(Attribute::domain).collect();
        let rows = task.ground.rows();
        let costs = costs(self.weights, &domains, &self.sensitive, rows);
        attributes
            .iter_mut()
            .zip(costs.attributes)
            .for_each(|(attribute, unit)| attribute.unit = unit);
        let crowd = Crowd::new(self.table, task, self.personal, costs.sensitive)?;
        let set = task.ground.set();
        let places: Vec<Vec<u32>> = attributes
            .iter()
            .enumerate()
            .map(|(at, attribute)| {
                let place = |tuple| attribute.place[set.code(tuple, at) as usize];
                (0..set.len()).map(place).collect()
            })
            .collect();
        let greedy = Greedy::new(&crowd, &attributes, &places);
        let gate = match self.together {
            None => None,
            Some(models) => Some(Gate {
                models,
                piles: Piles::new(self.table, models.tracked())?,
                tuple_of_row: task.ground.tuple_of_row(),
            }),
        };
        let printed = match &gate {
            None => greedy.run(Rule::Printed, watch)?,
            Some(gate) => greedy.run_together(Rule::Printed, gate, watch)?,
        };
        let notes = vec![format!(
            "{} splits; ties: attribute in policy order, then part, then split point, ascending",
            printed.rounds
        )];
        let mut remarks = Vec::new();
        let ended = if self.improve && printed.cut.is_none() {
            let (crowd, attributes, places) = (&crowd, &attributes[..], &places[..]);
            let better = match &gate {
                None => improve::improve(crowd, attributes, places, &printed, watch)?,
                Some(gate) => {
                    improve::improve_together(crowd, attributes, places, &printed, gate, watch)?
                }
            };
            let mut note = greedy_note(&printed, &better, costs.common);
            if self.personal.iter().any(|personal| personal.looks_across()) {
                note.push_str(", before persons in several classes are judged over all of them together, by which less may be lost");
            }
            remarks.push(note);
            better
        } else {
            printed
        };
        if ended.worth.unsafe_classes > 0 {
            return ended.cut.map_or(Ok(None), |cut| Err(cut.without_answer()));
        }
        remarks.extend(ended.cut.map(Cut::remark));
        let cuts = attributes.iter().zip(&ended.parts);
        Ok(Some(Found {
            recoding: Recoding::Subtree(
                cuts.map(|(attribute, parts)| attribute.cut(parts))
                    .collect(),
            ),
            ties: Vec::new(),
            tied_tables: None,
            checked: ended.checked,
            proven: false,
            bound: None,
            notes,
            remarks,
        }))
    }
}

impl Personalized<'_> {
    fn attributes(&self, task: &Task<'_>) -> Result<Vec<Attribute>, Error> {
        let ladders = task.ladders.iter().enumerate();
        ladders
            .map(|(at, ladder)| {
                let column = self.table.column(ladder.name()).ok_or_else(|| {
                    Error::Internal(format!("column `{}` was not read", ladder.name()))
                })?;
                let numbers = self.numbers.get(at).and_then(Option::as_ref);
                Ok(Attribute::new(
                    ladder,
                    numbers,
                    column.dictionary(),
                    task.ground.marginal(at),
                ))
            })
            .collect()
    }
}

/// What the greedy search as printed found, beside what was published.
fn greedy_note(printed: &Ended, better: &Ended, common: Option<i128>) -> String {
    let told = |ended: &Ended| {
        if ended.worth.unsafe_classes > 0 {
            return "no table that may be published".to_owned();
        }
        let unit = common.map_or(2f64.powi(60), |common| common as f64);
        let loss = format!("information loss {:.4}", ended.worth.cost as f64 / unit);
        let exact = common.and_then(|common| Share::new(ended.worth.cost, common));
        match exact.map(|exact| exact.to_string()) {
            Some(exact) if exact.len() <= 20 => format!("{loss} ({exact})"),
            _ => loss,
        }
    };
    format!(
        "the paper's greedy search: {}; improved: {}",
        told(printed),
        told(better)
    )
}
