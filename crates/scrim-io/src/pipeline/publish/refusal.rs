//! Why nothing is published.

use scrim::algorithm::ChainDecision;
use scrim::release::Prepared;
use scrim::release::audit::{ModelReport, RowCounts};
use scrim::release::disclosure::{DisclosureReport, refusal};
use scrim::release::policy::{AlgorithmId, SearchPolicy};
use scrim::release::report::{Files, Publication};
use scrim::{counted, verb};

use super::Clock;
use crate::IoError;
use crate::pipeline::LoadedPolicy;

pub(super) fn refused(publication: Publication, reason: &str) -> Publication {
    Publication {
        status: "refused",
        reason: Some(reason.to_owned()),
        files: Files::default(),
        ..publication
    }
}

/// Why what a search made is not released: the certifier says that it breaks its promise. Of mu-Argus that is to be
/// expected; of all other searches it is not.
pub(super) fn promise_broken(mut publication: Publication, search: &SearchPolicy) -> Publication {
    // What is not published may show a person's own values.
    let models = publication.models.iter_mut();
    models.for_each(ModelReport::hide_values);
    if !search.is_mu_argus() {
        let reason = "the certifier found the release to break its promise";
        return refused(publication, reason);
    }
    let reason = broken_words(&publication);
    let hint = "raise columns with `generalize` in [search], or name another algorithm (`scrim catalog`); `allow-broken = true` in [search] writes it under a name that says so";
    Publication {
        hint: Some(hint.to_owned()),
        ..refused(publication, &reason)
    }
}

/// A release of stars only keeps every promise and tells nothing.
pub(super) fn only_stars(publication: Publication) -> Publication {
    Publication {
        status: "refused",
        algorithm: publication.algorithm,
        reason: Some(
            "the release would show nothing but stars in the quasi-identifiers of every row"
                .to_owned(),
        ),
        hint: Some("ask for less, allow more suppression, give the columns finer hierarchies, or name another algorithm (`scrim catalog`); `allow-empty = true` in [search] publishes it all the same".to_owned()),
        rows: RowCounts {
            read: publication.rows.read,
            ..RowCounts::default()
        },
        disclosure: publication.disclosure,
        searched: publication.searched,
        remarks: publication.remarks,
        seconds: publication.seconds,
        ..Publication::default()
    }
}

/// What is broken in mu-Argus's output.
pub(super) fn broken_words(publication: &Publication) -> String {
    let Some(rare) = &publication.combination else {
        let broken = publication.models.iter().filter(|model| !model.holds);
        let broken: Vec<&str> = broken.map(|model| model.model.as_str()).collect();
        return format!("mu-Argus's output does not keep {}", broken.join(", "));
    };
    let values = rare.values.iter();
    let values: Vec<String> = values
        .map(|(column, value)| format!("{column} {}", value.as_str().unwrap_or_default()))
        .collect();
    let unit = rare.counted.trim_end_matches('s');
    format!(
        "mu-Argus's output is not k-anonymous: {} {} in {} of fewer than {}; the combination ({}) has {}, but k is {}",
        counted(rare.rows_below, "row"),
        verb(rare.rows_below, "is", "are"),
        counted(rare.classes_below, "class"),
        counted(rare.k, unit),
        values.join(", "),
        counted(rare.found, unit),
        rare.k
    )
}

/// Why a chain ends without a release.
pub(super) fn not_disclosed(
    nothing: Publication,
    report: DisclosureReport,
    decision: &ChainDecision,
) -> Publication {
    let (reason, hint) = refusal(&report, decision);
    Publication {
        reason: Some(reason),
        hint: Some(hint),
        disclosure: Some(report),
        ..nothing
    }
}

/// What the table as one class shows to be impossible is a no, not a failure to run.
pub(super) fn impossible(
    error: scrim::Error,
    policy: &LoadedPolicy,
    (prepared, out): (&Prepared, LeftOut),
    clock: &Clock,
) -> Result<Publication, IoError> {
    let error = match error {
        scrim::Error::TooSmall { what, .. } if out.any() => nobody_left(&what, out),
        other => other,
    };
    match error {
        scrim::Error::Infeasible { what, hint } | scrim::Error::TooSmall { what, hint } => {
            Ok(Publication {
                status: "refused",
                algorithm: policy.policy.search.algorithm.name(),
                reason: Some(what),
                hint,
                rows: RowCounts {
                    read: prepared.ground.rows(),
                    ..RowCounts::default()
                },
                remarks: prepared.remarks.clone(),
                seconds: clock.seconds,
                ..Publication::default()
            })
        }
        other => Err(other.into()),
    }
}

/// A search whose time was up before it had anything to publish is a no, not a failure to run.
pub(super) fn out_of_time(
    error: &scrim::Error,
    policy: &LoadedPolicy,
    prepared: &Prepared,
    clock: &Clock,
) -> Publication {
    Publication {
        reason: Some(error.to_string()),
        hint: error.hint().map(str::to_owned),
        ..nothing_found(policy, prepared, clock)
    }
}

/// How many persons are left out by rules on public history.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LeftOut {
    pub(super) retired: u64,
    pub(super) incomplete: u64,
}

impl LeftOut {
    pub(super) fn any(self) -> bool {
        self.retired + self.incomplete > 0
    }
}

/// Too few are left because of whom the policy retires, or who is missing: the table is not to blame.
pub(super) fn nobody_left(what: &str, out: LeftOut) -> scrim::Error {
    let persons = |count: u64| {
        let are = verb(count, "is", "are");
        format!("{} {are}", counted(count, "person"))
    };
    let retired =
        (out.retired > 0).then(|| format!("{} left out by `retire`", persons(out.retired)));
    let incomplete = (out.incomplete > 0).then(|| {
        format!(
            "{} left out because some of their cohort are missing",
            persons(out.incomplete)
        )
    });
    let why: Vec<String> = retired.into_iter().chain(incomplete).collect();
    let hint = if out.incomplete > 0 {
        "what would help: the rows of those who are missing, or more newcomers"
    } else {
        "what would help: more newcomers, or a `retire` that lets persons stay longer"
    };
    scrim::Error::Infeasible {
        what: format!("{what}: {}", why.join("; ")),
        hint: Some(hint.to_owned()),
    }
}

/// Only persons with rows in several classes stand in the way.
pub(super) fn torn(refused: Publication, persons: u64) -> Publication {
    let have = verb(persons, "has", "have");
    let whose = format!("{} with a wish {have}", counted(persons, "person"));
    Publication {
        reason: Some(format!(
            "each class could keep the models by itself, but {whose} rows with different quasi-identifiers, and over all classes of such a person together `personal` does not hold in any release that the search found"
        )),
        hint: Some(
            "what would help: a larger `breach`, narrower guards, the same quasi-identifiers in all rows of a person, or a search that joins the classes of a person (`mondrian`, `top-down`)"
                .to_owned(),
        ),
        ..refused
    }
}

pub(super) fn nothing_found(
    policy: &LoadedPolicy,
    prepared: &Prepared,
    clock: &Clock,
) -> Publication {
    let limit = prepared.limit(&policy.policy);
    let rows = prepared.ground.rows();
    let search = &policy.policy.search;
    let serial = prepared.serial.as_ref();
    let help = serial.map(|serial| serial.help());
    let reason = match search.algorithm {
        AlgorithmId::Datafly => "Datafly would give up the whole table".to_owned(),
        AlgorithmId::Personalized => {
            "the search found no cut of the columns that keeps the models".to_owned()
        }
        AlgorithmId::Rotating => serial.map_or_else(String::new, |serial| {
            let lasting = serial.cohorts().map_or("", |_| {
                "; with lasting values that also means those who left, over all releases together"
            });
            serial.tight() + lasting
        }),
        AlgorithmId::TopDown | AlgorithmId::Mondrian => {
            "the table as one class does not keep the models".to_owned()
        }
        _ => format!(
            "no recoding of this kind keeps the models with at most {limit} of {} suppressed",
            counted(rows, "row")
        ),
    };
    Publication {
        status: "refused",
        algorithm: policy.policy.search.algorithm.name(),
        reason: Some(reason),
        hint: Some(help.unwrap_or_else(|| {
            match search.algorithm {
                AlgorithmId::Personalized if !search.improve => {
                    "look further with `improve = true` in [search], ask for less, or name another algorithm (`scrim catalog`)"
                }
                AlgorithmId::Personalized | AlgorithmId::TopDown | AlgorithmId::Mondrian => {
                    "ask for less, or name another algorithm (`scrim catalog`)"
                }
                _ => "allow more suppression, ask for less, or name another algorithm (`scrim catalog`)",
            }
            .to_owned()
        })),
        rows: RowCounts {
            read: rows,
            ..RowCounts::default()
        },
        remarks: prepared.remarks.clone(),
        seconds: clock.seconds,
        ..Publication::default()
    }
}
