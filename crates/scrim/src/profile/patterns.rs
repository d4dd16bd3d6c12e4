//! The patterns by which names of columns are recognised, in the larger European languages.
//!
//! **Reading.** Patterns are written in small letters without accents: `words` folds names in the same way. The first pattern of the
//! list that is found counts, so what is more special stands first. One that begins with `=` must be the whole name.

use super::topic::Topic;

/// Patterns by topic, parted by commas, in the order in which they are tried.
pub(super) const PATTERNS: &[(Topic, &str)] = &[
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
        "patient name, person name, subject name, first name, last name, full name, middle name, \
         maiden name, given name, family name, birth name, =first, =last, =middle, =maiden, \
         =given, =family, fname, lname, mname, =prefix, =suffix, name prefix, name suffix, \
         initials, salutation, anrede",
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
        "address, street, strasse, adresse, house number, hausnummer, rue, calle, domicilio, direccion, \
         =via, indirizzo, endereco, rua, straat, adres, ulica, adress, gata, addr, road, apartment",
    ),
    (Topic::Web, "url, website, homepage, web"),
    (
        Topic::SocialSecurity,
        "ssn, social security, national id, nhs, nino, tax id, svnr, personnummer, cpr, bsn, \
         aadhaar, nin, pesel, dni, =nie, cpf, codice fiscale, burgerservicenummer, \
         sozialversicherungsnummer, steuernummer",
    ),
    (
        Topic::MedicalRecord,
        "mrn, medical record, record number, chart number, krankenaktennummer, historia clinica",
    ),
    (
        Topic::Stay,
        "case number, case id, fallnummer, fall id, fall nr, encounter id, =encounter, \
         encounter nbr, encounter number, admission id, hadm id, stay id, icustay id, visit id, \
         visit number, episode id, contact id",
    ),
    (
        Topic::HealthPlan,
        "health plan, insurance number, insurance id, policy number, beneficiary, medicare, \
         medicaid id",
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
         certificate number, license, licence, =drivers, fuehrerschein, fuhrerschein, \
         reisepass, passeport, pasaporte, passaporto, paspoort, paszport",
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
        "pid, usubjid, subjid, enrolid, bene id, =pseudonym, pseudonym id, pseudonyme, \
         patientennummer, patientnummer, personennummer, versichertennummer, kundennummer, \
         mitgliedsnummer, matrikelnummer, personalnummer, probandennummer, studiennummer",
    ),
    (
        Topic::BirthDate,
        "birth date, date of birth, dob, birthday, born, geburtsdatum, birth year, \
         year of birth, yob, birth, geburtsjahr, date de naissance, naissance, \
         fecha de nacimiento, nacimiento, data di nascita, nascita, data de nascimento, \
         nascimento, geboortedatum, data urodzenia, fodelsedatum",
    ),
    (
        Topic::Region,
        "country, native country, nation, state, region, province, bundesland, continent, \
         land, pays, pais, paese, kraj",
    ),
    (
        Topic::Place,
        "city, town, county, village, municipality, district, ort, stadt, place, suburb, \
         neighborhood, neighbourhood, borough, census tract, birthplace, geburtsort, wohnort, \
         ville, commune, ciudad, municipio, citta, comune, cidade, woonplaats, miasto",
    ),
    (
        Topic::Postal,
        "zip, zip code, postal, postal code, postcode, plz, postleitzahl, code postal, codigo postal, =cap, =cep, kod pocztowy",
    ),
    (
        Topic::Name,
        "name, names, surname, forename, firstname, lastname, fullname, maidenname, middlename, \
         username, user name, login, nickname, alias, \
         vorname, vornamen, nachname, familienname, geburtsname, maedchenname, madchenname, \
         rufname, zuname, \
         nom, prenom, prenoms, nom de famille, nom de naissance, nom de jeune fille, \
         =nombre, =nombres, nombre completo, nombre paciente, apellido, apellidos, \
         nome, cognome, sobrenome, apelido, \
         naam, voornaam, voornamen, achternaam, familienaam, meisjesnaam, roepnaam, \
         tussenvoegsel, \
         imie, imiona, nazwisko, \
         fornamn, efternamn, fornavn, etternavn, efternavn, etunimi, sukunimi, \
         jmeno, prijmeni, priezvisko, vezeteknev, keresztnev, soyad, soyadi, nume, prenume, \
         имя, фамилия, отчество",
    ),
    (
        Topic::Remark,
        "note, notes, comment, comments, remark, remarks, description, free text, anamnesis, \
         bemerkung, narrative",
    ),
    (
        Topic::Age,
        "age, alter, age group, years old, edad, =eta, idade, leeftijd, wiek, alder",
    ),
    (
        Topic::Intimate,
        "sexual orientation, orientation, sexuality, pregnant, pregnancy, abortion, \
         sexual partners",
    ),
    (
        Topic::Sex,
        "sex, gender, geschlecht, sexe, sexo, sesso, geslacht, plec, genero, =kon",
    ),
    (
        Topic::Origin,
        "race, ethnicity, ethnic, nationality, citizenship, origin, mother tongue, language, \
         native language, skin color, staatsangehorigkeit, staatsangehoerigkeit, nationalite, \
         nacionalidad",
    ),
    (
        Topic::Diagnosis,
        "diagnosis, diagnoses, diagnose, diag, dx, disease, illness, condition, disorder, \
         symptom, symptoms, hiv, aids, cancer, tumor, diabetes, depression, comorbidity, \
         cause of death, problem, complaint, chief complaint, injury, allergy, disability, \
         infection, std, mental health, addiction, krankheit, readmitted, readmission, \
         diagnostic, diagnostico, diagnosi, maladie, enfermedad, malattia, doenca, ziekte, \
         choroba, diagnoza",
    ),
    (
        Topic::Treatment,
        "medication, drug, drugs, prescription, treatment, procedure, therapy, surgery, \
         operation, test result, lab result, result, medikament, insulin, dose, medicament, \
         medicamento, farmaco, =lek",
    ),
    (
        Topic::Money,
        "income, salary, salary class, wage, wages, earnings, pay, debt, credit score, loan, \
         net worth, gehalt, einkommen, balance, charges, cost, revenu, salaire, \
         salario, ingresos, reddito, stipendio, inkomen, dochod",
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
         beruf, position, title, rank, hours per week, metier, profesion, ocupacion, professione, \
         profissao, beroep, zawod",
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
        Topic::Care,
        "admission type, admission source, admission type id, admission source id, \
         discharge disposition, discharge disposition id, length of stay, time in hospital, \
         medical specialty, payer, payer code, insurance type",
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
