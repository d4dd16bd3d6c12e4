use super::*;
use crate::hierarchy::Generated;
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
            unit: Unit::Person
        }
    );
    assert_eq!(
        policy.release,
        ReleasePolicy {
            dir: "out".to_owned(),
            format: Format::Parquet
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
    for algorithm in AlgorithmId::all() {
        let policy = with(WHOLE, algorithm).unwrap();
        assert_eq!(policy.search.algorithm, algorithm);
        assert_eq!(policy.search.given, ["metric", "suppression", "suppressed"]);
    }
    let own = Policy::parse("p.toml", WHOLE).unwrap();
    assert_eq!(with(WHOLE, AlgorithmId::Datafly).unwrap(), own);
    let mondrian = with(WHOLE, AlgorithmId::Mondrian).unwrap().search;
    assert_eq!(mondrian.ignored, mondrian.given);
    let entropy = WHOLE.replace("\"prec\"", "\"entropy\"");
    assert!(with(&entropy, AlgorithmId::MinGen).is_err());
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
    for (name, id) in AlgorithmId::NAMES {
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
