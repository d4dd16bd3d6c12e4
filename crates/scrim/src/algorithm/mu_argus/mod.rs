//! mu-Argus.
//!
//! **Definition.** Generalize each attribute until every value occurs *k* times; find the combinations of two and three
//! attributes whose values together occur less often, the *outliers*; let the data holder generalize further and test again;
//! then suppress single cells until each outlier has lost one ([Sweeney02], Figure 11).
//! **Reading.** Step 2 takes each attribute by itself: the lowest level at which each value that occurs does so *k* times.
//! Outliers are counted on the table of step 2, or 4, and not again after cells are suppressed. Step 6 goes tuple by tuple:
//! while an outlier of it has no suppressed cell, the attribute in most such outliers is suppressed; ties: most identifying,
//! more, identifying, then policy column order. That is what gives the paper's MT. A suppressed cell shows the top of its
//! hierarchy. `Combinations::Figure12` tests only what the paper says that the program tests. *k* is that of the policy's
//! k-anonymity, in rows or persons as it counts; of several promises each must be kept. Other models do not steer the search.
//! **Holds because** it need not: the release is as good as the certifier finds it.
//! **Does not protect against** rare combinations of four and more attributes, and rare suppressed cells, which make a row
//! stand out as values do: the result is often not k-anonymous.
//! **Cost.** O(tuples x combinations), of which there are C(n, 2) + C(n, 3). **Oracle.** `testkit::oracle::mu_argus`.

mod combinations;
mod outliers;
mod suppress;

pub use combinations::{Combinations, Identifying, tested_combinations};
pub use outliers::{Outliers, Tested};

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::task::Task;
use super::{Algorithm, Found, Progress, Watch};
use crate::error::{Error, Place};
use crate::frequency::{Class, FrequencySet};
use crate::hierarchy::{Level, TaxonId};
use crate::model::{Evidence, Verdict};
use crate::recoding::{Local, Node, Recoding};

const ID: &str = "mu-argus";

/// A decision of the data holder: one level more of an attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The attribute, by its number among the quasi-identifiers.
    pub attribute: usize,
    /// Where the policy has it.
    pub place: Place,
}

/// Where the decisions of steps 4 and 5 come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Generalize {
    /// From the policy, in order.
    Listed(Vec<Decision>),
    /// From whoever is watching; the place is that of the wish to be asked.
    Asked(Place),
}

/// Who decides in steps 4 and 5 what is generalized further.
pub trait DataHolder {
    /// The attribute to raise by one level, or nothing to be done with it. An attribute at its top cannot be raised.
    fn generalize(&mut self, tested: &Tested<'_>) -> Result<Option<usize>, Error>;
}

/// The algorithm of Figure 11.
#[derive(Clone, Debug)]
pub struct MuArgus<'a> {
    /// How identifying each quasi-identifier is.
    pub identifying: &'a [Identifying],
    /// Which combinations are tested.
    pub combinations: Combinations,
    /// The data holder's decisions.
    pub generalize: &'a Generalize,
}

impl Algorithm for MuArgus<'_> {
    fn id(&self) -> &'static str {
        ID
    }

    fn search(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Result<Option<Found>, Error> {
        if task.models.sizes().next().is_none() {
            return Err(Error::Unsound {
                algorithm: ID,
                what: "it counts to the `k` of a k-anonymity promise, and the policy has none"
                    .to_owned(),
                hint: Some("add a [[privacy]] with `model = \"k-anonymity\"`".to_owned()),
            });
        }
        let run = self.run(task, watch)?;
        Ok(Some(self.found(task, &run)))
    }
}

/// What the steps came to.
#[derive(Debug)]
pub struct MuArgusRun {
    /// The levels after step 2.
    pub automatic: Node,
    /// The levels after step 5.
    pub node: Node,
    /// What the data holder raised, in order.
    pub raised: Vec<usize>,
    /// The tuples at those levels.
    pub set: FrequencySet,
    /// The tuple of each row.
    pub tuple_of_row: Vec<u32>,
    /// Step 3, at those levels.
    pub outliers: Outliers,
    /// Step 6: the suppressed attributes of each tuple, ascending.
    pub suppressed: Vec<Vec<usize>>,
    checked: u64,
}

impl MuArgus<'_> {
    /// All six steps.
    pub fn run(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Result<MuArgusRun, Error> {
        let identifying = |at: usize| self.identifying.get(at).copied().unwrap_or_default();
        let identifying: Vec<Identifying> = (0..task.ladders.len()).map(identifying).collect();
        let tested = tested_combinations(&identifying, self.combinations);
        let automatic = automatic(task);
        let mut raised = Vec::new();
        let mut node = automatic.clone();
        if let Generalize::Listed(decisions) = self.generalize {
            for decision in decisions {
                node = raise(task, &node, decision)?;
                raised.push(decision.attribute);
            }
        }
        // Only what is counted here is carried along: a table may have many other histograms.
        let kept: Vec<usize> = task
            .models
            .sizes()
            .flat_map(|(_, at)| at)
            .copied()
            .collect();
        let ground = task.ground.set().tracking_only(&kept);
        let (mut set, mut tuples) = ground.roll_up_with_map(task.ladders, &node);
        drop(ground);
        let mut checked = 0;
        let outliers = loop {
            let outliers = Outliers::find(task, &set, &tested, &mut checked, watch)?;
            let Generalize::Asked(place) = self.generalize else {
                break outliers;
            };
            let holder = watch.data_holder().ok_or_else(|| unasked(place))?;
            let Some(attribute) = holder.generalize(&outliers.told(task, &node))? else {
                break outliers;
            };
            let place = place.clone();
            node = raise(task, &node, &Decision { attribute, place })?;
            raised.push(attribute);
            let (above, map) = set.roll_up_with_map(task.ladders, &node);
            tuples
                .iter_mut()
                .for_each(|tuple| *tuple = map[*tuple as usize]);
            set = above;
        };
        watch.step(&Progress {
            doing: "suppressing cells",
            checked,
            decided: None,
            best: Some(node.clone()),
            cost: None,
        })?;
        let suppressed = suppress::suppress(&outliers, &identifying, set.len());
        let rows = task.ground.tuple_of_row().iter();
        Ok(MuArgusRun {
            automatic,
            node,
            raised,
            tuple_of_row: rows.map(|tuple| tuples[*tuple as usize]).collect(),
            set,
            outliers,
            suppressed,
            checked,
        })
    }

    fn found(&self, task: &Task<'_>, run: &MuArgusRun) -> Found {
        let name = |at: &usize| task.ladders[*at].name();
        let raised: Vec<String> = run
            .raised
            .iter()
            .map(|at| format!("{:?}", name(at)))
            .collect();
        let levels = |node: &Node| {
            let levels = task.ladders.iter().zip(node.levels());
            let levels: Vec<String> = levels
                .map(|(ladder, level)| format!("{} {level} of {}", ladder.name(), ladder.height()))
                .collect();
            levels.join(", ")
        };
        let sizes = run.set.rows().iter().zip(&run.suppressed);
        let touched = sizes.filter(|(_, cells)| !cells.is_empty());
        let (rows, cells) = touched.fold((0, 0), |(rows, cells), (size, gone)| {
            (rows + size, cells + size * gone.len() as u64)
        });
        let mut notes = vec![
            "cells are suppressed by the number of outlying combinations; ties: most identifying, more, identifying, then policy column order".to_owned(),
            format!("combinations = {:?}", self.combinations.name()),
            format!("levels by step 2: {}", levels(&run.automatic)),
        ];
        if !raised.is_empty() {
            notes.push(format!("generalize = [{}]", raised.join(", ")));
            notes.push(format!("levels by the data holder: {}", levels(&run.node)));
        }
        let mut remarks = vec![format!(
            "levels before cells are suppressed: {}",
            levels(&run.node)
        )];
        if matches!(self.generalize, Generalize::Asked(_)) {
            remarks.push(format!(
                "decided on the terminal; to do it again: `generalize = [{}]` in [search]",
                raised.join(", ")
            ));
        }
        remarks.push(format!("suppressed cells: {cells}, in rows: {rows}"));
        Found {
            recoding: Recoding::Local(local(task, run)),
            ties: Vec::new(),
            tied_tables: None,
            checked: run.checked,
            proven: false,
            bound: None,
            notes,
            remarks,
        }
    }
}

/// Whether a class has all the rows and persons that the models ask for.
fn is_large(task: &Task<'_>, class: Class<'_>) -> bool {
    task.models
        .sizes()
        .all(|(model, places)| model.check(&Evidence::of(class, places)) == Verdict::Holds)
}

/// Step 2: the lowest level of each attribute at which each of its values occurs often enough; the top where none is.
fn automatic(task: &Task<'_>) -> Node {
    let kept: Vec<usize> = task
        .models
        .sizes()
        .flat_map(|(_, at)| at)
        .copied()
        .collect();
    let ground = task.ground.set().tracking_only(&kept);
    let top = task.lattice().top();
    let level = |at: usize| -> Level {
        let alone = |level: Level| top.with(at, level);
        let mut set = ground.roll_up(task.ladders, &alone(0));
        let height = task.ladders[at].height();
        (0..height)
            .find(|level| {
                if *level > 0 {
                    set = set.roll_up(task.ladders, &alone(*level));
                }
                set.classes().all(|class| is_large(task, class))
            })
            .unwrap_or(height)
    };
    let attributes: Vec<usize> = (0..task.ladders.len()).collect();
    Node::new(attributes.into_par_iter().map(level).collect::<Vec<_>>())
}

fn raise(task: &Task<'_>, node: &Node, decision: &Decision) -> Result<Node, Error> {
    let at = decision.attribute;
    let (Some(ladder), Some(level)) = (task.ladders.get(at), node.levels().get(at)) else {
        return Err(Error::Internal(format!("there is no attribute {at}")));
    };
    if *level >= ladder.height() {
        return Err(Error::Policy {
            place: decision.place.clone(),
            what: format!(
                "`{}` cannot be generalized once more: after step 2 and the decisions before this one it is at level {level}, its top",
                ladder.name()
            ),
            hint: Some("leave this decision out of `generalize` in [search]".to_owned()),
        });
    }
    Ok(node.with(at, level + 1))
}

/// The fault of a wish to be asked where nobody can be.
pub(crate) fn unasked(place: &Place) -> Error {
    Error::Policy {
        place: place.clone(),
        what: "`generalize = \"ask\"` asks on a terminal, and there is none".to_owned(),
        hint: Some("run it where standard input and standard error are a terminal, or name the columns to generalize, in order: `generalize = [\"zip\", \"birth\"]`".to_owned()),
    }
}

/// The cells of each row; rows that look alike are a class, numbered by their first rows.
fn local(task: &Task<'_>, run: &MuArgusRun) -> Local {
    let mut numbers: FxHashMap<Box<[TaxonId]>, u32> = FxHashMap::default();
    let mut classes: Vec<Box<[TaxonId]>> = Vec::new();
    let mut class_of_tuple: Vec<Option<u32>> = vec![None; run.set.len()];
    let mut class = |tuple: usize| {
        let cell = |(at, level): (usize, &Level)| {
            let ladder = &task.ladders[at];
            if run.suppressed[tuple].contains(&at) {
                ladder.hierarchy().root()
            } else {
                ladder.taxa(*level)[run.set.code(tuple, at) as usize]
            }
        };
        let cells: Box<[TaxonId]> = run.node.levels().iter().enumerate().map(cell).collect();
        let next = classes.len() as u32;
        *numbers.entry(cells).or_insert_with_key(|cells| {
            classes.push(cells.clone());
            next
        })
    };
    let rows = run.tuple_of_row.iter().map(|tuple| *tuple as usize);
    let class_of_row = rows
        .map(|tuple| *class_of_tuple[tuple].get_or_insert_with(|| class(tuple)))
        .collect();
    Local::of_taxa(class_of_row, classes)
}
