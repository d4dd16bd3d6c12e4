//! Columns of categories: what a released value is counted among, in a column beside it ([Sun08], Table 6).

use rustc_hash::FxHashMap;

use super::apply::{Applied, AppliedColumn};
use crate::hierarchy::STAR;
use crate::table::{Code, Codes};

/// The categories of a sensitive column, to be published beside its values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublishedCategories {
    /// The sensitive column.
    pub of: String,
    /// The name of the column that is added.
    pub name: String,
    /// The label of each category.
    pub labels: Vec<String>,
    /// The category of each value.
    pub category_of: FxHashMap<String, Code>,
}

impl Applied {
    /// Adds the columns of categories, each behind its sensitive column. A starred value has a starred category.
    pub fn add_categories(&mut self, added: &[PublishedCategories]) {
        for categories in added {
            let of_column = |column: &AppliedColumn| column.name == categories.of;
            if let Some(at) = self.columns.iter().position(of_column) {
                let column = categories.beside(&self.columns[at]);
                self.columns.insert(at + 1, column);
            }
        }
    }
}

impl PublishedCategories {
    fn beside(&self, values: &AppliedColumn) -> AppliedColumn {
        let mut labels = self.labels.clone();
        let star = labels.len() as Code;
        labels.push(STAR.to_owned());
        // The only text of a release that is not a value of the source is that of suppression.
        let category = |text: &String| self.category_of.get(text).copied().unwrap_or(star);
        let of_code: Vec<Code> = values.labels.iter().map(category).collect();
        let rows = 0..values.codes.len();
        let codes = rows.map(|row| of_code[values.codes.get(row) as usize]);
        AppliedColumn {
            name: self.name.clone(),
            codes: Codes::collect(labels.len(), codes),
            missing: None,
            labels,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_starred_value_has_a_starred_category() {
        let mut applied = Applied {
            columns: vec![AppliedColumn {
                name: "health".to_owned(),
                labels: ["HIV", "Flu", "*"].map(str::to_owned).to_vec(),
                missing: None,
                codes: Codes::collect(3, [1, 2, 0, 1].into_iter()),
            }],
            rows: vec![0, 1, 2, 3],
            suppressed: 1,
        };
        let categories = PublishedCategories {
            of: "health".to_owned(),
            name: "health_category".to_owned(),
            labels: vec!["secret".to_owned(), "not secret".to_owned()],
            category_of: [("HIV".to_owned(), 0), ("Flu".to_owned(), 1)]
                .into_iter()
                .collect(),
        };
        applied.add_categories(&[categories]);
        let added = &applied.columns[1];
        let texts: Vec<&str> = (0..4)
            .map(|row| added.labels[added.codes.get(row) as usize].as_str())
            .collect();
        assert_eq!(texts, ["not secret", "*", "secret", "not secret"]);
    }
}
