//! Somebody who knows the algorithm, through the command line: the examples of [Zhang07], chains of every kind, and bad input.

use serde_json::{Value, json};

use crate::folder::Folder;

/// Table 2: ids, three partitions, conditions of G0 and of Gb.
const G0: &str = "id,g1,g2,g3,s\nA,1,1,1,c1\nB,1,1,1,c2\nC,2,2,1,c3\nD,2,2,2,c2\nE,3,2,2,c4\nF,3,3,2,c4\nG,4,3,2,c6\nH,4,3,3,c5\nI,5,4,3,c6\nJ,5,4,3,c7\n";
const GB: &str = "id,g1,g2,g3,s\nA,1,1,1,c1\nB,1,1,1,c3\nC,2,2,1,c2\nD,2,2,2,c2\nE,3,2,2,c4\nF,3,3,2,c4\nG,4,3,2,c6\nH,4,3,3,c6\nI,5,4,3,c5\nJ,5,4,3,c7\n";

fn policy(strategy: &str, chain: &str, more: &str) -> String {
    format!(
        r#"[data]
path = "data.csv"
others = "drop"
[columns]
s = {{ role = "sensitive" }}
{more}
[[privacy]]
model = "l-diversity"
kind = "recursive"
c = 2
l = 2
[search]
algorithm = "chain"
[disclosure]
strategy = "{strategy}"
chain = {chain}
"#
    )
}

const COLUMNS: &str = r#"{ columns = ["g1", "g2", "g3"] }"#;

fn publish(data: &str, strategy: &str, code: i32) -> (Folder, Value) {
    let folder = Folder::empty();
    folder.write("data.csv", data);
    folder.write("policy.toml", policy(strategy, COLUMNS, ""));
    let answer = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(code)
        .json();
    (folder, answer)
}

fn json_of(folder: &Folder, file: &str) -> Value {
    serde_json::from_str(&folder.text(file)).unwrap()
}

#[test]
fn the_exclusive_strategy_publishes_gb_and_nothing_of_g0() {
    let (folder, answer) = publish(GB, "exclusive", 0);
    let found = &answer["disclosure"];
    assert_eq!(found["strategy"], "exclusive");
    assert_eq!(found["step"], 3);
    assert_eq!(found["method"], "frontier");
    assert_eq!(found["size"], "68");
    assert_eq!(found["max_ratio_exact"], "11/17");
    assert_eq!(found["witness"], json!({ "row": 3, "value": "c2" }));
    assert_eq!(found["certified"]["method"], "row by row");
    assert_eq!(found["certified"]["max_ratio_exact"], "11/17");
    assert_eq!(found["certified"]["size"], "68");
    assert_eq!(found["otherwise"][0]["step"], 3);
    assert_eq!(found["otherwise"][1]["step"], Value::Null);
    let manifest = json_of(&folder, "release/manifest.json");
    assert_eq!(manifest["disclosure"]["chain"]["walked"], 3);
    assert_eq!(
        manifest["disclosure"]["chain"]["steps"][0],
        json!({ "g1": 0, "g2": 1, "g3": 1 })
    );
    assert_eq!(manifest["disclosure"]["max_ratio_exact"], "11/17");
    let release = folder.text("release/release.csv");
    assert!(release.starts_with("g1,g2,g3,s\n*,*,1,c1\n"), "{release}");

    let (folder, answer) = publish(G0, "exclusive", 1);
    assert_eq!(answer["status"], "refused");
    assert_eq!(answer["disclosure"]["step"], Value::Null);
    assert_eq!(answer["disclosure"]["size"], "16");
    assert_eq!(answer["disclosure"]["max_ratio_exact"], "1");
    assert_eq!(answer["disclosure"]["otherwise"][0]["step"], 2);
    assert!(folder.files("release").is_none());
}

#[test]
fn the_inclusive_strategy_publishes_neither() {
    for data in [G0, GB] {
        let (_, answer) = publish(data, "inclusive", 1);
        let found = &answer["disclosure"];
        assert_eq!(found["judged"], 3);
        assert_eq!(found["size"], "100");
        assert_eq!(found["max_ratio_exact"], "19/25");
    }
}

#[test]
fn what_was_published_naively_is_attacked() {
    let (folder, answer) = publish(G0, "naive", 0);
    assert_eq!(answer["disclosure"]["step"], 2);
    let attack = [
        "attack",
        "release/release.csv",
        "--policy",
        "policy.toml",
        "--knows-algorithm",
        "--raw",
        "data.csv",
    ];
    let found = folder
        .scrim(&[&attack[..], &["--json", "--all"]].concat())
        .exits(1)
        .json();
    assert_eq!(found["strategy"], "naive");
    assert_eq!(found["size"], "16");
    assert_eq!(found["max_exact"], "1");
    assert_eq!(found["holds"], false);
    let rows = found["rows"].as_array().unwrap();
    let ratio = |row: u64, value: &str| {
        let is_it = |told: &&Value| told["row"] == row && told["value"] == value;
        rows.iter()
            .find(is_it)
            .map(|told| told["ratio_exact"].clone())
    };
    assert_eq!(ratio(5, "c4"), Some(json!("1")));
    assert_eq!(ratio(5, "c2"), None);
    assert_eq!(ratio(1, "c1"), Some(json!("1/2")));
    let text = folder.scrim(&attack).exits(1).stdout;
    insta::assert_snapshot!(text);
}

#[test]
fn an_audit_finds_what_a_naive_release_tells() {
    let (folder, _) = publish(G0, "naive", 0);
    let audit = ["audit", "release/release.csv", "--policy", "policy.toml"];
    folder.scrim(&audit).exits(0);
    folder.write("policy.toml", policy("exclusive", COLUMNS, ""));
    let found = folder
        .scrim(&[&audit[..], &["--json"]].concat())
        .exits(1)
        .json();
    assert_eq!(found["disclosure"]["holds"], false);
    assert_eq!(found["disclosure"]["step"], 2);
    assert_eq!(found["disclosure"]["max_ratio_exact"], "1");
    // Without everybody's quasi-identifiers there is no answer.
    std::fs::remove_file(folder.path("data.csv")).unwrap();
    folder.scrim(&audit).exits(2);
}

#[test]
fn levels_and_names_are_chains_too() {
    let folder = Folder::empty();
    let mut data = "age,sex,s\n".to_owned();
    for (row, value) in ["a", "a", "b", "c", "a", "b", "c", "d"].iter().enumerate() {
        data.push_str(&format!("{},{},{value}\n", 20 + row, ["f", "m"][row % 2]));
    }
    folder.write("data.csv", data);
    let quasi = "age = { role = \"quasi\", hierarchy = { intervals = { from = 20, to = 28, widths = [2, 4] } } }\nsex = { role = \"quasi\" }";
    // Steps, sizes and ratios were enumerated table by table.
    let chains = [
        ("\"datafly\"", "16", "public"),
        ("\"prec\"", "16", "public"),
        ("[[0, 0], [1, 1], [2, 1]]", "96", "symmetric"),
    ];
    for (chain, size, method) in chains {
        folder.write("policy.toml", policy("exclusive", chain, quasi));
        let answer = folder
            .scrim(&["publish", "policy.toml", "--json"])
            .exits(0)
            .json();
        let found = &answer["disclosure"];
        assert_eq!(found["step"], 3, "{chain}");
        assert_eq!(found["size"], size, "{chain}");
        assert_eq!(found["method"], method, "{chain}");
        assert_eq!(found["max_ratio_exact"], "1/2", "{chain}");
        assert_eq!(found["certified"]["size"], size, "{chain}");
    }
}

#[test]
fn what_cannot_stand_beside_a_chain_is_told() {
    let folder = Folder::empty();
    folder.write("data.csv", G0);
    let sound = policy("exclusive", COLUMNS, "");
    let cases = [
        (
            sound.replace("algorithm = \"chain\"", "algorithm = \"optimal\""),
            "kept by the algorithm `chain` only",
        ),
        (
            sound.replace("algorithm = \"chain\"", "suppression = 0.1"),
            "cannot stand beside [disclosure]",
        ),
        (
            policy("exclusive", "\"datfly\"", ""),
            "did you mean `datafly`?",
        ),
        (
            policy("exclusive", "[[0, 0]]", "g1 = { role = \"quasi\" }"),
            "has 2 levels, but the policy has 1",
        ),
        (
            policy("exclusive", "[[7]]", "g1 = { role = \"quasi\" }"),
            "ends at level 1",
        ),
        (policy("exclusive", "{ columns = [] }", ""), "names no step"),
        (
            policy("exclusive", "{ columns = [\"g9\"] }", ""),
            "has no column `g9`",
        ),
        (
            policy("inclusive", COLUMNS, "") + "decide = \"sampling\"\n",
            "only an exact method is sound",
        ),
        (sound.clone() + "confidence = 1\n", "no sample is certain"),
        (
            sound.split("[disclosure]").next().unwrap().to_owned(),
            "has no such section",
        ),
    ];
    for (text, expected) in cases {
        folder.write("policy.toml", text);
        let error = folder.scrim(&["publish", "policy.toml"]).exits(2).stderr;
        assert!(error.contains(expected), "{expected}: {error}");
    }
    assert!(folder.files("release").is_none());
}

#[test]
fn where_no_promise_speaks_of_a_secret_no_refusal_tells_one() {
    let folder = Folder::figure_7();
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    let attack = [
        "attack",
        "release/release.csv",
        "-p",
        "policy.toml",
        "--knows-algorithm",
    ];
    let run = folder.scrim(&attack).exits(2);
    assert!(
        run.stderr
            .contains("no promise of this policy speaks of a sensitive column"),
        "{}",
        run.stderr
    );
}
