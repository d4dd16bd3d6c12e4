//! `scrim hierarchy show | check`.

use std::path::Path;
use std::sync::Arc;

use scrim::hierarchy::{Hierarchy, TaxonId};
use scrim::release::policy::{ColumnPolicy, HierarchyPolicy};
use scrim::release::{HierarchyText, Prepared, Rows, hierarchy_of, read_file};
use scrim::table::Role;
use scrim::{counted, printable};
use scrim_io::files;
use scrim_io::pipeline::{Door, LoadedPolicy, LoadedTable, Stage};
use serde_json::{Value, json};

use super::to_json;
use crate::arguments::HierarchyAction;
use crate::outcome::{Failure, Outcome};
use crate::terminal::Terminal;

pub(super) fn run(
    action: &HierarchyAction,
    json: bool,
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    match action {
        HierarchyAction::Show { file, column, most } => {
            show(file, column.as_deref(), *most, json, terminal)
        }
        HierarchyAction::Check { file } => check(file, json, terminal),
    }
}

fn is_policy(file: &Path) -> bool {
    file.extension()
        .is_some_and(|extension| extension == "toml")
}

fn show(
    file: &Path,
    column: Option<&str>,
    most: usize,
    json: bool,
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    let trees = if is_policy(file) {
        of_policy(file, column, terminal)?
    } else {
        vec![(shown_name(file), read_one(file)?)]
    };
    if json {
        let object: serde_json::Map<String, Value> = trees
            .iter()
            .map(|(name, tree)| {
                (
                    name.clone(),
                    Drawing {
                        tree,
                        children: tree.child_lists(),
                        most,
                    }
                    .branch(tree.root()),
                )
            })
            .collect();
        return Ok(Outcome::yes(to_json(&object)?));
    }
    let mut answer = String::new();
    for (name, tree) in &trees {
        let uneven = if tree.is_even() { "" } else { ", uneven" };
        answer.push_str(&format!(
            "{name}: height {}, {} in the domain{uneven}\n",
            tree.height(),
            counted(tree.domain_size(), "value")
        ));
        answer.push_str(&format!("{}\n", printable(tree.label(tree.root()))));
        Drawing {
            tree,
            children: tree.child_lists(),
            most,
        }
        .draw(tree.root(), "", &mut answer);
        answer.push('\n');
    }
    Ok(Outcome::yes(answer).for_people())
}

fn shown_name(file: &Path) -> String {
    file.file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

fn read_one(file: &Path) -> Result<Arc<Hierarchy>, Failure> {
    let text = HierarchyText {
        name: file.display().to_string(),
        text: files::read_text(file)?,
    };
    let name = file
        .file_stem()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    Ok(Arc::new(read_file(&name, &text, None, true)?))
}

fn of_policy(
    file: &Path,
    column: Option<&str>,
    terminal: &mut Terminal,
) -> Result<Vec<(String, Arc<Hierarchy>)>, Failure> {
    let policy = LoadedPolicy::read(file)?;
    let table = read_data(&policy, terminal)?;
    if let Some(name) = column {
        let known = policy
            .policy
            .column(name)
            .filter(|column| matches!(column.role, Role::Quasi | Role::Sensitive));
        let known = known.ok_or_else(|| {
            Failure::new(
                format!(
                    "{} has no quasi-identifier or sensitive column `{name}`",
                    file.display()
                ),
                None,
            )
        })?;
        if is_secret(known) {
            let message = format!(
                "the hierarchy of the sensitive column `{name}` is made of its values, which are not printed"
            );
            let hint = "a hierarchy file can be shown: `hierarchy = \"FILE\"`";
            return Err(Failure::new(message, Some(hint)));
        }
        return Ok(vec![(name.to_owned(), one_tree(&policy, &table, known)?)]);
    }
    let prepared: Prepared = table.prepare(&policy)?;
    let quasi = prepared
        .ladders
        .iter()
        .map(|ladder| (ladder.name().to_owned(), ladder.hierarchy().clone()));
    let sensitive = prepared.sensitive.iter().filter(|(name, _)| {
        let column = policy.policy.column(name);
        column.is_some_and(|column| !is_secret(column))
    });
    Ok(quasi.chain(sensitive.cloned()).collect())
}

/// Whether a hierarchy's leaves are known from a sensitive column's cells alone.
fn is_secret(column: &ColumnPolicy) -> bool {
    column.role == Role::Sensitive
        && !matches!(column.hierarchy, Some(HierarchyPolicy::File { .. }))
}

fn read_data(policy: &LoadedPolicy, terminal: &mut Terminal) -> Result<LoadedTable, Failure> {
    terminal.stage(Stage::Read);
    Ok(policy.read_original(&policy.source(), terminal)?)
}

fn one_tree(
    policy: &LoadedPolicy,
    table: &LoadedTable,
    column: &ColumnPolicy,
) -> Result<Arc<Hierarchy>, Failure> {
    let data = table
        .read
        .table
        .column(&column.name)
        .ok_or_else(|| Failure::new(format!("column `{}` was not read", column.name), None))?;
    let line = |row: usize| table.line(row);
    let rows = Rows {
        file: &table.name,
        line: &line,
    };
    let mut failure = None;
    let mut load = |path: &str| {
        policy.load_hierarchy(path).map_err(|error| {
            let passed = scrim::Error::Internal(error.to_string());
            failure = Some(error);
            passed
        })
    };
    let tree = hierarchy_of(column, data, &mut load, &rows);
    match failure {
        Some(error) => Err(error.into()),
        None => Ok(tree?),
    }
}

/// A tree with the children of each taxon at hand.
struct Drawing<'a> {
    tree: &'a Hierarchy,
    children: Vec<Vec<TaxonId>>,
    most: usize,
}

impl Drawing<'_> {
    fn label(&self, taxon: TaxonId) -> &str {
        let label = self.tree.label(taxon);
        if label.is_empty() { "(missing)" } else { label }
    }

    fn draw(&self, taxon: TaxonId, indent: &str, answer: &mut String) {
        let children = &self.children[taxon.0 as usize];
        let shown = children.len().min(self.most.max(1));
        for (at, child) in children[..shown].iter().enumerate() {
            let last = at + 1 == children.len();
            let below = self.tree.leaves_below(*child);
            let note = if below > 1 {
                format!("  ({below})")
            } else {
                String::new()
            };
            let (branch, space) = if last {
                ("└─", "   ")
            } else {
                ("├─", "│  ")
            };
            answer.push_str(&format!(
                "{indent}{branch} {}{note}\n",
                printable(self.label(*child))
            ));
            self.draw(*child, &format!("{indent}{space}"), answer);
        }
        if shown < children.len() {
            answer.push_str(&format!("{indent}└─ … {} more\n", children.len() - shown));
        }
    }

    fn branch(&self, taxon: TaxonId) -> Value {
        let children = self.children[taxon.0 as usize].iter();
        let children: Vec<Value> = children.map(|child| self.branch(*child)).collect();
        json!({ "label": self.tree.label(taxon), "values": self.tree.leaves_below(taxon), "children": children })
    }
}

fn check(file: &Path, json: bool, terminal: &mut Terminal) -> Result<Outcome, Failure> {
    let mut faults: Vec<(String, String)> = Vec::new();
    let mut sound = Vec::new();
    if is_policy(file) {
        let policy = LoadedPolicy::read(file)?;
        let table = read_data(&policy, terminal)?;
        for column in policy
            .policy
            .columns
            .iter()
            .filter(|column| column.role == Role::Quasi || column.hierarchy.is_some())
        {
            let source = match &column.hierarchy {
                Some(HierarchyPolicy::File { path, .. }) => path.clone(),
                Some(HierarchyPolicy::Generated(_)) => "generated".to_owned(),
                None => "flat".to_owned(),
            };
            match one_tree(&policy, &table, column) {
                Ok(tree) => sound.push(line_of(&column.name, &source, &tree)),
                Err(failure) => faults.push(failure.into_parts(json)),
            }
        }
    } else {
        match read_one(file) {
            Ok(tree) => sound.push(line_of(&shown_name(file), "file", &tree)),
            Err(failure) => faults.push(failure.into_parts(json)),
        }
    }
    let holds = faults.is_empty();
    if json {
        let faults: Vec<Value> = faults
            .iter()
            .map(|(what, hint)| json!({ "error": what, "hint": hint }))
            .collect();
        return Ok(Outcome {
            answer: to_json(&json!({ "holds": holds, "sound": sound, "faults": faults }))?,
            talk: String::new(),
            holds,
            for_people: false,
            done: None,
        });
    }
    let mut answer: String = sound.iter().map(|line| format!("{line}\n")).collect();
    for (what, hint) in &faults {
        answer.push_str(&format!("fault: {what}\n"));
        if !hint.is_empty() {
            answer.push_str(&format!("  hint: {}\n", hint.replace('\n', "\n  ")));
        }
    }
    Ok(Outcome {
        answer,
        talk: String::new(),
        holds,
        for_people: true,
        done: None,
    })
}

fn line_of(name: &str, source: &str, tree: &Hierarchy) -> String {
    let uneven = if tree.is_even() { "" } else { ", uneven" };
    let warnings: String = tree
        .warnings()
        .iter()
        .map(|warning| format!("\n  note: {warning}"))
        .collect();
    format!(
        "sound: {name} ({source}): height {}, {}{uneven}{warnings}",
        tree.height(),
        counted(tree.domain_size(), "value")
    )
}
