//! What a publication says: of the plan first, and of the release once it was certified.

use scrim::release::audit::RowCounts;
use scrim::release::policy::RowOrder;
use scrim::release::report::{Publication, Searched, Seconds, levels, recoding};
use scrim::release::{COHORT_RULE, are_kept, claimed};

use super::certified::Certified;
use super::ties;
use super::work::Work;

/// What a release is remarked on that keeps the order of its input.
const INPUT_ORDER: &str = "the rows stand in the order of the input, as `order = \"input\"` asks: whoever knows that order, or has another release in the same order, knows which row is whose, and no promise speaks of that";

impl Work<'_> {
    /// What the plan says.
    pub(super) fn publication(&self, seconds: Seconds) -> Publication {
        let plan = self.plan;
        let mut remarks = self.prepared.remarks.clone();
        remarks.extend(plan.found.remarks.iter().cloned());
        if self.policy.policy.release.order == RowOrder::Input {
            remarks.push(INPUT_ORDER.to_owned());
        }
        if plan.fate.drop && plan.suppressed > 0 && !self.prepared.personal.is_empty() {
            remarks.push("rows are left out, so wishes can be checked now but not later: `audit` and `attack --personal` need a release that has every row".to_owned());
        }
        if plan.fate.star_sensitive {
            remarks.push(format!(
                "the {} suppressed rows together do not keep the models: their sensitive values are starred too; that there are so many of them is still told",
                plan.suppressed
            ));
        }
        let tables = plan.found.tied_tables.as_ref();
        let ties = match tables {
            Some(tables) => ties::tables(&self.prepared.ladders, &self.table.read.table, tables),
            None if plan.found.ties.len() > 1 => {
                let nodes = plan.found.ties.iter();
                nodes.map(|node| levels(self.prepared, node)).collect()
            }
            None => Vec::new(),
        };
        Publication {
            status: "published",
            algorithm: plan.algorithm,
            recoding: Some(recoding(self.prepared, plan)),
            metrics: Some(plan.metrics.clone()),
            searched: Searched {
                lattice: plan.lattice,
                checked: plan.found.checked,
            },
            disclosure: self.disclosure.cloned(),
            optimal: plan.found.proven,
            ties,
            ties_count: tables.map(|tables| tables.count),
            ties_complete: tables.map(|tables| tables.complete),
            remarks,
            seconds,
            ..Publication::default()
        }
    }

    /// Says what the certifier found, and what the release costs.
    pub(super) fn fill_in(
        &self,
        publication: &mut Publication,
        mut certified: Certified,
    ) -> Certified {
        publication.combination = certified.combination.take();
        let counts = self.before.map_or(self.prepared, |(_, counts)| counts);
        let read = counts.ground.rows();
        let audit = &mut certified.audit;
        publication.rows = RowCounts {
            read,
            // Rows that show nothing but stars look suppressed, whatever made them so.
            suppressed: audit.rows.suppressed + (read - audit.rows.released),
            ..audit.rows
        };
        let measured = certified.metrics.clone();
        let (metrics, proven) = claimed(&self.policy.policy, self.plan, measured);
        publication.metrics = Some(metrics);
        publication.optimal = proven;
        if self.plan.found.proven && !proven && self.before.is_none() {
            publication.remarks.push("labels that stand for several taxa of a hierarchy, or stars in the raw table, count otherwise in the release than in the search: that it is the best is not proven".to_owned());
        }
        publication.classes = audit.classes.clone();
        publication.models = std::mem::take(&mut audit.models);
        publication.breach = audit.breach.take();
        publication.serial = audit.serial.take();
        let disclosure = publication.disclosure.as_mut();
        if let Some((report, found)) = disclosure.zip(audit.disclosure.take()) {
            report.certified = Some(found);
        }
        if let (Some(serial), Some(past)) = (&mut publication.serial, self.past) {
            serial.retired = past.retired;
            serial.incomplete = past.incomplete;
            serial.cohorts = are_kept(&self.policy.policy).then(|| COHORT_RULE.to_owned());
        }
        publication.remarks.append(&mut audit.remarks);
        publication.remarks.extend(certified.formulas.remark());
        certified
    }
}
