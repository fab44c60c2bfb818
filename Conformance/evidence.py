#!/usr/bin/env python3
"""The evidence about Pavise itself: requirement, control, test, and whether the test missed the control when it was taken away.

Usage: evidence.py --check                       whether each row of Requirements.toml names controls that exist, and whether
                                                 the evidence that is kept is as Documentation/evidence.schema.json says
       evidence.py --out FOLDER [--controls FILE] [--claims FILE] [--audit PROGRAM]
                                                 a bundle for each standard below FOLDER, and beside them claims.jsonl:
                                                 each claim of Documentation/Claims.toml with its proofs and its verdict, and
                                                 questions.jsonl: each question of a tester with its answer and proofs;
                                                 and one about the bills of materials of the programs that are built
       evidence.py --self-test                   a verdict that is of another source does not count
The first FILE is what `controls.py --json` printed for this source, the second what `Scripts/claims --json` wrote. Without
them, for a row that they do not hold, and for one of another source (`controls.py --state`), the check is “not run”, and
nothing is supported by it. A claim that names a requirement is a check of that row. Ends with 2 for a table that does not
fit, or where a line is written that the schema does not know, otherwise with 0.
"""

import argparse
import contextlib
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

from controls import state

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Scripts"))
from json_schema import validate

SCHEMA = json.loads((ROOT / "Documentation" / "evidence.schema.json").read_text(encoding="utf-8"))
KEPT = ROOT / "Documentation" / "SleepDiary" / "evidence"
# The files of a bundle, and of the folder that holds Pavise's own bundles: the part of the schema, and whether it is one of each line.
BUNDLE = {"evidence.jsonl": ("record", True), "inputs.jsonl": ("input", True), "register.json": ("register", False),
          "manifest.json": ("manifest", False), "run.json": ("run", False)}
OWN = {"claims.jsonl": ("claim", True), "questions.jsonl": ("question", True)}
TABLES = [ROOT / "Conformance" / "Controls.toml", *sorted((ROOT / "Conformance" / "Controls").glob("*.toml"))]
STANDARDS = ["tr-03161-1", "masvs", "gdpr32", "cra"]
BILLS = "tr-03183-2"


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


def must_tell(pairs):
    """Ends the program where Evidence.md has other figures than the table."""
    told = f"{len(set(row for row, _ in pairs))} rows have such checks today, {len(pairs)} checks in all"
    if told not in " ".join((ROOT / "Documentation" / "Evidence.md").read_text(encoding="utf-8").split()):
        print(f"evidence: Documentation/Evidence.md does not say “{told}”", file=sys.stderr)
        sys.exit(2)


def rows_of(path, judged):
    """The rows of a result that are of this source; how many are not is said."""
    if not path:
        return []
    with open(path, encoding="utf-8") as file:
        rows = json.load(file)
    own = [row for row in rows if row.get("state") == judged]
    if len(own) != len(rows):
        print(f"evidence: {len(rows) - len(own)} of {len(rows)} verdicts in {path} are of another source, and count as not run", file=sys.stderr)
    return own


def verdicts(path, judged):
    """Each control's outcome by its name, from the result of controls.py."""
    return {row["name"]: row for row in rows_of(path, judged)}


def lines(pairs, known, results):
    for requirement, name in pairs:
        row, result = known[name], results.get(name)
        outcome = "not run" if result is None else "agrees" if result.get("verdict") == "noticed" else "disagrees"
        yield {
            "requirement": requirement, "kind": "removal", "check": f"{name}: {row['suite']}/{row.get('test', '')}",
            "outcome": outcome, "claim": f"The test misses the control when it is taken out of {row['file']}.",
        }


def claims(path, judged):
    """Each claim of the ledger, with the verdicts of `Scripts/claims --json` where it was run."""
    ran = {(row["where"], row["sentence"]): row for row in rows_of(path, judged)}
    for row in load(ROOT / "Documentation" / "Claims.toml")["claim"]:
        where = f"mission {row['mission']}" if "mission" in row else row["document"]
        sentence = " ".join(row["sentence"].split())
        kind = next((kind for kind in ("limit", "explains", "unmet") if kind in row), "claim")
        result = ran.get((where, sentence), {})
        yield {
            "where": where, "sentence": sentence, "kind": kind, "requirement": listed(row.get("requirement")),
            "source": listed(row.get("source")), "test": listed(row.get("test")), "control": listed(row.get("control")),
            "command": listed(row.get("command")), "verdict": result.get("verdict", "not run" if kind == "claim" else kind),
        }


def proofs(text):
    """What an answer names as shown by: tests, pages, controls and commands; and those of them that do not exist."""
    tests = set(re.findall(r"\b[A-Z]\w+Tests\b", text))
    pages = set(re.findall(r"\b[\w/]+\.md\b", text)) | set(re.findall(r"\bDocumentation/\w+\b(?![/.])", text))
    ids = set(re.findall(r"\b[A-Z]{2,4}\d+\b", text)) & IDS
    commands = set(re.findall(r"`make ([a-z-]+)", text))
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    missing = {name for name in tests if name not in SUITES} | {f"make {name}" for name in commands - targets}
    missing |= {page for page in pages if not any((folder / page).exists() for folder in (ROOT, ROOT / "Documentation"))}
    return sorted(tests | pages | ids | {f"make {name}" for name in commands}), sorted(missing)


def suites():
    """The names of all modules and files of tests, and of the suites in them."""
    modules = [module for folder in (ROOT / "Tests", ROOT / "Auditor" / "Tests") for module in folder.glob("*Tests")]
    files = [file for module in modules for file in module.rglob("*.swift")]
    declared = r"\b(?:struct|class|enum|extension|actor) (\w+Tests)\b"
    return {path.stem for path in [*modules, *files]} | {
        name for file in files for name in re.findall(declared, file.read_text(encoding="utf-8"))}


SUITES = suites()
IDS = set(re.findall(r"\b[A-Z]{2,4}\d+\b", "".join(
    page.read_text(encoding="utf-8") for page in (ROOT / "Documentation" / "Controls").glob("*.md"))))
ANSWERS = ("Holds", "In part", "Open", "Accepted", "Does not apply")
QUESTIONS = 35


def questions():
    """What testers asked: each answer of Evaluator.md with what it names as its proof."""
    text = (ROOT / "Documentation" / "Evaluator.md").read_text(encoding="utf-8")
    rows, wrong = [], []
    for number, title, body in re.findall(r"^(\d+)\. \*\*(.+?)\*\*(.*?)(?=^\d+\. \*\*|^## |\Z)", text, re.M | re.S):
        subject, _, answer = title.rstrip(".").partition(". ")
        named, missing = proofs(body)
        wrong += [f"question {number}: there is no {name}" for name in missing]
        if not answer.startswith(ANSWERS):
            wrong.append(f"question {number}: “{answer}” is no answer")
        if answer.startswith(("Holds", "In part")) and not named:
            wrong.append(f"question {number}: nothing is named that shows it")
        rows.append({"question": int(number), "subject": subject, "answer": answer, "proofs": named,
                     "text": " ".join(body.split())})
    if [row["question"] for row in rows] != list(range(1, QUESTIONS + 1)):
        wrong.append(f"the questions are not 1 to {QUESTIONS}")
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        sys.exit(2)
    return rows


def listed(value):
    return [] if value is None else value if isinstance(value, list) else [value]


def claim_lines(rows):
    """A check of the record for each claim that names a requirement."""
    outcomes = {"passed": "agrees", "failed": "disagrees", "not ended": "disagrees"}
    for row in rows:
        for requirement in row["requirement"]:
            yield {
                "requirement": requirement, "kind": "kit-test", "check": f"{row['where']}: {'; '.join(row['test'])}",
                "outcome": outcomes.get(row["verdict"], "not run"), "claim": row["sentence"],
            }


def self_test():
    """A verdict of this source counts, one of another does not, nor one that does not say of which it is."""
    judged, known = state(), controls()
    name = next(iter(known))
    claim = next(row for row in claims(None, judged) if row["kind"] == "claim")
    for said, outcome, word in ((judged, "agrees", "noticed"), ("0" * 64, "not run", "not run"), (None, "not run", "not run")):
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as file, contextlib.redirect_stderr(io.StringIO()):
            own = {} if said is None else {"state": said}
            json.dump([own | {"name": name, "where": claim["where"], "sentence": claim["sentence"], "verdict": "noticed"}], file)
            file.flush()
            found = next(lines([("a row", name)], known, verdicts(file.name, judged)))["outcome"]
            verdict = next(row for row in claims(file.name, judged) if row["where"] == claim["where"] and row["sentence"] == claim["sentence"])["verdict"]
        if (found, verdict) != (outcome, word):
            sys.exit(f"evidence: self-test: of {said}: {found}, {verdict}")
    print("evidence: a verdict of another source does not count")


def held(value, part):
    """Problems of a value by a part of the schema."""
    return validate(value, {"$ref": f"#/$defs/{part}"}, SCHEMA)


def misfits(folder, files):
    """What of a folder's files is not as the schema says; a file that is not there is none."""
    wrong = []
    for name, (part, are_lines) in files.items():
        if not (folder / name).is_file():
            continue
        text = (folder / name).read_text(encoding="utf-8")
        rows = [line for line in text.split("\n") if line] if are_lines else [text]
        for number, row in enumerate(rows, 1):
            wrong += [f"{folder.name}/{name}, {number}: {problem}" for problem in held(json.loads(row), part)]
    return wrong


def must_fit(wrong):
    if wrong:
        print("\n".join(wrong[:20]), file=sys.stderr)
        sys.exit(2)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--out")
    parser.add_argument("--controls")
    parser.add_argument("--claims")
    parser.add_argument("--audit", default=str(ROOT / "Auditor/.build/release/pavise-audit"))
    words = parser.parse_args()
    if words.self_test:
        return self_test()
    known = controls()
    pairs, asked = mapped(known), questions()
    if words.check or not words.out:
        must_tell(pairs)
        rows = [("claim", row) for row in claims(None, "")] + [("question", row) for row in asked]
        rows += [("result", row) for row in lines(pairs, known, {})]
        must_fit(misfits(KEPT, BUNDLE) + [f"{part}: {problem}" for part, row in rows for problem in held(row, part)])
        print(f"evidence: {len(pairs)} checks of {len(set(row for row, _ in pairs))} requirements name controls that exist, "
              f"{len(asked)} questions of testers have an answer, what their answers name exists, and the evidence is as its schema says")
        return
    judged = state() if words.controls or words.claims else ""
    results, ledger = verdicts(words.controls, judged), list(claims(words.claims, judged))
    pathlib.Path(words.out).mkdir(parents=True, exist_ok=True)
    with open(pathlib.Path(words.out) / "claims.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n" for row in ledger)
    with open(pathlib.Path(words.out) / "questions.jsonl", "w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n" for row in asked)
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl", encoding="utf-8") as file:
        for line in [*lines(pairs, known, results), *claim_lines(ledger)]:
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
    bills(words)
    out = pathlib.Path(words.out)
    must_fit(misfits(out, OWN) + [each for name in (*STANDARDS, BILLS) for each in misfits(out / name, BUNDLE)])


def bills(words):
    """A bundle about the bills of materials of the programs that `make build` made; without one that is said."""
    programs = [path for path in (ROOT / ".build/release" / name for name in ("pavise", "pavise-lab")) if path.is_file()]
    if not programs:
        print("evidence: no program is built, and no bill of materials was judged. make build makes them.")
        return
    with tempfile.TemporaryDirectory() as folder:
        for path in programs:
            subprocess.run([ROOT / "Scripts/package", "--sbom", path.name, str(path), f"{folder}/{path.name}.cdx.json"], check=True, stdout=subprocess.DEVNULL)
        done = subprocess.run([words.audit, "evidence", folder, "--standard", BILLS, "--out", str(pathlib.Path(words.out) / BILLS)])
        if done.returncode not in (0, 1):
            sys.exit(2)


main()
