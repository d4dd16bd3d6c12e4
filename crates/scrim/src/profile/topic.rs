//! What a column is about, and what follows for its role.

use super::hipaa::Hipaa;
use crate::table::Role;

/// What a column is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Topic {
    Name,
    Address,
    Coordinates,
    Phone,
    Fax,
    Email,
    SocialSecurity,
    MedicalRecord,
    /// A number of a stay, a visit or a case: one person may have several.
    Stay,
    HealthPlan,
    Account,
    License,
    Vehicle,
    Device,
    Web,
    Internet,
    Biometric,
    Photo,
    /// A number of a person: links rows where it repeats.
    PersonId,
    /// A number of something else.
    OtherId,
    Remark,
    Wish,
    Postal,
    Place,
    Region,
    BirthDate,
    Event,
    Age,
    Sex,
    Origin,
    Job,
    Education,
    Family,
    /// How somebody was cared for: known to those who were there, and to who pays.
    Care,
    Body,
    Diagnosis,
    Treatment,
    Money,
    Belief,
    Intimate,
    Crime,
}

impl Topic {
    /// The role of such a column.
    pub(super) fn role(self) -> Role {
        match self {
            Self::PersonId => Role::Person,
            Self::Name
            | Self::Address
            | Self::Coordinates
            | Self::Phone
            | Self::Fax
            | Self::Email
            | Self::SocialSecurity
            | Self::MedicalRecord
            | Self::Stay
            | Self::HealthPlan
            | Self::Account
            | Self::License
            | Self::Vehicle
            | Self::Device
            | Self::Web
            | Self::Internet
            | Self::Biometric
            | Self::Photo
            | Self::OtherId
            | Self::Remark
            | Self::Wish => Role::Identifier,
            Self::Postal
            | Self::Place
            | Self::Region
            | Self::BirthDate
            | Self::Event
            | Self::Age
            | Self::Sex
            | Self::Origin
            | Self::Job
            | Self::Education
            | Self::Family
            | Self::Care
            | Self::Body => Role::Quasi,
            Self::Diagnosis
            | Self::Treatment
            | Self::Money
            | Self::Belief
            | Self::Intimate
            | Self::Crime => Role::Sensitive,
        }
    }

    /// Why, in words.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Name => "a name says outright who it is",
            Self::Address => "an address leads to a door",
            Self::Coordinates => "coordinates lead to a door",
            Self::Phone => "telephone numbers",
            Self::Fax => "fax numbers",
            Self::Email => "e-mail addresses",
            Self::SocialSecurity => "national identity numbers",
            Self::MedicalRecord => "medical record numbers",
            Self::Stay => "numbers of stays, visits or cases",
            Self::HealthPlan => "numbers of a health insurance",
            Self::Account => "account or card numbers",
            Self::License => "numbers of certificates or papers",
            Self::Vehicle => "vehicles and their plates",
            Self::Device => "devices and their serial numbers",
            Self::Web => "web addresses",
            Self::Internet => "internet addresses",
            Self::Biometric => "biometric traits",
            Self::Photo => "pictures",
            Self::PersonId => "a number of a person",
            Self::OtherId => "numbers that others may know",
            Self::Remark => "remarks may name anybody: dropped",
            Self::Wish => "a person's own wish is never published",
            Self::Postal => "a postal code is known to many",
            Self::Place => "a place is known to many",
            Self::Region => "a region or country is known to many",
            Self::BirthDate => "birth dates are known to many",
            Self::Event => "dates of events can be found out",
            Self::Age => "an age is known to many",
            Self::Sex => "the sex is known to many",
            Self::Origin => "origin is known to many",
            Self::Job => "work is known to many",
            Self::Education => "schooling is known to many",
            Self::Family => "the family is known to many",
            Self::Care => "how a stay went is known to many",
            Self::Body => "what the body looks like can be seen",
            Self::Diagnosis => "about an illness",
            Self::Treatment => "treatment tells the illness",
            Self::Money => "about money",
            Self::Belief => "about beliefs",
            Self::Intimate => "about intimate life",
            Self::Crime => "about crime or the law",
        }
    }

    /// The identifier of HIPAA's Safe Harbor that it is.
    pub(super) fn hipaa(self) -> Option<Hipaa> {
        let letter = match self {
            Self::Name => 'A',
            Self::Address | Self::Coordinates | Self::Postal | Self::Place => 'B',
            Self::BirthDate | Self::Event | Self::Age => 'C',
            Self::Phone => 'D',
            Self::Fax => 'E',
            Self::Email => 'F',
            Self::SocialSecurity => 'G',
            Self::MedicalRecord | Self::Stay => 'H',
            Self::HealthPlan => 'I',
            Self::Account => 'J',
            Self::License => 'K',
            Self::Vehicle => 'L',
            Self::Device => 'M',
            Self::Web => 'N',
            Self::Internet => 'O',
            Self::Biometric => 'P',
            Self::Photo => 'Q',
            Self::PersonId | Self::OtherId => 'R',
            _ => return None,
        };
        Hipaa::of(letter)
    }
}
