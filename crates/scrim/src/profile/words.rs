//! Names of columns and what they say.
//!
//! **Reading.** A name is cut into words at marks, spaces, digits and where a capital follows a small letter. A pattern is found
//! where its words stand in a row in the name, or where the name written as one word is the pattern written as one word; one that
//! begins with `=` only so.
//! The first pattern of the list that is found counts, so what is more special stands first.

use super::topic::Topic;

/// Patterns by topic, parted by commas, in the order in which they are tried.
const PATTERNS: &[(Topic, &str)] = &[
    (Topic::Wish, "wish, guard node, consent"),
    (Topic::Treatment, "drug name, medication name"),
    (
        Topic::Diagnosis,
        "disease name, icd, icd 9, icd 10, diagnosis name",
    ),
    (
        Topic::Region,
        "country of birth, country name, state name, birth country",
    ),
    (
        Topic::Place,
        "city name, place of birth, birth place, county name",
    ),
    (Topic::Job, "job title, job name"),
    (
        Topic::Name,
        "patient name, person name, subject name, first name, last name, full name",
    ),
    (Topic::Email, "email, e mail, mail"),
    (Topic::Fax, "fax, telefax"),
    (
        Topic::Phone,
        "phone, telephone, telefon, mobile, cell phone, tel, handy",
    ),
    (Topic::Internet, "ip, ip address, ipv 4, ipv 6"),
    (
        Topic::Device,
        "mac address, device id, device, serial, serial number, imei, udi",
    ),
    (
        Topic::Address,
        "address, street, strasse, straße, adresse, house number, addr, road, apartment",
    ),
    (Topic::Web, "url, website, homepage, web"),
    (
        Topic::SocialSecurity,
        "ssn, social security, national id, nhs, nino, tax id, svnr, personnummer, cpr, bsn, \
         aadhaar, nin",
    ),
    (
        Topic::MedicalRecord,
        "mrn, medical record, record number, chart number, case number, case id, fallnummer, \
         encounter id, admission id, visit id",
    ),
    (
        Topic::HealthPlan,
        "health plan, insurance number, insurance id, policy number, beneficiary, medicare, \
         medicaid id, versichertennummer",
    ),
    (
        Topic::Account,
        "account, iban, bic, credit card, card number, konto, kontonummer",
    ),
    (
        Topic::Vehicle,
        "vin, plate, license plate, number plate, kennzeichen, vehicle id",
    ),
    (
        Topic::License,
        "license number, licence number, driver license, drivers license, passport, \
         certificate number, license, licence",
    ),
    (
        Topic::Biometric,
        "fingerprint, voiceprint, iris, retina, biometric, dna",
    ),
    (Topic::Photo, "photo, picture, image, portrait"),
    (
        Topic::Coordinates,
        "lat, latitude, lon, lng, long, longitude, gps, coordinates, geo",
    ),
    (
        Topic::PersonId,
        "patient id, patient nr, patient no, patient number, patient nbr, =patient, \
         person id, =person, pid, subject id, =subject, member id, client id, customer id, \
         user id, participant id, =participant, student id, employee id, =pseudonym, \
         pseudonym id, resident id, citizen id, enrolid, bene id",
    ),
    (
        Topic::BirthDate,
        "birth date, date of birth, dob, birthday, born, geburtsdatum, birth year, \
         year of birth, yob, birth, geburtsjahr",
    ),
    (
        Topic::Region,
        "country, native country, nation, state, region, province, bundesland, continent, \
         land",
    ),
    (
        Topic::Place,
        "city, town, county, village, municipality, district, ort, stadt, place, suburb, \
         neighborhood, neighbourhood, borough, census tract",
    ),
    (
        Topic::Postal,
        "zip, zip code, postal, postal code, postcode, plz, postleitzahl",
    ),
    (
        Topic::Name,
        "name, first name, last name, surname, given name, family name, full name, vorname, \
         nachname, forename, patient name, maiden name, username, user name, login, \
         nickname, nom, prenom",
    ),
    (
        Topic::Remark,
        "note, notes, comment, comments, remark, remarks, description, free text, anamnesis, \
         bemerkung, narrative",
    ),
    (Topic::Age, "age, alter, age group, years old"),
    (
        Topic::Intimate,
        "sexual orientation, orientation, sexuality, pregnant, pregnancy, abortion, \
         sexual partners",
    ),
    (Topic::Sex, "sex, gender, geschlecht"),
    (
        Topic::Origin,
        "race, ethnicity, ethnic, nationality, citizenship, origin, mother tongue, language, \
         native language, skin color",
    ),
    (
        Topic::Diagnosis,
        "diagnosis, diagnoses, diagnose, diag, dx, disease, illness, condition, disorder, \
         symptom, symptoms, hiv, aids, cancer, tumor, diabetes, depression, comorbidity, \
         cause of death, problem, complaint, chief complaint, injury, allergy, disability, \
         infection, std, mental health, addiction, krankheit",
    ),
    (
        Topic::Treatment,
        "medication, drug, drugs, prescription, treatment, procedure, therapy, surgery, \
         operation, test result, lab result, result, medikament",
    ),
    (
        Topic::Money,
        "income, salary, salary class, wage, wages, earnings, pay, debt, credit score, loan, \
         net worth, gehalt, einkommen, balance, charges, cost",
    ),
    (
        Topic::Belief,
        "religion, faith, church, denomination, political, politics, party, vote, \
         union member, konfession",
    ),
    (
        Topic::Crime,
        "crime, offence, offense, conviction, arrest, sentence, criminal record",
    ),
    (
        Topic::Job,
        "job, occupation, profession, workclass, work class, employer, employment, industry, \
         beruf, position, title, rank",
    ),
    (
        Topic::Education,
        "education, school, degree, qualification, education num, bildung, university",
    ),
    (
        Topic::Family,
        "marital, marital status, marriage, married, relationship, children, household, \
         family size, familienstand, spouse",
    ),
    (
        Topic::Body,
        "height, weight, bmi, eye color, hair color, blood type, blood group",
    ),
    (
        Topic::Event,
        "date, datum, day, month, year, time, timestamp, admitted, admission date, \
         discharged, discharge date, death date, visit date, dod",
    ),
    (
        Topic::OtherId,
        "id, uuid, guid, identifier, nr, number, key, index, rowid, record",
    ),
];

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
    let found = PATTERNS
        .iter()
        .find(|(_, patterns)| patterns.split(',').any(|pattern| is_found(pattern.trim())));
    found.map(|(topic, _)| *topic)
}

/// The words of a name, in small letters.
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
            word.extend(character.to_lowercase());
        }
        last = character;
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_into_words() {
        assert_eq!(words("patientID"), ["patient", "id"]);
        assert_eq!(words("Date of Birth"), ["date", "of", "birth"]);
        assert_eq!(words("diag_1"), ["diag", "1"]);
        assert_eq!(words("«größe»"), ["größe"]);
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
}
