//! A paper's answers beside ours: lines with a verdict, in parts, and the paper's errata.

use std::fmt;

use serde_json::{Value, json};

use super::seconds::Seconds;
use crate::render::Table;

/// How our answer stands to the paper's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is the paper's.
    Agrees,
    /// The paper errs; ours is what its definitions give.
    Erratum(u8),
    /// The paper is silent; ours is the brute-force answer.
    Checked,
    /// The paper's data are not to be had: ours comes of other data and is shown beside.
    Measured,
    /// What the paper saw on its own data is not so on ours.
    NotHere,
    /// Ours is not what it should be.
    Differs,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agrees => f.write_str("agrees"),
            Self::Erratum(number) => write!(f, "erratum {number}"),
            Self::Checked => f.write_str("checked"),
            Self::Measured => f.write_str("measured"),
            Self::NotHere => f.write_str("not here"),
            Self::Differs => f.write_str("DIFFERS"),
        }
    }
}

/// One answer.
#[derive(Debug)]
pub(super) struct Line {
    name: String,
    paper: String,
    ours: Vec<String>,
    verdict: Verdict,
}

impl Line {
    /// An answer; `right` says whether ours is what it should be, and only then the verdict stands.
    pub(super) fn new(
        name: impl Into<String>,
        paper: impl Into<String>,
        ours: Vec<String>,
        verdict: Verdict,
        right: bool,
    ) -> Self {
        Self {
            name: name.into(),
            paper: paper.into(),
            ours,
            verdict: if right { verdict } else { Verdict::Differs },
        }
    }

    /// An answer that must be the paper's, word for word.
    pub(super) fn same(name: impl Into<String>, paper: &str, ours: String) -> Self {
        let right = ours == paper;
        Self::new(name, paper, vec![ours], Verdict::Agrees, right)
    }
}

/// Lines that belong together.
#[derive(Debug)]
pub(super) struct Part {
    title: String,
    /// The headings of our answers.
    ours: Vec<&'static str>,
    lines: Vec<Line>,
}

impl Part {
    /// A part whose lines have one answer of ours for each heading.
    pub(super) fn new(title: impl Into<String>, ours: &[&'static str], lines: Vec<Line>) -> Self {
        Self {
            title: title.into(),
            ours: ours.to_vec(),
            lines,
        }
    }

    fn item(&self, line: &Line) -> Value {
        let ours = if let [one] = &line.ours[..] {
            one.clone()
        } else {
            let cells = self.ours.iter().zip(&line.ours);
            let named: Vec<String> = cells
                .map(|(heading, cell)| format!("{heading}: {cell}"))
                .collect();
            named.join("; ")
        };
        json!({
            "name": format!("{}: {}", self.title, line.name),
            "paper": (!line.paper.is_empty()).then_some(&line.paper),
            "ours": ours,
            "verdict": line.verdict.to_string(),
        })
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut heading = vec!["", "paper"];
        heading.extend(&self.ours);
        heading.push("verdict");
        let mut table = Table::new(&heading);
        for line in &self.lines {
            let mut cells = vec![line.name.clone(), line.paper.clone()];
            cells.extend(line.ours.iter().cloned());
            cells.push(line.verdict.to_string());
            table.row(cells);
        }
        write!(f, "{}\n\n{table}", self.title)
    }
}

/// Where a paper errs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Erratum {
    /// Its number in our list of the paper's errata.
    pub(super) number: u8,
    /// What is wrong and what is right.
    pub(super) says: &'static str,
}

/// A paper beside us.
#[derive(Debug)]
pub(super) struct Comparison {
    /// The paper's key.
    pub(super) key: &'static str,
    /// Author, title, year.
    pub(super) title: &'static str,
    /// The comparison itself.
    pub(super) parts: Vec<Part>,
    /// How long searches took: shown, never compared.
    pub(super) seconds: Vec<Seconds>,
    /// The errata that the parts meet.
    pub(super) errata: &'static [Erratum],
    /// What is not compared yet.
    pub(super) not_yet: &'static str,
    /// The numbers behind the pictures, for programs; null where there are none.
    pub(super) figures: Value,
    /// The files that were written.
    pub(super) written: Vec<String>,
}

impl Comparison {
    /// Whether every answer of ours is what it should be.
    pub(super) fn holds(&self) -> bool {
        self.count(|verdict| verdict == Verdict::Differs) == 0
    }

    fn count(&self, which: impl Fn(Verdict) -> bool) -> usize {
        let lines = self.parts.iter().flat_map(|part| &part.lines);
        lines.filter(|line| which(line.verdict)).count()
    }

    /// The answer for programs.
    pub(super) fn as_json(&self) -> Value {
        let items = self
            .parts
            .iter()
            .flat_map(|part| part.lines.iter().map(|line| part.item(line)));
        let errata = self
            .errata
            .iter()
            .map(|erratum| json!({ "number": erratum.number, "says": erratum.says }));
        let seconds: Vec<Value> = self.seconds.iter().flat_map(Seconds::as_json).collect();
        let mut object = json!({
            "key": self.key,
            "title": self.title,
            "holds": self.holds(),
            "items": items.collect::<Vec<_>>(),
            "seconds": seconds,
            "errata": errata.collect::<Vec<_>>(),
            "not_yet": self.not_yet,
        });
        if !self.written.is_empty() {
            object["figures"] = self.figures.clone();
            object["written"] = json!(self.written);
        }
        object
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "[{}] {}\n", self.key, self.title)?;
        writeln!(f, "agrees     ours is what the paper prints")?;
        writeln!(
            f,
            "erratum N  the paper errs; ours is what its own definitions give (see below)"
        )?;
        writeln!(
            f,
            "checked    the paper does not print it; ours is the answer found by brute force"
        )?;
        let measured = self.count(|verdict| verdict == Verdict::Measured);
        if measured > 0 {
            writeln!(
                f,
                "measured   the paper's data are not to be had; ours is on other data, shown beside"
            )?;
        }
        if self.count(|verdict| verdict == Verdict::NotHere) > 0 {
            writeln!(
                f,
                "not here   what the paper saw on its data is not so on ours"
            )?;
        }
        writeln!(f)?;
        for part in &self.parts {
            writeln!(f, "{part}")?;
        }
        for seconds in &self.seconds {
            writeln!(f, "{seconds}")?;
        }
        writeln!(f, "Errata\n")?;
        for erratum in self.errata {
            writeln!(f, "{:>3}  {}", erratum.number, wrapped(erratum.says))?;
        }
        if !self.not_yet.is_empty() {
            writeln!(f, "\n{}", self.not_yet)?;
        }
        if !self.written.is_empty() {
            writeln!(f, "\nWritten\n")?;
            for file in &self.written {
                writeln!(f, "  {file}")?;
            }
        }
        let told = |count: usize, word: &str| match count {
            0 => String::new(),
            some => format!("{some} {word}, "),
        };
        let measured = told(measured, "measured");
        let not_here = told(
            self.count(|verdict| verdict == Verdict::NotHere),
            "not here",
        );
        writeln!(
            f,
            "\n{} agree, {} errata lines, {} checked, {measured}{not_here}{} differ",
            self.count(|verdict| verdict == Verdict::Agrees),
            self.count(|verdict| matches!(verdict, Verdict::Erratum(_))),
            self.count(|verdict| verdict == Verdict::Checked),
            self.count(|verdict| verdict == Verdict::Differs),
        )
    }
}

/// Lines of at most 100 characters, below each other.
fn wrapped(text: &str) -> String {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let length = lines.last().map_or(0, String::len);
        if length > 0 && length + 1 + word.len() > 100 {
            lines.push(String::new());
        }
        if let Some(line) = lines.last_mut() {
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines.join("\n     ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn comparison(ours: &str) -> Comparison {
        let lines = vec![Line::same("largest k", "2", ours.to_owned())];
        Comparison {
            key: "k",
            title: "t",
            parts: vec![Part::new("Figure 1", &["ours"], lines)],
            seconds: Vec::new(),
            errata: &[],
            not_yet: "",
            figures: Value::Null,
            written: Vec::new(),
        }
    }

    #[test]
    fn another_answer_than_the_expected_one_is_a_no() {
        assert!(comparison("2").holds());
        let wrong = comparison("3");
        assert!(!wrong.holds());
        assert_eq!(wrong.as_json()["items"][0]["verdict"], "DIFFERS");
    }

    #[test]
    fn an_erratum_stands_only_when_ours_is_right() {
        let line = |right| Line::new("Prec", "0.90", vec![], Verdict::Erratum(2), right).verdict;
        assert_eq!(line(true).to_string(), "erratum 2");
        assert_eq!(line(false), Verdict::Differs);
    }
}
