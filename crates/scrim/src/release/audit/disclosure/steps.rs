//! The chain as the certifier derives it: from the policy, the hierarchies and the raw quasi-identifiers.

use rustc_hash::FxHashMap;

use super::super::{Published, Source};
use crate::error::Error;
use crate::hierarchy::{Hierarchy, Level};
use crate::release::policy::ChainPolicy;
use crate::share::Share;
use crate::table::{Column, Role};

/// A lattice of more nodes is not sorted by Prec again.
const MOST_NODES: u128 = 2_000_000;

/// A quasi-identifier: what each raw value shows at each level, as numbers of texts.
struct Shown<'a> {
    raw: &'a Column,
    levels: Vec<Vec<u32>>,
    /// The levels at which every row shows what was published.
    published: Vec<bool>,
}

/// All quasi-identifiers.
pub(super) struct Steps<'a> {
    shown: Vec<Shown<'a>>,
    rows: &'a [u32],
}

impl<'a> Steps<'a> {
    pub(super) fn new(published: &Published<'_>, source: &'a Source<'a>) -> Result<Self, Error> {
        let quasi = published.policy.with_role(Role::Quasi);
        let shown = quasi.map(|column| {
            let name = &column.name;
            let missing = || Error::Internal(format!("column `{name}` was not read"));
            let raw = source.table.column(name).ok_or_else(missing)?;
            let after = published.table.column(name).ok_or_else(missing)?;
            let tree = source.hierarchies.iter().find(|(of, _)| of == name);
            let (_, tree) = tree.ok_or_else(missing)?;
            Shown::new(raw, after, tree, source.rows)
        });
        Ok(Self {
            shown: shown.collect::<Result<_, _>>()?,
            rows: source.rows,
        })
    }

    /// The steps up to the published one, which is the last; none where no step shows what was published.
    pub(super) fn walked(
        &self,
        chain: &ChainPolicy,
        names: &[&str],
        weights: &[Share],
    ) -> Result<Option<Vec<Vec<Level>>>, Error> {
        let tops: Vec<Level> = self
            .shown
            .iter()
            .map(|shown| shown.levels.len() as Level - 1)
            .collect();
        let mut steps = match chain {
            ChainPolicy::Datafly => self.datafly(),
            ChainPolicy::Prec => Self::by_prec(&tops, weights)?,
            ChainPolicy::Levels(steps) => steps.clone(),
            ChainPolicy::Columns(columns) => {
                let step = |column: &String| {
                    let level =
                        |(name, top): (&&str, &Level)| if name == column { 0 } else { *top };
                    names.iter().zip(&tops).map(level).collect()
                };
                columns.iter().map(step).collect()
            }
        };
        let is_published = |step: &Vec<Level>| {
            let levels = step.iter().zip(&self.shown);
            levels
                .into_iter()
                .all(|(level, shown)| shown.published.get(usize::from(*level)) == Some(&true))
        };
        let last = steps.iter().position(is_published);
        Ok(last.map(|last| {
            steps.truncate(last + 1);
            steps
        }))
    }

    /// The attribute with most different texts goes up, the first of equals, until there is one text everywhere.
    fn datafly(&self) -> Vec<Vec<Level>> {
        let mut levels = vec![0; self.shown.len()];
        let mut steps = vec![levels.clone()];
        loop {
            let mut most: Option<(usize, usize)> = None;
            for (at, shown) in self.shown.iter().enumerate() {
                let texts = shown.texts(levels[at], self.rows);
                if texts > 1 && most.is_none_or(|(best, _)| texts > best) {
                    most = Some((texts, at));
                }
            }
            let Some((_, at)) = most else {
                return steps;
            };
            levels[at] += 1;
            steps.push(levels.clone());
        }
    }

    /// All nodes, sorted by the exact sum of weight times level over height, then by levels.
    fn by_prec(tops: &[Level], weights: &[Share]) -> Result<Vec<Vec<Level>>, Error> {
        let size = tops.iter().map(|top| u128::from(*top) + 1);
        let size = size.fold(1u128, u128::saturating_mul);
        if size > MOST_NODES {
            return Err(Error::Infeasible {
                what: format!(
                    "the lattice has {size} nodes: the certifier does not follow a chain by Prec through more than {MOST_NODES}"
                ),
                hint: Some("use `chain = \"datafly\"`, or list the steps".to_owned()),
            });
        }
        let too_odd = || Error::Internal("weights too odd to be summed".to_owned());
        let cost = |(top, weight): (&Level, &Share)| {
            let step = Share::new(1, i128::from(*top).max(1))?;
            weight.checked_mul(step)
        };
        let costs: Option<Vec<Share>> = tops.iter().zip(weights).map(cost).collect();
        let (costs, _) = costs
            .and_then(|costs| Share::over_common(&costs))
            .ok_or_else(too_odd)?;
        let mut nodes: Vec<Vec<Level>> = vec![Vec::new()];
        for top in tops {
            let longer = |node: &Vec<Level>| {
                let node = node.clone();
                (0..=*top).map(move |level| [&node[..], &[level]].concat())
            };
            nodes = nodes.iter().flat_map(longer).collect();
        }
        nodes.sort_by_cached_key(|node| {
            let cost = node.iter().zip(&costs);
            let cost: i128 = cost.map(|(level, cost)| i128::from(*level) * cost).sum();
            (cost, node.clone())
        });
        Ok(nodes)
    }

    /// The group of each published row at a step, numbered by first row.
    pub(super) fn groups(&self, step: &[Level]) -> Vec<u32> {
        let mut groups = vec![0u32; self.rows.len()];
        for (shown, level) in self.shown.iter().zip(step) {
            let texts = &shown.levels[usize::from(*level)];
            let mut numbers: FxHashMap<(u32, u32), u32> = FxHashMap::default();
            for (group, row) in groups.iter_mut().zip(self.rows) {
                let text = texts[shown.raw.codes().get(*row as usize) as usize];
                let next = numbers.len() as u32;
                *group = *numbers.entry((*group, text)).or_insert(next);
            }
        }
        groups
    }
}

impl<'a> Shown<'a> {
    fn new(raw: &'a Column, after: &Column, tree: &Hierarchy, rows: &[u32]) -> Result<Self, Error> {
        let mut numbers: FxHashMap<&str, u32> = FxHashMap::default();
        let mut levels = Vec::new();
        for level in 0..=tree.height() {
            let number = |text: &str| {
                let leaf = tree.leaf(text);
                let leaf = leaf.ok_or_else(|| {
                    Error::Internal(format!("a value of `{}` has no leaf", raw.name()))
                })?;
                let label = tree.label(tree.at_level(leaf, level));
                let next = numbers.len() as u32;
                Ok(*numbers.entry(label).or_insert(next))
            };
            let texts: Result<Vec<u32>, Error> = raw.dictionary().texts().map(number).collect();
            levels.push(texts?);
        }
        let shows = |texts: &Vec<u32>| {
            rows.iter().enumerate().all(|(at, row)| {
                let text = texts[raw.codes().get(*row as usize) as usize];
                let published = after.dictionary().text(after.codes().get(at));
                numbers.get(published) == Some(&text)
            })
        };
        Ok(Self {
            raw,
            published: levels.iter().map(shows).collect(),
            levels,
        })
    }

    /// How many different texts the rows show at a level.
    fn texts(&self, level: Level, rows: &[u32]) -> usize {
        let texts = &self.levels[usize::from(level)];
        let mut seen: Vec<u32> = rows
            .iter()
            .map(|row| texts[self.raw.codes().get(*row as usize) as usize])
            .collect();
        seen.sort_unstable();
        seen.dedup();
        seen.len()
    }
}
