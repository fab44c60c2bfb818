"""What surrounds the programs of a whole-system run, and goes wrong: disk, clock, servers, and whoever kills processes."""

import contextlib
import json
import os
import pathlib
import random
import resource
import shutil
import signal
import struct
import subprocess
import threading
import time

import invariants
from invariants import Gauge
from people import Administrator
from program import Program

ROOT = pathlib.Path(__file__).resolve().parent.parent
# What a command on this machine alone may end with while things go wrong: 0 done, 1 failed (pavise --help).
LOCAL = frozenset([0, 1])


class Machine(Program):
    """One home, and what its processes have to hear of the disturbances."""

    def __init__(self, world, name, jumps=True):
        super().__init__(world.binary, world.disk.folder / name)
        self.world, self.name, self.started = world, name, []
        # The servers' clock is right: they are other machines.
        libraries = world.libraries + ([world.clock.library] if jumps else [])
        self.preload = {"LD_PRELOAD": " ".join(map(str, libraries)), "CLOCK_OFFSET": str(world.clock.path)} if libraries else {}
        # What one kind of command took lately: a kill comes within that time.
        self.took = {}
        self.chance = world.chance(f"kills in {name}")

    def environment(self):
        log = "system" if self.world.sinks.socket else "stderr"
        return super().environment() | self.world.variables | self.preload | {"PAVISE_LOG": log}

    def start(self, *words, **options):
        """Starts what somebody waits for elsewhere: a sign-in. It may be killed too."""
        process = super().start(*words, **options)
        self.started.append(process)
        if not self.world.is_calm and self.chance.random() < 0.1:
            threading.Timer(self.chance.uniform(0, 2), process.kill).start()
        return process

    def call(self, chance, *words, text=None, allowed=LOCAL, kills=0.1, seconds=180):
        """Runs a command, which may be killed. Gives status (`None`: killed), output and messages."""
        self.world.sinks.hide(text)
        kind = " ".join(word for word in words[:2] if "/" not in word)
        begun = time.monotonic()
        process = super().start(*words, stdin=subprocess.PIPE, errors="replace")
        if not self.world.is_calm and chance.random() < 0.1:
            self.world.disk.limit(process.pid)
        killer = None
        if chance.random() < kills and not self.world.is_calm:
            killer = threading.Timer(chance.uniform(0, self.took.get(kind, 0.5)), process.kill)
            killer.start()
        try:
            output, said = process.communicate(text or "", timeout=seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            output, said = process.communicate()
            self.world.problem(f"{self.name}: {kind} did not end within {seconds} s")
        was_killed = killer is not None and process.returncode == -signal.SIGKILL
        if killer:
            killer.cancel()
        else:
            self.took[kind] = 0.7 * self.took.get(kind, 0.5) + 0.3 * 1.2 * (time.monotonic() - begun)
        self.world.sinks.said(said)
        self.world.count(kind, "killed" if was_killed else process.returncode, said, output)
        if problem := invariants.ending(f"{self.name}: {kind}", process.returncode, allowed, was_killed):
            self.world.problem(f"{problem}: {said.strip()[-300:]}")
        return None if was_killed else process.returncode, output, said


class Lasting:
    """A process that lives long, and is watched: its output goes to files, because nobody reads meanwhile."""

    def __init__(self, world, name, words, program, allowed=frozenset([0]), allowance=Gauge.ALLOWANCE):
        self.world, self.name, self.allowed = world, name, allowed
        self.output, self.messages = world.folder / f"{name}.output", world.folder / f"{name}.messages"
        with open(self.output, "wb") as output, open(self.messages, "wb") as messages:
            self.process = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=output, stderr=messages, env=program.environment())
        self.gauge = Gauge(name, self.process.pid, allowance)
        world.gauges.append(self.gauge)

    def facts(self):
        """The first line, once it is whole."""
        for _ in range(1200):
            text = self.output.read_text()
            if "\n" in text:
                return json.loads(text.splitlines()[0])
            assert self.process.poll() is None, self.messages.read_text()
            time.sleep(0.05)
        raise AssertionError(f"{self.name} says nothing")

    def has_ended(self):
        return self.process.poll() is not None

    def stop(self, ends_itself=0):
        """Waits for its own end for a while, then asks for it; what it said is searched like the rest."""
        try:
            self.process.wait(ends_itself)
        except subprocess.TimeoutExpired:
            self.process.terminate()
        try:
            status = self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            self.world.problem(f"{self.name} did not end within 60 s of being told to")
            status = 0
        said = self.messages.read_text(errors="replace")
        self.world.sinks.said(said)
        self.world.count(self.name, status, said)
        if problem := invariants.ending(self.name, status, self.allowed):
            self.world.problem(f"{problem}: {said.strip()[-300:]}")
        return self.output.read_text(errors="replace")


class Disk:
    """A small file system, which is filled now and then; where none can be mounted, a folder and RLIMIT_FSIZE."""

    def __init__(self, folder, mebibytes):
        self.folder = folder
        folder.mkdir()
        words = ["mount", "-t", "tmpfs", "-o", f"size={mebibytes}m,mode=0700", "tmpfs", str(folder)]
        self.is_mounted = subprocess.run(words, capture_output=True).returncode == 0
        self.filler = folder / "filler"
        self.last_full = -1e9

    def fill(self, left):
        """Leaves so many bytes."""
        self.last_full = float("inf")
        free = os.statvfs(self.folder)
        with open(self.filler, "wb") as file:
            size = free.f_bavail * free.f_frsize - left
            try:
                os.posix_fallocate(file.fileno(), 0, max(4096, size))
            except OSError:
                pass

    def empty(self):
        self.filler.unlink(missing_ok=True)
        if self.last_full == float("inf"):
            self.last_full = time.monotonic()

    def limit(self, pid):
        """Where no disk is: a process may write no large file from now on."""
        if self.is_mounted:
            return
        self.last_full = time.monotonic()
        with contextlib.suppress(OSError):
            resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, 4096))

    def was_full_since(self, moment):
        return self.last_full >= moment

    def stop(self):
        if self.is_mounted:
            subprocess.run(["umount", "-l", str(self.folder)], capture_output=True)


def shared_library(folder, source):
    """Compiles a file of C for LD_PRELOAD, with the clang of Swift's toolchain where there is one."""
    swift = shutil.which(os.environ.get("SWIFT", "swift"))
    clang = pathlib.Path(swift).resolve().with_name("clang") if swift else None
    compiler = str(clang) if clang and clang.exists() else os.environ.get("CC", "cc")
    library = folder / pathlib.Path(source).with_suffix(".so").name
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-Wall", "-Werror", "-o", str(library), str(ROOT / source)], check=True)
    return library


class Clock:
    """How far the programs' wall clock is from the machine's."""

    def __init__(self, folder):
        self.library, self.path = shared_library(folder, "Integration/jumping_clock.c"), folder / "offset"
        self.path.write_bytes(bytes(8))
        self.jumps, self.offset = 0, 0

    def set(self, seconds):
        self.jumps += seconds != self.offset
        self.offset = seconds
        # In place: it is mapped.
        with open(self.path, "r+b") as file:
            file.write(struct.pack("=q", seconds))


class World:
    """All of it, and what is known about it."""

    def __init__(self, options, folder, sinks):
        self.options, self.folder, self.sinks = options, folder, sinks
        self.binary, self.seconds, self.seed = options.program, options.seconds, options.seed
        self.lock = threading.Lock()
        self.over, self.is_calm = threading.Event(), True
        self.problems, self.counts, self.reasons, self.gauges, self.lasting = [], {}, {}, [], []
        # Homes, folders and what is kept of replaced contents: some KiB for each second.
        self.disk = Disk(folder / "disk", 96 + self.seconds // 8)
        self.clock = Clock(folder)
        # Without it the sanitizer would report what a Mutex guards.
        self.libraries = [shared_library(folder, "Scripts/thread-sanitizer-mutex.c")] if options.sanitize == "thread" else []
        self.administrator = Administrator(folder)
        self.reports = folder / "reports"
        self.reports.mkdir()
        self.variables = {"PAVISE_MANAGED": str(self.administrator.managed)} | self.sanitizer()
        self.settings = folder / "settings"
        self.settings.write_text("")

    def sanitizer(self):
        path = f"log_path={self.reports}/report"
        if self.options.sanitize == "address":
            # A small quarantine: what was freed would be counted as memory of the process.
            return {"ASAN_OPTIONS": f"{path}:detect_leaks=0:quarantine_size_mb=4:thread_local_quarantine_size_kb=64"}
        if self.options.sanitize == "thread":
            return {"TSAN_OPTIONS": path}
        return {}

    def chance(self, name):
        return random.Random(f"{self.seed} {name}")

    def problem(self, text):
        with self.lock:
            self.problems.append(text)
            print(f"{time.monotonic() - self.begun:7.1f} s  {text}", flush=True)

    def count(self, kind, status, said="", output=""):
        with self.lock:
            row = self.counts.setdefault(kind, {})
            row[status] = row.get(status, 0) + 1
            if status not in (0, "killed"):
                reason = " ".join(line for line in said.splitlines() if not line.startswith("Note: "))
                reason = reason or " ".join(output.split())
                reasons = self.reasons.setdefault((kind, status), {})
                reasons[reason] = reasons.get(reason, 0) + 1

    def goes_on(self, chance, least, most):
        """Waits, and says whether there is a next round."""
        return not self.over.wait(chance.uniform(least, most))

    def last(self, name, words, program, **options):
        one = Lasting(self, name, [str(word) for word in words], program, **options)
        self.lasting.append(one)
        return one


class Disturbance:
    """The threads that fill the disk, set the clock and let servers fail; and the end of all that."""

    def __init__(self, world, tree):
        self.world, self.tree = world, tree
        self.full = 0

    def disk(self):
        chance = self.world.chance("disk")
        while self.world.goes_on(chance, 3, 12):
            if not self.world.disk.is_mounted:
                continue
            self.world.disk.fill(chance.choice([0, 0, 4096, 16384, 65536]))
            self.full += 1
            self.world.over.wait(chance.uniform(0.5, 4))
            self.world.disk.empty()

    def clock(self):
        chance = self.world.chance("clock")
        while self.world.goes_on(chance, 2, 10):
            self.world.clock.set(chance.choice([0, 0, 0, 2, 30, 30, -30, 600, -600, 3600, -1800, 6 * 3600, 86400]))

    def servers(self):
        """The authority's settings: a file that it reads again."""
        chance = self.world.chance("servers")
        faults = ["status:503*3", "status:500*1", "lost-answer*1", "late:2*2", "cut:20*2", "hang-up*2", "too-many-requests:1*2",
                  "page:502*2"]
        # At the resource these would be answers like any other.
        unreadable = ["oversized:3000000*1", "invalid-text*1", "nested:500*1"]
        while self.world.goes_on(chance, 2, 8):
            lines = [f"fault-{where}={chance.choice(faults if where == 'api' else faults + unreadable)}"
                     for where in ("token", "api", "metadata", "revoke", "discovery") if chance.random() < 0.4]
            self.write(lines)
            with self.world.lock:
                share = chance.choice([0, 0, 0.1, 0.5])
            self.tree.fault = self.faults(share, chance)
        self.write([])

    def write(self, lines):
        spare = self.world.settings.with_suffix(".new")
        spare.write_text("".join(line + "\n" for line in lines))
        spare.replace(self.world.settings)

    @staticmethod
    def faults(share, chance):
        def fault(method):
            if chance.random() >= share:
                return None
            kind = chance.choice([500, 502, 503, 429, "cut", "lost", "late"])
            if kind == "late":
                time.sleep(chance.uniform(0.1, 2))
                return None
            return kind
        return fault

    def calm(self):
        self.world.is_calm = True
        self.world.disk.empty()
        self.world.clock.set(0)
        self.write([])
        self.tree.fault = lambda method: None
