"""make diary-walk: one day with the diary, as a person has it: a real window, a real session bus, a server, a sign-in, and
somebody who looks for what must not be found in files, log, memory and on the accessibility bus.

Usage: walk.py [--only PART[,PART…]] [--list]
       --only plays the beginning of the day in its short form, and then these parts of it, in the order of the day
       --list names the parts and their steps

Where a step fails, a picture of the screen lies in Artifacts."""

import argparse
import contextlib
import faulthandler
import json
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import time
import traceback

import reader
from desktop import DOCUMENT_WINDOW, PAVISE, ROOT, Diary, Lab, Login, expect, other_window, stage, wait_for

# Six digits that stand in no library: icons in GTK's own file have many others, and a search would find those.
PIN = "840275"
NOTES = ["walk-canary-heron", "walk-canary-otter", "walk-canary-lynx"]
EDITS = ["walk-canary-badger", "walk-canary-stoat", "walk-canary-marten"]
OTHER_PIN = "508216"
SECRETS = [PIN.encode(), OTHER_PIN.encode(), b"canary-access-", b"canary-refresh-", b"lab-push-".hex().encode()]
# Of a document: what it is called, and what stands in it.
LETTERS = [b"stranger.html", b"on Friday"]
WORDS = [note.encode() for note in NOTES + EDITS] + [note.encode("utf-16-le") for note in NOTES + EDITS]

# What is played: the part of the day, a sentence, and what does it.
STEPS = []


def step(part, sentence):
    def add(function):
        STEPS.append((part, sentence, function))
        return function
    return add


class Day:
    def __init__(self, folder):
        self.folder = folder
        self.lab = Lab()
        self.login = Login()
        self.diary = Diary(folder, lab=self.lab, login=self.login)
        # The first sign-in is in a real browser, the later ones play one.
        self.diary.environment["LAB_BROWSER"] = "chromium"
        self.other = None
        self.third = None
        self.short = None
        self.lines = []

    def note(self, line):
        self.lines.append(line)

    def stop(self):
        for device in filter(None, (self.diary, self.other, self.third)):
            with contextlib.suppress(Exception):
                device.stop()
        for server in filter(None, (self.lab, self.short, self.login)):
            with contextlib.suppress(Exception):
                server.stop()


@step("beginning", "The first start asks for a PIN, refuses a weak one, and takes one that is typed twice")
def choose_pin(day):
    diary = day.diary.start()
    diary.see("Choose a PIN")
    found = diary.memory_places(PIN.encode(), OTHER_PIN.encode())
    expect(not found, f"in memory before anybody typed it, so that a search proves nothing: {found}")
    for _ in range(2):
        diary.type_pin("1234")
    wait_for(lambda: not diary.has("One moment"), "an answer")
    expect(diary.has("Choose a PIN") and not diary.has("Your health data"), "a weak PIN was taken")
    diary.type_pin(PIN)
    diary.see("Type the same PIN again")
    diary.type_pin("840274")
    diary.see("The two PINs differ")
    for _ in range(2):
        diary.type_pin(PIN)
    diary.see("Your health data")


@step("beginning", "Nothing is kept before the person agrees")
def agree(day):
    for name in ("Add a night", "Questions", "Documents", "Trends"):
        expect(not day.diary.has(name), f"{name} can be pressed before the person agrees")
    day.diary.press("I agree")
    day.diary.see("No nights yet")


@step("beginning", "Three nights are told; one that cannot be is refused with what to mend")
def nights(day):
    diary = day.diary
    for number, note in enumerate(NOTES):
        diary.press("Add a night")
        diary.see("Minutes until asleep")
        # Some days ago: last night is not among them, or nobody would be reminded of it.
        diary.write("Evening of (year-month-day)", time.strftime("%Y-%m-%d", time.gmtime(time.time() - (6 - number) * 86_400)))
        diary.write("Note", note)
        if number == 0:
            diary.write("Minutes until asleep", "many")
            diary.press("Save")
            diary.see("Write minutes as a number")
            diary.write("Minutes until asleep", "25")
        diary.press("Save")
        wait_for(lambda: not diary.has("Minutes until asleep"), "the night's page closed")
        diary.see(note)
    diary.press("Trends")
    diary.see(f"{len(NOTES)} nights")


@step("beginning", "Questionnaires: one with all items answered, one with the answer that shows where help is")
def questionnaires(day):
    diary = day.diary
    diary.press("Questions")
    for title, items, option, result in (
            ("Insomnia Severity Index (ISI)", 7, "Moderate", "Sum 14 of 28"),
            ("Patient Health Questionnaire (PHQ-9)", 9, "Several days", "Sum 9 of 27")):
        diary.press_until(f"Answer now: {title}", f"Question 1 of {items}")
        for item in range(items):
            diary.see(f"Question {item + 1} of {items}")
            diary.press(option)
        diary.see(result)
        expect(diary.has("You are not alone") == (items == 9), "help is shown where it is needed, and only there")
        # The window has a button of this name, too, before it.
        diary.press_last("Close")
        diary.see("Answer now")
        diary.see(result)


@step("sign-in", "A server with a certificate that nobody knows: no is the safe answer, and nothing is sent")
def refuse(day):
    diary = day.diary
    diary.press("Settings")
    diary.see("Sign in at the server of your clinic")
    diary.press("Sign in")
    diary.see("Do you know this server?")
    expect(diary.has("No authority that this device trusts has issued it."), "the reason is not said")
    diary.press("What does this mean?")
    diary.see("compare every character")
    subprocess.run(["xdotool", "key", "Escape"], check=True)
    diary.see("Nothing was sent.")


@step("sign-in", "Trusted, the sign-in goes through the system's browser, and the server knows the person")
def sign_in(day):
    diary = day.diary
    diary.press("Settings")
    diary.press("Sign in")
    diary.see("Do you know this server?")
    shown = diary.texts()
    pin = day.lab.facts["pin"]
    expect(" ".join(pin[at:at + 4] for at in range(0, len(pin), 4)) in shown, "the key on the screen is not the server's")
    diary.press("I compared it: trust")
    # The browser's window may have the keyboard meanwhile, and leave it to nobody.
    with contextlib.suppress(AssertionError):
        diary.see("Signed in at", 60)
    diary.front()
    diary.see("Signed in at", 60)
    del diary.environment["LAB_BROWSER"]
    told = day.folder / "browser.log"
    day.note(told.read_text() if told.is_file() else "no Chromium is installed: played by requests")
    diary.press_until("Ask the server who I am", "The server knows you as alice.")


@step("sign-in", "What the server answers while another window is in use is said when the person is back, and not above the cover")
def said_later(day):
    diary, words = day.diary, "The server knows you as"
    diary.press("Settings")
    diary.see("Signed in at")
    # What was said before is gone.
    wait_for(lambda: not diary.has(words), "an end of what was said before")
    day.lab.pause()
    try:
        diary.press("Ask the server who I am")
        with other_window():
            diary.see("Hidden while another window is in use.")
            day.lab.go_on()
            time.sleep(4)
            expect(not diary.has(words), "a toast above the cover says who the person is")
    finally:
        day.lab.go_on()
    diary.front()
    diary.see(f"{words} alice.")


@step("sign-in", "The clinic's server needs no exception of App Transport Security, and the app asks for none")
def transport(day):
    done = subprocess.run([str(PAVISE), "ats", "diagnose", "--anchors", day.lab.facts["anchors"], day.lab.address],
                          capture_output=True, text=True)
    expect(done.returncode == 0, f"{done.stdout}{done.stderr}")
    plist = pathlib.Path(__file__).resolve().parent.parent / "Apple" / "Resources" / "Info.plist"
    done = subprocess.run([str(PAVISE), "ats", "lint", str(plist)], capture_output=True, text=True)
    expect(done.returncode == 0, f"{done.stdout}{done.stderr}")
    day.note(done.stdout.strip().splitlines()[0])


def keep_letter(day):
    letter = day.folder / "stranger.html"
    letter.write_text(LETTER)
    # What a synchronisation brought, or a window that is back from under its cover, shows the page anew; the press before is lost.
    for _ in range(6):
        day.diary.press("Documents")
        time.sleep(0.5)
        day.diary.press_last("Add a document")
        with contextlib.suppress(AssertionError):
            wait_for(lambda: len(day.diary.windows()) > 1, "a dialog to choose a file", 5)
            break
    day.diary.choose_file(letter)
    letter.unlink()
    day.diary.see("stranger.html")


LETTER = """<h1>Walk clinic</h1><p>Your appointment is <b>on Friday</b>.<script>document.title = 'run'</script>
<img src="https://tracker.example/open.gif"><p><a href="https://clinic.example/">here</a>"""


@step("document", "A stranger's letter is kept sealed, read as text, and shown with its layout by a program that has no keys")
def document(day):
    diary = day.diary
    keep_letter(day)
    diary.press_row_with("stranger.html")
    diary.see("on Friday")
    expect(diary.has("Left out for your safety: 2"), "it is not said that something was left out")
    expect(not diary.has("document.title"), "the script is in the text")
    if not DOCUMENT_WINDOW.is_file():
        expect(not diary.has("Show with its layout"), "a window is offered that is not installed")
        day.note("not installed: document-window; its text is what is shown. make document-window builds it")
    else:
        look_at(diary)
    diary.front()
    diary.press("Back")
    diary.see("Add a document")


def look_at(diary):
    """The document's window: it comes, is read longer than a minute away would be, has no secret, and goes with the lock."""
    diary.press("Show with its layout")
    number = wait_for(lambda: next((number for number, name in diary.children().items() if name == "document-window"), 0),
                      "the program for documents")
    window = wait_for(lambda: diary.windows(number), "its window")[0]
    subprocess.run(["xdotool", "windowactivate", "--sync", window], check=False, timeout=10)
    diary.see("Hidden while another window is in use.")
    title = subprocess.run(["xdotool", "getwindowname", window], capture_output=True, text=True, check=True).stdout.strip()
    expect(title == "Sleep diary", f"everybody on this desktop can read the title: {title}")
    expect("stranger" not in pathlib.Path(f"/proc/{number}/cmdline").read_text(), "the document's name is in the list of processes")
    environment = pathlib.Path(f"/proc/{number}/environ").read_text()
    expect("PAVISE" not in environment and "SLEEP_DIARY" not in environment, "it has variables of the diary")
    for place in pathlib.Path(f"/proc/{number}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            expect(str(diary.home) not in str(place.readlink()), f"it has a file of the diary open: {place.readlink()}")
    expect(diary.memory_places(b"on Friday", process=number), "the search of its memory finds nothing, also not the page")
    found = diary.memory_places(*SECRETS, *WORDS, process=number)
    expect(not found, f"it has what it must not have: {found}")
    networks = [pathlib.Path(f"/proc/{one}/ns/net").readlink() for one in (number, diary.process.pid)]
    expect(networks[0] != networks[1], "it is in everybody's network")
    time.sleep(3)
    wait_for(lambda: not_blank(window), "something on its window")
    # A minute away from the diary, with a document in front of one's eyes, is no leaving.
    time.sleep(61)
    expect(number in diary.children() and not diary.has("The diary is locked"), "whoever reads a letter is locked out")
    diary.front()
    diary.see("on Friday")
    diary.press("Show with its layout")
    again = wait_for(lambda: next((one for one in diary.children() if one != number), 0), "another window in its place")
    wait_for(lambda: number not in diary.children(), "the end of the first window")
    wait_for(lambda: diary.windows(again), "its window")
    time.sleep(3)
    diary.front()
    diary.see("on Friday")
    diary.press("Back")
    diary.press("Lock now")
    wait_for(lambda: again not in diary.children(), "the end of the document's window with the lock")
    # Nobody may have the keyboard now, and the lock lies under the cover: a person clicks on the window.
    for _ in range(5):
        time.sleep(1)
        if not diary.has("Hidden while another window is in use."):
            break
        window = diary.window()
        subprocess.run(["xdotool", "windowminimize", window], check=True)
        time.sleep(0.5)
        subprocess.run(["xdotool", "windowmap", window, "windowactivate", window], check=True)
    diary.see("The diary is locked")
    diary.type_pin(PIN)
    diary.see("stranger.html")
    diary.press_row_with("stranger.html")
    diary.see("on Friday")


def not_blank(window):
    picture = subprocess.run(["import", "-window", window, "-format", "%k", "info:-"], capture_output=True, text=True).stdout
    return int(picture or 0) > 8


@contextlib.contextmanager
def notices(diary):
    """The desktop's notification daemon; gives what waits for a notice, and says all that it shows."""
    daemon = subprocess.Popen(["dunst"], env=diary.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL)

    def control(word):
        return subprocess.run(["dunstctl", word], env=diary.environment, capture_output=True, text=True).stdout

    def shown(seconds=60):
        wait_for(lambda: any(int(line.split(":")[1]) > 0 for line in control("count").splitlines()), "a notice", seconds)
        control("close-all")
        return control("history")
    try:
        yield shown
    finally:
        daemon.terminate()
        daemon.wait(10)


@step("reminder", "A reminder outside of the window: the system's notices have a time and no word of the diary")
def reminder(day):
    diary = day.diary
    with notices(diary) as notice:
        diary.press("Settings")
        diary.see("Remind me to tell about the night")
        diary.press("Remind me to tell about the night")
        times = []

        def soon():
            times.append(time.strftime("%H:%M", time.gmtime(time.time() + 70)))
            return times[-1]
        diary.enter("Remind me to tell about the night", soon)
        told = notice(150)
        expect(times[-1] in told and "time for an entry" in told, f"another notice: {told}")
        expect(not any(note in told for note in NOTES), "a notice has a word of the diary")
    diary.press("Remind me to tell about the night")


@step("lock", "The cover: while the window is not in use the diary is on no screen and on no bus")
def cover(day):
    diary = day.diary
    diary.press("Diary")
    diary.see(NOTES[0])
    expect(diary.tells(*NOTES) == NOTES, "the search of the bus finds nothing, also not what is shown")
    window = diary.window()
    subprocess.run(["xdotool", "windowminimize", window], check=True)
    diary.see("Hidden while another window is in use.")
    found = diary.tells(*NOTES)
    expect(not found, f"on the accessibility bus under the cover: {found}")
    subprocess.run(["xdotool", "windowmap", window, "windowactivate", window], check=True)
    diary.see(NOTES[0])


@step("lock", "A question left open: it is covered with the diary, and a minute later the lock has answered it with the safe answer")
def left_open(day):
    diary = day.diary
    diary.press("Diary")
    diary.press_row_with(NOTES[0])
    diary.see("Minutes until asleep")
    diary.press("Erase")
    diary.see("Erase this night?")
    expect(diary.tells(*NOTES[:1]), "the search of the bus finds nothing, also not what is shown")
    with other_window():
        diary.see("Hidden while another window is in use.")
        wait_for(lambda: not diary.has("Erase this night?"), "a question without words under the cover")
        found = diary.tells(*NOTES)
        expect(not found, f"on the accessibility bus while a question is open: {found}")
    diary.front()
    diary.see("Erase this night?")
    with other_window():
        diary.see("Hidden while another window is in use.")
        time.sleep(62)
        expect(len(diary.windows()) == 1, "the question is open behind the lock")
        found = diary.tells(*NOTES)
        expect(not found, f"on the accessibility bus behind the lock: {found}")
    diary.front()
    diary.see("The diary is locked")
    # What is found while the person is away stands there when they are back, and not what stood there before.
    diary.type_pin("918273")
    with other_window():
        diary.see("Hidden while another window is in use.")
        time.sleep(2)
    diary.front()
    wait_for(lambda: "wrong" in diary.texts().lower(), "a word about the wrong PIN")
    wait_for(lambda: not diary.has("One moment"), "an answer")
    diary.type_pin(PIN)
    diary.see(NOTES[0])


@step("lock", "The session's lock and a sleep of the machine lock the diary at once; another session and a stranger on the bus do not")
def session_locked(day):
    diary, login = day.diary, day.login
    login.wait_for_listener()
    for word in ("other", "stranger", "wake", "unlock"):
        login.say(word)
    time.sleep(3)
    expect(not diary.has("The diary is locked"), "a word of somebody else locks the diary")
    for word in ("lock", "hint 1", "sleep"):
        login.say(word)
        diary.see("The diary is locked")
        if word == "hint 1":
            login.say("hint 0")
        diary.type_pin(PIN)
        diary.see(NOTES[0])
    # The page on which the PIN is changed is one of PINs, and none of the lock.
    diary.press("Settings")
    diary.press_until("Change the PIN", "Type the PIN that you have now")
    login.say("lock")
    diary.see("The diary is locked")
    diary.type_pin(PIN)
    diary.press("Diary")
    diary.see(NOTES[0])


@step("lock", "Locked: no note on the bus; no PIN, no token and no note in memory")
def lock(day):
    diary = day.diary
    expect(diary.memory_holds(*WORDS), "the search of memory finds nothing, also not what is shown")
    expect(diary.memory_holds(b"canary-access-"), "the search of memory finds no token, also not while one is in use")
    diary.press("Lock now")
    diary.see("The diary is locked")
    found = diary.tells(*NOTES)
    expect(not found, f"on the accessibility bus behind the lock: {found}")
    # The notes were written by the bus, as nobody does at a keyboard.
    reader.outwrite(diary.bus_name)
    day.note(f"gone from memory {diary.memory_without(*SECRETS, *WORDS):.1f} s after the lock page was there")


@step("lock", "The PIN that is being typed is on no bus: what is told is how many digits it has")
def typed_pin(day):
    diary = day.diary
    diary.front()
    wait_for(lambda: any(node.has_keyboard and node.name == "PIN" for node in diary.nodes()), "the keyboard at the PIN")
    subprocess.run(["xdotool", "type", "--delay", "40", "9182"], check=True)
    diary.see("4 digits typed")
    found = diary.tells("9182", "2819")
    expect(not found, f"on the accessibility bus: {found}")
    subprocess.run(["xdotool", "key", "Escape"], check=True)
    wait_for(lambda: not diary.has("4 digits typed"), "an empty field")


@step("lock", "Wrong PINs are counted and told, the right one opens, typed on the keyboard")
def wrong_pins(day):
    diary = day.diary
    for _ in range(2):
        diary.key_pin("918273")
        wait_for(lambda: "wrong" in diary.texts().lower(), "a word about the wrong PIN")
        wait_for(lambda: not diary.has("One moment"), "an answer")
    diary.key_pin(PIN)
    diary.see(NOTES[0])


@step("theft", "The whole folder, stolen: no word, PIN or token in clear, and it opens with the PIN alone")
def stolen(day):
    diary = day.diary
    found = diary.files_hold(*SECRETS, *WORDS, *LETTERS)
    expect(not found, f"in files in clear: {found}")
    count = sum(1 for path in diary.home.rglob("*") if path.is_file())
    expect(count > 10, "the home is nearly empty: the search proves nothing")
    day.note(f"{count} files searched for {len(SECRETS) + len(WORDS)} canaries")
    diary.stop()
    shutil.copytree(diary.home, day.folder / "stolen", symlinks=True)
    thief = Diary(day.folder, home="stolen").start()
    try:
        thief.see("The diary is locked")
        thief.type_pin("918273")
        wait_for(lambda: "wrong" in thief.texts().lower(), "a word about the wrong PIN")
        expect(not any(thief.has(note) for note in NOTES), "the thief reads")
        expect(not thief.memory_holds(*SECRETS[2:], *WORDS), "the thief's process has what it must not have")
    finally:
        thief.stop()


@step("theft", "A folder without its keychain opens nothing")
def without_keys(day):
    shutil.copytree(day.diary.home / "apps", day.folder / "part" / "apps", symlinks=True)
    (day.folder / "part").chmod(0o700)
    part = Diary(day.folder, home="part").start()
    try:
        wait_for(lambda: len(part.texts()) > 40 and not part.has("One moment"), "a page")
        expect(not any(part.has(note) for note in NOTES), "opened without keys")
        expect(not part.memory_holds(*WORDS), "read without keys")
    finally:
        part.stop()


@step("theft", "Started again it is locked; the session lives on")
def restart(day):
    diary = day.diary.start()
    diary.see("The diary is locked")
    expect(not any(diary.has(note) for note in NOTES), "a note is shown before the PIN")
    diary.type_pin(PIN)
    diary.see(NOTES[0])
    diary.press("Settings")
    diary.see("Signed in at")


@step("kill", "Killed as soon as a night was told: it is there, and the session lives on")
def killed(day):
    diary = day.diary
    change_note(diary, NOTES[1], EDITS[2])
    diary.kill()
    unlock(diary, PIN)
    diary.see(EDITS[2])
    change_note(diary, EDITS[2], NOTES[1])
    diary.press("Settings")
    diary.press_until("Ask the server who I am", "The server knows you as alice.")


@step("kill", "A crash leaves no core file, although the machine would keep one, and the night is there")
def crashed(day):
    plain = subprocess.Popen(["sleep", "60"], preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (-1, -1)), cwd=day.folder)
    plain.send_signal(signal.SIGSEGV)
    _, status = os.waitpid(plain.pid, 0)
    plain.returncode = -signal.SIGSEGV
    if not os.WCOREDUMP(status):
        day.note("this machine keeps core files of no program: a crash of the diary shows nothing here")
    expect(not day.diary.dumps_core(), "the crash left a core file")
    unlock(day.diary, PIN)


def sign_in_at(diary, pin=None, is_new=False):
    """Signs in at the address that the settings show; with `pin` the key on the screen is compared."""
    diary.press("Settings")
    diary.see("Sign in at the server of your clinic")
    diary.press("Sign in")
    wait_for(lambda: diary.has("Do you know this server?") or diary.has("Signed in at"), "the question or the sign-in", 40)
    expect(not is_new or diary.has("Do you know this server?"), "another key was taken without a question")
    if diary.has("Do you know this server?"):
        if pin:
            groups = " ".join(pin[at:at + 4] for at in range(0, len(pin), 4))
            expect(groups in diary.texts(), "the key on the screen is not the server's")
        diary.press("I compared it: trust")
    diary.see("Signed in at", 40)


def change_note(diary, old, new):
    """Opens the night with this note and gives it another one."""
    diary.press("Diary")
    diary.see(old)
    diary.press_row_with(old)
    diary.see("Minutes until asleep")
    diary.write("Note", new)
    diary.press("Save")
    # What stands in the field is not kept yet.
    wait_for(lambda: not diary.has("Minutes until asleep"), "the night's page closed")
    diary.see(new)


def unlock(device, pin):
    device.start()
    device.see("The diary is locked")
    device.type_pin(pin)
    device.see(NOTES[0])


def settle(device):
    """Brings the device and the server together, and waits until nothing waits."""
    device.press("Settings")
    device.press("Synchronise now")
    device.see("All nights are at the server.", 90)


@step("sync", "A second device, on which version 1 of the app kept the server's address, signs in and has the nights")
def second_device(day):
    settle(day.diary)
    # One at a time: a desktop has one of each program.
    day.diary.stop()
    other = day.other = Diary(day.folder, home="second", lab=day.lab)
    # Version 1 of the app was here: its keychain item has the address, and no variable.
    address = other.environment.pop("SLEEP_DIARY_SERVER")
    other.home.mkdir(mode=0o700)
    subprocess.run([str(PAVISE), "security", "add-generic-password", "-a", "address", "-s", "org.example.SleepDiary.server", "-w", address],
                   env=other.environment | {"PAVISE_APP_ID": "sleep-diary"}, check=True, stdout=subprocess.DEVNULL)
    other.start()
    other.see("Choose a PIN")
    for _ in range(2):
        other.type_pin(OTHER_PIN)
    other.see("Your health data")
    other.press("I agree")
    other.see("No nights yet")
    sign_in_at(other, day.lab.facts["pin"])
    settle(other)
    other.press("Diary")
    for note in NOTES:
        other.see(note)
    other.stop()


PUSH = "Tell me when another device changed the diary"


@step("sync", "Notices of the server: no token before the person wants them; who delivers one, and who sees it, learns nothing")
def push(day):
    diary = day.diary
    unlock(diary, PIN)
    expect(day.lab.push_service() == {"payloads": [], "registered": []}, "a push token was told before anybody was asked")
    diary.press("Settings")
    diary.press(PUSH)
    wait_for(lambda: len(day.lab.push_service()["registered"]) == 1, "a push token at the server")
    token = day.lab.push_service()["registered"][0].encode()
    diary.stop()
    found = diary.files_hold(token)
    expect(not found, f"the push token is in files in clear: {found}")
    unlock(day.other, OTHER_PIN)
    for old, new in ((NOTES[1], EDITS[2]), (EDITS[2], NOTES[1])):
        change_note(day.other, old, new)
        settle(day.other)
    day.other.stop()
    payloads = day.lab.push_service()["payloads"]
    expect(payloads, "the other device's change was no notice")
    for payload in map(json.loads, payloads):
        expect(sorted(payload) == ["aps", "pavise"], f"the push service reads more than it has to: {payload}")
        expect(payload["aps"] == {"alert": {"loc-key": "notice.neutral.body"}, "mutable-content": 1}, f"a text: {payload}")
        expect(len(payload["pavise"].split(".")) == 5, f"no sealed packet: {payload}")
    with notices(diary) as shown:
        unlock(diary, PIN)
        told = shown()
        expect("Another of your devices was used." in told, f"another notice: {told}")
        expect(not any(note in told for note in NOTES + EDITS), "a notice has a word of the diary")
    diary.stop()


@step("sync", "Both devices change one night, one of them while the server does not answer: both versions stay, and nobody chose yet")
def conflict(day):
    day.lab.pause()
    try:
        unlock(day.diary, PIN)
        change_note(day.diary, NOTES[2], EDITS[0])
        day.diary.press("Settings")
        day.diary.see("Nights that are not at the server yet: 1")
        day.diary.stop()
    finally:
        day.lab.go_on()
    unlock(day.other, OTHER_PIN)
    change_note(day.other, NOTES[2], EDITS[1])
    settle(day.other)
    day.other.stop()
    unlock(day.diary, PIN)
    settle(day.diary)
    day.diary.see("Nights with two versions")
    day.diary.press("Nights with two versions")
    day.diary.see("Both versions are kept until you choose one.")
    for note in EDITS[:2]:
        day.diary.see(note)


@step("sync", "The choice says what it loses, Escape chooses nothing, and the other device has what was chosen")
def choose(day):
    diary = day.diary
    diary.press("Keep this version: The other version")
    diary.see("On all your devices this is lost:")
    lost = diary.text_with("On all your devices this is lost:")
    expect(EDITS[1] in lost and EDITS[0] not in lost, f"the question names the wrong version: {lost}")
    diary.escape("On all your devices this is lost:")
    diary.see("Both versions are kept until you choose one.")
    diary.press("Keep this version: The other version")
    diary.see("On all your devices this is lost:")
    with other_window():
        diary.see("Hidden while another window is in use.")
        wait_for(lambda: not diary.tells(*EDITS), "no word of the diary on the bus while its question is open", 10)
    diary.front()
    diary.see(EDITS[1])
    diary.answer("On all your devices this is lost:", "Keep this version")
    diary.see("The night has one version again.")
    settle(diary)
    expect(not diary.has("Nights with two versions"), "a conflict that was closed is there")
    diary.stop()
    unlock(day.other, OTHER_PIN)
    settle(day.other)
    day.other.press("Diary")
    day.other.see(EDITS[0])
    expect(not day.other.has(EDITS[1]), "the version that was given up is there")
    day.other.stop()
    unlock(diary, PIN)


@step("sign-out", "Signed out through the window: no token in any file or in memory, the server took it back, and the diary is there")
def sign_out(day):
    diary = day.diary
    diary.press("Settings")
    diary.press_until("Sign out", "Sign out?")
    diary.answer("Sign out?", "Sign out")
    diary.see("You are signed out.")
    diary.see("Sign in at the server of your clinic")
    expect(not diary.has("Synchronise now"), "an account is shown that is not there")
    expect(not day.lab.push_service()["registered"], "the server has a push token of somebody who is signed out")
    found = diary.files_hold(*SECRETS)
    expect(not found, f"in files after the sign-out: {found}")
    diary.memory_without(*SECRETS)
    diary.press("Diary")
    diary.see(NOTES[0])
    sign_in_at(diary)


@step("sign-out", "Server down: the person is told, and stays signed in; another key at its address gets nothing")
def server_down(day):
    diary = day.diary
    port = day.lab.port
    counted = day.lab.stop()
    expect(counted["revocations"] > 0, f"the sign-out took nothing back at the server: {counted}")
    diary.press_until("Ask the server who I am", "No connection")
    expect(diary.has("Signed in at"), "signed out by a server that is down")
    impostor = Lab(port)
    try:
        diary.press("Ask the server who I am")
        wait_for(lambda: diary.has("certificate") or diary.has("not trusted") or diary.has("identity"), "a refusal", 60)
        expect(not diary.has("The server knows you as alice."), "an answer of an impostor was believed")
    finally:
        counted = impostor.stop()
    expect(counted["grantedCalls"] == 0 and counted["refusedCalls"] == 0, f"the impostor got a request: {counted}")


@step("sign-out", "The clinic renewed its certificate: the new key is a question, and trusted it has the nights again")
def renewed(day):
    diary = day.diary
    day.lab = Lab(day.lab.port)
    diary.environment |= {"LAB_ANCHORS": day.lab.facts["anchors"], "LAB_PIN": day.lab.facts["pin"]}
    diary.press("Settings")
    diary.press_until("Sign out", "Sign out?")
    diary.answer("Sign out?", "Sign out")
    diary.see("Sign in at the server of your clinic")
    diary.stop()
    unlock(diary, PIN)
    sign_in_at(diary, day.lab.facts["pin"], is_new=True)
    settle(diary)
    counted = day.lab.stop()
    expect(counted["grantedCalls"] > 0, f"the renewed server got nothing: {counted}")


@step("managed", "An administrator's file names the only server: no other one is contacted, whatever the person wants")
def managed(day):
    rules = day.folder / "managed.json"
    rules.write_text('{"allowedServers": ["clinic.example"]}')
    day.diary.stop()
    short = day.short = Lab(idle=8, access=4)
    device = day.third = Diary(day.folder, home="third", lab=short)
    device.environment["PAVISE_MANAGED"] = str(rules)
    device.start()
    device.see("Choose a PIN")
    for _ in range(2):
        device.type_pin(OTHER_PIN)
    device.see("Your health data")
    device.press("I agree")
    device.press("Settings")
    device.see("Sign in at the server of your clinic")
    device.press("Sign in")
    device.see("Your administrator does not allow this. Nothing was sent.")
    device.stop()
    del device.environment["PAVISE_MANAGED"]


@step("managed", "A session that nobody used ends at the server, too: the person is told, and signs in again")
def idle(day):
    device = day.third.start()
    device.see("The diary is locked")
    device.type_pin(OTHER_PIN)
    sign_in_at(device, day.short.facts["pin"])
    # Longer than its eight seconds without a request.
    time.sleep(20)
    device.press_until("Ask the server who I am", "ended")
    device.press("Diary")
    device.see("No nights yet")
    device.press("Settings")
    device.press_row_with("Sign in again")
    # The account knows the certificate: a question would stop the sign-in here.
    device.see("Signed in at", 60)
    device.stop()
    counted = day.short.stop()
    # A refresh that was refused is a request for a token that gave none.
    gave = counted["signIns"] + counted["refreshes"]
    expect(counted["tokenRequests"] > gave, f"the server refused nothing: {counted}")
    unlock(day.diary, PIN)


@step("erase", "Everything erased through the window, without a server: a receipt with figures, and nothing is left of the rest")
def erase(day):
    diary = day.diary
    day.lab.stop()
    diary.press("Settings")
    diary.press_until("Erase everything", "Erase everything?")
    diary.escape("Erase everything?")
    diary.press("Diary")
    diary.see(NOTES[0])
    diary.press("Settings")
    diary.press_until("Erase everything", "Erase everything?")
    diary.answer("Erase everything?", "Erase everything")
    diary.see("Receipt", 40)
    said = diary.texts()
    expect("3 nights, 2 questionnaires and 1 documents were erased" in said, "the receipt does not say how much")
    expect("The server was not reached" in said, "the receipt does not say what became of the sign-in")
    diary.answer("Receipt", "Close")
    diary.see("Choose a PIN")
    expect(not any(diary.has(note) for note in NOTES), "a note is on the screen after everything was erased")
    found = diary.files_hold(*SECRETS, *WORDS, *LETTERS)
    expect(not found, f"in files after everything was erased: {found}")
    reader.outwrite(diary.bus_name)
    diary.memory_without(*SECRETS, *WORDS)
    # The thief's copy of before has no key any more that this device could give.
    diary.stop()
    diary.start()
    diary.see("Choose a PIN")


# A day in seconds, on a machine that does nothing else; DIARY_WALK_LIMIT for another one. A walk that stands still is one that failed.
LIMIT = int(os.environ.get("DIARY_WALK_LIMIT", 1_800))
PICTURES = ROOT / "Artifacts" / "diary-walk"


def begin_shortly(day):
    """What the later parts of the day stand on: PIN, consent, nights, answers, a document, and a sign-in without a browser."""
    del day.diary.environment["LAB_BROWSER"]
    for function in (choose_pin, agree, nights, questionnaires):
        function(day)
    sign_in_at(day.diary, day.lab.facts["pin"])
    keep_letter(day)


def chosen(parts):
    """The steps of these parts of the day; all where none is named."""
    names = list(dict.fromkeys(part for part, _, _ in STEPS))
    unknown = [part for part in parts if part not in names]
    if unknown:
        sys.exit(f"walk.py: no part of the day: {', '.join(unknown)}; there are {', '.join(names)}")
    return [one for one in STEPS if not parts or one[0] in parts]


def play(day, sentence, function):
    """Whether the step passed; a line says so, with what it took and what it noted."""
    begun = time.monotonic()
    mark = "passed"
    try:
        function(day)
    except Exception:
        mark = "FAILED"
        day.note(traceback.format_exc(limit=-4).rstrip())
        with contextlib.suppress(Exception):
            PICTURES.mkdir(parents=True, exist_ok=True)
            subprocess.run(["import", "-window", "root", str(PICTURES / "failed.png")], check=True, timeout=20)
            day.note("the screen: Artifacts/diary-walk/failed.png")
    print(f"{mark}  {time.monotonic() - begun:5.1f} s  {sentence}", flush=True)
    for line in day.lines:
        print(f"                 {line}", flush=True)
    day.lines = []
    return mark == "passed"


def main(words):
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", default="")
    parser.add_argument("--list", action="store_true")
    asked = parser.parse_args(words)
    steps = chosen([part for part in asked.only.split(",") if part])
    if asked.list:
        for part, sentence, _ in steps:
            print(f"{part:10} {sentence}")
        return 0
    # Whoever begins at the beginning has no need of the short one.
    is_whole = steps[0] is STEPS[0]
    if not is_whole:
        steps.insert(0, ("", "In short: PIN, consent, nights, answers, sign-in, a document", begin_shortly))
    # Where it stands: kill -USR1.
    faulthandler.register(signal.SIGUSR1)
    signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(TimeoutError(f"the walk takes more than {LIMIT} s")))
    signal.alarm(LIMIT)
    # Whoever ends it ends what it started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("diary-walk: ended"))
    begun, passed = time.monotonic(), 0
    with stage() as folder:
        day = Day(folder)
        try:
            for _, sentence, function in steps:
                if not play(day, sentence, function):
                    for device in filter(None, (day.diary, day.other, day.third)):
                        ended = device.process.poll() if device.process else None
                        if ended not in (None, 0, -signal.SIGTERM, -signal.SIGKILL):
                            print(f"The program of {device.home.name} ended with {ended}.")
                    print(day.diary.log.read_text(errors="replace")[-3000:])
                    break
                passed += 1
        finally:
            day.stop()
    print(f"diary-walk: {passed} of {len(steps)} steps passed in {time.monotonic() - begun:.0f} s")
    return 0 if passed == len(steps) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
