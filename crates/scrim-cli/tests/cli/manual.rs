//! `scrim help` and `scrim man`.

use scrim::release::catalog::{CATALOG, Kind};

use crate::folder::Folder;

/// Every command by its path, from the pages that `man` writes.
fn paths(folder: &Folder) -> Vec<Vec<String>> {
    let files = folder
        .scrim(&["man", "-o", "man", "--json"])
        .exits(0)
        .json();
    let files = files["files"].as_array().unwrap().clone();
    files
        .iter()
        .map(|file| {
            let name = file.as_str().unwrap().trim_start_matches("man/");
            let name = name.strip_suffix(".1").unwrap();
            name.split('-').skip(1).map(str::to_owned).collect()
        })
        .collect()
}

#[test]
fn every_entry_of_the_catalog_is_explained() {
    let folder = Folder::empty();
    for entry in CATALOG {
        let run = folder
            .scrim(&["help", entry.kind.title(), entry.name])
            .exits(0);
        let text = &run.stdout;
        assert!(run.stderr.is_empty(), "{}", run.stderr);
        for heading in [
            "Definition:",
            "Example:",
            "Cost:",
            "More:",
            entry.kind.limits(),
        ] {
            assert!(text.contains(heading), "{}: {heading}\n{text}", entry.name);
        }
        for parameter in entry.parameters {
            let line = format!("\n  {}", parameter.name);
            assert!(text.contains(&line), "{}: {line}", entry.name);
        }
        let example = entry.example.lines();
        assert!(
            text.lines().all(|line| line.chars().count() <= 100
                || example.clone().any(|own| line.trim() == own.trim())),
            "{text}"
        );
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words(text).contains(&words(entry.definition)), "{text}");
    }
    insta::assert_snapshot!(folder.scrim(&["help", "l-diversity"]).exits(0).shown());
}

#[test]
fn a_name_of_two_kinds_is_told_twice_and_once_after_its_kind() {
    let folder = Folder::empty();
    let both = folder
        .scrim(&["help", "personal", "--json"])
        .exits(0)
        .json();
    let kinds: Vec<&str> = both["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["model", "attack"]);
    let one = folder
        .scrim(&["help", "attack", "personal", "--json"])
        .exits(0)
        .json();
    assert_eq!(one["entries"].as_array().unwrap().len(), 1);
    assert_eq!(one["entries"][0]["policy"], serde_json::Value::Null);
    assert_eq!(one["entries"][0]["parameters"][0]["name"], "--raw");
}

#[test]
fn commands_are_explained_as_their_own_help_does() {
    let folder = Folder::empty();
    for path in paths(&folder) {
        let path: Vec<&str> = path.iter().map(String::as_str).collect();
        let own = folder
            .scrim(&[&path[..], &["--help"]].concat())
            .exits(0)
            .stdout;
        let told = folder
            .scrim(&[&["help"], &path[..]].concat())
            .exits(0)
            .stdout;
        assert!(told.starts_with(&own), "{path:?}\n{told}");
        assert!(
            path.is_empty() || own.contains("Examples:\n  "),
            "{path:?} has no example"
        );
        let leaf = !own.contains("\nCommands:\n");
        assert!(
            !leaf || own.contains("Exit codes: 0 ") && own.contains(", 2 could not run"),
            "{path:?}\n{own}"
        );
    }
    // The kind beside the command of the same name.
    let risk = folder.scrim(&["help", "risk"]).exits(0).stdout;
    assert!(risk.contains("Usage: scrim risk") && risk.contains("prosecutor, journalist"));
    let nested = folder.scrim(&["ledger", "help", "verify"]).exits(0).stdout;
    assert!(nested.contains("Usage: scrim ledger verify"), "{nested}");
}

#[test]
fn a_kind_is_listed_and_an_unknown_name_is_answered_with_the_nearest() {
    let folder = Folder::empty();
    for kind in ["model", "models", "metrics"] {
        let list = folder.scrim(&["help", kind]).exits(0).stdout;
        let wanted = if kind == "metrics" {
            Kind::Metric
        } else {
            Kind::Model
        };
        for entry in CATALOG {
            let listed = list
                .lines()
                .any(|line| line.split(' ').next() == Some(entry.name));
            let name_of_other = CATALOG
                .iter()
                .any(|other| other.name == entry.name && other.kind == wanted);
            assert_eq!(listed, name_of_other, "{kind}: {}", entry.name);
        }
    }
    let slip = folder.scrim(&["help", "k-anonimity"]).exits(2);
    insta::assert_snapshot!(slip.shown());
    let near = folder.scrim(&["help", "Mondrain"]).exits(2).stderr;
    assert!(near.contains("did you mean `mondrian`?"), "{near}");
    let near = folder.scrim(&["help", "pubish"]).exits(2).stderr;
    assert!(near.contains("did you mean `publish`?"), "{near}");
    let none = folder
        .scrim(&["help", "model", "quite different"])
        .exits(2)
        .stderr;
    assert!(!none.contains("did you mean"), "{none}");
    folder.scrim(&["help", "metric", "k-anonymity"]).exits(2);
    let json = folder.scrim(&["help", "nothing", "--json"]).exits(2).json();
    assert!(json["error"].as_str().unwrap().contains("`nothing`"));
}

#[test]
fn every_command_has_a_page_that_names_all_its_options() {
    let folder = Folder::empty();
    let paths = paths(&folder);
    for expected in [
        "publish",
        "attack",
        "ledger-verify",
        "hierarchy-show",
        "help",
        "man",
    ] {
        let split: Vec<&str> = expected.split('-').collect();
        assert!(paths.iter().any(|path| path == &split), "{expected}");
    }
    for path in &paths {
        let page = folder.text(&format!(
            "man/{}.1",
            [&["scrim".to_owned()], &path[..]].concat().join("-")
        ));
        let typed: Vec<&str> = path.iter().map(String::as_str).collect();
        let help = folder
            .scrim(&[&typed[..], &["--help"]].concat())
            .exits(0)
            .stdout;
        let options = help
            .split_whitespace()
            .filter(|word| word.starts_with("--"));
        let plain = page
            .replace("\\-", "-")
            .replace("\\fB", "")
            .replace("\\fR", "");
        for option in options {
            let letters = |c: char| c.is_ascii_alphanumeric() || c == '-';
            let option: String = option.chars().take_while(|c| letters(*c)).collect();
            assert!(plain.contains(&option), "{path:?}: {option}\n{page}");
        }
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "\"SEE ALSO\""] {
            assert!(
                page.contains(&format!(".SH {section}\n")),
                "{path:?}: {section}\n{page}"
            );
        }
        assert!(page.is_ascii(), "{path:?}");
    }
    let main = folder.scrim(&["man"]).exits(0).stdout;
    assert_eq!(main, folder.text("man/scrim.1"));
}

#[test]
fn pages_are_typeset_without_a_warning() {
    let folder = Folder::empty();
    let paths = paths(&folder);
    for path in paths {
        let page = format!(
            "man/{}.1",
            [&["scrim".to_owned()], &path[..]].concat().join("-")
        );
        let run = std::process::Command::new("groff")
            .args(["-man", "-ww", "-z", "-Tutf8"])
            .arg(folder.path(&page))
            .output()
            .expect("groff (package groff-base) is needed: ./test installs it");
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        assert!(run.status.success() && said.is_empty(), "{page}: {said}");
    }
}
