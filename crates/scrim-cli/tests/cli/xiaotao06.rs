//! The examples and experiments of [XiaoTao06] through the command.

use serde_json::Value;

use crate::folder::Folder;

/// Every tag is closed in order and every attribute quoted.
fn well_formed(name: &str, text: &str) {
    let mut open: Vec<&str> = Vec::new();
    for piece in text.split('<').skip(1) {
        let (tag, after) = piece.split_once('>').unwrap();
        assert!(!after.contains('>'), "{name}: {after}");
        assert_eq!(tag.matches('"').count() % 2, 0, "{name}: {tag}");
        let first = tag.trim_end_matches('/').split_whitespace().next().unwrap();
        if let Some(closed) = first.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed), "{name}: {tag}");
        } else if !tag.ends_with('/') {
            open.push(first);
        }
    }
    assert!(open.is_empty(), "{name}: {open:?}");
    assert!(!text.contains("NaN"), "{name}");
}

/// What depends on the clock is not compared.
fn timeless(answer: &Value) -> Value {
    let mut answer = answer.clone();
    answer["seconds"] = Value::Null;
    answer["written"] = Value::Null;
    answer
}

fn names(folder: &Folder, dir: &str) -> Vec<String> {
    let files = folder.files(dir).unwrap();
    let name = |(path, _): (String, Vec<u8>)| path.rsplit('/').next().unwrap().to_owned();
    files.into_iter().map(name).collect()
}

#[test]
fn the_examples_are_the_paper_s_and_nothing_is_written_without_the_key() {
    let folder = Folder::figure_7();
    let before = folder.files(".").unwrap();
    let all = folder.scrim(&["reproduce", "--json"]).exits(0).json();
    assert_eq!(folder.files(".").unwrap(), before);
    let paper = &all["papers"][2];
    assert_eq!(
        (&paper["key"], &paper["holds"]),
        (&"xiaotao06".into(), &true.into())
    );
    assert_eq!(paper["errata"].as_array().unwrap().len(), 8);
    assert_eq!(paper["remarks"].as_array().unwrap().len(), 2);
    let ours = |name: &str| {
        let items = paper["items"].as_array().unwrap();
        let found = items
            .iter()
            .find(|item| item["name"].as_str().unwrap().ends_with(name));
        found.unwrap()["ours"].as_str().unwrap().to_owned()
    };
    let example = ours("Example 2: tuple 3, non-primary");
    assert_eq!(
        example,
        "breaching: 2025; possible: 5625; probability: 9/25"
    );
    assert!(ours("tuple 4 (Nash)").contains("non-primary, Figure 1b: 29/225"));
}

#[test]
fn the_answer_has_the_paper_beside_ours() {
    let folder = Folder::figure_7();
    let shown = folder
        .scrim(&["reproduce", "xiaotao06", "--rows", "100"])
        .exits(0)
        .shown();
    assert_eq!(names(&folder, "reproduce-xiaotao06").len(), 20);
    // What follows the examples depends on the made-up table, the seconds on the machine.
    let (before, after) = shown.split_once("\nFigures 6 and 7: ").unwrap();
    let (_, after) = after.split_once("\nErrata\n").unwrap();
    let (errata, after) = after.split_once("\nWritten\n").unwrap();
    assert!(after.ends_with(" 0 differ\n--- exit 0\n"), "{after}");
    insta::assert_snapshot!(format!("{before}\n[section 5]\n\nErrata\n{errata}"));
}

#[test]
fn the_experiments_give_the_same_bytes_again_and_no_guarded_row_is_above_the_limit() {
    let folder = Folder::figure_7();
    let run = |out: &str| {
        let arguments = [
            "reproduce",
            "xiaotao06",
            "--rows",
            "400",
            "--out",
            out,
            "--json",
        ];
        folder.scrim(&arguments).exits(0).json()
    };
    let (first, second) = (run("one"), run("two"));
    assert_eq!(timeless(&first), timeless(&second));
    let files = names(&folder, "one");
    assert_eq!(files.len(), 5 + 8 + 4 + 2 + 1, "{files:?}");
    assert_eq!(files, names(&folder, "two"));
    for name in &files {
        let (one, two) = (
            folder.text(&format!("one/{name}")),
            folder.text(&format!("two/{name}")),
        );
        assert_eq!(one.starts_with("<svg"), name.contains(".svg"), "{name}");
        let timed = name == "time.csv" || name.starts_with("figure9");
        assert!(timed || one == two, "{name}");
        if one.starts_with("<svg") {
            well_formed(name, &one);
            assert!(
                one.contains("role=\"img\"") && one.contains("<title>"),
                "{name}"
            );
        }
    }
    let breaches = first["figures"]["breach"].as_array().unwrap();
    assert_eq!(breaches.len(), 12);
    for breach in breaches {
        let rows = breach["curve"].as_array().unwrap();
        let rows: u64 = rows.iter().map(|run| run[1].as_u64().unwrap()).sum();
        assert_eq!(rows, 400, "{breach}");
        if breach["method"] == "personalized" {
            assert_eq!(breach["above"], 0, "{breach}");
            assert!(breach["max"].as_f64().unwrap() <= 0.25, "{breach}");
        }
    }
    // Some row of the rivals is above the limit: the picture shows what the paper is about.
    assert!(
        breaches
            .iter()
            .any(|breach| breach["above"].as_u64() > Some(0))
    );
    let errors = first["figures"]["error"].as_array().unwrap();
    assert_eq!(errors.len(), 56);
    let published = |error: &&Value| error["information_loss"].is_number();
    assert!(errors.iter().filter(published).count() > 40);
    for error in errors.iter().filter(published) {
        assert!(error["workload"]["mean"].is_number(), "{error}");
    }
}

#[test]
fn the_experiments_take_a_census() {
    let folder = Folder::figure_7();
    let header = "sex,age,marital,education_level,salary,occupation\n";
    let row = |at: u32| {
        let sex = if at.is_multiple_of(2) {
            "male"
        } else {
            "female"
        };
        let marital = if at.is_multiple_of(3) {
            "never married"
        } else {
            "married"
        };
        let (age, school, salary) = (20 + at % 40, 1 + at % 24, at * 173 % 60_000);
        format!("{sex},{age},{marital},{school},{salary},{}\n", at % 4)
    };
    let rows: String = (0..400).map(row).collect();
    std::fs::create_dir_all(folder.path("hierarchies")).unwrap();
    folder.write(
        "hierarchies/marital.csv",
        "never married;never;*\nmarried;ever;*\n",
    );
    folder.write("hierarchies/occupation.csv", "0;a;*\n1;a;*\n2;b;*\n3;b;*\n");
    folder.write("gov_census.csv", format!("{header}{rows}"));
    let run = |data: &str, rows: &str| {
        folder.scrim(&[
            "reproduce",
            "xiaotao06",
            "--data",
            data,
            "--rows",
            rows,
            "--out",
            "out",
        ])
    };
    let shown = run(".", "200").exits(0);
    assert!(
        shown.stdout.contains("(census of 2018, 200 rows)"),
        "{}",
        shown.shown()
    );
    assert!(
        shown.stdout.contains("out/figure8d.svg"),
        "{}",
        shown.shown()
    );
    // The paper's own taxonomy of the rows below 50k as well.
    let cases = folder.text("out/cases.csv");
    assert_eq!(cases.lines().count(), 1 + 2 * 8, "{cases}");
    assert!(
        cases.contains("rows below 50k\",Pri-leaf,1,true,"),
        "{cases}"
    );
    assert!(
        shown
            .stdout
            .contains("of the eight cases publish (census of 2018, 200 rows below 50k)"),
        "{}",
        shown.shown()
    );
    // There are no more; the file itself may be named, too.
    let all = run("gov_census.csv", "1000").exits(0);
    assert!(
        all.stdout.contains("(census of 2018, 400 rows)"),
        "{}",
        all.shown()
    );
    folder.write(
        "gov_census.csv",
        format!("{header}male,30,married,5,secret,0\n"),
    );
    let broken = run(".", "100").exits(2);
    assert!(
        broken
            .stderr
            .contains("gov_census.csv:2: the salary is no whole number")
    );
    assert!(!broken.stderr.contains("secret"));
    folder.write(
        "gov_census.csv",
        format!("{header}male,30,married,5,10,0\n"),
    );
    let few = run(".", "100").exits(2);
    assert!(few.stderr.contains("fewer than 50 salaries differ"));
    assert!(folder.files("out").is_some() && folder.files("out").unwrap().len() == 20);
    assert!(
        run("nowhere", "100")
            .exits(2)
            .stderr
            .contains("gov_census.csv")
    );
}

/// A census of 400 rows with these salaries.
fn census(salary: impl Fn(u32) -> u32) -> Folder {
    let folder = Folder::empty();
    let row = |at: u32| {
        format!(
            "male,{},single,{},{},0\n",
            20 + at % 40,
            1 + at % 24,
            salary(at)
        )
    };
    let rows: String = (0..400).map(row).collect();
    std::fs::create_dir_all(folder.path("hierarchies")).unwrap();
    folder.write("hierarchies/marital.csv", "single;*\n");
    folder.write("hierarchies/occupation.csv", "0;*\n");
    folder.write(
        "gov_census.csv",
        format!("sex,age,marital,education_level,salary,occupation\n{rows}"),
    );
    folder
}

#[test]
fn the_paper_s_taxonomy_has_leaves_of_its_own_and_takes_the_rows_below_its_end() {
    // Of 400 rows 40 are above 50k; all others have less than a thousand, which is one leaf of the paper.
    let folder = census(|at| if at % 10 == 0 { 60_000 + at } else { at });
    let arguments = [
        "reproduce",
        "xiaotao06",
        "--data",
        ".",
        "--rows",
        "400",
        "--out",
        "out",
        "--json",
    ];
    let answer = folder.scrim(&arguments).exits(0).json();
    let cases = answer["figures"]["cases"].as_array().unwrap();
    let (ours, paper) = cases.split_at(8);
    let published = |cases: &[Value]| {
        let of = |case: &&Value| case["dataset"] == "Pri-leaf" && case["weight"] == "forbid";
        cases.iter().find(of).unwrap()["published"].clone()
    };
    assert_eq!(
        (published(ours), published(paper)),
        (true.into(), false.into())
    );
    let about = paper[0]["about"].as_str().unwrap();
    assert!(
        about.starts_with("360 of the 360 rows below 50k"),
        "{about}"
    );
}

#[test]
fn options_of_the_experiments_are_refused_elsewhere() {
    let folder = Folder::figure_7();
    for arguments in [
        &["reproduce", "sweeney02", "--out", "x"][..],
        &["reproduce", "sun08", "--rows", "500"],
        &["reproduce", "--rows", "500"],
        &["reproduce", "xiaotao06", "--rows", "5"],
    ] {
        folder.scrim(arguments).exits(2);
    }
    assert!(folder.files("x").is_none());
    let refused = folder
        .scrim(&["reproduce", "xiaotao06", "--rows", "100", "--out", "."])
        .exits(2);
    assert!(
        refused.stderr.contains("is not empty"),
        "{}",
        refused.stderr
    );
}
