//! What everybody reads: may the table be given away, and what was gained and lost.

use crate::page::View;
use crate::page::html::Html;
use crate::page::numbers::{count, percent, whole};

/// The verdict in plain words, with the figures that matter most.
pub(crate) fn verdict(view: &View<'_>) -> Html {
    let told = view.told;
    let mut head = Html::line("p", &[("class", "kind")], view.title());
    head.say("h1", headline(view));
    head.say("p", &reason(view));
    head.push(&concerns(view));
    let class = match (told.broken, told.concerns.is_empty()) {
        (true, _) => "verdict bad",
        (false, true) => "verdict good",
        (false, false) => "verdict but",
    };
    let mut html = Html::tag("header", &[("class", class)], &head);
    if view.is_external() {
        html.push(&Html::line(
            "p",
            &[("class", "note")],
            "This is the external version. It says nothing about the original table that the release does not show: no figures from before, \
             no hash of the input, nothing on rows that were left out, and not how the release was found.",
        ));
    }
    html.push(&tiles(view)).end_line();
    html
}

fn headline(view: &View<'_>) -> &'static str {
    if view.told.broken {
        "Broken: this table must not be given away"
    } else if view.told.concerns.is_empty() {
        "Kept: this table keeps every promise it was made under"
    } else {
        "Kept, but: this table keeps its promises, and gives cause for concern"
    }
}

/// What gives cause for concern, each with what to do.
fn concerns(view: &View<'_>) -> Html {
    let concerns = &view.told.concerns;
    if concerns.is_empty() {
        return Html::new();
    }
    let mut list = Html::new();
    for concern in concerns {
        let mut item = Html::tag("strong", &[], &with_code(&concern.text));
        if !concern.suggestion.is_empty() {
            item.push(&with_code(&format!(" {}", concern.suggestion)));
        }
        list.push(&Html::tag("li", &[], &item));
    }
    let words = match concerns.len() {
        1 => "One thing to look at before it is given away:".to_owned(),
        many => format!("{many} things to look at before it is given away:"),
    };
    let mut html = Html::line("p", &[], &words);
    html.push(&Html::tag("ul", &[("class", "concerns")], &list));
    html
}

/// A text whose parts between backticks are code.
fn with_code(text: &str) -> Html {
    let parts = text.split('`').enumerate();
    let part = |(at, part): (usize, &str)| match at % 2 {
        0 => Html::text(part),
        _ => Html::line("code", &[], part),
    };
    parts.map(part).collect()
}

fn reason(view: &View<'_>) -> String {
    let told = view.told;
    let file = &told.output.hashed.file;
    let held = told.models.iter();
    let held = held.filter(|model| model.get("holds").is_some_and(|holds| holds == true));
    let (held, all) = (held.count() as u64, told.models.len() as u64);
    if told.broken {
        return format!(
            "{file} breaks its policy: {} of {} hold. It was written for study only, under a name that says so.",
            whole(held),
            count(all, "promise", "promises")
        );
    }
    let promises = match all {
        1 => "the promise of the policy was".to_owned(),
        2 => "both promises of the policy were".to_owned(),
        all => format!("all {} promises of the policy were", whole(all)),
    };
    let exposure = &told.report.after;
    let (_, one) = view.counted();
    let others = exposure.smallest.saturating_sub(1);
    let shared = match others {
        0 => String::new(),
        others => format!(
            " By what outsiders may know, every {one} in it looks like at least {}.",
            count(others, "other", "others")
        ),
    };
    format!(
        "{file} was read back after it was written, and {promises} checked on it from the definitions and found to hold.{shared}"
    )
}

fn tiles(view: &View<'_>) -> Html {
    let told = view.told;
    let report = &told.report;
    let (many, one) = view.counted();
    let mut tiles = Html::new();
    let mut tile = |name: &str, value: &str, words: &str| {
        let mut inner = Html::line("dt", &[], name);
        inner.push(&Html::line("dd", &[("class", "figure")], value));
        inner.push(&Html::line("dd", &[], words));
        tiles.push(&Html::tag("div", &[], &inner));
    };
    let released = told.rows.released;
    let of = match (told.rows.read, told.rows.suppressed) {
        (Some(read), Some(0)) => format!("of {} read", whole(read)),
        (Some(read), Some(suppressed)) => {
            format!("of {} read, {} suppressed", whole(read), whole(suppressed))
        }
        _ => "in the release".to_owned(),
    };
    tile("Rows released", &whole(released), &of);
    let after = &report.after;
    let words = format!("{many} at least in every group that looks alike");
    tile("Smallest group", &whole(after.smallest), &words);
    let now = percent(after.unique_share);
    match &report.before {
        Some(before) => tile(
            "Alone in their group",
            &format!("{} → {now}", percent(before.unique_share)),
            &format!("of all {many}, before → after"),
        ),
        None => tile("Alone in their group", &now, &format!("of all {many}")),
    }
    let risk = &after.prosecutor;
    match &report.before {
        Some(before) => tile(
            "Largest risk",
            &format!("{} → {}", percent(before.prosecutor.max), percent(risk.max)),
            &format!("that a {one} known to be in it is found"),
        ),
        None => tile(
            "Largest risk",
            &percent(risk.max),
            &format!("that a {one} known to be in it is found"),
        ),
    }
    if let Some(loss) = told
        .metrics
        .get("loss_mean")
        .and_then(serde_json::Value::as_f64)
    {
        tile(
            "Detail kept",
            &percent(1.0 - loss),
            "mean over the columns that were made coarser",
        );
    }
    Html::tag("dl", &[("class", "tiles")], &tiles)
}

/// The last line.
pub(crate) fn footer(view: &View<'_>) -> Html {
    let words = format!(
        "Made by scrim {} from the manifest of {}; the same manifest makes the same page. It needs no network and runs no script.",
        view.told.scrim, view.told.output.hashed.file
    );
    Html::tag("footer", &[], &Html::line("p", &[], &words))
}
