//! Small tables with the generalizations of their rows, put before the library.

use std::collections::BTreeMap;

use scrim::adversary::{Chain, Disclosure, Effort, Property, Strategy, disclosure, passing};
use scrim::algorithm::{ChainDecision, ChainOutcome, ChainWalk, Kept, Sequence, Task, Unwatched};
use scrim::frequency::Ground;
use scrim::hierarchy::Ladder;
use scrim::metric::{Marginals, MetricId};
use scrim::model::{Diversity, LDiversity, ModelSet};
use scrim::recoding::Node;
use scrim::table::{Column, Table};
use scrim::{Error, Share};

use super::super::bench::{internal, ladder, records};

/// The sensitive column.
const SECRET: &str = "s";

/// Tables of the same ids and generalizations. All hold the same values, by number as they come in the first one.
#[derive(Debug)]
pub(super) struct Case {
    pub(super) ids: Vec<&'static str>,
    /// The values by their numbers.
    pub(super) words: Vec<&'static str>,
    /// The ranges that each generalization prints, by id.
    pub(super) ranges: Vec<Vec<&'static str>>,
    /// The group of each id, generalization by generalization.
    pub(super) steps: Vec<Vec<u32>>,
    /// The value of each id, table by table.
    tables: Vec<(&'static str, Vec<u32>)>,
    models: ModelSet,
}

impl Case {
    /// From a file with the ids, so many generalizations, and tables.
    pub(super) fn read(text: &'static str, generalizations: usize) -> Result<Self, Error> {
        let mut rows = records(text);
        let header = rows.next().unwrap_or_default();
        let rows: Vec<Vec<&str>> = rows.collect();
        if rows.iter().any(|row| row.len() != header.len()) || header.len() < 2 + generalizations {
            return Err(internal("a ragged fixture"));
        }
        let column = |at: usize| rows.iter().map(|row| row[at]).collect::<Vec<_>>();
        let ranges: Vec<Vec<&str>> = (1..=generalizations).map(column).collect();
        let mut words = Vec::new();
        let mut tables = Vec::new();
        for (at, name) in header.iter().enumerate().skip(generalizations + 1) {
            tables.push((*name, numbered(&column(at), &mut words)));
        }
        let steps = ranges.iter().map(|step| numbered(step, &mut Vec::new()));
        let steps = steps.collect();
        Ok(Self {
            ids: column(0),
            words,
            steps,
            ranges,
            tables,
            models: two_two()?,
        })
    }

    /// A table by its name.
    pub(super) fn table(&self, name: &str) -> Result<&[u32], Error> {
        let found = self.tables.iter().find(|(own, _)| *own == name);
        found
            .map(|(_, table)| &table[..])
            .ok_or_else(|| internal("a fixture lacks a table"))
    }

    /// The number of a value.
    pub(super) fn value(&self, word: &str) -> Result<u32, Error> {
        let at = self.words.iter().position(|own| *own == word);
        at.map(|at| at as u32)
            .ok_or_else(|| internal("a fixture lacks a value"))
    }

    /// The property over a table's values; they have the numbers of this case.
    fn kept(&self) -> Result<Kept<'_>, Error> {
        let (_, table) = self
            .tables
            .first()
            .ok_or_else(|| internal("a fixture lacks tables"))?;
        let (kept, values) = Kept::over(&self.models, &self.secret(table));
        if &values == table && kept.codes().len() == self.words.len() {
            return Ok(kept);
        }
        Err(internal("the tables of a fixture differ in their values"))
    }

    fn secret(&self, table: &[u32]) -> Column {
        let texts = table.iter().map(|value| self.words[*value as usize]);
        Column::from_texts(SECRET, texts)
    }

    /// What is believed when a table's generalization by the step, from 1, is released, and the steps before it were refused.
    pub(super) fn set(
        &self,
        step: usize,
        table: &[u32],
        strategy: Strategy,
    ) -> Result<Disclosure, Error> {
        self.set_of(&self.steps[..step], table, strategy)
    }

    /// The same of the step alone: all tables that it allows.
    pub(super) fn alone(&self, step: usize, table: &[u32]) -> Result<Disclosure, Error> {
        self.set_of(&self.steps[step - 1..step], table, Strategy::Exclusive)
    }

    fn set_of(
        &self,
        steps: &[Vec<u32>],
        table: &[u32],
        strategy: Strategy,
    ) -> Result<Disclosure, Error> {
        let chain = Chain::new(table.to_vec(), steps.to_vec());
        let chain = chain.ok_or_else(|| internal("a chain without rows"))?;
        let kept = self.kept()?;
        disclosure(&chain, strategy, &kept, &Effort::default(), &mut || Ok(()))?
            .map_err(|undecided| internal(&undecided.why))
    }

    /// Whether a disclosure set keeps the property.
    pub(super) fn safe(&self, set: &Disclosure) -> Result<bool, Error> {
        Ok(set.holds(&self.kept()?))
    }

    /// Whether the groups of a step, from 1, keep the property.
    pub(super) fn passes(&self, step: usize, table: &[u32]) -> Result<bool, Error> {
        let kept: &dyn Property = &self.kept()?;
        let groups = passing(&self.steps[step - 1], table, self.words.len(), kept);
        Ok(groups.into_iter().all(|passes| passes))
    }

    /// What a strategy does with a table, by the walk that `publish` takes.
    pub(super) fn publish(&self, table: &[u32], strategy: Strategy) -> Result<Walked, Error> {
        let names: Vec<String> = (1..=self.steps.len()).map(|at| format!("g{at}")).collect();
        let mut columns: Vec<Column> = names
            .iter()
            .zip(&self.ranges)
            .map(|(name, ranges)| Column::from_texts(name, ranges.iter().copied()))
            .collect();
        let flat = |column: &Column| {
            let levels: Vec<String> = column
                .dictionary()
                .texts()
                .map(|text| format!("{text};*"))
                .collect();
            ladder(&levels.join("\n"), column)
        };
        let ladders: Vec<Ladder> = columns.iter().map(flat).collect::<Result<_, _>>()?;
        columns.push(self.secret(table));
        let whole = Table::new(columns).ok_or_else(|| internal("a ragged table"))?;
        let nodes = (0..self.steps.len()).map(|own| {
            let levels = (0..self.steps.len()).map(|at| u8::from(at != own));
            Node::new(levels.collect::<Vec<_>>())
        });
        let ground = Ground::count(&whole, &ladders, self.models.tracked())?;
        let marginals = Marginals::new(&ladders, &ground);
        let weights = vec![Share::ONE; ladders.len()];
        let metric = MetricId::Prec.bind(&marginals, &weights, true);
        let task = Task {
            ground: &ground,
            ladders: &ladders,
            models: &self.models,
            metric: metric.as_ref(),
            limit: 0,
            keeps_rows: true,
        };
        let walk = ChainWalk {
            strategy,
            sequence: &Sequence::Given(nodes.collect()),
            effort: Effort::default(),
            secret: &self.secret(table),
        };
        Ok(Walked(walk.walk(&task, &mut Unwatched)?))
    }

    /// How many tables a single class of so many rows allows whose values all differ.
    pub(super) fn tables_of_one_class(rows: u32) -> Result<String, Error> {
        let texts: Vec<String> = (0..rows).map(|value| value.to_string()).collect();
        let column = Column::from_texts(SECRET, texts.iter().map(String::as_str));
        let models = two_two()?;
        let (kept, values) = Kept::over(&models, &column);
        let chain = Chain::new(values, vec![vec![0; rows as usize]]);
        let chain = chain.ok_or_else(|| internal("a chain without rows"))?;
        let effort = Effort::default();
        let set = disclosure(&chain, Strategy::Exclusive, &kept, &effort, &mut || Ok(()))?;
        let size = set.ok().and_then(|set| set.size);
        size.map(|size| size.to_string())
            .ok_or_else(|| internal("a class that was not counted"))
    }

    /// A set's strongest belief as a fraction.
    pub(super) fn best(set: &Disclosure) -> String {
        let highest = set.max().filter(|highest| highest.low == highest.high);
        highest.map_or_else(String::new, |highest| highest.high.to_string())
    }

    /// The ids and values of which a set's strongest belief is held.
    pub(super) fn attained(&self, set: &Disclosure) -> String {
        let Some(highest) = set.max() else {
            return String::new();
        };
        let mut pairs = Vec::new();
        for (row, id) in self.ids.iter().enumerate() {
            let bounds = set
                .belief_of_row(row)
                .map_or(&[][..], |belief| &belief.bounds);
            for (value, low, _) in bounds {
                if *low == highest.high {
                    pairs.push(format!("{id}:{}", self.words[*value as usize]));
                }
            }
        }
        pairs.join(" ")
    }
}

/// What a strategy ended with.
#[derive(Debug)]
pub(super) struct Walked(ChainDecision);

impl Walked {
    /// The released generalization.
    pub(super) fn told(&self) -> String {
        match self.0.outcome {
            ChainOutcome::Published(step) => format!("G{step}"),
            _ => "nothing".to_owned(),
        }
    }

    /// What was judged last.
    pub(super) fn ratio(&self) -> String {
        self.0.disclosure.as_ref().map_or_else(String::new, |set| {
            let size = set.size.as_ref().map_or_else(String::new, |size| {
                format!("{size} tables, ratio {}", Case::best(set))
            });
            self.0
                .judged()
                .map_or_else(String::new, |step| format!("DS_{step}: {size}"))
        })
    }
}

/// Recursive (2,2)-diversity.
fn two_two() -> Result<ModelSet, Error> {
    let kind = Diversity::Recursive {
        c: Share::whole(2),
        l: 2,
    };
    let model = LDiversity::new(SECRET, kind).map_err(Error::Internal)?;
    Ok(ModelSet::new(vec![Box::new(model)]))
}

/// Texts by number, as they come; new ones are added to the words.
fn numbered(texts: &[&'static str], words: &mut Vec<&'static str>) -> Vec<u32> {
    let mut number: BTreeMap<&str, u32> = (0..)
        .zip(&*words)
        .map(|(at, word): (u32, &&str)| (*word, at))
        .collect();
    let mut of = |text: &&'static str| {
        *number.entry(*text).or_insert_with(|| {
            words.push(*text);
            words.len() as u32 - 1
        })
    };
    texts.iter().map(&mut of).collect()
}
