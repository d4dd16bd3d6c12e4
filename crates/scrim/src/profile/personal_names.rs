//! Values that look like names of persons, whatever their column is called.
//!
//! **Reading.** A name has one to four words that begin with a capital letter and go on in small letters (`O'Brien`, `Ann-Marie`, `van Dyk`
//! and initials too), also last name first with a comma, also with digits at its end as test data has them. A column holds names
//! where nine of ten rows have one and there are many of them: at least twenty, and one for every forty rows. Towns, firms and
//! streets look the same, so such a column is only guessed to be names, and dropped unless somebody says otherwise.

use super::values::Values;

const FEWEST: u64 = 20;
const ROWS_FOR_ONE: u64 = 40;

/// Whether the values look like names of persons.
pub(super) fn are_names(values: &Values<'_>) -> bool {
    let many = values.distinct() >= FEWEST && values.distinct() * ROWS_FOR_ONE >= values.present();
    many && values.mostly(90, is_name)
}

fn is_name(text: &str) -> bool {
    let words: Vec<&str> = text
        .split([' ', ','])
        .filter(|word| !word.is_empty())
        .collect();
    let capitals = words.iter().filter(|word| is_name_word(word)).count();
    let others_fit = words
        .iter()
        .all(|word| is_name_word(word) || is_particle(word));
    (1..=4).contains(&words.len()) && capitals > 0 && others_fit
}

/// A capital letter and small ones, parts of it joined by a dash or an apostrophe.
fn is_name_word(word: &str) -> bool {
    let word = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let is_initial = |word: &str| word.chars().count() == 2 && word.ends_with('.');
    let is_part = |part: &str| {
        let mut letters = part.chars();
        letters.next().is_some_and(char::is_uppercase)
            && letters.clone().count() >= 1
            && letters.all(char::is_lowercase)
    };
    let initial = |part: &str| part.chars().count() == 1 && part.chars().all(char::is_uppercase);
    if is_initial(word) {
        return word.starts_with(char::is_uppercase);
    }
    let parts: Vec<&str> = word.split(['-', '\'', '’']).collect();
    parts.iter().any(|part| is_part(part))
        && parts.iter().all(|part| is_part(part) || initial(part))
}

fn is_particle(word: &str) -> bool {
    [
        "van", "von", "de", "der", "den", "da", "di", "del", "la", "le", "dos", "zu", "al", "bin",
        "ter",
    ]
    .contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Column;

    #[test]
    fn names_of_many_sorts() {
        for name in [
            "Anna",
            "Anna Meier",
            "Meier, Anna",
            "O'Brien",
            "Ann-Marie",
            "Ludwig van Beethoven",
            "Bertie593",
            "Łukasz",
            "José García",
            "J. Smith",
        ] {
            assert!(is_name(name), "{name}");
        }
        for other in [
            "yes",
            "A1",
            "USA",
            "J45.9",
            "came in with a cough",
            "West 1",
            "12",
            "",
            "No-inpatient",
        ] {
            assert!(!is_name(other), "{other}");
        }
    }

    #[test]
    fn few_values_are_no_names() {
        let many: Vec<String> = ('a'..='z').map(|c| format!("Ann{c}")).collect();
        let column = Column::from_texts("a", many.iter().map(String::as_str));
        assert!(are_names(&Values::of(&column, &[])));
        let few = ["White", "Black", "Other"].into_iter().cycle().take(90);
        assert!(!are_names(&Values::of(&Column::from_texts("a", few), &[])));
    }
}
