//! A better cut than the greedy one, never a worse one.
//!
//! **Definition.** Local search over cuts: join parts that meet, split a part, shift the border of two intervals; a move is made
//! when it leaves fewer classes that cannot be published, or as many and less information loss. It starts from three cuts: the
//! greedy one as printed, a greedy one that counts such classes instead of calling the loss infinite, and the finest cut. From
//! where it ends it is kicked by a few moves at random, from a fixed seed, and searched again, while little was judged.
//! Where all classes are judged together ([`Gate`]), it starts from the greedy cut alone, which keeps everybody's wish, and makes no
//! move after which a wish is not kept.
//! **Reading.** Intervals end at numbers that occur: a wider one only costs more. What lies between them are parts that no row
//! has.
//! **Holds because** the greedy cut is among the starts and no move makes a cut worse: the best of the three is not worse than
//! the greedy one.
//! **Cost.** A move is judged on the tuples of the parts that it changes: a pass over all joins costs twice the tuples for each
//! attribute. Passes are repeated until none finds a move.

use rustc_hash::FxHashMap;

use super::attribute::{Attribute, Extent, Part};
use super::crowd::{Crowd, Scratch, Worth};
use super::greedy::{Ended, Greedy};
use super::rule::Rule;
use super::together::Gate;
use crate::algorithm::ending::Cut;
use crate::algorithm::{Progress, Watch};
use crate::error::Error;
use crate::random::Random;

/// At most so many tuples are judged for all borders of two intervals; then only the nearest borders are tried.
const MOST_JUDGED: usize = 200_000;

/// At most so many kicks,
const MOST_KICKS: usize = 200;

/// and none once so many tuples were judged.
const MOST_KICKED: u64 = 2_000_000;

/// All classes are judged together no more often than this, in rows.
const MOST_GATED: u64 = 10_000_000;

/// A better cut than the greedy one that all classes together keep the wishes of; the greedy one where none is found.
pub(super) fn improve_together(
    crowd: &Crowd<'_>,
    attributes: &[Attribute],
    places: &[Vec<u32>],
    printed: &Ended,
    gate: &Gate<'_>,
    watch: &mut dyn Watch,
) -> Result<Ended, Error> {
    let mut search = LocalSearch::new(crowd, attributes, places, &printed.parts);
    search.gate = Some(gate);
    let mut best = printed.clone();
    best.search_on(search, watch)?;
    Ok(best)
}

/// The best of three local searches.
pub(super) fn improve(
    crowd: &Crowd<'_>,
    attributes: &[Attribute],
    places: &[Vec<u32>],
    printed: &Ended,
    watch: &mut dyn Watch,
) -> Result<Ended, Error> {
    let safety = Greedy::new(crowd, attributes, places).run(Rule::SafetyFirst, watch)?;
    let finest = attributes.iter().map(Attribute::finest).collect();
    let mut best = printed.clone();
    best.cut = safety.cut;
    for start in [printed.parts.clone(), safety.parts, finest] {
        if best.cut.is_some() {
            break;
        }
        let search = LocalSearch::new(crowd, attributes, places, &start);
        best.search_on(search, watch)?;
    }
    Ok(best)
}

impl Ended {
    /// Runs a local search and takes what it finds, where that is better.
    fn search_on(
        &mut self,
        mut search: LocalSearch<'_>,
        watch: &mut dyn Watch,
    ) -> Result<(), Error> {
        // A cut that is left in the middle of a search is a cut all the same.
        let searched = search.run(watch).and_then(|()| search.kick(watch));
        if let Err(error) = searched {
            self.cut = Some(Cut::from(error, watch)?);
        }
        self.checked += search.checked;
        if search.worth < self.worth {
            self.worth = search.worth;
            let parts = search.attributes.iter().zip(&search.parts);
            self.parts = parts
                .map(|(attribute, parts)| attribute.with_gaps(parts))
                .collect();
        }
        Ok(())
    }
}

struct LocalSearch<'a> {
    crowd: &'a Crowd<'a>,
    attributes: &'a [Attribute],
    places: &'a [Vec<u32>],
    /// The tuples of each place, by attribute.
    at_place: Vec<Vec<Vec<u32>>>,
    parts: Vec<Vec<Part>>,
    /// The part of each place, by attribute: the first place of the part.
    part_of: Vec<Vec<u32>>,
    worth: Worth,
    scratch: Scratch,
    checked: u64,
    /// Tuples judged.
    judged: u64,
    /// Judges all classes together, where each by itself is not enough.
    gate: Option<&'a Gate<'a>>,
    /// Rows that the gate looked at.
    gated: u64,
}

/// Parts of an attribute and what they would become.
#[derive(Default)]
struct Move {
    at: usize,
    count: usize,
    parts: Vec<Part>,
}

impl<'a> LocalSearch<'a> {
    fn new(
        crowd: &'a Crowd<'a>,
        attributes: &'a [Attribute],
        places: &'a [Vec<u32>],
        start: &[Vec<Part>],
    ) -> Self {
        let trimmed = |(attribute, parts): (&Attribute, &Vec<Part>)| attribute.trimmed(parts);
        let parts: Vec<Vec<Part>> = attributes.iter().zip(start).map(trimmed).collect();
        let at_place = attributes.iter().zip(places).map(|(attribute, places)| {
            let mut lists = vec![Vec::new(); attribute.places as usize];
            (0..)
                .zip(places)
                .for_each(|(tuple, place)| lists[*place as usize].push(tuple));
            lists
        });
        let part_of = |(attribute, parts): (&Attribute, &Vec<Part>)| {
            let mut part_of = vec![0; attribute.places as usize];
            parts.iter().for_each(|part| fill(&mut part_of, *part));
            part_of
        };
        let mut search = Self {
            crowd,
            attributes,
            places,
            at_place: at_place.collect(),
            part_of: attributes.iter().zip(&parts).map(part_of).collect(),
            parts,
            worth: Worth::default(),
            scratch: Scratch::default(),
            checked: 0,
            judged: 0,
            gate: None,
            gated: 0,
        };
        let all: Vec<u32> = (0..crowd.rows.len() as u32).collect();
        search.worth = search.classes(&all);
        for (attribute, parts) in attributes.iter().zip(&search.parts) {
            search.worth.cost += parts.iter().map(|part| attribute.cost(*part)).sum::<i128>();
        }
        search
    }

    fn run(&mut self, watch: &mut dyn Watch) -> Result<(), Error> {
        loop {
            let mut moved = false;
            for attribute in 0..self.attributes.len() {
                let mut at = 0;
                while at < self.parts[attribute].len() {
                    watch.step(&Progress {
                        doing: "moving borders",
                        checked: self.checked,
                        decided: None,
                        best: None,
                        cost: None,
                    })?;
                    if self.try_at(attribute, at) {
                        moved = true;
                    } else {
                        at += 1;
                    }
                }
            }
            if !moved {
                return Ok(());
            }
        }
    }

    /// Searches on from places nearby, and stays where it is not worse.
    fn kick(&mut self, watch: &mut dyn Watch) -> Result<(), Error> {
        let mut random = Random::new(1);
        for _ in 0..MOST_KICKS {
            if self.judged > MOST_KICKED || self.gated > MOST_GATED {
                break;
            }
            let former = (self.parts.clone(), self.part_of.clone(), self.worth);
            for _ in 0..=random.below(4) {
                let attribute = random.index(self.attributes.len());
                let at = random.index(self.parts[attribute].len());
                let mut moves = self.moves_at(attribute, at);
                if !moves.is_empty() {
                    let chosen = moves.swap_remove(random.index(moves.len()));
                    let change = self.change(attribute, &chosen);
                    self.make(attribute, chosen, change);
                }
            }
            let ran = self.run(watch);
            if self.worth > former.2 || !self.is_kept() {
                (self.parts, self.part_of, self.worth) = former;
            }
            ran?;
        }
        Ok(())
    }

    /// Makes the best move that starts at a part, if any is for the better.
    fn try_at(&mut self, attribute: usize, at: usize) -> bool {
        let mut moves = self.moves_at(attribute, at);
        let judged: Vec<Worth> = moves
            .iter()
            .map(|change| self.change(attribute, change))
            .collect();
        let mut better: Vec<usize> = (0..moves.len())
            .filter(|number| judged[*number] < Worth::default())
            .collect();
        better.sort_by_key(|number| judged[*number]);
        for number in better {
            let former = (
                self.parts[attribute].clone(),
                self.part_of[attribute].clone(),
                self.worth,
            );
            let made = std::mem::take(&mut moves[number]);
            self.make(attribute, made, judged[number]);
            if self.is_kept() {
                return true;
            }
            (self.parts[attribute], self.part_of[attribute], self.worth) = former;
        }
        false
    }

    /// Whether all classes together keep everybody's wish, where that is asked. What is not looked at does not.
    fn is_kept(&mut self) -> bool {
        let Some(gate) = self.gate else { return true };
        self.gated += gate.rows();
        if self.gated > MOST_GATED {
            return false;
        }
        let mut numbers: FxHashMap<Vec<u32>, u32> = FxHashMap::default();
        let class_of_tuple: Vec<u32> = (0..self.crowd.rows.len() as u32)
            .map(|tuple| {
                let next = numbers.len() as u32;
                *numbers.entry(self.key(tuple)).or_insert(next)
            })
            .collect();
        gate.keeps(&class_of_tuple, numbers.len())
    }

    /// The parts that a tuple lies in.
    fn key(&self, tuple: u32) -> Vec<u32> {
        let places = self.places.iter().zip(&self.part_of);
        places
            .map(|(places, part_of)| part_of[places[tuple as usize] as usize])
            .collect()
    }

    fn make(&mut self, attribute: usize, made: Move, change: Worth) {
        self.worth = self.worth.plus(change);
        let Move { at, count, parts } = made;
        parts
            .iter()
            .for_each(|part| fill(&mut self.part_of[attribute], *part));
        self.parts[attribute].splice(at..at + count, parts);
    }

    /// All moves that start at a part.
    fn moves_at(&self, attribute: usize, at: usize) -> Vec<Move> {
        let domain = &self.attributes[attribute];
        let parts = &self.parts[attribute];
        let part = parts[at];
        let along = domain.split_along(part).map(|parts| domain.trimmed(&parts));
        let mut moves: Vec<Move> = along
            .map(|parts| Move {
                at,
                count: 1,
                parts,
            })
            .into_iter()
            .collect();
        moves.extend(self.borders(attribute, at, 1, part));
        if let Some((joined, count)) = domain.joined(&parts[at..]) {
            moves.push(Move {
                at,
                count,
                parts: vec![joined],
            });
            moves.extend(self.borders(attribute, at, count, joined));
        }
        moves
    }

    /// The borders that an interval may have, all of them or those nearest to where the border is.
    fn borders(&self, attribute: usize, at: usize, count: usize, whole: Part) -> Vec<Move> {
        let domain = &self.attributes[attribute];
        let tuples: usize = (whole.first..whole.last)
            .map(|place| self.at_place[attribute][place as usize].len())
            .sum();
        if !matches!(whole.extent, Extent::Interval(..)) {
            return Vec::new();
        }
        let mut places: Vec<u32> = (whole.first + 1..whole.last).collect();
        if places.len() * tuples > MOST_JUDGED {
            let border = self.parts[attribute][at].last;
            places.retain(|place| place.abs_diff(border) <= 2);
        }
        let parts = |place: u32| Move {
            at,
            count,
            parts: vec![
                domain.hull(whole.first, place),
                domain.hull(place, whole.last),
            ],
        };
        places.into_iter().map(parts).collect()
    }

    /// What a move changes.
    fn change(&mut self, attribute: usize, change: &Move) -> Worth {
        let before = self.parts[attribute][change.at..change.at + change.count].to_vec();
        let (first, last) = (before[0].first, before[before.len() - 1].last);
        let tuples: Vec<u32> = (first..last)
            .flat_map(|place| &self.at_place[attribute][place as usize])
            .copied()
            .collect();
        let mut worth = [Worth::default(); 2];
        for (worth, parts) in worth.iter_mut().zip([&change.parts, &before]) {
            parts
                .iter()
                .for_each(|part| fill(&mut self.part_of[attribute], *part));
            *worth = self.classes(&tuples);
            let domain = &self.attributes[attribute];
            worth.cost += parts.iter().map(|part| domain.cost(*part)).sum::<i128>();
        }
        worth[0].minus(worth[1])
    }

    /// What the classes of some tuples are worth under the cut as it stands.
    fn classes(&mut self, tuples: &[u32]) -> Worth {
        let mut classes: FxHashMap<Vec<u32>, Vec<u32>> = FxHashMap::default();
        for tuple in tuples {
            classes.entry(self.key(*tuple)).or_default().push(*tuple);
        }
        self.checked += classes.len() as u64;
        self.judged += tuples.len() as u64;
        let mut worth = Worth::default();
        // Sums do not depend on the order of the classes.
        for tuples in classes.into_values() {
            worth = worth.plus(self.crowd.worth(&mut self.scratch, &tuples));
        }
        worth
    }
}

fn fill(part_of: &mut [u32], part: Part) {
    part_of[part.first as usize..part.last as usize].fill(part.first);
}
