//! Joins classes of a local recoding until all wishes are kept over all classes together.
//!
//! **Definition.** The classes keep the models by themselves, as if nobody had rows in several of them. In rounds all classes are judged
//! together (`ModelSet::together`). Of each wish that cannot be kept over the classes of its person, whatever is raised, two
//! of these classes are joined: those that lose least by it. Wishes come in the order of that loss, then of the classes; one of which two classes
//! were joined in the round already waits for the next. A class that breaks a model, as joined classes may, is joined with the class with which
//! it loses least. Joined classes show the least cells that cover both.
//! **Reading.** What is lost is counted as in `loss`: values that a cell stands for beside one, over those of the domain, with
//! the policy's weights. After [`GENTLE`] rounds all classes of such a wish are joined at once.
//! **Holds because** the last round found everything kept; every round but the last leaves fewer classes, and in one class nobody has rows elsewhere.
//! **Does not find** the least loss. Cells of joined classes may overlap those of others.
//! **Cost.** A count of all rows and a judgement of all classes a round; few rounds, as each takes up all wishes that are not kept.
//! **Oracle.** `tests/xiaotao06/encounters.rs`: everybody's probability from its definition.

use super::axis::Axis;
use super::ending::Cut;
use super::task::Task;
use super::{Progress, Watch};
use crate::error::Error;
use crate::frequency::{Class, Piles};
use crate::recoding::{Cell, Local};
use crate::share::Share;
use crate::table::Table;

/// In so many rounds two classes of each wish are joined; then all.
const GENTLE: u64 = 32;

/// Of a wish about more classes than this only those with neighbouring numbers are compared.
const MANY: usize = 32;

/// The unit of what is lost: one column shown as its top.
const UNIT: u128 = 1 << 20;

/// What became of the classes.
pub(crate) enum Reunited {
    /// All wishes are kept by these classes, which so many fewer are than before.
    Kept(Local, usize),
    /// The table as one class breaks a model.
    Broken,
    /// The search had to stop, for this reason.
    Stopped(String),
}

/// Joins classes until all wishes are kept. The models look at all classes together.
pub(crate) fn reunite(
    task: &Task<'_>,
    table: &Table,
    weights: &[Share],
    local: &Local,
    watch: &mut dyn Watch,
) -> Result<Reunited, Error> {
    let column = |name: &str| {
        let column = table.column(name);
        column.ok_or_else(|| Error::Internal(format!("column `{name}` was not read")))
    };
    let ladders = task.ladders.iter().enumerate();
    let axes = ladders.map(|(at, ladder)| {
        let column = column(ladder.name())?;
        Ok(Axis::new(ladder, local.numbers(at), column))
    });
    let unit = |at| {
        weights
            .get(at)
            .map_or(1.0, |weight: &Share| weight.to_f64())
    };
    let joiner = Joiner {
        axes: axes.collect::<Result<_, Error>>()?,
        units: (0..task.ladders.len())
            .map(|at| (unit(at) * UNIT as f64) as u128)
            .collect(),
    };
    let piles = Piles::new(table, task.models.tracked())?;
    let rows: Vec<u32> = (0..table.rows() as u32).collect();
    let mut classes = Classes::published(local);
    let first = classes.sizes.len();
    for round in 0.. {
        let told = watch.step(&Progress {
            doing: "joining classes of the same persons",
            checked: round,
            ..Progress::default()
        });
        if let Err(error) = told {
            return Ok(Reunited::Stopped(Cut::from(error, watch)?.remark()));
        }
        let count = classes.sizes.len();
        let set = piles.count(&rows, count, &classes.of_row);
        let all: Vec<Class<'_>> = set.classes().collect();
        let joins = match unkept(task, &all) {
            Unkept::Nothing => return Ok(Reunited::Kept(classes.local(local), first - count)),
            _ if count == 1 => return Ok(Reunited::Broken),
            Unkept::Classes(broken) => joiner.nearest(&classes, &broken),
            Unkept::Wishes(torn) if round < GENTLE => joiner.cheapest(&classes, &torn),
            Unkept::Wishes(torn) => {
                let pairs = torn.iter().flat_map(|classes| classes.windows(2));
                pairs.map(|pair| (pair[0], pair[1])).collect()
            }
        };
        classes = joiner.join(&classes, &joins);
    }
    Ok(Reunited::Broken)
}

/// What is not kept by classes.
enum Unkept {
    Nothing,
    /// These classes break a model.
    Classes(Vec<u32>),
    /// Wishes about these classes together.
    Wishes(Vec<Vec<u32>>),
}

fn unkept(task: &Task<'_>, classes: &[Class<'_>]) -> Unkept {
    let numbered = (0..).zip(classes);
    let broken = numbered.filter(|(_, class)| !task.models.holds_apart(**class));
    let broken: Vec<u32> = broken.map(|(number, _)| number).collect();
    if !broken.is_empty() {
        return Unkept::Classes(broken);
    }
    match task.models.together(classes, None) {
        Ok(_) => Unkept::Nothing,
        Err(given_up) => {
            let torn = task.models.torn(classes);
            if torn.is_empty() {
                Unkept::Classes(given_up)
            } else {
                Unkept::Wishes(torn)
            }
        }
    }
}

/// Classes as published.
struct Classes {
    of_row: Vec<u32>,
    sizes: Vec<u64>,
    cells: Vec<Box<[Cell]>>,
}

impl Classes {
    /// The classes of a recoding, where those that look alike are one.
    fn published(local: &Local) -> Self {
        let (of_row, count) = local.published();
        let mut sizes = vec![0; count];
        let mut cells: Vec<Box<[Cell]>> = vec![Box::default(); count];
        for (class, own) in of_row.iter().zip(&local.class_of_row) {
            sizes[*class as usize] += 1;
            if sizes[*class as usize] == 1 {
                cells[*class as usize].clone_from(&local.classes[*own as usize]);
            }
        }
        Self {
            of_row,
            sizes,
            cells,
        }
    }

    fn local(self, like: &Local) -> Local {
        Local {
            class_of_row: self.of_row,
            classes: self.cells,
            numbers: like.numbers.clone(),
        }
    }
}

/// Joins classes, and says what that loses.
struct Joiner<'a> {
    axes: Vec<Axis<'a>>,
    /// What a row loses in a column shown as its top.
    units: Vec<u128>,
}

impl Joiner<'_> {
    /// What a row of a class with these cells loses.
    fn price(&self, cells: impl Iterator<Item = Cell>) -> u128 {
        let columns = self.axes.iter().zip(&self.units).zip(cells);
        let price = |((axis, unit), cell): ((&Axis<'_>, &u128), Cell)| {
            let (values, of) = axis.width_of(cell);
            values.saturating_mul(*unit) / of
        };
        columns.map(price).sum()
    }

    fn both<'c>(&'c self, left: &'c [Cell], right: &'c [Cell]) -> impl Iterator<Item = Cell> + 'c {
        let cells = self.axes.iter().zip(left.iter().zip(right));
        cells.map(|(axis, (left, right))| axis.join(*left, *right))
    }

    /// What joining two classes loses.
    fn loss(&self, classes: &Classes, left: u32, right: u32) -> u128 {
        let [(left, few), (right, many)] = [left, right].map(|class| {
            let class = class as usize;
            (&classes.cells[class][..], u128::from(classes.sizes[class]))
        });
        let together = self.price(self.both(left, right)) * (few + many);
        let alone = |cells: &[Cell]| self.price(cells.iter().copied());
        together.saturating_sub(alone(left) * few + alone(right) * many)
    }

    /// For each class the one with which it loses least.
    fn nearest(&self, classes: &Classes, broken: &[u32]) -> Vec<(u32, u32)> {
        let all = 0..classes.sizes.len() as u32;
        let nearest = |class: &u32| {
            let others = all.clone().filter(|other| other != class);
            let near = others.min_by_key(|other| (self.loss(classes, *class, *other), *other));
            near.map(|near| (*class, near))
        };
        broken.iter().filter_map(nearest).collect()
    }

    /// For each list of classes the two that lose least, unless two of it are joined already.
    fn cheapest(&self, classes: &Classes, lists: &[Vec<u32>]) -> Vec<(u32, u32)> {
        let best = |(at, list): (usize, &Vec<u32>)| {
            let partners = if list.len() > MANY { 1 } else { MANY };
            let pairs = list.iter().enumerate().flat_map(|(at, left)| {
                let others = list[at + 1..].iter().take(partners);
                others.map(|right| (*left, *right))
            });
            let losses = pairs.map(|(left, right)| (self.loss(classes, left, right), left, right));
            losses.min().map(|best| (best, at))
        };
        let mut wanted: Vec<((u128, u32, u32), usize)> =
            lists.iter().enumerate().filter_map(best).collect();
        wanted.sort_unstable();
        let mut groups = Groups::new(classes.sizes.len());
        let mut joins = Vec::new();
        for ((_, left, right), at) in wanted {
            let mut roots: Vec<u32> = lists[at].iter().map(|class| groups.root(*class)).collect();
            roots.sort_unstable();
            if roots.windows(2).all(|pair| pair[0] != pair[1]) {
                groups.join(left, right);
                joins.push((left, right));
            }
        }
        joins
    }

    /// The classes after these are joined, and those that look alike then.
    fn join(&self, classes: &Classes, joins: &[(u32, u32)]) -> Classes {
        let mut groups = Groups::new(classes.sizes.len());
        joins
            .iter()
            .for_each(|(left, right)| groups.join(*left, *right));
        let mut cells = classes.cells.clone();
        for class in 0..classes.sizes.len() as u32 {
            let root = groups.root(class) as usize;
            let joined = self.both(&cells[root], &cells[class as usize]);
            cells[root] = joined.collect();
        }
        // Classes that are gone look like those that they are in.
        for class in 0..classes.sizes.len() as u32 {
            let shown = cells[groups.root(class) as usize].clone();
            cells[class as usize] = shown;
        }
        let of_row = classes.of_row.iter();
        Classes::published(&Local {
            class_of_row: of_row.map(|class| groups.root(*class)).collect(),
            classes: cells,
            numbers: Vec::new(),
        })
    }
}

/// Which classes belong together.
struct Groups(Vec<u32>);

impl Groups {
    fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    fn root(&mut self, mut class: u32) -> u32 {
        while self.0[class as usize] != class {
            let above = self.0[class as usize];
            self.0[class as usize] = self.0[above as usize];
            class = above;
        }
        class
    }

    fn join(&mut self, left: u32, right: u32) {
        let (left, right) = (self.root(left), self.root(right));
        self.0[left.max(right) as usize] = left.min(right);
    }
}
