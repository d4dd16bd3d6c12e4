//! Tables that screen readers can walk: a caption, heads with a scope, and a box of their own to scroll in.

use super::html::Html;

/// A table: every row has as many cells as there are heads. The first cell of a row is its head.
#[derive(Debug)]
pub(super) struct Table<const N: usize> {
    caption: String,
    heads: [&'static str; N],
    rows: Vec<[Html; N]>,
    /// Columns from this one on are numbers.
    numbers: usize,
}

impl<const N: usize> Table<N> {
    /// A table without rows.
    pub(super) fn new(caption: impl Into<String>, heads: [&'static str; N]) -> Self {
        Self {
            caption: caption.into(),
            heads,
            rows: Vec::new(),
            numbers: N,
        }
    }

    /// Columns from this one on are set as numbers.
    pub(super) fn numbers_from(mut self, column: usize) -> Self {
        self.numbers = column;
        self
    }

    /// Adds a row of texts.
    pub(super) fn row(&mut self, cells: [&str; N]) {
        self.rows.push(cells.map(Html::text));
    }

    /// Adds a row.
    pub(super) fn cells(&mut self, cells: [Html; N]) {
        self.rows.push(cells);
    }

    /// Whether it has no row.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table.
    pub(super) fn html(&self) -> Html {
        let class = |at: usize| if at >= self.numbers { "n" } else { "t" };
        let head = |(at, head): (usize, &&'static str)| {
            Html::line("th", &[("scope", "col"), ("class", class(at))], head)
        };
        let heads: Html = self.heads.iter().enumerate().map(head).collect();
        let mut body = Html::new();
        for row in &self.rows {
            let cell = |(at, cell): (usize, &Html)| match at {
                0 => Html::tag("th", &[("scope", "row")], cell),
                _ => Html::tag("td", &[("class", class(at))], cell),
            };
            let cells: Html = row.iter().enumerate().map(cell).collect();
            body.push(&Html::tag("tr", &[], &cells)).end_line();
        }
        let mut inner = Html::line("caption", &[], &self.caption);
        inner.push(&Html::tag("thead", &[], &Html::tag("tr", &[], &heads)));
        inner.push(&Html::tag("tbody", &[], &body));
        let table = Html::tag("table", &[], &inner);
        let scroll = [
            ("class", "scroll"),
            ("role", "region"),
            ("tabindex", "0"),
            ("aria-label", self.caption.as_str()),
        ];
        Html::tag("div", &scroll, &table)
    }
}
