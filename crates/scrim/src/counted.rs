//! Numbers with what they count: one row, two rows.

use std::fmt::Display;

/// A number and its noun, which is given in the singular.
pub fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, one: &str) -> String {
    if count == N::from(1) {
        format!("{count} {one}")
    } else if one.ends_with('s') {
        format!("{count} {one}es")
    } else if let Some(stem) = one.strip_suffix('y') {
        format!("{count} {stem}ies")
    } else {
        format!("{count} {one}s")
    }
}

/// The verb that agrees with a number: one row is, two rows are.
pub fn verb<N: Copy + PartialEq + From<u8>>(
    count: N,
    one: &'static str,
    many: &'static str,
) -> &'static str {
    if count == N::from(1) { one } else { many }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_one_and_all_else_are_many() {
        let shown = [
            counted(1_u64, "row"),
            counted(0_u64, "row"),
            counted(2_u128, "class"),
        ];
        assert_eq!(shown, ["1 row", "0 rows", "2 classes"]);
        assert_eq!(counted(3_usize, "query"), "3 queries");
        let verbs = [0_u64, 1, 2].map(|count| verb(count, "is", "are"));
        assert_eq!(verbs, ["are", "is", "are"]);
    }
}
