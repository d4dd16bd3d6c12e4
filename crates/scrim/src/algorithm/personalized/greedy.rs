//! The greedy search, Figure 4: from the uncut domains, always the split that lowers the information loss most.
//!
//! **Reading.** Candidates in the order attribute, part ascending, split point ascending; a later one must be strictly better.
//! A split that leaves one side without rows is legal: it trims. A class that cannot be published costs more than anything.
//! **Cost.** What a split of each place does to each class is kept. A split changes the classes that it divides, and nothing
//! else is judged again: a row is judged once for each split that divides its class.

use rayon::prelude::*;

use super::attribute::{Attribute, Part};
use super::crowd::{Crowd, Scratch, Worth};
use super::effects::{Class, Effects, Judge};
use super::rule::Rule;
use crate::algorithm::ending::Cut;
use crate::algorithm::{Progress, Watch};
use crate::error::Error;

/// A part with what is known of it.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    part: Part,
    /// Whether it must not be split.
    pub(super) whole: bool,
    /// The classes in it; some may be gone.
    classes: Vec<u32>,
    /// What splitting along its taxonomy would change in the classes.
    along: Worth,
    /// The best split, where there is one,
    best: Option<Candidate>,
    /// unless something changed.
    pub(super) stale: bool,
}

/// A split, and what it changes.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    change: Worth,
    parts: Vec<Part>,
}

/// The state of the search.
#[derive(Clone)]
pub(super) struct Greedy<'a> {
    judge: Judge<'a>,
    pub(super) classes: Vec<Option<Class>>,
    pub(super) pieces: Vec<Vec<Piece>>,
    /// The pieces of each attribute in ascending order.
    order: Vec<Vec<u32>>,
    /// The steps of all classes, by attribute and place.
    steps: Vec<Vec<Worth>>,
    worth: Worth,
    checked: u64,
}

/// Where the search ended.
#[derive(Clone, Debug)]
pub(super) struct Ended {
    pub(super) parts: Vec<Vec<Part>>,
    pub(super) worth: Worth,
    pub(super) rounds: u64,
    pub(super) checked: u64,
    /// Why it ended early, where it did.
    pub(super) cut: Option<Cut>,
}

impl<'a> Greedy<'a> {
    pub(super) fn new(
        crowd: &'a Crowd<'a>,
        attributes: &'a [Attribute],
        places: &'a [Vec<u32>],
    ) -> Self {
        let mut greedy = Self {
            judge: Judge {
                crowd,
                attributes,
                places,
            },
            classes: Vec::new(),
            pieces: Vec::new(),
            order: Vec::new(),
            steps: attributes
                .iter()
                .map(|attribute| vec![Worth::default(); attribute.places as usize + 1])
                .collect(),
            worth: Worth::default(),
            checked: 0,
        };
        for attribute in attributes {
            let part = attribute.uncut();
            greedy.worth.cost += attribute.cost(part);
            greedy.order.push(vec![0]);
            greedy.pieces.push(vec![Piece {
                part,
                whole: false,
                classes: Vec::new(),
                along: Worth::default(),
                best: None,
                stale: true,
            }]);
        }
        let all = (0..crowd.rows.len() as u32).collect();
        greedy.add(vec![(all, vec![0; attributes.len()])]);
        greedy
    }

    /// Splits until no split is better, or until the search must stop: a table that may be published stays one.
    pub(super) fn run(mut self, rule: Rule, watch: &mut dyn Watch) -> Result<Ended, Error> {
        let mut rounds = 0;
        let mut cut = None;
        while let Some((attribute, piece, candidate)) = self.best(rule) {
            self.split(attribute, piece, &candidate);
            rounds += 1;
            if let Err(error) = self.tell(watch) {
                cut = Some(Cut::from(error, watch)?);
                break;
            }
        }
        Ok(self.ended(rounds, cut))
    }

    pub(super) fn tell(&self, watch: &mut dyn Watch) -> Result<(), Error> {
        watch.step(&Progress {
            doing: "splitting parts",
            checked: self.checked,
            ..Progress::default()
        })
    }

    /// What the search ends with after so many splits.
    pub(super) fn ended(&self, rounds: u64, cut: Option<Cut>) -> Ended {
        let parts = |(order, pieces): (&Vec<u32>, &Vec<Piece>)| -> Vec<Part> {
            order
                .iter()
                .map(|piece| pieces[*piece as usize].part)
                .collect()
        };
        Ended {
            parts: self.order.iter().zip(&self.pieces).map(parts).collect(),
            worth: self.worth,
            rounds,
            checked: self.checked,
            cut,
        }
    }

    /// The best split of all, if any is better than none.
    pub(super) fn best(&mut self, rule: Rule) -> Option<(usize, u32, Candidate)> {
        let mut best: Option<(usize, u32, Worth)> = None;
        for attribute in 0..self.judge.attributes.len() {
            for at in 0..self.order[attribute].len() {
                let piece = self.order[attribute][at];
                if self.pieces[attribute][piece as usize].stale {
                    let found = self.best_of(attribute, piece, rule);
                    let piece = &mut self.pieces[attribute][piece as usize];
                    piece.best = found;
                    piece.stale = false;
                }
                if let Some(candidate) = &self.pieces[attribute][piece as usize].best {
                    let lower = best.is_none_or(|(_, _, least)| {
                        rule.key(self.worth, candidate.change) < rule.key(self.worth, least)
                    });
                    if lower && rule.allows(self.worth, candidate.change) {
                        best = Some((attribute, piece, candidate.change));
                    }
                }
            }
        }
        let (attribute, piece, _) = best?;
        let candidate = self.pieces[attribute][piece as usize].best.take()?;
        Some((attribute, piece, candidate))
    }

    /// The best split of a part.
    fn best_of(&self, attribute: usize, piece: u32, rule: Rule) -> Option<Candidate> {
        let domain = &self.judge.attributes[attribute];
        let piece = &self.pieces[attribute][piece as usize];
        let part = piece.part;
        if piece.whole || domain.rows(part) == 0 {
            return None;
        }
        let before = domain.cost(part);
        let cost = |parts: &[Part]| parts.iter().map(|part| domain.cost(*part)).sum::<i128>();
        if let Some(parts) = domain.split_along(part) {
            let change = piece.along.plus(Worth {
                unsafe_classes: 0,
                cost: cost(&parts) - before,
            });
            return Some(Candidate { change, parts });
        }
        let mut best: Option<Candidate> = None;
        let mut effect = Worth::default();
        let mut reached = 0;
        for (after, places) in domain.splits_of(part) {
            while reached < places {
                effect = effect.plus(self.steps[attribute][(part.first + reached) as usize]);
                reached += 1;
            }
            // With all places on one side no class is divided.
            let divided = places > 0 && places < part.last - part.first;
            let effect = if divided { effect } else { Worth::default() };
            let parts = Attribute::split_at(part, after, places);
            let change = effect.plus(Worth {
                unsafe_classes: 0,
                cost: cost(&parts) - before,
            });
            let lower = best.as_ref().is_none_or(|best| {
                rule.key(self.worth, change) < rule.key(self.worth, best.change)
            });
            if lower {
                best = Some(Candidate {
                    change,
                    parts: parts.to_vec(),
                });
            }
        }
        best
    }

    /// Splits a part, and the classes that it divides.
    pub(super) fn split(&mut self, attribute: usize, piece: u32, candidate: &Candidate) {
        let former = self.pieces[attribute][piece as usize].part;
        let along = self.judge.attributes[attribute]
            .split_along(former)
            .is_some();
        let first = self.pieces[attribute].len() as u32;
        let at = self.order[attribute]
            .iter()
            .position(|known| *known == piece);
        let at = at.unwrap_or(0);
        let numbers = first..first + candidate.parts.len() as u32;
        self.order[attribute].splice(at..=at, numbers);
        self.worth = self.worth.plus(candidate.change);
        let classes = std::mem::take(&mut self.pieces[attribute][piece as usize].classes);
        for part in &candidate.parts {
            self.pieces[attribute].push(Piece {
                part: *part,
                whole: false,
                classes: Vec::new(),
                along: Worth::default(),
                best: None,
                stale: true,
            });
        }
        let child_of = |tuple: u32| {
            let place = self.judge.places[attribute][tuple as usize];
            candidate.parts.partition_point(|part| part.last <= place) as u32
        };
        let (mut divided, mut moved) = (Vec::new(), Vec::new());
        for number in classes {
            let Some(class) = &self.classes[number as usize] else {
                continue;
            };
            if class.parts[attribute] != piece {
                continue;
            }
            let child = child_of(class.tuples[0]);
            if class.tuples.iter().all(|tuple| child_of(*tuple) == child) {
                moved.push((number, first + child));
                continue;
            }
            let mut children: Vec<Vec<u32>> = vec![Vec::new(); candidate.parts.len()];
            for tuple in &class.tuples {
                children[child_of(*tuple) as usize].push(*tuple);
            }
            let parts = |child: u32| {
                let mut parts = class.parts.clone();
                parts[attribute] = first + child;
                parts
            };
            let children = (0..).zip(children).filter(|(_, tuples)| !tuples.is_empty());
            divided.extend(children.map(|(child, tuples)| (tuples, parts(child))));
            self.remove(number);
        }
        self.move_to(attribute, moved, along);
        self.add(divided);
    }

    /// Classes that lie in one child of a split part: nothing changes but what splits of that child would do, where the part
    /// was split along its taxonomy. Steps between numbers stay as they are.
    fn move_to(&mut self, attribute: usize, moved: Vec<(u32, u32)>, along: bool) {
        for (number, piece) in &moved {
            if let Some(class) = &mut self.classes[*number as usize] {
                class.parts[attribute] = *piece;
                self.pieces[attribute][*piece as usize]
                    .classes
                    .push(*number);
            }
        }
        if !along {
            return;
        }
        self.checked += moved.len() as u64;
        let judge = |scratch: &mut Scratch, number: u32| {
            let class = self.classes[number as usize].as_ref();
            let effects = class.map(|class| {
                if self.judge.is_at_one_place(class, attribute) {
                    return Effects::default();
                }
                self.judge.crowd.worth(scratch, &class.tuples);
                self.effects(scratch, class, attribute)
            });
            effects.unwrap_or_default()
        };
        let judged: Vec<Effects> = moved
            .par_iter()
            .with_min_len(64)
            .map_init(Scratch::default, |scratch, (number, _)| {
                judge(scratch, *number)
            })
            .collect();
        for ((number, piece), effects) in moved.into_iter().zip(judged) {
            self.add_effects(attribute, piece, &effects);
            if let Some(class) = &mut self.classes[number as usize] {
                class.effects[attribute] = effects;
            }
        }
    }

    fn add_effects(&mut self, attribute: usize, piece: u32, effects: &Effects) {
        let piece = &mut self.pieces[attribute][piece as usize];
        piece.along = piece.along.plus(effects.along);
        piece.stale = true;
        for (place, step) in &effects.steps {
            let sum = &mut self.steps[attribute][*place as usize];
            *sum = sum.plus(*step);
        }
    }

    fn effects(&self, scratch: &mut Scratch, class: &Class, attribute: usize) -> Effects {
        let part = self.pieces[attribute][class.parts[attribute] as usize].part;
        self.judge.effects(scratch, class, attribute, part)
    }

    /// Takes a class out of all sums.
    fn remove(&mut self, number: u32) {
        let Some(class) = self.classes[number as usize].take() else {
            return;
        };
        for (attribute, effects) in class.effects.iter().enumerate() {
            let piece = &mut self.pieces[attribute][class.parts[attribute] as usize];
            piece.along = piece.along.minus(effects.along);
            piece.stale = true;
            for (place, step) in &effects.steps {
                let sum = &mut self.steps[attribute][*place as usize];
                *sum = sum.minus(*step);
            }
        }
    }

    /// Judges new classes and adds them to all sums.
    fn add(&mut self, classes: Vec<(Vec<u32>, Vec<u32>)>) {
        self.checked += classes.len() as u64;
        let judge = |scratch: &mut Scratch, (tuples, parts): (Vec<u32>, Vec<u32>)| {
            let mut class = Class {
                worth: self.judge.crowd.worth(scratch, &tuples),
                tuples,
                parts,
                effects: Vec::new(),
            };
            class.effects = (0..self.judge.attributes.len())
                .map(|attribute| self.effects(scratch, &class, attribute))
                .collect();
            class
        };
        let first = self.classes.is_empty();
        let judged: Vec<Class> = classes
            .into_par_iter()
            .with_min_len(64)
            .map_init(Scratch::default, judge)
            .collect();
        for class in judged {
            let number = self.classes.len() as u32;
            if first {
                self.worth = self.worth.plus(class.worth);
            }
            for (attribute, effects) in class.effects.iter().enumerate() {
                let piece = class.parts[attribute];
                self.add_effects(attribute, piece, effects);
                self.pieces[attribute][piece as usize].classes.push(number);
            }
            self.classes.push(Some(class));
        }
    }
}
