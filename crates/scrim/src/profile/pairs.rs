//! Columns that determine each other: a code and its description, a postal code and its town.
//!
//! **Definition.** Two columns determine each other where, both ways, at least 19 of 20 rows that have a value have the commonest
//! partner of that value.
//! **Reading.** Only columns with at least three values that repeat are looked at: where every row has its own value, all columns
//! determine each other. Such columns say the same, so they get one role: the one that was recognised, or the stricter of two, and
//! then it is only guessed.
//! **Cost.** A look at all rows for each pair whose numbers of values are within a half of each other.

use rustc_hash::FxHashMap;

use super::survey::ColumnProfile;
use crate::table::{Role, Table};

/// Pairs of columns that determine each other, by their places.
pub(super) fn pairs(table: &Table, columns: &[ColumnProfile]) -> Vec<(usize, usize)> {
    let places: Vec<usize> = (0..columns.len())
        .filter(|at| is_candidate(&columns[*at]))
        .collect();
    let mut found = Vec::new();
    for (nth, &left) in places.iter().enumerate() {
        for &right in &places[nth + 1..] {
            let (few, many) = sorted(columns[left].distinct, columns[right].distinct);
            if many * 2 <= few * 3 && determine_each_other(table, left, right) {
                found.push((left, right));
            }
        }
    }
    found
}

/// Gives the columns of a pair one role.
pub(super) fn join(columns: &mut [ColumnProfile], pairs: &[(usize, usize)]) {
    for &(left, right) in pairs {
        let (first, second) = (&columns[left].guess, &columns[right].guess);
        if [first.role, second.role].contains(&Role::Person) {
            hide_unsure(columns, left, right);
            continue;
        }
        if first.role == second.role {
            let unsure = first.unsure && second.unsure;
            columns[left].guess.unsure = unsure;
            columns[right].guess.unsure = unsure;
            continue;
        }
        let follows_first = match (first.unsure, second.unsure) {
            (false, true) => true,
            (true, false) => false,
            _ => strictness(first.role) >= strictness(second.role),
        };
        let (leads, follows) = if follows_first {
            (left, right)
        } else {
            (right, left)
        };
        let both_sure = !first.unsure && !second.unsure;
        let known_and_secret = [first.role, second.role].contains(&Role::Quasi)
            && [first.role, second.role].contains(&Role::Sensitive);
        if both_sure && known_and_secret {
            doubt(columns, left, right);
            continue;
        }
        let lead = columns[leads].guess.clone();
        let name = columns[leads].name.clone();
        let guess = &mut columns[follows].guess;
        guess.role = follows_role(lead.role);
        guess.reason = format!("determines `{name}` and is determined by it");
        guess.unsure = both_sure || lead.unsure;
        columns[leads].guess.unsure |= both_sure;
    }
}

/// What says the same as a person's key is hidden as the key is, unless something else was recognised.
fn hide_unsure(columns: &mut [ColumnProfile], left: usize, right: usize) {
    for at in [left, right] {
        let guess = &mut columns[at].guess;
        if guess.role != Role::Person && guess.unsure {
            guess.role = Role::Identifier;
            "every person has a value of their own".clone_into(&mut guess.reason);
            guess.unsure = false;
        }
    }
}

/// What others know and what nobody should learn say the same: neither role is right for both, so somebody must decide.
fn doubt(columns: &mut [ColumnProfile], left: usize, right: usize) {
    for (own, other) in [(left, right), (right, left)] {
        let name = columns[other].name.clone();
        let guess = &mut columns[own].guess;
        guess.unsure = true;
        guess.reason = format!(
            "{}; but it determines `{name}`, which has another role",
            guess.reason
        );
    }
}

/// The role of what says the same as a column of this role.
pub(super) fn follows_role(role: Role) -> Role {
    if role == Role::Person {
        Role::Identifier
    } else {
        role
    }
}

fn strictness(role: Role) -> u8 {
    match role {
        Role::Insensitive => 0,
        Role::Quasi => 1,
        Role::Sensitive => 2,
        Role::Identifier | Role::Guard | Role::Person => 3,
    }
}

fn is_candidate(column: &ColumnProfile) -> bool {
    let repeats = column.distinct * 2 <= column.present;
    column.distinct >= 3 && column.present >= 20 && repeats && !column.kind.is_date()
}

fn determine_each_other(table: &Table, left: usize, right: usize) -> bool {
    let (left, right) = (&table.columns()[left], &table.columns()[right]);
    let mut counts: FxHashMap<(u32, u32), u64> = FxHashMap::default();
    for row in 0..table.rows() {
        let pair = (left.codes().get(row), right.codes().get(row));
        if Some(pair.0) != left.dictionary().missing()
            && Some(pair.1) != right.dictionary().missing()
        {
            *counts.entry(pair).or_default() += 1;
        }
    }
    let mut counts: Vec<((u32, u32), u64)> = counts.into_iter().collect();
    counts.sort_unstable();
    let rows: u64 = counts.iter().map(|(_, count)| count).sum();
    let agreed = |side: fn(&(u32, u32)) -> u32| {
        let mut most: FxHashMap<u32, u64> = FxHashMap::default();
        for (pair, count) in &counts {
            let own = most.entry(side(pair)).or_default();
            *own = (*own).max(*count);
        }
        most.into_values().sum::<u64>()
    };
    let enough = |agreed: u64| agreed * 20 >= rows * 19;
    rows > 0 && enough(agreed(|pair| pair.0)) && enough(agreed(|pair| pair.1))
}

fn sorted(left: u64, right: u64) -> (u64, u64) {
    (left.min(right), left.max(right))
}
