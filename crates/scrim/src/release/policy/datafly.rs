//! What only Datafly looks at in `[search]`.

use super::ColumnPolicy;
use super::section::Section;
use super::weights::read_weights;
use crate::algorithm::Complement;
use crate::error::Error;
use crate::share::Share;

/// The choices that [Sweeney02] leaves open in Datafly.
#[derive(Clone, Debug, PartialEq)]
pub struct DataflyPolicy {
    /// As printed.
    pub strict: bool,
    /// Step 4.
    pub complement: Complement,
    /// Its choice of attribute: likelihood of linking times tolerance of distortion, in policy order.
    pub preference: Vec<Share>,
}

impl DataflyPolicy {
    /// As Figure 8 has it, over so many quasi-identifiers.
    pub(super) fn over(quasi: usize) -> Self {
        Self {
            strict: false,
            complement: Complement::Tuple,
            preference: vec![Share::ONE; quasi],
        }
    }
}

pub(super) fn read(section: &Section<'_>, quasi: &[&ColumnPolicy]) -> Result<DataflyPolicy, Error> {
    let mut datafly = DataflyPolicy::over(quasi.len());
    datafly.strict = section.flag_or("strict", false)?;
    datafly.complement = section
        .choice(
            "complement",
            &[
                ("tuple", Complement::Tuple),
                ("sequence", Complement::Sequence),
            ],
        )?
        .unwrap_or_default();
    for key in ["linking", "distort"] {
        for (at, factor) in read_weights(
            section,
            key,
            quasi,
            Some(Share::ONE),
            &[],
            &mut |_, _, _| Ok(false),
        )?
        .into_iter()
        .flatten()
        .enumerate()
        {
            datafly.preference[at] = datafly.preference[at]
                .checked_mul(factor)
                .unwrap_or(Share::ZERO);
        }
    }
    Ok(datafly)
}
