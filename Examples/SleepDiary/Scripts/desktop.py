"""A desktop of its own for one run of the diary: a screen in memory, a session bus, a window manager, and somebody who finds
things by the names that a screen reader reads, presses them and types."""

import contextlib
import json
import os
import pathlib
import resource
import shutil
import signal
import ssl
import subprocess
import sys
import tempfile
import time
import urllib.request

import reader

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
PRESSED = ("push button", "button", "toggle button", "radio button", "check box", "switch", "page tab")
DIARY = pathlib.Path(os.environ.get("SLEEP_DIARY", ROOT / ".build-tests" / "debug" / "sleep-diary"))
# The programs for use; those of the tests where PAVISE_LAB names them.
LAB = pathlib.Path(os.environ.get("PAVISE_LAB", ROOT / ".build" / "release" / "pavise-lab"))
PAVISE = LAB.with_name("pavise")
DOCUMENT_WINDOW = DIARY.with_name("document-window")


def expect(condition, sentence):
    if not condition:
        raise AssertionError(sentence)


def wait_for(find, sentence, seconds=60):
    """What `find` gives as soon as it gives something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(Exception):
            found = find()
            if found:
                return found
        time.sleep(0.1)
    raise AssertionError(f"waited {seconds} s in vain: {sentence}")


class Screen:
    """Xvfb and openbox; the session bus is that of dbus-run-session around this process."""

    def __init__(self, size="900x820"):
        os.environ.pop("WAYLAND_DISPLAY", None)
        # A display that was given away meanwhile is not one: then another.
        for attempt in range(3):
            self.open(size)
            try:
                wait_for(self.answers, "a screen", 8)
                return
            except AssertionError:
                self.stop()
                if attempt == 2:
                    raise

    def open(self, size):
        read, write = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", f"{size}x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=(write,), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        number = b""
        while not number.endswith(b"\n"):
            more = os.read(read, 16)
            expect(more, "Xvfb did not start")
            number += more
        os.close(read)
        os.environ["DISPLAY"] = f":{number.decode().strip()}"
        self.windows = subprocess.Popen(
            ["openbox"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    @staticmethod
    def answers():
        return subprocess.run(["xdotool", "getdisplaygeometry"], capture_output=True).returncode == 0

    def stop(self):
        for process in (self.windows, self.server):
            process.terminate()
            process.wait(10)


class Login:
    """systemd-logind, as the machine's bus has it: here on one of its own, and played by logind.py."""

    def __init__(self):
        self.bus = subprocess.Popen(["dbus-daemon", "--session", "--print-address", "--nofork", "--nopidfile"],
                                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.address = self.bus.stdout.readline().strip()
        self.player = subprocess.Popen(["/usr/bin/python3", str(HERE / "logind.py"), self.address],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        expect(self.player.stdout.readline().strip() == "ready", "nobody plays systemd-logind")

    def say(self, word):
        self.player.stdin.write(f"{word}\n")
        self.player.stdin.flush()

    def wait_for_listener(self):
        """Until the diary listens to its session's signals, its properties and the machine's sleep."""
        def listens():
            self.say("count")
            return self.player.stdout.readline().strip() == "3"
        wait_for(listens, "somebody who listens to systemd-logind")

    def stop(self):
        for process in (self.player, self.bus):
            process.terminate()
            process.wait(10)


class Lab:
    """The authority of the diary's clinic, until it is stopped."""

    def __init__(self, port=None, idle=14400, access=1800):
        command = [str(LAB), "authority", "--json", "--client-id", "sleep-diary", "--access-lifetime", str(access),
                   "--refresh-lifetime", "1209600", "--idle", str(idle), "--maximum-session", "86400"]
        if port:
            command += ["--port", str(port)]
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        expect(line, "the lab did not start: " + (self.process.stderr.read() if not line else ""))
        self.facts = json.loads(line)
        self.counted = None
        self.address = self.facts["issuer"]

    @property
    def port(self):
        return int(self.address.rsplit(":", 1)[1].split("/")[0])

    def push_service(self):
        """What its push service knows, as whoever works there reads it."""
        context = ssl.create_default_context(cafile=self.facts["anchors"])
        with urllib.request.urlopen(f"{self.address}/api/push/service", timeout=20, context=context) as answer:
            return json.load(answer)

    def pause(self):
        """It answers nobody; what waits for it waits."""
        self.process.send_signal(signal.SIGSTOP)

    def go_on(self):
        self.process.send_signal(signal.SIGCONT)

    def stop(self):
        """Ends it and gives what it counted; the same again where it has ended."""
        if not self.counted:
            self.process.send_signal(signal.SIGTERM)
            out, _ = self.process.communicate(timeout=20)
            self.counted = json.loads(out.strip().splitlines()[-1])
        return self.counted


class Diary:
    """The program in a home of its own, seen as assistive technology sees it."""

    def __init__(self, folder, home="home", language="english", lab=None, appearance=None, login=None):
        self.folder = pathlib.Path(folder)
        self.home = self.folder / home
        self.log = self.folder / "diary.log"
        # xdg-open of this desktop is a person's browser.
        tools = self.folder / "tools"
        tools.mkdir(exist_ok=True)
        browser = tools / "xdg-open"
        browser.write_text(f'#!/bin/sh\nexec {sys.executable} {HERE}/browser.py "$1"\n')
        browser.chmod(0o755)
        self.environment = {
            "PATH": f"{tools}:/usr/bin:/bin", "HOME": str(self.folder), "DISPLAY": os.environ["DISPLAY"],
            "DBUS_SESSION_BUS_ADDRESS": os.environ["DBUS_SESSION_BUS_ADDRESS"], "PAVISE_HOME": str(self.home),
            # GLib would print what goes over the bus into the log, which is searched.
            "G_DBUS_DEBUG": "message",
            "XDG_RUNTIME_DIR": str(self.folder), "LANG": "C.UTF-8", "SLEEP_DIARY_LANGUAGE": language,
            "GSK_RENDERER": "cairo", "TZ": "UTC",
            # No machine's own: a desktop that is locked while this runs would lock the diary.
            "DBUS_SYSTEM_BUS_ADDRESS": login.address if login else "unix:path=/nonexistent",
        }
        if appearance:
            self.environment["SLEEP_DIARY_APPEARANCE"] = appearance
        if lab:
            self.environment["SLEEP_DIARY_SERVER"] = lab.address
            self.environment["LAB_ANCHORS"] = lab.facts["anchors"]
            self.environment["LAB_PIN"] = lab.facts["pin"]
        self.process = self.bus_name = None

    def fill(self):
        subprocess.run([str(DIARY), "--sample"], env=self.environment, check=True, stdout=subprocess.DEVNULL, timeout=120)

    def start(self):
        self.bus_name = None
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [str(DIARY)], env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        wait_for(self.root, "the program on the accessibility bus")
        wait_for(self.window, "a window")
        return self

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(20)

    def dumps_core(self):
        """Lets a crash end it; whether it left a core file."""
        resource.prlimit(self.process.pid, resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        self.process.send_signal(signal.SIGSEGV)
        _, status = os.waitpid(self.process.pid, 0)
        self.process.returncode = -os.WTERMSIG(status)
        return os.WCOREDUMP(status)

    def kill(self):
        """Ends it as a crash or an empty battery does."""
        self.process.kill()
        self.process.wait(20)

    def children(self):
        """The processes that it started, and that live: number → program."""
        found = {}
        for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
            with contextlib.suppress(OSError):
                name, _, rest = path.read_text().partition("(")[2].rpartition(")")
                if rest.split()[1] == str(self.process.pid) and rest.split()[0] != "Z":
                    found[int(path.parent.name)] = name
        return found

    # -- What is there

    def root(self):
        """All that is there for a screen reader; nothing while the program is not on the bus."""
        if self.bus_name is None:
            self.bus_name = reader.name_of(self.process.pid)
        return self.bus_name and reader.read(self.bus_name)

    def window(self):
        found = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid)], capture_output=True, text=True).stdout
        names = found.split() or subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--class", "sleep-diary"], capture_output=True, text=True).stdout.split()
        return names[0] if names else None

    def nodes(self):
        """Everything that a screen reader can reach."""
        root = self.root()
        return list(root.within()) if root else []

    def texts(self):
        """All names, descriptions and texts, as one."""
        return "\n".join(text for node in self.nodes() for text in (node.name, node.description, node.text()) if text)

    def text_with(self, words):
        """The whole of the first text in which these words stand."""
        return next(text for node in self.nodes() for text in (node.text(), node.name) if words in text)

    def find(self, name):
        return next((node for node in self.nodes() if node.name == name), None)

    def has(self, text):
        return text in self.texts()

    def tells(self, *canaries):
        """Which of these stand in anything that a program on the bus can ask for, in a window or not."""
        said = "\n".join(text for node in reader.told(self.bus_name) for text in (node.name, node.description, node.text()))
        return [canary for canary in canaries if canary in said]

    def see(self, text, seconds=60):
        try:
            wait_for(lambda: self.has(text), f"“{text}” on the screen", seconds)
        except AssertionError as error:
            raise AssertionError(f"{error}; there is:\n{self.texts()[:2000]}") from None

    # -- What is done

    def press(self, name, seconds=60):
        def go():
            pressed = False
            for node in self.nodes():
                # The nearest that can be pressed: itself, or what is around its label.
                at = node if node.name.strip() == name else None
                for _ in range(4):
                    if at is None:
                        break
                    if at.role == "page tab":
                        # libadwaita has each three times, for windows of three widths. The one that is seen does it, and it is
                        # not always the first: once a cover took the page away and gave it back, it is another.
                        pressed = at.press() or pressed
                        break
                    if at.role in PRESSED:
                        return pressed or at.press()
                    at = at.parent
            return pressed
        wait_for(go, f"something to press that is called “{name}”", seconds)
        time.sleep(0.15)

    def press_until(self, name, text, seconds=60):
        """Presses again what did not hear it: a page that is still sliding, or that another takes the place of, takes no press."""
        end = time.monotonic() + seconds
        while True:
            self.press(name)
            with contextlib.suppress(AssertionError):
                return self.see(text, 5 if time.monotonic() + 5 < end else seconds)
            if time.monotonic() > end:
                raise AssertionError(f"pressed “{name}” in vain: no “{text}”")

    def press_last(self, name):
        """The last of the buttons of this name: that of a question above the page."""
        def go():
            found = [node for node in self.nodes() if node.name == name and node.role in ("push button", "button")]
            return bool(found) and found[-1].press()
        wait_for(go, f"a button “{name}”")

    def answer(self, words, name):
        """Answers the question in whose window these words stand with the button of this name.

        libadwaita has each of its buttons twice, for wide and for narrow windows; the one that is not seen does nothing.
        Both say their name twice to the bus: as label, and as what they are labelled by."""
        def go():
            for window in self.root().children:
                nodes = list(window.within())
                # The window of the app may have the words, too.
                if window.role != "dialog" or not any(words in text for node in nodes for text in (node.name, node.text())):
                    continue
                found = [node for node in nodes if node.role in PRESSED and node.name in (name, f"{name} {name}")]
                for node in found:
                    # The first one that is seen has closed the question.
                    with contextlib.suppress(Exception):
                        node.press()
                if found:
                    return True
            return False
        wait_for(go, f"a question “{words}” with the answer “{name}”")
        wait_for(lambda: not self.has(words), f"an end of the question “{words}”")

    def write(self, label, text):
        """Types into the row whose title is `label`."""
        def go():
            found = self.find(label)
            at = found
            for _ in range(6):
                if at is None:
                    return False
                for node in at.within():
                    if "EditableText" in node.interfaces:
                        return node.write(text)
                at = at.parent
            return False
        wait_for(go, f"a row to type into that is called “{label}”")

    def type_pin(self, digits, digit="Digit %s", enter="Enter"):
        """With the keypad, as with a pointer."""
        def go():
            keys = {node.name: node for node in self.nodes() if node.role in PRESSED}
            wanted = [keys[name] for name in [digit % one for one in digits] + [enter]]
            for key in wanted:
                key.press()
                time.sleep(0.05)
            return True
        wait_for(go, "a keypad")
        time.sleep(0.15)

    def key_pin(self, digits):
        """With the keyboard, which the field for the PIN has by itself."""
        self.front()
        wait_for(lambda: any(node.has_keyboard and node.name == "PIN" for node in self.nodes()), "the keyboard at the PIN")
        subprocess.run(["xdotool", "type", "--delay", "40", digits], check=True)
        subprocess.run(["xdotool", "key", "Return"], check=True)

    def press_row_with(self, text):
        """Presses the button of the row in which this text stands."""
        def go():
            at = next((node for node in self.nodes() if text in node.name or text in node.text()), None)
            for _ in range(6):
                if at is None:
                    return False
                for node in at.within():
                    if node.role in PRESSED:
                        return node.press()
                at = at.parent
            return False
        wait_for(go, f"a row with “{text}”")
        time.sleep(0.15)

    def enter(self, after, text):
        """Goes with the keyboard alone to what comes after the control of this name, types what `text` gives, and presses Enter."""
        def is_there():
            return any(node.has_keyboard and node.name == after and node.role != "list item" for node in self.nodes())
        self.front()
        for _ in range(40):
            if is_there():
                break
            subprocess.run(["xdotool", "key", "Tab"], check=True)
            time.sleep(0.3)
        expect(is_there(), f"the keyboard alone does not come to “{after}”")
        # GTK 4.8 does not tell the bus that a row to type into has the keyboard. Its whole text is selected then.
        subprocess.run(["xdotool", "key", "Tab", "type", "--delay", "40", text()], check=True)
        subprocess.run(["xdotool", "key", "Return"], check=True)

    def escape(self, words):
        """Answers the question in which these words stand with Escape."""
        subprocess.run(["xdotool", "key", "Escape"], check=True)
        wait_for(lambda: not self.has(words), f"an end of the question “{words}”")

    def choose_file(self, path):
        """Types the path into the system's dialog that is open, as a person does who begins with a slash."""
        wait_for(lambda: len(self.windows()) > 1, "a dialog to choose a file")
        time.sleep(1)
        subprocess.run(["xdotool", "type", "--delay", "60", str(path)], check=True)
        time.sleep(0.6)
        subprocess.run(["xdotool", "key", "Return"], check=True)
        wait_for(lambda: len(self.windows()) == 1, "the end of the dialog")

    def windows(self, process=None):
        """The windows of the program, or of another one, that can be seen."""
        return subprocess.run(["xdotool", "search", "--onlyvisible", "--pid", str(process or self.process.pid)],
                              capture_output=True, text=True).stdout.split()

    def front(self):
        """Brings the diary in front. A question over its window gets the keyboard in the window's place."""
        subprocess.run(["xdotool", "windowactivate", self.window()], check=False, timeout=10)
        wait_for(lambda: subprocess.run(["xdotool", "getactivewindow"], capture_output=True, text=True).stdout.strip() in self.windows(),
                 "the diary in front", 10)

    def resize(self, width, height):
        """The window at this size, which its window manager may not refuse."""
        subprocess.run(["xdotool", "windowsize", "--sync", self.window(), str(width), str(height)], check=True, timeout=10)
        found = subprocess.run(
            ["xdotool", "getwindowgeometry", "--shell", self.window()], capture_output=True, text=True, check=True).stdout
        expect(f"WIDTH={width}\n" in found, f"the window is not {width} points wide: {found}")

    def picture(self, path):
        time.sleep(0.6)
        subprocess.run(["import", "-window", self.window(), str(path)], check=True)

    # -- What stays

    def memory_holds(self, *canaries):
        """Which of the byte strings lie in the memory of the process."""
        return {canary for canary, _ in self.memory_places(*canaries)}

    def memory_places(self, *canaries, process=None):
        """The same, with the line of /proc/PID/maps and the offset: in what can be written, for libraries hold many words."""
        found = set()
        number = process or self.process.pid
        expect(os.geteuid() == 0 or process, "the diary lets no other program of its user read its memory: run this as root")
        piece, overlap = 8 << 20, max(map(len, canaries))
        with open(f"/proc/{number}/mem", "rb", 0) as memory, open(f"/proc/{number}/pagemap", "rb", 0) as pages:
            for line, start, end in written_memory(number):
                for at in range(start, end, piece):
                    with contextlib.suppress(OSError, OverflowError, ValueError):
                        # What was never touched is gigabytes of zeros: a page has a word of eight bytes, its upper two bits say so.
                        pages.seek(at // 4096 * 8)
                        if not any(byte & 0xC0 for byte in pages.read(min(piece, end - at) // 4096 * 8)[7::8]):
                            continue
                        memory.seek(at)
                        content = memory.read(min(piece + overlap, end - at))
                        for canary in filter(content.__contains__, canaries):
                            place = content.find(canary)
                            # What lies around it says whose it is.
                            around = content[max(0, place - 96):place + 96].hex(" ", 8)
                            found.add((canary, f"{line} +{at - start + place:#x}: {around}"))
        return found

    def memory_without(self, *canaries, seconds=60):
        """Waits until none of the byte strings lies in the memory of the process, and says how long that took."""
        begun = time.monotonic()
        while found := self.memory_places(*canaries):
            expect(time.monotonic() - begun < seconds, f"in memory after {seconds} s: {sorted(found)}")
            time.sleep(0.5)
        return time.monotonic() - begun

    def files_hold(self, *canaries):
        """Which of the byte strings lie in a file that this day has left: the homes of all devices, the folder that GTK and the
        desktop write to as the person's, what runs beside it, and the log. A thief's copies are not among them."""
        found = set()
        for path in self.folder.rglob("*"):
            if path.is_file() and not path.is_symlink() and path.relative_to(self.folder).parts[0] not in ("stolen", "part", "tools"):
                content = path.read_bytes()
                found |= {(canary, str(path.relative_to(self.folder))) for canary in canaries if canary in content}
        return found


@contextlib.contextmanager
def other_window(beside=None):
    """A window of another program, in front; where `beside` names one, below that, so that a picture of it has no corner of this."""
    # GTK does what the bus presses a quarter of a second later, and not where the keyboard has gone meanwhile.
    time.sleep(1)
    process = subprocess.Popen(["display", "-size", "220x60", "xc:white"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    try:
        window = wait_for(lambda: subprocess.run(["xdotool", "search", "--onlyvisible", "--class", "display"],
                                                 capture_output=True, text=True).stdout.split(), "another window")[0]
        if beside:
            subprocess.run(["xdotool", "windowmove", beside, "0", "0", "windowmove", window, "10", "730"], check=True, timeout=10)
        subprocess.run(["xdotool", "windowactivate", "--sync", window], check=False, timeout=10)
        yield
    finally:
        process.terminate()
        process.wait(10)


def written_memory(number):
    """What a process can write and has touched, as line of its maps, start and end: a browser's process reserves gigabytes more."""
    line = ""
    for text in pathlib.Path(f"/proc/{number}/smaps").read_text().splitlines():
        words = text.split()
        if "-" in words[0] and not words[0].endswith(":"):
            line = text
        elif words[0] == "Rss:" and int(words[1]) > 0:
            parts = line.split()
            if parts[1].startswith("rw") and parts[-1] not in ("[vvar]", "[vsyscall]", "[vdso]"):
                yield line, *(int(part, 16) for part in parts[0].split("-"))


@contextlib.contextmanager
def stage():
    """A folder, a screen, and an end to both."""
    missing = [name for name in ("Xvfb", "openbox", "xdotool", "import") if not shutil.which(name)]
    expect(not missing, f"missing: {' '.join(missing)}; Scripts/bootstrap diary installs them")
    expect("DBUS_SESSION_BUS_ADDRESS" in os.environ, "run it under dbus-run-session")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="sleep-diary-"))
    folder.chmod(0o700)
    # The accessibility bus lies there, and would otherwise be that of another run of this user.
    subprocess.run(["dbus-update-activation-environment", f"XDG_RUNTIME_DIR={folder}"], check=True)
    screen = Screen()
    try:
        yield folder
    finally:
        screen.stop()
        shutil.rmtree(folder, ignore_errors=True)
