//! Compare: every search under one policy, each certified as if it were published, none published.
//!
//! **Reading.** Each search runs under the policy as it would read with that algorithm named: keys that it does not look at
//! are ignored, those that only it looks at have their defaults. The table is read and counted once.

use std::path::Path;

use scrim::Error;
use scrim::release::Policy;
use scrim::release::comparison::{Compared, Comparison, Verdict};
use scrim::release::policy::AlgorithmId;

use super::publish::{Clock, Ending, Ready};
use super::{Door, LoadedPolicy};
use crate::IoError;

/// How many seconds a search that can stop at any time has, where neither policy nor user says.
pub const COMPARE_SECONDS: u64 = 10;

/// Compares all searches under a policy. A time limit goes before the policy's own.
pub fn compare(
    path: &Path,
    time_limit: Option<u64>,
    door: &mut dyn Door,
) -> Result<Comparison, IoError> {
    let mut policy = LoadedPolicy::read(path)?;
    // What means nothing to the policy's own search may mean something to others.
    policy.policy.search.ignored.clear();
    let ready = Ready::read(policy, Ending::Discard, None, door)?;
    // A chain is walked only where the policy has one.
    let has_chain = ready.policy.policy.disclosure.is_some();
    let all = AlgorithmId::all().filter(|id| has_chain || *id != AlgorithmId::Chain);
    let all: Vec<AlgorithmId> = all.collect();
    let mut compared = Vec::with_capacity(all.len());
    for (at, algorithm) in all.iter().enumerate() {
        door.part(&format!(
            "{} ({} of {})",
            algorithm.name(),
            at + 1,
            all.len()
        ));
        compared.push(run(&ready, *algorithm, time_limit, door)?);
    }
    let search = &ready.policy.policy.search;
    Ok(Comparison::new(
        path.display().to_string(),
        search.algorithm.name(),
        search.metric,
        compared,
        ready.prepared.remarks,
    ))
}

/// One search; only what concerns them all is an error.
fn run(
    ready: &Ready,
    algorithm: AlgorithmId,
    time_limit: Option<u64>,
    door: &mut dyn Door,
) -> Result<Compared, IoError> {
    let without = |verdict, reason, hint| {
        Ok(Compared::without_answer(
            algorithm.name(),
            verdict,
            reason,
            hint,
        ))
    };
    let own = &ready.policy;
    let mut policy = match Policy::parse_with(&own.policy.file, &own.text, algorithm) {
        Ok(policy) => policy,
        // The policy as it stands was read before, so this is about the algorithm.
        Err(Error::Policy { what, hint, .. }) => {
            return without(Verdict::NotApplicable, what, hint);
        }
        Err(other) => return Err(other.into()),
    };
    // Nobody is asked in the middle of a comparison.
    if let Err(Error::Policy { what, hint, .. }) = policy.must_be_answered(false) {
        return without(Verdict::NotApplicable, what, hint);
    }
    let search = &mut policy.search;
    let otherwise = (!search.given.contains(&"time-limit")).then_some(COMPARE_SECONDS);
    search.time_limit = time_limit.or(otherwise).or(search.time_limit);
    let limit = search.time_limit.unwrap_or(COMPARE_SECONDS);
    let policy = LoadedPolicy {
        policy,
        text: own.text.clone(),
        path: own.path.clone(),
    };
    match ready.release(&policy, Ending::Discard, Clock::default(), door) {
        Ok(answer) => {
            let shared = &ready.prepared.remarks;
            Ok(Compared::answered(algorithm.name(), answer, shared).within(limit))
        }
        Err(IoError::Scrim(
            Error::Unsound { what, hint, .. } | Error::Infeasible { what, hint },
        )) => without(Verdict::NotApplicable, what, hint),
        Err(IoError::Scrim(error @ Error::Internal(_))) => {
            without(Verdict::Broken, error.to_string(), None)
        }
        Err(other) => Err(other),
    }
}
