//! What some policies ask beyond one table and one onlooker: wishes, earlier releases, somebody who knows the algorithm.

use serde_json::Value;

use super::Section;
use crate::page::View;
use crate::page::html::Html;
use crate::page::numbers::{count, decimal, percent, whole};
use crate::page::plots::{Caption, curve};
use crate::page::table::Table;
use crate::page::words::plain;

/// A parameter of a promise as a number.
fn parameter(view: &View<'_>, model: &str, key: &str) -> Option<f64> {
    let mut models = view.told.models.iter();
    let model = models.find(|told| told.get("model").is_some_and(|name| name == model))?;
    let text = plain(model.get(key)?);
    let share: scrim::Share = text.parse().ok()?;
    Some(share.to_f64())
}

fn exact(number: f64, exact: Option<&String>) -> String {
    match exact {
        Some(exact) => format!("{} ({exact})", decimal(number)),
        None => decimal(number),
    }
}

/// Wishes: how likely each row's secret can be believed.
pub(super) fn breach(view: &View<'_>) -> Option<Section> {
    let breach = view.told.breach.as_ref()?;
    let limit = parameter(view, "personal", "breach");
    let rows: u64 = breach.curve.iter().map(|(_, rows)| rows).sum();
    let asked: u64 = breach
        .curve
        .iter()
        .filter(|(p, _)| *p > 0.0)
        .map(|(_, rows)| rows)
        .sum();
    let mut html = Html::line(
        "p",
        &[],
        &format!(
            "People said what must not be pinned on them. For each row, this is the probability with which somebody who knows everything else would believe it. \
             The largest is {}{}. Of {}, {} have a probability above nought.",
            exact(breach.max, breach.max_exact.as_ref()),
            limit.map_or_else(String::new, |limit| format!(
                ", and the policy allows {}",
                decimal(limit)
            )),
            count(rows, "row", "rows"),
            whole(asked)
        ),
    );
    let case = match breach.case.as_str() {
        "primary" => "Each person has one row (primary case).".to_owned(),
        "non-primary" => "A person may have several rows (non-primary case).".to_owned(),
        other => format!("Case: {other}."),
    };
    html.say("p", &case);
    if breach.spread_persons > 0 {
        let persons = count(breach.spread_persons, "person", "persons");
        html.say(
            "p",
            &format!("Of {persons} with a wish the rows stand in several groups: the probability is over all of them together."),
        );
    }
    let caption = Caption {
        id: "plot-breach".to_owned(),
        title: "Breach probability of every row".to_owned(),
        told: format!(
            "The largest probability is {}; {} of {} {} one above 0.",
            decimal(breach.max),
            whole(asked),
            count(rows, "row", "rows"),
            if asked == 1 { "has" } else { "have" }
        ),
        source: view.both_source(),
    };
    let plot = curve(&caption, &breach.curve, limit);
    html.push(&Html::tag("div", &[("class", "plots")], &plot));
    Some(Section::new("breach", "Everybody's own wish", html))
}

/// Earlier releases.
pub(super) fn serial(view: &View<'_>) -> Option<Section> {
    let serial = view.told.serial.as_ref()?;
    let limit = parameter(view, "serial", "l").filter(|l| *l > 0.0);
    let mut html = Html::line(
        "p",
        &[],
        "Somebody who keeps every release can put them together. This counts what all of them give away about one person.",
    );
    for assumption in &serial.assumptions {
        html.say("p", &format!("Assumed: {assumption}."));
    }
    let mut table = Table::new("All releases together", ["Figure", "Value"]).numbers_from(1);
    table.row(["Number of this release", &whole(serial.release)]);
    table.row(["Persons in it", &whole(serial.persons)]);
    table.row([
        "Persons who are left out to protect them (retired)",
        &whole(serial.retired),
    ]);
    let most = exact(serial.max, serial.max_exact.as_ref());
    table.row([
        "Largest probability that a person was linked to a protected value",
        &most,
    ]);
    if let Some(lasting) = &serial.lasting {
        let kind = if lasting.exact { "counted" } else { "a bound" };
        let most = exact(lasting.max, lasting.max_exact.as_ref());
        table.row([
            "The same for lasting values, of everybody who is linked to this release",
            &format!("{most} ({kind})"),
        ]);
    }
    if let Some(l) = limit {
        table.row([
            "Allowed",
            &format!("{} (1/{})", percent(1.0 / l), decimal(l)),
        ]);
    }
    table.row(["How room is spread over releases to come", &serial.schedule]);
    if let Some(retirement) = &serial.retirement {
        table.row(["Rule of retirement", retirement]);
    }
    if let Some(rule) = &serial.cohorts {
        table.row([
            "Persons left out because some of their cohort are missing",
            &whole(serial.incomplete),
        ]);
        table.row(["Rule of cohorts", rule]);
    }
    html.push(&table.html());
    Some(Section::new("serial", "With all earlier releases", html))
}

/// Somebody who knows the algorithm.
pub(super) fn disclosure(view: &View<'_>) -> Option<Section> {
    let told = view.told.disclosure.as_ref()?;
    let mut html = Html::line(
        "p",
        &[],
        "Somebody who knows by which steps the release was found learns from every step that was passed over. The decision to publish counted that in.",
    );
    let mut table = Table::new("The decision", ["Figure", "Value"]);
    table.row(["Strategy", &told.strategy]);
    if let Some(chain) = &told.chain {
        table.row(["Public steps", &chain.kind]);
        table.row(["Steps walked", &whole(chain.walked)]);
    }
    if let Some(step) = told.step {
        table.row(["Published step", &whole(step)]);
    }
    if let Some(method) = &told.method {
        table.row(["Decided by", method]);
    }
    if let Some(size) = &told.size {
        table.row(["Tables that remain possible to that reader", size]);
    }
    if let Some(ratio) = told.max_ratio {
        let words = exact(ratio, told.max_ratio_exact.as_ref());
        table.row(["Surest belief about a row, or a bound on it", &words]);
    }
    if let Some(confidence) = told.confidence {
        table.row(["Confidence of the sample", &percent(confidence)]);
    }
    html.push(&table.html());
    if !told.otherwise.is_empty() {
        let heads = ["Strategy", "What it would have done"];
        let mut table = Table::new("Other strategies", heads);
        for other in &told.otherwise {
            table.row([&other.strategy, &other.words]);
        }
        html.push(&table.html());
    }
    let holds = view
        .told
        .models
        .iter()
        .all(|model| model.get("holds") == Some(&Value::Bool(true)));
    if holds {
        html.say("p", "Against that reader, too, the promises hold.");
    }
    Some(Section::new(
        "disclosure",
        "Against somebody who knows the method",
        html,
    ))
}
