//! Figure 4 with Equation 1 and Examples 3 to 6: the lattice of Race and ZIP.

use scrim::Error;
use scrim::recoding::{Node, Recoding, Suppressed};

use super::bench::Bench;
use super::{Line, Part, Verdict, fixtures, words};

/// What Examples 3, 5 and 6 say of nodes: largest k where one is named, Prec.
const PRINTED: [(&[u8], Option<u64>, &str); 6] = [
    (&[0, 0], None, "1.00"),
    (&[0, 1], Some(2), "0.83"),
    (&[0, 2], Some(4), "0.67"),
    (&[1, 0], Some(2), "0.75"),
    (&[1, 1], Some(4), "0.58"),
    (&[2, 3], None, "0.00"),
];

pub(super) fn parts() -> Result<Vec<Part>, Error> {
    let bench = fixtures::figure_4()?;
    let lattice = bench.lattice();
    let size = Line::same("generalizations", "12", lattice.size().to_string());
    let nodes = (0..lattice.size() as usize).map(|index| node_line(&bench, &lattice.node(index)));
    let (minimal, (distortions, prec)) = (bench.minimal(2)?, bench.distortions(2)?);
    let expected = fixtures::figure_4_nodes(2, "distortion")?;
    let examples = vec![
        Line::same(
            "2-minimal generalizations",
            "[0,1] [1,0]",
            words::nodes(&minimal),
        ),
        Line::same("2-minimal distortions", "[0,1]", words::nodes(&distortions)),
        Line::new(
            "their Prec",
            "0.83",
            vec![words::share(prec)],
            Verdict::Agrees,
            prec == expected.1 && words::prints_as(prec, "0.83"),
        ),
    ];
    Ok(vec![
        Part::new("Equation 1: the lattice of Figure 4", &["ours"], vec![size]),
        Part::new(
            "Figure 4, Examples 3, 5 and 6: every node [Race,ZIP]",
            &["largest k", "Prec"],
            nodes.collect::<Result<_, _>>()?,
        ),
        Part::new("Examples 4 and 6: minimal for k = 2", &["ours"], examples),
    ])
}

fn node_line(bench: &Bench, node: &Node) -> Result<Line, Error> {
    let recoding = Recoding::FullDomain {
        node: node.clone(),
        suppressed: Suppressed::default(),
    };
    let (max_k, prec) = (bench.max_k(node), bench.prec(&recoding)?);
    let known = fixtures::figure_4_node(&words::numbers(node.levels()))? == (max_k, prec);
    let ours = vec![max_k.to_string(), words::share(prec)];
    let printed = PRINTED.iter().find(|(levels, ..)| *levels == node.levels());
    let line = match printed {
        None => Line::new(words::node(node), "", ours, Verdict::Checked, known),
        Some((_, k, printed)) => {
            let paper = k.map_or_else(
                || format!("Prec {printed}"),
                |k| format!("k up to {k}, Prec {printed}"),
            );
            let right = known && k.is_none_or(|k| k == max_k) && words::prints_as(prec, printed);
            Line::new(words::node(node), paper, ours, Verdict::Agrees, right)
        }
    };
    Ok(line)
}
