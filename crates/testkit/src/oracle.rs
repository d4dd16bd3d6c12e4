//! The slow answers: each function follows its definition word by word and knows no shortcut.

mod cell;
mod columns;
mod datafly;
mod disclosure;
pub mod disclosure_set;
mod k_anonymity;
mod l_diversity;
pub mod lasting;
pub mod linkage;
mod metrics;
mod minimal;
mod mu_argus;
mod node_release;
mod optimal;
mod p_alpha;
pub mod personal;
pub mod risk;
pub mod serial;
mod t_closeness;
mod top_down;
mod totals;
mod workload;

pub use cell::{CellOptimum, cell_optimum};
pub use columns::closed_under;
pub use datafly::{DataflyOutcome, Mode, Step4, datafly, datafly_within};
pub use disclosure::{beta_likeness, delta_disclosure};
pub use k_anonymity::{is_k_anonymous, max_k};
pub use l_diversity::{
    alpha_k, distinct_l_diverse, entropy_l_diverse, frequency_l_diverse, recursive_cl_diverse,
};
pub use metrics::{
    average_class_size, discernibility, distortion_ratio, entropy, information_loss, loss,
    loss_mean, prec, prec_of_cells, released_levels,
};
pub use minimal::{is_at_most, minimal_nodes};
pub use mu_argus::{Identifies, MuArgusOutcome, TestedBy, mu_argus};
pub use node_release::{NodeRelease, Suppressed, node_release};
pub use optimal::{Metric, optimum, preferred};
pub use p_alpha::{distinct_categories, p_alpha, p_plus_alpha, p_sensitive, total_weight};
pub use t_closeness::{t_close_equal, t_close_hierarchical, t_close_ordered, transport};
pub use top_down::{Asked, top_down};
pub use totals::worlds_of_totals;
pub use workload::{Values, leaf_order, relative_error, values_below, workload_answer};
