#!/usr/bin/env python3
"""Changes the source in hundreds of small ways, one after the other, and expects that some test notices each.

Usage: mutants.py [--count N] [--seed S] [--only PATH…] [--jobs N] [--kinds KIND…] [--seconds N] [--json FILE [--resume]]
       mutants.py --list        the changes that would be tried; builds nothing

The changes come from the syntax tree (Auditor/Sources/MutantFinder). The checkout is not touched: a copy below
.build-mutants gets all of them, each behind a switch that reads PAVISE_MUTANT when the process starts, and is built once.
A first run of every suite records which changes it reaches; afterwards each change is tried with those suites alone, its
own module's first, until one fails. What nobody noticed is tried once more with the long tests of `make check`. A change
that no suite reaches is a survivor without a run. A run that was stopped goes on with --resume: what was recorded stays good
for the same program, and FILE has what was tried.

Conformance/Mutants.toml names changes that make no difference, one by one and with the reason; they do not count.
At least 20 of each module are tried, or all that it has. Ends with 1 when fewer than 92 of 100 changes are noticed, or
fewer than 85 of 100 in a module, or when the table names a change that there is none of.
"""

import argparse
import collections
import concurrent.futures
import functools
import hashlib
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORK = ROOT / ".build-mutants"
COPY, BUILD = WORK / "package", WORK / "build"
# The programs that are tried, so that tests can be written and built in the copy meanwhile.
TRIED = WORK / "tried"
# Which suites of which program reach what.
RECORD = WORK / "record.json"
# Which changes did not compile, by the digest of their file: they need not be tried again.
BROKEN = WORK / "broken.json"
FINDER = ROOT / "Auditor" / ".build" / "release" / "pavise-mutants"
TABLE = ROOT / "Conformance" / "Mutants.toml"
MARK = "MUTANT_IS_ON"
SWITCH = """#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Which change is in force in this process, and which ones it came by.
enum MutantSwitch {
    private static let chosen: Int = unsafe getenv("PAVISE_MUTANT").map { unsafe atol($0) } ?? 0
    private nonisolated(unsafe) static let reached: UnsafeMutablePointer<UInt8>? = {
        guard let path = unsafe getenv("PAVISE_MUTANT_REACHED") else { return nil }
        let file = unsafe open(path, O_RDWR)
        guard file >= 0, let page = unsafe mmap(nil, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0),
            unsafe page != MAP_FAILED
        else { return nil }
        close(file)
        return unsafe page.assumingMemoryBound(to: UInt8.self)
    }()

    static func isOn(_ number: Int) -> Bool {
        unsafe reached?[number] = 1
        return number == chosen
    }
}
"""
# Never run here: adapters for Apple's systems, and what only another tool loads.
LEFT_OUT = ("+Apple.swift", "/SecurityFrameworkApple/", "/ProtectedStorageApple/", "/LocalAuthenticationExport/")
# The tests, and the programs that some of them run.
PRODUCTS = ["PavisePackageTests", "pavise", "pavise-lab"]
# The modules of the package, and the core of the example app, which its tests build too.
FOLDERS = ("Sources/", "Examples/SleepDiary/Sources/")
LONGEST = 180  # seconds for one run of a suite
PATIENCE = 240  # seconds that the suites of other modules may take for one change
WHOLE, EACH, FEW = 0.92, 0.85, 20
MISSED = ("survived", "not reached")


class Mutant:
    """One change, with the number of its switch."""

    def __init__(self, row, module):
        self.file, self.kind, self.line = row["file"], row["kind"], row["line"]
        self.start, self.end, self.text = row["start"], row["end"], row["text"]
        self.function, self.before, self.module = row["function"], row["before"], module
        self.number, self.key = 0, ""
        self.verdict, self.by = "", ""

    def place(self):
        return f"{self.file}:{self.line}: {self.kind}: {self.before[:90]}"


def say(text):
    print(f"mutants: {text}", file=sys.stderr, flush=True)


def targets():
    """The folders of all modules that are changed: name of the module by folder, the longest first."""
    done = subprocess.run(
        [os.environ.get("SWIFT", "swift"), "package", "describe", "--type", "json"], cwd=ROOT, check=True, text=True,
        stdout=subprocess.PIPE)
    found = {
        target["path"]: target["name"] for target in json.loads(done.stdout)["targets"]
        if target["path"].startswith(FOLDERS) and target["type"] != "test" and target.get("module_type", "SwiftTarget") == "SwiftTarget"}
    return dict(sorted(found.items(), key=lambda pair: -len(pair[0])))


def all_mutants(folders):
    files = subprocess.run(
        ["git", "ls-files", "-z", *(f"{folder}*.swift" for folder in FOLDERS)], cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE).stdout
    wanted = []
    for file in files.split("\0"):
        folder = next((folder for folder in folders if file.startswith(folder + "/")), None)
        if file and folder and not any(part in file for part in LEFT_OUT):
            wanted.append((file, folders[folder]))
    for file, _ in wanted:
        source(file)
    listed = subprocess.run(
        [str(FINDER), *(file for file, _ in wanted)], cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE).stdout
    modules = dict(wanted)
    mutants = [Mutant(row, modules[row["file"]]) for row in map(json.loads, listed.splitlines())]
    seen = collections.Counter()
    for mutant in mutants:
        name = (mutant.file, mutant.kind, mutant.function, mutant.before)
        seen[name] += 1
        mutant.key = hashlib.sha256("\0".join([*name, str(seen[name])]).encode()).hexdigest()[:12]
    return mutants


def choose(mutants, count, seed, kinds, only):
    """`count` changes, none of which overlaps another: from each module and of each kind as evenly as there are some."""
    chance = random.Random(seed)
    piles = collections.defaultdict(list)
    for mutant in mutants:
        if (not kinds or mutant.kind in kinds) and (not only or any(mutant.file.startswith(path) for path in only)):
            piles[mutant.module].append(mutant)
    for pile in piles.values():
        chance.shuffle(pile)
    # A large module gets more, and no module all: by the root of its size.
    weights = {module: len(pile) ** 0.5 for module, pile in piles.items()}
    whole = sum(weights.values()) or 1
    chosen = []
    for module in sorted(piles):
        taken, kinds_taken = [], collections.Counter()
        # Fewer say nothing about a module; of a small one all are taken.
        wanted = max(FEW, round(count * weights[module] / whole))
        pile = piles[module]
        while pile and len(taken) < wanted:
            rarest = min({mutant.kind for mutant in pile}, key=lambda kind: (kinds_taken[kind], kind))
            mutant = next(mutant for mutant in pile if mutant.kind == rarest)
            pile.remove(mutant)
            if not any(overlap(mutant, other) for other in taken):
                taken.append(mutant)
                kinds_taken[rarest] += 1
        chosen += taken
    chosen.sort(key=lambda mutant: (mutant.file, mutant.start))
    for number, mutant in enumerate(chosen, 1):
        mutant.number = number
    return chosen


def overlap(one, other):
    return one.file == other.file and one.start <= other.end and other.start <= one.end


@functools.cache
def source(file):
    """A source as it was when the changes were found: somebody may edit it meanwhile."""
    return (ROOT / file).read_bytes()


def changed(data, mutants):
    """The source with all its changes, and the lines on which each stands now."""
    lines = {}
    for mutant in sorted(mutants, key=lambda mutant: -mutant.start):
        text = mutant.text.replace(MARK, f"MutantSwitch.isOn({mutant.number})").encode()
        data = data[:mutant.start] + text + data[mutant.end:]
    shift = 0
    for mutant in sorted(mutants, key=lambda mutant: mutant.start):
        text = mutant.text.replace(MARK, f"MutantSwitch.isOn({mutant.number})").encode()
        first = data[:mutant.start + shift].count(b"\n") + 1
        lines[mutant] = range(first, first + text.count(b"\n") + 1)
        shift += len(text) - (mutant.end - mutant.start)
    return data, lines


def copy(mutants, folders):
    """Brings the copy up to date; files that stay the same keep their time. The lines of each change."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "-c", "-o", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True).stdout
    names = {name for name in listed.decode().split("\0") if name and (ROOT / name).is_file()}
    contents, lines = {}, {}
    of_file = collections.defaultdict(list)
    for mutant in mutants:
        of_file[mutant.file].append(mutant)
    for file, some in of_file.items():
        contents[file], found = changed(source(file), some)
        lines |= found
    size = max([mutant.number for mutant in mutants], default=0) + 1
    for folder, module in folders.items():
        if any(mutant.module == module for mutant in mutants):
            contents[folder + "/MutantSwitch.swift"] = SWITCH.replace("SIZE", str((size | 4095) + 1)).encode()
    # What a change makes of the source may deserve a warning.
    manifest = (ROOT / "Package.swift").read_text()
    contents["Package.swift"] = re.sub(r"\n *\.treatAllWarnings\(.*\),(?=\n)", "", manifest).encode()
    for name in names | set(contents):
        data = contents.get(name) or (ROOT / name).read_bytes()
        target = COPY / name
        if not target.is_file() or target.read_bytes() != data:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            if name not in contents:
                target.chmod((ROOT / name).stat().st_mode)
    for path in [path for path in COPY.rglob("*") if path.is_file()]:
        if str(path.relative_to(COPY)) not in names | set(contents):
            path.unlink()
    return lines


def swift(*words):
    options = subprocess.run([ROOT / "Scripts/whole-modules"], check=True, text=True, stdout=subprocess.PIPE).stdout.split()
    return [os.environ.get("SWIFT", "swift"), *words, *options, "--scratch-path", str(BUILD)]


def digest(file):
    return hashlib.sha256(source(file)).hexdigest()[:16]


def without_broken(mutants):
    known = json.loads(BROKEN.read_text()) if BROKEN.is_file() else {}
    return [mutant for mutant in mutants if known.get(mutant.key) != digest(mutant.file)]


def remember_broken(mutants):
    known = json.loads(BROKEN.read_text()) if BROKEN.is_file() else {}
    known |= {mutant.key: digest(mutant.file) for mutant in mutants}
    BROKEN.write_text(json.dumps(known, indent=1))


def bad_ones(mutants, lines, said):
    """Those of the changes that the compiler's words are about."""
    errors = {
        (match[1].removeprefix(str(COPY) + "/"), int(match[2]))
        for match in re.finditer(r"^(/[^:\n]+):(\d+):\d+: error:", said, re.MULTILINE)}
    bad = {mutant for mutant in mutants if any(
        file == mutant.file and line in lines[mutant] for file, line in errors)}
    for file, line in errors:
        # An error away from its cause: all changes of the function, or else of the file.
        if not any(file == mutant.file and line in lines[mutant] for mutant in mutants):
            near = [mutant for mutant in mutants if mutant.file == file]
            bad |= set([mutant for mutant in near if abs(lines[mutant].start - line) < 25] or near)
    return bad


def build(mutants, folders):
    """Builds the copy; changes that do not compile are left out. What is left."""
    mutants = without_broken(mutants)
    while True:
        lines = copy(mutants, folders)
        for product in PRODUCTS:
            done = subprocess.run(
                swift("build", "--product", product), cwd=COPY, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            if done.returncode != 0:
                break
        else:
            return mutants
        bad = bad_ones(mutants, lines, done.stdout)
        if not bad:
            print(done.stdout[-6000:], file=sys.stderr)
            sys.exit("mutants: the copy does not build")
        say(f"{len(bad)} changes do not compile and are left out")
        remember_broken(bad)
        mutants = [mutant for mutant in mutants if mutant not in bad]


class Suites:
    """The suites of the built program: what each reaches, and how long it takes."""

    def __init__(self, mutants, jobs):
        folder = subprocess.run(
            swift("build", "--show-bin-path"), cwd=COPY, check=True, text=True,
            stdout=subprocess.PIPE).stdout.strip()
        self.binary = self.kept(pathlib.Path(folder))
        listed = subprocess.run(
            [str(self.binary), "--testing-library", "swift-testing", "--list-tests"], cwd=COPY, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        names = sorted({line.split("/", 1)[0] for line in listed.splitlines() if "/" in line})
        self.seconds, self.reached, self.isQuick = {}, {}, True
        # Suites that leave a long test out at first.
        self.long = set()
        with self.binary.open("rb") as file:
            self.program = hashlib.file_digest(file, "sha256").hexdigest()
        if self.recall():
            return
        self.record_all(names, mutants, jobs)
        RECORD.write_text(json.dumps({
            "program": self.program, "seconds": self.seconds, "long": sorted(self.long),
            "reached": {name: sorted(numbers) for name, numbers in self.reached.items()}}))

    def with_long_tests(self, mutants, jobs):
        """The suites that left tests out, with all of their tests, and no others."""
        self.isQuick, self.seconds, self.reached = False, {}, {}
        self.record_all(sorted(self.long), mutants, jobs)

    def record_all(self, names, mutants, jobs):
        size = max(mutant.number for mutant in mutants) + 1
        started, sick = time.monotonic(), []
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for count, (name, end, seconds, numbers) in enumerate(
                    pool.map(lambda name: self.record(name, size), names), 1):
                if end != "passed":
                    sick.append(name)
                else:
                    self.seconds[name], self.reached[name] = seconds, numbers
                if count % 50 == 0 or count == len(names):
                    say(f"{count} of {len(names)} suites recorded, {time.monotonic() - started:.0f} s")
        # Some have a clock that a busy machine runs out of: once more, and alone.
        for name in sick:
            _, end, seconds, numbers = self.record(name, size)
            if end == "passed":
                self.seconds[name], self.reached[name] = seconds, numbers
            else:
                say(f"{name}: {end} without a change; it is left out")

    def recall(self):
        known = json.loads(RECORD.read_text()) if RECORD.is_file() else {}
        if known.get("program") != self.program:
            return False
        self.seconds, self.long = known["seconds"], set(known["long"])
        self.reached = {name: set(numbers) for name, numbers in known["reached"].items()}
        return True

    @staticmethod
    def kept(folder):
        """A copy of the tests, with the programs and resources that they look for beside them."""
        shutil.rmtree(TRIED, ignore_errors=True)
        TRIED.mkdir()
        for path in folder.iterdir():
            if path.is_file() and os.access(path, os.X_OK):
                shutil.copy2(path, TRIED / path.name)
            else:
                # What some tests give to the compiler.
                (TRIED / path.name).symlink_to(path)
        return next(TRIED.glob("*.xctest"))

    def record(self, name, size):
        with tempfile.NamedTemporaryFile() as file:
            file.write(bytes((size | 4095) + 1))
            file.flush()
            begun = time.monotonic()
            end = self.run([name], 0, LONGEST if self.isQuick else LONGEST * 5, file.name)
            seconds = time.monotonic() - begun
            reached = {number for number, byte in enumerate(pathlib.Path(file.name).read_bytes()) if byte}
            return name, end, seconds, reached

    def run(self, names, number, longest, reached=None):
        """How the suites end with a change in force: passed, failed, crashed, hung, or nothing."""
        choice = "|".join(re.escape(name.split(".", 1)[0]) + r"\.`?" + re.escape(name.split(".", 1)[1].strip("`")) + "`?/"
                          for name in names)
        words = [str(self.binary), "--testing-library", "swift-testing", "--no-parallel", "--filter", f"^({choice})"]
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o711)
            environment = dict(
                os.environ, SWIFT_BACKTRACE="enable=no", TMPDIR=folder, PAVISE_MUTANT=str(number))
            environment |= {"PAVISE_QUICK": "1"} if self.isQuick else {}
            if reached:
                environment["PAVISE_MUTANT_REACHED"] = reached
            process = subprocess.Popen(
                words, cwd=COPY, env=environment, text=True, errors="replace", stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
            try:
                said, _ = process.communicate(timeout=longest)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, 9)
                process.communicate()
                return "hung"
        if reached and "long: part of make check" in said:
            self.long.update(names)
        if process.returncode == 0 and re.search(r"Test run with [1-9]\d* tests? .* passed", said):
            return "passed"
        return "failed" if process.returncode in (0, 1) else "crashed"

    def try_again(self, mutant):
        before = mutant.verdict
        self.try_out(mutant)
        if mutant.verdict == "not reached":
            mutant.verdict = before

    def try_out(self, mutant):
        """Tries a change with the suites that reach it, until one notices."""
        own = (mutant.module.removeprefix("Pavise") or "AppSecurity").lower()
        able = [name for name, numbers in self.reached.items() if mutant.number in numbers]
        if not able:
            mutant.verdict = "not reached"
            return
        able.sort(key=lambda name: (own not in name.split(".")[0].lower(), self.seconds[name]))
        # Hundreds of suites come by what everything stands on: those of other modules as far as the time goes.
        left, near = PATIENCE, []
        for name in able:
            if own not in name.split(".")[0].lower():
                left -= self.seconds[name]
            if left > 0:
                near.append(name)
        able = near
        # One by one while that finds it soon, the rest in one process for each module.
        for name in able[:6]:
            if self.notices(mutant, [name]):
                return
        rest = collections.defaultdict(list)
        for name in able[6:]:
            rest[name.split(".", 1)[0]].append(name)
        for names in rest.values():
            if self.notices(mutant, names):
                return
        mutant.verdict = "survived"

    def notices(self, mutant, names):
        usual = sum(self.seconds[name] for name in names)
        longest = min(30 + 10 * usual, 600)
        end = self.run(names, mutant.number, longest)
        if end == "passed":
            return False
        # What fails on a busy machine without the change too has noticed nothing.
        if self.run(names, 0, longest) != "passed":
            say(f"{', '.join(names[:3])}: fails now and then")
            return False
        mutant.verdict, mutant.by = end, ", ".join(names[:3])
        return True


def equivalents():
    if not TABLE.is_file():
        return {}
    return {row["key"]: row["reason"] for row in tomllib.loads(TABLE.read_text()).get("equivalent", [])}


def write(mutants, path):
    pathlib.Path(path).write_text(json.dumps([
        {"key": mutant.key, "file": mutant.file, "line": mutant.line, "kind": mutant.kind, "module": mutant.module,
         "function": mutant.function, "before": mutant.before, "text": mutant.text, "verdict": mutant.verdict,
         "by": mutant.by} for mutant in mutants], indent=1))


def recall(mutants, path):
    """What an earlier run of the same changes found."""
    if not pathlib.Path(path).is_file():
        return
    found = {row["key"]: row for row in json.loads(pathlib.Path(path).read_text())}
    for mutant in mutants:
        if mutant.key in found:
            mutant.verdict, mutant.by = found[mutant.key]["verdict"], found[mutant.key]["by"]


def report(mutants, known):
    counted = [mutant for mutant in mutants if mutant.key not in known and mutant.verdict]
    by_module = collections.defaultdict(list)
    for mutant in counted:
        by_module[mutant.module].append(mutant.verdict not in MISSED)
    good = True
    for module, answers in sorted(by_module.items()):
        share = sum(answers) / len(answers)
        isBad = share < EACH
        good = good and not isBad
        print(f"{module:28} {sum(answers):4} of {len(answers):4}  {100 * share:5.1f} %{'  too few' if isBad else ''}")
    for mutant in mutants:
        if mutant.verdict in MISSED and mutant.key not in known:
            print(f"{mutant.key} {mutant.verdict:11} {mutant.place()}")
    noticed = sum(mutant.verdict not in MISSED for mutant in counted)
    share = noticed / len(counted) if counted else 0
    print(f"mutants: {noticed} of {len(counted)} changes were noticed, {100 * share:.1f} %; "
          f"{len(mutants) - len(counted)} are known to make no difference, or were not tried")
    return good and share >= WHOLE


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=600, help="how many changes to try, about")
    parser.add_argument("--seed", type=int, default=1, help="which ones")
    parser.add_argument("--only", nargs="+", default=[], metavar="PATH", help="sources below these paths alone")
    parser.add_argument("--kinds", nargs="+", default=[], metavar="KIND", help="these kinds of changes alone")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="tests at a time")
    parser.add_argument("--seconds", type=int, default=0, help="begin no further change after so many seconds")
    parser.add_argument("--list", action="store_true", help="print the changes; builds nothing")
    parser.add_argument("--json", metavar="FILE", help="write the results there")
    parser.add_argument("--resume", action="store_true", help="try what has no result in FILE")
    words = parser.parse_args()
    folders = targets()
    everything = all_mutants(folders)
    stale = sorted(set(equivalents()) - {mutant.key for mutant in everything})
    if stale:
        sys.exit(f"mutants: no change of the source has these keys any more; take them out of {TABLE.name}: {', '.join(stale)}")
    mutants = choose(everything, words.count, words.seed, set(words.kinds), words.only)
    if not mutants:
        sys.exit("mutants: there is nothing to change")
    if words.list:
        for mutant in mutants:
            print(mutant.key, mutant.place())
        return
    mutants = build(mutants, folders)
    suites = Suites(mutants, words.jobs)
    known = equivalents()
    if words.resume and words.json:
        recall(mutants, words.json)
    begun, done, lock = time.monotonic(), 0, threading.Lock()

    def one(mutant):
        nonlocal done
        late = words.seconds and time.monotonic() - begun > words.seconds
        if mutant.key in known or mutant.verdict or late:
            return
        suites.try_out(mutant)
        with lock:
            done += 1
            if mutant.verdict in MISSED:
                say(f"{mutant.verdict}: {mutant.key} {mutant.place()}")
            if done % 20 == 0:
                say(f"{done} of {len(mutants)} changes tried, {time.monotonic() - begun:.0f} s")
                if words.json:
                    write(mutants, words.json)

    order = list(mutants)
    random.Random(words.seed).shuffle(order)
    with concurrent.futures.ThreadPoolExecutor(words.jobs) as pool:
        list(pool.map(one, order))
    left = [mutant for mutant in order if mutant.verdict in MISSED and mutant.key not in known]
    if left and suites.long:
        say(f"{len(left)} go on with the long tests of {len(suites.long)} suites")
        suites.with_long_tests(mutants, words.jobs)
        with concurrent.futures.ThreadPoolExecutor(words.jobs) as pool:
            list(pool.map(suites.try_again, left))
    if words.json:
        write(mutants, words.json)
    sys.exit(0 if report(mutants, known) else 1)


if __name__ == "__main__":
    main()
