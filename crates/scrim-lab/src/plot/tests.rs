use super::axis::written;
use super::*;

fn chart() -> Chart {
    let line = |name: &str, shift: f64| Series {
        name: name.to_owned(),
        form: Form::Line,
        points: [1.0, 20.0, 100.0]
            .map(|x| Point {
                high: Some(0.1 + x / 250.0 + shift),
                ..Point::new(x, x / 250.0 + shift)
            })
            .into_iter()
            .chain([Point {
                x: Place::Last,
                y: 0.45,
                high: None,
            }])
            .collect(),
    };
    Chart {
        title: "Error & <weight>".to_owned(),
        about: "The error grows.".to_owned(),
        source: "Made up.".to_owned(),
        x: Axis {
            ticks: vec![1.0, 20.0, 100.0],
            last: Some("forbid".to_owned()),
            ..Axis::new(
                "weight",
                Scale::Log {
                    from: 1.0,
                    to: 100.0,
                },
            )
        },
        y: Axis::from_zero("relative error", [0.6]),
        series: vec![line("first", 0.0), line("second", 0.05)],
        limits: vec![(0.25, "limit 0.25".to_owned())],
    }
}

/// Every tag closed in order, every attribute quoted, no bare sign.
fn well_formed(text: &str) {
    let mut open: Vec<&str> = Vec::new();
    for piece in text.split('<').skip(1) {
        let (tag, after) = piece.split_once('>').unwrap();
        assert!(!after.contains('>'), "{after}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        let name = tag.trim_end_matches('/').split(' ').next().unwrap();
        if let Some(closed) = name.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed), "{tag}");
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
}

#[test]
fn a_chart_is_what_it_was() {
    let text = chart().to_string();
    well_formed(&text);
    insta::assert_snapshot!(text.replace(STYLE, "[style]\n"));
}

#[test]
fn no_word_of_the_caller_becomes_a_tag() {
    let text = chart().to_string();
    assert!(text.contains("<title>Error &amp; &lt;weight&gt;</title>"));
    assert!(!text.contains("<weight>"));
    assert_eq!(escaped("a\u{0}\"b\n"), "a &quot;b ");
}

#[test]
fn what_is_no_number_is_left_out() {
    let mut broken = chart();
    broken.series[0].points[1].y = f64::NAN;
    broken.series[1].points.clear();
    broken.series.push(Series {
        name: "steps".to_owned(),
        form: Form::Step,
        points: vec![],
    });
    broken.x.scale = Scale::Log { from: 0.0, to: 0.0 };
    well_formed(&broken.to_string());
    let whole = chart().to_string().matches("<circle").count();
    let mut one_less = chart();
    one_less.series[0].points[1].y = f64::INFINITY;
    assert_eq!(one_less.to_string().matches("<circle").count(), whole - 1);
}

#[test]
fn steps_that_nobody_can_see_are_not_written() {
    let mut many = chart();
    many.x = Axis::new("rank", Scale::Linear { from: 0.0, to: 1e5 });
    many.series = vec![Series {
        name: "curve".to_owned(),
        form: Form::Step,
        points: (0..100_000)
            .map(|rank| Point::new(f64::from(rank), 0.5 - f64::from(rank) / 2e5))
            .collect(),
    }];
    let text = many.to_string();
    well_formed(&text);
    assert!((2_000..30_000).contains(&text.len()), "{}", text.len());
}

#[test]
fn a_log_axis_has_equal_ways_for_equal_factors_and_the_last_category_at_its_end() {
    let axis = chart().x;
    let share = |x| axis.share(Place::At(x)).unwrap();
    assert!((share(10.0) - share(1.0) - (share(100.0) - share(10.0))).abs() < 1e-12);
    assert!(share(100.0) < 0.9);
    assert_eq!(axis.share(Place::Last), Some(1.0));
    let plain = Axis::new("x", Scale::Linear { from: 0.0, to: 1.0 });
    assert_eq!(plain.share(Place::Last), None);
}

#[test]
fn bars_of_a_name_stand_side_by_side() {
    let names = vec!["a".to_owned(), "b".to_owned()];
    let mut bars = chart();
    bars.x = Axis::new("", Scale::Names(names));
    for series in &mut bars.series {
        series.form = Form::Bars;
        series.points = vec![Point::new(0.0, 0.2), Point::new(1.0, 0.4)];
    }
    let text = bars.to_string();
    well_formed(&text);
    let left = |line: &str| -> f64 {
        let (_, rest) = line.split_once("x=\"").unwrap();
        rest.split_once('"').unwrap().0.parse().unwrap()
    };
    let bar = |class: &str| -> Vec<f64> {
        let lines = text.lines().filter(|line| line.starts_with(class));
        lines.map(left).collect()
    };
    let (first, second) = (bar("<rect class=\"s0\""), bar("<rect class=\"s1\""));
    // Two bars and the sample of the legend.
    assert_eq!((first.len(), second.len()), (3, 3));
    assert!(
        first[0] < second[0] && second[0] < first[1],
        "{first:?} {second:?}"
    );
}

#[test]
fn ticks_are_round_and_readable() {
    let texts =
        |axis: &Axis| -> Vec<String> { axis.marks().into_iter().map(|(_, text)| text).collect() };
    assert_eq!(
        texts(&Axis::from_zero("y", [0.87])),
        ["0", "0.2", "0.4", "0.6", "0.8", "1"]
    );
    let log = Axis::new("y", Scale::Log { from: 1.0, to: 2e5 });
    assert_eq!(texts(&log), ["1", "10", "100", "1000", "10,000", "100,000"]);
    assert_eq!(written(-1234.5), "-1234.5");
    assert_eq!(written(-0.0), "0");
}
