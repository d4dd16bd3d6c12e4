//! The bill of materials that the program carries.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::folder::Folder;

#[test]
fn the_bill_of_materials_is_made_from_this_lock_file() {
    let folder = Folder::figure_7();
    let run = folder.scrim(&["--version", "--sbom"]).exits(0);
    assert_eq!(folder.scrim(&["--sbom", "-V"]).exits(0).stdout, run.stdout);
    let bill: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(bill["bomFormat"], "CycloneDX");
    let own = &bill["metadata"]["component"];
    assert_eq!(own["version"], env!("CARGO_PKG_VERSION"));
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    let lock = fs::read(lock).unwrap();
    assert_eq!(
        bill["metadata"]["properties"][0]["value"],
        scrim_io::sha256(&lock),
        "Cargo.lock was changed: run supply-chain/sbom and commit crates/scrim-cli/sbom.cdx.json"
    );
}

#[test]
fn every_crate_of_the_bill_of_materials_is_locked_with_its_hash() {
    let bill: Value = serde_json::from_str(include_str!("../../sbom.cdx.json")).unwrap();
    let lock = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.lock");
    let lock = fs::read_to_string(lock).unwrap();
    let components = bill["components"].as_array().unwrap();
    let names: Vec<&str> = components
        .iter()
        .map(|own| own["name"].as_str().unwrap())
        .collect();
    assert!(names.contains(&"scrim-io") && names.contains(&"parquet"));
    assert!(!names.contains(&"testkit") && !names.contains(&"proptest"));
    for component in components {
        let (name, version) = (&component["name"], &component["version"]);
        let entry = format!("name = {name}\nversion = {version}\n");
        let (_, after) = lock.split_once(&entry).unwrap_or_else(|| panic!("{entry}"));
        if let Some(hash) = component["hashes"][0]["content"].as_str() {
            let own = after.split("[[package]]").next().unwrap();
            assert!(own.contains(&format!("checksum = \"{hash}\"")), "{name}");
        }
        assert!(component["licenses"][0]["expression"].is_string(), "{name}");
    }
}

#[test]
fn the_bill_of_materials_is_asked_for_with_the_version_only() {
    let folder = Folder::figure_7();
    let run = folder.scrim(&["--sbom", "catalog"]).exits(2);
    assert!(run.stderr.contains("--version"), "{}", run.shown());
    assert!(folder.scrim(&["--sbom"]).exits(2).stdout.is_empty());
}
