//! The papers' examples through the command.

use crate::folder::Folder;

#[test]
fn sweeney02_is_reproduced() {
    let folder = Folder::figure_7();
    insta::assert_snapshot!(folder.scrim(&["reproduce", "sweeney02"]).exits(0).shown());
}

#[test]
fn the_json_has_a_verdict_for_every_item() {
    let folder = Folder::figure_7();
    let answer = folder
        .scrim(&["reproduce", "sweeney02", "--json"])
        .exits(0)
        .json();
    assert_eq!(answer["key"], "sweeney02");
    let items = answer["items"].as_array().unwrap();
    assert!(items.len() > 50);
    for item in items {
        let verdict = item["verdict"].as_str().unwrap();
        assert!(
            verdict == "agrees" || verdict == "checked" || verdict.starts_with("erratum "),
            "{item}"
        );
        assert!(
            item["name"].is_string() && item["ours"].is_string(),
            "{item}"
        );
    }
    let all = folder.scrim(&["reproduce", "--json"]).exits(0).json();
    assert_eq!(all["papers"][0], answer);
    let numbers: Vec<u64> = answer["errata"]
        .as_array()
        .unwrap()
        .iter()
        .map(|erratum| erratum["number"].as_u64().unwrap())
        .collect();
    assert_eq!(numbers, [2, 3, 4, 5, 6, 7, 10]);
}
