//! A column of the rows that a release must have: what each cell shows, by the plan.

use rustc_hash::FxHashMap;

use super::{Recipe, expanded, other_table};
use crate::error::Error;
use crate::hierarchy::{Hierarchy, Level, STAR, TaxonId};
use crate::release::policy::{CategoryColumn, ColumnPolicy, Policy};
use crate::table::{Code, Column};

/// A column of the rows that a release must have.
#[derive(Clone, Debug)]
pub(super) struct ExpectedColumn {
    pub(super) name: String,
    /// What cells show, each different text once.
    pub(super) shown: Vec<Shown>,
    /// What each row shows.
    pub(super) codes: Vec<u32>,
}

/// What a cell shows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Shown {
    pub(super) text: String,
    pub(super) is_missing: bool,
}

impl ExpectedColumn {
    /// The column that gives the category of each value of this one. A suppressed value has a suppressed category.
    pub(super) fn category(
        &self,
        policy: &Policy,
        of: &ColumnPolicy,
        category: &CategoryColumn,
    ) -> Self {
        let listed = of.categories.as_deref().unwrap_or_default();
        let place = |text: &str| {
            listed
                .iter()
                .position(|own| own.iter().any(|own| own == text))
        };
        let shown = |shown: &Shown| {
            let spellings = policy.data.null.iter().filter(|_| shown.is_missing);
            let mut texts = std::iter::once(&shown.text).chain(spellings);
            let at = texts.find_map(|text| place(text));
            let label = at.and_then(|at| category.labels.get(at)).cloned();
            Shown {
                text: label.unwrap_or_else(|| STAR.to_owned()),
                is_missing: false,
            }
        };
        Self {
            name: category.name.clone(),
            shown: self.shown.iter().map(shown).collect(),
            codes: self.codes.clone(),
        }
    }

    /// The code in a published column of what each code shows; nothing where no row of it shows that.
    pub(super) fn codes_in(&self, published: &Column) -> Vec<Option<Code>> {
        let dictionary = published.dictionary();
        let known: FxHashMap<&str, Code> = dictionary.texts().zip(0..).collect();
        let code = |shown: &Shown| {
            let missing = dictionary.missing().filter(|_| shown.is_missing);
            missing.or_else(|| known.get(shown.text.as_str()).copied())
        };
        self.shown.iter().map(code).collect()
    }
}

/// Collects what cells show, each different one once.
#[derive(Default)]
struct Showing {
    shown: Vec<Shown>,
    known: FxHashMap<Shown, u32>,
}

impl Showing {
    fn code(&mut self, text: &str, is_missing: bool) -> u32 {
        let shown = Shown {
            text: text.to_owned(),
            is_missing,
        };
        if let Some(code) = self.known.get(&shown) {
            return *code;
        }
        self.shown.push(shown.clone());
        let code = self.shown.len() as u32 - 1;
        self.known.insert(shown, code);
        code
    }
}

/// A quasi-identifier as a plan recodes it.
pub(super) fn quasi(
    column: &Column,
    recipe: &Recipe<'_>,
    rows: &[u32],
    suppressed: &[bool],
) -> Result<ExpectedColumn, Error> {
    let mut columns = recipe.plan.columns.iter().enumerate();
    let Some((at, said)) = columns.find(|(_, said)| said.name == column.name()) else {
        return other(column, recipe, rows, None);
    };
    let dictionary = column.dictionary();
    // A row without a value that shows what its own value is called shows that it has none.
    let missing = dictionary.missing();
    let is_missing =
        |code: Code, label: &str| missing == Some(code) && label == dictionary.text(code);
    let mut showing = Showing::default();
    let own = |row: &u32| column.codes().get(*row as usize);
    let mut codes = Vec::with_capacity(rows.len());
    match (&said.level, &said.map, &recipe.plan.classes) {
        (Some(level), ..) => {
            let tree = recipe.tree(column.name())?;
            let top = showing.code(tree.label(tree.root()), false);
            let mut of_code = Vec::with_capacity(dictionary.len());
            for (code, text) in (0..).zip(dictionary.texts()) {
                let leaf = leaf_of(tree, text, column.name())?;
                let label = tree.label(climb(tree, leaf, *level));
                of_code.push(showing.code(label, is_missing(code, label)));
            }
            codes.extend(rows.iter().map(|row| {
                if suppressed[*row as usize] {
                    top
                } else {
                    of_code[own(row) as usize]
                }
            }));
        }
        (None, Some(map), _) => {
            let mut of_code = Vec::with_capacity(dictionary.len());
            for (code, text) in (0..).zip(dictionary.texts()) {
                let label = map.get(text).ok_or_else(other_table)?;
                of_code.push(showing.code(label, is_missing(code, label)));
            }
            codes.extend(rows.iter().map(|row| of_code[own(row) as usize]));
        }
        (None, None, Some(classes)) => {
            let class_of_row = expanded(&classes.of_rows, suppressed.len())?;
            let mut known: FxHashMap<(u32, bool), u32> = FxHashMap::default();
            for row in rows {
                let class = class_of_row[*row as usize];
                let cells = classes.cells.get(class as usize).ok_or_else(other_table)?;
                let label = cells.get(at).ok_or_else(other_table)?;
                let key = (class, is_missing(own(row), label));
                let shown = known.entry(key);
                codes.push(*shown.or_insert_with(|| showing.code(label, key.1)));
            }
        }
        (None, None, None) => return Err(other_table()),
    }
    Ok(ExpectedColumn {
        name: column.name().to_owned(),
        shown: showing.shown,
        codes,
    })
}

/// Any other published column; of the rows that are `starred` it shows a star.
pub(super) fn other(
    column: &Column,
    recipe: &Recipe<'_>,
    rows: &[u32],
    starred: Option<&[bool]>,
) -> Result<ExpectedColumn, Error> {
    let dictionary = column.dictionary();
    let mut showing = Showing::default();
    let star = showing.code(STAR, false);
    let mut generalized = recipe.plan.sensitive.iter();
    let generalized = generalized.find(|generalized| generalized.column == column.name());
    let functions = match generalized {
        Some(generalized) => expanded(&generalized.of_rows, column.codes().len())?,
        None => Vec::new(),
    };
    let mut known: FxHashMap<(Code, i64), u32> = FxHashMap::default();
    let mut codes = Vec::with_capacity(rows.len());
    for row in rows.iter().map(|row| *row as usize) {
        if starred.is_some_and(|starred| starred[row]) {
            codes.push(star);
            continue;
        }
        let code = column.codes().get(row);
        let function = functions.get(row).copied().unwrap_or(-1);
        if let Some(shown) = known.get(&(code, function)) {
            codes.push(*shown);
            continue;
        }
        let is_missing = dictionary.missing() == Some(code);
        let text = dictionary.text(code);
        let raised = generalized.zip(usize::try_from(function).ok());
        let shown = match raised {
            None => showing.code(text, is_missing),
            Some((generalized, function)) => {
                let tree = recipe.tree(column.name())?;
                let raised = generalized.raised.get(function).ok_or_else(other_table)?;
                let label = raise(tree, leaf_of(tree, text, column.name())?, raised);
                showing.code(label, is_missing && label == text)
            }
        };
        known.insert((code, function), shown);
        codes.push(shown);
    }
    Ok(ExpectedColumn {
        name: column.name().to_owned(),
        shown: showing.shown,
        codes,
    })
}

fn leaf_of(tree: &Hierarchy, text: &str, column: &str) -> Result<TaxonId, Error> {
    let absent = || {
        Error::Internal(format!(
            "a value of `{column}` has no place in its hierarchy"
        ))
    };
    tree.leaf(text).ok_or_else(absent)
}

/// The taxon above a leaf that stands as far below the root as a level does; the leaf itself where it lies no deeper.
fn climb(tree: &Hierarchy, leaf: TaxonId, level: Level) -> TaxonId {
    let depth = u16::from(tree.height().saturating_sub(level));
    let mut at = leaf;
    while let Some(parent) = tree.parent(at).filter(|_| tree.depth(at) > depth) {
        at = parent;
    }
    at
}

/// The label of the highest taxon above a leaf that is one of these; that of the leaf itself where none is.
fn raise<'t>(tree: &'t Hierarchy, leaf: TaxonId, raised: &[String]) -> &'t str {
    let (mut at, mut highest) = (Some(leaf), leaf);
    while let Some(taxon) = at {
        if raised.iter().any(|label| label == tree.label(taxon)) {
            highest = taxon;
        }
        at = tree.parent(taxon);
    }
    tree.label(highest)
}
