//! First and last names, to be combined by chance. Nobody in particular is meant.

use super::people::Sex;

/// First names of women.
#[rustfmt::skip]
const FEMALE: [&str; 40] = [
    "Aisha", "Alma", "Amara", "Ana", "Astrid", "Beatriz", "Camille", "Carla", "Chiara", "Dalia",
    "Elena", "Emma", "Fatima", "Freya", "Grace", "Hana", "Ingrid", "Irina", "Jana", "Julia", "Kaja",
    "Leila", "Linh", "Lucía", "Maja", "Marta", "Mei", "Nadia", "Naomi", "Nora", "Olga", "Paula",
    "Priya", "Rosa", "Ruth", "Sofia", "Tereza", "Yara", "Zeynep", "Zoë",
];

/// First names of men.
#[rustfmt::skip]
const MALE: [&str; 40] = [
    "Adam", "Ahmed", "Aleksandar", "Anders", "André", "Ben", "Carlos", "Chen", "Daniel", "David",
    "Emil", "Emre", "Farid", "Felix", "Gabriel", "George", "Hassan", "Henrik", "Hiroshi", "Ibrahim",
    "Ivan", "Jakub", "Jonas", "José", "Karim", "Kofi", "Lars", "Luca", "Marek", "Mateo", "Milan",
    "Noah", "Oskar", "Pavel", "Rafael", "Ravi", "Samuel", "Tomás", "Viktor", "Yusuf",
];

/// Last names.
#[rustfmt::skip]
const LAST: [&str; 64] = [
    "Abadi", "Acosta", "Ahlberg", "Almeida", "Andersen", "Aydin", "Bakker", "Balogh", "Barros",
    "Berger", "Bianchi", "Brandt", "Carvalho", "Castillo", "Cohen", "Costa", "Danso", "Demir",
    "Dubois", "Egger", "Eriksen", "Farah", "Ferrari", "Fischer", "Fontaine", "Gruber", "Haddad",
    "Hansen", "Holm", "Horvat", "Ito", "Jansen", "Kaya", "Keller", "Kim", "Kowalski", "Kumar",
    "Laurent", "Lindqvist", "Mancini", "Martin", "Mensah", "Moreau", "Müller", "Nagy", "Nguyen",
    "Novak", "Okafor", "Oliveira", "Park", "Petrov", "Popescu", "Quiroga", "Rossi", "Sato",
    "Schmidt", "Silva", "Singh", "Tanaka", "Varga", "Walker", "Wójcik", "Yilmaz", "Zhang",
];

/// How many first names each sex has.
pub(super) const FIRST_COUNT: usize = FEMALE.len();

/// How many last names there are.
pub(super) const LAST_COUNT: usize = LAST.len();

/// The first name with this number; who is neither woman nor man has one of either list.
pub(super) fn first(sex: Sex, number: u8) -> &'static str {
    let number = usize::from(number);
    match sex {
        Sex::Female => FEMALE[number],
        Sex::Diverse if number < FIRST_COUNT / 2 => FEMALE[number],
        Sex::Male | Sex::Diverse => MALE[number],
    }
}

/// The last name with this number.
pub(super) fn last(number: u8) -> &'static str {
    LAST[usize::from(number)]
}
