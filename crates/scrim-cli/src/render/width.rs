//! How wide answers may be.

use std::io;

use terminal_size::{Width, terminal_size_of};

/// As wide as answers are where nobody says how wide they may be, and at most.
const WIDEST: usize = 100;

/// How wide texts on standard output may be.
pub(crate) fn width() -> usize {
    let terminal = terminal_size_of(io::stdout());
    terminal.map_or(WIDEST, |(Width(width), _)| {
        usize::from(width).clamp(40, WIDEST)
    })
}
