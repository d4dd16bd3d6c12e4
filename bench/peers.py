"""One program of PyPI on a table of `scrim bench generate`: python peers.py NAME DIR K.

NAME is anonypy (Mondrian), anjana (k-anonymity by full-domain generalization, our hierarchies, 2% suppression), pycanon (k of
the raw table). DIR holds data.csv, all of whose columns are quasi-identifiers, and hierarchies/COLUMN.csv. A release is
written to DIR/release-NAME.csv, as ours is. `scrim bench run --peers` measures the whole process, with its imports.
"""

import os
import sys

import pandas as pd


def anonypy_mondrian(folder, k):
    import anonypy

    table = pd.read_csv(os.path.join(folder, "data.csv"))
    features = list(table.columns)
    for column in features:
        if not pd.api.types.is_numeric_dtype(table[column]):
            table[column] = table[column].astype("category")
    # It wants a sensitive column to count by: one that says nothing.
    table["any"] = "x"
    rows = anonypy.Preserver(table, features, "any").anonymize_k_anonymity(k=k)
    return pd.DataFrame(rows)


def anjana_k_anonymity(folder, k):
    from anjana.anonymity import k_anonymity

    table = pd.read_csv(os.path.join(folder, "data.csv"), dtype=str)
    quasi = list(table.columns)
    hierarchies = {}
    for column in quasi:
        path = os.path.join(folder, "hierarchies", column + ".csv")
        levels = pd.read_csv(path, sep=";", header=None, dtype=str)
        hierarchies[column] = {level: levels[level].values for level in levels.columns}
    return k_anonymity(table, [], quasi, k, 2, hierarchies)


def pycanon_k(folder, _):
    from pycanon.anonymity import k_anonymity

    table = pd.read_csv(os.path.join(folder, "data.csv"), dtype=str)
    print(k_anonymity(table, list(table.columns)))
    return None


PEERS = {
    "anonypy": anonypy_mondrian,
    "anjana": anjana_k_anonymity,
    "pycanon": pycanon_k,
}


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in PEERS:
        sys.exit("usage: peers.py {" + "|".join(PEERS) + "} DIR K")
    _, name, folder, k = sys.argv
    release = PEERS[name](folder, int(k))
    if release is not None:
        release.to_csv(os.path.join(folder, f"release-{name}.csv"), index=False)


if __name__ == "__main__":
    main()
