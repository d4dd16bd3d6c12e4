//! Recodings that were equally good: what the data holder sees of them, and what the manifest says.

use scrim::algorithm::TiedTables;
use scrim::hierarchy::Ladder;
use scrim::recoding::Local;
use scrim::release::Plan;
use scrim::release::report::Publication;
use scrim::table::Table;
use serde_json::{Map, Value, json};

/// The tables that are equally good, each as its classes: what they show, and the numbers of their rows in the file, from 1.
/// Nothing where there is one.
pub(super) fn tables(
    ladders: &[Ladder],
    source: &Table,
    tables: &TiedTables,
) -> Vec<Map<String, Value>> {
    if tables.count < 2 {
        return Vec::new();
    }
    let table = |local: &Local| {
        let classes = (0..).zip(&local.classes).map(|(number, cells)| {
            let cells = ladders.iter().zip(cells).enumerate();
            let shown: Map<String, Value> = cells
                .map(|(at, (ladder, cell))| {
                    let text = local.label(ladder, at, *cell);
                    (ladder.name().to_owned(), text.into())
                })
                .collect();
            // The table is in canonical order; whoever joins by number has the file.
            let rows = local.class_of_row.iter().enumerate();
            let mut rows: Vec<u64> = rows
                .filter(|(_, class)| **class == number)
                .map(|(row, _)| source.first(row) + 1)
                .collect();
            rows.sort_unstable();
            json!({ "values": shown, "rows": rows })
        });
        let classes: Vec<Value> = classes.collect();
        Map::from_iter([("classes".to_owned(), Value::from(classes))])
    };
    tables.listed.iter().map(table).collect()
}

/// The nodes that were equally good. Tables are left out: whoever has several tables of the same rows has smaller classes than
/// any of them shows.
pub(super) fn for_manifest(plan: &Plan, publication: &Publication) -> Vec<Map<String, Value>> {
    if plan.found.tied_tables.is_some() {
        Vec::new()
    } else {
        publication.ties.clone()
    }
}

/// The rules that decided between equals, and how many tables were equal.
pub(super) fn rules(plan: &Plan) -> Vec<String> {
    let mut rules = plan.found.notes.clone();
    if let Some(tables) = plan
        .found
        .tied_tables
        .as_ref()
        .filter(|tables| tables.count > 1)
    {
        let least = if tables.complete { "" } else { "at least " };
        rules.push(format!("{least}{} tables were equally good", tables.count));
    }
    rules
}
