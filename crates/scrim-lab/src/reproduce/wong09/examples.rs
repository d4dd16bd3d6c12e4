//! Figures 1 to 4 and Examples 1 and 2.

use scrim::adversary::worlds as worlds_of_library;
use scrim::{Error, Random, Share};

use super::bed::{certify, figure, figure_1, policy, released, search, told};
use super::rules;
use super::worlds::{Group, Release, closed_form, count, history, partitions};
use super::{Line, Part, Verdict};

const PERSONS: u32 = 6;
const ALL: [&str; 3] = ["flu", "chlamydia", "fever"];
/// Random releases on which Lemma 2 is put to the test.
const CASES: u64 = 200;

/// All examples.
pub(super) fn parts() -> Result<Vec<Part>, Error> {
    let mut parts = vec![figures_2_and_4(), pairs()?, rotating()?];
    parts.extend(rules::parts()?);
    Ok(parts)
}

fn fraction(linked: u64, all: u64) -> String {
    let share = Share::new(linked.into(), all.into());
    share.map_or_else(String::new, |share| share.to_string())
}

/// p by all worlds, by the worlds of the person's own groups, and by the closed form.
fn line(
    name: &str,
    paper: &str,
    (releases, person, value): (&[Release], u32, &str),
    right: &str,
    verdict: Verdict,
) -> Line {
    let (all, linked) = count(releases, person, value);
    let own = worlds_of_library(&history(releases, PERSONS), person, value, 10_000);
    let formula = closed_form(releases, person, value)
        .exact(20)
        .unwrap_or_default();
    let own_agrees = own.is_some_and(|(all, linked)| fraction(linked, all) == right);
    let cells = vec![
        format!("{linked} of {all}"),
        own.map_or_else(String::new, |(all, linked)| format!("{linked} of {all}")),
        formula.clone(),
    ];
    let agree = fraction(linked, all) == right && formula == right && own_agrees;
    Line::new(name, paper, cells, verdict, agree)
}

fn figures_2_and_4() -> Part {
    let (two, four) = (figure(5), figure(6));
    let mut lines = vec![
        line(
            "Figure 2: o2, chlamydia",
            "3/4",
            (&two, 2, "chlamydia"),
            "3/4",
            Verdict::Agrees,
        ),
        line(
            "Figure 4: o2, chlamydia",
            "7/16",
            (&four, 2, "chlamydia"),
            "7/16",
            Verdict::Agrees,
        ),
    ];
    let (all, linked) = count(&four, 2, "chlamydia");
    lines.push(Line::new(
        "Figure 4: possible worlds",
        "4! x 4! = 576",
        vec![format!("{linked} of {all}"), String::new(), String::new()],
        Verdict::Erratum(11),
        (all, linked) == (144, 63),
    ));
    for person in 1..=3 {
        let name = format!("Figure 4: o{person}, flu");
        let on = (&four[..], person, "flu");
        lines.push(line(&name, "at most 1/2", on, "3/4", Verdict::Erratum(10)));
    }
    for (name, releases, person, value, right) in [
        ("Figure 2: o4 (absent from T2), flu", &two, 4, "flu", "1/2"),
        (
            "Figure 4: o4 (absent from T2), chlamydia",
            &four,
            4,
            "chlamydia",
            "1/4",
        ),
        ("Figure 4: o5 (absent from T1), flu", &four, 5, "flu", "1/2"),
    ] {
        lines.push(line(
            name,
            "undefined",
            (releases, person, value),
            right,
            Verdict::Erratum(13),
        ));
    }
    let (equal, compared) = lemma_2();
    lines.push(Line::new(
        format!("Lemma 2: {CASES} random series with absences"),
        "closed form = worlds",
        vec![
            format!("{equal} of {compared} equal"),
            String::new(),
            String::new(),
        ],
        Verdict::Agrees,
        equal == compared && compared > CASES,
    ));
    Part::new(
        "Figures 2 and 4: the probability of having been linked at least once",
        &["all worlds", "worlds of own groups", "closed form"],
        lines,
    )
}

/// How many probabilities of random series are the same by both ways, of how many.
fn lemma_2() -> (u64, u64) {
    let mut random = Random::new(9);
    let (mut equal, mut compared) = (0, 0);
    for _ in 0..CASES {
        let releases: Vec<Release> = (0..=random.below(3))
            .map(|_| random_release(&mut random))
            .collect();
        for (person, value) in (0..PERSONS).flat_map(|person| ALL.map(|value| (person, value))) {
            let (all, linked) = count(&releases, person, value);
            let formula = closed_form(&releases, person, value).exact(20);
            equal += u64::from(formula == Some(fraction(linked, all)));
            compared += 1;
        }
    }
    (equal, compared)
}

/// Two groups; who is in neither is absent.
fn random_release(random: &mut Random) -> Release {
    let mut groups = [0, 1].map(|_| Group {
        persons: Vec::new(),
        values: Vec::new(),
    });
    for person in 0..PERSONS {
        if let Some(group) = groups.get_mut(random.index(3))
            && group.persons.len() < 3
        {
            group.persons.push(person);
            group.values.push(ALL[random.index(3)]);
        }
    }
    groups.to_vec()
}

/// Pairs of partitions of Figure 1 that keep p at 1/2, by the certifier and by possible worlds.
fn pairs() -> Result<Part, Error> {
    let [first, second] = figure_1();
    let mut lines = Vec::new();
    for (name, values, protected, right, paper) in [
        ("every value", "\"all\"", &ALL[..], 0, "Figure 4"),
        (
            "chlamydia and fever",
            "[\"chlamydia\", \"fever\"]",
            &ALL[1..],
            12,
            "",
        ),
        ("chlamydia", "[\"chlamydia\"]", &ALL[1..2], 23, ""),
    ] {
        let policy = policy(values)?;
        let (mut certified, mut by_worlds) = (0, 0);
        for one in partitions(first.len()) {
            let past = vec![released(&first, &one)];
            if !certify(&policy, &first, &one, &history(&[], PERSONS))?.holds {
                continue;
            }
            let before = history(&past, PERSONS);
            for two in partitions(second.len()) {
                let holds = certify(&policy, &second, &two, &before)?.holds;
                let both = [past[0].clone(), released(&second, &two)];
                let mut believed = second
                    .iter()
                    .flat_map(|row| protected.iter().map(|value| (row.0, *value)));
                let kept = believed.all(|(person, value)| {
                    let (all, linked) = count(&both, person, value);
                    2 * linked <= all
                });
                certified += u64::from(holds);
                by_worlds += u64::from(kept);
            }
        }
        let verdict = if paper.is_empty() {
            Verdict::Checked
        } else {
            Verdict::Erratum(10)
        };
        let right = certified == right && by_worlds == right;
        let cells = vec![certified.to_string(), by_worlds.to_string()];
        lines.push(Line::new(
            format!("protected: {name}"),
            paper,
            cells,
            verdict,
            right,
        ));
    }
    Ok(Part::new(
        "Figure 1: pairs of partitions that keep p at most 1/2, of 15 x 15",
        &["certifier", "possible worlds"],
        lines,
    ))
}

/// E12: what `rotating` does with Figure 1 where chlamydia is protected.
fn rotating() -> Result<Part, Error> {
    let [first, second] = figure_1();
    let policy = policy("[\"chlamydia\"]\nk = 2")?;
    let mut lines = Vec::new();
    let found = search(&policy, &first, &history(&[], PERSONS))?;
    let pairs = |found: &Result<Release, String>| {
        found
            .as_ref()
            .is_ok_and(|groups| groups.iter().all(|group| group.persons.len() == 2))
    };
    let worst = |releases: &[Release]| {
        let all = (1..PERSONS).map(|person| closed_form(releases, person, "chlamydia"));
        let worst = all.max_by(scrim::adversary::Chance::compare);
        worst.and_then(|worst| worst.exact(20)).unwrap_or_default()
    };
    let mut cells = |name: &str,
                     paper: &str,
                     past: &[Release],
                     found: Result<Release, String>,
                     right: Option<&str>| {
        let is_right = right.map_or(found.is_err(), |right| {
            pairs(&found)
                && found
                    .as_ref()
                    .is_ok_and(|groups| right.is_empty() || told(groups) == right)
        });
        let cells = match &found {
            Ok(groups) => {
                let mut all = past.to_vec();
                all.push(groups.clone());
                vec![told(groups), worst(&all)]
            }
            Err(_) => vec![
                "none: o1 has it now, and no room left".to_owned(),
                String::new(),
            ],
        };
        let verdict = if paper.is_empty() {
            Verdict::Checked
        } else {
            Verdict::Remark(12)
        };
        let held = cells[1].is_empty() || cells[1] == "1/2";
        lines.push(Line::new(name, paper, cells, verdict, is_right && held));
    };
    cells("T1, nothing published before", "", &[], found, Some(""));
    let groups =
        |one: [usize; 2], two: [usize; 2]| vec![released(&first, &[one.to_vec(), two.to_vec()])];
    let past = groups([1, 2], [0, 3]);
    let found = search(&policy, &second, &history(&past, PERSONS))?;
    cells(
        "T2 after {o2, o3}, {o1, o4}",
        "groups of 4",
        &past,
        found,
        Some("{o1, o5}, {o2, o3}"),
    );
    let past = groups([1, 3], [0, 2]);
    let found = search(&policy, &second, &history(&past, PERSONS))?;
    cells(
        "T2 after {o2, o4}, {o1, o3}",
        "groups of 4",
        &past,
        found,
        Some(""),
    );
    let past = groups([0, 1], [2, 3]);
    let found = search(&policy, &second, &history(&past, PERSONS))?;
    cells(
        "T2 after {o1, o2}, {o3, o4} (Figure 2)",
        "",
        &past,
        found,
        None,
    );
    Ok(Part::new(
        "Figure 1 by `rotating`: chlamydia at most 1/2, greedy, k = 2",
        &["groups", "largest p"],
        lines,
    ))
}
