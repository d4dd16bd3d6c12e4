//! The onlooker who knows the algorithm: disclosure sets.
//!
//! **Definition.** An algorithm tries partitions in a known order and releases one. Who sees the release knows more than
//! the release says: that every earlier step was refused. The *disclosure set* is the tables that the release allows for which the
//! algorithm would have come as far; what is believed of a row is the share of these in which it has a value ([Zhang07], Def. 1 and
//! Tables 3 and 5).
//! **Reading.** Distinct assignments of values to rows are counted. The chain must not depend on the secret. A group that passes is
//! one whose counts are a belief that is allowed. Where no table would have led to the release nothing is decided. The errata of the
//! paper are E14 to E16 of `docs/papers.md`.
//! **Holds because** each method says why in its file. Exact ones come first, then bounds, of which a yes is sound, and a no where they
//! refute the property; a bound that is not good enough decides nothing. Under the inclusive strategy a test that is too cautious would change what is known later: bounds are
//! used there only where at most one earlier step could have been an end, for that one is judged by its classes alone.
//! **Does not protect against** an onlooker who also knows values of some rows.
//! **Cost.** The share of tables is a matter of counting: exponential in the worst case, limited by [`Effort`].
//! **Oracle.** `testkit::oracle::disclosure_set`.

mod belief;
mod certificate;
mod chain;
mod counting;
mod deal;
mod effort;
mod exact;
mod frontier;
mod histograms;
mod literal;
mod low;
mod margins;
mod numbers;
mod order;
mod property;
mod refute;
mod sampling;
mod scene;
mod symmetric;
mod tails;
mod union;

pub use belief::{Believed, Disclosure, Draws, Highest};
pub use chain::{Chain, passing};
pub use effort::{Decide, Effort, Method, Strategy, Undecided};
pub use property::{BigRational, Property};

use chain::Partition;
use effort::{Budget, Found, Stop, give_up};
use scene::Scene;

use crate::error::Error;

/// Says whether to go on: called now and then.
type Tick<'t> = dyn FnMut() -> Result<(), Error> + 't;

/// States for the size of a set whose beliefs are known without it.
const STATES_FOR_SIZE: usize = 20_000;

/// What is believed after the last step; `Undecided` where this effort does not tell.
///
/// A method that gives bounds decides where they show that the property holds, or that it does not: then [`Disclosure::holds`] is
/// false for what it gives.
pub fn disclosure(
    chain: &Chain,
    strategy: Strategy,
    property: &dyn Property,
    effort: &Effort,
    tick: &mut dyn FnMut() -> Result<(), Error>,
) -> Result<Result<Disclosure, Undecided>, Error> {
    told(match strategy {
        Strategy::Inclusive => inclusive(chain, property, effort, tick),
        Strategy::Naive | Strategy::Exclusive => exclusive(chain, property, effort, tick),
    })
}

/// What one method makes of the last step, where it applies; bounds as they come, whether or not they show that the property holds.
pub fn disclosure_by(
    method: Method,
    chain: &Chain,
    strategy: Strategy,
    property: &dyn Property,
    effort: &Effort,
    tick: &mut dyn FnMut() -> Result<(), Error>,
) -> Result<Result<Disclosure, Undecided>, Error> {
    let scene = match (strategy, method) {
        (_, Method::Literal) => Scene::of(chain, property, chain.earlier().iter().collect()),
        (Strategy::Inclusive, _) => inclusive_scene(chain, property),
        _ => Scene::exclusive(chain, property),
    };
    let mut budget = Budget::new(effort.states, scene.chain.rows(), tick);
    let deep = strategy == Strategy::Inclusive && scene.steps.len() > 1;
    told(match method {
        Method::Public if scene.steps.is_empty() => Ok(public(&scene)),
        Method::Public => give_up("some earlier step could have passed"),
        Method::Symmetric => symmetric::symmetric(&scene, effort.seed),
        Method::Literal => literal::literal(&scene, strategy, &mut budget),
        Method::Histograms if deep => histograms::histograms(&scene, &mut budget),
        Method::Histograms => give_up("this is a method of the inclusive strategy on three steps"),
        Method::Counting | Method::Frontier if scene.steps.is_empty() => {
            give_up("no earlier step tells anything")
        }
        Method::Counting | Method::Frontier if !deep => exact::exact(&scene, &mut budget),
        Method::Certificate if strategy != Strategy::Inclusive => {
            certificate::certificate(&scene, tick)
        }
        Method::Union if strategy != Strategy::Inclusive => union::union(&scene, tick),
        Method::Sampling if strategy != Strategy::Inclusive => {
            sampling::sampling(&scene, effort, tick)
        }
        _ => give_up("this method is not one for the inclusive strategy"),
    })
}

fn told(found: Found<Disclosure>) -> Result<Result<Disclosure, Undecided>, Error> {
    match found {
        Ok(found) => Ok(Ok(found)),
        Err(Stop::GaveUp(why)) => Ok(Err(Undecided { why })),
        Err(Stop::Impossible) => Ok(Err(Undecided {
            why: "no table would have led to this release".to_owned(),
        })),
        Err(Stop::Error(error)) => Err(error),
    }
}

/// The first answer; where there is none, why not, method by method.
struct Attempts {
    whys: Vec<String>,
}

impl Attempts {
    fn try_one(&mut self, found: Found<Disclosure>) -> Found<Option<Disclosure>> {
        match found {
            Err(Stop::GaveUp(why)) => {
                if !self.whys.contains(&why) {
                    self.whys.push(why);
                }
                Ok(None)
            }
            Ok(found) => Ok(Some(found)),
            Err(stop) => Err(stop),
        }
    }
}

fn exclusive(
    chain: &Chain,
    property: &dyn Property,
    effort: &Effort,
    tick: &mut Tick<'_>,
) -> Found<Disclosure> {
    let scene = Scene::exclusive(chain, property);
    if scene.steps.is_empty() {
        return Ok(public(&scene));
    }
    let mut attempts = Attempts { whys: Vec::new() };
    let may = |decide: Decide| effort.decide.is_none_or(|only| only == decide);
    if may(Decide::Exact)
        && let Some(found) = exactly(&scene, effort, &mut attempts, tick)?
    {
        return Ok(found);
    }
    if let Some(found) = bounded(&scene, effort, &mut attempts, tick)? {
        return Ok(found);
    }
    give_up(attempts.whys.join("; "))
}

/// The methods that give bounds, of which a yes is sound where all earlier steps were judged by their classes alone.
fn bounded(
    scene: &Scene<'_>,
    effort: &Effort,
    attempts: &mut Attempts,
    tick: &mut Tick<'_>,
) -> Found<Option<Disclosure>> {
    let may = |decide: Decide| effort.decide.is_none_or(|only| only == decide);
    if may(Decide::Certificate) {
        let often = certificate::certificate(scene, tick);
        if let Some(found) = attempts.try_one(shown(scene, often))? {
            return Ok(Some(found));
        }
        let seldom = union::union(scene, tick);
        if let Some(found) = attempts.try_one(shown(scene, seldom))? {
            return Ok(Some(found));
        }
    }
    if may(Decide::Sampling) {
        let drawn = sampling::sampling(scene, effort, tick);
        return attempts.try_one(shown(scene, drawn));
    }
    Ok(None)
}

/// The exact methods where one refusal after the other is known to be one of groups.
fn exactly(
    scene: &Scene<'_>,
    effort: &Effort,
    attempts: &mut Attempts,
    tick: &mut Tick<'_>,
) -> Found<Option<Disclosure>> {
    if let Ok(mut found) = symmetric::symmetric(scene, effort.seed) {
        let mut budget = Budget::new(effort.states.min(STATES_FOR_SIZE), scene.chain.rows(), tick);
        let counted = exact::exact(scene, &mut budget);
        found.size = attempts.try_one(counted)?.and_then(|counted| counted.size);
        return Ok(Some(found));
    }
    let counted = exact::exact(
        scene,
        &mut Budget::new(effort.states, scene.chain.rows(), tick),
    );
    if let Some(found) = attempts.try_one(counted)? {
        return Ok(Some(found));
    }
    let all = literal::literal(
        scene,
        Strategy::Exclusive,
        &mut Budget::new(effort.states, scene.chain.rows(), tick),
    );
    attempts.try_one(all)
}

/// Bounds decide where they show that the property holds, or that it does not.
fn shown(scene: &Scene<'_>, found: Found<Disclosure>) -> Found<Disclosure> {
    let found = found?;
    if found.holds(scene.property) || refute::is_refuted(scene, &found) {
        return Ok(found);
    }
    match found.draws {
        Some(Draws { drawn, accepted }) => give_up(format!(
            "after {drawn} random tables, {accepted} of them possible, the bounds do not show that the property holds"
        )),
        None if found.method == Method::Union => {
            give_up("the bounds of the union bound do not show that the property holds")
        }
        None => give_up("the bounds of the certificate do not show that the property holds"),
    }
}

/// Everything that the release allows is possible.
fn public(scene: &Scene<'_>) -> Disclosure {
    let beliefs = (0..scene.kinds.len())
        .map(|kind| scene.plain(kind))
        .collect();
    let found = Disclosure::new(
        scene.chain,
        Method::Public,
        scene.kind_of_row.clone(),
        beliefs,
    );
    found.sized(scene.tables())
}

/// The steps that an inclusive walk learns from.
///
/// A step that no table at all passes is never an end: what is believed of the rows of a class that fails is on average what the class
/// says, so that some belief is as high as what fails. A step that repeats the one before decides nothing new. Where all steps lie within the release, the tables that an earlier step
/// allows are among those that the release allows; so first steps that surely fail are never ends, and may be left out.
fn inclusive_scene<'a>(chain: &'a Chain, property: &'a dyn Property) -> Scene<'a> {
    let mut steps: Vec<_> = chain.earlier().iter().collect();
    steps.retain(|step| !no_table_passes(chain, property, step));
    steps.dedup();
    let scene = Scene::of(chain, property, steps);
    if scene.steps.len() > 1 && !scene.steps.iter().all(|step| step.refines(scene.released)) {
        return scene;
    }
    let fails = scene
        .steps
        .iter()
        .take_while(|step| scene.surely_fails(step))
        .count();
    Scene::of(chain, property, scene.steps[fails..].to_vec())
}

/// Whether a group has more rows than its values can have without one that fails: then it fails in every table.
fn no_table_passes(chain: &Chain, property: &dyn Property, step: &Partition) -> bool {
    step.sizes().iter().any(|size| {
        let failing = property.least_failing(*size);
        failing.is_some_and(|failing| {
            let most = u64::from(failing.saturating_sub(1)) * chain.values() as u64;
            u64::from(*size) > most
        })
    })
}

fn inclusive(
    chain: &Chain,
    property: &dyn Property,
    effort: &Effort,
    tick: &mut Tick<'_>,
) -> Found<Disclosure> {
    if effort.decide.is_some_and(|decide| decide != Decide::Exact) {
        return give_up("bounds are not sound under the inclusive strategy: use exclusive");
    }
    let scene = inclusive_scene(chain, property);
    let mut attempts = Attempts { whys: Vec::new() };
    match scene.steps.len() {
        0 => return Ok(public(&scene)),
        1 => {
            if let Some(found) = exactly(&scene, effort, &mut attempts, tick)? {
                return Ok(found);
            }
            // The one step that could have been an end was judged by its classes alone: the set is the exclusive one.
            if effort.decide.is_none()
                && let Some(found) = bounded(&scene, effort, &mut attempts, tick)?
            {
                return Ok(found);
            }
            return give_up(attempts.whys.join("; "));
        }
        _ => {}
    }
    if let Some(found) = attempts.try_one(symmetric::symmetric(&scene, effort.seed))? {
        return Ok(found);
    }
    let counted = histograms::histograms(
        &scene,
        &mut Budget::new(effort.states, scene.chain.rows(), tick),
    );
    if let Some(found) = attempts.try_one(counted)? {
        return Ok(found);
    }
    let all = literal::literal(
        &scene,
        Strategy::Inclusive,
        &mut Budget::new(effort.states, scene.chain.rows(), tick),
    );
    if let Some(found) = attempts.try_one(all)? {
        return Ok(found);
    }
    give_up(format!(
        "inclusive disclosure sets of {} steps cannot be computed exactly for a table of this size: use exclusive ({})",
        scene.steps.len() + 1,
        attempts.whys.join("; ")
    ))
}
