//! `scrim help`: a command, what stands in the catalog, or a word of the glossary.

use std::io;

use clap::Command;
use scrim::release::catalog::{CATALOG, Entry, Kind, named, nearest_name};
use scrim_text::wrapped;
use serde::Serialize;
use serde_json::json;

use super::{catalog, to_json};
use crate::glossary::{Word, explained, meant, words};
use crate::line;
use crate::manual::HelpArguments;
use crate::outcome::{Failure, Outcome};
use crate::pages::{PAGES, page};
use crate::paint::When;
use crate::render::{entry, width};

/// What JSON has of an entry.
#[derive(Serialize)]
struct Explained {
    #[serde(flatten)]
    entry: &'static Entry,
    carried: Vec<&'static str>,
    policy: Option<String>,
}

pub(super) fn run(asked: &HelpArguments, json: bool, color: When) -> Result<Outcome, Failure> {
    let names: Vec<&str> = asked.names.iter().map(String::as_str).collect();
    if asked.example {
        return example(&names);
    }
    let mut command = line::command();
    command.build();
    if let Some(found) = descend(&command, &names) {
        return of_command(found, &names, json, color);
    }
    if let ["page", page] = names[..] {
        return of_page(page, json);
    }
    if names == ["words"] {
        return of_words(&words().collect::<Vec<_>>(), json);
    }
    if let [kind] = names[..]
        && let Some(kind) = kind_named(kind)
    {
        return catalog::of_kinds(&[kind], json);
    }
    let entries = match (entries(&names), &names[..]) {
        (Err(_), [word]) if !meant(word).is_empty() => return of_words(&meant(word), json),
        (found, _) => found.map_err(|typed| unknown(typed, &command))?,
    };
    if json {
        let all = entries.iter().map(|entry| Explained {
            entry,
            carried: entry.carried(),
            policy: entry.policy(),
        });
        let all: Vec<Explained> = all.collect();
        return Ok(Outcome::yes(to_json(&json!({ "entries": all }))?));
    }
    let texts: Vec<String> = entries.iter().map(|found| entry(found, width())).collect();
    Ok(Outcome::yes(texts.join("\n\n")))
}

/// A page of the docs, as it is written.
fn of_page(name: &str, json: bool) -> Result<Outcome, Failure> {
    let text = page(name).ok_or_else(|| {
        let names: Vec<&str> = PAGES.iter().map(|(name, _)| *name).collect();
        let hint = format!("the pages are {}", names.join(", "));
        Failure::new(format!("there is no page called `{name}`"), Some(&hint))
    })?;
    Ok(Outcome::yes(if json {
        to_json(&json!({ "page": name, "text": text }))?
    } else {
        text.to_owned()
    }))
}

fn of_words(words: &[Word], json: bool) -> Result<Outcome, Failure> {
    Ok(Outcome::yes(if json {
        to_json(&json!({ "words": words }))?
    } else {
        explained(words, width())
    }))
}

/// The command that a path of names leads to; the whole where there is none.
fn descend<'c>(command: &'c Command, names: &[&str]) -> Option<&'c Command> {
    let mut found = command;
    for name in names {
        found = found
            .get_subcommands()
            .find(|below| below.get_name() == *name)?;
    }
    Some(found)
}

fn of_command(
    command: &Command,
    names: &[&str],
    json: bool,
    color: When,
) -> Result<Outcome, Failure> {
    let help = command.clone().render_long_help();
    if json {
        let help = help.to_string();
        let object = json!({ "command": names.join(" "), "help": help });
        return Ok(Outcome::yes(to_json(&object)?));
    }
    let mut text = if color.paints(&io::stdout()) {
        help.ansi().to_string()
    } else {
        help.to_string()
    };
    // A kind of the catalog with the name of a command.
    if let [name] = names
        && let Some(kind) = kind_named(name)
    {
        let all = CATALOG.iter().filter(|entry| entry.kind == kind);
        let all: Vec<&str> = all.map(|entry| entry.name).collect();
        let list = format!(
            "In the catalog (`scrim help NAME` explains each): {}",
            all.join(", ")
        );
        text.push('\n');
        text.push_str(&wrapped(&list, width(), "", "  "));
    }
    Ok(Outcome::yes(text))
}

fn kind_named(name: &str) -> Option<Kind> {
    let singular = name.strip_suffix('s').unwrap_or(name);
    Kind::ALL
        .into_iter()
        .find(|kind| kind.title() == name || kind.title() == singular)
}

/// The entries of a name, or of a kind and a name; else the name that is none.
fn entries<'n>(names: &[&'n str]) -> Result<Vec<&'static Entry>, &'n str> {
    let (kind, name) = match names {
        [name] => (None, *name),
        [kind, name] => (Some(kind_named(kind).ok_or(*kind)?), *name),
        [_, _, name, ..] => return Err(name),
        [] => return Err(""),
    };
    let found: Vec<&Entry> = named(name)
        .filter(|entry| kind.is_none_or(|kind| entry.kind == kind))
        .collect();
    if found.is_empty() {
        Err(name)
    } else {
        Ok(found)
    }
}

fn unknown(typed: &str, command: &Command) -> Failure {
    let commands: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
    let near = nearest_name(&typed.to_lowercase(), &commands)
        .map_or_else(String::new, |near| format!("did you mean `{near}`? "));
    let kinds: Vec<String> = Kind::ALL
        .iter()
        .map(|kind| format!("`scrim help {}`", kind.title()))
        .collect();
    let hint = format!(
        "{near}Lists of names: {}; words: `scrim help words`; commands: `scrim --help`",
        kinds.join(", ")
    );
    Failure::new(
        format!(
            "there is no command, no entry of the catalog and no word of the glossary called `{typed}`"
        ),
        Some(&hint),
    )
}

/// An example, and nothing else: of two of a name that which is a policy.
fn example(names: &[&str]) -> Result<Outcome, Failure> {
    let command = line::command();
    let entries = entries(names).map_err(|typed| unknown(typed, &command))?;
    let policy = entries.iter().find_map(|entry| entry.policy());
    let typed = || entries.iter().map(|entry| entry.example).collect();
    Ok(Outcome::yes(policy.unwrap_or_else(typed)))
}
