//! Examples of the commands that have none where they are declared, and what their exit codes say.

/// The examples of a command, by its path.
pub(crate) fn examples(path: &str) -> Option<&'static str> {
    Some(match path {
        "demo" => {
            "Examples:
  scrim demo                                             10,000 admissions in the folder demo
  scrim demo tour --rows 1000 --seed 7
  scrim demo big --rows 1000000 --quiet"
        }
        "measure" => {
            "Examples:
  scrim measure patients.csv release/release.csv -p policy.toml
  scrim measure patients.csv release/release.csv -p policy.toml --workload random
  scrim measure patients.csv elsewhere.csv -p policy.toml --json"
        }
        "lattice" => {
            "Examples:
  scrim lattice policy.toml                              all minimal generalizations, at most 50 lines
  scrim lattice policy.toml --json                       all of them, with every metric"
        }
        "hierarchy" | "hierarchy show" => {
            "Examples:
  scrim hierarchy show job.csv                           a file as a tree
  scrim hierarchy show policy.toml --column zip          what a policy makes of its data
  scrim hierarchy check policy.toml                      has every value a leaf?"
        }
        "hierarchy check" => {
            "Examples:
  scrim hierarchy check job.csv
  scrim hierarchy check policy.toml                      all hierarchies, against the table"
        }
        "reproduce" => {
            "Examples:
  scrim reproduce                                        all papers, examples only
  scrim reproduce sun08 --data adult                     with the experiments on Adult
  scrim reproduce xiaotao06 --rows 5000 --out look       a quick look at the experiments"
        }
        "bench generate" => {
            "Examples:
  scrim bench generate -o adult --rows 1000000           nine columns as uneven as those of Adult
  scrim bench generate -o wide --rows 10 --quasi 20 --shape even --values 8 --levels 3
  scrim bench generate -o big --rows 100000000 --as parquet --seed 7"
        }
        "bench run" => {
            "Examples:
  scrim bench run -o table.md                            the whole table: some ten minutes
  scrim bench run --sizes 1000,10000 --quasi 4,9 --algorithms optimal,datafly --repeats 1
  scrim bench run --data patients.csv --policy policy.toml --json
  bench/peers && scrim bench run --peers target/peers/bin/python"
        }
        "bench measure" => {
            "Examples:
  scrim bench measure -- scrim publish policy.toml       CPU, wall and peak memory of a command
  scrim bench measure --limit 60 -- python3 other.py data.csv"
        }
        "catalog" => {
            "Examples:
  scrim catalog
  scrim help t-closeness                                 one entry: definition, keys, example, limits
  scrim catalog --json"
        }
        "ledger list" => {
            "Examples:
  scrim ledger list
  scrim ledger list --ledger hospital.sqlite --json"
        }
        "ledger show" => {
            "Examples:
  scrim ledger show 3
  scrim ledger show 3 --ledger hospital.sqlite --json"
        }
        "ledger verify" => {
            "Examples:
  scrim ledger verify
  scrim ledger verify --head 5d41402a…                   as when the hash was noted down?"
        }
        "ledger recover" => {
            "Examples:
  scrim ledger recover
  scrim ledger recover --accept-loss                     the files are gone for good"
        }
        _ => return None,
    })
}

/// What the exit codes of a command say, by its path.
pub(crate) fn exit_codes(path: &str) -> &'static str {
    match path {
        "publish" => {
            "0 published and certified (`--compare`: the policy's own algorithm is certified), 1 refused, or written as \
             BROKEN, 2 could not run"
        }
        "audit" => "0 every promise holds, 1 one is broken, 2 could not run",
        "demo" => "0 published and certified, 1 refused, 2 could not run",
        "lattice" => "0 there is one, 1 there is none, 2 could not run",
        "attack" => "0 it finds nothing, 1 it succeeds, 2 could not run",
        "hierarchy check" => "0 no fault, 1 faults, 2 could not run",
        "reproduce" => "0 as expected, 1 something differs, 2 could not run",
        "bench measure" => {
            "0 the command ended well, 1 it failed or was over its limit, 2 could not run"
        }
        "ledger verify" => "0 it is sound, 1 something is wrong, 2 could not run",
        "ledger check" => "0 they could, 1 somebody has nothing left, 2 could not run",
        _ => "0 done, 2 could not run",
    }
}
