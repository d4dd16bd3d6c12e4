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
