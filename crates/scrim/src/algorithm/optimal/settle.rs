//! Narrows a span and parts what is left of it.

use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use super::candidate::{Best, Candidate};
use super::check::{Checker, Seen, Source};
use super::hopeless::Hopeless;
use super::span::Span;
use crate::algorithm::Stop;
use crate::metric::Tally;
use crate::recoding::Node;

/// What settling a span told.
#[derive(Debug, Default)]
pub(super) struct Settled<'a> {
    /// Valid nodes that may be wanted.
    pub(super) offers: Vec<Candidate>,
    /// Nodes below which all is invalid.
    pub(super) hopeless: Vec<Node>,
    /// Nodes counted.
    pub(super) checked: u64,
    /// What is left, in no more than two parts.
    pub(super) parts: Vec<Span<'a>>,
    /// The source that the span had, where the parts have a smaller one.
    pub(super) former: Option<Arc<Source<'a>>>,
}

/// Settles one span, by what is known when it starts: any number of threads may do so at once.
#[derive(Debug)]
pub(super) struct Settling<'s, 'a> {
    pub(super) checker: &'s Checker<'a>,
    pub(super) hopeless: &'s Hopeless,
    pub(super) stop: &'s Stop,
    pub(super) held: &'s Arc<AtomicUsize>,
    pub(super) best: Best,
    pub(super) settled: Settled<'a>,
}

/// What a step did to a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Same,
    Narrowed,
    Empty,
}

impl<'a> Settling<'_, 'a> {
    /// Narrows a span until nothing more is found, and parts it.
    pub(super) fn run(mut self, mut span: Span<'a>) -> Settled<'a> {
        loop {
            if !self.best.can_win(&span.bound) || span.is_single() {
                return self.settled;
            }
            // What is left of it waits, with its bound.
            if self.stop.is_set() {
                self.settled.parts.push(span);
                return self.settled;
            }
            let step = match self.lower(&mut span) {
                Step::Same => self.raise(&mut span),
                other => other,
            };
            match step {
                Step::Same => break,
                Step::Narrowed => {}
                Step::Empty => return self.settled,
            }
        }
        if self.refresh(&mut span, 0.3) == Step::Same {
            self.part(span);
        }
        self.settled
    }

    fn bound(&self, span: &Span<'a>, low: &Node, tally: &Tally) -> Candidate {
        let metric = self.checker.task.metric;
        let cost = metric.floor_between(low, span.source.sizes, tally);
        Candidate::new(&self.checker.preferred, low, tally.suppressed, cost)
    }

    /// Counts a node and takes note of what that tells.
    fn see(&mut self, span: &Span<'a>, node: &Node) -> Option<Arc<Tally>> {
        let seen = self.checker.see(span.cheapest(node), node);
        self.learn(node, seen)
    }

    fn learn(&mut self, node: &Node, seen: Seen) -> Option<Arc<Tally>> {
        self.settled.checked += 1;
        if let Some(valid) = seen.valid
            && self.best.can_win(&valid)
        {
            self.best.offer(valid.clone());
            self.settled.offers.push(valid);
        }
        if seen.lasting.is_none() {
            self.settled.hopeless.push(node.clone());
        }
        seen.lasting.map(Arc::new)
    }

    fn is_hopeless(&self, node: &Node) -> bool {
        let mut own = self.settled.hopeless.iter();
        own.any(|known| known.generalizes(node)) || self.hopeless.covers(node)
    }

    /// Takes off levels that cost too much, whatever the other attributes do.
    fn lower(&mut self, span: &mut Span<'a>) -> Step {
        let mut high = span.high.clone();
        for attribute in span.open() {
            let low = span.low.levels()[attribute];
            while high.levels()[attribute] > low {
                let dearest = span.low.with(attribute, high.levels()[attribute]);
                let bound = self.bound(span, &dearest, &span.lasting);
                if self.best.can_win(&bound) {
                    break;
                }
                high = high.with(attribute, high.levels()[attribute] - 1);
            }
        }
        if high == span.high {
            return Step::Same;
        }
        if self.is_hopeless(&high) {
            return Step::Empty;
        }
        let Some(tally) = self.see(span, &high) else {
            return Step::Empty;
        };
        span.bound = self.bound(span, &span.low, &tally);
        span.high = high;
        span.lasting = tally;
        span.probes.fill(None);
        Step::Narrowed
    }

    /// Takes off levels that are hopeless or suppress too much, even where the other attributes are as high as they go.
    fn raise(&mut self, span: &mut Span<'a>) -> Step {
        let mut step = Step::Same;
        let attributes = self.widest_first(span);
        self.join(span, &attributes);
        for (at, attribute) in attributes.iter().copied().enumerate() {
            if self.stop.is_set() {
                return Step::Narrowed;
            }
            // What rose so far may make all that follows cheaper, where enough does.
            let pays = span.probes[attribute].is_none() && at + 3 <= attributes.len();
            if pays && self.refresh(span, 0.05) == Step::Empty {
                return Step::Empty;
            }
            while !self.passes(span, attribute) {
                let level = span.low.levels()[attribute] + 1;
                span.low = span.low.with(attribute, level);
                span.probes[attribute] = None;
                span.bound = self.bound(span, &span.low, &span.lasting);
                step = Step::Narrowed;
                if !self.best.can_win(&span.bound) {
                    return Step::Empty;
                }
                if level == span.high.levels()[attribute] {
                    break;
                }
            }
        }
        step
    }

    /// Counts `high` with several attributes together as low as the span goes: their probes are then counted from that, and those
    /// of the parts too. Worth it for three attributes or more, because counting them together and making the set costs about two
    /// counts, and where it has far fewer classes than the source has tuples, by the share of values.
    fn join(&mut self, span: &mut Span<'a>, attributes: &[usize]) {
        const FEWER: f64 = 4.0;
        let ladders = self.checker.task.ladders;
        let most = span.source.set.len() as f64 / FEWER;
        let mut groups: Vec<(f64, Vec<usize>)> = Vec::new();
        for attribute in attributes.iter().copied() {
            let covered = span.cheapest(&span.probe(attribute)).len() < span.source.set.len();
            if span.probes[attribute].is_some() || covered {
                continue;
            }
            let width = |node: &Node| ladders[attribute].width(node.levels()[attribute]) as f64;
            let grows = width(&span.low) / width(&span.high);
            let room = |(classes, _): &&mut (f64, Vec<usize>)| *classes * grows <= most;
            if let Some((classes, group)) = groups.iter_mut().find(room) {
                *classes *= grows;
                group.push(attribute);
            } else {
                groups.push((span.lasting.classes as f64 * grows, vec![attribute]));
            }
        }
        for (_, group) in groups.iter().filter(|(_, group)| group.len() > 2) {
            let low = span.low.levels();
            let down = |node: Node, attribute: &usize| node.with(*attribute, low[*attribute]);
            let node = group.iter().fold(span.high.clone(), down);
            let (seen, set) = self.checker.see_set(&span.source.set, &node);
            self.learn(&node, seen);
            if let Some(set) = set {
                span.joints.push(Source::new(set, self.held));
            }
        }
    }

    /// The open attributes: those with most values first, because raising them makes sets small.
    fn widest_first(&self, span: &Span<'a>) -> Vec<usize> {
        let ladders = self.checker.task.ladders;
        let width = |attribute: &usize| ladders[*attribute].width(span.low.levels()[*attribute]);
        let mut open: Vec<usize> = span.open().collect();
        open.sort_by_key(|attribute| (Reverse(width(attribute)), *attribute));
        open
    }

    /// Whether something may be left where an attribute is as low as the span goes.
    fn passes(&mut self, span: &mut Span<'a>, attribute: usize) -> bool {
        if span.probes[attribute].is_none() {
            let node = span.probe(attribute);
            if self.is_hopeless(&node) {
                return false;
            }
            span.probes[attribute] = self.see(span, &node);
        }
        let probe = span.probes[attribute].as_ref();
        probe.is_some_and(|tally| self.best.can_win(&self.bound(span, &span.low, tally)))
    }

    /// Counts `low` where so many values fewer than at the last time may give a much smaller source for all that follows.
    fn refresh(&mut self, span: &mut Span<'a>, share: f64) -> Step {
        let ladders = self.checker.task.ladders.iter();
        let widths = ladders.zip(span.tried.levels().iter().zip(span.low.levels()));
        let left = widths.fold(1.0, |left, (ladder, (from, to))| {
            left * ladder.width(*to) as f64 / ladder.width(*from) as f64
        });
        if left > share {
            return Step::Same;
        }
        let (seen, set) = self.checker.see_set(&span.source.set, &span.low);
        let same = seen.valid.as_ref().map(|valid| valid.suppressed);
        let closes = self.checker.prunes && same == Some(span.lasting.suppressed);
        self.learn(&span.low, seen);
        if closes && !self.best.wants_ties() {
            // What `low` suppresses all nodes above it suppress: they cost no less.
            return Step::Empty;
        }
        span.tried = span.low.clone();
        if let Some(set) = set {
            let smaller = Source::new(set, self.held);
            let former = std::mem::replace(&mut span.source, smaller);
            self.settled.former.get_or_insert(former);
        }
        Step::Same
    }

    /// Parts a span at the attribute where the worse of both parts is bounded best: as low as it goes, or higher.
    fn part(&mut self, span: Span<'a>) {
        let bounds = |attribute: usize| {
            let tally = span.probes[attribute].as_ref()?;
            let lowest = self.bound(&span, &span.low, tally);
            let level = span.low.levels()[attribute] + 1;
            let higher = span.low.with(attribute, level);
            let rest = self.bound(&span, &higher, &span.lasting);
            let (least, most) = (lowest.cost.min(rest.cost), lowest.cost.max(rest.cost));
            Some((attribute, (least, most), lowest, rest))
        };
        let best = span.open().filter_map(bounds);
        let Some((attribute, _, lowest, rest)) =
            best.min_by(|left, right| right.1.cmp(&left.1).then(left.0.cmp(&right.0)))
        else {
            return;
        };
        let mut lower = span.clone();
        lower.high = span.probe(attribute);
        lower.bound = lowest;
        lower.probes.fill(None);
        let high = lower.high.clone();
        lower
            .joints
            .retain(|joint| high.generalizes(joint.set.node()));
        if let Some(tally) = &span.probes[attribute] {
            lower.lasting = Arc::clone(tally);
        }
        let mut upper = span;
        upper.low = upper.low.with(attribute, upper.low.levels()[attribute] + 1);
        upper.bound = rest;
        upper.probes[attribute] = None;
        let parts = [lower, upper].into_iter();
        self.settled.parts = parts.filter(|part| !part.is_single()).collect();
    }
}
