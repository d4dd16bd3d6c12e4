//! Audits of releases that keep and break wishes.

use crate::personal_attack::{FIGURE_1C, NON_PRIMARY, PRIMARY, RAW, attack, exact, folder, policy};

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
