//! Texts in lines that fit.

use unicode_width::UnicodeWidthStr;

/// A text in lines of at most a width, broken between words; the first begins with one indent, the others with another.
#[must_use]
pub fn wrapped(text: &str, width: usize, first: &str, others: &str) -> String {
    let mut lines = String::new();
    let mut line = first.to_owned();
    let mut is_empty = true;
    for word in text.split_whitespace() {
        if !is_empty && line.width() + 1 + word.width() > width {
            lines.push_str(line.trim_end());
            lines.push('\n');
            others.clone_into(&mut line);
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    lines + line.trim_end() + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_broken_between_words() {
        let text = wrapped(&"word ".repeat(50), 60, "- ", "  ");
        assert!(text.lines().all(|line| line.width() <= 60), "{text}");
        assert!(text.starts_with("- word"));
        assert!(text.lines().skip(1).all(|line| line.starts_with("  word")));
        assert_eq!(text.matches("word").count(), 50);
    }

    #[test]
    fn wide_characters_count_twice_and_a_long_word_stays_whole() {
        assert_eq!(wrapped("東京 大阪 京都", 9, "", ""), "東京 大阪\n京都\n");
        assert_eq!(wrapped("a abcdefgh b", 4, "", ""), "a\nabcdefgh\nb\n");
        assert_eq!(wrapped("", 10, "  ", ""), "\n");
    }
}
