//! The people of a table by distinct tuple, and what a class of tuples is worth.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::demands::{Demanding, Demands};
use crate::algorithm::Task;
use crate::error::Error;
use crate::frequency::{Piles, Tracked};
use crate::model::{Fitting, Ownership, Personal, Quantity};
use crate::table::Table;

/// What a set of classes costs, and how many of them cannot be published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Worth {
    /// Classes that break a model, whatever is done to their sensitive values.
    pub(super) unsafe_classes: i64,
    /// The information loss, in whole units.
    pub(super) cost: i128,
}

impl Worth {
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            unsafe_classes: self.unsafe_classes + other.unsafe_classes,
            cost: self.cost + other.cost,
        }
    }

    pub(super) fn minus(self, other: Self) -> Self {
        Self {
            unsafe_classes: self.unsafe_classes - other.unsafe_classes,
            cost: self.cost - other.cost,
        }
    }
}

/// Lists of one length each, one after the other.
#[derive(Clone, Debug)]
pub(super) struct Lists<T> {
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    fn collect(lists: impl Iterator<Item = Vec<T>>) -> Self {
        let mut all = Self {
            starts: vec![0],
            items: Vec::new(),
        };
        for list in lists {
            all.items.extend(list);
            all.starts.push(all.items.len() as u32);
        }
        all
    }

    pub(super) fn of(&self, at: u32) -> &[T] {
        &self.items[self.starts[at as usize] as usize..self.starts[at as usize + 1] as usize]
    }
}

/// The people of each distinct tuple.
#[derive(Debug)]
pub(super) struct Crowd<'a> {
    pub(super) rows: Vec<u64>,
    /// The persons all of whose rows have this tuple.
    here: Vec<u64>,
    /// The persons of this tuple who have rows of another one too.
    crossing: Lists<u32>,
    /// Wishes with their rows, by sensitive column.
    wishes: Vec<Lists<(u32, u32)>>,
    personal: &'a [Arc<Personal>],
    /// What a lost leaf costs, by sensitive column.
    pub(super) unit: Vec<i128>,
    least_rows: u64,
    least_persons: u64,
    others: Option<Others<'a>>,
    demanding: Demanding<'a>,
}

/// Models that neither wishes nor sizes decide.
#[derive(Debug)]
struct Others<'a> {
    task: &'a Task<'a>,
    piles: Piles<'a>,
    rows: Lists<u32>,
}

/// Memory that judging classes needs, class after class.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    fitting: Fitting,
    /// The wishes of the class, ascending, with their rows and those on the left, by sensitive column.
    tables: Vec<Halved>,
    /// Tuples of each crossing person on the left and on the right.
    persons: FxHashMap<u32, [u32; 2]>,
    /// What crossing persons demand of the left half and of the right one, by sensitive column.
    demands: Vec<[Demands; 2]>,
    whole: Size,
}

/// The wishes of a class in two halves.
#[derive(Debug, Default)]
struct Halved {
    /// Where the class keeps each wish; anything for wishes that it does not have.
    place: Vec<u32>,
    codes: Vec<u32>,
    all: Vec<u64>,
    left: Vec<u64>,
}

/// A count of rows and persons.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    rows: u64,
    persons: u64,
}

impl<'a> Crowd<'a> {
    pub(super) fn new(
        table: &'a Table,
        task: &'a Task<'a>,
        personal: &'a [Arc<Personal>],
        unit: Vec<i128>,
    ) -> Result<Self, Error> {
        let set = task.ground.set();
        let tuples = || 0..set.len();
        let place =
            |wanted: &dyn Fn(&Tracked) -> bool| task.models.tracked().iter().position(wanted);
        let person = place(&|tracked| matches!(tracked, Tracked::Person(_)));
        let mut tuples_of: FxHashMap<u32, u32> = FxHashMap::default();
        if let Some(person) = person {
            for tuple in tuples() {
                let repeating = set.class(tuple).histogram(person);
                repeating
                    .iter()
                    .for_each(|(code, _)| *tuples_of.entry(code).or_default() += 1);
            }
        }
        let crossing = |tuple: usize| -> Vec<u32> {
            let Some(person) = person else {
                return Vec::new();
            };
            let repeating = set.class(tuple).histogram(person);
            let crosses = |code: &u32| tuples_of[code] > 1;
            repeating
                .iter()
                .map(|(code, _)| code)
                .filter(crosses)
                .collect()
        };
        let crossing = Lists::collect(tuples().map(crossing));
        let persons = |tuple: usize| match person {
            Some(person) => set.class(tuple).persons(person),
            None => set.rows()[tuple],
        };
        let here = tuples()
            .map(|tuple| persons(tuple) - crossing.of(tuple as u32).len() as u64)
            .collect();
        let wishes = |personal: &Arc<Personal>| {
            let need = crate::model::PrivacyModel::needs(personal.as_ref()).swap_remove(0);
            let at = place(&|tracked| *tracked == need)
                .ok_or_else(|| Error::Internal("wishes were not counted".to_owned()))?;
            let list = |tuple| set.class(tuple).histogram(at).iter().collect();
            Ok::<_, Error>(Lists::collect(tuples().map(list)))
        };
        let mut crowd = Self {
            rows: set.rows().to_vec(),
            here,
            crossing,
            wishes: personal.iter().map(wishes).collect::<Result<_, _>>()?,
            personal,
            unit,
            least_rows: 0,
            least_persons: 0,
            others: None,
            demanding: Demanding::new(personal, tuples_of, task.models.looks_across()),
        };
        let mut any_other = false;
        for model in task.models.models() {
            match model.least_size() {
                Some(Quantity::Rows(least)) => crowd.least_rows = crowd.least_rows.max(least),
                Some(Quantity::Persons(least)) => {
                    crowd.least_persons = crowd.least_persons.max(least);
                }
                _ => any_other |= model.id() != "personal",
            }
        }
        if any_other {
            crowd.others = Some(Others::new(table, task)?);
        }
        Ok(crowd)
    }

    /// What a class of tuples costs in its sensitive values. The class stays laid out for [`halves`](Self::halves).
    pub(super) fn worth(&self, scratch: &mut Scratch, tuples: &[u32]) -> Worth {
        self.lay_out(scratch, tuples);
        let here: u64 = tuples.iter().map(|tuple| self.here[*tuple as usize]).sum();
        scratch.whole = Size {
            rows: tuples.iter().map(|tuple| self.rows[*tuple as usize]).sum(),
            persons: here + scratch.persons.len() as u64,
        };
        self.half(scratch, scratch.whole, false, tuples)
    }

    /// What the two halves of the class laid out last cost together, for each way to halve it: its tuples come in groups that
    /// end at `ends`, and each way puts some first groups into the left half. `visit` gets the last group on the left.
    pub(super) fn halves(
        &self,
        scratch: &mut Scratch,
        tuples: &[u32],
        ends: &[u32],
        mut visit: impl FnMut(usize, Worth),
    ) {
        for table in &mut scratch.tables {
            table.left.fill(0);
        }
        scratch
            .persons
            .values_mut()
            .for_each(|[left, right]| *right += std::mem::take(left));
        self.demanding.count(&scratch.persons, &mut scratch.demands);
        let whole = scratch.whole;
        let (mut left, mut here_left, mut start) = (Size::default(), 0, 0);
        let mut crossing = [0, scratch.persons.len() as u64];
        let here = whole.persons - crossing[1];
        for (group, end) in ends[..ends.len() - 1].iter().enumerate() {
            let end = *end as usize;
            for tuple in &tuples[start..end] {
                left.rows += self.rows[*tuple as usize];
                here_left += self.here[*tuple as usize];
                for person in self.crossing.of(*tuple) {
                    if let Some([seen, rest]) = scratch.persons.get_mut(person) {
                        let before = [*seen, *rest];
                        *seen += 1;
                        *rest -= 1;
                        self.demanding
                            .shift(&mut scratch.demands, *person, before, [*seen, *rest]);
                        crossing[0] += u64::from(*seen == 1);
                        crossing[1] -= u64::from(*rest == 0);
                    }
                }
                for (wishes, table) in self.wishes.iter().zip(&mut scratch.tables) {
                    for (code, rows) in wishes.of(*tuple) {
                        table.left[table.place[*code as usize] as usize] += u64::from(*rows);
                    }
                }
            }
            start = end;
            left.persons = here_left + crossing[0];
            let right = Size {
                rows: whole.rows - left.rows,
                persons: here - here_left + crossing[1],
            };
            let worth = self
                .half(scratch, left, true, &tuples[..end])
                .plus(self.half(scratch, right, false, &tuples[end..]));
            visit(group, worth);
        }
    }

    /// Lays out the wishes and the crossing persons of a class; nothing is on the left yet.
    fn lay_out(&self, scratch: &mut Scratch, tuples: &[u32]) {
        scratch
            .tables
            .resize_with(self.wishes.len(), Halved::default);
        let columns = self
            .wishes
            .iter()
            .zip(&mut scratch.tables)
            .zip(self.personal);
        for ((wishes, table), personal) in columns {
            table.place.resize(personal.wishes().len(), 0);
            let cells = || tuples.iter().flat_map(|tuple| wishes.of(*tuple));
            table.codes.clear();
            // Small classes sort the wishes they have; large ones look at all.
            if tuples.len() * 4 < table.place.len() {
                table.codes.extend(cells().map(|(code, _)| *code));
                table.codes.sort_unstable();
                table.codes.dedup();
            } else {
                table.place.fill(0);
                cells().for_each(|(code, _)| table.place[*code as usize] = 1);
                let present = (0..)
                    .zip(&table.place)
                    .filter(|(_, present)| **present == 1);
                table.codes.extend(present.map(|(code, _)| code));
            }
            (0..)
                .zip(&table.codes)
                .for_each(|(at, code)| table.place[*code as usize] = at);
            table.left.clear();
            table.left.resize(table.codes.len(), 0);
            table.all.clear();
            table.all.resize(table.codes.len(), 0);
            cells().for_each(|(code, rows)| {
                table.all[table.place[*code as usize] as usize] += u64::from(*rows);
            });
        }
        scratch.persons.clear();
        for tuple in tuples {
            for person in self.crossing.of(*tuple) {
                scratch.persons.entry(*person).or_default()[1] += 1;
            }
        }
        self.demanding.count(&scratch.persons, &mut scratch.demands);
    }

    /// What one half costs: the left one, or all that is not on the left.
    fn half(&self, scratch: &mut Scratch, size: Size, is_left: bool, tuples: &[u32]) -> Worth {
        let broken = Worth {
            unsafe_classes: 1,
            cost: 0,
        };
        if size.rows < self.least_rows || size.persons < self.least_persons {
            return broken;
        }
        let mut worth = Worth::default();
        let Scratch {
            fitting,
            tables,
            demands,
            ..
        } = scratch;
        let columns = self.personal.iter().zip(&*tables).zip(&self.unit);
        for (at, ((personal, table), unit)) in columns.enumerate() {
            let demands = demands
                .get(at)
                .map_or_else(Vec::new, |halves| halves[usize::from(!is_left)].strictest());
            let persons = match personal.ownership() {
                Ownership::Primary => size.rows,
                Ownership::NonPrimary => size.persons,
            };
            let counts = table.codes.iter().zip(&table.all).zip(&table.left);
            let cells = counts.filter_map(|((code, all), left)| {
                let rows = if is_left { *left } else { all - left };
                (rows > 0).then_some((*code, rows))
            });
            match personal.lost(fitting, persons, cells, &demands) {
                Some(lost) => worth.cost += unit * i128::from(lost),
                None => return broken,
            }
        }
        match &self.others {
            Some(others) if !others.hold(tuples) => broken,
            _ => worth,
        }
    }
}

impl<'a> Others<'a> {
    fn new(table: &'a Table, task: &'a Task<'a>) -> Result<Self, Error> {
        let mut rows = vec![Vec::new(); task.ground.set().len()];
        (0..)
            .zip(task.ground.tuple_of_row())
            .for_each(|(row, tuple)| rows[*tuple as usize].push(row));
        Ok(Self {
            task,
            piles: Piles::new(table, task.models.tracked())?,
            rows: Lists::collect(rows.into_iter()),
        })
    }

    fn hold(&self, tuples: &[u32]) -> bool {
        let rows: Vec<u32> = tuples
            .iter()
            .flat_map(|tuple| self.rows.of(*tuple))
            .copied()
            .collect();
        self.task.models.holds(self.piles.one(&rows).only())
    }
}
