//! Names of columns and what they say.
//!
//! **Reading.** A name is cut into words at marks, spaces, digits and where a capital follows a small letter; accents are left out. A
//! pattern is found where its words stand in a row in the name, or where the name written as one word is the pattern written as
//! one word; one that begins with `=` only so. A word for a person beside a word for a number is the key of a person, and so is
//! a word for a person alone.

use super::patterns::PATTERNS;
use super::topic::Topic;

/// Words for a person whose data a table holds.
const PERSONS: &str = "patient patienten patientin paciente pacientes pacient pacienta paziente pazienti pacjent \
    pacjenta potilas person personen persona persone persoon personne pessoa osoba osoby subject subj \
    proband probanden participant teilnehmer participante partecipante deelnemer uczestnik member mitglied \
    membre client cliente klient klienta kunde kunden customer user usuario utilisateur utente gebruiker \
    student pupil schueler schuler employee mitarbeiter empleado employe dipendente pracownik werknemer \
    resident citizen bewohner individual respondent enrollee beneficiary insured versicherter versicherten \
    donor subscriber applicant";

/// Words for the number or key of something.
const NUMBERS: &str = "id ids nr no num number nbr key code uuid guid hash pseudonym nummer numero numer num kod clave \
    identifier identifiant identificador identificatore sleutel";

/// Words that name a list of codes, not a thing of its own: `admission_type_id`.
const LISTS: &str = "type types kind class category status source group level grade disposition reason mode stage flag \
    typ art kategorie gruppe tipo categoria estado stato grupo groupe etat soort rodzaj";

/// What a name says.
pub(super) fn topic(name: &str) -> Option<Topic> {
    let words = words(name);
    let glued = words.concat();
    let is_found = |pattern: &str| {
        if let Some(whole) = pattern.strip_prefix('=') {
            return whole == glued;
        }
        let wanted: Vec<&str> = pattern.split(' ').collect();
        wanted.concat() == glued
            || words
                .windows(wanted.len())
                .any(|row| row == wanted.as_slice())
    };
    if is_person_key(&words) {
        return Some(Topic::PersonId);
    }
    let found = PATTERNS
        .iter()
        .find(|(_, patterns)| patterns.split(',').any(|pattern| is_found(pattern.trim())));
    found.map(|(topic, _)| *topic)
}

/// Whether a name says that a column tells persons apart, in any of the larger languages.
#[must_use]
pub fn names_a_person_key(name: &str) -> bool {
    topic(name) == Some(Topic::PersonId)
}

/// Whether a name says that it is a person's number outright, and not only the word for a person.
pub(super) fn names_a_person_number(name: &str) -> bool {
    let words = words(name);
    let alone = matches!(words.as_slice(), [word] if is_one_of(PERSONS, word));
    topic(name) == Some(Topic::PersonId) && !alone
}

/// Whether a name is that of a list of codes.
pub(super) fn names_a_list(name: &str) -> bool {
    let words = words(name);
    words.iter().any(|word| is_one_of(LISTS, word))
}

/// A person's word alone, beside a word for a number (also with `of` between them), or run together with one.
fn is_person_key(words: &[String]) -> bool {
    let words: Vec<&str> = words
        .iter()
        .map(String::as_str)
        .filter(|word| !["of", "de", "del", "di", "du", "do", "des", "van"].contains(word))
        .collect();
    let pair = |left: &str, right: &str| is_one_of(PERSONS, left) && is_one_of(NUMBERS, right);
    let beside = |row: &[&str]| pair(row[0], row[1]) || pair(row[1], row[0]);
    match words.as_slice() {
        [word] => is_one_of(PERSONS, word) || is_run_together(word),
        row => row.windows(2).any(beside),
    }
}

fn is_run_together(word: &str) -> bool {
    let splits = word.char_indices().skip(1).map(|(at, _)| word.split_at(at));
    let is_pair = |left: &str, right: &str| is_one_of(PERSONS, left) && is_one_of(NUMBERS, right);
    let mut pairs = splits.filter(|(left, right)| left.len() > 1 && right.len() > 1);
    pairs.any(|(left, right)| is_pair(left, right) || is_pair(right, left))
}

fn is_one_of(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|own| own == word)
}

/// The words of a name, in small letters without accents.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut last = ' ';
    for character in name.chars() {
        let parted = last.is_lowercase() && character.is_uppercase()
            || last.is_numeric() != character.is_numeric();
        if parted || !character.is_alphanumeric() {
            words.push(String::new());
        }
        if let (true, Some(word)) = (character.is_alphanumeric(), words.last_mut()) {
            character.to_lowercase().for_each(|c| fold(c, word));
        }
        last = character;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Writes a small letter without its accent.
fn fold(character: char, word: &mut String) {
    match character {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ą' | 'ă' => word.push('a'),
        'è' | 'é' | 'ê' | 'ë' | 'ę' | 'ě' => word.push('e'),
        'ì' | 'í' | 'î' | 'ï' | 'ı' => word.push('i'),
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ő' => word.push('o'),
        'ù' | 'ú' | 'û' | 'ü' | 'ů' | 'ű' => word.push('u'),
        'ç' | 'ć' | 'č' => word.push('c'),
        'ñ' | 'ń' | 'ň' => word.push('n'),
        'ś' | 'š' | 'ş' | 'ș' => word.push('s'),
        'ź' | 'ż' | 'ž' => word.push('z'),
        'ý' | 'ÿ' => word.push('y'),
        'ř' => word.push('r'),
        'ť' | 'ț' => word.push('t'),
        'ď' => word.push('d'),
        'ł' => word.push('l'),
        'ß' => word.push_str("ss"),
        'æ' => word.push_str("ae"),
        'œ' => word.push_str("oe"),
        // A combining mark stands after its letter.
        '\u{300}'..='\u{36f}' => {}
        other => word.push(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_into_words() {
        assert_eq!(words("patientID"), ["patient", "id"]);
        assert_eq!(words("Date of Birth"), ["date", "of", "birth"]);
        assert_eq!(words("diag_1"), ["diag", "1"]);
        assert_eq!(words("«größe»"), ["grosse"]);
        assert!(words("--").is_empty());
    }

    #[test]
    fn what_is_more_special_counts_first() {
        for (name, expected) in [
            ("zip", Topic::Postal),
            ("ZipCode", Topic::Postal),
            ("e-mail", Topic::Email),
            ("patient_name", Topic::Name),
            ("BirthDate", Topic::BirthDate),
            ("patient_age", Topic::Age),
            ("patient ID", Topic::PersonId),
            ("race", Topic::Origin),
            ("native-country", Topic::Region),
            ("salary-class", Topic::Money),
            ("Problem", Topic::Diagnosis),
            ("marital-status", Topic::Family),
            ("workclass", Topic::Job),
            ("admitted", Topic::Event),
            ("patient", Topic::PersonId),
            ("Geburtsdatum", Topic::BirthDate),
            ("license plate", Topic::Vehicle),
            ("drug name", Topic::Treatment),
            ("city name", Topic::Place),
            ("country of birth", Topic::Region),
        ] {
            assert_eq!(topic(name), Some(expected), "{name}");
        }
        assert_eq!(topic("ward"), None);
        assert_eq!(topic("manager"), None);
        assert_eq!(topic(""), None);
    }

    #[test]
    fn a_person_s_key_is_known_in_many_languages() {
        for name in [
            "patient_id",
            "PATIENT",
            "Patient ID",
            "PatientenNr",
            "Patienten-Nummer",
            "patientid",
            "subject",
            "SUBJID",
            "USUBJID",
            "id_paciente",
            "numero de paciente",
            "ID Paziente",
            "nr_pacjenta",
            "Pacjent",
            "numéro_patient",
            "id du patient",
            "PersonID",
            "persoon_id",
            "userId",
            "customer_no",
            "kunden_nr",
            "patient_nbr",
            "member-number",
            "proband",
        ] {
            assert!(names_a_person_key(name), "{name}");
        }
        for name in [
            "patient_age",
            "patient name",
            "user agent",
            "personality",
            "id",
            "client_country",
            "ward",
        ] {
            assert!(!names_a_person_key(name), "{name}");
        }
        assert!(names_a_person_number("patient_id") && !names_a_person_number("patient"));
    }

    #[test]
    fn names_of_persons_are_known_in_many_languages() {
        for name in [
            "FIRST",
            "LAST",
            "MAIDEN",
            "given",
            "family",
            "fname",
            "lname",
            "First Name",
            "surname",
            "Vorname",
            "Nachname",
            "Familienname",
            "Mädchenname",
            "prénom",
            "Nom",
            "nombre",
            "apellidos",
            "cognome",
            "Nome",
            "sobrenome",
            "voornaam",
            "achternaam",
            "imię",
            "Nazwisko",
            "förnamn",
            "příjmení",
            "Фамилия",
            "PREFIX",
        ] {
            assert_eq!(topic(name), Some(Topic::Name), "{name}");
        }
        for name in [
            "last visit",
            "first dose",
            "family size",
            "tournament",
            "nominal",
            "lastly",
        ] {
            assert_ne!(topic(name), Some(Topic::Name), "{name}");
        }
    }

    #[test]
    fn lists_of_codes_are_known_by_their_names() {
        assert!(names_a_list("admission_type_id") && names_a_list("Status-Nr"));
        assert!(!names_a_list("encounter_id") && !names_a_list("site_id"));
    }
}
