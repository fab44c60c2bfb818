#!/usr/bin/env python3
"""make integration: the program against glewlwyd behind nginx and against other packaged servers, on loopback, with fresh
databases and keys each time.

Usage: run.py PROGRAM [WORD…]   plays the stories whose sentence holds one of the words, or all
       run.py --self-test       plants stories that pass, fail and are skipped, and sees what comes of such a run
"""

import contextlib
import io
import pathlib
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import traceback

import canaille_stories  # noqa: F401  (adds its stories)
import chromium  # noqa: F401  (adds its story)
import dav_races  # noqa: F401  (adds its stories)
import documents  # noqa: F401  (adds its story)
import glewlwyd_stories  # noqa: F401  (adds its stories)
import identities  # noqa: F401  (adds its stories)
import large_files  # noqa: F401  (adds its story)
import litmus  # noqa: F401  (adds its story)
import mistakes  # noqa: F401  (adds its stories)
import packages
import peers  # noqa: F401  (adds its stories)
import terminal  # noqa: F401  (adds its stories)
import toolkit_stories  # noqa: F401  (adds its stories)
import webdav  # noqa: F401  (adds its story)
import sinks  # noqa: F401  (adds its story, the last one: it searches what the others left)
from canaille_server import Canaille
from journal import Sinks
from program import Program, spki
from servers import Authority, Glewlwyd, Nginx, closed_port, free_port, versions
from stories import STORIES
from toolkit_server import Toolkit


class Stage:
    """Servers, certificates and a home for one run."""

    def __init__(self, binary, folder):
        self.folder = folder
        self.program = Program(binary, folder / "home")
        self.notes, self.mounts, self.sites, self.skipped = [], [], [], []
        self.nginx = self.glewlwyd = None
        self.port, self.behind, self.redirect_port = (free_port() for _ in range(3))
        self.closed_port, self.closed = closed_port()
        self.url = f"https://localhost:{self.port}"
        authority = Authority(folder)
        self.chain, self.key = authority.issue("server")
        self.spki = spki(folder / "server.leaf")
        self.authority = authority.certificate
        self.rsa_chain, self.rsa_key = authority.issue("rsa", ("rsa:2048",))
        self.context = ssl.create_default_context(cafile=str(authority.certificate))

    def start(self):
        self.start_nginx()
        self.glewlwyd = Glewlwyd(
            self.folder / "glewlwyd", self.behind, self.url, f"http://127.0.0.1:{self.redirect_port}/callback")

    def start_nginx(self):
        self.nginx = Nginx(self.folder / "nginx", self.port, self.behind, self.chain, self.key)

    def with_home(self, home):
        return Program(self.program.binary, home)

    def start_sites(self, sentences):
        """Starts those that the stories speak of."""
        if packages.missing():
            return
        if any("django-oauth-toolkit" in sentence for sentence in sentences):
            self.toolkit = self.keep(Toolkit(self))
        if any("Canaille" in sentence for sentence in sentences):
            self.canaille = self.keep(Canaille(self))

    def keep(self, site):
        self.sites.append(site)
        return site

    def note(self, text):
        self.notes.append(text)

    def skip(self, why):
        """The story cannot be played here."""
        self.skipped.append(why)

    def mount(self, option):
        """A small file system of its own, or nothing where that is not permitted."""
        place = self.folder / f"mount{len(self.mounts)}"
        place.mkdir()
        command = ["mount", "-t", "tmpfs", "-o", option, "tmpfs", str(place)]
        if shutil.which("mount") is None or subprocess.run(command, capture_output=True).returncode != 0:
            return None
        self.mounts.append(place)
        return place

    def stop(self):
        for server in (self.nginx, self.glewlwyd, *self.sites):
            if server:
                server.stop()
        for place in self.mounts:
            subprocess.run(["umount", str(place)], capture_output=True)


def play(stage, stories):
    """Plays them all; whether nothing failed, and something was played."""
    passed = failed = skipped = 0
    stage.start_sites([sentence for sentence, _ in stories])
    for sentence, function in stories:
        begun = time.monotonic()
        try:
            function(stage)
            mark = "skipped" if len(stage.skipped) > skipped else "passed "
        except Exception as error:
            failed += 1
            mark = "FAILED "
            stage.note("".join(traceback.format_exception(error, limit=-2)).rstrip())
        passed += mark == "passed "
        took = time.monotonic() - begun
        print(f"{mark}  {took:5.1f} s  {sentence}", flush=True)
        for note in stage.notes + stage.skipped[skipped:]:
            print(f"                  {note}", flush=True)
        stage.notes, skipped = [], len(stage.skipped)
    print(f"integration: {passed} of {len(stories)} stories passed" + told(stage.skipped))
    return failed == 0 and passed > 0


def chosen(words):
    return [(sentence, function) for sentence, function in STORIES
            if not words or any(word in sentence for word in words)]


def told(skipped):
    """The end of the last line: what was not played, and why."""
    return f", {len(skipped)} skipped: {'; '.join(dict.fromkeys(skipped))}" if skipped else ""


def main(binary, words):
    for name, (version, is_tested) in versions().items():
        print(f"{name} {version}" + ("" if is_tested else " (the suite was written against another version)"))
    for line in packages.versions():
        print(line)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pavise-integration-"))
    folder.chmod(0o755)
    # Whoever ends the run ends its servers.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    stage = None
    watched = Sinks.start()
    try:
        stage = Stage(binary, folder)
        stage.start()
        return 0 if play(stage, chosen(words)) else 1
    finally:
        Program.end_all()
        if stage:
            stage.stop()
        if watched:
            watched.stop()
        shutil.rmtree(folder, ignore_errors=True)


class Planted(Stage):
    """A stage without a server."""

    def __init__(self):
        self.notes, self.skipped = [], []

    def start_sites(self, sentences):
        pass


def self_test():
    def passes(stage):
        pass

    def fails(stage):
        raise AssertionError("planted")

    def skips(stage):
        stage.skip("planted")

    wrong = 0
    for stories, is_good, count in [
        ([passes], True, 1), ([passes, skips], True, 1), ([skips], False, 0), ([skips, skips], False, 0), ([], False, 0),
        ([passes, fails], False, 1), ([skips, fails], False, 0),
    ]:
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            result = play(Planted(), [(story.__name__, story) for story in stories])
        if result != is_good or f"{count} of {len(stories)} stories passed" not in output.getvalue():
            wrong += 1
            print(f"integration, self-test: {[story.__name__ for story in stories]} counts as {result}")
    print(f"integration, self-test: {wrong} runs judged wrongly")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(self_test() if sys.argv[1:] == ["--self-test"] else main(sys.argv[1], sys.argv[2:]))
