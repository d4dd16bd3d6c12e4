//! Help and the catalog.

use crate::folder::Folder;

#[test]
fn every_command_has_help() {
    let folder = Folder::figure_7();
    let commands: [&[&str]; 23] = [
        &[],
        &["demo"],
        &["init"],
        &["publish"],
        &["audit"],
        &["attack"],
        &["risk"],
        &["report"],
        &["measure"],
        &["lattice"],
        &["hierarchy"],
        &["hierarchy", "show"],
        &["hierarchy", "check"],
        &["reproduce"],
        &["catalog"],
        &["ledger"],
        &["ledger", "list"],
        &["ledger", "show"],
        &["ledger", "persons"],
        &["ledger", "verify"],
        &["ledger", "export"],
        &["ledger", "check"],
        &["ledger", "recover"],
    ];
    for command in commands {
        let run = folder.scrim(&[command, &["--help"]].concat()).exits(0);
        assert!(
            run.stdout.contains("Usage: scrim") && run.stderr.is_empty(),
            "{}",
            run.shown()
        );
    }
}

#[test]
fn the_overview_names_commands_and_exit_codes() {
    let folder = Folder::figure_7();
    insta::assert_snapshot!(folder.scrim(&["--help"]).exits(0).shown());
    assert!(
        folder
            .scrim(&["--version"])
            .exits(0)
            .stdout
            .starts_with("scrim ")
    );
}

#[test]
fn what_cannot_be_understood_exits_2() {
    let folder = Folder::figure_7();
    for arguments in [
        &[][..],
        &["publsh"],
        &["publish"],
        &["audit", "data.csv"],
        &["reproduce", "nobody99"],
    ] {
        folder.scrim(arguments).exits(2);
    }
}

#[test]
fn the_reference_page_is_fresh() {
    let page = include_str!("../../../../docs/reference.md");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_scrim"))
        .args(["catalog", "--markdown"])
        .output()
        .unwrap();
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        page,
        "write it anew with `scrim catalog --markdown > docs/reference.md`"
    );
}

#[test]
fn the_demo_can_be_run_again_and_writes_over_nothing_else() {
    let folder = crate::folder::Folder::figure_7();
    let demo = ["demo", "tour", "--rows", "300", "--json"];
    let first = folder.scrim(&demo).exits(0).json();
    assert_eq!(first["status"], "published");
    let release = folder.text("tour/release/release.csv");
    folder.scrim(&demo).exits(0);
    assert_eq!(folder.text("tour/release/release.csv"), release);
    let refused = folder.scrim(&["demo", "."]).exits(2);
    assert!(
        refused.stderr.contains("is not empty"),
        "{}",
        refused.stderr
    );
}
