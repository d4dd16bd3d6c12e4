//! The scrim command.
fn main() {}
