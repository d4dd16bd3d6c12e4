//! The words of the glossary, which the binary carries, so that it answers where there are no docs.

use serde::Serialize;

use crate::pages::page;

/// A word and what it means.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Word {
    #[serde(rename = "word")]
    pub(crate) name: &'static str,
    pub(crate) is: &'static str,
    /// What the papers call it.
    pub(crate) also: &'static str,
}

/// All words, in the order of the page.
pub(crate) fn words() -> impl Iterator<Item = Word> {
    let rows = page("glossary")
        .unwrap_or_default()
        .lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix('|')?.split('|').map(str::trim);
            Some(Word {
                name: cells.next()?,
                is: cells.next()?,
                also: cells.next()?,
            })
        });
    // The heading and its rule come first.
    rows.skip(2)
}

/// The words that somebody may mean: of this name, which begin with it, or that the papers call so.
pub(crate) fn meant(typed: &str) -> Vec<Word> {
    let typed = typed.to_lowercase();
    let singular = typed.strip_suffix("es").filter(|stem| stem.ends_with('s'));
    let singular = singular.or(typed.strip_suffix('s')).unwrap_or(&typed);
    let is = |word: &str| word == typed || word == singular;
    let begins = |word: &str| word.split([' ', '-']).next().is_some_and(is);
    let exactly: Vec<Word> = words().filter(|word| is(word.name)).collect();
    if !exactly.is_empty() {
        return exactly;
    }
    let also = |word: &Word| word.also.split(", ").any(|also| is(&also.to_lowercase()));
    words()
        .filter(|word| begins(word.name) || also(word))
        .collect()
}

/// Words as text in lines of at most a width.
pub(crate) fn explained(words: &[Word], width: usize) -> String {
    let mut text = String::new();
    for word in words {
        let also = if word.also.is_empty() {
            String::new()
        } else {
            format!(" The papers also say: {}.", word.also)
        };
        let line = format!("{}: {}.{also}", word.name, word.is);
        text.push_str(&scrim_text::wrapped(&line, width, "", "  "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_by_their_names_beginnings_and_other_names() {
        let found = |typed: &str| {
            meant(typed)
                .iter()
                .map(|word| word.name)
                .collect::<Vec<_>>()
        };
        assert_eq!(found("quasi"), ["quasi-identifier"]);
        assert_eq!(found("taxon"), ["taxon"]);
        assert_eq!(found("classes"), ["class"]);
        assert_eq!(found("Policy"), ["policy"]);
        assert_eq!(found("qi-group"), ["class"]);
        assert!(found("nothing of the kind").is_empty());
        assert!(words().count() > 15 && words().all(|word| !word.is.is_empty()));
    }
}
