use super::{RELEASED, categories_of, class_answers, released, table_1, table_1_minimal, table_8};
use crate::oracle::{
    distinct_categories, distinct_l_diverse, is_k_anonymous, minimal_nodes, p_alpha, p_plus_alpha,
    total_weight,
};
use crate::{Fraction, Problem, sun};

#[test]
fn every_class_of_every_printed_table_has_the_written_numbers() {
    for table in RELEASED {
        let (released, categories) = (released(table), categories_of(table));
        let answers = class_answers(table);
        assert_eq!(released.records().len(), answers.len(), "{table}");
        for ((records, class), answer) in released
            .records()
            .iter()
            .zip(released.classes())
            .zip(answers)
        {
            assert_eq!(*records, answer.records, "{table}");
            assert!(distinct_l_diverse(&class, answer.values));
            assert!(!distinct_l_diverse(&class, answer.values + 1));
            assert_eq!(distinct_categories(&class, &categories), answer.categories);
            assert_eq!(total_weight(&class, &categories), answer.weight);
        }
    }
}

#[test]
fn every_printed_cell_but_one_of_table_6_generalizes_table_1() {
    let problem = table_1();
    for table in ["table2", "table5", "table6", "table6_corrected", "table7"] {
        let released = released(table);
        let strays: Vec<(usize, usize)> = (0..12)
            .flat_map(|row| (0..3).map(move |column| (row, column)))
            .filter(|(row, column)| {
                let chain = &problem.chains[*column][&problem.rows[*row][*column]];
                !chain.contains(&released.quasi[*row][*column])
            })
            .collect();
        let expected: &[(usize, usize)] = if table == "table6" { &[(2, 2)] } else { &[] };
        assert_eq!(strays, expected, "{table}");
    }
}

fn valid(problem: &Problem, answer: &sun::MinimalAnswer, node: &[usize]) -> bool {
    let categories = sun::categories();
    is_k_anonymous(problem, node, answer.k, 0).is_some()
        && problem.classes(node).iter().all(|class| {
            let values: Vec<&str> = class
                .iter()
                .map(|row| problem.sensitive[0][*row].as_str())
                .collect();
            if answer.model == "p-plus-alpha" {
                p_plus_alpha(&values, &categories, answer.p, answer.alpha)
            } else {
                p_alpha(&values, &categories, answer.p, answer.alpha)
            }
        })
}

#[test]
fn the_minimal_generalizations_of_table_1_are_the_written_ones() {
    let problem = table_1();
    for answer in table_1_minimal() {
        let keeps = |node: &[usize]| valid(&problem, &answer, node).then(Vec::new);
        assert_eq!(minimal_nodes(&problem, keeps), answer.minimal, "{answer:?}");
        let nodes = problem.all_nodes();
        let count = nodes.iter().filter(|node| keeps(node).is_some()).count();
        assert_eq!(count, answer.nodes, "{answer:?}");
    }
}

#[test]
fn all_of_table_8_weighs_2() {
    let problem = table_8();
    let values: Vec<&str> = problem.sensitive[0].iter().map(String::as_str).collect();
    let categories = categories_of("table8_printed");
    assert_eq!(total_weight(&values, &categories), Fraction::whole(2));
}
