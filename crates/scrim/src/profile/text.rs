//! Pieces of TOML: keys, texts and comments that any name can go into.

/// A key, quoted where it must be.
pub(super) fn key(name: &str) -> String {
    let bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !name.is_empty() && name.chars().all(bare) {
        name.to_owned()
    } else {
        quoted(name)
    }
}

/// A text in quotes.
pub(super) fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Lines of a comment, each at most about 110 characters wide. What is no plain character becomes a space.
pub(super) fn comment(text: &str) -> String {
    let mut lines = vec![String::from("#")];
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        if word.is_empty() {
            continue;
        }
        let length = |line: &String| line.chars().count() + word.chars().count();
        if lines
            .last()
            .is_some_and(|line| line.len() > 1 && length(line) > 110)
        {
            lines.push(String::from("#"));
        }
        if let Some(line) = lines.last_mut() {
            line.push(' ');
            line.push_str(word);
        }
    }
    lines.join("\n") + "\n"
}

/// A name for a file made of the name of a column.
pub(super) fn file_name(column: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii_alphanumeric() {
            c.to_ascii_lowercase()
        } else {
            '-'
        }
    };
    let name: String = column.chars().map(plain).take(40).collect();
    let parts: Vec<&str> = name.split('-').filter(|part| !part.is_empty()).collect();
    if parts.is_empty() {
        "column".to_owned()
    } else {
        parts.join("-")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_is_a_key() {
        for name in [
            "age",
            "a b",
            "",
            "größe",
            "say \"x\"",
            "a.b",
            "x\ny\u{7f}",
            "c:\\d",
            "=#",
        ] {
            let text = format!("{} = 1", key(name));
            let table = toml::de::DeTable::parse(&text).unwrap();
            assert!(
                table.get_ref().iter().all(|(key, _)| key.get_ref() == name),
                "{text}"
            );
        }
        assert_eq!(key("native-country"), "native-country");
        assert_eq!(key("a b"), "\"a b\"");
    }

    #[test]
    fn a_comment_stays_one() {
        let text = comment(&format!("a\nb = 1 \u{7} {}", "word ".repeat(60)));
        assert!(
            text.lines()
                .all(|line| line.starts_with('#') && line.chars().count() < 120)
        );
        assert!(toml::de::DeTable::parse(&text).is_ok());
    }

    #[test]
    fn files_have_plain_names() {
        assert_eq!(file_name("Native Country"), "native-country");
        assert_eq!(file_name("../größe"), "gr-e");
        assert_eq!(file_name("年"), "column");
    }
}
