//! Policies. One that is read, written by the `toml` crate and read again is the same policy, and none is read differently for the name of
//! its file or for a search that it names itself.
#![no_main]

use libfuzzer_sys::fuzz_target;
use scrim::release::policy::{AlgorithmId, Policy};

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    for algorithm in AlgorithmId::all() {
        let _ = Policy::parse_with("policy.toml", text, algorithm);
    }
    let policy = match Policy::parse("policy.toml", text) {
        Ok(policy) => policy,
        Err(error) => {
            let message = error.to_string();
            return assert!(message.starts_with("policy.toml"), "no place: {message}");
        }
    };
    let document: toml::Table = text.parse().expect("a policy is TOML");
    let written = toml::to_string(&document).expect("what was read can be written");
    let again = Policy::parse("policy.toml", &written)
        .unwrap_or_else(|error| panic!("{error} in\n{written}"));
    assert_eq!(
        placeless(&policy),
        placeless(&again),
        "written as\n{written}"
    );
    for column in &policy.columns {
        let _ = (
            policy.released_role(&column.name),
            policy.publishes(&column.name),
            column.hierarchy(),
        );
    }
    let _ = (
        policy.needs_only_counts(),
        policy.largest_k(),
        policy.must_promise().is_ok(),
    );
    for model in &policy.privacy {
        let _ = model.spec.parameters();
    }
});

/// All of a policy but the lines that its parts stand in, which are others once it is written.
fn placeless(policy: &Policy) -> String {
    let text = format!("{policy:?}");
    let mut parts = text.split("Place {");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| {
        all + part.split_once('}').map_or("", |(_, rest)| rest)
    })
}
