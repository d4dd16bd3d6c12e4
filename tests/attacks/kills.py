#!/usr/bin/env python3
"""Kills and faults: one, two and four publishers at once into one folder, with and without a ledger.

Every publisher is killed (SIGKILL) at a random moment, or meets a fault (its files may not grow beyond a random size, or it may open
only a few files), or is left alone. After each round the folder is looked at, then another run settles what is left, and the folder
is looked at again. Inconsistent are:
  - a manifest beside a release, plan or report that it was not made with,
  - after the run that settles: an incomplete set of files, or something hidden that stayed,
  - an exit code that is none of 0, 1 and 2,
  - a ledger that cannot be recovered or does not verify.
Not part of CI. Usage: tests/attacks/kills.py SCRIM [KILLS AND FAULTS] [SEED]
"""
import csv, hashlib, json, os, random, resource, shutil, signal, subprocess, sys, tempfile, threading, time
from pathlib import Path

SCRIM = os.path.realpath(sys.argv[1])
WANTED = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
SEED = int(sys.argv[3]) if len(sys.argv) > 3 else 1
PAPER = Path(__file__).resolve().parents[2] / "fixtures/papers/sweeney02"
FILES = ["manifest.json", "plan.json", "release.csv", "report.html"]

POLICY = """[data]
path = "data.csv"

[columns]
Person = {{ role = "person" }}
Race = {{ role = "quasi", hierarchy = "race.csv" }}
BirthDate = {{ role = "quasi", hierarchy = "birth.csv" }}
Gender = {{ role = "quasi", hierarchy = "gender.csv" }}
ZIP = {{ role = "quasi", hierarchy = "zip.csv" }}
Problem = {{ role = "sensitive" }}

[[privacy]]
model = "k-anonymity"
k = {k}

[search]
algorithm = "optimal"

[release]
format = "csv"
"""


def prepare(folder, has_ledger):
    """A folder with a table, its hierarchies and a policy for each k."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with open(PAPER / "figure7.csv") as source, open(folder / "data.csv", "w") as to:
        rows = list(csv.reader(source))
        writer = csv.writer(to, lineterminator="\n")
        writer.writerow(["Person", *rows[0]])
        writer.writerows([f"p{at}", *row] for at, row in enumerate(rows[1:]))
    for name, own in [("race", "race"), ("birthdate.Y-D-C", "birth"), ("gender.G2", "gender"), ("zip", "zip")]:
        shutil.copy(PAPER / f"{name}.csv", folder / f"{own}.csv")
    # No release has classes of 1000: that run only settles what others left.
    for k in [2, 3, 4, 5, 1000]:
        ledger = '\n[ledger]\npath = "ledger.sqlite"\n' if has_ledger else ""
        (folder / f"k{k}.toml").write_text(POLICY.format(k=k) + ledger)


def start(folder, k, limit=None):
    def before():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        if limit:
            resource.setrlimit(*limit)

    null = subprocess.DEVNULL
    command = [SCRIM, "-q", "publish", f"k{k}.toml"]
    return subprocess.Popen(command, cwd=folder, stdout=null, stderr=null, preexec_fn=before)


def is_mixed(release):
    """Whether a manifest stands beside files that it was not made with."""
    if not (release / "manifest.json").exists():
        return False
    manifest = json.loads((release / "manifest.json").read_text())
    plan, table, report = ((release / name).read_bytes() if (release / name).exists() else b"" for name in FILES[1:])
    written = hashlib.sha256(table).hexdigest()
    is_of_policy = manifest["policy"]["sha256"].encode() in plan
    return manifest["output"]["sha256"] != written or not is_of_policy or written.encode() not in report


def main():
    chance = random.Random(SEED)
    root = Path(tempfile.mkdtemp(prefix="scrim-kills-"))
    count = dict(rounds=0, publishers=0, killed=0, faults=0, finished=0, inconsistent=0)

    def report(text):
        count["inconsistent"] += 1
        print("inconsistent:", text, flush=True)

    span = 0.05
    shapes = [(publishers, ledger) for publishers in (1, 2, 4) for ledger in (False, True)]
    while count["killed"] + count["faults"] < WANTED:
        publishers, has_ledger = shapes[count["rounds"] % len(shapes)]
        folder = root / f"{publishers}-{'ledger' if has_ledger else 'files'}"
        # A ledger is begun anew now and then: its history would grow without end.
        if not folder.exists() or (has_ledger and chance.random() < 0.02):
            prepare(folder, has_ledger)
            began = time.monotonic()
            start(folder, 2).wait()
            span = 0.8 * span + 0.2 * (time.monotonic() - began)
        running = []
        for _ in range(publishers):
            kind = chance.choice(["kill", "kill", "kill", "fault", "alone"])
            limit = None
            if kind == "fault":
                size = int(10 ** chance.uniform(1, 5.5))
                files = chance.randint(6, 30)
                sizes = (resource.RLIMIT_FSIZE, (size, size))
                limit = chance.choice([sizes, (resource.RLIMIT_NOFILE, (files, files))])
            process = start(folder, chance.randint(2, 5), limit)
            if kind == "kill":
                threading.Timer(chance.uniform(0, 0.9 * span * publishers), process.kill).start()
            running.append((process, kind))
        for process, kind in running:
            code = process.wait()
            count["publishers"] += 1
            if code == -signal.SIGKILL:
                count["killed"] += 1
            elif kind == "fault" and code == 2:
                count["faults"] += 1
            elif code in (0, 1, 2):
                count["finished"] += 1
            else:
                report(f"{kind}: exit {code}")
        count["rounds"] += 1
        where = f"round {count['rounds']}, {publishers} publishers, {'with' if has_ledger else 'no'} ledger"
        release = folder / "release"
        if is_mixed(release):
            report(f"{where}: mixed right after")
        start(folder, 1000).wait()
        for verb in ("recover", "verify") if has_ledger else ():
            ask = [SCRIM, "-q", "ledger", verb, "--ledger", "ledger.sqlite"]
            if subprocess.run(ask, cwd=folder, capture_output=True).returncode != 0:
                report(f"{where}: ledger {verb}")
        if is_mixed(release):
            report(f"{where}: mixed after the next run")
        names = sorted(os.listdir(release)) if release.exists() else []
        if names not in ([], FILES):
            report(f"{where}: left in the folder: {names}")
        if count["rounds"] % 200 == 0:
            print(count, flush=True)
    print(count)
    if not count["inconsistent"]:
        shutil.rmtree(root)
    sys.exit(count["inconsistent"] > 0)


main()
