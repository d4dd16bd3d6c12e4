//! What the splits of a class's parts change in the class.

use super::attribute::{Attribute, Part};
use super::crowd::{Crowd, Scratch, Worth};

/// A class of tuples, and what splits would do to it.
#[derive(Clone, Debug)]
pub(super) struct Class {
    pub(super) tuples: Vec<u32>,
    /// The part of each attribute, by number.
    pub(super) parts: Vec<u32>,
    pub(super) worth: Worth,
    /// What splits of its parts change, by attribute.
    pub(super) effects: Vec<Effects>,
}

/// What splits of a class's part of one attribute change in the class.
#[derive(Clone, Debug, Default)]
pub(super) struct Effects {
    /// Of an interval: the change of the change, from one place to the next.
    pub(super) steps: Vec<(u32, Worth)>,
    /// Of a taxon, or of a domain with missing numbers: the change.
    pub(super) along: Worth,
}

/// Judges what splits would do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Judge<'a> {
    pub(super) crowd: &'a Crowd<'a>,
    pub(super) attributes: &'a [Attribute],
    /// The place of each tuple, by attribute.
    pub(super) places: &'a [Vec<u32>],
}

impl Judge<'_> {
    pub(super) fn is_at_one_place(&self, class: &Class, attribute: usize) -> bool {
        let places = &self.places[attribute];
        let first = places[class.tuples[0] as usize];
        class
            .tuples
            .iter()
            .all(|tuple| places[*tuple as usize] == first)
    }

    /// What splits of a class's part of an attribute change in the class, which is laid out in the scratch.
    pub(super) fn effects(
        &self,
        scratch: &mut Scratch,
        class: &Class,
        attribute: usize,
        part: Part,
    ) -> Effects {
        if self.is_at_one_place(class, attribute) {
            return Effects::default();
        }
        let places = &self.places[attribute];
        match self.attributes[attribute].split_along(part) {
            Some(children) => self.along(scratch, class, places, &children),
            None => self.between(scratch, class, places),
        }
    }

    fn along(
        &self,
        scratch: &mut Scratch,
        class: &Class,
        places: &[u32],
        children: &[Part],
    ) -> Effects {
        let child_of = |tuple: &u32| {
            let place = places[*tuple as usize];
            children.partition_point(|part| part.last <= place)
        };
        let first = child_of(&class.tuples[0]);
        if class.tuples.iter().all(|tuple| child_of(tuple) == first) {
            return Effects::default();
        }
        let mut groups: Vec<Vec<u32>> = vec![Vec::new(); children.len()];
        for tuple in &class.tuples {
            groups[child_of(tuple)].push(*tuple);
        }
        let groups: Vec<Vec<u32>> = groups
            .into_iter()
            .filter(|group| !group.is_empty())
            .collect();
        let after = groups
            .iter()
            .map(|group| self.crowd.worth(scratch, group))
            .fold(Worth::default(), Worth::plus);
        // The next attribute finds the class laid out again.
        self.crowd.worth(scratch, &class.tuples);
        Effects {
            steps: Vec::new(),
            along: after.minus(class.worth),
        }
    }

    fn between(&self, scratch: &mut Scratch, class: &Class, places: &[u32]) -> Effects {
        let mut tuples = class.tuples.clone();
        tuples.sort_unstable_by_key(|tuple| (places[*tuple as usize], *tuple));
        let (mut ends, mut lasts) = (Vec::new(), Vec::new());
        for (at, tuple) in (1..).zip(&tuples) {
            let place = places[*tuple as usize];
            if lasts.last() == Some(&place) {
                if let Some(end) = ends.last_mut() {
                    *end = at;
                }
            } else {
                lasts.push(place);
                ends.push(at);
            }
        }
        let mut steps: Vec<(u32, Worth)> = Vec::with_capacity(lasts.len());
        let mut former = Worth::default();
        self.crowd.halves(scratch, &tuples, &ends, |group, worth| {
            let change = worth.minus(class.worth);
            if change != former {
                steps.push((lasts[group], change.minus(former)));
                former = change;
            }
        });
        if former != Worth::default() {
            let last = lasts[lasts.len() - 1];
            steps.push((last, Worth::default().minus(former)));
        }
        Effects {
            steps,
            along: Worth::default(),
        }
    }
}
