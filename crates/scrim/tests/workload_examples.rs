//! Query workloads on small examples.
#![allow(clippy::unwrap_used, reason = "a test that cannot prepare has failed")]

use std::sync::Arc;

use scrim::Share;
use scrim::hierarchy::{Generated, from_level_csv};
use scrim::metric::workload::{
    Answer, Axes, Axis, Draw, ErrorSummary, Pairs, ask, draw, read_queries, write_queries,
};
use scrim::table::{Column, ColumnBuilder, Table};

/// [XiaoTao06], Figures 1a and 1c: tuples 7 to 10 are the women.
fn figure_1() -> (Axes, Table, Table) {
    let sex = ["M", "M", "M", "M", "M", "M", "F", "F", "F", "F"];
    let disease = [
        "gastric-ulcer",
        "dyspepsia",
        "pneumonia",
        "bronchitis",
        "pneumonia",
        "pneumonia",
        "flu",
        "gastritis",
        "pneumonia",
        "flu",
    ];
    let table = |ages: [&str; 10]| {
        let columns = [("age", ages), ("sex", sex), ("disease", disease)];
        let columns = columns.map(|(name, texts)| Column::from_texts(name, texts));
        Table::new(columns.to_vec()).unwrap()
    };
    let microdata = table(["5", "9", "6", "8", "12", "19", "21", "26", "28", "56"]);
    let (child, teen, adult) = ("[1, 10]", "[11, 20]", "[21, 60]");
    let release = table([
        child, child, child, child, teen, teen, adult, adult, adult, adult,
    ]);
    let axes = axes_over(&microdata);
    (axes, microdata, release)
}

fn axes_over(microdata: &Table) -> Axes {
    let flat = |name: &str| {
        let column = microdata.column(name).unwrap();
        let tree = Generated::Flat.over(column.dictionary().texts(), true);
        Axis::leaves(column, Arc::new(tree.unwrap()), true)
    };
    let ages = Axis::numbers(
        microdata.column("age").unwrap(),
        Some(Share::ONE),
        Some(Share::whole(60)),
        None,
    );
    Axes {
        sensitive: flat("disease"),
        quasi: vec![ages.unwrap(), flat("sex")],
    }
}

#[test]
fn figure_1c_of_the_paper_gives_3_patients_above_30_where_there_is_1() {
    let (axes, microdata, release) = figure_1();
    // All above 30 are women: `F` need not be asked for.
    let file = "sensitive_from,column,from,to\n*,age,31,60\n*,sex,F,\n*,age,\"[31, 60]\",\n*,age,30.5,99\n";
    let queries = read_queries(&axes, "q.csv", file).unwrap();
    let answers = ask(
        &queries,
        &Pairs::count(&axes, &microdata).unwrap(),
        &Pairs::count(&axes, &release).unwrap(),
    );
    let answer = |actual, estimate| Answer { actual, estimate };
    assert_eq!(
        answers,
        [
            answer(1, 3.0),
            answer(4, 4.0),
            answer(1, 3.0),
            answer(1, 3.0)
        ]
    );
    let summary = ErrorSummary::of(answers.into_iter());
    assert_eq!((summary.max, summary.mean), (Some(2.0), Some(1.5)));
}

#[test]
fn the_order_of_the_rows_does_not_matter_to_random_queries() {
    let (axes, microdata, _) = figure_1();
    let wanted = Draw {
        queries: 50,
        type1: Share::new(1, 2).unwrap(),
        least: Share::new(1, 100).unwrap(),
        seed: 7,
    };
    let drawn = draw(&axes, &Pairs::count(&axes, &microdata).unwrap(), &wanted).unwrap();
    let turned: Vec<Column> = microdata
        .columns()
        .iter()
        .map(|column| {
            let texts = (0..microdata.rows()).rev().map(|row| column.text(row));
            Column::from_texts(column.name(), texts)
        })
        .collect();
    let turned = Table::new(turned).unwrap();
    let axes = axes_over(&turned);
    let again = draw(&axes, &Pairs::count(&axes, &turned).unwrap(), &wanted).unwrap();
    assert_eq!(drawn, again);
    let other = Draw { seed: 8, ..wanted };
    let other = draw(&axes, &Pairs::count(&axes, &microdata).unwrap(), &other).unwrap();
    assert_ne!(drawn, other);
    assert!(drawn.redrawn > 0);
}

#[test]
fn a_name_of_several_taxa_is_read_at_the_level_of_the_column() {
    // `other` is a value, and the group above it and `rare`.
    let lines = "flu;common;*\ncold;common;*\nother;other;*\nrare;other;*";
    let tree = Arc::new(from_level_csv("disease", "d.csv", lines, false).unwrap());
    let column = |texts: [&str; 2]| Column::from_texts("disease", texts);
    let axis = Axis::leaves(&column(["flu", "other"]), tree, false);
    let points = |texts| {
        let spans = axis.read(&column(texts)).unwrap();
        [spans[0].points(), spans[1].points()]
    };
    assert_eq!(points(["flu", "other"]), [1, 1]);
    assert_eq!(points(["common", "other"]), [2, 2]);
    assert_eq!(points(["*", "other"]), [4, 1]);
    assert_eq!(axis.asked("other", "").unwrap().points(), 1);
    assert_eq!(axis.read(&column(["flu", "cough"])), Err(1));
}

#[test]
fn a_missing_value_is_a_point_of_its_own_and_not_asked_for_at_random() {
    let mut builder = ColumnBuilder::new("age", &["?".to_owned()]);
    ["1", "?", "4", "*"]
        .iter()
        .for_each(|text| builder.push(text));
    let column = builder.finish();
    let numbers = Axis::numbers(&column, None, None, None).unwrap();
    assert_eq!(numbers.points(), 5);
    let spans = numbers.read(&column).unwrap();
    let points: Vec<_> = spans.iter().map(|span| (span.low(), span.high())).collect();
    assert_eq!(points, [(0, 1), (4, 5), (3, 4), (0, 5)]);
    let all = Column::from_texts("sick", ["y", "y", "y", "y"]);
    let tree = Generated::Flat.over(["y"].into_iter(), false).unwrap();
    let axes = Axes {
        sensitive: Axis::leaves(&all, Arc::new(tree), true),
        quasi: vec![numbers],
    };
    let pairs = Pairs::count(&axes, &Table::new(vec![all, column]).unwrap()).unwrap();
    let wanted = Draw {
        queries: 100,
        type1: Share::ZERO,
        least: Share::ZERO,
        seed: 1,
    };
    let queries = draw(&axes, &pairs, &wanted).unwrap().queries;
    // Two of the four numbers occur: a query for none of them has no error, and is drawn again even without a limit.
    for (query, answer) in queries.iter().zip(ask(&queries, &pairs, &pairs)) {
        assert!(query.quasi.unwrap().1.high() <= 4 && answer.actual > 0);
    }
}

#[test]
fn a_random_condition_is_a_taxon_below_the_real_root() {
    // Above `people` a `*` is added, beside it hangs the missing value: neither makes `people` worth asking for.
    let lines = "nurse;care;people\ncook;trade;people\nsmith;trade;people";
    let mut builder = ColumnBuilder::new("job", &["?".to_owned()]);
    ["nurse", "?", "cook", "smith"]
        .iter()
        .for_each(|text| builder.push(text));
    let jobs = builder.finish();
    let tree = from_level_csv("job", "job.csv", lines, true).unwrap();
    let sick = Column::from_texts("sick", ["y", "y", "y", "y"]);
    let flat = Generated::Flat.over(["y"].into_iter(), false).unwrap();
    let axes = Axes {
        quasi: vec![Axis::leaves(&jobs, Arc::new(tree.with_missing("?")), false)],
        sensitive: Axis::leaves(&sick, Arc::new(flat), true),
    };
    let pairs = Pairs::count(&axes, &Table::new(vec![jobs, sick]).unwrap()).unwrap();
    let wanted = Draw {
        queries: 50,
        type1: Share::ZERO,
        least: Share::ZERO,
        seed: 1,
    };
    let drawn = draw(&axes, &pairs, &wanted).unwrap();
    let written = String::from_utf8(write_queries(&axes, &drawn.queries).unwrap()).unwrap();
    let mut lines: Vec<&str> = written.lines().skip(1).collect();
    lines.sort_unstable();
    lines.dedup();
    // `care` has one leaf, and is written as that.
    assert_eq!(lines, ["*,,job,nurse,", "*,,job,trade,"]);
}

#[test]
fn where_no_query_selects_enough_the_draw_ends_with_an_error() {
    let (axes, microdata, _) = figure_1();
    let wanted = Draw {
        queries: 1,
        type1: Share::ONE,
        least: Share::ONE,
        seed: 1,
    };
    let error = draw(&axes, &Pairs::count(&axes, &microdata).unwrap(), &wanted).unwrap_err();
    assert_eq!(
        error.to_string(),
        "among 1000 random queries of type 1 none selects at least 1 of the rows"
    );
    assert!(error.hint().unwrap().contains("--least"));
}

#[test]
fn a_bad_line_is_told_by_file_line_and_field() {
    let (axes, ..) = figure_1();
    let told = |file: &str| {
        let error = read_queries(&axes, "q.csv", file).unwrap_err();
        assert!(error.hint().is_some(), "{error}");
        error.to_string()
    };
    let header = "sensitive_from,sensitive_to,column,from,to";
    for (line, expected) in [
        (
            "flu,,age,20",
            "this line has 4 fields, but the header has 5",
        ),
        (",,age,20,29", "`sensitive_from` is empty"),
        (
            "cold,,,,",
            "`sensitive_from` is `cold`, which names nothing in the domain of `disease`",
        ),
        (
            "flu,cold,,,",
            "`sensitive_to` is `cold`, which names nothing in the domain of `disease`",
        ),
        (
            "pneumonia,flu,,,",
            "from `pneumonia` to `flu` there is nothing in the domain of `disease`",
        ),
        (
            "flu,,zip,1,2",
            "`column` is `zip`, which is no quasi-identifier",
        ),
        ("flu,,,1,2", "a condition is there, but `column` is empty"),
        ("flu,,age,,", "`from` is empty"),
        (
            "flu,,age,29,20",
            "from `29` to `20` there is nothing in the domain of `age`",
        ),
        (
            "flu,,age,old,",
            "`from` is `old`, which names nothing in the domain of `age`",
        ),
        (
            "flu,,age,70,80",
            "`from` is `70`, which names nothing in the domain of `age`",
        ),
        (
            "flu,,sex,X,",
            "`from` is `X`, which names nothing in the domain of `sex`",
        ),
    ] {
        // A blank line counts as a line, but asks nothing.
        assert_eq!(
            told(&format!("{header}\nflu,,,,\n\n{line}\n")),
            format!("q.csv:4: {expected}")
        );
    }
    assert_eq!(told(""), "q.csv:1: the header lacks `sensitive_from`");
    assert_eq!(told(header), "q.csv: there is no query after the header");
    assert_eq!(
        told("sensitive_from,zip\n"),
        "q.csv:1: `zip` is no column of a workload"
    );
    assert_eq!(
        told("sensitive_from,to,to\n"),
        "q.csv:1: the header has `to` twice"
    );
}
