//! Top-down local recoding.
//!
//! **Definition.** Start with all rows at the tops. Specialize a class by one attribute, a level down; children that
//! break a model push their rows back to the parent; if the rows pushed back are themselves too few, siblings give up
//! rows until they are valid ([Sun08], Algorithm 1; several attributes after Wong et al. 2006).
//! **Reading.** Line 13 stands inside the loop; a class at ground level is put out. For each class the attribute with
//! most rows specialized is taken, then fewest children left, then policy order; if no row could be specialized the
//! class is put out. Rows pushed back stay at the parent's values. *Repair*: among (child, row) whose child stays valid
//! without the row, the greatest by (values or categories still missing that it brings, weight still missing that it
//! brings, size of the child, row number); where there is none, the smallest child is pushed back whole, the last
//! formed among equals. At the end each class is tightened to the least common ancestors of its rows, unless the policy
//! says `tighten = false`, and unless two classes would look alike then and the models do not promise that the union of
//! valid classes is valid. No row is suppressed. Where persons under `personal` have rows in several classes, classes may be joined
//! afterwards ([`reunite`](super::reunite)).
//! **Holds because** every class put out was checked after the last row that joined or left it, and no two look alike that
//! are not valid together.
//! **Does not find** the least distortion. **Cost.** A level of the trees: for each attribute a pass over the rows and a repair, which
//! is O(rows log rows) but for the values that a model looks at ([`repair`]).
//! **Oracle.** Invariants: every class valid, every cell an ancestor, every row once; the definition of repair, in `tests`.

mod lack;
mod repair;

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use repair::{Repair, Spared};

use super::ending::Cut;
use super::task::Task;
use super::{Algorithm, Found, Progress, Watch};
use crate::error::Error;
use crate::frequency::{Pile, Piles};
use crate::hierarchy::{Hierarchy, TaxonId};
use crate::model::Monotone;
use crate::recoding::{Local, Recoding};
use crate::table::{Column, Table};

/// Algorithm 1 of [Sun08].
#[derive(Clone, Copy, Debug)]
pub struct TopDown<'a> {
    /// The table: local recoding needs its rows.
    pub table: &'a Table,
    /// Whether each class ends at its least common ancestors.
    pub tighten: bool,
}

/// Classes, and why they are not final, where the search was cut short.
type Ended = (Vec<Class>, Option<Cut>);

impl Algorithm for TopDown<'_> {
    fn id(&self) -> &'static str {
        "top-down"
    }

    fn search(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Result<Option<Found>, Error> {
        Ok(self.found(task, watch)?.map(|(found, _)| found))
    }
}

impl TopDown<'_> {
    /// What is found, and why the search ended early, where it did.
    pub(super) fn found(
        &self,
        task: &Task<'_>,
        watch: &mut dyn Watch,
    ) -> Result<Option<(Found, Option<Cut>)>, Error> {
        let run = Run::new(self.table, task)?;
        let Some((mut classes, cut)) = run.classes(watch)? else {
            return Ok(None);
        };
        let mut notes = vec![
            "attribute with most rows specialized, then fewest children, then policy column order".to_owned(),
            "repair by missing values or categories, then missing weight, then larger sibling, then later row".to_owned(),
        ];
        if self.tighten {
            let loose = classes.clone();
            classes.iter_mut().for_each(|class| run.tighten(class));
            // Classes that look alike are one: that is safe where the union of valid classes is valid.
            if task.models.monotone() == Monotone::No && any_alike(&classes) {
                classes = loose;
                notes.push(
                    "not tightened: classes that then look alike need not be valid together"
                        .to_owned(),
                );
            }
        }
        let mut class_of_row = vec![0; self.table.rows()];
        for (number, class) in (0..).zip(&classes) {
            class
                .rows
                .iter()
                .for_each(|row| class_of_row[*row as usize] = number);
        }
        let checked = run.checked.get();
        let taxa = classes.into_iter().map(|class| class.taxa).collect();
        let local = Local::of_taxa(class_of_row, taxa);
        let found = Found {
            recoding: Recoding::Local(local),
            ties: Vec::new(),
            tied_tables: None,
            checked,
            proven: false,
            bound: None,
            notes,
            remarks: cut.map(Cut::remark).into_iter().collect(),
        };
        Ok(Some((found, cut)))
    }
}

/// A number for each row, the same where the models see the same.
fn signatures(piles: &Piles<'_>, rows: usize) -> Vec<u32> {
    let mut known: FxHashMap<Vec<Option<u32>>, u32> = FxHashMap::default();
    let number = |row: u32| {
        let next = known.len() as u32;
        *known.entry(piles.signature(row)).or_insert(next)
    };
    (0..rows as u32).map(number).collect()
}

/// Whether two classes would look alike.
fn any_alike(classes: &[Class]) -> bool {
    let mut seen: FxHashSet<&[TaxonId]> = FxHashSet::default();
    classes.iter().any(|class| !seen.insert(&class.taxa))
}

/// A class on its way down.
#[derive(Clone, Debug)]
struct Class {
    rows: Vec<u32>,
    taxa: Box<[TaxonId]>,
}

/// A try to specialize a class by one attribute.
struct Try {
    attribute: usize,
    /// Children that are valid, in the order of their first row.
    children: Vec<(TaxonId, Vec<u32>)>,
    pushed_back: Vec<u32>,
}

impl Try {
    /// The least is the best.
    fn key(&self) -> (usize, usize, usize) {
        (self.pushed_back.len(), self.children.len(), self.attribute)
    }
}

struct Run<'a> {
    task: &'a Task<'a>,
    trees: Vec<&'a Hierarchy>,
    /// The leaf of each code, by attribute.
    leaves: Vec<&'a [TaxonId]>,
    columns: Vec<&'a Column>,
    piles: Piles<'a>,
    /// A number for each row: rows with the same one are the same to every model.
    signatures: Vec<u32>,
    checked: std::cell::Cell<u64>,
}

impl<'a> Run<'a> {
    fn new(table: &'a Table, task: &'a Task<'a>) -> Result<Self, Error> {
        let find = |name: &str| {
            table
                .column(name)
                .ok_or_else(|| Error::Internal(format!("column `{name}` was not read")))
        };
        let piles = Piles::new(table, task.models.tracked())?;
        Ok(Self {
            task,
            signatures: signatures(&piles, table.rows()),
            trees: task
                .ladders
                .iter()
                .map(|ladder| ladder.hierarchy().as_ref())
                .collect(),
            leaves: task.ladders.iter().map(|ladder| ladder.taxa(0)).collect(),
            columns: task
                .ladders
                .iter()
                .map(|ladder| find(ladder.name()))
                .collect::<Result<_, _>>()?,
            piles,
            checked: std::cell::Cell::new(0),
        })
    }

    fn leaf(&self, attribute: usize, row: u32) -> TaxonId {
        self.leaves[attribute][self.columns[attribute].codes().get(row as usize) as usize]
    }

    fn is_valid(&self, rows: &[u32]) -> bool {
        self.count_check();
        !rows.is_empty() && self.task.models.holds(self.piles.one(rows).only())
    }

    fn count_check(&self) {
        self.checked.set(self.checked.get() + 1);
    }

    /// Takes a row off a child that stays valid without it, and says whether it does.
    fn spare(&self, child: &mut Pile<'_>, row: u32) -> Spared {
        self.count_check();
        let models = self.task.models;
        child.remove(row);
        let left = child.class();
        if left.rows() > 0 && models.holds(left) {
            return Spared::Yes;
        }
        let never = left.rows() == 0 || models.breaks_for_good(left);
        child.add(row);
        if never { Spared::Never } else { Spared::NotNow }
    }

    fn tell(&self, watch: &mut dyn Watch) -> Result<(), Error> {
        watch.step(&Progress {
            doing: "specializing classes",
            checked: self.checked.get(),
            decided: None,
            best: None,
            cost: None,
        })
    }

    /// Whether each child is valid: all are counted at once.
    fn are_valid(&self, children: &[(TaxonId, Vec<u32>)]) -> Vec<bool> {
        self.checked.set(self.checked.get() + children.len() as u64);
        let rows: Vec<u32> = children
            .iter()
            .flat_map(|(_, rows)| rows)
            .copied()
            .collect();
        let numbered = (0..).zip(children);
        let pile_of: Vec<u32> = numbered
            .flat_map(|(at, (_, rows))| rows.iter().map(move |_| at))
            .collect();
        let set = self.piles.count(&rows, children.len(), &pile_of);
        set.classes()
            .map(|class| self.task.models.holds(class))
            .collect()
    }

    /// The classes, and why they are not final, where the search was cut short: every class that waits is valid as it is.
    fn classes(&self, watch: &mut dyn Watch) -> Result<Option<Ended>, Error> {
        let rows: Vec<u32> = (0..self.task.ground.rows() as u32).collect();
        if !self.is_valid(&rows) {
            return Ok(None);
        }
        let root = Class {
            rows,
            taxa: self.trees.iter().map(|tree| tree.root()).collect(),
        };
        let mut queue = VecDeque::from([root]);
        let mut done: Vec<Class> = Vec::new();
        while let Some(class) = queue.pop_front() {
            let best = match self.best(&class, watch) {
                Ok(best) => best,
                Err(error) => {
                    let cut = Cut::from(error, watch)?;
                    done.push(class);
                    done.extend(queue);
                    return Ok(Some((done, Some(cut))));
                }
            };
            let Some(best) = best else {
                done.push(class);
                continue;
            };
            for (taxon, rows) in best.children {
                let mut taxa = class.taxa.clone();
                taxa[best.attribute] = taxon;
                queue.push_back(Class { rows, taxa });
            }
            if !best.pushed_back.is_empty() {
                done.push(Class {
                    rows: best.pushed_back,
                    taxa: class.taxa,
                });
            }
        }
        Ok(Some((done, None)))
    }

    /// The try that specializes most rows, then leaves fewest children, then comes first by attribute.
    fn best(&self, class: &Class, watch: &mut dyn Watch) -> Result<Option<Try>, Error> {
        self.tell(watch)?;
        let attributes = 0..self.trees.len();
        let mut tries: Vec<Try> = attributes
            .filter_map(|attribute| self.specialize(class, attribute))
            .collect();
        // Repair only pushes back more: with the promising ones first, others are given up early.
        tries.sort_by_key(|attempt| attempt.pushed_back.len());
        let mut best: Option<Try> = None;
        for attempt in tries {
            let most = best
                .as_ref()
                .map_or(usize::MAX, |best| best.pushed_back.len());
            if let Some(repaired) = Repair::of(self, attempt, most, watch)?
                && best.as_ref().is_none_or(|best| repaired.key() < best.key())
            {
                best = Some(repaired);
            }
        }
        Ok(best)
    }

    /// The class's rows by the taxon one level down; those of invalid children are pushed back.
    fn specialize(&self, class: &Class, attribute: usize) -> Option<Try> {
        let tree = self.trees[attribute];
        let above = class.taxa[attribute];
        let mut order: Vec<(TaxonId, Vec<u32>)> = Vec::new();
        let mut known: FxHashMap<TaxonId, usize> = FxHashMap::default();
        let mut child_of_leaf: FxHashMap<TaxonId, Option<usize>> = FxHashMap::default();
        for row in &class.rows {
            let leaf = self.leaf(attribute, *row);
            let at = *child_of_leaf.entry(leaf).or_insert_with(|| {
                tree.child_towards(above, leaf).map(|taxon| {
                    *known.entry(taxon).or_insert_with(|| {
                        order.push((taxon, Vec::new()));
                        order.len() - 1
                    })
                })
            });
            // A leaf has nothing below it.
            order[at?].1.push(*row);
        }
        let valid = self.are_valid(&order);
        let (mut children, mut pushed_back) = (Vec::new(), Vec::new());
        for ((taxon, rows), valid) in order.into_iter().zip(valid) {
            if valid {
                children.push((taxon, rows));
            } else {
                pushed_back.extend(rows);
            }
        }
        pushed_back.sort_unstable();
        Some(Try {
            attribute,
            children,
            pushed_back,
        })
    }

    /// Puts each attribute at the least common ancestor of the class's rows.
    fn tighten(&self, class: &mut Class) {
        for (attribute, taxon) in class.taxa.iter_mut().enumerate() {
            let tree = self.trees[attribute];
            let leaves = class.rows.iter().map(|row| self.leaf(attribute, *row));
            if let Some(ancestor) = leaves.reduce(|left, right| tree.common_ancestor(left, right)) {
                *taxon = ancestor;
            }
        }
    }
}
