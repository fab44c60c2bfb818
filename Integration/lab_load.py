#!/usr/bin/env python3
"""make log-search: the lab under load for a time, with every program logging; then its canaries are searched for in each sink.

Usage: lab_load.py PROGRAM [--seconds N]     60 seconds unless given; an hour is 3600
"""

import argparse
import itertools
import json
import pathlib
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request

from journal import Sinks
from program import Program, SignIn

PASSPHRASE = "a passphrase of the load 27182"


class Lab:
    """A server of `pavise-lab` that runs until the block ends."""

    def __init__(self, program, *words):
        self.process = subprocess.Popen(
            [program.binary + "-lab", *words, "--json"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=program.environment())
        try:
            self.facts = json.loads(self.process.stdout.readline())
        except ValueError:
            # It ended, or says something else: nobody would end it later.
            self.process.kill()
            raise AssertionError(f"pavise-lab {words[0]}: {self.process.communicate()[1]}") from None

    def stop(self):
        self.process.terminate()
        output, messages = self.process.communicate(timeout=60)
        Sinks.current.said(messages)
        return json.loads(output.splitlines()[-1])


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def sign_in(program, facts, name):
    """Connects, and signs in with plain requests as a browser would."""
    attempt = SignIn(program, facts["issuer"], "--name", name, "--approve-certificate", facts["pin"])
    try:
        assert attempt.page, attempt.end()
        context = ssl.create_default_context(cafile=facts["anchors"])
        browser = urllib.request.build_opener(NoRedirect, urllib.request.HTTPSHandler(context=context))
        user = facts["users"][0]
        form = urllib.parse.urlencode({"username": user["name"], "password": user["password"]}).encode()
        try:
            browser.open(attempt.page, form, timeout=30)
            raise AssertionError("the sign-in page did not lead on")
        except urllib.error.HTTPError as answer:
            callback = answer.headers["Location"]
        urllib.request.urlopen(callback, timeout=30).read()
        status, output, said = attempt.end()
        assert status == 0, said
    finally:
        # Where the page was not reached, nobody comes any more.
        if attempt.process.poll() is None:
            attempt.process.kill()
            attempt.end()
    Sinks.current.said(said)


def load(program, seconds):
    labs = [Lab(program, "authority", "--access-lifetime", "2")]
    try:
        labs.append(Lab(program, "servers"))
        authority, servers = labs
        facts = authority.facts
        for user in facts["users"]:
            Sinks.current.hide(user["password"] + "\n")
        end = time.monotonic() + seconds
        rounds = late = 0
        for number in itertools.count():
            if time.monotonic() > end:
                break
            name = f"load{number}"
            sign_in(program, facts, name)
            callers = program.lab("callers", name, "/api/me", "--callers", "400", "--over", "5", "--json")
            # Where the machine is slower than a token lives, a second one ends on its way too, and its 401 is the answer.
            told = json.loads(callers.stdout) if callers.stdout else {}
            assert not told.get("failures", callers.stderr) and set(told["answers"]) <= {"200", "401"}, callers.stdout + callers.stderr
            late += told["answers"].get("401", 0)
            # What is refused, mistyped and wrong is logged more than what goes well.
            for row in servers.facts["servers"]:
                program.run("connect", row["address"], "--name", f"weak{number}", "--no-browser")
            program.run("lock", "set", "--passphrase", "--pin-stdin", text=PASSPHRASE + "\n")
            program.run("lock", "now")
            program.run("lock", "unlock", "--pin-stdin", text=f"a wrong passphrase {number} 31415926\n")
            program.run("fetch", name, "/api/me")
            program.run("lock", "unlock", "--pin-stdin", text=PASSPHRASE + "\n")
            program.run("lock", "remove", "--pin-stdin", text=PASSPHRASE + "\n")
            program.run("keychain", "add", name, "ada", text=f"a value for the keychain {number}\n")
            program.run("keychain", "get", name, "nobody")
            program.run("fetch", name, "/api/elsewhere")
            program.run("disconnect", name)
            rounds += 1
        return rounds, late, authority.stop()
    finally:
        for lab in labs:
            if lab.process.poll() is None:
                lab.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--seconds", type=int, default=60)
    options = parser.parse_args()
    # Whoever ends the run ends its servers, and the journal's place is cleared.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    sinks = Sinks.start()
    if sinks is None:
        sys.exit("log search: a journal of ours needs a mount namespace, and the right to make one")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pavise-load-"))
    try:
        program = Program(options.program, folder / "home")
        rounds, late, seen = load(program, options.seconds)
        sinks.canaries |= {f"canary-{kind}-" for kind in ("code", "access", "refresh")}
        problems, told = sinks.search(program, folder)
        assert any(b"lock.pin.wrong" in entry for entry in sinks.entries), "the log heard of nothing"
        assert seen["refreshes"] > 0 and seen["grantedCalls"] > 0, f"the lab was under no load: {seen}"
        for problem in problems[:20]:
            print("FOUND", problem)
        print(f"log search: {options.seconds} s, {rounds} rounds, {seen['refreshes']} refreshes, {seen['grantedCalls']} calls, {late} with "
              f"a token that ended on its way; {told}; {len(problems)} canaries found")
        return 1 if problems else 0
    finally:
        Program.end_all()
        sinks.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
