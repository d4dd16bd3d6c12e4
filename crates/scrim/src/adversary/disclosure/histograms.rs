//! The inclusive strategy on three nested steps.
//!
//! **Definition.** A table is possible where its first step fails and the disclosure set of its second step is not safe ([Zhang07],
//! Table 3). Whether that set is safe depends on the histograms of the second step only.
//! **Holds because** the tables with given histograms h of the second step are all that it allows, T, and those whose first step
//! passes are a product over its groups, P: T - P tables with these histograms are possible, or none.
//! **Cost.** All histograms of the second step that the release allows, one by one.
//! **Oracle.** `testkit::oracle::disclosure_set`.

use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_traits::Zero;
use rustc_hash::FxHashMap;

use super::belief::{Believed, Disclosure};
use super::chain::Partition;
use super::counting::Counting;
use super::deal::{Share, deal};
use super::effort::{Budget, Found, Method, Stop, give_up};
use super::exact::arranged;
use super::frontier::{Atom, Component};
use super::numbers::{arrangements, fraction, product};
use super::property::BigRational;
use super::scene::Scene;

/// The most values of a class that are dealt out.
const MOST_VALUES: usize = 300;
/// Moves for the histograms of one class.
const MOST_MOVES: usize = 1 << 20;

/// One histogram of a group of the second step.
struct Histogram {
    counts: Vec<(u32, u32)>,
    all: BigUint,
    passing: BigUint,
    /// By size of a group of the first step: passing arrangements in which a row of it has each value.
    marked: BTreeMap<u32, Vec<BigUint>>,
}

/// A histogram of each group of a class: group and number of the histogram.
type Choice = Vec<(usize, usize)>;

/// The beliefs, histogram by histogram.
pub(super) fn histograms(scene: &Scene<'_>, budget: &mut Budget<'_>) -> Found<Disclosure> {
    let [first, second] = scene.steps.as_slice() else {
        return give_up("there are not three steps");
    };
    if !first.refines(second) || !second.refines(scene.released) {
        return give_up("the three steps are not nested");
    }
    if scene
        .classes
        .iter()
        .any(|class| class.counts.len() > MOST_VALUES)
    {
        return give_up("a class has too many values to be counted");
    }
    let mut table = Table::new(scene, first, second);
    let mut options = Vec::new();
    for class in 0..scene.classes.len() {
        options.push(table.options(class, budget)?);
    }
    let mut sum = Sum {
        table: &table,
        possible: BigUint::zero(),
        of_kind: scene
            .kinds
            .iter()
            .map(|(class, _)| vec![BigUint::zero(); scene.classes[*class as usize].counts.len()])
            .collect(),
    };
    sum.walk(&options, &mut Vec::new(), budget)?;
    let Sum {
        possible, of_kind, ..
    } = sum;
    if possible.is_zero() {
        return Err(Stop::Impossible);
    }
    let belief = |(kind, tables): (usize, Vec<BigUint>)| -> Believed {
        let mut belief = scene.plain(kind);
        for ((_, low, high), tables) in belief.bounds.iter_mut().zip(tables) {
            *low = fraction(tables, possible.clone());
            *high = low.clone();
        }
        belief
    };
    let beliefs = of_kind.into_iter().enumerate().map(belief).collect();
    let found = Disclosure::new(
        scene.chain,
        Method::Histograms,
        scene.kind_of_row.clone(),
        beliefs,
    );
    Ok(found.sized(possible))
}

struct Table<'a> {
    scene: &'a Scene<'a>,
    /// By group of the second step: its size, and the sizes of the groups of the first step in it.
    sizes: Vec<u32>,
    fine: Vec<Vec<u32>>,
    groups_of_class: Vec<Vec<usize>>,
    /// By kind of row: its group of the second step, and the size of that of the first.
    place_of_kind: Vec<(usize, u32)>,
    histograms: Vec<Vec<Histogram>>,
    known: FxHashMap<(usize, Vec<(u32, u32)>), usize>,
    counting: Counting<'a>,
}

impl<'a> Table<'a> {
    fn new(scene: &'a Scene<'a>, first: &Partition, second: &Partition) -> Self {
        let first_sizes = first.sizes();
        let fine = second.pieces(first).into_iter();
        let mut groups_of_class = vec![Vec::new(); scene.classes.len()];
        for (group, classes) in second.pieces(scene.released).iter().enumerate() {
            classes
                .iter()
                .for_each(|(class, _)| groups_of_class[*class as usize].push(group));
        }
        let place = |(_, row): &(u32, u32)| {
            let row = *row as usize;
            (
                second.of_row[row] as usize,
                first_sizes[first.of_row[row] as usize],
            )
        };
        Self {
            sizes: second.sizes(),
            fine: fine
                .map(|groups| groups.iter().map(|(_, rows)| *rows).collect())
                .collect(),
            groups_of_class,
            place_of_kind: scene.kinds.iter().map(place).collect(),
            histograms: (0..second.groups).map(|_| Vec::new()).collect(),
            known: FxHashMap::default(),
            counting: Counting::new(scene.property, scene.chain.values()),
            scene,
        }
    }

    /// All histograms that the groups of a class can have together.
    fn options(&mut self, class: usize, budget: &mut Budget<'_>) -> Found<Vec<Choice>> {
        let mut open = vec![(Vec::new(), self.scene.classes[class].counts.clone())];
        for group in self.groups_of_class[class].clone() {
            let mut next = Vec::new();
            for (chosen, left) in open {
                let mut taken_all = Vec::new();
                let share = Share {
                    counts: &left,
                    rows: self.sizes[group],
                };
                if !deal(&[share], MOST_MOVES, &mut |taken| {
                    taken_all.push(taken.to_vec());
                    true
                }) {
                    return give_up("the step before the release has too many histograms");
                }
                for taken in taken_all {
                    budget.state()?;
                    let rest = left
                        .iter()
                        .zip(&taken)
                        .map(|((value, count), (_, rows))| (*value, count - rows));
                    let rest: Vec<(u32, u32)> = rest.collect();
                    let mut chosen: Choice = Vec::clone(&chosen);
                    chosen.push((group, self.histogram(group, &taken, budget)?));
                    next.push((chosen, rest));
                }
            }
            open = next;
        }
        Ok(open.into_iter().map(|(chosen, _)| chosen).collect())
    }

    /// The number of a histogram of a group, counted where it is new.
    fn histogram(
        &mut self,
        group: usize,
        taken: &[(u32, u32)],
        budget: &mut Budget<'_>,
    ) -> Found<usize> {
        let counts: Vec<(u32, u32)> = taken
            .iter()
            .copied()
            .filter(|(_, rows)| *rows > 0)
            .collect();
        let key = (group, counts.clone());
        if let Some(known) = self.known.get(&key) {
            return Ok(*known);
        }
        let atom = |(group, size): (usize, &u32)| Atom {
            class: 0,
            size: *size,
            groups: vec![group],
        };
        let component = Component {
            classes: vec![counts.clone()],
            groups: self.fine[group].clone(),
            atoms: self.fine[group].iter().enumerate().map(atom).collect(),
        };
        let (passing, marked) = arranged(self.scene, &component, &mut self.counting, budget)?;
        let multiplicities: Vec<u32> = counts.iter().map(|(_, rows)| *rows).collect();
        self.histograms[group].push(Histogram {
            all: arrangements(&multiplicities),
            counts,
            passing,
            marked: self.fine[group].iter().copied().zip(marked).collect(),
        });
        let number = self.histograms[group].len() - 1;
        self.known.insert(key, number);
        Ok(number)
    }
}

struct Sum<'t, 'a> {
    table: &'t Table<'a>,
    possible: BigUint,
    of_kind: Vec<Vec<BigUint>>,
}

impl Sum<'_, '_> {
    /// All histograms of all classes together.
    fn walk(
        &mut self,
        options: &[Vec<Choice>],
        chosen: &mut Choice,
        budget: &mut Budget<'_>,
    ) -> Found<()> {
        let Some((here, rest)) = options.split_first() else {
            budget.state()?;
            budget.step()?;
            self.add(chosen);
            return Ok(());
        };
        for option in here {
            let length = chosen.len();
            chosen.extend(option);
            self.walk(rest, chosen, budget)?;
            chosen.truncate(length);
        }
        Ok(())
    }

    /// Adds the tables with these histograms that are possible.
    fn add(&mut self, chosen: &[(usize, usize)]) {
        let of_group: BTreeMap<usize, &Histogram> = chosen
            .iter()
            .map(|(group, number)| (*group, &self.table.histograms[*group][*number]))
            .collect();
        let all = product(of_group.values().map(|one| one.all.clone()).collect());
        let passing = product(of_group.values().map(|one| one.passing.clone()).collect());
        let possible = &all - &passing;
        if possible.is_zero() {
            return;
        }
        let mut parts: BTreeMap<(usize, u32), Vec<BigUint>> = BTreeMap::new();
        let mut safe = true;
        for (group, histogram) in &of_group {
            for (size, marked) in &histogram.marked {
                let part = tables(histogram, marked, self.table.sizes[*group], &all, &passing);
                safe = safe && self.is_safe(*group, histogram, &part, &possible);
                parts.insert((*group, *size), part);
            }
        }
        if safe {
            return;
        }
        for (kind, place) in self.table.place_of_kind.iter().enumerate() {
            let (class, _) = self.table.scene.kinds[kind];
            let values = &self.table.scene.classes[class as usize].counts;
            if let (Some(part), Some(histogram)) = (parts.get(place), of_group.get(&place.0)) {
                for ((value, _), tables) in histogram.counts.iter().zip(part) {
                    let at = values.partition_point(|(one, _)| one < value);
                    self.of_kind[kind][at] += tables;
                }
            }
        }
        self.possible += possible;
    }

    fn is_safe(
        &self,
        group: usize,
        histogram: &Histogram,
        part: &[BigUint],
        possible: &BigUint,
    ) -> bool {
        let mut dense =
            vec![(BigRational::zero(), BigRational::zero()); self.table.scene.chain.values()];
        for ((value, _), tables) in histogram.counts.iter().zip(part) {
            let share = fraction(tables.clone(), possible.clone());
            dense[*value as usize] = (share.clone(), share);
        }
        let rows = u64::from(self.table.sizes[group]);
        self.table.scene.property.believed(rows, &dense)
    }
}

/// The tables with failing first steps in which a row has each value of its group's histogram.
fn tables(
    histogram: &Histogram,
    marked: &[BigUint],
    size: u32,
    all: &BigUint,
    passing: &BigUint,
) -> Vec<BigUint> {
    let values = histogram.counts.iter().zip(marked);
    let one = |((_, rows), marked): (&(u32, u32), &BigUint)| {
        let allowed = all * *rows / size;
        if passing.is_zero() {
            return allowed;
        }
        allowed - passing / &histogram.passing * marked
    };
    values.map(one).collect()
}
