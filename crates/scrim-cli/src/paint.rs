//! Colour, only as help: every word says by itself what its colour says.

use std::ffi::OsString;
use std::io::IsTerminal;

use clap::ValueEnum;

const RESET: &str = "\u{1b}[0m";
const BOLD: &str = "\u{1b}[1m";
const FAINT: &str = "\u{1b}[2m";
const RED: &str = "\u{1b}[1;31m";
const GREEN: &str = "\u{1b}[32m";
const YELLOW: &str = "\u{1b}[1;33m";
const CYAN: &str = "\u{1b}[1;36m";

/// When there is colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// On a terminal, unless `NO_COLOR` is set
    #[default]
    Auto,
    /// Also into files and pipes
    Always,
    /// Never
    Never,
}

impl When {
    /// What the arguments ask for, read before they are parsed, so that help and faults follow it too.
    pub(crate) fn asked(typed: &[OsString]) -> Self {
        let words = || typed.iter().map(|word| word.to_string_lossy());
        let pairs = words().zip(words().skip(1));
        let mut values = pairs.filter_map(|(word, next)| match next.strip_prefix("--color=") {
            Some(value) => Some(value.to_owned()),
            None => (word == "--color").then(|| next.into_owned()),
        });
        let value = values.next_back().unwrap_or_default();
        Self::from_str(&value, false).unwrap_or_default()
    }

    /// Whether a stream is to be coloured.
    pub(crate) fn paints(self, stream: &impl IsTerminal) -> bool {
        let forbidden = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => stream.is_terminal() && !forbidden("NO_COLOR") && !dumb,
        }
    }
}

/// Talk, with its labels coloured.
pub(crate) fn talk(text: &str) -> String {
    let labels = [
        ("error:", RED),
        ("warning:", YELLOW),
        ("note:", YELLOW),
        ("hint:", CYAN),
    ];
    let line = |line: &str| {
        let label = labels.iter().find(|(label, _)| line.starts_with(label));
        label.map_or_else(
            || line.to_owned(),
            |(label, color)| format!("{color}{label}{RESET}{}", &line[label.len()..]),
        )
    };
    lines(text, |_, text| line(text))
}

/// An answer for people: headings of tables bold, their rules faint, verdicts green, yellow or red.
pub(crate) fn answer(text: &str) -> String {
    let all: Vec<&str> = text.lines().collect();
    lines(text, |at, line| {
        let is_heading = all.get(at + 1).is_some_and(|next| is_rule(next));
        if is_heading {
            return format!("{BOLD}{line}{RESET}");
        }
        if is_rule(line) {
            return format!("{FAINT}{line}{RESET}");
        }
        // The verdict stands at the beginning of an answer.
        let verdicts = [
            ("kept:", GREEN),
            ("kept, but:", YELLOW),
            ("refused:", RED),
            ("broken:", RED),
            ("BROKEN, but written:", RED),
        ];
        for (word, color) in verdicts.into_iter().filter(|_| at == 0) {
            if let Some(rest) = line.strip_prefix(word) {
                return format!("{color}{word}{RESET}{rest}");
            }
        }
        for (word, color) in [("holds", GREEN), ("BROKEN", RED), ("certified", GREEN)] {
            // The last cell of a row.
            if let Some(rest) = line.strip_suffix(word)
                && rest.ends_with("  ")
            {
                return format!("{rest}{color}{word}{RESET}");
            }
        }
        line.to_owned()
    })
}

fn is_rule(line: &str) -> bool {
    line.starts_with('-') && line.chars().all(|character| "- ".contains(character))
}

fn lines(text: &str, paint: impl Fn(usize, &str) -> String) -> String {
    let painted = text.lines().enumerate();
    painted.map(|(at, line)| paint(at, line) + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(words: &[&str]) -> Vec<OsString> {
        words.iter().map(OsString::from).collect()
    }

    #[test]
    fn the_last_word_about_colour_counts_wherever_it_stands() {
        let cases = [
            (&["scrim", "audit"][..], When::Auto),
            (&["scrim", "--color", "never", "audit"], When::Never),
            (&["scrim", "audit", "--color=always"], When::Always),
            (&["scrim", "--color", "perhaps"], When::Auto),
            (&["scrim", "--color"], When::Auto),
            (
                &["scrim", "--color=never", "--color", "always"],
                When::Always,
            ),
        ];
        for (words, expected) in cases {
            assert_eq!(When::asked(&typed(words)), expected, "{words:?}");
        }
    }

    #[test]
    fn the_three_verdicts_have_colours_of_their_own() {
        for (line, color) in [
            ("kept: published", GREEN),
            ("kept, but: published", YELLOW),
            ("refused: no", RED),
            ("broken: no", RED),
        ] {
            assert!(answer(line).starts_with(color), "{line}");
        }
        assert_eq!(answer("a\nkept: b\n"), "a\nkept: b\n");
    }

    #[test]
    fn without_its_colours_a_text_is_what_it_was() {
        let text = "model  verdict\n-----  -------\nk      holds\nl      BROKEN\n\nit holds\n";
        let painted = answer(text) + &talk("error: no\nnote: an error: here\n");
        let mut plain = painted.clone();
        for code in [RESET, BOLD, FAINT, RED, GREEN, YELLOW, CYAN] {
            plain = plain.replace(code, "");
        }
        assert_eq!(plain, format!("{text}error: no\nnote: an error: here\n"));
        assert!(painted.contains(&format!("{GREEN}holds{RESET}")));
        assert!(painted.contains(&format!("{RED}BROKEN{RESET}")));
        assert_eq!(painted.matches(RED).count(), 2, "{painted}");
    }
}
