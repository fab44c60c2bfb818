"""The rows of data at rest: protected files and the protected database, beside what others use for the same.

Figures are processor time of whole processes, user and system, for files that lie in memory: what the disk does is the same
for everybody. Rounds alternate; a ratio is the median over the rounds of one run.
"""

import json
import os
import pathlib
import random
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time

from table import HERE, PROGRAMS, Row, measure, missing

MIB = 1 << 20
CHUNK = 65_536 + 16
PEERS = HERE.parent / ".build" / "bench" / "bin" / "python"


def storage_rows(rounds, size=512):
    memory = "/dev/shm" if os.path.isdir("/dev/shm") and shutil.disk_usage("/dev/shm").free > 6 * size * MIB else None
    with tempfile.TemporaryDirectory(prefix="pavise-bench-", dir=memory) as folder:
        files = Files(folder, size)
        rows = files.throughput_rows(rounds) + files.overhead_rows() + files.random_rows()
    with tempfile.TemporaryDirectory(prefix="pavise-bench-", dir=memory) as folder:
        rows += attack_rows(folder)
    return rows + durable_rows() + removal_rows(memory) + lock_rows(memory) + check_rows(memory)


# --- files ------------------------------------------------------------------------------------------------------------

class Used:
    """What a finished process has used."""

    def __init__(self, command, environment=None):
        process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   stdin=subprocess.DEVNULL, env={**os.environ, **(environment or {})})
        self.output = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.status = process.returncode
        self.seconds = usage.ru_utime + usage.ru_stime
        self.peak = usage.ru_maxrss

    def expect(self, what):
        if self.status != 0:
            raise RuntimeError(f"{what} ended with {self.status}: {self.output.decode(errors='replace')[-800:]}")
        return self


class Files:
    def __init__(self, folder, size):
        self.folder, self.size = pathlib.Path(folder), size
        self.source, self.target = self.folder / "source", self.folder / "target"
        self.home = {"PAVISE_HOME": str(self.folder / "home"), "PAVISE_TPM": "none"}
        piece = os.urandom(MIB)
        with open(self.source, "wb") as file:
            for _ in range(size):
                file.write(piece)
        self.id = None

    def sealed(self):
        return next((self.folder / "home" / "containers").glob("bench*/files/" + self.id))

    def ours(self):
        if self.id:
            self.sealed().unlink()
        put = Used([PROGRAMS / "measure", "storage-put", self.source], self.home).expect("storage-put")
        self.id = json.loads(put.output)["id"]
        get = Used([PROGRAMS / "measure", "storage-get", self.id, self.target], self.home).expect("storage-get")
        if not same(self.source, self.target):
            raise RuntimeError("the file that was opened is another one")
        self.target.unlink()
        return put, get

    def copy(self):
        used = Used(["cp", self.source, self.target]).expect("cp")
        self.target.unlink()
        return used, used

    def age(self):
        key, sealed = self.folder / "age.key", self.folder / "age.sealed"
        if not key.exists():
            subprocess.run(["age-keygen", "-o", str(key)], check=True, capture_output=True)
        name = subprocess.run(["age-keygen", "-y", str(key)], check=True, capture_output=True, text=True).stdout.strip()
        put = Used(["age", "-r", name, "-o", sealed, self.source]).expect("age")
        get = Used(["age", "-d", "-i", key, "-o", self.target, sealed]).expect("age -d")
        sealed.unlink()
        self.target.unlink()
        return put, get

    def openssl(self):
        sealed, words = self.folder / "openssl.sealed", ["openssl", "enc", "-aes-256-ctr", "-K", "00" * 32, "-iv", "00" * 16]
        put = Used(words + ["-in", self.source, "-out", sealed]).expect("openssl enc")
        get = Used(words + ["-d", "-in", sealed, "-out", self.target]).expect("openssl enc -d")
        sealed.unlink()
        self.target.unlink()
        return put, get

    def gocryptfs(self):
        with Mounted(self.folder / "gocryptfs") as mounted:
            inside = mounted.plain / "file"
            before = mounted.seconds()
            put = Used(["cp", self.source, inside]).expect("cp into gocryptfs")
            between = mounted.seconds()
            mounted.again()
            start = mounted.seconds()
            get = Used(["cp", inside, self.target]).expect("cp out of gocryptfs")
            # The daemon's part is in no child of ours.
            put.seconds += between - before
            get.seconds += mounted.seconds() - start
            self.target.unlink()
            inside.unlink()
        return put, get

    def throughput_rows(self, rounds):
        tools = {"cp": self.copy, "age": self.age, "openssl enc CTR, no tag": self.openssl, "gocryptfs": self.gocryptfs}
        absent = {name: tool for name, tool in (("age", "age"), ("gocryptfs", "gocryptfs")) if not shutil.which(tool)}
        taken = {name: ([], []) for name in [*tools, "ours"]}
        for round_ in range(max(3, rounds // 3)):
            order = ["ours", *tools] if round_ % 2 == 0 else [*reversed(tools), "ours"]
            for name in order:
                if name in absent:
                    continue
                try:
                    put, get = self.ours() if name == "ours" else tools[name]()
                except (RuntimeError, OSError, subprocess.SubprocessError) as problem:
                    absent[name] = str(problem)
                    continue
                taken[name][0].append(put.seconds)
                taken[name][1].append(get.seconds)
        if "ours" in absent:
            raise RuntimeError(absent["ours"])
        rows = []
        for side, what in ((0, "sealed"), (1, "opened")):
            speed = {name: self.size * MIB / 1e6 / statistics.median(values[side])
                     for name, values in taken.items() if values[side]}
            rows.append(Row(f"protected file {what}, MB a second of processor time", speed["ours"], None, "MB/s", None,
                            speed["ours"], 1200, "atLeast"))
            for name in tools:
                title, bar = f"protected file {what}, {name}", 1.8 if name == "cp" else 1.0
                if name in absent:
                    rows.append(missing(title, "MB/s", bar, "atMost", f"not measured: {absent[name]}"))
                    continue
                ratio = statistics.median(one / other for one, other in zip(taken["ours"][side], taken[name][side]))
                # openssl gives no tag, so that it notices no change: a figure, and no bar of the project.
                rows.append(Row(title, speed["ours"], speed[name], "MB/s", ratio, ratio,
                                10 if name.startswith("openssl") else bar, "atMost"))
        return rows

    def overhead_rows(self):
        more = os.path.getsize(self.sealed()) - os.path.getsize(self.source)
        share = 100 * more / os.path.getsize(self.source)
        return [Row(f"protected file of {self.size} MiB, overhead", share, None, "%", None, share, 0.03, "atMost",
                    f"{more:,} bytes")]

    def random_rows(self):
        run = measure("measure", "storage-random", self.id, 20_000, environment=self.home)
        rows = [Row(f"4 KiB anywhere of {self.size} MiB, processor time", run["microseconds"], None, "µs", None,
                    run["microseconds"], 40, "atMost"),
                Row("4 KiB anywhere, memory that the reads keep", run["grownKilobytes"], None, "KiB", None,
                    run["grownKilobytes"], 2 * 64, "atMost")]
        return rows


def same(one, other):
    return subprocess.run(["cmp", "-s", str(one), str(other)]).returncode == 0


class Mounted:
    """A folder of gocryptfs, and the processor time of its daemon."""

    def __init__(self, folder):
        self.cipher, self.plain = pathlib.Path(str(folder) + ".cipher"), pathlib.Path(str(folder) + ".plain")

    def __enter__(self):
        for place in (self.cipher, self.plain):
            place.mkdir(exist_ok=True)
        if not (self.cipher / "gocryptfs.conf").exists():
            subprocess.run(["gocryptfs", "-q", "-init", "-scryptn", "10", "-extpass", "echo bench", str(self.cipher)],
                           check=True, capture_output=True, timeout=60)
        self.mount()
        return self

    def mount(self):
        self.process = subprocess.Popen(
            ["gocryptfs", "-q", "-fg", "-extpass", "echo bench", str(self.cipher), str(self.plain)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(200):
            if os.path.ismount(self.plain):
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        raise RuntimeError("gocryptfs does not mount here")

    def again(self):
        """Mounts anew, so that nothing that was written is still in the kernel's cache."""
        self.unmount()
        self.mount()

    def unmount(self):
        subprocess.run(["fusermount3", "-u", str(self.plain)], capture_output=True, timeout=60)
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(timeout=20)

    def seconds(self):
        words = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def __exit__(self, *_):
        self.unmount()


# --- attacks ----------------------------------------------------------------------------------------------------------

def changes(chunk, head):
    """What somebody with the disk may do to a file of three chunks, of which an older writing is known."""
    place = slice(head + chunk, head + 2 * chunk)

    def put(bytes_, where, new):
        changed = bytearray(bytes_)
        changed[where] = new
        return bytes(changed)
    return {
        "cut at the end of a chunk": lambda new, old: new[:head + 2 * chunk],
        "a chunk of zeros": lambda new, old: put(new, place, bytes(chunk)),
        "longer by zeros": lambda new, old: new + bytes(chunk),
        "a chunk of an older writing": lambda new, old: put(new, place, old[place]),
        "emptied": lambda new, old: b"",
        "one bit": lambda new, old: put(new, slice(head + chunk + 9, head + chunk + 10), bytes([new[head + chunk + 9] ^ 1])),
    }


def attack_rows(folder):
    """How many of six changes each notices, without a byte that nobody wrote and without a rest of an output file."""
    folder = pathlib.Path(folder)
    first, second = (bytes(random.Random(seed).randbytes(3 * 65_536 - 100)) for seed in (1, 2))
    ours = ours_noticed(folder, first, second)
    rows = []
    for name, peer in (("age", age_noticed), ("gocryptfs", gocryptfs_noticed)):
        title = f"changes of a file refused, of 6, {name}"
        if not shutil.which(name):
            rows.append(missing(title, "", 6, "atLeast", "not installed"))
            continue
        try:
            theirs, note = peer(folder, first, second)
        except (RuntimeError, OSError, subprocess.SubprocessError) as problem:
            rows.append(missing(title, "", 6, "atLeast", f"not measured: {problem}"))
            continue
        rows.append(Row(title, ours, theirs, "", None, ours, 6, "atLeast", note))
    return rows


def ours_noticed(folder, first, second):
    home = {"PAVISE_HOME": str(folder / "home"), "PAVISE_TPM": "none"}
    writings, source, target = [], folder / "source", folder / "target"
    for content in (first, second):
        source.write_bytes(content)
        put = Used([PROGRAMS / "measure", "storage-put", source], home).expect("storage-put")
        id_ = json.loads(put.output)["id"]
        place = next((folder / "home" / "containers").glob("bench*/files/" + id_))
        writings.append(place.read_bytes())
    old, new = writings
    noticed = 0
    # Who refuses everything has noticed nothing.
    Used([PROGRAMS / "measure", "storage-get", id_, target], home).expect("storage-get of a file that nobody changed")
    opens(target, second)
    for change in changes(CHUNK, len(new) - len(second) - 3 * 16).values():
        place.write_bytes(change(new, old))
        run = Used([PROGRAMS / "measure", "storage-get", id_, target], home)
        noticed += run.status != 0 and not target.exists()
        target.unlink(missing_ok=True)
    return noticed


def opens(target, content):
    """What was opened is what was sealed; it is taken away again."""
    if target.read_bytes() != content:
        raise RuntimeError("a file that nobody changed opens as another one")
    target.unlink()


def age_noticed(folder, first, second):
    key = folder / "age.key"
    subprocess.run(["age-keygen", "-o", str(key)], check=True, capture_output=True)
    name = subprocess.run(["age-keygen", "-y", str(key)], check=True, capture_output=True, text=True).stdout.strip()
    writings, source, sealed, target = [], folder / "source", folder / "age.sealed", folder / "target"
    for content in (first, second):
        source.write_bytes(content)
        Used(["age", "-r", name, "-o", sealed, source]).expect("age")
        writings.append(sealed.read_bytes())
    old, new = writings
    noticed = rests = 0
    Used(["age", "-d", "-i", key, "-o", target, sealed]).expect("age -d of a file that nobody changed")
    opens(target, second)
    for change in changes(CHUNK, len(new) - len(second) - 3 * 16).values():
        sealed.write_bytes(change(new, old))
        run = Used(["age", "-d", "-i", key, "-o", target, sealed])
        left = target.exists() and target.stat().st_size > 0
        rests += left
        noticed += run.status != 0
        target.unlink(missing_ok=True)
    return noticed, f"age leaves a part of the output in {rests}"


def gocryptfs_noticed(folder, first, second):
    block = 4096 + 32
    with Mounted(folder / "attacked") as mounted:
        inside, writings = mounted.plain / "file", []
        for content in (first, second):
            # In place: another file would have another identifier.
            with open(inside, "r+b" if inside.exists() else "wb") as file:
                file.write(content)
            mounted.again()
            place = next(path for path in mounted.cipher.iterdir() if not path.name.startswith("gocryptfs."))
            writings.append(place.read_bytes())
        old, new = writings
        noticed = 0
        if inside.read_bytes() != second:
            raise RuntimeError("a file that nobody changed opens as another one")
        for change in changes(block, 18).values():
            place.write_bytes(change(new, old))
            mounted.again()
            try:
                inside.read_bytes()
            except OSError:
                noticed += 1
    return noticed, ""


# --- durability, removal, lock, check ---------------------------------------------------------------------------------

def durable_rows():
    with tempfile.TemporaryDirectory(prefix="pavise-bench-") as folder:
        home = {"PAVISE_HOME": folder + "/home", "PAVISE_TPM": "none"}
        run = measure("measure", "storage-durable", 200, folder, environment=home)
    return [Row("durable protected file of 4 KiB, the plain steps", run["ours"], run["peer"], "µs", run["ratio"],
                run["ratio"], 1.2, "atMost")]


def removal_rows(memory, count=10_000):
    with tempfile.TemporaryDirectory(prefix="pavise-bench-", dir=memory) as folder:
        run = measure("measure", "storage-removal", count, environment={"PAVISE_HOME": folder, "PAVISE_TPM": "none"})
    return [Row(f"removal of {count:,} files, until nothing can be read", run["unreadable"], None, "ms", None,
                run["unreadable"], 50, "atMost"),
            Row(f"removal of {count:,} files, until nothing is left", run["gone"], None, "ms", None, run["gone"], 2000,
                "atMost")]


def lock_rows(memory):
    with tempfile.TemporaryDirectory(prefix="pavise-bench-", dir=memory) as folder:
        run = measure("measure", "storage-lock", 20, environment={"PAVISE_HOME": folder, "PAVISE_TPM": "none"})
    return [Row("lock to refusal, 50 files and 2 databases at work", run["median"], None, "ms", None, run["median"], 10,
                "atMost", f"worst of 20: {run['milliseconds']:.1f} ms")]


PLANTED = {
    "token.json": '{"access_token": "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlLXNpZ25hdHVyZQ"}',
    "key.pem": "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ\n-----END PRIVATE KEY-----\n",
    "config.ini": "password = hunter2\n",
    "random.txt": "value aB3dE5gH7jK9mN1pQ3sT5vX7zA9c end\n",
    "mail.log": "sent to ada.lovelace@example.org.\n",
}


def check_rows(memory, count=1_000):
    with tempfile.TemporaryDirectory(prefix="pavise-bench-", dir=memory) as folder:
        words = random.Random(1)
        for number in range(count):
            place = pathlib.Path(folder, f"{number % 20}", f"{number}.txt")
            place.parent.mkdir(mode=0o700, exist_ok=True)
            place.write_text(" ".join(words.choice(["sleep", "night", "calm", "awake", "dream"]) for _ in range(300)))
            place.chmod(0o600)
        clean = measure("measure", "storage-check", folder)
        for name, text in PLANTED.items():
            place = pathlib.Path(folder, "7", name)
            place.write_text(text)
            place.chmod(0o600)
        planted = measure("measure", "storage-check", folder)
    found = planted["findings"] if clean["findings"] == 0 else -clean["findings"]
    return [Row(f"storage check of {count:,} files", clean["milliseconds"], None, "ms", None, clean["milliseconds"], 200,
                "atMost"),
            Row(f"planted secrets found, of {len(PLANTED)}, and none in the clean folder", found, None, "", None, found,
                len(PLANTED), "atLeast")]


# --- database ---------------------------------------------------------------------------------------------------------

def database_rows(rounds):
    # On the disk: a durable insert is its sync.
    memory = None
    with tempfile.TemporaryDirectory(prefix="pavise-bench-", dir=memory) as folder:
        home = {"PAVISE_HOME": folder + "/home", "PAVISE_TPM": "none"}
        ours = measure("measure", "database-table", rounds, folder, environment=home)
    names = {"insert": ("insert of 100,000 rows", 1.2), "scan": ("cold scan", 1.3), "update": ("update of all rows", 1.6),
             "durable": ("durable insert", 1.2)}
    rows = [Row(f"protected database, {title}, SQLite in C", ours[name], ours[name + "Peer"], "µs", ours[name + "Ratio"],
                ours[name + "Ratio"], bar, "atMost") for name, (title, bar) in names.items()]
    rows.append(Row("protected database, open", ours["open"] / 1000, ours["openPeer"] / 1000, "ms", None,
                    ours["open"] / 1000, 0.6, "atMost"))
    rows.append(Row("protected database, verify", ours["verify"], None, "GB/s", None, ours["verify"], 1, "atLeast"))
    return rows + peer_rows(ours, names, rounds, memory) + cut_rows(memory) + older_rows(memory)


def peer(kind, what, memory):
    with tempfile.TemporaryDirectory(prefix="pavise-bench-", dir=memory) as folder:
        run = subprocess.run([str(PEERS), str(HERE / "sqlite_peer.py"), kind, what, folder], capture_output=True, text=True,
                             timeout=300)
        if run.returncode != 0:
            raise RuntimeError(run.stderr.strip().splitlines()[-1] if run.stderr.strip() else f"{kind} ended")
        return json.loads(run.stdout)


def peer_rows(ours, names, rounds, memory):
    """How much slower than plain SQLite each is; ours beside SQLCipher and SQLite3 Multiple Ciphers."""
    rows = []
    for kind, title in (("sqlcipher", "SQLCipher 4"), ("mc", "SQLite3MC")):
        try:
            runs = [(peer("sqlite", "table", memory), peer(kind, "table", memory)) for _ in range(max(3, rounds // 3))]
        except (OSError, RuntimeError) as problem:
            rows.append(missing(f"protected database, {title}", "×", 1, "atMost", f"not measured: {problem}"))
            continue
        for name, (what, _) in names.items():
            theirs = statistics.median(one[name] / plain[name] for plain, one in runs)
            ratio = ours[name + "Ratio"] / theirs
            rows.append(Row(f"{what}, times plain SQLite, {title}", ours[name + "Ratio"], theirs, "×", ratio, ratio, 1.0,
                            "atMost"))
    return rows


def cut_rows(memory):
    """Acknowledged commits that are missing without an error when half of the log is cut off."""
    # A database that never opens loses nothing without an error either.
    if (missed := ours_lost(memory)) != 0:
        raise RuntimeError(f"{missed} commits are missing where nothing was cut off")
    lost = ours_lost(memory, lambda log: os.truncate(log, log.stat().st_size // 2))
    gone = ours_lost(memory, lambda log: log.unlink())
    rows = [Row("commits of 50 lost without an error, the log gone", gone, None, "", None, gone, 0, "atMost")]
    for kind, title in (("sqlcipher", "SQLCipher 4"), ("mc", "SQLite3MC")):
        name = f"commits of 50 lost without an error in a cut log, {title}"
        try:
            found = peer(kind, "cut", memory)["rows"]
        except (OSError, RuntimeError) as problem:
            rows.append(missing(name, "", 0, "atMost", f"not measured: {problem}"))
            continue
        rows.append(Row(name, lost, 0 if found < 0 else 50 - found, "", None, lost, 0, "atMost"))
    return rows


def ours_lost(memory, harm=None):
    """How many are missing after `harm` was done to the log; 0 where an error says so."""
    with tempfile.TemporaryDirectory(prefix="pavise-bench-", dir=memory) as folder:
        home = {"PAVISE_HOME": folder, "PAVISE_TPM": "none"}
        killed = Used([PROGRAMS / "measure", "database-commits"], home)
        if killed.status != -signal.SIGKILL:
            raise RuntimeError(f"database-commits ended with {killed.status}")
        log = next(pathlib.Path(folder, "containers", "bench", "database").glob("*.db-wal"))
        if harm:
            harm(log)
        count = Used([PROGRAMS / "measure", "database-count"], home)
        if not harm:
            count.expect("database-count of a whole log")
        return 50 - json.loads(count.output)["rows"] if count.status == 0 else 0


def older_rows(memory):
    """Each page in turn of an older moment, all others as they are: how many of them `verify()` does not name."""
    with tempfile.TemporaryDirectory(prefix="pavise-bench-", dir=memory) as folder:
        home, page = {"PAVISE_HOME": folder, "PAVISE_TPM": "none"}, 4096
        moments = []
        for _ in range(2):
            measure("measure", "database-close", environment=home)
            place = next(pathlib.Path(folder, "containers", "bench", "database").glob("*.db"))
            moments.append(place.read_bytes())
        old, new = moments
        # Behind the head of 4,096 bytes.
        changed = [number for number in range(1, len(old) // page)
                   if old[number * page:(number + 1) * page] != new[number * page:(number + 1) * page]]
        unnamed = 0
        # One that names every page, or never opens, tells of nothing.
        looked = json.loads(Used([PROGRAMS / "measure", "database-verify"], home).expect("database-verify").output)
        if looked["older"]:
            raise RuntimeError(f"verify names {looked['older'][:5]} where nothing is older")
        for number in changed:
            with open(place, "r+b") as file:
                file.seek(number * page)
                file.write(old[number * page:(number + 1) * page])
            looked = Used([PROGRAMS / "measure", "database-verify"], home)
            # One that does not even open is noticed as well.
            unnamed += looked.status == 0 and number not in json.loads(looked.output)["older"]
            with open(place, "r+b") as file:
                file.seek(number * page)
                file.write(new[number * page:(number + 1) * page])
    if not changed:
        raise RuntimeError("no page changed between the two moments")
    return [Row(f"{len(changed)} pages of an older moment, not named by verify", unnamed, None, "", None, unnamed, 0, "atMost")]


if __name__ == "__main__":
    sys.exit("storage.py is a part of bench.py")
