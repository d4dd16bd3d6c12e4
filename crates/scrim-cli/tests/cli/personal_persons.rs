//! Persons whose rows lie in several classes, from outside: publish, audit and attack speak of all their classes together.

use crate::folder::Folder;

/// Two persons who meet in two places; each guards the own value.
const RAW: &str = "patient,place,disease,wish\nann,x,flu,flu\nbob,x,ulcer,ulcer\nann,y,flu,flu\nbob,y,ulcer,ulcer\n";
const DISEASES: &str = "any\n  lung\n    flu\n    asthma\n  stomach\n    ulcer\n    colic\n";

fn folder(breach: &str, search: &str) -> Folder {
    let folder = Folder::empty();
    folder.write("raw.csv", RAW);
    folder.write("disease.txt", DISEASES);
    folder.write(
        "policy.toml",
        format!(
            "[data]\npath = \"raw.csv\"\n[columns]\npatient = {{ role = \"person\" }}\nplace = {{ role = \"quasi\" }}\n\
             disease = {{ role = \"sensitive\", hierarchy = \"disease.txt\" }}\n\
             wish = {{ role = \"guard\", of = \"disease\" }}\n[[privacy]]\nmodel = \"personal\"\nbreach = \"{breach}\"\n\
             [search]\n{search}\n"
        ),
    );
    folder.write(
        "open.csv",
        "place,disease\nx,flu\nx,ulcer\ny,flu\ny,ulcer\n",
    );
    folder
}

const NOTE: &str = "2 persons with a wish have rows in several classes: the breach probability is over all of them together";

#[test]
fn audit_and_attack_find_three_quarters_where_two_classes_have_one_half_each() {
    for (breach, holds) in [("1/2", false), ("7/10", false), ("3/4", true)] {
        let folder = folder(breach, "");
        let code = i32::from(!holds);
        let arguments = [
            "open.csv",
            "-p",
            "policy.toml",
            "--raw",
            "raw.csv",
            "--json",
        ];
        let audit = folder.scrim(&[&["audit"], &arguments[..]].concat());
        let audit = audit.exits(code).json();
        assert_eq!(audit["holds"], holds, "{breach}");
        assert_eq!(audit["breach"]["max_exact"], "3/4");
        assert_eq!(audit["breach"]["spread_persons"], 2);
        assert!(audit["remarks"].to_string().contains(NOTE));
        let attack = folder.scrim(&[&["attack", "--personal"], &arguments[..]].concat());
        let attack = attack.exits(code).json();
        assert_eq!(attack["max_exact"], "3/4");
        assert_eq!(attack["spread_persons"], 2);
        assert_eq!(attack["rows"][0]["breach_exact"], "3/4");
        assert_eq!(attack["rows"][0]["classes"], 2);
        if !holds {
            let found = audit["models"][0]["witness"]["found"].to_string();
            let told = "breach probability 3/4 over the 2 classes of a person together";
            assert!(found.contains(told), "{found}");
            assert_eq!(attack["above"], 4);
        }
    }
}

#[test]
fn publish_raises_or_joins_until_everybody_is_kept_over_all_classes() {
    for algorithm in ["optimal", "mingen", "personalized", "mondrian", "top-down"] {
        let kept = folder("3/4", &format!("algorithm = \"{algorithm}\""));
        let answer = kept.scrim(&["publish", "policy.toml", "--json"]);
        let answer = answer.exits(0).json();
        assert_eq!(answer["breach"]["max_exact"], "3/4", "{algorithm}");
        assert_eq!(answer["breach"]["spread_persons"], 2);
        assert!(answer["remarks"].to_string().contains(NOTE));
        assert!(kept.text("release/manifest.json").contains(NOTE));
        let less = folder("2/3", &format!("algorithm = \"{algorithm}\""));
        let answer = less.scrim(&["publish", "policy.toml", "--json"]);
        let answer = answer.exits(0).json();
        let most = answer["breach"]["max"].as_f64().unwrap();
        assert!(most <= 2.0 / 3.0, "{algorithm}: {most}");
    }
}

#[test]
fn a_refusal_that_only_persons_in_several_classes_cause_says_so() {
    // As one class 3/4, in two classes 1/2 each, which are 3/4 as well.
    let forbid = "weights = { disease = \"forbid\" }";
    for algorithm in ["optimal", "mingen", "personalized"] {
        let torn = folder("7/10", &format!("algorithm = \"{algorithm}\"\n{forbid}"));
        let answer = torn.scrim(&["publish", "policy.toml", "--json"]);
        let answer = answer.exits(1).json();
        assert_eq!(answer["status"], "refused");
        let reason = answer["reason"].to_string();
        let told = "2 persons with a wish have rows with different quasi-identifiers";
        assert!(reason.contains(told), "{algorithm}: {reason}");
        assert!(answer["hint"].to_string().contains("a larger `breach`"));
    }
    // Where each class is above the limit by itself the persons are not to blame.
    let hopeless = folder("1/3", &format!("algorithm = \"optimal\"\n{forbid}"));
    let answer = hopeless.scrim(&["publish", "policy.toml", "--json"]);
    let reason = answer.exits(1).json()["reason"].to_string();
    assert!(reason.contains("no recoding of this kind"), "{reason}");
}

#[test]
fn linkage_puts_the_classes_of_a_persons_rows_together() {
    let folder = folder("3/4\"\ncase = \"non-primary", "");
    let above = |known: &str, limit: &str| {
        folder.write("known.csv", known);
        let attack = folder.scrim(&[
            "attack",
            "open.csv",
            "-p",
            "policy.toml",
            "--linkage",
            "known.csv",
            "--limit",
            limit,
            "--json",
        ]);
        let attack = attack.exits(0).json();
        let measured = "non-primary case, over all classes of a person's rows";
        assert!(attack.to_string().contains(measured), "{attack}");
        attack["above_limit"].clone()
    };
    // Each class has a value with 1/2; over both it is 3/4.
    let both = "patient,place\nann,x\nann,y\nbob,x\nbob,y\n";
    assert_eq!(above(both, "0.74"), 2);
    assert_eq!(above(both, "0.75"), 0);
    let apart = "patient,place\nann,x\nann2,y\nbob,x\nbob2,y\n";
    assert_eq!(above(apart, "0.6"), 0);
    assert_eq!(above(apart, "0.49"), 4);
}
