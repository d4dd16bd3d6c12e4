//! The policies of the sample hospital, explained line by line.

/// The policy file.
pub(crate) const POLICY: &str = r#"# How the table of the sample hospital may be published.
# Try it:  scrim publish policy.toml

[data]
path = "patients.csv"                # the table; paths are relative to this file
null = [""]                          # an empty field is a missing value

# Every column has a role. A column that is not named here stops the run: nothing is published by accident.
[columns]
patient   = { role = "person" }      # tells which rows are about the same person; never published
name      = { role = "identifier" }  # says directly who it is; never published

# Quasi-identifiers: what others may know too and could link to a name. They are made coarser until nobody stands out.
# The age: 37 → a span of 5 years → of 10 → of 20 → of 40 → *
age       = { role = "quasi", hierarchy = { intervals = { from = 0, to = 119, widths = [5, 10, 20, 40] } } }
sex       = { role = "quasi" }                                             # published as it is, or *
zip       = { role = "quasi", hierarchy = { mask = "right" } }             # 04109 → 0410* → 041** → …
job       = { role = "quasi", hierarchy = "job.csv" }                      # nurse → health care → public services → *
admitted  = { role = "quasi", hierarchy = { dates = ["month", "year"] } }  # 2024-02-29 → 2024-02 → 2024 → *

diagnosis = { role = "sensitive", hierarchy = "diagnosis.csv" }            # what nobody should learn about a person
# What the person asks to hide: the diagnosis or its kind; empty: nothing. Never published.
wish      = { role = "guard", of = "diagnosis" }
ward      = { role = "insensitive" }                                       # published as it is: where a bed was free

[[privacy]]                          # a promise the release must keep (more models: scrim catalog)
model = "k-anonymity"                # nobody can be told apart from k - 1 others by the quasi-identifiers
k = 5                                # so each row looks like at least 4 others

[[privacy]]
model = "l-diversity"                # a class of people who look alike does not share one secret
of = "diagnosis"
l = 3                                # so each class has at least 3 different diagnoses

[search]
algorithm = "optimal"                # try what has to be tried and take the best
metric = "loss"                      # best: the least detail lost
suppression = 0.02                   # up to 2% of the rows may get * in all quasi-identifiers, to spare the others

[release]
dir = "release"                      # the release and its manifest go to this folder
"#;

/// The same table published under everybody's own wish.
pub(super) const PERSONAL: &str = r#"# The same table, under everybody's own wish ([XiaoTao06]).
# Try it:  scrim publish personal.toml

[data]
path = "patients.csv"

[columns]
patient   = { role = "person" }      # a person with several rows is easier to find out about: that is counted
name      = { role = "identifier" }
age       = { role = "quasi", hierarchy = { intervals = { from = 0, to = 119, widths = [5, 10, 20, 40] } } }
sex       = { role = "quasi" }
zip       = { role = "quasi", hierarchy = { mask = "right" } }
job       = { role = "quasi", hierarchy = "job.csv" }
admitted  = { role = "quasi", hierarchy = { dates = ["month", "year"] } }
diagnosis = { role = "sensitive", hierarchy = "diagnosis.csv" }            # may be published coarser, where a wish asks for it
wish      = { role = "guard", of = "diagnosis" }                           # a diagnosis or a kind of diagnosis; empty: no wish
ward      = { role = "insensitive" }

[[privacy]]
model = "personal"                   # nobody believes of a person what the person asked to hide …
breach = "1/4"                       # … with a probability above this

[[privacy]]                          # a wish protects who has one; this protects everybody
model = "k-anonymity"
k = 5

[search]
algorithm = "personalized"           # cuts each column where it costs least

[release]
dir = "release-personal"
"#;
