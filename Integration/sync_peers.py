#!/usr/bin/env python3
"""make sync-peers: `pavise sync` and other people's clients at the same server, with a second writer before each write.

Usage: sync_peers.py PROGRAM [--races N] [--only CLIENT]…

In each case a person changes something here, and before the first, second, … write of the client's run somebody else changes the
same on the server. Lost is what then is on neither side (nor, for Pavise, in its store). --races N plays N of these at random for
each client. A client that is not installed is said to be so. Ends with 1 when Pavise loses anything.
"""

import argparse
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

from program import Program, spki
from servers import Authority, free_port
from sync_server import Dialect

PASSWORD = "wonderland"


class Client:
    """A program that brings a folder and the server together."""

    def __init__(self, stage, folder):
        self.stage, self.home, self.here = stage, folder / "home", folder / "here"
        self.home.mkdir()
        self.here.mkdir()
        self.url = f"https://localhost:{stage.server.server_address[1]}"

    def begin(self):
        """Once, before the first run."""

    def kept(self):
        """Contents that a person can have back from elsewhere than the two sides."""
        return set()

    def start(self, *words, seconds=40, **variables):
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.home), "LANG": "C.UTF-8", "QT_QPA_PLATFORM": "offscreen", **variables}
        try:
            return subprocess.run([str(word) for word in words], env=environment, cwd=self.home, capture_output=True, text=True,
                                  errors="replace", stdin=subprocess.DEVNULL, timeout=seconds).returncode
        except subprocess.TimeoutExpired:
            return None


class Pavise(Client):
    name, needs = "pavise", None

    def begin(self):
        self.program = Program(self.stage.program, self.home)
        done = self.program.run("connect", self.url + "/", "--name", "peer", "--basic", "ada", "--approve-certificate", self.stage.spki,
                                text=PASSWORD + "\n")
        assert done.returncode == 0, done.stdout + done.stderr

    def run(self):
        return self.program.run("sync", "run", "peer", str(self.here), "--remote", "/remote.php/dav/files/ada/").returncode

    def kept(self):
        words = ("sync", "recover", "peer", str(self.here))
        remote = ("--remote", "/remote.php/dav/files/ada/")
        rows = json.loads(self.program.run(*words, *remote, "--json").stdout)
        return {self.program.run(*words, row["digest"], *remote).stdout.encode() for row in rows}


class Nextcloud(Client):
    name, needs = "nextcloudcmd", "nextcloudcmd"

    def run(self):
        return self.start("nextcloudcmd", "--non-interactive", "--silent", "--trust", "-u", "ada", "-p", PASSWORD, self.here, self.url)


class OwnCloud(Client):
    name, needs = "owncloudcmd", "owncloudcmd"

    def run(self):
        exclude = self.home / "exclude"
        exclude.write_text("")
        return self.start("owncloudcmd", "--non-interactive", "--silent", "--trust", "--exclude", exclude, "-u", "ada", "-p", PASSWORD,
                          self.here, self.url + "/")


class Rclone(Client):
    name, needs = "rclone bisync", "rclone"

    def begin(self):
        self.is_new = True
        self.word = subprocess.run(["rclone", "obscure", PASSWORD], capture_output=True, text=True, check=True).stdout.strip()

    def run(self):
        first, self.is_new = ["--resync"] if self.is_new else [], False
        return self.start(
            "rclone", "bisync", self.here, "dav:", *first, "--no-check-certificate", "--config", self.home / "none",
            RCLONE_CONFIG_DAV_TYPE="webdav", RCLONE_CONFIG_DAV_URL=self.url + "/remote.php/dav/files/ada", RCLONE_CONFIG_DAV_VENDOR="owncloud",
            RCLONE_CONFIG_DAV_USER="ada", RCLONE_CONFIG_DAV_PASS=self.word)


CLIENTS = [Pavise, Nextcloud, OwnCloud, Rclone]


class Stage:
    def __init__(self, program, folder):
        self.program, self.folder = program, folder
        chain, key = Authority(folder).issue("server")
        self.spki = spki(folder / "server.leaf")
        self.certificate = (chain, key)
        self.server = None

    def renew(self):
        if self.server:
            self.server.stop()
        self.server = Dialect(free_port(), *self.certificate, PASSWORD)
        return self.server.tree


def edit(client, name, text):
    (client.here / name).write_bytes(text)
    # One that looks at seconds alone has to see it, and one that waits for a file to rest need not.
    os.utime(client.here / name, (time.time() - 5, time.time() - 5))


# Each: what the person does here, and where somebody else writes meanwhile; whether the person's own content must stay too.
CASES = {
    "create": (lambda client: edit(client, "new", b"mine"), "/new", True),
    "replace": (lambda client: edit(client, "x", b"mine"), "/x", True),
    "delete": (lambda client: (client.here / "x").unlink(), "/x", False),
    "move": (lambda client: (client.here / "x").rename(client.here / "target"), "/target", False),
}


def agreed(stage, kind):
    """A client whose folder and server are the same."""
    tree = stage.renew()
    client = kind(stage, pathlib.Path(tempfile.mkdtemp(prefix="peer-", dir=stage.folder)))
    client.begin()
    for name in ("x", "y", "z"):
        (client.here / name).write_bytes(f"{name} agreed".encode())
        os.utime(client.here / name, (time.time() - 60, time.time() - 60))
    for _ in range(2):
        client.run()
    assert set(tree.contents().values()) >= {b"x agreed", b"y agreed", b"z agreed"}, f"{client.name} sent nothing"
    return client, tree


def race(stage, kind, case, number):
    """Returns what was lost, and whether the client made so many writes."""
    client, tree = agreed(stage, kind)
    act, place, keeps = CASES[case]
    act(client)
    theirs, state = f"theirs {case} {number}".encode(), {"writes": 0, "done": False}

    def come(method, path):
        state["writes"] += 1
        if state["writes"] == number and not state["done"]:
            state["done"] = True
            tree.add(place, theirs)

    tree.hook = come
    client.run()
    tree.hook = lambda method, path: None
    if not state["done"]:
        shutil.rmtree(client.here.parent)
        return set(), False
    for _ in range(2):
        client.run()
    there = set(tree.contents().values())
    here = {path.read_bytes() for path in client.here.rglob("*") if path.is_file()}
    wanted = {theirs} | ({b"mine"} if keeps else set())
    lost = wanted - there - here
    if lost:
        lost -= client.kept()
    shutil.rmtree(client.here.parent)
    return lost, True


def emptied(stage, kind):
    """A power cut left a file of 0 bytes with its old time: whether it was sent over the good one."""
    client, tree = agreed(stage, kind)
    status = os.stat(client.here / "x")
    with open(client.here / "x", "r+b") as file:
        file.truncate(0)
    os.utime(client.here / "x", ns=(status.st_atime_ns, status.st_mtime_ns))
    for _ in range(2):
        client.run()
    is_lost = b"x agreed" not in tree.contents().values()
    shutil.rmtree(client.here.parent)
    return is_lost


def rootless(stage, kind):
    """The server's root is suddenly empty: how many files went here."""
    client, tree = agreed(stage, kind)
    for name in ("/x", "/y", "/z"):
        tree.remove(name)
    client.run()
    left = {path.read_bytes() for path in client.here.rglob("*") if path.is_file()}
    lost = {b"x agreed", b"y agreed", b"z agreed"} - left
    shutil.rmtree(client.here.parent)
    return len(lost)


def windows(stage, kind):
    """The table's row of a client."""
    row, lost_of_all = [], 0
    for case in CASES:
        lost = tried = 0
        for number in range(1, 12):
            gone, was_there = race(stage, kind, case, number)
            if not was_there:
                break
            tried, lost = tried + 1, lost + bool(gone)
        # A client that fails before its first write loses nothing either.
        assert tried, f"it wrote nothing after “{case}”"
        row.append(f"{lost} of {tried}")
        lost_of_all += lost
    sent, gone = emptied(stage, kind), rootless(stage, kind)
    return row + ["sent" if sent else "kept", f"{gone} of 3"], lost_of_all + sent + gone


def races(stage, kind, count, most=6):
    """As many as are wanted, at random: a window that the run does not have is drawn again."""
    chance, lost, played, without = random.Random(23), 0, 0, 0
    while played < count:
        gone, was_there = race(stage, kind, chance.choice(list(CASES)), chance.randrange(1, most))
        played, lost, without = played + was_there, lost + bool(gone), 0 if was_there else without + 1
        assert without < 50, "it writes nothing any more"
    return lost


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--races", type=int, default=0)
    parser.add_argument("--only", action="append")
    words = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory(prefix="pavise-peers-") as folder:
        stage = Stage(pathlib.Path(words.program).resolve(), pathlib.Path(folder))
        print(f"{'lost, with a second writer':28}" + "".join(f"{case:>12}" for case in (*CASES, "0 bytes", "empty root")))
        for kind in CLIENTS:
            if words.only and kind.name not in words.only:
                continue
            if kind.needs and shutil.which(kind.needs) is None:
                print(f"{kind.name:28}not installed: Scripts/bootstrap peers")
                continue
            try:
                if words.races:
                    lost = races(stage, kind, words.races)
                    print(f"{kind.name:28}{lost} of {words.races} races lost something", flush=True)
                else:
                    row, lost = windows(stage, kind)
                    print(f"{kind.name:28}" + "".join(f"{cell:>12}" for cell in row), flush=True)
            except AssertionError as error:
                print(f"{kind.name:28}not played: {error}", flush=True)
                failed |= kind is Pavise
                continue
            failed |= kind is Pavise and lost > 0
        if stage.server:
            stage.server.stop()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
