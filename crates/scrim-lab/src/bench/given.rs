//! A policy of the user's own, for every search in turn: its paths are made absolute, so that it may stand elsewhere, and its
//! release goes where it is told to.

use std::path::{Path, PathBuf};

use scrim_io::files;
use toml::{Table, Value};

use crate::Failure;

/// A policy to be varied.
#[derive(Debug)]
pub(super) struct Given {
    policy: Table,
}

impl Given {
    /// Reads a policy and points it to this table.
    pub(super) fn read(policy: &Path, data: &Path) -> Result<Self, Failure> {
        let text = files::read_text(policy)?;
        let place = |what: &str| format!("{}: {what}", policy.display());
        // What stands on the line is not repeated: a policy may name values.
        let mut table: Table = text.parse().map_err(|_| {
            let hint = "`scrim publish` says where it is wrong";
            Failure::new(place("this is no policy"), Some(hint))
        })?;
        if table.contains_key("ledger") {
            let hint = "take [ledger] and `serial` out of a copy of the policy";
            return Err(Failure::new(
                place("a benchmark must leave no trace in a ledger"),
                Some(hint),
            ));
        }
        let home = policy.parent().unwrap_or(Path::new(""));
        let columns = table.get_mut("columns").and_then(Value::as_table_mut);
        for (_, column) in columns.into_iter().flatten() {
            if let Some(hierarchy) = column.get_mut("hierarchy") {
                absolute(hierarchy, home);
            }
        }
        set(
            &mut table,
            "data",
            "path",
            whole(data).display().to_string(),
        );
        Ok(Self { policy: table })
    }

    /// The policy for a search, with the folder of its release.
    pub(super) fn policy(&self, algorithm: &str, release: &str) -> String {
        let mut table = self.policy.clone();
        set(&mut table, "search", "algorithm", algorithm.to_owned());
        set(&mut table, "release", "dir", release.to_owned());
        table.to_string()
    }

    /// How many quasi-identifiers it has.
    pub(super) fn quasi(&self) -> u32 {
        let columns = self.policy.get("columns").and_then(Value::as_table);
        let roles = columns.into_iter().flatten().map(|(_, column)| column);
        let quasi =
            roles.filter(|column| column.get("role").and_then(Value::as_str) == Some("quasi"));
        quasi.count() as u32
    }
}

/// Sets a key of a section, which is made where there is none.
fn set(table: &mut Table, section: &str, key: &str, value: String) {
    let mut keys = match table.remove(section) {
        Some(Value::Table(keys)) => keys,
        _ => Table::new(),
    };
    keys.insert(key.to_owned(), Value::String(value));
    table.insert(section.to_owned(), Value::Table(keys));
}

/// Makes the path of a hierarchy's file absolute; any other kind has none.
fn absolute(hierarchy: &mut Value, home: &Path) {
    match hierarchy {
        Value::String(file) => *file = whole(&home.join(&*file)).display().to_string(),
        Value::Table(keys) => {
            if let Some(file) = keys.get_mut("file") {
                absolute(file, home);
            }
        }
        _ => {}
    }
}

fn whole(path: &Path) -> PathBuf {
    files::canonical(path).unwrap_or_else(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: &str = r#"
[data]
path = "other.csv"
[columns]
a = { role = "quasi", hierarchy = "a.csv" }
b = { role = "quasi", hierarchy = { file = "a.csv", kind = "levels" } }
c = { role = "quasi", hierarchy = { mask = "right" } }
d = { role = "sensitive" }
[search]
algorithm = "datafly"
suppression = 0.5
"#;

    #[test]
    fn a_policy_is_the_same_but_for_search_and_places() {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in [
            ("a.csv", "x;*\n"),
            ("data.csv", "a\n"),
            ("policy.toml", POLICY),
        ] {
            files::write_bytes(&dir.path().join(name), text.as_bytes()).unwrap();
        }
        let policy = dir.path().join("policy.toml");
        let given = Given::read(&policy, &dir.path().join("data.csv")).unwrap();
        assert_eq!(given.quasi(), 3);
        let made: Table = given.policy("optimal", "out").parse().unwrap();
        let home = files::canonical(dir.path()).unwrap();
        let at = |name: &str| Value::String(home.join(name).display().to_string());
        assert_eq!(made["data"]["path"], at("data.csv"));
        assert_eq!(made["columns"]["a"]["hierarchy"], at("a.csv"));
        assert_eq!(made["columns"]["b"]["hierarchy"]["file"], at("a.csv"));
        assert_eq!(
            made["columns"]["c"]["hierarchy"]["mask"].as_str(),
            Some("right")
        );
        assert_eq!(made["search"]["algorithm"].as_str(), Some("optimal"));
        assert_eq!(made["search"]["suppression"].as_float(), Some(0.5));
        assert_eq!(made["release"]["dir"].as_str(), Some("out"));
        let ledger = format!("{POLICY}[ledger]\npath = \"l.sqlite\"\n");
        files::write_bytes(&policy, ledger.as_bytes()).unwrap();
        assert!(Given::read(&policy, Path::new("data.csv")).is_err());
    }
}
