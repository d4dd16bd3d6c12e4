//! A release that is checked part by part is judged as one that is checked as a whole.
#![allow(
    clippy::unwrap_used,
    reason = "the lint knows tests, but not the functions beside them"
)]

use std::sync::Arc;

use scrim::Error;
use scrim::hierarchy::from_level_csv;
use scrim::release::Policy;
use scrim::release::audit::{Audit, AuditInParts, Known, audit_with};
use scrim::table::{Codes, Column, Table};
use testkit::SplitMix64;

const PROMISES: [&str; 13] = [
    "model = \"k-anonymity\"\nk = 3",
    "model = \"p-sensitive\"\nof = \"s\"\np = 2",
    "model = \"p-alpha\"\nof = \"s\"\np = 2\nalpha = 1",
    "model = \"p-plus-alpha\"\nof = \"s\"\np = 2\nalpha = 0.5",
    "model = \"l-diversity\"\nof = \"s\"\nl = 2",
    "model = \"l-diversity\"\nof = \"s\"\nkind = \"entropy\"\nl = 1.7",
    "model = \"l-diversity\"\nof = \"s\"\nkind = \"recursive\"\nl = 2\nc = 2",
    "model = \"l-diversity\"\nof = \"z\"\nkind = \"frequency\"\nl = 1.5",
    "model = \"t-closeness\"\nof = \"s\"\nt = 0.4\ndistance = \"hierarchical\"",
    "model = \"t-closeness\"\nof = \"z\"\nt = 0.3\ndistance = \"ordered\"",
    "model = \"alpha-k\"\nof = \"s\"\nalpha = 0.7",
    "model = \"beta-likeness\"\nof = \"s\"\nbeta = 1.2",
    "model = \"delta-disclosure\"\nof = \"s\"\ndelta = 1.5",
];

fn policy(promises: &[&str]) -> Policy {
    let privacy = promises.iter();
    let privacy: String = privacy
        .map(|lines| format!("[[privacy]]\n{lines}\n"))
        .collect();
    let columns = "a = { role = \"quasi\" }\nb = { role = \"quasi\" }\n\
                   s = { role = \"sensitive\", categories = [[\"x\"], [\"y\", \"z\"], [\"v\"]], hierarchy = \"s.csv\" }\n\
                   z = { role = \"sensitive\" }\n";
    let text = format!("[data]\npath = \"t.csv\"\n[columns]\n{columns}{privacy}");
    Policy::parse("p.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Different rows of a release, some of them suppressed, some withheld, stars in two spellings.
fn release(random: &mut SplitMix64) -> Table {
    let rows = 1 + random.below(60);
    let values = 1 + random.below(5);
    let mut texts: [Vec<String>; 4] = Default::default();
    for _ in 0..rows {
        let suppressed = random.below(8) == 0;
        let withheld = suppressed && random.below(2) == 0;
        let star = |random: &mut SplitMix64| ["*", "**"][random.below(2)].to_owned();
        for quasi in &mut texts[..2] {
            let shown = format!("q{}", random.below(values));
            quasi.push(if suppressed { star(random) } else { shown });
        }
        // One that no category and no hierarchy has is refused.
        let stray = random.below(200) == 0;
        let value = ["x", "y", "z", "v", "w"][if stray { 4 } else { random.below(4) }].to_owned();
        texts[2].push(if withheld { star(random) } else { value });
        let number = random.below(6).to_string();
        texts[3].push(if withheld { star(random) } else { number });
    }
    let columns = ["a", "b", "s", "z"].iter().zip(&texts);
    let columns =
        columns.map(|(name, texts)| Column::from_texts(name, texts.iter().map(String::as_str)));
    let times: Vec<u32> = (0..rows).map(|_| 1 + random.below(4) as u32).collect();
    let mut first = 0;
    let first = times.iter().map(|times| {
        first += u64::from(*times);
        first - u64::from(*times)
    });
    let first = first.collect();
    Table::counted(columns.collect(), times, first).unwrap()
}

/// The rows of a part, which stand for all.
fn only(whole: &Table, rows: &[usize]) -> Table {
    let column = |column: &Column| {
        let codes = rows.iter().map(|row| column.codes().get(*row));
        let codes = Codes::collect(column.dictionary().len(), codes);
        column.with_codes(codes).unwrap()
    };
    let columns = whole.columns().iter().map(column).collect();
    let times = rows.iter().map(|row| whole.times(*row) as u32).collect();
    let first = rows.iter().map(|row| whole.first(*row)).collect();
    let margins: Vec<Vec<u64>> = whole.columns().iter().map(Column::counts).collect();
    let part = Table::counted(columns, times, first).unwrap();
    part.with_margins(&margins).unwrap()
}

/// Parts by what the quasi-identifiers show, all stars alike.
fn parts(whole: &Table, count: usize, seed: u64) -> Vec<Table> {
    let part_of = |row: usize| {
        let shown = whole.columns()[..2].iter().map(|column| {
            let text = column.text(row);
            if text.starts_with('*') { "*" } else { text }
        });
        let shown: String = shown.collect();
        let bytes = shown.bytes().map(u64::from);
        SplitMix64::new(bytes.fold(seed, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte)))
            .below(count)
    };
    let rows = |part: usize| {
        let own = (0..whole.rows()).filter(|row| part_of(*row) == part);
        only(whole, &own.collect::<Vec<usize>>())
    };
    (0..count).map(rows).collect()
}

fn in_parts(policy: &Policy, parts: &[Table], known: &Known<'_>) -> Result<Audit, Error> {
    let mut audit = AuditInParts::new(policy, "release.csv", known)?;
    for part in parts {
        audit.add(part)?;
    }
    audit.finish(|visit| parts.iter().try_for_each(visit))
}

#[test]
fn parts_are_judged_as_the_whole() {
    let tree = "x;hard;any\ny;hard;any\nz;soft;any\nv;soft;any\n*;stars;any\n**;stars;any\n";
    let tree = from_level_csv("s", "s.csv", tree, false).unwrap();
    let trees = vec![("s".to_owned(), Arc::new(tree))];
    let known = Known {
        trees: &trees,
        ..Known::default()
    };
    let (mut held, mut broken, mut refused, mut witnesses) = (0, 0, 0, 0);
    for seed in 0..1500 {
        let random = &mut SplitMix64::new(seed);
        let whole = release(random);
        let from = random.below(PROMISES.len());
        let count = 1 + random.below(3);
        let promises = PROMISES.iter().cycle().skip(from).take(count);
        let policy = policy(&promises.copied().collect::<Vec<_>>());
        let expected = audit_with(&policy, &whole, "release.csv", &known);
        let pieces = parts(&whole, 1 + random.below(6), seed);
        let found = in_parts(&policy, &pieces, &known);
        match (expected, found) {
            (Ok(expected), Ok(found)) => {
                held += usize::from(expected.holds);
                broken += usize::from(!expected.holds);
                let models = expected.models.iter();
                let told = models.filter_map(|model| model.witness.as_ref());
                witnesses += told.filter(|witness| witness.class > 2).count();
                assert_eq!(found, expected, "{seed}");
            }
            (Err(expected), Err(_)) => {
                refused += 1;
                assert!(matches!(expected, Error::Data { .. }), "{expected}");
            }
            (expected, found) => panic!("{seed}: {expected:?}, but in parts {found:?}"),
        }
    }
    assert!(
        held > 100 && broken > 100 && refused > 10 && witnesses > 50,
        "{held} {broken} {refused} {witnesses}"
    );
}
