//! Asks on a terminal what a column is for. Shows what was seen of it, never a value.

use std::io::{BufRead, Write};

use scrim::Error;
use scrim::profile::ColumnProfile;
use scrim::table::Role;

const ROLES: [(&str, Role); 5] = [
    ("identifier", Role::Identifier),
    ("quasi", Role::Quasi),
    ("sensitive", Role::Sensitive),
    ("person", Role::Person),
    ("insensitive", Role::Insensitive),
];

/// Asks until the answer is a role, or nothing: then the guess is taken.
pub(crate) fn ask_role(
    column: &ColumnProfile,
    answers: &mut dyn BufRead,
    talk: &mut dyn Write,
) -> Result<Role, Error> {
    let guess = name_of(column.guess.role);
    let text = format!(
        "\n`{}`: {}, {} values, {} rows without. {}.\n",
        crate::render::plain(&column.name),
        column.kind.words(),
        column.distinct,
        column.missing,
        column.guess.reason
    );
    say(talk, &text)?;
    loop {
        say(
            talk,
            &format!("identifier, quasi, sensitive, person or insensitive? [{guess}] "),
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
        // `i` may be two of them: what begins with the answer must be one.
        let mut fits = ROLES.iter().filter(|(name, _)| name.starts_with(&answer));
        match (fits.next(), fits.next()) {
            (Some((_, role)), None) => return Ok(*role),
            _ => say(talk, "that is none of them, or may be two\n")?,
        }
    }
}

fn name_of(role: Role) -> &'static str {
    let found = ROLES.iter().find(|(_, own)| *own == role);
    found.map_or("identifier", |(name, _)| name)
}

fn say(talk: &mut dyn Write, text: &str) -> Result<(), Error> {
    let said = talk.write_all(text.as_bytes()).and_then(|()| talk.flush());
    said.map_err(|error| unheard(&error.to_string()))
}

fn unheard(why: &str) -> Error {
    Error::Data {
        place: scrim::Place::file("terminal"),
        what: format!("it could not be asked: {why}"),
        hint: Some("`--yes` takes every guess".to_owned()),
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
    fn what_is_unclear_is_asked_again_and_a_closed_terminal_decides_nothing() {
        let (answer, talk) = asked("i\nnone\nid\n");
        assert_eq!(answer, Ok(Role::Identifier));
        assert_eq!(talk.matches("or may be two").count(), 2);
        assert!(asked("").0.is_err());
    }
}
