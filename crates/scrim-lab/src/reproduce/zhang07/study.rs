//! Naive releases of samples: what they tell to somebody who knows the algorithm, and what the sound strategies publish instead.
//!
//! **Definition.** A sample of rows is released by the naive walk along a public chain: the first step whose classes keep the
//! promise. It *tells more* where some row is believed to have some value with a larger share than its class says, and *breaks the
//! promise* where what is believed no longer keeps it ([Zhang07], Definition 1).
//! **Reading.** The chains: Datafly's, and all nodes as `optimal` prefers them by Prec. The same samples for all chains and
//! promises. No row is suppressed: a naive release is a whole table. What cannot be decided with this effort is counted apart.
//! The inclusive strategy is followed along Datafly's chain, and for a few steps after the naive one. It never ends before: of
//! these promises what is believed keeps none that the classes break, since a class's share is the mean of what is believed of its rows.
//! **Cost.** A walk is two roll-ups for each step and a disclosure set, and a few more for the inclusive strategy.

use std::cell::{Cell, RefCell};

use scrim::adversary::{
    BigRational, Chain, Disclosure, Effort, Method, Strategy, Undecided, disclosure, disclosure_by,
};
use scrim::algorithm::{Kept, Progress, Sequence, Task, Watch, walked_to};
use scrim::frequency::Ground;
use scrim::metric::{Marginals, MetricId, Tally, measure};
use scrim::model::ModelSet;
use scrim::recoding::Node;
use scrim::release::disclosure::to_f64;
use scrim::{Error, Random, Share};

use super::super::bench::internal;
use super::kinds::{Promise, Steps};
use super::people::{People, SECRET, Sample};

/// Rows of the samples.
pub(super) const SIZES: [usize; 5] = [12, 20, 50, 200, 1_000];
/// Samples of each size, where the table has rows for it.
const SAMPLES: usize = 20;
/// Rows of the table for each sample: samples of a few rows would be the same again and again.
const ROWS_A_SAMPLE: usize = 25;
/// Larger tables are not walked by the inclusive strategy.
const FEW_ROWS: usize = 2_000;
/// The most tables that are taken one by one for an inclusive set.
const MOST_TABLES: u32 = 3_000;
/// Rows of all random tables of one decision, and how many tables that may be.
const ROWS_DRAWN: u64 = 1 << 30;
const FEWEST_DRAWN: u64 = 1 << 10;
const MOST_DRAWN: u64 = 1 << 20;
/// So many steps after the naive one are judged for the inclusive strategy.
const LATER: usize = 3;

/// What a strategy came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Came {
    /// A release with this Prec.
    Published(f64),
    Nothing,
    /// Too much to decide or to compute.
    Undecided,
}

/// What a naive release tells, found exactly.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tells {
    /// The best ratio of somebody who does not know the algorithm, and of somebody who does.
    pub(super) before: f64,
    pub(super) after: f64,
    /// Rows of which something is believed more than their class says.
    pub(super) risen: usize,
    /// Whether `after` is at least `before`, as it must be: the mean over the rows of a class is the class's share.
    pub(super) sane: bool,
}

/// One sample under one chain and one promise.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) steps: Steps,
    pub(super) promise: Promise,
    pub(super) rows: usize,
    /// From 1; 0 is everybody.
    pub(super) sample: usize,
    pub(super) naive: Came,
    pub(super) exclusive: Came,
    pub(super) inclusive: Came,
    /// How what is told was found.
    pub(super) method: Option<&'static str>,
    /// Nothing where it was not found exactly.
    pub(super) tells: Option<Tells>,
}

impl Run {
    /// Whether the naive release breaks the promise; nothing where that is not decided, or there is none.
    pub(super) fn breaks(&self) -> Option<bool> {
        match (self.naive, self.exclusive) {
            (Came::Published(_), Came::Published(_)) => Some(false),
            (Came::Published(_), Came::Nothing) => Some(true),
            _ => None,
        }
    }
}

/// All runs: samples by size, then everybody.
pub(super) fn runs(people: &People, seed: u64, watch: &mut dyn Watch) -> Result<Vec<Run>, Error> {
    let mut random = Random::new(seed);
    let rows = people.table.rows();
    let samples = (rows / ROWS_A_SAMPLE).clamp(1, SAMPLES);
    let mut all = Vec::new();
    for size in SIZES.into_iter().filter(|size| *size < rows) {
        for number in 1..=samples {
            let sample = people.draw(size, &mut random)?;
            all.extend(of_sample(&sample, number, seed, watch)?);
        }
    }
    all.extend(of_sample(&people.everybody()?, 0, seed, watch)?);
    Ok(all)
}

fn of_sample(
    sample: &Sample,
    number: usize,
    seed: u64,
    watch: &mut dyn Watch,
) -> Result<Vec<Run>, Error> {
    let mut runs = Vec::new();
    for steps in Steps::ALL {
        for promise in Promise::ALL {
            let models = promise.models()?;
            let bed = Bed::new(sample, models)?;
            runs.push(bed.run(steps, promise, number, seed, watch)?);
        }
    }
    Ok(runs)
}

/// A sample, counted.
struct Bed<'a> {
    sample: &'a Sample,
    ground: Ground,
    models: ModelSet,
    weights: Vec<Share>,
}

impl<'a> Bed<'a> {
    fn new(sample: &'a Sample, models: ModelSet) -> Result<Self, Error> {
        let ground = Ground::count(&sample.table, &sample.ladders, models.tracked())?;
        Ok(Self {
            sample,
            ground,
            models,
            weights: vec![Share::ONE; sample.ladders.len()],
        })
    }

    fn run(
        &self,
        steps: Steps,
        promise: Promise,
        number: usize,
        seed: u64,
        watch: &mut dyn Watch,
    ) -> Result<Run, Error> {
        let secret = self.sample.table.column(SECRET);
        let secret = secret.ok_or_else(|| internal("no sensitive column"))?;
        let (kept, values) = Kept::over(&self.models, secret);
        let walk = Walk {
            bed: self,
            sequence: steps.sequence(&self.weights),
            kept,
            values,
            effort: effort(seed, self.sample.table.rows()),
        };
        let mut run = Run {
            steps,
            promise,
            rows: self.sample.table.rows(),
            sample: number,
            naive: Came::Nothing,
            exclusive: Came::Nothing,
            inclusive: Came::Nothing,
            method: None,
            tells: None,
        };
        let Some((node, groups)) = walk.passing(0, Strategy::Naive, watch)? else {
            return Ok(run);
        };
        let naive = Came::Published(self.prec(&node)?);
        run.naive = naive;
        let released = groups.last().cloned().unwrap_or_default();
        match walk.set(groups, Strategy::Naive, watch)? {
            Err(_) => run.exclusive = Came::Undecided,
            Ok(set) => {
                run.method = Some(set.method.name());
                if set.holds(&walk.kept) {
                    run.exclusive = naive;
                }
                let exact = set.method.is_exact();
                run.tells = exact.then(|| walk.tells(&set, &released));
            }
        }
        run.inclusive = match steps {
            Steps::Datafly => walk.inclusive(watch)?,
            // Hundreds of steps that cross: its sets are out of reach even for a dozen rows.
            Steps::Optimal => Came::Undecided,
        };
        Ok(run)
    }

    /// The Prec of a release without suppression.
    fn prec(&self, node: &Node) -> Result<f64, Error> {
        let set = self.ground.set().roll_up(&self.sample.ladders, node);
        let tally = Tally::of_sizes(&self.sample.ladders, &set, self.ground.rows());
        let marginals = Marginals::new(&self.sample.ladders, &self.ground);
        let metrics = measure(&marginals, &self.weights, &tally, true);
        let prec = metrics.prec_exact;
        prec.map(Share::to_f64)
            .ok_or_else(|| internal("Prec is no fraction"))
    }

    /// Whether all classes at a node keep the promise.
    fn passes(&self, node: &Node) -> bool {
        let set = self.ground.set().roll_up(&self.sample.ladders, node);
        set.classes().all(|class| self.models.holds(class))
    }
}

/// A walk along a chain.
struct Walk<'a> {
    bed: &'a Bed<'a>,
    sequence: Sequence,
    kept: Kept<'a>,
    /// The number of each row's value.
    values: Vec<u32>,
    effort: Effort,
}

/// A node, and the groups of the refusals before it that tell something, with its own.
type Reached = (Node, Vec<Vec<u32>>);

impl Walk<'_> {
    /// The first step that passes after so many that do, as one walks to it by a strategy.
    fn passing(
        &self,
        skip: usize,
        strategy: Strategy,
        watch: &mut dyn Watch,
    ) -> Result<Option<Reached>, Error> {
        let bed = self.bed;
        let marginals = Marginals::new(&bed.sample.ladders, &bed.ground);
        let metric = MetricId::Prec.bind(&marginals, &bed.weights, true);
        let task = Task {
            ground: &bed.ground,
            ladders: &bed.sample.ladders,
            models: &bed.models,
            metric: metric.as_ref(),
            limit: 0,
            keeps_rows: true,
        };
        let passed = Cell::new(0);
        let last = RefCell::new(None);
        let is_step = |node: &Node| {
            if !bed.passes(node) {
                return false;
            }
            passed.set(passed.get() + 1);
            last.replace(Some(node.clone()));
            passed.get() > skip
        };
        let kept = &self.kept;
        let reached = walked_to(&task, &self.sequence, kept, strategy, &is_step, watch)?;
        Ok(last.into_inner().zip(reached.map(|(_, groups)| groups)))
    }

    /// What is believed after the last of some steps.
    fn set(
        &self,
        groups: Vec<Vec<u32>>,
        strategy: Strategy,
        watch: &mut dyn Watch,
    ) -> Result<Result<Disclosure, Undecided>, Error> {
        let chain = Chain::new(self.values.clone(), groups);
        let chain = chain.ok_or_else(|| internal("a chain without rows"))?;
        let mut tick = || {
            watch.step(&Progress {
                doing: "counting what remains possible",
                ..Progress::default()
            })
        };
        disclosure(&chain, strategy, &self.kept, &self.effort, &mut tick)
    }

    /// The inclusive set of the last of some steps, table by table only where that is little work.
    fn inclusive_set(
        &self,
        groups: Vec<Vec<u32>>,
        watch: &mut dyn Watch,
    ) -> Result<Option<Disclosure>, Error> {
        let released = groups.last().cloned();
        let of = |groups| Chain::new(self.values.clone(), groups);
        let (Some(chain), Some(alone)) = (of(groups), of(released.into_iter().collect())) else {
            return Ok(None);
        };
        let mut tick = || watch.step(&Progress::default());
        let mut by = |method: Method, chain: &Chain| {
            let strategy = Strategy::Inclusive;
            let effort = &self.effort;
            disclosure_by(method, chain, strategy, &self.kept, effort, &mut tick).map(Result::ok)
        };
        let size = by(Method::Public, &alone)?.and_then(|set| set.size);
        let few = size.is_some_and(|size| size <= MOST_TABLES.into());
        let cheap = [Method::Public, Method::Symmetric];
        let dear = [Method::Histograms, Method::Counting, Method::Literal];
        let dear = dear
            .into_iter()
            .filter(|method| few || *method != Method::Literal);
        for method in cheap.into_iter().chain(dear) {
            if let Some(set) = by(method, &chain)? {
                return Ok(Some(set));
            }
        }
        Ok(None)
    }

    /// What the inclusive strategy comes to.
    fn inclusive(&self, watch: &mut dyn Watch) -> Result<Came, Error> {
        if self.values.len() > FEW_ROWS {
            return Ok(Came::Undecided);
        }
        for skip in 0..=LATER {
            let Some((node, groups)) = self.passing(skip, Strategy::Inclusive, watch)? else {
                return Ok(Came::Nothing);
            };
            match self.inclusive_set(groups, watch)? {
                None => return Ok(Came::Undecided),
                Some(set) if set.holds(&self.kept) => {
                    return Ok(Came::Published(self.bed.prec(&node)?));
                }
                Some(_) => {}
            }
        }
        Ok(Came::Undecided)
    }

    /// What is believed of the rows beside the shares of their classes.
    fn tells(&self, set: &Disclosure, class_of: &[u32]) -> Tells {
        let classes = class_of.iter().max().map_or(0, |most| *most as usize + 1);
        let most = self
            .values
            .iter()
            .max()
            .map_or(0, |most| *most as usize + 1);
        let mut counts = vec![vec![0_u32; most]; classes];
        for (class, value) in class_of.iter().zip(&self.values) {
            counts[*class as usize][*value as usize] += 1;
        }
        let share = |class: u32, value: u32| {
            let own = &counts[class as usize];
            let rows: u32 = own.iter().sum();
            BigRational::new(own[value as usize].into(), rows.into())
        };
        let risen = class_of.iter().enumerate().filter(|(row, class)| {
            set.belief_of_row(*row).is_some_and(|belief| {
                let mut bounds = belief.bounds.iter();
                bounds.any(|(value, low, _)| *low > share(**class, *value))
            })
        });
        let risen = risen.count();
        let pairs = class_of.iter().zip(&self.values);
        let before = pairs.map(|(class, value)| share(*class, *value)).max();
        let after = set.max().map(|highest| highest.high);
        let number = |of: &Option<BigRational>| of.as_ref().map_or(0.0, to_f64);
        Tells {
            before: number(&before),
            after: number(&after),
            risen,
            sane: after >= before,
        }
    }
}

/// How hard each decision is tried: many decisions, so less than `publish` does.
fn effort(seed: u64, rows: usize) -> Effort {
    Effort {
        decide: None,
        states: 10_000,
        confidence: Share::new(999, 1_000).unwrap_or(Share::ZERO),
        seed,
        samples: (ROWS_DRAWN / rows.max(1) as u64).clamp(FEWEST_DRAWN, MOST_DRAWN),
    }
}
