#!/usr/bin/env python3
"""Installs the packages of a release in a fresh Debian without a toolchain, and plays what README.md says there.

Usage: installed.py [--keep FOLDER] PACKAGES   PACKAGES holds pavise_…deb and pavise-lab_…deb; --keep makes the Debian in FOLDER, and
                                               takes the one that is there

Root makes the Debian with debootstrap, from the archive and the release that this machine's apt uses. apt brings what the packages
depend on; nothing is mounted into the folder but /proc, and no Swift may be in it. Then each line of the README's block `walk` is a
process there, on a terminal of its own, with a person who signs in at the page of the lab and types the PINs that the remarks name.
The lines of its block `sync` follow, with a home and a folder of their own, so that no PIN stands before them. Then the packages are
removed again, and the home has to stay as it is. Ends with 1 where a line ends otherwise than its remark says.
"""

import argparse
import contextlib
import os
import pathlib
import pty
import re
import select
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

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "TERM": "dumb", "NO_COLOR": "1",
               "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
RIGHT, WRONG = "830597", "940276"
PASSWORD = "wonderland"
LONGEST = 60  # seconds for one line


class Failed(Exception):
    """What a line did otherwise than the README says."""


# --- the Debian ---------------------------------------------------------------------------------------------------------

def archive():
    """Address and release of the archive that this machine's apt asks."""
    told = subprocess.run(["apt-get", "indextargets", "--format", "$(SITE) $(CODENAME) $(ORIGIN)"], check=True,
                          capture_output=True, text=True).stdout
    for line in told.splitlines():
        site, _, rest = line.partition(" ")
        name, _, origin = rest.partition(" ")
        if origin == "Debian" and "-" not in name:
            return site, name
    raise Failed("apt knows no archive of Debian")


def make_debian(folder):
    if (folder / "etc/debian_version").exists():
        return
    if not shutil.which("debootstrap"):
        subprocess.run(["apt-get", "install", "-y", "-q", "debootstrap"], check=True, stdout=subprocess.DEVNULL)
    site, name = archive()
    print(f"making Debian {name} in {folder}", flush=True)
    subprocess.run(["debootstrap", "--variant=minbase", name, str(folder), site], check=True, stdout=subprocess.DEVNULL)


@contextlib.contextmanager
def running(folder):
    """With the system's folders that programs need."""
    subprocess.run(["mount", "-t", "proc", "proc", str(folder / "proc")], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder / "proc")], check=False)


def inside(folder, *words, **options):
    return subprocess.run(["chroot", str(folder), *words], env=ENVIRONMENT, text=True, capture_output=True, **options)


def install(folder, packages):
    names = []
    for pattern in ("pavise_*.deb", "pavise-lab_*.deb"):
        found = sorted(packages.glob(pattern))
        if len(found) != 1:
            raise Failed(f"{packages} has {len(found)} files {pattern}")
        shutil.copy(found[0], folder / "tmp" / found[0].name)
        names.append("/tmp/" + found[0].name)
    for command in (["apt-get", "update", "-q"], ["apt-get", "install", "-y", "-q", "--reinstall", *names]):
        done = inside(folder, *command)
        if done.returncode != 0:
            raise Failed(f"{' '.join(command[:2])}: {(done.stderr or done.stdout)[-600:]}")
    if inside(folder, "sh", "-c", "command -v swift swiftc; ls /usr/lib/swift").stdout:
        raise Failed("there is a toolchain in the Debian")


# --- what the README says -----------------------------------------------------------------------------------------------

def walk(name="walk"):
    """The lines of a block of the README: words and remark."""
    block = re.search(rf"<!-- {name} -->\n```\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    if not block:
        raise Failed(f"README.md has no block {name}")
    lines = [line.partition("#") for line in block[1].splitlines() if line.strip()]
    return [(words.split(), remark.strip()) for words, _, remark in lines]


class Terminal:
    """A process in the Debian on a terminal of its own."""

    def __init__(self, folder, words, environment=ENVIRONMENT):
        self.said, self.status, self.answers = "", None, 0
        self.process, self.terminal = pty.fork()
        if self.process == 0:
            os.chroot(folder)
            os.chdir("/root")
            os.execvpe(words[0], words, environment)

    def hear(self, seconds=0.2):
        """Reads what comes in that time; whether the process still has the terminal."""
        if not select.select([self.terminal], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.terminal, 65536)
        except OSError:
            data = b""
        self.said += data.decode(errors="replace").replace("\r", "")
        return bool(data)

    def until(self, word):
        end = time.monotonic() + LONGEST
        while word not in self.said:
            if not self.hear() or time.monotonic() > end:
                raise Failed(f"never said {word!r}: {self.said[-400:]}")

    def told(self):
        """What the lab printed behind its labels, in words."""
        return {label: rest.split() for label, rest in re.findall(r"(?m)^\s*(\w+): +(.*)$", self.said)}

    def end(self, pin=None):
        """Types `pin` at each question, until the process ends."""
        end, answered = time.monotonic() + LONGEST, 0
        while self.hear():
            if time.monotonic() > end:
                os.kill(self.process, signal.SIGKILL)
                raise Failed(f"did not end: {self.said[-400:]}")
            if pin and len(self.said) > answered and self.said.endswith(": "):
                os.write(self.terminal, pin.encode() + b"\n")
                answered = len(self.said)
        self.status = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        return self.status


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def sign_in(folder, anchors, terminal):
    """The person at the page that the browser shows: name and password, and back to the program."""
    place = folder / "tmp/opened"
    end = time.monotonic() + LONGEST
    while not (place.exists() and place.read_text().startswith("https://")):
        if not terminal.hear() or time.monotonic() > end:
            raise Failed(f"no page was opened: {terminal.said[-400:]}")
    address = place.read_text()
    opener = urllib.request.build_opener(
        urllib.request.HTTPSHandler(context=ssl.create_default_context(cafile=str(folder / anchors.lstrip("/")))), NoRedirect)
    form = urllib.parse.urlencode({"username": "alice", "password": PASSWORD}).encode()
    try:
        opener.open(address, form, timeout=20)
        raise Failed("the page sends nobody back")
    except urllib.error.HTTPError as answer:
        back = answer.headers["Location"]
    if not back:
        raise Failed(f"the page answers {answer.code} and sends nobody back")
    urllib.request.urlopen(back, timeout=20).read()


def play(folder):
    browser = folder / "usr/local/bin/xdg-open"
    browser.write_text("#!/bin/sh\nprintf '%s' \"$1\" > /tmp/opened\n")
    browser.chmod(0o755)
    steps = walk()
    lab = Terminal(folder, steps[0][0])
    lab.until("Ctrl-C ends it")
    told = lab.told()
    values = dict(zip(steps[1][0], told["Try"]))
    keeps_keys = True
    for words, remark in steps[1:]:
        # What stands in capitals was printed by the lab.
        words = [values[word] if word.isupper() else word for word in words]
        promised = int((re.search(r"status (\d)", remark) or [0, 0])[1])
        terminal = Terminal(folder, words)
        if "browser opens" in remark:
            sign_in(folder, told["Anchors"][0], terminal)
        status = terminal.end(WRONG if "wrong PIN three" in remark else RIGHT)
        if "The kernel keeps no keys here" in terminal.said:
            keeps_keys = False
        # Where the kernel keeps no keys, an unlock ends with its command, which said so.
        expected = promised if keeps_keys or words[1] != "fetch" else 5
        print(f"{status}  {' '.join(words[:3])}", flush=True)
        if status != expected:
            raise Failed(f"{' '.join(words)} ended with {status} and not {expected}: {terminal.said[-600:]}")
        if words[1] == "fetch" and status == 0 and "alice" not in terminal.said:
            raise Failed(f"the answer names nobody: {terminal.said[-400:]}")
    os.kill(lab.process, signal.SIGINT)
    lab.end()
    if "1 sign-ins" not in lab.said or " 0 revocations" in lab.said:
        raise Failed(f"the lab counted otherwise: {lab.said[-400:]}")


def play_sync(folder):
    """The lines about a folder. A home of their own: the walk leaves its PIN in the person's."""
    home, files = folder / "root/pavise-sync", folder / "root/files"
    for place in (home, files):
        shutil.rmtree(place, ignore_errors=True)
    files.mkdir()
    (files / "note.txt").write_text("a note")
    environment = ENVIRONMENT | {"PAVISE_HOME": ENVIRONMENT["HOME"] + "/pavise-sync"}
    steps = walk("sync")
    lab = Terminal(folder, steps[0][0], environment)
    lab.until("Ctrl-C ends it")
    values = dict(zip(steps[1][0], lab.told()["Try"])) | {"FOLDER": ENVIRONMENT["HOME"] + "/files"}
    for words, remark in steps[1:]:
        words = [values[word] if word.isupper() else word for word in words]
        terminal = Terminal(folder, words, environment)
        status = terminal.end(PASSWORD)
        print(f"{status}  {' '.join(words[:3])}", flush=True)
        if status != 0:
            raise Failed(f"{' '.join(words)} ended with {status} and not 0: {terminal.said[-600:]}")
        expected = "Both sides are the same" if "both sides are the same" in remark else "note.txt"
        if words[1] == "sync" and expected not in terminal.said:
            raise Failed(f"{' '.join(words)} does not say {expected!r}: {terminal.said[-600:]}")
    os.kill(lab.process, signal.SIGINT)
    lab.end()
    if "and 1 files were there at the end" not in lab.said:
        raise Failed(f"the lab has other files: {lab.said[-400:]}")


def looks(folder):
    """What a person asks first: version, man page, completion, doctor."""
    version = inside(folder, "pavise", "--version")
    if version.returncode != 0 or not re.match(r"pavise \d+\.\d+\.\d+", version.stdout):
        raise Failed(f"pavise --version: {version.stdout}{version.stderr}")
    for command in (["pavise", "help"], ["pavise", "doctor"], ["pavise", "help", "environment"]):
        done = inside(folder, *command)
        # The doctor may find something to be mended, and says so with 1.
        if done.returncode not in ((0, 1) if "doctor" in command else (0,)):
            raise Failed(f"{' '.join(command)} ended with {done.returncode}: {(done.stderr or done.stdout)[-400:]}")
    # Where the shells of Debian look for what a package brings.
    for place in ("usr/share/bash-completion/completions/pavise", "usr/share/zsh/vendor-completions/_pavise",
                  "usr/share/fish/vendor_completions.d/pavise.fish"):
        if not (folder / place).is_file():
            raise Failed(f"there is no {place}")


def leave(folder):
    """The packages go, and the home of the walk stays, byte for byte."""
    home = folder / "root/.local/share/pavise"

    def content():
        return {path: path.read_bytes() for path in sorted(home.rglob("*")) if path.is_file()}

    before = content()
    if not before:
        raise Failed(f"the walk left no file in {home}")
    done = inside(folder, "apt-get", "remove", "-y", "-q", "pavise", "pavise-lab")
    if done.returncode != 0:
        raise Failed(f"apt-get remove: {(done.stderr or done.stdout)[-600:]}")
    if (folder / "usr/bin/pavise").exists():
        raise Failed("apt-get remove leaves the program")
    if content() != before:
        raise Failed("apt-get remove changed the home")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packages", type=pathlib.Path)
    parser.add_argument("--keep", type=pathlib.Path)
    words = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("installed: only root can make a Debian of its own: sudo make release-installed")
    with contextlib.ExitStack() as stack:
        folder = words.keep or pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="pavise-debian-")))
        try:
            make_debian(folder)
            stack.enter_context(running(folder))
            install(folder, words.packages)
            looks(folder)
            play(folder)
            play_sync(folder)
            leave(folder)
        except Failed as failure:
            sys.exit(f"installed: {failure}")
    print("The blocks of README.md went as they are written, with the installed packages and without a toolchain; their removal left the home.")


if __name__ == "__main__":
    main()
