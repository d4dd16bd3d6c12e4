//! Breach probabilities against a literal enumeration of who may own which row and have which value, and what a cell may show.
#![allow(
    clippy::unwrap_used,
    reason = "the lint knows tests, but not the functions beside them"
)]

use std::sync::Arc;

use scrim::hierarchy::{Hierarchy, TaxonId, from_outline};
use scrim::release::audit::{Audit, Known, Source, Wishes, audit_with, certify_source};
use scrim::release::{Policy, Rows};
use scrim::table::{Column, ColumnBuilder, Table};
use testkit::{Fraction, SplitMix64};

type Trees = Vec<(String, Arc<Hierarchy>)>;

/// A tree with a lone child, a bush and a leaf right below the top.
const TREE: &str = "top\n  a\n    a1\n    a2\n  b\n    lone\n      b1\n    b2\n    b3\n  c\n";
const LEAVES: [&str; 6] = ["a1", "a2", "b1", "b2", "b3", "c"];

fn tree() -> Hierarchy {
    from_outline("s", "s.txt", TREE, false).unwrap()
}

fn way(tree: &Hierarchy, leaf: &str) -> Vec<TaxonId> {
    let mut way = vec![tree.leaf(leaf).unwrap()];
    while let Some(up) = tree.parent(*way.last().unwrap()) {
        way.push(up);
    }
    way
}

fn leaves_of(tree: &Hierarchy, taxon: TaxonId) -> Vec<TaxonId> {
    let all = LEAVES.iter().map(|leaf| tree.leaf(leaf).unwrap());
    all.filter(|leaf| tree.covers(taxon, *leaf)).collect()
}

/// Counts every reconstruction: an owner for every row, nobody twice in the primary case, and a leaf for every row. In how
/// many does the person number 0 own a row whose leaf lies below the guard?
fn enumerate(
    tree: &Hierarchy,
    shown: &[TaxonId],
    guard: TaxonId,
    persons: usize,
    primary: bool,
) -> Fraction {
    fn go(
        rows: &[(Vec<TaxonId>, TaxonId)],
        owners: &mut Vec<usize>,
        persons: usize,
        primary: bool,
        breached: bool,
        tree: &Hierarchy,
    ) -> (usize, usize) {
        let Some(((leaves, guard), rest)) = rows.split_first() else {
            return (usize::from(breached), 1);
        };
        let (mut bad, mut all) = (0, 0);
        for owner in 0..persons {
            if primary && owners.contains(&owner) {
                continue;
            }
            owners.push(owner);
            for leaf in leaves {
                let hit = owner == 0 && tree.covers(*guard, *leaf);
                let (more_bad, more) = go(rest, owners, persons, primary, breached || hit, tree);
                bad += more_bad;
                all += more;
            }
            owners.pop();
        }
        (bad, all)
    }
    let rows: Vec<(Vec<TaxonId>, TaxonId)> = shown
        .iter()
        .map(|taxon| (leaves_of(tree, *taxon), guard))
        .collect();
    let (bad, all) = go(&rows, &mut Vec::new(), persons, primary, false, tree);
    Fraction::whole(bad) / Fraction::whole(all)
}

/// A random release of a few classes with its source.
struct Case {
    class: Vec<usize>,
    person: Vec<usize>,
    value: Vec<&'static str>,
    shown: Vec<TaxonId>,
    guard: Vec<Option<TaxonId>>,
}

impl Case {
    fn random(random: &mut SplitMix64, tree: &Hierarchy, primary: bool) -> Self {
        let mut case = Self {
            class: Vec::new(),
            person: Vec::new(),
            value: Vec::new(),
            shown: Vec::new(),
            guard: Vec::new(),
        };
        for class in 0..random.between(1, 3) {
            let size = random.between(1, 4);
            for row in 0..size {
                let value = LEAVES[random.below(LEAVES.len())];
                let way = way(tree, value);
                case.class.push(class);
                let owner = if primary { row } else { random.below(size) };
                case.person.push(class * 10 + owner);
                case.value.push(value);
                // Mostly low, so that not every class overlaps.
                let up = random.below(way.len()) * random.below(2);
                case.shown.push(way[up]);
                let wish = random.below(way.len() + 1);
                case.guard.push(way.get(wish).copied());
            }
        }
        case
    }

    fn rows_of(&self, class: usize) -> Vec<usize> {
        (0..self.class.len())
            .filter(|row| self.class[*row] == class)
            .collect()
    }

    /// The largest probability, and whether a class shows a taxon above another, by enumeration.
    fn expected(&self, tree: &Hierarchy, primary: bool) -> (Fraction, bool) {
        let (mut largest, mut overlap) = (Fraction::whole(0), false);
        for class in 0..=*self.class.iter().max().unwrap() {
            let rows = self.rows_of(class);
            let shown: Vec<TaxonId> = rows.iter().map(|row| self.shown[*row]).collect();
            let mut persons: Vec<usize> = rows.iter().map(|row| self.person[*row]).collect();
            persons.sort_unstable();
            persons.dedup();
            let count = if primary { rows.len() } else { persons.len() };
            for guard in rows.iter().filter_map(|row| self.guard[*row]) {
                let found = enumerate(tree, &shown, guard, count, primary);
                largest = if found > largest { found } else { largest };
            }
            let strictly =
                |above: &TaxonId, below: &TaxonId| above != below && tree.covers(*above, *below);
            overlap |= shown
                .iter()
                .any(|above| shown.iter().any(|below| strictly(above, below)));
        }
        (largest, overlap)
    }

    fn audit(&self, tree: &Arc<Hierarchy>, primary: bool, breach: &str) -> Audit {
        let case = if primary { "primary" } else { "non-primary" };
        let policy = policy("", &format!("breach = \"{breach}\"\ncase = \"{case}\""));
        let classes: Vec<String> = self.class.iter().map(ToString::to_string).collect();
        let persons: Vec<String> = self.person.iter().map(ToString::to_string).collect();
        let label = |taxon: &TaxonId| tree.label(*taxon).to_owned();
        let wishes: Vec<String> = self
            .guard
            .iter()
            .map(|guard| guard.as_ref().map_or(String::new(), label))
            .collect();
        let shown: Vec<String> = self.shown.iter().map(label).collect();
        let texts = |name: &str, texts: &[String]| {
            Column::from_texts(name, texts.iter().map(String::as_str))
        };
        let raw = Table::new(vec![
            texts("q", &classes),
            Column::from_texts("s", self.value.iter().copied()),
            texts("w", &wishes),
            texts("p", &persons),
        ])
        .unwrap();
        let published = Table::new(vec![texts("q", &classes), texts("s", &shown)]).unwrap();
        let rows: Vec<u32> = (0..self.class.len() as u32).collect();
        let trees: Trees = vec![("s".to_owned(), tree.clone())];
        let source = Source {
            table: &raw,
            rows: &rows,
            hierarchies: &trees,
        };
        let place = Rows {
            file: "raw.csv",
            line: &|row| row as u64 + 2,
        };
        let codes: Vec<u32> = rows
            .iter()
            .map(|row| raw.column("p").unwrap().codes().get(*row as usize))
            .collect();
        let known = Known {
            persons: Some(&codes),
            trees: &[],
            wishes: &Wishes::read(&policy, &source, &place).unwrap(),
            ..Known::default()
        };
        audit_with(&policy, &published, "release.csv", &known).unwrap()
    }
}

fn policy(q: &str, personal: &str) -> Policy {
    let text = format!(
        "[data]\npath = \"raw.csv\"\n[columns]\nq = {{ role = \"quasi\"{q} }}\n\
         s = {{ role = \"sensitive\", hierarchy = \"s.txt\" }}\nw = {{ role = \"guard\", of = \"s\" }}\n\
         p = {{ role = \"person\" }}\n[[privacy]]\nmodel = \"personal\"\n{personal}\n"
    );
    Policy::parse("p.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn told(fraction: Fraction) -> String {
    match fraction.denominator() {
        1 => fraction.numerator().to_string(),
        below => format!("{}/{below}", fraction.numerator()),
    }
}

#[test]
fn the_certifier_finds_what_enumeration_finds() {
    let tree = Arc::new(tree());
    let mut random = SplitMix64::new(2006);
    let (mut kept, mut overlapping) = (0, 0);
    for round in 0..400 {
        let primary = round % 2 == 0;
        let case = Case::random(&mut random, &tree, primary);
        let (largest, overlap) = case.expected(&tree, primary);
        let (above, below) = (largest.numerator(), largest.denominator());
        let at_limit = case.audit(&tree, primary, &format!("{above}/{below}"));
        assert_eq!(
            at_limit.models[0].details["observed_exact"],
            told(largest),
            "round {round}"
        );
        assert_eq!(at_limit.holds, !overlap, "round {round}");
        let breach = at_limit.breach.unwrap();
        assert_eq!(
            breach.curve.iter().map(|(_, rows)| rows).sum::<u64>(),
            case.class.len() as u64
        );
        assert!(breach.curve.is_sorted_by(|left, right| left.0 > right.0));
        kept += usize::from(!overlap);
        overlapping += usize::from(overlap);
        if above > 0 {
            // A limit below by less than any float of this size can tell.
            let scale = 1_000_000_000_000_000_000;
            let under = format!("{}/{}", above * scale - 1, below * scale);
            assert!(!case.audit(&tree, primary, &under).holds, "round {round}");
        }
    }
    assert!(kept > 50 && overlapping > 50, "{kept} {overlapping}");
}

#[test]
fn a_label_that_stands_twice_on_a_way_is_the_higher_wish() {
    let text = "flu;flu;lung;any\nswine flu;flu;lung;any\nasthma;airways;lung;any\n";
    let tree = scrim::hierarchy::from_level_csv("s", "s.csv", text, false).unwrap();
    let tree = Arc::new(tree);
    let raw = Table::new(vec![
        Column::from_texts("q", ["x", "x"]),
        Column::from_texts("s", ["flu", "swine flu"]),
        Column::from_texts("w", ["flu", ""]),
        Column::from_texts("p", ["1", "2"]),
    ])
    .unwrap();
    let trees: Trees = vec![("s".to_owned(), tree.clone())];
    let source = Source {
        table: &raw,
        rows: &[0, 1],
        hierarchies: &trees,
    };
    let place = Rows {
        file: "raw.csv",
        line: &|row| row as u64 + 2,
    };
    let policy = policy("", "breach = \"1/2\"");
    let wishes = Wishes::read(&policy, &source, &place).unwrap();
    let guard = wishes[0].guards[0].unwrap();
    assert_eq!((tree.label(guard), tree.leaves_below(guard)), ("flu", 2));
    assert_eq!(wishes[0].guards[1], None);
    // Both rows lie below it: who wished for the leaf only would have been content with a half.
    let published = Table::new(vec![
        Column::from_texts("q", ["x", "x"]),
        Column::from_texts("s", ["flu", "swine flu"]),
    ])
    .unwrap();
    let known = Known {
        wishes: &wishes,
        ..Known::default()
    };
    let answer = audit_with(&policy, &published, "release.csv", &known).unwrap();
    assert!(!answer.holds);
    assert_eq!(answer.models[0].details["observed_exact"], "1");
}

/// Whether a release of these cells is true to the source.
fn is_true(policy: &Policy, raw: [&str; 2], shown: [&str; 2], trees: &Trees) -> bool {
    let column = |name: &str, text: &str| {
        let mut builder = ColumnBuilder::new(name, &[String::new()]);
        builder.push(text);
        builder.finish()
    };
    let table = |cells: [&str; 2], more: &[&str]| {
        let mut columns = vec![column("q", cells[0]), column("s", cells[1])];
        columns.extend(more.iter().map(|name| column(name, "x")));
        Table::new(columns).unwrap()
    };
    let raw = table(raw, &["w", "p"]);
    let source = Source {
        table: &raw,
        rows: &[0],
        hierarchies: trees,
    };
    certify_source(policy, &table(shown, &[]), &source)
        .unwrap()
        .is_ok()
}

#[test]
fn a_cell_may_show_what_covers_its_value_and_nothing_else() {
    let flat = scrim::hierarchy::from_level_csv("q", "q.csv", "5;*\n-4;*\n1.5;*\n;*\n", true);
    let flat = Arc::new(flat.unwrap().with_missing(""));
    let trees: Trees = vec![("q".to_owned(), flat), ("s".to_owned(), Arc::new(tree()))];
    let numeric = policy(", numeric = {}", "breach = \"1/2\"");
    let plain = policy("", "breach = \"1/2\"");
    for (raw, shown, within) in [
        ("5", "5-6", true),
        ("5", "4-5", true),
        ("5", "6-7", false),
        ("5", "[5, 6)", true),
        ("5", "[4, 5)", false),
        ("5", "[4, 5]", true),
        ("-4", "-5--3", true),
        ("-4", "3-5", false),
        ("1.5", "[1.5, 2)", true),
        ("", "1-9", false),
        ("5", "", false),
    ] {
        assert_eq!(
            is_true(&numeric, [raw, "a1"], [shown, "a1"], &trees),
            within,
            "{raw} {shown}"
        );
        assert!(
            !is_true(&plain, [raw, "a1"], [shown, "a1"], &trees),
            "{raw} {shown}"
        );
    }
    for policy in [&numeric, &plain] {
        assert!(is_true(policy, ["5", "a1"], ["*", "*"], &trees));
        assert!(is_true(policy, ["", "a1"], ["", "a1"], &trees));
    }
    let forbidden =
        "breach = \"1/2\"\n[search]\nalgorithm = \"personalized\"\nweights = { s = \"forbid\" }";
    let forbidden = policy("", forbidden);
    for (shown, above) in [
        ("a1", true),
        ("a", true),
        ("top", true),
        ("a2", false),
        ("b", false),
    ] {
        assert_eq!(
            is_true(&plain, ["5", "a1"], ["5", shown], &trees),
            above,
            "{shown}"
        );
        assert_eq!(
            is_true(&forbidden, ["5", "a1"], ["5", shown], &trees),
            shown == "a1",
            "{shown}"
        );
    }
}
