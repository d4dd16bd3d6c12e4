//! The onlooker who keeps all releases: reads the ledger, and checks that published files are what it recorded.
//!
//! **Reading.** Probabilities follow from the ledger, which has the classes of every release and who was in them. A file that
//! is given must be one that the ledger recorded (by hash), and its classes those of its entry; the policy says which
//! columns make classes.
//! **Cost.** That of [`Ledger::whole`]. Possible worlds are counted for the persons that are told, while they are few.

use std::path::{Path, PathBuf};

use scrim::adversary::{Chance, Link, ReleaseLinks, SerialAttack, serial, worlds};
use scrim::release::{History, PastClass, Shield, assumptions};
use scrim::{Error, Place, Share, counted, verb};
use serde::Serialize;

use super::attack_lasting::{LastingAnswer, add_lasting};
use super::attack_order::{OrderAnswer, add_order, ordered_releases, remark, unsorted};
use super::load::LoadedPolicy;
use super::recorded::{FileAnswer, check_file};
use super::serial::SerialPromise;
use super::{Door, Stage};
use crate::IoError;
use crate::ledger::Ledger;

/// So many of the nearest are told, unless all are asked for.
const NEAREST: usize = 10;
/// Worlds of one person and value that are counted one by one.
const WORLDS: u128 = 100_000;
/// Worlds that are counted in all.
const ALL_WORLDS: u128 = 5_000_000;
/// Fractions with more digits are told as numbers only.
pub(super) const MAX_DIGITS: usize = 1000;

/// What all releases together give away.
#[derive(Clone, Debug, Serialize)]
pub struct SerialAnswer {
    /// Whether nobody is above the limit and every file is what the ledger recorded.
    pub holds: bool,
    /// The sensitive column.
    pub column: String,
    /// Nobody is to be linked to a protected value with more than 1/l.
    pub l: Share,
    /// 1/l.
    pub limit: f64,
    /// The same, exact.
    pub limit_exact: Share,
    /// The largest probability of any person and protected value.
    pub max: f64,
    /// The same as a fraction, where it is not too long.
    pub max_exact: Option<String>,
    /// Persons above the limit for some value.
    pub above: u64,
    /// Persons in some release.
    pub known: u64,
    /// Release by release.
    pub releases: Vec<ReleaseAnswer>,
    /// Persons and values, the nearest to the limit first.
    pub persons: Vec<LinkAnswer>,
    /// What is taken for granted.
    pub assumptions: Vec<&'static str>,
    /// What lasting values give away, where some are protected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lasting: Option<LastingAnswer>,
    /// What the order of rows gives away, where a release is not sorted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order: Option<OrderAnswer>,
    /// The formula beside the definition.
    pub worlds: WorldsAnswer,
    /// The files that were given.
    pub files: Vec<FileAnswer>,
    /// What else is worth knowing.
    pub remarks: Vec<String>,
}

/// What one release adds.
#[derive(Clone, Debug, Serialize)]
pub struct ReleaseAnswer {
    /// The release, from 1.
    pub release: u32,
    /// The persons in it.
    pub persons: u64,
    /// The largest probability of anybody by this release alone: the share of a protected value in a class, or more where a person
    /// has several rows.
    pub localized: f64,
    /// The same as a fraction.
    pub localized_exact: Option<String>,
    /// The largest probability of anybody, by this release and all before it.
    pub global: f64,
    /// The same as a fraction.
    pub global_exact: Option<String>,
    /// Persons of this release who are then above the limit.
    pub above: u64,
}

/// How strongly a person is linked to a value.
#[derive(Clone, Debug, Serialize)]
pub struct LinkAnswer {
    /// The person's row in the ledger.
    pub person: u64,
    /// The value.
    pub value: String,
    /// The probability, over all releases.
    pub p: f64,
    /// The same as a fraction, where it is not too long.
    pub p_exact: Option<String>,
    /// Whether the value stays once somebody has it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub lasting: bool,
    /// Whether the probability is not known, but not above this.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub bound: bool,
}

/// Possible worlds, counted for those who are told.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct WorldsAnswer {
    /// Persons and values whose worlds were counted; the formula gave the same for each.
    pub checked: u64,
    /// Persons and values with too many worlds.
    pub too_many: u64,
}

/// Attacks all releases of the policy's ledger. `all` tells everybody, not only the nearest to the limit.
pub fn attack_serial(
    files: &[PathBuf],
    policy: &Path,
    of: Option<&str>,
    all: bool,
    door: &mut dyn Door,
) -> Result<SerialAnswer, IoError> {
    let policy = LoadedPolicy::read(policy)?;
    let promise = SerialPromise::needed(&policy)?;
    if let Some(of) = of.filter(|of| *of != promise.of) {
        let what = format!("the policy has no `serial` promise about `{of}`");
        return Err(Error::Policy {
            place: Place::file(&policy.policy.file),
            what,
            hint: None,
        }
        .into());
    }
    door.stage(Stage::Read);
    let ledger = promise.open(false)?;
    let tree = promise.tree(&ledger)?;
    let shield = promise.shield(tree.as_ref());
    let limit = Share::new(promise.l.denominator(), promise.l.numerator());
    let limit = limit.ok_or_else(|| IoError::internal("l is not above 1"))?;
    let history = ledger.whole(promise.of, &|text| shield.asks_for(text))?;
    door.stage(Stage::Search);
    let most = if all { usize::MAX } else { NEAREST };
    let lasts = !promise.lasting.is_empty();
    let mut attack = if lasts || promise.group {
        let counted = history.counted(&|text| shield.transient(text).map(str::to_owned));
        let most = if lasts { usize::MAX } else { most };
        serial(&counted, &|_| true, limit, most)
    } else {
        serial(&history, &|text| shield.covers(text), limit, most)
    };
    let is_above = |link: &&Link| link.chance.is_above(limit);
    let above: Vec<u32> = attack
        .nearest
        .iter()
        .filter(is_above)
        .map(|link| link.person)
        .collect();
    attack.nearest.truncate(most);
    let counted = count_worlds((&ledger, &shield), promise.of, &attack.nearest, door)?;
    let mut answer = answer(&promise, limit, &attack, counted)?;
    if lasts {
        add_lasting(
            &mut answer,
            (&ledger, &history),
            &shield,
            (limit, most),
            &above,
        )?;
    }
    let ordered = ordered_releases(&ledger)?;
    let mut disorder = Vec::new();
    for file in files {
        let found = check_file(&policy, promise.of, &ledger, file, door)?;
        answer.holds &= found.holds;
        answer.files.push(found);
        disorder.extend(unsorted(&policy, &ledger, file, &ordered, door)?);
    }
    add_order(&mut answer, &ledger, &|text| shield.covers(text), ordered)?;
    answer.remarks = remarks(&answer, &history);
    answer.remarks.extend(disorder);
    Ok(answer)
}

fn answer(
    promise: &SerialPromise<'_>,
    limit: Share,
    attack: &SerialAttack,
    worlds: WorldsAnswer,
) -> Result<SerialAnswer, IoError> {
    let mut most = Chance::default();
    let mut release = |links: &ReleaseLinks| {
        // Who is not in a release keeps the probability of the last one.
        if most.compare(&links.global).is_lt() {
            most = links.global.clone();
        }
        ReleaseAnswer {
            release: links.release,
            persons: links.persons,
            localized: links.localized.value(),
            localized_exact: links.localized.exact(MAX_DIGITS),
            global: most.value(),
            global_exact: most.exact(MAX_DIGITS),
            above: links.above,
        }
    };
    let link = |link: &Link| {
        let person = link.ledger_row;
        Ok(LinkAnswer {
            person: person.ok_or_else(|| IoError::internal("a person without a row"))?,
            value: link.value.clone(),
            p: link.chance.value(),
            p_exact: link.chance.exact(MAX_DIGITS),
            lasting: false,
            bound: false,
        })
    };
    Ok(SerialAnswer {
        holds: attack.above == 0,
        column: promise.of.to_owned(),
        l: promise.l,
        limit: limit.to_f64(),
        limit_exact: limit,
        max: attack.max.value(),
        max_exact: attack.max.exact(MAX_DIGITS),
        above: attack.above,
        known: attack.persons,
        releases: attack.releases.iter().map(&mut release).collect(),
        persons: attack
            .nearest
            .iter()
            .map(link)
            .collect::<Result<_, IoError>>()?,
        assumptions: assumptions(promise.values, promise.lasting, promise.group).collect(),
        lasting: None,
        order: None,
        worlds,
        files: Vec::new(),
        remarks: Vec::new(),
    })
}

/// Counts the worlds of those who are told, while they are few, and compares.
fn count_worlds(
    (ledger, shield): (&Ledger, &Shield),
    column: &str,
    told: &[Link],
    door: &mut dyn Door,
) -> Result<WorldsAnswer, IoError> {
    let mut answer = WorldsAnswer::default();
    let mut left = ALL_WORLDS;
    // Worlds need the values that are not protected, too: read for some persons at a time.
    for part in told.chunks(1024) {
        let mut rows: Vec<u64> = part.iter().filter_map(|link| link.ledger_row).collect();
        rows.sort_unstable();
        rows.dedup();
        if left == 0 {
            answer.too_many += part.len() as u64;
            continue;
        }
        door.check()?;
        let history = ledger.history_of_rows(&rows, column, &|_| true)?;
        let history = history.counted(&|text| {
            let name = shield.transient(text).unwrap_or(text);
            Some(name.to_owned())
        });
        for link in part {
            let code = link
                .ledger_row
                .and_then(|row| rows.binary_search(&row).ok());
            let code = code.ok_or_else(|| IoError::internal("a person without a row"))? as u32;
            let mut classes = history.in_classes(code);
            let many = classes.try_fold(1, |many: u128, (_, class, _)| {
                many.checked_mul(worlds_of(class)?)
            });
            let Some(many) = many.filter(|many| *many <= WORLDS.min(left)) else {
                answer.too_many += 1;
                // Later ones may have fewer, but an end there must be.
                left = left.saturating_sub(1000);
                continue;
            };
            left -= many;
            let counted = worlds(&history, code, &link.value, WORLDS as u64);
            let mut chance = Chance::default();
            if let Some((all, linked)) = counted {
                chance.add(linked, all);
            }
            if chance.compare(&link.chance).is_ne() {
                let row = rows[code as usize];
                return Err(IoError::ledger(
                    ledger.path(),
                    format!("possible worlds and formula disagree about the person in row {row}"),
                    "`scrim ledger verify` says whether the ledger is damaged",
                ));
            }
            answer.checked += 1;
        }
    }
    Ok(answer)
}

/// In how many ways the values of a class can be dealt to its members.
fn worlds_of(class: &PastClass) -> Option<u128> {
    let (mut all, mut dealt): (u128, u128) = (1, 0);
    for count in class.counts.values() {
        for one in 1..=u128::from(*count) {
            dealt += 1;
            all = all.checked_mul(dealt)? / one;
            if all > WORLDS {
                return None;
            }
        }
    }
    Some(all)
}

fn remarks(answer: &SerialAnswer, history: &History) -> Vec<String> {
    let mut remarks = Vec::new();
    if history.releases == 0 {
        remarks.push("the ledger has no release yet".to_owned());
    }
    remarks.extend(answer.order.as_ref().map(remark));
    if let Some(lasting) = &answer.lasting {
        if lasting.undecided > 0 {
            remarks.push(format!(
                "{} may be above the limit for a lasting value: there are too many possible histories to count, and sums alone do not exclude it",
                counted(lasting.undecided, "person")
            ));
        }
        if lasting.contradicted > 0 {
            remarks.push("no history in which values last fits what was published: somebody lost one, so `lasting` is not true of it".to_owned());
        }
    }
    if answer.worlds.checked > 0 {
        remarks.push(format!(
            "possible worlds, counted one by one, give the same for {} of a person and a value{}",
            counted(answer.worlds.checked, "pair"),
            match answer.worlds.too_many {
                0 => String::new(),
                many => format!("; {many} {} too many worlds", verb(many, "has", "have")),
            }
        ));
    } else if answer.worlds.too_many > 0 {
        remarks.push("there are too many possible worlds to count them one by one".to_owned());
    }
    if !answer.files.is_empty() {
        let seen = |release: &u32| {
            let of = Some(u64::from(*release));
            answer.files.iter().any(|file| file.release == of)
        };
        let unseen: Vec<String> = (1..=history.releases)
            .filter(|release| !seen(release))
            .map(|release| release.to_string())
            .collect();
        if !unseen.is_empty() {
            remarks.push(format!(
                "no file was given for release {}: what the ledger says is taken for it",
                unseen.join(", ")
            ));
        }
    }
    remarks
}
