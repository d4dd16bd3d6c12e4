//! `publish`, `measure` and `audit` say the same of every release, whatever made it and whatever labels its hierarchies repeat.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use testkit::SplitMix64;

use crate::folder::Folder;

macro_rules! fixture {
    ($file:literal) => {
        include_str!(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../fixtures/papers/sun08/",
            $file
        ))
    };
}

const ALGORITHMS: [&str; 11] = [
    "optimal",
    "mingen",
    "mingen-cell",
    "datafly",
    "incognito",
    "top-down",
    "personalized",
    "mondrian",
    "local",
    "mu-argus",
    "rotating",
];

/// Searches that give each column one level for all rows.
const FULL_DOMAIN: [&str; 4] = ["optimal", "mingen", "datafly", "incognito"];

/// The answers of `publish` and `measure`, where something is published.
fn both(folder: &Folder) -> Option<(Value, Value)> {
    let run = folder.scrim(&["publish", "policy.toml", "--json"]);
    assert!(run.is_orderly(), "{}", run.shown());
    let published = run.json();
    if published["status"] != "published" {
        return None;
    }
    let file = published["files"]["release"].as_str().unwrap();
    let file = file.replace("[folder]/", "");
    let measured = folder
        .scrim(&["measure", "data.csv", &file, "-p", "policy.toml", "--json"])
        .exits(0)
        .json();
    let audited = folder
        .scrim(&["audit", &file, "-p", "policy.toml", "--json"])
        .json();
    assert_eq!(published["classes"], audited["classes"]);
    assert_eq!(published["rows"]["withheld"], audited["rows"]["withheld"]);
    Some((published, measured))
}

/// Every measure, and the counts of rows and classes, must be the same.
fn agree(published: &Value, measured: &Value, what: &str) {
    let mut metrics = published["metrics"].clone();
    // Where a search bounds anything here, it is prec.
    if let Some(bound) = metrics["bound"].as_f64() {
        let value = metrics["prec"].as_f64().unwrap();
        assert!(bound >= value, "{what}: {bound} {value}");
        if metrics["gap"] == 0.0 && published["algorithm"] == "mingen-cell" {
            assert_eq!(published["optimal"], true, "{what}");
        }
    }
    for key in ["bound", "gap"] {
        metrics.as_object_mut().unwrap().remove(key);
    }
    assert_eq!(metrics, measured["metrics"], "{what}");
    assert_eq!(published["rows"], measured["rows"], "{what}");
    assert_eq!(published["classes"], measured["classes"], "{what}");
}

fn sun(algorithm: &str) -> Folder {
    let folder = Folder::empty();
    folder.write("data.csv", fixture!("table1.csv"));
    folder.write("age.csv", fixture!("age.csv"));
    folder.write("country.csv", fixture!("country.csv"));
    folder.write("zip.csv", fixture!("zip.csv"));
    folder.write(
        "policy.toml",
        format!(
            "[data]\npath = \"data.csv\"\n[columns]\nAge = {{ role = \"quasi\", hierarchy = \"age.csv\" }}\n\
             Country = {{ role = \"quasi\", hierarchy = \"country.csv\" }}\nZip = {{ role = \"quasi\", hierarchy = \"zip.csv\" }}\n\
             Health = {{ role = \"sensitive\", categories = [[\"HIV\", \"Cancer\"], [\"Phthisis\", \"Hepatitis\"], \
             [\"Heart Disease\", \"Asthma\"], [\"Flu\", \"Indigestion\"]] }}\n[[privacy]]\nmodel = \"p-plus-alpha\"\np = 2\n\
             alpha = 2\nk = 4\n[search]\nalgorithm = \"{algorithm}\"\n"
        ),
    );
    folder
}

#[test]
fn a_label_on_two_levels_counts_at_the_lowest_in_sun08() {
    let (published, measured) = both(&sun("top-down")).unwrap();
    for answer in [&published, &measured] {
        let metrics = &answer["metrics"];
        assert_eq!(metrics["distortion_ratio_exact"], "11/30");
        assert_eq!(metrics["prec_exact"], "35/54");
    }
    agree(&published, &measured, "top-down");
    // Without tightening, classes show the higher of the two taxa.
    let folder = sun("top-down");
    folder.replace(
        "policy.toml",
        "\"top-down\"",
        "\"top-down\"\ntighten = false",
    );
    let (published, measured) = both(&folder).unwrap();
    agree(&published, &measured, "top-down, not tightened");
    // A full-domain recoding has one level for all cells of a column.
    let (published, measured) = both(&sun("optimal")).unwrap();
    assert_eq!(published["metrics"]["distortion_ratio_exact"], "1/2");
    agree(&published, &measured, "optimal");
}

#[test]
fn table_6_made_elsewhere_is_read_at_the_lowest_levels() {
    let folder = sun("optimal");
    folder.write("table6.csv", fixture!("table6_corrected.csv"));
    let measured = folder
        .scrim(&[
            "measure",
            "data.csv",
            "table6.csv",
            "-p",
            "policy.toml",
            "--json",
        ])
        .exits(0)
        .json();
    assert_eq!(measured["metrics"]["distortion_ratio_exact"], "13/30");
}

/// A column with a level file.
struct Column {
    /// By value: what it becomes at each level.
    chains: BTreeMap<String, Vec<String>>,
    height: usize,
}

/// A hierarchy over a few values whose labels repeat: on the way up, across branches, or not at all.
fn column(random: &mut SplitMix64, name: &str) -> Column {
    let height = random.between(2, 3);
    let values = random.between(3, 6);
    let kind = random.below(3);
    let chain = |value: usize| {
        let middle = (1..height).map(|level| match kind {
            // The values of the first half keep their label from level 1 on.
            0 if value < values / 2 => format!("{name}-low"),
            // Both halves have a label in common.
            1 if value.is_multiple_of(2) => format!("{name}-other"),
            _ => format!("{name}{level}-{}", value >> level),
        });
        let value = format!("{name}{value}");
        std::iter::once(value)
            .chain(middle)
            .chain(["*".to_owned()])
            .collect::<Vec<String>>()
    };
    let chains = (0..values).map(chain);
    Column {
        chains: chains.map(|chain| (chain[0].clone(), chain)).collect(),
        height,
    }
}

impl Column {
    fn file(&self) -> String {
        let chains = self.chains.values();
        chains.map(|chain| chain.join(";") + "\n").collect()
    }

    /// The lowest level at which a label stands anywhere.
    fn level(&self, label: &str) -> usize {
        if label == "*" {
            return self.height;
        }
        let chains = self.chains.values();
        let levels = chains.filter_map(|chain| chain.iter().position(|own| own == label));
        levels.min().unwrap()
    }
}

/// Two columns with repeated labels, one of numbers beside a hierarchy, missing values among them.
fn problem(seed: u64) -> (Folder, [Column; 2]) {
    let random = &mut SplitMix64::new(seed);
    let columns = [column(random, "a"), column(random, "b")];
    let rows = random.between(4, 12);
    let mut text = "a,b,n,s,w,p\n".to_owned();
    for row in 0..rows {
        for column in &columns {
            let values: Vec<&String> = column.chains.keys().collect();
            text.push_str(&format!("{},", values[random.below(values.len())]));
        }
        let number = if random.once_in(9) {
            String::new()
        } else {
            random.below(20).to_string()
        };
        let value = ["flu", "cold", "pox"][random.below(3)];
        let wish = ["", value][random.below(2)];
        text.push_str(&format!("{number},{value},{wish},p{row}\n"));
    }
    let folder = Folder::empty();
    folder.write("data.csv", text);
    folder.write("a.csv", columns[0].file());
    folder.write("b.csv", columns[1].file());
    folder.write("s.txt", "ill\n  cough\n    flu\n    cold\n  pox\n");
    (folder, columns)
}

fn policy(seed: u64, algorithm: &str) -> String {
    let random = &mut SplitMix64::new(seed + 1);
    let numeric = ["", ", numeric = { from = 0, to = 19 }"][random.below(2)];
    let promise = [
        "model = \"k-anonymity\"\nk = 2",
        "model = \"l-diversity\"\nof = \"s\"\nl = 2",
        "model = \"personal\"\nof = \"s\"\nbreach = \"1/2\"",
    ][random.below(3)];
    let suppression = [
        "",
        "suppression = 0.3",
        "suppression = 0.3\nsuppressed = \"drop\"",
    ][random.below(3)];
    let sensitive = ["sensitive", "insensitive"]
        [usize::from(promise.contains("k-anonymity") && random.once_in(3))];
    let guard = if sensitive == "sensitive" {
        "w = { role = \"guard\", of = \"s\" }"
    } else {
        "w = { role = \"identifier\" }"
    };
    let tree = if sensitive == "sensitive" {
        ", hierarchy = \"s.txt\""
    } else {
        ""
    };
    format!(
        "[data]\npath = \"data.csv\"\n[columns]\na = {{ role = \"quasi\", hierarchy = \"a.csv\" }}\n\
         b = {{ role = \"quasi\", hierarchy = \"b.csv\" }}\n\
         n = {{ role = \"quasi\", hierarchy = {{ intervals = {{ from = 0, to = 19, widths = [5, 10] }} }}{numeric} }}\n\
         s = {{ role = \"{sensitive}\"{tree} }}\n{guard}\np = {{ role = \"identifier\" }}\n\
         [[privacy]]\n{promise}\n[search]\nalgorithm = \"{algorithm}\"\nallow-empty = true\n{suppression}\n"
    )
}

/// The distortion of the first two columns, from the labels of the release by the rule.
fn levels_of_release(folder: &Folder, columns: &[Column; 2]) -> u64 {
    let text = folder.text("release/release.csv");
    let cells = text.lines().skip(1).map(|line| {
        let mut labels = line.split(',');
        let levels = columns
            .iter()
            .map(|column| column.level(labels.next().unwrap()));
        levels.sum::<usize>() as u64
    });
    cells.sum()
}

#[test]
fn publish_and_measure_agree_on_random_tables_under_every_search() {
    let mut published_by: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..24 {
        let (folder, columns) = problem(seed);
        for algorithm in ALGORITHMS {
            folder.write("policy.toml", policy(seed, algorithm));
            let what = format!("seed {seed}, {algorithm}");
            let Some((published, measured)) = both(&folder) else {
                continue;
            };
            *published_by.entry(algorithm).or_default() += 1;
            agree(&published, &measured, &what);
            if FULL_DOMAIN.contains(&algorithm) {
                continue;
            }
            // What the first two columns lost, as the manifest has it, is what the labels say.
            let manifest: Value =
                serde_json::from_str(&folder.text("release/manifest.json")).unwrap();
            let rows = published["rows"]["read"].as_f64().unwrap();
            let lost: f64 = (0..2)
                .map(|at| {
                    let column = &manifest["report"]["columns"][at]["lost"]["levels"];
                    column.as_f64().unwrap() * rows * columns[at].height as f64
                })
                .sum();
            let labels = levels_of_release(&folder, &columns) as f64;
            assert!((lost - labels).abs() < 1e-6, "{what}: {lost} {labels}");
        }
    }
    // A search that never publishes anything is not tested.
    for algorithm in ALGORITHMS.iter().filter(|name| **name != "rotating") {
        assert!(
            published_by.contains_key(algorithm),
            "{algorithm}: {published_by:?}"
        );
    }
}

#[test]
fn a_cut_that_has_the_name_of_a_taxon_counts_as_that_taxon() {
    let folder = Folder::empty();
    folder.write("data.csv", "n\n1\n3\n6\n8\n11\n14\n16\n19\n");
    for algorithm in ["mondrian", "local", "personalized"] {
        folder.write(
            "policy.toml",
            format!(
                "[data]\npath = \"data.csv\"\n[columns]\nn = {{ role = \"quasi\", \
                 hierarchy = {{ intervals = {{ from = 0, to = 19, widths = [5, 10] }} }}, numeric = {{ from = 0, to = 19 }} }}\n\
                 [[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n[search]\nalgorithm = \"{algorithm}\"\n"
            ),
        );
        let (published, measured) = both(&folder).unwrap();
        agree(&published, &measured, algorithm);
        assert_eq!(published["rows"]["suppressed"], json!(0));
    }
}
