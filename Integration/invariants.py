"""What a whole-system run must not break: a model of what was acknowledged, and the memory and descriptors of what lives long.

Nothing in here knows a program: whole_system.py tells it what was begun, what became of it, and what is found at the end.
"""

import collections
import os
import pathlib
import re
import statistics
import subprocess
import sys

from journal import Sinks


class Ledger:
    """What a store may hold under each name: one value after an answer, two while an end is unknown. `None`: nothing."""

    def __init__(self, kind):
        self.kind, self.rows, self.acknowledged = kind, {}, 0

    def begin(self, name, value):
        """A write begins; returns what held before."""
        before = self.rows.get(name, frozenset([None]))
        self.rows[name] = before | {value}
        return before

    def done(self, name, value):
        """The write was acknowledged: nothing else may be found from now on."""
        self.rows[name] = frozenset([value])
        self.acknowledged += 1

    def refused(self, name, before):
        """The program said that nothing was changed."""
        self.rows[name] = before

    def found(self, name, value):
        """A read. Returns the problem, or nothing; what was read once is what is there."""
        allowed = self.rows.get(name, frozenset([None]))
        if value in allowed:
            self.rows[name] = frozenset([value])
            return None
        what = "lost" if value is None else "another value than any that was written last"
        return f"{self.kind}: {name}: {what}"


class Contents:
    """Contents of files that several people write: each one is somewhere, unless the one who replaced it had it before the eyes."""

    def __init__(self):
        self.written, self.replaced = set(), set()

    def lost(self, *places):
        return (self.written - self.replaced).difference(*places)


class Trail:
    """An audit trail that is collected while it is written: its oldest entries make room for new ones."""

    def __init__(self):
        self.entries, self.problems, self.wanted = {}, [], collections.Counter()

    def collect(self, name, rows):
        for row in rows:
            known = self.entries.setdefault(row["number"], row)
            if known != row:
                self.problems.append(f"audit of {name}: entry {row['number']} is another one than before")

    def judge(self, name):
        """Each number once, without a gap; of each kind as many as were acknowledged, less those that an entry says were lost."""
        problems = list(self.problems)
        missing = set(range(min(self.entries), max(self.entries) + 1)) - set(self.entries) if self.entries else set()
        if missing:
            problems.append(f"audit of {name}: {len(missing)} entries are missing, {min(missing)} is the first")
        kinds = collections.Counter(row["event"] for row in self.entries.values())
        told = sum(int(row["facts"]["count"]) for row in self.entries.values() if row["event"] == "trail.lost")
        for kind, count in self.wanted.items():
            if kinds[kind] + told < count:
                problems.append(f"audit of {name}: {count} {kind} were acknowledged, {kinds[kind]} are there, {told} told as lost")
        return problems


class Gauge:
    """Memory (VmRSS, KiB) and open descriptors of one process, over its life."""

    # Below so many samples there are no quarters to compare.
    FEWEST = 12
    # KiB by which the memory may grow besides a tenth.
    ALLOWANCE = 4096

    def __init__(self, name, pid, allowance=ALLOWANCE):
        self.name, self.pid, self.samples, self.allowance = name, pid, [], allowance

    def sample(self):
        """Looks; what has ended is not looked at."""
        try:
            status = pathlib.Path(f"/proc/{self.pid}/status").read_text()
            memory = re.search(r"^VmRSS:\s+(\d+)", status, re.M)
            count = self.descriptors()
        except FileNotFoundError:
            return
        if memory:
            self.samples.append((int(memory[1]), count))

    def descriptors(self):
        """The programs may not be traced: the superuser alone sees them."""
        try:
            return len(os.listdir(f"/proc/{self.pid}/fd"))
        except PermissionError:
            return -1

    def quarters(self):
        """The second and the last quarter: the first is that of caches that fill."""
        part = len(self.samples) // 4
        return self.samples[part:2 * part], self.samples[-part:]

    def judge(self, with_memory=True):
        if len(self.samples) < self.FEWEST:
            return [f"{self.name}: only {len(self.samples)} samples: nothing can be said of its memory"]
        early, late = self.quarters()
        problems = []
        before, after = (statistics.median(memory for memory, _ in part) for part in (early, late))
        if with_memory and after > before * 1.1 + self.allowance:
            problems.append(f"{self.name}: memory grew from {before:,.0f} to {after:,.0f} KiB")
        # Connections come and go; a leak lifts the lowest count, and goes on with it.
        before, after = (min(count for _, count in part) for part in (early, late))
        if after > before + 8:
            problems.append(f"{self.name}: descriptors grew from {before} to {after}")
        return problems

    def told(self):
        if len(self.samples) < self.FEWEST:
            return f"{self.name}: {len(self.samples)} samples"
        early, late = self.quarters()
        memory = " to ".join(f"{statistics.median(m for m, _ in part):,.0f}" for part in (early, late))
        return f"{self.name}: {memory} KiB, {min(c for _, c in early)} to {min(c for _, c in late)} descriptors"


def ending(what, status, allowed, killed=False):
    """The problem with how a process ended, or nothing. A signal that nobody sent is a crash."""
    if killed and status == -9:
        return None
    if status in allowed:
        return None
    return f"{what}: " + (f"ended by signal {-status}" if status < 0 else f"status {status}, wanted one of {sorted(allowed)}")


def reports(folder):
    """What a sanitizer wrote: the first lines of each report."""
    lines = []
    for path in sorted(pathlib.Path(folder).glob("report*")):
        text = path.read_text(errors="replace")
        first = re.search(r"^.*(?:ERROR|WARNING): \w+Sanitizer.*$|^.*runtime error.*$", text, re.M)
        lines.append(f"sanitizer: {first[0].strip() if first else text[:200]!r} ({path.name})")
    return lines


# A process that can be told to lose hold of something: one letter on its standard input, one line back.
CHILD = """
import os, sys
kept = []
for line in sys.stdin:
    if line[0] == "d": kept.append(os.open("/dev/null", os.O_RDONLY))
    if line[0] == "m": kept.append(bytearray(b"x") * (1 << 20))
    print("done", flush=True)
"""


def watched(letter):
    """A gauge of a process that does `letter` before each sample."""
    with subprocess.Popen([sys.executable, "-c", CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
        gauge = Gauge("child", child.pid)
        for _ in range(40):
            child.stdin.write(letter + "\n")
            child.stdin.flush()
            child.stdout.readline()
            gauge.sample()
        child.stdin.close()
    return gauge.judge()


def planted_loss():
    """A store that lost one acknowledged write of three; an unacknowledged one is none."""
    ledger = Ledger("keychain")
    for number in range(3):
        ledger.begin(f"item {number}", "value")
        ledger.done(f"item {number}", "value")
    ledger.begin("cut off", "value")
    found = {"item 0": "value", "item 2": "value"}
    return [problem for name in ledger.rows if (problem := ledger.found(name, found.get(name)))]


def planted_older():
    """An older value in the place of the acknowledged one."""
    ledger = Ledger("keychain")
    for value in ("old", "new"):
        ledger.begin("item", value)
        ledger.done("item", value)
    return [problem for problem in [ledger.found("item", "old")] if problem]


def planted_content():
    contents = Contents()
    contents.written |= {b"mine", b"theirs", b"older"}
    contents.replaced.add(b"older")
    return [f"content {one!r}" for one in sorted(contents.lost({b"mine"}, set()))]


def planted_gap():
    trail = Trail()
    trail.wanted["lock.pin.wrong"] = 2
    trail.collect("work", [{"number": number, "event": "lock.pin.wrong", "facts": {}} for number in (1, 2, 4)])
    return trail.judge("work")


def planted_silence():
    """An event that was acknowledged, and that no entry tells of."""
    trail = Trail()
    trail.wanted["lock.pin.wrong"] = 2
    trail.collect("work", [{"number": 1, "event": "lock.pin.wrong", "facts": {}}])
    return trail.judge("work")


def planted_canary(sink):
    sinks = Sinks()
    sinks.hide("planted-canary-27182\n")
    return sinks.found(sink, [b"PRIORITY=3\nMESSAGE=the password is planted-canary-27182\n"])


def self_test(folder):
    """Plants each kind of failure once; returns what went unnoticed, and what was reported although all was well."""
    (folder / "report.1").write_text("==1==ERROR: AddressSanitizer: heap-use-after-free on address 0x1\n")
    crash = subprocess.run([sys.executable, "-c", "import os; os.kill(os.getpid(), 11)"]).returncode
    planted = {
        "a lost item": planted_loss(), "an older value": planted_older(), "a lost content": planted_content(),
        "a gap in the audit trail": planted_gap(), "an event that no entry tells of": planted_silence(),
        **{f"a canary in {sink}": planted_canary(sink) for sink in ("journal", "messages", "audit", "files", "file names")},
        "a leak of descriptors": watched("d"), "memory that grows": watched("m"),
        "a crash": [ending("child", crash, {0})], "a status that nobody wanted": [ending("child", 2, {0, 1})],
        "a report of a sanitizer": reports(folder)}
    wrong = [f"{what}: not noticed" for what, found in planted.items() if not any(found)]
    for what, found, count in [("a lost item", planted["a lost item"], 1), ("a lost content", planted["a lost content"], 1)]:
        if len(found) != count:
            wrong.append(f"{what}: {found}")
    steady = watched("n") + [problem for problem in [ending("child", -9, {0}, killed=True)] if problem]
    return wrong + [f"all was well: {problem}" for problem in steady], len(planted)
