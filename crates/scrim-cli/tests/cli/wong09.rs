//! The examples and the ten releases of [Wong09] through the command.

use serde_json::Value;

use crate::folder::Folder;

const FILES: [&str; 6] = [
    "above.svg",
    "class_size.svg",
    "left_out.svg",
    "loss.svg",
    "p_max.svg",
    "releases.csv",
];

fn names(folder: &Folder, dir: &str) -> Vec<String> {
    let files = folder.files(dir).unwrap();
    let name = |(path, _): (String, Vec<u8>)| path.rsplit('/').next().unwrap().to_owned();
    let mut names: Vec<String> = files.into_iter().map(name).collect();
    names.sort();
    names
}

fn study(folder: &Folder, more: &[&str]) -> Value {
    let mut arguments = vec!["reproduce", "wong09", "--json"];
    arguments.extend(more);
    folder.scrim(&arguments).exits(0).json()
}

/// The steps of a method, release by release.
fn steps<'a>(answer: &'a Value, method: &str) -> Vec<&'a Value> {
    let all = answer["figures"]["releases"].as_array().unwrap();
    all.iter().filter(|step| step["method"] == method).collect()
}

#[test]
fn the_examples_are_there_without_the_key_and_nothing_is_written() {
    let folder = Folder::figure_7();
    let before = folder.files(".").unwrap();
    let all = folder.scrim(&["reproduce", "--json"]).exits(0).json();
    assert_eq!(folder.files(".").unwrap(), before);
    let paper = &all["papers"][3];
    assert_eq!(
        (&paper["key"], &paper["holds"]),
        (&"wong09".into(), &true.into())
    );
    let verdict = |name: &str| {
        let items = paper["items"].as_array().unwrap();
        let found = items
            .iter()
            .find(|item| item["name"].as_str().unwrap().ends_with(name));
        let found = found.unwrap();
        format!(
            "{}: {}",
            found["verdict"].as_str().unwrap(),
            found["ours"].as_str().unwrap()
        )
    };
    assert_eq!(
        verdict("Figure 2: o2, chlamydia"),
        "agrees: all worlds: 12 of 16; worlds of own groups: 3 of 4; closed form: 3/4"
    );
    assert!(verdict("Figure 4: o1, flu").starts_with("erratum 10: all worlds: 108 of 144"));
    assert_eq!(
        verdict("T2 after {o2, o3}, {o1, o4}"),
        "remark 12: groups: {o1, o5}, {o2, o3}; largest p: 1/2"
    );
    assert_eq!(
        verdict("protected: chlamydia"),
        "checked: certifier: 23; possible worlds: 23"
    );
}

#[test]
fn the_answer_has_the_paper_beside_ours() {
    let folder = Folder::figure_7();
    let shown = folder
        .scrim(&["reproduce", "wong09", "--rows", "100"])
        .exits(0)
        .shown();
    assert_eq!(names(&folder, "reproduce-wong09"), FILES);
    let (before, after) = shown.split_once("\nTen releases (").unwrap();
    let (_, after) = after.split_once("\nErrata\n").unwrap();
    let (errata, after) = after.split_once("\nWritten\n").unwrap();
    assert!(after.ends_with(" 0 differ\n--- exit 0\n"), "{after}");
    insta::assert_snapshot!(format!("{before}\n[ten releases]\n\nErrata\n{errata}"));
    // A former run is written over, anything else is not.
    folder
        .scrim(&["reproduce", "wong09", "--rows", "100"])
        .exits(0);
    let refused = folder
        .scrim(&["reproduce", "wong09", "--rows", "100", "--out", "."])
        .exits(2);
    assert!(refused.stderr.contains(". is not empty"));
}

#[test]
fn diversity_lets_p_grow_and_serial_holds_it() {
    let folder = Folder::figure_7();
    let answer = study(&folder, &["--rows", "400", "--out", "one"]);
    let again = study(&folder, &["--rows", "400", "--out", "two"]);
    assert_eq!(answer["figures"], again["figures"]);
    for name in FILES {
        let text = folder.text(&format!("one/{name}"));
        assert_eq!(text, folder.text(&format!("two/{name}")), "{name}");
        assert_eq!(text.starts_with("<svg"), name.contains(".svg"), "{name}");
        assert!(!text.contains("NaN"), "{name}");
    }
    assert_eq!(folder.text("one/releases.csv").lines().count(), 1 + 5 * 10);
    let plain = steps(&answer, "frequency 2-diversity");
    assert_eq!(plain.len(), 10);
    assert!(
        plain
            .iter()
            .all(|step| step["localized"].as_f64().unwrap() <= 0.5)
    );
    assert!(plain[9]["p_max"].as_f64().unwrap() > 0.75);
    assert!(plain[9]["above"].as_u64().unwrap() > 10);
    for schedule in ["greedy", "geometric", "linear"] {
        let steps = steps(&answer, &format!("serial, {schedule}"));
        let mut published = 0;
        for step in &steps {
            assert!(step["p_max"].as_f64().unwrap() <= 0.5, "{step}");
            assert_eq!(step["above"], 0, "{step}");
            assert!(
                step["certified"] == true || step["loss_mean"].is_null(),
                "{step}"
            );
            published += u32::from(!step["loss_mean"].is_null());
        }
        assert!(published >= 8, "{schedule}: {published}");
    }
    // Whose room is spent is left out by `greedy`; `linear` leaves room for ten releases.
    let left_out = |schedule: &str| -> u64 {
        let steps = steps(&answer, &format!("serial, {schedule}"));
        steps
            .iter()
            .map(|step| step["retired"].as_u64().unwrap())
            .sum()
    };
    assert!(left_out("greedy") > 0);
    assert_eq!(left_out("linear"), 0);
    let other = study(&folder, &["--rows", "400", "--out", "one", "--seed", "7"]);
    assert_ne!(answer["figures"], other["figures"]);
}

/// So many encounters in the columns of the diabetes data; every third patient comes again in each slice.
fn encounters(release: bool) -> String {
    let head = if release { "release," } else { "" };
    let mut text = format!("{head}patient_nbr,race,gender,age,admission_source_id,diag_1\n");
    for at in 0..2_000_u32 {
        let (slice, place) = (at / 200, at % 200);
        let patient = if place % 3 == 0 { place } else { 1_000 + at };
        let code = match place % 40 {
            0 => "8",
            7 => "296",
            21 => "V57",
            _ => ["428", "250.8", "486", "530", "998"][(place + slice) as usize % 5],
        };
        let race = ["Caucasian", "AfricanAmerican", "?"][patient as usize % 3];
        let gender = ["Female", "Male"][patient as usize % 2];
        let age = patient % 9 * 10;
        if release {
            text.push_str(&format!("{},", slice + 1));
        }
        text.push_str(&format!(
            "{patient},{race},{gender},[{age}-{}),{},{code}\n",
            age + 10,
            patient % 4
        ));
    }
    text
}

#[test]
fn encounters_are_read_by_slices_or_by_their_release() {
    let folder = Folder::figure_7();
    folder.write("slices.csv", encounters(false));
    folder.write("named.csv", encounters(true));
    let slices = study(
        &folder,
        &["--data", "slices.csv", "--out", "a", "--rows", "150"],
    );
    let named = study(
        &folder,
        &["--data", "named.csv", "--out", "b", "--rows", "150"],
    );
    assert_eq!(slices["figures"], named["figures"]);
    assert_eq!(slices["not_yet"], "");
    let protected = &slices["figures"]["data"]["protected"];
    assert_eq!(
        protected,
        &serde_json::json!(["infections", "mental disorders"])
    );
    let steps = steps(&slices, "serial, linear");
    assert!(
        steps
            .iter()
            .all(|step| step["rows"] == 150 && step["above"] == 0)
    );
}

#[test]
fn options_and_files_that_do_not_fit_are_told() {
    let folder = Folder::figure_7();
    let refused = |arguments: &[&str]| folder.scrim(arguments).exits(2).stderr;
    let seed = refused(&["reproduce", "xiaotao06", "--seed", "1"]);
    assert!(
        seed.contains("`--seed` is for the sensitive values of sun08"),
        "{seed}"
    );
    folder.write("no.csv", "patient_nbr,age\n1,[0-10)\n");
    let column = refused(&["reproduce", "wong09", "--data", "no.csv"]);
    assert!(column.contains("there is no column `gender`"), "{column}");
    folder.write(
        "release.csv",
        encounters(true).replacen("\n1,", "\neleven,", 1),
    );
    let release = refused(&["reproduce", "wong09", "--data", "release.csv"]);
    assert!(
        release.contains("release.csv:2: the release is no number"),
        "{release}"
    );
    folder.write(
        "empty.csv",
        encounters(true)
            .lines()
            .take(100)
            .collect::<Vec<_>>()
            .join("\n"),
    );
    let empty = refused(&["reproduce", "wong09", "--data", "empty.csv"]);
    assert!(empty.contains("a release is empty"), "{empty}");
    assert!(
        !folder
            .files(".")
            .unwrap()
            .iter()
            .any(|(path, _)| path.contains("reproduce-wong09"))
    );
}
