//! Incognito, extended to any models that grow with their classes.
//!
//! **Definition.** For subsets of the quasi-identifiers by size: the candidates are the level vectors all of whose
//! projections with one attribute less survived; they are visited bottom-up, a valid one marks all candidates above it
//! valid untested, and the valid ones survive into the next size ([Sun08], section 5, after LeFevre et al.).
//! **Reading.** A subset's table is the whole table with the other attributes at their tops: the same classes, so one
//! roll-up serves both. The plan is the minimal node of least cost by the policy's metric.
//! **Holds because** dropping an attribute and going up a level only merge whole classes. With a suppression limit the
//! rows of violating classes only become fewer that way, provided that every superset of a valid class is valid; with
//! models that promise less, a limit above zero is refused.
//! **Cost.** A roll-up a tested candidate of each subset. **Oracle.** `testkit::oracle::minimal_nodes`.

use rayon::prelude::*;

use super::ending::Cut;
use super::explorer::{Checked, Explorer};
use super::minimal::{MOST_NODES, Minimal};
use super::preference::Preferred;
use super::task::Task;
use super::{Algorithm, Found, Progress, Watch};
use crate::error::Error;
use crate::model::Monotone;
use crate::recoding::{Lattice, Node, Recoding};

/// All minimal generalizations by subsets; the plan is the best of them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Incognito<'a> {
    /// The columns, by number, that equally good nodes should generalize least, in the order in which they are asked.
    pub preferred: &'a [usize],
    /// About how many bytes the search may use beside its task; by default what makes it fast.
    pub memory: Option<u64>,
}

impl Algorithm for Incognito<'_> {
    fn id(&self) -> &'static str {
        "incognito"
    }

    fn search(&self, task: &Task<'_>, watch: &mut dyn Watch) -> Result<Option<Found>, Error> {
        let (minimal, checked, cut) = self.walk(task, watch)?;
        let preferred = Preferred::new(task, self.preferred);
        let key = |node: &Minimal| {
            (
                node.cost,
                preferred.levels(&node.node, node.suppressed),
                node.suppressed,
                node.node.height(),
                node.node.levels().to_vec(),
            )
        };
        task.ground.must_have_told_all()?;
        let Some(best) = minimal.iter().min_by_key(|node| key(node)) else {
            return cut.map_or(Ok(None), |cut| Err(cut.without_answer()));
        };
        let ties = minimal
            .iter()
            .filter(|node| node.cost == best.cost)
            .map(|node| node.node.clone())
            .collect();
        let recoding = Recoding::FullDomain {
            node: best.node.clone(),
            suppressed: task.suppressed_at(&best.node),
        };
        let notes = vec![
            match cut {
                None => "the best of all minimal generalizations",
                Some(_) => "the best of the valid generalizations found",
            }
            .to_owned(),
            preferred.rule(task),
        ];
        Ok(Some(Found {
            recoding,
            ties,
            tied_tables: None,
            checked,
            proven: false,
            bound: None,
            notes,
            remarks: cut.map(Cut::remark).into_iter().collect(),
        }))
    }
}

impl Incognito<'_> {
    /// All minimal generalizations by level sum, then levels, and how many tables were tested.
    pub fn minimal(
        &self,
        task: &Task<'_>,
        watch: &mut dyn Watch,
    ) -> Result<(Vec<Minimal>, u64), Error> {
        match self.walk(task, watch)? {
            (minimal, checked, None) => Ok((minimal, checked)),
            (.., Some(cut)) => Err(cut.without_answer()),
        }
    }

    /// The same or, where the walk is cut short, those that were found until then, and why it was.
    fn walk(
        &self,
        task: &Task<'_>,
        watch: &mut dyn Watch,
    ) -> Result<(Vec<Minimal>, u64, Option<Cut>), Error> {
        refuse_unsound(task)?;
        let lattice = task.lattice();
        if lattice.attributes() > 20 || lattice.size() > MOST_NODES {
            return Err(Error::Infeasible {
                what: format!(
                    "incognito visits all subsets of {} quasi-identifiers and a lattice of {} nodes",
                    lattice.attributes(),
                    lattice.size()
                ),
                hint: Some("use `algorithm = \"optimal\"`, which visits few nodes".to_owned()),
            });
        }
        let mut walk = Walk::new(task, &lattice, self.memory);
        let mut subsets: Vec<u32> = (1..1u32 << lattice.attributes()).collect();
        subsets.sort_by_key(|subset| (subset.count_ones(), *subset));
        for subset in subsets {
            if let Err(error) = walk.subset(subset, watch) {
                let cut = Cut::from(error, watch)?;
                // Nodes are tested from below, so none of those found lies above another.
                let checked = walk.explorer.checked();
                return Ok((walk.found, checked, Some(cut)));
            }
        }
        Ok((walk.minimal(), walk.explorer.checked(), None))
    }
}

fn refuse_unsound(task: &Task<'_>) -> Result<(), Error> {
    if task.models.prunes(task.limit) {
        return Ok(());
    }
    let offender = task
        .models
        .models()
        .find(|model| model.monotone() != Monotone::Supersets)
        .map_or("a model", |model| model.id());
    let reason = match task.models.monotone() {
        Monotone::No => format!(
            "`{offender}` may break when classes are merged, so a table above a valid one need not be valid"
        ),
        _ => format!(
            "`{offender}` may break when a valid class takes in rows of an invalid one, so with suppression a table above a valid one need not be valid"
        ),
    };
    let hint = "use `algorithm = \"optimal\"`, which prunes only where it may, or `suppression = 0` where that helps";
    Err(Error::Unsound {
        algorithm: "incognito",
        what: reason,
        hint: Some(hint.to_owned()),
    })
}

struct Walk<'a> {
    lattice: &'a Lattice,
    tops: Vec<u8>,
    explorer: Explorer<'a>,
    /// The valid level vectors of each subset, by number in the subset's own lattice.
    valid: Vec<Vec<bool>>,
    /// Suppressed rows and cost of the nodes of the whole lattice that were tested and found valid.
    found: Vec<Minimal>,
}

impl<'a> Walk<'a> {
    fn new(task: &'a Task<'a>, lattice: &'a Lattice, memory: Option<u64>) -> Self {
        let tops = lattice.top().levels().to_vec();
        let valid = vec![Vec::new(); 1 << lattice.attributes()];
        Self {
            lattice,
            tops,
            explorer: Explorer::new(task, memory),
            valid,
            found: Vec::new(),
        }
    }

    fn members(&self, subset: u32) -> Vec<usize> {
        (0..self.lattice.attributes())
            .filter(|at| subset >> at & 1 == 1)
            .collect()
    }

    fn sub_lattice(&self, members: &[usize]) -> Lattice {
        Lattice::up_to(members.iter().map(|at| self.tops[*at]).collect::<Vec<_>>())
    }

    fn subset(&mut self, subset: u32, watch: &mut dyn Watch) -> Result<(), Error> {
        let stop = watch.stop();
        let members = self.members(subset);
        let own = self.sub_lattice(&members);
        let size = own.size() as usize;
        let candidate: Vec<bool> = (0..size)
            .map(|index| self.is_candidate(subset, &members, &own.node(index)))
            .collect();
        let mut valid = vec![false; size];
        let mut ranks = vec![Vec::new(); own.top().height() as usize + 1];
        (0..size)
            .filter(|index| candidate[*index])
            .for_each(|index| ranks[own.node(index).height() as usize].push(index));
        for rank in ranks {
            // A valid node marks those above it: only unmarked candidates of the rank are tested, all at once.
            let open: Vec<usize> = rank
                .iter()
                .copied()
                .filter(|index| !valid[*index])
                .collect();
            for block in open.chunks(64) {
                let nodes: Vec<Node> = block
                    .iter()
                    .map(|index| self.whole(&members, &own.node(*index)))
                    .collect();
                // Where the search must stop, the nodes that are left are not tested, and the step below ends it.
                let checks: Vec<Option<Checked>> = nodes
                    .par_iter()
                    .map(|node| (!stop.is_set()).then(|| self.explorer.check(node)))
                    .collect();
                let tested = block.iter().zip(checks);
                let (tested, mut checks): (Vec<usize>, Vec<Checked>) = tested
                    .filter_map(|(index, check)| Some((*index, check?)))
                    .unzip();
                self.explorer.remember(&mut checks);
                for (index, check) in tested.into_iter().zip(checks) {
                    if let Some((suppressed, cost)) = check.valid {
                        valid[index] = true;
                        if members.len() == self.lattice.attributes() {
                            self.found.push(Minimal {
                                node: check.node,
                                suppressed,
                                cost,
                            });
                        }
                    }
                }
                watch.step(&Progress {
                    doing: "testing subsets of quasi-identifiers",
                    checked: self.explorer.checked(),
                    decided: None,
                    best: None,
                    cost: None,
                })?;
            }
            let marked: Vec<usize> = rank.into_iter().filter(|index| valid[*index]).collect();
            for index in marked {
                for above in own.successors(&own.node(index)) {
                    let above = own.index(&above);
                    valid[above] = candidate[above];
                }
            }
        }
        self.valid[subset as usize] = valid;
        Ok(())
    }

    /// Whether all projections with one attribute less survived.
    fn is_candidate(&self, subset: u32, members: &[usize], node: &Node) -> bool {
        members.len() == 1
            || members.iter().enumerate().all(|(dropped, at)| {
                let rest: Vec<usize> = members
                    .iter()
                    .copied()
                    .filter(|member| member != at)
                    .collect();
                let levels: Vec<u8> = node
                    .levels()
                    .iter()
                    .enumerate()
                    .filter(|(place, _)| *place != dropped)
                    .map(|(_, level)| *level)
                    .collect();
                self.valid[(subset & !(1 << at)) as usize]
                    [self.sub_lattice(&rest).index(&Node::new(levels))]
            })
    }

    /// The node of the whole lattice that a subset's node stands for: the other attributes at their tops.
    fn whole(&self, members: &[usize], node: &Node) -> Node {
        let mut levels = self.tops.clone();
        members
            .iter()
            .zip(node.levels())
            .for_each(|(at, level)| levels[*at] = *level);
        Node::new(levels)
    }

    /// Tested valid nodes of the whole lattice without a valid one right below: those that were not marked.
    fn minimal(&self) -> Vec<Minimal> {
        let valid = self.valid.last().map_or(&[][..], Vec::as_slice);
        let is_minimal = |minimal: &&Minimal| {
            !self
                .lattice
                .predecessors(&minimal.node)
                .any(|below| valid[self.lattice.index(&below)])
        };
        self.found.iter().filter(is_minimal).cloned().collect()
    }
}
