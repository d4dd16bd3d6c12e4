//! A better cut than the greedy one, never a worse one.
//!
//! **Definition.** Local search over cuts: join parts that meet, split a part, shift the border of two intervals; a move is made
//! when it leaves fewer classes that cannot be published, or as many and less information loss. It starts from three cuts: the
//! greedy one as printed, a greedy one that counts such classes instead of calling the loss infinite, and the finest cut. From
//! where it ends it is kicked by a few moves at random, from a fixed seed, and searched again, while little was judged.
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
        let mut search = LocalSearch::new(crowd, attributes, places, &start);
        // A cut that is left in the middle of a search is a cut all the same.
        let searched = search.run(watch).and_then(|()| search.kick(watch));
        if let Err(error) = searched {
            best.cut = Some(Cut::from(error, watch)?);
        }
        best.checked += search.checked;
        if search.worth < best.worth {
            best.worth = search.worth;
            best.parts = attributes
                .iter()
                .zip(&search.parts)
                .map(|(attribute, parts)| attribute.with_gaps(parts))
                .collect();
        }
    }
    Ok(best)
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
}

/// Parts of an attribute and what they would become.
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
            if self.judged > MOST_KICKED {
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
            if self.worth > former.2 {
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
        let best = (0..moves.len()).min_by_key(|number| judged[*number]);
        let Some(best) = best.filter(|best| judged[*best] < Worth::default()) else {
            return false;
        };
        self.make(attribute, moves.swap_remove(best), judged[best]);
        true
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
            let places = self.places.iter().zip(&self.part_of);
            let key = places
                .map(|(places, part_of)| part_of[places[*tuple as usize] as usize])
                .collect();
            classes.entry(key).or_default().push(*tuple);
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
