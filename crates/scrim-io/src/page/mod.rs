//! The report that a board can read: one page of HTML from a manifest, with everything in it.
//!
//! **Reading.** The page asks nothing of the network and runs no script; its own policy says so to the browser. It is the same
//! bytes for the same manifest. The external version is made of data from which everything that helps an adversary was
//! taken out first ([`external`]), not by leaving out sections.
//! **Does not protect against** a release that says too much: it shows the release, it does not make it.

mod external;
mod html;
mod numbers;
mod plots;
mod sections;
mod table;
mod told;
mod words;

#[cfg(test)]
mod tests;

pub(crate) use told::Told;

use html::Html;
use sections::Section;

const STYLE: &str = include_str!("style.css");

/// By this a page of ours is known.
pub(crate) const GENERATOR: &str = "<meta name=\"generator\" content=\"scrim\"/>";

/// For whom a page is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readers {
    /// Those who have the raw table.
    Internal,
    /// Everybody who gets the release.
    External,
}

/// The page of a manifest.
pub(crate) fn page(told: Told, readers: Readers) -> String {
    let told = match readers {
        Readers::Internal => told,
        Readers::External => external::external(told),
    };
    let view = View {
        told: &told,
        readers,
    };
    let sections = sections::all(&view);
    let mut main = sections::verdict(&view);
    main.push(&contents(&sections)).end_line();
    for section in &sections {
        main.push(&section.html()).end_line();
    }
    let mut body = Html::line(
        "a",
        &[("class", "skip"), ("href", "#main")],
        "Skip to the report",
    );
    body.push(&Html::tag("main", &[("id", "main")], &main));
    body.push(&sections::footer(&view));
    let title = format!("{} · {}", view.title(), told.output.hashed.file);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"/>\n\
         <meta name=\"referrer\" content=\"no-referrer\"/>\n\
         <meta name=\"color-scheme\" content=\"light dark\"/>\n{GENERATOR}\n{}\n<style>\n{STYLE}</style>\n</head>\n<body>\n{}\n</body>\n</html>\n",
        Html::line("title", &[], &title).into_string(),
        body.into_string()
    )
}

/// What is shown, and to whom.
struct View<'a> {
    told: &'a Told,
    readers: Readers,
}

impl View<'_> {
    fn is_external(&self) -> bool {
        self.readers == Readers::External
    }

    fn title(&self) -> &'static str {
        match self.readers {
            Readers::Internal => "Release report",
            Readers::External => "Release report, external version",
        }
    }

    /// What pictures of the release are made from.
    fn release_source(&self) -> String {
        let hash: String = self.told.output.hashed.sha256.chars().take(12).collect();
        format!(
            "{} (SHA-256 {hash}…), counted by scrim {}",
            self.told.output.hashed.file, self.told.scrim
        )
    }

    /// What pictures of both are made from.
    fn both_source(&self) -> String {
        match &self.told.input {
            Some(input) => format!("{} and {}", input.hashed.file, self.release_source()),
            None => self.release_source(),
        }
    }

    /// `persons` or `rows`, and one of them.
    fn counted(&self) -> (&str, &'static str) {
        let many = self.told.report.counted.as_str();
        (many, if many == "persons" { "person" } else { "row" })
    }
}

fn contents(sections: &[Section]) -> Html {
    let link = |section: &Section| {
        let target = format!("#{}", section.id);
        let link = Html::line("a", &[("href", &target)], section.title);
        Html::tag("li", &[], &link)
    };
    let links: Html = sections.iter().map(link).collect();
    let list = Html::tag("ul", &[], &links);
    Html::tag("nav", &[("aria-label", "Contents")], &list)
}
