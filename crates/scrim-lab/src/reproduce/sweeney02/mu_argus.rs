//! Figures 11 to 15: mu-Argus, what it tests, what it finds, what it suppresses, and what it does not see.

mod shown;

use scrim::Error;
use scrim::algorithm::{
    Combinations, Generalize, Identifying, MuArgus, MuArgusRun, Unwatched,
    tested_combinations as combinations_of,
};

use super::bench::{Bench, read_table};
use super::released::{self, Rows, smallest_class};
use super::{Line, Part, Verdict, fixtures, words};
use shown::{blank, cells, equal_rows, outliers, suppressed, unique};

/// Section 4.2: Race identifying, `BirthDate` most, Gender and ZIP more.
const IDENTIFYING: [Identifying; 4] = [
    Identifying::Identifying,
    Identifying::Most,
    Identifying::More,
    Identifying::More,
];

/// Figure 13, V: birth and ZIP, how often, and the rows.
const V: [(&str, &str, &str); 6] = [
    ("1965", "02141", "2: t1 t2"),
    ("1965", "02138", "2: t3 t4"),
    ("1964", "02138", "3: t5 t6 t7"),
    ("1965", "02139", "1: t8"),
    ("1964", "02139", "2: t9 t10"),
    ("1967", "02138", "2: t11 t12"),
];

/// Figure 14 by the columns' initials, sorted.
const T7: &str = "RBZ BGZ";
const T8: &str = "RB RG BZ GZ RBG RBZ BGZ";
const MISSING: &str = "RGZ";

pub(super) fn parts() -> Result<Vec<Part>, Error> {
    let bench = fixtures::figure_7(fixtures::LIKELIEST)?;
    let all = run(&bench, &IDENTIFYING, Combinations::All)?;
    let listed = run(&bench, &IDENTIFYING, Combinations::Figure12)?;
    Ok(vec![
        Part::new(
            "Figures 11 and 13: mu-Argus for k = 2, Y-D-C/G2, Most x More on {BirthDate,ZIP}",
            &["ours"],
            figure_13(&bench, &all)?,
        ),
        Part::new(
            "Figure 14: the outliers before cells are suppressed (Race, BirthDate, Gender, ZIP)",
            &["ours"],
            figure_14(&bench, &all),
        ),
        Part::new(
            "Figures 12 and 15: what is tested and released",
            &["all combinations", "Figure 12's"],
            figure_15(&bench, &all, &listed)?,
        ),
        Part::new(
            "mu-Argus on Figure 7 under five readings of Figure 6: largest k of the release, rows with suppressed cells",
            &["k = 2", "k = 3", "k = 4"],
            variants()?,
        ),
        Part::new(
            "Section 4.2: a combination of four is not seen, {0,1} in four columns, k = 2",
            &["ours"],
            gap()?,
        ),
    ])
}

/// The release for k, all combinations tested, and how many cells of it are suppressed.
pub(super) fn release(bench: &Bench, k: u64) -> Result<(Rows, usize), Error> {
    let run = run_with(bench, &IDENTIFYING, Combinations::All, k)?;
    let of_rows = run.tuple_of_row.iter();
    let suppressed = of_rows.map(|tuple| run.suppressed[*tuple as usize].len());
    let suppressed = suppressed.sum();
    Ok((cells(bench, &run, true)?, suppressed))
}

/// Why the certifier does not find a release 2-anonymous.
fn refused(bench: &Bench, released: &[Vec<String>]) -> Result<String, Error> {
    let refused = released::refused(bench, released, 2)?;
    Ok(refused.unwrap_or_else(|| "no".to_owned()))
}

fn run(
    bench: &Bench,
    identifying: &[Identifying],
    tested: Combinations,
) -> Result<MuArgusRun, Error> {
    run_with(bench, identifying, tested, 2)
}

fn run_with(
    bench: &Bench,
    identifying: &[Identifying],
    combinations: Combinations,
    k: u64,
) -> Result<MuArgusRun, Error> {
    let none = Generalize::Listed(Vec::new());
    let algorithm = MuArgus {
        identifying,
        combinations,
        generalize: &none,
    };
    bench.with_task(k, |task| algorithm.run(task, &mut Unwatched))
}

/// Step 2, and the counts of birth and ZIP as they are published there.
fn figure_13(bench: &Bench, run: &MuArgusRun) -> Result<Vec<Line>, Error> {
    let mut lines = vec![Line::same(
        "levels of step 2",
        "[0,1,0,0]",
        words::node(&run.node),
    )];
    let rows = cells(bench, run, false)?;
    for (birth, zip, printed) in V {
        let with: Vec<usize> = (0..rows.len())
            .filter(|row| rows[*row][1] == birth && rows[*row][3] == zip)
            .collect();
        let ours = format!("{}: {}", with.len(), words::rows(&with));
        lines.push(Line::same(format!("{birth} {zip}"), printed, ours));
    }
    let outlying = |row: &usize| outliers(bench, run, *row).contains(&"BZ".to_owned());
    let outlying: Vec<usize> = (0..rows.len()).filter(outlying).collect();
    lines.push(Line::same(
        "outliers by {BirthDate,ZIP}",
        "t8",
        words::rows(&outlying),
    ));
    Ok(lines)
}

fn figure_14(bench: &Bench, run: &MuArgusRun) -> Vec<Line> {
    let of = |row: usize| outliers(bench, run, row);
    let others: Vec<usize> = (0..bench.table.rows())
        .filter(|row| !of(*row).is_empty())
        .collect();
    let t8 = of(7);
    let without: Vec<&str> = t8
        .iter()
        .map(String::as_str)
        .filter(|set| *set != MISSING)
        .collect();
    let right = without.join(" ") == T8 && t8.len() == 8;
    vec![
        Line::same("rows with outliers", "t7 t8", words::rows(&others)),
        Line::same("t7", T7, of(6).join(" ")),
        Line::new("t8", T8, vec![t8.join(" ")], Verdict::Erratum(8), right),
    ]
}

fn figure_15(bench: &Bench, all: &MuArgusRun, listed: &MuArgusRun) -> Result<Vec<Line>, Error> {
    let mt = read_table(fixtures::MT)?;
    let both = [all, listed];
    let released: Vec<Rows> = both
        .iter()
        .map(|run| cells(bench, run, true))
        .collect::<Result<_, _>>()?;
    let same_for_both = |name: &str, paper: &str, ours: Vec<String>| {
        let right = ours.iter().all(|ours| ours == paper);
        Line::new(name, paper, ours, Verdict::Agrees, right)
    };
    let equal: Vec<String> = released.iter().map(|rows| equal_rows(rows, &mt)).collect();
    let blank = |at: usize| both.iter().map(|run| blank(bench, run, at)).collect();
    let unique: Vec<String> = released.iter().map(|rows| unique(rows)).collect();
    let refused: Vec<String> = released
        .iter()
        .map(|rows| refused(bench, rows))
        .collect::<Result<_, _>>()?;
    let kinds = [Combinations::All, Combinations::Figure12].map(kinds);
    let [tested_all, tested_listed] = [Combinations::All, Combinations::Figure12]
        .map(|set| combinations_of(&IDENTIFYING, set).len());
    // Erratum 9: by Figure 12 {Race,BirthDate,ZIP} is always tested, so t7 cannot stay as it is, and ours is MT.
    let t7 = &released[1][6];
    let right = outliers(bench, listed, 6) == ["RBZ"]
        && outliers(bench, listed, 7).contains(&"RG".to_owned())
        && t7.join(" ") == "white ****** male 02138"
        && released[0] == released[1];
    Ok(vec![
        Line::new(
            "kinds of combinations that can be tested",
            "10 listed, 6 not",
            kinds.map(|kinds| kinds.to_string()).to_vec(),
            Verdict::Agrees,
            kinds == [16, 10],
        ),
        Line::new(
            "combinations tested here",
            "",
            vec![tested_all.to_string(), tested_listed.to_string()],
            Verdict::Checked,
            (tested_all, tested_listed) == (10, 7),
        ),
        same_for_both("MT: suppressed in t7", "{BirthDate}", blank(6)),
        same_for_both("MT: suppressed in t8", "{BirthDate,Gender}", blank(7)),
        same_for_both("rows equal to MT's", "12", equal),
        Line::new(
            "MTactual: t7",
            "white 1964 male 021..",
            released.iter().map(|rows| rows[6].join(" ")).collect(),
            Verdict::Erratum(9),
            right,
        ),
        Line::new(
            "MTactual: t8",
            "white (blank) female 021..",
            released.iter().map(|rows| rows[7].join(" ")).collect(),
            Verdict::Erratum(9),
            right && released[1][7].join(" ") == "white ****** ****** 02139",
        ),
        Line::new(
            "unique rows",
            "",
            unique.clone(),
            Verdict::Checked,
            unique == ["t7 t8", "t7 t8"],
        ),
        Line::new(
            "the certifier refuses",
            "",
            refused.clone(),
            Verdict::Checked,
            refused
                .iter()
                .all(|refused| refused == "Gender ******: 1 of 2"),
        ),
    ])
}

/// All readings for which the answers are known, all combinations beside Figure 12's.
fn variants() -> Result<Vec<Line>, Error> {
    let mut lines = Vec::new();
    let readings = fixtures::VARIANTS
        .into_iter()
        .filter(|variant| variant.ends_with("G2"));
    for variant in readings {
        let bench = fixtures::figure_7(variant)?;
        for (name, tested) in Combinations::NAMES {
            let (mut ours, mut right) = (Vec::new(), true);
            for k in 2..=4 {
                let run = run_with(&bench, &IDENTIFYING, tested, k)?;
                let released = cells(&bench, &run, true)?;
                let (max_k, gone) = (smallest_class(&released), suppressed(&run));
                ours.push(format!("{max_k}, {}", gone.split_whitespace().count()));
                let answer = fixtures::mu_argus(variant, k, name)?;
                right &= answer == (words::numbers(run.node.levels()), gone, max_k.to_string());
            }
            lines.push(Line::new(
                format!("{variant}, {name}"),
                "",
                ours,
                Verdict::Checked,
                right,
            ));
        }
    }
    Ok(lines)
}

fn gap() -> Result<Vec<Line>, Error> {
    let bench = fixtures::four_bits()?;
    let run = run(&bench, &[Identifying::Identifying; 4], Combinations::All)?;
    let released = cells(&bench, &run, true)?;
    let outlying = (0..released.len()).filter(|row| !outliers(&bench, &run, *row).is_empty());
    let (outlying, unique) = (outlying.count(), smallest_class(&released));
    let refused = refused(&bench, &released)?;
    Ok(vec![
        Line::new(
            "rows with outliers",
            "",
            vec![outlying.to_string()],
            Verdict::Checked,
            outlying == 0,
        ),
        Line::new(
            "largest k of the release",
            "may be 1",
            vec![unique.to_string()],
            Verdict::Agrees,
            unique == 1,
        ),
        Line::new(
            "the certifier refuses",
            "",
            vec![refused.clone()],
            Verdict::Checked,
            refused == "A 0, B 0, C 0, D 0: 1 of 2",
        ),
    ])
}

/// How many kinds of combinations are tested where there are enough attributes of each kind.
fn kinds(tested: Combinations) -> usize {
    let attributes: Vec<Identifying> = Identifying::NAMES
        .iter()
        .flat_map(|(_, level)| [*level; 3])
        .collect();
    let kind = |set: &Vec<usize>| {
        let mut kind: Vec<Identifying> = set.iter().map(|at| attributes[*at]).collect();
        kind.sort_unstable();
        kind
    };
    let mut kinds: Vec<Vec<Identifying>> = combinations_of(&attributes, tested)
        .iter()
        .map(kind)
        .collect();
    kinds.sort();
    kinds.dedup();
    kinds.len()
}
