//! The ways out of a refusal in words, each with its cost.

use num_integer::Integer;
use num_traits::ToPrimitive;

use super::budgets::Budgets;
use super::pace::{Exact, Schedule};
use super::ways_out::WaysOut;
use crate::counted;

impl WaysOut {
    /// What would help where no release at all keeps the promise.
    pub(super) fn ways(&self, budgets: &Budgets) -> String {
        let [possible, enough] = self.largest_l(budgets);
        let mut ways = Vec::new();
        let mut values = 0;
        let without_room = self.overdrawn.count + self.exhausted.count > 0;
        if without_room {
            values = self.exhausted_values;
            ways.extend(self.retired("a small `below`", self.spent));
        } else {
            ways.extend(self.schedules(budgets));
        }
        if self.crowded.count > 0 {
            let missing = self.largest_class.saturating_sub(self.rows);
            ways.push(format!(
                "a larger table: at least {} more, or as many made-up ones",
                counted(missing, "row")
            ));
            let bound = format!("`below = \"1/{}\"`", self.rows);
            let short = self.short_of_room(budgets);
            ways.extend(self.retired(&bound, short).filter(|_| self.spent < short));
        } else if let Some(scarce) = self.scarce.filter(|_| !without_room) {
            ways.push(format!(
                "a larger table: at least {} more without a past and without that value, or as many made-up rows",
                counted(scarce.newcomers, "person")
            ));
            values = self.scarce_values;
        }
        if values == 0 && self.overdrawn.count > 0 {
            ways.push("fewer protected values".to_owned());
        } else if values > 0 {
            let stand = if values == 1 { "stands" } else { "stand" };
            ways.push(format!(
                "fewer protected values: {values} {stand} in the way here"
            ));
        }
        ways.extend(self.smaller_l(possible.as_ref(), enough.as_ref()));
        told(&ways)
    }

    /// What would help where a search found nothing although nothing is hopeless.
    pub(super) fn help(&self, budgets: &Budgets) -> String {
        let [_, enough] = self.largest_l(budgets);
        let mut ways = self.schedules(budgets);
        ways.push("a larger table, with persons who have room left".to_owned());
        if let Some(count) = self.counterfeits.filter(|count| *count > 0) {
            ways.push(format!(
                "{} without protected values would make the table as one class valid",
                counted(count, "made-up row")
            ));
        }
        ways.extend(self.retired("a small `below`", self.spent));
        match self.smaller_l(None, enough.as_ref()) {
            Some(way) => ways.push(way),
            None => ways.push("a smaller `l`".to_owned()),
        }
        ways.push("fewer protected values".to_owned());
        told(&ways)
    }

    /// Whom a bound of retirement leaves out; not a way where it is nobody, or everybody.
    fn retired(&self, bound: &str, persons: u64) -> Option<String> {
        (persons > 0 && persons < self.rows).then(|| {
            format!(
                "`retire` with {bound}: it leaves out {} of {}, whatever they have now",
                counted(persons, "person"),
                self.rows
            )
        })
    }

    /// Schedules that ask for less now, and what is left after them.
    fn schedules(&self, budgets: &Budgets) -> Vec<String> {
        let own = self.pace.schedule();
        if own == Schedule::Greedy {
            return Vec::new();
        }
        let mut ways = Vec::new();
        for (name, schedule) in Schedule::NAMES {
            // Without appearances the other schedules cannot be computed.
            if schedule == own || own == Schedule::Geometric && schedule != Schedule::Greedy {
                continue;
            }
            let other = self.pace.under(schedule);
            let Some((now, next)) = other.and_then(|other| self.under(&other, budgets)) else {
                continue;
            };
            if now >= self.largest_class {
                continue;
            }
            let next = next.map_or_else(
                || "has no room left in later releases".to_owned(),
                |next| format!("then needs one of {next} the next time"),
            );
            ways.push(format!(
                "`schedule = \"{name}\"`: classes of up to {} instead of {}; who was in one {next}",
                counted(now, "row"),
                self.largest_class
            ));
        }
        ways
    }

    fn smaller_l(&self, possible: Option<&Exact>, enough: Option<&Exact>) -> Option<String> {
        let below = |l: &&Exact| *l < self.pace.l();
        let possible = possible.filter(below).map(rounded_down);
        let enough = enough.filter(below).map(rounded_down);
        match (possible, enough) {
            (None, None) => None,
            (Some(possible), None) => Some(format!("a smaller `l`: at most {possible}")),
            (Some(possible), Some(enough)) if possible != enough => Some(format!(
                "a smaller `l`: at most {possible}; {enough} makes the table as one class valid"
            )),
            (_, Some(enough)) => Some(format!(
                "a smaller `l`: {enough} makes the table as one class valid"
            )),
        }
    }
}

fn told(ways: &[String]) -> String {
    format!("what would help: {}", ways.join("; "))
}

/// A number, short: exact where it is, else rounded down, so that what is told suffices.
fn rounded_down(number: &Exact) -> String {
    if number.denom().bits() <= 20 {
        return number.to_string();
    }
    let thousandths = (number.numer() * 1000u32).div_floor(number.denom());
    format!("{:.3}", thousandths.to_f64().unwrap_or(0.0) / 1000.0)
}
