//! The data holder of mu-Argus on a terminal: sees how many rows each combination makes outliers, never a value, and names a
//! column to generalize further.

use std::io::{BufRead, Write};

use scrim::Error;
use scrim::algorithm::Tested;
use scrim_text::Table;

/// Shows what a test found and asks until the answer is a column that can be raised, or that all is done.
pub(crate) fn ask(
    tested: &Tested<'_>,
    answers: &mut dyn BufRead,
    talk: &mut dyn Write,
) -> Result<Option<usize>, Error> {
    say(talk, &shown(tested))?;
    loop {
        say(
            talk,
            "generalize which column by one level? (nothing: done) ",
        )?;
        let mut line = String::new();
        let read = answers.read_line(&mut line);
        if read.map_err(|error| unheard(&error.to_string()))? == 0 {
            return Err(unheard("it was closed before all was decided"));
        }
        let name = line.trim();
        if name.is_empty() {
            return Ok(None);
        }
        let columns = &tested.columns;
        match columns.iter().position(|(column, ..)| *column == name) {
            None => {
                let names: Vec<String> = columns
                    .iter()
                    .map(|(column, ..)| format!("`{column}`"))
                    .collect();
                say(talk, &format!("the columns are {}\n", names.join(", ")))?;
            }
            Some(at) if columns[at].1 >= columns[at].2 => {
                say(talk, &format!("`{name}` is at its top already\n"))?;
            }
            Some(at) => return Ok(Some(at)),
        }
    }
}

fn shown(tested: &Tested<'_>) -> String {
    let mut combinations = Table::new(&["combination", "outlying rows"]);
    for (attributes, rows) in &tested.combinations {
        let names: Vec<&str> = attributes.iter().map(|at| tested.columns[*at].0).collect();
        combinations.row(vec![names.join(", "), rows.to_string()]);
    }
    let mut columns = Table::new(&["column", "level"]);
    for (name, level, top) in &tested.columns {
        columns.row(vec![(*name).to_owned(), format!("{level} of {top}")]);
    }
    format!("\n{combinations}\n{columns}\n")
}

fn say(talk: &mut dyn Write, text: &str) -> Result<(), Error> {
    let said = talk.write_all(text.as_bytes()).and_then(|()| talk.flush());
    said.map_err(|error| unheard(&error.to_string()))
}

fn unheard(why: &str) -> Error {
    Error::Unsound {
        algorithm: "mu-argus",
        what: format!("the terminal could not be asked: {why}"),
        hint: Some("name the columns in the policy: `generalize = [ … ]` in [search]".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(answers: &str) -> (Result<Option<usize>, Error>, String) {
        let tested = Tested {
            columns: vec![("Race", 0, 2), ("ZIP", 3, 3)],
            combinations: vec![(&[0, 1], 17)],
        };
        let mut talk = Vec::new();
        let answer = ask(&tested, &mut answers.as_bytes(), &mut talk);
        (answer, String::from_utf8(talk).unwrap())
    }

    #[test]
    fn a_column_is_named_or_all_is_done() {
        let (answer, talk) = asked("Race\n");
        assert_eq!(answer, Ok(Some(0)));
        assert!(talk.contains("Race, ZIP") && talk.contains("17"), "{talk}");
        assert_eq!(asked("\n").0, Ok(None));
    }

    #[test]
    fn what_cannot_be_raised_is_asked_again() {
        let (answer, talk) = asked("race\nZIP\nRace\n");
        assert_eq!(answer, Ok(Some(0)));
        assert!(talk.contains("the columns are `Race`, `ZIP`"), "{talk}");
        assert!(talk.contains("`ZIP` is at its top already"), "{talk}");
    }

    #[test]
    fn a_terminal_that_closes_decides_nothing() {
        assert!(asked("").0.is_err());
        assert!(asked("nobody\n").0.is_err());
    }
}
