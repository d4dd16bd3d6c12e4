//! Every algorithm under one policy: each answers as it does alone, and nothing is left on disk.

use serde_json::{Value, json};

use crate::folder::{FIGURE_7, Folder, POLICY};

const OWN: &str = "algorithm = \"optimal\"";

/// Figure 7 under a policy whose `[search]` goes on so, and that promises more.
fn folder(search: &str, more: &str) -> Folder {
    let folder = Folder::figure_7();
    let search = format!("{more}[search]\n{search}");
    let policy = POLICY.replace(&format!("[search]\n{OWN}"), &search);
    folder.write("policy.toml", policy);
    folder
}

/// Where `personal` lets diagnoses be published coarser.
fn wishes() -> Folder {
    let folder = Folder::figure_7();
    folder.replace(
        "policy.toml",
        "\"sensitive\"",
        "\"sensitive\", hierarchy = { flat = true }",
    );
    let personal = "model = \"personal\"\nbreach = \"1/2\"\ndefault-guard = \"value\"\n\n[search]";
    folder.replace(
        "policy.toml",
        "[search]",
        &format!("[[privacy]]\n{personal}"),
    );
    folder
}

fn compare(folder: &Folder, code: i32) -> Value {
    folder
        .scrim(&["publish", "policy.toml", "--compare", "--json"])
        .exits(code)
        .json()
}

fn entry<'a>(answer: &'a Value, algorithm: &str) -> &'a Value {
    let mut all = answer["compared"].as_array().unwrap().iter();
    all.find(|one| one["algorithm"] == algorithm).unwrap()
}

/// The answer without what no two runs share.
fn timeless(mut answer: Value) -> Value {
    for one in answer["compared"].as_array_mut().unwrap() {
        for (_, seconds) in one["seconds"].as_object_mut().unwrap() {
            assert!(seconds.is_number(), "{seconds}");
            *seconds = "[seconds]".into();
        }
    }
    answer
}

/// What `publish` says when it is given each algorithm alone, beside what the comparison says.
fn same_as_alone(folder: &Folder, own: &str) -> Vec<String> {
    let policy = folder.text("policy.toml");
    let code = folder.scrim(&["publish", "policy.toml"]).code.unwrap();
    let answer = compare(folder, code);
    let mut verdicts = Vec::new();
    for one in answer["compared"].as_array().unwrap() {
        let algorithm = one["algorithm"].as_str().unwrap();
        assert_eq!(one["chosen"], own == algorithm);
        let named = format!("algorithm = \"{algorithm}\"");
        folder.write(
            "policy.toml",
            policy.replace(&format!("algorithm = \"{own}\""), &named),
        );
        let run = folder.scrim(&["publish", "policy.toml", "--json"]);
        let alone = run.json();
        let expected = match run.code {
            Some(0) => "certified",
            Some(1) if !alone["combination"].is_null() => "broken",
            Some(1) => "refused",
            _ => "not applicable",
        };
        assert_eq!(one["verdict"], expected, "{algorithm}\n{}", run.shown());
        match expected {
            "certified" => {
                for key in [
                    "rows", "classes", "metrics", "models", "optimal", "searched",
                ] {
                    assert_eq!(one[key], alone[key], "{algorithm}: {key}");
                }
                for key in ["kind", "levels"] {
                    assert_eq!(one["recoding"].get(key), alone["recoding"].get(key));
                }
                assert_eq!(one["reason"], Value::Null);
            }
            "refused" | "broken" => assert_eq!(one["reason"], alone["reason"], "{algorithm}"),
            _ => {
                let reason = one["reason"].as_str().unwrap();
                assert!(run.stderr.contains(reason), "{reason}\n{}", run.stderr);
                assert!(!reason.contains('\n') && one["metrics"].is_null());
            }
        }
        verdicts.push(format!("{algorithm} {expected}"));
    }
    folder.write("policy.toml", policy);
    verdicts
}

#[test]
fn every_algorithm_of_the_catalog_is_compared_once() {
    let folder = Folder::figure_7();
    let catalog = folder.scrim(&["catalog", "--json"]).exits(0).json();
    let names = |list: &Value, kind: Option<&str>, key: &str| {
        let all = list.as_array().unwrap().iter();
        let listed = all.filter(|one| kind.is_none_or(|kind| one["kind"] == kind));
        let mut names: Vec<String> = listed
            .map(|one| one[key].as_str().unwrap().into())
            .collect();
        names.sort();
        names
    };
    let mut listed = names(&catalog, Some("algorithm"), "name");
    // A chain is walked only where the policy has one.
    listed.retain(|name| name != "chain");
    assert!(listed.len() >= 8, "{listed:?}");
    assert_eq!(
        names(&compare(&folder, 0)["compared"], None, "algorithm"),
        listed
    );
}

#[test]
fn each_algorithm_answers_as_it_does_alone() {
    let verdicts = same_as_alone(&folder(OWN, ""), "optimal");
    assert!(
        verdicts.contains(&"mingen-cell certified".to_owned()),
        "{verdicts:?}"
    );
    assert!(
        verdicts.contains(&"datafly certified".to_owned()),
        "{verdicts:?}"
    );
}

#[test]
fn each_algorithm_answers_as_it_does_alone_with_dropped_rows_and_another_metric() {
    let search = "algorithm = \"top-down\"\nmetric = \"loss\"\nsuppression = 0.25\nsuppressed = \"drop\"\ntighten = false\nweights = { ZIP = 2 }";
    let more = "[[privacy]]\nmodel = \"l-diversity\"\nl = 2\n\n";
    let verdicts = same_as_alone(&folder(search, more), "top-down");
    assert!(
        verdicts.contains(&"mingen not applicable".to_owned()),
        "{verdicts:?}"
    );
    assert!(
        verdicts.contains(&"incognito certified".to_owned()),
        "{verdicts:?}"
    );
}

#[test]
fn each_algorithm_answers_as_it_does_alone_under_wishes() {
    let folder = wishes();
    let verdicts = same_as_alone(&folder, "optimal");
    assert!(
        verdicts.contains(&"incognito not applicable".to_owned()),
        "{verdicts:?}"
    );
    let answer = compare(&folder, 0);
    assert!(entry(&answer, "personalized")["metrics"]["sensitive_loss"].is_number());
    assert!(
        !answer["best"]["sensitive_loss"]
            .as_array()
            .unwrap()
            .is_empty()
    );
    let text = folder
        .scrim(&["publish", "policy.toml", "--compare"])
        .exits(0);
    assert!(
        text.stdout.contains("[info]") && text.stdout.contains("sens."),
        "{}",
        text.shown()
    );
}

/// Datafly read literally suppresses all of Figure 7 at k = 7 ([Sweeney02], erratum 6).
#[test]
fn a_search_that_finds_nothing_is_refused_and_the_others_go_on() {
    let folder = folder(&format!("{OWN}\nstrict = true"), "");
    folder.replace("policy.toml", "k = 2", "k = 7");
    let verdicts = same_as_alone(&folder, "optimal");
    assert!(
        verdicts.contains(&"datafly refused".to_owned()),
        "{verdicts:?}"
    );
    assert_eq!(entry(&compare(&folder, 0), "datafly")["rows"], Value::Null);
    folder.replace("policy.toml", OWN, "algorithm = \"datafly\"");
    let answer = compare(&folder, 1);
    assert_eq!(entry(&answer, "datafly")["chosen"], true);
    assert_eq!(entry(&answer, "optimal")["verdict"], "certified");
}

#[test]
fn what_no_release_can_give_is_refused_by_all() {
    let folder = folder(OWN, "[[privacy]]\nmodel = \"p-sensitive\"\np = 13\n\n");
    let alone = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(1)
        .json();
    for one in compare(&folder, 1)["compared"].as_array().unwrap() {
        assert_eq!(one["verdict"], "refused");
        assert_eq!(one["reason"], alone["reason"]);
    }
}

#[test]
fn a_policy_whose_own_algorithm_cannot_carry_it_exits_2_and_shows_the_others() {
    let more = "[[privacy]]\nmodel = \"p-sensitive\"\np = 2\n\n";
    let folder = folder("algorithm = \"mingen-cell\"", more);
    let run = folder
        .scrim(&["publish", "policy.toml", "--compare"])
        .exits(2);
    let alone = folder.scrim(&["publish", "policy.toml"]).exits(2);
    assert_eq!(run.stderr, alone.stderr);
    assert!(
        run.stdout.contains("> mingen-cell   not applicable"),
        "{}",
        run.shown()
    );
    let answer = compare(&folder, 2);
    assert_eq!(entry(&answer, "top-down")["verdict"], "certified");
    assert_eq!(answer["metric"], "prec");
}

#[test]
fn nothing_is_written() {
    let folder = Folder::figure_7();
    let before = folder.files(".");
    compare(&folder, 0);
    assert_eq!(folder.files("."), before);
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    let (before, release) = (folder.files("."), folder.files("release"));
    assert!(release.is_some());
    folder.replace("policy.toml", "\"csv\"", "\"parquet\"");
    compare(&folder, 0);
    folder.replace("policy.toml", "\"parquet\"", "\"csv\"");
    assert_eq!(
        (folder.files("."), folder.files("release")),
        (before, release)
    );
}

#[test]
fn the_answer_is_the_same_on_any_number_of_threads_but_for_times() {
    let folder = folder(&format!("{OWN}\nsuppression = 0.2"), "");
    let first = timeless(compare(&folder, 0));
    for threads in ["1", "3"] {
        let arguments = [
            "publish",
            "policy.toml",
            "--compare",
            "--json",
            "--threads",
            threads,
        ];
        assert_eq!(timeless(folder.scrim(&arguments).exits(0).json()), first);
    }
}

#[test]
fn the_comparison_as_people_and_programs_see_it() {
    let more = "[[privacy]]\nmodel = \"p-sensitive\"\np = 2\n\n";
    let folder = folder(&format!("{OWN}\nstrict = true\nsuppression = 0.2"), more);
    let answer = timeless(compare(&folder, 0));
    insta::assert_snapshot!(serde_json::to_string_pretty(&answer).unwrap());
    let run = folder
        .scrim(&["publish", "policy.toml", "--compare"])
        .exits(0);
    for line in run.stdout.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    let cut = |line: &str| match line.rsplit_once(' ') {
        Some((before, time)) if time.contains('.') && time.parse::<f64>().is_ok() => {
            format!("{} [time]\n", before.trim_end())
        }
        _ => format!("{line}\n"),
    };
    let shown = run.shown();
    let (endings, costs) = shown.split_once("\n\n").unwrap();
    let endings: String = endings.lines().map(cut).collect();
    insta::assert_snapshot!(format!("{endings}\n{costs}"));
}

#[test]
fn the_best_of_each_metric_are_named() {
    let answer = compare(&Folder::figure_7(), 0);
    for (key, names) in answer["best"].as_object().unwrap() {
        let value = |one: &Value| {
            let value = one["metrics"][key].as_f64().unwrap();
            if key == "prec" { -value } else { value }
        };
        let all: Vec<&Value> = answer["compared"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|one| one["verdict"] == "certified")
            .collect();
        let least = all
            .iter()
            .map(|one| value(one))
            .fold(f64::INFINITY, f64::min);
        let best: Vec<&Value> = all
            .iter()
            .filter(|one| value(one) <= least + least.abs() * 1e-9)
            .map(|one| &one["algorithm"])
            .collect();
        assert_eq!(json!(best), *names, "{key}");
    }
    // No release is more precise than the proven one.
    assert_eq!(answer["best"]["prec"][0], "mingen-cell");
}

#[test]
fn bad_policies_and_data_exit_2_as_in_publish() {
    let spoil: [fn(&Folder); 3] = [
        |folder| folder.write("data.csv", FIGURE_7.replacen("02141", "02141,\"x", 1)),
        |folder| folder.replace("policy.toml", "Race =", "Rase ="),
        |folder| folder.replace("policy.toml", OWN, "algorithm = \"best\""),
    ];
    for spoil in spoil {
        let folder = Folder::figure_7();
        spoil(&folder);
        let before = folder.files(".");
        let run = folder
            .scrim(&["publish", "policy.toml", "--compare"])
            .exits(2);
        let alone = folder.scrim(&["publish", "policy.toml"]).exits(2);
        assert_eq!(run.stderr, alone.stderr);
        assert_eq!((run.stdout.as_str(), folder.files(".")), ("", before));
    }
}

#[test]
fn a_limit_is_for_comparing_only_and_at_least_a_second() {
    let folder = Folder::figure_7();
    for name in ["--limit", "--time-limit"] {
        let alone = folder.scrim(&["publish", "policy.toml", name, "5"]);
        assert!(alone.exits(2).stderr.contains("--compare"));
        folder
            .scrim(&["publish", "policy.toml", "--compare", name, "0"])
            .exits(2);
        folder
            .scrim(&["publish", "policy.toml", "--compare", name, "60"])
            .exits(0);
    }
    assert_eq!(folder.files("release"), None);
}
