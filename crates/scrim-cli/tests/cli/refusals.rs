//! Refusals of promises about some columns, of `personal`, of chains and of tables on disk: what failed, by how much, and what helps.

use serde_json::{Value, json};

use crate::folder::Folder;
use crate::verdict::{K, PEOPLE, apply, folder, people, publish};

/// Publishes with each suggestion of a refusal, and returns the keys that were suggested.
fn tried(folder: &Folder, answer: &Value, options: &[&str]) -> Vec<String> {
    let policy = folder.text("policy.toml");
    let suggestions = answer["suggestions"].as_array().unwrap();
    let keys = suggestions.iter().flat_map(|suggestion| {
        folder.write("policy.toml", apply(&policy, &suggestion["set"]));
        let arguments = [&["publish", "policy.toml", "--json"], options].concat();
        let answer = folder.scrim(&arguments).exits(0).json();
        assert_eq!(answer["status"], "published", "{suggestion}");
        let set = suggestion["set"].as_object().unwrap();
        set.keys().cloned().collect::<Vec<_>>()
    });
    keys.collect()
}

#[test]
fn promises_about_some_columns_are_counted_over_all_classes() {
    // Of each sex there are 20; with all places joined, the second promise counts all 40 rows.
    let rest = format!("{K}21\ncolumns = [\"sex\"]\n{K}30\ncolumns = [\"zip\"]");
    let folder = folder(&people(), PEOPLE, &rest);
    let answer = publish(&folder, 1);
    let failed = answer["refusal"]["failed"].as_array().unwrap();
    assert_eq!(failed.len(), 1, "{answer}");
    let expected = json!({
        "privacy": 0, "model": "k-anonymity", "classes": 2, "rows": 40,
        "found": "20 rows", "required": "21 rows"
    });
    assert_eq!(failed[0], expected);
    assert_eq!(answer["refusal"]["complete"], true);
    let keys = tried(&folder, &answer, &[]);
    assert_eq!(keys, ["privacy.0.k"]);
    assert_eq!(
        answer["suggestions"][0]["set"],
        json!({ "privacy.0.k": 20 })
    );
}

/// Two places with 2 of 4 and 3 of 4 rows whose value nobody shall know.
fn wishes(search: &str) -> Folder {
    let mut data = String::from("zip,disease,wish\n");
    for (zip, secret) in [("10001", 2), ("10002", 3)] {
        for row in 0..4 {
            let own = if row < secret { "flu,flu" } else { "cold," };
            data.push_str(&format!("{zip},{own}\n"));
        }
    }
    let columns = "zip = { role = \"quasi\" }\ndisease = { role = \"sensitive\", hierarchy = \"disease.csv\" }\nwish = { role = \"guard\", of = \"disease\" }";
    let rest = format!(
        "[[privacy]]\nmodel = \"personal\"\nbreach = \"1/3\"\n[search]\n{search}\nweights = {{ disease = \"forbid\" }}"
    );
    let folder = folder(&data, columns, &rest);
    folder.write("disease.csv", "flu;*\ncold;*\n");
    folder
}

#[test]
fn a_refusal_of_personal_says_by_how_much_and_which_breach_goes_through() {
    for algorithm in ["optimal", "mingen", "personalized"] {
        let folder = wishes(&format!("algorithm = \"{algorithm}\""));
        let answer = publish(&folder, 1);
        // In one place 2 of 4 rows, in the other 3 of 4: above 74 hundredths and not above 75.
        let failed = &answer["refusal"]["failed"][0];
        assert_eq!(failed["found"], "a breach probability above 37/50");
        assert_eq!(failed["required"], "a breach probability of at most 1/3");
        assert_eq!(
            (&failed["classes"], &failed["rows"]),
            (&2.into(), &8.into())
        );
        // Somebody has 3 of 4 in the node that shows something.
        assert_eq!(tried(&folder, &answer, &[]), ["privacy.0.breach"]);
        let set = &answer["suggestions"][0]["set"];
        assert_eq!(*set, json!({ "privacy.0.breach": 0.75 }), "{algorithm}");
        assert_eq!(answer["refusal"]["complete"], false);
    }
}

const CHAIN: &str = "[search]\nalgorithm = \"chain\"\n[disclosure]\nstrategy = \"exclusive\"\nchain = { columns = [\"g1\", \"g2\", \"g3\"] }";

#[test]
fn a_refused_chain_says_what_failed_and_why_no_other_setting_is_tried() {
    // [Zhang07], Table 2, G0: step 2 keeps the promise, but that step 1 was refused tells more.
    let data = "id,g1,g2,g3,s\nA,1,1,1,c1\nB,1,1,1,c2\nC,2,2,1,c3\nD,2,2,2,c2\nE,3,2,2,c4\nF,3,3,2,c4\nG,4,3,2,c6\nH,4,3,3,c5\nI,5,4,3,c6\nJ,5,4,3,c7\n";
    let columns = "id = { role = \"identifier\" }\ng1 = { role = \"quasi\" }\ng2 = { role = \"quasi\" }\ng3 = { role = \"quasi\" }\ns = { role = \"sensitive\" }";
    let recursive = "[[privacy]]\nmodel = \"l-diversity\"\nkind = \"recursive\"\nc = 2\nl = 2";
    let why = "with [disclosure] one that is chosen because this one was refused";
    let known = folder(data, columns, &format!("{recursive}\n{CHAIN}"));
    let answer = publish(&known, 1);
    assert!(answer["hint"].as_str().unwrap().contains(why), "{answer}");
    assert_eq!(answer["suggestions"], json!([]));
    // Here the promise itself is not kept.
    let l = "[[privacy]]\nmodel = \"l-diversity\"\nl = 6";
    let broken = folder(data, columns, &format!("{l}\n{CHAIN}"));
    let answer = publish(&broken, 1);
    let refusal = &answer["refusal"];
    assert_eq!(refusal["failed"][0]["model"], "l-diversity", "{answer}");
    assert_eq!(refusal["failed"][0]["required"], "6 sensitive values");
    assert!(refusal["not_tried"][0].as_str().unwrap().contains(why));
    assert_eq!(answer["suggestions"], json!([]));
}

#[test]
fn a_refused_table_on_disk_says_what_failed_and_how_much_suppression_helps() {
    let folder = Folder::empty();
    let row = |row: u32| {
        let (age, zip) = (u32::from(row.is_multiple_of(10)), row * 7 % 600);
        format!("{age},{zip:04},{}\n", row * 31 % 97)
    };
    let rows: String = (0..70_000).map(row).collect();
    folder.write("data.csv", format!("age,zip,code\n{rows}"));
    let policy = format!(
        "[data]\npath = \"data.csv\"\n[columns]\nage = {{ role = \"quasi\" }}\nzip = {{ role = \"quasi\" }}\ncode = {{ role = \"quasi\" }}\n{K}20001\n[search]\nalgorithm = \"optimal\"\n"
    );
    folder.write("policy.toml", policy);
    let memory = ["--memory", "87MB"];
    let answer = folder.scrim(&["publish", "policy.toml", "--json", "--memory", "87MB"]);
    let answer = answer.exits(1).json();
    let refusal = &answer["refusal"];
    assert_eq!(refusal["best"]["suppressed"], 7_000, "{answer}");
    assert_eq!(refusal["failed"][0]["found"], "7000 rows");
    let why = refusal["not_tried"][0].as_str().unwrap();
    assert!(why.contains("the table is read in sections"), "{why}");
    assert_eq!(tried(&folder, &answer, &memory), ["search.suppression"]);
}
