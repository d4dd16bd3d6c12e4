//! The similarity attack.
//!
//! **Definition.** Who knows that a person is in a class whose sensitive values all lie in one category learns that
//! category, however different the values are ([Sun08], section 1).
//! **Reading.** Categories are the policy's; with a taxonomy, the taxa at a chosen depth below its top, where a value
//! that lies less deep stands for itself. A class of one value only (homogeneity) is counted apart as well. A record
//! is a row. Per model: whether its definition rules the attack out whatever the data, from the sizes of the
//! categories alone.
//! **Cost.** O(rows). **Oracle.** By hand on Tables 2, 5, 6 and 7.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::hierarchy::Hierarchy;
use crate::release::policy::ModelSpec;
use crate::share::Share;
use crate::table::Column;
use crate::{counted, verb};

/// Which values mean the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grouping {
    /// The group of each code; nothing where a value is in none.
    group_of: Vec<Option<usize>>,
    /// The names of the groups.
    names: Vec<String>,
    /// How many values each group has, also those that the data do not have.
    sizes: Vec<u64>,
    /// The weight of each group, where groups are ordered categories.
    weights: Vec<Option<Share>>,
    /// The code of the label that tells nothing.
    top: Option<usize>,
}

impl Grouping {
    /// Ordered categories, most sensitive first; named by number.
    pub fn categories(listed: &[Vec<String>], column: &Column) -> Self {
        let group = |text: &str| {
            listed
                .iter()
                .position(|values| values.iter().any(|value| value == text))
        };
        let steps = listed.len().saturating_sub(1) as i128;
        let weight = |at: usize| {
            if steps == 0 {
                Some(Share::ONE)
            } else {
                Share::new(at as i128, steps)
            }
        };
        Self {
            group_of: column.dictionary().texts().map(group).collect(),
            names: (1..=listed.len())
                .map(|number| number.to_string())
                .collect(),
            sizes: listed.iter().map(|values| values.len() as u64).collect(),
            weights: (0..listed.len()).map(weight).collect(),
            top: None,
        }
    }

    /// The taxa at a depth below the top of a tree.
    pub fn taxa(tree: &Hierarchy, depth: u16, column: &Column) -> Self {
        let mut grouping = Self {
            group_of: Vec::new(),
            names: Vec::new(),
            sizes: Vec::new(),
            weights: Vec::new(),
            top: None,
        };
        let mut known = BTreeMap::new();
        for text in column.dictionary().texts() {
            // A taxon above the depth tells no taxon at it.
            let inner = || {
                tree.labelled(text)
                    .find(|taxon| tree.depth(*taxon) >= depth)
            };
            let taxon = tree.leaf(text).or_else(inner).map(|leaf| {
                let mut at = leaf;
                while tree.depth(at) > depth {
                    at = tree.parent(at).unwrap_or(tree.root());
                }
                at
            });
            grouping.group_of.push(taxon.map(|taxon| {
                *known.entry(taxon).or_insert_with(|| {
                    grouping.names.push(tree.label(taxon).to_owned());
                    grouping.sizes.push(tree.leaves_below(taxon));
                    grouping.weights.push(None);
                    grouping.names.len() - 1
                })
            }));
        }
        grouping
    }

    /// The same where a label is the top of the column's tree, which tells nothing.
    #[must_use]
    pub fn with_top(mut self, column: &Column, label: &str) -> Self {
        self.top = column.dictionary().texts().position(|text| text == label);
        if let Some(top) = self.top {
            self.group_of[top] = None;
        }
        self
    }

    /// Every value for itself: plain homogeneity.
    pub fn values(column: &Column) -> Self {
        let count = column.dictionary().len();
        Self {
            group_of: (0..count).map(Some).collect(),
            names: (1..=count)
                .map(|number| format!("value {number}"))
                .collect(),
            sizes: vec![1; count],
            weights: vec![None; count],
            top: None,
        }
    }
}

/// Classes and the records in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Affected {
    /// Classes.
    pub classes: u64,
    /// Rows in them.
    pub records: u64,
}

impl Affected {
    fn add(&mut self, rows: usize) {
        self.classes += 1;
        self.records += rows as u64;
    }
}

/// Whether a model rules the attack out by definition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RuledOut {
    /// The model.
    pub model: &'static str,
    /// Whether no class that keeps it can lie in one category.
    pub rules_out: bool,
    /// Why.
    pub because: String,
}

/// What the attack finds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Similarity {
    /// Rows in classes of one category.
    pub records: u64,
    /// Classes of one category.
    pub classes: u64,
    /// The same, by category.
    pub by_category: BTreeMap<String, Affected>,
    /// Classes of one value.
    pub homogeneous: Affected,
    /// All classes and rows.
    pub of: Affected,
    /// What the policy's models promise.
    pub models: Vec<RuledOut>,
}

/// Whether all rows of a class have values of one group.
pub fn is_similar(column: &Column, grouping: &Grouping, rows: &[u32]) -> bool {
    let mut groups = rows
        .iter()
        .map(|row| grouping.group_of[column.codes().get(*row as usize) as usize]);
    let first = groups.next().flatten();
    first.is_some() && groups.all(|group| group == first)
}

/// Attacks a sensitive column. `classes` are the rows of each class.
pub fn similarity(
    column: &Column,
    grouping: &Grouping,
    classes: &[Vec<u32>],
    models: &[&ModelSpec],
) -> Similarity {
    let mut found = Similarity::default();
    for rows in classes {
        found.of.add(rows.len());
        let mut codes = rows.iter().map(|row| column.codes().get(*row as usize));
        let Some(first) = codes.next() else { continue };
        let group = grouping.group_of[first as usize];
        let (mut same_value, mut same_group) = (true, group.is_some());
        for code in codes {
            same_value &= code == first;
            same_group &= grouping.group_of[code as usize] == group;
        }
        if same_value && grouping.top != Some(first as usize) {
            found.homogeneous.add(rows.len());
        }
        if let (true, Some(group)) = (same_group, group) {
            found
                .by_category
                .entry(grouping.names[group].clone())
                .or_default()
                .add(rows.len());
            found.classes += 1;
            found.records += rows.len() as u64;
        }
    }
    found.models = models
        .iter()
        .map(|model| rules_out(model, grouping))
        .collect();
    found
}

fn rules_out(model: &ModelSpec, grouping: &Grouping) -> RuledOut {
    let largest = grouping.sizes.iter().copied().max().unwrap_or(0);
    let more_than = |least: Share| {
        let enough = least > Share::whole(largest.into());
        (
            enough,
            format!(
                "a class has at least {}, and the largest category has {largest}",
                counted(least, "value")
            ),
        )
    };
    let (rules_out, because) = match model {
        ModelSpec::KAnonymity { .. } => (false, "it does not look at sensitive values".to_owned()),
        ModelSpec::PSensitive { p, .. } => more_than(Share::whole((*p).into())),
        ModelSpec::PPlusAlpha { p, .. } => (*p >= 2, format!("a class has values of at least {}", counted(*p, "category"))),
        ModelSpec::PAlpha { p, alpha, .. } => {
            let admits = |(size, weight): (&u64, &Option<Share>)| size >= p && (*alpha <= Share::ZERO || weight.is_none_or(|weight| !weight.is_zero()));
            let admitted = grouping.sizes.iter().zip(&grouping.weights).filter(|pair| admits(*pair)).count();
            (admitted == 0, format!("{admitted} of {} {} {} and can weigh enough", counted(grouping.sizes.len(), "category"), verb(admitted, "has", "have"), counted(*p, "value")))
        }
        ModelSpec::LDiversity { l, .. } => more_than(*l),
        ModelSpec::AlphaK { alpha, value: None, .. } => match Share::new(alpha.denominator(), alpha.numerator()) {
            Some(least) => more_than(least),
            None => (true, "no class can keep it".to_owned()),
        },
        ModelSpec::Personal { .. } => (false, "it bounds what each person asked to have bounded; a category may be left open by all of them".to_owned()),
        ModelSpec::Serial { .. } => (false, "it bounds the share of single protected values, not a category's".to_owned()),
        ModelSpec::AlphaK { .. } => (false, "it bounds one value's share, not a category's".to_owned()),
        ModelSpec::TCloseness { .. } | ModelSpec::DeltaDisclosure { .. } | ModelSpec::BetaLikeness { .. } => {
            (false, "it bounds how far a class is from the table; whether that rules it out depends on the table".to_owned())
        }
    };
    RuledOut {
        model: model.name(),
        rules_out,
        because,
    }
}
