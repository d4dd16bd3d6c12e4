//! Text for terminals: [`Table`] aligns columns, [`wrapped`] breaks lines.
//!
//! Both count a wide character as two places. How wide a terminal is, its caller says.

mod table;
mod wrap;

pub use table::Table;
pub use wrap::wrapped;
