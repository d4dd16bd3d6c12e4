//! Where progress is shown.

use std::fmt;

use scrim_io::pipeline::Door;

/// Shows how far an experiment is, and can stop it: a [`Door`] that also shows work that is no stage of a publication.
pub trait Monitor: Door + fmt::Debug {
    /// Work of this name begins.
    fn doing(&mut self, what: &'static str);
}
