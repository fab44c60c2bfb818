"""The program under test, run as a process with a home of its own."""

import os
import pathlib
import re
import subprocess
import threading
import urllib.parse

from journal import Sinks
from servers import Browser


class Program:
    """`pavise` with one PAVISE_HOME."""

    # What was started and may still run: a story that fails leaves a sign-in that waits for its person.
    running, guard = [], threading.Lock()

    def __init__(self, binary, home):
        self.binary, self.home = str(pathlib.Path(binary).resolve()), pathlib.Path(home)

    def environment(self):
        keep = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
        # A journal of ours is watched for the whole run: journal.py.
        watched = {"PAVISE_LOG": "system"} if self.sinks else {}
        return keep | watched | {"PAVISE_HOME": str(self.home)}

    @property
    def sinks(self):
        return Sinks.current

    def run(self, *words, text=None, **options):
        """Runs a command to its end; standard input is empty unless `text` is given."""
        answer = subprocess.run(
            [self.binary, *words], input=text or "", capture_output=True, text=True, timeout=60,
            env=self.environment(), **options)
        if self.sinks:
            self.sinks.hide(text)
            self.sinks.said(answer.stderr)
        return answer

    def lab(self, *words):
        """Runs a command of `pavise-lab`, which lies beside the program, to its end."""
        return subprocess.run(
            [self.binary + "-lab", *words], input="", capture_output=True, text=True, timeout=60, env=self.environment())

    def start(self, *words, **options):
        """Starts a command and leaves it running; standard input is empty unless `stdin` is given."""
        options.setdefault("stdin", subprocess.DEVNULL)
        process = subprocess.Popen(
            [self.binary, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment(),
            **options)
        with Program.guard:
            Program.running = [one for one in Program.running if one.poll() is None] + [process]
        return process

    @classmethod
    def end_all(cls):
        """Ends what is left of a run."""
        with Program.guard:
            for process in Program.running:
                if process.poll() is None:
                    process.kill()
                    process.wait()
            Program.running = []

    def files(self):
        return [path for path in self.home.rglob("*") if path.is_file()]


class SignIn:
    """`pavise connect --no-browser`, waiting for somebody to sign in."""

    def __init__(self, program, *words):
        self.process = program.start("connect", *words, "--no-browser")
        self.said = []
        self.page = None
        found = threading.Event()
        self.listener = threading.Thread(target=self._listen, args=(found,), daemon=True)
        self.listener.start()
        found.wait(30)

    def _listen(self, found):
        for line in self.process.stderr:
            self.said.append(line)
            # The line about a server's certificate begins with its address, too.
            if line.startswith("https://") and " " not in line.strip():
                self.page = line.strip()
                found.set()
        found.set()

    @property
    def parameters(self):
        return dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.page).query))

    def end(self):
        """Waits for the program and gives status and output."""
        output = self.process.stdout.read()
        self.listener.join(60)
        return self.process.wait(60), output, "".join(self.said)


class Person:
    """Signs in at glewlwyd with plain requests, as a browser would."""

    def __init__(self, url, context, glewlwyd):
        self.browser = Browser(url, context)
        self.glewlwyd = glewlwyd

    def approve(self, page):
        """Signs in, grants, and gives the callback's address without calling it."""
        if Sinks.current:
            Sinks.current.hide(self.glewlwyd.password)
        self.browser.send("POST", "/api/auth/", {"username": self.glewlwyd.user, "password": self.glewlwyd.password})
        self.browser.send("PUT", "/api/auth/grant/pavise/", {"scope": "openid"})
        status, fields, _ = self.browser.send("GET", page + "&g_continue=")
        assert status == 302, status
        return fields["Location"]

    def complete(self, page):
        self.browser.send("GET", self.approve(page))


def spki(certificate):
    """SHA-256 of the public key of a PEM file, base64, by openssl alone."""
    command = (
        f"openssl x509 -in '{certificate}' -pubkey -noout | openssl pkey -pubin -outform der "
        "| openssl dgst -sha256 -binary | openssl base64")
    return subprocess.run(command, shell=True, check=True, capture_output=True, text=True).stdout.strip()


def without_colour(text):
    return re.sub("\x1b\\[[0-9;]*m", "", text)
