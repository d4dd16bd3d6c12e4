//! What leaves the house and what stands in its way: files of others, spreadsheets, recipients who check for themselves.

use std::fs;
use std::process::Command;

use crate::folder::Folder;

#[test]
fn a_file_of_others_is_not_overwritten() {
    for name in [
        "release.csv",
        "manifest.json",
        "report.html",
        "plan.json",
        "policy.external.toml",
        "manifest.external.json",
    ] {
        let folder = Folder::figure_7();
        fs::create_dir(folder.path("release")).unwrap();
        folder.write(&format!("release/{name}"), "mine\n");
        let run = folder
            .scrim(&["publish", "policy.toml", "--external"])
            .exits(2);
        assert!(
            run.stderr
                .contains(&format!("release/{name}: this file is in the way")),
            "{}",
            run.shown()
        );
        assert!(run.stderr.contains("another `dir`"), "{}", run.shown());
        assert_eq!(folder.text(&format!("release/{name}")), "mine\n");
    }
}

#[test]
fn an_earlier_release_is_replaced_and_named_and_a_changed_one_is_kept() {
    let folder = Folder::figure_7();
    let first = folder
        .scrim(&["publish", "policy.toml", "--external", "--json"])
        .exits(0);
    assert!(first.json()["files"].get("replaced").is_none());
    let manifest = folder.text("release/manifest.json");
    let again = folder.scrim(&["publish", "policy.toml"]).exits(0);
    assert!(
        again
            .stdout
            .contains("in place of the earlier release.csv, manifest.json"),
        "{}",
        again.shown()
    );
    assert!(!again.stdout.contains("BROKEN"), "{}", again.shown());
    assert_eq!(folder.text("release/manifest.json"), manifest);
    // What went out with the earlier release does not stay beside another.
    assert!(!folder.path("release/policy.external.toml").exists());
    let json = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(json["files"]["replaced"].as_array().unwrap().len(), 4);
    folder.replace("release/release.csv", "chest pain", "CHEST PAIN");
    let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
    assert!(
        run.stderr.contains("release/release.csv"),
        "{}",
        run.shown()
    );
    assert!(folder.text("release/release.csv").contains("CHEST PAIN"));
}

#[test]
fn a_recipient_checks_with_one_command_and_learns_nothing_of_the_house() {
    let folder = Folder::figure_7();
    let data = folder.text("data.csv");
    let lines = data.lines().enumerate().map(|(at, line)| match at {
        0 => format!("PatientName,{line}\n"),
        _ => format!("n{at},{line}\n"),
    });
    folder.write("secretdata.csv", lines.collect::<String>());
    folder.replace("policy.toml", "data.csv", "secretdata.csv");
    folder.replace(
        "policy.toml",
        "[columns]",
        "[columns]\nPatientName = { role = \"person\" }",
    );
    folder
        .scrim(&["publish", "policy.toml", "--external"])
        .exits(0);
    let policy = folder.text("release/policy.external.toml");
    for secret in [
        "PatientName",
        "secretdata",
        "zip.csv",
        "hierarchy =",
        "optimal",
    ] {
        assert!(!policy.contains(secret), "{secret}\n{policy}");
    }
    let manifest = folder.text("release/manifest.external.json");
    assert!(
        !manifest.contains("policy") && !manifest.contains("PatientName"),
        "{manifest}"
    );
    let away = Folder::empty();
    for name in [
        "release.csv",
        "policy.external.toml",
        "manifest.external.json",
    ] {
        away.write(name, folder.read(&format!("release/{name}")));
    }
    let audit = [
        "audit",
        "release.csv",
        "--manifest",
        "manifest.external.json",
        "-p",
        "policy.external.toml",
    ];
    let run = away.scrim(&audit).exits(0);
    assert!(run.stdout.starts_with("kept"), "{}", run.shown());
    // It is a check: a stricter promise is broken.
    away.replace("policy.external.toml", "k = 2", "k = 9");
    away.scrim(&audit).exits(1);
    away.replace("policy.external.toml", "k = 9", "k = 2");
    away.replace("release.csv", "chest pain", "chest pains");
    let run = away.scrim(&audit).exits(1);
    assert!(
        run.stdout
            .starts_with("broken: release.csv is not the file"),
        "{}",
        run.shown()
    );
    let json = away
        .scrim(&[&audit[..], &["--json"]].concat())
        .exits(1)
        .json();
    assert_eq!(json["holds"], false);
    away.write("manifest.external.json", "{}");
    away.scrim(&audit).exits(2);
}

/// A hostile diagnosis, and numbers that only look like formulas.
fn formulas() -> Folder {
    let folder = Folder::figure_7();
    folder.replace("data.csv", "chest pain", "=HYPERLINK(1)");
    folder.replace("data.csv", "obesity", "-5");
    folder.replace("data.csv", "short of breath", "'=x");
    folder
}

#[test]
fn formulas_are_kept_with_a_note_that_shows_none() {
    let folder = formulas();
    let run = folder.scrim(&["publish", "policy.toml"]).exits(0);
    let count = folder
        .text("release/release.csv")
        .matches("=HYPERLINK")
        .count();
    assert!(count > 0);
    let note = format!("{count} cell");
    assert!(
        run.stderr.contains(&note) && run.stderr.contains("of `Problem` begin"),
        "{}",
        run.shown()
    );
    assert!(!run.shown().contains("HYPERLINK"), "{}", run.shown());
    let plain = Folder::figure_7()
        .scrim(&["publish", "policy.toml"])
        .exits(0);
    assert!(!plain.stderr.contains("spreadsheet"), "{}", plain.shown());
}

#[test]
fn a_spreadsheet_safe_release_has_apostrophes_and_is_read_back_without() {
    let kept = formulas();
    kept.scrim(&["publish", "policy.toml"]).exits(0);
    for more in [&[][..], &["--memory", "1GB"]] {
        let folder = formulas();
        folder.replace(
            "policy.toml",
            "format = \"csv\"",
            "format = \"csv\"\nspreadsheet-safe = true",
        );
        folder
            .scrim(&[&["publish", "policy.toml"], more].concat())
            .exits(0);
        let release = folder.text("release/release.csv");
        assert!(
            release.contains(",'=HYPERLINK(1)") && release.contains(",''=x"),
            "{release}"
        );
        assert!(release.contains(",-5"), "{release}");
        for line in release.lines() {
            for cell in line.split(',') {
                assert!(!cell.starts_with(['=', '+', '@']), "{line}");
            }
        }
        let mut bare: Vec<String> = release
            .lines()
            .map(|line| line.replacen(",'", ",", 1))
            .collect();
        bare.sort();
        let was = kept.text("release/release.csv");
        let mut was: Vec<&str> = was.lines().collect();
        was.sort_unstable();
        assert_eq!(bare, was);
        folder
            .scrim(&["audit", "release/release.csv", "-p", "policy.toml"])
            .exits(0);
        let measured = |folder: &Folder| {
            let measure = [
                "measure",
                "data.csv",
                "release/release.csv",
                "-p",
                "policy.toml",
                "--json",
            ];
            folder.scrim(&measure).exits(0).json()["metrics"].clone()
        };
        assert_eq!(measured(&folder), measured(&kept));
    }
}

#[test]
fn inputs_that_are_no_text_are_named_with_what_to_do() {
    const CASES: [(&[u8], &str, &str); 12] = [
        (
            b"PK\x03\x04\x14\0\x06\0[Content_Types].xml xl/workbook.xml",
            "Excel workbook (.xlsx)",
            "CSV UTF-8",
        ),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0",
            "Excel workbook (.xls)",
            "CSV UTF-8",
        ),
        (b"$FL2@(#) IBM SPSS", "SPSS", "read_spss"),
        (b"<stata_dta><header>", "Stata", "read_stata"),
        (
            b"HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!",
            "SAS",
            "read_sas",
        ),
        (b"ARROW1\0\0", "Feather", "to_parquet"),
        (b"SQLite format 3\0", "SQLite", "sqlite3 -csv"),
        (b"[\n {\"a\": 1}\n]\n", "JSON", "read_json"),
        (b"%PDF-1.7\n", "PDF", "as CSV"),
        (b"\xff\xfeR\0a\0c\0e\0,\0", "UTF-16", "iconv -f utf-16"),
        (
            b"Race,BirthDate,Gender,ZIP,Problem\nM\xfcller,a,b,c,d\n",
            "not UTF-8",
            "windows-1252",
        ),
        (b"PAR1\x15\x04", "Parquet", ".parquet"),
    ];
    for (bytes, what, hint) in CASES {
        let folder = Folder::figure_7();
        folder.write("data.csv", bytes);
        for arguments in [
            &["publish", "policy.toml"][..],
            &["init", "data.csv", "--out", "new.toml", "--yes"],
        ] {
            let run = folder.scrim(arguments).exits(2);
            assert!(
                run.stderr.contains(what) && run.stderr.contains(hint),
                "{what}\n{}",
                run.shown()
            );
        }
    }
}

#[test]
fn words_of_the_glossary_and_pages_are_answered() {
    let folder = Folder::empty();
    for (typed, says) in [
        (
            "quasi",
            "quasi-identifier: a column by which an outsider may recognise a person.",
        ),
        ("taxon", "taxon: a vertex of a hierarchy."),
        ("class", "class: rows of a table that look alike"),
        ("policy", "policy: the file that says"),
    ] {
        let run = folder.scrim(&["help", typed]).exits(0);
        assert!(
            run.stdout.replace("\n ", "").contains(says),
            "{}",
            run.shown()
        );
    }
    let json = folder.scrim(&["help", "taxon", "--json"]).exits(0).json();
    assert_eq!(json["words"][0]["word"], "taxon");
    let page = folder.scrim(&["help", "page", "policy"]).exits(0);
    assert!(page.stdout.contains("[release]"), "{}", page.shown());
    folder.scrim(&["help", "page", "nothing"]).exits(2);
    folder.scrim(&["help", "nothing-of-the-kind"]).exits(2);
    // An installed program has no folder of docs.
    for command in [
        "",
        "publish",
        "audit",
        "measure",
        "report",
        "risk",
        "ledger",
        "bench",
        "init",
        "t-closeness",
    ] {
        let arguments: Vec<&str> = ["help", command]
            .into_iter()
            .filter(|word| !word.is_empty())
            .collect();
        let run = folder.scrim(&arguments).exits(0);
        assert!(!run.stdout.contains("docs/"), "{}", run.shown());
    }
}

#[test]
fn one_row_is_not_rows() {
    let folder = Folder::figure_7();
    let audit = folder
        .scrim(&["audit", "data.csv", "-p", "policy.toml"])
        .exits(1);
    assert!(
        audit.stdout.contains("classes   12, of 1 row\n"),
        "{}",
        audit.shown()
    );
    folder.write("one.csv", "a\nx\ny\n");
    let init = folder.scrim(&["init", "one.csv", "--out", "one.toml", "--accept-guesses"]);
    assert!(
        init.stdout.contains("one.csv: 2 rows, 1 column"),
        "{}",
        init.shown()
    );
}

/// As somebody would paste them, with the program not on the PATH.
#[test]
fn what_demo_proposes_can_be_typed() {
    let folder = Folder::empty();
    // Enough rows that columns keep something of their hierarchies.
    let demo = folder
        .scrim(&["demo", "my tour", "--rows", "10000"])
        .exits(0);
    let (_, next) = demo.stdout.split_once("Try next:\n").unwrap();
    let lines: Vec<&str> = next
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .collect();
    assert_eq!(lines.len(), 9);
    for line in lines {
        let run = Command::new("sh")
            .arg("-c")
            .arg(line)
            .current_dir(folder.path(""))
            .output()
            .unwrap();
        let talk = String::from_utf8_lossy(&run.stderr);
        assert!(matches!(run.status.code(), Some(0 | 1)), "{line}\n{talk}");
    }
}
