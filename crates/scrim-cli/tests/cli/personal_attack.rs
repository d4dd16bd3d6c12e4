//! Wishes from outside: the attack on Figures 1c and 3 of [XiaoTao06], and the audit of releases that keep and break them.

use serde_json::Value;

use crate::folder::{Folder, Run};

/// Figure 1a; the names stand for persons.
pub(crate) const RAW: &str = "patient,age,sex,zip,disease,wish\n\
    Andy,5,M,12000,gastric-ulcer,stomach-disease\nBill,9,M,14000,dyspepsia,dyspepsia\n\
    Ken,6,M,18000,pneumonia,respiratory-infection\nNash,8,M,19000,bronchitis,bronchitis\n\
    Joe,12,M,22000,pneumonia,pneumonia\nSam,19,M,24000,pneumonia,pneumonia\nLinda,21,F,58000,flu,\n\
    Jane,26,F,36000,gastritis,gastritis\nSarah,28,F,37000,pneumonia,respiratory-infection\nMary,56,F,33000,flu,flu\n";

/// Figure 1b.
pub(crate) const EXTERNAL: &str = "patient,shoe,age,sex,zip\nAndy,1,5,M,12000\nBill,2,9,M,14000\nKen,3,6,M,18000\n\
    Nash,4,8,M,19000\nMike,5,7,M,17000\nJoe,6,12,M,22000\nSam,7,19,M,24000\nLinda,8,21,F,58000\nJane,9,26,F,36000\n\
    Sarah,1,28,F,37000\nMary,2,56,F,33000\n";

pub(crate) const FIGURE_3: &str = "age,sex,zip,disease\n1-10,M,10001-20000,gastric-ulcer\n1-10,M,10001-20000,dyspepsia\n\
    1-10,M,10001-20000,respiratory-infection\n1-10,M,10001-20000,respiratory-infection\n\
    11-20,M,20001-25000,respiratory-infection\n11-20,M,20001-25000,respiratory-infection\n21,F,58000,flu\n\
    26-30,F,35001-40000,gastritis\n26-30,F,35001-40000,pneumonia\n56,F,33000,respiratory-infection\n";

pub(crate) const FIGURE_1C: &str = "age,sex,zip,disease\n1-10,M,10001-15000,gastric-ulcer\n1-10,M,10001-15000,dyspepsia\n\
    1-10,M,15001-20000,pneumonia\n1-10,M,15001-20000,bronchitis\n11-20,M,20001-25000,pneumonia\n\
    11-20,M,20001-25000,pneumonia\n21-60,F,30000-60000,flu\n21-60,F,30000-60000,gastritis\n\
    21-60,F,30000-60000,pneumonia\n21-60,F,30000-60000,flu\n";

/// Figure 2, where the paper names it.
pub(crate) const DISEASES: &str = "any\n  respiratory-system-problem\n    respiratory-infection\n      flu\n      pneumonia\n      \
    bronchitis\n    respiratory-other\n      r4\n      r5\n      r6\n  digestive-system-problem\n    stomach-disease\n      \
    gastric-ulcer\n      dyspepsia\n      gastritis\n    digestive-other\n      d10\n      d11\n      d12\n";

pub(crate) fn policy(case: &str, breach: &str) -> String {
    format!(
        "[data]\npath = \"raw.csv\"\n[columns]\npatient = {{ role = \"person\" }}\n\
         age = {{ role = \"quasi\", numeric = {{ from = 1, to = 60 }} }}\nsex = {{ role = \"quasi\" }}\n\
         zip = {{ role = \"quasi\", numeric = {{ from = 10001, to = 60000 }} }}\n\
         disease = {{ role = \"sensitive\", hierarchy = \"disease.txt\" }}\n\
         wish = {{ role = \"guard\", of = \"disease\" }}\n\
         [[privacy]]\nmodel = \"personal\"\nbreach = \"{breach}\"\n{case}\n[search]\nalgorithm = \"personalized\"\n"
    )
}

pub(crate) fn folder(case: &str, breach: &str) -> Folder {
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

pub(crate) const PRIMARY: &str = "";
pub(crate) const NON_PRIMARY: &str = "case = \"non-primary\"";

pub(crate) fn attack(folder: &Folder, file: &str, more: &[&str]) -> Run {
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

pub(crate) fn exact(answer: &Value) -> Vec<&str> {
    let rows = answer["rows"].as_array().unwrap();
    rows.iter()
        .map(|row| row["breach_exact"].as_str().unwrap())
        .collect()
}

/// A figure, the case, whether with Figure 1b, every row's breach probability, and the largest.
#[rustfmt::skip]
pub(crate) const READINGS: [(&str, &str, bool, &str, &str); 8] = [
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

pub(crate) fn above_half(text: &str) -> bool {
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
    let mut remarks = answer["remarks"].as_array().unwrap().iter();
    let few = "in 4 of 5 classes few.csv has fewer persons";
    assert!(
        remarks.any(|remark| remark.as_str().unwrap().starts_with(few)),
        "{answer}"
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
