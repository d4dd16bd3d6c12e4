//! Missing values and values without a leaf.

use crate::folder::{FIGURE_7, Folder};

#[test]
fn a_missing_value_is_a_value_of_its_own() {
    let folder = Folder::figure_7();
    folder.write(
        "data.csv",
        FIGURE_7
            .replace("white,10/23/1964", "?,10/23/1964")
            .replace("black,9/20", ",9/20"),
    );
    folder.replace("policy.toml", "path =", "null = [\"\", \"?\"]\npath =");
    let run = folder.scrim(&["publish", "policy.toml"]).exits(0);
    insta::assert_snapshot!(run.shown() + &folder.text("release/release.csv"));
    let manifest: serde_json::Value =
        serde_json::from_str(&folder.text("release/manifest.json")).unwrap();
    assert_eq!(
        manifest["input"]["missing"],
        serde_json::json!({ "Race": 2 })
    );
    folder
        .scrim(&["audit", "release/release.csv", "-p", "policy.toml"])
        .exits(0);
}

#[test]
fn a_question_mark_that_is_not_declared_missing_needs_a_leaf() {
    let folder = Folder::figure_7();
    folder.write(
        "data.csv",
        FIGURE_7.replace("white,10/23/1964", "?,10/23/1964"),
    );
    insta::assert_snapshot!(folder.scrim(&["publish", "policy.toml"]).exits(2).shown());
}

#[test]
fn a_value_without_a_leaf_is_named_with_the_line_to_add() {
    let folder = Folder::figure_7();
    folder.write(
        "zip.csv",
        folder
            .text("zip.csv")
            .replace("02138;0213*;021**;*****\n", ""),
    );
    let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
    insta::assert_snapshot!(run.shown());
    assert!(run.stderr.contains("`02138`") && run.stderr.contains("02138;…;…;*****"));
    insta::assert_snapshot!(folder.scrim(&["hierarchy", "check", "policy.toml"]).shown());
}
