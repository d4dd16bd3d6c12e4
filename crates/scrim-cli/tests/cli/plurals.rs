//! One of something is never called by its plural, on any output of any command.

use crate::folder::Folder;

/// What may stand behind a one only in the singular.
const PLURALS: [&str; 21] = [
    "rows",
    "persons",
    "columns",
    "classes",
    "values",
    "cells",
    "files",
    "releases",
    "groups",
    "records",
    "tables",
    "times",
    "labels",
    "bytes",
    "nodes",
    "levels",
    "fields",
    "promises",
    "categories",
    "characters",
    "quasi-identifiers",
];

/// Where a text says "1 rows" or the like.
fn wrong(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || ".,-".contains(c);
    let mut found = Vec::new();
    for plural in PLURALS {
        let words = format!("1 {plural}");
        for (at, _) in text.match_indices(&words) {
            let (before, after) = (&text[..at], &text[at + words.len()..]);
            let is_longer = after.starts_with(|c: char| c.is_alphanumeric() || c == '-');
            if !before.ends_with(is_part) && !is_longer {
                let line = before.rsplit('\n').next().unwrap_or_default();
                found.push(format!("{line}{words}"));
            }
        }
    }
    found
}

/// The text of a page, without its tags.
fn text_of(page: &str) -> String {
    let parts = page.split('<');
    let parts = parts.map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    parts.collect()
}

/// Runs a command and looks at all that it prints, whatever it ends with.
fn look(folder: &Folder, command: &str) -> String {
    let arguments: Vec<&str> = command.split(' ').collect();
    let run = folder.scrim(&arguments);
    let shown = run.shown();
    assert_eq!(wrong(&shown), Vec::<String>::new(), "{command}:\n{shown}");
    assert!(!shown.contains("panicked"), "{shown}");
    shown
}

fn folder(data: &str, columns: &str, rest: &str) -> Folder {
    let folder = Folder::empty();
    folder.write("data.csv", data);
    let policy = format!("[data]\npath = \"data.csv\"\n[columns]\n{columns}\n{rest}\n");
    folder.write("policy.toml", policy);
    folder
}

/// The commands about a table and its release, and the page about it.
fn look_at_all(folder: &Folder) {
    look(folder, "lattice policy.toml");
    look(folder, "risk data.csv --policy policy.toml");
    look(folder, "audit data.csv --policy policy.toml");
    let published = look(folder, "publish policy.toml");
    if !published.contains("published and certified") {
        return;
    }
    let release = "release/release.csv --policy policy.toml";
    for command in ["audit", "risk", "measure", "audit --raw data.csv"] {
        look(folder, &format!("{command} {release}"));
    }
    for attack in ["--similarity", "--linkage data.csv"] {
        look(folder, &format!("attack {release} {attack}"));
    }
    look(folder, "report release");
    look(folder, "report release --external");
    for page in ["release/report.html", "release/report.external.html"] {
        let page = text_of(&folder.text(page));
        assert_eq!(wrong(&page), Vec::<String>::new());
    }
}

const K: &str = "[[privacy]]\nmodel = \"k-anonymity\"\nk = ";

#[test]
fn the_wrong_words_are_seen() {
    assert_eq!(
        wrong(&text_of("it has 1 rows, and <b>1</b> cells")).len(),
        2,
        "the test must see what it looks for"
    );
    assert_eq!(
        wrong("it has 1 row, 0.1 rows, 21 rows, and 1 rowsome"),
        Vec::<String>::new()
    );
}

#[test]
fn a_table_of_one_row_has_one_row() {
    let columns = "zip = { role = \"quasi\" }\ndisease = { role = \"sensitive\" }";
    for (k, search) in [
        ("1", ""),
        ("2", ""),
        ("1", "[search]\nalgorithm = \"local\""),
    ] {
        let rest = format!("{K}{k}\n{search}");
        look_at_all(&folder("zip,disease\n10001,flu\n", columns, &rest));
    }
}

#[test]
fn a_table_of_one_class_has_one_class() {
    let data = "id,zip,disease\na,10001,flu\na,10001,cold\nb,10001,cold\n,10001,flu\n";
    for id in ["identifier", "person"] {
        let columns = format!(
            "id = {{ role = \"{id}\" }}\nzip = {{ role = \"quasi\" }}\ndisease = {{ role = \"sensitive\" }}"
        );
        for k in [2, 4, 5] {
            let rest = format!("{K}{k}\n[[privacy]]\nmodel = \"l-diversity\"\nl = 2");
            look_at_all(&folder(data, &columns, &rest));
        }
    }
}

#[test]
fn one_row_that_stands_out_is_one_row() {
    let mut data = String::from("zip,disease\n20002,gout\n");
    data.push_str(&"10001,flu\n10001,cold\n".repeat(6));
    let columns = "zip = { role = \"quasi\" }\ndisease = { role = \"sensitive\" }";
    for second in [
        "[[privacy]]\nmodel = \"l-diversity\"\nl = 2",
        "[[privacy]]\nmodel = \"l-diversity\"\nkind = \"recursive\"\nc = 1\nl = 2",
        "[[privacy]]\nmodel = \"t-closeness\"\nt = 0.5",
        "[[privacy]]\nmodel = \"alpha-k\"\nalpha = 0.5\nk = 2",
    ] {
        for search in [
            "",
            "[search]\nsuppression = 0.1",
            "[search]\nsuppression = 0.1\nsuppressed = \"drop\"",
        ] {
            look_at_all(&folder(
                &data,
                columns,
                &format!("{K}2\n{second}\n{search}"),
            ));
        }
    }
}

#[test]
fn drafts_and_errors_count_one_right() {
    let folder = Folder::empty();
    folder.write("one.csv", "name\nAnn\n");
    folder.write("ragged.csv", "a,b\n1\n");
    folder.write("blank.csv", "a\n1\n\n2\n");
    folder.write("missing.csv", "zip,disease\n10001,flu\n,flu\n10002,cold\n");
    for file in ["one.csv", "ragged.csv", "blank.csv", "missing.csv"] {
        look(&folder, &format!("init {file} --out {file}.d --yes"));
        look(
            &folder,
            &format!("init {file} --out {file}.d --accept-guesses"),
        );
    }
    let draft = folder.text("missing.csv.d/policy.toml");
    assert!(draft.contains("1 row without"), "{draft}");
    assert_eq!(wrong(&draft), Vec::<String>::new());
}

#[test]
fn personal_promises_about_one_row_say_one_row() {
    let data = "zip,disease,wish\n10001,flu,flu\n10001,cold,\n10002,gout,\n";
    let columns = "zip = { role = \"quasi\" }\ndisease = { role = \"sensitive\", hierarchy = \"disease.csv\" }\nwish = { role = \"guard\", of = \"disease\" }";
    for breach in ["1/2", "1"] {
        let rest = format!("[[privacy]]\nmodel = \"personal\"\nbreach = \"{breach}\"");
        let folder = folder(data, columns, &rest);
        folder.write("disease.csv", "flu;*\ncold;*\ngout;*\n");
        look_at_all(&folder);
        look(
            &folder,
            "attack release/release.csv --policy policy.toml --personal --raw data.csv",
        );
    }
}

#[test]
fn a_ledger_of_one_person_has_one_person() {
    let columns = "patient = { role = \"person\" }\nage = { role = \"quasi\", numeric = { from = 20, to = 79 } }\ndisease = { role = \"sensitive\" }";
    let rest = "[[privacy]]\nmodel = \"serial\"\nl = 2\nvalues = [\"hiv\"]\nschedule = \"geometric\"\n[ledger]\npath = \"ledger.sqlite\"\n[search]\nalgorithm = \"auto\"";
    for data in [
        "patient,age,disease\na,30,flu\n",
        "patient,age,disease\na,30,hiv\nb,31,flu\n",
        "patient,age,disease\na,30,hiv\n",
    ] {
        let folder = folder(data, columns, rest);
        look(&folder, "publish policy.toml");
        for what in ["list", "show 1", "persons", "verify", "check policy.toml"] {
            look(&folder, &format!("ledger {what} --ledger ledger.sqlite"));
        }
        look(
            &folder,
            "attack release/release.csv --policy policy.toml --serial",
        );
        look(&folder, "publish policy.toml");
        look(&folder, "ledger list --ledger ledger.sqlite");
    }
}
