//! The release of a node: which of its classes are suppressed, and whether there is one at all.
//!
//! **Definition.** Let *S* be the suppressed classes of a node, at first none. The *star class* is all rows that show nothing but
//! stars in their quasi-identifiers: those of *S*, and those that the node itself generalizes to stars. The *visible rows* are
//! those whose sensitive values are published. Where suppressed rows are dropped, they are the rows outside *S*. Where suppressed
//! rows stay, they are all rows as long as the star class keeps every model against the distribution of all rows; otherwise
//! the rows of *S* are *withheld* (their sensitive values are starred as well), and the rows outside *S* are visible.
//! In each round every class outside *S* that breaks a model against the visible rows joins *S*, and so does every class that a promise
//! about some of the quasi-identifiers counts among too few rows outside *S* ([`columns`](super::columns)). When no class joins, *S* is what
//! the release of the node suppresses. There is no release where *S* has more rows than the limit, or where its withheld rows break
//! a model that judges withheld rows.
//! **Reading.** Classes join only, so the rounds end. The first round has all rows as reference. Where suppressed rows stay, every
//! class outside *S* holds against all rows after that, so the only question of a later round is whether the star class may
//! stay visible; only where it may not, rows are withheld and the others are judged against what is left. Withheld rows beside
//! rows that the node itself generalizes to stars are refused where a model judges withheld rows: the two would have to be
//! judged together. *S* need not be the fewest rows that could be suppressed: a class that has joined stays suppressed, also
//! where the visible rows of a later round would keep it.
//! **Holds because** what ends the rounds is what the certifier asks of a release: every visible class keeps every model
//! against the visible rows. A class that breaks a model which every superset of a valid class keeps joins in the first round, so
//! bounds that count such rows hold. Nothing else is concluded from one node to another where a model is relative and rows may be
//! suppressed ([`ModelSet::prunes`](crate::model::ModelSet::prunes)).
//! **Cost.** Where no model is relative and none judges withheld rows: one judgement of each class, as ever. Otherwise, and only
//! where a class breaks a model within the limit, one judgement of each remaining class a round. Classes that are held in parts pass
//! by once a round.
//! **Oracle.** `testkit::oracle::node_release`.

use super::task::{Judged, Task};
use crate::frequency::FrequencySet;
use crate::hierarchy::{Ladder, is_star};
use crate::metric::Tally;
use crate::model::Visible;
use crate::recoding::Node;

/// Visits all classes of a node, in as many sets as memory needs: the same sets in the same order each time.
type Pass<'p> = dyn FnMut(&mut dyn FnMut(&FrequencySet)) + 'p;

/// The rounds that end with the release of a node.
struct Rounds<'t, 'a> {
    task: &'t Task<'a>,
    limit: u64,
    /// Whether there is anything to find out after the first round.
    asks: bool,
    /// What is suppressed so far, by set of a pass.
    parts: Vec<Judged>,
    /// Its rows.
    suppressed: u64,
    /// The rows outside it.
    visible: Visible<'t>,
    /// The star class, where suppressed rows stay.
    star: Option<FrequencySet>,
    /// The rows of the star class that are not suppressed.
    natural: u64,
}

impl<'t, 'a> Rounds<'t, 'a> {
    fn new(task: &'t Task<'a>, limit: u64) -> Self {
        let models = task.models;
        let judges_withheld = task.keeps_rows && models.judges_withheld();
        Self {
            task,
            limit,
            asks: limit > 0 && (models.is_relative() || judges_withheld),
            parts: Vec::new(),
            suppressed: 0,
            visible: Visible::all(models),
            star: None,
            natural: 0,
        }
    }

    /// The first round over the next set of a pass; nothing where more rows than the limit are suppressed.
    fn first(&mut self, set: &FrequencySet) -> Option<Judged> {
        let judged = self.task.failing(set, self.limit)?;
        if self.asks {
            self.begin(set, judged.clone());
        }
        Some(judged)
    }

    /// Takes up a set of which these classes are suppressed.
    fn begin(&mut self, set: &FrequencySet, judged: Judged) {
        for class in &judged.failing {
            self.visible.hide(set, *class);
        }
        if self.task.keeps_rows {
            let mut beside = shows_stars(self.task.ladders, set);
            beside.retain(|class| judged.failing.binary_search(class).is_err());
            self.natural += rows_of(set, &beside);
            beside.extend(&judged.failing);
            self.add_to_star(set, &beside);
        }
        self.suppressed += judged.suppressed;
        self.parts.push(judged);
    }

    /// Whether later rounds may find something.
    fn is_open(&self) -> bool {
        self.asks && self.suppressed > 0
    }

    /// Goes on until no class joins; whether the node has a release.
    fn settle(&mut self, pass: &mut Pass<'_>) -> bool {
        let models = self.task.models;
        while self.is_open() {
            if self.suppressed > self.limit {
                return false;
            }
            let star = self.star.as_ref();
            if star.is_some_and(|star| models.holds_apart(star.only())) {
                break;
            }
            if !(models.is_relative() && self.round(pass)) {
                return self.may_withhold();
            }
        }
        true
    }

    /// Whether the suppressed rows may be dropped or withheld.
    fn may_withhold(&self) -> bool {
        let models = self.task.models;
        let keeps = |star: &FrequencySet| self.natural == 0 && models.keeps_withheld(star.only());
        !self.task.keeps_rows || !models.judges_withheld() || self.star.as_ref().is_none_or(keeps)
    }

    /// Judges the visible classes; whether one of them has joined the suppressed ones.
    fn round(&mut self, pass: &mut Pass<'_>) -> bool {
        let (visible, before) = (self.visible.clone(), self.suppressed);
        let mut at = 0;
        pass(&mut |set| {
            if self.suppressed <= self.limit && at < self.parts.len() {
                self.judge_part(at, set, &visible);
            }
            at += 1;
        });
        self.suppressed > before
    }

    fn judge_part(&mut self, at: usize, set: &FrequencySet, visible: &Visible<'_>) {
        let mut known = self.parts[at].failing.iter().copied().peekable();
        let is_open = |class: &u32| known.next_if_eq(class).is_none();
        let open = (0..set.len() as u32).filter(is_open);
        let joined: Vec<u32> = open.filter(|class| !visible.keeps(set, *class)).collect();
        if !joined.is_empty() {
            let joined = self.with_columns(at, set, joined);
            self.join(at, set, joined);
        }
    }

    /// These classes, and those that have too few others beside them without these, by promises about some of the columns.
    fn with_columns(&self, at: usize, set: &FrequencySet, joined: Vec<u32>) -> Vec<u32> {
        if !self.task.models.promises_columns() {
            return joined;
        }
        let known = &self.parts[at].failing;
        let mut start = Judged {
            failing: [known.as_slice(), &joined].concat(),
            ..Judged::default()
        };
        start.failing.sort_unstable();
        let closed = self.task.close(set, start, u64::MAX);
        let mut joined = closed.map_or(joined, |closed| closed.failing);
        joined.retain(|class| known.binary_search(class).is_err());
        joined
    }

    /// Suppresses further classes.
    fn join(&mut self, at: usize, set: &FrequencySet, mut joined: Vec<u32>) {
        for class in &joined {
            self.visible.hide(set, *class);
        }
        let rows = rows_of(set, &joined);
        let part = &mut self.parts[at];
        part.failing.extend_from_slice(&joined);
        part.failing.sort_unstable();
        part.suppressed += rows;
        part.lost = None;
        self.suppressed += rows;
        if self.task.keeps_rows {
            // Rows that show stars anyway are in the star class already.
            if self.natural > 0 {
                let stars = shows_stars(self.task.ladders, set);
                joined.retain(|class| stars.binary_search(class).is_err());
                self.natural -= rows - rows_of(set, &joined);
            }
            self.add_to_star(set, &joined);
        }
    }

    fn add_to_star(&mut self, set: &FrequencySet, classes: &[u32]) {
        if classes.is_empty() {
            return;
        }
        let ladders = self.task.ladders;
        let top = self.task.lattice().top();
        let more = set.only_classes(classes).roll_up(ladders, &top);
        self.star = Some(match self.star.take() {
            Some(star) => star.and(&more, ladders),
            None => more,
        });
    }
}

fn rows_of(set: &FrequencySet, classes: &[u32]) -> u64 {
    let rows = classes.iter().map(|class| set.rows()[*class as usize]);
    rows.sum()
}

/// The classes of a set whose quasi-identifiers are generalized to stars or to their tops, ascending: they look like suppressed
/// rows.
pub(crate) fn shows_stars(ladders: &[Ladder], set: &FrequencySet) -> Vec<u32> {
    let mut starred = Vec::with_capacity(ladders.len());
    for (ladder, level) in ladders.iter().zip(set.node().levels()) {
        let (taxa, tree) = (ladder.taxa(*level).iter(), ladder.hierarchy());
        let is_starred = taxa.map(|taxon| *taxon == tree.root() || is_star(tree.label(*taxon)));
        let is_starred: Vec<bool> = is_starred.collect();
        if !is_starred.contains(&true) {
            return Vec::new();
        }
        starred.push(is_starred);
    }
    let shows = |class: &u32| {
        let mut columns = starred.iter().enumerate();
        columns.all(|(at, starred)| starred[set.code(*class as usize, at) as usize])
    };
    (0..set.len() as u32).filter(shows).collect()
}

impl Task<'_> {
    /// The classes of a whole node that its release suppresses, whatever the limit.
    pub fn judge(&self, set: &FrequencySet) -> Judged {
        let first = self.failing(set, u64::MAX).unwrap_or_default();
        self.settled(set, first, u64::MAX).0
    }

    /// The classes of a whole node that its release suppresses, where it has one within a limit.
    pub fn judge_within(&self, set: &FrequencySet, limit: u64) -> Option<Judged> {
        self.complete(set, self.failing(set, limit)?, limit)
    }

    /// The classes that the release of a node suppresses where these are suppressed anyway, where there is such a release.
    pub(super) fn complete(&self, set: &FrequencySet, start: Judged, limit: u64) -> Option<Judged> {
        let (judged, exists) = self.settled(set, start, limit);
        (exists && judged.suppressed <= limit).then_some(judged)
    }

    fn settled(&self, set: &FrequencySet, start: Judged, limit: u64) -> (Judged, bool) {
        let Some(start) = self.close(set, start, limit) else {
            return (Judged::default(), false);
        };
        let mut rounds = Rounds::new(self, limit);
        if !rounds.asks {
            return (start, true);
        }
        rounds.begin(set, start);
        let exists = rounds.settle(&mut |visit| visit(set));
        (rounds.parts.pop().unwrap_or_default(), exists)
    }

    /// What the release of a node comes to, counted from a set below it, where it has one within the limit; and the set of the
    /// node where it is in one part. `each` sees every part, and what the first round makes of it.
    pub(super) fn release_of(
        &self,
        source: &FrequencySet,
        node: &Node,
        mut each: impl FnMut(&FrequencySet, Option<&Tally>),
    ) -> (Option<Tally>, Option<FrequencySet>) {
        let mut rounds = Rounds::new(self, self.limit);
        let nothing = Tally::none(self.ladders, node, self.ground.rows());
        let mut all = Some(nothing.clone());
        let set = source.each_part(self.ladders, node, |set| {
            let judged = rounds.first(set);
            let tally = judged.map(|judged| self.tally(set, &judged));
            each(set, tally.as_ref());
            all = self.join_within(all.take(), tally.as_ref());
        });
        if all.is_none() || !rounds.is_open() {
            return (all, set);
        }
        let mut pass = |visit: &mut dyn FnMut(&FrequencySet)| match &set {
            Some(set) => visit(set),
            None => drop(source.each_part(self.ladders, node, visit)),
        };
        let first = rounds.suppressed;
        if !rounds.settle(&mut pass) {
            return (None, set);
        }
        if rounds.suppressed > first {
            let mut judged = rounds.parts.iter();
            let mut tally = nothing;
            pass(&mut |set| {
                if let Some(judged) = judged.next() {
                    tally.join(&self.tally(set, judged));
                }
            });
            all = Some(tally);
        }
        (all, set)
    }

    /// Whether each row is generalized to stars only by a node of a table that is held.
    pub(crate) fn rows_showing_stars(&self, node: &Node) -> Vec<bool> {
        let (set, targets) = self.ground.set().roll_up_with_map(self.ladders, node);
        let mut shows = vec![false; set.len()];
        for class in shows_stars(self.ladders, &set) {
            shows[class as usize] = true;
        }
        let tuples = self.ground.tuple_of_row().iter();
        let row_shows = |tuple: &u32| shows[targets[*tuple as usize] as usize];
        tuples.map(row_shows).collect()
    }

    /// What two parts of a node come to, unless they suppress more rows than the limit.
    pub(super) fn join_within(&self, all: Option<Tally>, part: Option<&Tally>) -> Option<Tally> {
        let mut all = all?;
        all.join(part?);
        (all.suppressed <= self.limit).then_some(all)
    }

    /// The classes that the release of a node suppresses, by part; nothing where there is no later round, and each part tells its own.
    pub(super) fn settled_parts(&self, node: &Node) -> Vec<Judged> {
        let mut rounds = Rounds::new(self, u64::MAX);
        if !rounds.asks {
            return Vec::new();
        }
        let mut pass = |visit: &mut dyn FnMut(&FrequencySet)| {
            drop(self.ground.set().each_part(self.ladders, node, visit));
        };
        pass(&mut |set| {
            rounds.first(set);
        });
        rounds.settle(&mut pass);
        rounds.parts
    }
}
