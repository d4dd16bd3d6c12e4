//! What machine it was: a figure without it says little.

use std::path::Path;

use scrim_io::files;
use serde::Serialize;

/// Facts about machine and build.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Machine {
    /// Cores that may be used.
    pub(super) cores: usize,
    /// What the processor calls itself, where the system tells.
    pub(super) cpu: Option<String>,
    /// Memory in megabytes, where the system tells.
    pub(super) megabytes: Option<u64>,
    /// Processes that were waiting for a core in the last minute, where the system tells: others' work.
    pub(super) load: Option<String>,
    /// The system and the processor's kind.
    pub(super) system: String,
    /// The version of this program.
    pub(super) version: &'static str,
    /// Whether it was built to be fast.
    pub(super) release_build: bool,
}

impl Machine {
    /// This one.
    pub(super) fn this() -> Self {
        let proc =
            |name: &str| files::read_text(&Path::new("/proc").join(name)).unwrap_or_default();
        Self {
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            cpu: field(&proc("cpuinfo"), "model name").map(str::to_owned),
            megabytes: field(&proc("meminfo"), "MemTotal").and_then(megabytes),
            load: proc("loadavg")
                .split(' ')
                .next()
                .filter(|load| !load.is_empty())
                .map(str::to_owned),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            version: env!("CARGO_PKG_VERSION"),
            release_build: !cfg!(debug_assertions),
        }
    }

    /// In a sentence.
    pub(super) fn words(&self) -> String {
        let cpu = self.cpu.as_deref().unwrap_or("processor not told");
        let memory = self
            .megabytes
            .map_or("memory not told".to_owned(), |megabytes| {
                format!("{megabytes} MB")
            });
        let load = self
            .load
            .as_ref()
            .map_or_else(String::new, |load| format!(", load {load} when it began"));
        let build = if self.release_build {
            "release build"
        } else {
            "DEBUG BUILD: the figures mean nothing"
        };
        format!(
            "{}, {} cores, {memory}, {}{load}; scrim {}, {build}",
            cpu, self.cores, self.system, self.version
        )
    }
}

/// The text after a name and a colon.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let mut fields = text.lines().filter_map(|line| line.split_once(':'));
    let found = fields.find(|(key, _)| key.trim() == name);
    found.map(|(_, value)| value.trim())
}

/// Of a number of kilobytes with its unit.
fn megabytes(text: &str) -> Option<u64> {
    let kilobytes: u64 = text.split(' ').next()?.parse().ok()?;
    Some(kilobytes * 1024 / 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_read_from_what_the_system_tells() {
        let text = "processor\t: 0\nmodel name\t: A: fast one\nMemTotal:       24000000 kB\n";
        assert_eq!(field(text, "model name"), Some("A: fast one"));
        assert_eq!(field(text, "MemTotal").and_then(megabytes), Some(24_576));
        assert_eq!(field("", "MemTotal"), None);
        let here = Machine::this();
        assert!(here.cores >= 1 && here.words().contains("cores"));
    }
}
