//! The report in a real browser: nothing is asked of the network, nothing complains, nothing is wider than a phone, and the
//! verdict can be read. The page itself runs no script, so it is looked at from outside, through a frame.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that cannot prepare its files has failed"
)]

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What the frame tells of the page in it.
const PROBE: &str = r#"<!DOCTYPE html><html><meta charset="utf-8"><body>
<iframe id="frame" style="border:0;width:WIDTHpx;height:900px" src="PAGE"></iframe><pre id="told"></pre><script>
addEventListener("load", () => {
  const page = frame.contentDocument, all = query => [...page.querySelectorAll(query)];
  const named = image => (image.getAttribute("aria-labelledby") || "").split(" ")
    .every(id => page.getElementById(id) && page.getElementById(id).textContent);
  const levels = all("h1,h2,h3,h4").map(heading => +heading.tagName[1]);
  told.textContent = JSON.stringify({
    width: frame.contentWindow.innerWidth,
    needs: page.documentElement.scrollWidth,
    requests: frame.contentWindow.performance.getEntriesByType("resource").length,
    scripts: page.scripts.length,
    language: page.documentElement.lang,
    unnamed: all("svg[role=img]").filter(image => !named(image)).length,
    images: all("svg[role=img]").length,
    bare: all("table").filter(table => !table.caption || !table.querySelector("th[scope=col]")).length,
    skipped: levels.filter((level, at) => level > (at ? levels[at - 1] : 0) + 1).length,
    background: getComputedStyle(page.body).backgroundColor,
    text: page.body.innerText.slice(0, 4000),
  });
});
</script></body></html>"#;

/// A browser, or what to do about it.
fn browser() -> String {
    let names = [
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
    ];
    let runs = |name: &&str| Command::new(*name).arg("--version").output().is_ok();
    let found = names.into_iter().find(runs);
    found
        .unwrap_or_else(|| panic!("no browser: `apt-get install -y chromium` (./test does it)"))
        .to_owned()
}

/// What a page looks like at a width, and what the browser said of it.
fn look(dir: &Path, page: &str, width: u32, dark: bool) -> (Value, Vec<String>) {
    let probe = PROBE
        .replace("WIDTH", &width.to_string())
        .replace("PAGE", page);
    fs::write(dir.join("probe.html"), probe).unwrap();
    let mut command = Command::new(browser());
    command
        .args(["--headless=new", "--no-sandbox", "--disable-gpu"])
        .args(["--allow-file-access-from-files", "--no-first-run"])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
        ])
        .arg("--host-resolver-rules=MAP * ~NOTFOUND")
        .args(["--enable-logging=stderr", "--window-size=1500,1000"])
        .args(["--virtual-time-budget=10000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", dir.join("profile").display()));
    if dark {
        command.arg("--force-dark-mode");
    }
    let url = format!("file://{}", dir.join("probe.html").display());
    let output = command.arg(url).output().unwrap();
    let dom = String::from_utf8_lossy(&output.stdout).into_owned();
    let talk = String::from_utf8_lossy(&output.stderr).into_owned();
    let told = dom.split_once("<pre id=\"told\">").map(|(_, rest)| rest);
    let told = told.and_then(|rest| rest.split_once("</pre>"));
    let told = told.unwrap_or_else(|| panic!("the browser shows nothing:\n{dom}\n{talk}"));
    let json = told
        .0
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&nbsp;", " ")
        .replace("&amp;", "&");
    let value = serde_json::from_str(&json).unwrap_or_else(|error| panic!("{error}: {json}"));
    let complaints = talk.lines().filter(|line| line.contains("CONSOLE"));
    (value, complaints.map(str::to_owned).collect())
}

#[test]
fn the_report_reads_well_on_phones_and_desks() {
    let dir = tempfile::tempdir().unwrap();
    let scrim = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_scrim"))
            .args(arguments)
            .current_dir(dir.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
    };
    scrim(&["demo", "demo", "--rows", "400", "--quiet"]);
    scrim(&["publish", "demo/personal.toml", "--quiet"]);
    scrim(&["report", "demo/release", "--external"]);
    for page in [
        "demo/release/report.html",
        "demo/release/report.external.html",
        "demo/release-personal/report.html",
    ] {
        for width in [360, 800, 1400] {
            let (told, complaints) = look(dir.path(), page, width, false);
            assert_eq!(complaints, Vec::<String>::new(), "{page} at {width}");
            assert_eq!(told["width"], width);
            assert!(
                told["needs"].as_u64() <= Some(width.into()),
                "{page} at {width}: {told}"
            );
            let text = told["text"].as_str().unwrap();
            assert!(text.contains("Kept"), "{text}");
            for nothing in ["requests", "scripts", "unnamed", "bare", "skipped"] {
                assert_eq!(told[nothing], 0, "{nothing} of {page} at {width}");
            }
            assert!(told["images"].as_u64() >= Some(3), "{told}");
            assert_eq!(told["language"], "en");
        }
    }
    let (light, _) = look(dir.path(), "demo/release/report.html", 800, false);
    let (dark, complaints) = look(dir.path(), "demo/release/report.html", 800, true);
    assert_eq!(complaints, Vec::<String>::new());
    assert_ne!(light["background"], dark["background"]);
}

/// What the test above looks for, it would find.
#[test]
fn a_bad_page_is_found_out() {
    let dir = tempfile::tempdir().unwrap();
    let page = "<html><body><h1>x</h1><h3>y</h3><div style='width:700px'>wide</div><table><tr><td>1</td></tr></table>\
        <svg role='img' aria-labelledby='none'></svg><img src='http://nowhere.invalid/x.png'>\
        <script>console.error('trouble')</script></body></html>";
    fs::write(dir.path().join("bad.html"), page).unwrap();
    let (told, complaints) = look(dir.path(), "bad.html", 360, false);
    assert!(told["needs"].as_u64() > Some(360), "{told}");
    for found in ["requests", "scripts", "unnamed", "bare", "skipped"] {
        assert_eq!(told[found], 1, "{found}: {told}");
    }
    assert!(
        complaints.iter().any(|line| line.contains("trouble")),
        "{complaints:?}"
    );
}
