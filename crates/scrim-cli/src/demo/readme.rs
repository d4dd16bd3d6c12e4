//! What the reader of the folder finds first.

/// The text of the `README.md` beside the sample.
pub(super) fn readme(rows: usize, seed: u64) -> String {
    let unit = if rows == 1 { "admission" } else { "admissions" };
    format!(
        "# A sample hospital\n\n\
         {rows} {unit} to a hospital that does not exist, made by `scrim demo` with seed {seed}. Names, people and\n\
         places are drawn by chance; any likeness to a real person is chance too. The same number of rows and the\n\
         same seed give the same files.\n\n\
         {BODY}"
    )
}

/// All that does not depend on the numbers.
const BODY: &str = "## What lies here

| file | is |
|---|---|
| `patients.csv` | the table: one row an admission, about people; it must not leave the house as it is |
| `policy.toml` | what each column is, what a release must promise, how to search for one |
| `personal.toml` | the same for a release under everybody's own wish |
| `job.csv` | how jobs become coarser: one line a job, from the job to `*` |
| `diagnosis.csv` | the tree of diagnoses: each with its parent, up to `any diagnosis` |

In `patients.csv` a few patients have several rows, a few jobs are missing, and one row in ten has a `wish`: the
diagnosis, or the kind of diagnosis, that the person does not want to be linked to.

## What to try next

Find the best release that keeps the promise, and write it to `release/`:

    scrim publish policy.toml

See who stands out before it, and after it:

    scrim risk patients.csv --policy policy.toml
    scrim risk release/release.csv --policy policy.toml

Join the release with a table that has names, as an adversary would:

    scrim attack release/release.csv --policy policy.toml --linkage patients.csv

Check the promise, as someone who has only the release and the policy:

    scrim audit release/release.csv --policy policy.toml

See what it cost:

    scrim measure patients.csv release/release.csv --policy policy.toml

See what every algorithm would make of the same promise (nothing is written):

    scrim publish policy.toml --compare

Then look around: all the ways to coarsen that are just enough, and the hierarchy of the jobs:

    scrim lattice policy.toml
    scrim hierarchy show policy.toml --column job

Does that release keep what people asked for in their wishes? And one that is made for it?

    scrim attack release/release.csv --policy personal.toml --personal --raw patients.csv
    scrim publish personal.toml
    scrim attack release-personal/release.csv --policy personal.toml --personal --raw patients.csv

Change `k` in `policy.toml`, publish again, and see what a stronger promise costs.
";
