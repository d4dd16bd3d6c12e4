//! What a manifest tells, as far as a report shows it. A page is made from the manifest's text, when it is published and
//! later: so it is the same page.

use scrim::Place;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::IoError;

/// A file and its hash.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Hashed {
    pub(crate) file: String,
    pub(crate) sha256: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct PolicyTold {
    #[serde(flatten)]
    pub(super) hashed: Hashed,
    pub(super) text: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct InputTold {
    #[serde(flatten)]
    pub(super) hashed: Hashed,
    #[serde(default)]
    pub(super) missing: Map<String, Value>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct OutputTold {
    #[serde(flatten)]
    pub(crate) hashed: Hashed,
    pub(crate) bytes: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct HierarchyTold {
    pub(super) column: String,
    pub(super) file: Option<Hashed>,
    pub(super) height: u64,
    pub(super) values: u64,
    pub(super) even: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct AttributeTold {
    pub(super) column: String,
    pub(super) level: Option<u64>,
    pub(super) height: u64,
    pub(super) words: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct RecodingTold {
    pub(super) kind: String,
    pub(super) attributes: Vec<AttributeTold>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct SensitiveTold {
    pub(super) column: String,
    pub(super) classes: Vec<RaisedTold>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct CategoryTold {
    pub(super) column: String,
    pub(super) of: String,
    pub(super) labels: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct RaisedTold {
    pub(super) raised: Vec<String>,
}

/// Rows; what the external version does not tell is none.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct RowsTold {
    pub(super) read: Option<u64>,
    pub(super) released: u64,
    pub(super) suppressed: Option<u64>,
    #[serde(default)]
    pub(super) withheld: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct ClassesTold {
    pub(super) count: u64,
    pub(super) min: u64,
    pub(super) mean: f64,
    pub(super) max: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct BreachTold {
    pub(super) max: f64,
    pub(super) max_exact: Option<String>,
    pub(super) case: String,
    #[serde(default)]
    pub(super) spread_persons: u64,
    pub(super) curve: Vec<(f64, u64)>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct SerialTold {
    pub(super) release: u64,
    pub(super) max: f64,
    pub(super) max_exact: Option<String>,
    pub(super) persons: u64,
    pub(super) retired: u64,
    pub(super) schedule: String,
    pub(super) retirement: Option<String>,
    #[serde(default)]
    pub(super) assumptions: Vec<String>,
    pub(super) lasting: Option<LastingTold>,
    #[serde(default)]
    pub(super) incomplete: u64,
    pub(super) cohorts: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct LastingTold {
    pub(super) max: f64,
    pub(super) max_exact: Option<String>,
    pub(super) exact: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct ChainTold {
    pub(super) kind: String,
    pub(super) walked: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct OtherwiseTold {
    pub(super) strategy: String,
    pub(super) words: String,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct DisclosureTold {
    pub(super) strategy: String,
    pub(super) chain: Option<ChainTold>,
    pub(super) step: Option<u64>,
    pub(super) method: Option<String>,
    pub(super) size: Option<String>,
    pub(super) max_ratio: Option<f64>,
    pub(super) max_ratio_exact: Option<String>,
    pub(super) confidence: Option<f64>,
    #[serde(default)]
    pub(super) otherwise: Vec<OtherwiseTold>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct SearchedTold {
    pub(super) lattice: Value,
    pub(super) checked: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct ProsecutorTold {
    pub(super) max: f64,
    pub(super) max_exact: String,
    pub(super) mean: f64,
    pub(super) above: u64,
    pub(super) above_share: f64,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct BandTold {
    pub(super) from: u64,
    pub(super) to: u64,
    pub(super) classes: Option<u64>,
    pub(super) records: u64,
    pub(super) share: f64,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct ExposureTold {
    pub(super) rows: u64,
    pub(super) subjects: u64,
    pub(super) classes: u64,
    pub(super) smallest: u64,
    pub(super) unique: u64,
    pub(super) unique_share: f64,
    pub(super) prosecutor: ProsecutorTold,
    pub(super) sizes: Vec<BandTold>,
}

/// What a column lost; what the external version does not tell is none.
#[derive(Clone, Debug, Default, Deserialize)]
pub(super) struct LostTold {
    pub(super) levels: Option<f64>,
    pub(super) domain: Option<f64>,
    pub(super) entropy: Option<f64>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct TaxonTold {
    pub(super) label: String,
    pub(super) depth: u16,
    pub(super) published: bool,
    pub(super) rows: u64,
    pub(super) values: Option<u64>,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct SpanTold {
    pub(super) label: String,
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) rows: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct OutlineTold {
    pub(super) taxa: Vec<TaxonTold>,
    pub(super) spans: Vec<SpanTold>,
    pub(super) left_out: u64,
    pub(super) left_out_rows: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct ColumnTold {
    pub(super) column: String,
    pub(super) values_before: Option<u64>,
    pub(super) values_after: u64,
    /// How many rows are published how precisely; an earlier version did not say.
    pub(super) words: Option<String>,
    pub(super) lost: LostTold,
    pub(super) outline: OutlineTold,
}

#[derive(Clone, Debug, Deserialize)]
pub(super) struct FiguresTold {
    pub(super) counted: String,
    pub(super) threshold: String,
    pub(super) before: Option<ExposureTold>,
    pub(super) after: ExposureTold,
    pub(super) release: ExposureTold,
    pub(super) columns: Vec<ColumnTold>,
}

/// Something that gives cause for concern.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct ConcernTold {
    pub(super) code: String,
    pub(super) text: String,
    pub(super) suggestion: String,
}

/// What a manifest tells.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Told {
    #[serde(default)]
    pub(super) concerns: Vec<ConcernTold>,
    #[serde(default)]
    pub(crate) broken: bool,
    pub(super) scrim: String,
    pub(super) policy: Option<PolicyTold>,
    pub(super) input: Option<InputTold>,
    pub(super) hierarchies: Vec<HierarchyTold>,
    pub(crate) output: OutputTold,
    pub(super) algorithm: Option<String>,
    pub(super) metric: Option<String>,
    pub(super) optimal: bool,
    pub(super) recoding: RecodingTold,
    #[serde(default)]
    pub(super) sensitive: Vec<SensitiveTold>,
    #[serde(default)]
    pub(super) categories: Vec<CategoryTold>,
    pub(super) rows: RowsTold,
    pub(super) classes: ClassesTold,
    /// Each as it stands: parameters before `holds`, details behind it.
    pub(super) models: Vec<Map<String, Value>>,
    pub(super) breach: Option<BreachTold>,
    pub(super) serial: Option<SerialTold>,
    pub(super) disclosure: Option<DisclosureTold>,
    pub(super) metrics: Map<String, Value>,
    pub(super) searched: Option<SearchedTold>,
    #[serde(default)]
    pub(super) ties: Vec<Value>,
    #[serde(default)]
    pub(super) tie_rules: Vec<String>,
    pub(super) seed: Option<u64>,
    pub(super) remarks: Vec<String>,
    pub(super) report: FiguresTold,
}

impl Told {
    /// Reads a manifest, which is called so in errors.
    pub(crate) fn read(name: &str, text: &str) -> Result<Self, IoError> {
        let fault = |what: &str, hint: &str| {
            IoError::from(scrim::Error::Data {
                place: Place::file(name),
                what: what.to_owned(),
                hint: Some(hint.to_owned()),
            })
        };
        let value: Value = serde_json::from_str(text)
            .map_err(|_| fault("this is no manifest", "name the folder of a release"))?;
        if value["manifest"] == 1 && value["report"].is_null() {
            return Err(fault(
                "this manifest has no figures for a report: an earlier version wrote it",
                "publish again",
            ));
        }
        // The reason may quote a value: only that there is one is told.
        serde_json::from_str(text).map_err(|error| {
            let place = format!(
                "this is not a manifest as this version writes it (line {})",
                error.line()
            );
            fault(&place, "was it changed? publish again")
        })
    }

    /// Whether every row that was read is in the release. Where rows are dropped, how many is nobody's business outside.
    pub(super) fn has_every_row(&self) -> bool {
        self.rows.read == Some(self.rows.released)
    }
}
