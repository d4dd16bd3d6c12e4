//! Manifests. A page that is made of one is the same bytes each time, and no text of the manifest becomes an element of it that loads
//! or runs something.
#![no_main]

use libfuzzer_sys::fuzz_target;
use scrim_io::Readers;
use scrim_io::pipeline::report_page;

/// Elements and schemes that our pages never have.
const FOREIGN: [&str; 7] = [
    "<script",
    "<img",
    "<iframe",
    "<object",
    "<embed",
    "<form",
    "javascript:\"",
];

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    for readers in [Readers::Internal, Readers::External] {
        match report_page("manifest.json", text, readers) {
            Ok(page) => {
                assert_eq!(
                    Ok(&page),
                    report_page("manifest.json", text, readers)
                        .as_ref()
                        .map_err(|_| ())
                );
                let found = FOREIGN.iter().find(|tag| page.contains(**tag));
                assert_eq!(found, None, "markup of the manifest is in the page");
            }
            Err(error) => assert!(
                error.to_string().starts_with("manifest.json"),
                "no place: {error}"
            ),
        }
    }
});
