use proptest::prelude::*;

use super::*;

/// A manifest with every part that a page may show; `LABEL` stands wherever data have a say.
const MANIFEST: &str = r#"{
  "manifest": 1, "scrim": "0.1.0",
  "policy": {"file": "LABEL", "sha256": "p0", "text": "LABEL"},
  "input": {"file": "LABEL", "sha256": "i0", "missing": {"LABEL": 3}},
  "hierarchies": [{"column": "LABEL", "file": {"file": "LABEL", "sha256": "h0"}, "height": 2, "values": 4, "even": true}],
  "output": {"file": "LABEL", "sha256": "0123456789abcdef", "bytes": 4321},
  "algorithm": "optimal", "metric": "loss", "optimal": false,
  "recoding": {"kind": "full-domain", "attributes": [
    {"column": "LABEL", "level": 1, "height": 2, "words": "LABEL"},
    {"column": "age", "level": 1, "height": 3, "words": "LABEL"}]},
  "sensitive": [{"column": "LABEL", "classes": [{"class": 1, "raised": ["LABEL"]}]}],
  "rows": {"read": 777, "released": 700, "suppressed": 77, "withheld": 0},
  "classes": {"count": 9, "min": 5, "mean": 77.8, "max": 300},
  "models": [
    {"model": "k-anonymity", "k": 5, "holds": true, "observed": 5, "counted": "persons"},
    {"model": "personal", "of": "LABEL", "breach": "1/4", "holds": true, "observed": 0.2419},
    {"model": "serial", "of": "LABEL", "l": "3", "holds": false, "observed": "1/3",
     "witness": {"class": 1, "of": 9, "values": {"LABEL": "LABEL"}, "found": "LABEL"}}],
  "breach": {"max": 0.2419, "max_exact": "LABEL", "case": "LABEL", "curve": [[0.2419, 13], [0.1, 20], [0.0, 667]]},
  "serial": {"release": 4, "max": 0.33, "max_exact": "LABEL", "persons": 613, "retired": 17, "schedule": "LABEL", "retirement": "LABEL"},
  "disclosure": {"strategy": "LABEL", "chain": {"kind": "LABEL", "walked": 6}, "step": 6, "judged": 6, "method": "LABEL",
    "size": "987654321", "max_ratio": 0.5, "max_ratio_exact": "LABEL", "witness": {"row": 31, "value": "LABEL"}, "confidence": 0.99,
    "otherwise": [{"strategy": "LABEL", "step": 2, "words": "LABEL"}]},
  "metrics": {"prec": 0.51, "prec_exact": "51/100", "prec_unweighted": null, "distortion_ratio": 0.53, "loss": 0.237, "loss_mean": 0.248,
    "information_loss": 12212.8, "discernibility": 2872968, "average_class_size": 45.4, "entropy": 191648.2, "entropy_share": 0.718,
    "bound": 0.2, "gap": 0.037},
  "searched": {"lattice": 12, "checked": 7},
  "ties": [], "tie_rules": ["LABEL"], "seed": 41, "remarks": ["LABEL"],
  "report": {"counted": "persons", "threshold": "1/5",
    "before": {"rows": 777, "subjects": 651, "classes": 555, "smallest": 1, "unique": 503, "unique_share": 0.7727,
      "prosecutor": {"max": 1.0, "max_exact": "1", "mean": 0.853, "above": 611, "above_share": 0.9386},
      "sizes": [{"from": 1, "to": 1, "classes": 503, "records": 503, "share": 0.7727}, {"from": 2, "to": 2, "classes": 52, "records": 148, "share": 0.2273}]},
    "after": {"rows": 700, "subjects": 588, "classes": 9, "smallest": 5, "unique": 0, "unique_share": 0.0,
      "prosecutor": {"max": 0.2, "max_exact": "1/5", "mean": 0.0153, "above": 0, "above_share": 0.0},
      "sizes": [{"from": 5, "to": 9, "classes": 9, "records": 588, "share": 1.0}]},
    "release": {"rows": 700, "subjects": 700, "classes": 9, "smallest": 6, "unique": 0, "unique_share": 0.0,
      "prosecutor": {"max": 0.1667, "max_exact": "1/6", "mean": 0.0128, "above": 0, "above_share": 0.0},
      "sizes": [{"from": 5, "to": 9, "classes": 9, "records": 700, "share": 1.0}]},
    "columns": [
      {"column": "LABEL", "values_before": 431, "values_after": 2, "lost": {"levels": 0.5, "domain": 0.43, "entropy": 0.71},
       "outline": {"taxa": [
         {"label": "*", "depth": 0, "published": false, "rows": 0, "values": 431},
         {"label": "LABEL", "depth": 1, "published": true, "rows": 700, "values": 421},
         {"label": "hidden taxon", "depth": 1, "published": true, "rows": 0, "values": 10}], "spans": [], "left_out": 0, "left_out_rows": 0}},
      {"column": "age", "values_before": 88, "values_after": 3, "lost": {"levels": 0.4, "domain": 0.3, "entropy": 0.2},
       "outline": {"taxa": [], "spans": [{"label": "LABEL", "from": 0.25, "to": 0.5, "rows": 700, "values": 30}], "left_out": 2, "left_out_rows": 0}}]}
}"#;

/// The page of the manifest with a label wherever data have a say.
fn shown(label: &str, readers: Readers) -> String {
    let json = serde_json::to_string(label).unwrap();
    let text = MANIFEST.replace("LABEL", &json[1..json.len() - 1]);
    page(Told::read("manifest.json", &text).unwrap(), readers)
}

/// The tags of a page with the names of their attributes, or what is wrong with its markup.
fn tags(page: &str) -> Result<Vec<String>, String> {
    let body = page.split_once("</style>").ok_or("no style")?.1;
    let mut tags = Vec::new();
    let mut open: Vec<&str> = vec!["html", "head"];
    for piece in body.split('<').skip(1) {
        let (tag, text) = piece
            .split_once('>')
            .ok_or(format!("`<{piece}` is not closed"))?;
        if text.contains('>') {
            return Err(format!("a bare `>` in {text:?}"));
        }
        if let Some(name) = tag.strip_prefix('/') {
            let last = open.pop().ok_or("closed too often")?;
            if last != name {
                return Err(format!("</{name}> closes <{last}>"));
            }
            tags.push(format!("/{name}"));
            continue;
        }
        let (name, rest) = tag.split_once(' ').unwrap_or((tag, ""));
        let quoted: Vec<&str> = rest.split('"').collect();
        if quoted.len().is_multiple_of(2) {
            return Err(format!("an open quote in {tag:?}"));
        }
        let names: Vec<&str> = quoted.iter().step_by(2).map(|name| name.trim()).collect();
        for (key, value) in names.iter().zip(quoted.iter().skip(1).step_by(2)) {
            let links = key.starts_with("href") || key.starts_with("src") || key.starts_with("on");
            if links && !(*key == "href=" && value.starts_with('#')) {
                return Err(format!("{key}{value:?} leads out of the page"));
            }
        }
        if !tag.ends_with('/') {
            open.push(name);
        }
        tags.push(format!("{name} {}", names.join(" ")));
    }
    if open.is_empty() {
        Ok(tags)
    } else {
        Err(format!("{open:?} stay open"))
    }
}

fn text_of(page: &str) -> String {
    let body = page.split_once("</style>").unwrap().1;
    let mut text = String::new();
    for piece in body.split('<').skip(1) {
        text.push_str(piece.split_once('>').unwrap().1);
        text.push(' ');
    }
    text
}

#[test]
fn every_part_is_there_and_the_markup_is_sound() {
    let internal = shown("label", Readers::Internal);
    let tags = tags(&internal).unwrap();
    for id in [
        "promises",
        "exposure",
        "cost",
        "recoding",
        "breach",
        "serial",
        "disclosure",
        "making",
        "record",
        "words",
        "policy",
    ] {
        assert!(internal.contains(&format!("<section id=\"{id}\"")), "{id}");
    }
    for plot in [
        "risks", "sizes", "classes", "columns", "metrics", "spans-1", "breach", "lattice",
    ] {
        assert!(
            internal.contains(&format!("id=\"plot-{plot}-t\"")),
            "{plot}"
        );
    }
    let count = |name: &str| tags.iter().filter(|tag| tag.starts_with(name)).count();
    assert_eq!(count("h1 "), 1);
    assert_eq!(count("table "), count("caption "));
    assert_eq!(count("figure "), count("figcaption "));
    assert_eq!(count("figure "), internal.matches("role=\"img\"").count());
    assert!(!internal.contains("<script") && internal.contains("default-src 'none'"));
}

#[test]
fn the_checker_finds_what_is_wrong() {
    let with = |body: &str| format!("</style></head><body>{body}</body></html>");
    assert!(tags(&with("<p title=\"x\">fine</p>")).is_ok());
    for bad in [
        "<p>",
        "<p></b>",
        "<p title=\"x>y</p>",
        "<a href=\"http://x\">x</a>",
        "<img src=\"x\"/>",
        "<p onload=\"x\">x</p>",
    ] {
        assert!(tags(&with(bad)).is_err(), "{bad}");
    }
}

#[test]
fn outsiders_read_nothing_that_helps_an_adversary() {
    let external = shown("label", Readers::External);
    tags(&external).unwrap();
    assert!(external.contains("This is the external version."));
    let text = text_of(&external);
    // Hashes, raw counts, persons, dropped rows, breaches, the chain, the seed, raw values and their counts.
    for secret in [
        "i0",
        "p0",
        "h0",
        "777",
        "651",
        "555",
        "503",
        "611",
        "77.3%",
        "77.8%",
        "588",
        "613",
        "0.2419",
        "987654321",
        "431",
        "421",
        "hidden",
        "41",
        "lattice",
        "Before",
        "before →",
        "12,213",
        "51/100",
        "the policy,",
        "loss",
    ] {
        let is_there = text
            .split(|letter: char| letter.is_whitespace() || "(),;:".contains(letter))
            .any(|word| word == secret || secret.contains(' ') && text.contains(secret));
        assert!(!is_there, "{secret} is told");
        let inside = shown("label", Readers::Internal);
        if secret.chars().all(|letter| letter.is_ascii_digit()) && secret.len() > 2 {
            let plain = text_of(&inside).replace(',', "");
            assert!(plain.contains(secret), "{secret} is not even told inside");
        }
    }
    assert!(!external.contains("id=\"policy\"") && !external.contains("id=\"breach\""));
}

#[test]
fn a_manifest_of_another_kind_is_refused() {
    for (text, told) in [
        ("", "this is no manifest"),
        ("{\"manifest\": 1}", "an earlier version wrote it"),
        (
            "{\"manifest\": 1, \"report\": {}}",
            "not a manifest as this version writes it",
        ),
        ("[]", "not a manifest as this version writes it"),
    ] {
        let error = Told::read("m.json", text).unwrap_err().to_string();
        assert!(
            error.starts_with("m.json") && error.contains(told),
            "{error}"
        );
    }
}

/// The colours of a block of the style, by name.
fn colours(block: &str) -> Vec<(&str, [f64; 3])> {
    let mut colours = Vec::new();
    for rule in block.split(';') {
        let Some((name, value)) = rule.trim().split_once(": #") else {
            continue;
        };
        let name = name.rsplit("--").next().unwrap();
        let channel = |at: usize| {
            let value = u8::from_str_radix(&value[2 * at..2 * at + 2], 16).unwrap();
            let share = f64::from(value) / 255.0;
            if share <= 0.039_28 {
                share / 12.92
            } else {
                ((share + 0.055) / 1.055).powf(2.4)
            }
        };
        colours.push((name, [channel(0), channel(1), channel(2)]));
    }
    colours
}

#[test]
fn colours_have_the_contrast_that_wcag_asks_for() {
    let blocks: Vec<&str> = STYLE.split(":root {").skip(1).collect();
    assert_eq!(blocks.len(), 3, "light, dark and print");
    for block in blocks {
        let colours = colours(block.split('}').next().unwrap());
        let light = |name: &str| {
            let (_, [red, green, blue]) = colours.iter().find(|(own, _)| *own == name).unwrap();
            0.2126 * red + 0.7152 * green + 0.0722 * blue
        };
        let contrast = |left: &str, right: &str| {
            let (left, right) = (light(left), light(right));
            (left.max(right) + 0.05) / (left.min(right) + 0.05)
        };
        for text in ["text", "muted", "link", "good", "bad"] {
            assert!(contrast(text, "page") >= 4.5, "{text} on page");
        }
        for (text, ground) in [
            ("text", "card"),
            ("muted", "card"),
            ("text", "cut"),
            ("text", "good-page"),
            ("text", "bad-page"),
            ("muted", "good-page"),
            ("muted", "bad-page"),
        ] {
            assert!(contrast(text, ground) >= 4.5, "{text} on {ground}");
        }
        for drawn in ["before", "after", "third", "bad"] {
            assert!(contrast(drawn, "page") >= 3.0, "{drawn} on page");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever labels say, the page has the tags that it has for a plain one.
    #[test]
    fn no_label_breaks_out(label in "[<>&\"'/=\\-! a-z\\PC]{6}", external: bool) {
        let readers = if external { Readers::External } else { Readers::Internal };
        let plain = tags(&shown("labels", readers)).unwrap();
        prop_assert_eq!(tags(&shown(&label, readers)).unwrap(), plain);
    }
}
