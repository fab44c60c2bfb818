"""Where the lines of a log end up, watched for a whole run: nothing secret of the run may be in any of them.

A socket of ours takes the place of journald's in a mount namespace of this process, so that nothing reaches the machine's own
log. Every program is told to log there (PAVISE_LOG=system). What is typed, sent or issued in the run is a canary; it is
searched for in the entries, in what the programs said on standard error, and in the audit trails, in the disguises that
`CanarySearch` of the lab knows.
"""

import base64
import ctypes
import os
import pathlib
import re
import socket
import subprocess
import threading
import time

# glewlwyd's access tokens and id_tokens are JWTs, base64url of {" and more; its refresh tokens are 128 letters. Sealed
# pages of the size of the keychain hold "eyJ" alone once in some eighty runs, by chance.
TOKEN = re.compile(rb"eyJ[A-Za-z0-9_-]{16}|[A-Za-z0-9_-]{100}")
JOURNAL = pathlib.Path("/run/systemd/journal")
CLONE_NEWNS = 0x20000
# The sign-in page's address is told to a person, with what belongs into it.
PAGE = re.compile(rb"^https://\S*$", re.M)
# Shorter ones would be found in noise.
SHORTEST = 8


def disguises(canary):
    """The ways in which a text is written without meaning to show it."""
    plain = canary.encode()
    yield from (plain, plain[::-1], canary.encode("utf-16-le"), canary.encode("utf-16-be"))
    yield from (plain.hex().encode(), plain.hex().upper().encode())
    for offset in range(3):
        text = base64.b64encode(b"\0" * offset + plain)
        # What depends on the bytes beside it does not count.
        text = text[(0, 2, 3)[offset]:len(text) - (0, 3, 2)[(offset + len(plain)) % 3]]
        yield from (text, text.translate(bytes.maketrans(b"+/", b"-_")))


class Sinks:
    """What the programs of a run wrote, and what must not be in it."""

    current = None

    def __init__(self):
        self.canaries, self.entries, self.messages = set(), [], []
        self.socket = None

    @classmethod
    def start(cls):
        """Puts a socket in the place of journald's, in a mount namespace of this process; nothing where that is not permitted."""
        made = not JOURNAL.exists()
        try:
            JOURNAL.mkdir(parents=True, exist_ok=True)
            if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWNS) != 0:
                return None
            for words in (["--make-rprivate", "/"], ["-t", "tmpfs", "tmpfs", str(JOURNAL)]):
                if subprocess.run(["mount", *words], capture_output=True).returncode != 0:
                    return None
        except OSError:
            return None
        sinks = cls()
        sinks.made = made
        sinks.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        sinks.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4 << 20)
        sinks.socket.bind(str(JOURNAL / "socket"))
        threading.Thread(target=sinks.listen, daemon=True).start()
        cls.current = sinks
        return sinks

    def listen(self):
        while True:
            try:
                entry, descriptors, _, _ = socket.recv_fds(self.socket, 1 << 20, 4)
            except OSError:
                return
            for descriptor in descriptors:
                # An entry that is too large for a datagram comes as a sealed file.
                entry += os.pread(descriptor, 1 << 24, 0)
                os.close(descriptor)
            self.entries.append(entry)

    def hide(self, text):
        """What was typed or given away is not to be found: each line of it."""
        self.canaries |= {line.strip() for line in (text or "").splitlines() if len(line.strip()) >= SHORTEST}

    def said(self, text):
        self.messages.append(text.encode())

    def trails(self, program, folder):
        """The entries of every audit trail below a folder, and of the support log beside it."""
        lines = []
        for place in pathlib.Path(folder).rglob("audit"):
            if place.is_dir():
                environment = program.environment() | {"PAVISE_HOME": str(place.parent)}
                for words in (["log", "audit", "--lines"], ["log", "export"]):
                    answer = subprocess.run(
                        [program.binary, *words], env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=60)
                    lines.append(answer.stdout + answer.stderr)
        return lines

    def found(self, name, pieces):
        """What of the canaries stands in these pieces; the canary itself is not repeated."""
        content = PAGE.sub(b"", b"\n".join(pieces))
        # What is told to a person has long rows of letters and dashes of its own.
        problems = [] if name == "messages" else [f"{name}: something like a token" for _ in TOKEN.finditer(content)][:5]
        beginnings = {}
        for number, canary in enumerate(sorted(self.canaries)):
            for form, text in enumerate(disguises(canary)):
                beginnings.setdefault(text[:6], []).append((text, number, form))
        for place in range(len(content) - 5):
            for text, number, form in beginnings.get(content[place:place + 6], ()):
                if content.startswith(text, place):
                    problems.append(f"{name}: canary {number} as disguise {form}: {self.beside(content, place, text)}")
        return problems

    @staticmethod
    def beside(content, place, text):
        line = content[max(0, content.rfind(b"\n", 0, place) + 1):place]
        return (line[-120:] + "…".encode()).decode(errors="replace")

    def search(self, program, folder):
        """All of it: what was found, and how much was looked at. A search that finds nothing planted is an error."""
        time.sleep(0.2)
        for form in list(disguises("planted-canary-27182")):
            blind = Sinks()
            blind.hide("planted-canary-27182\n")
            assert blind.found("planted", [b"MESSAGE=a " + form + b" b"]), "the search finds nothing"
        trails = self.trails(program, folder)
        sinks = {"journal": self.entries, "messages": self.messages, "audit": trails}
        problems = [problem for name, pieces in sinks.items() for problem in self.found(name, pieces)]
        sizes = ", ".join(f"{name} {len(pieces)} with {sum(map(len, pieces)):,} bytes" for name, pieces in sinks.items())
        return problems, f"{len(self.canaries)} canaries; {sizes}"

    def stop(self):
        if self.socket:
            self.socket.close()
        subprocess.run(["umount", str(JOURNAL)], capture_output=True)
        if self.made:
            for place in (JOURNAL, JOURNAL.parent):
                try:
                    place.rmdir()
                except OSError:
                    pass
        Sinks.current = None
