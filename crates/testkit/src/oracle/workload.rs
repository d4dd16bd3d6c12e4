//! COUNT queries answered from a generalized table.
//!
//! **Definition.** The estimate is the sum, over the rows, of the probability that the row satisfies the query; a cell
//! satisfies a condition with the probability that a value drawn from those below its label does; a row satisfies both
//! conditions with the product (\[XiaoTao06\], 5.2). The relative error is |act - est| / act.
//! **Reading.** A label that no chain has, such as stars, stands for the whole domain. Leaf order is that of the lines, with the
//! leaves of a taxon kept together where the first of them stands.

use std::collections::{BTreeMap, BTreeSet};

use crate::Fraction;

/// Values, written out one by one.
pub type Values = BTreeSet<String>;

/// The values of a domain whose chain has the label; all of them where none has it.
#[must_use]
pub fn values_below(chains: &BTreeMap<String, Vec<String>>, label: &str) -> Values {
    let below: Values = chains
        .iter()
        .filter(|(_, chain)| chain.iter().any(|taxon| taxon == label))
        .map(|(value, _)| value.clone())
        .collect();
    if below.is_empty() {
        chains.keys().cloned().collect()
    } else {
        below
    }
}

/// The values of a domain in leaf order.
#[must_use]
pub fn leaf_order(chains: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let first_line = |level: usize, label: &String| {
        chains
            .values()
            .position(|chain| chain.get(level) == Some(label))
    };
    let mut leaves: Vec<String> = chains.keys().cloned().collect();
    leaves.sort_by_key(|leaf| {
        let chain = chains[leaf].iter().enumerate();
        chain
            .rev()
            .map(|(level, label)| first_line(level, label))
            .collect::<Vec<_>>()
    });
    leaves
}

/// The expected number of rows that satisfy all conditions: each row has the values below its labels, by column, each
/// condition asks for values of a column.
#[must_use]
pub fn workload_answer(rows: &[Vec<Values>], conditions: &[(usize, Values)]) -> Fraction {
    let probability = |row: &Vec<Values>| {
        conditions
            .iter()
            .fold(Fraction::ONE, |product, (column, asked)| {
                let below = &row[*column];
                let common = below.intersection(asked).count();
                product * (Fraction::whole(common) / Fraction::whole(below.len()))
            })
    };
    rows.iter().map(probability).sum()
}

/// |act - est| / act, unless act is nought.
#[must_use]
pub fn relative_error(actual: Fraction, estimate: Fraction) -> Option<Fraction> {
    let difference = if actual < estimate {
        estimate - actual
    } else {
        actual - estimate
    };
    (actual != Fraction::ZERO).then(|| difference / actual)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(from: u32, to: u32) -> Values {
        (from..=to).map(|number| number.to_string()).collect()
    }

    #[test]
    fn figure_1c_of_the_paper_estimates_3_females_above_30_where_there_is_1() {
        let row = |age: Values, sex: &str| vec![age, Values::from([sex.to_owned()])];
        let ages = [5, 9, 6, 8, 12, 19, 21, 26, 28, 56];
        let released = [(1, 10), (1, 10), (1, 10), (1, 10), (11, 20), (11, 20)];
        let sex = |at: usize| if at < 6 { "M" } else { "F" };
        let original: Vec<_> = ages
            .iter()
            .enumerate()
            .map(|(at, age)| row(numbers(*age, *age), sex(at)))
            .collect();
        let release: Vec<_> = released
            .iter()
            .chain(&[(21, 60); 4])
            .enumerate()
            .map(|(at, (from, to))| row(numbers(*from, *to), sex(at)))
            .collect();
        let query = [(0, numbers(31, 60)), (1, Values::from(["F".to_owned()]))];
        let (actual, estimate) = (
            workload_answer(&original, &query),
            workload_answer(&release, &query),
        );
        assert_eq!((actual, estimate), (Fraction::ONE, Fraction::whole(3_u32)));
        assert_eq!(
            relative_error(actual, estimate),
            Some(Fraction::whole(2_u32))
        );
    }

    #[test]
    fn the_leaves_of_a_taxon_stand_together() {
        let chain = |texts: [&str; 3]| (texts[0].to_owned(), texts.map(str::to_owned).to_vec());
        let chains = BTreeMap::from([
            chain(["a", "x", "*"]),
            chain(["b", "y", "*"]),
            chain(["c", "x", "*"]),
        ]);
        assert_eq!(leaf_order(&chains), ["a", "c", "b"]);
        assert_eq!(values_below(&chains, "x").len(), 2);
        assert_eq!(values_below(&chains, "**").len(), 3);
    }
}
