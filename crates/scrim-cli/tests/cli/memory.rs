//! `--memory`: a table that does not fit is refused while it is read, in words, and nothing is left behind.

use crate::folder::Folder;

const POLICY: &str = r#"[data]
path = "data.csv"
[columns]
age = { role = "quasi" }
zip = { role = "quasi", hierarchy = { mask = "right" } }
[[privacy]]
model = "k-anonymity"
k = 2
[search]
algorithm = "ALGORITHM"
[release]
dir = "out/release"
"#;

fn folder(algorithm: &str) -> Folder {
    let folder = Folder::empty();
    let row = |row: u32| format!("{},{:05}\n", row % 7, row % 60_000);
    let rows: String = (0..70_000).map(row).collect();
    folder.write("data.csv", format!("age,zip\n{rows}"));
    folder.write("policy.toml", POLICY.replace("ALGORITHM", algorithm));
    folder
}

#[test]
fn what_does_not_fit_is_refused_and_nothing_is_left() {
    // Different rows, and all rows where a search moves single ones.
    for algorithm in ["optimal", "mondrian"] {
        let folder = folder(algorithm);
        let run = folder.scrim(&["publish", "policy.toml", "--memory", "87MB"]);
        assert_eq!(run.code, Some(2), "{}", run.stderr);
        assert!(
            run.stderr
                .contains("error: --memory 87 MB: the table has more than ")
        );
        assert!(
            run.stderr
                .contains("different rows, which with all else take about ")
        );
        assert!(run.stderr.contains("`zip`"), "{}", run.stderr);
        let left = folder.path(".").read_dir().unwrap().count();
        assert_eq!(left, 2, "the table and the policy");
        let run = folder.scrim(&["publish", "policy.toml", "--memory", "1GB"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(folder.path("out/release/release.csv").exists());
    }
}

#[test]
fn an_amount_that_is_none_or_too_little_is_told() {
    let folder = folder("optimal");
    for (amount, words) in [
        (
            "GB",
            "expected a number and a unit, such as `500MB` or `2GB`",
        ),
        ("3 apples", "expected a size such as `500MB` or `2GB`"),
        (
            "1MB",
            "--memory 1.0 MB: less than the 84 MB that any publication takes",
        ),
    ] {
        let run = folder.scrim(&["publish", "policy.toml", "--memory", amount]);
        assert_eq!(run.code, Some(2));
        assert!(run.stderr.contains(words), "{}", run.stderr);
    }
    let run = folder.scrim(&["publish", "policy.toml", "--compare", "--memory", "1GB"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("cannot be used with"), "{}", run.stderr);
}
