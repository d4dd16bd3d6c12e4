//! (p, alpha)- and (p+, alpha)-sensitivity.
//!
//! **Definition.** Each class has at least *p* distinct sensitive values ([Sun08], Definition 4), or values of at least
//! *p* categories (Definition 5), and a total weight of at least *alpha*: every row adds the weight of its value, and of
//! m categories the c-th, counted from 0 and from the most sensitive, weighs c / (m - 1).
//! **Reading.** With one category every value weighs 1.

use super::p_sensitive::too_few;
use super::{Cell, Finding, Fraction, Sensitive, number, told};
use crate::error::Error;
use crate::share::Share;

/// By distinct values.
pub(super) fn check(sensitive: &Sensitive<'_>, p: u64, alpha: Share) -> Result<Finding, Error> {
    let scale = Scale::of(sensitive)?;
    let values = |cells: &[Cell]| cells.len() as u64;
    let short = |found| too_few(found, sensitive.name(), "p", p);
    Ok(scale.weigh(sensitive, p, alpha, &values, &short))
}

/// By distinct categories.
pub(super) fn check_plus(
    sensitive: &Sensitive<'_>,
    p: u64,
    alpha: Share,
) -> Result<Finding, Error> {
    let scale = Scale::of(sensitive)?;
    let categories = |cells: &[Cell]| {
        let mut all: Vec<u64> = cells.iter().map(|cell| scale.category(cell)).collect();
        all.sort_unstable();
        all.dedup();
        all.len() as u64
    };
    let short = |found| {
        let categories = if found == 1 { "category" } else { "categories" };
        format!(
            "{found} {categories} of `{}`, but p is {p}",
            sensitive.name()
        )
    };
    Ok(scale.weigh(sensitive, p, alpha, &categories, &short))
}

/// The category of each value.
struct Scale {
    categories: Vec<Option<u64>>,
    count: u64,
}

impl Scale {
    fn of(sensitive: &Sensitive<'_>) -> Result<Self, Error> {
        let policy = sensitive.published.policy.column(sensitive.name());
        let listed = policy
            .and_then(|column| column.categories.as_deref())
            .ok_or_else(|| Error::Internal(format!("`{}` has no categories", sensitive.name())))?;
        let category = |_, text: &str| {
            let holds = |values: &Vec<String>| values.iter().any(|value| value == text);
            listed.iter().position(holds).map(|at| at as u64)
        };
        Ok(Self {
            categories: sensitive.assign(category, "is in none of its categories")?,
            count: listed.len() as u64,
        })
    }

    fn category(&self, cell: &Cell) -> u64 {
        self.categories[cell.value as usize].unwrap_or(0)
    }

    /// The total weight, row by row.
    fn weight(&self, cells: &[Cell]) -> Fraction {
        if self.count == 1 {
            let rows: u64 = cells.iter().map(|cell| cell.rows).sum();
            return Fraction::new(rows, 1u64);
        }
        let units = |cell: &Cell| u128::from(cell.rows) * u128::from(self.category(cell));
        Fraction::new(cells.iter().map(units).sum::<u128>(), self.count - 1)
    }

    fn weigh(
        &self,
        sensitive: &Sensitive<'_>,
        p: u64,
        alpha: Share,
        kinds: &dyn Fn(&[Cell]) -> u64,
        short: &dyn Fn(u64) -> String,
    ) -> Finding {
        let fewest = sensitive
            .classes()
            .map(|(class, cells)| (kinds(cells), class))
            .min();
        let lightest = sensitive
            .classes()
            .map(|(class, cells)| (self.weight(cells), class))
            .min();
        let scarce = fewest
            .filter(|(found, _)| *found < p)
            .map(|(found, class)| (class, short(found)));
        let light = lightest
            .filter(|(weight, _)| *weight < alpha.into())
            .map(|(weight, class)| {
                let of = sensitive.name();
                (
                    class,
                    format!("weight {weight} of `{of}`, but alpha is {alpha}"),
                )
            });
        let worst = fewest.iter().map(|(_, class)| *class);
        let mut finding = Finding {
            observed: fewest.map(|(found, _)| found).into(),
            broken: scarce.or(light),
            worst: worst
                .chain(lightest.iter().map(|(_, class)| *class))
                .collect(),
            ..Finding::default()
        };
        let weight = lightest.map(|(weight, _)| weight);
        let mut put = |key: &str, value| finding.details.insert(key.to_owned(), value);
        put("weight", number(weight));
        put("weight_exact", told(weight));
        finding
    }
}
