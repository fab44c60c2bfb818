"""The rows of the keychain: reads, lists, adds, many processes at once, and the Secret Service beside them."""

import contextlib
import os
import shutil
import statistics
import subprocess
import tempfile

from table import HERE, PROGRAMS, Row, measure, missing

# Items of the Secret Service. It writes its whole file for each one, so 10,000 would take hours; fewer favour the peer.
PEER_ITEMS = 200

# Items that each of 100 processes reads: it reads each of them once before the time is taken.
READERS_ITEMS = 500


def keychain_rows(items, program):
    with tempfile.TemporaryDirectory(prefix="pavise-bench-") as home:
        environment = {"PAVISE_HOME": home}
        measure("measure", "keychain-fill", 0, items, environment=environment, timeout=600)
        reads = measure("measure", "keychain-read", items, environment=environment)
        read = reads["microseconds"]
        listed = measure("measure", "keychain-list", items, environment=environment)["milliseconds"]
        rows = [
            Row(f"keychain read, 1 of {items:,}, warm", read, None, "µs", None, read, 40, "atMost",
                f"{reads['whole']:.0f} µs with Foundation's dictionaries at the caller"),
            Row(f"keychain list of {items:,}, attributes", listed, None, "ms", None, listed, 150, "atMost"),
            readers_row(items, environment),
        ]
    return rows + [add_row()] + secret_service_rows(read, program)


def add_row():
    with tempfile.TemporaryDirectory(prefix="pavise-bench-") as home:
        add = measure("measure", "durable-add", 300, home, environment={"PAVISE_HOME": home})
    return Row("keychain durable add, SQLite insert in C", add["ours"], add["peer"], "µs", add["ratio"], add["ratio"],
               1.3, "atMost")


def million_rows():
    """Reads among 1,000,000 items beside reads among 10,000: warm, of items that were read once before, and of all the others.
    In memory where there is room."""
    memory = "/dev/shm" if os.path.isdir("/dev/shm") and shutil.disk_usage("/dev/shm").free > 4 << 30 else None
    with tempfile.TemporaryDirectory(prefix="pavise-bench-", dir=memory) as home:
        environment = {"PAVISE_HOME": home}
        measure("measure", "keychain-fill", 0, 10_000, environment=environment, timeout=600)
        few = measure("measure", "keychain-read", 10_000, environment=environment)
        fill = measure("measure", "keychain-fill", 10_000, 1_000_000, environment=environment, timeout=3600)
        many = measure("measure", "keychain-read", 1_000_000, environment=environment)
    warm, first = many["microseconds"], many["first"]
    return [Row("keychain read, 1 of 1,000,000, of 10,000, warm", warm, few["microseconds"], "µs", warm / few["microseconds"],
                warm / few["microseconds"], 2, "atMost", f"each add took {fill['microseconds']:.0f} µs"),
            # Twice the 40 µs that a warm read among 10,000 may take.
            Row("keychain read, 1 of 1,000,000, not read before", first, None, "µs", None, first, 80, "atMost")]


def readers_row(items, environment):
    """What 100 processes read in a second, beside one process."""
    one, many = [], []
    for _ in range(3):
        one.append(reads_at_once(1, items, environment))
        many.append(reads_at_once(100, items, environment))
    ratio = statistics.median(several / single for several, single in zip(many, one))
    return Row("keychain reads of 100 processes, of one", statistics.median(many), statistics.median(one), "/s", ratio,
               ratio, round(0.8 * (os.cpu_count() or 1), 1), "atLeast")


def reads_at_once(count, items, environment, seconds=1.5):
    command = [str(PROGRAMS / "measure"), "keychain-reader", str(min(items, READERS_ITEMS)), str(seconds)]
    readers = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                env={**os.environ, **environment}) for _ in range(count)]
    for reader in readers:
        if reader.stdout.readline() != "ready\n":
            raise RuntimeError("a reader did not start")
    for reader in readers:
        reader.stdin.write("go\n")
        reader.stdin.flush()
    answers = [reader.communicate(timeout=120)[0] for reader in readers]
    return sum(int(answer.split(":")[1].strip(" }\n")) for answer in answers) / seconds


# --- the Secret Service -----------------------------------------------------------------------------------------------

def secret_service_rows(read, program):
    names = ("keychain read, Secret Service over D-Bus", "pavise keychain get, secret-tool lookup")
    try:
        peer = build_peer()
    except (OSError, subprocess.CalledProcessError):
        peer = None
    needed = ("dbus-daemon", "gnome-keyring-daemon", "secret-tool")
    absent = [tool for tool in needed if not shutil.which(tool)] + ([] if peer else ["libsecret-1-dev"])
    if absent:
        note = "not installed: " + ", ".join(absent)
        return [missing(names[0], "/s", 20, "atLeast", note), missing(names[1], "ms", 1, "atMost", note)]
    with secret_service() as environment:
        fill = subprocess.run([peer, "fill", str(PEER_ITEMS)], env=environment, timeout=300)
        found = subprocess.run([peer, "read", str(PEER_ITEMS)], env=environment, capture_output=True, text=True,
                               timeout=120)
        if fill.returncode or found.returncode:
            raise RuntimeError("the Secret Service does not answer")
        theirs = float(found.stdout.split(":")[1].strip(" }\n"))
        get, lookup, ratio = process_times(program, environment)
    return [Row(names[0], 1e6 / read, 1e6 / theirs, "/s", theirs / read, theirs / read, 20, "atLeast",
                f"peer {theirs:.0f} µs among {PEER_ITEMS}"),
            Row(names[1], get, lookup, "ms", ratio, ratio, 1, "atMost")]


def process_times(program, service):
    """Milliseconds of `pavise keychain get` and of `secret-tool lookup`, in turns."""
    with tempfile.TemporaryDirectory(prefix="pavise-bench-") as home:
        environment = {"PAVISE_HOME": home}
        subprocess.run([str(program), "keychain", "add", "org.example.bench", "account-1"], input="value\n", text=True,
                       env={**os.environ, **environment}, check=True, capture_output=True)
        ours, theirs = [], []
        for _ in range(10):
            ours.append(process_time(environment, program, "keychain", "get", "org.example.bench", "account-1"))
            theirs.append(process_time(
                service, "secret-tool", "lookup", "service", "org.example.bench", "account", "account-1"))
    ratio = statistics.median(one / other for one, other in zip(ours, theirs))
    return statistics.median(ours), statistics.median(theirs), ratio


def process_time(environment, *words):
    run = measure("measure-process", 10, *words, environment=environment)
    if run["status"] != 0:
        raise RuntimeError(f"{words[0]} ended with {run['status']}")
    return run["milliseconds"]


def build_peer():
    """The peer in C, for which the package itself has no use: built here, where libsecret is."""
    target = PROGRAMS / "secret-service-peer"
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libsecret-1"], capture_output=True, text=True,
                           check=True).stdout.split()
    source = HERE / "Sources" / "SecretServicePeer" / "main.c"
    subprocess.run(["cc", "-O2", str(source), "-o", str(target), *flags], check=True, capture_output=True)
    return str(target)


@contextlib.contextmanager
def secret_service():
    """A message bus and a keyring of this run's own, unlocked with an empty password."""
    with tempfile.TemporaryDirectory(prefix="pavise-bench-") as folder:
        environment = {**os.environ, "HOME": folder, "XDG_RUNTIME_DIR": folder, "XDG_DATA_HOME": folder}
        bus = subprocess.Popen(["dbus-daemon", "--session", "--nofork", "--print-address"], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True, env=environment)
        environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
        keyring = subprocess.Popen(["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"],
                                   stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   env=environment)
        try:
            keyring.communicate(b"\n", timeout=1)
        except subprocess.TimeoutExpired:
            pass
        try:
            yield environment
        finally:
            for process in (keyring, bus):
                process.terminate()
                process.wait(timeout=10)
