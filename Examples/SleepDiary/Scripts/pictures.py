"""make diary-pictures: the pages of the diary in both languages, compared with those in Documentation/SleepDiary.

Usage: pictures.py FOLDER             takes them anew and keeps them there
       pictures.py --compare FOLDER   takes them anew and compares each with the one that is kept; what differs is kept in Artifacts
       pictures.py --self-test FOLDER compares kept ones with changed copies of themselves: each change is noticed
"""

import pathlib
import subprocess
import sys
import tempfile
import time

from desktop import ROOT, Diary, Lab, expect, other_window, stage, wait_for

PIN = "730469"
# The day of the sample, and the address of the lab, both of which are in pictures.
DAY, PORT = "2026-11-26", 18943
# What may be another one each time, as x, y, width and height: the lab's key; what the checks of this machine found.
MASKS = {"certificate": [(230, 386, 500, 29)], "settings": [(130, 553, 500, 18)], "settings-narrow": [(20, 540, 320, 60)]}
# Pixels that may differ by more than a tenth of their colour: less than a letter has.
ALLOWED = 12
TEXTS = {
    "en": {"locale": "english", "digit": "Digit %s", "enter": "Enter", "choose": "Choose a PIN", "again": "Type the same PIN",
           "add": "Add a night", "cancel": "Cancel", "trends": "Trends", "trend": "Weeks", "questions": "Questions",
           "isi": "Answer now: Insomnia Severity Index (ISI)", "item": "Question 1 of 7", "documents": "Documents",
           "letter": "clinic-letter.html", "shown": "Monday at 9:30", "back": "Back", "settings": "Settings", "sign": "Sign in",
           "agree": "I agree", "empty": "No nights yet", "evening": "Evening of (year-month-day)", "skip": "Skip this question",
           "result": "Result", "close": "Close", "note": "Note",
           "words": "Read until late", "health": "Your health data",
           "review": "Do you know this server?", "meaning": "What does this mean?", "no": "Do not connect",
           "lock": "Lock now", "locked": "The diary is locked", "isi-list": "Sum 21 of 28", "account": "Sign in at the server",
           "diary": "Diary", "save": "Save", "cover": "Hidden while another window is in use.", "change": "Change the PIN",
           "old": "Type the PIN that you have now.", "trust": "I compared it: trust", "signed": "Signed in at",
           "sync": "Synchronise now", "done": "All nights are at the server.", "versions": "Nights with two versions",
           "conflict": "Two of your devices changed the same night.",
           "notes": ["Read until late", "Read until eleven", "Read for a quarter of an hour"],
           "erase": "Erase everything", "sure": "Erase everything?", "receipt": "Receipt of deletion", "wrong": "The PIN is wrong.",
           "erased": "Everything was erased", "failed": "Configuration damaged", "lang": "en_GB.UTF-8"},
    "de": {"locale": "german", "digit": "Ziffer %s", "enter": "Eingabe", "choose": "PIN wählen", "again": "dieselbe PIN",
           "add": "Nacht eintragen", "cancel": "Abbrechen", "trends": "Verlauf", "trend": "Wochen", "questions": "Fragebögen",
           "isi": "Jetzt beantworten: Insomnia Severity Index (ISI)", "item": "Frage 1 von 7", "documents": "Dokumente",
           "letter": "klinikbrief.html", "shown": "Montag um 9:30", "back": "Zurück", "settings": "Einstellungen",
           "sign": "Anmelden", "agree": "Ich stimme zu", "empty": "Noch keine Nächte", "evening": "Abend des (Jahr-Monat-Tag)", "skip": "Diese Frage auslassen",
           "result": "Ergebnis", "close": "Schließen", "note": "Notiz",
           "words": "Bis spät gelesen", "health": "Ihre Gesundheitsdaten",
           "review": "Kennen Sie diesen Server?", "meaning": "Was bedeutet das?", "no": "Nicht verbinden",
           "lock": "Jetzt sperren", "locked": "Das Tagebuch ist gesperrt", "isi-list": "Summe 21 von 28",
           "account": "Melden Sie sich am Server", "diary": "Tagebuch", "save": "Speichern",
           "cover": "Verborgen, solange ein anderes Fenster benutzt wird.", "change": "PIN ändern",
           "old": "Geben Sie die bisherige PIN ein.", "trust": "Verglichen: vertrauen", "signed": "Angemeldet bei",
           "sync": "Jetzt abgleichen", "done": "Alle Nächte sind beim Server.", "versions": "Nächte mit zwei Fassungen",
           "conflict": "Zwei Ihrer Geräte haben dieselbe Nacht geändert.",
           "notes": ["Bis spät gelesen", "Bis elf gelesen", "Eine Viertelstunde gelesen"],
           "erase": "Alles löschen", "sure": "Alles löschen?", "receipt": "Löschquittung", "wrong": "Die PIN ist falsch.",
           "erased": "Alles wurde gelöscht", "failed": "Konfiguration unbrauchbar", "lang": "de_DE.UTF-8"},
}


def take(folder, into, code):
    say = TEXTS[code]
    lab = Lab(PORT)
    diary = Diary(folder, home=f"home-{code}", language=say["locale"], lab=lab)
    diary.environment["SLEEP_DIARY_DAY"] = DAY
    diary.fill()

    def picture(name):
        diary.front()
        diary.picture(into / f"{code}-{name}.png")
    try:
        diary.start()
        diary.see(say["choose"])
        picture("pin")
        for _ in range(2):
            diary.type_pin(PIN, say["digit"], say["enter"])
        diary.see(say["add"])
        picture("diary")
        diary.press(say["add"])
        diary.write(say["evening"], DAY)
        diary.write(say["note"], say["words"])
        picture("night")
        diary.press(say["cancel"])
        diary.see(say["add"])
        diary.press(say["trends"])
        diary.see(say["trend"])
        picture("trends")
        diary.press(say["questions"])
        diary.see(say["isi-list"])
        picture("questionnaires")
        diary.press(say["isi"])
        diary.see(say["item"])
        picture("question")
        for item in range(1, 8):
            diary.see(say["item"].replace("1", str(item), 1))
            diary.press(say["skip"])
        diary.see(say["result"])
        picture("result")
        diary.press_last(say["close"])
        diary.see(say["isi-list"])
        diary.press(say["documents"])
        diary.see(say["letter"])
        picture("documents")
        diary.press(say["letter"])
        diary.see(say["shown"])
        picture("document")
        diary.press(say["back"])
        diary.press(say["settings"])
        diary.see(say["account"])
        picture("settings")
        diary.press(say["sign"])
        diary.see(say["review"])
        diary.press(say["meaning"])
        time.sleep(0.5)
        picture_of_screen(into / f"{code}-certificate.png")
        diary.press(say["no"])
        diary.press(say["lock"])
        diary.see(say["locked"])
        picture("locked")
    finally:
        diary.stop()
        lab.stop()


def take_beginning(folder, into, code):
    """What a person sees who begins: the consent, and a diary without a night."""
    say = TEXTS[code]
    diary = Diary(folder, home=f"new-{code}", language=say["locale"])
    try:
        diary.start()
        for _ in range(2):
            diary.type_pin(PIN, say["digit"], say["enter"])
        diary.see(say["health"])
        diary.front()
        diary.picture(into / f"{code}-consent.png")
        diary.press(say["agree"])
        diary.see(say["empty"])
        diary.picture(into / f"{code}-empty.png")
    finally:
        diary.stop()


def take_cover_and_receipt(folder, into, code):
    """What stands in the place of the diary while another window is used, how the PIN is changed, and what is left after all was erased."""
    say = TEXTS[code]
    diary = Diary(folder, home=f"rest-{code}", language=say["locale"])
    # Also the day of the receipt.
    diary.environment["SLEEP_DIARY_DAY"] = DAY
    diary.fill()
    try:
        diary.start()
        diary.see(say["choose"])
        for _ in range(2):
            diary.type_pin(PIN, say["digit"], say["enter"])
        diary.see(say["add"])
        with other_window(beside=diary.window()):
            diary.see(say["cover"])
            diary.picture(into / f"{code}-cover.png")
        diary.front()
        diary.see(say["add"])
        diary.press(say["settings"])
        diary.press_until(say["change"], say["old"])
        diary.front()
        diary.picture(into / f"{code}-change.png")
        diary.press_until(say["back"], say["account"])
        window = diary.window()
        diary.press_until(say["erase"], say["sure"])
        diary.answer(say["sure"], say["erase"])
        diary.see(say["receipt"])
        question = wait_for(lambda: [one for one in diary.windows() if one != window], "the receipt's window")[0]
        time.sleep(0.6)
        subprocess.run(["import", "-window", question, str(into / f"{code}-receipt.png")], check=True)
        diary.answer(say["receipt"], say["close"])
        diary.see(say["choose"])
    finally:
        diary.stop()


def begin(folder, home, code, lab=None):
    """A diary without a night, after PIN and consent."""
    say = TEXTS[code]
    diary = Diary(folder, home=home, language=say["locale"], lab=lab).start()
    diary.see(say["choose"])
    for _ in range(2):
        diary.type_pin(PIN, say["digit"], say["enter"])
    diary.see(say["health"])
    return diary


def take_versions(folder, into, code):
    """Two versions of a night: two devices changed it, one of them while the server did not answer."""
    say = TEXTS[code]
    lab = Lab(PORT)
    first, second, third = say["notes"]
    devices = []

    def save(device, old, new):
        if old:
            device.press_row_with(old)
        else:
            device.press(say["add"])
        device.see(say["evening"])
        if not old:
            device.write(say["evening"], DAY)
        device.write(say["note"], new)
        device.press(say["save"])
        wait_for(lambda: not device.has(say["evening"]), "the night's page closed")
        device.see(new)

    def unlock(device, *notes):
        device.start()
        device.see(say["locked"])
        device.type_pin(PIN, say["digit"], say["enter"])
        wait_for(lambda: any(device.has(note) for note in notes), f"one of {notes} on the screen", 60)

    def sync(device):
        device.press(say["settings"])
        device.press(say["sync"])
        device.see(say["done"], 90)

    def sign_in(device):
        device.press(say["settings"])
        device.see(say["account"])
        device.press(say["sign"])
        device.see(say["review"])
        device.press(say["trust"])
        device.see(say["signed"])
    try:
        # One at a time: a desktop has one of each program.
        for number in range(2):
            device = begin(folder, f"device-{number}-{code}", code, lab)
            devices.append(device)
            device.press(say["agree"])
            device.see(say["empty"])
            if number == 0:
                save(device, None, first)
            sign_in(device)
            sync(device)
            device.press(say["diary"])
            device.see(first)
            device.stop()
        one, two = devices
        lab.pause()
        try:
            unlock(one, first)
            save(one, first, second)
            one.stop()
        finally:
            lab.go_on()
        unlock(two, first)
        save(two, first, third)
        sync(two)
        two.stop()
        # It may have the other device's already: an unlock synchronises.
        unlock(one, second, third)
        sync(one)
        one.see(say["versions"])
        one.press_until(say["versions"], say["conflict"])
        # What is said in passing lies above the page for fifteen seconds.
        time.sleep(17)
        one.front()
        one.picture(into / f"{code}-versions.png")
    finally:
        for device in devices:
            device.stop()
        lab.stop()


def take_ends(folder, into, code):
    """After too many wrong PINs, and where the app cannot start: an administrator's file makes both."""
    say = TEXTS[code]
    rules = folder / f"rules-{code}.json"
    rules.write_text('{"appLock": {"attempts": 3}}')
    diary = begin(folder, f"erased-{code}", code)
    try:
        diary.stop()
        diary.environment["PAVISE_MANAGED"] = str(rules)
        diary.start()
        for left in (2, 1, 0):
            diary.see(say["locked"])
            diary.type_pin("918273", say["digit"], say["enter"])
            diary.see(say["wrong"] if left else say["erased"])
            # The words of the try before stand there until the next one is looked at.
            time.sleep(3)
        diary.front()
        diary.picture(into / f"{code}-erased.png")
        diary.stop()
        rules.write_text("{")
        # Nothing is read that says which language the person chose: the system's it is.
        diary.environment["LANG"] = say["lang"]
        diary.start()
        diary.see(say["failed"])
        diary.front()
        diary.picture(into / f"{code}-failed.png")
    finally:
        diary.stop()


def take_looks(folder, into):
    """Dark, and as narrow as a phone."""
    diary = Diary(folder, home="home-looks", appearance="dark")
    diary.environment["SLEEP_DIARY_DAY"] = DAY
    diary.fill()

    def picture(name):
        diary.front()
        diary.picture(into / f"en-{name}.png")
    say = TEXTS["en"]
    pages = [("diary", "Diary", say["add"]), ("trends", say["trends"], say["trend"]), ("settings", say["settings"], say["account"])]
    try:
        diary.start()
        diary.see(say["choose"])
        for _ in range(2):
            diary.type_pin(PIN, say["digit"], say["enter"])
        diary.see(say["add"])
        for name, page, there in pages[:2]:
            diary.press(page)
            diary.see(there)
            picture(f"{name}-dark")
        diary.resize(360, 640)
        for name, page, there in pages:
            diary.press(page)
            diary.see(there)
            picture(f"{name}-narrow")
    finally:
        diary.stop()


def picture_of_screen(path):
    subprocess.run(["import", "-window", "root", str(path)], check=True)


def difference(one, other, name, into=None):
    """How many pixels of two pictures of this page differ, beside what may be another one each time; -1 for another size."""
    sizes = {subprocess.run(["identify", "-format", "%wx%h", str(path)], capture_output=True, text=True, check=True).stdout
             for path in (one, other)}
    if len(sizes) > 1:
        return -1
    masks = [word for x, y, width, height in MASKS.get(name.partition("-")[2], [])
             for word in ("-fill", "grey", "-draw", f"rectangle {x},{y} {x + width},{y + height}")]
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for number, path in enumerate((one, other)):
            paths.append(f"{folder}/{number}.png")
            subprocess.run(["convert", str(path), *masks, paths[-1]], check=True)
        done = subprocess.run(["compare", "-metric", "AE", "-fuzz", "10%", *paths, str(into or "null:")], capture_output=True, text=True)
        expect(done.returncode in (0, 1), f"compare: {done.stderr}")
        return int(float(done.stderr.split()[0]))


def compare(kept, fresh):
    """The names of the pages that are not as they were kept."""
    names = sorted({path.stem for folder in (kept, fresh) for path in folder.glob("*.png")})
    found, artifacts = [], ROOT / "Artifacts" / "diary-pictures"
    for name in names:
        one, other = kept / f"{name}.png", fresh / f"{name}.png"
        if not (one.is_file() and other.is_file()):
            found.append(f"{name}: only {'kept' if one.is_file() else 'taken now'}")
            continue
        artifacts.mkdir(parents=True, exist_ok=True)
        count = difference(one, other, name, artifacts / f"{name}-difference.png")
        if -1 < count <= ALLOWED:
            (artifacts / f"{name}-difference.png").unlink()
            continue
        (artifacts / f"{name}.png").write_bytes(other.read_bytes())
        found.append(f"{name}: {'another size' if count < 0 else f'{count} pixels differ'}")
    return names, found


def self_test(kept):
    """A picture is as itself; a word that is gone, a point to the side, another language, another size are noticed, and so is nothing
    where something may be another one."""
    with tempfile.TemporaryDirectory() as folder:
        for name, left, top in (("en-diary", 118, 163), ("de-settings", 132, 128), ("en-certificate", 202, 190)):
            changed = pathlib.Path(folder) / "changed.png"
            picture = kept / f"{name}.png"
            expect(difference(picture, picture, name) == 0, f"{name} differs from itself")
            x, y, width, height = MASKS.get(name.partition("-")[2], [(0, 0, 0, 0)])[0]
            changes = {
                "a word that is gone": ["-fill", "white", "-draw", f"rectangle {left},{top} {left + 60},{top + 16}"],
                "a point to the side": ["-roll", "+1+0"], "another size": ["-crop", "-1+0", "+repage"],
                "another colour": ["-modulate", "100,100,60"] if name == "en-diary" else ["-negate"],
            }
            for what, words in changes.items():
                subprocess.run(["convert", str(picture), *words, str(changed)], check=True)
                count = difference(picture, changed, name)
                expect(count < 0 or count > ALLOWED, f"not noticed in {name}: {what} ({count})")
            if width:
                subprocess.run(["convert", str(picture), "-fill", "red", "-draw", f"rectangle {x + 9},{y + 9} {x + width - 9},{y + height - 9}",
                                str(changed)], check=True)
                expect(difference(picture, changed, name) == 0, f"{name}: what may be another one is noticed")
        expect(difference(kept / "en-settings.png", kept / "de-settings.png", "en-settings") > ALLOWED, "not noticed: another language")
    print("diary-pictures: a change is noticed, and what may change is none")


def main(words):
    kept = pathlib.Path(words[-1])
    if words[0] == "--self-test":
        return self_test(kept)
    with stage() as folder:
        into = kept if words[0] != "--compare" else folder / "pictures"
        into.mkdir(parents=True, exist_ok=True)
        # Nothing blinks or moves in a picture.
        settings = folder / ".config" / "gtk-4.0" / "settings.ini"
        settings.parent.mkdir(parents=True)
        settings.write_text("[Settings]\ngtk-cursor-blink=0\ngtk-enable-animations=0\n")
        for code in TEXTS:
            take(folder, into, code)
            take_beginning(folder, into, code)
            take_cover_and_receipt(folder, into, code)
            take_versions(folder, into, code)
            take_ends(folder, into, code)
        take_looks(folder, into)
        if into == kept:
            return
        names, found = compare(kept, into)
    if found:
        sys.exit("diary-pictures: not as kept; see Artifacts/diary-pictures, and make diary-pictures RECORD=1:\n    " + "\n    ".join(found))
    print(f"diary-pictures: {len(names)} pages look as they were kept")


if __name__ == "__main__":
    main(sys.argv[1:])
