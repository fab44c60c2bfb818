#!/usr/bin/env python3
"""The evidence about Pavise itself: requirement, control, test, and whether the test missed the control when it was taken away.

Usage: evidence.py --check                       whether each row of Requirements.toml names controls that exist
       evidence.py --out FOLDER [--controls FILE] [--audit PROGRAM]
                                                 a bundle for each standard below FOLDER
FILE is what `make controls` or `controls.py --json` printed for this commit. Without it, and for a row that it does not
hold, the check is “not run”, and nothing is supported by it. Ends with 2 for a table that does not fit, otherwise with 0.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = [ROOT / "Conformance" / "Controls.toml", *sorted((ROOT / "Conformance" / "Controls").glob("*.toml"))]
STANDARDS = ["tr-03161-1", "masvs", "gdpr32", "cra"]


def load(path):
    with open(path, "rb") as file:
        return tomllib.load(file)


def controls():
    return {row["name"]: row for table in TABLES for row in load(table)["control"]}


def mapped(known):
    """Pairs of requirement and control; ends the program for a name that does not exist."""
    pairs, wrong = [], []
    for row in load(ROOT / "Conformance" / "Requirements.toml")["row"]:
        for name in row["controls"]:
            pairs.append((row["requirement"], name))
            if name not in known:
                wrong.append(f"{row['requirement']}: there is no control {name}")
    if len(set(pairs)) != len(pairs):
        wrong.append("a control stands twice in a row")
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        sys.exit(2)
    return pairs


def verdicts(path):
    """Each control's outcome by its name, from the result of controls.py."""
    if not path:
        return {}
    with open(path, encoding="utf-8") as file:
        return {row["name"]: row for row in json.load(file)}


def lines(pairs, known, results):
    for requirement, name in pairs:
        row, result = known[name], results.get(name)
        outcome = "not run" if result is None else "agrees" if result.get("verdict") == "noticed" else "disagrees"
        yield {
            "requirement": requirement, "kind": "removal", "check": f"{name}: {row['suite']}/{row.get('test', '')}",
            "outcome": outcome, "claim": f"The test misses the control when it is taken out of {row['file']}.",
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--out")
    parser.add_argument("--controls")
    parser.add_argument("--audit", default=str(ROOT / "Auditor/.build/release/pavise-audit"))
    words = parser.parse_args()
    known = controls()
    pairs = mapped(known)
    if words.check or not words.out:
        print(f"evidence: {len(pairs)} checks of {len(set(row for row, _ in pairs))} requirements name controls that exist")
        return
    results = verdicts(words.controls)
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        for line in lines(pairs, known, results):
            file.write(json.dumps(line, ensure_ascii=False, sort_keys=True) + "\n")
        file.flush()
        for standard in STANDARDS:
            folder = pathlib.Path(words.out) / standard
            done = subprocess.run([
                words.audit, "evidence", str(ROOT / "Sources"), "--standard", standard, "--results", file.name, "--out",
                str(folder),
            ])
            if done.returncode not in (0, 1):
                sys.exit(2)


main()
