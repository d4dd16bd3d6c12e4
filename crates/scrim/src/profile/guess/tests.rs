//! Guesses at roles, column by column and together.

use crate::profile::Profile;
use crate::table::{Column, Role, Table};

fn roles(columns: &[(&str, Vec<String>)]) -> Vec<Role> {
    let columns = columns
        .iter()
        .map(|(name, texts)| Column::from_texts(name, texts.iter().map(String::as_str)));
    let profile = Profile::of(&Table::new(columns.collect()).unwrap());
    let roles = profile.columns.iter();
    roles.map(|column| column.guess.role).collect()
}

fn many(text: impl Fn(u32) -> String) -> Vec<String> {
    (0..40).map(text).collect()
}

#[test]
fn values_go_before_names_and_names_before_counts() {
    let roles = roles(&[
        ("contact", many(|at| format!("p{at}@example.org"))),
        ("age", many(|at| (at % 7).to_string())),
        ("key", many(|at| format!("K{at}"))),
        ("tag", many(|at| format!("T{at}"))),
        (
            "hiv",
            many(|at| if at % 2 == 0 { "yes" } else { "no" }.to_owned()),
        ),
        ("ward", many(|at| format!("West {}", at % 3))),
        ("patient", many(|at| format!("P{}", at / 2))),
        ("level", many(|at| format!("{}.{at}", at % 9))),
        (
            "code",
            many(|at| format!("{}2{}.1", ["A", "J", "K"][at as usize % 3], at % 4)),
        ),
    ]);
    let expected = [
        Role::Identifier,
        Role::Quasi,
        Role::Identifier,
        Role::Identifier,
        Role::Sensitive,
        Role::Quasi,
        Role::Person,
        Role::Quasi,
        Role::Sensitive,
    ];
    assert_eq!(roles, expected);
}

fn profile(columns: &[(&str, Vec<String>)]) -> Profile {
    let columns = columns
        .iter()
        .map(|(name, texts)| Column::from_texts(name, texts.iter().map(String::as_str)));
    Profile::of(&Table::new(columns.collect()).unwrap())
}

/// The role of a column and whether it was only guessed.
fn guess_of(profile: &Profile, name: &str) -> (Role, bool) {
    let guess = &profile.column(name).unwrap().guess;
    (guess.role, guess.unsure)
}

fn uuid(number: u32) -> String {
    format!("{number:08x}-1111-4222-8333-{number:012x}")
}

#[test]
fn a_repeating_key_of_a_person_is_a_person_whatever_its_values_look_like() {
    let looks: [fn(u32) -> String; 4] = [
        uuid,
        |at| format!("MRN{at:05}"),
        |at| (48_330_000 + at * 7).to_string(),
        |at| format!("555-010-{at:04}"),
    ];
    for look in looks {
        for name in [
            "patient_id",
            "PATIENT",
            "subject",
            "PatientenNr",
            "id_paciente",
        ] {
            let key = many(|at| look(at / 4));
            let profile = profile(&[(name, key), ("age", many(|at| (at % 7).to_string()))]);
            assert_eq!(guess_of(&profile, name), (Role::Person, false), "{name}");
            assert!(profile.counts_persons());
        }
    }
}

#[test]
fn a_person_s_key_that_does_not_repeat_or_is_missing_somewhere_still_tells_persons() {
    let alone = many(|at| at.to_string());
    let gaps = many(|at| match at {
        3 => "?".to_owned(),
        _ => (at / 2).to_string(),
    });
    let age = ("age", many(|_| "7".to_owned()));
    let mixed = many(|at| {
        if at == 0 {
            "X".to_owned()
        } else {
            (at / 2).to_string()
        }
    });
    for key in [alone, gaps, mixed] {
        let profile = profile(&[("patient", key), age.clone()]);
        assert_eq!(guess_of(&profile, "patient"), (Role::Person, false));
    }
    let mostly_missing = many(|at| {
        if at % 2 == 0 {
            String::new()
        } else {
            (at / 4).to_string()
        }
    });
    let profile = profile(&[("patient_id", mostly_missing), age]);
    assert_eq!(guess_of(&profile, "patient_id").0, Role::Identifier);
}

#[test]
fn the_best_key_tells_persons_and_others_are_identifiers() {
    let profile = profile(&[
        ("ssn", many(|at| format!("999-12-{:04}", at / 4))),
        ("ENCOUNTER", many(|at| uuid(at / 2))),
        ("PATIENT", many(|at| uuid(at / 4))),
        ("age", many(|at| (at % 7).to_string())),
    ]);
    assert_eq!(guess_of(&profile, "PATIENT"), (Role::Person, false));
    assert_eq!(guess_of(&profile, "ssn").0, Role::Identifier);
    assert_eq!(guess_of(&profile, "ENCOUNTER").0, Role::Identifier);
}

#[test]
fn registers_tell_persons_and_other_keys_are_only_guessed_to() {
    let age = ("age", many(|at| (at % 7).to_string()));
    let ssn = ("ssn", many(|at| format!("999-12-{:04}", at / 4)));
    let registered = profile(&[ssn, age.clone()]);
    assert_eq!(guess_of(&registered, "ssn"), (Role::Person, false));
    for (name, look) in [
        (
            "encounter_id",
            (|at| (1000 + at / 4).to_string()) as fn(u32) -> String,
        ),
        ("e-mail", |at| format!("p{}@example.org", at / 4)),
        ("id", |at| (at / 2).to_string()),
        ("thing", |at| uuid(at / 2)),
        ("thing", |at| format!("K{:04}", at / 2)),
        ("nbr", |at| (600_000 + at / 2).to_string()),
    ] {
        let profile = profile(&[(name, many(look)), age.clone()]);
        assert_eq!(guess_of(&profile, name), (Role::Person, true), "{name}");
    }
}

#[test]
fn dates_are_quasi_identifiers_whatever_their_name() {
    let day = |at: u32| format!("2020-01-{:02}", 1 + at % 28);
    for name in ["DIAG_DATE", "START", "treatment", "first", "x", "birth"] {
        let profile = profile(&[
            (name, many(day)),
            ("sex", many(|at| ["m", "f"][at as usize % 2].into())),
        ]);
        assert_eq!(guess_of(&profile, name), (Role::Quasi, false), "{name}");
    }
}

#[test]
fn names_are_identifiers_by_their_column_and_by_their_looks() {
    let names = many(|at| format!("Ann{}", char::from(b'a' + (at % 26) as u8)));
    for name in [
        "FIRST", "last", "Vorname", "apellido", "imię", "cognome", "voornaam",
    ] {
        let profile = profile(&[
            (name, names.clone()),
            ("age", many(|at| (at % 7).to_string())),
        ]);
        assert_eq!(
            guess_of(&profile, name),
            (Role::Identifier, false),
            "{name}"
        );
    }
    let unknown = profile(&[("x", names), ("age", many(|at| (at % 7).to_string()))]);
    assert_eq!(guess_of(&unknown, "x"), (Role::Identifier, true));
    let numbers = profile(&[
        ("first", many(|at| (at % 3).to_string())),
        ("age", many(|_| "7".into())),
    ]);
    assert_eq!(guess_of(&numbers, "first"), (Role::Quasi, true));
}

#[test]
fn codes_of_few_values_are_categories_though_they_are_named_id() {
    let profile = profile(&[
        ("admission_type_id", many(|at| (at % 4).to_string())),
        ("status_nr", many(|at| (at % 3).to_string())),
        ("ward", many(|at| format!("West {}", at % 5))),
    ]);
    for name in ["admission_type_id", "status_nr"] {
        assert_eq!(guess_of(&profile, name), (Role::Quasi, false), "{name}");
        assert_eq!(profile.column(name).unwrap().kind.words(), "category");
    }
}

#[test]
fn columns_that_determine_each_other_get_one_role() {
    let illness = [
        "Asthma",
        "Acute bronchitis",
        "Anemia",
        "Fracture of arm",
        "Viral sinusitis",
    ];
    let mut profile = profile(&[
        ("CODE", many(|at| (65_363_002 + at % 5).to_string())),
        (
            "DESCRIPTION",
            many(|at| illness[at as usize % 5].to_owned()),
        ),
        ("zip", many(|at| format!("1011{}", at % 7))),
        (
            "thing",
            many(|at| {
                [
                    "Mitte", "Wedding", "Tegel", "Spandau", "Buch", "Gatow", "Kladow",
                ][at as usize % 7]
                    .into()
            }),
        ),
    ]);
    assert_eq!(guess_of(&profile, "DESCRIPTION"), (Role::Sensitive, false));
    assert_eq!(guess_of(&profile, "CODE"), (Role::Sensitive, false));
    assert_eq!(guess_of(&profile, "thing"), (Role::Quasi, false));
    let pairs: Vec<(&str, &str)> = profile
        .pairs()
        .map(|(left, right)| (left.name.as_str(), right.name.as_str()))
        .collect();
    assert_eq!(pairs, [("CODE", "DESCRIPTION"), ("zip", "thing")]);
    profile.decide("zip", Role::Identifier).unwrap();
    assert_eq!(guess_of(&profile, "thing"), (Role::Identifier, false));
}

#[test]
fn what_is_known_and_what_is_secret_are_not_made_one() {
    let profile = profile(&[
        ("zip", many(|at| format!("1011{}", at % 7))),
        ("diagnosis", many(|at| format!("illness {}", at % 7))),
    ]);
    assert_eq!(guess_of(&profile, "zip"), (Role::Quasi, true));
    assert_eq!(guess_of(&profile, "diagnosis"), (Role::Sensitive, true));
}

#[test]
fn a_table_of_a_secret_alone_has_it_generalized() {
    assert_eq!(
        roles(&[("salary", many(|at| (at % 5).to_string()))]),
        [Role::Quasi]
    );
    assert_eq!(
        roles(&[("email", many(|at| format!("{at}@x.org")))]),
        [Role::Identifier]
    );
}

#[test]
fn too_many_columns_are_cut_down_to_those_with_few_values() {
    let columns: Vec<(String, Vec<String>)> = (0..20)
        .map(|column| {
            (
                format!("c{column}"),
                many(move |at| format!("v {}", at % (column + 2))),
            )
        })
        .collect();
    let columns: Vec<(&str, Vec<String>)> = columns
        .iter()
        .map(|(name, texts)| (name.as_str(), texts.clone()))
        .collect();
    let roles = roles(&columns);
    assert!(roles[..16].iter().all(|role| *role == Role::Quasi));
    assert!(roles[16..].iter().all(|role| *role == Role::Identifier));
}
