//! Tables 1 to 6 and Examples 1 to 8.

use std::collections::BTreeSet;

use scrim::adversary::{Disclosure, Strategy};
use scrim::{Error, Share};

use super::super::bench::internal;
use super::case::Case;
use super::instances::{generalized, highest, orders, per, ratio};
use super::{Line, Part, Verdict, strategies, tables};

const TABLE_2: &str = include_str!("../../../../../fixtures/papers/zhang07/table2.csv");

/// All examples.
pub(super) fn parts() -> Result<Vec<Part>, Error> {
    let case = Case::read(TABLE_2, 3)?;
    Ok(vec![
        tables::part(&case)?,
        examples_1_to_3(&case)?,
        examples_4_and_5(&case)?,
        examples_7_and_8(&case)?,
        strategies::part(&case)?,
        complexity()?,
    ])
}

/// A count by the library beside the same one by one.
pub(super) fn both(
    name: &str,
    paper: &str,
    (library, counted): (String, String),
    right: &str,
    verdict: Verdict,
) -> Line {
    let is_right = library == right && counted == right;
    Line::new(name, paper, vec![library, counted], verdict, is_right)
}

/// A number of tables and their best ratio.
pub(super) fn sized(tables: &[Vec<u32>], values: usize) -> String {
    let best = highest(tables, values).map_or_else(String::new, |best| best.to_string());
    format!("{}, ratio {best}", tables.len())
}

/// The same of a disclosure set.
pub(super) fn told(set: &Disclosure) -> String {
    let size = set.size.as_ref().map(ToString::to_string);
    format!("{}, ratio {}", size.unwrap_or_default(), Case::best(set))
}

/// The tables of `PER(G_i)` for which every earlier group-wise test fails: the exclusive set by its definition.
fn exclusive(case: &Case, step: usize, table: &[u32]) -> Result<Vec<Vec<u32>>, Error> {
    let mut left = Vec::new();
    for instance in per(&case.steps[step - 1], table) {
        let mut refused = true;
        for before in 1..step {
            refused &= !case.passes(before, &instance)?;
        }
        if refused {
            left.push(instance);
        }
    }
    Ok(left)
}

fn examples_1_to_3(case: &Case) -> Result<Part, Error> {
    let table = case.table("G0")?;
    let values = case.words.len();
    let mut lines = Vec::new();
    for (step, paper, right) in [(1, "16", "16"), (2, "", "144"), (3, "", "432")] {
        let library = case.alone(step, table)?.size.map(|size| size.to_string());
        let counted = per(&case.steps[step - 1], table).len().to_string();
        let verdict = if paper.is_empty() {
            Verdict::Checked
        } else {
            Verdict::Agrees
        };
        let cells = (library.unwrap_or_default(), counted);
        lines.push(both(
            &format!("tables of PER(G{step})"),
            paper,
            cells,
            right,
            verdict,
        ));
    }
    let factors: Vec<String> = generalized(&case.steps[0], table)
        .into_iter()
        .map(|(_, held)| orders(&held).len().to_string())
        .collect();
    let factors = factors.join(" x ");
    lines.push(both(
        "Section 2.1: its factors, group by group",
        "2 x 2 x 1 x 2",
        (factors.clone(), factors),
        "2 x 2 x 1 x 2 x 2",
        Verdict::Erratum(15),
    ));
    let first = case.set(1, table, Strategy::Inclusive)?;
    let counted = sized(&per(&case.steps[0], table), values);
    lines.push(both(
        "Example 1: DS_1, best ratio",
        "PER(G1)",
        (told(&first), counted),
        "16, ratio 1",
        Verdict::Agrees,
    ));
    let second = case.set(2, table, Strategy::Inclusive)?;
    let left = exclusive(case, 2, table)?;
    lines.push(both(
        "Example 2: DS_2, best ratio",
        "",
        (told(&second), sized(&left, values)),
        "16, ratio 1",
        Verdict::Checked,
    ));
    let c4 = case.value("c4")?;
    let with_c4 = left
        .iter()
        .filter(|table| table[4] == c4 && table[5] == c4)
        .count();
    let attained = case.attained(&second);
    let right = with_c4 == left.len() && attained == "E:c4 F:c4";
    lines.push(Line::new(
        "Example 2: of which E and F have c4",
        "all",
        vec![attained, with_c4.to_string()],
        Verdict::Agrees,
        right,
    ));
    lines.push(example_3(case, table)?);
    Ok(Part::new(
        "Examples 1 to 3: what G1 and G2 allow, and what remains possible",
        &["library", "one by one"],
        lines,
    ))
}

/// How many generalizations by g1 there are among the tables that G2 allows, and how many of them pass.
fn example_3(case: &Case, table: &[u32]) -> Result<Line, Error> {
    let instances = per(&case.steps[1], table);
    let mut all = BTreeSet::new();
    let mut passing = [BTreeSet::new(), BTreeSet::new()];
    for instance in &instances {
        let own = generalized(&case.steps[0], instance);
        let set = case.set(1, instance, Strategy::Inclusive)?;
        if case.safe(&set)? {
            passing[0].insert(own.clone());
        }
        // One by one: all tables of PER(g1(X)), each ratio below 2/3.
        let ratio = highest(&per(&case.steps[0], instance), case.words.len());
        if ratio.is_some_and(|ratio| Some(ratio) < Share::new(2, 3)) {
            passing[1].insert(own.clone());
        }
        all.insert(own);
    }
    let cell = |passing: &BTreeSet<_>| format!("{}, {} pass", all.len(), passing.len());
    Ok(both(
        "Example 3: generalizations by g1",
        "9, 8 pass",
        (cell(&passing[0]), cell(&passing[1])),
        "9, 8 pass",
        Verdict::Agrees,
    ))
}

/// The tables of PER(G3) by the condition that each meets, from 1.
fn conditions(case: &Case, table: &[u32]) -> Result<[Vec<Vec<u32>>; 3], Error> {
    let mut sorted = [Vec::new(), Vec::new(), Vec::new()];
    for instance in per(&case.steps[2], table) {
        let met = condition(case, &instance)?;
        sorted[met - 1].push(instance);
    }
    Ok(sorted)
}

fn condition(case: &Case, table: &[u32]) -> Result<usize, Error> {
    for step in [1, 2] {
        let set = case.set(step, table, Strategy::Inclusive)?;
        if case.safe(&set)? {
            return Ok(step);
        }
    }
    Ok(3)
}

fn examples_4_and_5(case: &Case) -> Result<Part, Error> {
    let mut lines = Vec::new();
    for (name, right, verdict) in [
        ("Ga", "1", Verdict::Erratum(15)),
        ("G0", "3", Verdict::Agrees),
        ("Gb", "3", Verdict::Agrees),
    ] {
        let met = condition(case, case.table(name)?)?.to_string();
        let paper = match verdict {
            Verdict::Erratum(_) => "1, by PER(g1(G_1))",
            _ => right,
        };
        let right = met == right;
        let name = format!("Example 4: condition of {name}");
        lines.push(Line::new(name, paper, vec![met], verdict, right));
    }
    let sorted = conditions(case, case.table("G0")?)?;
    for (at, paper, right) in [(0, "312", 312), (1, "0", 20), (2, "120", 100)] {
        let count = sorted[at].len();
        let verdict = if paper == right.to_string() {
            Verdict::Checked
        } else {
            Verdict::Erratum(14)
        };
        let name = format!(
            "Example 5: tables of PER(G3) that meet condition {}",
            at + 1
        );
        let paper = if at == 0 { "" } else { paper };
        let cells = vec![count.to_string()];
        lines.push(Line::new(name, paper, cells, verdict, count == right));
    }
    let witness = case.table("witness")?;
    let inside = sorted[1].iter().any(|table| table == witness);
    let set = case.set(2, witness, Strategy::Inclusive)?;
    let safe = case.safe(&set)?;
    let words: Vec<&str> = witness
        .iter()
        .map(|value| case.words[*value as usize])
        .collect();
    lines.push(Line::new(
        format!("A to J: {}", words.join(" ")),
        "no such table",
        vec![format!("DS_2: {}", told(&set))],
        Verdict::Erratum(14),
        inside && safe && told(&set) == "32, ratio 1/2",
    ));
    Ok(Part::new(
        "Examples 4 and 5: which condition a table of PER(G3) meets under the inclusive strategy",
        &["ours"],
        lines,
    ))
}

/// The three sets of Example 7 and how many of each have E = c4: both of E and F have c4; C = D = c2; G = H = c6.
fn three_sets(case: &Case, tables: &[Vec<u32>]) -> Result<String, Error> {
    let [c2, c4, c6] = [case.value("c2")?, case.value("c4")?, case.value("c6")?];
    let mut counts = [(0, 0); 3];
    for table in tables {
        let of = if table[4] == c4 && table[5] == c4 {
            0
        } else if table[2] == c2 && table[3] == c2 {
            1
        } else if table[6] == c6 && table[7] == c6 {
            2
        } else {
            return Err(internal("a table in none of the three sets"));
        };
        counts[of].0 += 1;
        counts[of].1 += u32::from(table[4] == c4);
    }
    let [one, two, three] = counts;
    let ratio = ratio(tables, 4, c4).map_or_else(String::new, |ratio| ratio.to_string());
    Ok(format!(
        "({} + {} + {}) / ({} + {} + {}) = {ratio}",
        one.1, two.1, three.1, one.0, two.0, three.0
    ))
}

fn examples_7_and_8(case: &Case) -> Result<Part, Error> {
    let table = case.table("G0")?;
    let values = case.words.len();
    let [_, second, third] = conditions(case, table)?;
    let failed: Vec<Vec<u32>> = second.iter().chain(&third).cloned().collect();
    let left = exclusive(case, 3, table)?;
    let [inclusive_set, exclusive_set] =
        [Strategy::Inclusive, Strategy::Exclusive].map(|strategy| case.set(3, table, strategy));
    let (inclusive_set, exclusive_set) = (inclusive_set?, exclusive_set?);
    let mut lines = Vec::new();
    let mut add =
        |name: &str, paper: &str, (set, listed): (String, String), right: [&str; 2], verdict| {
            let is_right = set == right[0] && listed == right[1];
            lines.push(Line::new(name, paper, vec![set, listed], verdict, is_right));
        };
    add(
        "Example 7: tables for which g1 fails, E = c4",
        "(72 + 12 + 12) / (72 + 24 + 24) = 0.8",
        (sized(&failed, values), three_sets(case, &failed)?),
        ["120, ratio 4/5", "(72 + 12 + 12) / (72 + 24 + 24) = 4/5"],
        Verdict::Agrees,
    );
    add(
        "Example 7: inclusive DS_3, E = c4",
        "(72 + 12 + 12) / (72 + 24 + 24) = 0.8",
        (told(&inclusive_set), three_sets(case, &third)?),
        [
            "100, ratio 19/25",
            "(52 + 12 + 12) / (52 + 24 + 24) = 19/25",
        ],
        Verdict::Erratum(14),
    );
    add(
        "Example 8: exclusive DS_3, E = c4",
        "(20 + 12 + 12) / (20 + 24 + 24) = 0.647",
        (told(&exclusive_set), three_sets(case, &left)?),
        ["68, ratio 11/17", "(20 + 12 + 12) / (20 + 24 + 24) = 11/17"],
        Verdict::Agrees,
    );
    add(
        "Example 8: who attains the maximum",
        "E and c4",
        (case.attained(&exclusive_set), sized(&left, values)),
        ["C:c2 D:c2 E:c4 F:c4 G:c6 H:c6", "68, ratio 11/17"],
        Verdict::Agrees,
    );
    let [c2, c4, c6] = [case.value("c2")?, case.value("c4")?, case.value("c6")?];
    let of_first = failed
        .iter()
        .filter(|table| [table[3], table[4], table[5], table[6]] == [c2, c4, c4, c6]);
    let of_first: Vec<&Vec<u32>> = of_first.collect();
    let with = |which: &dyn Fn(bool, bool) -> bool| {
        let kept = of_first
            .iter()
            .filter(|table| which(table[2] == c2, table[7] == c6));
        kept.count()
    };
    add(
        "Example 8: first set with D = c2, G = c6",
        "36; C = c2 and H = c6: 20",
        (
            of_first.len().to_string(),
            format!(
                "or: {}; and: {}",
                with(&|c, h| c || h),
                with(&|c, h| c && h)
            ),
        ),
        ["36", "or: 20; and: 4"],
        Verdict::Erratum(15),
    );
    Ok(Part::new(
        "Examples 7 and 8: what remains possible at G3",
        &["tables, best ratio", "one by one"],
        lines,
    ))
}

/// |PER| of one class of distinct values: a factorial, by the library's count.
fn complexity() -> Result<Part, Error> {
    let sizes = [5, 10, 20];
    let mut cells = Vec::new();
    let mut right = true;
    for rows in sizes {
        let counted = Case::tables_of_one_class(rows)?;
        let factorial: u128 = (1..=u128::from(rows)).product();
        right &= counted == factorial.to_string();
        cells.push(format!("{rows}: {counted}"));
    }
    Ok(Part::new(
        "Section 3: the cost of the exclusive strategy",
        &["tables of PER(G) by the rows of its one class, all values distinct"],
        vec![Line::new(
            "O(n^2 |PER|)",
            "polynomial in the size of the table",
            vec![cells.join("; ")],
            Verdict::Erratum(16),
            right,
        )],
    ))
}
