//! Publishing, and what can be done with a release.

use std::io::Read;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::folder::{FIGURE_10, Folder};

fn published(folder: &Folder) -> Value {
    folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(0)
        .json()
}

#[test]
fn publishing_says_what_was_done() {
    let folder = Folder::figure_7();
    insta::assert_snapshot!(folder.scrim(&["publish", "policy.toml"]).exits(0).shown());
    insta::assert_snapshot!(folder.text("release/release.csv"));
}

#[test]
fn the_json_of_publish_has_the_keys_of_the_contract() {
    let folder = Folder::figure_7();
    let answer = published(&folder);
    assert_eq!(answer["status"], "published");
    assert_eq!(answer["files"]["release"], "release/release.csv");
    assert_eq!(answer["files"]["manifest"], "release/manifest.json");
    assert_eq!(answer["algorithm"], "optimal");
    assert_eq!(answer["recoding"]["kind"], "full-domain");
    let levels = serde_json::json!({ "Race": 0, "BirthDate": 2, "Gender": 1, "ZIP": 0 });
    assert_eq!(answer["recoding"]["levels"], levels);
    assert_eq!(
        (&answer["rows"]["read"], &answer["rows"]["released"]),
        (&12.into(), &12.into())
    );
    assert_eq!(answer["rows"]["suppressed"], 0);
    for (key, value) in [("count", 4.0), ("min", 2.0), ("mean", 3.0), ("max", 4.0)] {
        assert_eq!(answer["classes"][key].as_f64(), Some(value), "{key}");
    }
    for metric in [
        "prec",
        "distortion_ratio",
        "information_loss",
        "loss",
        "discernibility",
        "average_class_size",
        "entropy",
    ] {
        assert!(answer["metrics"][metric].is_number(), "{metric}");
    }
    assert_eq!(answer["metrics"]["prec_exact"], "3/4");
    let model = &answer["models"][0];
    assert_eq!(
        (&model["model"], &model["k"]),
        (&"k-anonymity".into(), &2.into())
    );
    assert_eq!(
        (&model["holds"], &model["observed"]),
        (&true.into(), &2.into())
    );
    assert_eq!(answer["searched"]["lattice"], 180);
    assert!(answer["searched"]["checked"].is_u64());
    for stage in ["read", "search", "apply", "certify", "write"] {
        assert!(answer["seconds"][stage].is_number(), "{stage}");
    }
}

#[test]
fn a_release_keeps_its_promise_and_the_raw_table_does_not() {
    let folder = Folder::figure_7();
    published(&folder);
    insta::assert_snapshot!(
        folder
            .scrim(&["audit", "release/release.csv", "--policy", "policy.toml"])
            .exits(0)
            .shown()
    );
    insta::assert_snapshot!(
        folder
            .scrim(&["audit", "data.csv", "--policy", "policy.toml"])
            .exits(1)
            .shown()
    );
    let answer = folder
        .scrim(&["audit", "data.csv", "-p", "policy.toml", "--json"])
        .exits(1)
        .json();
    assert_eq!(answer["holds"], false);
    assert_eq!(answer["models"][0]["witness"]["class"], 1);
    assert!(answer["models"][0]["witness"]["values"]["ZIP"].is_null());
    assert!(
        answer["models"][0]["witness"]["values"]
            .get("Problem")
            .is_none()
    );
}

#[test]
fn measure_gives_the_metrics_of_publish() {
    let folder = Folder::figure_7();
    for search in [
        "algorithm = \"optimal\"",
        "algorithm = \"datafly\"",
        "algorithm = \"datafly\"\nsuppressed = \"drop\"",
    ] {
        folder.write(
            "policy.toml",
            crate::folder::POLICY.replace("algorithm = \"optimal\"", search),
        );
        let made = published(&folder);
        let measured = folder.scrim(&[
            "measure",
            "data.csv",
            "release/release.csv",
            "-p",
            "policy.toml",
            "--json",
        ]);
        assert_eq!(
            measured.exits(0).json()["metrics"],
            made["metrics"],
            "{search}"
        );
    }
    let text = folder.scrim(&[
        "measure",
        "data.csv",
        "release/release.csv",
        "-p",
        "policy.toml",
    ]);
    insta::assert_snapshot!(text.exits(0).shown());
}

#[test]
fn the_lattice_lists_all_minimal_generalizations() {
    let folder = Folder::figure_7();
    insta::assert_snapshot!(folder.scrim(&["lattice", "policy.toml"]).exits(0).shown());
    let answer = folder
        .scrim(&["lattice", "policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(answer["size"], 180);
    let precs: Vec<&Value> = answer["minimal"]
        .as_array()
        .unwrap()
        .iter()
        .map(|node| &node["prec_exact"])
        .collect();
    assert_eq!(precs, ["3/4", "35/48"]);
    assert_eq!(answer["minimal"][1]["suppressed"], 0);
    assert!(answer["minimal"][1]["distortion_ratio"].is_number());
}

#[test]
fn datafly_gives_figure_10() {
    let folder = Folder::figure_7();
    folder.replace(
        "policy.toml",
        "\"optimal\"",
        "\"datafly\"\nsuppressed = \"drop\"",
    );
    let answer = published(&folder);
    let (header, rows) = FIGURE_10.split_once('\n').unwrap();
    let mut rows: Vec<&str> = rows.lines().collect();
    rows.sort_unstable();
    let sorted = format!("{header}\n{}\n", rows.join("\n"));
    assert_eq!(folder.text("release/release.csv"), sorted);
    assert_eq!(answer["rows"]["suppressed"], 2);
    assert_eq!(answer["metrics"]["prec_exact"], "25/32");
    folder
        .scrim(&["audit", "release/release.csv", "-p", "policy.toml"])
        .exits(0);
}

#[test]
fn the_same_policy_gives_the_same_bytes_on_any_number_of_threads() {
    let folder = Folder::figure_7();
    for algorithm in ["optimal", "mingen", "datafly"] {
        folder.write(
            "policy.toml",
            crate::folder::POLICY.replace("\"optimal\"", &format!("\"{algorithm}\"")),
        );
        published(&folder);
        let first = folder.files("release");
        for threads in [&[][..], &["--threads", "1"], &["--threads", "2"]] {
            folder
                .scrim(&[&["publish", "policy.toml"], threads].concat())
                .exits(0);
            assert!(folder.files("release") == first, "{algorithm} {threads:?}");
        }
    }
}

/// Datafly read literally suppresses all of Figure 7 at k = 7 ([Sweeney02], erratum 6).
#[test]
fn nothing_publishable_is_a_no() {
    let folder = Folder::figure_7();
    folder.replace("policy.toml", "\"optimal\"", "\"datafly\"\nstrict = true");
    folder.replace("policy.toml", "k = 2", "k = 7");
    insta::assert_snapshot!(folder.scrim(&["publish", "policy.toml"]).exits(1).shown());
    let answer = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(1)
        .json();
    assert_eq!(answer["status"], "refused");
    assert!(answer["reason"].is_string());
    assert_eq!(folder.files("release"), None);
}

#[test]
fn a_reader_who_closes_the_pipe_is_no_error() {
    let folder = Folder::figure_7();
    for arguments in [
        &["lattice", "policy.toml"][..],
        &["reproduce"],
        &["catalog"],
    ] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_scrim"))
            .args(arguments)
            .current_dir(folder.path("."))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut talk = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut talk)
            .unwrap();
        assert_eq!(
            child.wait().unwrap().code(),
            Some(0),
            "{arguments:?}: {talk}"
        );
        assert!(!talk.contains("error"), "{arguments:?}: {talk}");
    }
}
