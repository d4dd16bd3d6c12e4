//! Histories and budgets against a model in memory that knows no ledger.

use scrim::{Random, Share};

use super::*;

/// Releases as made, and the answers by the definitions.
struct Model {
    releases: Vec<Vec<(String, u32, &'static str)>>,
}

const VALUES: [&str; 4] = ["hiv", "flu", "cold", "none"];

impl Model {
    fn random(seed: u64, persons: usize, releases: usize) -> Self {
        let mut random = Random::new(seed);
        let mut draw = |below: usize| random.below(below as u64) as usize;
        let mut made = Vec::new();
        for _ in 0..releases {
            let mut rows: Vec<(String, u32, &'static str)> = Vec::new();
            for person in 0..persons {
                if draw(3) > 0 {
                    let class = (rows.len() / 3) as u32;
                    rows.push((format!("person {person}"), class, VALUES[draw(4)]));
                }
            }
            made.push(rows);
        }
        Self { releases: made }
    }

    fn record(&self, desk: &Desk) {
        for rows in &self.releases {
            let rows: Vec<Row<'_>> = rows.iter().map(|(p, c, v)| (p.as_str(), *c, *v)).collect();
            desk.publish(&rows);
        }
    }

    /// Release, rows and histogram of each class that a person was in.
    fn past(&self, person: &str) -> Vec<(u32, u64, BTreeMap<String, u64>)> {
        let mut past = Vec::new();
        for (release, rows) in (1..).zip(&self.releases) {
            let Some((_, class, _)) = rows.iter().find(|(name, ..)| name == person) else {
                continue;
            };
            let mut counts = BTreeMap::new();
            let mates = rows.iter().filter(|(_, other, _)| other == class);
            mates.for_each(|(_, _, v)| *counts.entry((*v).to_owned()).or_insert(0) += 1);
            past.push((release, counts.values().sum(), counts));
        }
        past
    }

    /// p, in floats: the model of the exact one.
    fn belief(&self, person: &str, value: &str) -> f64 {
        let doubt = |(_, rows, counts): &(u32, u64, BTreeMap<String, u64>)| {
            1.0 - counts.get(value).copied().unwrap_or(0) as f64 / *rows as f64
        };
        1.0 - self.past(person).iter().map(doubt).product::<f64>()
    }
}

fn terms() -> Terms {
    Terms {
        column: "disease".to_owned(),
        l: Share::whole(2),
        values: vec!["hiv".to_owned(), "flu".to_owned()],
    }
}

#[test]
fn the_history_is_what_was_recorded_whether_persons_are_many_or_few() {
    let desk = Desk::new();
    let model = Model::random(7, 120, 4);
    model.record(&desk);
    let ledger = desk.read();
    let everybody: Vec<String> = (0..130)
        .rev()
        .map(|person| format!("person {person}"))
        .collect();
    // All of them are merged with the tables; three of them are looked up one by one.
    for asked in [
        &everybody[..],
        &everybody[..0],
        &everybody[70..73],
        &everybody[..3],
    ] {
        let texts: Vec<&str> = asked.iter().map(String::as_str).collect();
        let history = ledger.history(&texts, "disease", &|_| true).unwrap();
        assert_eq!(
            (history.releases, history.of_person.len()),
            (4, asked.len())
        );
        for (code, person) in texts.iter().enumerate() {
            let told: Vec<_> = history.of_person[code]
                .iter()
                .map(|class| &history.classes[*class as usize])
                .map(|class| (class.release, class.rows, class.counts.clone()))
                .collect();
            assert_eq!(told, model.past(person));
            assert_eq!(history.ledger_row[code].is_some(), !told.is_empty());
        }
        let mut used: Vec<u32> = history.of_person.concat();
        used.sort_unstable();
        used.dedup();
        assert_eq!(
            used.len(),
            history.classes.len(),
            "no class that nobody was in"
        );
    }
}

#[test]
fn a_history_keeps_the_counts_that_are_asked_for() {
    let desk = Desk::new();
    desk.publish(&FIRST);
    let ledger = desk.read();
    let only = ledger
        .history(&["Ada Quill"], "disease", &|value| value == "hiv")
        .unwrap();
    let counts: Vec<_> = only.classes[0].counts.iter().collect();
    assert_eq!(counts, [(&"hiv".to_owned(), &1)]);
    let other = ledger.history(&["Ada Quill"], "job", &|_| true).unwrap();
    assert!(other.classes[0].counts.is_empty() && other.classes[0].rows == 2);
}

#[test]
fn what_is_left_follows_from_all_releases() {
    let desk = Desk::new();
    let model = Model::random(11, 60, 5);
    model.record(&desk);
    let ledger = desk.read();
    let names: Vec<String> = (0..60).map(|person| format!("person {person}")).collect();
    let texts: Vec<&str> = names.iter().map(String::as_str).collect();
    let by_name = ledger
        .persons(&terms(), Which::Identifiers(&texts))
        .unwrap();
    let all = ledger.persons(&terms(), Which::All).unwrap();
    assert_eq!(all.shown.len() as u64, all.persons);
    let mut exhausted = 0;
    for (person, told) in texts.iter().zip(&by_name.shown) {
        for left in &told.left {
            let belief = model.belief(person, &left.value);
            assert!((left.p - belief).abs() < 1e-12, "{person} {left:?}");
            let expected = 1.0 - 0.5 / (1.0 - belief);
            assert!(left.left.is_none_or(|left| (left - expected).abs() < 1e-9));
        }
        let least = told.left.iter().all(|left| left.p < 0.5 - 1e-12);
        exhausted += u64::from(!least);
        let Some(row) = told.person else { continue };
        let by_row = &all.shown[row as usize - 1];
        assert_eq!((by_row.person, by_row.releases), (Some(row), told.releases));
        let exact = |told: &PersonReport| -> Vec<String> {
            told.left
                .iter()
                .map(|left| left.p_exact.to_string())
                .collect()
        };
        assert_eq!(exact(by_row), exact(told));
    }
    assert_eq!(all.exhausted, Some(exhausted));
    let worst = |told: &PersonReport| told.left.iter().map(|left| left.p_exact.clone()).max();
    let mut expected: Vec<_> = all
        .shown
        .iter()
        .map(|told| (worst(told), told.person))
        .collect();
    expected.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    let nearest = ledger.persons(&terms(), Which::Nearest(7)).unwrap();
    let told: Vec<_> = nearest
        .shown
        .iter()
        .map(|told| (worst(told), told.person))
        .collect();
    assert_eq!(told, expected[..7]);
    let rows = ledger.persons(&terms(), Which::Rows(&[3, 1])).unwrap();
    assert_eq!(
        rows.shown
            .iter()
            .map(|told| told.person)
            .collect::<Vec<_>>(),
        [Some(3), Some(1)]
    );
    for row in [0, 61, u64::MAX] {
        assert!(ledger.persons(&terms(), Which::Rows(&[row])).is_err());
    }
}

#[test]
fn a_check_counts_fresh_spent_exhausted_and_retired() {
    let desk = Desk::new();
    desk.publish(&FIRST);
    desk.publish(&SECOND);
    let ledger = desk.read();
    // hiv: Ada and Bob 1/2 then 1/4, Dan and Eve 1/4 once, Cyd and Zoe nothing.
    let table = [
        "Ada Quill",
        "Bob Stone",
        "Cyd Marsh",
        "Dan Field",
        "Eve Brook",
        "Zoe New",
    ];
    let check = ledger
        .check(&table, &terms(), Retirement::default())
        .unwrap();
    assert_eq!(
        (check.holds, check.persons, check.fresh, check.retired),
        (false, 6, 1, 0)
    );
    let hiv = &check.values[0];
    assert_eq!((hiv.fresh, hiv.spent, hiv.exhausted), (2, 2, 2));
    assert_eq!(hiv.least_left_exact.as_ref().unwrap().to_string(), "1/3");
    // flu: 1/2 for the first four.
    let flu = &check.values[1];
    assert_eq!((flu.fresh, flu.spent, flu.exhausted), (2, 0, 4));
    assert_eq!(check.exhausted, 4);
    let rule = Retirement {
        after: Some(2),
        below: None,
    };
    let check = ledger.check(&table, &terms(), rule).unwrap();
    assert_eq!((check.retired, check.exhausted, check.holds), (3, 1, false));
    let rule = Retirement {
        after: None,
        below: Share::new(1, 100),
    };
    let check = ledger.check(&table, &terms(), rule).unwrap();
    assert_eq!((check.retired, check.exhausted, check.holds), (4, 0, true));
    let rule = Retirement {
        after: None,
        below: Share::new(2, 5),
    };
    assert_eq!(ledger.check(&table, &terms(), rule).unwrap().retired, 5);
}

#[test]
fn the_last_promise_is_told_by_column() {
    let desk = Desk::new();
    drop(desk.open().unwrap());
    assert_eq!(desk.read().last_promise(None).unwrap(), None);
    desk.publish(&FIRST);
    let ledger = desk.read();
    let promise = ledger.last_promise(None).unwrap().unwrap();
    assert_eq!(
        ledger.last_promise(Some("disease")).unwrap(),
        Some(promise.clone())
    );
    assert_eq!((promise.l.as_str(), promise.values.len()), ("2", 2));
    assert_eq!(ledger.last_promise(Some("job")).unwrap(), None);
    assert_eq!(ledger.values_of("disease").unwrap(), ["cold", "flu", "hiv"]);
}

#[test]
fn the_whole_ledger_is_everybodys_history() {
    let desk = Desk::new();
    let model = Model::random(11, 60, 4);
    model.record(&desk);
    let ledger = desk.read();
    let names: Vec<String> = (0..60).map(|person| format!("person {person}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let of_all = ledger.history(&names, "disease", &|_| true).unwrap();
    let whole = ledger.whole("disease", &|_| true).unwrap();
    assert!(whole.of_person[0].is_empty() && whole.row_of(0).is_none());
    assert_eq!(whole.releases, 4);
    let mut met = 0;
    for code in 0..60 {
        let Some(row) = of_all.row_of(code) else {
            continue;
        };
        met += 1;
        assert_eq!(whole.row_of(row as u32), Some(row));
        let (left, right) = (of_all.of(code), whole.of(row as u32));
        assert!(left.eq(right), "row {row}");
        let few = ledger.history_of_rows(&[row], "disease", &|value| value == "hiv");
        let few = few.unwrap();
        assert_eq!(few.row_of(0), Some(row));
        let hiv = |class: &scrim::release::PastClass| class.counts.get("hiv").copied();
        assert!(few.of(0).map(hiv).eq(of_all.of(code).map(hiv)), "row {row}");
        assert!(few.classes.iter().all(|class| class.counts.len() <= 1));
    }
    assert_eq!(whole.of_person.len(), met + 1);
    let classes = ledger.classes(2, "disease").unwrap();
    assert_eq!(classes.len(), model.releases[1].len().div_ceil(3));
    let rows: u64 = classes.iter().map(|class| class.rows).sum();
    assert_eq!(rows, model.releases[1].len() as u64);
    assert!(ledger.classes(9, "disease").unwrap().is_empty());
}
