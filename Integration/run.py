#!/usr/bin/env python3
"""make integration: the program against glewlwyd behind nginx and against other packaged servers, on loopback, with fresh
databases and keys each time.

Usage: run.py PROGRAM [WORD…]   plays the stories whose sentence holds one of the words, or all
"""

import pathlib
import shutil
import ssl
import subprocess
import sys
import tempfile
import time
import traceback

import chromium  # noqa: F401  (adds its story)
import mistakes  # noqa: F401  (adds its stories)
import peers  # noqa: F401  (adds its stories)
import terminal  # noqa: F401  (adds its stories)
from program import Program, spki
from servers import Authority, Glewlwyd, Nginx, free_port, versions
from stories import STORIES


class Stage:
    """Servers, certificates and a home for one run."""

    def __init__(self, binary, folder):
        self.folder = folder
        self.program = Program(binary, folder / "home")
        self.notes, self.mounts = [], []
        self.nginx = self.glewlwyd = None
        self.port, self.behind, self.redirect_port, self.closed_port = (free_port() for _ in range(4))
        self.url = f"https://localhost:{self.port}"
        authority = Authority(folder)
        self.chain, self.key = authority.issue("server")
        self.spki = spki(folder / "server.leaf")
        self.authority = authority.certificate
        self.rsa_chain, self.rsa_key = authority.issue("rsa", ("rsa:2048",))
        self.context = ssl.create_default_context(cafile=str(authority.certificate))
        self.start_nginx()
        self.glewlwyd = Glewlwyd(
            folder / "glewlwyd", self.behind, self.url, f"http://127.0.0.1:{self.redirect_port}/callback")

    def start_nginx(self):
        self.nginx = Nginx(self.folder / "nginx", self.port, self.behind, self.chain, self.key)

    def with_home(self, home):
        return Program(self.program.binary, home)

    def note(self, text):
        self.notes.append(text)

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
        for server in (self.nginx, self.glewlwyd):
            if server:
                server.stop()
        for place in self.mounts:
            subprocess.run(["umount", str(place)], capture_output=True)


def play(stage, words):
    failed = count = 0
    for sentence, function in STORIES:
        if words and not any(word in sentence for word in words):
            continue
        count += 1
        begun = time.monotonic()
        try:
            function(stage)
            mark = "passed"
        except Exception as error:
            failed += 1
            mark = "FAILED"
            stage.note("".join(traceback.format_exception(error, limit=-2)).rstrip())
        took = time.monotonic() - begun
        print(f"{mark}  {took:5.1f} s  {sentence}", flush=True)
        while stage.notes:
            print(f"                 {stage.notes.pop(0)}", flush=True)
    print(f"integration: {count - failed} of {count} stories passed")
    return failed == 0 and count > 0


def main(binary, words):
    for name, (version, is_tested) in versions().items():
        print(f"{name} {version}" + ("" if is_tested else " (the suite was written against another version)"))
    folder = pathlib.Path(tempfile.mkdtemp(prefix="pavise-integration-"))
    folder.chmod(0o755)
    stage = None
    try:
        stage = Stage(binary, folder)
        return 0 if play(stage, words) else 1
    finally:
        if stage:
            stage.stop()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
