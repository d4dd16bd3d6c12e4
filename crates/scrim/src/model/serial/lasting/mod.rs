//! Lasting values: what all releases together let an onlooker believe who knows that a value, once had, stays.
//!
//! **Definition.** A world says of every person and every release that the person is in whether the person has the value; who
//! had it has it ever after, also across releases that the person misses. In every class of every release as many members have
//! the value as were published. All worlds are equally likely; p(o, s) is the share of worlds in which o has s in some release.
//! **Reading.** Persons with the same classes form an *atom*: they are exchangeable, so a world is counted by how many members of
//! each atom have the value at each of its releases, x₁ ≤ x₂ ≤ …, in |a|! / (x₁! (x₂ − x₁)! … (|a| − xₘ)!) ways, and p is the
//! mean of xₘ divided by |a|. Where several values are protected as a group, a person has the value who has any of them.
//! **Holds because** the count is exact, with whole numbers of any size. Where it would take too long, p is at most the largest
//! possible xₘ divided by |a|: intervals of x are narrowed by the sums of the classes and by x₁ ≤ x₂ ≤ … alone.
//! **Does not protect against** who knows that people rarely fall ill: worlds are equally likely, whatever the disease.
//! **Cost.** Intervals: linear in the memberships, a few passes. Exact counts: exponential in what links the classes of a
//! component; limited ([`Effort`]).
//! **Oracle.** `testkit::oracle::lasting`.

mod count;
mod intervals;

pub use count::Effort;

use num_traits::Zero;

use super::pace::Exact;
use intervals::Intervals;

/// Persons with the same classes, the earliest release first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The classes.
    pub classes: Vec<u32>,
    /// How many persons.
    pub persons: u64,
}

/// What is to be believed of each person of an atom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Belief {
    /// The probability, or a bound that it does not pass.
    pub most: Exact,
    /// Whether it is the probability itself.
    pub exact: bool,
}

/// What is to be believed of each atom; `linked` has by class the rows with the value. Nothing where no world is possible: then
/// somebody lost the value, and it does not last.
pub fn beliefs(atoms: &[Atom], linked: &[u64], effort: Effort) -> Option<Vec<Belief>> {
    let intervals = Intervals::new(atoms, linked)?;
    let mut beliefs: Vec<Belief> = (0..atoms.len())
        .map(|atom| {
            let (least, most) = intervals.last(atom);
            Belief {
                most: ratio(most, atoms[atom].persons),
                exact: least == most,
            }
        })
        .collect();
    let mut left = effort.in_all;
    for component in intervals.components() {
        let budget = effort.of_one.min(left);
        let (spent, counted) = count::count(atoms, &intervals, &component, budget);
        left -= spent.min(left);
        let Some((worlds, carriers)) = counted else {
            continue;
        };
        if worlds.is_zero() {
            return None;
        }
        for (atom, carriers) in component.into_iter().zip(carriers) {
            beliefs[atom] = Belief {
                most: Exact::new(
                    carriers.into(),
                    (&worlds * atoms[atom].persons.max(1)).into(),
                ),
                exact: true,
            };
        }
    }
    Some(beliefs)
}

fn ratio(part: u64, whole: u64) -> Exact {
    Exact::new(part.into(), whole.max(1).into())
}

/// The atoms of persons, given by their classes, and the atom of each.
pub fn atoms<'a>(persons: impl Iterator<Item = &'a [u32]>) -> (Vec<Atom>, Vec<u32>) {
    let mut known: rustc_hash::FxHashMap<&[u32], u32> = rustc_hash::FxHashMap::default();
    let mut atoms: Vec<Atom> = Vec::new();
    let mut of_person = Vec::new();
    for classes in persons {
        let next = atoms.len() as u32;
        let at = *known.entry(classes).or_insert(next);
        if at == next {
            atoms.push(Atom {
                classes: classes.to_vec(),
                persons: 0,
            });
        }
        atoms[at as usize].persons += 1;
        of_person.push(at);
    }
    (atoms, of_person)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(persons: &[&[u32]], linked: &[u64], effort: Effort) -> Option<Vec<String>> {
        let (atoms, of_person) = atoms(persons.iter().copied());
        let beliefs = beliefs(&atoms, linked, effort)?;
        let told = |atom: &u32| {
            let belief = &beliefs[*atom as usize];
            let sign = if belief.exact { "" } else { "<=" };
            format!("{sign}{}", belief.most)
        };
        Some(of_person.iter().map(told).collect())
    }

    #[test]
    fn the_three_examples_of_the_definition() {
        // {a,b,c} with one, then {a,d} with one and {b,c} with none.
        let told = all(
            &[&[0, 1], &[0, 2], &[0, 2], &[1]],
            &[1, 1, 0],
            Effort::default(),
        );
        assert_eq!(told.unwrap(), ["1", "0", "0", "0"]);
        let told = all(
            &[&[0, 1], &[0, 1], &[0, 1], &[0, 1]],
            &[1, 2],
            Effort::default(),
        );
        assert_eq!(told.unwrap(), ["1/2"; 4]);
        let told = all(&[&[0], &[0, 1], &[0, 1]], &[1, 0], Effort::default());
        assert_eq!(told.unwrap(), ["1", "0", "0"]);
    }

    #[test]
    fn who_leaves_is_believed_more_than_the_share_says() {
        // {a,b,c,d} with one, then a is gone and one of the others has it: 3 worlds with a, 3 without.
        let persons: [&[u32]; 4] = [&[0], &[0, 1], &[0, 1], &[0, 1]];
        let told = all(&persons, &[1, 1], Effort::default());
        assert_eq!(told.unwrap(), ["1/2", "1/3", "1/3", "1/3"]);
        // Without counting, the bound says only that one of one may have it.
        let none = Effort {
            of_one: 0,
            in_all: 0,
        };
        assert_eq!(
            all(&persons, &[1, 1], none).unwrap(),
            ["<=1", "1/3", "1/3", "1/3"]
        );
    }

    #[test]
    fn a_value_that_somebody_lost_has_no_world() {
        assert!(all(&[&[0, 1], &[0, 1]], &[1, 0], Effort::default()).is_none());
        // Found by counting only: two of the three must have it at first, and each of the pairs shows one later.
        let persons: [&[u32]; 3] = [&[0, 1], &[0, 1], &[0, 1]];
        assert!(all(&persons, &[2, 1], Effort::default()).is_none());
    }
}
