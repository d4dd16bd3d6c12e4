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

#[test]
fn all_optimal_tables_of_figure_7_are_listed_and_the_manifest_has_their_number_only() {
    for (k, tables) in [(2, 3), (3, 2), (4, 15)] {
        let folder = folder("");
        folder.replace("policy.toml", "k = 2\n", &format!("k = {k}\n"));
        let answer = folder
            .scrim(&["publish", "policy.toml", "--json"])
            .exits(0)
            .json();
        assert_eq!(answer["ties_count"], tables, "k = {k}");
        assert_eq!(answer["ties_complete"], true);
        let ties = answer["ties"].as_array().unwrap();
        assert_eq!(ties.len(), tables);
        for table in ties {
            let classes = table["classes"].as_array().unwrap();
            let rows = classes
                .iter()
                .flat_map(|class| class["rows"].as_array().unwrap());
            let mut rows: Vec<u64> = rows.map(|row| row.as_u64().unwrap()).collect();
            rows.sort_unstable();
            assert_eq!(rows, (1..=12).collect::<Vec<u64>>());
            classes
                .iter()
                .for_each(|class| has_rows_of_the_file(&folder, class));
        }
        let manifest: serde_json::Value =
            serde_json::from_str(&folder.text("release/manifest.json")).unwrap();
        assert_eq!(manifest["ties"], serde_json::json!([]));
        let number = format!("{tables} tables were equally good");
        assert!(manifest["tie_rules"].to_string().contains(&number));
        let run = folder.scrim(&["publish", "policy.toml"]).exits(0);
        let words = format!("{tables} tables are equally good; table 1 is published");
        assert!(run.stdout.contains(&words), "{}", run.stdout);
    }
}

/// The numbers are those of the file: what a class shows as it is stands in each of its rows.
fn has_rows_of_the_file(folder: &Folder, class: &serde_json::Value) {
    let data = folder.text("data.csv");
    let lines: Vec<Vec<&str>> = data.lines().map(|line| line.split(',').collect()).collect();
    for (column, shown) in class["values"].as_object().unwrap() {
        let at = lines[0].iter().position(|name| name == column).unwrap();
        let shown = shown.as_str().unwrap();
        let is_leaf = lines[1..].iter().any(|line| line[at] == shown);
        for row in class["rows"].as_array().unwrap() {
            let cell = lines[row.as_u64().unwrap() as usize][at];
            assert!(!is_leaf || cell == shown, "{column}: {class}");
        }
    }
}

#[test]
fn preferred_columns_choose_between_equals_and_must_be_quasi_identifiers() {
    // Two rows look alike in one of the columns, so that either may be generalized for all.
    let published = |preferred: &str| {
        let folder = Folder::empty();
        folder.write("data.csv", "p,q\na,x\na,y\nb,x\nb,y\n");
        folder.write(
            "policy.toml",
            format!("[data]\npath = \"data.csv\"\n[columns]\np = {{ role = \"quasi\" }}\nq = {{ role = \"quasi\" }}\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n[search]\nalgorithm = \"mingen-cell\"\npreferred = [\"{preferred}\"]\n"),
        );
        folder.scrim(&["publish", "policy.toml"]).exits(0);
        let mut rows: Vec<String> = folder
            .text("release/release.csv")
            .lines()
            .map(str::to_owned)
            .collect();
        rows.sort_unstable();
        rows
    };
    assert_eq!(published("p"), ["a,*", "a,*", "b,*", "b,*", "p,q"]);
    assert_eq!(published("q"), ["*,x", "*,x", "*,y", "*,y", "p,q"]);
    let run = folder("preferred = [\"Problem\"]")
        .scrim(&["publish", "policy.toml"])
        .exits(2);
    assert!(
        run.stderr
            .contains("`preferred` in [search] names `Problem`, which is no quasi-identifier"),
        "{}",
        run.stderr
    );
}

/// Publishes a table in which either of two columns may be generalized for all rows.
fn either(search: &str) -> String {
    let folder = Folder::empty();
    folder.write("data.csv", "p,q\na,x\na,y\nb,x\nb,y\n");
    folder.write(
        "policy.toml",
        format!("[data]\npath = \"data.csv\"\n[columns]\np = {{ role = \"quasi\" }}\nq = {{ role = \"quasi\" }}\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n[search]\n{search}\n"),
    );
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    folder.text("release/release.csv")
}

const KEEPS_P: &str = "p,q\na,*\na,*\nb,*\nb,*\n";
const KEEPS_Q: &str = "p,q\n*,x\n*,x\n*,y\n*,y\n";

#[test]
fn preferred_columns_choose_between_equal_nodes_in_every_search_of_the_lattice() {
    for algorithm in ["optimal", "mingen", "incognito"] {
        let published = |column: &str| {
            either(&format!(
                "algorithm = \"{algorithm}\"\npreferred = [\"{column}\"]"
            ))
        };
        assert_eq!(published("p"), KEEPS_P, "{algorithm}");
        assert_eq!(published("q"), KEEPS_Q, "{algorithm}");
    }
}

#[test]
fn weights_of_datafly_decide_unless_they_are_equal() {
    let published = |weights: &str| either(&format!("algorithm = \"datafly\"\n{weights}"));
    let without = published("");
    assert_eq!(without, KEEPS_Q);
    for key in ["linking", "distort"] {
        assert_eq!(
            published(&format!("{key} = {{ p = 0.1 }}")),
            KEEPS_P,
            "{key}"
        );
        for equal in ["0", "0.5"] {
            let weights = format!("{key} = {{ p = {equal}, q = {equal} }}");
            assert_eq!(published(&weights), without, "{weights}");
        }
    }
}
