//! The least distortion cell by cell from the command line: published, certified, bounded, and refused where it is unsound.

use crate::folder::{Folder, POLICY};

fn folder(search: &str) -> Folder {
    let folder = Folder::figure_7();
    let ours = format!("algorithm = \"mingen-cell\"\n{search}");
    folder.write(
        "policy.toml",
        POLICY.replace("algorithm = \"optimal\"", &ours),
    );
    folder
}

#[test]
fn the_best_cells_of_figure_7_are_published_certified_and_proven() {
    let folder = folder("");
    let answer = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(answer["algorithm"], "mingen-cell");
    assert_eq!(answer["optimal"], true);
    assert_eq!(answer["models"][0]["holds"], true);
    let metrics = &answer["metrics"];
    assert_eq!(metrics["prec_exact"], "257/288");
    assert_eq!(metrics["bound"], metrics["prec"]);
    assert_eq!(metrics["gap"], 0.0);
    assert_eq!(answer["rows"]["suppressed"], 0);
    folder
        .scrim(&["audit", "release/release.csv", "-p", "policy.toml"])
        .exits(0);
}

#[test]
fn the_release_is_the_same_for_any_number_of_threads() {
    let release = |threads: &str| {
        let folder = folder("metric = \"loss-mean\"\ntime-limit = 600");
        folder
            .scrim(&["publish", "policy.toml", "--threads", threads])
            .exits(0);
        folder.read("release/release.csv")
    };
    assert_eq!(release("1"), release("3"));
}

#[test]
fn other_searches_tell_no_bound() {
    let folder = Folder::figure_7();
    let answer = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(0)
        .json();
    assert!(answer["metrics"].get("bound").is_none());
    assert!(answer["metrics"].get("gap").is_none());
}

#[test]
fn what_it_cannot_optimize_or_carry_is_refused_with_a_way_out() {
    let answer = folder("metric = \"entropy\"")
        .scrim(&["publish", "policy.toml"])
        .exits(2);
    assert!(
        answer.stderr.contains("`prec` or `loss-mean`"),
        "{}",
        answer.stderr
    );
    let answer = folder("time-limit = 0")
        .scrim(&["publish", "policy.toml"])
        .exits(2);
    assert!(answer.stderr.contains("time-limit"), "{}", answer.stderr);
    let folder = folder("");
    let policy = folder.text("policy.toml");
    let more = "[[privacy]]\nmodel = \"p-sensitive\"\np = 2\n\n[search]";
    folder.write("policy.toml", policy.replace("[search]", more));
    let answer = folder.scrim(&["publish", "policy.toml"]).exits(2);
    assert!(
        answer.stderr.contains("p-sensitive") && answer.stderr.contains("top-down"),
        "{}",
        answer.stderr
    );
    assert!(folder.files("release").is_none());
}
