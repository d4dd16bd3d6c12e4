//! How the release was found.

use super::Section;
use crate::page::View;
use crate::page::html::Html;
use crate::page::numbers::{count, whole};
use crate::page::plots::{Caption, lattice};
use crate::page::table::Table;
use crate::page::words::{algorithm, capital, plain};

/// The search, its effort, and where it ended.
pub(super) fn making(view: &View<'_>) -> Section {
    let told = view.told;
    let mut html = Html::new();
    let mut table = Table::new("The release in figures", ["Figure", "Value"]).numbers_from(1);
    if let Some(name) = &told.algorithm {
        table.row(["Algorithm", name]);
    }
    if let Some(metric) = &told.metric {
        table.row(["Least by", metric]);
        table.row(["Proven best", if told.optimal { "yes" } else { "no" }]);
    }
    table.row(["Kind of recoding", &told.recoding.kind]);
    if let Some(searched) = &told.searched {
        table.row([
            "Possible generalizations (nodes)",
            &plain(&searched.lattice),
        ]);
        table.row(["Checked in the search", &whole(searched.checked)]);
    }
    if told.ties.len() > 1 {
        table.row(["Equally good", &whole(told.ties.len() as u64)]);
    }
    if let Some(seed) = told.seed {
        table.row(["Seed of random choices", &seed.to_string()]);
    }
    if let Some(read) = told.rows.read {
        table.row(["Rows read", &whole(read)]);
    }
    table.row(["Rows released", &whole(told.rows.released)]);
    if let Some(suppressed) = told.rows.suppressed {
        table.row(["Rows suppressed", &whole(suppressed)]);
    }
    if told.rows.withheld > 0 {
        table.row([
            "Of these, with sensitive values starred",
            &whole(told.rows.withheld),
        ]);
    }
    let classes = &told.classes;
    let sizes = format!(
        "{} of {} to {}, {:.1} on average",
        whole(classes.count),
        whole(classes.min),
        count(classes.max, "row", "rows"),
        classes.mean
    );
    table.row(["Groups that look alike", &sizes]);
    if let Some(words) = told.algorithm.as_deref().and_then(algorithm) {
        html.say("p", &format!("The search: {}", capital(words)));
    }
    if told.algorithm.is_none() {
        html.say(
            "p",
            "How the release was found is not told here: it could help to undo it.",
        );
    }
    html.push(&table.html());
    html.push(&space(view));
    for (title, lines) in [
        ("How ties were broken", &told.tie_rules),
        ("Remarks", &told.remarks),
    ] {
        if !lines.is_empty() {
            html.say("h3", title);
            let items: Html = lines
                .iter()
                .map(|line| Html::line("li", &[], &capital(&line.replace('`', "\""))))
                .collect();
            html.push(&Html::tag("ul", &[], &items));
        }
    }
    Section::new("making", "How it was made", html)
}

/// The lattice, where it is small and the search chose a node of it.
fn space(view: &View<'_>) -> Html {
    let told = view.told;
    let attributes = told.recoding.attributes.iter();
    let columns: Option<Vec<(&str, u64, u64)>> = attributes
        .map(|attribute| {
            Some((
                attribute.column.as_str(),
                attribute.height,
                attribute.level?,
            ))
        })
        .collect();
    let (Some(columns), Some(searched)) = (columns, &told.searched) else {
        return Html::new();
    };
    let chosen: Vec<String> = columns
        .iter()
        .map(|(name, height, level)| format!("{name} {level} of {height}"))
        .collect();
    let chosen = chosen.join(", ");
    let caption = Caption {
        id: "plot-lattice".to_owned(),
        title: "All generalizations, and the chosen one".to_owned(),
        told: format!(
            "A lattice of {}, the raw table at the bottom and a table of stars at the top. The chosen node: {chosen}.",
            match searched.lattice.as_u64() {
                Some(nodes) => count(nodes, "node", "nodes"),
                None => format!("{} nodes", plain(&searched.lattice)),
            }
        ),
        source: view.both_source(),
    };
    if let Some(drawn) = lattice(&caption, &columns) {
        return Html::tag("div", &[("class", "plots")], &drawn);
    }
    let nodes = searched.lattice.as_u64().map_or_else(
        || format!("{} generalizations", plain(&searched.lattice)),
        |nodes| count(nodes, "generalization", "generalizations"),
    );
    let words = format!("There are {nodes}, too many to draw. The chosen one: {chosen}.");
    Html::line("p", &[], &words)
}
