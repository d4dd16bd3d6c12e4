//! Asks on a terminal what a column is for. Shows what was seen of it, never a value.

use std::io::{BufRead, Write};

use scrim::profile::ColumnProfile;
use scrim::table::Role;
use scrim::{Error, counted, printable};

use crate::init::ROLES;

/// What the roles mean, for whoever types `?`.
const EXPLAINED: &str = "  identifier   says outright who it is (name, address, number of a paper): never published
  quasi        others may know it of a person (age, place, dates, job): published in coarser values,
               so that nobody is alone with theirs
  sensitive    nobody should learn it about a person (illness, income): published as it is, but never the
               same for all who look alike
  person       the same in all rows of a person (patient number): never published; persons are counted by it
  insensitive  nobody can know it from elsewhere, and it harms nobody: published as it is
Who is unsure whether others may know it takes quasi; who is unsure whether it names somebody takes identifier.
";

/// Asks until the answer is a role, or nothing: then the guess is taken.
pub(crate) fn ask_role(
    column: &ColumnProfile,
    answers: &mut dyn BufRead,
    talk: &mut dyn Write,
) -> Result<Role, Error> {
    let guess = column.guess.role.name();
    let text = format!(
        "\n`{}`: {}, {}, {} without. {}.\n",
        printable(&column.name),
        column.kind.words(),
        counted(column.distinct, "value"),
        counted(column.missing, "row"),
        column.guess.reason
    );
    say(talk, &text)?;
    loop {
        say(
            talk,
            &format!(
                "identifier, quasi, sensitive, person or insensitive? (? explains) [{guess}] "
            ),
        )?;
        let mut line = String::new();
        let read = answers.read_line(&mut line);
        if read.map_err(|error| unheard(&error.to_string()))? == 0 {
            return Err(unheard("it was closed before all was decided"));
        }
        let answer = line.trim().to_lowercase();
        if answer.is_empty() {
            return Ok(column.guess.role);
        }
        if answer == "?" || answer == "help" {
            say(talk, EXPLAINED)?;
            continue;
        }
        // `i` may be two of them: what begins with the answer must be one.
        let mut fits = ROLES.iter().filter(|role| role.name().starts_with(&answer));
        match (fits.next(), fits.next()) {
            (Some(role), None) => return Ok(*role),
            _ => say(talk, "that is none of them, or may be two\n")?,
        }
    }
}

fn say(talk: &mut dyn Write, text: &str) -> Result<(), Error> {
    let said = talk.write_all(text.as_bytes()).and_then(|()| talk.flush());
    said.map_err(|error| unheard(&error.to_string()))
}

fn unheard(why: &str) -> Error {
    Error::Data {
        place: scrim::Place::file("terminal"),
        what: format!("it could not be asked: {why}"),
        hint: Some(
            "`--accept-guesses` takes every guess, `--role COLUMN=ROLE` gives one".to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scrim::profile::Profile;
    use scrim::table::{Column, Table};

    fn asked(answers: &str) -> (Result<Role, Error>, String) {
        let table = Table::new(vec![Column::from_texts("ward", ["West", "East"])]).unwrap();
        let profile = Profile::of(&table);
        let mut talk = Vec::new();
        let answer = ask_role(&profile.columns[0], &mut answers.as_bytes(), &mut talk);
        (answer, String::from_utf8(talk).unwrap())
    }

    #[test]
    fn nothing_takes_the_guess_and_a_beginning_is_enough() {
        let (answer, talk) = asked("\n");
        assert_eq!(answer, Ok(Role::Quasi));
        assert!(
            talk.contains("`ward`: category, 2 values") && !talk.contains("West"),
            "{talk}"
        );
        assert_eq!(asked("sens\n").0, Ok(Role::Sensitive));
        assert_eq!(asked("INS\n").0, Ok(Role::Insensitive));
    }

    #[test]
    fn a_question_mark_explains_the_roles_and_asks_again() {
        let (answer, talk) = asked("?\nsensitive\n");
        assert_eq!(answer, Ok(Role::Sensitive));
        for role in ROLES {
            let explained = format!("  {}  ", role.name());
            assert!(talk.contains(&explained), "{talk}");
        }
        assert_eq!(talk.matches("(? explains)").count(), 2);
    }

    #[test]
    fn what_is_unclear_is_asked_again_and_a_closed_terminal_decides_nothing() {
        let (answer, talk) = asked("i\nnone\nid\n");
        assert_eq!(answer, Ok(Role::Identifier));
        assert_eq!(talk.matches("or may be two").count(), 2);
        assert!(asked("").0.is_err());
    }
}
