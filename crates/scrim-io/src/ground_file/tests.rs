//! Runs that are merged, against the whole.

use scrim::hierarchy::{Ladder, from_level_csv};
use scrim::table::{Codes, Column};

use super::*;

/// Some rows of a table, with its dictionaries.
fn section(table: &Table, rows: Range<usize>) -> Table {
    let column = |column: &Column| {
        let codes = rows.clone().map(|row| column.codes().get(row));
        let codes = Codes::collect(column.dictionary().len(), codes);
        column.with_codes(codes).unwrap()
    };
    Table::new(table.columns().iter().map(column).collect()).unwrap()
}

#[test]
fn many_runs_are_merged_into_the_tuples_of_the_whole() {
    const ROWS: usize = 6000;
    let mut state = 3u64;
    let mut random = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        (state >> 33) % 17
    };
    let mut column = |name: &str| {
        let texts: Vec<String> = (0..ROWS).map(|_| random().to_string()).collect();
        Column::from_texts(name, texts.iter().map(String::as_str))
    };
    let table = Table::new(vec![column("a"), column("b"), column("s"), column("t")]).unwrap();
    let lines: Vec<String> = (0..17).map(|value| format!("{value};*")).collect();
    let ladders: Vec<Ladder> = table.columns()[..2]
        .iter()
        .map(|column| {
            let tree = from_level_csv(column.name(), "made", &lines.join("\n"), true).unwrap();
            Ladder::new(column.name(), Arc::new(tree), column.dictionary()).unwrap()
        })
        .collect();
    let both = ["s", "t"].map(|name| Tracked::Sensitive(name.to_owned()));
    let folder = tempfile::tempdir().unwrap();
    for (tracked, rows_each) in [(&both[..], 40), (&both[..1], 1000), (&both[..0], 1)] {
        let whole = Ground::count(&table, &ladders, tracked).unwrap();
        let mut expected = Vec::new();
        whole
            .each_sorted(&table, tracked, |key, codes, rows| {
                expected.push((key.to_vec(), codes.to_vec(), rows));
                Ok::<_, Error>(())
            })
            .unwrap();
        let mut runs = Runs::new(folder.path(), whole.words(), tracked.len()).unwrap();
        for start in (0..ROWS).step_by(rows_each) {
            let section = section(&table, start..ROWS.min(start + rows_each));
            let ground = Ground::count(&section, &ladders, &[]).unwrap();
            runs.add(&section, &ground, tracked).unwrap();
        }
        assert_eq!(runs.places.len(), ROWS.div_ceil(rows_each));
        let stored = runs.merge(7, &mut || Ok(())).unwrap();
        assert_eq!(stored.rows, ROWS as u64);
        assert_eq!(stored.cells, expected.len() as u64);
        assert_eq!(stored.sizes, Sizes::of(whole.set().rows()));
        assert_eq!((stored.tracked, stored.room), (tracked.len(), 7));
        let mut found = Vec::new();
        let each = &mut |block: &Block<'_>| {
            for (at, rows) in block.rows.iter().enumerate() {
                let key = &block.keys[at * whole.words()..][..whole.words()];
                let codes = &block.tracked[at * tracked.len()..][..tracked.len()];
                found.push((key.to_vec(), codes.to_vec(), *rows));
            }
        };
        stored.store.each_block(each).unwrap();
        assert_eq!(found, expected);
    }
    // Somebody who has enough is heard.
    let mut runs = Runs::new(folder.path(), 1, 0).unwrap();
    let ground = Ground::count(&table, &ladders, &[]).unwrap();
    runs.add(&table, &ground, &[]).unwrap();
    let stopped = runs.merge(0, &mut || Err(Error::Interrupted));
    assert!(stopped.is_err());
}
