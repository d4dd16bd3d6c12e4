//! The slow answers: each function follows its definition word by word and knows no shortcut.

mod cell;
mod datafly;
mod k_anonymity;
mod metrics;
mod minimal;
mod optimal;

pub use cell::{CellOptimum, cell_optimum};
pub use datafly::{DataflyOutcome, Mode, Step4, datafly};
pub use k_anonymity::{is_k_anonymous, max_k};
pub use metrics::{
    average_class_size, discernibility, distortion_ratio, entropy, information_loss, loss,
    loss_mean, prec, prec_of_cells, released_levels,
};
pub use minimal::{is_at_most, minimal_nodes};
pub use optimal::{Metric, optimum, preferred};
