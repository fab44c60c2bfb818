#!/usr/bin/env python3
"""bench.py PROGRAM [--labels LABELS.json --sources FOLDER] [--speed FOLDER]: counts the auditor against labels, and its speed.

Nothing is fetched: what is not given is named as not measured. The labels and where their sources are: Documentation/Audit.md.
"""
import argparse, collections, json, os, pathlib, subprocess, sys, time

parser = argparse.ArgumentParser()
parser.add_argument("program")
parser.add_argument("--labels")
parser.add_argument("--sources")
parser.add_argument("--speed")
options = parser.parse_args()
program = os.path.abspath(options.program)
here = pathlib.Path(__file__).parent
failed = False


def audit(folder):
    started = time.time()
    done = subprocess.run([program, "--json", folder], capture_output=True, text=True)
    if done.returncode == 2:
        sys.exit(done.stderr)
    return json.loads(done.stdout), time.time() - started


if options.labels and options.sources:
    labels = [row for row in json.load(open(options.labels))["labels"] if row["kind"] != "spurious"]
    queries = json.load(open(here / "codeql-map.json"))
    report, _ = audit(options.sources)
    found = collections.defaultdict(set)
    for row in report["findings"]:
        for query in queries.get(row["rule"], []):
            found[query].add((row["file"].removeprefix("./"), row["line"]))
    counts, right, wrong = collections.Counter(), 0, 0
    good = collections.defaultdict(set)
    for row in labels:
        hits = {(row["file"], line) for line in [row["line"], *row.get("sourceLines", [])]} & found[row["query"]]
        counts[row["kind"], bool(hits)] += 1
        good[row["query"]] |= hits
    right = sum(len(places) for places in good.values())
    wrong = sum(len(found[query] - good[query]) for query in found)
    alerts = counts["alert", True] + counts["alert", False]
    recall, precision = counts["alert", True] / alerts, right / (right + wrong)
    print(f"alerts {counts['alert', True]} of {alerts} ({recall:.1%}), of those CodeQL misses {counts['missing', True]}, "
          f"precision {precision:.1%}, not analysed {len(report['notAnalysed'])}")
    failed |= recall < 0.85 or precision < 0.9 or counts["missing", True] < 40
else:
    print("labels: not measured (--labels and --sources are not given)")
if options.speed:
    report, seconds = audit(options.speed)
    print(f"speed: {report['lines']} lines in {seconds:.1f} s, {report['lines'] / seconds:.0f} lines a second; "
          f"not analysed {len(report['notAnalysed'])}")
else:
    print("speed: not measured (--speed is not given)")
sys.exit(failed)
