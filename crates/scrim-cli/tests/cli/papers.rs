//! The papers' examples through the command.

use crate::folder::Folder;

#[test]
fn sweeney02_is_reproduced() {
    let folder = Folder::figure_7();
    insta::assert_snapshot!(folder.scrim(&["reproduce", "sweeney02"]).exits(0).shown());
}

#[test]
fn sun08_is_reproduced() {
    let folder = Folder::figure_7();
    let shown = folder.scrim(&["reproduce", "sun08"]).exits(0).shown();
    // How long it took is another number each time.
    let (before, after) = shown.split_once("\nSeconds, ").unwrap();
    let (_, after) = after.split_once("\nErrata\n").unwrap();
    insta::assert_snapshot!(format!("{before}\n[seconds]\n\nErrata\n{after}"));
}

#[test]
fn the_seconds_of_sun08_are_apart_in_the_json() {
    let folder = Folder::figure_7();
    let answer = folder
        .scrim(&["reproduce", "sun08", "--json"])
        .exits(0)
        .json();
    assert_eq!(answer["holds"], true);
    assert_eq!(answer["seconds"].as_array().unwrap().len(), 36 + 18 + 12);
    for took in answer["seconds"].as_array().unwrap() {
        assert!(
            took["seconds"].is_number() && took["tested"].is_u64(),
            "{took}"
        );
    }
    assert_eq!(answer["errata"].as_array().unwrap().len(), 11);
    assert_eq!(answer["remarks"][0]["number"], 6);
}

#[test]
fn the_experiments_of_sun08_take_data() {
    let folder = Folder::figure_7();
    let header = "age;workclass;education;native-country;marital-status;race;sex";
    let rows: String = (17..57).map(|age| format!("{age};w;e;c;m;r;s\n")).collect();
    folder.write("adult.csv", format!("{header}\n{rows}"));
    let ages: String = (17..57)
        .map(|age| format!("{age};{};*\n", age / 10))
        .collect();
    folder.write("adult_hierarchy_age.csv", ages);
    for (name, leaf) in header.split(';').zip("-wecmrs".chars()).skip(1) {
        folder.write(
            &format!("adult_hierarchy_{name}.csv"),
            format!("{leaf};*\n"),
        );
    }
    let given = folder
        .scrim(&["reproduce", "sun08", "--data", "."])
        .exits(0);
    assert!(given.stdout.contains("(the table given, 40 rows)"));
    folder.write("adult.csv", format!("{header}\n"));
    assert!(
        folder
            .scrim(&["reproduce", "sun08", "--data", "."])
            .is_orderly()
    );
    let no_row = folder
        .scrim(&["reproduce", "sun08", "--data", "."])
        .exits(2);
    assert!(no_row.stderr.contains("no row"), "{}", no_row.stderr);
    let missing = folder
        .scrim(&["reproduce", "sun08", "--data", "nowhere"])
        .exits(2);
    assert!(missing.stderr.contains("adult.csv"), "{}", missing.stderr);
    folder
        .scrim(&["reproduce", "sweeney02", "--data", "."])
        .exits(2);
}

/// Adult as others write it: another delimiter, other names and more columns, an unknown value, no hierarchies beside it.
#[test]
fn the_experiments_of_sun08_take_a_file_as_it_is_and_write_tables_and_pictures() {
    let folder = Folder::empty();
    let header = "Age,Workclass,fnlwgt,Education,Marital_Status,Occupation,Race,Gender,Native.Country,income";
    let row = |at: u32| {
        let (age, work) = (17 + at % 60, ["Private", "State-gov"][at as usize % 2]);
        let school = ["Bachelors", "HS-grad", "Masters"][at as usize % 3];
        let job = if at == 5 { "?" } else { "Sales" };
        let sex = ["Male", "Female"][at as usize / 3 % 2];
        format!("{age},{work},{at},{school},Divorced,{job},White,{sex},United-States,<=50K\n")
    };
    let rows: String = (0..301).map(row).collect();
    folder.write("mine.csv", format!("{header}\n{rows}"));
    let run = |arguments: &[&str]| {
        let command = ["reproduce", "sun08", "--data", "mine.csv"];
        folder.scrim(&[&command[..], arguments].concat())
    };
    let shown = run(&["--out", "out"]).exits(0);
    assert!(
        shown.stdout.contains("(the table given, 300 rows)"),
        "{}",
        shown.stdout
    );
    assert!(shown.stdout.contains(" 0 differ\n"), "{}", shown.stdout);
    let files = folder.files("out").unwrap();
    assert_eq!(
        files.len(),
        1 + 8,
        "a table, Figures 2 and 3 (a) and (b) for both algorithms"
    );
    let table = folder.text("out/experiments.csv");
    assert_eq!(table.lines().count(), 1 + 2 * (18 + 12), "{table}");
    let chart = folder.text("out/figure3a-algorithm1.svg");
    assert!(
        chart.starts_with("<svg") && !chart.contains("NaN"),
        "{chart}"
    );
    // The same seed gives the same ratios, another one others; a former run may be written over.
    let ratios = |answer: serde_json::Value| {
        let runs = answer["figures"]["runs"].as_array().unwrap().clone();
        let ratio = |run: &serde_json::Value| run["distortion_ratio_exact"].to_string();
        runs.iter().map(ratio).collect::<Vec<_>>()
    };
    let first = ratios(
        run(&["--json", "--seed", "20080101", "--out", "out"])
            .exits(0)
            .json(),
    );
    assert_eq!(first, ratios(run(&["--json"]).exits(0).json()));
    assert_ne!(
        first,
        ratios(run(&["--json", "--seed", "7"]).exits(0).json())
    );
    run(&["--seed", "4294967296"]).exits(2);
    run(&["--out", "."]).exits(2);
}

#[test]
fn what_the_paper_made_of_unprinted_hierarchies_is_not_reproducible() {
    let folder = Folder::empty();
    let answer = folder
        .scrim(&["reproduce", "sun08", "--json"])
        .exits(0)
        .json();
    let items = answer["items"].as_array().unwrap();
    let papers = |verdict: &str| {
        let own = items.iter().filter(|item| item["verdict"] == verdict);
        own.map(|item| item["paper"].as_str().unwrap_or_default().to_owned())
            .collect::<Vec<_>>()
    };
    let not_reproducible = papers("not reproducible");
    for said in [
        "21",
        "30",
        "28",
        "7 of 30",
        "p-sensitive is faster",
        "the more so, the larger alpha",
    ] {
        assert!(not_reproducible.contains(&said.to_owned()), "{said}");
    }
    let distances: Vec<&serde_json::Value> = items
        .iter()
        .filter(|item| {
            item["name"]
                .as_str()
                .unwrap()
                .starts_with("Section 3: the distance")
        })
        .collect();
    assert_eq!(distances.len(), 2);
    assert_eq!(distances[1]["ours"], "1/3 = 0.3333");
    assert_eq!(distances[1]["verdict"], "agrees");
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
            ["agrees", "checked", "remark 10"].contains(&verdict)
                || verdict.starts_with("erratum "),
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
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert_eq!(answer["remarks"][0]["number"], 10);
}

#[test]
fn sweeney02_is_compared_by_cell_and_nothing_differs() {
    let folder = Folder::figure_7();
    let shown = folder.scrim(&["reproduce", "sweeney02"]).exits(0).stdout;
    assert!(shown.ends_with(" checked, 0 differ\n"), "{shown}");
    assert!(!shown.contains("not yet"), "{shown}");
    let answer = folder
        .scrim(&["reproduce", "sweeney02", "--json"])
        .exits(0)
        .json();
    assert_eq!(answer["holds"], true);
    assert_eq!(answer["not_yet"], "");
    let items = answer["items"].as_array().unwrap();
    let of = |part: &str, line: &str| {
        let item = items.iter().find(|item| {
            let name = item["name"].as_str().unwrap();
            name.starts_with(part) && name.ends_with(&format!(": {line}"))
        });
        let item = item.unwrap_or_else(|| panic!("{part}: {line}"));
        let text = |key: &str| item[key].as_str().unwrap().to_owned();
        (text("ours"), text("verdict"))
    };
    // 12 generalizations of each of 8 rows.
    let (tables, _) = of("Equation 2", "Figure 4");
    assert_eq!(tables, 12u64.pow(8).to_string());
    let (figure_4, verdict) = of("Figure 4 by attribute and by cell", "k = 2");
    assert!(figure_4.contains("by cell: 5/6"), "{figure_4}");
    assert_eq!(verdict, "agrees");
    let (optima, verdict) = of("Figure 7 by attribute and by cell", "Y-D-C/G2");
    for cell in ["k=2: 257/288", "k=3: 151/192", "k=4: 17/24"] {
        assert!(optima.contains(&format!("cell {cell}")), "{optima}");
    }
    assert_eq!(verdict, "checked");
    let (example_7, verdict) = of("Example 7 for k = 2", "Y-D-C/G2");
    for word in ["A saves: 13/12;", "B saves: 1/12;", "below GT: 0;"] {
        assert!(example_7.contains(word), "{example_7}");
    }
    assert_eq!(verdict, "erratum 1");
    let (_, verdict) = of("Datafly beside MinGen", "M-Y-5-D/G2");
    assert_eq!(verdict, "remark 10");
    let side_by_side = items
        .iter()
        .filter(|item| item["name"].as_str().unwrap().starts_with("Section 4, "));
    assert_eq!(side_by_side.count(), 3 * 8);
}
