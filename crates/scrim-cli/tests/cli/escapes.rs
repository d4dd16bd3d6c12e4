//! Characters that a terminal obeys, or that show other text than there is, are escaped on every output and in every JSON file.

use serde_json::Value;

use crate::folder::Folder;

const DATA: &str = "data.csv";

fn has(value: &Value, hostile: &str) -> bool {
    match value {
        Value::String(text) => text.contains(hostile),
        Value::Array(all) => all.iter().any(|value| has(value, hostile)),
        Value::Object(all) => {
            let mut all = all.iter();
            all.any(|(key, value)| key.contains(hostile) || has(value, hostile))
        }
        _ => false,
    }
}

/// What a terminal would obey, in the header, a value and a path, on every output.
#[test]
fn nothing_that_a_terminal_obeys_is_printed() {
    const HOSTILE: &str = "\u{1b}[31m\u{202e}\u{9b}\u{7}";
    let folder = Folder::figure_7();
    let zip = format!("ZIP{HOSTILE}");
    folder.replace(DATA, "ZIP", &zip);
    let toml = "\"ZIP\\u001b[31m\\u202e\\u009b\\u0007\"";
    folder.replace("policy.toml", "ZIP =", &format!("{toml} ="));
    let missing = format!("{HOSTILE}.csv");
    let run = |folder: &Folder, arguments: &[&str]| {
        let run = folder.scrim(arguments);
        let text = format!("{}{}", run.stdout, run.stderr);
        let obeyed = |c: char| c != '\n' && (c.is_control() || c == '\u{202e}');
        assert!(run.is_orderly() && !text.contains(obeyed), "{text:?}");
        text
    };
    let all = |folder: &Folder| {
        let mut text = String::new();
        for arguments in [
            &["publish", "policy.toml"][..],
            &["publish", "policy.toml", "--json"],
            &["publish", "policy.toml", "--compare"],
            &["audit", DATA, "-p", "policy.toml", "--show-values"],
            &[
                "audit",
                DATA,
                "-p",
                "policy.toml",
                "--json",
                "--show-values",
            ],
            &["audit", &missing, "-p", "policy.toml"],
            &["audit", DATA, "-p", "policy.toml", &format!("--{HOSTILE}")],
            &["lattice", "policy.toml"],
            &["risk", DATA, "-p", "policy.toml"],
            &["hierarchy", "show", "policy.toml"],
            &["hierarchy", "check", "policy.toml"],
            &["init", DATA, "--out", "other.toml", "--yes"],
            &["report", "release"],
        ] {
            text.push_str(&run(folder, arguments));
        }
        text
    };
    let text = all(&folder);
    assert!(
        text.contains("ZIP\\u{1b}[31m\\u{202e}\\u{9b}\\u{7}"),
        "{text}"
    );
    folder.replace(DATA, "02141", HOSTILE);
    let text = all(&folder);
    assert!(
        text.contains("`\\u{1b}[31m\\u{202e}\\u{9b}\\u{7}`"),
        "{text}"
    );
    // A line end in a name forges no line.
    let folder = Folder::figure_7();
    folder.replace(DATA, "ZIP", "\"ZIP\nerror: forged\"");
    folder.replace("policy.toml", "ZIP =", "\"ZIP\\nerror: forged\" =");
    let run = folder.scrim(&["publish", "policy.toml"]);
    assert!(!run.shown().contains("\nerror: forged"), "{}", run.shown());
}

/// The text of a JSON file: it shows nothing that a terminal obeys, and its strings have it.
fn means(text: &str, hostile: &str) -> bool {
    let is_obeyed =
        |c: char| c != '\n' && (c.is_control() || ('\u{2028}'..='\u{202e}').contains(&c));
    assert!(!text.contains(is_obeyed), "{text:?}");
    has(&serde_json::from_str(text).unwrap(), hostile)
}

#[test]
fn files_of_a_release_and_the_ledger_are_escaped_and_mean_the_same() {
    const HOSTILE: &str = "\u{202e}x\u{9b}\u{7f}";
    const ESCAPED: &str = "\\u202ex\\u009b\\u007f";
    let folder = Folder::empty();
    let mut text = format!("patient,age,sex{HOSTILE},disease\n");
    for person in 0..60 {
        let (age, sex) = (20 + person * 7 % 60, ["f", "m"][person % 2]);
        let disease = ["hiv", "flu", "cold", "fever", "flu"][person % 5];
        text.push_str(&format!("P{person},{age},{sex},{disease}{HOSTILE}\n"));
    }
    folder.write(DATA, text);
    let policy = format!(
        r#"[data]
path = "data.csv"
[columns]
patient = {{ role = "person" }}
age = {{ role = "quasi", numeric = {{ from = 20, to = 79 }} }}
"sex{ESCAPED}" = {{ role = "quasi" }}
disease = {{ role = "sensitive" }}
[[privacy]]
model = "serial"
l = 2
values = ["hiv{ESCAPED}"]
schedule = "geometric"
[[privacy]]
model = "k-anonymity"
k = 2
[ledger]
path = "ledger.sqlite"
[release]
dir = "release"
"#
    );
    folder.write("policy.toml", policy);
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    for file in ["release/manifest.json", "release/plan.json"] {
        assert!(means(&folder.text(file), HOSTILE), "{file}");
    }
    let export = ["ledger", "export", "--ledger", "ledger.sqlite"];
    let run = folder.scrim(&export).exits(0);
    assert!(means(&run.stdout, HOSTILE), "{}", run.shown());
    // What was written is read again.
    folder.scrim(&["report", "release"]).exits(0);
    folder
        .scrim(&["ledger", "verify", "--ledger", "ledger.sqlite"])
        .exits(0);
}
