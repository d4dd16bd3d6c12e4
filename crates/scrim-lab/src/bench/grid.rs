//! What was measured, as tables of cells.

use super::measure::{Ended, Used};
use super::peers::Peer;
use super::report::{Answer, Growth, Line, Table};

/// A heading and rows of cells.
#[derive(Debug)]
pub(super) struct Grid {
    heading: &'static [&'static str],
    /// The cells.
    pub(super) rows: Vec<Vec<String>>,
}

impl Grid {
    /// Aligned.
    pub(super) fn text(&self) -> String {
        let mut table = scrim_text::Table::new(self.heading);
        self.rows.iter().for_each(|row| table.row(row.clone()));
        table.to_string()
    }

    /// As Markdown.
    pub(super) fn markdown(&self) -> String {
        let line = |cells: String| format!("|{cells}\n");
        let heading = self.heading.iter().map(|cell| format!(" {cell} |"));
        let mut text = line(heading.collect());
        text.push_str(&line("---|".repeat(self.heading.len())));
        for row in &self.rows {
            let cells = row
                .iter()
                .map(|cell| format!(" {} |", cell.replace('|', "\\|")));
            text.push_str(&line(cells.collect()));
        }
        text
    }
}

/// Every search on every table.
pub(super) fn searches(answer: &Answer) -> Grid {
    let limit = answer.limit();
    let cells = |(table, line): (&Table, &Line)| {
        let used = &line.used;
        vec![
            count(table.rows),
            table.quasi.to_string(),
            line.algorithm.clone(),
            cpu(used, limit),
            wall(used),
            figure(used.megabytes.filter(|_| used.ended == Ended::Done), 1),
            figure(line.by_floor, 1),
        ]
    };
    let lines = answer
        .tables
        .iter()
        .flat_map(|table| table.lines.iter().map(move |line| (table, line)));
    Grid {
        heading: &[
            "rows",
            "quasi",
            "search",
            "CPU s",
            "wall s",
            "peak MB",
            "CPU / floor",
        ],
        rows: lines.map(cells).collect(),
    }
}

/// How searches grow.
pub(super) fn powers(answer: &Answer) -> Grid {
    let cells = |growth: &Growth| {
        vec![
            growth.algorithm.clone(),
            format!("{:.2}", growth.exponent),
            growth.sizes.to_string(),
        ]
    };
    Grid {
        heading: &["search", "exponent", "sizes"],
        rows: answer.growth.iter().map(cells).collect(),
    }
}

/// The floor of every table.
pub(super) fn floors(answer: &Answer) -> Grid {
    let cells = |table: &Table| {
        let floor = &table.floor;
        vec![
            count(table.rows),
            table.quasi.to_string(),
            count(floor.distinct),
            format!("{:.1}", floor.bytes as f64 / 1e6),
            figure(floor.read.cpu, 4),
            format!("{:.4}", floor.read.wall),
            figure(floor.probe.and_then(|probe| probe.cpu), 4),
            figure(floor.probe.map(|probe| probe.wall), 4),
        ]
    };
    Grid {
        heading: &[
            "rows",
            "quasi",
            "different",
            "MB",
            "read CPU s",
            "read wall s",
            "look-up CPU s",
            "look-up wall s",
        ],
        rows: answer.tables.iter().map(cells).collect(),
    }
}

/// Others beside us.
pub(super) fn others(answer: &Answer) -> Grid {
    let limit = answer.limit();
    let cells = |peer: &Peer| {
        vec![
            format!("{}: {}", peer.name, peer.what),
            count(Some(peer.rows)),
            cpu(&peer.theirs, limit),
            wall(&peer.theirs),
            figure(peer.theirs.megabytes, 1),
            peer.ours_is.to_owned(),
            cpu(&peer.ours, limit),
            figure(peer.ours.megabytes, 1),
            times(peer.cpu_ratio, &peer.theirs),
            times(peer.memory_ratio, &peer.theirs),
        ]
    };
    Grid {
        heading: &[
            "program",
            "rows",
            "CPU s",
            "wall s",
            "peak MB",
            "ours",
            "our CPU s",
            "our MB",
            "CPU",
            "memory",
        ],
        rows: answer.peers.iter().map(cells).collect(),
    }
}

/// Who failed, and with what words.
pub(super) fn failures(answer: &Answer) -> Grid {
    let ours = answer.tables.iter().flat_map(|table| {
        let name = move |line: &Line| format!("{}, {} rows", line.algorithm, count(table.rows));
        table.lines.iter().map(move |line| (name(line), &line.used))
    });
    let theirs = answer.peers.iter().flat_map(|peer| {
        let rows = count(Some(peer.rows));
        [
            (format!("{}, {rows} rows", peer.name), &peer.theirs),
            (format!("{}, {rows} rows", peer.ours_is), &peer.ours),
        ]
    });
    let failed = ours
        .chain(theirs)
        .filter(|(_, used)| used.ended == Ended::Failed);
    let cells = |(name, used): (String, &Used)| {
        let exit = used
            .exit
            .map_or("signal".to_owned(), |code| code.to_string());
        vec![name, exit, used.why.clone().unwrap_or_default()]
    };
    Grid {
        heading: &["what", "exit", "its last words"],
        rows: failed.map(cells).collect(),
    }
}

fn cpu(used: &Used, limit: f64) -> String {
    match used.ended {
        Ended::Done => figure(used.cpu, 3),
        Ended::Failed => "failed".to_owned(),
        Ended::OverLimit => format!("over {limit} s"),
        Ended::NotRun => "not run".to_owned(),
    }
}

fn wall(used: &Used) -> String {
    match used.ended {
        Ended::Done => format!("{:.3}", used.wall),
        _ => "-".to_owned(),
    }
}

/// How many times as much; what was ended by us used at least that.
fn times(ratio: Option<f64>, theirs: &Used) -> String {
    match theirs.ended {
        Ended::Done => figure(ratio, 1),
        Ended::OverLimit => ratio.map_or("-".to_owned(), |ratio| format!("over {ratio:.1}")),
        Ended::Failed | Ended::NotRun => "-".to_owned(),
    }
}

fn figure(number: Option<f64>, places: usize) -> String {
    number.map_or("-".to_owned(), |number| format!("{number:.places$}"))
}

/// A whole number in groups of three.
fn count(number: Option<u64>) -> String {
    let Some(number) = number else {
        return "-".to_owned();
    };
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_in_groups_of_three() {
        let told = [0, 999, 1_000, 12_345_678].map(|number| count(Some(number)));
        assert_eq!(told, ["0", "999", "1,000", "12,345,678"]);
    }
}
