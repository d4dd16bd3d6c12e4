//! Scrim io.
