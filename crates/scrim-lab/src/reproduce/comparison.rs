//! A paper's answers beside ours: lines with a verdict, in parts, and the paper's errata.

use std::fmt;

use scrim_text::Table;
use serde_json::{Value, json};

use super::seconds::Seconds;

/// How our answer stands to the paper's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is the paper's.
    Agrees,
    /// The paper errs; ours is what its definitions give.
    Erratum(u8),
    /// The paper does not err, but what it suggests is not always so (see below).
    Remark(u8),
    /// The paper is silent; ours is the brute-force answer.
    Checked,
    /// The paper's data are not to be had: ours comes of other data and is shown beside.
    Measured,
    /// What the paper saw on its own data is not so on ours.
    NotHere,
    /// What the paper prints cannot be had again, because it does not print what it was made from; ours is the answer found
    /// by brute force, on other data.
    NotReproducible,
    /// Ours is not what it should be.
    Differs,
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Agrees => f.write_str("agrees"),
            Self::Erratum(number) => write!(f, "erratum {number}"),
            Self::Remark(number) => write!(f, "remark {number}"),
            Self::Checked => f.write_str("checked"),
            Self::Measured => f.write_str("measured"),
            Self::NotHere => f.write_str("not here"),
            Self::NotReproducible => f.write_str("not reproducible"),
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
    /// What is true of the paper's claims without being an error of the paper, numbered with the errata.
    pub(super) remarks: &'static [Erratum],
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

    /// The verdicts that need an explanation, with it; the rarer ones only where they occur.
    fn legend(&self) -> Vec<(&'static str, &'static str)> {
        let mut legend = vec![
            ("agrees", "ours is what the paper prints"),
            (
                "erratum N",
                "the paper errs; ours is what its own definitions give (see below)",
            ),
            (
                "checked",
                "the paper does not print it; ours is the answer found by brute force",
            ),
        ];
        let is_remark = |verdict| matches!(verdict, Verdict::Remark(_));
        let mut add = |occurs: bool, verdict, meaning| {
            legend.extend(occurs.then_some((verdict, meaning)));
        };
        add(
            self.count(is_remark) > 0,
            "remark N",
            "no error of the paper, but what it suggests is not always so (see below)",
        );
        add(
            self.count(|verdict| verdict == Verdict::Measured) > 0,
            "measured",
            "the paper's data are not to be had; ours is on other data, shown beside",
        );
        add(
            self.count(|verdict| verdict == Verdict::NotHere) > 0,
            "not here",
            "what the paper saw on its data is not so on ours",
        );
        add(
            self.count(|verdict| verdict == Verdict::NotReproducible) > 0,
            "not reproducible",
            "the paper does not print what its answer was made from, so it cannot be compared; ours is shown beside",
        );
        legend
    }

    /// How often each verdict was given, in one line.
    fn summary(&self) -> String {
        let of = |verdict: Verdict| self.count(|found| found == verdict);
        let errata = self.count(|verdict| matches!(verdict, Verdict::Erratum(_)));
        let remarks = self.count(|verdict| matches!(verdict, Verdict::Remark(_)));
        let rarer = |count: usize, word: &str| match count {
            0 => String::new(),
            some => format!("{some} {word}, "),
        };
        format!(
            "{} agree, {errata} errata lines, {}{} checked, {}{}{}{} differ",
            of(Verdict::Agrees),
            rarer(remarks, "remarks"),
            of(Verdict::Checked),
            rarer(of(Verdict::Measured), "measured"),
            rarer(of(Verdict::NotHere), "not here"),
            rarer(of(Verdict::NotReproducible), "not reproducible"),
            of(Verdict::Differs),
        )
    }

    /// The answer for programs.
    pub(super) fn as_json(&self) -> Value {
        let items = self
            .parts
            .iter()
            .flat_map(|part| part.lines.iter().map(|line| part.item(line)));
        let listed = |notes: &[Erratum]| -> Vec<Value> {
            let object = |note: &Erratum| json!({ "number": note.number, "says": note.says });
            notes.iter().map(object).collect()
        };
        let seconds: Vec<Value> = self.seconds.iter().flat_map(Seconds::as_json).collect();
        let mut object = json!({
            "key": self.key,
            "title": self.title,
            "holds": self.holds(),
            "items": items.collect::<Vec<_>>(),
            "seconds": seconds,
            "errata": listed(self.errata),
            "remarks": listed(self.remarks),
            "not_yet": self.not_yet,
        });
        if !self.figures.is_null() {
            object["figures"] = self.figures.clone();
        }
        if !self.written.is_empty() {
            object["written"] = json!(self.written);
        }
        object
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "[{}] {}\n", self.key, self.title)?;
        let legend = self.legend();
        let longest = legend.iter().map(|(verdict, _)| verdict.len()).max();
        let width = longest.unwrap_or(0).max(10);
        for (verdict, meaning) in legend {
            writeln!(f, "{verdict:<width$} {meaning}")?;
        }
        writeln!(f)?;
        for part in &self.parts {
            writeln!(f, "{part}")?;
        }
        for seconds in &self.seconds {
            writeln!(f, "{seconds}")?;
        }
        for (title, notes) in [("Errata", self.errata), ("\nRemarks", self.remarks)] {
            if !notes.is_empty() {
                writeln!(f, "{title}\n")?;
            }
            for note in notes {
                writeln!(f, "{:>3}  {}", note.number, wrapped(note.says))?;
            }
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
        writeln!(f, "\n{}", self.summary())
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
            remarks: &[],
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
    fn what_cannot_be_reproduced_neither_agrees_nor_is_checked() {
        let mut one = comparison("2");
        let line = |right| {
            let ours = vec!["14".to_owned()];
            Line::new("tables", "21", ours, Verdict::NotReproducible, right)
        };
        one.parts[0].lines.push(line(true));
        assert!(one.holds());
        assert_eq!(one.as_json()["items"][1]["verdict"], "not reproducible");
        let shown = one.to_string();
        assert!(
            shown.ends_with("1 agree, 0 errata lines, 0 checked, 1 not reproducible, 0 differ\n"),
            "{shown}"
        );
        assert!(
            shown.contains("not reproducible the paper does not print"),
            "{shown}"
        );
        // It is no excuse: our own answer must still be right.
        one.parts[0].lines.push(line(false));
        assert!(!one.holds());
    }

    #[test]
    fn an_erratum_stands_only_when_ours_is_right() {
        let line = |right| Line::new("Prec", "0.90", vec![], Verdict::Erratum(2), right).verdict;
        assert_eq!(line(true).to_string(), "erratum 2");
        assert_eq!(line(false), Verdict::Differs);
    }
}
