#!/usr/bin/env bash
# Two and four publishers at once into one folder, with and without a ledger, some of them killed at random moments.
# Prints how many rounds there were, how many publishers were killed, and how many folders were inconsistent:
#   - a manifest beside a release, plan or report that it was not made with,
#   - after the next run into the folder: an incomplete set, or something hidden that stayed,
#   - a ledger that does not verify, or whose last release is not the one in the folder.
# Not part of CI. Usage: tests/attacks/publishers.sh SCRIM [SECONDS]
set -u
scrim=$(realpath "${1:?name the scrim binary}")
seconds=${2:-180}
root=$(cd "$(dirname "$0")/../.." && pwd)
fixtures="$root/fixtures/papers/sweeney02"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rounds=0 kills=0 publishers=0 bad=0

policy() { # k, ledger or nothing
  cat <<EOF
[data]
path = "data.csv"

[columns]
Person = { role = "person" }
Race = { role = "quasi", hierarchy = "race.csv" }
BirthDate = { role = "quasi", hierarchy = "birth.csv" }
Gender = { role = "quasi", hierarchy = "gender.csv" }
ZIP = { role = "quasi", hierarchy = "zip.csv" }
Problem = { role = "sensitive" }

[[privacy]]
model = "k-anonymity"
k = $1

[search]
algorithm = "optimal"

[release]
format = "csv"
EOF
  if [ -n "${2:-}" ]; then printf '\n[ledger]\npath = "%s"\n' "$2"; fi
}

fresh() { # folder, ledger or nothing
  mkdir -p "$1"
  awk 'NR == 1 { print "Person," $0; next } { print "p" NR "," $0 }' "$fixtures/figure7.csv" >"$1/data.csv"
  cp "$fixtures/race.csv" "$1/race.csv"
  cp "$fixtures/birthdate.Y-D-C.csv" "$1/birth.csv"
  cp "$fixtures/gender.G2.csv" "$1/gender.csv"
  cp "$fixtures/zip.csv" "$1/zip.csv"
  for k in 2 3 4 5; do policy "$k" "${2:-}" >"$1/k$k.toml"; done
}

field() { # file, name: the first value of that name
  grep -o "\"$2\": *\"[^\"]*\"" "$1" | head -1 | sed 's/.*: *"//; s/"$//'
}

mixed() { # release folder: whether a manifest stands beside files it was not made with
  local m="$1/manifest.json"
  [ -e "$m" ] || return 1
  local want have
  want=$(sed -n '/"output"/,/}/p' "$m" | grep -o '"sha256": *"[0-9a-f]*"' | head -1 | grep -o '[0-9a-f]\{64\}')
  have=$(sha256sum "$1/release.csv" 2>/dev/null | cut -d' ' -f1)
  [ "$want" = "$have" ] || return 0
  want=$(sed -n '/"policy"/,/}/p' "$m" | grep -o '"sha256": *"[0-9a-f]*"' | head -1 | grep -o '[0-9a-f]\{64\}')
  grep -q "$want" "$1/plan.json" 2>/dev/null || return 0
  grep -q "$have" "$1/report.html" 2>/dev/null || return 0
  return 1
}

report() { bad=$((bad + 1)); echo "inconsistent: $*"; }

round() { # publishers, ledger or nothing, kills or nothing
  local dir="$work/r" n=$1 ledger=$2 killing=$3 pids=() i
  rm -rf "$dir"; fresh "$dir" "$ledger"
  (cd "$dir" && "$scrim" -q publish k2.toml >/dev/null 2>&1)
  for ((i = 0; i < n; i++)); do
    local k=$((2 + (i + RANDOM) % 4))
    if [ -n "$killing" ] && [ $((RANDOM % 2)) = 0 ]; then
      local after; after=$(printf '0.%03d' $((1 + RANDOM % killing)))
      (cd "$dir" && exec timeout -s KILL "$after" "$scrim" -q publish "k$k.toml" >/dev/null 2>&1) &
    else
      (cd "$dir" && exec "$scrim" -q publish "k$k.toml" >/dev/null 2>&1) &
    fi
    pids+=($!)
  done
  for i in "${pids[@]}"; do
    wait "$i" 2>/dev/null; local code=$?
    [ $code = 137 ] && kills=$((kills + 1))
    [ $code = 0 ] || [ $code = 1 ] || [ $code = 2 ] || [ $code = 137 ] || report "exit $code"
  done
  publishers=$((publishers + n))
  rounds=$((rounds + 1))
  mixed "$dir/release" && report "$n publishers, ledger '$ledger', kills '$killing': mixed right after"
  # A run that cannot publish settles what is left.
  mv "$dir/data.csv" "$dir/away.csv"; echo "Person" >"$dir/data.csv"
  (cd "$dir" && "$scrim" -q publish k2.toml >/dev/null 2>&1)
  if [ -n "$ledger" ]; then
    (cd "$dir" && "$scrim" -q ledger recover --ledger "$ledger" >/dev/null 2>&1)
    (cd "$dir" && "$scrim" -q ledger verify --ledger "$ledger" >/dev/null 2>&1) || report "ledger does not verify"
  fi
  mixed "$dir/release" && report "$n publishers, ledger '$ledger', kills '$killing': mixed after the next run"
  local names; names=$(ls -A "$dir/release" | tr '\n' ' ')
  [ "$names" = "manifest.json plan.json release.csv report.html " ] || report "left in the folder: $names"
}

end=$(($(date +%s) + seconds))
while [ "$(date +%s)" -lt "$end" ]; do
  for n in 2 4; do
    for ledger in "" ledger.sqlite; do
      round "$n" "$ledger" ""
      round "$n" "$ledger" "${SPAN:-300}"
    done
  done
done
echo "$rounds rounds, $publishers publishers, $kills killed, $bad inconsistent"
[ "$bad" = 0 ]
