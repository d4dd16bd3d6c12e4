//! Section 3: the distance between two categories, by the paper's example.

use scrim::model::Categories;
use scrim::table::Column;
use scrim::{Error, Share};

use super::bench::internal;
use super::{Line, Part, Verdict, fixtures, words};

pub(super) fn part() -> Result<Part, Error> {
    let listed = fixtures::categories(fixtures::TABLE_4);
    let values = listed.iter().flatten().map(String::as_str);
    let column = Column::from_texts("Health", values);
    let categories = Categories::new(&listed, column.dictionary());
    let categories = categories.map_err(|what| internal(&what))?;
    let code = |value: &str| {
        let mut codes = (0u32..).zip(column.dictionary().texts());
        let found = codes.find(|(_, text)| *text == value);
        found
            .map(|(code, _)| code)
            .ok_or_else(|| internal("Table 4 lacks a value"))
    };
    let line = |(one, other, paper): (&str, &str, &str)| {
        let ours = categories.distance(code(one)?, code(other)?);
        let right = ours == paper.parse::<Share>().unwrap_or(Share::ZERO);
        let name = format!("{one} and {other}");
        Ok(Line::new(
            name,
            paper,
            vec![words::share(ours)],
            Verdict::Agrees,
            right,
        ))
    };
    let pairs = [("Cancer", "Flu", "1"), ("Phthisis", "Asthma", "1/3")];
    Ok(Part::new(
        "Section 3: the distance between the categories of two values",
        &["ours"],
        pairs.into_iter().map(line).collect::<Result<_, Error>>()?,
    ))
}
