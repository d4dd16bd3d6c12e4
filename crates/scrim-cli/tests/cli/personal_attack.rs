//! Wishes from outside: the attack on Figures 1c and 3 of [XiaoTao06], and the audit of releases that keep and break them.

use serde_json::Value;

use crate::folder::{Folder, Run};

/// Figure 1a; the names stand for persons.
const RAW: &str = "patient,age,sex,zip,disease,wish\n\
    Andy,5,M,12000,gastric-ulcer,stomach-disease\nBill,9,M,14000,dyspepsia,dyspepsia\n\
    Ken,6,M,18000,pneumonia,respiratory-infection\nNash,8,M,19000,bronchitis,bronchitis\n\
    Joe,12,M,22000,pneumonia,pneumonia\nSam,19,M,24000,pneumonia,pneumonia\nLinda,21,F,58000,flu,\n\
    Jane,26,F,36000,gastritis,gastritis\nSarah,28,F,37000,pneumonia,respiratory-infection\nMary,56,F,33000,flu,flu\n";

/// Figure 1b.
const EXTERNAL: &str = "patient,shoe,age,sex,zip\nAndy,1,5,M,12000\nBill,2,9,M,14000\nKen,3,6,M,18000\n\
    Nash,4,8,M,19000\nMike,5,7,M,17000\nJoe,6,12,M,22000\nSam,7,19,M,24000\nLinda,8,21,F,58000\nJane,9,26,F,36000\n\
    Sarah,1,28,F,37000\nMary,2,56,F,33000\n";

const FIGURE_3: &str = "age,sex,zip,disease\n1-10,M,10001-20000,gastric-ulcer\n1-10,M,10001-20000,dyspepsia\n\
    1-10,M,10001-20000,respiratory-infection\n1-10,M,10001-20000,respiratory-infection\n\
    11-20,M,20001-25000,respiratory-infection\n11-20,M,20001-25000,respiratory-infection\n21,F,58000,flu\n\
    26-30,F,35001-40000,gastritis\n26-30,F,35001-40000,pneumonia\n56,F,33000,respiratory-infection\n";

const FIGURE_1C: &str = "age,sex,zip,disease\n1-10,M,10001-15000,gastric-ulcer\n1-10,M,10001-15000,dyspepsia\n\
    1-10,M,15001-20000,pneumonia\n1-10,M,15001-20000,bronchitis\n11-20,M,20001-25000,pneumonia\n\
    11-20,M,20001-25000,pneumonia\n21-60,F,30000-60000,flu\n21-60,F,30000-60000,gastritis\n\
    21-60,F,30000-60000,pneumonia\n21-60,F,30000-60000,flu\n";

/// Figure 2, where the paper names it.
const DISEASES: &str = "any\n  respiratory-system-problem\n    respiratory-infection\n      flu\n      pneumonia\n      \
    bronchitis\n    respiratory-other\n      r4\n      r5\n      r6\n  digestive-system-problem\n    stomach-disease\n      \
    gastric-ulcer\n      dyspepsia\n      gastritis\n    digestive-other\n      d10\n      d11\n      d12\n";

fn policy(case: &str, breach: &str) -> String {
    format!(
        "[data]\npath = \"raw.csv\"\n[columns]\npatient = {{ role = \"person\" }}\n\
         age = {{ role = \"quasi\", numeric = {{ from = 1, to = 60 }} }}\nsex = {{ role = \"quasi\" }}\n\
         zip = {{ role = \"quasi\", numeric = {{ from = 10001, to = 60000 }} }}\n\
         disease = {{ role = \"sensitive\", hierarchy = \"disease.txt\" }}\n\
         wish = {{ role = \"guard\", of = \"disease\" }}\n\
         [[privacy]]\nmodel = \"personal\"\nbreach = \"{breach}\"\n{case}\n[search]\nalgorithm = \"personalized\"\n"
    )
}

fn folder(case: &str, breach: &str) -> Folder {
    let folder = Folder::empty();
    for (name, text) in [
        ("raw.csv", RAW),
        ("external.csv", EXTERNAL),
        ("figure3.csv", FIGURE_3),
        ("figure1c.csv", FIGURE_1C),
        ("disease.txt", DISEASES),
    ] {
        folder.write(name, text);
    }
    folder.write("policy.toml", policy(case, breach));
    folder
}

const PRIMARY: &str = "";
const NON_PRIMARY: &str = "case = \"non-primary\"";

fn attack(folder: &Folder, file: &str, more: &[&str]) -> Run {
    let arguments = [
        "attack",
        file,
        "-p",
        "policy.toml",
        "--personal",
        "--raw",
        "raw.csv",
    ];
    folder.scrim(&[&arguments, more].concat())
}

fn exact(answer: &Value) -> Vec<&str> {
    let rows = answer["rows"].as_array().unwrap();
    rows.iter()
        .map(|row| row["breach_exact"].as_str().unwrap())
        .collect()
}

/// A figure, the case, whether with Figure 1b, every row's breach probability, and the largest.
#[rustfmt::skip]
const READINGS: [(&str, &str, bool, &str, &str); 8] = [
    ("figure3.csv", PRIMARY, true, "2/5 1/5 2/5 2/15 1/3 1/3 0 1/2 1/2 1/3", "1/2"),
    ("figure3.csv", PRIMARY, false, "1/2 1/4 1/2 1/6 1/3 1/3 0 1/2 1/2 1/3", "1/2"),
    ("figure3.csv", NON_PRIMARY, true, "9/25 1/5 9/25 29/225 11/36 11/36 0 1/2 1/2 1/3", "1/2"),
    ("figure3.csv", NON_PRIMARY, false, "7/16 1/4 7/16 23/144 11/36 11/36 0 1/2 1/2 1/3", "1/2"),
    ("figure1c.csv", PRIMARY, true, "1 1/2 2/3 1/3 1 1 0 1/4 3/4 1/2", "1"),
    ("figure1c.csv", PRIMARY, false, "1 1/2 1 1/2 1 1 0 1/4 3/4 1/2", "1"),
    ("figure1c.csv", NON_PRIMARY, true, "3/4 1/2 5/9 1/3 3/4 3/4 0 1/4 37/64 7/16", "3/4"),
    ("figure1c.csv", NON_PRIMARY, false, "3/4 1/2 3/4 1/2 3/4 3/4 0 1/4 37/64 7/16", "3/4"),
];

#[test]
fn the_papers_figures_are_attacked_in_all_four_readings() {
    for (file, case, external, expected, max) in READINGS {
        let expected: Vec<&str> = expected.split(' ').collect();
        let folder = folder(case, "1/2");
        let more: &[&str] = if external {
            &["--external", "external.csv", "--json"]
        } else {
            &["--json"]
        };
        let keeps = file == "figure3.csv";
        let answer = attack(&folder, file, more).exits(i32::from(!keeps)).json();
        assert_eq!(exact(&answer), expected, "{file} {case} {external}");
        assert_eq!(answer["max_exact"], max);
        assert_eq!(answer["rows"][3]["row"], 4);
        let above = if keeps {
            0
        } else {
            expected.iter().filter(|text| above_half(text)).count()
        };
        assert_eq!(answer["above"], above);
        assert_eq!(
            answer["case"],
            if case.is_empty() {
                "primary"
            } else {
                "non-primary"
            }
        );
        assert_eq!(answer["limit"], "1/2");
        let half = answer["rows"][7]["breach"].as_f64().unwrap();
        assert!((half - if keeps { 0.5 } else { 0.25 }).abs() < 1e-15);
    }
}

fn above_half(text: &str) -> bool {
    let (above, below) = text.split_once('/').unwrap_or((text, "1"));
    2 * above.parse::<u32>().unwrap() > below.parse::<u32>().unwrap()
}

#[test]
fn the_attack_tells_numbers_and_rows_only() {
    let folder = folder(PRIMARY, "1/2");
    let shown = attack(&folder, "figure1c.csv", &["--external", "external.csv"]).exits(1);
    for secret in ["Andy", "flu", "stomach", "pneumonia", "12000"] {
        assert!(!shown.shown().contains(secret), "{}", shown.shown());
    }
    insta::assert_snapshot!(shown.shown());
}

#[test]
fn an_external_table_that_lacks_somebody_is_told_and_does_not_make_the_attack_stronger() {
    let folder = folder(PRIMARY, "1/2");
    folder.write(
        "few.csv",
        "zip,sex,age\n12000,M,5\n17000,M,7\n17500,M,7\n17500,M,7\n18000,M,6\n",
    );
    let more = ["--external", "few.csv", "--json"];
    let answer = attack(&folder, "figure3.csv", &more).exits(0).json();
    // Five rows of the first class are covered; of the others nobody.
    assert_eq!(exact(&answer)[..5], ["2/5", "1/5", "2/5", "2/15", "1/3"]);
    assert_eq!(answer["rows"][0]["n"], 5);
    let remark = answer["remarks"][0].as_str().unwrap();
    assert!(
        remark.starts_with("in 4 of 5 classes few.csv has fewer persons"),
        "{remark}"
    );
    folder.write("odd.csv", "sex,shoe\nM,1\n");
    let refused = attack(&folder, "figure3.csv", &["--external", "odd.csv"]).exits(2);
    assert!(
        refused
            .stderr
            .contains("it lacks the quasi-identifiers `age`, `zip`"),
        "{}",
        refused.stderr
    );
}

#[test]
fn a_person_with_several_external_rows_is_one_person() {
    let folder = folder(PRIMARY, "1/2");
    let doubled: String = EXTERNAL
        .lines()
        .skip(1)
        .map(|line| format!("{line}\n"))
        .collect();
    folder.write("twice.csv", format!("{EXTERNAL}{doubled}"));
    let once = attack(
        &folder,
        "figure3.csv",
        &["--external", "external.csv", "--json"],
    )
    .json();
    let twice = attack(
        &folder,
        "figure3.csv",
        &["--external", "twice.csv", "--json"],
    )
    .json();
    assert_eq!(once["rows"], twice["rows"]);
    assert_eq!(twice["external_persons"], 11);
}

#[test]
fn an_audit_keeps_and_breaks_the_promise_at_its_limit() {
    for (file, case, breach, code) in [
        ("figure3.csv", PRIMARY, "1/2", 0),
        ("figure3.csv", PRIMARY, "0.4999999999", 1),
        ("figure3.csv", NON_PRIMARY, "1/2", 0),
        ("figure1c.csv", PRIMARY, "1/2", 1),
        ("figure1c.csv", PRIMARY, "1", 0),
        ("figure1c.csv", NON_PRIMARY, "3/4", 0),
        ("figure1c.csv", NON_PRIMARY, "0.7499999999", 1),
    ] {
        let folder = folder(case, breach);
        let arguments = [
            "audit",
            file,
            "-p",
            "policy.toml",
            "--raw",
            "raw.csv",
            "--json",
        ];
        let answer = folder.scrim(&arguments).exits(code).json();
        let model = &answer["models"][0];
        let largest = match (file, case) {
            ("figure3.csv", _) => "1/2",
            (_, PRIMARY) => "1",
            _ => "3/4",
        };
        assert_eq!(model["observed_exact"], largest, "{file} {case} {breach}");
        assert_eq!(answer["breach"]["max_exact"], largest);
        assert_eq!(answer["breach"]["case"], model["case"]);
        assert_eq!(model["witness"].is_null(), code == 0);
    }
}

#[test]
fn values_that_overlap_in_a_class_break_the_promise() {
    let folder = folder(PRIMARY, "1");
    // Row 3 shows a taxon above what row 4 shows; both are true.
    folder.write(
        "overlap.csv",
        FIGURE_1C.replace("15001-20000,pneumonia", "15001-20000,respiratory-infection"),
    );
    let answer = folder
        .scrim(&["audit", "overlap.csv", "-p", "policy.toml", "--json"])
        .exits(1)
        .json();
    let found = answer["models"][0]["witness"]["found"].as_str().unwrap();
    assert_eq!(found, "published values of `disease` overlap");
    assert_eq!(answer["models"][0]["witness"]["class"], 2);
}

#[test]
fn withheld_rows_are_judged_as_rows_that_may_have_any_value() {
    let folder = folder(PRIMARY, "1/4");
    let all: String = (0..10).map(|_| "*,*,*,*\n").collect();
    folder.write("stars.csv", format!("age,sex,zip,disease\n{all}"));
    let answer = folder
        .scrim(&["audit", "stars.csv", "-p", "policy.toml", "--json"])
        .exits(0)
        .json();
    // A guard of three of the twelve leaves.
    assert_eq!(answer["models"][0]["observed_exact"], "1/4");
    assert_eq!(answer["rows"]["withheld"], 10);
    folder.replace("policy.toml", "\"1/4\"", "\"24/100\"");
    folder
        .scrim(&["audit", "stars.csv", "-p", "policy.toml"])
        .exits(1);
}

#[test]
fn the_wishes_come_from_the_policys_table_or_from_nowhere() {
    let folder = folder(PRIMARY, "1/2");
    let answer = folder
        .scrim(&["audit", "figure3.csv", "-p", "policy.toml", "--json"])
        .exits(0)
        .json();
    let remarks = answer["remarks"].to_string();
    assert!(
        remarks.contains("the wishes are read from raw.csv, which the policy names"),
        "{remarks}"
    );
    std::fs::remove_file(folder.path("raw.csv")).unwrap();
    let refused = folder
        .scrim(&["audit", "figure3.csv", "-p", "policy.toml"])
        .exits(2);
    assert!(
        refused
            .stderr
            .contains("a release does not tell the wishes of its persons"),
        "{}",
        refused.stderr
    );
    assert!(refused.stderr.contains("with --raw"), "{}", refused.stderr);
}

#[test]
fn another_table_is_not_taken_for_the_source() {
    let folder = folder(PRIMARY, "1/2");
    folder.write("short.csv", RAW.replace("Mary,56,F,33000,flu,flu\n", ""));
    folder.write(
        "moved.csv",
        RAW.replace("Mary,56,F,33000", "Mary,55,F,33000"),
    );
    folder.write("other.csv", RAW.replace("58000,flu,", "58000,pneumonia,"));
    for (raw, what) in [
        ("short.csv", "the release has 10 rows, but short.csv has 9"),
        (
            "moved.csv",
            "row 10 does not cover in `age` what moved.csv says",
        ),
        (
            "other.csv",
            "row 7 does not cover in `disease` what other.csv says",
        ),
    ] {
        for command in [&["audit"][..], &["attack", "--personal"]] {
            let more = ["figure3.csv", "-p", "policy.toml", "--raw", raw];
            let refused = folder.scrim(&[command, &more].concat()).exits(2);
            assert!(refused.stderr.contains(what), "{}", refused.stderr);
            assert!(
                refused
                    .stderr
                    .contains("is this release made from that table?")
            );
        }
    }
}

#[test]
fn a_wish_off_the_values_way_is_told_by_file_and_line() {
    let folder = folder(PRIMARY, "1/2");
    for wish in ["respiratory-infection", "nonsense", "flu "] {
        folder.write(
            "raw.csv",
            RAW.replace("dyspepsia,dyspepsia", &format!("dyspepsia,{wish}")),
        );
        let refused = folder
            .scrim(&["audit", "figure3.csv", "-p", "policy.toml"])
            .exits(2);
        assert!(
            refused
                .stderr
                .contains("raw.csv:3: the wish in `wish` is no taxon"),
            "{}",
            refused.stderr
        );
        assert!(!refused.stderr.contains(wish) && !refused.stderr.contains("dyspepsia"));
    }
}

#[test]
fn who_asks_for_nothing_is_not_protected() {
    let folder = folder(PRIMARY, "0");
    let silent: String = RAW
        .lines()
        .map(|line| format!("{},\n", line.rsplit_once(',').unwrap().0))
        .collect();
    folder.write(
        "raw.csv",
        silent.replacen("disease,\n", "disease,wish\n", 1),
    );
    folder
        .scrim(&["audit", "figure1c.csv", "-p", "policy.toml"])
        .exits(0);
    let answer = attack(&folder, "figure1c.csv", &["--json"]).exits(0).json();
    assert_eq!(
        (&answer["guarded"], &answer["max_exact"]),
        (&0.into(), &"0".into())
    );
}

#[test]
fn a_default_guard_speaks_for_tables_without_wishes() {
    let folder = folder(PRIMARY, "1/2");
    let bare: String = RAW
        .lines()
        .map(|line| format!("{}\n", line.rsplit_once(',').unwrap().0))
        .collect();
    folder.write("raw.csv", bare);
    folder.replace(
        "policy.toml",
        "wish = { role = \"guard\", of = \"disease\" }\n",
        "",
    );
    let with = |guard: &str| {
        let line = format!("breach = \"1/2\"\ndefault-guard = \"{guard}\"");
        folder.write(
            "own.toml",
            folder
                .text("policy.toml")
                .replace("breach = \"1/2\"", &line),
        );
        let more = [
            "figure1c.csv",
            "-p",
            "own.toml",
            "--personal",
            "--raw",
            "raw.csv",
            "--json",
        ];
        folder.scrim(&[&["attack"], &more[..]].concat())
    };
    assert_eq!(
        exact(&with("value").exits(1).json()),
        [
            "1/2", "1/2", "1/2", "1/2", "1", "1", "1/2", "1/4", "1/4", "1/2"
        ]
    );
    assert_eq!(
        exact(&with("respiratory-infection").exits(1).json()),
        ["0", "0", "1", "1", "1", "1", "3/4", "0", "3/4", "3/4"]
    );
    let refused = with("nowhere").exits(2);
    assert!(
        refused.stderr.contains("`default-guard` is no taxon"),
        "{}",
        refused.stderr
    );
}

#[test]
fn persons_with_several_rows_decide_the_case() {
    let folder = folder(PRIMARY, "1/2");
    folder.write(
        "raw.csv",
        RAW.replace("Sam,", "Joe,").replace("Bill,", "Andy,"),
    );
    let answer = attack(&folder, "figure1c.csv", &["--json"]).exits(1).json();
    assert_eq!(answer["case"], "non-primary");
    // Andy owns both rows of the first class, Joe both of the third.
    assert_eq!(exact(&answer)[..6], ["1", "1", "3/4", "1/2", "1", "1"]);
    folder.write("policy.toml", policy("case = \"primary\"", "1/2"));
    let refused = attack(&folder, "figure1c.csv", &[]).exits(2);
    assert!(
        refused.stderr.contains("some person has several rows"),
        "{}",
        refused.stderr
    );
}
