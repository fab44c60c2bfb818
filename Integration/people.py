"""What people and programs do in a whole-system run. Each has a chance of its own, a model of what was acknowledged, and judges at
the end.
"""

import base64
import ctypes
import errno
import hashlib
import itertools
import json
import os
import subprocess
import tempfile
import time

import invariants
from invariants import Contents, Ledger
from lab_load import sign_in

PASSPHRASE = "a passphrase of the whole system 27182"
REMOTE = "/remote.php/dav/files/ada/"
RENAME_NOREPLACE, RENAME_EXCHANGE, AT_FDCWD = 1, 2, -100
LIBC = ctypes.CDLL(None, use_errno=True)
# What a command with a server may end with while things go wrong: 3 refused, 4 sign-in needed, 5 locked (pavise --help).
NETWORK = frozenset([0, 1, 3, 4, 5])


class Administrator:
    """Signs orders with Ed25519, by openssl alone."""

    issuer = "https://management.example.org"

    def __init__(self, folder):
        self.key, self.managed = folder / "orders.key", folder / "managed.json"
        subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", self.key], check=True, capture_output=True)
        words = ["openssl", "pkey", "-in", self.key, "-pubout", "-outform", "der"]
        public = subprocess.run(words, check=True, capture_output=True).stdout
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
            self.world.count("connect", "killed" if status == -9 else status, str(error))
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
        status, output, _ = self.obey(text, "--json", kills=0.2)
        if status != 0:
            return
        receipt = json.loads(output)
        self.receipts[name] = receipt["result"]
        self.trail.wanted["order.taken"] += 1
        if action != "lock" and receipt["result"] == "done":
            state, connections, _ = self.program.call(self.chance, "connections", "--json", allowed={0, 1, 3, 5}, kills=0)
            if state == 0 and json.loads(connections)["connections"]:
                self.world.problem(f"orders: {action} was done, and a connection is left: {connections[:300]}")
        if self.obey(text)[0] == 0:
            self.world.problem(f"orders: {name} was obeyed twice")

    def obey(self, text, *more, kills=0):
        return self.program.call(self.chance, "lock", "obey", "-", *more, text=text + "\n", allowed={0, 1, 3, 5}, kills=kills)

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

    def level(self):
        """What the server was measured to be worth."""
        status, output, _ = self.program.call(self.chance, *self.words("status", "--json"))
        return json.loads(output)["level"] if status == 0 else None

    def contents(self):
        """What a person sees: nothing under a name of ours."""
        return {path.read_bytes() for path in self.here.rglob("*") if path.is_file() and not path.name.startswith(".pavise-")}

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
    # How many copies of conflicts lie about before somebody closes one: few of many are no mass change.
    COPIES = 30

    def __init__(self, world, folders, tree):
        self.world, self.folders, self.tree = world, folders, tree
        self.contents, self.chance = Contents(), world.chance("writers")

    def run(self):
        for number in itertools.count():
            if not self.world.goes_on(self.chance, 0.05, 0.8):
                return
            name = self.chance.choice(self.NAMES)
            size = self.chance.choice([1, 1, 1, 20, 600])
            text = f"{self.chance.randbytes(12).hex()} content {number} ".encode() * size
            folder = self.chance.choice(self.folders)
            if self.chance.random() < 0.3:
                self.colleague(name, text)
            else:
                folder.put(self.contents, name, None if self.chance.random() < 0.1 else text)
            copies = sorted(path.name for path in folder.here.iterdir() if " (conflict " in path.name)
            if len(copies) > self.COPIES and self.chance.random() < 0.4:
                folder.put(self.contents, self.chance.choice(copies), None)

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
        for _ in range(8):
            ends = [folder.synchronise(kills=0) for folder in self.folders]
            told = [json.loads(output) if output else {} for _, output, _ in ends]
            there = {content for path, content in self.tree.contents().items() if not path.startswith("/.pavise-")}
            sides = [folder.contents() for folder in self.folders] + [there]
            if all(one.get("isComplete") for one in told) and sides[0] == sides[1] == sides[2]:
                break
        else:
            rest = [(one.get("failure") or one.get("questions"), folder.level()) for one, folder in zip(told, self.folders)]
            self.world.problem(f"sync: the sides are not equal after eight undisturbed runs: {rest}")
        lost = self.contents.lost(*sides)
        for folder in self.folders:
            lost -= folder.kept(lost)
        for one in sorted(lost):
            self.world.problem(f"sync: a content is on no side and in no store: {one[:60]!r}")
        left = [path for path in self.tree.nodes if path.rsplit("/", 1)[-1].startswith((".pavise-upload-", ".pavise-gone-"))]
        self.world.count("left on the server", len(left))


class Auditor:
    """Collects the trails before their oldest entries make room, and makes backups."""

    def __init__(self, world, trails, homes):
        self.world, self.trails, self.homes, self.chance = world, trails, homes, world.chance("auditor")
        self.backups, self.made = [], 0

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
        """A home that is written all the time has no backup, and neither has one whose lock is closed: both say so."""
        path = self.world.folder / f"backup{number}"
        words = ("backup", str(path), "--passphrase-stdin")
        status, _, _ = program.call(self.chance, *words, text=PASSPHRASE + "\n", allowed={0, 1, 5})
        if status == 0:
            self.backups.append(path)
            self.made += 1
            if len(self.backups) > 8:
                self.backups.pop(0).unlink()

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
        for path in self.backups:
            words = ("restore", "--check", str(path), "--passphrase-stdin")
            self.trails[0][0].call(self.chance, *words, text=PASSPHRASE + "\n", allowed={0})
