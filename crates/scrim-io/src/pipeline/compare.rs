//! Compare: every search under one policy, each certified as if it were published, none published.
//!
//! **Reading.** Each search runs under the policy as it would read with that algorithm named: keys that it does not look at
//! are ignored, those that only it looks at have their defaults. The table is read and counted once. Each search has the same time;
//! one that can stop at any time is compared by what it has then, others are refused. Where the user stops the work, the searches
//! that are finished are the answer.

use std::path::Path;

use scrim::Error;
use scrim::release::Policy;
use scrim::release::comparison::{Compared, Comparison, Verdict};
use scrim::release::policy::AlgorithmId;

use super::publish::{Clock, Ending, Ready};
use super::{Door, LoadedPolicy};
use crate::IoError;

/// How many seconds a search has, where neither policy nor user says.
pub const COMPARE_SECONDS: u64 = 30;

/// Compares all searches under a policy, and tells of each as soon as it has ended. A limit goes before the policy's own.
pub fn compare(
    path: &Path,
    limit: Option<u64>,
    door: &mut dyn Door,
    ended: &mut dyn FnMut(&Compared),
) -> Result<Comparison, IoError> {
    let mut policy = LoadedPolicy::read(path)?;
    // What means nothing to the policy's own search may mean something to others.
    policy.policy.search.ignored.clear();
    let ready = Ready::read(policy, Ending::Discard, None, door)?;
    // A chain is walked only where the policy has one.
    let has_chain = ready.policy.policy.disclosure.is_some();
    let all = AlgorithmId::all().filter(|id| has_chain || *id != AlgorithmId::Chain);
    let all: Vec<AlgorithmId> = all.collect();
    let mut compared: Vec<Compared> = Vec::with_capacity(all.len());
    for (at, algorithm) in all.iter().enumerate() {
        door.part(&format!(
            "{} ({} of {})",
            algorithm.name(),
            at + 1,
            all.len()
        ));
        let mut one = match run(&ready, *algorithm, limit, door) {
            Err(IoError::Scrim(Error::Interrupted)) => break,
            other => other?,
        };
        one.chosen = *algorithm == ready.policy.policy.search.algorithm;
        ended(&one);
        compared.push(one);
    }
    let search = &ready.policy.policy.search;
    let left = &all[compared.len()..];
    let mut comparison = Comparison::new(
        path.display().to_string(),
        search.algorithm.name(),
        search.metric,
        compared,
        ready.prepared.remarks,
    );
    comparison.interrupted = left.iter().map(|id| id.name()).collect();
    Ok(comparison)
}

/// One search; only what concerns them all is an error.
fn run(
    ready: &Ready,
    algorithm: AlgorithmId,
    limit: Option<u64>,
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
    let given = policy.search.given.contains(&"time-limit");
    policy.search.time_limit = seconds(limit, policy.search.time_limit.filter(|_| given));
    let policy = LoadedPolicy {
        policy,
        text: own.text.clone(),
        path: own.path.clone(),
        memory: own.memory,
    };
    match ready.release(&policy, Ending::Discard, Clock::default(), door) {
        Ok(answer) => {
            let shared = &ready.prepared.remarks;
            Ok(Compared::answered(algorithm.name(), answer, shared))
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

/// How long a search may take: as long as is asked for, else as the policy says, else as is usual in a comparison.
fn seconds(limit: Option<u64>, of_policy: Option<u64>) -> Option<u64> {
    limit.or(of_policy).or(Some(COMPARE_SECONDS))
}

#[cfg(test)]
mod tests {
    #![expect(clippy::disallowed_methods, reason = "a test")]

    use scrim::algorithm::{Progress, Watch};

    use super::*;
    use crate::pipeline::Stage;

    #[test]
    fn a_limit_goes_before_the_policys_own_and_there_is_always_one() {
        assert_eq!(seconds(Some(5), Some(60)), Some(5));
        assert_eq!(seconds(None, Some(60)), Some(60));
        assert_eq!(seconds(None, None), Some(COMPARE_SECONDS));
    }

    /// Lets so many algorithms run, then the user stops the work.
    struct Impatient {
        left: usize,
    }

    impl Watch for Impatient {
        fn step(&mut self, _: &Progress) -> Result<(), Error> {
            self.check()
        }
    }

    impl Door for Impatient {
        fn stage(&mut self, _: Stage) {}

        fn part(&mut self, _: &str) {
            self.left = self.left.saturating_sub(1);
        }

        fn bytes(&mut self, _: u64, _: Option<u64>) -> Result<(), Error> {
            Ok(())
        }

        fn counted(&mut self, _: u64, _: u64, _: &'static str) -> Result<(), Error> {
            Ok(())
        }

        fn say(&mut self, _: &str) {}

        fn check(&mut self) -> Result<(), Error> {
            if self.left == 0 {
                return Err(Error::Interrupted);
            }
            Ok(())
        }
    }

    #[test]
    fn what_is_finished_when_the_user_stops_is_the_answer() {
        let folder = tempfile::tempdir().unwrap();
        let policy = folder.path().join("p.toml");
        let text = "[data]\npath = \"d.csv\"\n[columns]\nage = { role = \"quasi\" }\n[[privacy]]\nmodel = \"k-anonymity\"\nk = 2\n[search]\nalgorithm = \"mingen\"\n";
        std::fs::write(&policy, text).unwrap();
        std::fs::write(folder.path().join("d.csv"), "age\n1\n1\n2\n2\n").unwrap();
        let mut told = Vec::new();
        let mut door = Impatient { left: 3 };
        let mut ended = |one: &Compared| told.push((one.algorithm, one.chosen));
        let answer = compare(&policy, Some(60), &mut door, &mut ended).unwrap();
        assert_eq!(told, [("optimal", false), ("mingen", true)]);
        let finished: Vec<&str> = answer.compared.iter().map(|one| one.algorithm).collect();
        assert_eq!(finished, ["optimal", "mingen"]);
        assert_eq!(answer.interrupted.first(), Some(&"mingen-cell"));
        assert!(answer.best["prec"].as_array().unwrap().len() == 2);
        assert!(!folder.path().join("release").exists());
    }
}
