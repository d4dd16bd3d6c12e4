//! Which classes of one category the models admit: what (p,alpha) leaves open and (p+,alpha) closes.

use scrim::frequency::Piles;
use scrim::table::{Column, Table};
use scrim::{Error, Share};

use super::ask::{Ask, Kind};
use super::bench::internal;
use super::{Line, Verdict, fixtures};

/// More rows than any class here needs.
const MOST: usize = 24;

/// For p = 2, alpha = 2, k = 4: the paper's numbers; then p above the values of a category.
pub(super) fn lines() -> Result<Vec<Line>, Error> {
    let asks = [
        (Kind::P, 2, "", "4 4 4 4", Verdict::Checked),
        (
            Kind::PAlpha,
            2,
            "well protected",
            "never 6 4 4",
            Verdict::Erratum(12),
        ),
        (
            Kind::PAlpha,
            3,
            "",
            "never never never never",
            Verdict::Checked,
        ),
        (
            Kind::PPlus,
            2,
            "3 tables vulnerable",
            "never never never never",
            Verdict::Erratum(3),
        ),
    ];
    let line = |(kind, p, paper, right, verdict)| {
        let ask = Ask::new(kind, 4, p, Share::whole(2));
        let categories = fixtures::categories(fixtures::TABLE_4);
        let least: Vec<String> = categories
            .iter()
            .map(|values| least(&ask, values, &categories))
            .collect::<Result<_, _>>()?;
        let same = least.join(" ") == right;
        Ok(Line::new(ask.to_string(), paper, least, verdict, same))
    };
    asks.into_iter().map(line).collect()
}

/// The fewest rows of a class that has the values of one category in turn.
fn least(ask: &Ask, values: &[String], categories: &[Vec<String>]) -> Result<String, Error> {
    let texts = values.iter().map(String::as_str).cycle().take(MOST);
    let table = Table::new(vec![Column::from_texts("Health", texts)]);
    let table = table.ok_or_else(|| internal("one column is not equally long"))?;
    let models = ask.models(&table, "Health", categories)?;
    let piles = Piles::new(&table, models.tracked())?;
    for rows in 1..=MOST as u32 {
        let class: Vec<u32> = (0..rows).collect();
        if models.holds(piles.one(&class).only()) {
            return Ok(rows.to_string());
        }
    }
    Ok("never".to_owned())
}
