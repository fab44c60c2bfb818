"""The rows of synchronisation: the program against the lab's WebDAV server, and the planner by itself.

Requests are those that the server counted. The connections of the large file go through a relay that ends them in the
middle, again and again, at places that chance chooses.
"""

import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import tempfile
import threading
import time

from table import HERE, Row, measure
from storage import Used

MIB = 1 << 20
# How a server takes a large file: what the lab is told, and what the row says.
PARTS = {"chunks": "in chunks", "resumable": "in parts (tus)", None: "in one request"}


def sync_rows(program, size=1024):
    with tempfile.TemporaryDirectory(prefix="pavise-bench-") as folder:
        rows = small_rows(program, pathlib.Path(folder))
    for parts in PARTS:
        with tempfile.TemporaryDirectory(prefix="pavise-bench-") as folder:
            rows += large_rows(program, pathlib.Path(folder), size, parts)
    return rows + plan_rows()


class Lab:
    """`pavise-lab files`, a connection to it, and a folder."""

    def __init__(self, program, folder, *words, port=None):
        self.program, self.home = str(program), {"PAVISE_HOME": str(folder / "home")}
        self.here = folder / "here"
        self.here.mkdir()
        self.process = subprocess.Popen([self.program + "-lab", "files", "--json", *words], stdout=subprocess.PIPE, text=True)
        said = json.loads(self.process.stdout.readline())
        self.path = "/" + said["address"].split("/", 3)[3]
        self.port = int(said["address"].split(":")[2].split("/")[0])
        self.pin = said["pin"]

    def connect(self, port):
        done = subprocess.run(
            [self.program, "connect", f"https://localhost:{port}/", "--name", "bench", "--basic", "alice", "--approve-certificate",
             self.pin], input="wonderland\n", capture_output=True, text=True, env={**os.environ, **self.home}, timeout=60)
        if done.returncode != 0:
            raise RuntimeError(f"pavise connect: {done.stderr.strip() or done.stdout.strip()}")

    def sync(self):
        begun = time.monotonic()
        used = Used([self.program, "sync", "run", "bench", str(self.here), "--remote", self.path, "--json"], self.home)
        used.wall = time.monotonic() - begun
        return used

    def sync_to_the_end(self, what):
        """One run after the other, as a person would: each goes on where the last one was cut off."""
        runs = []
        while not runs or runs[-1].status != 0:
            if len(runs) == 20:
                runs[-1].expect(f"the twentieth run of {what}")
            runs.append(self.sync())
        last = runs[-1]
        last.peak, last.wall, last.runs = max(run.peak for run in runs), sum(run.wall for run in runs), len(runs)
        return last

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        told = json.loads(self.process.stdout.readline() or "{}")
        self.process.wait(timeout=60)
        return told


def small_rows(program, folder, count=1_000):
    """A folder of small files to a server that was measured before; then nothing to do."""
    counts = {}
    for name, made in (("measured", 0), ("sent", count), ("idle", count)):
        # The lab tells how many requests came when it ends: one server for each number.
        place = folder / name
        place.mkdir()
        lab = Lab(program, place)
        try:
            lab.connect(lab.port)
            (lab.here / "first").write_text("first")
            lab.sync().expect("the first run")
            (lab.here / "notes").mkdir()
            for number in range(made):
                (lab.here / "notes" / f"note {number}").write_bytes(random.randbytes(1_000))
            if made:
                used = lab.sync().expect("a run with small files")
            if name == "idle":
                used = min((lab.sync().expect("a run with nothing to do") for _ in range(5)), key=lambda run: run.wall)
            elif made:
                sent = used
        finally:
            told = lab.stop()
        counts[name] = told["requests"]
        if told["files"] != made + 1:
            raise RuntimeError(f"{told['files']} files are at the server, not {made + 1}")
    requests = counts["sent"] - counts["measured"]
    idle = (counts["idle"] - counts["sent"]) / 5
    return [Row(f"sync: {count} files of 1 kB to a new folder, requests", requests, None, "requests", None, requests, 1_020,
                "atMost"),
            Row(f"sync: {count} files of 1 kB, each durable before it is sent", sent.wall, None, "s", None, sent.wall, 5.3, "atMost"),
            Row("sync: nothing to do, requests", idle, None, "requests", None, idle, 3, "atMost"),
            Row(f"sync: nothing to do with {count} files, start to end", used.wall * 1000, None, "ms", None, used.wall * 1000, 150,
                "atMost")]


class Relay(threading.Thread):
    """Passes bytes on between a client and a server, and ends each connection after so many of them that chance chooses."""

    def __init__(self, port, most, seed=1):
        super().__init__(daemon=True)
        self.target, self.random, self.left, self.passed = port, random.Random(seed), 0, 0
        # The most kilobytes of a connection that is ended.
        self.most = most
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.is_on = False

    def run(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        server = socket.create_connection(("127.0.0.1", self.target))
        budget = [None]
        if self.is_on and self.left > 0:
            self.left -= 1
            # Any kilobyte, one of the handshake now and then.
            budget[0] = self.random.randrange(1, self.most) * 1024

        def end():
            for one in (client, server):
                try:
                    one.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

        def pump(source, sink):
            try:
                while piece := source.recv(65_536):
                    if budget[0] is not None:
                        piece = piece[:budget[0]]
                        budget[0] -= len(piece)
                    self.passed += len(piece)
                    sink.sendall(piece)
                    if budget[0] == 0:
                        break
            except OSError:
                pass
            end()

        threading.Thread(target=pump, args=(server, client), daemon=True).start()
        pump(client, server)


def large_rows(program, folder, size, parts, cuts=40):
    """A large file there and back over connections that end in the middle."""
    lab = Lab(program, folder, *([f"--{parts}"] if parts else []))
    relay = Relay(lab.port, 2 * size * 1024 // cuts)
    relay.start()
    kind = PARTS[parts]
    rows = []
    try:
        lab.connect(relay.port)
        lab.sync().expect("the first run")
        source = lab.here / "large"
        with source.open("wb") as file:
            for _ in range(size):
                file.write(random.randbytes(MIB))
        # One request that breaks off begins anew: only parts are gone on with.
        relay.left, relay.is_on, relay.passed = (cuts if parts else 0), True, 0
        up = lab.sync_to_the_end("the upload")
        used = (cuts if parts else 0) - relay.left
        if parts and not used:
            raise RuntimeError("no connection of the upload was cut")
        rows.append(Row(f"sync: {size} MiB sent {kind}, {used} cuts, peak memory", up.peak / 1024, None, "MB", None,
                        up.peak / 1024, 100, "atMost", f"{up.wall:.0f} s, {up.runs} runs, {relay.passed / MIB / size:.2f} times its size on the wire, "
                        "read back included"))
        relay.left, relay.is_on = 0, False
        # Another device, which has nothing yet.
        other = folder / "other"
        other.mkdir()
        lab.here, lab.home = other / "here", {"PAVISE_HOME": str(other / "home")}
        lab.here.mkdir()
        lab.connect(relay.port)
        relay.left, relay.is_on, relay.passed = cuts, True, 0
        down = lab.sync_to_the_end("the download")
        if relay.left == cuts:
            raise RuntimeError("no connection of the download was cut")
        with source.open("rb") as one, (lab.here / "large").open("rb") as two:
            while piece := one.read(MIB):
                if piece != two.read(MIB):
                    raise RuntimeError("what came is not what was sent")
        if parts != "chunks":
            return rows[:1]
        rows.append(Row(f"sync: {size} MiB fetched, {cuts - relay.left} cuts, peak memory", down.peak / 1024, None, "MB", None, down.peak / 1024, 100,
                        "atMost", f"{down.wall:.0f} s, {down.runs} runs, {relay.passed / MIB / size:.2f} times its size on the wire"))
        return rows
    finally:
        relay.listener.close()
        lab.stop()


def plan_rows():
    plan = measure("measure", "sync-plan", 100_000)
    return [Row("sync: 100,000 items planned, nothing changed", plan["same"], None, "s", None, plan["same"], 0.5, "atMost"),
            Row("sync: 100,000 items planned, all new on one side", plan["new"], None, "s", None, plan["new"], 0.5, "atMost"),
            Row("sync: memory of a tree of 100,000 items, each", plan["bytes"], None, "B", None, plan["bytes"], 300, "atMost")]
