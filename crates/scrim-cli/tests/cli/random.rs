//! Random bytes in every place where a file is read: an answer or an error, never a panic.

use proptest::prelude::*;

use crate::folder::{Folder, POLICY};

/// Bytes, or text made of what files of this kind are made of.
fn bytes(alphabet: &'static str) -> impl Strategy<Value = Vec<u8>> {
    let pieces: Vec<&str> = alphabet.split(' ').collect();
    let text = prop::collection::vec(prop::sample::select(pieces), 0..60)
        .prop_map(|pieces| pieces.concat().into_bytes());
    prop_oneof![prop::collection::vec(any::<u8>(), 0..400), text]
}

const POLICY_WORDS: &str = "[data] [columns] [[privacy]] [search] [release] \n \n = = { } [ ] \" , path \"data.csv\" Race ZIP role \"quasi\" \"sensitive\" hierarchy \"race.csv\" mask intervals dates model \"k-anonymity\" k 0 -1 2 0.5 \"7/3\" 1e400 nan ä";
const TREE_WORDS: &str =
    "black white asian person * ***** ; ; ; , \n \n \r\n \" ä \u{feff} child parent  ";
const TABLE_WORDS: &str = "Race BirthDate Gender ZIP Problem , , , , \n \n \r\n \" ; ä \u{feff} black 9/20/1965 male 02141 ? \0";

fn orderly(folder: &Folder) -> Result<(), TestCaseError> {
    for arguments in [
        &["publish", "policy.toml"][..],
        &["audit", "data.csv", "-p", "policy.toml"],
    ] {
        let run = folder.scrim(arguments);
        prop_assert!(run.is_orderly(), "{}", run.shown());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_policy(bytes in bytes(POLICY_WORDS)) {
        let folder = Folder::figure_7();
        folder.write("policy.toml", bytes);
        orderly(&folder)?;
    }

    #[test]
    fn any_policy_with_a_piece_broken(at in 0..POLICY.len(), piece in bytes(POLICY_WORDS)) {
        let folder = Folder::figure_7();
        let mut bytes = POLICY.as_bytes().to_vec();
        bytes.splice(at..at, piece.into_iter().take(12));
        folder.write("policy.toml", bytes);
        orderly(&folder)?;
    }

    #[test]
    fn any_hierarchy(bytes in bytes(TREE_WORDS), name in prop::sample::select(vec!["race.csv", "race.txt", "race.csv.gz"])) {
        let folder = Folder::figure_7();
        folder.write(name, bytes);
        folder.replace("policy.toml", "race.csv", name);
        orderly(&folder)?;
        let run = folder.scrim(&["hierarchy", "show", name]);
        prop_assert!(run.is_orderly(), "{}", run.shown());
    }

    #[test]
    fn any_data(bytes in bytes(TABLE_WORDS), name in prop::sample::select(vec!["data.csv", "data.tsv", "data.csv.zst", "data.parquet"])) {
        let folder = Folder::figure_7();
        folder.write(name, bytes);
        folder.replace("policy.toml", "data.csv", name);
        orderly(&folder)?;
    }
}
