//! Step 6: cells are suppressed until no outlier of a tuple shows all its values.

use std::cmp::Reverse;

use rayon::prelude::*;

use super::{Identifying, Outliers};

/// The suppressed attributes of each tuple, ascending.
pub(super) fn suppress(
    outliers: &Outliers,
    identifying: &[Identifying],
    tuples: usize,
) -> Vec<Vec<usize>> {
    let of_tuple = |tuple: usize| cells(outliers.of_tuple(tuple).collect(), identifying);
    (0..tuples).into_par_iter().map(of_tuple).collect()
}

/// The attributes to suppress so that each combination loses one, the one in most of those that are left first.
fn cells(mut open: Vec<&[usize]>, identifying: &[Identifying]) -> Vec<usize> {
    let mut suppressed = Vec::new();
    while !open.is_empty() {
        let mut counts = vec![0u32; identifying.len()];
        open.iter()
            .flat_map(|combination| combination.iter())
            .for_each(|at| counts[*at] += 1);
        let first = |at: &usize| (Reverse(counts[*at]), identifying[*at], *at);
        let Some(at) = (0..identifying.len()).min_by_key(first) else {
            break;
        };
        suppressed.push(at);
        open.retain(|combination| !combination.contains(&at));
    }
    suppressed.sort_unstable();
    suppressed
}

#[cfg(test)]
mod tests {
    use super::*;
    use Identifying::{Identifying as I, More as M, Most as T};

    #[test]
    fn what_is_in_most_remaining_combinations_goes_first() {
        // By the first count 1, 2 and 3 tie after 0; with 0 gone only {2, 3} is left.
        let open: [&[usize]; 4] = [&[0, 1], &[0, 2], &[0, 1, 3], &[2, 3]];
        assert_eq!(cells(open.to_vec(), &[I, I, I, I]), [0, 2]);
        assert_eq!(cells(open.to_vec(), &[I, I, I, M]), [0, 3]);
        assert_eq!(cells(Vec::new(), &[I, I]), [0usize; 0]);
    }

    #[test]
    fn ties_go_to_the_most_identifying_then_to_the_first() {
        let open: [&[usize]; 1] = [&[0, 1, 2]];
        assert_eq!(cells(open.to_vec(), &[M, I, T]), [2]);
        assert_eq!(cells(open.to_vec(), &[I, M, M]), [1]);
    }
}
