//! The breach probability of a row.
//!
//! **Definition.** \[XiaoTao06\], Definitions 9 and 10: a possible reconstruction gives each published row of the class an owner among
//! n persons (primary: all different; otherwise any) and a leaf below its published value. It breaches when the target owns a row
//! whose leaf lies below the guard. All reconstructions are equally likely.
//! **Reading.** Owners are vectors, one for each row, although Definition 10 says multi-set: the paper's own counts need it. The target
//! is person 0; by symmetry it does not matter which.

use super::Taxonomy;
use crate::Fraction;

/// All reconstructions of the class and those that breach, by enumeration.
///
/// # Panics
/// When in the primary case there are fewer persons than rows.
#[must_use]
pub fn reconstructions(
    tree: &Taxonomy,
    published: &[usize],
    persons: usize,
    guard: Option<usize>,
    primary: bool,
) -> (u64, u64) {
    assert!(!primary || persons >= published.len(), "too few persons");
    let owners: Vec<Vec<usize>> = vectors(&vec![(0..persons).collect(); published.len()])
        .into_iter()
        .filter(|owners| !primary || all_different(owners))
        .collect();
    let below: Vec<Vec<usize>> = published
        .iter()
        .map(|value| tree.leaves_below(*value).to_vec())
        .collect();
    let leaves = vectors(&below);
    let mut counts = (0, 0);
    for owners in &owners {
        for leaves in &leaves {
            let breaching = owners.iter().zip(leaves).any(|(owner, leaf)| {
                *owner == 0 && guard.is_some_and(|guard| tree.is_within(*leaf, guard))
            });
            counts.0 += 1;
            counts.1 += u64::from(breaching);
        }
    }
    counts
}

/// One choice from each list, in all ways.
fn vectors(choices: &[Vec<usize>]) -> Vec<Vec<usize>> {
    choices.iter().fold(vec![Vec::new()], |begun, choices| {
        begun
            .iter()
            .flat_map(|vector| {
                choices
                    .iter()
                    .map(move |choice| [vector.as_slice(), &[*choice]].concat())
            })
            .collect()
    })
}

fn all_different(owners: &[usize]) -> bool {
    (1..owners.len()).all(|last| !owners[..last].contains(&owners[last]))
}

/// Fpercent: which part of the leaves below the published value lies below the guard.
#[must_use]
pub fn share(tree: &Taxonomy, published: usize, guard: usize) -> Fraction {
    let below = tree.leaves_below(published);
    let guarded = tree.leaves_below(guard);
    let common = below.iter().filter(|leaf| guarded.contains(leaf)).count();
    Fraction::new(common as i128, below.len() as i128)
}

/// The breach probability in closed form: the sum of Fpercent / n, or one minus the product of all (1 - Fpercent / n).
///
/// Theorems 1 and 2 say the same with the numbers b and c.
#[must_use]
pub fn breach(
    tree: &Taxonomy,
    published: &[usize],
    persons: usize,
    guard: Option<usize>,
    primary: bool,
) -> Fraction {
    let Some(guard) = guard else {
        return Fraction::ZERO;
    };
    let shares = published
        .iter()
        .map(|value| share(tree, *value, guard) / Fraction::whole(persons as u64));
    if primary {
        shares.sum()
    } else {
        let missed = shares.fold(Fraction::ONE, |missed, share| {
            missed * (Fraction::ONE - share)
        });
        Fraction::ONE - missed
    }
}
