//! The table of diagnoses.

/// A diagnosis with its place in the tree.
pub(super) struct Diagnosis {
    /// Its name, a leaf.
    pub(super) name: &'static str,
    /// The taxon above it.
    pub(super) group: &'static str,
    /// The taxon above the group.
    pub(super) chapter: &'static str,
    /// How common it is in each band of [`STARTS`].
    pub(super) weights: [u32; 4],
    /// How often women have it, for each hundred cases of men.
    pub(super) women: u32,
}

/// The ages with which the bands of [`Diagnosis::weights`] start.
pub(super) const STARTS: [u32; 4] = [0, 15, 40, 65];

const INFECTION: &str = "infectious disease";
const LUNGS: &str = "respiratory disease";
const DIGESTION: &str = "digestive disease";
const HEART: &str = "heart and vessel disease";
const MIND: &str = "mental disorder";
const INJURY: &str = "injury";
const CANCER: &str = "cancer";

/// A line of the table below.
const fn case(
    chapter: &'static str,
    group: &'static str,
    name: &'static str,
    weights: [u32; 4],
    women: u32,
) -> Diagnosis {
    Diagnosis {
        name,
        group,
        chapter,
        weights,
        women,
    }
}

/// All diagnoses, those of a group side by side, as the groups of a chapter.
#[rustfmt::skip] // a line a row
pub(super) const DIAGNOSES: [Diagnosis; 34] = [
    case(INFECTION, "sexually transmitted infection", "HIV infection", [0, 12, 8, 2], 45),
    case(INFECTION, "sexually transmitted infection", "syphilis", [0, 10, 5, 1], 40),
    case(INFECTION, "sexually transmitted infection", "gonorrhea", [0, 14, 4, 1], 70),
    case(INFECTION, "viral hepatitis", "hepatitis B", [1, 9, 9, 4], 80),
    case(INFECTION, "viral hepatitis", "hepatitis C", [0, 9, 12, 4], 70),
    case(INFECTION, "gut infection", "salmonella infection", [45, 14, 12, 14], 100),
    case(INFECTION, "gut infection", "norovirus infection", [80, 16, 12, 30], 105),
    case(LUNGS, "airway infection", "influenza", [70, 25, 22, 45], 100),
    case(LUNGS, "airway infection", "pneumonia", [70, 20, 38, 95], 85),
    case(LUNGS, "airway infection", "bronchitis", [95, 12, 18, 35], 95),
    case(LUNGS, "chronic lung disease", "asthma", [50, 24, 16, 12], 120),
    case(LUNGS, "chronic lung disease", "COPD", [0, 1, 45, 80], 75),
    case(DIGESTION, "stomach disease", "gastritis", [20, 34, 34, 30], 115),
    case(DIGESTION, "stomach disease", "stomach ulcer", [1, 10, 24, 26], 75),
    case(DIGESTION, "bowel disease", "appendicitis", [70, 55, 18, 6], 90),
    case(DIGESTION, "bowel disease", "Crohn disease", [6, 22, 12, 5], 105),
    case(DIGESTION, "bowel disease", "inguinal hernia", [24, 20, 42, 40], 20),
    case(HEART, "heart disease", "heart attack", [0, 3, 60, 80], 50),
    case(HEART, "heart disease", "heart failure", [1, 3, 40, 150], 95),
    case(HEART, "heart disease", "atrial fibrillation", [0, 4, 40, 95], 80),
    case(HEART, "vessel disease", "hypertension", [0, 8, 50, 60], 110),
    case(HEART, "vessel disease", "stroke", [0, 4, 38, 110], 90),
    case(MIND, "mood disorder", "depression", [10, 70, 55, 22], 160),
    case(MIND, "mood disorder", "bipolar disorder", [0, 20, 14, 4], 105),
    case(MIND, "addiction", "alcohol dependence", [0, 55, 75, 14], 40),
    case(MIND, "addiction", "opioid dependence", [0, 24, 10, 1], 45),
    case(INJURY, "fracture", "wrist fracture", [60, 26, 24, 30], 120),
    case(INJURY, "fracture", "hip fracture", [1, 3, 12, 75], 190),
    case(INJURY, "head injury", "concussion", [110, 45, 20, 30], 85),
    case(INJURY, "head injury", "scalp wound", [40, 16, 10, 16], 75),
    case(CANCER, "solid tumor", "lung cancer", [0, 2, 32, 42], 75),
    case(CANCER, "solid tumor", "breast cancer", [0, 10, 40, 30], 3000),
    case(CANCER, "solid tumor", "colon cancer", [0, 3, 26, 45], 85),
    case(CANCER, "blood cancer", "leukemia", [14, 5, 9, 16], 80),
];

/// The groups that people often wish to hide.
pub(super) const DELICATE: [&str; 4] = [
    "sexually transmitted infection",
    "viral hepatitis",
    "mood disorder",
    "addiction",
];
