//! Values that stay once somebody has them, published again and again through the command line.

use serde_json::Value;

use crate::folder::Folder;

const PEOPLE: u64 = 120;

/// A hospital: one in 20 has diabetes at first, some get it later, nobody loses it. Whoever is in `away` is not in the table.
fn hospital(release: u64, away: &dyn Fn(u64) -> bool) -> String {
    let mut text = "patient,age,sex,disease\n".to_owned();
    for person in (0..PEOPLE).filter(|person| !away(*person)) {
        let since = match person % 40 {
            3 | 25 => 1,
            14 => 2 + person / 40,
            _ => 99,
        };
        let other = ["flu", "fever", "cold"][((person * 7 + release * 5) % 3) as usize];
        let disease = if since <= release { "diabetes" } else { other };
        let (age, sex) = (20 + person * 7 % 60, ["f", "m"][person as usize % 2]);
        text.push_str(&format!("Patient-{person},{age},{sex},{disease}\n"));
    }
    text
}

const POLICY: &str = r#"[data]
path = "data.csv"
[columns]
patient = { role = "person" }
age = { role = "quasi", numeric = { from = 20, to = 79 } }
sex = { role = "quasi" }
disease = { role = "sensitive", hierarchy = "disease.csv" }
[[privacy]]
model = "serial"
l = 2
lasting = ["diabetes"]
[[privacy]]
model = "k-anonymity"
k = 3
[ledger]
path = "books/ledger.sqlite"
[search]
algorithm = "auto"
[release]
dir = "release"
"#;

const DISEASES: &str = "diabetes;Chronic;Any\ngout;Chronic;Any\nflu;Infection;Any\nfever;Infection;Any\ncold;Infection;Any\n";

fn folder() -> Folder {
    let folder = Folder::empty();
    folder.write("policy.toml", POLICY);
    folder.write("disease.csv", DISEASES);
    folder
}

fn publish(folder: &Folder, release: u64, away: &dyn Fn(u64) -> bool, code: i32) -> Value {
    folder.write("data.csv", hospital(release, away));
    let run = folder.scrim(&["publish", "policy.toml", "--json"]);
    run.exits(code).json()
}

fn attack(folder: &Folder, code: i32) -> Value {
    let run = folder.scrim(&["attack", "-p", "policy.toml", "--serial", "--all", "--json"]);
    run.exits(code).json()
}

#[test]
fn cohorts_stay_together_release_after_release() {
    let folder = folder();
    for release in 1..=4 {
        // Newcomers come with the second release.
        let away = |person: u64| release == 1 && person >= 80;
        let answer = publish(&folder, release, &away, 0);
        assert_eq!(answer["algorithm"], "rotating");
        let serial = &answer["serial"];
        assert_eq!(serial["release"], release);
        assert!(serial["lasting"]["exact"].as_bool().unwrap());
        let max = serial["lasting"]["max"].as_f64().unwrap();
        assert!(max > 0.0 && max <= 0.5, "release {release}: {serial}");
        assert_eq!(serial["max"], serial["lasting"]["max"]);
        let told = serial["assumptions"][0].as_str().unwrap();
        assert!(told.contains("taken to stay"), "{told}");
        let found = attack(&folder, 0);
        assert_eq!(
            found["max_exact"], serial["lasting"]["max_exact"],
            "release {release}"
        );
        assert_eq!(found["lasting"]["undecided"], 0);
    }
    let manifest = folder.text("release/manifest.json");
    assert!(
        manifest.contains("by public history and presence only"),
        "{manifest}"
    );
    let audited = folder.scrim(&[
        "audit",
        "release/release.csv",
        "-p",
        "policy.toml",
        "--raw",
        "data.csv",
        "--json",
    ]);
    let audited = audited.exits(0).json();
    assert_eq!(audited["serial"]["release"], 4);
    assert!(audited["serial"]["lasting"]["exact"].as_bool().unwrap());
    let persons = folder.scrim(&[
        "ledger",
        "persons",
        "--all",
        "--ledger",
        "books/ledger.sqlite",
        "--json",
    ]);
    let persons = persons.exits(0).json();
    let lasting: Vec<&Value> = persons["shown"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|one| one["lasting"].is_array())
        .collect();
    assert!(!lasting.is_empty());
    assert!(
        lasting
            .iter()
            .all(|one| one["left"].as_array().unwrap().is_empty())
    );
    let check = folder
        .scrim(&["ledger", "check", "policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(check["lasting"]["above"], 0);
}

#[test]
fn who_leaves_alone_is_not_given_away() {
    let folder = folder();
    publish(&folder, 1, &|_| false, 0);
    // Everybody's cohort is known by who has the same cells; person 3, a carrier, does not come again.
    let answer = publish(&folder, 2, &|person| person == 3, 0);
    let serial = &answer["serial"];
    let left_out = serial["incomplete"].as_u64().unwrap();
    assert!(
        left_out > 0,
        "the rest of the carrier's cohort is left out: {serial}"
    );
    assert_eq!(serial["persons"].as_u64().unwrap() + left_out, PEOPLE - 1);
    assert_eq!(attack(&folder, 0)["above"], 0);
    // With the carrier back all are published again.
    let answer = publish(&folder, 3, &|_| false, 0);
    assert_eq!(answer["serial"]["persons"], PEOPLE);
    assert_eq!(attack(&folder, 0)["above"], 0);
}

#[test]
fn a_search_that_changes_partners_is_refused_by_the_certifier() {
    let folder = folder();
    folder.write("policy.toml", POLICY.replace("\"auto\"", "\"mondrian\""));
    publish(&folder, 1, &|_| false, 0);
    // A carrier is gone: what the others of the class show gives that away.
    let answer = publish(&folder, 2, &|person| person == 3, 1);
    assert_eq!(answer["status"], "refused");
    let serial = answer["models"]
        .as_array()
        .unwrap()
        .iter()
        .find(|model| model["model"] == "serial");
    let found = serial.unwrap()["witness"].to_string();
    assert!(found.contains("lasting"), "{found}");
    assert_eq!(attack(&folder, 0)["releases"].as_array().unwrap().len(), 1);
}

#[test]
fn a_group_counts_any_of_its_values_and_transient_values_stand_beside() {
    let folder = folder();
    let both = "lasting = [\"Chronic\"]\nvalues = [\"flu\"]\ngroup = true";
    folder.write(
        "policy.toml",
        POLICY
            .replace("lasting = [\"diabetes\"]", both)
            .replace("l = 2", "l = \"3/2\""),
    );
    // Every second carrier has gout instead: for the group that is one value.
    let table = |release: u64| {
        let mut carriers = 0;
        let line = |line: &str| {
            carriers += u64::from(line.ends_with("diabetes"));
            if carriers % 2 == 1 {
                line.replace("diabetes", "gout")
            } else {
                line.to_owned()
            }
        };
        let lines: Vec<String> = hospital(release, &|_| false).lines().map(line).collect();
        lines.join("\n") + "\n"
    };
    folder.write("data.csv", table(1));
    let answer = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(answer["serial"]["assumptions"].as_array().unwrap().len(), 3);
    let found = attack(&folder, 0);
    let values: std::collections::BTreeSet<&str> = found["persons"]
        .as_array()
        .unwrap()
        .iter()
        .map(|link| link["value"].as_str().unwrap())
        .collect();
    assert_eq!(values.into_iter().collect::<Vec<_>>(), ["Chronic", "flu"]);
    // One of them alone would have a smaller share: the attack counts both.
    let chronic = &found["lasting"]["max_exact"];
    assert_eq!(&answer["serial"]["lasting"]["max_exact"], chronic);
    let run = folder
        .scrim(&["ledger", "persons", "--ledger", "books/ledger.sqlite"])
        .exits(2);
    assert!(run.stderr.contains("attack --serial"), "{}", run.stderr);
}

#[test]
fn a_value_is_transient_or_it_lasts() {
    let folder = folder();
    let both = "lasting = [\"diabetes\"]\nvalues = [\"Chronic\"]";
    folder.write(
        "policy.toml",
        POLICY.replace("lasting = [\"diabetes\"]", both),
    );
    folder.write("data.csv", hospital(1, &|_| false));
    let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
    assert!(
        run.stderr.contains("`values` and below one in `lasting`"),
        "{}",
        run.stderr
    );
    assert!(folder.files("books").is_none());
}

#[test]
fn help_says_what_is_assumed() {
    let folder = folder();
    let help = folder.scrim(&["help", "serial"]).exits(0).stdout;
    let words: Vec<&str> = help.split_whitespace().collect();
    let help = words.join(" ");
    assert!(
        help.contains("assumes that `values` are transient"),
        "{help}"
    );
    assert!(!help.contains("values = [\"HIV"), "{help}");
}
