//! Example 7: GT of Figure 7 is a minimal generalization and never a minimal distortion.

use std::slice::from_ref;

use scrim::recoding::{Local, Recoding};
use scrim::{Error, Share};

use super::bench::{Bench, internal, read_table};
use super::cell::Reading;
use super::released::{self, Rows};
use super::{Line, Part, Verdict, fixtures, words};

/// GT's classes, by the paper's numbers of rows.
const GT: [&[usize]; 5] = [&[1, 2], &[3, 4, 8], &[5, 6], &[7, 11, 12], &[9, 10]];
/// t7 goes with t8; t3, t4 and t11, t12 are left alone.
const A: [&[usize]; 6] = [&[1, 2], &[3, 4], &[5, 6], &[7, 8], &[9, 10], &[11, 12]];
/// t3 goes with t8, t4 with t5 and t6.
const B: [&[usize]; 5] = [&[1, 2], &[3, 8], &[4, 5, 6], &[7, 11, 12], &[9, 10]];

/// A table that parts the rows otherwise than GT.
struct Move {
    rows: Rows,
    /// In whole cells, against GT.
    saves: Share,
    /// It is 2-anonymous for the certifier, and saves what the formula of its kind says.
    stands: bool,
}

pub(super) fn parts(readings: &[Reading]) -> Result<Vec<Part>, Error> {
    let likeliest = readings
        .iter()
        .find(|reading| reading.name == fixtures::LIKELIEST)
        .ok_or_else(|| internal("the likeliest reading is missing"))?;
    Ok(vec![
        Part::new(
            "Example 7: GT beside two tables that lose less, Y-D-C/G2. A: t7 with t8, t3 t4 and t11 t12 alone. B: t3 t8, t4 t5 t6, t7 t11 t12",
            &["A", "B"],
            beside(likeliest)?,
        ),
        Part::new(
            "Example 7 for k = 2 under ten readings of Figure 6: saved in whole cells of 48",
            &[
                "2-anonymous below GT",
                "Prec(GT)",
                "A saves",
                "B saves",
                "optimum",
                "optimum saves",
            ],
            readings.iter().map(of_reading).collect::<Result<_, _>>()?,
        ),
    ])
}

/// The rows that A or B changes, and what the changes save.
fn beside(reading: &Reading) -> Result<Vec<Line>, Error> {
    let bench = &reading.bench;
    let gt = printed(bench)?;
    let grouped = regrouped(bench, &GT)?;
    let others = below(bench, &gt, 2)?;
    let moves = moves(bench, &gt)?;
    let [a, b] = &moves;
    let mut lines = vec![Line::new(
        "2-anonymous tables below GT",
        "0 (k-minimal generalization)",
        vec![others.to_string(), String::new()],
        Verdict::Agrees,
        others == 0 && released::rows(bench, &grouped) == gt,
    )];
    let changed = |row: &usize| a.rows[*row] != gt[*row] || b.rows[*row] != gt[*row];
    for row in (0..gt.len()).filter(changed) {
        let ours = vec![a.rows[row].join(" "), b.rows[row].join(" ")];
        lines.push(Line::new(
            format!("t{}", row + 1),
            gt[row].join(" "),
            ours,
            Verdict::Erratum(1),
            a.stands && b.stands,
        ));
    }
    let right = moves
        .iter()
        .all(|other| other.stands && other.saves > Share::ZERO);
    lines.push(Line::new(
        "saves, of 48 cells",
        "0 (k-minimal distortion)",
        moves
            .iter()
            .map(|other| words::share(other.saves))
            .collect(),
        Verdict::Erratum(1),
        right,
    ));
    Ok(lines)
}

fn of_reading(reading: &Reading) -> Result<Line, Error> {
    let bench = &reading.bench;
    let gt = printed(bench)?;
    let prec = released::prec_of_rows(bench, &gt)?;
    let best = &reading.best[0];
    let saves = saved(bench, prec, best.prec)?;
    let others = below(bench, &gt, 2)?;
    let [a, b] = moves(bench, &gt)?;
    let right = released::refused(bench, &gt, 2)?.is_none()
        && others == 0
        && prec == fixtures::variant(reading.name)?.1
        && best.prec == fixtures::figure_7_cell(reading.name, 2)?
        && [&a, &b]
            .iter()
            .all(|other| other.stands && other.saves <= saves)
        && a.saves.max(b.saves) > Share::ZERO;
    let ours = vec![
        others.to_string(),
        prec.to_string(),
        a.saves.to_string(),
        b.saves.to_string(),
        best.prec.to_string(),
        saves.to_string(),
    ];
    Ok(Line::new(
        reading.name,
        "MGT = {GT}",
        ours,
        Verdict::Erratum(1),
        right,
    ))
}

fn printed(bench: &Bench) -> Result<Rows, Error> {
    let gt = read_table(fixtures::GT)?;
    Ok(released::rows_of_table(&gt, bench.ladders.len()))
}

/// A saves 11/6 - 2g + x and B 5/6 - 3x, where g is a step of Gender and x that from year to decade.
fn moves(bench: &Bench, gt: &[Vec<String>]) -> Result<[Move; 2], Error> {
    let [_, birth, gender, _] = &bench.ladders[..] else {
        return Err(internal("Figure 7 has four quasi-identifiers"));
    };
    let date = bench.table.columns()[1].text(0);
    let level = |label: &str| released::level(birth.hierarchy(), date, label);
    let steps = i128::from(level("1960-69")?) - i128::from(level("1965")?);
    let x = |times: i128| Share::new(times * steps, birth.height().into());
    let g = |times: i128| Share::new(times, gender.height().into());
    let sum = |left: Option<Share>, right: Option<Share>| left?.checked_add(right?);
    let expected = [
        sum(sum(Share::new(11, 6), g(-2)), x(1)),
        sum(Share::new(5, 6), x(-3)),
    ];
    let before = released::prec_of_rows(bench, gt)?;
    let made = |groups: &[&[usize]], expected: Option<Share>| {
        let recoding = regrouped(bench, groups)?;
        let rows = released::rows(bench, &recoding);
        let saves = saved(bench, before, released::prec(bench, &recoding)?)?;
        let stands = released::refused(bench, &rows, 2)?.is_none() && expected == Some(saves);
        Ok::<Move, Error>(Move {
            rows,
            saves,
            stands,
        })
    };
    Ok([made(&A, expected[0])?, made(&B, expected[1])?])
}

/// How many whole cells less than before are lost.
fn saved(bench: &Bench, before: Share, after: Share) -> Result<Share, Error> {
    let cells = Share::whole((bench.table.rows() * bench.ladders.len()) as i128);
    let before = before.checked_mul(Share::whole(-1));
    let more = before.and_then(|before| after.checked_add(before));
    more.and_then(|more| more.checked_mul(cells))
        .ok_or_else(|| internal("what is saved is no fraction"))
}

/// Groups of rows, each at the least common ancestors of its own.
fn regrouped(bench: &Bench, groups: &[&[usize]]) -> Result<Recoding, Error> {
    let mut class_of_row = vec![0; bench.table.rows()];
    for (number, group) in (0..).zip(groups) {
        group.iter().for_each(|row| class_of_row[row - 1] = number);
    }
    let common = |group: &&[usize]| {
        let columns = bench.ladders.iter().zip(bench.table.columns());
        let taxon = columns.map(|(ladder, column)| {
            let leaf = |row: &usize| ladder.taxa(0)[column.codes().get(row - 1) as usize];
            let tree = ladder.hierarchy();
            let leaves = group.iter().map(leaf);
            leaves
                .reduce(|left, right| tree.common_ancestor(left, right))
                .ok_or_else(|| internal("an empty group"))
        });
        taxon.collect::<Result<_, _>>()
    };
    let taxa = groups.iter().map(common).collect::<Result<_, Error>>()?;
    Ok(Recoding::Local(Local::of_taxa(class_of_row, taxa)))
}

/// Definition 4 by cell: how many other k-anonymous tables have no cell above this one's.
fn below(bench: &Bench, table: &[Vec<String>], k: usize) -> Result<usize, Error> {
    let levels = released::levels(bench, table)?;
    let at_or_below = |row: usize| {
        let mut vectors: Vec<Vec<String>> = vec![Vec::new()];
        let columns = bench.ladders.iter().zip(bench.table.columns());
        for ((ladder, column), top) in columns.zip(&levels[row]) {
            let tree = ladder.hierarchy();
            let leaf = ladder.taxa(0)[column.codes().get(row) as usize];
            let label = |level: u8| tree.label(tree.at_level(leaf, level)).to_owned();
            let longer = |vector: &Vec<String>| {
                let labels = (0..=*top).map(label);
                let longer = labels.map(|label| [&vector[..], &[label]].concat());
                longer.collect::<Vec<_>>()
            };
            vectors = vectors.iter().flat_map(longer).collect();
        }
        vectors
    };
    let mut choices: Vec<Rows> = (0..table.len()).map(at_or_below).collect();
    // A row stands only where k rows can.
    let all = choices.clone();
    let shared = |vector: &Vec<String>| {
        let rows = all.iter().filter(|choices| choices.contains(vector));
        rows.count() >= k
    };
    choices
        .iter_mut()
        .for_each(|choices| choices.retain(shared));
    let mut tables: Vec<Rows> = vec![Vec::new()];
    for choices in &choices {
        let longer = |rows: &Rows| {
            let longer = choices
                .iter()
                .map(|row| [&rows[..], from_ref(row)].concat());
            longer.collect::<Vec<_>>()
        };
        tables = tables.iter().flat_map(longer).collect();
    }
    let others = tables.iter().filter(|other| other[..] != *table);
    Ok(others
        .filter(|other| released::smallest_class(other) >= k)
        .count())
}
