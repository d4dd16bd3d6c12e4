//! The `scrim` binary from outside: what it prints, how it exits, what it leaves on disk.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test that cannot prepare its files has failed"
)]

mod agreement;
mod bad_inputs;
mod bench;
mod categories;
mod claims;
mod column_promises;
mod compare;
mod completions;
mod counted;
mod disclosure;
mod escapes;
mod examples;
mod folder;
mod formats;
mod help;
mod init;
mod init_formats;
mod init_guesses;
mod init_persons;
mod lasting;
mod ledger;
mod ledger_records;
mod limits;
mod linkage;
mod manual;
mod memory;
mod mingen_cell;
mod missing;
mod mondrian;
mod mu_argus;
mod mu_argus_random;
mod outside;
mod papers;
mod personal;
mod personal_attack;
mod personal_audit;
mod personal_persons;
mod plurals;
mod polish;
mod publish;
mod publishers;
mod random;
mod refusals;
mod report;
mod risk;
mod row_order;
mod sbom;
mod secrets;
mod sensitive;
mod serial;
mod serial_attack;
mod serial_audit;
mod serial_promises;
mod spoil;
mod suppressed;
mod totals;
mod verdict;
mod wong09;
mod workload;
mod xiaotao06;
mod zhang07;
