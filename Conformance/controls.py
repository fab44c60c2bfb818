#!/usr/bin/env python3
"""Takes each control of Conformance/Controls.toml and Conformance/Controls/ away in turn, and expects that its test notices.

Usage: controls.py [--only ID…] [--jobs N] [--runs N] [--json]   builds a copy, runs each test with its control and without
       controls.py --list                             the controls, their tests, what is taken away
       controls.py --check                            whether the table fits the source, the tests and the documents
       controls.py --state                            what the results of this source are of: a digest
       controls.py --pages                            writes Documentation/Removals.md: what is taken away for each id

The checkout is not touched. A copy below .build-controls gets all removals at once, each behind a switch that reads the
variable PAVISE_REMOVED when the process starts: one build, and in each run one removal and no other. Controls of the auditor, which is
a package of its own, are built and missed there. A control of a script is taken away in a copy of its own, and its suite is a script, its test the word that makes it test itself. A test must first run
and pass with all controls in place. Ends with 1 when a control was not missed, a test runs nothing or fails by itself, a
removal does not compile, or a text of the table is not found exactly once.
"""

import argparse
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLES = [ROOT / "Conformance" / "Controls.toml", *sorted((ROOT / "Conformance" / "Controls").glob("*.toml"))]
WORK = ROOT / ".build-controls"
COPY, BUILD = WORK / "package", WORK / "build"
VARIABLE = "PAVISE_REMOVED"
SWITCH_FILE = "Sources/Platform/Primitives/RemovedControl.swift"
SWITCH = """#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Which control this process does without.
package enum RemovedControl {
    private static let name: String = {
        guard let text = unsafe getenv("%s") else { return "" }
        return unsafe String(cString: text)
    }()

    package static func isOn(_ other: String) -> Bool { name == other }
}
""" % VARIABLE
# In C the switch stands in front of the file: it includes nothing, so that what the file defines first stays the first. The compiler
# knows `getenv` by another name there, so that it is declared once for Swift.
C_SWITCH = """#ifndef PAVISE_REMOVED_CONTROL
#define PAVISE_REMOVED_CONTROL
extern char *pavise_removed_variable(const char *name) __asm__("getenv");
static inline int pavise_removed(const char *other) {
    static const char *known;
    const char *name = known;
    if (!name) name = pavise_removed_variable("%s");
    if (!name) name = "";
    known = name;
    return __builtin_strcmp(name, other) == 0;
}
#endif
""" % VARIABLE
# A module that does not see Primitives gets a switch of its own, and so does the auditor's package, whose modules all see its core.
ALONE = "Sources/Tools/Arguments/"
AUDITOR = "Auditor/"
AUDITOR_SWITCH = "Auditor/Sources/AuditCore/RemovedControl.swift"
# The documents, and the ids that stand in each.
DOCUMENTS = {
    "Session.md": re.compile(r"(F|C|SR)\d+"),
    "AppLock.md": re.compile(r"AL\d+"),
    "OAuth.md": re.compile(r"[ALTRSDJG]\d+|RFC \d+"),
    "Connections.md": re.compile(r"RV-H2|RV-L[69]|NU-B[26]|AM-[34]|C-1"),
}
# Written from the table. Beside the pages of controls, so that it explains no id by itself.
PAGE = ROOT / "Documentation" / "Removals.md"
SENTENCE = "Taken away by `make controls`, and missed by a test: "
LONGEST = 240  # seconds for one test
LONGEST_SCRIPT = 1800  # seconds for a script that tests itself; one builds programs several times
HANGS = 60  # seconds after which a test that hangs without its control is ended
WAITING = 8  # tests that hang, at a time
# The tests, and the programs that some of them run. The snippets are not needed.
PRODUCTS = ["PavisePackageTests", "pavise", "pavise-lab"]
STEP = 20  # tests between two words about how far it is


class Control:
    """One row: what is taken away where, and who has to miss it."""

    def __init__(self, row):
        self.name, self.ids = row["name"], row["ids"]
        self.file, self.text, self.becomes = row["file"], row["text"], row["becomes"]
        self.suite, self.test = row["suite"], row.get("test", "")
        # For a control that ends a wait: without it the test waits for ever.
        self.hangs = row.get("hangs", False)
        # For a control in a script: `suite` is the script that tests itself when it is told `test`.
        self.is_script = self.suite.startswith("Scripts/")
        self.is_c = self.file.endswith((".c", ".h"))
        self.is_auditors = self.file.startswith(AUDITOR)
        # How its test ends without it; a control may keep the process from a trap.
        self.end = "hung" if self.hangs else "crashed" if row.get("crashes", False) else "failed"

    @property
    def filter(self):
        return rf"\.`?{re.escape(self.suite)}`?/.*{re.escape(self.test)}"

    def describes(self, word):
        return word == self.name or word in self.ids

    def removed(self, source):
        # What is true in Python is True, and in a shell true.
        in_code = f'pavise_removed("{self.name}")' if self.is_c else f'RemovedControl.isOn("{self.name}")'
        condition = ("True" if is_python(source) else "true") if self.is_script else in_code
        return source.replace(self.text, re.sub(r"\bREMOVED\b", condition, self.becomes))


def is_python(source):
    return source.startswith("#!") and "python" in source.partition("\n")[0]


def fault_of(script):
    """Why a script cannot be run at all, as a line; nothing where it can. A script without its control fails by its test alone."""
    if is_python(script):
        try:
            compile(script, "script", "exec")
        except SyntaxError as fault:
            return f"{fault.msg}, line {fault.lineno}"
    elif script.startswith("#!"):
        said = subprocess.run(["bash", "-n"], input=script, text=True, capture_output=True)
        return said.stderr.strip().partition("\n")[0] if said.returncode else ""
    return ""


def controls():
    rows = [Control(row) for table in TABLES for row in tomllib.loads(table.read_text())["control"]]
    names = [row.name for row in rows]
    if len(set(names)) != len(names):
        sys.exit("controls: a name stands twice: " + ", ".join(sorted({n for n in names if names.count(n) > 1})))
    return rows


def check(rows):
    """What in the table does not fit the source and the tests, as sentences."""
    wrong = []
    suites = {}
    for path in [path for folder in ("Tests", "Auditor/Tests") for path in (ROOT / folder).rglob("*.swift")]:
        # A suite stands at the margin; what follows it is its own, whatever else the file holds.
        name = ""
        for line in path.read_text().splitlines():
            if found := re.match(r"(?:@.*?\) |@\w+ )*(?:[a-z]+ )*(?:struct|class|actor|extension|enum) (?:`([^`]+)`|(\w+))", line):
                name = found[1] or found[2]
            elif "func " in line:
                suites[name] = suites.get(name, "") + line + "\n"
    sources = {file: (ROOT / file).read_text() for file in {row.file for row in rows} if (ROOT / file).is_file()}
    removed = dict(sources)
    for row in rows:
        count = sources.get(row.file, "").count(row.text)
        if count != 1:
            wrong.append(f"{row.name}: its text stands {count} times in {row.file}")
        elif removed[row.file].count(row.text) != 1:
            wrong.append(f"{row.name}: its text meets another removal in {row.file}")
        else:
            removed[row.file] = row.removed(removed[row.file])
            if row.is_script and (fault := fault_of(row.removed(sources[row.file]))):
                wrong.append(f"{row.name}: without it {row.file} is no script: {fault}")
        if not re.search(r"\bREMOVED\b", row.becomes):
            wrong.append(f"{row.name}: nothing is removed")
        if row.is_script:
            if not (ROOT / row.suite).is_file() or f'"{row.test}"' not in (ROOT / row.suite).read_text():
                wrong.append(f"{row.name}: there is no {row.suite} {row.test}")
        elif not re.search("func .*" + re.escape(row.test), suites.get(row.suite, "")):
            wrong.append(f"{row.name}: there is no test {row.suite}: {row.test}")
    return wrong


def check_documents(rows):
    """What the documents say otherwise than the table, as sentences."""
    wrong = []
    for name, pattern in DOCUMENTS.items():
        text = " ".join((ROOT / "Documentation" / "Controls" / name).read_text().split())
        line = sentence(rows, pattern)
        if line not in text:
            wrong.append(f"Documentation/Controls/{name} has to say: {line}")
    explained = {
        name for path in (ROOT / "Documentation" / "Controls").glob("*.md")
        for name in re.findall(r"[A-Z]+(?:-[A-Z]*\d+|\d+)\b|RFC \d+", path.read_text())}
    if not PAGE.is_file() or PAGE.read_text() != removals_page(rows):
        wrong.append("Documentation/Removals.md is not what the table says: Conformance/controls.py --pages writes it")
    for row in rows:
        wrong += [f"{row.name}: no page of Documentation/Controls explains {name}" for name in row.ids if name not in explained]
    return wrong


# What a verdict depends on: the source, the tests, and what says how both are built and judged.
JUDGED = ("Auditor", "Conformance", "Examples", "Makefile", "Package.swift", "Scripts", "Snippets", "Sources", "Tests")


def state(root=ROOT):
    """A digest of all that was judged, so that a verdict counts for the source that it is of and for no other."""
    listed = subprocess.run(["git", "ls-files", "-z", "-c", "-o", "--exclude-standard", *JUDGED], cwd=root, check=True, capture_output=True)
    whole = hashlib.sha256()
    for name in sorted(filter(None, listed.stdout.decode().split("\0"))):
        if (root / name).is_file():
            whole.update(name.encode() + b"\0" + hashlib.sha256((root / name).read_bytes()).digest())
    return whole.hexdigest()


def sentence(rows, pattern):
    ids = {name for row in rows for name in row.ids if pattern.fullmatch(name)}
    ordered = sorted(ids, key=lambda name: (re.sub(r"\d+$", "", name), int(re.search(r"\d+$", name)[0])))
    return SENTENCE + ", ".join(ordered) + "."


def removals_page(rows):
    """The page that says for each id what `make controls` takes away, and which test has to miss it."""
    def order(name):
        return [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)]

    ids = {}
    for row in rows:
        for name in row.ids:
            ids.setdefault(name, []).append(f"{row.name} ({row.suite})")
    lines = [
        "# Removals", "",
        "What `make controls` takes away for each id, one after the other, and in brackets which test, or which script that",
        "tests itself, has to miss it. What an id is stands in Documentation/Controls/README.md. This page is written by",
        f"`Conformance/controls.py --pages`: {len(rows)} removals for {len(ids)} ids. An id that is not here has no removal.", "",
        "| id | taken away |", "|---|---|",
        *(f"| {name} | {', '.join(ids[name])} |" for name in sorted(ids, key=order)),
    ]
    return "\n".join(lines) + "\n"


def copy(rows):
    """Brings the copy up to date, with the removals of `rows`; files that stay the same keep their time."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "-c", "-o", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True).stdout
    names = {name for name in listed.decode().split("\0") if name and (ROOT / name).is_file()}
    contents = {}
    for row in rows:
        contents.setdefault(row.file, (ROOT / row.file).read_text())
        contents[row.file] = row.removed(contents[row.file])
    for file, text in contents.items():
        if file.endswith((".c", ".h")):
            contents[file] = C_SWITCH + text
            continue
        seen = "AuditCore" if file.startswith(AUDITOR) else "PavisePrimitives"
        sees = re.search(rf"^(\w+ )?import {seen}$", text, re.MULTILINE) or "/Primitives/" in file or file.startswith((ALONE, "Auditor/Sources/AuditCore/"))
        if not sees:
            contents[file] = f"internal import {seen}\n" + text
    switches = {SWITCH_FILE: SWITCH}
    if any(row.is_auditors for row in rows):
        switches[AUDITOR_SWITCH] = SWITCH
    if any(row.file.startswith(ALONE) for row in rows):
        switches[ALONE + "RemovedControl.swift"] = SWITCH.replace("package ", "")
    contents |= switches
    for name in names | set(switches):
        data = contents[name].encode() if name in contents else (ROOT / name).read_bytes()
        target = COPY / name
        if not target.is_file() or target.read_bytes() != data:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            if name not in contents:
                target.chmod((ROOT / name).stat().st_mode)
    for path in [path for path in COPY.rglob("*") if path.is_file()]:
        if str(path.relative_to(COPY)) not in names | set(switches):
            path.unlink()


class Pavise:
    """The package itself: its tests, and the programs that some of them run."""
    folder, scratch = COPY, BUILD

    @classmethod
    def swift(cls, *words):
        options = subprocess.run([ROOT / "Scripts/whole-modules"], check=True, text=True, stdout=subprocess.PIPE).stdout.split()
        return [os.environ.get("SWIFT", "swift"), "build", *words, *options, "--scratch-path", str(cls.scratch)]

    @classmethod
    def builds(cls):
        return [cls.swift("--product", product) for product in PRODUCTS]


class Auditor(Pavise):
    """The auditor's package. Its tests run its program."""
    folder, scratch = COPY / "Auditor", WORK / "build-auditor"

    @classmethod
    def builds(cls):
        return [cls.swift("--build-tests", "--disable-xctest")]


def build(rows, package, others):
    """Builds the package with all removals; leaves out those whose file does not compile. What is left, and what is not.

    `others` are the removals of other packages: the copy has them as well, so that their files stay the same.
    """
    broken = []
    while True:
        copy(rows + others)
        for words in package.builds():
            done = subprocess.run(words, cwd=package.folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if done.returncode != 0:
                break
        else:
            return rows, broken
        lines = [line for line in done.stdout.splitlines() if ": error:" in line]
        files = {line.split(":", 1)[0].removeprefix(str(COPY) + "/") for line in lines}
        found = [row for row in rows if row.file in files]
        print("\n".join(sorted(set(lines))[:40]) or done.stdout[-4000:], file=sys.stderr)
        if not found:
            sys.exit("controls: the copy does not build")
        broken += found
        rows = [row for row in rows if row not in found]


def program(package):
    """The program of all tests. It is run as `swift test` runs it, without the build before each."""
    path = subprocess.run(
        package.swift("--show-bin-path"), cwd=package.folder, check=True, text=True, stdout=subprocess.PIPE).stdout
    return next(pathlib.Path(path.strip()).glob("*.xctest"))


def run(binary, expression, removed="", longest=LONGEST):
    """How the tests of a filter end: passed, failed, crashed, hung, or nothing; and what they said."""
    words = [str(binary), "--testing-library", "swift-testing", "--no-parallel", "--filter", expression]
    # A test that is ended leaves its files behind.
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ, SWIFT_BACKTRACE="enable=no", TMPDIR=folder, **{VARIABLE: removed})
        said, hung = run_to_end(words, environment, longest)
    if hung:
        return "hung", ""
    summary = re.findall(r"Test run with (\d+) tests? .*?(passed|failed) after", said)
    if not summary:
        return "crashed", said[-400:]
    count, verdict = summary[-1]
    if int(count) == 0:
        return "nothing", ""
    issues = re.findall(r"recorded an issue.*?: (.*)", said)
    return verdict, issues[0] if issues else ""


def run_to_end(words, environment, longest):
    """What a program says, and whether it had to be ended: with all that it started, since a worker may go on for ever."""
    process = subprocess.Popen(words, cwd=COPY, env=environment, text=True, errors="replace", stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        return process.communicate(timeout=longest)[0], False
    except subprocess.TimeoutExpired:
        process.kill()
        # Foundation gives each child a process group of its own; the folder of this run stands in its environment.
        mark = f"TMPDIR={environment['TMPDIR']}".encode()
        for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
            try:
                if mark in path.read_bytes().split(b"\0"):
                    os.kill(int(path.parent.name), signal.SIGKILL)
            except OSError:
                continue
        process.communicate()
        return "", True


def judge(rows, binary, jobs, runs):
    """Each row with its verdict: noticed in each of `runs`, or why not. Says on standard error how far it is."""
    # A test that hangs without its control waits and does nothing: such rows wait on threads of their own.
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool, concurrent.futures.ThreadPoolExecutor(WAITING) as waiting:
        filters = sorted({row.filter for row in rows})
        progress = Progress("with all controls in place", len(filters))
        usual = dict(zip(filters, pool.map(lambda text: progress.after(lambda: timed(binary, text)), filters)))
        results = [Result(row, expected(row, *usual[row.filter])) for row in rows]
        for number in range(1, runs + 1):
            left = [result for result in results if result.verdict == "noticed"]
            progress = Progress("without a control" + f", run {number} of {runs}" * (runs > 1), len(left))
            futures = [
                (waiting if result.row.hangs else pool).submit(progress.after, functools.partial(result.again, binary))
                for result in left]
            for future in futures:
                future.result()
    return results


def judge_scripts(rows):
    """Each control of a script with its verdict: the script tests itself with it, and then without it."""
    results, usual = [], {}
    for row in rows:
        usual.setdefault((row.suite, row.test), run_script(row, taken_away=False)[0])
        results.append(Result(row, expected(row, usual[row.suite, row.test], 0)))
        if results[-1].verdict == "noticed":
            end, results[-1].said = run_script(row, taken_away=True)
            results[-1].verdict, results[-1].noticed = ("noticed", 1) if end == row.end else ("NOT NOTICED", 0)
    return results


def run_script(row, taken_away):
    """How a script's test of itself ends in a copy of the package, and its last words."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "-c", "-o", "--exclude-standard", ".gitattributes", "Scripts", "Sources", "Package.swift", "Documentation/ThirdParty.md",
         "Conformance/build-policy.json", "Conformance/release-policies.json", "Makefile", "Tests/CommandsTests/Snapshots",
         "Documentation/Managed.md", "Documentation/managed.*", "Documentation/Environment.md", "Examples/systemd", "Examples/LogHandler"], cwd=ROOT, check=True,
        capture_output=True, text=True).stdout
    with tempfile.TemporaryDirectory() as name:
        for each in filter(None, listed.split("\0")):
            if (ROOT / each).is_file():
                (pathlib.Path(name) / each).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / each, pathlib.Path(name) / each)
        # A release names its commit.
        author = ["-c", "user.name=controls", "-c", "user.email=controls@example.org"]
        for words in (["init", "-q"], ["add", "-A"], [*author, "commit", "-q", "-m", "A commit"]):
            subprocess.run(["git", *words], cwd=name, check=True, capture_output=True)
        if taken_away:
            path = pathlib.Path(name) / row.file
            path.write_text(row.removed(path.read_text()))
        try:
            done = subprocess.run([f"{name}/{row.suite}", row.test], cwd=name, env=dict(os.environ, SOURCE_DATE_EPOCH="1700000000"), text=True,
                                  errors="replace", stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  timeout=LONGEST_SCRIPT)
        except subprocess.TimeoutExpired:
            return "hung", ""
    said = done.stdout.strip()
    # What does not know its own names has not tested anything.
    is_broken = re.search(r"^(NameError|UnboundLocalError): |: command not found$", said, re.MULTILINE)
    return "passed" if done.returncode == 0 else "crashed" if is_broken else "failed", said[-200:]


def timed(binary, expression):
    """How a test ends with all controls in place, and after how many seconds."""
    begun = time.monotonic()
    return run(binary, expression)[0], time.monotonic() - begun


def expected(row, usual, seconds):
    """What is to be expected of a row whose test ends as `usual` with all controls in place, after `seconds`."""
    if usual != "passed":
        return f"the test itself: {usual}"
    # Else a test that is merely slow would look as if it hung.
    return f"the test itself: {round(seconds)} s" if row.hangs and seconds > HANGS / 2 else "noticed"


class Progress:
    """Says on standard error how many of the tests were run."""

    def __init__(self, what, count):
        self.what, self.count, self.done = what, count, 0
        self.lock, self.begun = threading.Lock(), time.monotonic()

    def after(self, work):
        answer = work()
        with self.lock:
            self.done += 1
            if self.done % STEP == 0 or self.done == self.count:
                seconds = round(time.monotonic() - self.begun)
                print(f"controls: {self.done} of {self.count} {self.what}, {seconds} s", file=sys.stderr, flush=True)
        return answer


class Result:
    """What is known of one row; it counts as noticed until a run says otherwise."""

    def __init__(self, row, verdict):
        self.row, self.verdict, self.noticed, self.said, self.seconds = row, verdict, 0, "", 0.0
        if verdict != "noticed":
            print(f"controls: {row.name}: {verdict}", file=sys.stderr, flush=True)

    def again(self, binary):
        """Runs the test once more without the control."""
        begun = time.monotonic()
        end, self.said = run(binary, self.row.filter, self.row.name, HANGS if self.row.hangs else LONGEST)
        self.seconds = max(self.seconds, time.monotonic() - begun)
        if end == self.row.end:
            self.noticed += 1
            return
        self.verdict = "NOT NOTICED" if end == "passed" else end
        print(f"controls: {self.row.name}: {self.verdict} in run {self.noticed + 1}", file=sys.stderr, flush=True)


def report(results, is_json, judged):
    if is_json:
        rows = [
            {"state": judged, "name": result.row.name, "ids": result.row.ids, "file": result.row.file,
             "test": f"{result.row.suite}: {result.row.test}", "verdict": result.verdict, "said": result.said,
             "noticed": result.noticed, "seconds": round(result.seconds, 1)} for result in results]
        print(json.dumps(rows, indent=2))
    else:
        for result in results:
            row = result.row
            print(f"{result.verdict:12} {row.name:34} {' '.join(row.ids):14} {row.suite}: {row.test}")
            if result.verdict != "noticed" and result.said:
                print(f"{'':12} {result.said}")
    noticed = [result.row for result in results if result.verdict == "noticed"]
    ids = {name for row in noticed for name in row.ids}
    print(f"controls: {len(noticed)} of {len(results)} removals were noticed, of {len(ids)} controls", file=sys.stderr)
    return len(noticed) == len(results)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="names of removals, or ids of controls")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="tests at a time")
    parser.add_argument("--runs", type=int, default=1, help="how often each removal has to be noticed")
    parser.add_argument("--list", action="store_true", help="print the table")
    parser.add_argument("--check", action="store_true", help="see whether the table fits the source; builds nothing")
    parser.add_argument("--state", action="store_true", help="print the digest of what is judged")
    parser.add_argument("--pages", action="store_true", help="write Documentation/Removals.md")
    parser.add_argument("--json", action="store_true", help="print the results as JSON")
    words = parser.parse_args()
    if words.state:
        return print(state())
    rows = controls()
    chosen = [row for row in rows if not words.only or any(row.describes(word) for word in words.only)]
    if not chosen:
        sys.exit("controls: nothing in the table is called " + ", ".join(words.only))
    if words.list:
        for row in chosen:
            print(f"{' '.join(row.ids):14} {row.name:34} {row.suite}: {row.test}")
        return
    if words.pages:
        PAGE.write_text(removals_page(rows))
        return
    wrong = check(rows) + (check_documents(rows) if words.check else [])
    for line in wrong:
        print(f"controls: {line}")
    if wrong or words.check:
        sys.exit(1 if wrong else 0)
    # Of the source as it is when the runs begin.
    judged = state()
    results = judge_scripts([row for row in chosen if row.is_script])
    compiled = [row for row in rows if not row.is_script]
    for package in (Pavise, Auditor):
        own = [row for row in compiled if row.is_auditors == (package is Auditor)]
        if any(row in chosen for row in own):
            built, broken = build(own, package, [row for row in compiled if row not in own])
            results += [Result(row, "does not compile") for row in broken if row in chosen]
            results += judge([row for row in built if row in chosen], program(package), words.jobs, words.runs)
    sys.exit(0 if report(results, words.json, judged) else 1)


if __name__ == "__main__":
    main()
