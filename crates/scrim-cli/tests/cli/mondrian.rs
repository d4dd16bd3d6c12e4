//! `mondrian` from a policy to a certified release through the binary.

use serde_json::Value;

use crate::folder::Folder;

const POLICY: &str = r#"[data]
path = "data.csv"
null = ["", "?"]
[columns]
age = { role = "quasi", numeric = { from = 0, to = 99 } }
pay = { role = "quasi", numeric = {} }
job = { role = "quasi", hierarchy = "job.txt" }
sex = { role = "quasi" }
ill = { role = "sensitive", hierarchy = "ill.txt" }
[[privacy]]
model = "l-diversity"
l = 2
k = 3
[search]
algorithm = "mondrian"
"#;

const JOBS: &str = "work\n  office\n    clerk\n    boss\n  shop\n    baker\n    smith\n  retired\n";
const ILLS: &str = "ill\n  lungs\n    flu\n    cough\n  skin\n    rash\n    acne\n  pain\n";

/// So many rows, some of them with missing values and with decimals.
fn data(rows: u64) -> String {
    let mut text = "age,pay,job,sex,ill,wish\n".to_owned();
    let mut state = 12345u64;
    let mut below = |bound: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) % bound
    };
    for _ in 0..rows {
        let age = match below(9) {
            0 => "?".to_owned(),
            _ => (18 + below(60)).to_string(),
        };
        let pay = format!("{}.{}", 1000 + below(300), below(4) * 25);
        let job = ["clerk", "boss", "baker", "smith", "retired", ""][below(6) as usize];
        let sex = ["f", "m"][below(2) as usize];
        let ill = ["flu", "cough", "rash", "acne", "pain"][below(5) as usize];
        let wish = if below(4) == 0 { ill } else { "" };
        text += &format!("{age},{pay},{job},{sex},{ill},{wish}\n");
    }
    text
}

fn folder(policy: &str, rows: u64) -> Folder {
    let folder = Folder::empty();
    folder.write("data.csv", data(rows));
    folder.write("job.txt", JOBS);
    folder.write("ill.txt", ILLS);
    folder.write("policy.toml", policy);
    folder
}

/// Publishes, audits and measures; what was said must be what is found.
fn published(folder: &Folder) -> Value {
    let publish = folder.scrim(&["publish", "policy.toml", "--json"]);
    let answer = publish.exits(0).json();
    assert_eq!(answer["algorithm"], "mondrian");
    assert_eq!(answer["recoding"]["kind"], "local");
    let release = "release/release.csv";
    let audit = folder.scrim(&["audit", release, "-p", "policy.toml", "--json"]);
    let audit = audit.exits(0).json();
    assert_eq!(audit["holds"], true);
    assert_eq!(audit["classes"], answer["classes"]);
    let measure = [
        "measure",
        "data.csv",
        release,
        "-p",
        "policy.toml",
        "--json",
    ];
    let measured = folder.scrim(&measure).exits(0).json();
    assert_eq!(measured["metrics"], answer["metrics"]);
    answer
}

fn plain() -> String {
    POLICY.replace("[data]\n", "[data]\nothers = \"drop\"\n")
}

#[test]
fn publish_audit_and_measure_agree_for_strict_and_relaxed() {
    let mut losses = Vec::new();
    for search in ["", "mondrian = \"strict\"\n", "mondrian = \"relaxed\"\n"] {
        let folder = folder(&(plain() + search), 400);
        let answer = published(&folder);
        assert!(
            answer["classes"]["count"].as_u64().unwrap() > 40,
            "{answer}"
        );
        assert!(answer["classes"]["min"].as_u64().unwrap() >= 3);
        let words = answer["recoding"]["attributes"][0]["words"]
            .as_str()
            .unwrap();
        assert!(words.contains("intervals"), "{words}");
        losses.push(answer["metrics"]["information_loss_exact"].clone());
    }
    assert_eq!(losses[0], losses[1], "strict is the default");
    assert_ne!(losses[1], losses[2]);
}

#[test]
fn few_rows_cost_what_measure_says_whatever_their_labels_are() {
    // Small tables have columns whose labels are all taxa, all stars or all single numbers.
    for rows in 3..40 {
        let folder = folder(&plain().replace("l = 2\nk = 3", "l = 1\nk = 2"), rows);
        published(&folder);
    }
}

#[test]
fn wishes_are_kept() {
    let wishes = POLICY
        .replace("[[privacy]]\n", "wish = { role = \"guard\", of = \"ill\" }\n[[privacy]]\nmodel = \"personal\"\nbreach = \"1/3\"\n[[privacy]]\n");
    for search in ["", "mondrian = \"relaxed\"\n"] {
        let folder = folder(&(wishes.clone() + search), 200);
        let answer = published(&folder);
        assert!(answer["breach"]["max"].as_f64().unwrap() <= 1.0 / 3.0);
        assert!(answer["classes"]["count"].as_u64().unwrap() > 5, "{answer}");
    }
}

#[test]
fn keys_of_other_searches_are_told_to_mean_nothing() {
    let folder_of = |keys: &str| folder(&(plain() + keys), 50);
    let remarks =
        published(&folder_of("tighten = true\nsuppression = 0.1\n"))["remarks"].to_string();
    assert!(
        remarks.contains("`tighten`") && remarks.contains("`suppression`"),
        "{remarks}"
    );
    let folder = folder_of("mondrian = \"relaxed\"\n");
    folder.replace("policy.toml", "\"mondrian\"", "\"top-down\"");
    let answer = folder.scrim(&["publish", "policy.toml", "--json"]);
    let remarks = answer.exits(0).json()["remarks"].to_string();
    assert!(remarks.contains("`mondrian`"), "{remarks}");
}
