//! `mu-argus` through the binary: refused when the certifier says so, written under a name that says so, decided by the policy.

use serde_json::json;

use crate::folder::{Folder, POLICY};

/// Figure 7 as section 4.2 has it: Race identifying, `BirthDate` most, Gender and ZIP more.
fn folder(search: &str) -> Folder {
    let folder = Folder::figure_7();
    let ours = format!("algorithm = \"mu-argus\"\n{search}");
    let graded = |policy: String, file: &str, word: &str| {
        policy.replace(
            &format!("\"{file}\""),
            &format!("\"{file}\", identifying = \"{word}\""),
        )
    };
    let policy = POLICY.replace("algorithm = \"optimal\"", &ours);
    let policy = graded(policy, "birth.csv", "most");
    let policy = graded(policy, "gender.csv", "more");
    folder.write("policy.toml", graded(policy, "zip.csv", "more"));
    folder
}

/// Four columns of nought and one, each row once.
fn four_bits(search: &str) -> Folder {
    let folder = Folder::empty();
    let bits = |row: u32| (0..4).map(move |bit| (row >> (3 - bit) & 1).to_string());
    let rows = (0..16).map(|row| bits(row).collect::<Vec<_>>().join(",") + ",x\n");
    folder.write(
        "data.csv",
        format!("A,B,C,D,S\n{}", rows.collect::<String>()),
    );
    folder.write(
        "policy.toml",
        format!("[data]\npath = \"data.csv\"\n[columns]\nA = {{ role = \"quasi\" }}\nB = {{ role = \"quasi\" }}\nC = {{ role = \"quasi\" }}\nD = {{ role = \"quasi\" }}\nS = {{ role = \"sensitive\" }}\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n[search]\nalgorithm = \"mu-argus\"\n{search}"),
    );
    folder
}

#[test]
fn what_is_not_k_anonymous_is_refused_with_the_combination_and_nothing_is_written() {
    let folder = folder("");
    let run = folder.scrim(&["publish", "policy.toml"]).exits(1);
    insta::assert_snapshot!(run.shown());
    assert!(folder.files("release").is_none());
    let answer = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(1)
        .json();
    assert_eq!(answer["status"], "refused");
    assert!(answer.get("broken").is_none());
    let combination = &answer["combination"];
    assert_eq!(combination["values"], json!({ "Gender": "******" }));
    assert_eq!(
        (&combination["found"], &combination["k"]),
        (&json!(1), &json!(2))
    );
    assert_eq!(combination["rows_below"], 2);
    assert_eq!(answer["models"][0]["holds"], false);
}

#[test]
fn a_combination_of_four_that_is_not_tested_is_printed() {
    let folder = four_bits("");
    let run = folder.scrim(&["publish", "policy.toml"]).exits(1);
    assert!(
        run.stdout.contains("16 rows are in 16 classes of fewer than 2 rows; the combination (A 0, B 0, C 0, D 0) has 1 row, but k is 2"),
        "{}",
        run.shown()
    );
    assert!(folder.files("release").is_none());
}

#[test]
fn what_is_broken_is_written_only_when_allowed_and_its_name_says_so() {
    let folder = folder("allow-broken = true\n");
    let run = folder
        .scrim(&["publish", "policy.toml", "--quiet"])
        .exits(1);
    assert!(
        run.stdout.starts_with("BROKEN, but written: "),
        "{}",
        run.shown()
    );
    assert!(!run.stdout.contains("certified"), "{}", run.shown());
    assert!(run.stderr.contains("WARNING"), "{}", run.shown());
    let names = |folder: &Folder| -> Vec<String> {
        let files = folder.files("release").unwrap();
        let name = |(path, _): (String, Vec<u8>)| path.rsplit('/').next().unwrap().to_owned();
        files.into_iter().map(name).collect()
    };
    assert_eq!(
        names(&folder),
        [
            "manifest.BROKEN.json",
            "plan.BROKEN.json",
            "release.BROKEN.csv",
            "report.BROKEN.html"
        ]
    );
    let shown = folder.text("release/release.BROKEN.csv");
    let lines: Vec<&str> = shown.lines().collect();
    assert!(lines.contains(&"white,******,male,02138,short of breath"));
    assert!(lines.contains(&"white,******,******,02139,hypertension"));
    let manifest: serde_json::Value =
        serde_json::from_str(&folder.text("release/manifest.BROKEN.json")).unwrap();
    assert_eq!(manifest["broken"], true);
    assert_eq!(manifest["models"][0]["holds"], false);
    assert_eq!(manifest["output"]["file"], "release.BROKEN.csv");
    let run = folder.scrim(&["publish", "policy.toml", "--json"]).exits(1);
    assert!(run.stderr.contains("WARNING"), "{}", run.shown());
    let answer = run.json();
    assert_eq!(
        (&answer["status"], &answer["broken"]),
        (&json!("published"), &json!(true))
    );
    assert_eq!(answer["models"], manifest["models"]);
    folder
        .scrim(&["audit", "release/release.BROKEN.csv", "-p", "policy.toml"])
        .exits(1);
    // The other format takes its place; nothing is left that no manifest speaks of.
    folder.replace("policy.toml", "format = \"csv\"", "format = \"parquet\"");
    folder.scrim(&["publish", "policy.toml"]).exits(1);
    assert_eq!(
        names(&folder),
        [
            "manifest.BROKEN.json",
            "plan.BROKEN.json",
            "release.BROKEN.parquet",
            "report.BROKEN.html"
        ]
    );
}

#[test]
fn a_broken_release_leaves_a_certified_one_alone() {
    let folder = folder("allow-broken = true\n");
    folder.replace("policy.toml", "\"mu-argus\"", "\"datafly\"");
    let answer = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(0)
        .json();
    let remarks = answer["remarks"].to_string();
    assert!(
        remarks.contains("`allow-broken` in [search] means nothing"),
        "{remarks}"
    );
    assert!(answer.get("broken").is_none() && answer.get("combination").is_none());
    let certified = (
        folder.read("release/release.csv"),
        folder.read("release/manifest.json"),
    );
    folder.replace("policy.toml", "\"datafly\"", "\"mu-argus\"");
    folder.scrim(&["publish", "policy.toml"]).exits(1);
    assert_eq!(folder.files("release").unwrap().len(), 8);
    assert_eq!(
        certified,
        (
            folder.read("release/release.csv"),
            folder.read("release/manifest.json")
        )
    );
}

#[test]
fn the_decisions_of_the_policy_are_taken_in_order_and_told() {
    // Both columns of the outliers that are left go up until none is rare.
    let folder = folder("generalize = [\"BirthDate\", \"Gender\"]\nallow-broken = true\n");
    let answer = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(answer["status"], "published");
    assert!(answer.get("broken").is_none());
    assert_eq!(answer["models"][0]["holds"], true);
    let manifest: serde_json::Value =
        serde_json::from_str(&folder.text("release/manifest.json")).unwrap();
    let rules = manifest["tie_rules"].to_string();
    assert!(
        rules.contains(r#"generalize = [\"BirthDate\", \"Gender\"]"#)
            && rules.contains("BirthDate 2 of 4, Gender 1 of 2"),
        "{rules}"
    );
    folder
        .scrim(&["audit", "release/release.csv", "-p", "policy.toml"])
        .exits(0);
    let measure = [
        "measure",
        "data.csv",
        "release/release.csv",
        "-p",
        "policy.toml",
        "--json",
    ];
    let measured = folder.scrim(&measure).exits(0).json();
    assert_eq!(measured["metrics"], answer["metrics"]);
}

#[test]
fn figure_12_tests_fewer_combinations() {
    let tested = |search: &str| {
        let answer = folder(search)
            .scrim(&["publish", "policy.toml", "--json"])
            .json();
        answer["searched"]["checked"].clone()
    };
    assert_eq!(tested(""), 10);
    assert_eq!(tested("combinations = \"all\"\n"), 10);
    assert_eq!(tested("combinations = \"figure-12\"\n"), 7);
    // Four columns of one kind: Figure 12 lists neither pairs nor triples of them.
    let run =
        four_bits("combinations = \"figure-12\"\n").scrim(&["publish", "policy.toml", "--json"]);
    assert_eq!(run.json()["searched"]["checked"], 0);
}

#[test]
fn asking_needs_a_terminal() {
    let folder = folder("generalize = \"ask\"\n");
    let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
    assert!(
        run.stderr
            .contains("policy.toml:17:14: `generalize = \"ask\"` asks on a terminal")
            && run.stderr.contains("hint: "),
        "{}",
        run.shown()
    );
    assert!(folder.files("release").is_none());
    // Other searches never ask.
    folder.replace("policy.toml", "\"mu-argus\"", "\"optimal\"");
    folder.scrim(&["publish", "policy.toml"]).exits(0);
}

#[test]
fn faults_of_its_keys_are_told_with_their_place() {
    let shown = |search: &str| {
        let folder = folder(search);
        let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
        assert!(folder.files("release").is_none());
        run.stderr
    };
    let faults: Vec<String> = [
        "generalize = [\"ZIPP\"]",
        "generalize = [\"Race\", \"Race\", \"Race\"]",
        "generalize = \"aks\"",
        "generalize = [3]",
        "generalize = [\"Problem\"]",
        "combinations = \"figure-13\"",
        "allow-broken = \"yes\"",
    ]
    .into_iter()
    .map(|search| format!("{search}\n{}", shown(search)))
    .collect();
    insta::assert_snapshot!(faults.join("\n"));
    let folder = folder("");
    folder.replace(
        "policy.toml",
        "identifying = \"most\"",
        "identifying = \"mosst\"",
    );
    let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
    assert!(
        run.stderr.contains("did you mean `most`?"),
        "{}",
        run.shown()
    );
    folder.replace(
        "policy.toml",
        "identifying = \"mosst\"",
        "identifying = \"most\"",
    );
    folder.replace(
        "policy.toml",
        "role = \"sensitive\"",
        "role = \"sensitive\", identifying = \"more\"",
    );
    let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
    assert!(
        run.stderr.contains("only a quasi-identifier has"),
        "{}",
        run.shown()
    );
}

#[test]
fn how_identifying_a_column_is_decides_ties() {
    let shown = |word: &str| {
        let folder = folder("allow-broken = true\n");
        let graded = format!("\"race.csv\", identifying = \"{word}\"");
        folder.replace("policy.toml", "\"race.csv\"", &graded);
        folder.replace(
            "policy.toml",
            "\"birth.csv\", identifying = \"most\"",
            "\"birth.csv\"",
        );
        folder.scrim(&["publish", "policy.toml"]).exits(1);
        folder
            .text("release/release.BROKEN.csv")
            .lines()
            .find(|line| line.ends_with("hypertension"))
            .unwrap()
            .to_owned()
    };
    // All four tie in t8. Without Race {BirthDate,ZIP}, {Gender,ZIP} and both are left; without Gender those with BirthDate.
    assert_eq!(shown("most"), "******,1965,female,*****,hypertension");
    assert_eq!(
        shown("identifying"),
        "white,******,******,02139,hypertension"
    );
}

#[test]
fn its_keys_mean_nothing_to_other_searches_and_theirs_nothing_to_it() {
    let keys = "combinations = \"all\"\ngeneralize = [\"ZIP\"]\nallow-broken = true\n";
    let ours = folder(keys);
    ours.replace("policy.toml", "\"mu-argus\"", "\"optimal\"");
    let answer = ours
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(0)
        .json();
    let remarks = answer["remarks"].to_string();
    for word in [
        "`combinations` in",
        "`generalize` in",
        "`allow-broken` in",
        "`identifying` of column `ZIP`",
    ] {
        assert!(remarks.contains(word), "{word}: {remarks}");
    }
    let theirs = folder("suppression = 0.5\nmetric = \"loss\"\ntighten = true\n");
    let answer = theirs
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(1)
        .json();
    let remarks = answer["remarks"].to_string();
    for word in ["`suppression`", "`metric`", "`tighten`"] {
        assert!(remarks.contains(word), "{word}: {remarks}");
    }
    assert!(!remarks.contains("`identifying`"), "{remarks}");
}

#[test]
fn other_promises_are_judged_too_and_a_k_is_needed() {
    let folder = folder("generalize = [\"BirthDate\", \"Gender\"]\n");
    let beside = "[[privacy]]\nmodel = \"p-sensitive\"\np = 3\n\n[search]";
    folder.replace("policy.toml", "[search]", beside);
    let answer = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(1)
        .json();
    assert_eq!(
        answer["reason"],
        "mu-Argus's output does not keep p-sensitive"
    );
    assert!(answer.get("combination").is_none());
    folder.replace(
        "policy.toml",
        "model = \"k-anonymity\"\nk = 2",
        "model = \"p-sensitive\"\np = 1",
    );
    let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
    assert!(
        run.stderr.contains("k-anonymity promise"),
        "{}",
        run.shown()
    );
}

#[test]
fn persons_are_counted_where_the_promise_counts_them() {
    let folder = Folder::empty();
    // Three rows of one person look like three of somebody's; only persons tell.
    folder.write(
        "data.csv",
        "id,A,B,S\np,0,0,x\np,0,0,y\nq,0,1,x\nr,1,1,y\ns,1,1,x\n",
    );
    let policy = |unit: &str| {
        format!(
            "[data]\npath = \"data.csv\"\n[columns]\nid = {{ role = \"person\" }}\nA = {{ role = \"quasi\" }}\nB = {{ role = \"quasi\" }}\nS = {{ role = \"sensitive\" }}\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\nunit = \"{unit}\"\n[search]\nalgorithm = \"mu-argus\"\n"
        )
    };
    let combination = |unit: &str| {
        folder.write("policy.toml", policy(unit));
        folder
            .scrim(&["publish", "policy.toml", "--json"])
            .exits(1)
            .json()["combination"]
            .clone()
    };
    let rows = combination("row");
    assert_eq!(
        (&rows["counted"], &rows["values"]),
        (&json!("rows"), &json!({ "A": "*" }))
    );
    // B = 0 is one person's, so step 2 raises B, and nothing is an outlier: A tells two persons apart from two.
    folder.write("policy.toml", policy("person"));
    let answer = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(answer["models"][0]["counted"], "persons");
}

#[test]
fn the_release_is_the_same_for_any_number_of_threads() {
    let release = |threads: &str| {
        let folder = folder("allow-broken = true\n");
        folder
            .scrim(&["publish", "policy.toml", "--threads", threads])
            .exits(1);
        (
            folder.read("release/release.BROKEN.csv"),
            folder.read("release/manifest.BROKEN.json"),
        )
    };
    assert_eq!(release("1"), release("3"));
}
