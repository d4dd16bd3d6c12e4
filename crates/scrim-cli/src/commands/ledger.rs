//! `scrim ledger list | show | persons | verify | export | check | recover`.

use std::io::{self, BufRead, BufWriter};
use std::path::{Path, PathBuf};
use std::time::Duration;

use scrim::Share;
use scrim::release::policy::{ModelSpec, Protected, Retire};
use scrim::release::{Policy, Shield};
use scrim_io::ledger::{Ledger, Persons, Retirement, Terms, Which, default_key};
use scrim_io::pipeline::{Door, LedgerPlace, LoadedPolicy, SerialPromise, Stage};
use scrim_io::{IoError, files};
use serde_json::json;

use super::{outcome, remarks, to_json};
use crate::ledger::{LedgerAction, LedgerArguments, TermArguments};
use crate::outcome::{Failure, Outcome};
use crate::render;
use crate::terminal::Terminal;

/// How long a recovery waits for a publisher.
const WAIT: Duration = Duration::from_secs(10);
const NEAREST: usize = 20;

pub(super) fn run(
    asked: &LedgerArguments,
    json: bool,
    quiet: bool,
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    match &asked.action {
        LedgerAction::List => {
            let answer = asked.without_key()?.overview()?;
            outcome(json, true, &answer, || render::ledger_list(&answer), "")
        }
        LedgerAction::Show { release } => {
            let answer = asked.without_key()?.release(*release)?;
            outcome(json, true, &answer, || render::ledger_release(&answer), "")
        }
        LedgerAction::Persons {
            rows,
            stdin,
            nearest,
            all,
            terms,
        } => {
            let ledger = if *stdin {
                asked.with_key()?
            } else {
                asked.without_key()?
            };
            let of = terms.of.as_deref();
            // Typed values are what is asked for, and nothing else.
            let shield = match &terms.values {
                None => last_shield(&ledger, of)?,
                Some(_) => None,
            };
            let mut terms = terms.resolve(&ledger)?;
            if let Some(shield) = &shield {
                terms.values.retain(|value| shield.lasting(value).is_none());
            }
            let lines = if *stdin { identifiers()? } else { Vec::new() };
            let identifiers: Vec<&str> = lines.iter().map(String::as_str).collect();
            let which = match (*stdin, *all, rows.is_empty()) {
                (true, ..) => Which::Identifiers(&identifiers),
                (_, true, _) => Which::All,
                (_, _, false) => Which::Rows(rows),
                _ => Which::Nearest(nearest.unwrap_or(NEAREST)),
            };
            let mut answer = ledger.persons(&terms, which)?;
            if let Some(shield) = &shield {
                ledger.add_lasting(&mut answer, shield)?;
            }
            without_blanks(&mut answer, &lines);
            let talk = remarks(ledger.remarks(), quiet);
            outcome(
                json,
                true,
                &answer,
                || render::ledger_persons(&answer),
                &talk,
            )
        }
        LedgerAction::Verify { head } => {
            let ledger = asked.with_key_if_there()?;
            verify(&ledger, head.as_deref(), json, quiet, terminal)
        }
        LedgerAction::Export { csv } => export(&asked.without_key()?, csv.as_deref(), json),
        LedgerAction::Check {
            policy,
            retire_after,
            retire_below,
            terms,
        } => check(
            asked,
            policy,
            (*retire_after, *retire_below),
            terms,
            (json, quiet),
            terminal,
        ),
        LedgerAction::Recover { accept_loss } => {
            let mut said = String::new();
            let mut say = |text: &str| said.push_str(&format!("note: {text}\n"));
            let ledger = Ledger::open_and_recover(
                &asked.path(),
                &asked.key_path(),
                *accept_loss,
                WAIT,
                &mut say,
            )?;
            let answer = json!({ "recovered": ledger.remarks() });
            let text = || match ledger.remarks() {
                [] => "nothing was left to finish\n".to_owned(),
                lines => lines.iter().map(|line| format!("{line}\n")).collect(),
            };
            outcome(json, true, &answer, text, if quiet { "" } else { &said })
        }
    }
}

/// How the persons of a policy's table stand.
fn check(
    asked: &LedgerArguments,
    policy: &Path,
    (retire_after, retire_below): (Option<u64>, Option<Share>),
    terms: &TermArguments,
    (json, quiet): (bool, bool),
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    let policy = LoadedPolicy::read(policy)?;
    // A promise about another column than the one that is asked for says nothing.
    let promise = SerialPromise::of(&policy);
    let promise = promise.filter(|promise| terms.is_about(promise.of));
    let ledger = asked.named_by(LedgerPlace::of(&policy))?;
    let lasting = promise
        .as_ref()
        .filter(|promise| terms.values.is_none() && !promise.lasting.is_empty());
    let tree = lasting.map(|promise| promise.tree(&ledger)).transpose()?;
    let shield = lasting.map(|promise| promise.shield(tree.as_ref().and_then(Option::as_ref)));
    let mut terms = terms.promised(promise.as_ref(), &ledger)?;
    if let Some(shield) = &shield {
        terms.values.retain(|value| shield.lasting(value).is_none());
    }
    let persons = persons_of(&policy, terminal)?;
    let texts: Vec<&str> = persons.iter().map(String::as_str).collect();
    let retire = promise.map_or_else(Retire::default, |promise| promise.retire);
    let rule = Retirement {
        after: retire_after.or(retire.after),
        below: retire_below.or(retire.below),
    };
    let mut answer = ledger.check(&texts, &terms, rule)?;
    if let Some(shield) = &shield {
        ledger.check_lasting(&mut answer, &texts, shield)?;
    }
    let talk = remarks(ledger.remarks(), quiet);
    outcome(
        json,
        answer.holds,
        &answer,
        || render::ledger_check(&answer),
        &talk,
    )
}

fn verify(
    ledger: &Ledger,
    head: Option<&str>,
    json: bool,
    quiet: bool,
    terminal: &mut Terminal,
) -> Result<Outcome, Failure> {
    terminal.stage(Stage::Verify);
    let answer = ledger.verify_watched(head, &mut |done, all| {
        terminal.counted(done, all, "releases")
    })?;
    let talk = remarks(&answer.remarks, quiet);
    let text = || render::ledger_verification(&answer);
    outcome(json, answer.holds, &answer, text, &talk)
}

impl LedgerArguments {
    fn path(&self) -> PathBuf {
        let default = || PathBuf::from("ledger.sqlite");
        self.ledger.clone().unwrap_or_else(default)
    }

    fn key_path(&self) -> PathBuf {
        let default = || default_key(&self.path());
        self.key.clone().unwrap_or_else(default)
    }

    fn without_key(&self) -> Result<Ledger, IoError> {
        Ledger::open(&self.path(), None)
    }

    fn with_key(&self) -> Result<Ledger, IoError> {
        Ledger::open(&self.path(), Some(&self.key_path()))
    }

    /// The ledger that was typed, or else the policy's.
    fn named_by(&self, place: Option<LedgerPlace>) -> Result<Ledger, IoError> {
        match place.filter(|_| self.ledger.is_none()) {
            Some(place) => {
                let key = self.key.as_ref().unwrap_or(&place.key);
                Ledger::open(&place.ledger, Some(key))
            }
            None => self.with_key(),
        }
    }

    fn with_key_if_there(&self) -> Result<Ledger, IoError> {
        if self.key.is_some() || files::exists(&self.key_path()) {
            self.with_key()
        } else {
            self.without_key()
        }
    }
}

impl TermArguments {
    fn is_about(&self, column: &str) -> bool {
        self.of.as_deref().is_none_or(|of| of == column)
    }

    /// What was typed, and for the rest what the policy promises, or else what was last promised.
    fn promised(
        &self,
        promise: Option<&SerialPromise<'_>>,
        ledger: &Ledger,
    ) -> Result<Terms, Failure> {
        let Some(promise) = promise else {
            return self.resolve(ledger);
        };
        let l = above_one(self.l.unwrap_or(promise.l))?;
        let typed = self.values.as_ref().map(|values| {
            if *values == ["all"] {
                Protected::All
            } else {
                Protected::Named(values.clone())
            }
        });
        let values = typed.as_ref().unwrap_or(promise.values);
        Ok(Terms {
            column: promise.of.to_owned(),
            l,
            values: promise.protected(values, ledger)?,
        })
    }

    /// What was typed, and for the rest what was last promised.
    fn resolve(&self, ledger: &Ledger) -> Result<Terms, Failure> {
        let promised = ledger.last_promise(self.of.as_deref())?;
        let missing = |option: &str| {
            Failure::new(
                format!("the ledger has no promise that says `{option}`"),
                Some("name the terms: `--of COLUMN --l L --values VALUE,…`"),
            )
        };
        let promised = promised.as_ref();
        let column = self.of.clone().or_else(|| Some(promised?.column.clone()));
        let column = column.ok_or_else(|| missing("--of"))?;
        let l = self.l.or_else(|| promised?.l.parse().ok());
        let l = above_one(l.ok_or_else(|| missing("--l"))?)?;
        let values = self
            .values
            .clone()
            .or_else(|| Some(promised?.values.clone()));
        let mut values = values.ok_or_else(|| missing("--values"))?;
        if values == ["all"] {
            values = ledger.values_of(&column)?;
        }
        Ok(Terms { column, l, values })
    }
}

/// What the last release protected, where some of it lasts. Its policy names taxa, whose values only its hierarchy knows.
fn last_shield(ledger: &Ledger, of: Option<&str>) -> Result<Option<Shield>, Failure> {
    let Some(text) = ledger.last_policy(of)? else {
        return Ok(None);
    };
    let policy = match Policy::parse("the ledger's last policy", &text) {
        Ok(policy) => policy,
        // What does not speak of lasting values need not be understood.
        Err(_) if !text.contains("lasting") => return Ok(None),
        Err(error) => return Err(IoError::from(error).into()),
    };
    let Some(ModelSpec::Serial {
        values,
        lasting,
        group,
        ..
    }) = policy.serial().map(|model| &model.spec)
    else {
        return Ok(None);
    };
    if lasting.is_empty() {
        return Ok(None);
    }
    let promised = ledger
        .last_promise(of)?
        .map_or_else(Vec::new, |promise| promise.values);
    if *group || lasting.iter().any(|name| !promised.contains(name)) {
        return Err(Failure::new(
            "the last release protected lasting values by taxa or as a group, which the ledger alone does not know",
            Some(
                "`scrim attack --serial --all -p POLICY` says what is believed of everybody; `--values` asks for single values as if they did not last",
            ),
        ));
    }
    Ok(Some(Shield::new(values, lasting, false, None)))
}

fn above_one(l: Share) -> Result<Share, Failure> {
    if l <= Share::ONE {
        return Err(Failure::new("`--l` must be above 1", None));
    }
    Ok(l)
}

fn identifiers() -> Result<Vec<String>, Failure> {
    let lines: io::Result<Vec<String>> = io::stdin().lock().lines().collect();
    let lines = lines.map_err(|error| Failure::new(format!("standard input: {error}"), None))?;
    // Lines of other systems end with one character more.
    let trimmed = |line: String| line.strip_suffix('\r').map(str::to_owned).unwrap_or(line);
    Ok(lines.into_iter().map(trimmed).collect())
}

/// An empty line names nobody.
fn without_blanks(answer: &mut Persons, lines: &[String]) {
    let is_blank = |line: u64| lines.get(line as usize - 1).is_some_and(String::is_empty);
    let shown = &mut answer.shown;
    shown.retain(|shown| !shown.line.is_some_and(is_blank));
}

fn export(ledger: &Ledger, csv: Option<&Path>, json: bool) -> Result<Outcome, Failure> {
    let Some(dir) = csv else {
        return match ledger.export_json(&mut BufWriter::new(io::stdout().lock())) {
            // A reader who has seen enough is no error.
            Err(IoError::File { source, .. }) if source.kind() == io::ErrorKind::BrokenPipe => {
                Ok(Outcome::yes(String::new()))
            }
            written => Ok(written.map(|()| Outcome::yes(String::new()))?),
        };
    };
    let written = ledger.export_csv(dir)?;
    let files: Vec<String> = written
        .iter()
        .map(|file| file.display().to_string())
        .collect();
    Ok(Outcome::yes(if json {
        to_json(&json!({ "files": files }))?
    } else {
        files.iter().map(|file| format!("{file}\n")).collect()
    }))
}

/// The persons of a policy's table.
fn persons_of(policy: &LoadedPolicy, terminal: &mut Terminal) -> Result<Vec<String>, Failure> {
    let column = policy.policy.person().ok_or_else(|| {
        Failure::new(
            format!("{} names no person column", policy.path.display()),
            Some("give one column the role `person`"),
        )
    })?;
    terminal.stage(Stage::Read);
    let table = policy.read_original(&policy.source(), terminal)?;
    let column = table.read.table.column(&column.name);
    let column = column.ok_or_else(|| Failure::new("the person column was not read", None))?;
    let dictionary = column.dictionary();
    let known = (0..).zip(dictionary.texts());
    let known = known.filter(|(code, _)| Some(*code) != dictionary.missing());
    Ok(known.map(|(_, text)| text.to_owned()).collect())
}
