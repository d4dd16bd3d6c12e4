//! Answers as text for people. Nothing is told by colour alone.

mod answers;
mod comparison;
mod concerns;
mod disclosure;
mod help;
mod init;
mod ledger;
mod lines;
mod linkage;
mod personal;
mod refusal;
mod risk;
mod serial;
mod similarity;
mod ties;
mod totals;
mod width;
mod workload;

pub(crate) use answers::{audit, lattice, measured, publication, warning};
pub(crate) use comparison::{comparison, ending, ending_heading};
pub(crate) use disclosure::knowing;
pub(crate) use help::entry;
pub(crate) use init::init;
pub(crate) use ledger::{
    ledger_check, ledger_list, ledger_persons, ledger_release, ledger_verification,
};
pub(crate) use linkage::linkage;
pub(crate) use personal::personal;
pub(crate) use risk::risk;
pub(crate) use serial::serial;
pub(crate) use similarity::similarity;
pub(crate) use totals::totals;
pub(crate) use width::width;
