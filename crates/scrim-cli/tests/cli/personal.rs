//! Wishes from a policy to a certified release: Figure 1a of [XiaoTao06] through the binary.

use serde_json::Value;

use crate::folder::Folder;

macro_rules! fixture {
    ($file:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../fixtures/papers/xiaotao06/",
            $file
        ))
    };
}

const POLICY: &str = r#"[data]
path = "figure1a.csv"
[columns]
name = { role = "person" }
Age = { role = "quasi", numeric = { from = 1, to = 60 } }
Sex = { role = "quasi" }
Zipcode = { role = "quasi", numeric = { from = 10001, to = 60000 } }
Disease = { role = "sensitive", hierarchy = "disease.txt" }
guard = { role = "guard", of = "Disease" }
[[privacy]]
model = "personal"
breach = "1/2"
[search]
algorithm = "personalized"
"#;

fn folder(from: &str, to: &str) -> Folder {
    let folder = Folder::empty();
    folder.write("figure1a.csv", fixture!("figure1a.csv"));
    folder.write("disease.txt", fixture!("disease.txt"));
    assert!(POLICY.contains(from), "{from}");
    folder.write("policy.toml", POLICY.replace(from, to));
    folder
}

fn published(folder: &Folder) -> Value {
    folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(0)
        .json()
}

const ALGORITHM: &str = "algorithm = \"personalized\"";

#[test]
fn figure_1a_is_published_with_the_loss_and_the_rows_of_the_golden_case() {
    let folder = folder("", "");
    let answer = published(&folder);
    assert_eq!(answer["metrics"]["information_loss_exact"], "37/30");
    assert_eq!(answer["recoding"]["kind"], "subtree");
    assert_eq!(answer["breach"]["max_exact"], "1/2");
    assert_eq!(answer["breach"]["case"], "primary");
    let release = folder.text("release/release.csv");
    let expected = "Age,Sex,Zipcode,Disease\n\
        12,M,22000,respiratory-infection\n19,M,24000,respiratory-infection\n21,F,58000,flu\n\
        26-28,F,36000-37000,gastritis\n26-28,F,36000-37000,pneumonia\n5-6,M,12000-19000,gastric-ulcer\n\
        5-6,M,12000-19000,pneumonia\n56,F,33000,respiratory-infection\n8-9,M,12000-19000,bronchitis\n\
        8-9,M,12000-19000,dyspepsia\n";
    assert_eq!(release, expected);
    let manifest: Value = serde_json::from_str(&folder.text("release/manifest.json")).unwrap();
    let ages: Vec<&str> = manifest["recoding"]["attributes"][0]["cut"]
        .as_array()
        .unwrap()
        .iter()
        .map(|label| label.as_str().unwrap())
        .collect();
    assert_eq!(ages.first(), Some(&"1-4"));
    assert!(ages.contains(&"5-6") && ages.contains(&"57-60"), "{ages:?}");
    let raised = &manifest["sensitive"][0]["classes"];
    assert_eq!(raised.as_array().unwrap().len(), 3);
    assert_eq!(raised[0]["class"], 1);
    assert_eq!(raised[0]["raised"][0], "respiratory-infection");
    assert_eq!(manifest["breach"]["curve"][0], serde_json::json!([0.5, 6]));
}

#[test]
fn what_was_published_keeps_its_promise_and_costs_what_was_said() {
    let folder = folder("", "");
    let answer = published(&folder);
    let audit = folder
        .scrim(&[
            "audit",
            "release/release.csv",
            "-p",
            "policy.toml",
            "--json",
        ])
        .exits(0)
        .json();
    assert_eq!(audit["holds"], true);
    let measured = folder
        .scrim(&[
            "measure",
            "figure1a.csv",
            "release/release.csv",
            "-p",
            "policy.toml",
            "--json",
        ])
        .exits(0)
        .json();
    assert_eq!(measured["metrics"], answer["metrics"]);
}

#[test]
fn improving_reports_both_losses() {
    let folder = folder(
        ALGORITHM,
        "algorithm = \"personalized\"\nimprove = true\n# non-primary",
    );
    let policy = folder.text("policy.toml");
    folder.write(
        "policy.toml",
        policy.replace(
            "breach = \"1/2\"",
            "breach = \"1/2\"\ncase = \"non-primary\"",
        ),
    );
    let answer = published(&folder);
    assert_eq!(answer["metrics"]["information_loss_exact"], "37/30");
    assert_eq!(answer["breach"]["case"], "non-primary");
    let remarks = answer["remarks"].to_string();
    assert!(
        remarks.contains("539/300") && remarks.contains("37/30"),
        "{remarks}"
    );
}

#[test]
fn wishes_compose_with_other_models_and_searches() {
    for search in [
        "optimal",
        "mingen",
        "top-down",
        "datafly",
        "personalized",
        "mondrian",
        "auto",
    ] {
        let folder = folder(ALGORITHM, &format!("algorithm = \"{search}\""));
        let policy = folder.text("policy.toml");
        let beside = "[[privacy]]\nmodel = \"l-diversity\"\nl = 2\nk = 2\n[search]";
        folder.write("policy.toml", policy.replace("[search]", beside));
        let run = folder.scrim(&["publish", "policy.toml", "--json"]);
        let answer = run.json();
        assert_eq!(answer["status"], "published", "{search}: {answer}");
        assert_eq!(answer["models"].as_array().unwrap().len(), 3);
        let max = answer["breach"]["max"].as_f64().unwrap();
        assert!(max <= 0.5, "{search}: {max}");
    }
    let refused = folder(ALGORITHM, "algorithm = \"incognito\"")
        .scrim(&["publish", "policy.toml"])
        .exits(2);
    assert!(refused.stderr.contains("personal"), "{}", refused.stderr);
}

#[test]
fn mingen_beside_wishes_optimizes_prec_and_nothing_else() {
    let folder = folder(ALGORITHM, "algorithm = \"mingen\"");
    let by_default = published(&folder);
    folder.replace(
        "policy.toml",
        "\"mingen\"",
        "\"optimal\"\nmetric = \"prec\"",
    );
    let by_prec = published(&folder);
    assert_eq!(by_default["metrics"]["prec"], by_prec["metrics"]["prec"]);
    assert_eq!(by_default["metric"], by_prec["metric"]);
    folder.replace(
        "policy.toml",
        "\"optimal\"\nmetric = \"prec\"",
        "\"mingen\"\nmetric = \"information-loss\"",
    );
    let refused = folder.scrim(&["publish", "policy.toml"]).exits(2);
    let says = "MinGen is defined by `prec`, but `metric` in [search] is `information-loss`";
    assert!(refused.stderr.contains(says), "{}", refused.stderr);
}

#[test]
fn a_sensitive_value_is_published_as_it_is_where_the_weight_forbids_more() {
    let folder = folder(
        ALGORITHM,
        "algorithm = \"personalized\"\nimprove = true\nweights = { Disease = \"forbid\" }",
    );
    let answer = published(&folder);
    assert_eq!(answer["metrics"]["information_loss_exact"], "583/60");
    assert!(
        !folder
            .text("release/release.csv")
            .contains("respiratory-infection")
    );
    let plain = folder.text("policy.toml").replace("improve = true", "");
    folder.write("policy.toml", plain);
    let refused = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(1)
        .json();
    assert_eq!(refused["status"], "refused");
}

#[test]
fn a_guard_that_is_no_taxon_above_its_value_is_named_by_its_line_and_nothing_is_written() {
    for (from, to, says) in [
        (
            "gastric-ulcer,stomach-disease",
            "gastric-ulcer,flu",
            "not on the way",
        ),
        (
            "gastric-ulcer,stomach-disease",
            "gastric-ulcer,Bauchweh",
            "no taxon",
        ),
    ] {
        let folder = folder("", "");
        let data = folder.text("figure1a.csv").replace(from, to);
        folder.write("figure1a.csv", data);
        let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
        assert!(run.stderr.contains("figure1a.csv:2"), "{}", run.stderr);
        assert!(run.stderr.contains(says), "{}", run.stderr);
        assert!(
            !run.stderr.contains("Bauchweh") && !run.stderr.contains("ulcer"),
            "{}",
            run.stderr
        );
        assert!(!folder.path("release").exists());
    }
}

#[test]
fn policies_that_cannot_be_meant_are_refused_with_what_to_try() {
    for (from, to, says) in [
        (
            "guard = { role = \"guard\", of = \"Disease\" }",
            "guard = { role = \"insensitive\" }",
            "no column guards `Disease`",
        ),
        ("breach = \"1/2\"", "breach = \"3/2\"", "`breach`"),
        (
            "breach = \"1/2\"",
            "breach = 0.5\ndefault-guard = \"value\"",
            "`default-guard`",
        ),
        (
            "breach = \"1/2\"",
            "breach = 0.5\n[[privacy]]\nmodel = \"t-closeness\"\nt = 0.5",
            "coarser",
        ),
        (
            "breach = \"1/2\"",
            "breach = 0.5\n[[privacy]]\nmodel = \"personal\"\nbreach = 0.4",
            "two `personal`",
        ),
        (
            ALGORITHM,
            "algorithm = \"personalized\"\nweights = { Disease = \"never\" }",
            "Disease",
        ),
        (", hierarchy = \"disease.txt\"", "", "needs a hierarchy"),
        (
            "numeric = { from = 1, to = 60 }",
            "numeric = { from = 6, to = 60 }",
            "figure1a.csv",
        ),
    ] {
        let run = folder(from, to).scrim(&["publish", "policy.toml"]).exits(2);
        assert!(run.stderr.contains(says), "{to}: {}", run.stderr);
    }
}

#[test]
fn a_guard_at_the_root_is_refused_before_any_search() {
    let folder = folder("", "");
    let data = folder
        .text("figure1a.csv")
        .replace("ulcer,stomach-disease", "ulcer,any-disease?");
    folder.write("figure1a.csv", data);
    let answer = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(1)
        .json();
    assert_eq!(answer["status"], "refused");
    let reason = answer["reason"].as_str().unwrap();
    assert!(reason.contains("1 row has the top"), "{reason}");
}

#[test]
fn every_row_may_guard_its_own_value_or_a_taxon_without_a_guard_column() {
    for (guard, raised) in [("value", true), ("stomach-disease", false)] {
        let folder = folder("guard = { role = \"guard\", of = \"Disease\" }\n", "");
        let policy = folder.text("policy.toml");
        let policy = policy
            .replace(
                "breach = \"1/2\"",
                &format!("breach = \"1/2\"\ndefault-guard = \"{guard}\""),
            )
            .replace("[data]\n", "[data]\nothers = \"drop\"\n");
        folder.write("policy.toml", policy);
        published(&folder);
        let release = folder.text("release/release.csv");
        assert_eq!(
            release.contains("respiratory-infection"),
            raised,
            "{release}"
        );
    }
}

#[test]
fn missing_numbers_stand_beside_the_numbers() {
    let folder = folder("", "");
    let data = folder
        .text("figure1a.csv")
        .replace("Andy,5,", "Andy,,")
        .replace("Ken,6,", "Ken,,");
    folder.write("figure1a.csv", data);
    published(&folder);
    let release = folder.text("release/release.csv");
    assert!(
        release.contains("\n,M,12000-18000,gastric-ulcer\n"),
        "{release}"
    );
}

#[test]
fn suppressed_rows_lose_all_of_their_sensitive_value_and_measure_says_the_same() {
    // One row cannot be published with its wish: it is left out, or starred throughout.
    let data = "name,Age,Sex,Zipcode,Disease,guard\n\
        A,5,M,12000,flu,any-disease?\nB,5,M,12000,flu,\nC,5,M,12000,gastritis,\nD,9,F,12000,flu,\nE,9,F,12000,dyspepsia,\n";
    for fate in ["drop", "star"] {
        let search = format!("algorithm = \"optimal\"\nsuppression = 0.6\nsuppressed = \"{fate}\"");
        let folder = folder(ALGORITHM, &search);
        folder.write("figure1a.csv", data);
        folder.replace(
            "policy.toml",
            "breach = \"1/2\"",
            "breach = \"99/100\"\ncase = \"non-primary\"",
        );
        folder.replace(
            "policy.toml",
            "model = \"personal\"",
            "model = \"personal\"\nk = 2",
        );
        let answer = published(&folder);
        let measured = folder
            .scrim(&[
                "measure",
                "figure1a.csv",
                "release/release.csv",
                "-p",
                "policy.toml",
                "--json",
            ])
            .exits(0)
            .json();
        let loss = &answer["metrics"]["information_loss_exact"];
        assert_eq!(
            &measured["metrics"]["information_loss_exact"], loss,
            "{fate}: {answer}"
        );
        let unsuppressed = folder
            .text("policy.toml")
            .replace("suppression = 0.6", "suppression = 0");
        folder.write("policy.toml", unsuppressed);
        let without = published(&folder);
        let float = |answer: &Value| answer["metrics"]["information_loss"].as_f64().unwrap();
        assert!(float(&answer) <= float(&without), "{fate}");
    }
}

#[test]
fn options_of_one_attack_are_no_options_of_another() {
    let folder = folder("", "");
    published(&folder);
    for options in [
        ["--similarity", "--raw", "figure1a.csv"],
        ["--personal", "--depth", "1"],
    ] {
        let mut line = vec!["attack", "release/release.csv", "-p", "policy.toml"];
        line.extend(options);
        folder.scrim(&line).exits(2);
    }
}
