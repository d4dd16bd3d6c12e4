use super::{
    average_class_size, discernibility, distortion_ratio, entropy, information_loss, loss,
    loss_mean, prec,
};
use crate::sweeney::{def6_tie, figure_4, figure_7};
use crate::{Fraction, Problem};

const ALL: [usize; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

fn close(left: f64, right: f64) -> bool {
    (left - right).abs() < 1e-12
}

fn weighted(weights: [u64; 2]) -> Problem {
    let mut problem = figure_4();
    problem.weights = weights.map(|weight| (weight, 1)).to_vec();
    problem
}

#[test]
fn the_raw_table_has_lost_nothing() {
    let problem = figure_7("Y-D-C/G2");
    let raw = [0, 0, 0, 0];
    assert_eq!(prec(&problem, &raw, &[]), Fraction::ONE);
    assert_eq!(distortion_ratio(&problem, &raw, &[]), Fraction::ZERO);
    assert_eq!(information_loss(&problem, &raw, &[]), Fraction::ZERO);
    assert!(close(loss(&problem, &raw, &[]), 0.0));
    assert!(close(entropy(&problem, &raw, &[]), 0.0));
    assert_eq!(discernibility(&problem, &raw, &[]), 12);
    assert_eq!(average_class_size(&problem, &raw, &[]), Fraction::ONE);
}

#[test]
fn a_suppressed_table_and_a_table_of_tops_have_lost_the_same() {
    let problem = figure_4();
    for (node, suppressed) in [([2, 3], &[][..]), ([0, 0], &ALL[..]), ([2, 3], &ALL[..2])] {
        assert_eq!(prec(&problem, &node, suppressed), Fraction::ZERO);
        assert_eq!(distortion_ratio(&problem, &node, suppressed), Fraction::ONE);
        assert!(close(loss(&problem, &node, suppressed), 1.0));
        assert!(close(loss_mean(&problem, &node, suppressed), 1.0));
        // 8 rows; Race has two frequent values (1 bit), ZIP four (2 bits).
        assert!(close(entropy(&problem, &node, suppressed), 24.0));
        // Race: 8 * 2/3, ZIP: 8 * 3/4.
        assert_eq!(
            information_loss(&problem, &node, suppressed),
            Fraction::new(34, 3)
        );
        assert_eq!(
            average_class_size(&problem, &node, suppressed),
            Fraction::whole(8_u64)
        );
    }
}

#[test]
fn weights_move_prec_and_loss_but_not_the_distortion_ratio() {
    let problem = weighted([1, 3]);
    assert_eq!(prec(&problem, &[1, 0], &[]), Fraction::new(7, 8));
    assert_eq!(
        distortion_ratio(&problem, &[1, 0], &[]),
        Fraction::new(1, 5)
    );
    // Race is lost whole: 2^(1/4) - 1 and 1/4.
    assert!(close(loss(&problem, &[1, 0], &[]), 2_f64.powf(0.25) - 1.0));
    assert!(close(loss_mean(&problem, &[1, 0], &[]), 0.25));
}

#[test]
fn the_domain_counts_and_not_only_the_data() {
    // Race has three values in its domain and two in the data: the loss of Person is 2/3 a row.
    let problem = figure_4();
    assert_eq!(
        information_loss(&problem, &[1, 0], &[]),
        Fraction::new(16, 3)
    );
    // ZIP at level 1 has 2 of 4 values below: the share is 1/2, x = (1/2 - 1/4) / (3/4) = 1/3.
    assert!(close(
        loss(&problem, &[0, 1], &[]),
        (4_f64 / 3.0).sqrt() - 1.0
    ));
    assert!(close(loss_mean(&problem, &[0, 1], &[]), 1.0 / 6.0));
}

#[test]
fn entropy_counts_raw_rows_and_not_leaves() {
    let problem = figure_4();
    // Race at Person: the rows are half and half, 1 bit a row, though the domain has three values.
    assert!(close(entropy(&problem, &[1, 0], &[]), 8.0));
    // Only row 0 suppressed: 1 bit for Race, 2 bits for ZIP.
    assert!(close(entropy(&problem, &[0, 0], &[0]), 3.0));
}

#[test]
fn a_suppressed_row_is_told_from_no_row_of_the_table() {
    let problem = figure_4();
    // Classes {4,5}, {6,7}, {2,3} kept, rows 0 and 1 suppressed: 3 * 4 + 2 * 8.
    assert_eq!(discernibility(&problem, &[0, 1], &[0, 1]), 28);
    assert_eq!(
        average_class_size(&problem, &[0, 1], &[0, 1]),
        Fraction::whole(2_u64)
    );
}

#[test]
fn a_class_suppressed_in_part_keeps_its_other_rows() {
    let problem = def6_tie();
    assert_eq!(discernibility(&problem, &[1, 0], &[3]), 4 + 1 + 4);
    assert_eq!(
        average_class_size(&problem, &[1, 0], &[3]),
        Fraction::new(4, 3)
    );
}
