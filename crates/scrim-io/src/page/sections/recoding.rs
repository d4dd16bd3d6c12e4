//! What became of each column: its hierarchy down to the cut, or its intervals.

use super::Section;
use crate::page::View;
use crate::page::html::Html;
use crate::page::numbers::{count, percent, whole};
use crate::page::plots::{Caption, spans};
use crate::page::table::Table;
use crate::page::told::{CategoryTold, ColumnTold, SensitiveTold, TaxonTold};
use crate::page::words::capital;

/// Every column that was made coarser.
pub(super) fn recoding(view: &View<'_>) -> Section {
    let kind = match view.told.recoding.kind.as_str() {
        "full-domain" => {
            "Each column is shown at one level of its hierarchy, the same for all rows. Rows that would still stand out show the top of every hierarchy: they are suppressed."
        }
        "subtree" => "Each column's range is cut into parts, the same for all rows.",
        _ => {
            "Each group of rows is made as coarse as it has to be, so that one value may stand beside a coarser one above it."
        }
    };
    let mut html = Html::line("p", &[], kind);
    html.say(
        "p",
        "Values in a frame are where the cut lies: they stand in the release, with the share of its rows that show them; those in a dashed frame could, but no row shows them. What lies below the cut is not named here either.",
    );
    let mut columns = Html::new();
    for (at, column) in view.told.report.columns.iter().enumerate() {
        columns.push(&of_column(view, at, column)).end_line();
    }
    html.push(&Html::tag("div", &[("class", "columns")], &columns));
    html.push(&sensitive(&view.told.sensitive));
    html.push(&categories(&view.told.categories));
    Section::new("recoding", "How each column was made coarser", html)
}

fn of_column(view: &View<'_>, at: usize, column: &ColumnTold) -> Html {
    let outline = &column.outline;
    let mut html = Html::line("h3", &[], &column.column);
    html.say("p", &sentence(view, at, column));
    if !outline.taxa.is_empty() {
        html.push(&tree(
            &outline.taxa,
            view.told.rows.released,
            &column.column,
        ));
    }
    if !outline.spans.is_empty() {
        let drawn: Vec<_> = outline
            .spans
            .iter()
            .map(|span| (span.label.as_str(), span.from, span.to, span.rows))
            .collect();
        let told: Vec<String> = outline
            .spans
            .iter()
            .map(|span| format!("{}: {}", span.label, count(span.rows, "row", "rows")))
            .collect();
        let caption = Caption {
            id: format!("plot-spans-{at}"),
            title: format!("Published intervals of {}", column.column),
            told: told.join("; "),
            source: view.release_source(),
        };
        html.push(&spans(&caption, &drawn));
    }
    if outline.left_out > 0 {
        let more = count(
            outline.left_out,
            "published value is",
            "published values are",
        );
        let rows = count(outline.left_out_rows, "row", "rows");
        let words = format!("{more} not drawn, the rarest, which {rows} show.");
        html.push(&Html::line("p", &[("class", "note")], &words));
    }
    Html::tag("div", &[("class", "column")], &html)
}

/// How far up the column is, and what that made of its values.
fn sentence(view: &View<'_>, at: usize, column: &ColumnTold) -> String {
    let attribute = view.told.recoding.attributes.get(at);
    let attribute = attribute.filter(|attribute| attribute.column == column.column);
    let mut parts = Vec::new();
    if let Some(words) = &column.words {
        parts.push(capital(words).trim_end_matches('.').to_owned());
    } else if let Some((level, height)) =
        attribute.and_then(|attribute| Some((attribute.level?, attribute.height)))
    {
        parts.push(match level {
            0 => "Published as it is".to_owned(),
            level if level == height => "Suppressed in all rows".to_owned(),
            level => format!("Level {level} of {height}"),
        });
    } else if let Some(words) = attribute.and_then(|attribute| attribute.words.clone()) {
        parts.push(capital(&words).trim_end_matches('.').to_owned());
    }
    let after = count(column.values_after, "different value", "different values");
    parts.push(match column.values_before {
        Some(before) => format!("{} before, {after} in the release", whole(before)),
        None => format!("{after} in the release"),
    });
    parts.join(". ") + "."
}

/// A tree as lists within lists, so that it can be read aloud.
fn tree(taxa: &[TaxonTold], rows: u64, column: &str) -> Html {
    let mut rest = taxa;
    let inner = branch(&mut rest, 0, rows);
    let name = format!("Hierarchy of {column} down to what is published");
    Html::tag("ul", &[("class", "tree"), ("aria-label", &name)], &inner)
}

/// The taxa at this depth that come next, each with what is below it. A manifest that skips a depth is read as if it did not.
fn branch(rest: &mut &[TaxonTold], depth: u16, rows: u64) -> Html {
    let mut list = Html::new();
    while let Some((taxon, more)) = rest.split_first().filter(|(taxon, _)| taxon.depth >= depth) {
        *rest = more;
        let mut item = shown(taxon, rows);
        // Deeper than any picture needs to be; calls stay few.
        let below = if depth < 60 {
            branch(rest, taxon.depth.saturating_add(1), rows)
        } else {
            Html::new()
        };
        if !below.is_empty() {
            item.push(&Html::tag("ul", &[], &below));
        }
        list.push(&Html::tag("li", &[], &item));
    }
    list
}

fn shown(taxon: &TaxonTold, rows: u64) -> Html {
    let value = Html::value(&taxon.label);
    let values = taxon.values.filter(|values| *values > 1).map(|values| {
        let words = format!(" {} values", whole(values));
        Html::line("span", &[("class", "muted")], &words)
    });
    let mut inner = match (taxon.published, taxon.rows) {
        (true, 0) => Html::tag("mark", &[("class", "unseen")], &value),
        (true, _) => Html::tag("mark", &[], &value),
        (false, _) => Html::tag("span", &[], &value),
    };
    inner.push(&values.unwrap_or_default());
    if taxon.published {
        let share = taxon.rows as f64 / rows.max(1) as f64;
        let words = if taxon.rows == 0 {
            " no row".to_owned()
        } else {
            format!(" {} ({})", count(taxon.rows, "row", "rows"), percent(share))
        };
        inner.push(&meter(share));
        inner.push(&Html::line("span", &[("class", "number")], &words));
    }
    Html::tag("div", &[("class", "taxon")], &inner)
}

/// A small bar.
fn meter(share: f64) -> Html {
    let width = format!("{:.1}", share.clamp(0.0, 1.0) * 80.0);
    let drawn = [
        Html::lone(
            "rect",
            &[("width", "80"), ("height", "8"), ("class", "track")],
        ),
        Html::lone(
            "rect",
            &[("width", &width), ("height", "8"), ("class", "s1")],
        ),
    ];
    let attributes = [
        ("viewBox", "0 0 80 8"),
        ("class", "meter"),
        ("aria-hidden", "true"),
    ];
    Html::tag("svg", &attributes, &drawn.into_iter().collect())
}

/// Sensitive values that were made coarser in some classes, by what they became.
fn sensitive(columns: &[SensitiveTold]) -> Html {
    let mut html = Html::new();
    for column in columns.iter().filter(|column| !column.classes.is_empty()) {
        let mut raised: std::collections::BTreeMap<&str, u64> = std::collections::BTreeMap::new();
        for label in column.classes.iter().flat_map(|class| &class.raised) {
            *raised.entry(label).or_default() += 1;
        }
        let mut table = Table::new(
            format!(
                "{}: what values were raised to, to keep wishes, in {}",
                column.column,
                count(column.classes.len() as u64, "group", "groups")
            ),
            ["Raised to", "Groups"],
        )
        .numbers_from(1);
        for (label, groups) in raised {
            table.cells([Html::value(label), Html::text(&whole(groups))]);
        }
        html.push(&Html::line("h3", &[], &column.column));
        html.push(&table.html());
    }
    html
}

/// Columns that were added: the category of each sensitive value.
fn categories(columns: &[CategoryTold]) -> Html {
    let mut html = Html::new();
    for column in columns {
        html.push(&Html::line("h3", &[], &column.column));
        let words = format!(
            "Added to the table: the category of each value of {}. The categories, the most sensitive first: {}.",
            column.of,
            column.labels.join(", ")
        );
        html.say("p", &words);
    }
    html
}
