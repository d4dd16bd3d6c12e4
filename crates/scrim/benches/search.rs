//! The hot loops on a seeded table of Adult's shape: counting, roll-up, the exact search, cuts under wishes.

use std::fmt::Write as _;
use std::hint::black_box;
use std::sync::Arc;

use divan::Bencher;
use scrim::Share;
use scrim::algorithm::{Algorithm, Optimal, Personalized, Task, Unwatched};
use scrim::frequency::Ground;
use scrim::hierarchy::{Ladder, from_level_csv};
use scrim::metric::{Marginals, MetricId, SensitiveUnit};
use scrim::model::{KAnonymity, ModelSet, Ownership, Personal, Wishes};
use scrim::recoding::Node;
use scrim::table::{Column, Table};

fn main() {
    divan::main();
}

/// Values, and the sizes of the groups of each level above them.
const SHAPE: [(u64, &[u64]); 9] = [
    (2, &[]),
    (72, &[5, 10, 20]),
    (5, &[]),
    (7, &[4]),
    (16, &[2, 8]),
    (41, &[8]),
    (8, &[4]),
    (14, &[5]),
    (2, &[]),
];

struct Adult {
    table: Table,
    ladders: Vec<Ladder>,
}

fn adult(rows: u64) -> Adult {
    let mut state = 7u64;
    let mut next = move || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let mut columns = Vec::new();
    for (at, (values, _)) in SHAPE.iter().enumerate() {
        // The smaller of two draws: some values are common and many rare, as in real tables.
        let texts: Vec<String> = (0..rows)
            .map(|_| (next() % values).min(next() % values).to_string())
            .collect();
        columns.push(Column::from_texts(
            &format!("c{at}"),
            texts.iter().map(String::as_str),
        ));
    }
    let table = Table::new(columns).expect("equally long");
    let ladder = |(at, (values, groups)): (usize, &(u64, &[u64]))| {
        let mut text = String::new();
        for value in 0..*values {
            let levels: Vec<String> = groups
                .iter()
                .map(|size| format!("{size}:{}", value / size))
                .collect();
            let _ = writeln!(
                text,
                "{value};{}{}*",
                levels.join(";"),
                if levels.is_empty() { "" } else { ";" }
            );
        }
        let name = format!("c{at}");
        let tree = from_level_csv(&name, "generated", &text, true).expect("a tree");
        Ladder::new(
            &name,
            Arc::new(tree),
            table.column(&name).expect("a column").dictionary(),
        )
        .expect("all leaves")
    };
    let ladders = SHAPE.iter().enumerate().map(ladder).collect();
    Adult { table, ladders }
}

#[divan::bench(args = [30_000, 300_000])]
fn count(bencher: Bencher<'_, '_>, rows: u64) {
    let adult = adult(rows);
    bencher
        .counter(divan::counter::ItemsCount::new(rows))
        .bench(|| Ground::count(black_box(&adult.table), &adult.ladders, &[]));
}

#[divan::bench(args = [30_000, 300_000])]
fn roll_up(bencher: Bencher<'_, '_>, rows: u64) {
    let adult = adult(rows);
    let ground = Ground::count(&adult.table, &adult.ladders, &[]).expect("it fits");
    let node = Node::new([0, 2, 0, 1, 1, 1, 1, 1, 0]);
    let tuples = ground.set().len();
    bencher
        .counter(divan::counter::ItemsCount::new(tuples))
        .bench(|| ground.set().roll_up(&adult.ladders, black_box(&node)));
}

#[divan::bench(args = ["0", "0.02", "1"], sample_count = 5)]
fn optimal_loss_k5(bencher: Bencher<'_, '_>, suppression: &str) {
    let adult = adult(30_000);
    let ground = Ground::count(&adult.table, &adult.ladders, &[]).expect("it fits");
    let models = ModelSet::new(vec![Box::new(KAnonymity::new(5, None).expect("k"))]);
    let marginals = Marginals::new(&adult.ladders, &ground);
    let metric = MetricId::Loss.bind(&marginals, &[Share::ONE; 9], true);
    let limit = suppression
        .parse::<Share>()
        .expect("a share")
        .floor_of(ground.rows());
    let task = Task {
        ground: &ground,
        ladders: &adult.ladders,
        models: &models,
        metric: metric.as_ref(),
        limit,
        keeps_rows: true,
    };
    bencher.bench(|| Optimal::default().search(black_box(&task), &mut Unwatched));
}

/// Five quasi-identifiers; the jobs of the last but one column are what everybody guards.
#[divan::bench(args = [10_000, 100_000], sample_count = 3)]
fn personalized(bencher: Bencher<'_, '_>, rows: u64) {
    let adult = adult(rows);
    let secret = &adult.ladders[7];
    let codes = adult.table.column("c7").expect("a column").codes();
    let wish = |row: usize| {
        let leaf = secret.taxa(0)[codes.get(row) as usize];
        (leaf, Some(leaf))
    };
    let tree = Arc::clone(secret.hierarchy());
    let domain = tree.domain_size();
    let wishes = Arc::new(Wishes::new("c7", tree, (0..rows as usize).map(wish)));
    let limit = "1/4".parse().expect("a share");
    let personal = Personal::new(wishes, limit, Ownership::Primary, None, true);
    let models = ModelSet::new(vec![Box::new(personal.clone())]);
    let ladders = &adult.ladders[..5];
    let ground = Ground::count(&adult.table, ladders, models.tracked()).expect("it fits");
    let marginals = Marginals::new(ladders, &ground);
    let metric = MetricId::InformationLoss.bind(&marginals, &[Share::ONE; 5], true);
    let task = Task {
        ground: &ground,
        ladders,
        models: &models,
        metric: metric.as_ref(),
        limit: 0,
        keeps_rows: true,
    };
    let search = Personalized {
        table: &adult.table,
        numbers: &[const { None }; 5],
        personal: &[Arc::new(personal)],
        sensitive: vec![SensitiveUnit {
            weight: Share::ONE,
            domain,
        }],
        weights: &[Share::ONE; 5],
        improve: false,
        together: None,
    };
    bencher.bench(|| search.search(black_box(&task), &mut Unwatched));
}
