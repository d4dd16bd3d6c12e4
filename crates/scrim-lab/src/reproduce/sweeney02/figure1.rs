//! Figure 1 with Examples 1 and 2: what k-anonymity is.

use scrim::Error;
use scrim::recoding::Node;

use super::{Line, Part, Verdict, fixtures, words};

/// Example 2, with Figure 1's capitals.
const COUNTS: [(&str, &str, &str); 8] = [
    ("Race", "Black", "4"),
    ("Race", "White", "3"),
    ("Birth", "1964", "5"),
    ("Birth", "1965", "2"),
    ("Gender", "m", "5"),
    ("Gender", "f", "2"),
    ("ZIP", "02138", "5"),
    ("ZIP", "02141", "2"),
];

pub(super) fn parts() -> Result<Vec<Part>, Error> {
    let bench = fixtures::figure_1()?;
    let bottom = Node::bottom(bench.ladders.len());
    let class = |tuple: usize| {
        let tuples = bench.ground.tuple_of_row();
        let rows: Vec<usize> = (0..tuples.len())
            .filter(|row| tuples[*row] as usize == tuple)
            .collect();
        words::rows(&rows)
    };
    let classes: Vec<String> = (0..bench.ground.set().len()).map(class).collect();
    let example_1 = vec![
        Line::same("largest k", "2", bench.max_k(&bottom).to_string()),
        Line::same("classes", "t1 t2, t3 t4, t5 t6 t7", classes.join(", ")),
    ];
    let set = bench.ground.set();
    let occurrences = |row: usize| set.rows()[bench.ground.tuple_of_row()[row] as usize];
    // Example 1 names the tuples that are equal, so how often each occurs.
    let printed = ["2", "2", "2", "2", "3", "3", "3"];
    let mut trace: Vec<Line> = (0..)
        .zip(printed)
        .map(|(row, paper)| {
            let name = format!("tuples equal to {}", words::rows(&[row]));
            Line::same(name, paper, occurrences(row).to_string())
        })
        .collect();
    trace.extend((1..=3).map(|k| {
        let few: Vec<usize> = (0..printed.len())
            .filter(|row| occurrences(*row) < k)
            .collect();
        let ours = if few.is_empty() {
            "holds".to_owned()
        } else {
            format!("broken by {}", words::rows(&few))
        };
        let name = format!("Definition 2 for k = {k}");
        if k == 2 {
            return Line::same(name, "holds", ours);
        }
        // The paper says nothing of other k; they follow from the tuples above.
        let right = if k < 2 {
            "holds"
        } else {
            "broken by t1 t2 t3 t4"
        };
        let is_right = ours == right;
        Line::new(name, "", vec![ours], Verdict::Checked, is_right)
    }));
    let count = |(column, value, paper): &(&str, &str, &str)| {
        let column_of_table = bench.table.column(column);
        let ours = column_of_table.map_or(0, |column| {
            let counts = column.counts();
            let codes = column.dictionary().texts().zip(counts);
            codes
                .filter(|(text, _)| text == value)
                .map(|(_, count)| count)
                .sum()
        });
        Line::same(
            format!("rows with {column} {value}"),
            paper,
            ours.to_string(),
        )
    };
    Ok(vec![
        Part::new("Figure 1, Example 1: k-anonymity", &["ours"], example_1),
        Part::new(
            "Figure 1 tuple by tuple: how often its values occur",
            &["ours"],
            trace,
        ),
        Part::new(
            "Example 2: each value occurs at least k times",
            &["ours"],
            COUNTS.iter().map(count).collect(),
        ),
    ])
}
