//! Tables 2, 5, 6, 7 and 8: whether they are what the paper says of them.

use scrim::hierarchy::Ladder;
use scrim::table::Table;
use scrim::{Error, Share};

use super::ask::{Ask, Kind};
use super::released::Released;
use super::{Line, Verdict, fixtures, words};

/// Table 1, which the others are views of.
type Original = (Table, Vec<Ladder>);

pub(super) fn lines() -> Result<Vec<Line>, Error> {
    let original = fixtures::table_1()?;
    let mut lines = table_2(&original)?;
    lines.extend(table_5(&original)?);
    lines.extend(table_6(&original)?);
    lines.extend(table_7(&original)?);
    lines.extend(table_8()?);
    Ok(lines)
}

fn table_2(original: &Original) -> Result<Vec<Line>, Error> {
    let table = Released::new(fixtures::TABLE_2, fixtures::TABLE_4)?;
    let fits = |name: &str, person: [&str; 3]| {
        let ours = table.matching(&person, &original.1);
        let name = format!("Table 2: records that fit {name}");
        known(
            &name,
            "3 4, so Cancer",
            &ours,
            "1 2 3 4",
            Verdict::Erratum(7),
        )
    };
    let sizes = table.sizes();
    let groups = "five groups, at least 2";
    Ok(vec![
        Line::same(
            "Table 2: 2-anonymous",
            "yes",
            kept(&table, Kind::K, [2, 1, 0])?,
        ),
        Line::same("Table 2: a view of Table 1", "yes", view(&table, original)),
        known(
            "Table 2: sizes of the classes",
            groups,
            &sizes,
            "2 2 4 2 2",
            Verdict::Agrees,
        ),
        fits("Rick", ["26", "USA", "14246"]),
        fits("Rudy", ["25", "Canada", "14249"]),
    ])
}

fn table_5(original: &Original) -> Result<Vec<Line>, Error> {
    let table = Released::new(fixtures::TABLE_5, fixtures::TABLE_4)?;
    let right = "2 of 3 classes, 8 of 12 records";
    let named = "one class named";
    Ok(vec![
        Line::same(
            "Table 5: p = 2, k = 4",
            "yes",
            kept(&table, Kind::P, [4, 2, 0])?,
        ),
        Line::same("Table 5: a view of Table 1", "yes", view(&table, original)),
        known(
            "Table 5: single-category",
            named,
            &exposed(&table),
            right,
            Verdict::Checked,
        ),
    ])
}

fn table_6(original: &Original) -> Result<Vec<Line>, Error> {
    let table = Released::new(fixtures::TABLE_6, fixtures::TABLE_4)?;
    let corrected = Released::new(fixtures::TABLE_6_CORRECTED, fixtures::TABLE_4)?;
    let ratio = corrected.ratio(&original.1);
    let checked = |what: &str, ours: &str, right: &str| {
        let name = format!("Table 6 with 142**: {what}");
        known(&name, "", ours, right, Verdict::Checked)
    };
    let keeps = kept(&table, Kind::PPlus, [4, 2, 2])?;
    let stray = "no: record 3 Zip";
    Ok(vec![
        Line::same("Table 6: classes keep (2+,2), k = 4", "yes", keeps),
        known(
            "Table 6: a view of Table 1",
            "yes",
            &view(&table, original),
            stray,
            Verdict::Erratum(1),
        ),
        checked(
            "(2+,2), k = 4",
            &kept(&corrected, Kind::PPlus, [4, 2, 2])?,
            "yes",
        ),
        checked("a view of Table 1", &view(&corrected, original), "yes"),
        checked(
            "distortion ratio",
            &ratio.map_or_else(String::new, words::share),
            "13/30 = 0.4333",
        ),
        checked(
            "single-category",
            &exposed(&corrected),
            "0 of 3 classes, 0 of 12 records",
        ),
    ])
}

fn table_7(original: &Original) -> Result<Vec<Line>, Error> {
    let table = Released::new(fixtures::TABLE_7, fixtures::SECTION_6)?;
    let disease = |table: &Table| table.columns()[3].text(7).to_owned();
    let (printed, first) = (disease(&table.table), disease(&original.0));
    let name = "Table 7: disease of record 8";
    Ok(vec![
        Line::same(
            "Table 7: (3,1), k = 4",
            "yes",
            kept(&table, Kind::PAlpha, [4, 3, 1])?,
        ),
        Line::same("Table 7: a view of Table 1", "yes", view(&table, original)),
        known(name, &printed, &first, "Heart Disease", Verdict::Erratum(8)),
    ])
}

fn table_8() -> Result<Vec<Line>, Error> {
    let table = Released::new(fixtures::TABLE_8_PRINTED, fixtures::OF_TABLE_8)?;
    let keeps = |alpha| kept(&table, Kind::PAlpha, [2, 2, alpha]);
    Ok(vec![
        known(
            "Table 8: (2,2), k = 2",
            "yes",
            &keeps(2)?,
            "no",
            Verdict::Erratum(2),
        ),
        known(
            "Table 8: (2,1), k = 2",
            "",
            &keeps(1)?,
            "yes",
            Verdict::Checked,
        ),
    ])
}

/// A line whose right answer is known.
fn known(name: &str, paper: &str, ours: &str, right: &str, verdict: Verdict) -> Line {
    Line::new(name, paper, vec![ours.to_owned()], verdict, ours == right)
}

/// Whether a table keeps a model with k, p and alpha.
fn kept(table: &Released, kind: Kind, [k, p, alpha]: [u32; 3]) -> Result<String, Error> {
    let ask = Ask::new(kind, k.into(), p.into(), Share::whole(alpha.into()));
    let holds = table.holds(&ask)?;
    Ok(if holds { "yes" } else { "no" }.to_owned())
}

fn view(table: &Released, original: &Original) -> String {
    let strays = table.strays(&original.0, &original.1);
    if strays.is_empty() {
        "yes".to_owned()
    } else {
        format!("no: {}", strays.join(", "))
    }
}

fn exposed(table: &Released) -> String {
    let found = table.attacked().unwrap_or_default();
    format!(
        "{} of {} classes, {} of {} records",
        found.classes, found.of.classes, found.records, found.of.records
    )
}
