//! `scrim bench`: made-up tables are the same everywhere and publish at once; runs are measured, ended and told.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::folder::{Folder, Run};

/// Runs a search on small tables, once.
fn small(folder: &Folder, more: &[&str]) -> Run {
    let common = [
        "bench",
        "run",
        "--sizes",
        "200",
        "--repeats",
        "1",
        "-k",
        "2",
    ];
    folder.scrim(&[&common[..], more].concat())
}

fn lines(answer: &Value) -> Vec<&Value> {
    let tables = answer["tables"].as_array().unwrap();
    tables
        .iter()
        .flat_map(|table| table["lines"].as_array().unwrap())
        .collect()
}

#[test]
fn a_table_is_the_same_for_any_number_of_threads_and_for_its_seed() {
    let folder = Folder::empty();
    // Two pieces.
    for (kind, file) in [("csv", "data.csv"), ("parquet", "data.parquet")] {
        let made = |dir: &str, seed: &str, threads: &str| {
            let words = [
                "bench", "generate", "--rows", "70000", "--quasi", "4", "-o", dir,
            ];
            let more = ["--as", kind, "--seed", seed, "--threads", threads];
            folder.scrim(&[&words[..], &more].concat()).exits(0);
            folder.read(&format!("{dir}/{file}"))
        };
        let one = made(&format!("{kind}-1"), "7", "1");
        assert!(one == made(&format!("{kind}-2"), "7", "3"), "{kind}");
        assert!(one != made(&format!("{kind}-3"), "8", "1"), "{kind}");
    }
}

#[test]
fn a_table_has_the_columns_asked_for_and_publishes_at_once() {
    let folder = Folder::empty();
    let generate = |dir: &str, more: &[&str]| {
        let words = ["bench", "generate", "--rows", "300", "-k", "2", "-o", dir];
        folder.scrim(&[&words[..], more].concat()).exits(0);
        let policy = format!("{dir}/policy.toml");
        let run = folder.scrim(&["publish", &policy, "--json"]).exits(0);
        assert_eq!(run.json()["status"], "published");
        let risk = ["hierarchy", "check", &policy];
        folder.scrim(&risk).exits(0);
    };
    generate("adult", &[]);
    let text = folder.text("adult/data.csv");
    let header =
        "sex,age,race,marital-status,education,native-country,workclass,occupation,salary-class";
    assert_eq!(text.lines().next(), Some(header));
    assert_eq!(text.lines().count(), 301);
    generate(
        "wide",
        &["--quasi", "11", "--as", "parquet", "--algorithm", "datafly"],
    );
    assert!(folder.text("wide/policy.toml").contains("\nage-2 = "));
    let even = [
        "--shape", "even", "--quasi", "3", "--values", "7", "--levels", "2",
    ];
    generate("even", &even);
    let text = folder.text("even/data.csv");
    assert_eq!(text.lines().next(), Some("q01,q02,q03"));
    let seen: BTreeSet<&str> = text
        .lines()
        .skip(1)
        .flat_map(|line| line.split(','))
        .collect();
    assert_eq!(seen, ["v1", "v2", "v3", "v4", "v5", "v6", "v7"].into());
    let levels = folder.text("even/hierarchies/q02.csv");
    assert_eq!(levels.lines().nth(3), Some("v4;v4..v6;*"));
}

#[test]
fn only_a_former_table_is_written_over() {
    let folder = Folder::empty();
    let words = ["bench", "generate", "--rows", "5", "-o"];
    folder.scrim(&[&words[..], &["made"]].concat()).exits(0);
    folder.scrim(&[&words[..], &["made"]].concat()).exits(0);
    let refused = Folder::figure_7().scrim(&[&words[..], &["."]].concat());
    let refused = refused.exits(2);
    assert!(
        refused.stderr.contains(". is not empty"),
        "{}",
        refused.shown()
    );
    for (more, said) in [
        (&["--values", "3"][..], "`--values` and `--levels`"),
        (&["--algorithm", "fast"], "there is no search `fast`"),
        (&["--rows", "0"], "not a number from 1"),
    ] {
        let run = folder.scrim(&[&words[..1], &["generate", "-o", "other"], more].concat());
        let run = run.exits(2);
        assert!(run.stderr.contains(said), "{}", run.shown());
        assert!(folder.files("other").is_none());
    }
}

#[test]
fn every_search_is_run_and_told_with_the_floor() {
    let folder = Folder::empty();
    let run = small(&folder, &["--quasi", "3,9", "--json", "-o", "table.md"]).exits(0);
    let answer = run.json();
    let searches = [
        "optimal",
        "datafly",
        "mondrian",
        "top-down",
        "incognito",
        "local",
    ];
    let tables = answer["tables"].as_array().unwrap();
    let shapes: Vec<(u64, u64)> = tables
        .iter()
        .map(|table| {
            (
                table["rows"].as_u64().unwrap(),
                table["quasi"].as_u64().unwrap(),
            )
        })
        .collect();
    assert_eq!(shapes, [(200, 9), (200, 3)]);
    for table in tables {
        let floor = &table["floor"];
        assert_eq!(floor["rows"], 200);
        let distinct = floor["distinct"].as_u64().unwrap();
        assert!((2..=200).contains(&distinct), "{floor}");
        assert!(floor["bytes"].as_u64().unwrap() > 1_000, "{floor}");
        assert!(floor["read"]["wall"].is_f64() && floor["probe"]["wall"].is_f64());
        let lines = table["lines"].as_array().unwrap();
        let names: Vec<&str> = lines
            .iter()
            .map(|line| line["algorithm"].as_str().unwrap())
            .collect();
        assert_eq!(names, searches);
        for line in lines {
            assert_eq!(line["used"]["ended"], "done", "{line}");
            assert!(line["used"]["wall"].as_f64().unwrap() > 0.0);
            #[cfg(unix)]
            for key in ["cpu", "megabytes"] {
                assert!(line["used"][key].as_f64().unwrap() > 0.0, "{line}");
            }
        }
    }
    for key in ["cores", "cpu", "megabytes", "release_build"] {
        assert!(answer["machine"].get(key).is_some(), "{key}");
    }
    let page = folder.text("table.md");
    assert!(
        page.contains("\n### Searches\n\n| rows | quasi | search |"),
        "{page}"
    );
    for search in searches {
        assert_eq!(page.matches(&format!("| {search} |")).count(), 2, "{page}");
    }
}

#[test]
fn sizes_give_an_exponent_and_a_table_for_people() {
    let folder = Folder::empty();
    let words = [
        "bench",
        "run",
        "--sizes",
        "3000,100",
        "--quasi",
        "9",
        "--algorithms",
        "datafly",
    ];
    let run = folder.scrim(&[&words[..], &["--repeats", "2", "--scratch", "here"]].concat());
    let run = run.exits(0);
    for part in [
        "\nSearches\n",
        "\nGrowth: ",
        "\nThe floor: ",
        "datafly",
        "3,000",
        " cores, ",
    ] {
        assert!(run.stdout.contains(part), "{part}\n{}", run.stdout);
    }
    assert!(!run.stdout.contains("What failed"), "{}", run.stdout);
    // What was made for it is gone.
    assert_eq!(folder.files("here"), Some(Vec::new()));
}

#[cfg(unix)]
#[test]
fn a_child_over_its_limit_is_killed_and_told() {
    let folder = Folder::empty();
    let begun = std::time::Instant::now();
    let run = folder.scrim(&[
        "bench", "measure", "--limit", "0.1", "--json", "--", "sleep", "600",
    ]);
    let used = run.exits(1).json();
    assert_eq!(used["ended"], "over-limit");
    assert!(used["wall"].as_f64().unwrap() >= 0.1);
    // It was not waited for.
    assert!(begun.elapsed().as_secs() < 600);
    let run = small(
        &folder,
        &[
            "--quasi",
            "9",
            "--algorithms",
            "optimal",
            "--limit",
            "0.001",
        ],
    )
    .exits(0);
    assert!(run.stdout.contains("over 0.001 s"), "{}", run.stdout);
}

#[cfg(unix)]
#[test]
fn what_is_over_the_limit_is_not_run_at_a_larger_size() {
    let folder = Folder::empty();
    let words = [
        "bench",
        "run",
        "--sizes",
        "50,60,70",
        "--quasi",
        "9",
        "--algorithms",
        "optimal",
    ];
    let run = folder.scrim(&[&words[..], &["--limit", "0.001", "--json"]].concat());
    let answer = run.exits(0).json();
    let ended: Vec<&Value> = lines(&answer)
        .iter()
        .map(|line| &line["used"]["ended"])
        .collect();
    assert_eq!(ended, ["over-limit", "not-run", "not-run"]);
}

#[cfg(unix)]
#[test]
fn a_command_is_measured_whatever_its_end() {
    let folder = Folder::empty();
    let run = folder.scrim(&[
        "bench",
        "measure",
        "--json",
        "--",
        "sh",
        "-c",
        "echo no; exit 3",
    ]);
    let used = run.exits(1).json();
    assert_eq!(
        (&used["ended"], &used["exit"]),
        (&"failed".into(), &3.into())
    );
    let run = folder.scrim(&["bench", "measure", "--", "true"]).exits(0);
    assert!(
        run.stdout.contains("CPU ") && run.stdout.contains("exit 0"),
        "{}",
        run.stdout
    );
    let run = folder
        .scrim(&["bench", "measure", "--", "./no-such-program"])
        .exits(2);
    assert!(run.stderr.contains("./no-such-program"), "{}", run.stderr);
}

#[cfg(unix)]
#[test]
fn memory_is_that_of_the_child() {
    let folder = Folder::empty();
    let peak = |bytes: &str| {
        let script = format!("x=$(head -c {bytes} /dev/zero | tr '\\0' x); echo ${{#x}}");
        let run = folder.scrim(&["bench", "measure", "--json", "--", "sh", "-c", &script]);
        run.exits(0).json()["megabytes"].as_f64().unwrap()
    };
    let (small, large) = (peak("1"), peak("200000000"));
    assert!(large > small + 150.0, "{small} and {large}");
}

#[test]
fn a_given_table_is_run_under_its_own_policy_and_left_alone() {
    let folder = Folder::figure_7();
    let before = folder.files(".");
    let words = [
        "bench",
        "run",
        "--data",
        "data.csv",
        "--policy",
        "policy.toml",
        "--repeats",
        "1",
    ];
    let run =
        folder.scrim(&[&words[..], &["--algorithms", "optimal,incognito", "--json"]].concat());
    let answer = run.exits(0).json();
    assert_eq!(answer["tables"][0]["quasi"], 4);
    assert_eq!(answer["tables"][0]["floor"]["rows"], 12);
    for line in lines(&answer) {
        assert_eq!(line["used"]["ended"], "done", "{line}");
    }
    assert_eq!(folder.files("."), before);
}

#[cfg(unix)]
#[test]
fn peers_stand_beside_us_and_their_failures_are_told() {
    let folder = Folder::empty();
    // Stands for a Python: fails for one of them, as one that is not installed does.
    folder.write(
        "python",
        "#!/bin/sh\n[ \"$2\" != anjana ] || { echo no module >&2; exit 1; }\n",
    );
    let path = folder.path("python");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&path, mode).unwrap();
    let peers = [
        "--quasi",
        "9",
        "--algorithms",
        "datafly",
        "--peer-sizes",
        "60",
        "--json",
    ];
    let run = small(
        &folder,
        &[&peers[..], &["--peers", path.to_str().unwrap()]].concat(),
    );
    let answer = run.exits(0).json();
    let peers = answer["peers"].as_array().unwrap();
    let told: Vec<(&str, &str, &str)> = peers
        .iter()
        .map(|peer| {
            let word = |value: &'_ Value| -> String { value.as_str().unwrap().to_owned() };
            assert_eq!(peer["ours"]["ended"], "done", "{peer}");
            assert_eq!(
                word(&peer["theirs"]["ended"]) == "failed",
                peer["cpu_ratio"].is_null()
            );
            (
                peer["name"].as_str().unwrap(),
                peer["ours_is"].as_str().unwrap(),
                peer["theirs"]["ended"].as_str().unwrap(),
            )
        })
        .collect();
    let expected = [
        ("anonypy", "mondrian", "done"),
        ("anjana", "optimal", "failed"),
        ("pycanon", "risk", "done"),
    ];
    assert_eq!(told, expected);
    assert_eq!(peers[1]["theirs"]["why"], "no module");
}
