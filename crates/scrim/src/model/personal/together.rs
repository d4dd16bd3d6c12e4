//! The classes of a whole release together: persons whose rows lie in several of them.
//!
//! **Definition.** Of a person *o* with rows in the classes C1, …, Cm and each guard *g* of any of these rows,
//! p(o, g) = 1 − Π (1 − P(Ci, g)) is at most the limit. P(C, g) is the breach probability of g in the class C, whoever of it asks for g.
//! **Reading.** No function of all classes together need be least: what is too high may be lowered in one class or in another. The
//! one that is published comes about in rounds. First each class gets the least function that its own rows ask for. In each
//! round all guards that are too high over their classes are found; for each, the class that shows it with the largest
//! probability (all such classes, where several are equal) among those in which a higher taxon shows it with a lower one raises
//! what shows it to the lowest such taxon; then classes are raised further where their own rows ask for it. So the outcome does
//! not depend on the order of rows, persons or classes. Where a guard can be lowered nowhere, all classes get the
//! least function under which each keeps its share: (1 − P(C, g))^m ≥ 1 − limit for a person in m classes. Where there is none either, the class
//! that shows the guard most is given up: its rows are suppressed, where the limit on suppression allows that. Where values may not
//! be generalized, nothing can be lowered.
//! **Holds because** the last round found no guard that is too high, and compares exactly; and shares that are kept keep the whole.
//! **Does not find** every function there may be: a release that is refused here could exist.
//! **Cost.** O(rows of persons with several rows · log) a round for the classes that changed; a class changes at most as often as the
//! tree has taxa above its values.

use rustc_hash::{FxHashMap, FxHashSet};

use super::returning::widest;
use super::shape::Shape;
use super::tailor::{Demand, Frame, meet};
use super::{Evidence, Fitting, Personal, Tailored, cells};
use crate::hierarchy::TaxonId;

/// A class of a release.
#[derive(Clone, Copy, Debug)]
pub struct Member<'a> {
    /// What models see of it.
    pub evidence: Evidence<'a>,
    /// Whether its rows are suppressed.
    pub suppressed: bool,
    /// Whether its sensitive values are starred as well.
    pub withheld: bool,
}

impl<'a> Member<'a> {
    /// A class whose rows are published.
    pub fn kept(evidence: Evidence<'a>) -> Self {
        Self {
            evidence,
            suppressed: false,
            withheld: false,
        }
    }
}

/// The classes that wishes over several of them concern.
struct Joint<'a> {
    frame: &'a Frame,
    /// What each class shows, where a wish over several classes concerns it.
    shapes: FxHashMap<u32, Held>,
    /// Each guard with the classes over which it is judged.
    wishes: Vec<(u32, Vec<u32>)>,
}

/// A class on its way up.
struct Held {
    shape: Shape,
    /// The guards of its own rows.
    guards: Vec<u32>,
    /// Whether nothing of it can be raised.
    fixed: bool,
    suppressed: bool,
}

/// What a round asks for.
#[derive(Default)]
struct Round {
    /// Classes with the taxa to which they raise their values, and the wish that asks for it.
    raises: Vec<(u32, u32, usize)>,
    given_up: Vec<u32>,
    /// Wishes that cannot be lowered.
    torn: Vec<usize>,
}

/// What came of all rounds.
#[derive(Default)]
struct Raised {
    changed: Vec<u32>,
    given_up: Vec<u32>,
    /// Wishes that cannot be kept, ascending.
    torn: Vec<usize>,
}

impl Personal {
    /// Whether persons may have rows in several classes, so that a class does not tell all.
    pub(crate) fn looks_across(&self) -> bool {
        self.returning.is_some()
    }

    /// The functions of all classes of a release under which everybody's wishes are kept over all classes together, by class;
    /// none for a class of which nothing is told. Otherwise the classes to give up; nothing where that does not help either.
    pub(crate) fn together(
        &self,
        members: &[Member<'_>],
    ) -> Result<Vec<Option<Tailored>>, Vec<u32>> {
        let (mut joint, mut functions) = self.joint(members)?;
        let raised = self.raise(&mut joint, false);
        if !raised.torn.is_empty() || !raised.given_up.is_empty() {
            let shares = self.by_shares(members, &joint.wishes);
            return shares.ok_or(raised.given_up);
        }
        for number in raised.changed {
            if let Some(held) = joint.shapes.get(&number) {
                functions[number as usize] = Some(Tailored {
                    raised: held.shape.raised.iter().copied().map(TaxonId).collect(),
                    lost: held.shape.lost(joint.frame),
                });
            }
        }
        Ok(functions)
    }

    /// The classes of each wish that cannot be kept over all classes together. Each class keeps the wishes of its own rows.
    pub(crate) fn torn(&self, members: &[Member<'_>]) -> Vec<Vec<u32>> {
        let Ok((mut joint, _)) = self.joint(members) else {
            return Vec::new();
        };
        let torn = self.raise(&mut joint, true).torn;
        let classes = torn.into_iter().map(|at| joint.wishes[at].1.clone());
        classes.collect()
    }

    /// How many persons with a wish have rows of different tuples.
    pub(crate) fn spread_persons(&self, tuple_of_row: &[u32]) -> u64 {
        let returning = self.returning.as_deref();
        returning.map_or(0, |returning| returning.spread(tuple_of_row))
    }

    /// What classes show by the least functions that their own rows ask for, which come with it. Otherwise a class that has
    /// none, where it can be given up.
    fn joint(
        &self,
        members: &[Member<'_>],
    ) -> Result<(Joint<'_>, Vec<Option<Tailored>>), Vec<u32>> {
        let wishes = self.wishes_across(members);
        let mut joint = Joint {
            frame: &self.wishes.frame,
            shapes: FxHashMap::default(),
            wishes,
        };
        let concerned = joint.wishes.iter().flat_map(|(_, classes)| classes);
        let mut concerned: Vec<u32> = concerned.copied().collect();
        concerned.sort_unstable();
        concerned.dedup();
        let mut fitting = Fitting::default();
        let mut functions = Vec::with_capacity(members.len());
        let mut concerned = concerned.into_iter().peekable();
        for (number, member) in (0..).zip(members) {
            let function = if member.withheld {
                if !self.bears_withholding(&mut fitting, member) {
                    return Err(Vec::new());
                }
                None
            } else {
                let persons = self.persons(&member.evidence);
                let function = self.tailored(
                    &mut fitting,
                    persons,
                    cells(member.evidence.histogram(0)),
                    &[],
                );
                if function.is_none() {
                    return Err(if member.suppressed {
                        Vec::new()
                    } else {
                        vec![number]
                    });
                }
                function
            };
            functions.push(function);
            if concerned.next_if_eq(&number).is_some() {
                joint.shapes.insert(number, self.held(&mut fitting, member));
            }
        }
        Ok((joint, functions))
    }

    /// The least functions under which each class keeps its share of every wish over several classes; nothing where one has none.
    fn by_shares(
        &self,
        members: &[Member<'_>],
        wishes: &[(u32, Vec<u32>)],
    ) -> Option<Vec<Option<Tailored>>> {
        let mut demands: Vec<Vec<Demand>> = vec![Vec::new(); members.len()];
        for (guard, classes) in wishes {
            let demand = Demand {
                guard: *guard,
                classes: classes.len() as u32,
            };
            classes
                .iter()
                .for_each(|class| demands[*class as usize].push(demand));
        }
        let mut fitting = Fitting::default();
        let function = |(member, demands): (&Member<'_>, Vec<Demand>)| {
            let demands = Demand::strictest(demands);
            if member.withheld {
                let shape = self.held(&mut fitting, member).shape;
                let shown = |guard| shape.exposure(&self.wishes.frame, guard);
                let mut all = demands.iter();
                let keeps =
                    |demand: &Demand| !self.limit.exceeded_in(shown(demand.guard), demand.classes);
                return all.all(keeps).then_some(None);
            }
            let persons = self.persons(&member.evidence);
            let values = cells(member.evidence.histogram(0));
            self.tailored(&mut fitting, persons, values, &demands)
                .map(Some)
        };
        members.iter().zip(demands).map(function).collect()
    }

    /// Whether a class of which only stars are told keeps the wishes of its own rows.
    fn bears_withholding(&self, fitting: &mut Fitting, member: &Member<'_>) -> bool {
        let held = self.held(fitting, member);
        let frame = &self.wishes.frame;
        let exceeded = |guard: &u32| self.limit.exceeded(held.shape.exposure(frame, *guard));
        !held.guards.iter().any(exceeded)
    }

    /// What a class shows that was fitted last, or withholds.
    fn held(&self, fitting: &mut Fitting, member: &Member<'_>) -> Held {
        if member.withheld {
            // Nothing was fitted: all values are shown as the root.
            let persons = self.persons(&member.evidence);
            let wishes = &self.wishes.different;
            let values = cells(member.evidence.histogram(0));
            let values = values.map(|(code, rows)| (wishes[code as usize], rows));
            fitting
                .0
                .fit(&self.wishes.frame, &self.limit, persons, values, &[]);
        }
        let mut shape = fitting.0.shape().clone();
        if member.withheld {
            shape.raised = vec![self.wishes.tree.root().0];
        }
        Held {
            shape,
            guards: fitting.0.guards().to_vec(),
            fixed: member.withheld || !self.generalizes,
            suppressed: member.suppressed,
        }
    }

    /// The guards of persons whose rows lie in several classes, each with the classes; every pair once.
    fn wishes_across(&self, members: &[Member<'_>]) -> Vec<(u32, Vec<u32>)> {
        let Some(returning) = self.returning.as_deref() else {
            return Vec::new();
        };
        let need = self.returning_need();
        let mut rows: Vec<(u32, u32, u32)> = Vec::new();
        for (number, member) in (0..).zip(members) {
            let pairs = returning.pairs(member.evidence.histogram(need));
            rows.extend(pairs.map(|(person, guard, _)| (person, number, guard)));
        }
        rows.sort_unstable();
        let mut known: FxHashSet<(u32, Vec<u32>)> = FxHashSet::default();
        let mut wishes = Vec::new();
        for own in rows.chunk_by(|left, right| left.0 == right.0) {
            let mut classes: Vec<u32> = own.iter().map(|(_, class, _)| *class).collect();
            classes.dedup();
            if classes.len() < 2 {
                continue;
            }
            let guards = own.iter().map(|(_, _, guard)| *guard);
            for guard in widest(&self.wishes.frame, guards) {
                if known.insert((guard, classes.clone())) {
                    wishes.push((guard, classes.clone()));
                }
            }
        }
        wishes
    }

    /// Raises values in rounds until every wish is kept. Where one cannot be kept that is the end, or, with patience, it
    /// is put aside.
    fn raise(&self, joint: &mut Joint<'_>, patient: bool) -> Raised {
        let mut open: Vec<usize> = (0..joint.wishes.len()).collect();
        let mut wishes_of: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
        for (at, (_, classes)) in joint.wishes.iter().enumerate() {
            for class in classes {
                wishes_of.entry(*class).or_default().push(at);
            }
        }
        let mut all = Raised::default();
        loop {
            open.retain(|at| all.torn.binary_search(at).is_err());
            let mut round = self.round(joint, &open);
            let raises = round.raises.iter();
            let mut changed: Vec<u32> = raises.map(|(class, _, _)| *class).collect();
            changed.sort_unstable();
            changed.dedup();
            for class in &changed {
                let Some(held) = joint.shapes.get_mut(class) else {
                    continue;
                };
                if !meet(&mut held.shape, joint.frame, &self.limit, &held.guards, &[]) {
                    round.given_up.push(*class);
                    let asked = round.raises.iter().filter(|(raised, _, _)| raised == class);
                    round.torn.extend(asked.map(|(_, _, at)| *at));
                }
            }
            all.torn.extend(round.torn);
            all.torn.sort_unstable();
            all.torn.dedup();
            all.given_up.extend(round.given_up);
            let fails = !all.torn.is_empty() || !all.given_up.is_empty();
            if changed.is_empty() || (fails && !patient) {
                all.finish(joint);
                return all;
            }
            let concerned = changed.iter().flat_map(|class| &wishes_of[class]);
            open = concerned.copied().collect();
            open.sort_unstable();
            open.dedup();
            all.changed.extend(changed);
        }
    }

    /// Raises what these wishes ask for.
    fn round(&self, joint: &mut Joint<'_>, open: &[usize]) -> Round {
        let mut round = Round::default();
        for at in open {
            let (guard, classes) = &joint.wishes[*at];
            let shown = classes.iter().filter_map(|class| joint.shapes.get(class));
            let shown = shown.map(|held| held.shape.exposure(joint.frame, *guard));
            if self.limit.exceeded_together(shown) {
                joint.lower(*at, &mut round);
            }
        }
        round.raises.sort_unstable();
        for (class, taxon, _) in &round.raises {
            if let Some(held) = joint.shapes.get_mut(class) {
                held.shape.raise(joint.frame, *taxon);
            }
        }
        round
    }
}

impl Raised {
    fn finish(&mut self, joint: &Joint<'_>) {
        let is_kept = |class: &u32| joint.shapes.get(class).is_some_and(|held| !held.suppressed);
        self.given_up.retain(is_kept);
        for list in [&mut self.changed, &mut self.given_up] {
            list.sort_unstable();
            list.dedup();
        }
    }
}

impl Joint<'_> {
    /// Says where a guard that is too high is lowered, or what is given up.
    fn lower(&self, at: usize, round: &mut Round) {
        let (guard, classes) = (self.wishes[at].0, &self.wishes[at].1);
        let held = classes
            .iter()
            .filter_map(|class| Some((*class, self.shapes.get(class)?)));
        let shown = held.filter_map(|(class, held)| {
            let missing = held.shape.exposure(self.frame, guard).log_of_missing();
            (missing < 0.0).then_some((class, held, missing))
        });
        // The least logarithm of what is missing is the largest probability.
        let most = |shown: &[(u32, f64)]| shown.iter().map(|(_, log)| *log).fold(0.0, f64::min);
        let lower = shown.clone().filter(|(_, held, _)| !held.fixed);
        let lower = lower.filter_map(|(class, held, missing)| {
            Some(((class, missing), held.shape.lower(self.frame, guard)?))
        });
        let (places, targets): (Vec<(u32, f64)>, Vec<u32>) = lower.unzip();
        let least = most(&places);
        let worst = places
            .iter()
            .zip(&targets)
            .filter(|(place, _)| place.1 <= least);
        round
            .raises
            .extend(worst.map(|((class, _), target)| (*class, *target, at)));
        if !places.is_empty() {
            return;
        }
        round.torn.push(at);
        let open: Vec<(u32, f64)> = shown
            .filter(|(_, held, _)| !held.suppressed)
            .map(|(class, _, missing)| (class, missing))
            .collect();
        let least = most(&open);
        let worst = open.iter().filter(|(_, missing)| *missing <= least);
        round.given_up.extend(worst.map(|(class, _)| *class));
    }
}
