//! The report: written with the release, rendered again, and the version for outsiders.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::folder::{Folder, POLICY};

/// The words of a page, a block a line.
fn words(page: &str) -> String {
    let body = page.split_once("</style>").unwrap().1;
    let mut text = String::new();
    for piece in body.split('<').skip(1) {
        let (tag, words) = piece.split_once('>').unwrap();
        let name = tag.trim_start_matches('/');
        let name = name.split([' ', '/']).next().unwrap();
        if [
            "p", "h1", "h2", "h3", "tr", "li", "caption", "figure", "dt", "dd", "text", "title",
            "desc", "div",
        ]
        .contains(&name)
        {
            text.push('\n');
        } else if ["td", "th"].contains(&name) {
            text.push_str(" | ");
        }
        text.push_str(words);
    }
    let lines = text
        .lines()
        .map(|line| line.trim_matches([' ', '|']).trim())
        .filter(|line| !line.is_empty());
    let text = lines.collect::<Vec<_>>().join("\n");
    [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ]
    .iter()
    .fold(text, |text, (from, to)| text.replace(from, to))
}

#[test]
fn publish_writes_a_report_and_report_makes_the_same() {
    let folder = Folder::figure_7();
    let answer = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(0)
        .json();
    assert_eq!(answer["files"]["report"], "release/report.html");
    let page = folder.text("release/report.html");
    insta::assert_snapshot!(words(&page));
    folder.write("release/report.html", "gone");
    let run = folder.scrim(&["report", "release"]).exits(0);
    assert_eq!(run.stdout, "release/report.html\n");
    assert_eq!(folder.text("release/report.html"), page);
    // The raw table is not needed, and the page can go anywhere.
    folder.write("data.csv", "");
    let run = folder
        .scrim(&["report", "release/manifest.json", "-o", "-"])
        .exits(0);
    assert_eq!(run.stdout, page);
    let json = folder
        .scrim(&["report", "release", "-o", "x/y.html", "--json"])
        .exits(0)
        .json();
    assert_eq!(
        (&json["file"], &json["external"]),
        (&Value::from("x/y.html"), &Value::from(false))
    );
    assert_eq!(folder.text("x/y.html"), page);
}

#[test]
fn the_external_report_tells_only_what_the_release_does() {
    let folder = Folder::figure_7();
    folder.replace(
        "policy.toml",
        "algorithm = \"optimal\"",
        "algorithm = \"optimal\"\nsuppression = 0.4\nsuppressed = \"drop\"\nmetric = \"loss\"",
    );
    let answer = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(0)
        .json();
    let (read, released) = (
        answer["rows"]["read"].to_string(),
        answer["rows"]["released"].to_string(),
    );
    assert_ne!(read, released, "the test needs rows that are dropped");
    let run = folder.scrim(&["report", "release", "--external"]).exits(0);
    assert_eq!(run.stdout, "release/report.external.html\n");
    let page = folder.text("release/report.external.html");
    let manifest: Value = serde_json::from_str(&folder.text("release/manifest.json")).unwrap();
    for hash in [
        &manifest["input"]["sha256"],
        &manifest["policy"]["sha256"],
        &manifest["hierarchies"][0]["file"]["sha256"],
    ] {
        assert!(!page.contains(hash.as_str().unwrap()));
    }
    assert!(page.contains(manifest["output"]["sha256"].as_str().unwrap()));
    let text = words(&page);
    for secret in [
        "data.csv",
        "policy.toml",
        "race.csv",
        "optimal",
        "Before",
        "suppressed,",
    ] {
        let told = text.lines().find(|line| {
            line.contains(secret) && !line.starts_with("This is the external version")
        });
        assert_eq!(told, None, "{secret}");
    }
    let is_told = text
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .any(|word| word == read);
    assert!(!is_told, "how many rows were read is told:\n{text}");
    assert!(text.contains("This is the external version."));
    insta::assert_snapshot!(text);
}

#[test]
fn a_report_vouches_for_the_release_beside_it() {
    let folder = Folder::figure_7();
    let missing = folder.scrim(&["report", "."]).exits(2);
    assert!(
        missing
            .stderr
            .contains("there is no manifest in this folder"),
        "{}",
        missing.stderr
    );
    folder.scrim(&["report", "data.csv"]).exits(2);
    folder.scrim(&["report", "nowhere"]).exits(2);
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    let over = folder
        .scrim(&["report", "release", "-o", "release/release.csv"])
        .exits(2);
    assert!(over.stderr.contains("would overwrite"), "{}", over.stderr);
    let release = folder.text("release/release.csv");
    folder.write("release/release.csv", format!("{release}x\n"));
    let changed = folder.scrim(&["report", "release"]).exits(2);
    assert!(
        changed
            .stderr
            .contains("not the file that the manifest speaks of"),
        "{}",
        changed.stderr
    );
}

#[test]
fn a_broken_release_has_a_report_that_says_so_and_none_for_outsiders() {
    let folder = Folder::figure_7();
    folder.replace(
        "policy.toml",
        "algorithm = \"optimal\"",
        "algorithm = \"mu-argus\"\nallow-broken = true",
    );
    folder.replace(
        "policy.toml",
        "Race = { role = \"quasi\",",
        "Race = { role = \"quasi\", identifying = \"identifying\",",
    );
    folder.replace(
        "policy.toml",
        "BirthDate = { role = \"quasi\",",
        "BirthDate = { role = \"quasi\", identifying = \"most\",",
    );
    folder.replace(
        "policy.toml",
        "Gender = { role = \"quasi\",",
        "Gender = { role = \"quasi\", identifying = \"more\",",
    );
    folder.replace(
        "policy.toml",
        "ZIP = { role = \"quasi\",",
        "ZIP = { role = \"quasi\", identifying = \"more\",",
    );
    let answer = folder
        .scrim(&["publish", "policy.toml", "--json"])
        .exits(1)
        .json();
    assert_eq!(
        answer["files"]["report"], "release/report.BROKEN.html",
        "{answer}"
    );
    let page = folder.text("release/report.BROKEN.html");
    assert!(page.contains("Broken: this table must not be given away"));
    let refused = folder.scrim(&["report", "release", "--external"]).exits(2);
    assert!(
        refused.stderr.contains("no report of it for outsiders"),
        "{}",
        refused.stderr
    );
    folder.scrim(&["report", "release"]).exits(0);
    assert_eq!(folder.text("release/report.BROKEN.html"), page);
}

#[test]
fn an_external_report_of_an_earlier_release_goes_and_a_strangers_file_stays() {
    let folder = Folder::figure_7();
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    folder.scrim(&["report", "release", "--external"]).exits(0);
    folder.replace("policy.toml", "k = 2", "k = 3");
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    assert!(!folder.path("release/report.external.html").exists());
    folder.write("release/report.external.html", "mine");
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    assert_eq!(folder.text("release/report.external.html"), "mine");
}

#[test]
fn a_report_never_takes_the_place_of_the_data() {
    for name in ["report.html", "report.external.html", "report.BROKEN.html"] {
        let folder = Folder::figure_7();
        folder.scrim(&["publish", "policy.toml"]).exits(0);
        let data = folder.text("data.csv");
        folder.write(&format!("release/{name}"), &data);
        folder.write(
            "policy.toml",
            POLICY.replace("data.csv", &format!("release/{name}")),
        );
        let run = folder.scrim(&["publish", "policy.toml"]).exits(2);
        assert!(
            run.stderr.contains("the release would overwrite"),
            "{}",
            run.stderr
        );
        assert_eq!(folder.text(&format!("release/{name}")), data);
    }
}

#[test]
fn values_that_look_like_markup_stay_values() {
    let folder = Folder::empty();
    let rows = "\"<script>alert(1)</script>\",1\n\"<script>alert(1)</script>\",2\n\"&lt;\"\" onload=x\",3\n\"&lt;\"\" onload=x\",4\n";
    folder.write("data.csv", format!("\"<b>town\",ill\n{rows}"));
    folder.write(
        "policy.toml",
        "[data]\npath = \"data.csv\"\n[columns]\n\"<b>town\" = { role = \"quasi\" }\nill = { role = \"sensitive\" }\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n",
    );
    folder.scrim(&["publish", "policy.toml"]).exits(0);
    let page = folder.text("release/report.html");
    assert!(
        page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"),
        "{page}"
    );
    assert!(!page.contains("<script") && !page.contains("<b>") && !page.contains("\" onload"));
}

/// What each quasi-identifier shows in a release, and in how many rows; and the same as the report draws it.
fn shown_and_drawn(folder: &Folder, dir: &str) -> [Vec<BTreeMap<String, u64>>; 2] {
    let manifest: Value =
        serde_json::from_str(&folder.text(&format!("{dir}/manifest.json"))).unwrap();
    let release = folder.text(&format!("{dir}/release.csv"));
    assert!(!release.contains('"'), "this test reads plain cells only");
    let mut lines = release
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().unwrap();
    let lines: Vec<Vec<&str>> = lines.collect();
    let columns = manifest["report"]["columns"].as_array().unwrap();
    let shown = columns.iter().map(|column| {
        let at = head
            .iter()
            .position(|name| column["column"] == *name)
            .unwrap();
        let mut counts = BTreeMap::new();
        lines
            .iter()
            .for_each(|line| *counts.entry(line[at].to_owned()).or_default() += 1);
        counts
    });
    let drawn = columns.iter().map(|column| {
        assert_eq!(column["outline"]["left_out"], 0);
        let marks = ["taxa", "spans"].map(|key| column["outline"][key].as_array().unwrap());
        let mut counts = BTreeMap::new();
        for mark in marks.into_iter().flatten() {
            let rows = mark["rows"].as_u64().unwrap();
            if rows > 0 {
                *counts
                    .entry(mark["label"].as_str().unwrap().to_owned())
                    .or_default() += rows;
            }
        }
        counts
    });
    [shown.collect(), drawn.collect()]
}

#[test]
fn what_the_report_draws_is_what_the_release_shows() {
    for search in [
        "algorithm = \"optimal\"",
        "algorithm = \"optimal\"\nsuppression = 0.4",
        "algorithm = \"optimal\"\nsuppression = 0.4\nsuppressed = \"drop\"",
        "algorithm = \"datafly\"",
        "algorithm = \"top-down\"",
        "algorithm = \"mondrian\"",
        "algorithm = \"local\"",
        "algorithm = \"mingen-cell\"",
    ] {
        let folder = Folder::figure_7();
        folder.replace("policy.toml", "algorithm = \"optimal\"", search);
        folder.scrim(&["publish", "policy.toml"]).exits(0);
        let [shown, drawn] = shown_and_drawn(&folder, "release");
        assert_eq!(drawn, shown, "{search}");
    }
    let folder = Folder::empty();
    folder.scrim(&["demo", "demo", "--rows", "300"]).exits(0);
    folder.scrim(&["publish", "demo/personal.toml"]).exits(0);
    for dir in ["demo/release", "demo/release-personal"] {
        let [shown, drawn] = shown_and_drawn(&folder, dir);
        assert_eq!(drawn, shown, "{dir}");
    }
}

#[test]
fn before_and_after_are_what_risk_counts() {
    let folder = Folder::empty();
    folder.scrim(&["demo", "demo", "--rows", "900"]).exits(0);
    let manifest: Value = serde_json::from_str(&folder.text("demo/release/manifest.json")).unwrap();
    assert_eq!(manifest["rows"]["withheld"], 0);
    let risk = |file: &str| {
        let arguments = ["risk", file, "-p", "demo/policy.toml", "--json"];
        folder.scrim(&arguments).exits(0).json()
    };
    for (key, file) in [
        ("before", "demo/patients.csv"),
        ("release", "demo/release/release.csv"),
    ] {
        let (told, counted) = (&manifest["report"][key], risk(file));
        for figure in [
            "rows",
            "classes",
            "unique",
            "smallest",
            "prosecutor",
            "sizes",
        ] {
            assert_eq!(told[figure], counted[figure], "{figure} {key}");
        }
    }
    let after = &manifest["report"]["after"];
    assert_eq!(manifest["report"]["counted"], "persons");
    assert_eq!(after["subjects"], manifest["report"]["before"]["subjects"]);
    assert_eq!(after["smallest"], manifest["models"][0]["observed"]);
}

#[test]
fn rows_that_show_only_stars_are_in_no_group() {
    let folder = Folder::empty();
    folder.scrim(&["demo", "demo", "--rows", "300"]).exits(0);
    let manifest: Value = serde_json::from_str(&folder.text("demo/release/manifest.json")).unwrap();
    assert_eq!(manifest["rows"]["withheld"], 1);
    let report = &manifest["report"];
    for key in ["after", "release"] {
        assert_eq!(report[key]["rows"], 299);
        assert_eq!(report[key]["unique"], 0);
    }
    assert_eq!(
        report["after"]["smallest"],
        manifest["models"][0]["observed"]
    );
    let page = words(&folder.text("demo/release/report.html"));
    let note = "1 row shows nothing but stars, also where it is sensitive: it is in no group.";
    assert!(page.contains(note), "{page}");
}

#[test]
fn publish_writes_the_external_report_when_asked() {
    let folder = Folder::empty();
    folder.scrim(&["demo", "demo", "--rows", "300"]).exits(0);
    assert!(!folder.path("demo/release/report.external.html").exists());
    let publish = ["publish", "demo/policy.toml", "--json"];
    let asked = folder.scrim(&[&publish[..], &["--external"]].concat());
    let external = "demo/release/report.external.html";
    assert_eq!(asked.exits(0).json()["files"]["external"], external);
    let page = folder.read(external);
    folder
        .scrim(&["report", "demo/release", "--external"])
        .exits(0);
    assert!(folder.read(external) == page);
    let plain = folder.scrim(&publish).exits(0).json();
    assert!(plain["files"].get("external").is_none());
    assert!(!folder.path(external).exists());
    folder
        .scrim(&["publish", "demo/policy.toml", "--external", "--compare"])
        .exits(2);
}
