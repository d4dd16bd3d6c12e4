//! The walk along a chain, and what it ends with.

use super::property::{Kept, keeps_public};
use super::sequence::Sequence;
use crate::adversary::{
    Chain, Disclosure, Effort, Property, Strategy, Undecided, disclosure as disclosure_set,
};
use crate::algorithm::task::Task;
use crate::algorithm::{Found, Progress, Watch};
use crate::error::Error;
use crate::model::Monotone;
use crate::recoding::{Node, Recoding, Suppressed};
use crate::table::{Code, Column};

/// A walk.
#[derive(Debug)]
pub struct ChainWalk<'a> {
    /// What is done where a release would tell too much.
    pub strategy: Strategy,
    /// The steps.
    pub sequence: &'a Sequence,
    /// How hard to try.
    pub effort: Effort,
    /// The sensitive column.
    pub secret: &'a Column,
}

/// What a walk ends with. Steps are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// This step is released.
    Published(usize),
    /// The classes of this step keep the models, but its disclosure set does not.
    Leaks(usize),
    /// Whether the disclosure set of this step keeps the models could not be decided, and why.
    Undecided(usize, String),
    /// No step keeps the models.
    NoStep,
}

/// What was decided, and on what ground.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The strategy.
    pub strategy: Strategy,
    /// What it ends with.
    pub outcome: Outcome,
    /// The steps up to where it ended, in order.
    pub steps: Vec<Node>,
    /// The disclosure set that was judged last, where it is known, and of which step.
    pub disclosure: Option<Disclosure>,
    judged: Option<usize>,
    /// The sensitive values, by number in the disclosure set.
    pub codes: Vec<Code>,
    /// What the other strategies would have ended with; none where that is too much to compute.
    pub otherwise: Vec<(Strategy, Option<Outcome>)>,
}

impl Decision {
    /// The step whose disclosure set was judged last.
    pub fn judged(&self) -> Option<usize> {
        self.judged
    }

    /// The plan, where a step is released.
    pub fn found(&self, checked: u64) -> Option<Found> {
        let Outcome::Published(step) = self.outcome else {
            return None;
        };
        let node = self.steps.get(step - 1)?.clone();
        Some(Found {
            ties: vec![node.clone()],
            tied_tables: None,
            recoding: Recoding::FullDomain {
                node,
                suppressed: Suppressed::default(),
            },
            checked,
            proven: false,
            bound: None,
            notes: Vec::new(),
            remarks: Vec::new(),
        })
    }
}

/// A table of more rows is not walked a second time to tell what the inclusive strategy would do.
const FEW_ROWS: usize = 2_000;
/// Through more steps the inclusive strategy is not followed: each asks again what all before it would have done.
const MOST_INCLUSIVE: usize = 8;

/// How many states or instances that may cost.
const FEW_STATES: usize = 300_000;

/// A step that was refused, and not for public reasons only.
struct Refused {
    node: Node,
    groups: Vec<u32>,
}

/// One step, judged.
struct Judged {
    node: Node,
    /// The class of each row; none where models that do not look at sensitive values refuse the step.
    groups: Option<Vec<u32>>,
    passes: bool,
}

/// A walk under one strategy.
struct Walked {
    outcome: Outcome,
    steps: Vec<Node>,
    disclosure: Option<Disclosure>,
    judged: Option<usize>,
}

impl ChainWalk<'_> {
    /// Walks.
    pub fn walk(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Result<Decision, Error> {
        let (kept, values) = Kept::over(task.models, self.secret);
        if let Some(model) = kept.speechless() {
            return Err(Error::Unsound {
                algorithm: "chain",
                what: format!("`{model}` says nothing about what may be believed of one row"),
                hint: Some("publish without [disclosure], or with another model".to_owned()),
            });
        }
        let walk = Walk {
            task,
            kept: &kept,
            values: &values,
            sequence: self.sequence,
        };
        let walked = walk.run(self.strategy, &self.effort, watch)?;
        let otherwise = self.otherwise(&walk, &walked, watch)?;
        Ok(Decision {
            strategy: self.strategy,
            outcome: walked.outcome,
            steps: walked.steps,
            disclosure: walked.disclosure,
            judged: walked.judged,
            codes: kept.codes().to_vec(),
            otherwise,
        })
    }

    /// What the other two strategies would have done.
    fn otherwise(
        &self,
        walk: &Walk<'_>,
        walked: &Walked,
        watch: &mut dyn Watch,
    ) -> Result<Vec<(Strategy, Option<Outcome>)>, Error> {
        let first = match (self.strategy, &walked.outcome) {
            // Both stop at the first step whose classes keep the models.
            (Strategy::Naive | Strategy::Exclusive, outcome) => Some(outcome.step()),
            (Strategy::Inclusive, _) => None,
        };
        let mut all = Vec::new();
        for strategy in [Strategy::Naive, Strategy::Exclusive, Strategy::Inclusive] {
            if strategy == self.strategy {
                continue;
            }
            let outcome = match (strategy, first) {
                (Strategy::Naive | Strategy::Exclusive, Some(None)) => Some(Outcome::NoStep),
                (Strategy::Naive, Some(Some(step))) => Some(Outcome::Published(step)),
                (Strategy::Exclusive, Some(Some(step))) => {
                    let holds = walked.disclosure.as_ref().map(|set| set.holds(walk.kept));
                    holds.map(|holds| {
                        if holds {
                            Outcome::Published(step)
                        } else {
                            Outcome::Leaks(step)
                        }
                    })
                }
                _ => {
                    let states = match strategy {
                        Strategy::Inclusive => self.effort.states.min(FEW_STATES),
                        _ => self.effort.states,
                    };
                    let effort = Effort {
                        states,
                        ..self.effort
                    };
                    let small = walk.values.len() <= FEW_ROWS || strategy != Strategy::Inclusive;
                    let outcome = small
                        .then(|| walk.run(strategy, &effort, watch))
                        .transpose()?;
                    outcome
                        .map(|walked| walked.outcome)
                        .filter(|outcome| !matches!(outcome, Outcome::Undecided(..)))
                }
            };
            all.push((strategy, outcome));
        }
        Ok(all)
    }
}

impl Outcome {
    /// The step at which it ended.
    pub fn step(&self) -> Option<usize> {
        match self {
            Self::Published(step) | Self::Leaks(step) | Self::Undecided(step, _) => Some(*step),
            Self::NoStep => None,
        }
    }
}

struct Walk<'a> {
    task: &'a Task<'a>,
    kept: &'a Kept<'a>,
    values: &'a [u32],
    sequence: &'a Sequence,
}

impl Walk<'_> {
    fn run(
        &self,
        strategy: Strategy,
        effort: &Effort,
        watch: &mut dyn Watch,
    ) -> Result<Walked, Error> {
        let mut steps = Vec::new();
        let mut refused: Vec<Refused> = Vec::new();
        let (mut disclosure, mut judged_last) = (None, None);
        for node in self.sequence.steps(self.task) {
            watch.step(&Progress {
                doing: "walking the chain",
                checked: steps.len() as u64,
                decided: None,
                best: Some(node.clone()),
                cost: None,
            })?;
            let judged = self.judge(node);
            steps.push(judged.node.clone());
            let number = steps.len();
            let Some(groups) = judged.groups else {
                continue;
            };
            if strategy == Strategy::Inclusive || judged.passes {
                if strategy == Strategy::Inclusive && refused.len() > MOST_INCLUSIVE {
                    let why = format!(
                        "the inclusive strategy is followed through at most {MOST_INCLUSIVE} steps that might have been released; use exclusive"
                    );
                    return Ok(Walked {
                        outcome: Outcome::Undecided(number, why),
                        steps,
                        disclosure: None,
                        judged: judged_last,
                    });
                }
                judged_last = Some(number);
                let steps_before = refused.iter().map(|step| step.groups.clone());
                let chain = steps_before.chain([groups.clone()]).collect();
                let found = self.set(strategy, effort, chain, watch)?;
                let outcome = self.ends(strategy, number, judged.passes, &found);
                disclosure = found.ok();
                if let Some(outcome) = outcome {
                    return Ok(Walked {
                        outcome,
                        steps,
                        disclosure,
                        judged: judged_last,
                    });
                }
            }
            let refusal = Refused {
                node: judged.node,
                groups,
            };
            self.remember(strategy, &mut refused, refusal);
        }
        Ok(Walked {
            outcome: Outcome::NoStep,
            steps,
            disclosure,
            judged: judged_last,
        })
    }

    fn judge(&self, node: Node) -> Judged {
        let task = self.task;
        let (set, targets) = task.ground.set().roll_up_with_map(task.ladders, &node);
        let public = set.classes().all(|class| keeps_public(task.models, class));
        let passes = public && set.classes().all(|class| task.models.holds(class));
        Judged {
            node,
            groups: public.then(|| self.of_rows(&targets)),
            passes,
        }
    }

    /// The class of each row.
    fn groups(&self, node: &Node) -> Vec<u32> {
        let ground = self.task.ground.set();
        self.of_rows(&ground.roll_up_with_map(self.task.ladders, node).1)
    }

    fn of_rows(&self, targets: &[u32]) -> Vec<u32> {
        let tuples = self.task.ground.tuple_of_row().iter();
        tuples.map(|tuple| targets[*tuple as usize]).collect()
    }

    /// A refusal of a step tells nothing that the refusal of a step above it does not, where unions of what passes pass.
    fn remember(&self, strategy: Strategy, refused: &mut Vec<Refused>, step: Refused) {
        if strategy != Strategy::Inclusive && self.kept.monotone() != Monotone::No {
            if refused
                .iter()
                .any(|other| other.node.generalizes(&step.node))
            {
                return;
            }
            refused.retain(|other| !step.node.generalizes(&other.node));
        }
        refused.push(step);
    }

    /// The disclosure set of the last of some steps.
    fn set(
        &self,
        strategy: Strategy,
        effort: &Effort,
        steps: Vec<Vec<u32>>,
        watch: &mut dyn Watch,
    ) -> Result<Result<Disclosure, Undecided>, Error> {
        let chain = Chain::new(self.values.to_vec(), steps);
        let chain = chain.ok_or_else(|| Error::Internal("a chain without rows".to_owned()))?;
        let mut ticks = 0;
        let mut tick = || {
            ticks += 1;
            watch.step(&Progress {
                doing: "counting what remains possible",
                checked: ticks,
                ..Progress::default()
            })
        };
        disclosure_set(&chain, strategy, self.kept, effort, &mut tick)
    }

    /// Whether the walk ends at a step with this set, and how.
    fn ends(
        &self,
        strategy: Strategy,
        number: usize,
        passes: bool,
        found: &Result<Disclosure, Undecided>,
    ) -> Option<Outcome> {
        // Where only the most frequent value counts, some belief is as high as its class's share: what fails needs no set.
        let surely_not = !passes && self.kept.least_failing(1).is_some();
        let holds = found.as_ref().map(|found| found.holds(self.kept));
        match (strategy, holds) {
            (Strategy::Naive, _) | (_, Ok(true)) => Some(Outcome::Published(number)),
            (Strategy::Inclusive, Err(_)) if surely_not => None,
            (_, Err(undecided)) => Some(Outcome::Undecided(number, undecided.why.clone())),
            (Strategy::Exclusive, Ok(false)) => Some(Outcome::Leaks(number)),
            (Strategy::Inclusive, Ok(false)) => None,
        }
    }
}

/// A step's number from 1, and the groups of the refusals before it that tell something, with its own.
pub(super) type Reached = (usize, Vec<Vec<u32>>);

/// Walks to the first step that a release may be; none where it is no step.
pub fn walked_to(
    task: &Task<'_>,
    sequence: &Sequence,
    kept: &Kept<'_>,
    strategy: Strategy,
    is_step: &dyn Fn(&Node) -> bool,
    watch: &mut dyn Watch,
) -> Result<Option<Reached>, Error> {
    let walk = Walk {
        task,
        kept,
        values: &[],
        sequence,
    };
    let mut refused = Vec::new();
    for (number, node) in (1..).zip(sequence.steps(task)) {
        watch.step(&Progress {
            doing: "walking the chain",
            checked: number as u64,
            ..Progress::default()
        })?;
        let ends = is_step(&node);
        let node_groups = walk.judge(node);
        if ends {
            let groups = walk.groups(&node_groups.node);
            let steps = refused.into_iter().map(|step: Refused| step.groups);
            return Ok(Some((number, steps.chain([groups]).collect())));
        }
        if let Some(groups) = node_groups.groups {
            let node = node_groups.node;
            walk.remember(strategy, &mut refused, Refused { node, groups });
        }
    }
    Ok(None)
}
