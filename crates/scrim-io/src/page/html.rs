//! Markup that cannot be broken out of: texts are escaped when they become [`Html`], and nothing else becomes it.

use scrim::is_unprintable;

/// Safe markup.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Html(String);

/// A name and a value; the value is escaped.
pub(super) type Attribute<'a> = (&'static str, &'a str);

impl Html {
    /// Nothing.
    pub(super) fn new() -> Self {
        Self::default()
    }

    /// A text, escaped.
    pub(super) fn text(text: &str) -> Self {
        Self(escape(text))
    }

    /// An element around this.
    pub(super) fn tag(name: &'static str, attributes: &[Attribute<'_>], inner: &Self) -> Self {
        let mut markup = open(name, attributes);
        markup.push('>');
        markup.push_str(&inner.0);
        markup.push_str(&format!("</{name}>"));
        Self(markup)
    }

    /// An element that nothing is in.
    pub(super) fn lone(name: &'static str, attributes: &[Attribute<'_>]) -> Self {
        Self(open(name, attributes) + "/>")
    }

    /// An element around a text.
    pub(super) fn line(name: &'static str, attributes: &[Attribute<'_>], text: &str) -> Self {
        Self::tag(name, attributes, &Self::text(text))
    }

    /// A value of the data: its letters do not change the direction of those around it.
    pub(super) fn value(text: &str) -> Self {
        let shown = if text.is_empty() { "(missing)" } else { text };
        Self::line("bdi", &[], shown)
    }

    /// Adds markup.
    pub(super) fn push(&mut self, more: &Self) -> &mut Self {
        self.0.push_str(&more.0);
        self
    }

    /// Adds an element around a text.
    pub(super) fn say(&mut self, name: &'static str, text: &str) -> &mut Self {
        let line = Self::line(name, &[], text);
        self.push(&line)
    }

    /// Adds a line end, for readers of the source.
    pub(super) fn end_line(&mut self) -> &mut Self {
        self.0.push('\n');
        self
    }

    /// Whether there is nothing.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The markup.
    pub(super) fn into_string(self) -> String {
        self.0
    }
}

impl FromIterator<Html> for Html {
    fn from_iter<I: IntoIterator<Item = Html>>(parts: I) -> Self {
        let mut all = Self::new();
        for part in parts {
            all.push(&part);
        }
        all
    }
}

fn open(name: &'static str, attributes: &[Attribute<'_>]) -> String {
    let mut markup = format!("<{name}");
    for (key, value) in attributes {
        markup.push_str(&format!(" {key}=\"{}\"", escape(value)));
    }
    markup
}

/// A text that stays one, between tags and within quotes. What is invisible or turns the direction of writing becomes visible.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            '\n' | '\t' => escaped.push(character),
            other if is_unprintable(other) => escaped.extend(other.escape_default()),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn markup_in_a_text_stays_text() {
        let hostile = Html::line("p", &[("title", "\" onload='x'")], "</p><script>&");
        assert_eq!(
            hostile.into_string(),
            "<p title=\"&quot; onload=&#39;x&#39;\">&lt;/p&gt;&lt;script&gt;&amp;</p>"
        );
        assert_eq!(escape("a\u{202e}b\0\n"), "a\\u{202e}b\\u{0}\n");
    }

    proptest! {
        #[test]
        fn an_escaped_text_has_no_markup_and_reads_as_before(text in "[\\PC<>&\"']{0,40}") {
            let escaped = escape(&text);
            prop_assert!(!escaped.contains(['<', '>', '"', '\'']));
            let back = escaped
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&#39;", "'")
                .replace("&amp;", "&");
            prop_assert_eq!(back, scrim::printable(&text));
        }
    }
}
