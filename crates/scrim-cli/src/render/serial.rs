//! The answer of `attack --serial` as text: persons by their row in the ledger, never by name.

use scrim_io::pipeline::SerialAnswer;
use scrim_text::Table;

use scrim::{counted, verb};

/// At most so many persons and values are printed; JSON has all.
const MOST: usize = 1000;
/// Longer fractions are left out.
const LONGEST: usize = 21;

/// The whole answer.
pub(crate) fn serial(answer: &SerialAnswer) -> String {
    let lasting = answer.lasting.as_ref();
    let open = lasting.is_some_and(|lasting| lasting.undecided + lasting.contradicted > 0);
    let verdict = match answer.above {
        0 if open => "it is not decided whether the attack finds something",
        0 => "the attack finds nothing",
        _ => "the attack succeeds",
    };
    let mut text = format!(
        "{verdict}: {} of {} {} linked to a protected value of `{}` with more than {}\n",
        answer.above,
        counted(answer.known, "person"),
        verb(answer.above, "is", "are"),
        answer.column,
        answer.limit_exact
    );
    for file in &answer.files {
        let release = file.release;
        let release = release.map_or_else(String::new, |release| format!("release {release}"));
        let found = file.fault.as_ref().map_or_else(
            || format!("{release}, as the ledger recorded it"),
            |fault| format!("NOT what the ledger recorded: {fault}"),
        );
        text.push_str(&format!("{}: {found}\n", file.file));
    }
    text.push_str(&format!(
        "\nlargest   {:.6}{}\n",
        answer.max,
        short(answer.max_exact.as_deref()).map_or_else(String::new, |exact| format!(" ({exact})"))
    ));
    if let Some(lasting) = lasting {
        let sign = if lasting.exact { "" } else { "at most " };
        let exact = short(lasting.max_exact.as_deref());
        let exact = exact.map_or_else(String::new, |exact| format!(" ({exact})"));
        text.push_str(&format!("lasting   {sign}{:.6}{exact}\n", lasting.max));
    }
    for assumption in &answer.assumptions {
        text.push_str(&format!("assumed: {assumption}\n"));
    }
    let heading = ["release", "persons", "localized", "", "global", "", "above"];
    let mut table = Table::new(&heading);
    let exact = |exact: &Option<String>| short(exact.as_deref()).unwrap_or_default().to_owned();
    for release in &answer.releases {
        table.row(vec![
            release.release.to_string(),
            release.persons.to_string(),
            format!("{:.6}", release.localized),
            exact(&release.localized_exact),
            format!("{:.6}", release.global),
            exact(&release.global_exact),
            release.above.to_string(),
        ]);
    }
    text.push_str(&format!("\n{table}"));
    if answer.persons.is_empty() {
        return text;
    }
    let mut table = Table::new(&["person", "value", "probability", "exact"]);
    for link in answer.persons.iter().take(MOST) {
        table.row(vec![
            link.person.to_string(),
            link.value.clone(),
            format!("{}{:.6}", if link.bound { "<= " } else { "" }, link.p),
            exact(&link.p_exact),
        ]);
    }
    text.push_str(&format!(
        "\nnearest to the limit, by row of the ledger\n{table}"
    ));
    if answer.persons.len() > MOST {
        let more = answer.persons.len() - MOST;
        text.push_str(&format!("… {more} more (--json has all)\n"));
    }
    text
}

fn short(exact: Option<&str>) -> Option<&str> {
    exact.filter(|text| text.len() <= LONGEST)
}
