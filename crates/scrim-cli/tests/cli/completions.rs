//! `scrim completions`: scripts that shells understand and that complete what there is.

use std::process::Command;

use scrim::release::catalog::CATALOG;

use crate::folder::Folder;

/// What bash would offer after these words, the last of which is being typed.
fn offered(folder: &Folder, words: &[&str]) -> Vec<String> {
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let script = format!(
        "source ./scrim.bash\nCOMP_WORDS=({})\nCOMP_CWORD={}\n_scrim scrim \"${{COMP_WORDS[COMP_CWORD]}}\" \
         \"${{COMP_WORDS[COMP_CWORD-1]}}\"\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
        quoted.join(" "),
        words.len() - 1
    );
    let run = Command::new("bash")
        .args(["--norc", "-c", &script])
        .current_dir(folder.path("."))
        .output()
        .unwrap();
    assert!(run.status.success(), "{run:?}");
    let text = String::from_utf8(run.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

fn bash() -> Folder {
    let folder = Folder::empty();
    let script = folder.scrim(&["completions", "bash"]).exits(0).stdout;
    folder.write("scrim.bash", script);
    folder
}

#[test]
fn the_script_for_bash_is_sound() {
    let folder = bash();
    let run = Command::new("bash")
        .args(["-n", "scrim.bash"])
        .current_dir(folder.path("."))
        .output()
        .unwrap();
    assert!(run.status.success() && run.stderr.is_empty(), "{run:?}");
}

#[test]
fn bash_completes_commands_options_and_values() {
    let folder = bash();
    for (words, expected) in [
        (&["scrim", "pub"][..], &["publish"][..]),
        (&["scrim", "ledger", "ver"], &["verify"]),
        (&["scrim", "audit", "--pol"], &["--policy"]),
        (&["scrim", "audit", "--format", ""], &["text", "json"]),
        (&["scrim", "--color", "a"], &["auto", "always"]),
        (&["scrim", "reproduce", "s"], &["sweeney02", "sun08"]),
        (&["scrim", "completions", "p"], &["powershell"]),
        (&["scrim", "help", "k-"], &["k-anonymity"]),
        (&["scrim", "help", "model", "t-"], &["t-closeness"]),
        (&["scrim", "nothing-like-it"], &[""]),
    ] {
        assert_eq!(offered(&folder, words), expected, "{words:?}");
    }
    let names = offered(&folder, &["scrim", "help", ""]);
    for name in CATALOG
        .iter()
        .map(|entry| entry.name)
        .chain(["publish", "metric"])
    {
        assert!(names.iter().any(|offered| offered == name), "{name}");
    }
}

#[test]
fn every_shell_has_a_script_with_every_command_and_name() {
    let folder = Folder::empty();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.scrim(&["completions", shell]).exits(0).stdout;
        for word in ["publish", "ledger", "verify", "linkage", "completions"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
        // The others' scripts complete no values of positions.
        if ["bash", "zsh"].contains(&shell) {
            assert!(script.contains("p-plus-alpha"), "{shell}");
        }
    }
    folder.scrim(&["completions", "tcsh"]).exits(2);
    folder.scrim(&["completions"]).exits(2);
}
