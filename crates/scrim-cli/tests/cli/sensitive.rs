//! Every model about sensitive values from the command line: published, audited, listed, attacked.

use crate::folder::Folder;

/// Each model with parameters that Figure 7's twelve rows, all of different problems, can keep.
const MODELS: [&str; 11] = [
    "model = \"p-sensitive\"\np = 2",
    "model = \"p-alpha\"\np = 2\nalpha = \"1/2\"",
    "model = \"p-plus-alpha\"\np = 2\nalpha = 1",
    "model = \"l-diversity\"\nl = 2",
    "model = \"l-diversity\"\nkind = \"entropy\"\nl = 2",
    "model = \"l-diversity\"\nkind = \"recursive\"\nl = 2\nc = 3",
    "model = \"l-diversity\"\nkind = \"frequency\"\nl = 2",
    "model = \"t-closeness\"\nt = 0.9",
    "model = \"alpha-k\"\nalpha = 0.5",
    "model = \"delta-disclosure\"\ndelta = 3",
    "model = \"beta-likeness\"\nbeta = 5\nkind = \"enhanced\"",
];

const CATEGORIES: &str = "categories = [[\"short of breath\", \"chest pain\", \"painful eye\", \"wheezing\"], \
    [\"obesity\", \"hypertension\", \"fever\", \"vomiting\", \"back pain\"]]";

fn folder(model: &str, algorithm: &str) -> Folder {
    let folder = Folder::figure_7();
    let policy = format!(
        "[data]\npath = \"data.csv\"\n[columns]\n\
         Race = {{ role = \"quasi\", hierarchy = \"race.csv\" }}\nBirthDate = {{ role = \"quasi\", hierarchy = {{ dates = [\"year\"], format = \"mdy\" }} }}\n\
         Gender = {{ role = \"quasi\" }}\nZIP = {{ role = \"quasi\", hierarchy = {{ mask = \"right\" }} }}\n\
         Problem = {{ role = \"sensitive\", {CATEGORIES} }}\n\
         [[privacy]]\n{model}\n[search]\nalgorithm = \"{algorithm}\"\n"
    );
    folder.write("policy.toml", policy);
    folder
}

#[test]
fn every_model_is_published_certified_and_audited() {
    for model in MODELS {
        let folder = folder(model, "optimal");
        let answer = folder
            .scrim(&["publish", "policy.toml", "--json"])
            .exits(0)
            .json();
        assert_eq!(answer["models"][0]["holds"], true, "{model}");
        assert_eq!(answer["models"][0]["of"], "Problem", "{model}");
        assert!(
            !answer["models"][0]["observed"].is_null() || model.contains("delta"),
            "{model}"
        );
        folder
            .scrim(&["audit", "release/release.csv", "-p", "policy.toml"])
            .exits(0);
        folder.scrim(&["lattice", "policy.toml", "--json"]).exits(0);
    }
}

#[test]
fn all_models_hold_together() {
    let all = MODELS.join("\n[[privacy]]\n");
    let folder = folder(&all, "optimal");
    let answer = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(answer["models"].as_array().unwrap().len(), MODELS.len());
}

#[test]
fn top_down_and_incognito_publish_what_they_can_carry() {
    for algorithm in ["top-down", "incognito"] {
        let answer = folder(MODELS[2], algorithm)
            .scrim(&["publish", "policy.toml", "--json"])
            .exits(0)
            .json();
        assert_eq!(answer["algorithm"], algorithm);
    }
    // Pushing rows back is checked class by class, so top-down carries what is not monotone too.
    let answer = folder(MODELS[7], "top-down")
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(answer["models"][0]["holds"], true);
}

#[test]
fn what_no_table_can_give_is_refused_with_the_largest_that_would_do() {
    for (model, number) in [
        ("model = \"p-sensitive\"\np = 99", "9"),
        ("model = \"p-plus-alpha\"\np = 2\nalpha = 99", "6"),
        ("model = \"l-diversity\"\nl = 99", "9"),
    ] {
        let folder = folder(model, "optimal");
        let answer = folder
            .scrim(&["publish", "policy.toml", "--json"])
            .exits(1)
            .json();
        assert_eq!(answer["status"], "refused", "{model}");
        assert!(
            answer["hint"].as_str().unwrap().contains(number),
            "{model}: {answer}"
        );
        assert!(folder.files("release").is_none(), "{model}");
    }
}

#[test]
fn the_similarity_attack_tells_classes_of_one_category() {
    let folder = folder("model = \"k-anonymity\"\nk = 2", "optimal");
    folder.write(
        "shown.csv",
        "Race,BirthDate,Gender,ZIP,Problem\na,*,*,1,chest pain\na,*,*,1,wheezing\nb,*,*,2,fever\nb,*,*,2,chest pain\nc,*,*,3,obesity\nc,*,*,3,obesity\n",
    );
    let answer = folder
        .scrim(&[
            "attack",
            "shown.csv",
            "-p",
            "policy.toml",
            "--similarity",
            "--json",
        ])
        .exits(1)
        .json();
    assert_eq!(
        (&answer["records"], &answer["classes"]),
        (&4.into(), &2.into())
    );
    assert_eq!(answer["by_category"]["1"]["records"], 2);
    assert_eq!(answer["homogeneous"]["classes"], 1);
    let shown = folder
        .scrim(&["attack", "shown.csv", "-p", "policy.toml", "--similarity"])
        .exits(1);
    insta::assert_snapshot!(shown.stdout);
}
