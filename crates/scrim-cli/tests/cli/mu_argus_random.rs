//! `mu-argus` on random tables: what the binary says of a release is what a reader of the file counts.

use crate::folder::Folder;

/// Rows with missing values, an uneven tree, a mask and a date.
fn random(seed: u64, k: u64) -> Folder {
    let folder = Folder::empty();
    let mut state = seed;
    let mut below = |bound: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % bound
    };
    let mut text = "job,sex,zip,born,ill\n".to_owned();
    for _ in 0..k + below(40) {
        let job = ["clerk", "boss", "baker", "smith", "retired", ""][below(6) as usize];
        let sex = ["f", "m", ""][(below(5) / 2) as usize];
        let (zip, born) = (10 + below(4), 1990 + below(3));
        text += &format!("{job},{sex},{zip},{born}-0{}-01,flu\n", 1 + below(3));
    }
    folder.write("data.csv", text);
    folder.write(
        "job.txt",
        "work\n  office\n    clerk\n    boss\n  shop\n    baker\n    smith\n  retired\n",
    );
    let combinations = ["all", "figure-12"][below(2) as usize];
    let level = ["most", "more", "identifying"];
    let mut level = || level[below(3) as usize];
    folder.write("policy.toml", format!("[data]\npath = \"data.csv\"\n[columns]\njob = {{ role = \"quasi\", hierarchy = \"job.txt\", identifying = \"{}\" }}\nsex = {{ role = \"quasi\", identifying = \"{}\" }}\nzip = {{ role = \"quasi\", hierarchy = {{ mask = \"right\" }}, identifying = \"{}\" }}\nborn = {{ role = \"quasi\", hierarchy = {{ dates = [\"year\"] }}, identifying = \"{}\" }}\nill = {{ role = \"sensitive\" }}\n[[privacy]]\nmodel = \"k-anonymity\"\nk = {k}\n[search]\nalgorithm = \"mu-argus\"\ncombinations = \"{combinations}\"\nallow-broken = true\n", level(), level(), level(), level()));
    folder
}

#[test]
fn what_is_said_of_random_releases_is_what_a_reader_counts() {
    let (mut kept, mut broken) = (0, 0);
    for seed in 0..40 {
        let k = 2 + seed % 4;
        let folder = random(seed, k);
        let run = folder.scrim(&["publish", "policy.toml", "--json"]);
        let answer = run.json();
        let code = run.code.unwrap();
        let name = ["release/release.csv", "release/release.BROKEN.csv"][code as usize];
        folder
            .scrim(&["audit", name, "-p", "policy.toml"])
            .exits(code);
        let measure = ["measure", "data.csv", name, "-p", "policy.toml", "--json"];
        let measured = folder.scrim(&measure).exits(0).json();
        assert_eq!(measured["metrics"], answer["metrics"], "seed {seed}");
        let text = folder.text(name);
        let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
        let (header, rows) = rows.split_first().unwrap();
        // How many rows are like a row in the columns of a set of bits.
        let alike = |row: &[&str], set: usize| {
            let same =
                |other: &&Vec<&str>| (0..4).all(|at| set >> at & 1 == 0 || other[at] == row[at]);
            rows.iter().filter(same).count() as u64
        };
        let below = rows.iter().filter(|row| alike(row, 15) < k).count() as u64;
        if code == 0 {
            kept += 1;
            assert_eq!(below, 0, "seed {seed}");
            continue;
        }
        broken += 1;
        let combination = &answer["combination"];
        assert_eq!(combination["rows_below"], below, "seed {seed}");
        assert_eq!(combination["smallest"], true);
        let values = combination["values"].as_object().unwrap();
        let set = (0..4).filter(|at| values.contains_key(header[*at]));
        let set: usize = set.map(|at| 1 << at).sum();
        let shows = |row: &&Vec<&str>| {
            (0..4).all(|at| values.get(header[at]).is_none_or(|value| value == row[at]))
        };
        let found = rows.iter().filter(shows).count() as u64;
        assert_eq!(combination["found"], found, "seed {seed}");
        assert!(0 < found && found < k, "seed {seed}: {combination}");
        let smaller = (1..16usize).filter(|other| other.count_ones() < set.count_ones());
        for other in smaller {
            assert!(
                rows.iter().all(|row| alike(row, other) >= k),
                "seed {seed}: {other}"
            );
        }
    }
    assert!(kept > 3 && broken > 3, "{kept} kept, {broken} broken");
}
