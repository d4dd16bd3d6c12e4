//! Verdicts with their concerns, and refusals with what would let them through.

use serde_json::Value;

use crate::folder::Folder;

pub(crate) const K: &str = "[[privacy]]\nmodel = \"k-anonymity\"\nk = ";

/// A folder with a table and a policy over its columns.
pub(crate) fn folder(data: &str, columns: &str, rest: &str) -> Folder {
    let folder = Folder::figure_7();
    folder.write("data.csv", data);
    let policy = format!("[data]\npath = \"data.csv\"\n[columns]\n{columns}\n{rest}\n");
    folder.write("policy.toml", policy);
    folder
}

/// 40 rows of two sexes, four places and a rare disease in a place of its own.
pub(crate) fn people() -> String {
    let mut data = String::from("id,sex,zip,disease\n");
    for row in 0..40 {
        let sex = ["m", "f"][row % 2];
        let zip = if row == 7 {
            "99999"
        } else {
            ["10001", "10002", "10003", "10004"][row / 10]
        };
        let disease = if row == 7 {
            "rare-secret"
        } else {
            ["flu", "cold", "gout"][row % 3]
        };
        data.push_str(&format!("p{row},{sex},{zip},{disease}\n"));
    }
    data
}

pub(crate) const PEOPLE: &str = "id = { role = \"identifier\" }\nsex = { role = \"quasi\" }\nzip = { role = \"quasi\" }\ndisease = { role = \"sensitive\" }";

pub(crate) fn publish(folder: &Folder, code: i32) -> Value {
    let done = folder.scrim(&["publish", "policy.toml", "--json"]);
    done.exits(code).json()
}

fn codes(answer: &Value) -> Vec<&str> {
    let concerns = answer["concerns"].as_array().unwrap().iter();
    concerns
        .map(|concern| concern["code"].as_str().unwrap())
        .collect()
}

#[test]
fn a_release_without_concerns_is_kept() {
    let rest =
        format!("{K}4\n[[privacy]]\nmodel = \"l-diversity\"\nl = 2\n[search]\nsuppression = 0.1");
    let data = people().replace("rare-secret", "flu");
    let folder = folder(&data, PEOPLE, &rest);
    let answer = publish(&folder, 0);
    assert_eq!(
        (&answer["verdict"], codes(&answer)),
        (&"kept".into(), Vec::new())
    );
    let text = folder.scrim(&["publish", "policy.toml"]).exits(0).shown();
    assert!(text.contains("\nkept: published and certified\n"), "{text}");
    let page = folder.text("release/report.html");
    assert!(page.contains("verdict good") && page.contains("Kept: this table"));
    let audit = [
        "audit",
        "release/release.csv",
        "--policy",
        "policy.toml",
        "--json",
    ];
    let audit = folder.scrim(&audit).exits(0).json();
    assert_eq!(
        (&audit["verdict"], &audit["holds"]),
        (&"kept".into(), &true.into())
    );
}

#[test]
fn a_release_with_concerns_is_kept_but_and_still_exit_0() {
    let folder = folder(
        &people(),
        PEOPLE,
        &format!("{K}11\n[search]\nsuppression = 0.1"),
    );
    let answer = publish(&folder, 0);
    assert_eq!(answer["verdict"], "kept-but");
    assert_eq!(
        codes(&answer),
        ["sensitive-unprotected", "column-suppressed"]
    );
    for concern in answer["concerns"].as_array().unwrap() {
        assert!(concern["text"].is_string() && concern["suggestion"].is_string());
    }
    // The search that treats a column alike in all rows points to the one that does not.
    assert_eq!(answer["concerns"][1]["better_algorithm"], "local");
    insta::assert_snapshot!(folder.scrim(&["publish", "policy.toml"]).exits(0).shown());
    let page = folder.text("release/report.html");
    assert!(page.contains("verdict but") && page.contains("Kept, but: "));
    assert!(page.contains("All of <code>zip</code> is suppressed"));
    let audit = ["audit", "release/release.csv", "--policy", "policy.toml"];
    let text = folder.scrim(&audit).exits(0).shown();
    assert!(text.contains("\nkept, but: the table keeps"), "{text}");
}

#[test]
fn a_broken_table_is_broken_whatever_else_is_said() {
    let folder = folder(&people(), PEOPLE, &format!("{K}11"));
    let audit = ["audit", "data.csv", "--policy", "policy.toml", "--json"];
    let audit = folder.scrim(&audit).exits(1).json();
    assert_eq!(audit["verdict"], "broken");
}

#[test]
fn values_that_are_gone_are_counted_and_not_named() {
    let rest = format!(
        "{K}4\n[[privacy]]\nmodel = \"l-diversity\"\nl = 2\n[search]\nsuppression = 0.1\nsuppressed = \"drop\""
    );
    let folder = folder(&people(), PEOPLE, &rest);
    let answer = publish(&folder, 0);
    assert_eq!(codes(&answer), ["values-gone"]);
    let concern = &answer["concerns"][0];
    assert_eq!(
        (&concern["values_before"], &concern["values_after"]),
        (&4.into(), &3.into())
    );
    assert!(!answer.to_string().contains("rare-secret"));
    // What follows from the original table is not for outsiders.
    folder.scrim(&["report", "release", "--external"]).exits(0);
    let page = folder.text("release/report.external.html");
    assert!(!page.contains("nowhere in the release") && page.contains("Kept: this table"));
    assert!(
        folder
            .text("release/report.html")
            .contains("occurs nowhere")
    );
}

#[test]
fn a_key_that_repeats_is_noticed() {
    let mut data = people();
    for row in 20..40 {
        data = data.replace(&format!("p{row},"), &format!("p{},", row - 20));
    }
    let rest =
        format!("{K}4\n[[privacy]]\nmodel = \"l-diversity\"\nl = 2\n[search]\nsuppression = 0.1");
    let folder = folder(&data.replace("rare-secret", "flu"), PEOPLE, &rest);
    let answer = publish(&folder, 0);
    assert_eq!(codes(&answer), ["persons-not-counted"]);
    let concern = &answer["concerns"][0];
    assert_eq!(
        (&concern["column"], &concern["rows"], &concern["values"]),
        (&"id".into(), &40.into(), &20.into())
    );
    // With the role that it should have, persons are counted, and nothing is left to say of it.
    let policy = folder
        .text("policy.toml")
        .replace("\"identifier\"", "\"person\"");
    folder.write("policy.toml", policy);
    assert!(!codes(&publish(&folder, 0)).contains(&"persons-not-counted"));
    // A release does not tell persons.
    let audit = [
        "audit",
        "release/release.csv",
        "--policy",
        "policy.toml",
        "--json",
    ];
    let audit = folder.scrim(&audit).exits(0).json();
    assert_eq!(codes(&audit), ["persons-not-counted"]);
}

/// Sets the keys of a suggestion in the text of a policy.
pub(crate) fn apply(policy: &str, set: &Value) -> String {
    let mut policy: toml::Value = toml::Value::Table(policy.parse().unwrap());
    for (key, value) in set.as_object().unwrap() {
        let (path, last) = key.rsplit_once('.').unwrap();
        let mut at = &mut policy;
        for part in path.split('.') {
            at = match part.parse::<usize>() {
                Ok(number) => &mut at.as_array_mut().unwrap()[number],
                Err(_) => at
                    .as_table_mut()
                    .unwrap()
                    .entry(part)
                    .or_insert_with(|| toml::Value::Table(toml::Table::new())),
            };
        }
        let value = match value {
            Value::String(text) => toml::Value::String(text.clone()),
            number if number.is_u64() => toml::Value::Integer(number.as_i64().unwrap()),
            number => toml::Value::Float(number.as_f64().unwrap()),
        };
        at.as_table_mut().unwrap().insert(last.to_owned(), value);
    }
    policy.as_table().unwrap().to_string()
}

/// Publishes what is refused, and then with each suggestion; returns the keys that were suggested.
fn refused_then_published(columns: &str, rest: &str) -> Vec<String> {
    let folder = folder(&people(), columns, rest);
    let policy = folder.text("policy.toml");
    let answer = publish(&folder, 1);
    assert_eq!(
        (&answer["status"], &answer["verdict"]),
        (&"refused".into(), &"refused".into())
    );
    let mut keys = Vec::new();
    for suggestion in answer["suggestions"].as_array().unwrap() {
        assert!(suggestion["text"].is_string());
        folder.write("policy.toml", apply(&policy, &suggestion["set"]));
        let answer = publish(&folder, 0);
        assert_eq!(answer["status"], "published", "{suggestion}");
        keys.push(
            suggestion["set"]
                .as_object()
                .unwrap()
                .keys()
                .next()
                .unwrap()
                .clone(),
        );
    }
    keys
}

#[test]
fn each_suggestion_lets_the_publication_through() {
    let l = "[[privacy]]\nmodel = \"l-diversity\"\nl = ";
    // The whole table has four values; l = 3 goes through.
    let keys = refused_then_published(PEOPLE, &format!("{K}4\n{l}7"));
    assert_eq!(keys, ["privacy.1.l"]);
    let keys = refused_then_published(PEOPLE, &format!("{K}21"));
    assert_eq!(keys, ["privacy.0.k"]);
    // Both stand in the way: they are weakened together.
    let keys = refused_then_published(PEOPLE, &format!("{K}41\n{l}7"));
    assert_eq!(keys, ["privacy.0.k"]);
    let keys = refused_then_published(
        PEOPLE,
        &format!("{K}21\n[search]\nalgorithm = \"mondrian\""),
    );
    assert_eq!(keys, ["privacy.0.k"]);
    // Only the row of the rare place stands in the way.
    let zip = PEOPLE.replace(
        "sex = { role = \"quasi\" }",
        "sex = { role = \"insensitive\" }",
    );
    let keys = refused_then_published(&zip, &format!("{K}9"));
    assert_eq!(keys, ["search.algorithm", "search.suppression"]);
}

#[test]
fn a_search_that_cannot_carry_the_policy_is_neither_suggested_nor_an_error() {
    let t = "[[privacy]]\nmodel = \"t-closeness\"\ndistance = \"equal\"\nt = 0.01";
    let keys = refused_then_published(PEOPLE, &format!("{K}9\n{t}"));
    assert!(!keys.contains(&"search.algorithm".to_owned()), "{keys:?}");
    assert!(keys.contains(&"privacy.1.t".to_owned()), "{keys:?}");
    let t = t.replace("0.01", "0.3");
    let folder = folder(&people(), PEOPLE, &format!("{K}11\n{t}"));
    let answer = publish(&folder, 0);
    assert_eq!(codes(&answer), ["column-suppressed"]);
    assert_eq!(answer["concerns"][0]["better_algorithm"], "mondrian");
}

#[test]
fn a_refusal_says_what_stands_in_the_way_and_what_would_help() {
    let zip = PEOPLE.replace(
        "sex = { role = \"quasi\" }",
        "sex = { role = \"insensitive\" }",
    );
    let folder = folder(&people(), &zip, &format!("{K}9"));
    let answer = publish(&folder, 1);
    let refusal = &answer["refusal"];
    assert_eq!(
        (&refusal["best"]["suppressed"], &refusal["best"]["allowed"]),
        (&1.into(), &0.into())
    );
    let failed = &refusal["failed"][0];
    assert_eq!(
        (&failed["privacy"], &failed["classes"], &failed["rows"]),
        (&0.into(), &1.into(), &1.into())
    );
    insta::assert_snapshot!(folder.scrim(&["publish", "policy.toml"]).exits(1).shown());
}

#[test]
fn a_lattice_without_a_node_says_what_would_help() {
    let l = "[[privacy]]\nmodel = \"l-diversity\"\nl = 7";
    let folder = folder(&people(), PEOPLE, &format!("{K}4\n{l}"));
    let lattice = ["lattice", "policy.toml", "--json"];
    let answer = folder.scrim(&lattice).exits(1).json();
    let suggestion = &answer["suggestions"][0];
    assert_eq!(suggestion["set"], serde_json::json!({ "privacy.1.l": 3 }));
    folder.write(
        "policy.toml",
        apply(&folder.text("policy.toml"), &suggestion["set"]),
    );
    folder.scrim(&lattice).exits(0);
}

#[test]
fn a_local_release_says_how_many_rows_are_published_how_precisely() {
    let rest = format!("{K}4\n[search]\nalgorithm = \"local\"");
    let folder = folder(&people(), PEOPLE, &rest);
    let answer = publish(&folder, 0);
    let attributes = answer["recoding"]["attributes"].as_array().unwrap();
    for attribute in attributes {
        let words = attribute["words"].as_str().unwrap();
        assert!(
            words.contains("% as it is") && !words.contains("classes"),
            "{words}"
        );
    }
    let page = folder.text("release/report.html");
    assert!(page.contains("% as it is"), "the report says it too");
}
