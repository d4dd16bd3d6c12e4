//! What the user should know of searches that form classes one by one, where promises are about some of the quasi-identifiers.

use super::policy::{AlgorithmId, Policy};
use crate::algorithm::{Found, Task};

const ENOUGH: &str = "classes were formed one by one, so each of them has the largest `k` of all promises: that is enough for promises about some columns, but more than they ask for. A full-domain search (`optimal`) counts their classes exactly";

/// A remark where every class was asked for more than is promised.
pub(super) fn remark(policy: &Policy, task: &Task<'_>, found: &Found) -> Option<String> {
    let is_by_class = match policy.search.algorithm {
        AlgorithmId::Chain => true,
        // It promises nothing.
        AlgorithmId::MuArgus => false,
        _ => found.recoding.node().is_none(),
    };
    (is_by_class && task.models.promises_columns()).then(|| ENOUGH.to_owned())
}
