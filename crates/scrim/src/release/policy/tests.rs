use super::*;
use crate::hierarchy::Generated;
use crate::metric::MetricId;
use crate::share::Share;

const WHOLE: &str = r#"
[data]
path = "patients.csv"
others = "drop"
null = ["", "?"]

[columns]
name = { role = "identifier" }
zip = { role = "quasi", hierarchy = { mask = "right" } }
age = { role = "quasi", hierarchy = { intervals = { from = 0, to = 120, widths = [5, 10] } } }
height = { role = "quasi", numeric = { from = 40, to = 220 } }
disease = { role = "sensitive", hierarchy = "disease.csv", categories = [["HIV"], ["Flu"]] }
wish = { role = "guard", of = "disease" }
patient = { role = "person" }

[[privacy]]
model = "k-anonymity"
k = 5

[search]
algorithm = "datafly"
metric = "prec"
weights = { age = 2.0 }
suppression = 0.02
suppressed = "drop"

[release]
dir = "out"
format = "parquet"
"#;

fn fault(text: &str) -> String {
    let error = Policy::parse("p.toml", text).unwrap_err();
    format!("{error} | {}", error.hint().unwrap_or(""))
}

#[test]
fn a_whole_policy_is_read() {
    let policy = Policy::parse("p.toml", WHOLE).unwrap();
    let quasi: Vec<&str> = policy
        .with_role(Role::Quasi)
        .map(|column| column.name.as_str())
        .collect();
    assert_eq!(quasi, ["zip", "age", "height"]); // the order of the file, not of the alphabet
    assert_eq!(
        policy.search.weights,
        [Share::ONE, Share::whole(2), Share::ONE]
    );
    assert_eq!(policy.search.suppression, Share::new(2, 100));
    assert_eq!(
        policy.privacy[0].spec,
        ModelSpec::KAnonymity {
            k: 5,
            unit: Unit::Person,
            columns: None,
        }
    );
    assert_eq!(
        policy.release,
        ReleasePolicy {
            dir: "out".to_owned(),
            format: Format::Parquet,
            order: RowOrder::Sorted,
            spreadsheet_safe: false,
        }
    );
    assert!(matches!(
        policy.column("height").unwrap().hierarchy(),
        HierarchyPolicy::Generated(Generated::Numeric(_))
    ));
}

#[test]
fn a_policy_can_be_read_for_another_algorithm() {
    let with = |text: &str, algorithm| Policy::parse_with("p.toml", text, algorithm);
    // A chain needs a section of its own.
    assert!(with(WHOLE, AlgorithmId::Chain).is_err());
    for algorithm in AlgorithmId::all().filter(|id| *id != AlgorithmId::Chain) {
        let policy = with(WHOLE, algorithm).unwrap();
        assert_eq!(policy.search.algorithm, algorithm);
        assert_eq!(policy.search.given, ["metric", "suppression", "suppressed"]);
    }
    let own = Policy::parse("p.toml", WHOLE).unwrap();
    assert_eq!(with(WHOLE, AlgorithmId::Datafly).unwrap(), own);
    let mondrian = with(WHOLE, AlgorithmId::Mondrian).unwrap().search;
    assert_eq!(mondrian.ignored, mondrian.given);
    let entropy = WHOLE.replace("\"prec\"", "\"entropy\"");
    let refused = with(&entropy, AlgorithmId::MinGen).unwrap_err().to_string();
    assert!(refused.contains("MinGen is defined by `prec`"), "{refused}");
    let silent = WHOLE.replace(&WHOLE[WHOLE.find("[search]").unwrap()..], "");
    let search = with(&silent, AlgorithmId::TopDown).unwrap().search;
    assert_eq!(search.algorithm, AlgorithmId::TopDown);
}

#[test]
fn each_algorithm_is_listed_once() {
    let names: Vec<&str> = AlgorithmId::all().map(AlgorithmId::name).collect();
    let own = AlgorithmId::NAMES.map(|(name, _)| name);
    let own: Vec<&str> = own.into_iter().filter(|name| *name != "auto").collect();
    assert_eq!(names, own);
}

#[test]
fn faults_tell_line_column_and_what_to_try() {
    let cases = [
        (
            "k = 5",
            "k = 0",
            "must be a whole number from 1 on, but it is 0",
        ),
        ("k = 5", "k = 2.5", "must be a whole number"),
        ("k = 5", "kk = 5", "lacks `k`"),
        ("k-anonymity", "k-anonimity", "did you mean `k-anonymity`?"),
        ("0.02", "1.5", "must be from 0 to 1, but it is 3/2"),
        ("age = 2.0", "age = -1", "negative: -1"),
        ("age = 2.0", "agee = 1", "did you mean `age`?"),
        ("age = 2.0", "zip = 0, age = 0, height = 0", "all 0"),
        (
            "\"quasi\", numeric",
            "\"quassi\", numeric",
            "did you mean `quasi`?",
        ),
        ("of = \"disease\"", "of = \"zip\"", "no sensitive column"),
        ("widths = [5, 10]", "widths = [5, 12]", "no multiple of 5"),
        (
            "suppressed = \"drop\"",
            "supressed = \"drop\"",
            "did you mean `suppressed`?",
        ),
        (
            "format = \"parquet\"",
            "format = \"xls\"",
            "none of `csv`, `parquet`",
        ),
        ("[release]", "[relase]", "did you mean `release`?"),
        (
            "metric = \"prec\"",
            "metric = 3",
            "must be a text in quotes, but it is a number",
        ),
        ("path = \"patients.csv\"", "path = ", "this is no TOML"),
        ("path = \"patients.csv\"", "", "lacks `path`"),
        (
            "patient = { role = \"person\" }",
            "patient = { role = \"person\" }\nother = { role = \"person\" }",
            "both have the role `person`",
        ),
        (
            "wish = { role = \"guard\", of = \"disease\" }",
            "wish = { role = \"guard\" }",
            "lacks `of`",
        ),
    ];
    for (from, to, expected) in cases {
        let text = WHOLE.replacen(from, to, 1);
        assert_ne!(text, WHOLE, "{from}");
        let fault = fault(&text);
        assert!(fault.contains(expected), "{fault}");
        assert!(fault.starts_with("p.toml:"), "{fault}");
    }
}

#[test]
fn a_fault_points_at_its_place() {
    let fault = fault(&WHOLE.replace("k = 5", "k = 0"));
    assert!(fault.starts_with("p.toml:18:5: `k`"), "{fault}");
}

proptest::proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC*") {
        let _ = Policy::parse("p.toml", &text);
    }

    #[test]
    fn no_damage_makes_the_reader_panic(at in 0usize..WHOLE.len(), length in 0usize..40, put in "[\\[\\]{}=\"',.a-z0-9\n-]{0,8}") {
        let (start, end) = (WHOLE.floor_char_boundary(at), WHOLE.ceil_char_boundary((at + length).min(WHOLE.len())));
        let text = format!("{}{put}{}", &WHOLE[..start], &WHOLE[end.max(start)..]);
        let _ = Policy::parse("p.toml", &text);
    }
}

#[test]
fn no_other_search_may_write_what_is_broken_or_asks() {
    let names = AlgorithmId::NAMES.into_iter();
    for (name, id) in names.filter(|(_, id)| *id != AlgorithmId::Chain) {
        let ours = format!(
            "[search]\nalgorithm = \"{name}\"\nallow-broken = true\ngeneralize = \"ask\"\n[release]"
        );
        let start = WHOLE.find("[search]").unwrap();
        let end = WHOLE.find("[release]").unwrap();
        let text = [&WHOLE[..start], &ours, &WHOLE[end + "[release]".len()..]].concat();
        let policy = Policy::parse("p.toml", &text).unwrap();
        let mu_argus = id == AlgorithmId::MuArgus;
        assert_eq!(policy.search.allows_broken(), mu_argus, "{name}");
        assert_eq!(policy.must_be_answered(false).is_err(), mu_argus, "{name}");
        assert!(policy.must_be_answered(true).is_ok());
    }
}

#[test]
fn how_identifying_columns_are_stands_in_policy_order() {
    use crate::algorithm::Identifying::{Identifying, Most};
    let text = WHOLE.replace("age = { role", "age = { identifying = \"most\", role");
    let policy = Policy::parse("p.toml", &text).unwrap();
    let expected = [Identifying, Most, Identifying];
    assert_eq!(policy.search.mu_argus.identifying, expected);
}

/// A policy with a `serial` of these lines and these sections after it.
fn with_serial(lines: &str, more: &str) -> String {
    format!(
        "[data]\npath = \"t.csv\"\n[columns]\nq = {{ role = \"quasi\" }}\ns = {{ role = \"sensitive\" }}\n\
         who = {{ role = \"person\" }}\n[[privacy]]\nmodel = \"serial\"\n{lines}\n{more}"
    )
}

const LEDGER: &str = "[ledger]\npath = \"past/ledger.sqlite\"\n";

#[test]
fn a_serial_promise_is_read_with_its_ledger() {
    let lines = "l = 2.5\nvalues = [\"hiv\"]\nschedule = \"linear\"\nhorizon = 10\nretire = { after = 10, below = \"1/100\" }\nk = 3";
    let policy = Policy::parse("p.toml", &with_serial(lines, LEDGER)).unwrap();
    assert_eq!(policy.privacy[0].spec.name(), "k-anonymity");
    let ModelSpec::Serial {
        of,
        l,
        values,
        lasting,
        group,
        schedule,
        horizon,
        retire,
    } = &policy.serial().unwrap().spec
    else {
        panic!("no serial")
    };
    assert_eq!(
        (of.as_str(), *l, *horizon),
        ("s", Share::new(5, 2).unwrap(), Some(10))
    );
    assert_eq!(*values, Protected::Named(vec!["hiv".to_owned()]));
    assert!(lasting.is_empty() && !group);
    assert_eq!(schedule.name(), "linear");
    assert_eq!((retire.after, retire.below), (Some(10), Share::new(1, 100)));
    let ledger = policy.ledger.unwrap();
    assert_eq!(ledger.path, "past/ledger.sqlite");
    assert_eq!(ledger.key, "past/ledger.key");
    let key = "[ledger]\npath = \"a.b/ledger\"\n";
    let policy = Policy::parse("p.toml", &with_serial("l = 2\nvalues = \"all\"", key)).unwrap();
    assert_eq!(policy.ledger.unwrap().key, "a.b/ledger.key");
}

#[test]
fn auto_takes_the_search_that_serves_serial() {
    let auto = format!("{LEDGER}[search]\nalgorithm = \"auto\"");
    let policy = Policy::parse("p.toml", &with_serial("l = 2\nvalues = \"all\"", &auto)).unwrap();
    assert_eq!(policy.search.algorithm, AlgorithmId::Rotating);
}

#[test]
fn faults_of_a_serial_promise_are_told() {
    let told = |lines: &str, more: &str| fault(&with_serial(lines, more));
    let good = "l = 2\nvalues = [\"hiv\"]";
    assert!(told(good, "").contains("the policy has no [ledger] | say where they are kept"));
    assert!(
        told("l = 1\nvalues = \"all\"", LEDGER)
            .contains("`l` in [[privacy]] number 1 must be above 1")
    );
    assert!(told("l = 2", LEDGER).contains("lacks `values`"));
    assert!(told("l = 2\nvalues = []", LEDGER).contains("protects nothing"));
    assert!(
        told("l = 2\nlasting = []", LEDGER)
            .contains("`lasting` in [[privacy]] number 1 protects nothing")
    );
    let both = "l = 2\nvalues = [\"flu\", \"hiv\"]\nlasting = [\"hiv\"]";
    assert!(told(both, LEDGER).contains("`hiv` stands in `values` and in `lasting`"));
    assert!(
        told("l = 2\nvalues = \"all\"\ngroup = true", LEDGER)
            .contains("no taxa to protect as a whole")
    );
    assert!(
        told("l = 2\nvalues = \"hiv\"", LEDGER).contains("neither a list of texts nor \"all\"")
    );
    assert!(
        told(&format!("{good}\nschedule = \"linaer\""), LEDGER).contains("did you mean `linear`?")
    );
    assert!(told(&format!("{good}\nschedule = \"constant\""), LEDGER).contains("lacks `horizon`"));
    assert!(
        told(&format!("{good}\nhorizon = 3"), LEDGER)
            .contains("means nothing to the schedule `greedy`")
    );
    assert!(
        told(&format!("{good}\nretire = {{ befor = 3 }}"), LEDGER)
            .contains("neither `after` nor `below`")
    );
    assert!(told(&format!("{good}\nretire = {{ below = 0.6 }}"), LEDGER).contains("at most 1/2"));
    let far = format!("{good}\nschedule = \"constant\"\nhorizon = 1001");
    assert!(told(&far, LEDGER).contains("is above 1000"));
    assert!(told(good, "[ledger]\nkey = \"k\"").contains("[ledger] lacks `path`"));
    assert!(told(good, "[ledger]\npath = \"k\"\nkey = \"k\"").contains("is the ledger itself"));
    let twice = format!("{LEDGER}[[privacy]]\nmodel = \"serial\"\n{good}");
    assert!(told(good, &twice).contains("at most one `serial` promise"));
    let drop = format!("{LEDGER}[search]\nsuppression = 0.1\nsuppressed = \"drop\"");
    assert!(told(good, &drop).contains("`suppressed = \"drop\"` cannot stand beside `serial`"));
    let nobody = with_serial(good, LEDGER).replace("\"person\"", "\"identifier\"");
    assert!(fault(&nobody).contains("no column has the role `person`"));
    let wishes = with_serial(good, LEDGER).replace(
        "s = { role = \"sensitive\" }",
        "s = { role = \"sensitive\", hierarchy = { flat = true } }\nw = { role = \"guard\", of = \"s\" }",
    ) + "[[privacy]]\nmodel = \"personal\"\nbreach = 0.5";
    assert!(
        fault(&wishes).contains(
            "`serial` judges single values of `s`, but `personal` may publish coarser ones"
        )
    );
}

#[test]
fn mingen_is_defined_by_prec_beside_wishes_too() {
    let metric = |algorithm: &str| {
        let text = WHOLE
            .replace(
                "[search]",
                "[[privacy]]\nmodel = \"personal\"\nbreach = 0.5\n\n[search]",
            )
            .replace("metric = \"prec\"\n", "")
            .replace("\"datafly\"", &format!("\"{algorithm}\""));
        Policy::parse("p.toml", &text).unwrap().search.metric
    };
    assert_eq!(metric("mingen"), MetricId::Prec);
    assert_eq!(metric("optimal"), MetricId::InformationLoss);
}
