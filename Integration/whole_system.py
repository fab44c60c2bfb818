#!/usr/bin/env python3
"""make whole-system: everything at once on one machine for a time, while it goes wrong; then nothing acknowledged may be lost.

Usage: whole_system.py PROGRAM [--seconds N] [--seed N] [--sanitize address|thread]
       whole_system.py --self-test     plants each kind of failure, and sees that it is noticed

Three homes on a small disk: one with a keychain, sealed files, a lock and two accounts; two that keep a folder equal over a
server of WebDAV; one that an administrator gives orders to. Meanwhile the disk fills, processes are killed, the wall clock jumps
and servers fail. With --sanitize the programs are built anew in a folder of their own, and any report ends the run with 1.
"""

import argparse
import base64
import contextlib
import ctypes
import errno
import hashlib
import itertools
import json
import os
import pathlib
import random
import resource
import secrets
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time

import invariants
from invariants import Contents, Gauge, Ledger, Trail
from journal import Sinks
from lab_load import sign_in
from program import Program, spki
from servers import Authority, free_port
from sync_server import Dialect

ROOT = pathlib.Path(__file__).resolve().parent.parent
PASSPHRASE = "a passphrase of the whole system 27182"
REMOTE = "/remote.php/dav/files/ada/"
RENAME_NOREPLACE, RENAME_EXCHANGE, AT_FDCWD = 1, 2, -100
LIBC = ctypes.CDLL(None, use_errno=True)

# What each command may end with while things go wrong: 0 done, 1 failed, 3 refused, 4 sign-in needed, 5 locked (pavise --help).
LOCAL, NETWORK = {0, 1}, {0, 1, 3, 4, 5}


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

    def environment(self):
        log = "system" if self.world.sinks.socket else "stderr"
        return super().environment() | self.world.variables | self.preload | {"PAVISE_LOG": log}

    def start(self, *words, **options):
        process = super().start(*words, **options)
        self.started.append(process)
        return process

    def call(self, chance, *words, text=None, allowed=LOCAL, kills=0.1, seconds=180):
        """Runs a command, which may be killed. Gives status (`None`: killed), output and messages."""
        self.world.sinks.hide(text)
        kind = " ".join(word for word in words[:2] if "/" not in word)
        begun = time.monotonic()
        process = super().start(*words, stdin=subprocess.PIPE)
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

    def __init__(self, world, name, words, program, allowed=frozenset([0]), allowance=4096):
        self.world, self.name, self.allowed = world, name, allowed
        self.output, self.messages = world.folder / f"{name}.output", world.folder / f"{name}.messages"
        with open(self.output, "wb") as output, open(self.messages, "wb") as messages:
            self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=messages, env=program.environment())
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


class Administrator:
    """Signs orders with Ed25519, by openssl alone."""

    issuer = "https://management.example.org"

    def __init__(self, folder):
        self.key, self.managed = folder / "orders.key", folder / "managed.json"
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", self.key], check=True, capture_output=True)
        public = subprocess.run(["openssl", "pkey", "-in", self.key, "-pubout", "-outform", "der"], check=True, capture_output=True).stdout
        key = {"kty": "OKP", "crv": "Ed25519", "kid": "orders-1", "alg": "EdDSA", "x": self.text(public[-32:])}
        self.managed.write_text(json.dumps({"appLock": {"orders": {"issuer": self.issuer, "keys": [key]}}}))

    @staticmethod
    def text(content):
        return base64.urlsafe_b64encode(content).decode().rstrip("=")

    def order(self, installation, name, action, now):
        head = {"alg": "EdDSA", "typ": "pavise-order+jwt", "kid": "orders-1"}
        claims = {"iss": self.issuer, "aud": installation, "jti": name, "iat": now, "exp": now + 86400, "action": action}
        signed = ".".join(self.text(json.dumps(part).encode()) for part in (head, claims))
        with tempfile.NamedTemporaryFile() as file:
            file.write(signed.encode())
            file.flush()
            words = ["openssl", "pkeyutl", "-sign", "-rawin", "-inkey", self.key, "-in", file.name]
            return signed + "." + self.text(subprocess.run(words, check=True, capture_output=True).stdout)


class World:
    """All of it, and what is known about it."""

    def __init__(self, options, folder, sinks):
        self.options, self.folder, self.sinks = options, folder, sinks
        self.binary, self.seconds, self.seed = options.program, options.seconds, options.seed
        self.lock = threading.Lock()
        self.over, self.is_calm = threading.Event(), True
        self.problems, self.counts, self.reasons, self.gauges, self.lasting = [], {}, {}, [], []
        # Homes, folders and what is kept of replaced contents: some KiB for each second.
        self.disk = Disk(folder / "disk", 96 + self.seconds // 4)
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


# What people and programs do. Each is a thread with a chance of its own.

class Keeper:
    """Keeps secrets in the keychain, or sealed files, and reads them back."""

    NAMES = 24

    def __init__(self, world, program, kind):
        self.world, self.program, self.kind = world, program, kind
        self.chance, self.ledger = world.chance(f"keeper {kind}"), Ledger(kind)

    def run(self):
        while self.world.goes_on(self.chance, 0, 0.3):
            name = f"{self.kind}-{self.chance.randrange(self.NAMES)}"
            if self.chance.random() < 0.4:
                self.read(name)
            else:
                self.write(name, None if self.chance.random() < 0.2 else self.value())

    def value(self):
        """Random first, so that each is a canary of its own; long ones need many pages."""
        return f"{self.chance.randbytes(12).hex()} of the {self.kind}" + "." * self.chance.choice([0, 0, 0, 3000, 40000])

    def write(self, name, value):
        # After a kill nobody knows whether it is there: it is looked at first.
        if len(self.ledger.rows.get(name, "?")) > 1:
            self.read(name)
        before = self.ledger.rows.get(name, frozenset([None]))
        if len(before) > 1 or (value is None and None in before):
            return
        begun = time.monotonic()
        self.ledger.begin(name, value)
        status, _, said = self.program.call(self.chance, *self.words(name, value, None in before), text=value)
        if status == 0:
            return self.ledger.done(name, value)
        if status is None:
            return
        if "nothing was changed" in said.lower():
            self.ledger.refused(name, before)
        if not self.world.disk.was_full_since(begun):
            self.world.problem(f"{self.kind}: {name} was not written, and the disk was not full: {said.strip()[-300:]}")

    def words(self, name, value, is_new):
        more = () if is_new else ("--replace",)
        if self.kind == "keychain":
            return ("keychain", "delete", "whole", name) if value is None else ("keychain", "add", "whole", name, *more)
        return ("files", "remove", name) if value is None else ("files", "put", "-", "--name", name, "--class", "none", *more)

    def read(self, name, kills=0.1):
        begun = time.monotonic()
        words = ("keychain", "get", "whole", name) if self.kind == "keychain" else ("files", "get", name)
        status, output, said = self.program.call(self.chance, *words, kills=kills)
        if status == 0 or (status == 1 and "There is no" in said):
            if problem := self.ledger.found(name, output if status == 0 else None):
                self.world.problem(problem)
        elif status is not None and not self.world.disk.was_full_since(begun):
            self.world.problem(f"{self.kind}: {name} was not read, and the disk was not full: {said.strip()[-300:]}")

    def judge(self):
        """Everything is read by processes that are not disturbed."""
        for name in sorted(self.ledger.rows):
            self.read(name)


class Guard:
    """Locks, unlocks and mistypes."""

    def __init__(self, world, program, trail):
        self.world, self.program, self.trail, self.chance = world, program, trail, world.chance("guard")

    def call(self, word, text=None, kills=0.05):
        more = ("--pin-stdin",) if text else ()
        return self.program.call(self.chance, "lock", word, *more, text=text and text + "\n", allowed={0, 1, 5}, kills=kills)

    def run(self):
        for number in itertools.count():
            if not self.world.goes_on(self.chance, 0.5, 6):
                return
            if self.chance.random() < 0.5:
                self.call("now")
            if self.chance.random() < 0.5:
                status, _, said = self.call("unlock", f"{self.chance.randbytes(6).hex()} a wrong passphrase {number}")
                if status == 0:
                    self.world.problem("lock: a wrong passphrase opened it")
                if status == 5 and "wrong" in said:
                    self.trail.wanted["lock.pin.wrong"] += 1
            self.call("unlock", PASSPHRASE)
            self.call("status")

    def judge(self):
        status, _, said = self.call("unlock", PASSPHRASE)
        if status != 0:
            self.world.problem(f"lock: the passphrase does not open it at the end: {said.strip()[-300:]}")


class Traveller:
    """Uses accounts; signs in again where a session is over."""

    def __init__(self, world, program, names, facts, weak):
        self.world, self.program, self.names, self.facts, self.weak = world, program, names, facts, weak
        self.chance, self.sign_ins, self.ended = world.chance(f"traveller {names}"), 0, 0

    def run(self):
        for number in itertools.count():
            if not self.world.goes_on(self.chance, 0, 0.6):
                return
            name = self.chance.choice(self.names)
            status, output, said = self.program.call(self.chance, "fetch", name, "/api/me", allowed=NETWORK)
            if status == 0 and "alice" not in output:
                self.world.problem(f"account {name}: an answer that is none: {output[:200]!r}")
            if status == 4:
                self.ended += 1
            if status == 4 or "There is no connection" in said:
                self.sign_in(name)
            if self.weak and self.chance.random() < 0.1:
                self.program.call(self.chance, "connect", self.chance.choice(self.weak), "--name", f"weak{number}", "--no-browser",
                                  allowed={1, 3, 5})

    def sign_in(self, name):
        try:
            sign_in(self.program, self.facts, name)
            self.sign_ins += 1
            self.world.count("connect", 0)
            return True
        except (AssertionError, OSError, TypeError) as error:
            status = self.program.started[-1].returncode
            self.world.count("connect", status, str(error))
            if problem := invariants.ending(f"{self.program.name}: connect", status, NETWORK, killed=True):
                self.world.problem(f"{problem}: {error}")
            return False

    def judge(self):
        for name in self.names:
            status, _, said = self.program.call(self.chance, "fetch", name, "/api/me", allowed={0, 1, 4})
            if status != 0 and not (self.sign_in(name) and self.program.call(self.chance, "fetch", name, "/api/me")[0] == 0):
                self.world.problem(f"account {name}: no use of it when all is well again: {said.strip()[-300:]}")


class Subordinate:
    """Gets orders of an administrator: to lock, to sign out, to wipe."""

    def __init__(self, world, program, facts, trail):
        self.world, self.program, self.facts, self.trail = world, program, facts, trail
        self.chance, self.receipts, self.last = world.chance("orders"), {}, None
        self.traveller = Traveller(world, program, ["ordered"], facts, [])

    def run(self):
        for number in itertools.count():
            if not self.world.goes_on(self.chance, 0.2, 1.5):
                return
            status, output, _ = self.program.call(self.chance, "lock", "orders", "--json", allowed={0, 1, 3, 5})
            if status != 0:
                continue
            self.traveller.sign_in("ordered")
            action = self.chance.choice(["lock", "signOut", "wipe"])
            self.order(json.loads(output)["installation"], f"order-{number}", action)

    def order(self, installation, name, action):
        text = self.world.administrator.order(installation, name, action, int(time.time()) + self.world.clock.offset)
        status, output, said = self.program.call(self.chance, "lock", "obey", "-", "--json", text=text + "\n", allowed={0, 1, 3, 5}, kills=0.2)
        if status != 0:
            return
        receipt = json.loads(output)
        self.receipts[name] = receipt["result"]
        self.trail.wanted["order.taken"] += 1
        if action != "lock" and receipt["result"] == "done":
            state, connections, _ = self.program.call(self.chance, "connections", "--json", allowed={0, 1, 3, 5}, kills=0)
            if state == 0 and json.loads(connections)["connections"]:
                self.world.problem(f"orders: {action} was done, and a connection is left: {connections[:300]}")
        again, _, said = self.program.call(self.chance, "lock", "obey", "-", text=text + "\n", allowed={0, 1, 3, 5}, kills=0)
        if again == 0:
            self.world.problem(f"orders: {name} was obeyed twice")

    def judge(self):
        # What was begun goes on with the next command that asks for the lock.
        self.program.call(self.chance, "lock", "status")
        status, output, said = self.program.call(self.chance, "lock", "orders", "--json")
        if status != 0:
            return self.world.problem(f"orders: they cannot be read at the end: {said.strip()[-300:]}")
        for row in json.loads(output)["receipts"]:
            if row["result"] == "begun":
                self.world.problem(f"orders: {row['order']} is half done at the end")
        # The last 64 are known by name.
        known = {row["order"]: row["result"] for row in json.loads(output)["receipts"]}
        for name in list(self.receipts)[-32:]:
            if known.get(name) != self.receipts[name]:
                self.world.problem(f"orders: the receipt of {name} is {known.get(name)}, and was {self.receipts[name]}")


class Folder:
    """A folder that `pavise sync` keeps equal with the server, and a person who writes into it."""

    def __init__(self, world, program, url, fingerprint, password):
        self.world, self.program = world, program
        self.chance, self.here = world.chance(f"folder {program.name}"), world.disk.folder / f"{program.name}-files"
        self.here.mkdir()
        self.spare = world.disk.folder / f"{program.name}-spare"
        status, _, said = program.call(self.chance, "connect", url, "--name", "dav", "--basic", "ada", "--approve-certificate",
                                       fingerprint, text=password + "\n")
        assert status == 0, said

    def words(self, *more):
        return ("sync", *more[:1], "dav", str(self.here), *more[1:], "--remote", REMOTE)

    def synchronise(self, kills=0.3):
        return self.program.call(self.chance, *self.words("run", "--yes", "--json"), allowed=NETWORK, kills=kills)

    def run(self):
        while self.world.goes_on(self.chance, 0.2, 2):
            self.synchronise()

    def put(self, contents, name, text):
        """Whole or not at all, as an editor saves; what it replaced is known to the byte."""
        try:
            if text is None:
                os.rename(self.here / name, self.spare)
            else:
                self.spare.write_bytes(text)
                with self.world.lock:
                    contents.written.add(text)
                if not self.exchange(self.here / name):
                    return
            replaced = self.spare.read_bytes()
            with self.world.lock:
                contents.replaced.add(replaced)
        except OSError as error:
            # Nothing was put where the disk is full, and nothing is there to be deleted.
            if error.errno not in (errno.ENOSPC, errno.ENOENT):
                raise
            with self.world.lock:
                contents.replaced.add(text)

    def exchange(self, target):
        """Gives whether something was there."""
        for flags in itertools.cycle([RENAME_EXCHANGE, RENAME_NOREPLACE]):
            if LIBC.renameat2(AT_FDCWD, os.fsencode(self.spare), AT_FDCWD, os.fsencode(target), flags) == 0:
                return flags == RENAME_EXCHANGE
            if ctypes.get_errno() not in (errno.ENOENT, errno.EEXIST):
                raise OSError(ctypes.get_errno(), "renameat2", str(target))
        return False

    def contents(self):
        return {path.read_bytes() for path in self.here.rglob("*") if path.is_file() and path.name != ".pavise-sync"}

    def kept(self, wanted):
        """Those of these contents that the store gives back."""
        status, output, said = self.program.call(self.chance, *self.words("recover", "--json"))
        if status != 0:
            self.world.problem(f"{self.program.name}: nothing can be recovered: {said.strip()[-300:]}")
            return set()
        known = {row["digest"] for row in json.loads(output)}
        found = set()
        for text in wanted:
            digest = hashlib.sha256(text).hexdigest()
            if digest in known and self.program.call(self.chance, *self.words("recover", digest))[1].encode() == text:
                found.add(text)
        return found


class Writers:
    """A person at each folder, and a colleague who writes on the server."""

    NAMES = ["a", "b", "c", "d", "folder e", "ä"]

    def __init__(self, world, folders, tree):
        self.world, self.folders, self.tree = world, folders, tree
        self.contents, self.chance = Contents(), world.chance("writers")

    def run(self):
        for number in itertools.count():
            if not self.world.goes_on(self.chance, 0.05, 0.8):
                return
            name = self.chance.choice(self.NAMES)
            size = self.chance.choice([1, 1, 1, 50, 3000])
            text = f"{self.chance.randbytes(12).hex()} content {number} ".encode() * size
            if self.chance.random() < 0.3:
                self.colleague(name, text)
            else:
                self.chance.choice(self.folders).put(self.contents, name, None if self.chance.random() < 0.1 else text)

    def colleague(self, name, text):
        with self.tree.lock, self.world.lock:
            node = self.tree.nodes.get("/" + name)
            if node and node["content"] is None:
                return
            if node:
                self.contents.replaced.add(node["content"])
            self.contents.written.add(text)
            self.tree.add("/" + name, text)

    def judge(self):
        for round in range(8):
            ends = [folder.synchronise(kills=0) for folder in self.folders]
            told = [json.loads(output) if output else {} for _, output, _ in ends]
            sides = [folder.contents() for folder in self.folders] + [set(self.tree.contents().values())]
            if all(one.get("isComplete") for one in told) and sides[0] == sides[1] == sides[2]:
                break
        else:
            self.world.problem(f"sync: the sides are not equal after eight undisturbed runs: {[said[-200:] for _, _, said in ends]}")
        lost = self.contents.lost(*sides)
        for folder in self.folders:
            lost -= folder.kept(lost)
        for one in sorted(lost):
            self.world.problem(f"sync: a content is on no side and in no store: {one[:60]!r}")
        left = [path for path in self.tree.nodes if posix_name(path).startswith((".pavise-upload-", ".pavise-gone-"))]
        self.world.count("left on the server", len(left))


def posix_name(path):
    return path.rsplit("/", 1)[-1]


class Auditor:
    """Collects the trails before their oldest entries make room, and makes backups."""

    def __init__(self, world, trails, homes):
        self.world, self.trails, self.homes, self.chance = world, trails, homes, world.chance("auditor")
        self.backups = []

    def run(self):
        for number in itertools.count():
            if not self.world.goes_on(self.chance, 2, 8):
                return
            for program, trail in self.trails:
                self.collect(program, trail)
            if number % 2:
                self.back_up(self.chance.choice(self.homes), number)

    def collect(self, program, trail, allowed=frozenset([0, 1, 3])):
        status, output, said = program.call(self.chance, "log", "audit", "--json", allowed=allowed)
        if status in (0, 3) and output:
            trail.collect(program.name, json.loads(output)["entries"])
        return status, said

    def back_up(self, program, number):
        """A home that is written all the time has no backup, and says so."""
        path = self.world.folder / f"backup{number}"
        status, _, _ = program.call(self.chance, "backup", str(path), "--passphrase-stdin", text=PASSPHRASE + "\n")
        if status == 0:
            self.backups.append(path)

    def judge(self):
        for program in self.homes:
            status, output, _ = program.call(self.chance, "doctor", "--problems")
            if status != 0:
                self.world.problem(f"doctor of {program.name}: {output.strip()[-300:]}")
        for program, trail in self.trails:
            # An entry that is written now tells of those that could not be.
            program.call(self.chance, "lock", "obey", "-", text="no order\n", allowed={3})
            status, said = self.collect(program, trail)
            if status != 0:
                self.world.problem(f"audit of {program.name}: the trail is not whole: {said.strip()[-300:]}")
            for problem in trail.judge(program.name):
                self.world.problem(problem)
        for program in self.homes:
            self.back_up(program, f"-{program.name}")
        for path in self.backups[-8:]:
            self.trails[0][0].call(self.chance, "restore", "--check", str(path), "--passphrase-stdin", text=PASSPHRASE + "\n", allowed={0})


# What goes wrong.

class Disturbance:
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
                  "page:502*2", "oversized:3000000*1", "invalid-text*1"]
        while self.world.goes_on(chance, 2, 8):
            lines = [f"fault-{where}={chance.choice(faults)}" for where in ("token", "api", "metadata", "revoke", "discovery")
                     if chance.random() < 0.4]
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


def play(world):
    lab = Machine(world, "lab", jumps=False)
    authority = world.last(
        "authority", [world.binary + "-lab", "authority", "--access-lifetime", "15", "--rotation", "grace", "--grace", "60",
                      "--settings", world.settings, "--anchors", world.folder / "anchors.pem", "--json"], lab,
        # It keeps every token that it ever gave: some KiB for each.
        allowance=4096 + 16 * world.seconds)
    weak = world.last("weak servers", [world.binary + "-lab", "servers", "--anchors", world.folder / "weak.pem", "--json"], lab)
    facts = authority.facts()
    for user in facts["users"]:
        world.sinks.hide(user["password"] + "\n")
    chain, key = Authority(world.folder).issue("dav")
    password = secrets.token_hex(12)
    dav = Dialect(free_port(), chain, key, password)
    url, fingerprint = f"https://localhost:{dav.server_address[1]}/", spki(world.folder / "dav.leaf")

    work, ordered, first, second = (Machine(world, name) for name in ("work", "ordered", "first", "second"))
    status, _, said = work.call(world.chance("start"), "lock", "set", "--passphrase", "--pin-stdin", text=PASSPHRASE + "\n")
    assert status == 0, said
    trails = [(work, Trail()), (ordered, Trail())]
    traveller = Traveller(world, work, ["home", "office"], facts, [row["address"] for row in weak.facts()["servers"]])
    for name in traveller.names:
        assert traveller.sign_in(name), "no sign-in before anything goes wrong"
    # One session in one process for the whole run, and the same session from others.
    longest = min(world.seconds, 3600)
    sign_in(first, facts, "long")
    folders = [Folder(world, program, url, fingerprint, password) for program in (first, second)]
    callers = world.last("callers", [world.binary + "-lab", "callers", "long", "/api/me", "--callers", longest, "--over", longest, "--json"],
                         first, allowed={0, 1})
    watch = world.last("sync --watch", [world.binary, *folders[0].words("run", "--watch", "--json")], first, allowed={0, 1})

    keepers = [Keeper(world, work, kind) for kind in ("keychain", "files")]
    guard, subordinate = Guard(world, work, trails[0][1]), Subordinate(world, ordered, facts, trails[1][1])
    writers, auditor = Writers(world, folders, dav.tree), Auditor(world, trails, [work, ordered, first, second])
    guest = Traveller(world, first, ["long"], facts, [])
    disturbance = Disturbance(world, dav.tree)
    people = [*keepers, guard, traveller, guest, subordinate, folders[1], writers, auditor]
    threads = [threading.Thread(target=guarded, args=(world, one)) for one in [
        *(person.run for person in people), disturbance.disk, disturbance.clock, disturbance.servers]]
    world.is_calm = False
    for thread in threads:
        thread.start()
    end = time.monotonic() + world.seconds
    while (left := end - time.monotonic()) > 0:
        for gauge in world.gauges:
            gauge.sample()
        for one in world.lasting:
            if one.has_ended() and one is not callers:
                world.problem(f"{one.name} ended before its time: {one.messages.read_text()[-300:]}")
                end = 0
        world.over.wait(min(left, max(0.5, world.seconds / 1200)))
    world.over.set()
    for thread in threads:
        thread.join()
    disturbance.calm()
    # The authority reads its settings each second.
    time.sleep(2.5)
    watch.stop()
    guard.judge()
    for one in (*keepers, traveller, guest, subordinate, writers, auditor):
        one.judge()
    output = callers.stop(ends_itself=30)
    weak.stop()
    seen = json.loads(authority.stop().splitlines()[-1])
    dav.stop()
    for gauge in world.gauges:
        for problem in gauge.judge(with_memory=world.options.sanitize != "thread"):
            world.problem(problem)
    for keeper in keepers:
        world.sinks.canaries |= {value[:24] for values in keeper.ledger.rows.values() for value in values if value}
    world.sinks.canaries |= {text[:24].decode() for text in writers.contents.written}
    acknowledged = ", ".join(f"{keeper.ledger.acknowledged} of the {keeper.kind}" for keeper in keepers)
    print(f"acknowledged: {acknowledged}; {len(writers.contents.written)} contents written to three sides, "
          f"{len(writers.contents.replaced)} of them replaced; {len(subordinate.receipts)} orders; "
          f"{sum(len(trail.entries) for _, trail in trails)} entries of audit; {len(auditor.backups)} backups")
    print(f"went wrong: the disk was full {disturbance.full} times, the clock jumped {world.clock.jumps} times, "
          f"{sum(row.get('killed', 0) for row in world.counts.values())} processes were killed; "
          f"{traveller.ended + guest.ended} sessions ended; {seen['refreshes']} refreshes, {seen['reuseDetections']} reused tokens")
    print(f"callers: {output.strip() or 'no answer'}")
    for gauge in world.gauges:
        print(gauge.told())
    for kind, row in sorted(world.counts.items()):
        print(f"  {kind}: " + ", ".join(f"{count} with {status}" for status, count in sorted(row.items(), key=str)))
        if world.options.reasons:
            for (_, status), reasons in ((key, value) for key, value in world.reasons.items() if key[0] == kind):
                for reason, count in sorted(reasons.items(), key=lambda one: -one[1])[:6]:
                    print(f"      {status}, {count} times: {reason[-300:]}")


def guarded(world, run):
    """What goes wrong in here is no silence."""
    try:
        run()
    except Exception as error:
        world.problem(f"the run itself: {type(error).__name__}: {error}")
        world.over.set()
        raise


def search(world):
    """Nothing secret in a log, a message, an audit trail, a file of a home or its name."""
    sinks = world.sinks
    sinks.canaries |= {f"canary-{kind}-" for kind in ("code", "access", "refresh")}
    problems, told = sinks.search(Machine(world, "search"), world.disk.folder)
    homes = [path for name in ("work", "ordered", "first", "second", "lab") for path in (world.disk.folder / name).rglob("*")]
    names = "\n".join(str(path.relative_to(world.disk.folder)) for path in homes).encode()
    files = [path.read_bytes() for path in homes if path.is_file()]
    problems += sinks.found("file names", [names])
    # What is sealed is noise, in which something like a token is found by chance.
    problems += [problem for problem in sinks.found("files", files) if "something like a token" not in problem]
    print(f"searched: {told}, files {len(files)} with {sum(map(len, files)):,} bytes")
    for problem in problems[:20]:
        world.problem(f"FOUND {problem}")


def build(kind):
    """The programs under a sanitizer, in a folder of their own."""
    folder = ROOT / f".build-whole-{kind}"
    flags = subprocess.run([ROOT / "Scripts/whole-modules", "--symbols"], check=True, capture_output=True, text=True).stdout.split()
    words = ["nice", os.environ.get("SWIFT", "swift"), "build", f"--sanitize={kind}", "--scratch-path", str(folder), *flags]
    for product in ("pavise", "pavise-lab"):
        subprocess.run([*words, "--product", product], cwd=ROOT, check=True)
    return folder / "debug/pavise"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", nargs="?")
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--seed", type=int, default=None)
    parser.add_argument("--sanitize", choices=["address", "thread"])
    parser.add_argument("--reasons", action="store_true", help="print why commands ended otherwise than with 0")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    options.program = str(pathlib.Path(build(options.sanitize) if options.sanitize else options.program).resolve())
    options.seed = secrets.randbelow(1 << 32) if options.seed is None else options.seed
    # Whoever ends the run ends its servers, and the disk is unmounted.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sinks = Sinks.start()
    if sinks is None:
        # No mount is permitted: what is logged is said on standard error, and no disk is full.
        sinks = Sinks.current = Sinks()
        sinks.made = False
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pavise-whole-"))
    print(f"whole system: seed {options.seed}, {options.seconds} s" + (f", {options.sanitize} sanitizer" if options.sanitize else ""), flush=True)
    world = World(options, folder, sinks)
    world.begun = time.monotonic()
    try:
        play(world)
        search(world)
        for problem in invariants.reports(world.reports):
            world.problem(problem)
        print(f"whole system: seed {options.seed}, {len(world.problems)} problems" + ("" if world.disk.is_mounted else "; no disk could be mounted"))
        return 1 if world.problems else 0
    finally:
        for one in world.lasting:
            if not one.has_ended():
                one.process.kill()
                one.process.wait()
        world.disk.stop()
        sinks.stop()
        shutil.rmtree(folder, ignore_errors=True)


def self_test():
    with tempfile.TemporaryDirectory(prefix="pavise-whole-") as folder:
        wrong, count = invariants.self_test(pathlib.Path(folder))
    for problem in wrong:
        print("WRONG", problem)
    print(f"whole system, self-test: {count} failures planted, {len(wrong)} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
