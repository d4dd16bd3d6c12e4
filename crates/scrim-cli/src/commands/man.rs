//! `scrim man`: pages for `man`, one a command.

use std::fmt::Write as _;
use std::io;
use std::path::Path;

use clap::Command;
use clap_mangen::Man;
use scrim_io::files;
use serde_json::json;

use super::to_json;
use crate::line;
use crate::outcome::{Failure, Outcome};

/// The main page, or all pages into a folder.
pub(super) fn run(out: Option<&Path>, json: bool) -> Result<Outcome, Failure> {
    let mut command = line::command();
    command.build();
    let Some(dir) = out else {
        return Ok(Outcome::yes(page(&command, &[])?));
    };
    let mut pages = Vec::new();
    collect(&command, &[], &mut pages)?;
    files::create_dir(dir)?;
    let mut written = Vec::new();
    for (name, text) in pages {
        let path = dir.join(format!("{name}.1"));
        files::write_bytes(&path, text.as_bytes())?;
        written.push(path.display().to_string());
    }
    let answer = if json {
        to_json(&json!({ "files": written }))?
    } else {
        written.iter().map(|path| format!("{path}\n")).collect()
    };
    Ok(Outcome::yes(answer))
}

/// The pages of a command and of all below it, by name.
fn collect(
    command: &Command,
    above: &[&str],
    pages: &mut Vec<(String, String)>,
) -> Result<(), Failure> {
    let path: Vec<&str> = above.iter().copied().chain([command.get_name()]).collect();
    pages.push((path.join("-"), page(command, above)?));
    for below in below(command) {
        collect(below, &path, pages)?;
    }
    Ok(())
}

/// The commands below one; what the parser adds to explain them has no page.
fn below(command: &Command) -> impl Iterator<Item = &Command> {
    let nested = command.get_name() != "scrim";
    let all = command.get_subcommands();
    all.filter(move |below| !(nested && below.get_name() == "help"))
}

fn page(command: &Command, above: &[&str]) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    sections(command, above, &mut bytes)
        .map_err(|error| Failure::new(format!("the page cannot be made: {error}"), None))?;
    let mut text = String::from_utf8_lossy(&bytes).into_owned();
    let after = command.get_after_help().map(ToString::to_string);
    text.push_str(&closing(&after.unwrap_or_default()));
    text.push_str(&see_also(command, above));
    Ok(text.chars().map(ascii).collect())
}

fn sections(command: &Command, above: &[&str], out: &mut Vec<u8>) -> io::Result<()> {
    let path: Vec<&str> = above.iter().copied().chain([command.get_name()]).collect();
    let man = Man::new(command.clone())
        .title(path.join("-"))
        .section("1")
        .source(concat!("scrim ", env!("CARGO_PKG_VERSION")))
        .manual("Scrim");
    man.render_title(out)?;
    man.render_name_section(out)?;
    man.render_synopsis_section(out)?;
    man.render_description_section(out)?;
    man.render_options_section(out)
}

/// What stands at the end of a command's help, as sections: lines of examples stay lines.
fn closing(after: &str) -> String {
    let mut text = String::new();
    for block in after.split("\n\n").filter(|block| !block.is_empty()) {
        if let Some(lines) = block.strip_prefix("Examples:\n") {
            text.push_str(".SH EXAMPLES\n.nf\n");
            for line in lines.lines() {
                let _ = writeln!(text, "{}", escape(line));
            }
            text.push_str(".fi\n");
        } else if let Some(codes) = block.strip_prefix("Exit codes: ") {
            let _ = writeln!(text, ".SH \"EXIT STATUS\"\n{}", escape(codes));
        } else {
            let _ = writeln!(text, ".SH NOTES\n{}", escape(block));
        }
    }
    text
}

fn see_also(command: &Command, above: &[&str]) -> String {
    let path: Vec<&str> = above.iter().copied().chain([command.get_name()]).collect();
    let own = path.join("-");
    let parent = (!above.is_empty()).then(|| above.join("-"));
    let children = below(command).map(|below| format!("{own}-{}", below.get_name()));
    let pages: Vec<String> = parent
        .into_iter()
        .chain(children)
        .map(|name| format!(".BR {} (1)", name.replace('-', "\\-")))
        .collect();
    format!(".SH \"SEE ALSO\"\n{}\n", pages.join(" ,\n"))
}

/// A character as any typesetter reads it.
fn ascii(character: char) -> String {
    if character.is_ascii() {
        character.to_string()
    } else {
        format!("\\[u{:04X}]", u32::from(character))
    }
}

/// Text as it stands: no backslash, dash, dot or quote of it means something to the typesetter.
fn escape(text: &str) -> String {
    let line = |line: &str| {
        let plain = line.replace('\\', "\\e").replace('-', "\\-");
        if plain.starts_with(['.', '\'']) {
            format!("\\&{plain}")
        } else {
            plain
        }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}
